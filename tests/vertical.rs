//! A strict reader of vertical files, written from the format's description and not from the
//! writer: it takes lines as Manatee's encodevert does and refuses what that would warn about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{Corpus, sample, shared};

const STRUCTURES: [&str; 4] = ["doc", "p", "s", "g"];

#[derive(Default)]
struct Counts {
    tokens: usize,
    documents: usize,
    paragraphs: usize,
    sentences: usize,
    attributes: BTreeMap<String, BTreeSet<String>>,
    ids: BTreeSet<String>,
}

fn read(text: &str) -> Counts {
    let mut counts = Counts::default();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut glue_at: Option<usize> = None;
    let mut sentence_start = 0;
    for (number, line) in text.lines().enumerate() {
        let at = format!("line {}: {line}", number + 1);
        assert!(!line.is_empty() && line.trim() == line && line.len() <= 32_767, "{at}");
        match structure(line) {
            Some(Tag::Open(name, attributes)) => {
                let depth = STRUCTURES.iter().position(|s| *s == name).unwrap();
                assert_eq!(open.len(), depth, "nesting, {at}");
                for (key, value) in attributes {
                    assert!(
                        counts.attributes.entry(name.clone()).or_default().insert(key.clone()) || !value.is_empty()
                    );
                    if (name.as_str(), key.as_str()) == ("doc", "id") {
                        assert!(counts.ids.insert(value), "id twice, {at}");
                    }
                }
                open.push((name, counts.tokens));
                sentence_start = counts.tokens;
            }
            Some(Tag::Close(name)) => {
                let (opened, tokens) = open.pop().unwrap();
                assert_eq!(opened, name, "{at}");
                assert!(tokens < counts.tokens, "empty structure, {at}");
                assert_ne!(glue_at, Some(counts.tokens), "glue at an end, {at}");
                match name.as_str() {
                    "doc" => counts.documents += 1,
                    "p" => counts.paragraphs += 1,
                    _ => counts.sentences += 1,
                }
            }
            Some(Tag::Glue) => {
                assert_eq!(open.len(), 3, "glue outside a sentence, {at}");
                assert!(counts.tokens > sentence_start && glue_at != Some(counts.tokens), "stray glue, {at}");
                glue_at = Some(counts.tokens);
            }
            None => {
                assert_eq!(open.len(), 3, "token outside a sentence, {at}");
                assert!(!line.contains('\t') && line.chars().all(|c| !c.is_control()), "{at}");
                counts.tokens += 1;
            }
        }
    }
    assert!(open.is_empty());
    counts
}

enum Tag {
    Open(String, Vec<(String, String)>),
    Close(String),
    Glue,
}

/// `^</?(declared names)( +…)?/?>$`, as encodevert matches; anything else is a token.
fn structure(line: &str) -> Option<Tag> {
    let inner = line.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(name) = inner.strip_prefix('/') {
        return STRUCTURES.contains(&name).then(|| Tag::Close(name.to_string()));
    }
    let (inner, empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
    let (name, rest) = inner.split_once(' ').unwrap_or((inner, ""));
    if !STRUCTURES.contains(&name) {
        return None;
    }
    if empty || name == "g" {
        assert!(name == "g" && empty && rest.is_empty(), "{line}");
        return Some(Tag::Glue);
    }
    Some(Tag::Open(name.to_string(), attributes(rest)))
}

/// `key="value"` with `\"` and `\\` inside.
fn attributes(mut rest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("no attribute: {rest}"));
        assert!(key.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{key}");
        let mut value = String::new();
        let mut chars = after.char_indices();
        let end = loop {
            match chars.next().unwrap_or_else(|| panic!("open quote: {rest}")) {
                (_, '\\') => value.push(chars.next().unwrap().1),
                (i, '"') => break i,
                (_, c) => value.push(c),
            }
        };
        assert!(!value.is_empty() && value.trim() == value, "{key}");
        found.push((key.to_string(), value));
        rest = after[end + 1..].strip_prefix(' ').unwrap_or(&after[end + 1..]);
    }
    found
}

fn check(corpus: &Corpus) {
    let counts = read(&corpus.vertical());
    let documents = corpus.documents();
    let kept: Vec<_> = documents.iter().filter(|d| d.kept).collect();
    assert_eq!(counts.documents, kept.len());
    assert_eq!(counts.paragraphs, kept.iter().map(|d| d.paragraphs as usize).sum::<usize>());
    let ids: BTreeSet<String> = kept.iter().map(|d| d.doc.to_string()).collect();
    assert_eq!(counts.ids, ids);
    assert!(counts.tokens > counts.sentences && counts.sentences >= counts.paragraphs);
    let registry = fs::read_to_string(corpus.layout().registry("warcorpus")).unwrap();
    for (structure, attributes) in &counts.attributes {
        let block = registry.split(&format!("STRUCTURE {structure} {{")).nth(1).unwrap().split("\n}").next().unwrap();
        for attribute in attributes {
            assert!(block.contains(&format!("ATTRIBUTE {attribute}")), "{structure}.{attribute} is not declared");
        }
    }
}

#[test]
fn the_sample_reads_without_a_warning() {
    check(&Corpus::build(0, &[&sample("web.warc.gz")], &[]));
}

#[test]
fn real_pages_read_without_a_warning() {
    for name in ["goose3", "readability", "newspaper4k"] {
        let Some(data) = shared(&format!("extraction/{name}.warc.gz")) else { return };
        check(&Corpus::build(0, &[&data.display().to_string()], &[]));
    }
}
