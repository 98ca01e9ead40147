//! Features of the text of one block, counted in one walk over its characters.

use crate::clean::indicator;
use crate::page::blocks::{Block, is_space};
use crate::text::char_classes::is_uppercase;
use crate::text::segments::is_own_mark;
use crate::text::words::is_dense_script;

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
        stops: n.stops as f32 + indicator(text.ends_with(is_stop)),
        capitals: n.capitals as f32,
        digits: n.digits as f32,
        separators: n.separators as f32,
        ending: ending(text),
        links: (block.link_characters as f32 / characters).min(1.0),
    }
}

impl CharacterCounts {
    fn of(text: &str) -> CharacterCounts {
        let (mut n, mut sums, mut last) = (CharacterCounts::default(), LaneCounts::default(), ' ');
        let (bytes, mut at) = (text.as_bytes(), 0);
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let chunk = rest.get(..LANES).unwrap_or(rest);
            if chunk.is_ascii() {
                if sums.chunks == LaneCounts::MOST {
                    n.add(&std::mem::take(&mut sums));
                }
                sums.add(&padded(chunk), without_beyond_ascii(last));
                last = chunk.last().map_or(last, |&byte| char::from(byte));
                at += chunk.len();
                continue;
            }
            let end = at + chunk.len();
            for c in text.get(at..).unwrap_or_default().chars() {
                if c.is_ascii() {
                    n.ascii(c, last);
                } else {
                    n.other(c, last);
                }
                (at, last) = (at + c.len_utf8(), c);
                if at >= end {
                    break;
                }
            }
        }
        n.add(&sums);
        n
    }

    fn add(&mut self, sums: &LaneCounts) {
        let sum = |lanes: &[u8; LANES]| lanes.iter().map(|&n| u32::from(n)).sum::<u32>();
        self.words += sum(&sums.words);
        self.capitals += sum(&sums.capitals);
        self.stops += sum(&sums.stops);
        self.digits += sum(&sums.digits);
        self.commas += sum(&sums.commas);
        self.separators += sum(&sums.separators);
    }

    fn ascii(&mut self, c: char, last: char) {
        let classes = class_of(c as u8);
        let is = |class: u8| u32::from(classes & class != 0);
        let begins = u32::from(is_space(last)) & !is(SPACE);
        self.words += begins;
        self.capitals += is(CAPITAL) & begins;
        self.stops += u32::from(is_stop(last)) & is(SPACE);
        self.digits += is(DIGIT);
        self.commas += is(COMMA);
        self.separators += is(SEPARATOR);
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
        self.dense += u32::from(is_dense_script(c));
    }
}

/// Bytes that are counted at once.
const LANES: usize = 16;

/// Counts over bytes of ASCII, those at each place of a chunk for themselves, so that the compiler finds vectors.
#[derive(Default)]
struct LaneCounts {
    /// Number of chunks that were added.
    chunks: usize,
    words: [u8; LANES],
    stops: [u8; LANES],
    capitals: [u8; LANES],
    digits: [u8; LANES],
    commas: [u8; LANES],
    separators: [u8; LANES],
}

impl LaneCounts {
    /// Number of chunks that can be added.
    const MOST: usize = u8::MAX as usize;

    /// Adds a chunk; `last` is the byte before it.
    #[inline]
    fn add(&mut self, chunk: &[u8; LANES], last: u8) {
        let [head @ .., _] = chunk;
        let mut before = [last; LANES];
        before.iter_mut().skip(1).zip(head).for_each(|(place, byte)| *place = *byte);
        self.chunks += 1;
        for (at, (&byte, &before)) in chunk.iter().zip(&before).enumerate() {
            let begins = space(before) & !space(byte);
            add(&mut self.words, at, begins);
            add(&mut self.capitals, at, begins & u8::from(byte.wrapping_sub(b'A') < 26));
            add(&mut self.stops, at, stop(before) & space(byte));
            add(&mut self.digits, at, u8::from(byte.wrapping_sub(b'0') < 10));
            add(&mut self.commas, at, u8::from(byte == b',') | u8::from(byte == b';'));
            add(&mut self.separators, at, separator(byte));
        }
    }
}

#[inline]
fn add(sums: &mut [u8; LANES], at: usize, one: u8) {
    if let Some(sum) = sums.get_mut(at) {
        *sum += one;
    }
}

/// 1 for white space, else 0.
#[inline]
fn space(byte: u8) -> u8 {
    u8::from(byte == b' ') | u8::from(byte.wrapping_sub(b'\t') < 5) | u8::from(byte.wrapping_sub(0x1c) < 4)
}

/// 1 for the end of a sentence, else 0.
#[inline]
fn stop(byte: u8) -> u8 {
    u8::from(byte == b'.') | u8::from(byte == b'!') | u8::from(byte == b'?')
}

/// 1 for a separator, else 0.
#[inline]
fn separator(byte: u8) -> u8 {
    u8::from(byte == b'|') | u8::from(byte == b'/') | u8::from(byte == b'>') | u8::from(byte == b'*')
}

/// A chunk with bytes behind its end that count as nothing: they begin no word after white space, and are none after a
/// stop.
#[inline]
fn padded(bytes: &[u8]) -> [u8; LANES] {
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let ends_in_space = bytes.last().is_some_and(|&byte| space(byte) != 0);
        let mut chunk = [if ends_in_space { b' ' } else { 0 }; LANES];
        chunk.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        chunk
    })
}

/// The character, or a byte of ASCII that means the same to the one after it.
fn without_beyond_ascii(c: char) -> u8 {
    match c {
        _ if c.is_ascii() => c as u8,
        _ if is_space(c) => b' ',
        _ if is_stop(c) => b'.',
        _ => 0,
    }
}

// Classes of ASCII bytes, one bit each.
const SPACE: u8 = 1;
const CAPITAL: u8 = 2;
const DIGIT: u8 = 4;
const COMMA: u8 = 8;
const SEPARATOR: u8 = 16;

/// The class of each byte of ASCII.
#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
static CLASSES: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => SPACE,
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

fn class_of(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Whether a character ends sentences, and a blank stands behind it. Those of East Asia count wherever they are.
fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || !c.is_ascii() && (matches!(c, '։' | '།') || is_own_mark(c))
}

/// Whether a blank stands between two letters of Thai or Lao: sentences and clauses have no other end there.
pub fn has_blank_for_stop(text: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| matches!(c, '\u{E01}'..='\u{EDF}'));
    !text.is_ascii()
        && memchr::memchr_iter(b' ', text.as_bytes()).any(|at| {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
            is_letter(before.chars().next_back()) && is_letter(after.chars().next())
        })
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
    fn scripts_with_marks_of_their_own_have_sentences() {
        for text in ["မြန်မာ။ စာ။", "ខ្មែរ។ អក្សរ។", "አማርኛ። ቋንቋ።", "བོད་ཡིག། སྐད་ཡིག།", "հայերեն։ լեզու։", "हिन्दी। भाषा।"]
        {
            assert_eq!((of(text).stops, of(text).ending), (2.0, 3.0), "{text}");
        }
        assert!(has_blank_for_stop("ภาษาไทย เป็นภาษา") && has_blank_for_stop("ພາສາລາວ ເປັນພາສາ"));
        assert!(!has_blank_for_stop("ภาษาไทย 12") && !has_blank_for_stop("two words") && !has_blank_for_stop(" ภ "));
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
