//! Keywords: words that are more frequent in a corpus than in a reference corpus.
//!
//! There are two measures. Simple maths ranks the words: it tells how many times more frequent a word is, and its one
//! parameter shifts the focus between rare and common words (Kilgarriff, *Simple maths for keywords*, Corpus
//! Linguistics 2009; <https://www.sketchengine.eu/documentation/simple-maths/>). Log-likelihood tells how
//! certain it is that there is a difference at all (Dunning 1993, in the two-cell form of Rayson and Garside,
//! *Comparing corpora using frequency profiling*, 2000; <https://ucrel.lancs.ac.uk/llwizard.html>): above
//! 3.84 it would come by chance once in 20 words, above 15.13 once in 10,000 (chi-square, one degree of
//! freedom). Texts are no random samples of words, so take it as a rank more than as a probability.

use std::cmp::Ordering;
use std::io::{self, BufRead};

use compact_str::CompactString;

use super::counted_words::{Casing, fold};
use crate::hash::SeededMap;
use crate::order::compare_by_order;
use crate::page::charset::nfc;

/// Occurrences of a word in a corpus, or a part of one, of `words` running words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorpusFrequency {
    pub count: u64,
    pub words: u64,
}

impl CorpusFrequency {
    /// Occurrences per million words; 0 in a corpus without words.
    pub fn per_million(self) -> f64 {
        if self.words == 0 { 0.0 } else { self.count as f64 * 1e6 / self.words as f64 }
    }
}

/// (fpm of the focus corpus + n) / (fpm of the reference corpus + n); `smoothing` is n, above 0. Above 1 the
/// word is more frequent in the focus corpus.
pub fn simple_maths(focus: CorpusFrequency, reference: CorpusFrequency, smoothing: f64) -> f64 {
    (focus.per_million() + smoothing) / (reference.per_million() + smoothing)
}

/// 2 · Σ observed · ln(observed / expected) over the word's two cells, 0 or more. It does not tell in which corpus the
/// word is more frequent.
pub fn log_likelihood(focus: CorpusFrequency, reference: CorpusFrequency) -> f64 {
    // Sums of numbers that users write do not fit a u64.
    let sum = |here: u64, there: u64| here as f64 + there as f64;
    let share = sum(focus.count, reference.count) / sum(focus.words, reference.words).max(1.0);
    let cell = |of: CorpusFrequency| match of.count {
        // x · ln x goes to 0 with x.
        0 => 0.0,
        count => count as f64 * (count as f64 / (of.words as f64 * share)).ln(),
    };
    (2.0 * (cell(focus) + cell(reference))).max(0.0)
}

/// Frequencies of a reference corpus.
#[derive(Debug, Clone, Default)]
pub struct ReferenceFrequencies {
    counts: SeededMap<CompactString, u64>,
    words: u64,
}

/// Why a reference list was refused. The message continues the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    #[error("line {line}: {source}")]
    Unreadable { line: usize, source: io::Error },
    #[error("line {line}: expected a word, a tab and its count")]
    NoCount { line: usize },
    #[error("has no words")]
    Empty,
    #[error("its counts add up to {sum} words, so the corpus cannot have {words}")]
    Size { sum: u64, words: u64 },
}

impl ReferenceFrequencies {
    /// Reads lines of word, tab and count, with any further columns after another tab, as our own frequency lists have
    /// them. A first line whose second field is there and has no digit is a header. `words` is the size of the reference
    /// corpus if the list is only a part of it; else the size is the sum of all counts. `casing` is that of the focus
    /// corpus.
    pub fn read(
        list: impl BufRead,
        words: Option<u64>,
        casing: Casing,
    ) -> Result<ReferenceFrequencies, ReferenceError> {
        let mut counts: SeededMap<CompactString, u64> = SeededMap::default();
        let (mut folded, mut sum) = (String::new(), 0u64);
        for (line, row) in (1..).zip(list.lines()) {
            let row = row.map_err(|source| ReferenceError::Unreadable { line, source })?;
            let row = if line == 1 { row.trim_start_matches('\u{feff}') } else { row.as_str() };
            let mut fields = row.split('\t');
            let (word, count) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
            match count.trim().parse::<u64>() {
                Ok(count) => {
                    folded.clear();
                    fold(&nfc(word), casing, &mut folded);
                    let of_word = counts.entry(folded.as_str().into()).or_default();
                    *of_word = of_word.saturating_add(count);
                    sum = sum.saturating_add(count);
                }
                Err(_) if row.trim().is_empty() || line == 1 && is_header(count) => {}
                Err(_) => return Err(ReferenceError::NoCount { line }),
            }
        }
        let words = words.unwrap_or(sum);
        match () {
            () if sum == 0 => Err(ReferenceError::Empty),
            () if words < sum => Err(ReferenceError::Size { sum, words }),
            () => Ok(ReferenceFrequencies { counts, words }),
        }
    }

    /// The frequency of a word, 0 if the list does not have it.
    pub fn frequency(&self, word: &str) -> CorpusFrequency {
        CorpusFrequency { count: self.counts.get(word).copied().unwrap_or(0), words: self.words }
    }
}

