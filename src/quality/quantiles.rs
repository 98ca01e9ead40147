//! Quantiles of signals by language: where the values of a corpus lie, and thresholds chosen by that instead of by the
//! numbers of a paper (as CulturaX does: Nguyen et al. 2024).

use std::collections::{BTreeMap, BinaryHeap};

use compact_str::{CompactString, ToCompactString};
use serde::{Deserialize, Serialize};

use super::signals::{SIGNALS, Signals};
use crate::language::Language;
use crate::order::compare_by_order;

/// The section of all languages together.
pub const ALL: &str = "all";

/// Names of the quantiles with the shares of documents that lie below them.
const QUANTILES: [(&str, f64); 7] =
    [("p5", 0.05), ("p10", 0.1), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95)];

/// Documents of a language that the quantiles are computed from, at most: those of the smallest ranks. A quantile is
/// then off by one percentage point at most, in 19 of 20 samples.
const SAMPLE: usize = 10_000;

/// Whether a word is the name of a quantile.
pub fn is_name(word: &str) -> bool {
    QUANTILES.iter().any(|(name, _)| *name == word)
}

/// Quantiles by language (ISO 639-3, or [`ALL`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Quantiles(BTreeMap<String, OfLanguage>);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct OfLanguage {
    /// Documents that were measured.
    documents: u64,
    /// By signal and name of the quantile. Signals without values are not there.
    #[serde(flatten)]
    signals: BTreeMap<CompactString, BTreeMap<CompactString, f64>>,
}

impl Quantiles {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The languages that have quantiles of their own.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A quantile of a signal in a language; that of all languages if the language has none.
    pub fn of(&self, language: &str, signal: &str, quantile: &str) -> Option<f64> {
        let own = |language| self.0.get(language)?.signals.get(signal)?.get(quantile).copied();
        own(language).or_else(|| own(ALL))
    }

    /// The quantiles by the codes of their languages, which other names stood for. A model may know more languages than the
    /// table, so what is no name stays.
    pub fn with_codes(self) -> Quantiles {
        let code = |name: String| match Language::by_name(&name) {
            Ok(language) if name != ALL => language.code().into(),
            _ => name,
        };
        Quantiles(self.0.into_iter().map(|(name, own)| (code(name), own)).collect())
    }

    /// Adds quantiles; they win over those before.
    pub fn extend(&mut self, later: Quantiles) {
        self.0.extend(later.0);
    }
}

/// Collects the signals of documents, and their scores by models.
#[derive(Debug, Default)]
pub struct Sample {
    models: Vec<String>,
    languages: BTreeMap<CompactString, OfRank>,
}

/// The documents of the smallest ranks, the greatest on top.
#[derive(Debug, Default)]
struct OfRank {
    documents: u64,
    chosen: BinaryHeap<Chosen>,
}

#[derive(Debug, Clone)]
struct Chosen {
    rank: u64,
    /// In the order of [`SIGNALS`] and of the models; NaN where a value is null.
    values: Box<[f64]>,
}

impl Sample {
    /// A sample of documents with scores by models of these names.
    pub fn new(models: Vec<String>) -> Sample {
        Sample { models, languages: BTreeMap::new() }
    }

    /// Adds a document in a language, with a score of each model. Its rank is a hash that chooses it or not.
    pub fn add(&mut self, language: &str, rank: u64, signals: &Signals, scores: &[Option<f64>]) {
        for language in [language, ALL] {
            let own = self.languages.entry(language.to_compact_string()).or_default();
            own.documents += 1;
            let is_full = own.chosen.len() >= SAMPLE;
            if is_full && own.chosen.peek().is_some_and(|last| last.rank <= rank) {
                continue;
            }
            let values = SIGNALS.iter().map(|(_, _, value)| value(signals)).chain(scores.iter().copied());
            own.chosen.push(Chosen { rank, values: values.map(|value| value.unwrap_or(f64::NAN)).collect() });
            if is_full {
                own.chosen.pop();
            }
        }
    }

