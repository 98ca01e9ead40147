//! Marks without a space behind them: `konec.Začátek`, `why?because`. The writer left out the space, or the mark is part
//! of an address, a file name or an identifier.
//!
//! A few words to either side decide, and the chunk between white space as far as [`LONGEST_CHUNK`].

use std::ops::Range;

use super::chars::{char_at, char_before, skip, skip_back};
use super::own_marks;
use super::rules::{Abbreviation, LanguageRules};
use crate::text::beginning;
use crate::text::char_classes::{is_alphabetic, is_alphanumeric, is_hangul};

/// Longest word examined, in bytes; no word of a language with spaces is longer.
const LONGEST_WORD: usize = 48;
/// How far a chunk is examined to either side of the mark, in bytes.
const LONGEST_CHUNK: usize = 256;
/// Least letters of a word that is certain to be one.
const SHORTEST_WORD: usize = 3;

/// A run of marks, with the word at either side.
pub struct Glued<'a> {
    text: &'a str,
    run: Range<usize>,
    left: &'a str,
    right: Range<usize>,
}

impl<'a> Glued<'a> {
    /// The run of marks at `run`; `next` is where the next word begins.
    pub fn at(text: &'a str, run: Range<usize>, next: usize) -> Glued<'a> {
        let left = text.get(skip_back(text, run.start, LONGEST_WORD, is_alphabetic)..run.start).unwrap_or_default();
        let near = beginning(text, next + LONGEST_WORD);
        Glued { text, run, left, right: next..skip(near, next, is_alphabetic) }
    }

    /// Whether the run ends the sentence. `strong`: it has a mark with no use but to end one; `closed`: a quotation or
    /// bracket closes behind it.
    pub fn ends(&self, strong: bool, closed: bool, rules: &LanguageRules) -> bool {
        let right = self.text.get(self.right.clone()).unwrap_or_default();
        let mut letters = right.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        let cased = letters.next().map_or_else(|| self.ends_chunk(), char::is_lowercase);
        if self.is_caseless_stop() {
            return rules.abbreviation(self.left) != Some(Abbreviation::NeverEnds);
        }
        if !capital {
            return strong && rules.split_before_lower && self.parts_words(right);
        }
        let marks = self.run.len() > 1;
        let small = is_longer(self.left, 1) && self.left.chars().all(char::is_lowercase);
        let word =
            small || marks && is_longer(self.left, SHORTEST_WORD - 1) || self.is_name_before_starter(right, rules);
        (word || strong || closed)
            && cased
            && !self.is_address()
            && !self.is_path(right, rules)
            && !(small && !closed && self.is_name(right, rules))
    }

    /// Whether a capitalised word stands before the mark, and behind it a word with which sentences begin: `Outdoor.The next`.
    fn is_name_before_starter(&self, right: &str, rules: &LanguageRules) -> bool {
        let is_name = is_longer(self.left, SHORTEST_WORD) && self.left.chars().skip(1).all(char::is_lowercase);
        is_name && self.ends_chunk() && rules.starters.contains(rules.lower_case(right).as_str())
    }

    /// Whether the mark is a full stop between two words of some length in a script without case.
    fn is_caseless_stop(&self) -> bool {
        let is_word = |range: Range<usize>| {
            let word = self.text.get(range).unwrap_or_default();
            // A syllable of Korean is a character.
            let syllables = usize::from(word.starts_with(is_hangul));
            word.starts_with(own_marks::is_caseless) && is_longer(word, SHORTEST_WORD - 1 - syllables)
        };
        let left = self.run.start - self.left.len()..self.run.start;
        self.text.get(self.run.clone()) == Some(".") && is_word(left) && is_word(self.right.clone())
    }

    /// Whether a lower-case word of some length stands at both sides, and nothing else in the chunk.
    fn parts_words(&self, right: &str) -> bool {
        let is_word = |word: &str| is_longer(word, SHORTEST_WORD - 1) && word.chars().all(char::is_lowercase);
        let before = skip_back(self.text, self.run.start, LONGEST_CHUNK, |c| !c.is_whitespace());
        let alone = self.run.start - before == self.left.len() && self.ends_chunk();
        self.right.start == self.run.end && alone && is_word(self.left) && is_word(right)
    }

    /// Whether white space, or a comma before it, follows the word behind the mark.
    fn ends_chunk(&self) -> bool {
        let end = self.right.end + usize::from(char_at(self.text, self.right.end) == Some(','));
        char_at(self.text, end).is_none_or(char::is_whitespace)
    }

    /// Whether the chunk before the mark is a path of identifiers, and no word with which sentences begin follows:
    /// `django.db.models.Model`.
    fn is_path(&self, right: &str, rules: &LanguageRules) -> bool {
        let start =
            skip_back(self.text, self.run.start, LONGEST_CHUNK, |c| is_alphanumeric(c) || matches!(c, '.' | '_'));
        let chunk = self.text.get(start..self.run.start).unwrap_or_default();
        let is_part = |part: &str| !part.is_empty() && part.starts_with(char::is_lowercase);
        let begins = char_before(self.text, start).is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '`'));
        let is_starter = || rules.starters.contains(rules.lower_case(right).as_str());
        begins && chunk.contains(['.', '_']) && chunk.split(['.', '_']).all(is_part) && !is_starter()
    }

    /// Whether the text before the mark looks like a web or mail address.
    fn is_address(&self) -> bool {
        let start = skip_back(self.text, self.run.start, LONGEST_CHUNK, |c| !c.is_whitespace());
        let before = self.text.get(start..self.run.start).unwrap_or_default();
        before.contains("://") || before.contains('@') || before.starts_with("www.")
    }

    /// Whether the words around a single full stop look like the name of a host, a file or a program's identifier:
    /// `world.Com`, `node.Js`, `list.Add(x)`, `java.Util.List`.
    fn is_name(&self, right: &str, rules: &LanguageRules) -> bool {
        let lower = rules.lower_case(right);
        let single = self.text.get(self.run.clone()) == Some(".") && self.right.start == self.run.end;
        if !single || rules.starters.contains(lower.as_str()) {
            return false;
        }
        let mut behind = self.text.get(self.right.end..).unwrap_or_default().chars();
        let inside = match behind.next() {
            Some('(' | '_' | '/' | '=' | '\\') => true,
            Some('.') => behind.next().is_some_and(char::is_alphanumeric),
            Some(c) => c.is_numeric(),
            None => false,
        };
        inside || is_suffix(&lower)
    }
}

/// Whether a word has more letters than this.
fn is_longer(word: &str, letters: usize) -> bool {
    word.chars().nth(letters).is_some()
}

/// Whether a word in lower case is a common top-level domain or file extension. Most of the others are words as well.
fn is_suffix(word: &str) -> bool {
    let domain = matches!(word, "com" | "net" | "org" | "edu" | "gov" | "info" | "biz");
    domain || matches!(word, "js" | "py" | "php" | "asp" | "aspx" | "htm" | "html" | "xml" | "pdf" | "exe" | "txt")
}
