//! N-grams of words as numbers: an n-gram's key is the hash of its words written one after the other, with or without
//! blanks between them, found from the keys of the (n − 1)-grams by one multiplication.
//!
//! The hash is a polynomial over the bytes modulo 2⁶¹ − 1 (Karp and Rabin 1987). Its base is drawn from a cryptographic
//! hash of the text, so nobody can write a text whose keys collide, and the same text has the same keys everywhere.

use crate::hash::digest;

const MODULUS: u64 = (1 << 61) - 1;

/// Words of a text whose n-grams are counted; those after them are not, so that memory has a bound.
pub const MOST_WORDS: usize = 1 << 18;

/// Hashes texts so that the hash of two, one after the other, can be computed from their hashes.
#[derive(Debug, Clone, Copy)]
pub struct Polynomial {
    /// The base to the powers 0 to 8.
    powers: [u64; 9],
}

/// A text as a number: its polynomial and the power of the base by which a text before it is multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    pub hash: u64,
    power: u64,
}

fn multiply(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

/// The remainder of a number below 2¹²².
fn reduce(number: u128) -> u64 {
    let sum = (number as u64 & MODULUS) + (number >> 61) as u64;
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

impl Polynomial {
    /// The hash function for the pieces of a text.
    pub fn of(text: &str) -> Polynomial {
        let base = (digest(text.as_bytes()) as u64 & MODULUS).max(1 << 32) % MODULUS;
        let mut powers = [1; 9];
        let mut power = 1;
        for slot in powers.iter_mut().skip(1) {
            power = multiply(power, base);
            *slot = power;
        }
        Polynomial { powers }
    }

    pub fn piece(&self, text: &str) -> Piece {
        let (eights, rest) = text.as_bytes().as_chunks::<8>();
        let mut piece = Piece { hash: 0, power: 1 };
        for part in eights.iter().map(|eight| eight.as_slice()).chain([rest]) {
            piece = self.join(piece, self.short(part));
        }
        piece
    }

    /// The piece of at most eight bytes.
    fn short(&self, bytes: &[u8]) -> Piece {
        // No byte counts for nothing, so that a text and one with zeros before it differ.
        let digits = bytes.iter().rev().zip(&self.powers);
        let sum = digits.map(|(byte, power)| u128::from(*power) * (u128::from(*byte) + 1)).sum::<u128>();
        Piece { hash: reduce(sum), power: self.powers.get(bytes.len()).copied().unwrap_or(1) }
    }

    /// Two texts, one after the other.
    pub fn join(&self, first: Piece, second: Piece) -> Piece {
        let hash = reduce(u128::from(first.hash) * u128::from(second.power) + u128::from(second.hash));
        Piece { hash, power: multiply(first.power, second.power) }
    }
}

/// The words of a text as pieces, with their lengths.
#[derive(Debug, Default)]
pub struct Words {
    pieces: Vec<Piece>,
    /// Characters of all words before each word, and of all words at the end.
    characters: Vec<u64>,
    /// Keys of the n-grams that begin at each word.
    keys: Vec<u64>,
    /// The words as they are added to an n-gram.
    added: Vec<Piece>,
    seen: Table,
}

/// How n-grams of some length repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Top {
    /// Occurrences of the most frequent n-gram.
    pub count: u64,
    /// Characters of its words.
    pub characters: u64,
}

impl Words {
    /// Takes the words of another text.
    pub fn set<'t>(&mut self, polynomial: &Polynomial, words: impl Iterator<Item = &'t str>) {
        self.pieces.clear();
        self.characters.clear();
        self.characters.push(0);
        let mut sum = 0;
        for word in words.take(MOST_WORDS) {
            self.pieces.push(polynomial.piece(word));
            sum += word.chars().count() as u64;
            self.characters.push(sum);
        }
        self.keys.clear();
    }

    /// Characters of all words.
    pub fn all_characters(&self) -> u64 {
        self.characters.last().copied().unwrap_or(0)
    }

    /// Characters of the n words from one on.
    fn characters(&self, at: usize, n: usize) -> u64 {
        let upto = |at: usize| self.characters.get(at).or(self.characters.last()).copied().unwrap_or(0);
        upto(at + n) - upto(at)
    }

    /// Number of the words that count.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Hashes of the words in order.
    pub fn hashes(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().map(|piece| piece.hash)
    }

    /// Begins with the 1-grams; [`Words::grow`] makes longer ones of them, with `between` before each word that is added.
    pub fn begin(&mut self, polynomial: &Polynomial, between: &str) {
        self.keys.clear();
        self.keys.extend(self.pieces.iter().map(|piece| piece.hash));
        let between = polynomial.piece(between);
        self.added.clear();
        self.added.extend(self.pieces.iter().map(|piece| polynomial.join(between, *piece)));
    }

    /// Makes n-grams of the (n − 1)-grams.
    pub fn grow(&mut self, n: usize) {
        self.keys.truncate((self.pieces.len() + 1).saturating_sub(n));
        for (key, piece) in self.keys.iter_mut().zip(self.added.iter().skip(n - 1)) {
            *key = reduce(u128::from(*key) * u128::from(piece.power) + u128::from(piece.hash));
        }
    }

    /// The most frequent n-gram, of several the first; `None` without n-grams.
    pub fn top(&mut self, n: usize) -> Option<Top> {
        self.seen.clear(self.keys.len());
        let mut best: Option<Entry> = None;
        for (at, key) in self.keys.iter().enumerate() {
            let entry = self.seen.add(*key, at as u32);
            let is_better = |best: Entry| (entry.count, best.first) > (best.count, entry.first);
            if best.is_none_or(is_better) {
                best = Some(entry);
            }
        }
        best.map(|best| Top { count: best.count.into(), characters: self.characters(best.first as usize, n) })
    }

    /// The most frequent n-gram, of several the one with the most characters; `None` without n-grams.
    pub fn longest_top(&mut self, n: usize) -> Option<Top> {
        self.seen.clear(self.keys.len());
        let most = self.keys.iter().map(|key| self.seen.add(*key, 0).count).max()?;
        let tops = self.keys.iter().enumerate().filter(|(_, key)| self.seen.count(**key) == most);
        let characters = tops.map(|(at, _)| self.characters(at, n)).max()?;
        Some(Top { count: most.into(), characters })
    }

    /// Characters of the n-grams that occurred before, where no two that count have a word in common.
    pub fn repeated(&mut self, n: usize) -> u64 {
        self.seen.clear(self.keys.len());
        let (mut at, mut sum) = (0, 0);
        while let Some(key) = self.keys.get(at) {
            if self.seen.add(*key, 0).count > 1 {
                sum += self.characters(at, n);
                at += n;
            } else {
                at += 1;
            }
        }
        sum
    }

    /// Characters of all n-grams that occur more than once, and of all n-grams; words in several of them count several times.
    pub fn copied(&mut self, n: usize) -> (u64, u64) {
        self.seen.clear(self.keys.len());
        self.keys.iter().for_each(|key| {
            self.seen.add(*key, 0);
        });
        let lengths = self.keys.iter().enumerate().map(|(at, key)| (self.seen.count(*key) > 1, self.characters(at, n)));
        lengths.fold((0, 0), |(copied, all), (again, length)| (copied + if again { length } else { 0 }, all + length))
    }

    /// Characters of the words that any n-gram covers which occurs more than once.
    pub fn covered(&mut self, n: usize) -> u64 {
        self.seen.clear(self.keys.len());
        self.keys.iter().for_each(|key| {
            self.seen.add(*key, 0);
        });
        let (mut sum, mut end) = (0, 0);
        for (at, key) in self.keys.iter().enumerate() {
            if self.seen.count(*key) > 1 {
                let from = at.max(end);
                sum += self.characters(from, (at + n).saturating_sub(from));
                end = at + n;
            }
        }
        sum
    }
}

