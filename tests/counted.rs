//! Collocations, dispersion, frequencies by year and groups of hits, counted again from the vertical file in the slowest
//! and plainest way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use warcorpus::document::Document;
use warcorpus::emit::dates;
use warcorpus::stats::dispersion::PartUnit;

use crate::common::{Corpus, expect, sample};

const TAGGER: &str = r#"emit.tagger="awk '/^<./ { print; next } { print $0 \"\\t\" substr(tolower($0), 1, 3) }'""#;

/// A document of the vertical file: sentences of tokens, each with its columns.
struct Page {
    document: Document,
    sentences: Vec<Vec<Vec<String>>>,
}

fn tagged() -> Corpus {
    let columns = ["--set", "emit.tagger_columns=[\"lemma\"]", "--set", "vertical.columns=[\"word\",\"lemma\"]"];
    Corpus::build(0, &[&sample("web.warc.gz")], &[&["--set", TAGGER][..], &columns].concat())
}

fn pages(corpus: &Corpus) -> Vec<Page> {
    let documents: BTreeMap<u64, Document> = corpus.documents().into_iter().map(|row| (row.doc, row)).collect();
    let mut pages: Vec<Page> = Vec::new();
    for line in corpus.vertical().lines() {
        if let Some(rest) = line.strip_prefix("<doc id=\"") {
            let id: u64 = rest.split('"').next().unwrap().parse().unwrap();
            pages.push(Page { document: documents[&id].clone(), sentences: Vec::new() });
        } else if line == "<s>" {
            pages.last_mut().unwrap().sentences.push(Vec::new());
        } else if let Some((word, lemma)) = line.split_once('\t') {
            let sentence = pages.last_mut().unwrap().sentences.last_mut().unwrap();
            sentence.push(vec![word.into(), lemma.into()]);
        }
    }
    pages
}

fn english(corpus: &Corpus) -> Vec<Page> {
    pages(corpus).into_iter().filter(|page| page.document.language.code() == "eng").collect()
}

fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

/// Rows of a table: the first cell → the others.
fn table(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(String::from).collect()).collect()
}

fn statistics(corpus: &Corpus, out: &Path, more: &[&str]) -> String {
    let out = out.display().to_string();
    expect(0, &[&["stats", &corpus.out(), "--out", &out, "--top", "0"], more].concat()).0
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

/// Pairs, documents with a pair, and occurrences of each word; occurrences of the node; words near a node; words.
fn pairs(pages: &[Page], column: usize, node: &str) -> (BTreeMap<String, [usize; 3]>, [usize; 3]) {
    let (mut words, mut sizes) = (BTreeMap::<String, [usize; 3]>::new(), [0; 3]);
    for page in pages {
        let mut here = BTreeSet::new();
        for sentence in &page.sentences {
            let tokens: Vec<String> = sentence.iter().map(|columns| columns[column].to_lowercase()).collect();
            for (at, word) in tokens.iter().enumerate().filter(|(_, token)| is_word(token)) {
                let others = tokens.iter().enumerate().filter(|(other, token)| *other != at && *token == node);
                let is_near = others.into_iter().any(|(other, _)| other.abs_diff(at) <= 4);
                let row = words.entry(word.clone()).or_default();
                row[2] += 1;
                sizes[0] += usize::from(word == node);
                sizes[1] += usize::from(is_near);
                sizes[2] += 1;
                if is_near {
                    row[0] += 1;
                    row[1] += usize::from(here.insert(word.clone()));
                }
            }
        }
    }
    words.retain(|_, row| row[0] >= 2);
    (words, sizes)
}

/// logDice, MI, t-score and log-likelihood as they are printed in the papers.
fn measures(row: [usize; 3], sizes: [usize; 3]) -> [f64; 4] {
    let [pairs, _, count] = row.map(|count| count as f64);
    let [nodes, near, words] = sizes.map(|size| size as f64);
    let expected = nodes * count / words;
    let cells = [(pairs, near, count), (near - pairs, near, words - count), (count - pairs, words - near, count)];
    let last = (words - near - count + pairs, words - near, words - count);
    let likelihood = cells.into_iter().chain([last]).filter(|cell| cell.0 > 0.0);
    let likelihood: f64 = likelihood.map(|(o, row, column)| 2.0 * o * (o / (row * column / words)).ln()).sum();
    let sign = if pairs >= near * count / words { 1.0 } else { -1.0 };
    let log_dice = 14.0 + (2.0 * pairs / (nodes + count)).log2();
    [log_dice, (pairs / expected).log2(), (pairs - expected) / pairs.sqrt(), sign * likelihood]
}

#[test]
fn collocations_are_those_of_the_reference() {
    let (corpus, dir) = (tagged(), tempfile::tempdir().unwrap());
    let pages = english(&corpus);
    for (by, column, node) in [("word", 0, "the"), ("lemma", 1, "and")] {
        let out = dir.path().join(by);
        let line = ["--collocations", node, "--window", "4", "--min-pairs", "2", "--by", by, "--threads", "2"];
        let report = statistics(&corpus, &out, &line);
        let rows = table(&out.join("collocations/eng.tsv"));
        let (want, sizes) = pairs(&pages, column, node);
        assert!(report.contains(&format!("eng: {} occurrences of the node in {} word tokens", sizes[0], sizes[2])));
        assert_eq!(rows.len(), want.len());
        assert!(rows.len() > 5 && rows.windows(2).all(|pair| number(&pair[0][4]) >= number(&pair[1][4])));
        for row in &rows {
            let counts = want[&row[0]];
            assert_eq!(row[1..4], counts.map(|count| count.to_string()), "{row:?}");
            for (cell, value) in row[4..].iter().zip(measures(counts, sizes)) {
                assert!((number(cell) - value).abs() < 1e-4, "{row:?} {value}");
            }
        }
    }
}

#[test]
fn lemmas_of_an_untagged_corpus_are_refused() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (_, told) = expect(2, &["stats", &corpus.out(), "--by", "lemma"]);
    assert!(told.contains("not tagged"), "{told}");
}

