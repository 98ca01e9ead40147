//! Tokens of a sentence: chunks between white space, each divided by the classes of its characters.

use std::ops::Range;

use super::Token;
use super::chars::{CharClass, char_at, char_before, class, class_at, skip};
use super::rules::LanguageRules;
use super::{dictionary, web, word_tokens};

/// Appends the tokens of one sentence.
pub fn tokens(paragraph: &str, sentence: Range<usize>, rules: &LanguageRules, out: &mut Vec<Token>) {
    let Some(text) = paragraph.get(..sentence.end) else { return };
    let mut at = sentence.start;
    let mut scan = TokenScan { text, rules, out, glued: false };
    while at < text.len() {
        let start = skip(text, at, |c| class(c) == CharClass::Space);
        scan.glued = start > 0 && char_before(text, start).is_some_and(|c| class(c) != CharClass::Space);
        at = scan.chunk(start);
    }
}

/// The state of a scan over one sentence.
pub struct TokenScan<'a, 'o> {
    /// The paragraph up to the end of the sentence.
    pub text: &'a str,
    pub rules: &'a LanguageRules,
    out: &'o mut Vec<Token>,
    /// Whether the next token has no white space before it.
    glued: bool,
}

impl TokenScan<'_, '_> {
    /// Appends a token; the next one is glued to it.
    pub fn push(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        self.out.push(Token { range, glued: self.glued });
        self.glued = true;
    }

    /// Tokenises the chunk that begins at `start` and returns the offset behind it.
    fn chunk(&mut self, start: usize) -> usize {
        let (end, contents) = chunk_contents(self.text, start);
        if contents == ChunkContents::default() {
            word_tokens::endings(self, start..end);
            return end;
        }
        let mut at = start;
        let mut searched = start;
        while at < end {
            let whole = if contents.web { web::token(self, at, start..end, &mut searched) } else { None };
            at = whole.unwrap_or_else(|| self.piece(at, end));
        }
        end
    }

    fn piece(&mut self, at: usize, end: usize) -> usize {
        match class_at(self.text, at) {
            CharClass::Letter => word_tokens::word(self, at, end),
            CharClass::Digit => word_tokens::number(self, at, end),
            CharClass::Unspaced => self.unspaced(at),
            CharClass::Space => end,
            _ => self.punctuation(at, end),
        }
    }

    fn unspaced(&mut self, at: usize) -> usize {
        let end = skip(self.text, at, |c| class(c) == CharClass::Unspaced);
        dictionary::segment(self.text, at..end, self.rules, |range| self.push(range));
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

/// Which kinds of characters a chunk has besides letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkContents {
    /// Whether the chunk has anything but letters.
    pub other: bool,
    /// Whether the chunk has a colon, at sign, ampersand, number sign, or what can begin an emoticon or emoji.
    pub web: bool,
}

/// The end of the chunk that begins at `start`, and what it contains.
fn chunk_contents(text: &str, start: usize) -> (usize, ChunkContents) {
    let mut contents = ChunkContents::default();
    let mut at = start;
    while let Some(c) = char_at(text, at) {
        match class(c) {
            CharClass::Space => break,
            CharClass::Letter => {}
            _ => {
                contents.other = true;
                contents.web |= matches!(c, ':' | ';' | '=' | '@' | '&' | '#' | '<' | '^' | '.') || c >= '\u{2190}';
            }
        }
        at += c.len_utf8();
    }
    (at, contents)
}