/// A count by key, in one block of memory that is used again for every text.
#[derive(Debug, Default)]
pub struct Table {
    slots: Vec<Entry>,
    mask: usize,
    /// Entries of other texts have another stamp.
    stamp: u32,
}

#[derive(Debug, Default, Clone, Copy)]
pub struct Entry {
    key: u64,
    stamp: u32,
    pub count: u32,
    /// The number given with the first of the equal keys.
    pub first: u32,
}

impl Table {
    /// Forgets all keys, and makes room for `keys` of them.
    pub fn clear(&mut self, keys: usize) {
        let wanted = (keys * 2).next_power_of_two().max(16);
        let fresh = self.stamp.checked_add(1).filter(|_| wanted <= self.slots.len());
        self.stamp = fresh.unwrap_or_else(|| {
            self.slots.clear();
            self.slots.resize(wanted, Entry::default());
            1
        });
        // Few keys stay close together in a large table.
        self.mask = wanted - 1;
    }

    /// Counts a key, whose bits must be spread evenly. Returns how often it came, and with which number first.
    pub fn add(&mut self, key: u64, number: u32) -> Entry {
        let at = self.place(key);
        let stamp = self.stamp;
        let Some(entry) = self.slots.get_mut(at) else { return Entry::default() };
        if entry.stamp != stamp {
            *entry = Entry { key, stamp, count: 0, first: number };
        }
        entry.count += 1;
        *entry
    }

