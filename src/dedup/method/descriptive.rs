//! Descr Words (Ilyinsky, Kuzmin, Melkov & Segalovich, WWW 2002): some thousand words that neither
//! all documents have nor few. A document is the set of those that it uses more than usual.

use std::collections::BTreeMap;

use fxhash::FxHashMap;

use super::{DocumentFeatures, KeyGenerator};
use crate::hash::{combine, text_hash};

/// Number of descriptive words, as published.
const WORDS: usize = 2000;

/// Descriptive words are in 35–65 % of the documents, as published: half ± this share.
const HALF_WIDTH: f64 = 0.15;

/// Least number of descriptive words that a document with a key uses more than usual, as published.
const MIN_ONES: usize = 3;

/// The words that are chosen for [`DescrWords`], each with its threshold of relative frequency.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DescriptiveVocabulary {
    /// Hash of a word → position in the fingerprint, least relative frequency that sets the bit.
    words: FxHashMap<u64, (u32, f32)>,
    half_width: f64,
}

impl DescriptiveVocabulary {
    /// The words whose document frequency is nearest to one half of `documents`, of equal ones those
    /// of the least hash. `vocabulary`: hash of each word, its document frequency and the median of
    /// its [`relative_frequency`] in the documents that have it. A collection that has not enough
    /// words in the published range so gets a range that is wider on both sides.
    pub fn choose(vocabulary: impl IntoIterator<Item = (u64, u32, f32)>, documents: u64) -> DescriptiveVocabulary {
        let mut nearest: BTreeMap<(u64, u64), f32> = BTreeMap::new();
        for (word, frequency, median) in vocabulary {
            nearest.insert(((2 * u64::from(frequency)).abs_diff(documents), word), median);
            if nearest.len() > WORDS {
                nearest.pop_last();
            }
        }
        let farthest = nearest.last_key_value().map_or(0.0, |((distance, _), _)| *distance as f64);
        let positions = (0u32..).zip(nearest);
        let words = positions.map(|(position, ((_, word), median))| (word, (position, median))).collect();
        DescriptiveVocabulary { words, half_width: (farthest / (2 * documents.max(1)) as f64).max(HALF_WIDTH) }
    }

    /// Least and greatest share of documents that a chosen word may be in: .35 and .65, or wider.
    pub fn document_shares(&self) -> (f64, f64) {
        (0.5 - self.half_width, 0.5 + self.half_width)
    }

    /// How many words were chosen; 2000 unless the collection has fewer.
    pub fn count(&self) -> usize {
        self.words.len()
    }
}

/// Occurrences of a word divided by all words of the document.
pub fn relative_frequency(occurrences: u32, words: usize) -> f32 {
    occurrences as f32 / words as f32
}

/// One key: the set of descriptive words that the document uses at least as much as their threshold.
pub struct DescrWords;

impl KeyGenerator for DescrWords {
    fn bands(&self) -> usize {
        1
    }

    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>> {
        let key = ones(document).filter(|ones| ones.len() >= MIN_ONES).map(|ones| combine(&ones));
        vec![key]
    }

    fn needs_sentences(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        true
    }
}

/// Positions of the bits that are set, in order; `None` if the document has too few words.
fn ones(document: &DocumentFeatures) -> Option<Vec<u64>> {
    let words = document.words();
    let chosen = &document.statistics.descriptive.words;
    let bit = |(word, count): (&str, u32)| {
        let (position, threshold) = *chosen.get(&text_hash(word.as_bytes()))?;
        (relative_frequency(count, words) >= threshold).then_some(u64::from(position))
    };
    let mut ones: Vec<u64> = document.terms()?.into_iter().filter_map(bit).collect();
    ones.sort_unstable();
    Some(ones)
}

#[cfg(test)]
mod tests {
    use super::super::DocumentFrequencies;
    use super::super::tests::{content, split};
    use super::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Words `a` … `d`, which are unusual from two of ten words on.
    fn describing() -> DocumentFrequencies {
        let words = ["a", "b", "c", "d"].map(|w| (text_hash(w.as_bytes()), 50, relative_frequency(2, 10)));
        DocumentFrequencies { descriptive: Arc::new(DescriptiveVocabulary::choose(words, 100)), ..Default::default() }
    }

