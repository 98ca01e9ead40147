//! Text → words, shingles, sentences and tokens. Values in, values out.
//!
//! There are two notions of a word, on purpose. [`words`] are what deduplication counts: cheap to find, the same for
//! every language, without case and punctuation; shingles are made of them or of the smaller [`units`]. [`segments`]
//! finds the sentences and tokens that a corpus shows.
//!
//! This layer knows neither pages nor the configuration.

use std::borrow::Cow;

pub mod swar;

pub mod char_classes;

pub mod invisible;
pub mod lower_case;
pub mod mojibake;
pub mod segments;

pub mod words;

pub mod units;

/// The text with a space for each character that is not printed but obeyed: control characters, which could move the
/// cursor of a terminal or end a line, line and paragraph separators, and what changes the direction of the text after it
/// (UAX #9, explicit directional formatting). For whatever strangers wrote and a person reads on a terminal. Offsets in
/// characters stay valid.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(is_obeyed) { text.replace(is_obeyed, " ").into() } else { text.into() }
}

/// A text with blanks for line feeds, in as many bytes.
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { text.replace('\n', " ").into() } else { text.into() }
}

/// The first `most` characters of the text as [`printable`] gives them, with an ellipsis if there are more.
pub fn shortened(text: &str, most: usize) -> String {
    let mut shown = printable(text).into_owned();
    if let Some((end, _)) = shown.char_indices().nth(most) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// The beginning of a text, of at most so many bytes.
#[inline]
pub fn beginning(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// The end of a text, of at most so many bytes.
#[inline]
pub fn ending(text: &str, most: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(most))..).unwrap_or(text)
}

/// A number of things: `1 page`, `2 pages`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Whether [`printable`] replaces the character.
pub fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{beginning, counted, printable};

    #[test]
    fn a_beginning_ends_at_a_character() {
        assert_eq!([0, 1, 2, 3, 9].map(|most| beginning("aé", most)), ["", "a", "a", "aé", "aé"]);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "page")), ["0 pages", "1 page", "2 pages"]);
    }

    #[test]
    fn what_a_terminal_obeys_becomes_a_space() {
        assert_eq!(printable("a\u{1b}[2J\u{9b}b\nc\u{202e}d\u{2066}e\u{2028}f\0\u{7f}"), "a [2J b c d e f  ");
        let fine = "Grüße, שלום\u{200f}, ไทย 👩\u{200d}👩";
        assert_eq!(printable(fine), fine);
    }
}
