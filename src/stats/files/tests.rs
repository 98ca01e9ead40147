use std::collections::BTreeMap;
use std::fs;

use compact_str::CompactString;

use super::*;
use crate::document::Document;
use crate::language::Language;
use crate::stats::SegmentedParagraph;
use crate::stats::counted_words::{Casing, DocumentWords};
use crate::stats::counter::WordCounter;
use crate::stats::counts::ShardCounter;
use crate::stats::keywords::ReferenceFrequencies;
use crate::stats::lists::{ListOptions, rank};
use crate::stats::report::write_report;

struct Page {
    row: Document,
    sentences: Vec<Vec<&'static str>>,
}

fn page(host: &str, language: &str, length: u64, kept: bool, sentences: &[&'static str]) -> Page {
    let row = Document {
        host: host.into(),
        domain: "b.cz".into(),
        tld: "cz".into(),
        payload_bytes: length,
        captured: Some(1_704_067_200_000_000),
        published: kept.then_some(length as i32),
        language: Language::by_code(language).unwrap(),
        kept,
        ..Document::default()
    };
    Page { row, sentences: sentences.iter().map(|sentence| sentence.split(' ').collect()).collect() }
}

/// Two shards.
fn shards() -> Vec<Vec<Page>> {
    let first = vec![
        page("a.b.cz", "ces", 1000, true, &["Velký pes , malý pes .", "Pes !"]),
        page("a.b.cz", "ces", 500, false, &["Kočka"]),
    ];
    let second = vec![
        page("c.b.cz", "eng", 0, true, &["a pes"]),
        page("a.b.cz", "ces", 400, true, &["velký pes"]),
        page("../x", "xho", 1, true, &["x"]),
    ];
    vec![first, second]
}

/// Counted by one counter for each shard, merged in this order: every file by name, and the report.
fn written(shards: &[Vec<Page>], top: usize) -> BTreeMap<String, String> {
    let scratch = tempfile::tempdir().unwrap();
    let (mut counts, mut counted) = (CorpusCounts::default(), WordCounter::new(scratch.path(), 0, 2).finish().unwrap());
    for pages in shards {
        let (mut shard, mut counter, mut words) =
            (ShardCounter::default(), WordCounter::new(scratch.path(), 0, 2), DocumentWords::default());
        for page in pages {
            let text = [SegmentedParagraph { text: "0123456789", sentences: page.sentences.clone() }];
            words.read(&text, Casing::default());
            shard.document(&page.row, &text, &words, None);
            if page.row.kept {
                counter.document(page.row.language.code(), &words).unwrap();
            }
        }
        counts.merge(shard.finish());
        counted.merge(counter.finish().unwrap());
    }
    let list =
        ReferenceFrequencies::read("word\tcount\npes\t1\nmalý\t999999\n".as_bytes(), None, Casing::default()).unwrap();
    let references = BTreeMap::from([(CompactString::from("ces"), list)]);
    let wanted = ListOptions { top, memory: 0, keywords: 9, references: &references, smoothing: 1.0 };
    let lists = rank(counted, &wanted).unwrap();
    let statistics = CorpusStatistics::new(&counts, &lists, Casing::default());
    let out = scratch.path().join("out");
    write(&out, &counts, lists, &statistics).unwrap();
    let mut report = Vec::new();
    write_report(&statistics, &counts, &mut report).unwrap();
    let mut files = BTreeMap::from([("report".to_string(), String::from_utf8(report).unwrap())]);
    let inside = |folder: &str| fs::read_dir(out.join(folder)).unwrap().map(|entry| entry.unwrap().path());
    for path in ["", "frequencies", "ngrams", "keywords"].into_iter().flat_map(inside).filter(|path| path.is_file()) {
        let name = path.strip_prefix(&out).unwrap().to_str().unwrap().to_string();
        files.insert(name, fs::read_to_string(path).unwrap());
    }
    files
}

#[test]
fn files_of_a_small_corpus() {
    let files = written(&shards(), 2);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let tables = ["frequencies/ces.tsv", "frequencies/eng.tsv", "frequencies/xho.tsv", "keywords/ces.tsv"];
    assert_eq!(names[..4], tables);
    let rest = ["ngrams/ces.2.tsv", "ngrams/eng.2.tsv", "report", "statistics.json", "years.tsv", "yield.tsv"];
    assert_eq!(names[4..], rest);
    let frequencies = "word\tcount\tdocuments\tper_million\npes\t4\t2\t571428.5714\nvelký\t2\t2\t285714.2857\n";
    assert_eq!(files["frequencies/ces.tsv"], frequencies);
    let ngrams = "ngram\tcount\tdocuments\tper_million\nvelký pes\t2\t2\t285714.2857\nmalý pes\t1\t1\t142857.1429\n";
    assert_eq!(files["ngrams/ces.2.tsv"], ngrams);
    // Published on days 0, 1, 400 and 1000 of the era.
    let years = "year\tpublished\tcaptured\n1970\t2\t0\n1971\t1\t0\n1972\t1\t0\n2024\t0\t4\n";
    assert_eq!(files["years.tsv"], years);
    let yields = "level\tname\tdocuments\tkept\tunmeasured\traw_bytes\tclean_bytes\trate
all\t\t5\t4\t1\t1901\t30\t0.0158
tld\tcz\t5\t4\t1\t1901\t30\t0.0158
domain\tb.cz\t5\t4\t1\t1901\t30\t0.0158
host\ta.b.cz\t3\t2\t0\t1900\t20\t0.0105
host\t../x\t1\t1\t0\t1\t10\t10.0000
host\tc.b.cz\t1\t1\t1\t0\t0\t
";
    assert_eq!(files["yield.tsv"], yields);
    let keywords: Vec<&str> = files["keywords/ces.tsv"].lines().collect();
    assert_eq!(keywords.len(), 4);
    // E of 4 in 7 and 1 in 1,000,000 words: 0.000035 and 4.999965; 2 · (4 ln 4/E1 + ln 1/E2).
    assert_eq!(keywords[2], "pes\t4\t2\t571428.5714\t1\t1.0000\t285714.7857\t89.9528");
}

#[test]
fn tables_of_an_earlier_run_go_and_files_of_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    assert!(!remove_earlier(folder.path()).unwrap());
    let ours = [
        ("frequencies/eng.tsv", "word\tcount\tdocuments\tper_million\na\t1\t1\t1.0\n".to_string()),
        ("ngrams/eng.2.tsv", format!("ngram\t{}\n", output::NGRAMS.columns)),
        ("keywords/eng.tsv", format!("word\t{}\n", output::KEYWORDS.columns)),
        ("collocations/eng.tsv", format!("collocate\t{}\n", output::COLLOCATIONS.columns)),
        ("dispersion/eng.tsv", format!("word\t{}\n", output::DISPERSION.columns)),
        ("years/eng.1.tsv", format!("word\t{}\n", output::WORDS_BY_YEAR.columns)),
        ("groups.tsv", format!("value\t{}\n", groups::COLUMNS)),
        ("statistics.json", "{}\n".to_string()),
    ];
    let theirs = ["frequencies/bnc.tsv", "keywords/notes.txt", "readme.tsv", "years/1999/list.tsv"];
    ours.iter().for_each(|(name, text)| put(name, text));
    theirs.iter().for_each(|name| put(name, "word\tcount\nthe\t6041234\n"));
    assert!(remove_earlier(folder.path()).unwrap());
    let is_there = |name: &str| folder.path().join(name).exists();
    assert_eq!(ours.iter().map(|(name, _)| *name).filter(|name| is_there(name)).collect::<Vec<_>>(), [""; 0]);
    assert!(theirs.iter().all(|name| is_there(name)));
    assert!(!is_there("ngrams") && is_there("frequencies"), "a folder that is empty goes, too");
    assert!(!remove_earlier(folder.path()).unwrap());
}

