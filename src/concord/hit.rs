//! Hits: matches with what stands around them and where they are from.

use std::ops::Range;
use std::sync::Arc;

use compact_str::CompactString;
use xxhash_rust::xxh3::xxh3_64;

use super::options::{Context, Options};
use super::query::{Match, Paragraph, Query};
use crate::text::segments::Segmenter;

/// The document of a hit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    pub doc: u64,
    pub url: String,
    /// Microseconds since 1970 in UTC.
    pub captured: Option<i64>,
    /// Days since 1970.
    pub published: Option<i32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hit {
    pub source: Arc<Source>,
    /// Place of the paragraph in the document.
    pub paragraph: u32,
    /// Its language, ISO 639-3, or empty.
    pub language: CompactString,
    /// Byte of the paragraph where the hit begins.
    pub at: u32,
    /// The hit with its context: the sentence, or some characters on each side.
    pub text: String,
    /// Bytes of `text` that are the hit.
    pub range: Range<usize>,
    /// Hash of the sentence, to tell equal ones; 0 unless `--unique`.
    pub sentence: u64,
}

impl Hit {
    pub fn left(&self) -> &str {
        self.text.get(..self.range.start).unwrap_or_default()
    }

    /// What was found, as it is written there.
    pub fn form(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or_default()
    }

    pub fn right(&self) -> &str {
        self.text.get(self.range.end..).unwrap_or_default()
    }

    /// Where the hit is in `text`, in Unicode scalar values, end exclusive.
    pub fn characters(&self) -> Range<usize> {
        let start = self.left().chars().count();
        start..start + self.form().chars().count()
    }

    /// Corpus order.
    pub fn place(&self) -> (u64, u32, u32) {
        (self.source.doc, self.paragraph, self.at)
    }
}

/// What a search went through. Those of workers are added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub paragraphs: u64,
    /// Paragraphs without tokens, which the query needs.
    pub untagged: u64,
    /// Hits of each of the query's forms, before any choice.
    pub hits: Vec<u64>,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.paragraphs += other.paragraphs;
        self.untagged += other.untagged;
        self.hits.resize(self.hits.len().max(other.hits.len()), 0);
        self.hits.iter_mut().zip(&other.hits).for_each(|(sum, hits)| *sum += hits);
    }

    pub fn all_hits(&self) -> u64 {
        self.hits.iter().sum()
    }

    /// The query asks for lemmas or tags, and the corpus has none.
    pub fn is_untagged(&self) -> bool {
        self.paragraphs > 0 && self.untagged == self.paragraphs
    }
}

/// Makes hits out of paragraphs: one for each worker.
pub struct Finder {
    query: Query,
    context: Context,
    unique: bool,
    segmenter: Segmenter,
    pub tally: Tally,
}

impl Finder {
    pub fn new(query: &Query, options: &Options) -> Finder {
        let tally = Tally { hits: vec![0; query.forms().len()], ..Tally::default() };
        let (context, unique) = (options.context(), options.unique);
        Finder { query: query.clone(), context, unique, segmenter: Segmenter::default(), tally }
    }

    /// Counts the hits of a paragraph, no more.
    pub fn count(&mut self, paragraph: &Paragraph<'_>) {
        self.matches(paragraph);
    }

    /// Appends the hits of a paragraph of this document to `hits`.
    pub fn find(&mut self, paragraph: &Paragraph<'_>, source: &Arc<Source>, hits: &mut Vec<Hit>) {
        let matches = self.matches(paragraph);
        if matches.is_empty() {
            return;
        }
        let cuts = self.unique || self.context == Context::Sentence;
        let cutter = self.segmenter.language(paragraph.language);
        let sentences = if cuts { cutter.sentences(paragraph.text) } else { Vec::new() };
        let text = |range: &Range<usize>| paragraph.text.get(range.clone()).unwrap_or_default();
        hits.extend(matches.into_iter().map(|Match { range, .. }| {
            let sentence = around(&sentences, &range);
            let shown = match self.context {
                Context::Characters(width) => window(paragraph.text, &range, width),
                Context::Sentence => sentence.clone(),
            };
            Hit {
                source: source.clone(),
                paragraph: paragraph.index,
                language: paragraph.language.into(),
                at: range.start as u32,
                text: text(&shown).into(),
                range: range.start - shown.start..range.end - shown.start,
                sentence: if self.unique { xxh3_64(text(&sentence).as_bytes()) } else { 0 },
            }
        }));
    }

    fn matches(&mut self, paragraph: &Paragraph<'_>) -> Vec<Match> {
        self.tally.paragraphs += 1;
        self.tally.untagged += u64::from(self.query.needs_tokens() && paragraph.tokens.is_empty());
        let matches = self.query.find(paragraph);
        for found in &matches {
            if let Some(hits) = self.tally.hits.get_mut(found.form) {
                *hits += 1;
            }
        }
        matches
    }
}

/// From the beginning of the sentence where a hit begins to the end of that where it ends: nearly
/// always one. At least the hit itself.
fn around(sentences: &[Range<usize>], hit: &Range<usize>) -> Range<usize> {
    let first = sentences.partition_point(|sentence| sentence.end <= hit.start);
    let touched = sentences.iter().skip(first).take_while(|sentence| sentence.start < hit.end);
    touched.fold(hit.clone(), |all, sentence| all.start.min(sentence.start)..all.end.max(sentence.end))
}

/// The hit with so many characters on each side, or as many as there are.
fn window(text: &str, hit: &Range<usize>, width: usize) -> Range<usize> {
    let (left, right) = (text.get(..hit.start).unwrap_or_default(), text.get(hit.end..).unwrap_or_default());
    let start = match width {
        0 => hit.start,
        _ => left.char_indices().rev().nth(width - 1).map_or(0, |(at, _)| at),
    };
    let end = right.char_indices().nth(width).map_or(text.len(), |(at, _)| hit.end + at);
    start..end
}
