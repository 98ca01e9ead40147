//! The text that a list is made from: counts of its forms, and some paragraphs that are held out to try the list on.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::forms;
use crate::error::Result;
use crate::hash::{hash64, mix};
use crate::store::key_counts::{CountRun, KeyCount, KeyCounter};

/// Characters of the shortest paragraph that may be held out. The cleaner classifies shorter ones by their neighbours.
pub const MIN_CHARACTERS: usize = 200;
/// One of this number of long paragraphs is held out; tried are at most [`MAX_HELD_OUT`] of them.
const HELD_OUT_ONE_IN: u64 = 64;
/// Largest number of paragraphs that are held out.
pub const MAX_HELD_OUT: usize = 100;

/// Collects a sample from paragraphs in any order. Each thread has its own sampler.
pub struct FormSampler {
    tallies: KeyCounter,
    /// Paragraphs held out, by the mixed hash of their text. Those with the smallest hashes stay.
    held_out: BTreeMap<u64, String>,
    words: u64,
    folder: PathBuf,
}

impl FormSampler {
    /// A sampler that writes temporary files to `folder` when its counts take more than `memory` bytes.
    pub fn new(folder: &Path, memory: usize) -> FormSampler {
        FormSampler {
            tallies: KeyCounter::new(folder, memory),
            held_out: BTreeMap::new(),
            words: 0,
            folder: folder.into(),
        }
    }

    /// Counts the forms of a paragraph, or holds it out. The hash of its text decides, so that threads and order make
    /// no difference.
    pub fn paragraph(&mut self, text: &str) -> Result<()> {
        let hash = mix(hash64(text.as_bytes()));
        if hash < u64::MAX / HELD_OUT_ONE_IN && text.chars().nth(MIN_CHARACTERS - 1).is_some() {
            self.held_out.insert(hash, text.into());
            keep_smallest(&mut self.held_out);
            return Ok(());
        }
        for form in forms(text) {
            self.words += 1;
            self.tallies.add(form.as_bytes(), KeyCount { count: 1, documents: 0 });
        }
        self.tallies.spill_if_full()
    }

    /// Reads plain text in which each line is a paragraph.
    pub fn lines(&mut self, text: impl BufRead) -> std::result::Result<(), ReadTextError> {
        for (line, paragraph) in (1..).zip(text.lines()) {
            let paragraph = paragraph.map_err(|source| ReadTextError::Unreadable { line, source })?;
            self.paragraph(&paragraph)?;
        }
        Ok(())
    }

    /// The sample, with all counts on disk.
    pub fn finish(self) -> Result<FormSample> {
        Ok(FormSample { runs: self.tallies.finish()?, held_out: self.held_out, words: self.words, folder: self.folder })
    }
}

/// Why plain text could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadTextError {
    /// `line` counts from 1.
    #[error("line {line}: {source}")]
    Unreadable { line: usize, source: io::Error },
    #[error(transparent)]
    Other(#[from] crate::error::Error),
}

/// What one or more samplers have collected.
pub struct FormSample {
    pub(super) runs: Vec<CountRun>,
    pub(super) held_out: BTreeMap<u64, String>,
    /// Running words that were counted.
    pub(super) words: u64,
    pub(super) folder: PathBuf,
}

impl FormSample {
    /// Adds another sample. The order of merging makes no difference.
    pub fn merge(&mut self, other: FormSample) {
        self.runs.extend(other.runs);
        self.held_out.extend(other.held_out);
        keep_smallest(&mut self.held_out);
        self.words += other.words;
    }
}

fn keep_smallest(held_out: &mut BTreeMap<u64, String>) {
    while held_out.len() > MAX_HELD_OUT {
        held_out.pop_last();
    }
}
