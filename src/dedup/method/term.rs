//! One key from the terms of most weight: TF and TF*IDF.
//!
//! The terms are sorted before they are hashed, so that two terms of nearly equal weight may change
//! places.

use super::{DocumentFeatures, StringKey};
use crate::text::words::is_unspaced;

/// Terms in a signature. Published without a number; the choice is ours, as are the next two.
const TERMS: usize = 6;

/// TF*IDF leaves out words of fewer documents: they are misspellings as often as not.
const MIN_DOCUMENTS: u32 = 2;

/// TF*IDF leaves out shorter words (in characters).
const MIN_LENGTH: usize = 3;

/// One key from the most frequent terms of the document.
pub struct Tf;

/// One key from the terms of highest tf·idf.
pub struct TfIdf {
    /// Number of terms that make the key.
    pub terms: usize,
}

impl Default for TfIdf {
    fn default() -> TfIdf {
        TfIdf { terms: TERMS }
    }
}

impl StringKey for Tf {
    fn canonical(&self, document: &DocumentFeatures) -> Option<String> {
        let terms = document.terms()?;
        heaviest(terms.into_iter().map(|(term, count)| (term, f64::from(count))), TERMS)
    }
}

impl StringKey for TfIdf {
    fn canonical(&self, document: &DocumentFeatures) -> Option<String> {
        let statistics = document.statistics;
        let terms = document.terms()?.into_iter();
        let known = terms.filter(|(term, _)| is_long(term) && statistics.frequency(term) >= MIN_DOCUMENTS);
        // All counts of a document have the same divisor: leaving it out does not change the order.
        heaviest(known.map(|(term, count)| (term, f64::from(count) * statistics.idf(term))), self.terms)
    }

    fn weighs_by_documents(&self) -> bool {
        true
    }
}

/// In scripts without spaces ideographs and pieces of a few letters are words, and few would be long enough.
fn is_long(term: &str) -> bool {
    term.chars().count() >= MIN_LENGTH || term.chars().all(is_unspaced)
}

/// The terms of most weight, sorted and joined; of equal ones the first in the order of UTF-8 bytes.
fn heaviest<'a>(weighted: impl Iterator<Item = (&'a str, f64)>, most: usize) -> Option<String> {
    let mut terms: Vec<(&str, f64)> = weighted.collect();
    terms.sort_unstable_by(|(a, x), (b, y)| y.total_cmp(x).then_with(|| a.cmp(b)));
    let mut chosen: Vec<&str> = terms.into_iter().take(most).map(|(term, _)| term).collect();
    chosen.sort_unstable();
    (!chosen.is_empty()).then(|| chosen.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::DocumentFrequencies;
    use super::super::tests::{EXAMPLE, content, crc32, split, statistics};
    use super::*;

    use proptest::prelude::*;

    fn tf(text: &str) -> Option<String> {
        Tf.canonical(&content(&split(text), &DocumentFrequencies::default()))
    }

    fn tf_idf(text: &str, statistics: &DocumentFrequencies) -> Option<String> {
        TfIdf::default().canonical(&content(&split(text), statistics))
    }

    #[test]
    fn worked_example() {
        let terms = tf(EXAMPLE).unwrap();
        assert_eq!(terms, "a across big cat dog the");
        assert_eq!(crc32(terms.as_bytes()), 0x55f2_974b);
    }

    #[test]
    fn few_terms_are_better_than_none() {
        assert_eq!(tf(&"one two ".repeat(5)).as_deref(), Some("one two"));
    }

    #[test]
    fn rare_and_common_and_short_terms_do_not_count() {
        // "the" has idf 0, "kolibri" df 1, "ox" two characters.
        let known = statistics(100, [("the", 100), ("cat", 50), ("also", 2), ("ox", 2), ("kolibri", 1)]);
        let text = "the the the the the the cat cat also ox ox kolibri unheard";
        assert_eq!(tf_idf(text, &known).as_deref(), Some("also cat the"));
        let two = TfIdf { terms: 2 }.canonical(&content(&split(text), &known));
        assert_eq!(two.as_deref(), Some("also cat"));
        assert_eq!(tf_idf(&"unheard of words ".repeat(4), &known), None);
    }

    #[test]
    fn frequency_and_rarity_are_multiplied() {
        // 3 ln(100/50) = 2.08 < 1 ln(100/12) = 2.12 < 4 ln(100/50)
        let known = statistics(100, [("common", 50), ("rare", 12)]);
        let one = |text: &str| TfIdf { terms: 1 }.canonical(&content(&split(text), &known)).unwrap();
        assert_eq!(one(&format!("{} rare a b c d e f", "common ".repeat(3))), "rare");
        assert_eq!(one(&format!("{} rare a b c d e f", "common ".repeat(4))), "common");
    }

    #[test]
    fn characters_of_unspaced_scripts_are_long_enough() {
        assert!(is_long("東") && is_long("cat") && !is_long("ox") && !is_long("を_"));
    }

    proptest! {
        #[test]
        fn order_does_not_matter(words in prop::collection::vec("[a-d]{3}", 10..40), at in 0..40usize) {
            let known = statistics(50, [("abc", 3), ("aaa", 3), ("ddd", 7), ("bad", 2), ("dab", 20)]);
            let mut turned = words.clone();
            turned.rotate_left(at % words.len());
            let (a, b) = (words.join(" "), turned.join(" "));
            prop_assert_eq!(tf(&a), tf(&b));
            prop_assert_eq!(tf_idf(&a, &known), tf_idf(&b, &known));
        }

        #[test]
        fn a_term_less_frequent_than_the_chosen_does_not_matter(known in "[a-f ]{0,6}") {
            let text = "one two three four five six ".repeat(8);
            prop_assert_eq!(tf(&text), tf(&format!("{text} {known}")));
        }
    }
}
