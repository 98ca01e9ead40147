//! Whether the full stop behind a word belongs to its token: that of an abbreviation, an initial or an acronym.

use std::ops::Range;

use super::chars::{char_at, char_before, is_apostrophe, is_letter, skip, skip_back};
use super::clitics::first_clitic;
use super::full_stop::is_roman;
use super::own_marks;
use super::rules::{Abbreviation, LanguageRules};
use super::tokens::TokenScan;
use super::word_tokens::LONGEST_WORD;

/// Whether the stop behind a word belongs to it.
pub fn has_stop(scan: &TokenScan, word: &str, end: usize) -> bool {
    let text = scan.text;
    if char_at(text, end) != Some('.') || char_at(text, end + 1) == Some('.') || word.len() > LONGEST_WORD {
        return false;
    }
    let last = end + 1 == text.len();
    if is_acronym(word, scan.rules) {
        return !last || !scan.rules.cut_stop;
    }
    if scan.rules.cut_stop || last && !scan.rules.keep_last_stop {
        return false;
    }
    let rules = scan.rules;
    let part = word.rsplit(".-").next().unwrap_or(word);
    let roman = rules.ordinal_dot && is_roman(part);
    let initial = || {
        rules.is_initial(part)
            || is_caseless_initial(text, part, end, rules)
            || begins_abbreviation(text, part, end, rules)
    };
    let listed = |word: &str| rules.abbreviation_of(word).is_some();
    !last && (roman || initial()) || listed(word) || part.len() < word.len() && listed(part)
}

/// Whether a word has inner stops, and its parts are of two letters at most or names of letters: `D.C`, `ఎన్.టి.ఆర్`.
fn is_acronym(word: &str, rules: &LanguageRules) -> bool {
    let is_letter = |part: &str| {
        part.chars().count() <= 2 || !part.is_ascii() && rules.abbreviation(part) == Some(Abbreviation::NeverEnds)
    };
    word.contains('.') && !word.contains(|c: char| c.is_ascii_digit()) && word.split('.').all(is_letter)
}

/// Whether a word before the stop at an offset is an initial in a script without case, where another one stands beside it. Alone it
/// may be the last word of a sentence.
fn is_caseless_initial(text: &str, word: &str, stop: usize, rules: &LanguageRules) -> bool {
    if !own_marks::is_initial(word) || rules.last_words.contains(word) {
        return false;
    }
    let behind = text.get(stop + 1..).unwrap_or_default().trim_start();
    let next = skip(behind, 0, is_letter);
    let is_next = || behind.get(..next).is_some_and(own_marks::is_initial) && char_at(behind, next) == Some('.');
    let before = text.get(..stop - word.len()).and_then(|before| before.trim_end_matches(' ').strip_suffix('.'));
    let previous = before.and_then(|before| before.get(skip_back(before, before.len(), LONGEST_WORD, is_letter)..));
    is_next() || previous.is_some_and(own_marks::is_initial)
}

/// Whether a small letter before the stop at an offset begins an abbreviation that is written with a blank: Spanish `a. C.`
fn begins_abbreviation(text: &str, word: &str, stop: usize, rules: &LanguageRules) -> bool {
    let mut behind = text.get(stop..).unwrap_or_default().chars();
    let spaced = word.chars().count() == 1 && behind.next() == Some('.') && behind.next() == Some(' ');
    let next = behind.next().filter(|_| spaced && behind.next() == Some('.'));
    next.is_some_and(|next| rules.abbreviation_of(&format!("{word}.{next}")).is_some())
}

/// Whether a word is an initial that ends with an apostrophe, and its stop stands behind it.
pub fn is_quoted_initial(scan: &TokenScan, word: Range<usize>) -> bool {
    let (text, rules) = (scan.text, scan.rules);
    let stop = || char_at(text, word.end) == Some('.') && word.end + 1 < text.len();
    let letters = || text.get(word.clone()).unwrap_or_default();
    char_before(text, word.end).is_some_and(is_apostrophe) && stop() && rules.is_initial(letters())
}

/// The offset behind the elided article of an abbreviation with a stop behind it: `l'art.`
pub fn article_before_stop(scan: &TokenScan, word: Range<usize>) -> Option<usize> {
    let letters = scan.text.get(word.clone()).filter(|letters| letters.len() <= LONGEST_WORD)?;
    let cut = first_clitic(letters, scan.rules)?;
    has_stop(scan, letters.get(cut..)?, word.end).then_some(word.start + cut)
}
