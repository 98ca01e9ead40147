//! What a corpus consists of: volumes, years, yield, frequency lists, n-grams and keywords.
//!
//! ```text
//! document row, kept paragraphs as sentences of tokens
//!   └─ Words ─┬─ Shard ──► Counts                 volumes, years, yield; merged by addition
//!             └─ Counter ─► Counted ─► Lists      types, frequencies, n-grams, keywords; external sort
//! Counts + Lists ─► Statistics ─► statistics.json, report;   Lists, Counts ─► tables
//! ```
//! Everything is summed in integers and ratios are taken last, so that neither the number of threads nor
//! the order of merging shows in the output. Tokens come from outside; so do threads, tables and files.

pub mod counts;

pub mod counter;

pub mod files;

pub mod keywords;

pub mod lists;

pub mod options;

pub mod output;

pub mod report;

pub mod summary;

pub mod top;

pub mod words;

pub mod yields;

/// A kept paragraph.
#[derive(Debug, Clone, Default)]
pub struct Segmented<'a> {
    pub text: &'a str,
    /// Tokens of each sentence, punctuation included.
    pub sentences: Vec<Vec<&'a str>>,
}
