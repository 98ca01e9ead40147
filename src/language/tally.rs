//! Text → what it costs in each language, script by script. One pass, one look-up a letter.

use super::hash::{END, NARROW, ORDER, WIDE, last};
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

impl<const W: usize> Tally<W> {
    const NONE: Tally<W> = Tally { letters: 0, steps: 0, costs: [0; W] };

    /// At most [`BATCH`] n-grams: their sums fit into sixteen bits.
    fn add(&mut self, rows: &Rows<W>, grams: &[Gram]) {
        let mut costs = [0; W];
        rows.add(grams, &mut costs);
        self.costs.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += u32::from(cost));
        self.steps += grams.len() as u32;
        self.letters += grams.iter().filter(|gram| last(gram.key, 1) != u64::from(END)).count() as u32;
    }
}

/// A text's costs in all scripts with n-grams, and its letters in the others.
#[derive(Debug, Clone)]
pub struct Tallies {
    pub wide: Tally<WIDE>,
    pub narrow: [Tally<NARROW>; TABLED.len() - 1],
    /// By the script's number, less that of the first without n-grams.
    pub others: [u32; 4],
}

/// N-grams of one script that are not looked up yet, and the letters so far of the word that is being read.
struct Waiting {
    script: u8,
    grams: [Gram; BATCH],
    count: usize,
    word: Gram,
}

pub fn tally(table: &Table, text: &str) -> Tallies {
    let mut tallies = Tallies { wide: Tally::NONE, narrow: [Tally::NONE; TABLED.len() - 1], others: [0; 4] };
    let mut waiting = Waiting { script: 0, grams: [Gram::default(); BATCH], count: 0, word: Gram::default() };
    for c in text.chars() {
        let (script, letter) = table.letter(c);
        if waiting.word.order > 0 && (letter == 0 || script != waiting.script) {
            tallies.step(table, &mut waiting, END);
            waiting.word = Gram::default();
        }
        if letter > 0 {
            if script != waiting.script {
                tallies.settle(table, &mut waiting);
                waiting.script = script;
            }
            tallies.step(table, &mut waiting, letter);
        }
    }
    if waiting.word.order > 0 {
        tallies.step(table, &mut waiting, END);
    }
    tallies.settle(table, &mut waiting);
    tallies
}

impl Tallies {
    #[inline]
    fn step(&mut self, table: &Table, waiting: &mut Waiting, letter: u8) {
        let word = &mut waiting.word;
        *word = Gram { key: word.key << 8 | u64::from(letter), order: (word.order + 1).min(ORDER as u8) };
        if let Some(place) = waiting.grams.get_mut(waiting.count) {
            *place = *word;
        }
        waiting.count += 1;
        if waiting.count == BATCH {
            self.settle(table, waiting);
        }
    }

    fn settle(&mut self, table: &Table, waiting: &mut Waiting) {
        let script = usize::from(waiting.script);
        let grams = waiting.grams.get(..std::mem::take(&mut waiting.count)).unwrap_or(&[]);
        if script == 0 {
            self.wide.add(&table.wide, grams);
        } else if let (Some(tally), Some(rows)) = (self.narrow.get_mut(script - 1), table.narrow.get(script - 1)) {
            tally.add(rows, grams);
        } else if let Some(letters) = self.others.get_mut(script - Script::Hangul as usize) {
            *letters += grams.iter().filter(|gram| last(gram.key, 1) != u64::from(END)).count() as u32;
        }
    }
}
