//! The words of a text by numbers, in the order in which they first occur.

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
    /// A hash table of the words that differ: their numbers and 1, or 0 where there is none.
    slots: Vec<u32>,
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
    pub characters: u32,
    /// Whether it has small letters of ASCII and nothing else, as most words do.
    pub is_small: bool,
    key: u64,
}

/// What the words before a place are, written one after the other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub characters: u32,
    pub bytes: u32,
}

/// How long some words are together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub characters: u64,
    pub bytes: u64,
}

/// The words that have numbers by now.
struct Known<'w> {
    types: &'w mut Vec<Type>,
    slots: &'w mut [u32],
}

impl Known<'_> {
    /// Counts the word with a key. A word that is not known becomes the last one. Returns its number and its characters.
    #[inline]
    fn count(&mut self, key: u64, new: impl FnOnce() -> Type) -> (u32, u32) {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let slot = self.slots.get(at).copied().unwrap_or_default();
            match self.types.get_mut((slot as usize).wrapping_sub(1)) {
                Some(known) if known.key == key => {
                    known.count += 1;
                    return (slot - 1, known.characters);
                }
                Some(_) => at = (at + 1) & mask,
                None => break,
            }
        }
        let (number, word) = (self.types.len() as u32, Type { key, count: 1, ..new() });
        self.slots.get_mut(at).into_iter().for_each(|slot| *slot = number + 1);
        self.types.push(word);
        (number, word.characters)
    }
}

impl Type {
    /// A word whose first eight bytes are `chunk`, without its key.
    #[inline]
    fn new(place: (u32, u32), word: &[u8], chunk: u64) -> Type {
        let is_small = is_small(word, chunk);
        let continued = match word.len() {
            _ if is_small => 0,
            ..=8 => swar::count(swar::continuing(chunk)),
            _ => word.iter().filter(|byte| **byte & 0xC0 == 0x80).count(),
        };
        Type { place, count: 0, characters: (word.len() - continued) as u32, is_small, key: 0 }
    }
}

/// Whether a word whose first eight bytes are `chunk` has small letters of ASCII and nothing else.
#[inline]
pub(super) fn is_small(word: &[u8], chunk: u64) -> bool {
    let count = word.len().min(8);
    let is_rest_small = || {
        let mut chunks = (8..word.len()).step_by(8).map(|at| (swar::load(word, at), (word.len() - at).min(8)));
        chunks.all(|(chunk, count)| swar::begins_with_small_letters(chunk, count))
    };
    count > 0 && swar::begins_with_small_letters(chunk, count) && (word.len() <= 8 || is_rest_small())
}

fn part(text: &[u8], (begin, end): (u32, u32)) -> &[u8] {
    text.get(begin as usize..end as usize).unwrap_or_default()
}

/// The first sixteen bytes of a word of so many bytes that begins at a place of a text; those behind it are 0.
#[inline]
fn first_bytes(text: &[u8], begin: usize, length: usize) -> [u64; 2] {
    let sixteen = text.get(begin..).and_then(<[u8]>::first_chunk).map(|sixteen| u128::from_le_bytes(*sixteen));
    let [first, second] = match sixteen {
        Some(sixteen) => [sixteen as u64, (sixteen >> 64) as u64],
        None => [0, 8].map(|at| swar::load(text, begin + at)),
    };
    [swar::first(first, length), if length > 8 { swar::first(second, length - 8) } else { 0 }]
}

/// The key of a word whose first sixteen bytes are `chunks`.
#[inline]
fn key(keys: &Keys, word: &[u8], chunks: [u64; 2]) -> u64 {
    if word.len() <= 16 { keys.short_word(chunks, word.len()) } else { keys.text(word) }
}

/// The bytes that [`Words::first_bytes`] returns at most.
pub(super) const FIRST_BYTES: usize = 32;

