//! What a page says about itself, beside what was chosen from it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::{Document, Paragraph, date_of_day};
use crate::page::head::Head;

/// Most statements of one kind that are shown.
const SHOWN: usize = 12;

/// A column of the document, its value, and the statements of the page about it.
#[derive(Debug, Serialize)]
pub struct Evidence {
    pub column: &'static str,
    /// The value that was chosen; empty if there is none.
    pub value: String,
    /// Where a statement stands, and what it says.
    pub statements: Vec<(String, String)>,
}

/// The evidence for the title, authors, dates, language and encoding of a page.
pub fn of(document: &Document, rows: &[Paragraph], head: &Head) -> Vec<Evidence> {
    let date = |days: Option<i32>| days.and_then(date_of_day).map(|day| day.to_string()).unwrap_or_default();
    let source = document.published_source.map(|source| format!(" (from {})", source.name())).unwrap_or_default();
    let mut title = vec![("<title>".to_string(), head.title.clone())];
    title.extend(metas(head, &["title"]));
    title.extend(headings(head));
    let mut dates = metas(head, &["date", "time", "publish", "modified"]);
    dates.extend(candidates(head, &["date", "time", "publish", "posted"]));
    let mut authors = metas(head, &["author", "creator", "byl"]);
    authors.extend(candidates(head, &["author", "byline", "creator"]));
    let mut language = vec![("<html lang>".to_string(), head.html_lang.clone())];
    language.extend(metas(head, &["language", "locale"]));
    language.extend(shares(rows));
    let of = |column, value, statements: Vec<(String, String)>| Evidence {
        column,
        value,
        statements: statements.into_iter().filter(|(_, text)| !text.trim().is_empty()).take(SHOWN).collect(),
    };
    vec![
        of("title", document.title.clone().unwrap_or_default(), title),
        of("author", document.author.join(", "), authors),
        of("published", date(document.published) + &source, dates),
        of("modified", date(document.modified), Vec::new()),
        of("language", format!("{} ({:.2})", document.language, document.language_score), language),
        of(
            "charset",
            format!("{} (from {})", document.charset, document.charset_source.name()),
            encodings(document, head),
        ),
        of("robots", document.robots.clone().unwrap_or_default(), metas(head, &["robots"])),
        of("canonical", document.canonical.clone().unwrap_or_default(), links(head)),
    ]
}

/// The `<meta>` elements whose key has one of the words.
fn metas(head: &Head, words: &[&str]) -> Vec<(String, String)> {
    let wanted = head.meta.iter().filter(|meta| words.iter().any(|word| meta.key.contains(word)));
    wanted.map(|meta| (format!("<meta {}>", meta.key), meta.content.clone())).collect()
}

fn headings(head: &Head) -> Vec<(String, String)> {
    let headings = head.candidates.iter().filter(|candidate| candidate.level > 0);
    headings.map(|heading| (format!("<h{}> {}", heading.level, heading.names), heading.text.clone())).collect()
}

/// The elements whose names have one of the words.
fn candidates(head: &Head, words: &[&str]) -> Vec<(String, String)> {
    let wanted = head
        .candidates
        .iter()
        .filter(|one| one.level == 0 && (!one.value.is_empty() || words.iter().any(|word| one.names.contains(word))));
    let text = |value: &str, text: &str| if value.is_empty() { text.to_string() } else { format!("{value} {text}") };
    wanted.map(|one| (format!("element {}", one.names), text(&one.value, &one.text))).collect()
}

fn links(head: &Head) -> Vec<(String, String)> {
    let canonical = head.links.iter().filter(|link| link.rel.contains("canonical"));
    canonical.map(|link| ("<link rel=canonical>".to_string(), link.href.clone())).collect()
}

fn encodings(document: &Document, head: &Head) -> Vec<(String, String)> {
    let mut statements = vec![("Content-Type".to_string(), document.content_type.clone())];
    statements.extend(metas(head, &["content-type", "charset"]));
    if document.replacements > 0 {
        statements.push(("replaced characters".into(), document.replacements.to_string()));
    }
    statements
}

/// The languages of the content paragraphs with their shares of the characters.
fn shares(rows: &[Paragraph]) -> Vec<(String, String)> {
    let mut characters: BTreeMap<String, u64> = BTreeMap::new();
    for row in rows {
        if let Some(language) = row.language {
            *characters.entry(language.to_string()).or_default() += u64::from(row.characters);
        }
    }
    let all: u64 = characters.values().sum();
    let mut sorted: Vec<_> = characters.into_iter().collect();
    sorted.sort_by_key(|(language, n)| (std::cmp::Reverse(*n), language.clone()));
    let share = |(language, n): (String, u64)| {
        (format!("paragraphs in {language}"), format!("{:.1} %", 100.0 * n as f64 / all.max(1) as f64))
    };
    sorted.into_iter().map(share).collect()
}
