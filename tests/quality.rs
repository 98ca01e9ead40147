//! Quality signals and recipes: values and decisions compared with those of the references, and jobs that mark or drop.
//! `WARCORPUS_PYTHON` names a Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::Command;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::prelude::*;
use serde::Deserialize;
use warcorpus::document::DropReason;
use warcorpus::quality::signals::{SIGNALS, Signals};
use warcorpus::quality::thresholds::Thresholds;
use warcorpus::quality::{Group, Meter, Recipe, Text};

use crate::common::{Corpus, build, expect, python, reference, root, rows, sample, shared};

#[derive(Deserialize)]
struct Given {
    thresholds: BTreeMap<String, String>,
}

/// A document as the references see it.
#[derive(Deserialize)]
struct Reference {
    language: String,
    text: String,
    words: Vec<(u32, u32)>,
    sentences: Vec<u32>,
    signals: BTreeMap<String, Option<f64>>,
    failed: BTreeMap<String, Option<String>>,
    /// Values of each line.
    lines: BTreeMap<String, Vec<f64>>,
}

/// tests/attributes.rs has those of readability; our identifier tells the languages of sentences.
const WITHOUT_REFERENCE: [Group; 2] = [Group::Readability, Group::MadladLanguage];

const GROUPS: [Group; 12] = [
    Group::Basic,
    Group::Gopher,
    Group::C4,
    Group::Fineweb,
    Group::Rpv2,
    Group::Dclm,
    Group::Dolma,
    Group::Datamap,
    Group::Oscar,
    Group::Madlad,
    Group::DclmLines,
    Group::Rpv2Lines,
];

/// The recipe that is asked for the signals of all groups; the others measure what their rules look at.
const ALL_GROUPS: &str = "gopher";

/// How far a value may be from the reference: RedPajama's are rounded to eight digits.
fn tolerance(name: &str) -> f64 {
    if name.starts_with("rps_") { 0.6e-8 } else { 1e-9 }
}

