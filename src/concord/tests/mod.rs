//! Tests of several parts together.

mod choosing;

mod contexts;

mod matching;

use std::sync::Arc;

use super::options::tests::options;
use super::*;
use crate::text::segments::Segmenter;

pub fn query(line: &[&str]) -> Query {
    Query::new(&options(line)).unwrap_or_else(|error| panic!("{error}"))
}

pub fn paragraph(text: &str) -> SearchedParagraph<'_> {
    SearchedParagraph { index: 0, text, lines: text, language: "", rules: "", tokens: &[] }
}

/// Keeps all hits.
pub fn push(hits: &mut Vec<Hit>) -> impl FnMut(Hit) -> bool {
    move |hit| {
        hits.push(hit);
        true
    }
}

/// The only hit of a paragraph.
pub fn hit_of(line: &[&str], paragraph: &SearchedParagraph<'_>) -> Hit {
    let mut hits = Vec::new();
    let mut finder = Finder::new(&query(line), &options(line), Segmenter::default());
    finder.find(paragraph, &Arc::default(), push(&mut hits));
    assert_eq!(hits.len(), 1, "{line:?} in {paragraph:?}");
    hits.remove(0)
}

/// The hits of paragraphs, each of which has its document and its number in it.
pub fn hits(line: &[&str], paragraphs: &[(u64, u32, &str)]) -> Vec<Hit> {
    let mut finder = Finder::new(&query(line), &options(line), Segmenter::default());
    let mut hits = Vec::new();
    let mut last = None;
    for &(doc, index, text) in paragraphs {
        if last.replace(doc) != Some(doc) {
            finder.begin_document();
        }
        let document =
            Arc::new(HitDocument { doc, url: format!("http://example.org/{doc}"), ..HitDocument::default() });
        finder.find(&SearchedParagraph { index, ..paragraph(text) }, &document, push(&mut hits));
    }
    hits
}
