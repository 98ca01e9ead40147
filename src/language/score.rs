//! Words → their negative log probability in each language of a table. One look-up a letter, or one a word if the thread's
//! cache has the word: half of all text consists of some hundred words. Used by language-table as well.

use std::cell::RefCell;

use super::hash::{END, NARROW, ORDER, WIDE};
use super::script::Script;
use super::table::{BATCH, Ngram, NgramRows, NgramTable};
use super::tables::{FIRST_NARROW, LATIN_TABLES};
use super::words::{ShortWord, TextWords};

/// The score of a text in the languages of one table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScriptScore<const W: usize> {
    /// Number of letters and word ends, each of which has a probability.
    pub steps: u32,
    /// Negative log probability of the text in each language, in steps of 1/16.
    pub neg_log_probs: [u32; W],
}

/// Scores a text by one table after the other, as its reader asks for them. Each thread has one, with buffers and caches
/// that it keeps from text to text.
pub struct Scorer {
    words: TextWords,
    /// One for each table of Latin script; the first has the words of the other wide tables as well.
    wide: [WordCache<WIDE>; LATIN_TABLES],
    narrow: WordCache<NARROW>,
}

/// A direct-mapped cache from words to their negative log probabilities: of words with the same slot it keeps the last.
struct WordCache<const W: usize> {
    words: Vec<ShortWord>,
    neg_log_probs: Vec<[u16; W]>,
}

/// Number of words in each cache. More would displace the table from the processor's cache.
const CACHED_WORDS: usize = 1 << 13;
/// Words whose negative log probabilities have a sum that fits into sixteen bits: each is the sum of at most [`BATCH`]
/// bytes.
const SMALL_SUM: usize = u16::MAX as usize / (BATCH * u8::MAX as usize);

impl Scorer {
    /// Calls a function with the thread's scorer.
    pub fn with<T>(call: impl FnOnce(&mut Scorer) -> T) -> T {
        thread_local! {
            static SCORER: RefCell<Scorer> = RefCell::new(Scorer::new());
        }
        SCORER.with_borrow_mut(call)
    }

    fn new() -> Scorer {
        let wide = [(); LATIN_TABLES].map(|()| WordCache::new());
        Scorer { words: TextWords::new(), wide, narrow: WordCache::new() }
    }

    /// Reads the text that is scored from here on. Returns its number of letters by the number of their script.
    pub fn read(&mut self, table: &NgramTable, text: &str) -> &[u32; Script::Other as usize + 1] {
        self.words.read(table, text);
        &self.words.letters
    }

    /// The score of the text's words in a script by a wide table, given its place among them. None if there is none.
    pub fn wide(&mut self, table: &NgramTable, place: usize) -> Option<ScriptScore<WIDE>> {
        // The tables of Latin script come first.
        let script = (place + 1).saturating_sub(LATIN_TABLES);
        let cache = self.wide.get_mut(if script == 0 { place } else { 0 })?;
        Some(cache.score(table, table.wide.get(place)?, &self.words, script as u8))
    }

    /// The same by a narrow table.
    pub fn narrow(&mut self, table: &NgramTable, place: usize) -> Option<ScriptScore<NARROW>> {
        let script = FIRST_NARROW + place;
        Some(self.narrow.score(table, table.narrow.get(place)?, &self.words, script as u8))
    }
}

impl<const W: usize> ScriptScore<W> {
    fn add(&mut self, neg_log_probs: &[u16; W]) {
        self.neg_log_probs.iter_mut().zip(neg_log_probs).for_each(|(sum, &nlp)| *sum += u32::from(nlp));
    }
}

impl<const W: usize> WordCache<W> {
    fn new() -> WordCache<W> {
        WordCache { words: vec![ShortWord::default(); CACHED_WORDS], neg_log_probs: vec![[0; W]; CACHED_WORDS] }
    }

    /// The score of the words of one script.
    fn score(&mut self, table: &NgramTable, rows: &NgramRows<W>, words: &TextWords, script: u8) -> ScriptScore<W> {
        let letters = words.letters.get(usize::from(script)).copied();
        let mut score = ScriptScore { steps: letters.unwrap_or(0), neg_log_probs: [0; W] };
        for some in words.short.chunks(SMALL_SUM) {
            let mut sum = [0; W];
            for &word in some.iter().filter(|word| word.script() == script) {
                let word = self.neg_log_probs(table, rows, word);
                sum.iter_mut().zip(word).for_each(|(sum, &nlp)| *sum += nlp);
                score.steps += 1;
            }
            score.add(&sum);
        }
        for letters in words.long(script) {
            each_batch(letters, |grams| score.add(&rows.sum(grams)));
            score.steps += 1;
        }
        score
    }

