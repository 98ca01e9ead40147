//! Counts → rows of costs: what the last letter of an n-gram costs after those before it, in each language.
//!
//! The cost of a letter is -ln of its probability in steps of 1/16, at most 255. Probabilities are interpolated
//! with absolute discounting (Ney, Essen and Kneser 1994): p(c|h) = max(n(hc) - d, 0) / n(h) + d followers(h) /
//! n(h) p(c|h'), where h' is h without its first letter, and p(c|h') where a language does not know h.
//!
//! An n-gram is kept where its row says something that the row of its longest kept ending does not: where the
//! difference, weighed by how often the n-gram stands in each language, reaches a threshold.

use fxhash::FxHashMap;

use crate::counts::{Counted, Counts};
use crate::hash::{END, ORDER, RARE, last};

const DISCOUNT: f64 = 0.75;
/// Probability of a letter that a language does not know: that of one letter among many.
const UNKNOWN: f64 = 1.0 / 3000.0;
/// Rough probability of the end of a word.
const ENDS: f64 = 0.15;
/// Cost of a letter that hardly any language of the script knows.
const RARE_COST: u8 = 160;

/// How much more it counts that an n-gram tells languages apart that are hard to tell apart.
const RELATIVES: f64 = 2.0;

/// Rows of `width` costs: one for each single letter byte, then those of the kept n-grams.
pub struct Rows {
    pub width: usize,
    pub single: Vec<u8>,
    pub kept: Vec<(u64, Vec<u8>)>,
}

/// The rows of a table; `relatives` are groups of languages, by place, that are hard to tell apart.
pub fn rows(counted: &Counted, relatives: &[Vec<usize>], threshold: f64) -> Rows {
    let width = counted.totals.len();
    let scale = Scale::new();
    let singles = singles(counted, width);
    let mut single: Vec<u8> = singles.iter().map(|&p| scale.cost(p)).collect();
    single.splice(usize::from(RARE) * width.., vec![RARE_COST; width]);
    let mut kept: FxHashMap<u64, Vec<u8>> = FxHashMap::default();
    let mut lower: FxHashMap<u64, Vec<f64>> =
        singles.chunks(width).zip(0..).map(|(row, id)| (id, row.to_vec())).collect();
    for order in 2..=ORDER {
        let (Some(counts), Some(heads)) = (counted.orders.get(order), counted.orders.get(order - 1)) else { break };
        let mut keys: Vec<(u64, u32)> = counts.rows.iter().map(|(&key, &row)| (key, row)).collect();
        keys.sort_unstable();
        let mut these = FxHashMap::default();
        for (key, row) in keys {
            let times = of(&counts.times, row, width);
            let Some(shorter) = lower.get(&last(key, order - 1)) else { continue };
            let probabilities = interpolate(times, head(heads, key >> 8, width), shorter);
            let costs: Vec<u8> = probabilities.iter().map(|&p| scale.cost(p)).collect();
            let fallback = fallback(&kept, &single, key, order, width);
            if worth(&costs, fallback, times, &counted.totals, relatives) >= threshold {
                kept.insert(key, costs);
            }
            if order < ORDER {
                these.insert(key, probabilities);
            }
        }
        lower = these;
    }
    let mut kept: Vec<(u64, Vec<u8>)> = kept.into_iter().collect();
    kept.sort_unstable();
    Rows { width, single, kept }
}

/// Probabilities of the single letters, a row for each of 256 bytes.
fn singles(counted: &Counted, width: usize) -> Vec<f64> {
    let counts = counted.orders.get(1);
    let known: Vec<f64> = (0..width)
        .map(|language| {
            let times = counts.map_or(&[][..], |counts| &counts.times);
            times.iter().skip(language).step_by(width).filter(|&&times| times > 0).count() as f64
        })
        .collect();
    let row = |id: u64| -> Vec<f64> {
        if id == u64::from(END) {
            return vec![ENDS; width];
        }
        let times = counts.and_then(|counts| Some(of(&counts.times, *counts.rows.get(&id)?, width)));
        let each = known.iter().zip(&counted.totals).enumerate();
        each.map(|(language, (&known, &total))| {
            let times = f64::from(times.and_then(|times| times.get(language)).copied().unwrap_or(0));
            ((times - DISCOUNT).max(0.0) + DISCOUNT * known * UNKNOWN) / f64::from(total)
        })
        .collect()
    };
    (0..256).flat_map(row).collect()
}