    /// The quantiles of what was added.
    pub fn quantiles(&self) -> Quantiles {
        let of_language = |(language, own): (&CompactString, &OfRank)| {
            let names = SIGNALS.iter().map(|(name, ..)| *name).chain(self.models.iter().map(String::as_str));
            let signals = names.enumerate().filter_map(|(column, name)| {
                let values = own.chosen.iter().filter_map(|chosen| chosen.values.get(column).copied());
                let mut values: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
                values.sort_unstable_by(f64::total_cmp);
                let of = |(quantile, share): &(&str, f64)| Some(((*quantile).into(), interpolated(&values, *share)?));
                let quantiles: BTreeMap<_, _> = QUANTILES.iter().filter_map(of).collect();
                (!quantiles.is_empty()).then(|| (name.into(), quantiles))
            });
            (language.to_string(), OfLanguage { documents: own.documents, signals: signals.collect() })
        };
        Quantiles(self.languages.iter().map(of_language).collect())
    }
}

/// A quantile of sorted values, interpolated between neighbours (type 7 of Hyndman and Fan 1996, the default of NumPy).
fn interpolated(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let low = *sorted.get(below)?;
    let high = sorted.get(below + 1).copied().unwrap_or(low);
    Some(low + (high - low) * part)
}

impl Ord for Chosen {
    fn cmp(&self, other: &Chosen) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

compare_by_order!(Chosen);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;

    fn signals(words: u32) -> Signals {
        Signals { n_words: Some(words), ..Signals::default() }
    }

    #[test]
    fn values_between_neighbours_are_interpolated() {
        assert_eq!(interpolated(&[1.0, 2.0, 3.0, 4.0], 0.5), Some(2.5));
        assert_eq!(interpolated(&[1.0, 2.0, 3.0, 4.0], 0.95), Some(3.8499999999999996));
        assert_eq!(interpolated(&[7.0], 0.05), Some(7.0));
        assert_eq!(interpolated(&[], 0.5), None);
    }

    #[test]
    fn a_language_has_its_own_and_others_those_of_all() {
        let mut sample = Sample::default();
        (0..100).for_each(|n| sample.add(if n < 50 { "ces" } else { "deu" }, mix(n), &signals(n as u32), &[]));
        let quantiles = sample.quantiles();
        assert_eq!(quantiles.of("ces", "n_words", "p50"), Some(24.5));
        assert_eq!(quantiles.of("fra", "n_words", "p50"), Some(49.5));
        assert_eq!(quantiles.of("ces", "n_lines", "p50"), None);
        assert_eq!(quantiles.0["ces"].documents, 50);
    }

    #[test]
    fn a_large_corpus_is_sampled_by_rank_in_any_order() {
        let numbers = || 0..3 * SAMPLE as u64;
        let of = |numbers: &mut dyn Iterator<Item = u64>| {
            let mut sample = Sample::default();
            numbers.for_each(|n| sample.add("ces", mix(n), &signals(n as u32), &[]));
            sample.quantiles()
        };
        let quantiles = of(&mut numbers());
        assert_eq!(quantiles, of(&mut numbers().rev()));
        let median = quantiles.of("ces", "n_words", "p50").unwrap() / (3 * SAMPLE) as f64;
        assert!((median - 0.5).abs() < 0.02, "{median}");
        assert_eq!(quantiles.0["ces"].documents, 3 * SAMPLE as u64);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut sample = Sample::new(vec!["edu".into(), "none".into()]);
        (0..9).for_each(|n| sample.add("ces", mix(n), &signals(n as u32), &[Some(n as f64 / 8.0), None]));
        let quantiles = sample.quantiles();
        assert_eq!(quantiles.of("ces", "edu", "p50"), Some(0.5));
        assert_eq!(quantiles.of("ces", "none", "p50"), None);
        let text = toml::to_string(&quantiles).unwrap();
        assert_eq!(toml::from_str::<Quantiles>(&text).unwrap(), quantiles, "{text}");
    }
}
