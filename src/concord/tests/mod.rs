//! Tests of several parts together.

mod choosing;

mod contexts;

mod matching;

use std::sync::Arc;

use super::options::tests::options;
use super::*;

pub fn query(line: &[&str]) -> Query {
    Query::new(&options(line)).unwrap_or_else(|error| panic!("{error}"))
}

pub fn paragraph(text: &str) -> SearchedParagraph<'_> {
    SearchedParagraph { index: 0, text, language: "", tokens: &[] }
}

/// The hits of paragraphs, each of which has its document and its number in it.
pub fn hits(line: &[&str], paragraphs: &[(u64, u32, &str)]) -> Vec<Hit> {
    let mut finder = Finder::new(&query(line), &options(line));
    let mut hits = Vec::new();
    for &(doc, index, text) in paragraphs {
        let document =
            Arc::new(HitDocument { doc, url: format!("http://example.org/{doc}"), ..HitDocument::default() });
        finder.find(&SearchedParagraph { index, ..paragraph(text) }, &document, &mut hits);
    }
    hits
}
