//! What is told about duplicates, and about a job before it runs.

use super::{Form, NO_OVERLAP, Page, build, options, words, write};
use crate::common::{Corpus, expect, said, sample};

/// Three documents: one, it with a word more, and one that repeats a paragraph of it.
fn pages() -> [Page; 3] {
    let (first, second) = (words(0..60), words(100..160));
    let page = |name: &str, text: String| Page::new(format!("http://a.example/{name}"), text);
    [
        page("first", format!("{first}\n{second} more")),
        page("near", format!("{first}\n{second}")),
        page("repeats", format!("{}\n{second}\n{}", words(200..300), words(300..400))),
    ]
}

#[test]
fn a_document_and_its_paragraphs_are_explained() {
    let corpus = build(Form::Wet, &pages(), &[]);
    let explain = |url: &str| expect(0, &["explain", &corpus.out(), url]).0;
    let near = explain("http://a.example/near");
    assert!(
        near.contains("dropped: near_duplicate") && near.contains("in favour of document 0, http://a.example/first;"),
        "{near}"
    );
    assert!(near.contains("in a cluster of 2 documents"), "{near}");
    let repeats = explain("2");
    assert!(repeats.contains("3 paragraphs, 2 kept:") && repeats.contains("overlap:"), "{repeats}");
    assert!(repeats.contains("100 % of its words seen before"), "{repeats}");
    assert!(repeats.contains("60 words in document 0, http://a.example/first: “"), "{repeats}");
    let (_, err) = expect(2, &["explain", &corpus.out(), "http://a.example/other"]);
    assert!(err.contains("no document http://a.example/other"), "{err}");
    std::fs::remove_dir_all(corpus.layout().work()).unwrap();
    let later = explain("2");
    assert!(later.contains("overlap:") && later.contains("are unknown"), "{later}");
}

#[test]
fn no_owners_are_told_by_masked_text() {
    let mail = |word: &str| format!("{word} kim.lee@example.org {}", words(400..420));
    let [first, _, mut repeats] = pages();
    repeats.text = format!("{}\n{}", mail("write"), repeats.text);
    let corpus = build(Form::Wet, &[first, repeats], &["pii.kinds=[\"email\"]", "pii.mode=mask"]);
    let explained = expect(0, &["explain", &corpus.out(), "1"]).0;
    assert!(explained.contains("overlap:") && explained.contains("EMAIL_ADDRESS"), "{explained}");
    assert!(explained.contains("are masked") && !explained.contains("words in document"), "{explained}");
    // The text of the other document is as it was.
    assert!(!expect(0, &["explain", &corpus.out(), "0"]).0.contains("are masked"));
}

#[test]
fn clusters_are_listed_by_size() {
    let mut all: Vec<Page> = (0..4).map(|i| Page::new(format!("http://b.example/{i}"), words(500..560))).collect();
    all.extend(pages());
    let corpus = build(Form::Wet, &all, &[NO_OVERLAP]);
    let (listed, _) = expect(0, &["clusters", &corpus.out(), "--members", "2"]);
    let lines: Vec<&str> = listed.lines().map(str::trim).collect();
    assert_eq!(lines[0], "4 documents, keeper: 0 http://b.example/0");
    assert_eq!(lines[1], "exact  1 http://b.example/1");
    assert_eq!(lines[3], "2 documents, keeper: 4 http://a.example/first");
    assert!(lines[4].starts_with("0.9") && lines.len() == 5, "{listed}");
    assert_eq!(expect(0, &["clusters", &corpus.out(), "--limit", "1", "--members", "0"]).0.lines().count(), 1);
    let report = std::fs::read_to_string(corpus.layout().report()).unwrap();
    assert!(
        report.contains("4 documents: <bdi>http://b.example/0</bdi>")
            && report.contains("<bdi>http://b.example/1</bdi>")
    );
}

/// Figures of the report: the number of near duplicates, and clusters by size.
pub fn figures(corpus: &Corpus) -> (u64, Vec<(String, u64)>) {
    let report = std::fs::read(corpus.layout().report_data()).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    let bins = |name: &str, of: &str| -> Vec<(String, u64)> {
        let bins = report["counters"]["figures"][name].as_object().unwrap().iter();
        bins.map(|(bin, counts)| (bin.clone(), counts[of].as_u64().unwrap())).collect()
    };
    (bins("similarities", "documents").iter().map(|(_, n)| n).sum(), bins("clusters", "clusters"))
}

