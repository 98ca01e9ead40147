//! Readability and lexical richness. Words are tokens with a letter or digit; richness compares them in lower case. A
//! sentence without words does not count.
//!
//! - LIX (Björnsson, *Läsbarhet*, 1968): words per sentence + 100 × share of words with more than 6 characters. The same
//!   as `textstat.lix`.
//! - ARI (Smith and Senter, *Automated readability index*, 1967): 4.71 × characters per word + 0.5 × words per sentence −
//!   21.43. The same as `textstat.automated_readability_index` (0.7.13). Made for English.
//! - MATTR (Covington and McFall, *Cutting the Gordian knot*, Journal of Quantitative Linguistics 17:2, 2010): mean
//!   type-token ratio of all windows of 500 words. A text of at most 500 words is one window. The same as
//!   `lexical_diversity.mattr(words, 500)`.
//! - Hapax share: words that occur once by all words (Baayen, *Quantitative aspects of morphological productivity*, 1992).

use super::words::MOST_WORDS;
use super::{Signals, Text, share};
use crate::hash::{SeededMap, hash64};
use crate::text::words::is_word;

/// Characters of the longest word that LIX takes for a short one.
const SHORT_WORD: usize = 6;
/// Words of a window of MATTR.
const WINDOW: usize = 500;

pub fn measure(text: &Text, signals: &mut Signals) {
    let (mut characters, mut long, mut hashes) = (0, 0, Vec::new());
    for word in text.words().filter(|word| is_word(word)) {
        let length = word.chars().count();
        characters += length;
        long += usize::from(length > SHORT_WORD);
        hashes.push(hash64(word.to_lowercase().as_bytes()));
    }
    let words = hashes.len();
    let length = share(words, sentences_with_words(text));
    let characters = share(characters, words);
    signals.mean_sentence_length = length;
    signals.mean_word_length = characters;
    signals.lix = length.zip(share(long, words)).map(|(length, long)| length + 100.0 * long);
    signals.ari = length.zip(characters).map(|(length, characters)| 4.71 * characters + 0.5 * length - 21.43);
    signals.mattr_500 = moving_average_ratio(&hashes);
    // Of the first words only, so that memory has a bound.
    signals.hapax_share = hapax_share(hashes.get(..MOST_WORDS).unwrap_or(&hashes));
}

fn sentences_with_words(text: &Text) -> usize {
    let mut words = text.words.iter().zip(text.words()).peekable();
    let ends = text.sentences.iter().skip(1).copied().chain([u32::MAX]);
    let mut count = 0;
    for end in ends {
        let mut any = false;
        while let Some((_, word)) = words.next_if(|((start, _), _)| *start < end) {
            any |= is_word(word);
        }
        count += usize::from(any);
    }
    count
}

/// Types by words, averaged over all windows; the windows move word by word, and so do the counts of their types.
fn moving_average_ratio(words: &[u64]) -> Option<f64> {
    let mut counts: SeededMap<u64, u32> = SeededMap::default();
    if words.len() <= WINDOW {
        words.iter().for_each(|word| *counts.entry(*word).or_default() += 1);
        return share(counts.len(), words.len());
    }
    let (mut types, mut windows) = (0u64, 0u64);
    for (at, word) in words.iter().enumerate() {
        *counts.entry(*word).or_default() += 1;
        let leaves = at.checked_sub(WINDOW).and_then(|leaves| words.get(leaves));
        if let Some(count) = leaves.and_then(|word| counts.get_mut(word)) {
            *count -= 1;
            if *count == 0 {
                leaves.map(|word| counts.remove(word));
            }
        }
        if at + 1 >= WINDOW {
            types += counts.len() as u64;
            windows += 1;
        }
    }
    Some(types as f64 / (windows * WINDOW as u64) as f64)
}

fn hapax_share(words: &[u64]) -> Option<f64> {
    let mut counts: SeededMap<u64, u32> = SeededMap::default();
    words.iter().for_each(|word| *counts.entry(*word).or_default() += 1);
    share(counts.values().filter(|count| **count == 1).count(), words.len())
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;
    use crate::text::segments::Segmenter;

    fn of(line: &str) -> Signals {
        let segmenter = Segmenter::default();
        let mut segments = crate::text::segments::SegmentedTexts::default();
        segments.push(0, line, &segmenter.language("eng"));
        let mut signals = Signals::default();
        let lines = std::iter::once(0).map(|number| (line, segments.sentences(number).into_iter().flatten()));
        measure(&Text::of_paragraphs(lines), &mut signals);
        signals
    }

    fn near(value: Option<f64>, want: f64) -> bool {
        value.is_some_and(|value| (value - want).abs() < 1e-9)
    }

    /// 10 words of 45 characters in 2 sentences, `swallow` and `elephants` are long.
    #[test]
    fn readability_by_hand() {
        let signals = of("The swallow flies over grey elephants. They do not mind!");
        assert!(near(signals.mean_sentence_length, 5.0), "{signals:?}");
        assert!(near(signals.mean_word_length, 4.5) && near(signals.hapax_share, 1.0) && near(signals.mattr_500, 1.0));
        assert!(near(signals.lix, 5.0 + 20.0) && near(signals.ari, 4.71 * 4.5 + 2.5 - 21.43));
        let none = of("… !");
        assert_eq!((none.lix, none.ari, none.mattr_500, none.hapax_share), (None, None, None, None));
    }

    /// `lexical_diversity.mattr`, line by line.
    fn reference(words: &[u64]) -> f64 {
        let types = |words: &[u64]| words.iter().collect::<HashSet<_>>().len() as f64;
        if words.len() < WINDOW + 1 {
            return types(words) / words.len() as f64;
        }
        let ratios: Vec<f64> = words.windows(WINDOW).map(|window| types(window) / WINDOW as f64).collect();
        ratios.iter().sum::<f64>() / ratios.len() as f64
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn windows_move_as_in_the_reference(words in prop::collection::vec(0u64..400, 1..1200)) {
            let value = moving_average_ratio(&words).unwrap();
            prop_assert!((value - reference(&words)).abs() < 1e-6);
            let mut counts = HashMap::new();
            words.iter().for_each(|word| *counts.entry(*word).or_insert(0) += 1);
            let once = words.iter().filter(|word| counts[word] == 1).count();
            prop_assert!((hapax_share(&words).unwrap() - once as f64 / words.len() as f64).abs() < 1e-9);
        }
    }
}
