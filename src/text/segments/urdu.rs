//! Initials of Urdu: the English names of the letters, with the full stop of the script behind each (`ایم۔ اے۔ جناح`).

use std::ops::Range;

use super::chars::{char_at, char_before, is_letter, skip, skip_back};
use super::rules::{Abbreviation, LanguageRules};

const FULL_STOP: char = '\u{6D4}';
/// How far words are looked at to either side of a stop, in bytes: no name of a letter is as long.
const NEAR: usize = 24;

/// Whether the marks at `run` are the stop of an initial. A name in `maybe` is a word as well (`پی`, "drank"), and an initial
/// only beside another one.
pub fn is_initial(text: &str, run: Range<usize>, rules: &LanguageRules) -> bool {
    if text.get(run.clone()) != Some("\u{6D4}") {
        return false;
    }
    let kind = |word: Range<usize>| text.get(word).and_then(|word| rules.abbreviation(word));
    let start = word_start(text, run.start);
    match kind(start..run.start) {
        Some(Abbreviation::NeverEnds) => true,
        Some(Abbreviation::MayEnd) => {
            let before = skip_back(text, start, NEAR, char::is_whitespace);
            let stop =
                before.checked_sub(FULL_STOP.len_utf8()).filter(|_| char_before(text, before) == Some(FULL_STOP));
            let near = text.get(..text.floor_char_boundary(run.end + NEAR)).unwrap_or(text);
            let next = skip(near, run.end, char::is_whitespace);
            let end = skip(near, next, is_letter);
            stop.is_some_and(|stop| kind(word_start(text, stop)..stop).is_some())
                || char_at(near, end) == Some(FULL_STOP) && kind(next..end).is_some()
        }
        _ => false,
    }
}

fn word_start(text: &str, end: usize) -> usize {
    skip_back(text, end, NEAR, is_letter)
}
