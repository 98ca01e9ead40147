use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::kwic::columns;
use crate::concord::options::tests::options;
use crate::concord::{Finder, Hit, HitDocument, Printer, Query, SearchCounts, SearchedParagraph, print_counts};
use crate::text::segments::Segmenter;

const BAD: &str = "x\u{1b}[2J <b>\"Tom\" & 'Jerry'</b>\tplay\r\n\u{FFFE}1";

fn hit(line: &[&str], text: &str) -> Hit {
    let document = HitDocument {
        doc: 4_294_967_297,
        url: "https://www.example.org/a?b=1&c=2".into(),
        captured: Some(1_716_208_496_123_456),
        published: Some(-1),
    };
    let mut hits = Vec::new();
    let paragraph = SearchedParagraph { index: 3, text, lines: text, language: "eng", rules: "eng", tokens: &[] };
    let options = options(line);
    let mut finder = Finder::new(&Query::new(&options).unwrap(), &options, Segmenter::default());
    finder.find(&paragraph, &Arc::new(document), |hit| {
        hits.push(hit);
        true
    });
    hits.remove(0)
}

fn printed(line: &[&str], texts: &[&str]) -> String {
    let options = options(line);
    let mut out = Vec::new();
    let mut printer = Printer::new(&Query::new(&options).unwrap(), &options, &mut out);
    printer.begin().unwrap();
    texts.iter().for_each(|text| printer.hit(&hit(line, text)).unwrap());
    assert_eq!(printer.end().unwrap(), texts.len() as u64);
    String::from_utf8(out).unwrap()
}

#[test]
fn records_have_the_names_of_the_model() {
    let text = printed(&["play", "played", "--format", "json"], &["If you have played Mario.", BAD]);
    let records: Vec<Value> = serde_json::from_str(&text).unwrap();
    let want = json!({
        "id": 1, "keyword": "play", "form": "played", "concordance": "If you have played Mario.", "start": 12, "end": 18,
        "url": "https://www.example.org/a?b=1&c=2", "date": "2024-05-20T12:34:56Z", "doc_date": "1969-12-31",
        "lang": "eng", "doc": 4_294_967_297_u64, "p_idx": 3
    });
    assert_eq!(records[0], want);
    assert_eq!(text.lines().count(), 4, "a line for each hit: {text}");
    assert_eq!(printed(&["play", "--format", "json"], &[]), "[]\n");
}

#[test]
fn tables_keep_their_cells() {
    let text = printed(&["play", "--format", "tsv"], &["A play.", BAD]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "id\tkeyword\tform\tconcordance\tstart\tend\turl\tdate\tdoc_date\tlang\tdoc\tp_idx");
    assert!(lines[1].starts_with("1\tplay\tplay\tA play.\t2\t6\thttps://"), "{}", lines[1]);
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.split('\t').count() == 12), "{text}");
}

#[test]
fn markup_is_escaped() {
    let xml = printed(&["play", "--format", "xml"], &[BAD]);
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<concordances>\n<item><id>1</id>"), "{xml}");
    assert!(xml.ends_with("</item>\n</concordances>\n"));
    assert!(xml.contains("&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;\tplay"), "{xml}");
    assert!(xml.contains("<url>https://www.example.org/a?b=1&amp;c=2</url>"));
    let html = printed(&["play", "--format", "html"], &[BAD]);
    assert!(html.contains("&lt;b&gt;") && !html.contains("<b>") && html.contains("<mark>play</mark>"), "{html}");
    assert!(html.contains("<p>1 hit</p>"), "{html}");
    for text in [xml, html] {
        assert!(!text.contains(['\u{1b}', '\u{FFFE}', '\r']), "{text}");
    }
}

#[test]
fn a_long_host_ends_with_an_ellipsis() {
    let options = options(&["play"]);
    for (host, shown) in [
        ("exactly-24.letters.of.us", "exactly-24.letters.of.us  "),
        ("25-letters.are-one-too.many", "25-letters.are-one-too.…  "),
    ] {
        let mut hit = hit(&["play"], "play");
        hit.document = Arc::new(HitDocument { url: format!("http://{host}/"), ..HitDocument::default() });
        let mut out = Vec::new();
        Printer::new(&Query::new(&options).unwrap(), &options, &mut out).hit(&hit).unwrap();
        let line = String::from_utf8(out).unwrap();
        assert!(line.contains(shown), "{line}");
    }
}

#[test]
fn only_web_addresses_are_links() {
    let options = options(&["play", "--format", "html"]);
    let mut odd = hit(&["play"], "play");
    odd.document = Arc::new(HitDocument { url: "javascript:alert(1)".into(), ..HitDocument::default() });
    let mut out = Vec::new();
    Printer::new(&Query::new(&options).unwrap(), &options, &mut out).hit(&odd).unwrap();
    assert!(!String::from_utf8(out).unwrap().contains("href"));
}

#[test]
fn hits_stand_below_one_another() {
    let text = printed(
        &["play", "--width", "8"],
        &["We often play chess.", "play", "日本語の日本語で play する", BAD, "e\u{301}e\u{301} play"],
    );
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "4294967297:3     www.example.org           e often [play] chess.");
    assert_eq!(lines.len(), 5);
    for line in &lines {
        assert_eq!(columns(line.split_once("[play]").unwrap().0), 51, "{text}");
    }
    assert!(!text.contains('\u{1b}'));
    let sentences = printed(&["play", "--sentence"], &["Yes. We play-act."]);
    assert_eq!(sentences, "4294967297:3     www.example.org           We [play]-act.\n");
}

#[test]
fn counts_have_a_line_for_each_form() {
    let query = Query::new(&options(&["play", "plays"])).unwrap();
    let mut counts = SearchCounts { paragraphs: 9, untagged: 0, hits: vec![1, 2], all_hits: 3 };
    counts.add(&SearchCounts { hits: vec![10, 0], all_hits: 10, ..SearchCounts::default() });
    let mut out = Vec::new();
    print_counts(&mut out, &query, &counts).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "play\t11\nplays\t2\nall\t13\n");
}

proptest! {
    #[test]
    fn any_text_stays_in_its_place(before in any::<String>(), after in any::<String>()) {
        let text = format!("{before} play {after}");
        let line = ["--regex", "play", "--format", "json"];
        let records: Vec<Value> = serde_json::from_str(&printed(&line, &[&text])).unwrap();
        let sentence: Vec<char> = records[0]["concordance"].as_str().unwrap().chars().collect();
        let (start, end) = (records[0]["start"].as_u64().unwrap() as usize, records[0]["end"].as_u64().unwrap() as usize);
        prop_assert_eq!(sentence[start..end].iter().collect::<String>().to_lowercase(), "play");
        // The other forms have as many characters, so that the offsets hold there too.
        let tsv = printed(&["--regex", "play", "--format", "tsv"], &[&text]);
        let cell = tsv.split('\n').nth(1).unwrap().split('\t').nth(3).unwrap();
        prop_assert_eq!(cell.chars().count(), sentence.len());
        prop_assert_eq!(super::record::escaped("\0\u{1}ab").chars().count(), 4);
        let kwic = printed(&["--regex", "play"], &[&text]);
        prop_assert_eq!(kwic.chars().filter(|c| c.is_control()).count(), 1);
    }
}
