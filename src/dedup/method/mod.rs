//! Ways to give a document keys, so that documents that share one are candidate duplicates.
//!
//! [`minima`] sees the set of shingles: MinHash bands (Broder 1997) and megashingles. The others are
//! the detectors with one signature, or a few, that Zelenkov & Segalovich (RCDL 2007) compared. They
//! see words and sentences ([`term`], [`sentence`]) and most of them also how many documents of the
//! collection have a word ([`lexicon`], [`descriptive`]). A key is an equality test: there is no
//! threshold to cross, and whether candidates do resemble each other is not decided here.
//!
//! Words are compared as they come: no stop words, no stemming, numbers kept.

use std::sync::Arc;

use fxhash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::bands::Banding;
use super::logarithm::ln;
use crate::hash::hash64;
use crate::text::words::words;

pub mod minima;

pub mod term;

pub mod sentence;

pub mod lexicon;

pub mod descriptive;

pub use descriptive::{DescrWords, Descriptive};
pub use lexicon::LexRand;
pub use minima::{Bands, Exact, Megashingles};
pub use sentence::{HeavySent, LongSent};
pub use term::{Tf, TfIdf};

/// A document of fewer words has too little text for a signature of its words. The choice is ours.
const MIN_WORDS: usize = 10;

/// What a method sees of a document.
pub struct Content<'a> {
    /// Sorted set of shingles.
    pub shingles: &'a [u64],
    /// MinHash signature of the shingles; empty if the method does not ask for one.
    pub signature: &'a [u32],
    /// Canonical words of each sentence, in order; empty unless [`Method::needs_sentences`].
    pub sentences: &'a [Vec<String>],
    /// Empty unless [`Method::needs_statistics`].
    pub statistics: &'a Statistics,
}

impl<'a> Content<'a> {
    /// [`occurrences`] of the words; `None` if the document has too few words.
    fn terms(&self) -> Option<FxHashMap<&'a str, u32>> {
        (self.words() >= MIN_WORDS).then(|| occurrences(self.sentences))
    }

    fn words(&self) -> usize {
        self.sentences.iter().map(Vec::len).sum()
    }
}

/// Document frequencies of the words of one document, and the collection's size.
#[derive(Debug, Clone, Default)]
pub struct Statistics {
    /// Documents in the collection.
    pub documents: u64,
    /// Hash of a word → documents that have it.
    pub frequency: FxHashMap<u64, u32>,
    /// The words of [`DescrWords`], the same for the whole collection.
    pub descriptive: Arc<Descriptive>,
}

impl Statistics {
    /// Documents that have the word; at least the one it was found in.
    fn frequency(&self, word: &str) -> u32 {
        self.frequency.get(&hash64(word.as_bytes())).copied().unwrap_or(1).max(1)
    }

    /// Inverse document frequency ln(|D| / df), never negative; the same bits on every machine.
    fn idf(&self, word: &str) -> f64 {
        ln(self.documents as f64 / f64::from(self.frequency(word))).max(0.0)
    }
}

/// A way to give keys.
pub trait Method: Send + Sync {
    /// Keys a document can have; a slot's keys only meet keys of the same slot.
    fn slots(&self) -> usize;

    /// One 64-bit key for each slot, `None` where the document has none there.
    fn keys(&self, content: &Content) -> Vec<Option<u64>>;

    fn needs_sentences(&self) -> bool {
        false
    }

    /// Minima of the signature that it wants.
    fn permutations(&self) -> usize {
        0
    }

    /// Whether document frequencies are needed, that is a pass over the whole collection before.
    fn needs_statistics(&self) -> bool {
        false
    }
}

/// All methods there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Bands,
    Exact,
    Tf,
    #[serde(rename = "tfidf")]
    TfIdf,
    LongSent,
    HeavySent,
    LexRand,
    DescrWords,
    Megashingles,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::Bands,
        Kind::Exact,
        Kind::Tf,
        Kind::TfIdf,
        Kind::LongSent,
        Kind::HeavySent,
        Kind::LexRand,
        Kind::DescrWords,
        Kind::Megashingles,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Bands => "bands",
            Kind::Exact => "exact",
            Kind::Tf => "tf",
            Kind::TfIdf => "tfidf",
            Kind::LongSent => "long_sent",
            Kind::HeavySent => "heavy_sent",
            Kind::LexRand => "lex_rand",
            Kind::DescrWords => "descr_words",
            Kind::Megashingles => "megashingles",
        }
    }
}

/// The method with its usual parameters; `banding` is that of [`Kind::Bands`].
pub fn method(kind: Kind, banding: Banding) -> Box<dyn Method> {
    match kind {
        Kind::Bands => Box::new(Bands(banding)),
        Kind::Exact => Box::new(Exact),
        Kind::Tf => Box::new(Tf::default()),
        Kind::TfIdf => Box::new(TfIdf::default()),
        Kind::LongSent => Box::new(LongSent::default()),
        Kind::HeavySent => Box::new(HeavySent::default()),
        Kind::LexRand => Box::new(LexRand),
        Kind::DescrWords => Box::new(DescrWords),
        Kind::Megashingles => Box::new(Megashingles),
    }
}

/// Sentences as text → their canonical words. Sentences without words are left out.
pub fn sentences<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    texts
        .map(|text| {
            let mut sentence = Vec::new();
            words(text, |word| sentence.push(word.to_string()));
            sentence
        })
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// How often each word occurs in a document, in no order.
pub fn occurrences(sentences: &[Vec<String>]) -> FxHashMap<&str, u32> {
    let mut counts = FxHashMap::default();
    for word in sentences.iter().flatten() {
        *counts.entry(word.as_str()).or_default() += 1;
    }
    counts
}

