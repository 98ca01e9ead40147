//! What linguists see of a document: gaps, languages, readability and richness, computed again from tables and tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::BufRead;
use std::process::Command;

use warcorpus::document::{Document, Paragraph};
use warcorpus::quality::Signals;

use crate::common::{Corpus, build, expect, python, read_format, response, root, rows};
use crate::strict_vertical;

const FORMATS: &str = r#"output.formats=["vertical","tei","jsonl"]"#;

/// Blocks that were dropped between two kept paragraphs, with their reasons, from all blocks of the kept documents.
fn gaps(corpus: &Corpus) -> Vec<(usize, String)> {
    let kept: BTreeSet<u64> = corpus.documents().iter().filter(|row| row.kept).map(|row| row.doc).collect();
    let mut pages: BTreeMap<u64, Vec<Paragraph>> = BTreeMap::new();
    corpus.blocks().into_iter().for_each(|block| pages.entry(block.doc).or_default().push(block));
    let mut found = Vec::new();
    for blocks in pages.into_iter().filter(|(doc, _)| kept.contains(doc)).map(|(_, blocks)| blocks) {
        let runs: Vec<&[Paragraph]> = blocks.split(|block| block.kept).collect();
        for run in runs.iter().skip(1).take(runs.len().saturating_sub(2)).filter(|run| !run.is_empty()) {
            let reasons: BTreeSet<_> = run.iter().map(|block| block.drop_reason).collect();
            found.push((run.len(), reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>().join("|")));
        }
    }
    found
}

/// The gaps of vertical text.
fn written(vertical: &str) -> Vec<(usize, String)> {
    let gaps = vertical.lines().filter_map(|line| line.strip_prefix("<gap n=\"")?.strip_suffix("\"/>"));
    let parts = gaps.map(|gap| gap.split_once("\" reason=\"").unwrap());
    parts.map(|(number, reasons)| (number.parse().unwrap(), reasons.to_string())).collect()
}

#[test]
fn every_line_of_a_paragraph_is_one_in_tei() {
    let (dir, prose) =
        (tempfile::tempdir().unwrap(), "The boats that came in with the tide are in the harbour again. ".repeat(8));
    let html = format!("<title>Boats</title><h1>Boats</h1><p>{prose}<p>{prose}<br>---<br>* * *<br>{prose}<p>{prose}");
    let path = dir.path().join("a.warc");
    fs::write(&path, response(1, "http://www.example.org/a", "2024-05-01T00:00:00Z", &html)).unwrap();
    let corpus = Corpus::build(0, &[path.to_str().unwrap()], &["--set", FORMATS]);
    let rows = corpus.paragraphs();
    assert!(rows.iter().any(|row| row.kept && row.text.contains("\n---\n")), "{rows:?}");
    let breaks: usize = rows.iter().filter(|row| row.kept).map(|row| row.text.matches('\n').count()).sum();
    assert_eq!(read_format(&corpus.out(), "tei").matches("<lb").count(), breaks);
}

#[test]
fn gaps_are_where_blocks_were_dropped() {
    let corpus = build(&[FORMATS]);
    let want = gaps(&corpus);
    assert!(want.len() > 10, "{want:?}");
    let vertical = corpus.vertical();
    assert_eq!(written(&vertical), want);
    let registry = fs::read_to_string(corpus.layout().file("registry", "warcorpus")).unwrap();
    let reading = strict_vertical::read(&registry, &vertical);
    assert_eq!((reading.problems.first(), reading.never_present.first(), reading.gaps), (None, None, want.len()));
    let path = corpus.dir.path().join("off").display().to_string();
    let without = |set: &str| {
        expect(0, &["emit", &corpus.out(), "--format", "vertical", "--set", set, "--out", &path]);
        let layout = warcorpus::store::layout::Layout::new(&path);
        let registry = fs::read_to_string(layout.file("registry", "warcorpus")).unwrap();
        (Corpus::text_of(&layout), registry)
    };
    let (off, registry) = without("vertical.gaps=off");
    assert!(!registry.contains("STRUCTURE gap"));
    assert!(vertical.lines().filter(|line| !line.starts_with("<gap ")).eq(off.lines()));
    assert_eq!(written(&without("vertical.escape=xml").0), []);
}

/// Words of each sentence of a document of the vertical file.
fn sentences(vertical: &str) -> BTreeMap<u64, Vec<Vec<String>>> {
    let mut pages: BTreeMap<u64, Vec<Vec<String>>> = BTreeMap::new();
    let mut id = 0;
    for line in vertical.lines() {
        if let Some(rest) = line.strip_prefix("<doc id=\"") {
            id = rest.split('"').next().unwrap().parse().unwrap();
        } else if line == "<s>" {
            pages.entry(id).or_default().push(Vec::new());
        } else if !line.starts_with('<') && line.chars().any(char::is_alphanumeric) {
            pages.get_mut(&id).unwrap().last_mut().unwrap().push(line.into());
        }
    }
    pages
}

