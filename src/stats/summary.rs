//! Counts and lists → the figures of a corpus, as `statistics.json` has them.

use std::collections::BTreeMap;

use compact_str::CompactString;
use serde::Serialize;

use super::counts::{CHUNK, Counts, Volume, Years};
use super::lists::{List, Lists};
use super::words::Casing;
use super::yields::Yield;

/// The figures of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Of kept text, all languages together.
    pub all: Figures,
    pub languages: BTreeMap<CompactString, Figures>,
    /// Kept documents by year of publication; `unknown` where there is none.
    pub published: BTreeMap<String, u64>,
    /// Likewise of capture.
    pub captured: BTreeMap<String, u64>,
    #[serde(rename = "yield")]
    pub yielded: Yielded,
    /// Whether words were lower-cased.
    pub lower_cased: bool,
    /// Words that a standardised ratio is taken of.
    pub chunk_words: usize,
}

/// What a language, or the corpus, has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    pub documents: u64,
    pub paragraphs: u64,
    pub sentences: u64,
    pub tokens: u64,
    pub words: u64,
    pub bytes: u64,
    /// Distinct words.
    pub types: u64,
    /// Types / words, 0 to 1. It falls as a corpus grows, so it compares corpora of one size only.
    pub type_token_ratio: Option<f64>,
    /// Mean over all chunks, 0 to 1.
    pub standardised_type_token_ratio: Option<f64>,
    pub chunks: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Yielded {
    #[serde(flatten)]
    pub of: Yield,
    pub rate: Option<f64>,
}

impl Figures {
    fn new(volume: Volume, types: u64) -> Figures {
        Figures {
            documents: volume.documents,
            paragraphs: volume.paragraphs,
            sentences: volume.sentences,
            tokens: volume.tokens,
            words: volume.words,
            bytes: volume.bytes,
            types,
            type_token_ratio: (volume.words > 0).then(|| types as f64 / volume.words as f64),
            standardised_type_token_ratio: volume.standardised_ratio(),
            chunks: volume.chunks,
        }
    }
}

impl Statistics {
    pub fn new(counts: &Counts, lists: &Lists, casing: Casing) -> Statistics {
        let figures = |(language, volume): (&CompactString, &Volume)| {
            let types = lists.types.get(&List { language: language.clone(), n: 1 }).copied().unwrap_or(0);
            (language.clone(), Figures::new(*volume, types))
        };
        let all = counts.yields.all();
        Statistics {
            all: Figures::new(counts.all(), lists.types_of_all),
            languages: counts.languages.iter().map(figures).collect(),
            published: named(&counts.published),
            captured: named(&counts.captured),
            yielded: Yielded { of: all, rate: all.rate() },
            lower_cased: casing == Casing::Folded,
            chunk_words: CHUNK,
        }
    }
}

fn named(years: &Years) -> BTreeMap<String, u64> {
    years.iter().map(|(year, documents)| (year_name(*year), *documents)).collect()
}

pub(super) fn year_name(year: Option<i16>) -> String {
    year.map_or_else(|| String::from("unknown"), |year| year.to_string())
}
