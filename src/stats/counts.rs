//! Volumes by language, documents by year, and yields: everything that needs addition only.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use compact_str::CompactString;

use super::SegmentedParagraph;
use super::by_year::YearOf;
use super::counted_words::DocumentWords;
use super::groups::Group;
use super::yields::{Yield, Yields};
use crate::document::Document;
use crate::hash::{SeededSet, hash64};

/// Running words in a chunk of the standardised type-token ratio: the default of WordSmith's WordList (Scott), where
/// chunks do not run on from text to text either.
pub const CHUNK_WORDS: usize = 1000;

/// Size of the kept text of a language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Volume {
    pub documents: u64,
    pub paragraphs: u64,
    pub sentences: u64,
    pub tokens: u64,
    /// Tokens with a letter or digit.
    pub words: u64,
    /// Bytes of the paragraphs in UTF-8.
    pub bytes: u64,
    /// Full chunks of [`CHUNK_WORDS`] words.
    pub chunks: u64,
    /// Sum of the numbers of types in these chunks.
    pub chunk_types: u64,
}

impl Volume {
    /// Mean of types / words over all full chunks, 0 to 1; `None` without a full chunk.
    pub fn standardised_ratio(&self) -> Option<f64> {
        (self.chunks > 0).then(|| self.chunk_types as f64 / (self.chunks * CHUNK_WORDS as u64) as f64)
    }
}

impl AddAssign for Volume {
    fn add_assign(&mut self, other: Volume) {
        self.documents += other.documents;
        self.paragraphs += other.paragraphs;
        self.sentences += other.sentences;
        self.tokens += other.tokens;
        self.words += other.words;
        self.bytes += other.bytes;
        self.chunks += other.chunks;
        self.chunk_types += other.chunk_types;
    }
}

/// Documents by year, as [`YearOf::year`] tells it.
pub type Years = BTreeMap<u32, u64>;

/// Counts of any number of shards. Merging is addition, so its order makes no difference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusCounts {
    pub languages: BTreeMap<CompactString, Volume>,
    /// Kept documents by year of publication.
    pub published: Years,
    /// Kept documents by year of capture (UTC).
    pub captured: Years,
    /// Yields of all documents.
    pub yields: Yields,
    /// All documents by the value of the column of `--group-by`, which is empty for those without one; empty without the
    /// option.
    pub groups: BTreeMap<CompactString, Group>,
}

impl CorpusCounts {
    /// Adds other counts.
    pub fn merge(&mut self, other: CorpusCounts) {
        add_all(&mut self.languages, other.languages);
        add_all(&mut self.published, other.published);
        add_all(&mut self.captured, other.captured);
        self.yields.merge(other.yields);
        add_all(&mut self.groups, other.groups);
    }

    /// Size of the kept text of all languages together.
    pub fn all(&self) -> Volume {
        let mut all = Volume::default();
        self.languages.values().for_each(|volume| all += *volume);
        all
    }
}

fn add_all<K: Ord, V: AddAssign + Default>(to: &mut BTreeMap<K, V>, more: BTreeMap<K, V>) {
    more.into_iter().for_each(|(key, value)| *to.entry(key).or_default() += value);
}

/// Counts one shard, document after document.
#[derive(Debug, Default)]
pub struct ShardCounter {
    counts: CorpusCounts,
    /// Types of the chunk that is read, kept for its memory.
    types: SeededSet<u64>,
}

impl ShardCounter {
    /// Counts one document. `text` are its kept paragraphs, and `words` are the words of `text`. A document that is not
    /// kept counts for the yield only. `group` is its value of the column of `--group-by`.
    pub fn document(
        &mut self,
        document: &Document,
        text: &[SegmentedParagraph],
        words: &DocumentWords,
        group: Option<&str>,
    ) {
        let bytes = text.iter().map(|paragraph| paragraph.text.len() as u64).sum();
        let text_bytes = if document.kept { bytes } else { 0 };
        self.counts.yields.add(document, text_bytes);
        let volume = if document.kept { self.kept(document, text, words, bytes) } else { Volume::default() };
        if let Some(group) = group {
            let yielded = Yield::of(document, text_bytes);
            *self.counts.groups.entry(group.into()).or_default() += Group { volume, yielded };
        }
    }

    /// Counts a document that is kept.
    fn kept(&mut self, document: &Document, text: &[SegmentedParagraph], words: &DocumentWords, bytes: u64) -> Volume {
        *self.counts.published.entry(YearOf::Published.year(document)).or_default() += 1;
        *self.counts.captured.entry(YearOf::Captured.year(document)).or_default() += 1;
        let (chunks, chunk_types) = self.chunks(words);
        let volume = Volume {
            documents: 1,
            paragraphs: text.len() as u64,
            sentences: words.sentences,
            tokens: words.tokens,
            words: words.word_count() as u64,
            bytes,
            chunks,
            chunk_types,
        };
        *self.counts.languages.entry(document.language.code().into()).or_default() += volume;
        volume
    }

    /// The groups so far.
    pub fn groups(&self) -> &BTreeMap<CompactString, Group> {
        &self.counts.groups
    }

