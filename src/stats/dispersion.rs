//! Dispersion: how evenly a word is spread over the parts of a corpus. A word of one site or one long document is
//! frequent and badly dispersed.
//!
//! - *D* (Juilland and Chang-Rodríguez, *Frequency dictionary of Spanish words*, 1964): `1 − V / √(n − 1)`, where V is the
//!   coefficient of variation of the word's frequencies in the n parts: their standard deviation (of the population) divided
//!   by their mean. It was made for parts of one size, so the frequencies are relative ones. 1 is even, 0 is a
//!   word of one part.
//! - *DP* (Gries, *Dispersions and adjusted frequencies in corpora*, International Journal of Corpus Linguistics 13:4,
//!   2008): `½ Σ |share of the word's occurrences in a part − share of the corpus in it|`. 0 is even. Its greatest value
//!   is 1 − the share of the smallest part; divided by that it is the normalised DP, 0 to 1 (Lijffijt and Gries,
//!   *Correction to Stefan Th. Gries' "Dispersions and adjusted frequencies in corpora"*, 2012).
//!
//! Parts without a word of the language are none of its parts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use clap::ValueEnum;

use super::grouped::GroupedRow;
use crate::document::Document;
use crate::hash::hash64;
use crate::order::compare_by_order;
use crate::select::sample::record_hash;
use crate::store::key_counts::KeyCount;

/// Most parts of a corpus.
pub const MAX_PARTS: u32 = 1000;

// What stays together when a corpus is dealt into parts. Not a doc comment, because clap would show it in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum PartUnit {
    /// Documents are dealt one by one
    #[default]
    Document,
    /// All documents of a host are in one part, so that words of one site are badly dispersed
    Host,
}

impl PartUnit {
    /// The part of a document, from 0. It is told by a hash, so that it does not depend on shards and tasks.
    pub fn part(self, document: &Document, parts: u32) -> u32 {
        let hash = match self {
            PartUnit::Document => record_hash(document),
            PartUnit::Host => hash64(document.host.as_bytes()),
        };
        (hash % u64::from(parts.max(1))) as u32
    }
}

/// The dispersion of a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dispersion {
    /// Juilland's D; `None` for a corpus of one part.
    pub juilland_d: Option<f64>,
    /// Gries' DP.
    pub dp: f64,
    /// The normalised DP; `None` for a corpus of one part.
    pub dp_norm: Option<f64>,
}

/// The sizes of the parts of a corpus, and what is the same for all words.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Running words of each part; none is 0.
    sizes: BTreeMap<u32, u64>,
    words: u64,
    smallest: u64,
}

impl Parts {
    pub fn new(sizes: &BTreeMap<u32, u64>) -> Parts {
        let sizes: BTreeMap<u32, u64> = sizes.iter().filter(|(_, words)| **words > 0).map(|(p, w)| (*p, *w)).collect();
        let smallest = sizes.values().min().copied().unwrap_or(0);
        Parts { words: sizes.values().sum(), smallest, sizes }
    }

    /// The dispersion of a word by its counts in the parts that have it.
    pub fn dispersion(&self, counts: &[(u32, KeyCount)]) -> Dispersion {
        let parts = self.sizes.len() as f64;
        let total: u64 = counts.iter().map(|(_, count)| count.count).sum();
        let share = |words: u64| words as f64 / self.words.max(1) as f64;
        // The parts that have the word; the others add 0 to the sums of frequencies, and their share to the differences.
        let (mut sum, mut squares, mut differences, mut shares) = (0.0, 0.0, 0.0, 0.0);
        for (part, count) in counts {
            let size = self.sizes.get(part).copied().unwrap_or(0);
            let relative = count.count as f64 / size.max(1) as f64;
            sum += relative;
            squares += relative * relative;
            differences += (count.count as f64 / total.max(1) as f64 - share(size)).abs();
            shares += share(size);
        }
        let mean = sum / parts;
        let deviation = (squares / parts - mean * mean).max(0.0).sqrt();
        let dp = (differences + (1.0 - shares).max(0.0)) / 2.0;
        let several = self.sizes.len() > 1;
        Dispersion {
            // Without the last step, rounding shows 0 as -0.
            juilland_d: several.then(|| (1.0 - deviation / mean / (parts - 1.0).sqrt()).max(0.0) + 0.0),
            dp,
            dp_norm: several.then(|| dp / (1.0 - share(self.smallest))),
        }
    }
}

/// A row of a list of dispersion. Ordered as the rows of frequency lists are.
#[derive(Debug, Clone)]
pub struct DispersedWord {
    /// The word and its counts; without those of its parts, which may be many.
    pub row: GroupedRow,
    /// Number of parts that have it.
    pub parts: usize,
    pub dispersion: Dispersion,
}

