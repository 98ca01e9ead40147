//! Token counts: ids compared with those of the Python package, and the column in tables and formats.
//! `WARCORPUS_PYTHON` names a Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::fs;

use crate::common::{expect, sample};

/// A tokenizer that parts by white space, and would cut a text after four tokens.
const WORDS: &str = r#"{"version":"1.0","truncation":{"direction":"Right","max_length":4,"strategy":"LongestFirst","stride":0},
"padding":null,"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"WhitespaceSplit"},"post_processor":null,
"decoder":null,"model":{"type":"WordLevel","vocab":{"[UNK]":0},"unk_token":"[UNK]"}}"#;

#[test]
fn a_file_that_cannot_be_used_is_refused_before_work_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let out = path("out");
    fs::write(path("words.json"), WORDS).unwrap();
    fs::write(path("wrong.json"), "{}").unwrap();
    let refused = |file: &str| {
        let set = format!("output.tokenizer={}", path(file));
        let (_, error) = expect(2, &["build", &sample("web.warc.gz"), "--out", &out, "--set", &set]);
        assert!(!folder.path().join("out/documents").exists());
        error
    };
    if cfg!(feature = "tokenizers") {
        assert!(refused("wrong.json").contains("wrong.json is no tokenizer.json"));
        assert!(refused("none.json").contains("none.json"));
    } else {
        assert!(refused("words.json").contains("--features tokenizers"));
    }
}

/// The corpus stands for one that a program with tokenizers built: its configuration names the file that this one stores.
#[cfg(not(feature = "tokenizers"))]
#[test]
fn a_corpus_with_counted_tokens_is_read_without_tokenizers() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    expect(0, &["build", &sample("web.warc.gz"), "--out", &out, "--quiet"]);
    let job = format!("{out}/job.toml");
    let text = fs::read_to_string(&job).unwrap();
    let stored = format!("tokenizer-{}.json", "0a".repeat(16));
    let counted = text.replace("\ntokenizer = \"\"\n", &format!("\ntokenizer = \"{stored}\"\n"));
    assert_ne!(counted, text);
    fs::write(&job, counted).unwrap();
    expect(0, &["stats", &out]);
    expect(0, &["concord", &out, "the"]);
    expect(0, &["emit", &out, "--format", "jsonl"]);
    let (_, error) = expect(2, &["emit", &out, "--format", "jsonl", "--set", "output.tokenizer=words.json"]);
    assert!(error.contains("--features tokenizers"), "{error}");
    let (_, error) =
        expect(2, &["build", "--out", &out, &sample("web.warc.gz"), "--set", &format!("output.tokenizer={stored}")]);
    assert!(error.contains("--features tokenizers"), "{error}");
}

#[cfg(feature = "tokenizers")]
mod built_in {
    use std::collections::BTreeMap;
    use std::fs::{self, File};
    use std::io::{BufRead, BufReader, Read};
    use std::path::Path;
    use std::process::Command;
    use std::time::Instant;

    use flate2::read::MultiGzDecoder;
    use serde::Deserialize;
    use serde_json::Value;
    use warcorpus::emit::model_tokens::TokenCounter;
    use warcorpus::quality::Signals;

    use super::WORDS;
    use crate::common::{Corpus, expect, python, root, rows, sample, shared};

    /// Text and number of tokens of each line of JSON.
    fn lines(out: &str) -> Vec<(String, u64)> {
        let mut text = String::new();
        let file = File::open(Path::new(out).join("jsonl/part-00000.jsonl.gz")).unwrap();
        MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
        let line = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["text"].as_str().unwrap().to_string(), value["metadata"]["token_count"].as_u64().unwrap())
        };
        text.lines().map(line).collect()
    }

    #[test]
    fn tokens_are_counted_in_builds_and_exports() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("words.json"), WORDS).unwrap();
        let setting = format!("output.tokenizer={}", path("words.json"));
        let columns = "parquet.columns=[\"text\",\"token_count\"]";
        let settings = ["--set", &setting, "--set", "output.formats=jsonl,parquet", "--set", columns];
        let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &settings);
        let counted = lines(&corpus.out());
        assert!(counted.len() > 50);
        for (text, count) in &counted {
            assert_eq!(*count, text.split_whitespace().count() as u64);
        }
        let signals: Vec<Signals> = rows(|shard| corpus.layout().signals(shard));
        let counts: Vec<u64> = signals.iter().filter_map(|row| row.token_count).map(u64::from).collect();
        assert!(counts.iter().eq(counted.iter().map(|(_, count)| count)));

        // The directory has the file: the original may be gone, and the same file is the same configuration.
        let before = corpus.files();
        expect(
            0,
            &["build", "--out", &corpus.out(), "--quiet", "--set", &setting, "--set", settings[3], "--set", columns],
        );
        assert!(before == corpus.files());
        fs::remove_file(path("words.json")).unwrap();
        expect(0, &["emit", &corpus.out(), "--format", "jsonl,parquet", "--out", &path("again")]);
        assert_eq!(lines(&path("again")), counted);
        let table = |out: &str| fs::read(Path::new(out).join("texts/part-00000.parquet")).unwrap();
        assert!(table(&path("again")) == table(&corpus.out()));

        // Another tokenizer counts again, also for a corpus without.
        fs::write(path("marks.json"), WORDS.replace("WhitespaceSplit", "Whitespace")).unwrap();
        let other = format!("output.tokenizer={}", path("marks.json"));
        let plain = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
        for from in [&corpus, &plain] {
            expect(0, &["emit", &from.out(), "--format", "jsonl", "--set", &other, "--out", &path("other")]);
            let again = lines(&path("other"));
            assert!(again.iter().zip(&counted).all(|((text, more), (same, count))| text == same && more >= count));
            assert!(again.iter().map(|(_, count)| count).sum::<u64>() > counted.iter().map(|(_, count)| count).sum());
        }
        assert!(!plain.layout().signals(0).exists());
    }

    #[derive(Deserialize)]
    struct Document {
        text: String,
        ids: BTreeMap<String, Vec<u32>>,
    }

    #[test]
    fn ids_are_those_of_the_reference() {
        let Some(python) = python() else { return };
        let Some(data) = shared("langid").map(|folder| folder.parent().unwrap().to_path_buf()) else { return };
        let folder = tempfile::tempdir().unwrap();
        let script = root().join("tests/tokens/reference.py");
        let status = Command::new(python).arg(script).arg(data).arg(folder.path()).status().unwrap();
        assert!(status.success());
        let reader = BufReader::new(File::open(folder.path().join("documents.jsonl")).unwrap());
        let documents: Vec<Document> =
            reader.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        assert!(documents.len() >= 10_000, "{}", documents.len());
        let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
        for name in ["byte_level", "unigram", "word_piece"] {
            let json = fs::read(folder.path().join(format!("{name}.json"))).unwrap();
            let counter = TokenCounter::parse(&json).unwrap();
            for Document { text, ids } in &documents {
                assert_eq!(
                    counter.ids(text).as_ref(),
                    Some(&ids[name]),
                    "{name}: {:?}",
                    text.chars().take(60).collect::<String>()
                );
            }
            let begun = Instant::now();
            let counts: Vec<u32> = documents.iter().map(|document| counter.count(&document.text).unwrap()).collect();
            let seconds = begun.elapsed().as_secs_f64();
            assert!(documents.iter().zip(&counts).all(|(document, count)| document.ids[name].len() == *count as usize));
            println!(
                "{name}: {} documents equal, {:.1} MB/s on a thread",
                documents.len(),
                bytes as f64 / 1e6 / seconds
            );
        }
    }
}
