//! Methods that give a document keys. Documents that share a key are candidate duplicates.
//!
//! [`minima`] sees the set of shingles: MinHash bands (Broder 1997) and megashingles. The others are
//! the detectors with one signature, or a few, that Zelenkov & Segalovich (RCDL 2007) compared. They
//! see words and sentences ([`term`], [`sentence`]), and most of them also use how many documents of the
//! collection have a word ([`lexicon`], [`descriptive`]). A key is an equality test: no threshold is
//! involved, and whether candidates resemble each other is decided by [`super::verify`].
//!
//! Words are compared as they come: no stop words, no stemming, numbers kept.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bands::Banding;
use crate::hash::{SeededMap, text_hash};
use crate::portable_math::ln;
use crate::text::words::words;

pub mod minima;

pub mod term;

pub mod sentence;

pub mod lexicon;

pub mod descriptive;

pub use descriptive::{DescrWords, DescriptiveVocabulary};
pub use lexicon::LexRand;
pub use minima::{Bands, Exact, Megashingles};
pub use sentence::{HeavySent, LongSent};
pub use term::{Tf, TfIdf};

/// A document of fewer words has too little text for a signature of its words. The choice is ours.
const MIN_WORDS: usize = 10;

/// What a method sees of a document.
#[derive(Debug)]
pub struct DocumentFeatures<'a> {
    /// The document's shingles, sorted and without repetitions.
    pub shingles: &'a [u64],
    /// MinHash signature of the shingles; empty if [`KeyGenerator::permutations`] is 0.
    pub signature: &'a [u32],
    /// Canonical words of each sentence, in order; empty unless [`KeyGenerator::needs_sentences`].
    pub sentences: &'a [Vec<String>],
    /// Frequencies of the document's words; empty unless [`KeyGenerator::needs_statistics`].
    pub statistics: &'a DocumentFrequencies,
}

impl<'a> DocumentFeatures<'a> {
    /// How often each word occurs; `None` if the document has too few words.
    fn terms(&self) -> Option<SeededMap<&'a str, u32>> {
        (self.words() >= MIN_WORDS).then(|| occurrences(self.sentences))
    }

    fn words(&self) -> usize {
        self.sentences.iter().map(Vec::len).sum()
    }
}

/// In how many documents of the collection the words of one document occur.
#[derive(Debug, Clone, Default)]
pub struct DocumentFrequencies {
    /// Number of documents in the collection.
    pub documents: u64,
    /// Hash of a word → number of documents that have it.
    pub frequency: SeededMap<u64, u32>,
    /// The vocabulary of [`DescrWords`], the same for all documents of the collection.
    pub descriptive: Arc<DescriptiveVocabulary>,
}

impl DocumentFrequencies {
    /// Number of documents that have the word; at least 1, for the document in which it was found.
    fn frequency(&self, word: &str) -> u32 {
        self.frequency.get(&text_hash(word.as_bytes())).copied().unwrap_or(1).max(1)
    }

    /// Inverse document frequency ln(|D| / df), never negative; the same bits on every machine.
    fn idf(&self, word: &str) -> f64 {
        ln(self.documents as f64 / f64::from(self.frequency(word))).max(0.0)
    }
}

/// Gives keys to documents by one method.
pub trait KeyGenerator: Send + Sync {
    /// Number of keys that a document can have, one for each band. Keys of different bands are never compared. Only
    /// [`Bands`] cuts a signature into bands; the other methods give one key, or several that likewise count as bands.
    fn bands(&self) -> usize;

    /// One 64-bit key for each band; `None` for a band in which the document has no key.
    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>>;

    /// Whether [`DocumentFeatures::sentences`] are needed.
    fn needs_sentences(&self) -> bool {
        false
    }

    /// Length of the MinHash signature that the method needs; 0 if it needs none.
    fn permutations(&self) -> usize {
        0
    }

    /// Whether document frequencies are needed, that is a pass over the whole collection before.
    fn needs_statistics(&self) -> bool {
        false
    }
}

/// The methods by which candidate duplicates are found: setting `near.method`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
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

impl Method {
    pub const ALL: [Method; 9] = [
        Method::Bands,
        Method::Exact,
        Method::Tf,
        Method::TfIdf,
        Method::LongSent,
        Method::HeavySent,
        Method::LexRand,
        Method::DescrWords,
        Method::Megashingles,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Method::Bands => "bands",
            Method::Exact => "exact",
            Method::Tf => "tf",
            Method::TfIdf => "tfidf",
            Method::LongSent => "long_sent",
            Method::HeavySent => "heavy_sent",
            Method::LexRand => "lex_rand",
            Method::DescrWords => "descr_words",
            Method::Megashingles => "megashingles",
        }
    }

    /// The method with its published parameters; `banding` is that of [`Method::Bands`].
    pub fn generator(self, banding: Banding) -> Box<dyn KeyGenerator> {
        match self {
            Method::Bands => Box::new(Bands(banding)),
            Method::Exact => Box::new(Exact),
            Method::Tf => Box::new(Tf),
            Method::TfIdf => Box::new(TfIdf::default()),
            Method::LongSent => Box::new(LongSent),
            Method::HeavySent => Box::new(HeavySent::default()),
            Method::LexRand => Box::new(LexRand),
            Method::DescrWords => Box::new(DescrWords),
            Method::Megashingles => Box::new(Megashingles),
        }
    }
}

