//! Words and n-grams of documents → counts on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compact_str::CompactString;

use super::counted_words::DocumentWords;
use crate::error::Result;
use crate::store::key_counts::{CountRun, KeyCounter};

/// Words of the longest n-gram.
pub const MAX_NGRAM: usize = 8;

/// Counts words, and n-grams up to a length, by language. Each thread has its own counter and counts whole documents.
pub struct WordCounter {
    counts: KeyCounter,
    folder: PathBuf,
    words: BTreeMap<CompactString, u64>,
    longest: usize,
    documents: u32,
    key: Vec<u8>,
}

impl WordCounter {
    /// A counter of n-grams of up to `longest` words; 1 counts words alone. It writes temporary files to `folder` when
    /// its counts take more than `memory` bytes; what one document adds comes on top.
    pub fn new(folder: &Path, memory: usize, longest: usize) -> WordCounter {
        WordCounter {
            counts: KeyCounter::new(folder, memory),
            folder: folder.into(),
            words: BTreeMap::new(),
            longest: longest.clamp(1, MAX_NGRAM),
            documents: 0,
            key: Vec::new(),
        }
    }

    /// Counts the words and n-grams of one document.
    pub fn document(&mut self, language: &str, words: &DocumentWords) -> Result<()> {
        *self.words.entry(language.into()).or_default() += words.word_count() as u64;
        for n in 1..=self.longest {
            for gram in words.ngrams(n) {
                write_key(n as u8, gram, language, &mut self.key);
                self.counts.count(&self.key, self.documents);
            }
        }
        self.documents = self.documents.wrapping_add(1);
        self.counts.spill_if_full()
    }

    /// The counts, all on disk.
    pub fn finish(self) -> Result<WordCounts> {
        Ok(WordCounts { runs: self.counts.finish()?, words: self.words, folder: self.folder })
    }
}

/// The counts of one or more counters.
pub struct WordCounts {
    pub(super) runs: Vec<CountRun>,
    /// Running words of each language.
    pub(super) words: BTreeMap<CompactString, u64>,
    pub(super) folder: PathBuf,
}

impl WordCounts {
    /// Adds the counts of another counter. The order of merging makes no difference.
    pub fn merge(&mut self, other: WordCounts) {
        self.runs.extend(other.runs);
        other.words.into_iter().for_each(|(language, words)| *self.words.entry(language).or_default() += words);
    }
}

/// ```text
/// key = n (one byte), the n-gram, NUL, the language
/// ```
/// The n-gram has no NUL. Keys therefore sort by the bytes of the n-gram, which is code-point order, and the languages
/// of an n-gram stand together.
fn write_key(n: u8, gram: &str, language: &str, key: &mut Vec<u8>) {
    key.clear();
    key.push(n);
    key.extend_from_slice(gram.as_bytes());
    key.push(0);
    key.extend_from_slice(language.as_bytes());
}

/// The length n, the n-gram and the language of a key.
pub(super) fn read_key(key: &[u8]) -> Option<(u8, &str, &str)> {
    let (n, rest) = key.split_first()?;
    let (gram, language) = std::str::from_utf8(rest).ok()?.split_once('\0')?;
    Some((*n, gram, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_written() {
        let mut key = b"rest of the one before".to_vec();
        write_key(2, "žlutý kůň", "ces", &mut key);
        assert_eq!(read_key(&key), Some((2, "žlutý kůň", "ces")));
        assert_eq!(read_key(b""), None);
    }
}
