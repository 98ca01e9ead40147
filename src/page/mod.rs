//! Record → page: decoded text, blocks, and what the page says about itself.
//!
//! The bytes of a record come in, values go out; bad input gives a reason, never a failure. Records are cut by
//! `archive`; what is content is decided in `clean`. Nothing here knows the configuration: [`payload::Options`] and
//! [`blocks::Options`] are filled by the caller.

/// A list of words. Unlike in an array, several stand on a line.
macro_rules! words {
    ($($word:literal)*) => { &[$($word),*] };
}

pub mod charset;

mod byline_words;

pub mod blocks;

pub mod head;

pub mod metadata;

pub mod payload;

pub mod rules;

pub mod url;
