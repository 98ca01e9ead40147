//! The tokens of a sentence: chunks between white space, each cut by the classes of its characters.

use std::ops::Range;

use super::Token;
use super::chars::{Class, char_at, char_before, class, class_at, skip};
use super::rules::Rules;
use super::{dictionary, web, words};

/// Adds the tokens of one sentence.
pub fn tokens(paragraph: &str, sentence: Range<usize>, rules: &Rules, out: &mut Vec<Token>) {
    let Some(text) = paragraph.get(..sentence.end) else { return };
    let mut at = sentence.start;
    let mut scan = Scan { text, rules, out, glued: false };
    while at < text.len() {
        let start = skip(text, at, |c| class(c) == Class::Space);
        scan.glued = start > 0 && char_before(text, start).is_some_and(|c| class(c) != Class::Space);
        at = scan.chunk(start);
    }
}

/// Tokens pushed so far, and what is needed to cut the next.
pub struct Scan<'a, 'o> {
    /// The paragraph up to the end of the sentence.
    pub text: &'a str,
    pub rules: &'a Rules,
    out: &'o mut Vec<Token>,
    glued: bool,
}

impl Scan<'_, '_> {
    /// Adds a token; the next one is glued to it.
    pub fn push(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        self.out.push(Token { range, glued: self.glued });
        self.glued = true;
    }

    /// Cuts what stands between white space. Gives the offset behind it.
    fn chunk(&mut self, start: usize) -> usize {
        let (end, marks) = extent(self.text, start);
        if marks == Marks::default() {
            words::endings(self, start..end);
            return end;
        }
        let mut at = start;
        let mut looked = start;
        while at < end {
            let whole = if marks.web { web::token(self, at, start..end, &mut looked) } else { None };
            at = whole.unwrap_or_else(|| self.piece(at, end));
        }
        end
    }

    fn piece(&mut self, at: usize, end: usize) -> usize {
        match class_at(self.text, at) {
            Class::Letter => words::word(self, at, end),
            Class::Digit => words::number(self, at, end),
            Class::Unspaced => self.unspaced(at),
            Class::Space => end,
            _ => self.punctuation(at, end),
        }
    }

    fn unspaced(&mut self, at: usize) -> usize {
        let end = skip(self.text, at, |c| class(c) == Class::Unspaced);
        dictionary::cut(self.text, at..end, self.rules, |range| self.push(range));
        end
    }

    /// A run of the same mark is one token, as is one of exclamation and question marks; brackets stand alone.
    fn punctuation(&mut self, at: usize, end: usize) -> usize {
        let Some(c) = char_at(self.text, at) else { return end };
        let after = match c {
            '!' | '?' => skip(self.text, at, |d| matches!(d, '!' | '?')),
            '.' | '…' => skip(self.text, at, |d| matches!(d, '.' | '…')),
            '\'' | '`' | '<' | '>' => {
                let run = skip(self.text, at, |d| d == c);
                if run == at + 2 { run } else { at + 1 }
            }
            '"' | '”' | '“' | '„' | '«' | '»' | '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' | ';' => {
                at + c.len_utf8()
            }
            '（' | '）' | '「' | '」' | '『' | '』' | '《' | '》' | '、' | '，' => at + c.len_utf8(),
            _ => skip(self.text, at, |d| d == c),
        };
        self.push(at..after);
        after
    }
}

/// Which characters that need a closer look a chunk has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// Anything but letters.
    pub other: bool,
    /// A colon, at sign, ampersand, number sign, or what can begin an emoticon or emoji.
    pub web: bool,
}

/// The end of a chunk, and its marks.
fn extent(text: &str, start: usize) -> (usize, Marks) {
    let mut marks = Marks::default();
    let mut at = start;
    while let Some(c) = char_at(text, at) {
        match class(c) {
            Class::Space => break,
            Class::Letter => {}
            _ => {
                marks.other = true;
                marks.web |= matches!(c, ':' | ';' | '=' | '@' | '&' | '#' | '<' | '^' | '.') || c >= '\u{2190}';
            }
        }
        at += c.len_utf8();
    }
    (at, marks)
}
