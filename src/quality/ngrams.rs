//! N-grams of words as numbers: an n-gram's key is the hash of its words written one after the other, with or without
//! blanks between them, found from the hashes of the text before it and up to its end by one multiplication.

use super::key_counts::{Entry, RepeatFilter, Table};
use super::polynomial::{Polynomial, multiply, power, subtract};
use crate::text::swar;

/// Words of a text whose n-grams are counted; those after them are not, so that memory has a bound.
pub const MOST_WORDS: usize = 1 << 18;

/// The words of a text, and the n-grams of them.
#[derive(Debug, Default)]
pub struct Words {
    /// For each word, and for the end, what stands before it.
    before: Vec<Before>,
    /// Hash of each word.
    hashes: Vec<u64>,
    /// The words one after the other, without blanks.
    stream: Vec<u8>,
    /// Powers of the base of the polynomial.
    powers: Vec<u64>,
    repeats: RepeatFilter,
    /// Where an n-gram may begin that occurs more than once, if it has some length.
    candidates: Vec<u32>,
    /// The seeds that the candidates are chosen by.
    seeded: Option<Seeds>,
    seen: Table,
}

/// What the words before a place are, written one after the other, and with a blank behind each.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    joined: u64,
    spaced: u64,
    bytes: u32,
    characters: u32,
    /// Bytes in the stream.
    streamed: u32,
}

/// A seed of an n-gram is how it begins in the stream: n-grams whose seeds differ are not equal, however their words are
/// joined. Most seeds occur once in a text, and so do the n-grams that begin with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seeds {
    /// Fewest words of the n-grams.
    words: usize,
    /// Bytes of a seed; n-grams that are shorter are candidates.
    bytes: usize,
}

const SHORT_SEEDS: Seeds = Seeds { words: 3, bytes: 8 };
const LONG_SEEDS: Seeds = Seeds { words: 5, bytes: 16 };

