//! Text → what it costs in each language, script by script. One look-up a letter, or one a word where a thread knows the
//! word already: half of all text is some hundred words.

use std::cell::RefCell;

use super::hash::{END, NARROW, ORDER, WIDE};
use super::script::{Script, TABLED};
use super::table::{BATCH, Gram, Rows, Table};

/// The costs of a text in the languages of one script.
#[derive(Debug, Clone, Copy)]
pub struct Tally<const W: usize> {
    /// Letters, and the letters and word ends that have a cost.
    pub letters: u32,
    pub steps: u32,
    pub costs: [u32; W],
}

/// A text's costs in all scripts with n-grams, and its letters in the others.
#[derive(Debug, Clone)]
pub struct Tallies {
    pub wide: Tally<WIDE>,
    pub narrow: [Tally<NARROW>; TABLED.len() - 1],
    /// By the script's number, less that of the first without n-grams.
    pub others: [u32; 4],
}

/// Words and what they cost, each at the one place that it can have: the last of those that share a place is known.
struct Known<const W: usize> {
    words: Vec<u128>,
    costs: Vec<[u16; W]>,
}

/// Words that a thread knows of the first script, and of all others together: as many as leave room in the cache for what
/// else is looked up.
const KNOWN: usize = 1 << 13;
/// Letters of a word that can be known; with its end it is one batch.
const LONGEST: usize = BATCH - 1;

/// What a thread keeps from text to text.
struct Memory {
    wide: Known<WIDE>,
    narrow: Known<NARROW>,
    /// Letters of the word that is being read.
    word: Vec<u8>,
}

pub fn tally(table: &Table, text: &str) -> Tallies {
    thread_local! {
        static MEMORY: RefCell<Memory> =
            RefCell::new(Memory { wide: Known::none(), narrow: Known::none(), word: Vec::new() });
    }
    MEMORY.with_borrow_mut(|memory| Tallies::of(table, memory, text))
}

impl Tallies {
    fn of(table: &Table, memory: &mut Memory, text: &str) -> Tallies {
        let mut tallies = Tallies { wide: Tally::NONE, narrow: [Tally::NONE; TABLED.len() - 1], others: [0; 4] };
        let mut of_word = 0;
        for c in text.chars() {
            let (script, letter) = table.letter(c);
            if letter == 0 || script != of_word {
                tallies.word(table, memory, of_word);
                of_word = script;
            }
            if letter > 0 {
                memory.word.push(letter);
            }
        }
        tallies.word(table, memory, of_word);
        tallies
    }

    /// The word is over.
    fn word(&mut self, table: &Table, memory: &mut Memory, script: u8) {
        let Memory { wide, narrow, word } = memory;
        if word.is_empty() {
            return;
        }
        let place = usize::from(script);
        if place == 0 {
            self.wide.word(&table.wide, wide, script, word);
        } else if let (Some(tally), Some(rows)) = (self.narrow.get_mut(place - 1), table.narrow.get(place - 1)) {
            tally.word(rows, narrow, script, word);
        } else if let Some(letters) = self.others.get_mut(place - Script::Hangul as usize) {
            *letters += word.len() as u32;
        }
        word.clear();
    }
}

impl<const W: usize> Tally<W> {
    const NONE: Tally<W> = Tally { letters: 0, steps: 0, costs: [0; W] };

    fn word(&mut self, rows: &Rows<W>, known: &mut Known<W>, script: u8, letters: &[u8]) {
        self.letters += letters.len() as u32;
        self.steps += letters.len() as u32 + 1;
        if letters.len() <= LONGEST {
            self.add(known.costs(rows, script, letters));
        } else {
            each_batch(letters, |grams| self.add(&rows.sum(grams)));
        }
    }

    fn add(&mut self, costs: &[u16; W]) {
        self.costs.iter_mut().zip(costs).for_each(|(sum, &cost)| *sum += u32::from(cost));
    }
}

impl<const W: usize> Known<W> {
    fn none() -> Known<W> {
        Known { words: vec![0; KNOWN], costs: vec![[0; W]; KNOWN] }
    }

    /// What the word costs; it has at most [`LONGEST`] letters, none of which is 0.
    fn costs(&mut self, rows: &Rows<W>, script: u8, letters: &[u8]) -> &[u16; W] {
        let key = letters.iter().fold(u128::from(script), |key, &letter| key << 8 | u128::from(letter));
        let mixed = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key >> 64) as u64;
        let place = (mixed.wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as usize % KNOWN;
        let (Some(word), Some(costs)) = (self.words.get_mut(place), self.costs.get_mut(place)) else { return &[0; W] };
        if *word != key {
            *word = key;
            each_batch(letters, |grams| *costs = rows.sum(grams));
        }
        costs
    }
}

/// The n-grams that end in each letter of a word and in its end, so many at a time.
fn each_batch(letters: &[u8], mut each: impl FnMut(&[Gram])) {
    let (mut grams, mut count) = ([Gram::default(); BATCH], 0);
    let mut gram = Gram::default();
    for &letter in letters.iter().chain([&END]) {
        gram = Gram { key: gram.key << 8 | u64::from(letter), order: (gram.order + 1).min(ORDER as u8) };
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

    /// Costs of all scripts, every word as if it were never seen.
    fn slowly(table: &Table, text: &str) -> Tallies {
        let mut memory = Memory { wide: Known::none(), narrow: Known::none(), word: Vec::new() };
        let mut tallies = Tallies::of(table, &mut memory, "");
        for word in text.split_inclusive(|c| table.letter(c).1 == 0) {
            let mut memory = Memory { wide: Known::none(), narrow: Known::none(), word: Vec::new() };
            let one = Tallies::of(table, &mut memory, word);
            let add = |to: &mut [u32], from: &[u32]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
            add(&mut tallies.wide.costs, &one.wide.costs);
            tallies.narrow.iter_mut().zip(one.narrow).for_each(|(to, from)| add(&mut to.costs, &from.costs));
            add(&mut tallies.others, &one.others);
        }
        tallies
    }

    proptest! {
        #[test]
        fn a_known_word_costs_what_it_cost(text in "([a-cé]{1,3} |[абв]{1,2}|[a-z]{14,17}|[山가] ?){0,60}") {
            let table = Table::read(TABLE);
            let (one, other) = (tally(&table, &text), slowly(&table, &text));
            prop_assert_eq!(one.wide.costs, other.wide.costs);
            prop_assert_eq!(one.narrow.map(|tally| tally.costs), other.narrow.map(|tally| tally.costs));
            prop_assert_eq!(one.others, other.others);
        }
    }
}