/// A method whose one key is the hash of a string.
pub trait Canonical: Send + Sync {
    /// Terms or sentences of the document in lexicographic order, separated by spaces.
    fn canonical(&self, content: &Content) -> Option<String>;

    /// Whether it asks in how many documents a word is.
    fn weighs_by_documents(&self) -> bool {
        false
    }
}

impl<T: Canonical> Method for T {
    fn slots(&self) -> usize {
        1
    }

    fn keys(&self, content: &Content) -> Vec<Option<u64>> {
        vec![self.canonical(content).map(|text| hash64(text.as_bytes()))]
    }

    fn needs_sentences(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        self.weighs_by_documents()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::minhash::Family;
    use crate::dedup::minhash::MinHash;
    use crate::hash::mix;
    use crate::text::words::shingles;
    use proptest::prelude::*;

    /// The text of the worked examples: 22 words.
    pub const EXAMPLE: &str = "The cat sat on the mat. \
        The dog, a big brown dog, chased the cat across the wide green garden! It ran.";

    pub fn split(text: &str) -> Vec<Vec<String>> {
        sentences(text.split_inclusive(['.', '!']))
    }

    /// A document frequency for each word.
    pub fn statistics<'a>(documents: u64, frequency: impl IntoIterator<Item = (&'a str, u32)>) -> Statistics {
        let frequency = frequency.into_iter().map(|(word, df)| (hash64(word.as_bytes()), df)).collect();
        Statistics { documents, frequency, ..Default::default() }
    }

    pub fn content<'a>(sentences: &'a [Vec<String>], statistics: &'a Statistics) -> Content<'a> {
        Content { shingles: &[], signature: &[], sentences, statistics }
    }

    /// The n-th number of a fixed random sequence, in [0, 1).
    pub fn uniform(n: u64) -> f64 {
        (mix(mix(n) ^ 0x5eed) >> 11) as f64 / (1u64 << 53) as f64
    }

    const BANDING: Banding = Banding { bands: 14, rows: 8 };

    /// Keys by way of everything that the method asks for. Half of the words `w0` … `w99` are in the
    /// lexicon of LexRand, and all of them describe.
    fn keys(kind: Kind, text: &str) -> Vec<Option<u64>> {
        let method = method(kind, BANDING);
        let words: Vec<String> = (0..100).map(|i| format!("w{i}")).collect();
        let frequency = words.iter().enumerate().map(|(i, w)| (w.as_str(), if i % 2 == 0 { 1000 } else { 900_000 }));
        let mut statistics = statistics(1_000_000, frequency);
        let vocabulary: Vec<(u64, u32, f32)> = statistics.frequency.iter().map(|(&h, &df)| (h, df, 0.01)).collect();
        statistics.descriptive = Arc::new(Descriptive::choose(vocabulary, 1_000_000));
        let sentences = split(text);
        let hashes: Vec<u64> = sentences.iter().flatten().map(|w| hash64(w.as_bytes())).collect();
        let shingles = shingles(&hashes, 5);
        let signature = MinHash::new(Family::Classic, method.permutations()).signature(&shingles);
        let sentences = if method.needs_sentences() { sentences.as_slice() } else { &[] };
        let content = Content { shingles: &shingles, signature: &signature, sentences, statistics: &statistics };
        method.keys(&content)
    }

    #[test]
    fn sentences_are_canonical_words() {
        assert_eq!(sentences(["Hello, World!", " — ", "3.5"].into_iter()), [vec!["hello", "world"], vec!["3", "5"]]);
    }

    #[test]
    fn names_and_methods_are_distinct() {
        let names: std::collections::BTreeSet<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
        assert_eq!(names.len(), Kind::ALL.len());
        let slots: Vec<usize> = Kind::ALL.iter().map(|&k| method(k, BANDING).slots()).collect();
        assert_eq!(slots, [14, 0, 1, 1, 1, 1, 10, 1, 15]);
    }

    #[test]
    fn short_documents_have_no_signature_of_their_words() {
        let nine: String = (0..9).map(|i| format!("w{} ", 2 * i)).collect();
        for kind in Kind::ALL {
            let (short, long) = (keys(kind, &nine), keys(kind, &format!("{nine} w18")));
            let by_shingles = matches!(kind, Kind::Bands | Kind::Megashingles);
            assert_eq!(short.iter().any(Option::is_some), by_shingles, "{}", kind.name());
            assert_eq!(long.iter().any(Option::is_some), kind != Kind::Exact, "{}", kind.name());
            assert!(keys(kind, "…").iter().all(Option::is_none), "{}", kind.name());
        }
    }

    #[test]
    fn different_texts_have_different_keys() {
        let text = |from: usize| (from..from + 40).map(|i| format!("w{i} ")).collect::<String>();
        for kind in Kind::ALL {
            let (a, b) = (keys(kind, &text(0)), keys(kind, &text(50)));
            assert!(!a.iter().zip(&b).any(|(x, y)| x.is_some() && x == y), "{}", kind.name());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_same_words_have_the_same_keys(words in prop::collection::vec("w[0-9]{1,2}[,.]?", 0..60)) {
            let (plain, loud) = (words.join(" "), words.join("  – ").to_uppercase());
            for kind in Kind::ALL {
                let keys_of_plain = keys(kind, &plain);
                prop_assert_eq!(keys_of_plain.len(), method(kind, BANDING).slots());
                prop_assert_eq!(keys_of_plain, keys(kind, &loud), "{}", kind.name());
            }
        }
    }

    /// As zlib has it: the checksum of the published examples.
    pub fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum()
    }
}