    /// How often a key came.
    pub fn count(&self, key: u64) -> u32 {
        self.slots.get(self.place(key)).filter(|entry| entry.stamp == self.stamp).map_or(0, |entry| entry.count)
    }

    /// The slot of a key, or the free one where it belongs.
    fn place(&self, key: u64) -> usize {
        let mut at = key as usize & self.mask;
        while self.slots.get(at).is_some_and(|entry| entry.stamp == self.stamp && entry.key != key) {
            at = (at + 1) & self.mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn joined(words: &[&str], n: usize, between: &str) -> Vec<String> {
        words.windows(n).map(|words| words.join(between)).collect()
    }

    proptest! {
        #[test]
        fn as_the_slow_definitions_say(
            words in prop::collection::vec("[ab]{1,2}|[a-z]{1,3}|é{1,9}[a-b]", 0..60), n in 2usize..7
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let polynomial = Polynomial::of(&words.join(" "));
            let mut own = Words::default();
            own.set(&polynomial, words.iter().copied());
            own.begin(&polynomial, " ");
            (2..=n).for_each(|n| own.grow(n));
            let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
            for (at, gram) in joined(&words, n, " ").into_iter().enumerate() {
                counts.entry(gram).or_insert((0, at)).0 += 1;
            }
            let best = counts.iter().max_by_key(|(_, (count, at))| (*count, std::cmp::Reverse(*at)));
            let want = best.map(|(gram, (count, _))| (*count as u64, gram.chars().filter(|c| *c != ' ').count() as u64));
            prop_assert_eq!(own.top(n).map(|top| (top.count, top.characters)), want);
            let most = counts.values().map(|(count, _)| *count).max();
            let tops = counts.iter().filter(|(_, (count, _))| Some(*count) == most);
            let longest = tops.map(|(gram, _)| gram.chars().filter(|c| *c != ' ').count() as u64).max();
            let found = own.longest_top(n);
            prop_assert_eq!(found.map(|top| top.characters), longest);
            prop_assert_eq!(found.map(|top| top.count as usize), most);
            let length = |gram: &String| gram.chars().filter(|c| *c != ' ').count() as u64;
            let copied = counts.iter().filter(|(_, (count, _))| *count > 1).map(|(gram, (count, _))| length(gram) * *count as u64);
            let all = counts.iter().map(|(gram, (count, _))| length(gram) * *count as u64);
            prop_assert_eq!(own.copied(n), (copied.sum(), all.sum()));
            let mut covered = BTreeSet::new();
            for (at, gram) in joined(&words, n, " ").iter().enumerate() {
                if counts[gram].0 > 1 {
                    covered.extend(at..at + n);
                }
            }
            prop_assert_eq!(own.covered(n), covered.iter().map(|at| words[*at].chars().count() as u64).sum::<u64>());
            own.begin(&polynomial, "");
            (2..=n).for_each(|n| own.grow(n));
            let (grams, mut seen, mut at, mut sum) = (joined(&words, n, ""), BTreeSet::new(), 0, 0);
            while at < grams.len() {
                if seen.insert(&grams[at]) {
                    at += 1;
                } else {
                    sum += grams[at].chars().count() as u64;
                    at += n;
                }
            }
            prop_assert_eq!(own.repeated(n), sum);
        }
    }

    #[test]
    fn a_piece_is_that_of_its_parts() {
        let polynomial = Polynomial::of("seed");
        let text = "a longer text than eight bytes, žluťoučký kůň";
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (first, second) = text.split_at(at);
            assert_eq!(polynomial.join(polynomial.piece(first), polynomial.piece(second)), polynomial.piece(text));
        }
        assert_ne!(polynomial.piece("\0"), polynomial.piece(""));
        assert_ne!(polynomial.piece("ab").hash, Polynomial::of("other").piece("ab").hash);
    }
}
