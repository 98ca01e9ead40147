//! What text usually costs in its own language, from sentences that its model has not seen.

use crate::models::Model;
use crate::score::{ScriptScore, score};
use crate::script::TABLED;
use crate::table::NgramTable;

/// Shorter ones say little.
const LEAST_STEPS: u32 = 25;

/// For each language mean, variance and advantage, as src/language/table.rs has them.
pub fn usual(models: &[Model], table: &[u8]) -> Vec<u8> {
    let table = NgramTable::read(Vec::leak(table.to_vec()));
    let mut bytes = Vec::new();
    for (script, (_, codes)) in TABLED.iter().enumerate() {
        for (row, code) in codes.split_whitespace().enumerate() {
            let model = models.iter().find(|model| model.code == code);
            let sentences = model.map_or(&[][..], |model| &model.sentences);
            let costs: Vec<Own> = sentences
                .iter()
                .filter_map(|sentence| {
                    let scores = score(&table, sentence);
                    let narrow = script.checked_sub(1).and_then(|place| scores.narrow.get(place));
                    let languages = codes.split_whitespace().count();
                    narrow.map_or_else(|| own(&scores.wide, row, languages), |score| own(score, row, languages))
                })
                .filter(|own| own.steps >= LEAST_STEPS)
                .collect();
            bytes.extend(moments(&costs));
        }
    }
    bytes
}

/// A sentence: its steps, what they cost in its language, and in the mean of all.
struct Own {
    steps: u32,
    cost: u32,
    mean: f64,
}

/// None where another language is cheaper.
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
    let [a, b] = ((mean * 256.0).round() as u16).to_le_bytes();
    let [c, d] = ((variance * 256.0).round() as u16).to_le_bytes();
    let [e, f] = ((advantage * 256.0).round() as u16).to_le_bytes();
    [a, b, c, d, e, f]
}