    fn key(text: &str) -> Option<u64> {
        DescrWords.keys(&content(&split(text), &describing()))[0]
    }

    #[test]
    fn three_words_above_their_threshold_make_a_key() {
        assert_eq!(key("a a b b x x x x x x"), None);
        assert!(key("a a b b c c x x x x").is_some());
        assert_eq!(key("a a b b c c x x x x x"), None, "2 of 11 is below 2 of 10");
        assert_eq!(key("a a b b c c x x x"), None, "nine words");
    }

    #[test]
    fn key_is_the_set_of_such_words() {
        let three = key("a a b b c c x x x x");
        assert_eq!(three, key("y. c b a d z a c b z"), "order, other words and words below the threshold");
        assert_ne!(three, key("a a b b c c d d x x"));
        assert_ne!(three, key("a a b b d d x x x x"));
    }

    #[test]
    fn positions_are_in_order_whatever_the_words() {
        let words: Vec<String> = (0..60).map(|i| format!("w{i}")).collect();
        let vocabulary = words.iter().map(|w| (text_hash(w.as_bytes()), 50, 0.0));
        let descriptive = Arc::new(DescriptiveVocabulary::choose(vocabulary, 100));
        let statistics = DocumentFrequencies { descriptive, ..Default::default() };
        assert_eq!(ones(&content(&[words], &statistics)), Some((0..60).collect()));
    }

    #[test]
    fn enough_words_in_the_range_leave_it_as_it_is() {
        let inside = (0..3000).map(|i| (i, 350 + (i as u32 % 301), 0.1));
        let chosen = DescriptiveVocabulary::choose(inside.chain((3000..9000).map(|i| (i, 20, 0.1))), 1000);
        assert_eq!((chosen.count(), chosen.document_shares()), (2000, (0.35, 0.65)));
    }

    #[test]
    fn too_few_words_widen_the_range_on_both_sides() {
        let inside = (0..1500).map(|i| (i, 500, 0.1));
        let below = (1500..1800).map(|i| (i, 300, 0.1));
        let above = (1800..2100).map(|i| (i, 700, 0.1));
        let far = (2100..9000).map(|i| (i, 250, 0.1));
        let chosen = DescriptiveVocabulary::choose(inside.chain(below).chain(above).chain(far), 1000);
        assert_eq!((chosen.count(), chosen.document_shares()), (2000, (0.3, 0.7)));
        assert!((0..1999).all(|word| chosen.words.contains_key(&word)), "ties by hash");
        let everything = DescriptiveVocabulary::choose([(1, 1, 0.1), (2, 1000, 0.1)], 1000);
        assert_eq!((everything.count(), everything.document_shares()), (2, (0.0, 1.0)));
        assert_eq!(DescriptiveVocabulary::choose([], 0).count(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn choice_is_a_prefix_of_the_sorted_vocabulary(frequencies in prop::collection::vec(1..400u32, 1..3000)) {
            let vocabulary: Vec<(u64, u32, f32)> =
                frequencies.iter().enumerate().map(|(i, &df)| (text_hash(&i.to_le_bytes()), df, df as f32)).collect();
            let chosen = DescriptiveVocabulary::choose(vocabulary.iter().copied(), 400);
            let backwards = DescriptiveVocabulary::choose(vocabulary.iter().copied().rev(), 400);
            prop_assert_eq!(&chosen, &backwards);
            let mut sorted = vocabulary;
            sorted.sort_unstable_by_key(|&(word, df, _)| ((f64::from(df) - 200.0).abs() as u64, word));
            sorted.truncate(2000);
            prop_assert_eq!(chosen.count(), sorted.len());
            for (position, (word, _, median)) in sorted.into_iter().enumerate() {
                prop_assert_eq!(chosen.words.get(&word), Some(&(position as u32, median)));
            }
        }
    }
}