/// The signals of lines by their names.
fn lists(signals: &Signals) -> [(&'static str, &Option<Vec<f32>>); 6] {
    [
        ("rps_lines_ending_with_terminal_punctution_mark", &signals.rps_lines_ending_with_terminal_punctution_mark),
        ("rps_lines_javascript_counts", &signals.rps_lines_javascript_counts),
        ("rps_lines_num_words", &signals.rps_lines_num_words),
        ("rps_lines_numerical_chars_fraction", &signals.rps_lines_numerical_chars_fraction),
        ("rps_lines_start_with_bulletpoint", &signals.rps_lines_start_with_bulletpoint),
        ("rps_lines_uppercase_letter_fraction", &signals.rps_lines_uppercase_letter_fraction),
    ]
}

/// What differs between the references and us in the signals and decisions of a document.
fn differences(document: &Reference, recipes: &BTreeMap<String, Recipe>, meter: &mut Meter) -> Vec<String> {
    let mut differences = Vec::new();
    let text = Text::given(&document.text, &document.words, &document.sentences);
    let begin: String = document.text.chars().take(60).collect();
    for (name, wanted) in &document.failed {
        let (signals, judged) = recipes[name].measure(1, &document.language, &text, &[], meter);
        if judged.failed.as_deref() != wanted.as_deref() {
            differences.push(format!("{name}: {:?}, not {wanted:?}: {begin:?}", judged.failed));
        }
        if name != ALL_GROUPS {
            continue;
        }
        for (name, values) in lists(&signals) {
            // The table has them with half the digits.
            let wanted: Vec<f32> = document.lines[name].iter().map(|value| *value as f32).collect();
            if values.as_ref() != Some(&wanted) {
                differences.push(format!("{name} = {values:?}, not {wanted:?}: {begin:?}"));
            }
        }
        let referred = SIGNALS.iter().filter(|(_, group, _)| !WITHOUT_REFERENCE.contains(group));
        assert_eq!(document.signals.len(), referred.clone().count());
        for (name, _, value) in referred {
            let (seen, wanted) = (value(&signals), document.signals[*name]);
            let equal = match (seen, wanted) {
                (Some(seen), Some(wanted)) => (seen - wanted).abs() <= tolerance(name),
                (seen, wanted) => seen == wanted,
            };
            if !equal {
                differences.push(format!("{name} = {seen:?}, not {wanted:?}: {begin:?}"));
            }
        }
    }
    differences
}

#[test]
fn signals_and_decisions_are_those_of_the_references() {
    let Some(python) = python() else { return };
    let data = shared("langid").map(|folder| folder.parent().unwrap().to_path_buf()).unwrap_or_default();
    let script = root().join("tests/quality/reference.py");
    let mut files = vec![script.clone(), root().join("tests/quality/lines.py")];
    if !data.as_os_str().is_empty() {
        let texts = fs::read_dir(data.join("segmentation")).unwrap().map(|entry| entry.unwrap().path());
        files.extend(texts.chain(["langid/langid.jsonl.gz", "neardup.jsonl.gz"].map(|name| data.join(name))));
        files.sort();
    }
    let folder = reference("quality", &files, |folder| {
        let mut command = Command::new(python);
        command.arg(script).arg(&data).arg(folder.join("reference.jsonl")).current_dir(folder);
        assert!(command.status().unwrap().success());
    });

    let file = File::open(folder.join("reference.jsonl")).unwrap();
    let mut lines = BufReader::new(file).lines().map(Result::unwrap).peekable();
    let given: Given = serde_json::from_str(&lines.next().unwrap()).unwrap();
    let first: Reference = serde_json::from_str(lines.peek().unwrap()).unwrap();
    let recipe = |name: String| {
        let own = given.thresholds.get(&name).or(given.thresholds.get("")).unwrap();
        let groups: &[Group] = if name == ALL_GROUPS { &GROUPS } else { &[] };
        let recipe = Recipe::new(&name, Thresholds::parse(own).unwrap(), &[], groups, &[]).unwrap();
        (name, recipe)
    };
    let recipes: BTreeMap<String, Recipe> = first.failed.into_keys().map(recipe).collect();
    let compared: Vec<(String, Vec<String>)> = lines
        .par_bridge()
        .map_init(Meter::default, |meter, line| {
            let document: Reference = serde_json::from_str(&line).unwrap();
            let differences = differences(&document, &recipes, meter);
            (document.language, differences)
        })
        .collect();
    let languages: HashSet<&String> = compared.iter().map(|(language, _)| language).collect();
    let documents = compared.len();
    let differences: Vec<&String> = compared.iter().flat_map(|(_, differences)| differences).collect();
    println!("{documents} documents in {} languages, {} differences", languages.len(), differences.len());
    for difference in differences.iter().take(40) {
        println!("{difference}");
    }
    assert!(differences.is_empty());
    assert!(documents > 20 && (data.as_os_str().is_empty() || documents > 5000 && languages.len() > 12));
}

#[test]
fn quantiles_of_a_corpus_are_thresholds_of_a_recipe() {
    let corpus = build(&["quality.signals=[\"basic\",\"gopher\"]"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quantiles.toml").display().to_string();
    expect(0, &["stats", &corpus.out(), "--quantiles", &path]);
    let first = fs::read(&path).unwrap();
    expect(0, &["stats", &corpus.out(), "--quantiles", &path, "--threads", "1"]);
    assert!(first == fs::read(&path).unwrap());

    let thresholds = format!(r#"quality.thresholds=["{path}", 'top_2_gram = "p90"']"#);
    let rules = r#"quality.rules=["n_words >= p10"]"#;
    let judged = build(&["quality.recipe=gopher", rules, &thresholds]);
    let rows = signals(&judged);
    let names: HashSet<&str> = rows.values().filter_map(|row| row.failed_rule.as_deref()).collect();
    assert!(names.contains("top_2_gram") && rows.values().any(|row| row.failed_rule.is_none()), "{names:?}");
    // Of the documents in all languages together, a tenth is above the 90th percentile, but for interpolation.
    let all: BTreeMap<u64, Signals> = signals(&corpus);
    let quantiles = Thresholds::parse(&String::from_utf8(first).unwrap()).unwrap();
    let bound = quantiles.quantiles().of("all", "top_2_gram", "p90").unwrap();
    let above = all.values().filter(|row| row.top_2_gram.is_some_and(|value| value > bound)).count();
    assert!((all.len() / 10 - 1..=all.len() / 10 + 1).contains(&above), "{above} of {}", all.len());

    let missing = r#"quality.thresholds=['top_2_gram = "p90"']"#;
    let archive = sample("web.warc.gz");
    let out = folder.path().join("none").display().to_string();
    let (_, err) = expect(2, &["build", &archive, "--out", &out, "--set", "quality.recipe=gopher", "--set", missing]);
    assert!(err.contains("needs quantiles of `top_2_gram`"), "{err}");
}

const EVERY_GROUP: &str = r#"quality.signals=["basic","gopher","c4","fineweb","rpv2","dclm","dolma","datamap","oscar","madlad","madlad_language","dclm_lines","rpv2_lines"]"#;

/// The rows of `signals` of a corpus by document.
fn signals(corpus: &Corpus) -> BTreeMap<u64, Signals> {
    let rows: Vec<Signals> = rows(|shard| corpus.layout().signals(shard));
    rows.into_iter().map(|row| (row.doc, row)).collect()
}

#[test]
fn a_recipe_marks_and_loses_nothing() {
    let plain = build(&[]);
    let marked = build(&[EVERY_GROUP, "quality.recipe=fineweb"]);
    assert_eq!((plain.documents(), plain.paragraphs()), (marked.documents(), marked.paragraphs()));
    assert_eq!(plain.vertical(), marked.vertical());
    let signals = signals(&marked);
    let kept: Vec<_> = marked.documents().into_iter().filter(|document| document.kept).collect();
    assert!(signals.keys().copied().eq(kept.iter().map(|document| document.doc)));
    let unknown: HashSet<u64> =
        kept.iter().filter(|document| document.language.code() == "und").map(|document| document.doc).collect();
    let paragraphs = marked.paragraphs();
    for (doc, row) in &signals {
        let texts: Vec<_> = paragraphs
            .iter()
            .filter(|paragraph| paragraph.doc == *doc && paragraph.kept)
            .map(|paragraph| paragraph.text.as_str())
            .collect();
        // Some paragraphs have several lines.
        let text = texts.join("\n");
        assert_eq!(row.length, Some(text.chars().count() as u32));
        assert_eq!(row.n_lines, Some(text.split('\n').count() as u32));
        // Lists of others are missing, stop words are those of English, and a text without blanks has few n-grams;
        // everything else is measured in every language.
        let may_miss = |name: &str| {
            name.ends_with("stop_words")
                || ["madlad_cursed", "rps_doc_stop_word_fraction", "rps_doc_ldnoobw_words"].contains(&name)
                || ["madlad_other_language", "madlad_questionable_paper"].contains(&name) && unknown.contains(doc)
                || name.starts_with("dolma_") && name.contains("_gram")
                || name.starts_with("oscar_") && row.oscar_lines < Some(5)
        };
        // Readability would add attributes to the vertical text.
        let asked = SIGNALS.iter().filter(|(_, group, _)| *group != Group::Readability);
        let missing = asked.filter(|(name, _, value)| value(row).is_none() && !may_miss(name));
        let counts = lists(row).map(|(_, list)| list.as_ref().map(Vec::len));
        assert_eq!(counts, [Some(text.split_inclusive('\n').count()); 6]);
        assert_eq!(missing.map(|(name, ..)| *name).collect::<Vec<_>>(), [""; 0]);
    }
    let failed = signals.values().filter(|row| row.failed_rule.is_some()).count();
    assert!(failed > 0 && failed < kept.len(), "{failed} of {}", kept.len());
}

#[test]
fn a_recipe_drops_what_it_marks() {
    let marked = signals(&build(&["quality.recipe=c4"]));
    let formats = r#"output.formats=["vertical","jsonl"]"#;
    let dropped = build(&["quality.recipe=c4", "quality.action=drop", formats]);
    assert_eq!(signals(&dropped), marked);
    let documents = dropped.documents();
    let (mut failed, mut lines) = (0, 0);
    for document in documents.iter().filter(|document| marked.contains_key(&document.doc)) {
        let rule = marked[&document.doc].failed_rule.as_deref();
        assert_eq!(document.kept, rule.is_none());
        assert_eq!(document.drop_reason == DropReason::Quality, rule.is_some());
        failed += u64::from(rule.is_some());
    }
    for paragraph in dropped.paragraphs().iter().filter(|paragraph| paragraph.drop_reason == DropReason::Quality) {
        let ends = paragraph.text.ends_with(['.', '?', '!', '"', '\'']) && !paragraph.text.ends_with("...");
        let policy = ["javascript", "cookie", "terms of use", "privacy policy"];
        let told = policy.iter().any(|phrase| paragraph.text.to_lowercase().contains(phrase));
        assert!(!ends || told || paragraph.text.split_whitespace().count() < 3, "{}", paragraph.text);
        lines += 1;
    }
    assert!(failed > 0 && lines > 0, "{failed} documents, {lines} lines");
    assert_eq!(dropped.stats()["documents"]["quality"], failed);
    let kept = documents.iter().filter(|document| document.kept).count();
    assert_eq!(dropped.vertical().matches("<doc ").count(), kept);
}

#[test]
fn a_document_that_loses_all_lines_is_dropped() {
    let heading = "A long heading about the harbour of the town and its boats in the winter storm\n".repeat(4);
    let texts =
        [&heading, &format!("{heading}The harbour office answers all questions about the berths within a week.\n")];
    let mut warc = String::new();
    for (number, text) in texts.iter().enumerate() {
        warc.push_str(&format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
             WARC-Date: 2025-01-01T00:00:00Z\r\nWARC-Target-URI: http://sea.example/{number}\r\n\
             Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        ));
    }
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc");
    fs::write(&archive, warc).unwrap();
    let settings = [
        "near.enabled=false",
        "overlap.enabled=false",
        "output.formats=jsonl",
        "quality.recipe=c4",
        "quality.action=drop",
        r#"quality.thresholds=["too_few_sentences = false"]"#,
    ];
    let more: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let corpus = Corpus::build(0, &[&archive.display().to_string()], &more);
    let outcomes: Vec<_> =
        corpus.documents().iter().map(|document| (document.kept, document.drop_reason, document.paragraphs)).collect();
    assert_eq!(outcomes, [(false, DropReason::Quality, 0), (true, DropReason::None, 1)]);
    assert_eq!(corpus.stats()["documents"], serde_json::json!({"kept": 1, "quality": 1}));
}

#[test]
fn the_table_has_the_columns_of_the_groups_that_were_measured() {
    // The rule needs a group that is not asked for.
    let corpus = build(&[r#"quality.signals=["fineweb"]"#, r#"quality.rules=["c4_sentences >= 1"]"#]);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(corpus.layout().signals(0)).unwrap()).unwrap();
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let of = |group| SIGNALS.iter().filter(move |(_, known, _)| *known == group).map(|(name, ..)| *name);
    let wanted: Vec<&str> = ["doc", "failed_rule"].into_iter().chain(of(Group::C4)).chain(of(Group::Fineweb)).collect();
    assert_eq!(names, wanted);
    let entries = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let groups = entries.iter().find(|entry| entry.key == "warcorpus.signals").and_then(|entry| entry.value.clone());
    assert_eq!(groups.as_deref(), Some(r#"["c4", "fineweb"]"#));
    // The other columns are null for those who read all, and no columns for those who choose by name.
    assert!(signals(&corpus).values().all(|row| row.list_ratio.is_some() && row.n_words.is_none()));
    expect(0, &["stats", &corpus.out(), "--where", "list_ratio < 1"]);
    let (_, error) = expect(2, &["stats", &corpus.out(), "--where", "rps_lines_start_with_bulletpoint > .5"]);
    assert!(error.contains("lists") && error.contains("use `rps_frac_lines_start_with_bulletpoint`"), "{error}");
    let (_, error) = expect(2, &["stats", &corpus.out(), "--where", "n_words > 1"]);
    assert!(error.contains("n_words"), "{error}");
}

#[test]
fn threads_and_shards_change_nothing_and_settings_are_applied_to_a_finished_corpus() {
    let settings = [EVERY_GROUP, "quality.recipe=fineweb.paper", "quality.action=drop"];
    let wanted = build(&settings);
    let input = sample("web.warc.gz");
    let one = Corpus::build(0, &[&input], &["--threads", "1"]);
    assert!(!one.files().keys().any(|name| name.starts_with("signals")));
    let more: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let out = one.out();
    let again = |more: &[&str]| {
        expect(0, &[&["build", &input, "--out", &out, "--quiet", "--threads", "1"], more].concat());
    };
    again(&more);
    let tables = |corpus: &Corpus| -> BTreeMap<String, Vec<u8>> {
        corpus.files().into_iter().filter(|(name, _)| name.ends_with(".parquet") || name.ends_with(".gz")).collect()
    };
    assert_eq!(tables(&one), tables(&wanted));
    again(&[]);
    assert_eq!(tables(&one), tables(&build(&[])));
}

#[test]
fn thresholds_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let yaml = "dup_line_frac: 0.5\ntop_n_grams: [[2, 1], [3, 1], [4, 1]]\n\
        dup_n_grams: [[5, 1], [6, 1], [7, 1], [8, 1], [9, 1], [10, 1]]\nlanguage_score: 0.5\nline_punct_thr: 0\n\
        max_avg_word_length: 99\nmin_avg_word_length: 98\nmax_non_alpha_words_ratio: 0\nnew_line_ratio: 99\n\
        stopwords: [the, and]\n";
    fs::write(folder.path().join("eng_Latn.yml"), yaml).unwrap();
    fs::write(folder.path().join("own.toml"), "gopher_short_doc = false\n").unwrap();
    let all = format!("quality.thresholds=[\"{0}/*.yml\", \"{0}/own.toml\"]", folder.path().display());
    let corpus = build(&["quality.recipe=fineweb2", &all]);
    let signals = signals(&corpus);
    let english: Vec<_> = corpus.documents().into_iter().filter(|document| document.language.code() == "eng").collect();
    for document in &english {
        let row = signals.get(&document.doc);
        // No text has words of 98 characters.
        assert!(row.is_none_or(|row| row.failed_rule.as_deref() == Some("gopher_below_avg_threshold")), "{row:?}");
    }
    assert!(english.iter().any(|document| signals.contains_key(&document.doc)));
    let config = fs::read_to_string(corpus.layout().job()).unwrap();
    assert!(config.contains("gopher_short_doc = false") && !config.contains("eng_Latn.yml"), "{config}");
}

#[test]
fn lists_of_others_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stopwords-all.json"), r#"{"en": ["the", "of"], "de": ["der"]}"#).unwrap();
    fs::write(folder.path().join("en"), "the\nof the\n").unwrap();
    let lists = format!("quality.thresholds=[\"{0}/stopwords-all.json\", \"{0}/en\"]", folder.path().display());
    let corpus = build(&[r#"quality.signals=["rpv2"]"#, &lists]);
    let (signals, mut seen) = (signals(&corpus), BTreeMap::new());
    for document in corpus.documents() {
        let Some(row) = signals.get(&document.doc) else { continue };
        let (stops, words) = (row.rps_doc_stop_word_fraction, row.rps_doc_ldnoobw_words);
        match document.language.code() {
            "eng" => assert!(stops.is_some_and(|share| share < 0.3) && words.is_some(), "{row:?}"),
            "deu" => assert!(stops.is_some() && words.is_none(), "{row:?}"),
            _ => assert!(stops.is_none() && words.is_none(), "{row:?}"),
        }
        *seen.entry((stops.is_some_and(|share| share > 0.0), words.is_some_and(|n| n > 0))).or_insert(0) += 1;
    }
    assert!(seen.get(&(true, true)).is_some_and(|n| *n > 3), "{seen:?}");
}

#[test]
fn mistakes_are_refused_before_the_job_starts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let refused = |setting: &str, told: &str| {
        let (_, error) = expect(2, &["build", &sample("web.warc.gz"), "--out", &out, "--set", setting]);
        assert!(error.contains(told), "{error}");
        assert!(!folder.path().join("out/documents").exists());
    };
    refused("quality.recipe=gofer", "gopher.datatrove");
    refused("quality.recipe=fineweb2", "quality.thresholds");
    refused(r#"quality.rules=["n_wrds > 50"]"#, "n_words");
    refused(r#"quality.rules=["language != 'cs'"]"#, "write 'ces', not 'cs'");
    refused(r#"quality.signals=["gophers"]"#, "gopher");
    refused(r#"quality.rules=["rps_doc_ldnoobw_words < 3"]"#, "https://github.com/LDNOOBW");
    refused(r#"quality.thresholds=["top_two_gram = 1"]"#, "top_2_gram");
    refused(r#"quality.thresholds=["gopher_short_doc = 30"]"#, "does nothing without quality.recipe");
    refused("quality={recipe='gopher.dclm', thresholds=['gopher_short_doc = 30']}", "`gopher.dclm` has no rule");
    refused(r#"quality.thresholds=["/nowhere/*.yml"]"#, "/nowhere");
    let wrong = folder.path().join("ces_Latn.yml");
    fs::write(&wrong, "dup_line_frac: many\n").unwrap();
    refused(&format!("quality.thresholds=[\"{}\"]", wrong.display()), "ces_Latn.yml");
}