/// Powers that are computed once for a text; n-grams with more bytes are rare.
const POWERS: usize = 256;

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
        self.hashes.clear();
        self.before.clear();
        self.stream.clear();
        self.seeded = None;
        self.powers.clear();
        let base = polynomial.base();
        self.powers.extend(std::iter::successors(Some(1), |power| Some(multiply(*power, base))).take(POWERS));
        let blank = polynomial.piece(" ");
        let mut before = Before::default();
        self.before.push(before);
        for word in words.take(MOST_WORDS) {
            let piece = polynomial.piece(word);
            self.hashes.push(piece.hash);
            // Hardly any word has a blank inside.
            match word.as_bytes().contains(&b' ') {
                false => self.stream.extend_from_slice(word.as_bytes()),
                true => self.stream.extend(word.bytes().filter(|byte| *byte != b' ')),
            }
            before = Before {
                joined: piece.behind(before.joined),
                spaced: blank.behind(piece.behind(before.spaced)),
                bytes: before.bytes + word.len() as u32,
                characters: before.characters + super::characters::count(word) as u32,
                streamed: self.stream.len() as u32,
            };
            self.before.push(before);
        }
    }

    /// Characters of all words.
    pub fn all_characters(&self) -> u64 {
        self.characters(0, self.count())
    }

    /// Characters of the n words from one on.
    fn characters(&self, at: usize, n: usize) -> u64 {
        self.ends(at, n).map_or(0, |(before, after)| (after.characters - before.characters).into())
    }

    /// What stands before an n-gram, and before the word behind it; `None` if there are fewer words.
    fn ends(&self, at: usize, n: usize) -> Option<(&Before, &Before)> {
        Some((self.before.get(at)?, self.before.get(at + n)?))
    }

    /// Number of the words that count.
    pub fn count(&self) -> usize {
        self.hashes.len()
    }

    /// Hashes of the words in order.
    pub fn hashes(&self) -> impl Iterator<Item = u64> {
        self.hashes.iter().copied()
    }

    /// The key of an n-gram, its words written one after the other.
    fn joined(&self, at: usize, n: usize) -> Option<u64> {
        let (before, after) = self.ends(at, n)?;
        Some(subtract(after.joined, multiply(before.joined, self.power((after.bytes - before.bytes) as usize))))
    }

    /// The key of an n-gram with a blank behind each word.
    fn spaced(&self, at: usize, n: usize) -> Option<u64> {
        let (before, after) = self.ends(at, n)?;
        Some(subtract(after.spaced, multiply(before.spaced, self.power((after.bytes - before.bytes) as usize + n))))
    }

    fn power(&self, exponent: usize) -> u64 {
        match self.powers.get(exponent) {
            Some(power) => *power,
            None => power(self.powers.get(1).copied().unwrap_or(1), exponent),
        }
    }

    /// Finds the candidates for n-grams of `seeds.words` words or more.
    fn seed(&mut self, seeds: Seeds) {
        if self.seeded.replace(seeds) == Some(seeds) {
            return;
        }
        let ngrams = (self.count() + 1).saturating_sub(seeds.words);
        let mut repeats = std::mem::take(&mut self.repeats);
        repeats.set((0..ngrams).map(|at| self.seed_at(at, seeds)));
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let may_repeat = |at: &u32| {
            let ends = self.ends(*at as usize, seeds.words);
            let length = ends.map_or(0, |(before, after)| after.streamed - before.streamed);
            (length as usize) < seeds.bytes || repeats.may_repeat(*at as usize)
        };
        candidates.extend((0..ngrams as u32).filter(may_repeat));
        (self.candidates, self.repeats) = (candidates, repeats);
    }

    /// A key of the bytes that an n-gram begins with.
    fn seed_at(&self, at: usize, seeds: Seeds) -> u64 {
        let from = self.before.get(at).map_or(0, |before| before.streamed as usize);
        let first = swar::load(&self.stream, from) ^ self.power(1);
        let second = if seeds.bytes > 8 { swar::load(&self.stream, from + 8) } else { 0 } ^ self.power(2);
        let product = u128::from(first) * u128::from(second);
        product as u64 ^ (product >> 64) as u64
    }

    /// Finds the n-grams of two words or more that may occur more than once.
    fn find_candidates(&mut self, n: usize) {
        if n >= LONG_SEEDS.words {
            self.seed(LONG_SEEDS);
        } else if n >= SHORT_SEEDS.words {
            self.seed(SHORT_SEEDS);
        } else {
            self.pair();
        }
    }

    /// Finds the candidates for pairs of words.
    fn pair(&mut self) {
        self.seeded = None;
        let mut repeats = std::mem::take(&mut self.repeats);
        repeats.set((0..self.count()).map_while(|at| self.spaced(at, 2)));
        self.candidates.clear();
        let pairs = self.hashes.len().saturating_sub(1);
        self.candidates.extend((0..pairs as u32).filter(|at| repeats.may_repeat(*at as usize)));
        self.repeats = repeats;
    }

    /// The most frequent n-gram of two words or more, of several the first; `None` without n-grams.
    pub fn top(&mut self, n: usize) -> Option<Top> {
        self.find_candidates(n);
        let mut best: Option<Entry> = None;
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear(self.candidates.len());
        self.candidates.iter().for_each(|at| self.add_to_top(n, *at as usize, &mut seen, &mut best));
        self.seen = seen;
        // Where none occurs twice, the first is that of the text.
        let (count, first) = best.filter(|best| best.count > 1).map_or((1, 0), |best| (best.count, best.first));
        (self.count() >= n).then(|| Top { count: count.into(), characters: self.characters(first as usize, n) })
    }

    fn add_to_top(&self, n: usize, at: usize, seen: &mut Table, best: &mut Option<Entry>) {
        let Some(key) = self.spaced(at, n) else { return };
        let entry = seen.add(key, at as u32);
        let is_better = |best: Entry| (entry.count, best.first) > (best.count, entry.first);
        if best.is_none_or(is_better) {
            *best = Some(entry);
        }
    }

    /// The most frequent n-gram of two words or more, of several the one with the most characters; `None` without n-grams.
    pub fn longest_top(&mut self, n: usize) -> Option<Top> {
        let most = self.count_candidates(n);
        let characters = match most > 1 {
            true => self
                .candidates_counted(n)
                .filter(|(_, count)| *count == most)
                .map(|(at, _)| self.characters(at, n))
                .max(),
            false => self.ngrams(n).map(|at| self.characters(at, n)).max(),
        };
        characters.map(|characters| Top { count: most.max(1).into(), characters })
    }

    /// Characters of the n-grams of three words or more that occurred before, their words joined, where no two that count
    /// have a word in common.
    pub fn repeated(&mut self, n: usize) -> u64 {
        self.find_candidates(n);
        self.seen.clear(self.candidates.len());
        let (mut from, mut sum) = (0, 0);
        for place in 0..self.candidates.len() {
            let at = self.candidates.get(place).map_or(0, |at| *at as usize);
            let Some(key) = self.joined(at, n).filter(|_| at >= from) else { continue };
            if self.seen.add(key, 0).count > 1 {
                sum += self.characters(at, n);
                from = at + n;
            }
        }
        sum
    }

    /// Characters of all n-grams of two words or more that occur more than once, and of all n-grams; words in several of
    /// them count several times.
    pub fn copied(&mut self, n: usize) -> (u64, u64) {
        self.count_candidates(n);
        let copied =
            self.candidates_counted(n).filter(|(_, count)| *count > 1).map(|(at, _)| self.characters(at, n)).sum();
        (copied, self.ngrams(n).map(|at| self.characters(at, n)).sum())
    }

    /// Characters of the words that any n-gram of two words or more covers which occurs more than once.
    pub fn covered(&mut self, n: usize) -> u64 {
        self.count_candidates(n);
        let (mut sum, mut end) = (0, 0);
        for (at, _) in self.candidates_counted(n).filter(|(_, count)| *count > 1) {
            let from = at.max(end);
            sum += self.characters(from, (at + n).saturating_sub(from));
            end = at + n;
        }
        sum
    }

    /// Where n-grams begin.
    fn ngrams(&self, n: usize) -> std::ops::Range<usize> {
        0..(self.count() + 1).saturating_sub(n)
    }

    /// Counts the n-grams that may occur more than once. Returns the greatest count.
    fn count_candidates(&mut self, n: usize) -> u32 {
        self.find_candidates(n);
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear(self.candidates.len());
        let keys = self.candidates.iter().filter_map(|at| self.spaced(*at as usize, n));
        let most = keys.map(|key| seen.add(key, 0).count).max();
        self.seen = seen;
        most.unwrap_or(0)
    }

    /// The candidates with their counts.
    fn candidates_counted(&self, n: usize) -> impl Iterator<Item = (usize, u32)> {
        let at = self.candidates.iter().map(|at| *at as usize);
        at.filter_map(move |at| Some((at, self.seen.count(self.spaced(at, n)?))))
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
            some in prop::collection::vec("[ab]{1,2}|[a-z]{1,3}|é{1,9}[a-b]|[ab] [ab]|abcdef|b?cdefg[hi]j", 0..60),
            (from, upto) in (0usize..60, 0usize..60),
            n in 2usize..6,
        ) {
            // The later half repeats some of the earlier one.
            let again = some.get(from..upto.min(some.len())).unwrap_or_default();
            let words: Vec<&str> = some.iter().chain(again).map(String::as_str).collect();
            let characters = |at: usize, n: usize| words[at..at + n].iter().map(|word| word.chars().count() as u64).sum();
            let polynomial = Polynomial::of(&words.join(" "));
            let mut own = Words::default();
            own.set(&polynomial, words.iter().copied());
            let counted = |grams: &[String]| {
                let mut counts: BTreeMap<String, (u64, usize)> = BTreeMap::new();
                grams.iter().enumerate().for_each(|(at, gram)| counts.entry(gram.clone()).or_insert((0, at)).0 += 1);
                counts
            };
            let counts = counted(&joined(&words, n, " "));
            let best = counts.values().max_by_key(|(count, at)| (*count, std::cmp::Reverse(*at)));
            let want = best.map(|(count, at)| Top { count: *count, characters: characters(*at, n) });
            prop_assert_eq!(own.top(n), want);
            let most = counts.values().map(|(count, _)| *count).max();
            let tops = counts.values().filter(|(count, _)| Some(*count) == most);
            let longest = tops.map(|(_, at)| characters(*at, n)).max();
            let longest = most.zip(longest).map(|(count, characters)| Top { count, characters });
            prop_assert_eq!(own.longest_top(n), longest);
            let n = n + 3;
            let grams = joined(&words, n, " ");
            let counts = counted(&grams);
            let mut covered = BTreeSet::new();
            for (at, gram) in grams.iter().enumerate() {
                if counts[gram].0 > 1 {
                    covered.extend(at..at + n);
                }
            }
            prop_assert_eq!(own.covered(n), covered.iter().map(|at| characters(*at, 1)).sum::<u64>());
            let all = |least: u64| counts.values().filter(move |(count, _)| *count >= least);
            let sum = |least: u64| all(least).map(|(count, at)| count * characters(*at, n)).sum::<u64>();
            prop_assert_eq!(own.copied(n), (sum(2), sum(1)));
            let (grams, mut seen, mut at, mut sum) = (joined(&words, n, ""), BTreeSet::new(), 0, 0);
            while at < grams.len() {
                if seen.insert(&grams[at]) {
                    at += 1;
                } else {
                    sum += characters(at, n);
                    at += n;
                }
            }
            prop_assert_eq!(own.repeated(n), sum);
        }
    }
}
