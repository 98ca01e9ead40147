//! Words and n-grams of documents → tallies on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compact_str::CompactString;

use super::words::Words;
use crate::error::Result;
use crate::store::key_counts::{CountRun, KeyCounter};

/// Most words of an n-gram.
pub const LONGEST: usize = 8;

/// Counts words, and n-grams up to a length, by language. One for each thread; whole documents only.
pub struct Counter {
    tallies: KeyCounter,
    folder: PathBuf,
    words: BTreeMap<CompactString, u64>,
    longest: usize,
    documents: u32,
    key: Vec<u8>,
}

impl Counter {
    /// `longest` is the n of the longest n-grams, 1 for words alone. `memory` is in bytes and does not hold
    /// what a single document adds.
    pub fn new(folder: &Path, memory: usize, longest: usize) -> Counter {
        Counter {
            tallies: KeyCounter::new(folder, memory),
            folder: folder.into(),
            words: BTreeMap::new(),
            longest: longest.clamp(1, LONGEST),
            documents: 0,
            key: Vec::new(),
        }
    }

    pub fn document(&mut self, language: &str, words: &Words) -> Result<()> {
        *self.words.entry(language.into()).or_default() += words.len() as u64;
        for n in 1..=self.longest {
            for gram in words.ngrams(n) {
                write_key(n as u8, gram, language, &mut self.key);
                self.tallies.count(&self.key, self.documents);
            }
        }
        self.documents = self.documents.wrapping_add(1);
        self.tallies.spill_if_full()
    }

    pub fn finish(self) -> Result<Counted> {
        Ok(Counted { runs: self.tallies.finish()?, words: self.words, folder: self.folder })
    }
}

/// What one or more counters have counted.
pub struct Counted {
    pub(super) runs: Vec<CountRun>,
    /// Running words of each language.
    pub(super) words: BTreeMap<CompactString, u64>,
    pub(super) folder: PathBuf,
}

impl Counted {
    pub fn merge(&mut self, other: Counted) {
        self.runs.extend(other.runs);
        other.words.into_iter().for_each(|(language, words)| *self.words.entry(language).or_default() += words);
    }
}

/// ```text
/// key = n (one byte), the n-gram, NUL, the language
/// ```
/// The n-gram has no NUL, so that keys come in its byte order, which is code-point order, and its languages
/// come together.
fn write_key(n: u8, gram: &str, language: &str, key: &mut Vec<u8>) {
    key.clear();
    key.push(n);
    key.extend_from_slice(gram.as_bytes());
    key.push(0);
    key.extend_from_slice(language.as_bytes());
}

/// n, n-gram and language of a key.
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
