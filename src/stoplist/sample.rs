//! The text that a list is made from: counts of its forms, and some paragraphs set aside to try it on.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::forms;
use crate::error::Result;
use crate::hash::{hash64, mix};
use crate::store::key_counts::{CountRun, KeyCount, KeyCounter};

/// Characters from which on a paragraph may be set aside: shorter ones are judged by their neighbours.
pub const LONG: usize = 200;
/// One long paragraph in so many is set aside, until there are [`MOST_ASIDE`].
const ASIDE: u64 = 64;
/// Paragraphs to try a list on.
pub const MOST_ASIDE: usize = 100;

/// Takes paragraphs in any order; one for each thread.
pub struct Sampler {
    tallies: KeyCounter,
    /// Paragraphs set aside by the mixed hash of their text; those with the smallest stay.
    aside: BTreeMap<u64, String>,
    words: u64,
    folder: PathBuf,
}

impl Sampler {
    /// `folder` takes temporary files, `memory` is in bytes.
    pub fn new(folder: &Path, memory: usize) -> Sampler {
        Sampler { tallies: KeyCounter::new(folder, memory), aside: BTreeMap::new(), words: 0, folder: folder.into() }
    }

    /// What is set aside is not counted. Its text decides, so that threads and order make no difference.
    pub fn paragraph(&mut self, text: &str) -> Result<()> {
        let hash = mix(hash64(text.as_bytes()));
        if hash < u64::MAX / ASIDE && text.chars().nth(LONG - 1).is_some() {
            self.aside.insert(hash, text.into());
            keep_smallest(&mut self.aside);
            return Ok(());
        }
        for form in forms(text) {
            self.words += 1;
            self.tallies.add(form.as_bytes(), KeyCount { count: 1, documents: 0 });
        }
        self.tallies.spill_if_full()
    }

    /// Each line of a plain text is a paragraph.
    pub fn lines(&mut self, text: impl BufRead) -> std::result::Result<(), LineError> {
        for (line, paragraph) in (1..).zip(text.lines()) {
            let paragraph = paragraph.map_err(|source| LineError::Unreadable { line, source })?;
            self.paragraph(&paragraph)?;
        }
        Ok(())
    }

    pub fn finish(self) -> Result<Sample> {
        Ok(Sample { runs: self.tallies.finish()?, aside: self.aside, words: self.words, folder: self.folder })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// `line` counts from 1.
    #[error("line {line}: {source}")]
    Unreadable { line: usize, source: io::Error },
    #[error(transparent)]
    Other(#[from] crate::error::Error),
}

/// What one or more samplers have taken.
pub struct Sample {
    pub(super) runs: Vec<CountRun>,
    pub(super) aside: BTreeMap<u64, String>,
    /// Running words that were counted.
    pub(super) words: u64,
    pub(super) folder: PathBuf,
}

impl Sample {
    pub fn merge(&mut self, other: Sample) {
        self.runs.extend(other.runs);
        self.aside.extend(other.aside);
        keep_smallest(&mut self.aside);
        self.words += other.words;
    }
}

fn keep_smallest(aside: &mut BTreeMap<u64, String>) {
    while aside.len() > MOST_ASIDE {
        aside.pop_last();
    }
}
