//! One key from the sentences of most weight: Long Sent and Heavy Sent. Text that is inserted elsewhere does not
//! change the key.

use super::{DocumentFeatures, MIN_WORDS, StringKey};
use crate::hash::SeededMap;

/// Sentences of Long Sent; 2–3 are published.
const LONG: usize = 2;

/// Sentences of Heavy Sent, as published.
const HEAVY: usize = 3;

/// One key from the longest sentences, measured in characters of their canonical form.
pub struct LongSent;

/// One key from the sentences of most weight, Σ tf·idf over all their words. Long sentences win by summation;
/// that is intended.
pub struct HeavySent {
    /// Number of sentences that make the key.
    pub sentences: usize,
}

impl Default for HeavySent {
    fn default() -> HeavySent {
        HeavySent { sentences: HEAVY }
    }
}

impl StringKey for LongSent {
    fn canonical(&self, document: &DocumentFeatures) -> Option<String> {
        let length = |words: &[String]| words.iter().map(|word| word.chars().count() + 1).sum::<usize>() as f64;
        heaviest(document, LONG, length)
    }
}

impl StringKey for HeavySent {
    fn canonical(&self, document: &DocumentFeatures) -> Option<String> {
        // All counts of a document have the same divisor: leaving it out does not change the order.
        let weight = |(word, count)| (word, f64::from(count) * document.statistics.idf(word));
        let weights: SeededMap<&str, f64> = document.terms()?.into_iter().map(weight).collect();
        heaviest(document, self.sentences, |words| words.iter().filter_map(|word| weights.get(word.as_str())).sum())
    }

    fn weighs_by_documents(&self) -> bool {
        true
    }
}

/// The sentences of most weight, sorted and joined; of equal ones the first in the text. `None` if
/// the document has too few words.
fn heaviest(document: &DocumentFeatures, most: usize, weight: impl Fn(&[String]) -> f64) -> Option<String> {
    if document.words() < MIN_WORDS {
        return None;
    }
    let mut weighted: Vec<(&Vec<String>, f64)> =
        document.sentences.iter().map(|words| (words, weight(words))).collect();
    weighted.sort_by(|(_, x), (_, y)| y.total_cmp(x));
    let mut chosen: Vec<String> = weighted.into_iter().take(most).map(|(words, _)| words.join(" ")).collect();
    chosen.sort_unstable();
    Some(chosen.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::DocumentFrequencies;
    use super::super::tests::{EXAMPLE, content, crc32, split, statistics};
    use super::*;

    use proptest::prelude::*;

    fn long(text: &str) -> Option<String> {
        LongSent.canonical(&content(&split(text), &DocumentFrequencies::default()))
    }

    fn heavy(text: &str, statistics: &DocumentFrequencies) -> Option<String> {
        HeavySent::default().canonical(&content(&split(text), statistics))
    }

    #[test]
    fn worked_example() {
        let sentences = long(EXAMPLE).unwrap();
        assert_eq!(
            sentences,
            "the cat sat on the mat the dog a big brown dog chased the cat across the wide green garden"
        );
        assert_eq!(crc32(sentences.as_bytes()), 0xdea6_b7bb);
    }

    #[test]
    fn length_is_in_characters_and_ties_go_to_the_first() {
        // 8 and 9 characters, but 16 and 9 bytes.
        let text = "ab cd e f g h i j. žžž žžžž. abcd efgh.";
        assert_eq!(long(text).as_deref(), Some("ab cd e f g h i j abcd efgh"));
        let text = "one two three four five. aa bbb. bbb aa. ccc dd.";
        assert_eq!(long(text).as_deref(), Some("aa bbb one two three four five"));
    }

    #[test]
    fn weight_is_rarity_times_frequency() {
        let known = statistics(100, [("the", 100), ("quick", 100), ("fox", 10), ("hen", 10), ("owl", 10), ("yak", 5)]);
        // Weights: 0, 2 · ln 10 twice, ln 10, ln 20.
        let text = "The the quick the quick. The fox. Owl. The yak. The fox.";
        assert_eq!(heavy(text, &known).as_deref(), Some("the fox the fox the yak"));
        let alone = HeavySent { sentences: 1 }.canonical(&content(&split(text), &known));
        assert_eq!(alone.as_deref(), Some("the fox"));
    }

    #[test]
    fn words_of_all_documents_weigh_nothing() {
        let known = statistics(100, [("the", 100), ("and", 100)]);
        let text = "Zebras ate grass. Lions ate zebras. Men hunted lions. Grass grew.";
        let longer = format!("{} {text}", "The and and and the and the and the the.".repeat(3));
        assert_eq!(heavy(text, &known), heavy(&longer, &known));
        assert!(heavy(text, &known).is_some());
    }

    proptest! {
        #[test]
        fn a_sentence_matters_only_if_it_is_longer(
            texts in prop::collection::vec("[a-z]{1,9}( [a-z]{1,9}){1,9}", 6..12),
            new in "[a-z]{1,9}( [a-z]{1,9}){0,9}",
            at in 0..6usize,
        ) {
            let before = texts.join(". ");
            let mut lengths: Vec<usize> = texts.iter().map(String::len).collect();
            lengths.sort_unstable();
            let second = lengths[lengths.len() - 2];
            let mut more = texts.clone();
            more.insert(at, new.clone());
            let after = more.join(". ");
            prop_assume!(new.len() != second && !texts.contains(&new));
            prop_assert_eq!(long(&before) == long(&after), new.len() < second);
        }

        #[test]
        fn order_of_unlike_sentences_does_not_matter(at in 0..5usize) {
            let texts = ["a b c d e f", "g h i", "j k l m", "n o", "p q r s t"];
            let known = statistics(9, []);
            let mut turned = texts;
            turned.rotate_left(at);
            let (a, b) = (texts.join(". "), turned.join(". "));
            prop_assert_eq!(long(&a), long(&b));
            prop_assert_eq!(heavy(&a, &known), heavy(&b, &known));
        }
    }
}
