//! Features of the text of one block, counted in one walk over its characters.

use crate::page::blocks::{Block, is_space};
use crate::text::char_classes::is_uppercase;
use crate::text::words::is_unspaced;

/// Characters of an alphabet that carry as much as one of Han, kana, Thai …
const DENSE_WEIGHT: f32 = 2.5;

/// Counts over the text of a block, as numbers that features are made of.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TextFeatures {
    /// Characters; those of scripts without spaces count 2.5.
    pub length: f32,
    /// Words at white space; two and a half characters of scripts without spaces are one.
    pub words: f32,
    /// Commas of all scripts.
    pub commas: f32,
    /// Ends of sentences inside and at the end.
    pub stops: f32,
    /// Words that begin with a capital letter.
    pub capitals: f32,
    /// ASCII digits.
    pub digits: f32,
    /// `|`, `»`, `·`, `/` and the like, which separate items.
    pub separators: f32,
    /// How the text ends: 3 as a sentence, 2 with a colon, 1 with an ellipsis, 0 otherwise.
    pub ending: f32,
    /// Share of the characters that are in links; 0 to 1.
    pub links: f32,
}

/// Counts over characters.
#[derive(Default)]
struct CharacterCounts {
    words: u32,
    commas: u32,
    stops: u32,
    capitals: u32,
    digits: u32,
    separators: u32,
    dense: u32,
}

/// The features of a block's text.
pub fn text_features(block: &Block) -> TextFeatures {
    let n = CharacterCounts::of(&block.text);
    let (characters, dense) = (block.characters.max(1) as f32, n.dense as f32);
    let text = without_closing(&block.text);
    let words = n.words as f32;
    TextFeatures {
        length: block.characters as f32 + dense * (DENSE_WEIGHT - 1.0),
        words: words.max(words * 0.5 + dense / DENSE_WEIGHT),
        commas: n.commas as f32,
        // Those of dense scripts count wherever they are.
        stops: n.stops as f32 + f32::from(u8::from(text.ends_with(is_stop))),
        capitals: n.capitals as f32,
        digits: n.digits as f32,
        separators: n.separators as f32,
        ending: ending(text),
        links: (block.link_characters as f32 / characters).min(1.0),
    }
}

impl CharacterCounts {
    fn of(text: &str) -> CharacterCounts {
        let mut n = CharacterCounts::default();
        let (mut rest, mut last) = (text, ' ');
        while !rest.is_empty() {
            // Most text comes in long runs of ASCII.
            let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
            let (run, after) = rest.split_at_checked(ascii).unwrap_or((rest, ""));
            last = n.ascii(run.as_bytes(), last);
            let mut others = after.chars();
            if let Some(c) = others.next() {
                n.other(c, last);
                last = c;
            }
            rest = others.as_str();
        }
        n
    }

    /// Counts a run of ASCII by the classes of each byte and of the one before it, without branches.
    fn ascii(&mut self, run: &[u8], last: char) -> char {
        let is = |classes: u8, class: u8| u32::from(classes & class != 0);
        let mut before = (SPACE * u8::from(is_space(last))) | (STOP * u8::from(is_stop(last)));
        let [mut words, mut capitals, mut stops, mut digits, mut commas, mut separators] = [0; 6];
        for &byte in run {
            let classes = CLASSES.get(usize::from(byte)).copied().unwrap_or_default();
            let begins = before & !classes & SPACE;
            words += u32::from(begins);
            capitals += is(classes, CAPITAL) & u32::from(begins);
            stops += is(before, STOP) & is(classes, SPACE);
            digits += is(classes, DIGIT);
            commas += is(classes, COMMA);
            separators += is(classes, SEPARATOR);
            before = classes;
        }
        self.words += words;
        self.capitals += capitals;
        self.stops += stops;
        self.digits += digits;
        self.commas += commas;
        self.separators += separators;
        run.last().map_or(last, |&byte| char::from(byte))
    }

