//! Text → words, shingles, sentences and tokens. Values in, values out.
//!
//! Two notions of a word live here on purpose. [`words`] is what deduplication counts: cheap, the
//! same for every language, blind to case and punctuation; [`units`] are the same or smaller. [`segments`] is what a corpus shows.

pub mod eights;

pub mod letters;

pub mod segments;

pub mod words;

pub mod units;
