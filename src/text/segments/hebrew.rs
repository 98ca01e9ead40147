//! Acronyms of Hebrew, which have a double mark before their last letter: `צה״ל`. Nearly all are typed with a straight
//! quotation mark.

use super::chars::{char_at, char_before, skip, skip_back};
use crate::text::beginning;

/// Bytes of a Hebrew letter.
const LETTER: usize = 2;
/// How far letters are counted to either side, in bytes.
const NEAR: usize = 16;
/// What is attached to an acronym behind its last letter: `מנכ"לית`.
const SUFFIXES: [&str; 7] = ["ים", "ות", "ית", "יות", "י", "ה", "ניק"];

/// Whether the quotation mark at an offset is part of an acronym: one letter stands behind it, or one with a suffix. Behind a
/// single letter it opens a quotation where more than one letter follows (`ה"הארץ"`), and so it does if another closes.
pub fn is_acronym_mark(text: &str, at: usize) -> bool {
    let Some(mark) = char_at(text, at).filter(|c| matches!(c, '"' | '”')) else { return false };
    if !char_before(text, at).is_some_and(is_hebrew_letter) {
        return false;
    }
    let from = at + mark.len_utf8();
    let near = beginning(text, from + NEAR);
    let end = skip(near, from, is_hebrew_letter);
    let behind = text.get(from + LETTER..end);
    let closes = matches!(char_at(text, end), Some('"' | '”'));
    match behind {
        Some("") => true,
        Some(suffix) => {
            !closes && at - skip_back(text, at, NEAR, is_hebrew_letter) > LETTER && SUFFIXES.contains(&suffix)
        }
        None => false,
    }
}

fn is_hebrew_letter(c: char) -> bool {
    matches!(c, 'א'..='ת')
}
