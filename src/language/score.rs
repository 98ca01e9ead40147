//! Text → its negative log probability in each language, script by script. One look-up a letter, or one a word if the
//! thread's cache has the word: half of all text consists of some hundred words. Used by language-table as well.

use std::cell::RefCell;

use super::hash::{END, NARROW, ORDER, WIDE};
use super::script::{Script, TABLED};
use super::table::{BATCH, Ngram, NgramRows, NgramTable};

/// The score of a text in the languages of one script.
#[derive(Debug, Clone, Copy)]
pub struct ScriptScore<const W: usize> {
    /// Number of letters.
    pub letters: u32,
    /// Number of letters and word ends, each of which has a probability.
    pub steps: u32,
    /// Negative log probability of the text in each language, in steps of 1/16.
    pub neg_log_probs: [u32; W],
}

/// The scores of a text in all scripts with n-grams, and its number of letters in the others.
#[derive(Debug, Clone)]
pub struct TextScores {
    pub wide: ScriptScore<WIDE>,
    pub narrow: [ScriptScore<NARROW>; TABLED.len() - 1],
    /// Letters of the scripts without n-grams, by the script's number less that of the first of them.
    pub others: [u32; 4],
}

/// A direct-mapped cache from words to their negative log probabilities: of words with the same slot it keeps the last.
struct WordCache<const W: usize> {
    words: Vec<u128>,
    neg_log_probs: Vec<[u16; W]>,
}

/// Number of words in the cache of the first script, and in that of all others together. More would displace the table
/// from the processor's cache.
const CACHED_WORDS: usize = 1 << 13;
/// Most letters of a word that can be cached; with its end they are one batch.
const LONGEST_CACHED: usize = BATCH - 1;

/// Buffers that a thread keeps from text to text.
struct ThreadCache {
    wide: WordCache<WIDE>,
    narrow: WordCache<NARROW>,
    /// Letters of the word that is being read.
    word: Vec<u8>,
}

/// Scores a text in all languages.
pub fn score(table: &NgramTable, text: &str) -> TextScores {
    thread_local! {
        static CACHE: RefCell<ThreadCache> = RefCell::new(ThreadCache::new());
    }
    CACHE.with_borrow_mut(|cache| TextScores::of(table, cache, text))
}

impl ThreadCache {
    fn new() -> ThreadCache {
        ThreadCache { wide: WordCache::new(), narrow: WordCache::new(), word: Vec::new() }
    }
}

impl TextScores {
    fn of(table: &NgramTable, cache: &mut ThreadCache, text: &str) -> TextScores {
        // Letters of an unfinished word stay behind if scoring an earlier text panicked.
        cache.word.clear();
        let mut scores =
            TextScores { wide: ScriptScore::NONE, narrow: [ScriptScore::NONE; TABLED.len() - 1], others: [0; 4] };
        let mut script_of_word = 0;
        for c in text.chars() {
            let (script, letter) = table.letter(c);
            if letter == 0 || script != script_of_word {
                scores.end_word(table, cache, script_of_word);
                script_of_word = script;
            }
            if letter > 0 {
                cache.word.push(letter);
            }
        }
        scores.end_word(table, cache, script_of_word);
        scores
    }

    /// Adds the score of the word that has been read, if any.
    fn end_word(&mut self, table: &NgramTable, cache: &mut ThreadCache, script: u8) {
        let ThreadCache { wide, narrow, word } = cache;
        if word.is_empty() {
            return;
        }
        let place = usize::from(script);
        if place == 0 {
            self.wide.add_word(&table.wide, wide, script, word);
        } else if let (Some(score), Some(rows)) = (self.narrow.get_mut(place - 1), table.narrow.get(place - 1)) {
            score.add_word(rows, narrow, script, word);
        } else if let Some(letters) = self.others.get_mut(place - Script::Hangul as usize) {
            *letters += word.len() as u32;
        }
        word.clear();
    }
}

impl<const W: usize> ScriptScore<W> {
    const NONE: ScriptScore<W> = ScriptScore { letters: 0, steps: 0, neg_log_probs: [0; W] };

    fn add_word(&mut self, rows: &NgramRows<W>, cache: &mut WordCache<W>, script: u8, letters: &[u8]) {
        self.letters += letters.len() as u32;
        self.steps += letters.len() as u32 + 1;
        if letters.len() <= LONGEST_CACHED {
            self.add(cache.neg_log_probs(rows, script, letters));
        } else {
            each_batch(letters, |grams| self.add(&rows.sum(grams)));
        }
    }

    fn add(&mut self, neg_log_probs: &[u16; W]) {
        self.neg_log_probs.iter_mut().zip(neg_log_probs).for_each(|(sum, &nlp)| *sum += u32::from(nlp));
    }
}

impl<const W: usize> WordCache<W> {
    fn new() -> WordCache<W> {
        WordCache { words: vec![0; CACHED_WORDS], neg_log_probs: vec![[0; W]; CACHED_WORDS] }
    }

    /// The negative log probabilities of a word of at most [`LONGEST_CACHED`] letters, none of which is 0.
    fn neg_log_probs(&mut self, rows: &NgramRows<W>, script: u8, letters: &[u8]) -> &[u16; W] {
        let key = letters.iter().fold(u128::from(script), |key, &letter| key << 8 | u128::from(letter));
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let slot = (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize % CACHED_WORDS;
        let (Some(word), Some(nlps)) = (self.words.get_mut(slot), self.neg_log_probs.get_mut(slot)) else {
            return &[0; W];
        };
        if *word != key {
            *word = key;
            each_batch(letters, |grams| *nlps = rows.sum(grams));
        }
        nlps
    }
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
mod tests {
    use proptest::prelude::*;

    use super::super::TABLE;
    use super::*;

    /// The scores of a text, each word with empty caches.
    fn uncached(table: &NgramTable, text: &str) -> TextScores {
        let mut scores = TextScores::of(table, &mut ThreadCache::new(), "");
        for word in text.split_inclusive(|c| table.letter(c).1 == 0) {
            let one = TextScores::of(table, &mut ThreadCache::new(), word);
            let add = |to: &mut [u32], from: &[u32]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            add(&mut scores.wide.neg_log_probs, &one.wide.neg_log_probs);
            scores
                .narrow
                .iter_mut()
                .zip(one.narrow)
                .for_each(|(to, from)| add(&mut to.neg_log_probs, &from.neg_log_probs));
            add(&mut scores.others, &one.others);
        }
        scores
    }

    #[test]
    fn letters_left_behind_by_a_panic_do_not_count() {
        let table = NgramTable::read(TABLE);
        let mut cache = ThreadCache::new();
        cache.word = vec![7, 8, 9];
        let found = TextScores::of(&table, &mut cache, "a word");
        let expected = TextScores::of(&table, &mut ThreadCache::new(), "a word");
        assert_eq!((found.wide.letters, found.wide.steps), (expected.wide.letters, expected.wide.steps));
        assert_eq!(found.wide.neg_log_probs, expected.wide.neg_log_probs);
    }

    proptest! {
        #[test]
        fn a_cached_word_has_the_score_of_an_uncached_one(text in "([a-cé]{1,3} |[абв]{1,2}|[a-z]{14,17}|[山가] ?){0,60}") {
            let table = NgramTable::read(TABLE);
            let (one, other) = (score(&table, &text), uncached(&table, &text));
            prop_assert_eq!(one.wide.neg_log_probs, other.wide.neg_log_probs);
            prop_assert_eq!(one.narrow.map(|score| score.neg_log_probs), other.narrow.map(|score| score.neg_log_probs));
            prop_assert_eq!(one.others, other.others);
        }
    }
}
