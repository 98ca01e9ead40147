//! Text → its negative log probability in each language, script by script. One look-up a letter, or one a word if the
//! thread's cache has the word: half of all text consists of some hundred words. Used by language-table as well.

use std::cell::RefCell;
use std::ops::Range;

use super::hash::{END, NARROW, ORDER, SKIPPED, WIDE};
use super::table::{BATCH, Ngram, NgramRows, NgramTable};
use super::tables::{FIRST_NARROW, FIRST_OWN, LATIN_TABLES, NARROW_TABLES, OWN_SCRIPTS, WIDE_TABLES};
use crate::text::swar;

/// The score of a text in the languages of one table.
#[derive(Debug, Clone, Copy)]
pub struct ScriptScore<const W: usize> {
    /// Number of letters.
    pub letters: u32,
    /// Number of letters and word ends, each of which has a probability.
    pub steps: u32,
    /// Negative log probability of the text in each language, in steps of 1/16.
    pub neg_log_probs: [u32; W],
}

/// The scores of a text by all tables, and its number of letters in the scripts that have none.
#[derive(Debug, Clone)]
pub struct TextScores {
    /// Number of tables of Latin script that the text has been scored by: the first, or all.
    pub latin_tables: usize,
    pub wide: [ScriptScore<WIDE>; WIDE_TABLES.len()],
    pub narrow: [ScriptScore<NARROW>; NARROW_TABLES.len()],
    /// Letters of the scripts without n-grams, by the script's number less that of the first of them.
    pub others: [u32; OWN_SCRIPTS.len() + 1],
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
    /// One for each table of Latin script; the first has the words of the other wide tables as well.
    wide: [WordCache<WIDE>; LATIN_TABLES],
    narrow: WordCache<NARROW>,
    /// Letters of the word that is being read.
    word: Vec<u8>,
}

/// Scores a text in all languages but those of the further tables of Latin script.
pub fn score(table: &NgramTable, text: &str) -> TextScores {
    with_cache(|cache| {
        let mut scores = TextScores::NONE;
        scores.read(table, cache, text, 0..1);
        scores
    })
}

/// Scores a text in the languages of the further tables of Latin script, once.
pub fn score_rest(table: &NgramTable, text: &str, scores: &mut TextScores) {
    with_cache(|cache| scores.read(table, cache, text, scores.latin_tables..LATIN_TABLES));
}

fn with_cache<T>(score: impl FnOnce(&mut ThreadCache) -> T) -> T {
    thread_local! {
        static CACHE: RefCell<ThreadCache> = RefCell::new(ThreadCache::new());
    }
    CACHE.with_borrow_mut(score)
}

impl ThreadCache {
    fn new() -> ThreadCache {
        let wide = [(); LATIN_TABLES].map(|()| WordCache::new());
        ThreadCache { wide, narrow: WordCache::new(), word: Vec::new() }
    }
}

impl TextScores {
    const NONE: TextScores = TextScores {
        latin_tables: 0,
        wide: [ScriptScore::NONE; WIDE_TABLES.len()],
        narrow: [ScriptScore::NONE; NARROW_TABLES.len()],
        others: [0; OWN_SCRIPTS.len() + 1],
    };

    /// Adds the scores of a text's words by these tables of Latin script; with the first of them, by all tables of other
    /// scripts.
    fn read(&mut self, table: &NgramTable, cache: &mut ThreadCache, text: &str, latin: Range<usize>) {
        // Letters of an unfinished word stay behind if scoring an earlier text panicked.
        cache.word.clear();
        self.latin_tables = latin.end;
        let mut ascii = [AsciiWords::NONE; LATIN_TABLES];
        let mut at = 0;
        while at < text.len() {
            match AsciiWord::first(text.as_bytes(), at) {
                Some(word) if word.length > 0 => {
                    let scores = self.wide.iter_mut().zip(&mut cache.wide).zip(&table.wide).zip(&mut ascii);
                    for (((score, cache), rows), ascii) in scores.take(latin.end).skip(latin.start) {
                        score.letters += word.length as u32;
                        score.steps += word.length as u32 + 1;
                        ascii.add(cache.ascii_word(table, rows, &word), score);
                    }
                    at += word.length;
                }
                Some(_) => at += 1,
                None => at += self.any_words(table, cache, text.get(at..).unwrap_or_default(), &latin),
            }
        }
        ascii.iter_mut().zip(&mut self.wide).for_each(|(ascii, score)| ascii.flush(score));
    }

    /// Adds the scores of the words that a text begins with, up to the first character that is no letter. Returns the
    /// number of bytes read, with that character.
    fn any_words(&mut self, table: &NgramTable, cache: &mut ThreadCache, text: &str, latin: &Range<usize>) -> usize {
        let (mut script_of_word, mut length) = (0, 0);
        for c in text.chars() {
            length += c.len_utf8();
            let (script, letter) = table.letter(c);
            match letter {
                0 => break,
                SKIPPED => continue,
                _ => {}
            }
            if script != script_of_word {
                self.end_word(table, cache, script_of_word, latin);
                script_of_word = script;
            }
            cache.word.push(letter);
        }
        self.end_word(table, cache, script_of_word, latin);
        length.max(1)
    }

