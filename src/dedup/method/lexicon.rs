//! Lex Rand: I-Match (Chowdhury et al., TOIS 2002) with randomised lexicons (Kołcz, Chowdhury &
//! Alspector, KDD 2004). A key is the set of words that a document shares with a lexicon. If two
//! documents differ in m words, a lexicon that drops 30 % of the words misses all of them with
//! probability .3^m, and one of R lexicons does with 1 − (1 − .3^m)^R: .97, .61, .24 for m = 1, 2, 3.

use super::{DocumentFeatures, DocumentFrequencies, KeyGenerator};
use crate::hash::{combine, text_hash};
use crate::portable_math::ln;

/// Ten lexicons, each without a random 30 % of the words, as published.
const LEXICONS: u64 = 10;

/// Words of ten that each lexicon drops at random.
const DROPPED_OF_TEN: u64 = 3;

/// Part of the choice of the lexicons: another seed means other keys.
const SEED: u64 = 0x6c65_7872_616e_6400; // "lexrand"

/// Words of a normalised idf ln(|D| / df) / ln |D| in this range are in the dictionary. The choice is
/// ours, as are the next two.
const DICTIONARY: std::ops::RangeInclusive<f64> = 0.2..=0.8;

/// Words that a document must share with a lexicon.
const MIN_SHARED: usize = 5;

/// Distinct words of the document for each shared one, at most: a tenth of them must be shared.
const MAX_WORDS_PER_SHARED: usize = 10;

/// One key for each lexicon.
pub struct LexRand;

impl KeyGenerator for LexRand {
    fn bands(&self) -> usize {
        LEXICONS as usize
    }

    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>> {
        let Some(terms) = document.terms() else { return vec![None; self.bands()] };
        let known = terms.keys().filter(|word| in_dictionary(document.statistics, word));
        let mut dictionary: Vec<u64> = known.map(|word| text_hash(word.as_bytes())).collect();
        dictionary.sort_unstable();
        let key = |lexicon| {
            let shared: Vec<u64> = dictionary.iter().copied().filter(|&word| in_lexicon(lexicon, word)).collect();
            let enough = shared.len() >= MIN_SHARED && shared.len() * MAX_WORDS_PER_SHARED >= terms.len();
            enough.then(|| combine(&shared))
        };
        (0..LEXICONS).map(key).collect()
    }

    fn needs_sentences(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        true
    }
}

fn in_dictionary(statistics: &DocumentFrequencies, word: &str) -> bool {
    DICTIONARY.contains(&(statistics.idf(word) / ln(statistics.documents as f64)))
}

fn in_lexicon(lexicon: u64, word: u64) -> bool {
    combine(&[SEED, lexicon, word]) % 10 >= DROPPED_OF_TEN
}

#[cfg(test)]
mod tests {
    use super::super::tests::{content, statistics};
    use super::*;

    /// `known` words of the dictionary, `common` ones outside of it.
    fn keys<'a>(known: &'a [String], common: &'a [String]) -> Vec<Option<u64>> {
        let with = |df| move |word: &'a String| (word.as_str(), df);
        let statistics = statistics(1_000_000, known.iter().map(with(1000)).chain(common.iter().map(with(900_000))));
        LexRand.keys(&content(&[known.to_vec(), common.to_vec()], &statistics))
    }

    fn words(name: &str, n: usize) -> Vec<String> {
        (0..n).map(|i| format!("{name}{i}")).collect()
    }

    #[test]
    fn dictionary_is_a_band_of_normalised_idf() {
        // log10 N = 6: idf is in [.2, .8] for df from 10^1.2 = 15.8 to 10^4.8 = 63095.7.
        let known = statistics(1_000_000, [("a", 15), ("b", 16), ("c", 63_095), ("d", 63_096), ("e", 1_000_000)]);
        let inside = ["a", "b", "c", "d", "e", "unheard"].map(|word| in_dictionary(&known, word));
        assert_eq!(inside, [false, true, true, false, false, false]);
        assert!(!in_dictionary(&statistics(1, []), "a") && !in_dictionary(&DocumentFrequencies::default(), "a"));
    }

    #[test]
    fn lexicons_keep_seven_of_ten_independently() {
        let share = |test: &dyn Fn(u64) -> bool| (0..20_000).filter(|&w| test(w)).count() as f64 / 20_000.0;
        for lexicon in 0..LEXICONS {
            assert!((share(&|w| in_lexicon(lexicon, w)) - 0.7).abs() < 0.015);
        }
        assert!((share(&|w| in_lexicon(0, w) && in_lexicon(1, w)) - 0.49).abs() < 0.015);
    }

    /// 2000 pairs of documents that differ in m words: standard deviation ≤ .011.
    #[test]
    fn a_key_survives_as_often_as_the_formula_says() {
        for (m, published) in [(1, 0.972), (2, 0.611), (3, 0.239)] {
            let formula = 1.0 - (1.0 - 0.3f64.powi(m)).powi(10);
            assert!((formula - published).abs() < 1e-3, "formula at {m}");
            let met = (0..2000).filter(|trial| {
                let text = words(&format!("t{trial}x"), 40);
                let more = [text.clone(), words(&format!("t{trial}y"), m as usize)].concat();
                keys(&text, &[]).iter().zip(&keys(&more, &[])).any(|(a, b)| a.is_some() && a == b)
            });
            let got = met.count() as f64 / 2000.0;
            assert!((got - formula).abs() < 0.035, "{got} for {m} words, want {formula}");
        }
    }

    #[test]
    fn order_repetition_and_common_words_do_not_matter() {
        let text = words("w", 30);
        let again: Vec<String> = text.iter().rev().chain(text.iter().take(7)).cloned().collect();
        assert_eq!(keys(&text, &[]), keys(&again, &words("common", 12)));
    }

    #[test]
    fn too_few_shared_words_make_no_key() {
        let shared_by = |text: &[String]| -> Vec<usize> {
            let kept = |i| text.iter().filter(|w| in_lexicon(i, text_hash(w.as_bytes()))).count();
            (0..LEXICONS).map(kept).collect()
        };
        // A lexicon keeps about 5 of 7 known words among 10, which must be 5; and 11 of 16 among 110, which must be 11.
        for (known, common, least) in [(7, 3, 5), (16, 94, 11)] {
            let text = words("w", known);
            let shared = shared_by(&text);
            let want: Vec<bool> = shared.iter().map(|&n| n >= least).collect();
            let got: Vec<bool> = keys(&text, &words("common", common)).iter().map(Option::is_some).collect();
            assert_eq!(got, want);
            assert!(shared.contains(&least) && shared.contains(&(least - 1)), "{shared:?}");
        }
    }
}
