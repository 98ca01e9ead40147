//! Tokens of a sentence: chunks between white space, each divided by the classes of its characters.
//!
//! The time is linear in the length of the sentence: a chunk is walked over once for its contents, and once more by the
//! tokens, each of which begins where the last one ended. What is looked at beyond the end of a token is bounded, or is
//! remembered (`searched` of [`web::token`]).

use std::ops::Range;

use super::Token;
use super::chars::{CharClass, char_at, char_before, class, class_at, skip, skip_space, skip_word};
use super::rules::LanguageRules;
use super::{apostrophes, clitics, dictionary, numbers, thai, web, word_tokens};
use crate::text::char_classes::is_tsheg;
use crate::text::invisible::is_invisible;

/// Appends the tokens of one sentence.
pub fn tokens(paragraph: &str, sentence: Range<usize>, rules: &LanguageRules, out: &mut Vec<Token>) {
    let Some(text) = paragraph.get(..sentence.end) else { return };
    let mut at = skip_space(text, sentence.start);
    let glued = char_before(text, at).is_some_and(|c| class(c) != CharClass::Space);
    let before = out.len();
    let mut scan = TokenScan { text, rules, out, before, glued };
    while at < text.len() {
        let end = scan.chunk(at);
        at = skip_space(text, end);
        scan.glued = false;
    }
}