/// `textstat.lix`, its ARI without rounding, `lexical_diversity.mattr` with a window of 500, and the share of hapaxes.
fn reference(sentences: &[Vec<String>]) -> [f64; 6] {
    let words: Vec<&String> = sentences.iter().flatten().collect();
    let (all, sentences) = (words.len() as f64, sentences.iter().filter(|words| !words.is_empty()).count() as f64);
    let long = words.iter().filter(|word| word.chars().count() > 6).count() as f64;
    let characters: usize = words.iter().map(|word| word.chars().count()).sum();
    let (length, word_length) = (all / sentences, characters as f64 / all);
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let ratio = |window: &[String]| window.iter().collect::<BTreeSet<_>>().len() as f64 / window.len() as f64;
    let ratios: Vec<f64> = match lower.len() {
        0..=500 => vec![ratio(&lower)],
        _ => lower.windows(500).map(ratio).collect(),
    };
    let mut counts: BTreeMap<&String, u32> = BTreeMap::new();
    lower.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    let once = counts.values().filter(|count| **count == 1).count() as f64;
    [
        length + 100.0 * long / all,
        4.71 * word_length + 0.5 * length - 21.43,
        length,
        word_length,
        ratios.iter().sum::<f64>() / ratios.len() as f64,
        once / all,
    ]
}

/// LIX and ARI by textstat and MATTR by lexical_diversity; `None` without them.
fn of_tools<'p>(pages: impl Iterator<Item = &'p Vec<Vec<String>>>) -> Option<Vec<[f64; 3]>> {
    let python = python()?;
    let pages: Vec<String> = pages.map(|page| serde_json::to_string(page).unwrap() + "\n").collect();
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("pages");
    fs::write(&input, pages.concat()).unwrap();
    let script = root().join("tests/quality/readability.py");
    let output = Command::new(python).arg(script).stdin(fs::File::open(input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect())
}

#[test]
fn readability_is_that_of_the_reference() {
    let corpus = build(&[FORMATS, "quality.signals=[\"readability\"]"]);
    let signals: BTreeMap<u64, Signals> =
        rows::<Signals>(|shard| corpus.layout().signals(shard)).into_iter().map(|row| (row.doc, row)).collect();
    let vertical = corpus.vertical();
    // Vertical text has no invisible characters, which stand in words of the tables.
    let hidden: BTreeSet<u64> = corpus
        .paragraphs()
        .iter()
        .filter(|row| warcorpus::text::invisible::has_invisible(&row.text))
        .map(|row| row.doc)
        .collect();
    let pages: BTreeMap<u64, Vec<Vec<String>>> =
        sentences(&vertical).into_iter().filter(|(doc, _)| !hidden.contains(doc)).collect();
    assert!(pages.len() > 50, "{}", pages.len());
    for (doc, sentences) in &pages {
        let row = &signals[doc];
        let own = [row.lix, row.ari, row.mean_sentence_length, row.mean_word_length, row.mattr_500, row.hapax_share];
        for (own, want) in own.into_iter().zip(reference(sentences)) {
            assert!((own.unwrap() - want).abs() < 1e-6, "{doc}: {own:?} {want}");
        }
    }
    if let Some(told) = of_tools(pages.values()) {
        assert_eq!(told.len(), pages.len());
        for (doc, told) in pages.keys().zip(told) {
            let row = &signals[doc];
            for (own, want) in [row.lix, row.ari, row.mattr_500].into_iter().zip(told) {
                assert!((own.unwrap() - want).abs() < 1e-6, "{doc}: {own:?} {want}");
            }
        }
    }
    let bins = vertical.lines().filter(|line| line.starts_with("<doc ") && line.contains(" lix_bin=\"")).count();
    assert_eq!(bins, signals.len());
    let registry = fs::read_to_string(corpus.layout().file("registry", "warcorpus")).unwrap();
    let reading = strict_vertical::read(&registry, &vertical);
    assert_eq!((reading.problems.first(), reading.never_present.first()), (None, None));
    let lix = &reading.attributes[0]["lix_bin"];
    assert!(
        lix.split_once('-').is_some_and(|(from, to)| from.parse::<u32>().unwrap() + 10 == to.parse::<u32>().unwrap())
    );
    // From tables as in the job.
    let path = corpus.dir.path().join("later").display().to_string();
    expect(0, &["emit", &corpus.out(), "--format", "vertical", "--out", &path]);
    assert!(Corpus::text_of(&warcorpus::store::layout::Layout::new(&path)) == vertical);
}

#[test]
fn languages_have_the_shares_of_their_words() {
    let corpus = build(&[]);
    for document in corpus.documents() {
        let Document { kept, words, languages, language, .. } = document;
        let shares: Vec<(&str, f64)> =
            languages.iter().map(|own| own.split_once(':').unwrap()).map(|(l, s)| (l, s.parse().unwrap())).collect();
        assert_eq!(languages.is_empty(), !kept || words == 0, "{languages:?}");
        if let Some(first) = shares.first() {
            let sum: f64 = shares.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 0.01 && shares.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{languages:?}");
            assert!(first.0 == language.code() || shares.len() > 1, "{languages:?} {language}");
        }
    }
}
