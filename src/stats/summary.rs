//! Counts and lists → the figures of a corpus, as `statistics.json` has them.

use std::collections::BTreeMap;

use compact_str::CompactString;
use serde::Serialize;

use super::by_year::year_name;
use super::counted_words::Casing;
use super::counts::{CHUNK_WORDS, CorpusCounts, Volume, Years};
use super::groups::GroupFigures;
use super::lists::{FrequencyListId, RankedLists};
use super::yields::Yield;

/// The figures of a corpus: the content of `statistics.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorpusStatistics {
    /// Figures of the kept text of all languages together.
    pub all: Figures,
    /// Figures of the kept text by language.
    pub languages: BTreeMap<CompactString, Figures>,
    /// Kept documents by year of publication, or `unknown`.
    pub published: BTreeMap<String, u64>,
    /// Kept documents by year of capture, or `unknown`.
    pub captured: BTreeMap<String, u64>,
    /// Documents by the value of the column of `--group-by`; left out without one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<CompactString, GroupFigures>,
    /// Yield of all documents.
    #[serde(rename = "yield")]
    pub yielded: YieldFigures,
    /// Whether words were counted in lower case.
    pub lower_cased: bool,
    /// Word tokens in a chunk of the standardised type-token ratio.
    pub chunk_words: usize,
}

/// Size and vocabulary of the kept text of a language or of the corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    pub documents: u64,
    pub paragraphs: u64,
    pub sentences: u64,
    pub tokens: u64,
    /// Tokens with a letter or digit. The column `words` of the table `documents` counts otherwise.
    #[serde(rename = "word_tokens")]
    pub words: u64,
    pub bytes: u64,
    /// Distinct words.
    pub types: u64,
    /// Types / word tokens, 0 to 1. The ratio falls as a corpus grows, so it compares only corpora of one size.
    pub type_token_ratio: Option<f64>,
    /// Mean of types / word tokens over all full chunks, 0 to 1.
    pub standardised_type_token_ratio: Option<f64>,
    /// Number of full chunks, over which the standardised ratio is the mean.
    pub chunks: u64,
}

/// A yield with its rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct YieldFigures {
    #[serde(flatten)]
    pub sums: Yield,
    /// Clean bytes / raw bytes; `None` without raw bytes.
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

impl CorpusStatistics {
    /// Figures from the counts and lists of a whole corpus.
    pub fn new(counts: &CorpusCounts, lists: &RankedLists, casing: Casing) -> CorpusStatistics {
        let figures = |(language, volume): (&CompactString, &Volume)| {
            let types = lists.types.get(&FrequencyListId { language: language.clone(), n: 1 }).copied().unwrap_or(0);
            (language.clone(), Figures::new(*volume, types))
        };
        let all = counts.yields.all();
        CorpusStatistics {
            all: Figures::new(counts.all(), lists.types_of_all),
            languages: counts.languages.iter().map(figures).collect(),
            published: by_name(&counts.published),
            captured: by_name(&counts.captured),
            groups: counts.groups.iter().map(|(value, group)| (value.clone(), group.into())).collect(),
            yielded: YieldFigures { sums: all, rate: all.rate() },
            lower_cased: casing != Casing::Kept,
            chunk_words: CHUNK_WORDS,
        }
    }
}

fn by_name(years: &Years) -> BTreeMap<String, u64> {
    years.iter().map(|(year, documents)| (year_name(*year), *documents)).collect()
}
