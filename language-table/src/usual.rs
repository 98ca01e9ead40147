//! What text usually costs in its own language, from sentences that its model has not seen.

use crate::score::{Scorer, ScriptScore};
use crate::table::NgramTable;
use crate::tables::WIDE_TABLES;

/// Shorter ones say little.
const LEAST_STEPS: u32 = 25;

/// A language and texts in it.
pub struct Known<'a> {
    /// Whether it is one of the languages of lingua, in which much more is written than in most others.
    pub frequent: bool,
    pub texts: Vec<&'a str>,
}

/// Logit by which a frequent language is more probable than others before a text is read. Higher ones are better for
/// sentences of frequent languages, and worse for those of the others.
const FREQUENT: f64 = 0.5;

/// For each language of each table what src/language/table.rs has of it: mean, variance and advantage, from its texts,
/// and prior.
pub fn usual(tables: &[Vec<Known>], files: &[Vec<u8>; 3]) -> Vec<u8> {
    let table = NgramTable::read(files.each_ref().map(|bytes| &*bytes.clone().leak()));
    let mut bytes = Vec::new();
    for (place, languages) in tables.iter().enumerate() {
        for (row, known) in languages.iter().enumerate() {
            let of = |text: &&str| {
                Scorer::with(|scorer| {
                    scorer.read(&table, text);
                    of_table(scorer, &table, place, row, languages.len())
                })
            };
            let costs: Vec<Own> = known.texts.iter().filter_map(of).filter(|own| own.steps >= LEAST_STEPS).collect();
            bytes.extend(moments(&costs));
            let prior = if known.frequent { FREQUENT } else { 0.0 };
            bytes.extend(fixed_point(prior));
        }
    }
    bytes
}

fn of_table(scorer: &mut Scorer, table: &NgramTable, place: usize, row: usize, languages: usize) -> Option<Own> {
    match place.checked_sub(WIDE_TABLES.len()) {
        None => own(&scorer.wide(table, place)?, row, languages),
        Some(place) => own(&scorer.narrow(table, place)?, row, languages),
    }
}

/// A sentence: its steps, what they cost in its language, and in the mean of all.
struct Own {
    steps: u32,
    cost: u32,
    mean: f64,
}

/// None where another language of the table is cheaper.
fn own<const W: usize>(score: &ScriptScore<W>, row: usize, languages: usize) -> Option<Own> {
    let costs = score.neg_log_probs.get(..languages)?;
    let cost = *costs.get(row)?;
    let mean = f64::from(costs.iter().sum::<u32>()) / languages as f64;
    costs.iter().all(|&other| cost <= other).then_some(Own { steps: score.steps, cost, mean })
}

/// Mean, variance and advantage, each sentence weighed by its steps.
fn moments(costs: &[Own]) -> [u8; 6] {
    let steps = f64::from(costs.iter().map(|own| own.steps).sum::<u32>()).max(1.0);
    let mean = f64::from(costs.iter().map(|own| own.cost).sum::<u32>()) / steps;
    let square = |own: &Own| {
        let off = f64::from(own.cost) / f64::from(own.steps) - mean;
        off * off * f64::from(own.steps)
    };
    let variance = costs.iter().map(square).sum::<f64>() / steps;
    let advantage = costs.iter().map(|own| own.mean - f64::from(own.cost)).sum::<f64>() / steps;
    let [[a, b], [c, d], [e, f]] = [mean, variance, advantage].map(fixed_point);
    [a, b, c, d, e, f]
}

/// A number in 1/256.
fn fixed_point(number: f64) -> [u8; 2] {
    ((number * 256.0).round() as u16).to_le_bytes()
}
