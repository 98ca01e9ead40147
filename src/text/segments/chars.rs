//! Classes of characters, and steps over them.

use crate::text::char_classes::{is_letter_or_mark, is_tsheg};
use crate::text::swar;

/// What kind of token a character can be part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CharClass {
    Space,
    /// Letters, with the marks that stand on them and the joiners between them.
    Letter,
    Digit,
    Apostrophe,
    Hyphen,
    Stop,
    /// Punctuation and symbols.
    Other,
    /// Characters of scripts that are written without spaces: words need a dictionary.
    Unspaced,
    /// Tibetan letters, and the mark that parts their syllables.
    Tibetan,
}

use CharClass::{Apostrophe, Digit, Hyphen, Letter, Other, Space, Stop, Tibetan, Unspaced};

/// The class of a character.
#[inline]
pub fn class(c: char) -> CharClass {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => ascii_class(byte),
        _ => wide_class(c),
    }
}

/// Whether a character is a letter, or a mark or joiner of one.
pub fn is_letter(c: char) -> bool {
    class(c) == Letter
}

/// The class of an ASCII character. Without a guard in the arms, which the compiler makes a table of.
#[inline]
fn ascii_class(byte: u8) -> CharClass {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Letter,
        b'0'..=b'9' => Digit,
        b' ' | b'\t'..=b'\r' => Space,
        b'\'' | b'`' => Apostrophe,
        b'-' => Hyphen,
        b'.' => Stop,
        _ => Other,
    }
}

fn wide_class(c: char) -> CharClass {
    match c as u32 {
        0xA0 => Space,
        0xC0..=0x24F if !matches!(c, '×' | '÷') => Letter,
        // With those of Ancient Greek.
        0x2019 | 0x2018 | 0x2032 | 0xB4 | 0x1FBD | 0x1FBF => Apostrophe,
        // Armenian apostrophe, Hebrew geresh, Mongolian vowel separator.
        0x55A | 0x5F3 | 0x180E => Letter,
        // A Bengali numerator that is written for a danda, and signs of currencies.
        0x9F7 | 0x9F2 | 0x9F3 | 0x9FB | 0xAF1 | 0xBF9 => Other,
        0xF00..=0xFFF if is_tsheg(c) || is_letter_or_mark(c) => Tibetan,
        0x300..=0x36F | 0x483..=0x489 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20F0 | 0xFE20..=0xFE2F => Letter,
        0x400..=0x52F | 0xAD | 0x200C | 0x200D | 0x2060 | 0xFE00..=0xFE0E => Letter,
        0x591..=0x5BD | 0x5BF | 0x5C1 | 0x5C2 | 0x5C4 | 0x5C5 | 0x610..=0x61A | 0x640 => Letter,
        0x620..=0x64A | 0x671..=0x6D3 => Letter,
        0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC | 0x6DF..=0x6ED => Letter,
        0x900..=0xDFF if !c.is_numeric() && !matches!(c, '\u{964}' | '\u{965}' | '\u{970}' | '\u{df4}') => Letter,
        0x2010 | 0x2011 => Hyphen,
        0xE3F | 0x30FB | 0x30A0 | 0x104A | 0x104B | 0x17D4..=0x17D6 | 0x17D8..=0x17DB => Other,
        0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x19E0..=0x19FF if !c.is_numeric() => Unspaced,
        0x3005..=0x3007 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF => Unspaced,
        0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF => Unspaced,
        // Chooses one of the pictures of an ideograph.
        0xE0100..=0xE01EF => Unspaced,
        // Asks for the picture of a character, as a keycap does.
        0xFE0F => Other,
        _ if is_letter_or_mark(c) => Letter,
        _ if c.is_numeric() => Digit,
        _ if c.is_whitespace() => Space,
        _ => Other,
    }
}

/// Whether a character is an apostrophe, or one of the letters that look like one.
pub fn is_apostrophe(c: char) -> bool {
    class(c) == Apostrophe || matches!(c, '\u{2BB}' | '\u{2BC}' | '\u{55A}')
}

/// The character that starts at a byte offset; none at the end or inside a character.
#[inline]
pub fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        Some(_) => text.get(at..)?.chars().next(),
        None => None,
    }
}

/// The character that ends at a byte offset; none at the start or inside a character.
#[inline]
pub fn char_before(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at.checked_sub(1)?) {
        Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
        _ => text.get(..at)?.chars().next_back(),
    }
}

/// The class of the character that starts at a byte offset; white space at the end.
pub fn class_at(text: &str, at: usize) -> CharClass {
    char_at(text, at).map_or(Space, class)
}

/// The byte offset behind the run of characters from `at` on that fulfil a condition.
#[inline]
pub fn skip(text: &str, mut at: usize, keep: impl Fn(char) -> bool) -> usize {
    while let Some(c) = char_at(text, at).filter(|c| keep(*c)) {
        at += c.len_utf8();
    }
    at
}

/// The byte offset behind the run of letters, and of digits if `DIGITS`, from `at` on.
pub fn skip_word<const DIGITS: bool>(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        let eight = swar::load(bytes, at);
        let mut inside = swar::letters(eight) | swar::within(eight, b'_', b'_');
        if DIGITS {
            inside |= swar::within(eight, b'0', b'9');
        }
        let count = swar::before(swar::others(inside));
        at += count;
        if count == 8 {
            continue;
        }
        if bytes.get(at).is_none_or(u8::is_ascii) {
            return at;
        }
        let wide = skip(text, at, |c| !c.is_ascii() && matches!((class(c), DIGITS), (Letter, _) | (Digit, true)));
        if wide == at {
            return at;
        }
        at = wide;
    }
}

/// The byte offset behind the white space from `at` on.
#[inline]
pub fn skip_space(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at..) {
        // Nearly all white space is one blank.
        Some([b' ', next, ..]) if next.is_ascii_graphic() => at + 1,
        _ => skip(text, at, |c| class(c) == Space),
    }
}

/// The byte offset before the run of characters up to `at` that fulfil a condition; stops once it is `most` bytes back.
pub fn skip_back(text: &str, at: usize, most: usize, keep: impl Fn(char) -> bool) -> usize {
    let mut start = at;
    while at - start < most
        && let Some(c) = char_before(text, start).filter(|c| keep(*c))
    {
        start -= c.len_utf8();
    }
    start
}

/// A range without the white space at its ends; none if nothing is left.
pub fn trimmed(text: &str, range: std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let part = text.get(range.clone())?;
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    (start < end).then_some(start..end)
}
