//! Paragraph for paragraph equality with the Python jusText on recorded pages.
//!
//! The pages are not part of this repository; without them the test says so and passes. How the
//! recording was made: `tests/justext/README.md`.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use warcorpus::clean::justext::{JusTextResult, Params, classify};
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::page::blocks::{Block, Options, page};

use crate::common::shared;

const RECORDED: &str = include_str!("data/justext-reference.json");

/// `[hash, class, context-free class]` per paragraph.
type Paragraphs = Vec<[String; 3]>;

#[test]
fn justext_equals_the_reference_on_recorded_pages() {
    let Some(data) = shared("extraction") else { return };
    let (mut pages, mut paragraphs, mut equal) = (0, 0, 0);
    for (set, recorded) in recorded() {
        let wanted = recorded.len();
        let mut found = 0;
        for (record_id, html) in Responses::open(&data.join(format!("{set}.warc.gz"))) {
            if found == wanted {
                break;
            }
            let Some(reference) = recorded.get(&record_id) else { continue };
            found += 1;
            paragraphs += reference.len();
            let ours = ours(&html);
            if ours == *reference {
                equal += reference.len();
            } else {
                eprintln!("{set} {record_id}: {} paragraphs, reference {}", ours.len(), reference.len());
            }
        }
        assert_eq!(found, wanted, "pages of {set} are missing");
        pages += found;
    }
    assert_eq!(pages, 50);
    assert!(paragraphs > 2000, "{paragraphs} paragraphs compare too little");
    assert_eq!(equal, paragraphs);
}

/// The comparison must be able to fail: other options, another list and one lost boundary all show.
#[test]
fn the_comparison_tells_differences() {
    let html = format!("<p>{}</p><p><b>a</b> <i>b</i></p>", "the cat ".repeat(40));
    let expected = ours(&html);
    assert_eq!(expected.len(), 2);
    assert_ne!(judged(&html, &Options::default(), "English"), expected);
    // Most lists have English words, so another list shows on another language only.
    let czech = html.replace("the cat", "které kočky");
    assert_ne!(judged(&czech, &Options::reference(), "Czech"), judged(&czech, &Options::reference(), "English"));
    assert_ne!(ours(&html.replace("</p><p>", " ")), expected);
}

fn recorded() -> HashMap<String, HashMap<String, Paragraphs>> {
    let rows: Vec<Value> = serde_json::from_str(RECORDED).expect("the recording is JSON");
    let mut sets: HashMap<String, HashMap<String, Paragraphs>> = HashMap::new();
    for row in rows {
        let paragraphs = row.get("paragraphs").cloned().and_then(|rows| serde_json::from_value(rows).ok());
        let paragraphs = paragraphs.expect("three strings per paragraph");
        let text = |key: &str| row.get(key).and_then(Value::as_str).expect("a string").to_owned();
        sets.entry(text("set")).or_default().insert(text("record_id"), paragraphs);
    }
    sets
}

fn ours(html: &str) -> Paragraphs {
    judged(html, &Options::reference(), "English")
}

fn judged(html: &str, options: &Options, list: &str) -> Paragraphs {
    let blocks = page(html, options).blocks;
    let classes = classify(&blocks, Stoplist::by_name(list), &Params::default());
    blocks.iter().zip(&classes).map(|(block, class)| row(block, class)).collect()
}

fn row(block: &Block, class: &JusTextResult) -> [String; 3] {
    let letter = |name: &str| name.chars().take(1).collect();
    [format!("{:016x}", fnv(&block.text)), letter(class.class.name()), letter(class.context_free.name())]
}

fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The responses of an archive as `(record id, decoded page)`.
struct Responses(BufReader<MultiGzDecoder<std::fs::File>>);

impl Responses {
    fn open(path: &Path) -> Responses {
        let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Responses(BufReader::new(MultiGzDecoder::new(file)))
    }

    /// The lines of the next header, blank ones before it skipped; empty at the end.
    fn header(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).expect("the archive can be read");
            let line = line.trim_end().to_owned();
            match (read, line.is_empty(), lines.is_empty()) {
                (0, ..) | (_, true, false) => return lines,
                (_, true, true) => {}
                _ => lines.push(line),
            }
        }
    }
}

impl Iterator for Responses {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let header = self.header();
            let field = |name: &str| {
                header.iter().find_map(|line| {
                    let (key, value) = line.split_once(':')?;
                    key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
                })
            };
            let length: usize = field("Content-Length")?.parse().ok()?;
            let mut block = vec![0; length];
            self.0.read_exact(&mut block).ok()?;
            if field("WARC-Type").as_deref() == Some("response") {
                return Some((field("WARC-Record-ID")?, decoded(body(&block))));
            }
        }
    }
}

fn body(http: &[u8]) -> &[u8] {
    let end = http.windows(4).position(|w| w == b"\r\n\r\n").map_or(0, |at| at + 4);
    http.get(end..).unwrap_or_default()
}

/// UTF-8 if valid, else windows-1252; without byte-order mark and XML declaration, as recorded.
fn decoded(body: &[u8]) -> String {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text.to_owned(),
        Err(_) => body.iter().map(|&byte| windows_1252(byte)).collect(),
    };
    let text = text.trim_start_matches('\u{feff}');
    let trimmed = text.trim_start();
    match trimmed.strip_prefix("<?xml").and_then(|rest| rest.split_once('>')) {
        Some((_, rest)) => rest.to_owned(),
        None => text.to_owned(),
    }
}

fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    HIGH.get(usize::from(byte).wrapping_sub(0x80)).copied().unwrap_or(char::from(byte))
}
