//! N-grams of the words of a text. Words have numbers, in the order in which they first occur, and an n-gram is the number
//! of the one without its last word and the number of that word: only n-grams that begin with a repeated one are counted.

mod joined;

use super::key_counts::{Entry, RepeatFilter, Table};
use super::words::{Size, Words};
use joined::Seed;

/// The words of a text, and the n-grams of them.
#[derive(Debug, Default)]
pub struct Ngrams {
    words: Words,
    repeats: RepeatFilter,
    /// N-grams that may occur more than once.
    candidates: Vec<Candidate>,
    /// What the candidates are for.
    sought: Sought,
    seen: Table,
    /// The most frequent n-gram of those counted, of several the first, if it occurs more than once.
    best: Best,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// The first word.
    at: u32,
    /// Its place in the table of those seen.
    place: u32,
    /// Whether its seed may occur again, if it was sought by one.
    may_repeat: bool,
}

impl Candidate {
    fn at(at: usize) -> Candidate {
        Candidate { at: at as u32, place: 0, may_repeat: false }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Best {
    at: u32,
    count: u32,
}

impl Best {
    /// The more frequent n-gram, of two that are as frequent the first. One that occurs once is none.
    #[inline]
    fn or(self, Entry { count, first, .. }: Entry) -> Best {
        let is_better = count > self.count || count == self.count && first < self.at;
        if count > 1 && is_better { Best { at: first, count } } else { self }
    }
}

/// What the candidates are chosen for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Sought {
    #[default]
    Nothing,
    /// N-grams of so many words, written with blanks, which have been counted.
    Spaced(usize),
    /// N-grams of at least so many words, written without blanks.
    Joined(Seed),
}

/// How n-grams of some length repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Top {
    /// Occurrences of the most frequent n-gram.
    pub count: u64,
    /// Characters of its words.
    pub characters: u64,
}

impl Ngrams {
    /// Takes the words of another text, which are byte ranges in ascending order.
    pub fn set(&mut self, text: &str, words: &[(u32, u32)]) {
        self.sought = Sought::Nothing;
        self.words.set(text, words);
    }

    /// The words that count.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// Where n-grams begin.
    fn ngrams(&self, n: usize) -> std::ops::Range<usize> {
        0..(self.words.count() + 1).saturating_sub(n)
    }

    /// Counts the n-grams of two words or more that may occur more than once, written with blanks.
    fn count_spaced(&mut self, n: usize) {
        let mut candidates = std::mem::take(&mut self.candidates);
        if self.words.has_blanks() {
            candidates.clear();
            candidates.extend(self.ngrams(n).map(Candidate::at));
            self.add(&mut candidates, |words, at, _| words.spaced_key(at, n));
        } else {
            let mut counted = match self.sought {
                Sought::Spaced(counted) if counted <= n => counted,
                _ => 1,
            };
            while counted < n {
                counted += 1;
                if counted == 2 {
                    self.count_pairs(&mut candidates);
                    continue;
                }
                self.keep_repeated(counted - 1, &mut candidates);
                self.add(&mut candidates, |words, at, begin| {
                    let last = words.numbers().get(at + counted - 1)?;
                    Some(words.keys.pair(begin, *last))
                });
            }
        }
        self.candidates = candidates;
        self.sought = Sought::Spaced(n);
    }

    /// Counts the pairs of words that occur more than once.
    fn count_pairs(&mut self, candidates: &mut Vec<Candidate>) {
        let keys = self.words.keys;
        let key = |numbers: &[u32]| match numbers {
            &[first, second, ..] => Some(keys.pair(first, second)),
            _ => None,
        };
        self.repeats.set(self.words.numbers().windows(2).map(|pair| key(pair).unwrap_or_default()));
        let repeated = self.repeats.repeats().enumerate().filter(|(_, repeats)| *repeats);
        candidates.clear();
        candidates.extend(repeated.map(|(at, _)| Candidate::at(at)));
        self.add(candidates, |words, at, _| key(words.numbers().get(at..)?));
    }

    /// Keeps the candidates for n-grams of one more word. Their place becomes the number of the n-gram that they begin with.
    fn keep_repeated(&self, n: usize, candidates: &mut Vec<Candidate>) {
        let end = self.ngrams(n + 1).end as u32;
        candidates.retain_mut(|candidate| {
            let entry = self.seen.entry(candidate.place);
            candidate.place = entry.first;
            entry.count > 1 && candidate.at < end
        });
    }

    /// Counts candidates by their keys, which are found from their first word and their place.
    fn add(&mut self, candidates: &mut Vec<Candidate>, key: impl Fn(&Words, usize, u32) -> Option<u64>) {
        let mut seen = std::mem::take(&mut self.seen);
        seen.clear(candidates.len());
        let mut best = Best::default();
        candidates.retain_mut(|candidate| {
            let Some(key) = key(&self.words, candidate.at as usize, candidate.place) else { return false };
            let (place, entry) = seen.add(key, candidate.at);
            candidate.place = place;
            best = best.or(entry);
            true
        });
        (self.seen, self.best) = (seen, best);
    }

