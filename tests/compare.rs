//! `compare`: two snapshots with changes that are known.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Corpus, expect, response, sample};
use crate::pages::{check, chromium};

/// A capture of a page: address, date, title, path of the canonical address, menu, paragraphs.
struct Capture<'a> {
    path: &'a str,
    date: &'a str,
    title: &'a str,
    canonical: Option<&'a str>,
    menu: &'a str,
    paragraphs: Vec<String>,
}

/// Four paragraphs with words that no other seed has.
fn story(seed: usize) -> Vec<String> {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let word = |n: usize| [letter(n), 'e', letter(n / 26), 'o', letter(n / 676), 'n'].iter().collect::<String>();
    let sentence = |n: usize| format!("The old {} of the {} was there in the morning. ", word(n * 7), word(n * 13 + 5));
    (0..4).map(|part| (0..6).map(|n| sentence(seed * 100 + part * 10 + n)).collect()).collect()
}

fn capture<'a>(path: &'a str, title: &'a str, seed: usize) -> Capture<'a> {
    Capture { path, date: "2019-05-01", title, canonical: None, menu: "Home News Sport", paragraphs: story(seed) }
}

fn warc(captures: &[Capture]) -> String {
    let mut warc = String::new();
    for (number, Capture { path, date, title, canonical, menu, paragraphs }) in captures.iter().enumerate() {
        let menu: String = menu.split(' ').map(|word| format!("<li><a href=/{word}>{word}</a></li>")).collect();
        let body = paragraphs.iter().fold(String::new(), |mut body, text| {
            let _ = write!(body, "<p>{text}</p>");
            body
        });
        let link = canonical.map(|path| format!("<link rel=canonical href='http://sea.example{path}'>"));
        let head = format!("<title>{title}</title>{}", link.unwrap_or_default());
        let html = format!("{head}<nav><ul>{menu}</ul></nav><article><h1>{title}</h1>{body}</article>");
        warc += &response(number, &format!("http://sea.example{path}"), &format!("{date}T10:00:00Z"), &html);
    }
    warc
}

fn build(captures: &[Capture], more: &[&str]) -> Corpus {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc");
    fs::write(&archive, warc(captures)).unwrap();
    Corpus::build(0, &[&archive.display().to_string()], more)
}

/// The older snapshot: an earlier capture, and pages to which something will happen.
fn older() -> Vec<Capture<'static>> {
    vec![
        Capture { date: "2019-03-01", ..capture("/same", "Same", 90) },
        capture("/same", "Same", 1),
        capture("/menu", "Menu", 2),
        capture("/edited", "Edited", 3),
        capture("/2019/slug.html", "Slug", 4),
        capture("/old-place", "Text", 5),
        capture("/old-home", "Similar", 6),
        capture("/gone", "Gone", 7),
    ]
}

fn newer() -> Vec<Capture<'static>> {
    let edit = |seed, edit: fn(&mut Vec<String>)| {
        let mut paragraphs = story(seed);
        edit(&mut paragraphs);
        paragraphs
    };
    let mut all = vec![
        capture("/same?utm_source=feed", "Same", 1),
        Capture { menu: "Home News Sport Weather Traffic", ..capture("/menu", "Menu", 2) },
        Capture {
            paragraphs: edit(3, |paragraphs| {
                paragraphs.remove(1);
                paragraphs.insert(0, story(30).remove(0));
                let last = paragraphs.pop().unwrap();
                paragraphs.insert(1, last);
            }),
            ..capture("/edited", "Edited", 3)
        },
        Capture { paragraphs: story(40), ..capture("/archive/Slug", "Slug", 4) },
        capture("/new-place", "Text", 5),
        Capture {
            paragraphs: edit(6, |paragraphs| paragraphs[2].push_str("And a boat lay there.")),
            ..capture("/new-home", "Similar, but with another title", 6)
        },
        capture("/new", "New", 8),
    ];
    all.iter_mut().for_each(|capture| capture.date = "2024-06-01");
    all
}

/// Rows of `changes.tsv` as address, status, what it was found by.
fn rows(out: &str) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(format!("{out}/changes.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 18, "{line}");
        let url = if cells[5].is_empty() { cells[4] } else { cells[5] };
        let path = url.trim_start_matches("http://sea.example").to_string();
        (path, cells[0].to_string(), cells[1].to_string())
    };
    text.lines().skip(1).map(row).collect()
}