#[test]
fn words_may_be_decomposed_and_references_are_given_once() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let node = |form: &str| expect(0, &["stats", &corpus.out(), "--language", "ces", "--collocations", form]).0;
    assert!(node("\u{17e}e").contains("occurrences of the node"));
    assert_eq!(node("z\u{30c}e"), node("\u{17e}e"));

    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("list.tsv");
    fs::write(&list, "the\t7\n").unwrap();
    let of = |language: &str| format!("{language}={}", list.display());
    let out = dir.path().join("out").display().to_string();
    let stats = |code, more: &[&str]| expect(code, &[&["stats", &corpus.out(), "--out", &out], more].concat()).1;
    let told = stats(2, &["--reference", &of("eng"), "--reference", &of("eng")]);
    assert!(told.contains("eng is given twice"), "{told}");
    let told = stats(2, &["--reference", &of("eng"), "--reference-words", "deu=9"]);
    assert!(told.contains("no --reference of deu"), "{told}");
    let told = stats(2, &["--reference", "eng=nothing.tsv"]);
    assert!(told.contains("nothing.tsv"), "{told}");
    let told = stats(0, &["--reference", &of("swa")]);
    assert!(told.contains("no words in swa"), "{told}");
}

#[test]
fn dispersion_is_that_of_the_reference() {
    let (corpus, dir) = (tagged(), tempfile::tempdir().unwrap());
    for (unit, name) in [(PartUnit::Document, "document"), (PartUnit::Host, "host")] {
        let out = dir.path().join(name);
        statistics(&corpus, &out, &["--dispersion", "7", "--parts", name]);
        let mut parts = vec![BTreeMap::<String, f64>::new(); 7];
        for page in english(&corpus) {
            let words = page.sentences.iter().flatten().map(|columns| columns[0].to_lowercase());
            let part = &mut parts[unit.part(&page.document, 7) as usize];
            words.filter(|word| is_word(word)).for_each(|word| *part.entry(word).or_default() += 1.0);
        }
        let sizes: Vec<f64> = parts.iter().map(|part| part.values().sum::<f64>()).filter(|size| *size > 0.0).collect();
        parts.retain(|part| !part.is_empty());
        let (n, words) = (sizes.len() as f64, sizes.iter().sum::<f64>());
        let rows = table(&out.join("dispersion/eng.tsv"));
        assert!(rows.len() > 500 && n > 2.0);
        for row in rows {
            let counts: Vec<f64> = parts.iter().map(|part| part.get(&row[0]).copied().unwrap_or(0.0)).collect();
            let total: f64 = counts.iter().sum();
            let relative: Vec<f64> = counts.iter().zip(&sizes).map(|(count, size)| count / size).collect();
            let mean = relative.iter().sum::<f64>() / n;
            let deviation = (relative.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / n).sqrt();
            let dp: f64 = counts.iter().zip(&sizes).map(|(count, size)| (count / total - size / words).abs()).sum();
            let smallest = sizes.iter().copied().fold(f64::INFINITY, f64::min) / words;
            let want = [1.0 - deviation / mean / (n - 1.0).sqrt(), dp / 2.0, dp / 2.0 / (1.0 - smallest)];
            assert_eq!(
                (row[1].as_str(), row[3].as_str()),
                (total.to_string().as_str(), counts.iter().filter(|count| **count > 0.0).count().to_string().as_str())
            );
            for (cell, value) in row[4..].iter().zip(want) {
                assert!((number(cell) - value).abs() < 1e-4, "{row:?} {value}");
            }
        }
    }
}