    /// The negative log probabilities of a word.
    #[inline]
    fn neg_log_probs(&mut self, table: &NgramTable, rows: &NgramRows<W>, word: ShortWord) -> &[u16; W] {
        let slot = slot(word);
        let (Some(cached), Some(nlps)) = (self.words.get_mut(slot), self.neg_log_probs.get_mut(slot)) else {
            return &[0; W];
        };
        if *cached != word {
            *cached = word;
            fill(table, rows, word, nlps);
        }
        nlps
    }
}

/// The place of a word in a cache. All of its letters count: in the highest bits of a product there are all of the
/// factors'.
#[inline]
fn slot(word: ShortWord) -> usize {
    let mixed = (word.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (word.0 >> 64) as u64;
    (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (u64::BITS - CACHED_WORDS.ilog2())) as usize
}

/// Looks up the negative log probabilities of a word that is not cached. Not inlined, because a look-up in the cache
/// should not compute anything for it.
#[cold]
#[inline(never)]
fn fill<const W: usize>(table: &NgramTable, rows: &NgramRows<W>, word: ShortWord, nlps: &mut [u16; W]) {
    let (letters, length) = word.letters(table);
    each_batch(letters.get(..length).unwrap_or_default(), |grams| *nlps = rows.sum(grams));
}

/// Calls `each` with the n-grams that end in each letter of a word and in its end, [`BATCH`] at a time.
fn each_batch(letters: &[u8], mut each: impl FnMut(&[Ngram])) {
    let (mut grams, mut count) = ([Ngram::default(); BATCH], 0);
    let mut gram = Ngram::default();
    for &letter in letters.iter().chain([&END]) {
        gram = Ngram { key: gram.key << 8 | u64::from(letter), order: (gram.order + 1).min(ORDER as u8) };
        if let Some(place) = grams.get_mut(count) {
            *place = gram;
        }
        count += 1;
        if count == BATCH {
            each(&grams);
            count = 0;
        }
    }
    if count > 0 {
        each(grams.get(..count).unwrap_or_default());
    }
}

#[cfg(test)]
pub mod tests {
    use proptest::prelude::*;

    use super::super::FILES;
    use super::super::tables::{NARROW_TABLES, WIDE_TABLES};
    use super::*;

    /// The scores of a text by all tables: steps and negative log probabilities.
    pub fn all_scores(scorer: &mut Scorer, text: &str) -> Vec<(u32, Vec<u32>)> {
        let table = NgramTable::read(FILES);
        scorer.read(&table, text);
        let wide = (0..WIDE_TABLES.len()).map(|place| scorer.wide(&table, place).unwrap());
        let mut all: Vec<_> = wide.map(|score| (score.steps, score.neg_log_probs.to_vec())).collect();
        let narrow = (0..NARROW_TABLES.len()).map(|place| scorer.narrow(&table, place).unwrap());
        all.extend(narrow.map(|score| (score.steps, score.neg_log_probs.to_vec())));
        all
    }

    /// The scores of a text, each word with empty caches.
    fn uncached(text: &str) -> Vec<(u32, Vec<u32>)> {
        let table = NgramTable::read(FILES);
        let mut scores = all_scores(&mut Scorer::new(), "");
        for word in text.split_inclusive(|c| table.letter(c).1 == 0) {
            for ((steps, nlps), (more, add)) in scores.iter_mut().zip(all_scores(&mut Scorer::new(), word)) {
                *steps += more;
                nlps.iter_mut().zip(add).for_each(|(nlp, add)| *nlp += add);
            }
        }
        scores
    }

    #[test]
    fn words_are_read_without_skipped_marks() {
        let score = |text| all_scores(&mut Scorer::new(), text);
        assert_eq!(score("ٱلْعَرَبِيَّة e\u{301}te"), score("ٱلعربية ete"));
    }

    #[test]
    fn words_with_equal_beginnings_or_ends_have_different_slots() {
        let table = NgramTable::read(FILES);
        let mut words = TextWords::new();
        words.read(&table, "computed computer computes aggregation segregation библиотека библиотеки потека");
        let mut slots: Vec<usize> = words.short.iter().map(|word| slot(*word)).collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 8);
    }

    proptest! {
        #[test]
        fn a_cached_word_has_the_score_of_an_uncached_one(text in "([a-cé]{1,3} |[абв]{1,2}|[a-z]{14,17}|[山가नि] ?){0,60}") {
            prop_assert_eq!(Scorer::with(|scorer| all_scores(scorer, &text)), uncached(&text));
        }
    }
}
