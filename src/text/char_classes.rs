//! Table-driven `char` properties, equal to those of the standard library and of ICU, whose own look-ups take 10 % of a
//! job's time on text that is not ASCII: a table below U+3000, ranges for the letters of kana, Han and Hangul.

use std::sync::LazyLock;

use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, SentenceTerminal};
use icu_properties::{CodePointMapData, CodePointSetData};

/// End of the table: kana and Han begin here.
const TABLED: usize = 0x3000;

const ALPHABETIC: u8 = 1;
const ALPHANUMERIC: u8 = 2;
const UPPERCASE: u8 = 4;
/// Lower case differs from the character itself.
const HAS_LOWERCASE: u8 = 8;
/// General category Mark.
const MARK: u8 = 16;
const SENTENCE_TERMINAL: u8 = 32;

static PROPERTIES: LazyLock<Box<[u8]>> = LazyLock::new(|| (0..TABLED as u32).map(properties).collect());

/// The properties of a character, as bits.
fn properties(code: u32) -> u8 {
    let Some(c) = char::from_u32(code) else { return 0 };
    let bit = |is: bool, bit: u8| if is { bit } else { 0 };
    let is_alphabetic = c.is_alphabetic();
    bit(is_alphabetic, ALPHABETIC)
        | bit(is_alphabetic || c.is_numeric(), ALPHANUMERIC)
        | bit(c.is_uppercase(), UPPERCASE)
        | bit(!c.to_lowercase().eq([c]), HAS_LOWERCASE)
        | bit(is_mark_by_icu(c), MARK)
        | bit(is_terminal_by_icu(c), SENTENCE_TERMINAL)
}

#[inline]
fn has(c: char, bit: u8, otherwise: fn(char) -> bool) -> bool {
    match PROPERTIES.get(c as usize) {
        Some(properties) => properties & bit != 0,
        None if is_caseless_letter(c) => bit & (ALPHABETIC | ALPHANUMERIC) != 0,
        None => otherwise(c),
    }
}

/// Whether a character is one of the letters of kana, Han and Hangul that fill whole ranges.
#[inline]
fn is_caseless_letter(c: char) -> bool {
    matches!(c as u32, 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Equal to [`char::is_alphabetic`].
#[inline]
pub fn is_alphabetic(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { has(c, ALPHABETIC, char::is_alphabetic) }
}

/// Equal to [`char::is_alphanumeric`].
#[inline]
pub fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { has(c, ALPHANUMERIC, char::is_alphanumeric) }
}

/// Equal to [`char::is_uppercase`].
#[inline]
pub fn is_uppercase(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_uppercase() } else { has(c, UPPERCASE, char::is_uppercase) }
}

fn is_mark_by_icu(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

fn is_terminal_by_icu(c: char) -> bool {
    CodePointSetData::new::<SentenceTerminal>().contains(c)
}

/// Whether a character is one of Chinese or Japanese, which have no blanks: an ideograph, kana, or a mark as wide as these.
pub fn is_chinese_or_japanese(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
        || matches!(c, '\u{FF01}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}') && !is_wide_latin(c)
}

/// Whether a character is a syllable of Hangul, the script of Korean.
#[inline]
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

/// Whether a letter is Georgian: by Unicode it is small, but neither sentences nor names begin with a capital.
#[inline]
pub fn is_georgian(c: char) -> bool {
    matches!(c, '\u{10D0}'..='\u{10FF}')
}

/// Whether a character is the mark between Tibetan syllables, which has two forms.
#[inline]
pub fn is_tsheg(c: char) -> bool {
    matches!(c, '\u{F0B}' | '\u{F0C}')
}

/// Whether a character is a digit or letter of Latin script in the width of an ideograph.
fn is_wide_latin(c: char) -> bool {
    matches!(c, '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}')
}

/// Whether a character is a combining mark: general category Mn, Mc or Me.
#[inline]
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && has(c, MARK, is_mark_by_icu)
}

/// Whether a character is a letter or a combining mark.
#[inline]
pub fn is_letter_or_mark(c: char) -> bool {
    let otherwise = |c: char| c.is_alphabetic() || is_mark_by_icu(c);
    if c.is_ascii() { c.is_ascii_alphabetic() } else { has(c, ALPHABETIC | MARK, otherwise) }
}

/// Whether a character has the property Sentence_Terminal of Unicode: marks that end sentences, in any script.
#[inline]
pub fn is_sentence_terminal(c: char) -> bool {
    has(c, SENTENCE_TERMINAL, is_terminal_by_icu)
}

/// Appends [`char::to_lowercase`] to a string.
#[inline]
pub fn push_lowercase(c: char, to: &mut String) {
    if c.is_ascii() {
        to.push(c.to_ascii_lowercase());
    } else if has(c, HAS_LOWERCASE, |_| true) {
        to.extend(c.to_lowercase());
    } else {
        to.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_libraries_say() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_uppercase(c), c.is_uppercase(), "{c:?}");
            assert_eq!(is_mark(c), is_mark_by_icu(c), "{c:?}");
            assert_eq!(is_letter_or_mark(c), c.is_alphabetic() || is_mark_by_icu(c), "{c:?}");
            assert_eq!(is_sentence_terminal(c), is_terminal_by_icu(c), "{c:?}");
            let mut lower = String::new();
            push_lowercase(c, &mut lower);
            assert!(lower.chars().eq(c.to_lowercase()), "{c:?}");
        }
    }
}
