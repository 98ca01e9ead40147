//! What can be counted on the text of one block, in one walk over its characters.

use crate::page::blocks::{Block, is_space};
use crate::text::letters::is_uppercase;
use crate::text::words::is_unspaced;

/// Characters of an alphabet that say as much as one of Han, kana, Thai …
const DENSE: f32 = 2.5;

/// Counts over a text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Surface {
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
    /// `|`, `»`, `·`, `/` and the like, which stand between things.
    pub separators: f32,
    /// How it ends: 3 as a sentence, 2 with a colon, 1 with an ellipsis, 0 otherwise.
    pub ending: f32,
    /// Share of the characters that stand in links; 0 to 1.
    pub links: f32,
}

#[derive(Default)]
struct Counts {
    words: u32,
    commas: u32,
    stops: u32,
    capitals: u32,
    digits: u32,
    separators: u32,
    dense: u32,
}

/// Counts.
pub fn surface(block: &Block) -> Surface {
    let mut n = Counts::default();
    let mut last = ' ';
    for c in block.text.chars() {
        if c.is_ascii() {
            n.ascii(c, last)
        } else {
            n.other(c, last)
        }
        last = c;
    }
    let (characters, dense) = (block.characters.max(1) as f32, n.dense as f32);
    let text = without_closing(&block.text);
    let words = n.words as f32;
    Surface {
        length: block.characters as f32 + dense * (DENSE - 1.0),
        words: words.max(words * 0.5 + dense / DENSE),
        commas: n.commas as f32,
        // Those of dense scripts are counted wherever they stand.
        stops: n.stops as f32 + f32::from(u8::from(text.ends_with(is_stop))),
        capitals: n.capitals as f32,
        digits: n.digits as f32,
        separators: n.separators as f32,
        ending: ending(text),
        links: (block.link_characters as f32 / characters).min(1.0),
    }
}

impl Counts {
    fn ascii(&mut self, c: char, last: char) {
        match c {
            'a'..='z' => self.words += u32::from(is_space(last)),
            ' ' | '\t' | '\n' => self.stops += u32::from(is_stop(last)),
            _ => {
                self.words += u32::from(is_space(last));
                match c {
                    'A'..='Z' => self.capitals += u32::from(is_space(last)),
                    '0'..='9' => self.digits += 1,
                    ',' | ';' => self.commas += 1,
                    '|' | '/' | '>' | '*' => self.separators += 1,
                    _ => {}
                }
            }
        }
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

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '؟' | '।' | '۔')
}

fn without_closing(text: &str) -> &str {
    let closing =
        |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '“' | '」' | '』' | '）') || is_space(c);
    text.trim_end_matches(closing)
}

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
    use super::*;

    fn of(text: &str) -> Surface {
        surface(&Block { text: text.into(), characters: text.chars().count() as u32, ..Block::default() })
    }

    #[test]
    fn sentences_words_and_signs_are_counted() {
        let s = of("Rain, at last. The owl | 12 stayed; \u{201c}Gone!\u{201d}");
        assert_eq!((s.words, s.commas, s.stops, s.capitals), (9.0, 2.0, 2.0, 2.0));
        assert_eq!((s.digits, s.separators, s.ending), (2.0, 1.0, 3.0));
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
