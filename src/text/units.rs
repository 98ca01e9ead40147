//! Units that shingles are made of: words, characters, or dictionary words.

use serde::{Deserialize, Serialize};

use super::segments::Segmenter;
use super::words::{self, SCRIPT_SAMPLE, is_unspaced, is_word};
use crate::hash::{mix, text_hash};

/// The unit of shingles, as `near.unit` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Words as [`words::words`] finds them; in scripts written without spaces ideographs and pieces of a few
    /// letters.
    Word,
    /// The characters of these words, with one space between two words.
    Character,
    /// As `Word`, but a document that is mostly in a script without spaces is segmented by dictionary.
    Dictionary,
}

/// Hashes of the units of a document's paragraphs, in order.
pub fn hashes<'a>(paragraphs: impl Iterator<Item = &'a str> + Clone, unit: Unit, segmenter: &Segmenter) -> Vec<u64> {
    let mut all = Vec::new();
    match unit {
        Unit::Character => paragraphs.for_each(|text| characters(text, &mut all)),
        Unit::Dictionary if is_mostly_unspaced(paragraphs.clone()) => {
            paragraphs.for_each(|text| dictionary_words(text, segmenter, &mut all));
        }
        Unit::Word | Unit::Dictionary => paragraphs.for_each(|text| words::hashes(text, &mut all)),
    }
    all
}

fn characters(text: &str, hashes: &mut Vec<u64>) {
    words::words(text, |word| {
        if !hashes.is_empty() {
            hashes.push(mix(u64::from(b' ')));
        }
        hashes.extend(word.chars().map(|c| mix(u64::from(c))));
    });
}

fn dictionary_words(text: &str, segmenter: &Segmenter, hashes: &mut Vec<u64>) {
    let mut tokens = Vec::new();
    // Without a language ICU's dictionaries are used: hashes do not depend on the language of a page.
    segmenter.language("").tokens(text, 0..text.len(), &mut tokens);
    for token in tokens {
        let token = text.get(token.range).unwrap_or_default();
        if is_word(token) {
            hashes.push(text_hash(token.to_lowercase().as_bytes()));
        }
    }
}

fn is_mostly_unspaced<'a>(paragraphs: impl Iterator<Item = &'a str>) -> bool {
    let letters = paragraphs.flat_map(str::chars).filter(|c| c.is_alphabetic()).take(SCRIPT_SAMPLE);
    let (all, unspaced) = letters.fold((0, 0), |(all, unspaced), c| (all + 1, unspaced + usize::from(is_unspaced(c))));
    unspaced * 2 > all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(paragraphs: &[&str], unit: Unit) -> usize {
        hashes(paragraphs.iter().copied(), unit, &Segmenter::default()).len()
    }

    #[test]
    fn units_of_alphabets() {
        let text = ["The cat, the hat.", "Again!"];
        assert_eq!([Unit::Word, Unit::Dictionary, Unit::Character].map(|unit| count(&text, unit)), [5, 5, 21]);
    }

    #[test]
    fn the_dictionary_is_for_documents_in_unspaced_scripts() {
        let japanese = ["これは文です。", "東京は大きい。"];
        assert_eq!(count(&japanese, Unit::Word), 8);
        assert_eq!(count(&japanese, Unit::Dictionary), 7);
        assert_eq!(count(&["A word like 東京 does not make it Japanese"], Unit::Dictionary), 10);
        assert!(count(&["ภาษาไทยเขียนติดกัน"], Unit::Dictionary) < 10);
    }

    #[test]
    fn case_and_punctuation_do_not_count() {
        let of = |text| hashes([text].into_iter(), Unit::Character, &Segmenter::default());
        assert_eq!(of("Well-known"), of("well known"));
        assert_ne!(of("wellknown"), of("well known"));
    }
}