#[test]
fn marked_copies_are_exact_duplicates() {
    // Words in a circle have the same shingles wherever they begin.
    let circle = |from: u64| [words(from..60), words(0..from), words(from..from + 4)].join(" ");
    let texts = [circle(0), circle(0), circle(5)];
    let pages: Vec<Page> = (0..).zip(texts).map(|(i, text)| Page::new(format!("https://{i}.example/"), text)).collect();
    for action in ["near.action=drop", "near.action=mark"] {
        let corpus = build(Form::Wet, &pages, &[NO_OVERLAP, "near.keeper=first", action]);
        let (listed, _) = expect(0, &["clusters", &corpus.out()]);
        said(&listed, &["3 documents, keeper: 0 ", "exact  1 https://1.example/\n", "1.000  2 https://2.example/\n"]);
        assert_eq!(figures(&corpus), (1, vec![("1".into(), 1)]), "{action}");
    }
}

#[test]
fn a_representative_that_is_dropped_later_is_told() {
    let short = words(0..100);
    let long = format!("{short} {}", words(1000..1600));
    let texts = [short.clone(), short, long];
    let pages: Vec<Page> = (0..).zip(texts).map(|(i, text)| Page::new(format!("https://{i}.example/"), text)).collect();
    let listed = |sets: &[&str]| expect(0, &["clusters", &build(Form::Wet, &pages, sets).out()]).0;
    let told = listed(&[NO_OVERLAP, "containment.drop=true"]);
    said(
        &told,
        &["2 documents, keeper: 0 https://0.example/ (dropped itself: contained)\n", "exact  1 https://1.example/\n"],
    );
    said(&listed(&[NO_OVERLAP]), &["2 documents, keeper: 0 https://0.example/\n"]);
}

#[test]
fn a_giant_cluster_fails_the_job_if_asked() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, out) = (dir.path().join("a.warc"), dir.path().join("out"));
    let copies: Vec<Page> = (0..10).map(|i| Page::new(format!("http://b.example/{i}"), words(0..60))).collect();
    write(&archive, Form::Wet, &copies);
    let (archive, out) = (archive.display().to_string(), out.display().to_string());
    let arguments = [&["build", &archive, "--out", &out][..], &options(&["near.max_star=0.5"])].concat();
    let (_, err) = expect(1, &arguments);
    said(&err, &["10 of 10 documents are duplicates of http://b.example/0", "near.max_star"]);
}

#[test]
fn a_plan_tells_what_the_job_will_take() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let (told, _) = expect(0, &["plan", &sample("web.warc.gz"), "--out", &out, "--threads", "3"]);
    let count = told.lines().find_map(|line| line.trim().split_once(" documents, "));
    // The sample is all of the input.
    let documents: u32 = count.unwrap().0.parse().unwrap();
    assert!((80..=92).contains(&documents), "{told}");
    for part in ["disk: ", "sketches", "for clustering", "with 3 threads"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_ceiling_of_memory_is_kept_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let input = sample("web.warc.gz");
    for command in [&["build", "--quiet"][..], &["plan"]] {
        let arguments = [command, &[&input, "--out", &out, "--memory", "200M", "--threads", "2"]].concat();
        let (_, err) = expect(2, &arguments);
        assert!(err.contains("--memory 200.00 MiB is too low") && err.contains("2 threads need"), "{err}");
    }
    // Nothing of a finished corpus is removed for a job that cannot run.
    expect(0, &["build", &input, "--out", &out, "--quiet"]);
    expect(2, &["build", &input, "--out", &out, "--quiet", "--restart", "--memory", "200M", "--threads", "2"]);
    assert!(std::path::Path::new(&out).join("documents/part-00000.parquet").exists());
    let free = Corpus::build(0, &[&input], &[]);
    let bound = Corpus::build(0, &[&input], &["--memory", "1G", "--threads", "2"]);
    assert!(free.files() == bound.files());
}
