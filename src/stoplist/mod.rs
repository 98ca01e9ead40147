//! Making stop-word lists, and reading lists from files.
//!
//! A list is made as those of the jusText package are: the commonest forms between white space, with case and
//! punctuation as written, down to a share of all running words. The cleaner looks words up in the same way, so that
//! `years,` is found where `years,` is written.

pub mod options;

pub mod file;

pub mod recipe;

pub mod sample;

use crate::page::blocks::is_space;

/// The forms of a text: its words with their punctuation, as white space separates them.
fn forms(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|form| !form.is_empty())
}