/// The state of a scan over one sentence.
pub struct TokenScan<'a, 'o> {
    /// The paragraph up to the end of the sentence.
    pub text: &'a str,
    pub rules: &'a LanguageRules,
    out: &'o mut Vec<Token>,
    /// Number of tokens of the sentences before.
    before: usize,
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
        let letters = skip_word::<false>(self.text, start);
        if letters > start
            && let Some(end) = self.plain_word(start, letters)
        {
            return end;
        }
        let (end, contents) = chunk_contents(self.text, letters);
        if !contents.other {
            clitics::endings(self, start..end);
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

    /// Tokenises a chunk that is one of the most frequent: letters alone, letters and a comma, letters and the last
    /// stop of the sentence. Returns the offset behind it, and none for any other chunk.
    fn plain_word(&mut self, start: usize, letters: usize) -> Option<usize> {
        match self.text.as_bytes().get(letters..).unwrap_or_default() {
            [] | [b' ', ..] => {
                clitics::endings(self, start..letters);
                Some(letters)
            }
            [b','] | [b',', b' ', ..] => {
                clitics::clitics(self, start..letters);
                self.push(letters..letters + 1);
                Some(letters + 1)
            }
            // `www.` is taken for an address.
            [b'.'] if letters != start + 3 => {
                if word_tokens::finish(self, start..letters, letters + 1) == letters {
                    self.push(letters..letters + 1);
                }
                Some(letters + 1)
            }
            _ => None,
        }
    }

    fn piece(&mut self, at: usize, end: usize) -> usize {
        match class_at(self.text, at) {
            CharClass::Letter => word_tokens::word(self, at, end),
            CharClass::Digit => numbers::number(self, at, at, end),
            CharClass::Unspaced => self.unspaced(at, end),
            CharClass::Tibetan => self.syllable(at),
            CharClass::Apostrophe => {
                let word = word_tokens::after_apostrophe(self, at, end).or_else(|| self.short_year(at));
                word.unwrap_or_else(|| self.punctuation(at, end))
            }
            CharClass::Space => end,
            _ => self.punctuation(at, end),
        }
    }

    /// The words of a run of unspaced script, and the number that its last character heads.
    fn unspaced(&mut self, at: usize, chunk_end: usize) -> usize {
        if let Some(end) = thai::abbreviation_end(self.text, at).filter(|end| *end <= chunk_end) {
            self.push(at..end);
            return end;
        }
        let end = skip(self.text, at, |c| class(c) == CharClass::Unspaced);
        let head = char_before(self.text, end).filter(|c| self.rules.number_heads.contains(*c));
        let head = head.filter(|_| class_at(self.text, end) == CharClass::Digit).map_or(0, char::len_utf8);
        dictionary::segment(self.text, at..end - head, self.rules, |range| self.push(range));
        if head > 0 { numbers::number(self, end - head, end, chunk_end) } else { end }
    }

    /// A year without its century, if no quotation closes behind it: `'90`.
    fn short_year(&mut self, at: usize) -> Option<usize> {
        let from =
            at + char_at(self.text, at).filter(|c| self.rules.short_years && matches!(c, '\'' | '’'))?.len_utf8();
        let end = from + 2;
        let digits = self.text.get(from..end)?.bytes().all(|byte| byte.is_ascii_digit());
        let before =
            char_before(self.text, at).is_some_and(|c| matches!(class(c), CharClass::Letter | CharClass::Digit));
        // `'80's` and `'65-66` are none.
        let goes_on = matches!(
            class_at(self.text, end),
            CharClass::Letter | CharClass::Digit | CharClass::Apostrophe | CharClass::Hyphen
        );
        let alone = !before && !goes_on;
        if !digits || !alone || apostrophes::closes_behind(self.text, end) {
            return None;
        }
        self.push(at..end);
        Some(end)
    }

    /// Whether the token before an offset is a tag, `#word`.
    pub fn follows_tag(&self, at: usize) -> bool {
        let own = self.out.get(self.before..).and_then(<[Token]>::last);
        own.is_some_and(|token| {
            token.range.end == at && token.range.len() > 1 && char_at(self.text, token.range.start) == Some('#')
        })
    }

    /// A Tibetan syllable with the mark behind it.
    fn syllable(&mut self, at: usize) -> usize {
        let letters = skip(self.text, at, |c| class(c) == CharClass::Tibetan && !is_tsheg(c));
        let end = skip(self.text, letters, is_tsheg);
        self.push(at..end);
        end
    }

    /// Adds what asks for a picture to the token before it: `™️`, `1️⃣`. Alone it is none.
    fn picture(&mut self, at: usize) -> usize {
        let own = self.out.get_mut(self.before..).and_then(<[Token]>::last_mut);
        let Some(own) = own.filter(|token| token.range.end == at) else { return at + PICTURE.len_utf8() };
        own.range.end = skip(self.text, at, |c| matches!(c, PICTURE | KEYCAP));
        own.range.end
    }

    /// Appends a mark. A run of the same mark is one token, as is one of exclamation and question marks; brackets stand alone.
    fn punctuation(&mut self, at: usize, end: usize) -> usize {
        let Some(c) = char_at(self.text, at) else { return end };
        let after = match c {
            '!' | '?' => skip(self.text, at, |d| matches!(d, '!' | '?')),
            '.' | '…' => skip(self.text, at, |d| matches!(d, '.' | '…')),
            '\'' | '`' | '<' | '>' => {
                // Two are one token, more are one each. All are ASCII.
                let run = self.text.bytes().skip(at).take(3).take_while(|d| char::from(*d) == c).count();
                if run == 2 { at + 2 } else { at + 1 }
            }
            '"' | '”' | '“' | '„' | '«' | '»' | '(' | ')' | '[' | ']' | '{' | '}' | ',' | ':' | ';' => {
                at + c.len_utf8()
            }
            '（' | '）' | '「' | '」' | '『' | '』' | '《' | '》' | '、' | '，' => at + c.len_utf8(),
            '។' if self.text.get(at..).is_some_and(|rest| rest.starts_with(AND_SO_ON)) => at + AND_SO_ON.len(),
            PICTURE => return self.picture(at),
            // What nobody sees is no token.
            _ if is_invisible(c) => return at + c.len_utf8(),
            _ => skip(self.text, at, |d| d == c),
        };
        self.push(at..after);
        after
    }
}

/// "And so on" in Khmer.
const AND_SO_ON: &str = "។ល។";
/// Asks for the picture of the character before it.
const PICTURE: char = '\u{FE0F}';
/// Draws a key around the character before it.
const KEYCAP: char = '\u{20E3}';

/// Which kinds of characters a chunk has besides letters.
#[derive(Default)]
struct ChunkContents {
    /// Whether the chunk has anything but letters.
    other: bool,
    /// Whether the chunk has a colon, at sign, ampersand, number sign, or what can begin an emoticon or emoji.
    web: bool,
}

/// The end of the chunk that `at` is in, and what it contains from there on.
fn chunk_contents(text: &str, mut at: usize) -> (usize, ChunkContents) {
    let mut contents = ChunkContents::default();
    while let Some(c) = char_at(text, at) {
        match class(c) {
            CharClass::Space => break,
            CharClass::Letter => {
                at = skip_word::<false>(text, at);
                continue;
            }
            _ => {
                contents.other = true;
                contents.web |= matches!(c, ':' | ';' | '=' | '@' | '&' | '#' | '<' | '^' | '.') || c >= '\u{2190}';
            }
        }
        at += c.len_utf8();
    }
    (at, contents)
}
