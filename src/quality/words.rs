//! The words of a text by numbers, in the order in which they first occur.

use super::key_counts::Table;
use super::keys::Keys;
use crate::text::swar;

/// Words of a text that get numbers; those after them do not, so that memory has a bound.
pub const MOST_WORDS: usize = 1 << 18;

/// The words of a text.
#[derive(Debug, Default)]
pub struct Words {
    pub(super) keys: Keys,
    /// For each word, and for the end, what stands before it.
    before: Vec<Before>,
    /// The number of each word.
    numbers: Vec<u32>,
    /// The words that differ.
    types: Vec<Type>,
    /// The words one after the other.
    stream: Vec<u8>,
    /// The words with a blank behind each, if one has a blank inside: then n-grams can be equal whose words are not.
    spaced: Option<Vec<u8>>,
}

/// A word, however often it occurs.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    /// Where it first occurs, in bytes of the text.
    pub place: (u32, u32),
    pub count: u32,
}

/// What the words before a place are, written one after the other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub characters: u32,
    pub bytes: u32,
}

/// The bytes that [`Words::first_bytes`] returns.
pub(super) const FIRST_BYTES: usize = 32;

impl Words {
    /// Takes the words of another text, which are byte ranges in ascending order. `seen` is used to find equal ones.
    pub fn set(&mut self, keys: &Keys, text: &str, words: &[(u32, u32)], seen: &mut Table) {
        let most = words.len().min(MOST_WORDS);
        self.keys = *keys;
        self.types.clear();
        self.numbers.clear();
        self.numbers.reserve(most);
        self.before.clear();
        self.before.reserve(most + 1);
        if self.stream.len() < text.len() + FIRST_BYTES {
            self.stream.resize(text.len() + FIRST_BYTES, 0);
        }
        seen.clear(most);
        let (mut before, mut blanks) = (Before::default(), 0);
        self.before.push(before);
        for place in words.iter().copied().take(MOST_WORDS) {
            let (begin, end) = (place.0 as usize, place.1 as usize);
            let word = text.as_bytes().get(begin..end).unwrap_or_default();
            let first = swar::first(swar::load(text.as_bytes(), begin), word.len());
            let (mut continued, mut at, mut eight) = (0, 0, first);
            loop {
                continued += swar::count(swar::continuing(eight));
                blanks |= swar::within(eight, b' ', b' ');
                let behind = self.stream.get_mut(before.bytes as usize + at..);
                if let Some(slot) = behind.and_then(|stream| stream.first_chunk_mut()) {
                    *slot = eight.to_le_bytes();
                }
                at += 8;
                if at >= word.len() {
                    break;
                }
                eight = swar::first(swar::load(text.as_bytes(), begin + at), word.len() - at);
            }
            let slot = seen.add(keys.word(word, first), self.types.len() as u32);
            let number = seen.entry(slot).first;
            match self.types.get_mut(number as usize) {
                Some(known) => known.count += 1,
                None => self.types.push(Type { place, count: 1 }),
            }
            self.numbers.push(number);
            before.characters += (word.len() - continued) as u32;
            before.bytes += word.len() as u32;
            self.before.push(before);
        }
        // Hardly any word has a blank inside.
        self.spaced = (blanks != 0).then(|| self.write_spaced());
    }

    fn write_spaced(&self) -> Vec<u8> {
        let words = (0..self.count()).filter_map(|at| self.joined(at, 1));
        words.flat_map(|word| word.iter().chain(b" ")).copied().collect()
    }

    /// Characters of all words.
    pub fn all_characters(&self) -> u64 {
        self.characters(0, self.count())
    }

    /// Characters of the n words from one on.
    pub fn characters(&self, at: usize, n: usize) -> u64 {
        self.ends(at, n).map_or(0, |(before, after)| (after.characters - before.characters).into())
    }

    /// What stands before an n-gram, and before the word behind it; `None` if there are fewer words.
    pub(super) fn ends(&self, at: usize, n: usize) -> Option<(&Before, &Before)> {
        Some((self.before.get(at)?, self.before.get(at + n)?))
    }

    /// Number of the words that count.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The words that differ, in the order in which they first occur.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The number of each word.
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Whether a word has a blank inside.
    pub fn has_blanks(&self) -> bool {
        self.spaced.is_some()
    }

    /// The key of an n-gram with blanks between its words, where words have blanks inside.
    pub fn spaced_key(&self, at: usize, n: usize) -> Option<u64> {
        let (before, after) = self.ends(at, n)?;
        let text = self.spaced.as_ref()?.get(before.bytes as usize + at..after.bytes as usize + at + n)?;
        Some(self.keys.text(text))
    }

    /// An n-gram, its words written one after the other.
    pub fn joined(&self, at: usize, n: usize) -> Option<&[u8]> {
        let (before, after) = self.ends(at, n)?;
        self.stream.get(before.bytes as usize..after.bytes as usize)
    }

    /// The bytes that the joined words from one on begin with, by eights. What stands behind the last word is arbitrary.
    pub fn first_bytes(&self, at: usize) -> [u64; FIRST_BYTES / 8] {
        let from = self.before.get(at).map_or(0, |before| before.bytes as usize);
        let bytes = self.stream.get(from..).and_then(|stream| stream.as_chunks().0.first_chunk());
        bytes.map_or([0; FIRST_BYTES / 8], |eights| eights.map(u64::from_le_bytes))
    }
}
