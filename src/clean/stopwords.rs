//! Words of a block as stop lists have them, and the share of them that a list has.

use super::stoplist::{Stoplist, hash_step, word_hash};
use crate::hash::mix;
use crate::page::blocks::{Block, is_space};
use crate::text::char_classes::push_lowercase;
use crate::text::swar;

/// Shares of a block's words that are stop words, 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StopwordShares {
    /// By the list of the page's language; 0 without one.
    pub language: f64,
    /// By the lists of all languages together.
    pub any_language: f64,
}

impl StopwordShares {
    /// The shares of each block.
    pub fn of(blocks: &[Block], list: Option<&Stoplist>) -> Vec<StopwordShares> {
        let all = Stoplist::all();
        let mut words = WordHashes::default();
        let shares = |block: &Block| {
            let words = words.read(&block.text);
            let any_language = words.share_in(all);
            let in_list = |list: &Stoplist| if std::ptr::eq(list, all) { any_language } else { words.share_in(list) };
            StopwordShares { language: list.map_or(0.0, in_list), any_language }
        };
        blocks.iter().map(shares).collect()
    }
}

/// The share of each block's words that a list has, 0 to 1.
#[cfg(any(test, feature = "internals"))]
pub fn stopword_shares(blocks: &[Block], list: &Stoplist) -> Vec<f32> {
    let mut words = WordHashes::default();
    blocks.iter().map(|block| words.read(&block.text).share_in(list) as f32).collect()
}

/// Hashes of the words of a text as stop lists have them: split at white space, with their punctuation, in lower case.
/// All are hashed before the first is looked up, so that many look-ups overlap.
#[derive(Debug, Default)]
pub struct WordHashes {
    hashes: Vec<u64>,
    lower: String,
}

impl WordHashes {
    /// Replaces the hashes by those of a text's words.
    pub fn read(&mut self, text: &str) -> &WordHashes {
        self.hashes.clear();
        let mut at = 0;
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            if byte == b' ' {
                at += 1;
                continue;
            }
            let (length, hash) = ascii_word(bytes, at).unwrap_or_else(|| {
                let word = first_word(text.get(at..).unwrap_or_default());
                (word.len(), word_hash(lower_case(word, &mut self.lower).as_bytes()))
            });
            at += length;
            if length > 0 {
                self.hashes.push(hash);
            } else {
                at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            }
        }
        self
    }

    /// Share of the words that are in the list, 0 to 1.
    pub fn share_in(&self, list: &Stoplist) -> f64 {
        let found: usize = self.hashes.iter().map(|&hash| usize::from(list.contains_hash(hash))).sum();
        found as f64 / self.hashes.len().max(1) as f64
    }
}

/// Length of the word that begins at an offset, and its [`word_hash`] in lower case; None if it is not all ASCII. At
/// white space the length is 0.
fn ascii_word(bytes: &[u8], from: usize) -> Option<(usize, u64)> {
    let (mut at, mut hash) = (from, 0);
    loop {
        let eight = swar::load(bytes, at);
        let ends = swar::within(eight, 0, b' ') | swar::beyond_ascii(eight);
        let count = swar::before(ends);
        if count > 0 {
            hash = hash_step(hash, swar::lower_case(swar::first(eight, count)));
        }
        at += count;
        if count < 8 {
            break;
        }
    }
    let is_end = bytes.get(at).is_none_or(|&byte| byte.is_ascii() && is_space(char::from(byte)));
    is_end.then(|| (at - from, mix(hash)))
}

/// The part of a text before its first white space.
fn first_word(text: &str) -> &str {
    text.split(is_space).next().unwrap_or_default()
}

/// A word in lower case, written to the buffer.
fn lower_case<'a>(word: &str, buffer: &'a mut String) -> &'a str {
    buffer.clear();
    if word.chars().any(|c| c == 'Σ') {
        // Only the final sigma needs the whole word.
        buffer.push_str(&word.to_lowercase());
    } else {
        word.chars().for_each(|c| push_lowercase(c, buffer));
    }
    buffer
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_lose_case() {
        let mut buffer = String::new();
        assert_eq!(lower_case("ΟΔΟΣ", &mut buffer), "οδος");
        assert_eq!(lower_case("ÉTÉ", &mut buffer), "été");
        assert_eq!(lower_case("abc", &mut buffer), "abc");
    }

    proptest! {
        #[test]
        fn words_are_separated_by_white_space(text in "([a-z]{1,9}|[A-ZÉß.,-]|[ \t\u{a0}\u{1c}\u{b}]|[жΣ山\u{2003}]){0,30}") {
            let expected: Vec<u64> = text
                .split(is_space)
                .filter(|word| !word.is_empty())
                .map(|word| word_hash(word.to_lowercase().as_bytes()))
                .collect();
            let mut words = WordHashes::default();
            prop_assert_eq!(&words.read(&text).hashes, &expected);
        }
    }
}