    /// Adds the score of the word that has been read, if any.
    fn end_word(&mut self, table: &NgramTable, cache: &mut ThreadCache, script: u8, latin: &Range<usize>) {
        let ThreadCache { wide: caches, narrow, word } = cache;
        let place = usize::from(script);
        let scores = self.wide.iter_mut().zip(&table.wide);
        match place {
            _ if word.is_empty() => {}
            0 => {
                for ((score, rows), cache) in scores.zip(caches).take(latin.end).skip(latin.start) {
                    score.add_word(rows, cache, script, word);
                }
            }
            _ if latin.start > 0 => {}
            1..FIRST_NARROW => {
                let score = scores.skip(LATIN_TABLES - 1).nth(place);
                let words = score.zip(caches.first_mut());
                words.into_iter().for_each(|((score, rows), cache)| score.add_word(rows, cache, script, word));
            }
            FIRST_NARROW..FIRST_OWN => {
                let score = self.narrow.iter_mut().zip(&table.narrow).nth(place - FIRST_NARROW);
                score.into_iter().for_each(|(score, rows)| score.add_word(rows, narrow, script, word));
            }
            _ => {
                let letters = self.others.get_mut(place - FIRST_OWN);
                letters.into_iter().for_each(|letters| *letters += word.len() as u32);
            }
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
#[derive(Clone, Copy)]
struct AsciiWords {
    neg_log_probs: [u16; WIDE],
    words: u32,
}

impl AsciiWords {
    const NONE: AsciiWords = AsciiWords { neg_log_probs: [0; WIDE], words: 0 };

    fn add(&mut self, word: &[u16; WIDE], score: &mut ScriptScore<WIDE>) {
        if self.words == SMALL_SUM {
            self.flush(score);
        }
        self.neg_log_probs.iter_mut().zip(word).for_each(|(sum, &nlp)| *sum += nlp);
        self.words += 1;
    }

    fn flush(&mut self, score: &mut ScriptScore<WIDE>) {
        score.add(&self.neg_log_probs);
        *self = AsciiWords::NONE;
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
    fn ascii_word(&mut self, table: &NgramTable, rows: &NgramRows<WIDE>, word: &AsciiWord) -> &[u16; WIDE] {
        const ASCII: u128 = 0xff << 120;
        self.of_key(ASCII | word.letters, |nlps| {
            let mut letters = word.letters.to_le_bytes();
            letters.iter_mut().for_each(|letter| *letter = table.letter(char::from(*letter)).1);
            let letters = letters.get(..word.length).unwrap_or_default();
            each_batch(letters, |grams| *nlps = rows.sum(grams));
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

    use super::super::FILES;
    use super::*;

    fn read(cache: &mut ThreadCache, text: &str) -> TextScores {
        let mut scores = TextScores::NONE;
        scores.read(&NgramTable::read(FILES), cache, text, 0..1);
        scores.read(&NgramTable::read(FILES), cache, text, 1..LATIN_TABLES);
        scores
    }

    /// The scores of a text, each word with empty caches.
    fn uncached(table: &NgramTable, text: &str) -> TextScores {
        let mut scores = TextScores::NONE;
        for word in text.split_inclusive(|c| table.letter(c).1 == 0) {
            let one = read(&mut ThreadCache::new(), word);
            let add = |to: &mut [u32], from: &[u32]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            for (to, from) in scores.wide.iter_mut().zip(&one.wide) {
                add(&mut to.neg_log_probs, &from.neg_log_probs);
            }
            for (to, from) in scores.narrow.iter_mut().zip(&one.narrow) {
                add(&mut to.neg_log_probs, &from.neg_log_probs);
            }
            add(&mut scores.others, &one.others);
        }
        scores
    }

    #[test]
    fn letters_left_behind_by_a_panic_do_not_count() {
        let mut cache = ThreadCache::new();
        cache.word = vec![7, 8, 9];
        let (found, expected) = (read(&mut cache, "a word"), read(&mut ThreadCache::new(), "a word"));
        for (found, expected) in found.wide.iter().zip(&expected.wide) {
            assert_eq!((found.letters, found.steps), (expected.letters, expected.steps));
            assert_eq!(found.neg_log_probs, expected.neg_log_probs);
        }
    }

    #[test]
    fn words_are_read_without_skipped_marks() {
        let (with, without) =
            (read(&mut ThreadCache::new(), "ٱلْعَرَبِيَّة e\u{301}te"), read(&mut ThreadCache::new(), "ٱلعربية ete"));
        assert!(with.wide.iter().zip(&without.wide).all(|(a, b)| a.neg_log_probs == b.neg_log_probs));
    }

    proptest! {
        #[test]
        fn a_cached_word_has_the_score_of_an_uncached_one(text in "([a-cé]{1,3} |[абв]{1,2}|[a-z]{14,17}|[山가नि] ?){0,60}") {
            let table = NgramTable::read(FILES);
            let mut one = score(&table, &text);
            score_rest(&table, &text, &mut one);
            let other = uncached(&table, &text);
            prop_assert_eq!(one.wide.map(|score| score.neg_log_probs), other.wide.map(|score| score.neg_log_probs));
            prop_assert_eq!(one.narrow.map(|score| score.neg_log_probs), other.narrow.map(|score| score.neg_log_probs));
            prop_assert_eq!(one.others, other.others);
        }
    }
}
