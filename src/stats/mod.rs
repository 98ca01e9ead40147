//! Statistics of a corpus: volumes, years, yield, frequency lists, n-grams and keywords.
//!
//! ```text
//! document row, kept paragraphs as sentences of tokens
//!   ├─ DocumentWords ─┬─ ShardCounter ─► CorpusCounts              volumes, years, yield; merged by addition
//!   │                 ├─ WordCounter ─► WordCounts ─► RankedLists  types, frequencies, n-grams, keywords; on disk
//!   │                 └─ GroupedCounter ─► GroupedCounts           counts by part (dispersion) and by year; on disk
//!   └─ CollocationCounter ─► CollocationCounts                     words near a node and everywhere; on disk
//! CorpusCounts + RankedLists ─► CorpusStatistics ─► statistics.json, report
//! CorpusCounts, RankedLists, GroupedCounts, CollocationCounts ─► tables
//! ```
//! All sums are integers and ratios are computed last, so that neither the number of threads nor the order of merging
//! changes the output. The caller provides tokens, threads and the folder of the files.

pub mod by_year;

pub mod collocations;

pub mod counted_words;

pub mod counts;

pub mod counter;

pub mod dispersion;

pub mod files;

pub mod grouped;

pub mod groups;

pub mod keywords;

pub mod lists;

pub mod options;

pub mod output;

pub mod report;

pub mod summary;

pub mod tables;

pub mod yields;

/// A kept paragraph, segmented into sentences and tokens.
#[derive(Debug, Clone, Default)]
pub struct SegmentedParagraph<'a> {
    pub text: &'a str,
    /// The tokens of each sentence, punctuation included.
    pub sentences: Vec<Vec<&'a str>>,
}