    /// Number of full chunks of a document, and the sum of their types. Words after the last full chunk do not count, so
    /// that the ratio does not depend on what other documents a shard has. Types are compared by 64-bit hashes, which
    /// practically never collide among a thousand.
    fn chunks(&mut self, words: &DocumentWords) -> (u64, u64) {
        let (mut chunks, mut chunk_types) = (0, 0);
        for (number, word) in (1..=words.word_count() / CHUNK_WORDS * CHUNK_WORDS).zip(words.iter()) {
            self.types.insert(hash64(word.as_bytes()));
            if number.is_multiple_of(CHUNK_WORDS) {
                chunks += 1;
                chunk_types += self.types.len() as u64;
                self.types.clear();
            }
        }
        (chunks, chunk_types)
    }

    /// The counts of the shard.
    pub fn finish(self) -> CorpusCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::language::Language;
    use crate::stats::by_year::UNKNOWN;
    use crate::stats::counted_words::Casing;

    fn document(language: &str, kept: bool) -> Document {
        let (host, domain, tld) = ("www.a.cz".into(), "a.cz".into(), "cz".into());
        let (captured, published) = (Some(1_704_067_199_999_999), Some(19_722));
        let language = Language::by_code(language).unwrap();
        Document { host, domain, tld, payload_bytes: 100, captured, published, language, kept, ..Document::default() }
    }

    fn count(shard: &mut ShardCounter, document: &Document, text: &[SegmentedParagraph]) {
        let mut words = DocumentWords::default();
        words.read(text, Casing::default());
        shard.document(document, text, &words, Some(&document.host));
    }

    #[test]
    fn a_corpus_counted_by_hand() {
        let text = [
            SegmentedParagraph {
                text: "Ano, ano. Ne!",
                sentences: vec![vec!["Ano", ",", "ano", "."], vec!["Ne", "!"]],
            },
            SegmentedParagraph { text: "Žár 5", sentences: vec![vec!["Žár", "5"]] },
        ];
        let mut shard = ShardCounter::default();
        count(&mut shard, &document("ces", true), &text);
        count(&mut shard, &Document { published: None, ..document("ces", true) }, &text[1..]);
        count(&mut shard, &document("ces", false), &text);
        count(&mut shard, &document("eng", true), &text[..1]);
        let counts = shard.finish();
        let ces =
            Volume { documents: 2, paragraphs: 3, sentences: 4, tokens: 10, words: 7, bytes: 27, ..Volume::default() };
        assert_eq!(counts.languages["ces"], ces);
        assert_eq!((counts.all().documents, counts.all().words), (3, 10));
        assert_eq!(counts.all().standardised_ratio(), None);
        assert_eq!(counts.published, Years::from([(UNKNOWN, 1), (2023, 2)]));
        assert_eq!(counts.captured, Years::from([(2023, 3)]));
        let all = Yield { documents: 4, kept: 3, unmeasured: 0, raw_bytes: 400, clean_bytes: 40 };
        assert_eq!(counts.yields.all(), all);
        let group = counts.groups["www.a.cz"];
        assert_eq!((group.volume, group.yielded, counts.groups.len()), (counts.all(), all, 1));
    }

    #[test]
    fn chunks_end_with_the_document() {
        let some = |numbers: std::ops::Range<u32>| numbers.map(|n| (n % 900).to_string()).collect::<Vec<_>>();
        let mut shard = ShardCounter::default();
        // 900 types in each of two chunks; 600 and 400 words are left over.
        let (first, second) = (some(0..600), some(0..2400));
        for numbers in [&first, &second] {
            let sentences = vec![numbers.iter().map(String::as_str).collect()];
            count(&mut shard, &document("ces", true), &[SegmentedParagraph { text: "", sentences }]);
        }
        let volume = shard.finish().languages["ces"];
        assert_eq!((volume.chunks, volume.chunk_types), (2, 1800));
        assert_eq!(volume.standardised_ratio(), Some(0.9));
    }

    fn shard() -> impl Strategy<Value = CorpusCounts> {
        let tokens = prop::collection::vec(prop::sample::select(vec!["a", "B", ".", "č"]), 0..700);
        let one = (
            tokens,
            prop::sample::select(vec!["ces", "slk"]),
            any::<bool>(),
            0u64..3,
            prop::option::of(-9999i32..29999),
        );
        prop::collection::vec(one, 0..6).prop_map(|documents| {
            let mut shard = ShardCounter::default();
            for (tokens, language, kept, length, published) in documents {
                let host = format!("{length}.cz");
                let row = Document { payload_bytes: length, published, host, ..document(language, kept) };
                count(&mut shard, &row, &[SegmentedParagraph { text: "abc", sentences: vec![tokens] }]);
            }
            shard.finish()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn merging_is_associative_and_commutative(a in shard(), b in shard(), c in shard()) {
            let merge = |mut one: CorpusCounts, other: &CorpusCounts| { one.merge(other.clone()); one };
            let left = merge(merge(a.clone(), &b), &c);
            prop_assert_eq!(&left, &merge(a.clone(), &merge(b.clone(), &c)));
            prop_assert_eq!(&left, &merge(merge(c.clone(), &b), &a));
        }
    }
}
