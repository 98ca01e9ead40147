//! Personal data in the corpus: annotated or masked in every format alike.

use std::collections::BTreeMap;
use std::fs;

use warcorpus::document::PersonalData;

use crate::common::{Corpus, expect, read_format, response, rows, sample};

const FORMATS: &str = "output.formats=vertical,tei,conllu,jsonl,text";
const KINDS: &str = "pii.kinds=email,ip,iban,phone,card";

const PAGES: [(&str, &str); 2] = [
    (
        "The harbour office",
        "<p>The harbour office answers questions about berths within a week; please write to harbour@example.org and \
         give the name of your boat, or call on phone 020 7946 0958 between nine and five.</p>\
         <p>Donations for the lifeboat go to the account GB29 NWBK 6016 1331 9268 19, which the harbour trust has kept \
         since the storm of the year before last, when two boats were lost.</p>",
    ),
    (
        "Ask ann@example.org",
        "<p>Our weather server at 8.8.8.8 publishes the tide tables for the whole coast every morning, and anybody may \
         read them there as long as the load stays low; version 1.2.3.4 of the table format is the current one.</p>\
         <p>The shop accepts the number 4111 1111 1111 1111 for trial orders only, and sends nothing for them, so that \
         nobody has to fear that a mistake in the form costs money.</p>",
    ),
];

/// What the pages tell of themselves.
const HEAD: &str = "<meta name=author content='Ann Lee &lt;ann.lee@example.org&gt;'>\
    <meta name=keywords content='tides, tide@example.org'>\
    <meta property='article:section' content='Ask section@example.org'>\
    <meta property='og:site_name' content='Harbour site@example.org'>";

const SECRETS: [&str; 5] =
    ["harbour@example.org", "020 7946 0958", "GB29 NWBK 6016 1331 9268 19", "8.8.8.8", "4111 1111 1111 1111"];

fn build(more: &[&str]) -> Corpus {
    let mut warc = String::new();
    for (number, (title, body)) in PAGES.iter().enumerate() {
        let html =
            format!("<html lang=en><title>{title}</title>{HEAD}<article><h1>{title}</h1>{body}</article></html>");
        warc += &response(number, &format!("http://sea.example/{number}"), "2025-01-01T00:00:00Z", &html);
    }
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc");
    fs::write(&archive, warc).unwrap();
    Corpus::build(0, &[&archive.display().to_string()], &[&["--set", FORMATS, "--set", KINDS][..], more].concat())
}

fn finds(corpus: &Corpus) -> Vec<PersonalData> {
    rows(|shard| corpus.layout().pii(shard))
}

/// The text of a paragraph that a find points to.
fn data(corpus: &Corpus, find: &PersonalData) -> String {
    let paragraphs = corpus.paragraphs();
    let row = paragraphs.iter().find(|row| (row.doc, row.index) == (find.doc, find.index)).unwrap();
    row.text.chars().skip(find.start as usize).take((find.end - find.start) as usize).collect()
}

/// All files of the formats, as text, by folder.
fn formats(corpus: &Corpus) -> BTreeMap<&'static str, String> {
    ["vertical", "tei", "conllu", "jsonl", "text"].map(|format| (format, read_format(&corpus.out(), format))).into()
}

#[test]
fn annotations_point_to_what_stays() {
    let corpus = build(&[]);
    let mut found: Vec<String> = finds(&corpus).iter().map(|find| data(&corpus, find)).collect();
    let mut wanted = SECRETS.map(String::from).to_vec();
    wanted.push("ann@example.org".into());
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    assert!(SECRETS.iter().all(|secret| formats(&corpus)["text"].contains(secret)));
    let counts = &corpus.stats()["pii"];
    assert!(counts["email"] == 2 && counts["ip"] == 1 && counts["iban"] == 1 && counts["phone"] == 1);
}