impl Words {
    /// Takes the words of another text, which are byte ranges in ascending order.
    pub fn set(&mut self, text: &str, words: &[(u32, u32)]) {
        let words = words.get(..MOST_WORDS).unwrap_or(words);
        self.types.clear();
        // What an earlier text left is written over.
        self.numbers.resize(words.len(), 0);
        self.before.resize(words.len() + 1, Before::default());
        self.before.first_mut().into_iter().for_each(|first| *first = Before::default());
        // Hardly any text has words that all differ.
        self.slots.clear();
        self.slots.resize((words.len() + words.len() / 4 + 1).next_power_of_two(), 0);
        if self.stream.len() < text.len() + FIRST_BYTES {
            self.stream.resize(text.len() + FIRST_BYTES, 0);
        }
        let (text, mut before) = (text.as_bytes(), Before::default());
        let mut known = Known { types: &mut self.types, slots: &mut self.slots };
        let (keys, stream) = (&self.keys, self.stream.as_mut_slice());
        let slots = self.numbers.iter_mut().zip(self.before.iter_mut().skip(1));
        for (&place, (number, after)) in words.iter().zip(slots) {
            // Most words have up to eight bytes, nearly all others up to sixteen.
            let word = part(text, place);
            let chunks = first_bytes(text, place.0 as usize, word.len());
            let characters;
            (*number, characters) = known.count(key(keys, word, chunks), || Type::new(place, word, chunks[0]));
            let at = before.bytes as usize;
            if let Some(slot) = stream.get_mut(at..at + 16).and_then(|part| part.as_chunks_mut().0.first_chunk_mut()) {
                *slot = chunks.map(u64::to_le_bytes);
            }
            if word.len() > 16 {
                let slot = stream.get_mut(at..at + word.len());
                slot.into_iter().for_each(|slot| slot.copy_from_slice(word));
            }
            before.characters += characters;
            before.bytes += word.len() as u32;
            *after = before;
        }
        // Hardly any word has a blank inside.
        let written = self.stream.get(..before.bytes as usize).unwrap_or_default();
        self.spaced = memchr::memchr(b' ', written).map(|_| self.write_spaced());
    }

    fn write_spaced(&self) -> Vec<u8> {
        let words = (0..self.count()).filter_map(|at| self.joined(at, 1));
        words.flat_map(|word| word.iter().chain(b" ")).copied().collect()
    }

    /// The size of all words.
    pub fn all(&self) -> Size {
        self.size(0, self.count())
    }

    /// The size of the n words from one on.
    pub fn size(&self, at: usize, n: usize) -> Size {
        self.ends(at, n).map_or(Size::default(), |(before, after)| Size {
            characters: (after.characters - before.characters).into(),
            bytes: (after.bytes - before.bytes).into(),
        })
    }

    /// Characters of the n words from one on.
    pub fn characters(&self, at: usize, n: usize) -> u64 {
        self.size(at, n).characters
    }

    /// What stands before an n-gram, and before the word behind it; `None` if there are fewer words.
    pub(super) fn ends(&self, at: usize, n: usize) -> Option<(&Before, &Before)> {
        Some((self.before.get(at)?, self.before.get(at + n)?))
    }

    /// [`Words::ends`] of all n-grams, in order.
    pub(super) fn all_ends(&self, n: usize) -> impl ExactSizeIterator<Item = (&Before, &Before)> {
        self.before.iter().zip(self.before.get(n..).unwrap_or_default())
    }

    /// Number of the words that count.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }

    /// The words that differ, in the order in which they first occur.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Whether a word is among those that count.
    pub fn has(&self, word: &str) -> bool {
        let word = word.as_bytes();
        let key = key(&self.keys, word, first_bytes(word, 0, word.len()));
        let mask = self.slots.len().wrapping_sub(1);
        let from = key as usize & mask;
        let slots = (0..self.slots.len()).map_while(|step| self.slots.get((from + step) & mask)?.checked_sub(1));
        let mut types = slots.filter_map(|number| self.types.get(number as usize));
        types.any(|known| known.key == key)
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
    fn joined(&self, at: usize, n: usize) -> Option<&[u8]> {
        let (before, after) = self.ends(at, n)?;
        self.stream.get(before.bytes as usize..after.bytes as usize)
    }

    /// The key of an n-gram, its words written one after the other, by its ends.
    pub(super) fn joined_key(&self, before: &Before, after: &Before) -> u64 {
        let (from, end) = (before.bytes as usize, after.bytes as usize);
        let length = end - from;
        if length > FIRST_BYTES {
            return self.keys.text(self.stream.get(from..end).unwrap_or_default());
        }
        let [first, second, third, fourth] = self.first_bytes(before);
        let part = |chunk: u64, from: usize| swar::first(chunk, length.saturating_sub(from));
        let key = self.keys.mix(part(first, 0), part(second, 8));
        self.keys.mix(key ^ part(third, 16), part(fourth, 24) ^ length as u64)
    }

    /// The bytes that the joined words from one on begin with, in chunks of eight. What stands behind the last word is
    /// arbitrary.
    #[inline]
    pub(super) fn first_bytes<const CHUNKS: usize>(&self, before: &Before) -> [u64; CHUNKS] {
        const { assert!(CHUNKS * 8 <= FIRST_BYTES) };
        let bytes = self.stream.get(before.bytes as usize..).and_then(|stream| stream.as_chunks().0.first_chunk());
        bytes.map_or([0; CHUNKS], |chunks| chunks.map(u64::from_le_bytes))
    }
}