fn expected() -> Vec<(String, String, String)> {
    let all = [
        ("/same?utm_source=feed", "same", "address"),
        ("/menu", "template", "address"),
        ("/edited", "changed", "address"),
        ("/archive/Slug", "moved", "slug"),
        ("/new-place", "moved", "text"),
        ("/new-home", "moved", "similarity"),
        ("/new", "new", ""),
        ("/gone", "gone", ""),
    ];
    all.map(|(url, status, by)| (url.into(), status.into(), by.into())).to_vec()
}

fn summary(out: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(format!("{out}/summary.json")).unwrap()).unwrap()
}

#[test]
fn known_changes_are_found() {
    let (a, b) = (build(&older(), &[]), build(&newer(), &["--set", "plan.shard_bytes=4096"]));
    let out = b.dir.path().join("changes").display().to_string();
    let (printed, _) = expect(0, &["compare", &a.out(), &b.out(), "--out", &out, "--tsv"]);
    assert!(printed.contains("7 pages before, 7 after"), "{printed}");
    assert_eq!(rows(&out), expected());
    let summary = summary(&out);
    assert_eq!((&summary["older"]["documents"], &summary["older"]["pages"]), (&8.into(), &7.into()));
    assert_eq!(summary["statuses"]["changed"]["pages"], 1);
    assert_eq!(summary["months"]["2019-05"]["gone"]["pages"], 1);
    assert!(!PathBuf::from(&out).join("work").exists());
    let lines: Vec<Value> = fs::read_to_string(format!("{out}/paragraphs.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    let edited = &lines[0];
    let texts = |of: &str| -> Vec<String> {
        let hunks = edited["hunks"].as_array().unwrap().iter();
        let places = hunks.flat_map(|hunk| hunk[of].as_array().unwrap());
        places.map(|place| place["text"].as_str().unwrap().trim().to_string()).collect()
    };
    assert_eq!(texts("added"), [story(30)[0].trim()]);
    assert_eq!(texts("removed"), [story(3)[1].trim()]);
    assert_eq!(edited["moved"].as_array().unwrap().len(), 1);
    let report = fs::read_to_string(format!("{out}/report.html")).unwrap();
    assert!(report.contains("<ins>") && report.contains("/new-home"));
    // An interrupted comparison, some files of which are complete, is begun again.
    fs::write(format!("{out}/.warcorpus-unfinished"), "").unwrap();
    fs::remove_file(format!("{out}/report.html")).unwrap();
    expect(0, &["compare", &a.out(), &b.out(), "--out", &out]);
    assert!(PathBuf::from(&out).join("report.html").exists());
    assert!(!PathBuf::from(&out).join("changes.tsv").exists());
    if chromium() {
        check(&PathBuf::from(&out).join("report.html"));
    }
    let (_, err) = expect(2, &["compare", &a.out(), &b.out(), "--out", &out]);
    assert!(err.contains("is not empty"), "{err}");
    // Not even what has the name of one of its own folders.
    let thesis = a.dir.path().join("mine/work/thesis.txt");
    fs::create_dir_all(thesis.parent().unwrap()).unwrap();
    fs::write(&thesis, "mine").unwrap();
    let mine = a.dir.path().join("mine").display().to_string();
    let (_, err) = expect(2, &["compare", &a.out(), &b.out(), "--out", &mine]);
    assert!(err.contains("is not empty") && thesis.exists(), "{err}");
}

/// What pages have in common that are found by their addresses does not make a pair of two others.
#[test]
fn pages_with_a_key_of_others_are_no_pair() {
    let home = |capture| Capture { canonical: Some("/"), ..capture };
    let older = vec![
        home(capture("/a", "First", 1)),
        home(capture("/b", "Second", 2)),
        home(capture("/old", "Old story", 3)),
        capture("/1/photos", "Photos", 4),
        capture("/2/photos", "Photos", 5),
        // An earlier capture is no page of its own.
        Capture { date: "2019-03-01", ..capture("/2019/slug", "Slug", 6) },
        capture("/2019/slug", "Slug", 7),
        capture("/here", "Here", 8),
    ];
    let newer = vec![
        home(capture("/a", "First", 1)),
        home(capture("/b", "Second", 2)),
        home(capture("/fresh", "Fresh story", 10)),
        capture("/1/photos", "Photos", 4),
        capture("/3/photos", "Photos", 11),
        capture("/archive/slug", "Slug", 12),
        Capture { canonical: Some("/here"), ..capture("/there", "There", 13) },
    ];
    let (a, b) = (build(&older, &[]), build(&newer, &[]));
    let out = b.dir.path().join("changes").display().to_string();
    expect(0, &["compare", &a.out(), &b.out(), "--out", &out, "--tsv"]);
    let expected = [
        ("/a", "same", "address"),
        ("/b", "same", "address"),
        ("/fresh", "new", ""),
        ("/1/photos", "same", "address"),
        ("/3/photos", "new", ""),
        ("/archive/slug", "moved", "slug"),
        ("/there", "moved", "canonical"),
        ("/old", "gone", ""),
        ("/2/photos", "gone", ""),
    ];
    assert_eq!(rows(&out), expected.map(|(url, status, by)| (url.into(), status.into(), by.into())));
}

#[test]
fn a_wrong_corpus_is_refused_before_anything_is_made() {
    let corpus = build(&older(), &[]);
    let at = |name: &str| corpus.dir.path().join(name).display().to_string();
    let (whole, missing, out) = (corpus.out(), at("missing"), at("changes"));
    for [older, newer] in [[&missing, &whole], [&whole, &missing]] {
        let (_, err) = expect(2, &["compare", older, newer, "--out", &out]);
        assert!(err.contains(&format!("{missing} holds neither a finished corpus nor an index")), "{err}");
        assert!(!PathBuf::from(&out).exists());
    }
}

#[test]
fn an_index_is_as_good_as_its_corpus() {
    let (a, b) = (build(&older(), &[]), build(&newer(), &[]));
    let index = a.dir.path().join("index").display().to_string();
    expect(0, &["index", &a.out(), "--out", &index]);
    let out = |name: &str| b.dir.path().join(name).display().to_string();
    expect(0, &["compare", &index, &b.out(), "--out", &out("by-index"), "--tsv"]);
    expect(0, &["compare", &a.out(), &b.out(), "--out", &out("by-corpus"), "--tsv"]);
    let file = |folder: &str, name: &str| fs::read(format!("{}/{name}", out(folder))).unwrap();
    for name in ["changes.parquet", "changes.tsv", "hosts.tsv"] {
        assert_eq!(file("by-index", name), file("by-corpus", name), "{name}");
    }
    let lines = String::from_utf8(file("by-index", "paragraphs.jsonl")).unwrap();
    assert!(lines.contains(r#""text":null"#), "{lines}");
}

#[test]
fn two_periods_of_one_corpus() {
    let captures: Vec<Capture> = older().into_iter().chain(newer()).collect();
    let corpus = build(&captures, &[]);
    let out = corpus.dir.path().join("changes").display().to_string();
    expect(0, &["compare", &corpus.out(), "--at", "2019", "--at", "2023..2024-06", "--out", &out, "--tsv"]);
    assert_eq!(rows(&out), expected());
    let earlier = corpus.dir.path().join("earlier").display().to_string();
    expect(0, &["compare", &corpus.out(), "--at", "2019-03", "--at", "2019-05", "--out", &earlier, "--tsv"]);
    let first = ("/same".into(), "changed".into(), "address".into());
    assert_eq!(rows(&earlier)[0], first);
    let never = corpus.dir.path().join("never").display().to_string();
    let (_, err) = expect(0, &["compare", &corpus.out(), "--at", "2019", "--at", "1999", "--out", &never]);
    assert!(err.contains("has no pages captured in 1999"), "{err}");
    for (at, message) in [(&["--at", "2019"][..], "--at twice"), (&["--at", "May", "--at", "2019"], "is no period")] {
        let (_, err) = expect(2, &[&["compare", &corpus.out(), "--out", &earlier][..], at].concat());
        assert!(err.contains(message), "{err}");
    }
}

/// Compared with itself, nothing changed, whatever the number of shards.
#[test]
fn a_corpus_is_the_same_as_itself() {
    let a = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let b = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "plan.shard_bytes=64K"]);
    let out = a.dir.path().join("changes").display().to_string();
    let (_, err) = expect(0, &["compare", &a.out(), &b.out(), "--out", &out]);
    assert!(err.contains(": 1 capture is a revisit record, which has no text; "), "{err}");
    let summary = summary(&out);
    let statuses = summary["statuses"].as_object().unwrap();
    assert_eq!(statuses.keys().collect::<Vec<_>>(), ["same"], "{statuses:?}");
    assert_eq!(statuses["same"]["pages"], summary["newer"]["pages"]);
    assert_eq!(summary["newer"]["documents"], a.documents().len());
}