#[test]
fn a_mask_is_one_token_in_every_format() {
    let corpus = build(&["--set", "pii.mode=mask"]);
    for (format, text) in formats(&corpus) {
        let text = text.replace('\n', " ");
        assert!(SECRETS.iter().all(|secret| !text.contains(secret)), "{format}");
        assert!(!text.contains("@example.org"), "{format}");
        for token in ["EMAIL_ADDRESS", "IP_ADDRESS", "IBAN_NUMBER", "PHONE_NUMBER", "CARD_NUMBER"] {
            assert!(text.contains(token), "{format}: {token}");
        }
        assert!(text.contains("1.2.3.4"), "{format}: a version is no address");
    }
    let lines = corpus.vertical();
    assert_eq!(lines.lines().filter(|line| *line == "PHONE_NUMBER").count(), 1);
    let found = finds(&corpus);
    assert!(found.len() == 6 && found.iter().all(|find| data(&corpus, find) == find.kind.replacement()));
    for row in corpus.paragraphs() {
        assert_eq!(row.characters as usize, row.text.chars().count());
    }
    assert!(corpus.documents().iter().any(|document| document.title.as_deref() == Some("Ask EMAIL_ADDRESS")));
    for document in corpus.documents() {
        assert_eq!(document.author, ["Ann Lee"]);
        assert_eq!(document.keywords, ["tides", "EMAIL_ADDRESS"]);
        assert_eq!(document.section.as_deref(), Some("Ask EMAIL_ADDRESS"));
        assert_eq!(document.sitename.as_deref(), Some("Harbour EMAIL_ADDRESS"));
        let mut words = 0;
        for row in corpus.paragraphs().iter().filter(|row| row.doc == document.doc && row.kept) {
            warcorpus::text::words::words(&row.text, |_| words += 1);
        }
        assert_eq!(document.words, words);
    }
}

#[test]
fn a_finished_corpus_is_masked_without_its_archives_and_threads_change_nothing() {
    let masked = build(&["--set", "pii.mode=mask", "--threads", "1"]);
    let later = build(&["--threads", "4"]);
    let set = ["--set", FORMATS, "--set", KINDS, "--set", "pii.mode=mask"];
    expect(0, &[&["build", "--out", &later.out(), "--quiet"][..], &set].concat());
    // The other formats name the archive, whose folder differs.
    let (masked_formats, later_formats) = (formats(&masked), formats(&later));
    assert!(["vertical", "conllu", "text"].iter().all(|format| masked_formats[format] == later_formats[format]));
    assert_eq!(finds(&masked), finds(&later));
    // What `emit` wrote beside shows what was decided before.
    expect(0, &["emit", &later.out(), "--format", "parquet"]);
    assert!(later.layout().root().join("texts").exists());
    let unset = ["--set", FORMATS, "--set", "pii.kinds=[]", "--set", "pii.mode=annotate"];
    let (_, err) = expect(0, &[&["build", "--out", &later.out()][..], &unset].concat());
    assert!(err.contains("personal data is no longer masked: email, ip, iban, phone, card"), "{err}");
    assert!(!later.layout().pii(0).exists() && !later.layout().root().join("texts").exists());
}

#[test]
fn a_report_shows_no_text_from_before_masking() {
    let outcomes = |more: &[&str]| -> Vec<String> {
        let corpus = Corpus::build(0, &[&sample("web.warc.gz")], more);
        let report = fs::read_to_string(corpus.layout().report_data()).unwrap();
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        report["counters"]["figures"]["samples"].as_object().unwrap().keys().cloned().collect()
    };
    let [shown, masked] = [outcomes(&[]), outcomes(&["--set", KINDS, "--set", "pii.mode=mask"])];
    assert!(shown.iter().any(|name| name == "boilerplate") && shown.iter().any(|name| name == "kept"));
    assert!(!masked.iter().any(|name| name == "boilerplate") && masked.iter().any(|name| name == "kept"));
}

#[test]
fn without_kinds_nothing_is_sought() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    assert!(!corpus.layout().pii(0).exists());
}
