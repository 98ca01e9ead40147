//! Text → words, shingles, sentences and tokens. Values in, values out.
//!
//! There are two notions of a word, on purpose. [`words`] are what deduplication counts: cheap to find, the same for
//! every language, without case and punctuation; shingles are made of them or of the smaller [`units`]. [`segments`]
//! finds the sentences and tokens that a corpus shows.
//!
//! This layer knows neither pages nor the configuration.

pub mod swar;

pub mod char_classes;

pub mod segments;

pub mod words;

pub mod units;
