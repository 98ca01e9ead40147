//! Counts of keys of any length (words, n-grams) in bounded memory.
//!
//! A [`KeyCounter`] counts in a hash table. When its memory is used up, the table is written as a sorted run to a
//! temporary file and emptied. [`MergedCounts`] reads all runs of all counters together and gives every key once,
//! in byte order, with its sums. So the result depends neither on the order in which keys came nor on how they
//! were distributed over counters and runs.
//!
//! Unlike those of `spill`, these files never outlive the process: they are removed with the value that owns them.

mod merge;

mod run;

mod table;

mod top_k;

use std::ops::AddAssign;
use std::path::{Path, PathBuf};

pub use merge::MergedCounts;
pub use run::CountRun;
pub use top_k::TopK;

use crate::error::Result;
use table::CountTable;

/// How often a key occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyCount {
    /// Number of occurrences.
    pub count: u64,
    /// Number of documents that have the key.
    pub documents: u64,
}

impl AddAssign for KeyCount {
    fn add_assign(&mut self, other: KeyCount) {
        self.count += other.count;
        self.documents += other.documents;
    }
}

/// Counts keys in a hash table and, when it is full, in sorted runs on disk.
pub struct KeyCounter {
    table: CountTable,
    runs: Vec<CountRun>,
    folder: PathBuf,
    memory: usize,
}

impl KeyCounter {
    /// A counter with temporary files in `folder` and a table of at most `memory` bytes.
    pub fn new(folder: &Path, memory: usize) -> KeyCounter {
        KeyCounter { table: CountTable::default(), runs: Vec::new(), folder: folder.into(), memory }
    }

    /// Counts an occurrence of `key` in the document of that number. The keys of a document must come together, with no
    /// [`KeyCounter::spill_if_full`] between them.
    pub fn count(&mut self, key: &[u8], document: u32) {
        self.table.update(key, |sum, last| {
            sum.count += 1;
            sum.documents += u64::from(sum.count == 1 || *last != document);
            *last = document;
        });
    }

    /// Adds counts of `key`.
    pub fn add(&mut self, key: &[u8], more: KeyCount) {
        self.table.update(key, |sum, _| *sum += more);
    }

    /// Writes the table to disk if it is larger than its memory. It is compared on these calls alone: keys counted
    /// between two of them can exceed the memory.
    pub fn spill_if_full(&mut self) -> Result<()> {
        if self.table.bytes() > self.memory { self.write_run() } else { Ok(()) }
    }

    /// Writes the rest to disk; all runs of this counter.
    pub fn finish(mut self) -> Result<Vec<CountRun>> {
        self.write_run()?;
        Ok(self.runs)
    }

    fn write_run(&mut self) -> Result<()> {
        if !self.table.is_empty() {
            let mut run = run::Writer::create(&self.folder)?;
            self.table.drain(|key, count| run.push(key, count))?;
            self.runs.push(run.finish()?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
