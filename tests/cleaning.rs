//! Site rules, robots, structure and reasons, through the binary.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use warcorpus::document::{Document, Paragraph};

use crate::common::{Corpus, expect, response};

const PAGES: [(&str, &str); 4] = [
    (
        "http://news.example.com/a",
        "<h1 class=top>One</h1><div class=text><p>Rain fell. <p class=share>Share it</div><p>Menu",
    ),
    ("http://news.example.com/b", "<h1 class=top>Two</h1><div class=body><p>Elsewhere the text stands.</div>"),
    ("http://www.example.org/c", "<meta name=robots content='index, noarchive'><p>This page does not want to be kept."),
    (
        "http://www.example.org/d",
        "<ul><li>first<ul><li>second</ul></ul><table><tr><td>a<td>b<tr><td>c</table><pre>x {\n  y\n}</pre>",
    ),
];

const RULES: &str = r#"
[[rule]]
name = "news"
host = "*.example.com"
content = ".text"
drop = [".share", ".gone"]
metadata.title = "h1.top"
"#;

struct Job {
    folder: TempDir,
}

impl Job {
    fn new(rules: &str) -> Job {
        let job = Job { folder: tempfile::tempdir().unwrap() };
        let records = PAGES.iter().enumerate().map(|(number, (url, body))| {
            response(number, url, "2025-01-01T12:00:00Z", &format!("<html><body>{body}</html>"))
        });
        fs::write(job.path("a.warc"), records.collect::<String>()).unwrap();
        fs::write(job.path("news.toml"), rules).unwrap();
        job
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn rules(&self) -> String {
        format!("clean.rules=[\"{}\"]", self.path("*.toml").display())
    }

    fn corpus(&self, sets: &[&str]) -> Corpus {
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", *set]).collect();
        Corpus::build(0, &[&self.path("a.warc").display().to_string()], &sets)
    }
}

fn page(corpus: &Corpus, url: &str) -> (Document, Vec<Paragraph>) {
    let document = corpus.documents().into_iter().find(|d| d.url.ends_with(url)).unwrap();
    let paragraphs = corpus.blocks().into_iter().filter(|p| p.doc == document.doc).collect();
    (document, paragraphs)
}

#[test]
fn rules_of_a_site_win_over_the_cleaner() {
    let job = Job::new(RULES);
    let corpus = job.corpus(&[&job.rules()]);
    let (document, paragraphs) = page(&corpus, "/a");
    assert_eq!(document.title.as_deref(), Some("One"));
    let verdicts: Vec<_> = paragraphs.iter().map(|p| (p.text.as_str(), p.boilerplate, p.reason.name())).collect();
    let by_rule = |text, boilerplate| (text, boilerplate, "rule:news");
    let expected =
        [by_rule("One", true), by_rule("Rain fell.", false), by_rule("Share it", true), by_rule("Menu", true)];
    assert_eq!(verdicts, expected);
    let (_, elsewhere) = page(&corpus, "/b");
    assert!(elsewhere.iter().all(|p| !p.reason.name().starts_with("rule:")), "no content selector matched there");
    let (_, other) = page(&corpus, "/c");
    assert!(other.iter().all(|p| !p.reason.name().starts_with("rule:")), "not a page of the host");
    assert_eq!(corpus.stats()["rules"]["news"]["pages"], 2);
    assert_eq!(corpus.stats()["rules"]["news"]["matched"], serde_json::json!([1, 1, 0, 2]));
}

#[test]
fn selectors_that_match_nothing_are_named() {
    let job = Job::new(RULES);
    let (archive, out) = (job.path("a.warc"), job.path("out"));
    let arguments = ["build", archive.to_str().unwrap(), "--out", out.to_str().unwrap(), "--set", &job.rules()];
    let (summary, log) = expect(0, &arguments);
    let complaint = "rule news: drop = \".gone\" matched on none of 2 pages";
    assert!((summary.clone() + &log).contains(complaint), "{summary}{log}");
    fs::write(job.path("news.toml"), RULES.replace(".gone", ".away")).unwrap();
    let (_, refusal) = expect(2, &arguments);
    assert!(refusal.contains("the site rules have changed"), "{refusal}");
}

#[test]
fn bad_rules_are_refused_before_work_starts() {
    for (wrong, what) in [
        ("[[rule]]\nhost = \"a.example\"\ncontnet = \"p\"", "the nearest is `content`"),
        ("[[rule]]\nhost = \"a.example\"\ncontent = \"p + p\"", "selector `p + p`"),
    ] {
        let job = Job::new(wrong);
        let (archive, out) = (job.path("a.warc"), job.path("out"));
        let arguments = ["build", archive.to_str().unwrap(), "--out", out.to_str().unwrap(), "--set", &job.rules()];
        let (_, refusal) = expect(2, &arguments);
        assert!(refusal.contains(what) && refusal.contains("news.toml"), "{refusal}");
        assert!(!job.path("out/plan.json").exists());
    }
}

#[test]
fn pages_that_ask_not_to_be_kept_are_left_out_on_request() {
    let job = Job::new("");
    let asked = |corpus: &Corpus| page(corpus, "/c").0;
    assert_eq!(asked(&job.corpus(&[])).robots.as_deref(), Some("index,noarchive"));
    assert_ne!(asked(&job.corpus(&[])).drop_reason.name(), "robots");
    assert_eq!(asked(&job.corpus(&["robots.respect=[\"noarchive\"]"])).drop_reason.name(), "robots");
    assert_ne!(asked(&job.corpus(&["robots.respect=[\"noindex\"]"])).drop_reason.name(), "robots");
}

#[test]
fn paragraphs_say_where_they_stand_and_why_they_stay() {
    let corpus = Job::new("").corpus(&[]);
    let (_, paragraphs) = page(&corpus, "/d");
    let places: Vec<_> = paragraphs
        .iter()
        .map(|p| (p.text.as_str(), p.kind.name(), p.list_depth, p.table_row, p.table_column))
        .collect();
    let expected = [
        ("first", "li", 1, 0, 0),
        ("second", "li", 2, 0, 0),
        ("a", "td", 0, 1, 1),
        ("b", "td", 0, 1, 2),
        ("c", "td", 0, 2, 1),
        ("x {\n  y\n}", "pre", 0, 0, 0),
    ];
    assert_eq!(places, expected);
    assert!(
        paragraphs.iter().all(|p| !p.reason.name().is_empty() && p.score.is_some_and(|s| (s > 0.0) != p.boilerplate))
    );
    let by_classes = Job::new("").corpus(&["clean.cleaner=justext"]);
    let (_, paragraphs) = page(&by_classes, "/d");
    assert!(
        paragraphs
            .iter()
            .all(|p| p.score.is_none() && (p.class.name() == "good") != p.boilerplate && !p.reason.name().is_empty())
    );
}