impl DispersedWord {
    pub fn new(mut row: GroupedRow, parts: &Parts) -> DispersedWord {
        let counts = std::mem::take(&mut row.groups);
        DispersedWord { row, parts: counts.len(), dispersion: parts.dispersion(&counts) }
    }
}

impl Ord for DispersedWord {
    fn cmp(&self, other: &DispersedWord) -> Ordering {
        self.row.cmp(&other.row)
    }
}

compare_by_order!(DispersedWord);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(sizes: &[u64], counts: &[u64]) -> Dispersion {
        let parts = Parts::new(&(0..).zip(sizes.iter().copied()).collect());
        let present = (0..).zip(counts).filter(|(_, count)| **count > 0);
        let counts: Vec<_> = present.map(|(part, count)| (part, KeyCount { count: *count, documents: 1 })).collect();
        parts.dispersion(&counts)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    /// The example of Gries 2008: five parts of 50 words together, the word `a` with 1, 2, 3, 4 and 5 occurrences: DP is
    /// 0.18, and D from frequencies relative to the parts 0.785.
    #[test]
    fn the_example_of_gries() {
        let a = of(&[9, 10, 10, 10, 11], &[1, 2, 3, 4, 5]);
        assert!(near(a.dp, 0.18), "{a:?}");
        assert!(near(a.dp_norm.unwrap(), 0.18 / (1.0 - 9.0 / 50.0)));
        assert_eq!(format!("{:.3}", a.juilland_d.unwrap()), "0.785");
    }

    #[test]
    fn even_and_uneven_words() {
        let even = of(&[10, 30, 20], &[1, 3, 2]);
        assert!(near(even.juilland_d.unwrap(), 1.0) && near(even.dp, 0.0));
        let single = of(&[10, 10, 10, 10], &[0, 7, 0, 0]);
        assert!(near(single.juilland_d.unwrap(), 0.0) && near(single.dp, 0.75) && near(single.dp_norm.unwrap(), 1.0));
        assert_eq!(of(&[10, 0], &[3, 0]), Dispersion { juilland_d: None, dp: 0.0, dp_norm: None });
    }

    /// The formulas as they are printed, over all parts.
    fn reference(sizes: &[u64], counts: &[u64]) -> (f64, f64) {
        let parts = sizes.len() as f64;
        let (words, total) = (sizes.iter().sum::<u64>() as f64, counts.iter().sum::<u64>() as f64);
        let relative: Vec<f64> = counts.iter().zip(sizes).map(|(count, size)| *count as f64 / *size as f64).collect();
        let mean = relative.iter().sum::<f64>() / parts;
        let variance = relative.iter().map(|frequency| (frequency - mean).powi(2)).sum::<f64>() / parts;
        let difference = |(count, size): (&u64, &u64)| (*count as f64 / total - *size as f64 / words).abs();
        let dp = counts.iter().zip(sizes).map(difference).sum::<f64>() / 2.0;
        (1.0 - variance.sqrt() / mean / (parts - 1.0).sqrt(), dp)
    }

    proptest! {
        #[test]
        fn equals_the_printed_formulas(
            parts in prop::collection::vec((1u64..1000, 0u64..50), 2..30),
            first in 1u64..50,
        ) {
            let (sizes, mut counts): (Vec<u64>, Vec<u64>) = parts.into_iter().unzip();
            counts[0] = first;
            let (dispersion, (d, dp)) = (of(&sizes, &counts), reference(&sizes, &counts));
            prop_assert!((dispersion.juilland_d.unwrap() - d).abs() < 1e-6, "{dispersion:?} {d}");
            prop_assert!(near(dispersion.dp, dp), "{dispersion:?} {dp}");
        }
    }

    #[test]
    fn documents_are_dealt_evenly_and_sites_are_not_parted() {
        let document = |n: u32| Document { record_id: format!("urn:{n}"), host: "a.b".into(), ..Document::default() };
        let mut dealt = [0; 4];
        (0..400).for_each(|n| dealt[PartUnit::Document.part(&document(n), 4) as usize] += 1);
        assert!(dealt.iter().all(|count| (60..140).contains(count)), "{dealt:?}");
        // Records of ARC have no identifier.
        let document = |offset| Document { archive: "a.arc".into(), offset, ..Document::default() };
        let mut dealt = [0; 4];
        (0..400).for_each(|n| dealt[PartUnit::Document.part(&document(n), 4) as usize] += 1);
        assert!(dealt.iter().all(|count| (60..140).contains(count)), "{dealt:?}");
        let of_site = PartUnit::Host.part(&document(0), 1000);
        assert!((1..99).all(|n| PartUnit::Host.part(&document(n), 1000) == of_site));
    }
}
