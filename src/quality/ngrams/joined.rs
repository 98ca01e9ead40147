//! N-grams of five words or more, written without blanks: those that occurred before. They are sought by the bytes that they
//! begin with.

use super::{Candidate, Ngrams, Sought};
use crate::quality::key_counts::RepeatFilter;
use crate::quality::words::{Before, FIRST_BYTES};
use crate::text::swar;

/// The bytes that n-grams of at least so many words begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seed {
    words: usize,
    bytes: u32,
}

impl Seed {
    const fn new(words: usize, bytes: u32) -> Seed {
        Seed { words, bytes }
    }

    /// Whether an n-gram can occur again: its seed does, or it is shorter than that.
    fn allows(&self, may_repeat: bool, (before, after): (&Before, &Before)) -> bool {
        may_repeat || after.bytes - before.bytes < self.bytes
    }
}

/// N-grams, written without blanks, are not equal if their seeds differ, however their words are joined. Most seeds occur once
/// in a text, and so do the n-grams that begin with them. Longer seeds are sought among the candidates of shorter ones. What
/// stands behind the last word is of no importance: n-grams that are shorter than their seeds are candidates. Longer seeds
/// would occur less often again, and more n-grams would be shorter.
const SEEDS: [Seed; 3] = [Seed::new(5, 16), Seed::new(7, 24), Seed::new(9, 32)];

const _: () = assert!(SEEDS[0].bytes <= 16 && SEEDS[2].bytes as usize <= FIRST_BYTES);

impl Ngrams {
    /// Characters of the n-grams of five words or more that occurred before, their words joined, where no two that count
    /// have a word in common.
    pub fn repeated(&mut self, n: usize) -> u64 {
        let seed = self.find_joined(n);
        self.seen.clear(self.candidates.len());
        let (mut from, mut sum) = (0, 0);
        for Candidate { at, may_repeat, .. } in &self.candidates {
            let at = *at as usize;
            let ends = self.words.ends(at, n).filter(|ends| at >= from && seed.allows(*may_repeat, *ends));
            let Some((before, after)) = ends else { continue };
            let (_, entry) = self.seen.add(self.words.joined_key(before, after), 0);
            if entry.count > 1 {
                sum += u64::from(after.characters - before.characters);
                from = at + n;
            }
        }
        sum
    }

    /// Finds the candidates for n-grams without blanks. Returns the seeds by which they were sought.
    fn find_joined(&mut self, n: usize) -> Seed {
        let (mut repeats, mut candidates) = (std::mem::take(&mut self.repeats), std::mem::take(&mut self.candidates));
        let mut found = match self.sought {
            Sought::Joined(found) if found.words <= n => Some(found),
            _ => None,
        };
        let [shortest, ..] = SEEDS;
        for seed in SEEDS.into_iter().filter(|seed| seed.words <= n) {
            match found {
                None => self.find_seeds(seed, &mut repeats, &mut candidates),
                Some(found) if found.bytes < seed.bytes => {
                    let may_repeat = |candidate: &Candidate| {
                        let ends = self.words.ends(candidate.at as usize, seed.words);
                        ends.is_some_and(|ends| found.allows(candidate.may_repeat, ends))
                    };
                    candidates.retain(may_repeat);
                    self.keep_seeds(seed, &mut repeats, &mut candidates);
                }
                Some(_) => continue,
            }
            found = Some(seed);
        }
        let found = found.unwrap_or(shortest);
        self.sought = Sought::Joined(found);
        (self.repeats, self.candidates) = (repeats, candidates);
        found
    }

    /// Finds the n-grams whose seeds may repeat.
    fn find_seeds(&self, seed: Seed, repeats: &mut RepeatFilter, candidates: &mut Vec<Candidate>) {
        let ends = || self.words.all_ends(seed.words);
        repeats.set(ends().map(|(before, _)| self.seed(before, seed.bytes)));
        candidates.clear();
        for (at, (may_repeat, ends)) in repeats.repeats().zip(ends()).enumerate() {
            if seed.allows(may_repeat, ends) {
                candidates.push(Candidate { may_repeat, ..Candidate::at(at) });
            }
        }
    }

    /// Keeps the candidates whose seeds may repeat.
    fn keep_seeds(&self, seed: Seed, repeats: &mut RepeatFilter, candidates: &mut Vec<Candidate>) {
        let ends = |candidate: &Candidate| self.words.ends(candidate.at as usize, seed.words);
        let before = |candidate: &Candidate| ends(candidate).map(|(before, _)| self.long_seed(before, seed.bytes));
        repeats.set(candidates.iter().map(|candidate| before(candidate).unwrap_or_default()));
        let mut may_repeat = repeats.repeats();
        candidates.retain_mut(|candidate| {
            candidate.may_repeat = may_repeat.next().unwrap_or_default();
            ends(candidate).is_some_and(|ends| seed.allows(candidate.may_repeat, ends))
        });
    }

    /// A key of the first bytes of an n-gram, at most 16.
    #[inline]
    fn seed(&self, before: &Before, bytes: u32) -> u64 {
        let [first, second] = self.words.first_bytes(before);
        self.words.keys.mix(first, swar::first(second, bytes as usize - 8))
    }

    /// A key of the first bytes of an n-gram, 16 or more.
    fn long_seed(&self, before: &Before, bytes: u32) -> u64 {
        let keys = &self.words.keys;
        let [first, second, third, fourth] = self.words.first_bytes(before);
        let rest = |eight: u64, from: usize| swar::first(eight, (bytes as usize).saturating_sub(from));
        keys.mix(keys.mix(first, second) ^ rest(third, 16), rest(fourth, 24))
    }
}