/// Whether the second field of a first line names a column. A count that cannot be read, such as `12,034` or `3.5`, names none.
fn is_header(second: &str) -> bool {
    !second.trim().is_empty() && !second.chars().any(char::is_numeric)
}

/// A word with its frequencies in the focus corpus and the reference corpus. Greater is more of a keyword; ties are
/// broken by code point, and the first in that order is the greater.
#[derive(Debug, Clone)]
pub struct Keyword {
    pub word: Box<str>,
    /// Documents of the focus corpus that have it.
    pub documents: u64,
    pub focus: CorpusFrequency,
    pub reference: CorpusFrequency,
    /// Rank by [`simple_maths`].
    pub score: f64,
}

impl Keyword {
    /// The measure [`log_likelihood`] of the word.
    pub fn log_likelihood(&self) -> f64 {
        log_likelihood(self.focus, self.reference)
    }
}

impl Ord for Keyword {
    fn cmp(&self, other: &Keyword) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.word.cmp(&self.word))
    }
}

compare_by_order!(Keyword);

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: u64, words: u64) -> CorpusFrequency {
        CorpusFrequency { count, words }
    }

    /// The example of Sketch Engine's documentation: the lemma shard in the BNC and in ukWaC.
    #[test]
    fn simple_maths_of_the_documentation() {
        let (bnc, ukwac) = (of(35, 112_289_776), of(263, 1_559_716_979));
        assert!((bnc.per_million() - 0.3117).abs() < 5e-5);
        assert!((ukwac.per_million() - 0.1686).abs() < 5e-5);
        assert!((simple_maths(bnc, ukwac, 1.0) - 1.1224).abs() < 1e-4);
        assert_eq!(simple_maths(of(5, 100), of(5, 100), 1.0), 1.0);
        assert_eq!(simple_maths(of(3, 1_000_000), of(0, 0), 1.0), 4.0);
    }

    /// By worker: E1 = E2 = 75, 2 · (100 ln 4/3 + 50 ln 2/3) = 2 · (28.768207 − 20.273255).
    #[test]
    fn log_likelihood_by_hand() {
        assert!((log_likelihood(of(100, 1000), of(50, 1000)) - 16.989_904).abs() < 1e-6);
        // E1 = 10 · 1000 / 10,000 = 1, 2 · 10 ln 10.
        assert!((log_likelihood(of(10, 1000), of(0, 9000)) - 46.051_702).abs() < 1e-6);
        // The other way round: E2 = 9, 2 · 10 ln 10/9.
        assert!((log_likelihood(of(0, 1000), of(10, 9000)) - 2.107_210).abs() < 1e-6);
        // As the Lancaster calculator shows it: 52 in 50,000 words, 57 in 75,000, + 2.65.
        assert_eq!(format!("{:.2}", log_likelihood(of(52, 50_000), of(57, 75_000))), "2.65");
        assert_eq!(log_likelihood(of(7, 700), of(7, 700)), 0.0);
        assert_eq!(log_likelihood(of(0, 0), of(0, 0)), 0.0);
    }

    fn read(list: &[u8], words: Option<u64>) -> Result<ReferenceFrequencies, String> {
        ReferenceFrequencies::read(list, words, Casing::default()).map_err(|e| e.to_string())
    }

    #[test]
    fn reference_lists_are_read() {
        let list =
            read("\u{feff}word\tcount\tdocuments\nPes\t3\t2\npes\t4\n\nC\u{30c}a\u{301}p\t1\r\n".as_bytes(), None)
                .unwrap();
        assert_eq!(
            (list.frequency("pes"), list.frequency("čáp"), list.frequency("Pes")),
            (of(7, 8), of(1, 8), of(0, 8))
        );
        assert_eq!(read(b"\xef\xbb\xbfpes\t3\n", Some(100)).unwrap().frequency("pes"), of(3, 100));
    }

    #[test]
    fn huge_counts_do_not_wrap_around() {
        let list = read(b"a\t18446744073709551615\nb\t1\nA\t7\n", None).unwrap();
        assert_eq!((list.frequency("a"), list.frequency("b")), (of(u64::MAX, u64::MAX), of(1, u64::MAX)));
        let likelihood = log_likelihood(of(u64::MAX, u64::MAX), of(1, u64::MAX));
        assert!(likelihood.is_finite() && likelihood > 1e18, "{likelihood}");
    }

    #[test]
    fn bad_reference_lists_say_where() {
        let message = |list: &[u8], words| read(list, words).unwrap_err();
        assert_eq!(message(b"pes\t3\nkocour 4\n", None), "line 2: expected a word, a tab and its count");
        assert_eq!(message(b"a\t1\n\xff\t1\n", None), "line 2: stream did not contain valid UTF-8");
        assert_eq!(message(b"word\tcount\n", None), "has no words");
        for first in ["the\t6,041,234", "the\t3.5", "the\t-1", "the 6041234", "the", "the\t", "\u{feff}the\t12 034"] {
            let list = format!("{first}\nof\t3\n");
            assert_eq!(message(list.as_bytes(), None), "line 1: expected a word, a tab and its count", "{first}");
        }
        assert_eq!(message(b"a\t9\n", Some(8)), "its counts add up to 9 words, so the corpus cannot have 8");
    }
}