#[test]
fn years_are_those_of_the_reference() {
    let (corpus, dir) = (tagged(), tempfile::tempdir().unwrap());
    statistics(&corpus, dir.path(), &["--years", "published", "--ngrams", "2"]);
    let mut want = BTreeMap::<(String, String), usize>::new();
    for page in english(&corpus) {
        let date = page.document.published.and_then(dates::date);
        let year = date.map_or("unknown".to_string(), |date| date.year().to_string());
        for sentence in &page.sentences {
            for pair in sentence.windows(2).filter(|pair| pair.iter().all(|columns| is_word(&columns[0]))) {
                let gram = format!("{} {}", pair[0][0], pair[1][0]).to_lowercase();
                *want.entry((gram, year.clone())).or_default() += 1;
            }
        }
    }
    let rows = table(&dir.path().join("years/eng.2.tsv"));
    let found: BTreeMap<(String, String), usize> =
        rows.iter().map(|row| ((row[0].clone(), row[1].clone()), row[2].parse().unwrap())).collect();
    assert_eq!(found, want);
    assert_eq!(rows.len(), found.len());
    let years: BTreeSet<&String> = found.keys().map(|(_, year)| year).collect();
    assert!(years.len() > 1, "{years:?}");
}

#[test]
fn hits_are_grouped_by_columns_of_documents() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (all, _) = expect(0, &["concord", &corpus.out(), "tide", "--count"]);
    let (told, _) = expect(0, &["concord", &corpus.out(), "tide", "--count", "--by", "host", "--threads", "2"]);
    let rows: Vec<Vec<&str>> = told.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let hits: u64 = rows.iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    assert_eq!(all.lines().last().unwrap(), format!("all\t{hits}"));
    let kept: Vec<Document> = corpus.documents().into_iter().filter(|document| document.kept).collect();
    let hosts: BTreeSet<&str> = kept.iter().map(|document| document.host.as_str()).collect();
    assert!(rows.iter().map(|row| row[0]).eq(hosts));
    for row in rows {
        let of_host = kept.iter().filter(|document| document.host == row[0]);
        assert_eq!(row[3], of_host.clone().count().to_string());
        assert_eq!(row[4], of_host.map(|document| u64::from(document.words)).sum::<u64>().to_string());
    }
    let (told, _) = expect(0, &["concord", &corpus.out(), "tide", "--count", "--by", "words"]);
    let sizes: Vec<u32> = told.lines().skip(1).map(|line| line.split('\t').next().unwrap().parse().unwrap()).collect();
    assert!(sizes.is_sorted() && sizes[0] < 100 && sizes[sizes.len() - 1] > 100, "{sizes:?}");
    let (_, told) = expect(2, &["concord", &corpus.out(), "tide", "--count", "--by", "host", "--language", "eng"]);
    assert!(told.contains("choose documents: --where \"language = 'deu'\""), "{told}");
    let (lines, _) = expect(0, &["concord", &corpus.out(), "tide", "--tokens", "1", "--limit", "1", "--format", "tsv"]);
    assert!(lines.contains("\tthe tide comes\t4\t8\t"), "{lines}");
}