    fn other(&mut self, c: char, last: char) {
        if is_space(c) {
            self.stops += u32::from(is_stop(last));
            return;
        }
        if is_space(last) {
            self.words += 1;
            self.capitals += u32::from(is_uppercase(c));
        }
        match c {
            '、' | '，' | '،' | '；' | '؛' => self.commas += 1,
            '。' | '！' | '？' | '．' => self.stops += 1,
            '»' | '«' | '·' | '•' | '›' | '→' | '←' | '¦' => self.separators += 1,
            _ => {}
        }
        self.dense += u32::from(is_unspaced(c) || matches!(c, '\u{AC00}'..='\u{D7A3}'));
    }
}

// Classes of ASCII bytes, one bit each.
const SPACE: u8 = 1;
const STOP: u8 = 2;
const CAPITAL: u8 = 4;
const DIGIT: u8 = 8;
const COMMA: u8 = 16;
const SEPARATOR: u8 = 32;

/// The class of each byte of ASCII.
#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
static CLASSES: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => SPACE,
            b'.' | b'!' | b'?' => STOP,
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' => DIGIT,
            b',' | b';' => COMMA,
            b'|' | b'/' | b'>' | b'*' => SEPARATOR,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Whether a character ends sentences.
fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '؟' | '।' | '۔')
}

/// A text without quotes, brackets and white space at its end.
fn without_closing(text: &str) -> &str {
    let closing =
        |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '“' | '」' | '』' | '）') || is_space(c);
    text.trim_end_matches(closing)
}

/// How a text ends; see [`TextFeatures::ending`].
fn ending(text: &str) -> f32 {
    match text.chars().next_back() {
        Some('…') => 1.0,
        Some('.') if text.ends_with("...") => 1.0,
        Some('。' | '！' | '？' | '．') => 3.0,
        Some(c) if is_stop(c) => 3.0,
        Some(':' | '：') => 2.0,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> TextFeatures {
        text_features(&Block { text: text.into(), characters: text.chars().count() as u32, ..Block::default() })
    }

    #[test]
    fn sentences_words_and_signs_are_counted() {
        let s = of("Rain, at last. The owl | 12 stayed; \u{201c}Gone!\u{201d}");
        assert_eq!((s.words, s.commas, s.stops, s.capitals), (9.0, 2.0, 2.0, 2.0));
        assert_eq!((s.digits, s.separators, s.ending), (2.0, 1.0, 3.0));
    }

    proptest! {
        #[test]
        fn runs_count_what_characters_count(text in "([a-zA-Z0-9]{1,3}|[ .,;!?|/>*\t\u{1c}]|[éÉ山»、…]){0,30}") {
            let pairs = || [' '].into_iter().chain(text.chars()).zip(text.chars());
            let count = |is: fn((char, char)) -> bool| pairs().filter(|pair| is(*pair)).count() as f32;
            let counts = CharacterCounts::of(&text);
            let found = [counts.words, counts.capitals, counts.stops, counts.digits, counts.commas, counts.separators];
            let expected = [
                count(|(last, c)| is_space(last) && !is_space(c)),
                count(|(last, c)| is_space(last) && c.is_uppercase()),
                count(|(last, c)| is_stop(last) && is_space(c)),
                count(|(_, c)| c.is_ascii_digit()),
                count(|(_, c)| ",;、".contains(c)),
                count(|(_, c)| "|/>*»".contains(c)),
            ];
            prop_assert_eq!(found.map(|n| n as f32), expected);
        }
    }

    #[test]
    fn dense_scripts_weigh_more() {
        let s = of("今日は雨です。");
        assert_eq!((s.length, s.ending, s.stops), (7.0 + 6.0 * 1.5, 3.0, 1.0));
        assert!(s.words >= 2.4);
    }

    #[test]
    fn endings() {
        for (text, ending) in
            [("a.", 3.0), ("a. \")", 3.0), ("a...", 1.0), ("a…", 1.0), ("a:", 2.0), ("a", 0.0), ("", 0.0)]
        {
            assert_eq!(of(text).ending, ending, "{text}");
        }
    }
}