fn of(numbers: &[u32], row: u32, width: usize) -> &[u32] {
    numbers.get(row as usize * width..).and_then(|rest| rest.get(..width)).unwrap_or(&[])
}

/// Counts and followers of an n-gram's letters but the last.
fn head(heads: &Counts, key: u64, width: usize) -> (&[u32], &[u32]) {
    let Some(&row) = heads.rows.get(&key) else { return (&[], &[]) };
    (of(&heads.times, row, width), of(&heads.followers, row, width))
}

fn interpolate(times: &[u32], (heads, followers): (&[u32], &[u32]), shorter: &[f64]) -> Vec<f64> {
    let each = times.iter().zip(heads).zip(followers).zip(shorter);
    each.map(|(((&times, &head), &followers), &shorter)| {
        if head == 0 {
            return shorter;
        }
        let (times, head) = (f64::from(times), f64::from(head));
        (times - DISCOUNT).max(0.0) / head + DISCOUNT * f64::from(followers) / head * shorter
    })
    .collect()
}

/// The row that speaks for an n-gram that is not kept.
fn fallback<'a>(kept: &'a FxHashMap<u64, Vec<u8>>, single: &'a [u8], key: u64, order: usize, width: usize) -> &'a [u8] {
    let longest = (2..order).rev().find_map(|order| kept.get(&last(key, order)));
    longest.map_or_else(|| single.get(last(key, 1) as usize * width..).unwrap_or(&[]), Vec::as_slice)
}

/// Mean change of cost that a row makes, over the letters of all languages' texts. What all languages have in common
/// does not tell them apart, but a text of an unknown one from all of them: it counts a quarter.
fn worth(costs: &[u8], fallback: &[u8], times: &[u32], totals: &[u32], relatives: &[Vec<usize>]) -> f64 {
    let changes: Vec<f64> = costs.iter().zip(fallback).map(|(&new, &old)| f64::from(new) - f64::from(old)).collect();
    let shares: Vec<f64> =
        times.iter().zip(totals).map(|(&times, &total)| f64::from(times) / f64::from(total)).collect();
    let of = |values: &[f64], place: usize| values.get(place).copied().unwrap_or(0.0);
    let apart = |group: &[usize]| -> f64 {
        let mean = group.iter().map(|&place| of(&changes, place)).sum::<f64>() / group.len() as f64;
        group.iter().map(|&place| of(&shares, place) * (of(&changes, place) - mean).abs()).sum()
    };
    let everyone: Vec<usize> = (0..costs.len()).collect();
    let common: f64 = changes.iter().zip(&shares).map(|(change, share)| share * change.abs()).sum();
    let relatives: f64 = relatives.iter().map(|group| apart(group)).sum();
    apart(&everyone) + RELATIVES * relatives + 0.25 * common
}

/// Probability → cost, by comparison with the bounds between costs: no logarithm, whose last bits differ from one
/// system's mathematics library to another's.
struct Scale {
    bounds: Vec<f64>,
}

impl Scale {
    fn new() -> Scale {
        // e^(-1/32) and e^(-1/16)
        let mut bound = 0.969_233_234_476_344_1;
        let bounds = (0..255).map(|_| {
            let this = bound;
            bound *= 0.939_413_062_813_475_8;
            this
        });
        Scale { bounds: bounds.collect() }
    }

    fn cost(&self, probability: f64) -> u8 {
        self.bounds.partition_point(|&bound| probability < bound) as u8
    }
}