    /// The candidates with their counts.
    fn counted(&self) -> impl Iterator<Item = (usize, u32)> {
        self.candidates.iter().map(|candidate| (candidate.at as usize, self.seen.entry(candidate.place).count))
    }

    /// The most frequent n-gram of two words or more, of several the first; `None` without n-grams.
    pub fn top(&mut self, n: usize) -> Option<Top> {
        self.count_spaced(n);
        // Where none occurs twice, the first is that of the text.
        let best = if self.best.count > 1 { self.best } else { Best { at: 0, count: 1 } };
        let characters = self.words.characters(best.at as usize, n);
        (self.words.count() >= n).then(|| Top { count: best.count.into(), characters })
    }

    /// The most frequent n-gram of two words or more, of several the one with the most characters; `None` without n-grams.
    pub fn longest_top(&mut self, n: usize) -> Option<Top> {
        self.count_spaced(n);
        let most = self.best.count;
        let characters = match most > 1 {
            true => {
                self.counted().filter(|(_, count)| *count == most).map(|(at, _)| self.words.characters(at, n)).max()
            }
            false => self.ngrams(n).map(|at| self.words.characters(at, n)).max(),
        };
        characters.map(|characters| Top { count: most.max(1).into(), characters })
    }

    /// Characters of all n-grams of two words or more that occur more than once, and of all n-grams; words in several of
    /// them count several times.
    pub fn copied(&mut self, n: usize) -> (u64, u64) {
        self.count_spaced(n);
        let copied = self.counted().filter(|(_, count)| *count > 1).map(|(at, _)| self.words.characters(at, n)).sum();
        (copied, self.ngrams(n).map(|at| self.words.characters(at, n)).sum())
    }

    /// The words that any n-gram of two words or more covers which occurs more than once.
    pub fn covered(&mut self, n: usize) -> Size {
        self.count_spaced(n);
        self.cover(n, |candidate| self.seen.entry(candidate.place).count > 1)
    }

    /// The words that the most frequent n-gram of two words or more covers, if it occurs more than once; of several the one
    /// with the most bytes, and of these the first.
    pub fn covered_by_top(&mut self, n: usize) -> Size {
        self.count_spaced(n);
        let most = self.best.count.max(2);
        let tops = self.candidates.iter().rev().filter(|candidate| self.seen.entry(candidate.place).count == most);
        let longest = tops.max_by_key(|candidate| self.words.size(candidate.at as usize, n).bytes);
        longest.map_or(Size::default(), |longest| self.cover(n, |candidate| candidate.place == longest.place))
    }

    /// The words that some of the counted n-grams cover.
    fn cover(&self, n: usize, is_chosen: impl Fn(&Candidate) -> bool) -> Size {
        let (mut sum, mut end) = (Size::default(), 0);
        for candidate in self.candidates.iter().filter(|candidate| is_chosen(candidate)) {
            let at = candidate.at as usize;
            let from = at.max(end);
            let size = self.words.size(from, (at + n).saturating_sub(from));
            sum = Size { characters: sum.characters + size.characters, bytes: sum.bytes + size.bytes };
            end = at + n;
        }
        sum
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
            let bytes_of = |at: usize| words[at].len() as u64;
            let text = words.join(" ");
            let mut begin = 0;
            let places = words.iter().map(|word| {
                let place = (begin, begin + word.len() as u32);
                begin = place.1 + 1;
                place
            });
            let mut own = Ngrams::default();
            own.set(&text, &places.collect::<Vec<_>>());
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
            let size = |words: &BTreeSet<usize>| Size {
                characters: words.iter().map(|at| characters(*at, 1)).sum::<u64>(),
                bytes: words.iter().map(|at| bytes_of(*at)).sum(),
            };
            let spaced = joined(&words, n, " ");
            let length = |(_, (_, at)): &(&String, &(u64, usize))| (*at..at + n).map(bytes_of).sum::<u64>();
            let top = counts.iter().filter(|(_, (count, _))| *count > 1 && Some(*count) == most);
            let top = top.max_by_key(|counted| (length(counted), std::cmp::Reverse(counted.1.1))).map(|(gram, _)| gram);
            let begins = (0..spaced.len()).filter(|at| Some(&spaced[*at]) == top);
            prop_assert_eq!(own.covered_by_top(n), size(&begins.flat_map(|at| at..at + n).collect()));
            let n = n + 3;
            let grams = joined(&words, n, " ");
            let counts = counted(&grams);
            let mut covered = BTreeSet::new();
            for (at, gram) in grams.iter().enumerate() {
                if counts[gram].0 > 1 {
                    covered.extend(at..at + n);
                }
            }
            prop_assert_eq!(own.covered(n), size(&covered));
            let all = |least: u64| counts.values().filter(move |(count, _)| *count >= least);
            let sum = |least: u64| all(least).map(|(count, at)| count * characters(*at, n)).sum::<u64>();
            prop_assert_eq!(own.copied(n), (sum(2), sum(1)));
            for n in [n, n + 2, 10] {
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
}