/// The canonical words of each sentence. Sentences without words are left out.
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

/// How often each word occurs in a document.
pub fn occurrences(sentences: &[Vec<String>]) -> SeededMap<&str, u32> {
    let mut counts = SeededMap::default();
    for word in sentences.iter().flatten() {
        *counts.entry(word.as_str()).or_default() += 1;
    }
    counts
}

/// A method whose only key is the hash of a string.
pub trait StringKey: Send + Sync {
    /// The chosen terms or sentences of the document in lexicographic order, separated by spaces; `None` if the
    /// document has no key.
    fn canonical(&self, document: &DocumentFeatures) -> Option<String>;

    /// Whether [`DocumentFrequencies`] are needed.
    fn weighs_by_documents(&self) -> bool {
        false
    }
}

impl<T: StringKey> KeyGenerator for T {
    fn bands(&self) -> usize {
        1
    }

    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>> {
        vec![self.canonical(document).map(|text| text_hash(text.as_bytes()))]
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
    pub fn statistics<'a>(documents: u64, frequency: impl IntoIterator<Item = (&'a str, u32)>) -> DocumentFrequencies {
        let frequency = frequency.into_iter().map(|(word, df)| (text_hash(word.as_bytes()), df)).collect();
        DocumentFrequencies { documents, frequency, ..Default::default() }
    }

    pub fn content<'a>(sentences: &'a [Vec<String>], statistics: &'a DocumentFrequencies) -> DocumentFeatures<'a> {
        DocumentFeatures { shingles: &[], signature: &[], sentences, statistics }
    }

    /// The n-th number of a fixed random sequence, in [0, 1).
    pub fn uniform(n: u64) -> f64 {
        (mix(mix(n) ^ 0x5eed) >> 11) as f64 / (1u64 << 53) as f64
    }

    const BANDING: Banding = Banding { bands: 14, rows: 8 };

    /// Keys from all features that the method asks for. Half of the words `w0` … `w99` are in the
    /// lexicon of LexRand, and all of them describe.
    fn keys(method: Method, text: &str) -> Vec<Option<u64>> {
        let generator = method.generator(BANDING);
        let words: Vec<String> = (0..100).map(|i| format!("w{i}")).collect();
        let frequency = words.iter().enumerate().map(|(i, w)| (w.as_str(), if i % 2 == 0 { 1000 } else { 900_000 }));
        let mut statistics = statistics(1_000_000, frequency);
        let vocabulary: Vec<(u64, u32, f32)> = statistics.frequency.iter().map(|(&h, &df)| (h, df, 0.01)).collect();
        statistics.descriptive = Arc::new(DescriptiveVocabulary::choose(vocabulary, 1_000_000));
        let sentences = split(text);
        let hashes: Vec<u64> = sentences.iter().flatten().map(|w| text_hash(w.as_bytes())).collect();
        let shingles = shingles(&hashes, 5);
        let signature = MinHash::new(Family::Classic, generator.permutations()).signature(&shingles);
        let sentences = if generator.needs_sentences() { sentences.as_slice() } else { &[] };
        let content =
            DocumentFeatures { shingles: &shingles, signature: &signature, sentences, statistics: &statistics };
        generator.keys(&content)
    }

    #[test]
    fn sentences_are_canonical_words() {
        assert_eq!(sentences(["Hello, World!", " — ", "3.5"].into_iter()), [vec!["hello", "world"], vec!["3", "5"]]);
    }

    #[test]
    fn names_and_methods_are_distinct() {
        let names: std::collections::BTreeSet<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        assert_eq!(names.len(), Method::ALL.len());
        let bands: Vec<usize> = Method::ALL.iter().map(|method| method.generator(BANDING).bands()).collect();
        assert_eq!(bands, [14, 0, 1, 1, 1, 1, 10, 1, 15]);
    }

    #[test]
    fn short_documents_have_no_signature_of_their_words() {
        let nine: String = (0..9).map(|i| format!("w{} ", 2 * i)).collect();
        for method in Method::ALL {
            let (short, long) = (keys(method, &nine), keys(method, &format!("{nine} w18")));
            let by_shingles = matches!(method, Method::Bands | Method::Megashingles);
            assert_eq!(short.iter().any(Option::is_some), by_shingles, "{}", method.name());
            assert_eq!(long.iter().any(Option::is_some), method != Method::Exact, "{}", method.name());
            assert!(keys(method, "…").iter().all(Option::is_none), "{}", method.name());
        }
    }

    #[test]
    fn different_texts_have_different_keys() {
        let text = |from: usize| (from..from + 40).map(|i| format!("w{i} ")).collect::<String>();
        for method in Method::ALL {
            let (a, b) = (keys(method, &text(0)), keys(method, &text(50)));
            assert!(!a.iter().zip(&b).any(|(x, y)| x.is_some() && x == y), "{}", method.name());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_same_words_have_the_same_keys(words in prop::collection::vec("w[0-9]{1,2}[,.]?", 0..60)) {
            let (plain, loud) = (words.join(" "), words.join("  – ").to_uppercase());
            for method in Method::ALL {
                let keys_of_plain = keys(method, &plain);
                prop_assert_eq!(keys_of_plain.len(), method.generator(BANDING).bands());
                prop_assert_eq!(keys_of_plain, keys(method, &loud), "{}", method.name());
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