#[test]
fn figures_of_a_small_corpus() {
    let files = written(&shards(), 2);
    let json: serde_json::Value = serde_json::from_str(&files["statistics.json"]).unwrap();
    let ces = &json["languages"]["ces"];
    let figures = ["documents", "paragraphs", "sentences", "tokens", "word_tokens", "bytes", "types", "chunks"];
    assert_eq!(figures.map(|name| ces[name].as_u64().unwrap()), [2, 2, 3, 10, 7, 20, 3, 0]);
    assert_eq!(ces["type_token_ratio"].as_f64(), Some(3.0 / 7.0));
    assert!(ces["standardised_type_token_ratio"].is_null());
    // `pes` is of two languages and one type.
    assert_eq!((json["all"]["types"].as_u64(), json["all"]["word_tokens"].as_u64()), (Some(5), Some(10)));
    assert_eq!(json["yield"]["raw_bytes"].as_u64(), Some(1901));
    assert_eq!(json["captured"]["2024"].as_u64(), Some(4));
    assert!(
        files["report"]
            .contains("\nces               2           2          3      10            7      3         0.429")
    );
}

#[test]
fn shards_in_any_order_give_the_same_bytes() {
    for top in [0, 1, 9] {
        let mut reversed = shards();
        reversed.reverse();
        assert_eq!(written(&shards(), top), written(&reversed, top));
    }
    assert_eq!(written(&shards(), 0), written(&shards(), 99));
}
