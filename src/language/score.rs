//! Text → its negative log probability in each language, script by script. One look-up a letter, or one a word if the
//! thread's cache has the word: half of all text consists of some hundred words. Used by language-table as well.

use std::cell::RefCell;

use super::hash::{END, NARROW, ORDER, WIDE};
use super::script::{Script, TABLED};
use super::table::{BATCH, Ngram, NgramRows, NgramTable};
use crate::text::swar;

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
/// Words whose negative log probabilities have a sum that fits into sixteen bits: each is the sum of at most [`BATCH`]
/// bytes.
const SMALL_SUM: u32 = (u16::MAX as usize / (BATCH * u8::MAX as usize)) as u32;

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
        let mut ascii = AsciiWords { neg_log_probs: [0; WIDE], words: 0 };
        let mut at = 0;
        while at < text.len() {
            match AsciiWord::first(text.as_bytes(), at) {
                Some(word) if word.length > 0 => {
                    scores.wide.letters += word.length as u32;
                    scores.wide.steps += word.length as u32 + 1;
                    ascii.add(cache.wide.ascii_word(table, &word), &mut scores.wide);
                    at += word.length;
                }
                Some(_) => at += 1,
                None => at += scores.any_words(table, cache, text.get(at..).unwrap_or_default()),
            }
        }
        ascii.flush(&mut scores.wide);
        scores
    }

    /// Adds the scores of the words that a text begins with, up to the first character that is no letter. Returns the
    /// number of bytes read, with that character.
    fn any_words(&mut self, table: &NgramTable, cache: &mut ThreadCache, text: &str) -> usize {
        let (mut script_of_word, mut length) = (0, 0);
        for c in text.chars() {
            length += c.len_utf8();
            let (script, letter) = table.letter(c);
            if letter == 0 {
                break;
            }
            if script != script_of_word {
                self.end_word(table, cache, script_of_word);
                script_of_word = script;
            }
            cache.word.push(letter);
        }
        self.end_word(table, cache, script_of_word);
        length.max(1)
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

/// A word of ASCII letters only.
struct AsciiWord {
    /// Its letters in lower case, the first in the lowest byte.
    letters: u128,
    length: usize,
}

impl AsciiWord {
    /// The word at an offset of a text; empty if another ASCII character is there. None if the word has other letters or
    /// may have, or more than can be cached.
    #[inline]
    fn first(text: &[u8], at: usize) -> Option<AsciiWord> {
        let (low, length, end) = AsciiWord::letters(text, at);
        if length < 8 {
            return end.is_ascii().then_some(AsciiWord { letters: u128::from(low), length });
        }
        let (high, more, end) = AsciiWord::letters(text, at + 8);
        let letters = u128::from(high) << 64 | u128::from(low);
        (more < 8 && end.is_ascii()).then_some(AsciiWord { letters, length: length + more })
    }

    /// The letters among the eight bytes from an offset, up to the first that is none; how many they are, and that byte.
    #[inline]
    fn letters(text: &[u8], at: usize) -> (u64, usize, u8) {
        let eight = swar::load(text, at);
        let length = swar::before(swar::others(swar::letters(eight)));
        let end = if length < 8 { (eight >> (8 * length)) as u8 } else { 0 };
        (swar::lower_case(swar::first(eight, length)), length, end)
    }
}

/// Negative log probabilities of some words, not yet added to a score.
struct AsciiWords {
    neg_log_probs: [u16; WIDE],
    words: u32,
}

impl AsciiWords {
    fn add(&mut self, word: &[u16; WIDE], score: &mut ScriptScore<WIDE>) {
        if self.words == SMALL_SUM {
            self.flush(score);
        }
        self.neg_log_probs.iter_mut().zip(word).for_each(|(sum, &nlp)| *sum += nlp);
        self.words += 1;
    }

    fn flush(&mut self, score: &mut ScriptScore<WIDE>) {
        score.add(&self.neg_log_probs);
        *self = AsciiWords { neg_log_probs: [0; WIDE], words: 0 };
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
        self.of_key(key, |nlps| each_batch(letters, |grams| *nlps = rows.sum(grams)))
    }

    /// What is cached under a key; `fill` is called if that is nothing.
    #[inline]
    fn of_key(&mut self, key: u128, fill: impl FnOnce(&mut [u16; W])) -> &[u16; W] {
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let slot = (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize % CACHED_WORDS;
        let (Some(word), Some(nlps)) = (self.words.get_mut(slot), self.neg_log_probs.get_mut(slot)) else {
            return &[0; W];
        };
        if *word != key {
            *word = key;
            fill(nlps);
        }
        nlps
    }
}

impl WordCache<WIDE> {
    /// The negative log probabilities of a word of ASCII letters. Its key has a highest byte that is no script, so that
    /// it is none of a word by letter bytes.
    #[inline]
    fn ascii_word(&mut self, table: &NgramTable, word: &AsciiWord) -> &[u16; WIDE] {
        const ASCII: u128 = 0xff << 120;
        self.of_key(ASCII | word.letters, |nlps| {
            let mut letters = word.letters.to_le_bytes();
            letters.iter_mut().for_each(|letter| *letter = table.letter(char::from(*letter)).1);
            let letters = letters.get(..word.length).unwrap_or_default();
            each_batch(letters, |grams| *nlps = table.wide.sum(grams));
        })
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
