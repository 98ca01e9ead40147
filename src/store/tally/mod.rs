//! Counting keys of any length in bounded memory: words and n-grams, for one.
//!
//! A [`Tallies`] counts in a table; when its memory is used up, the table is written as a sorted run to a
//! temporary file and begun anew. [`Merge`] reads all runs of all `Tallies` together and gives every key
//! once, in byte order, with its sums. So the result depends neither on the order in which keys came nor
//! on how they were spread over `Tallies` and runs.
//!
//! Unlike `spill`, these files never outlive the process; they are removed with the value that holds them.

mod merge;

mod run;

mod table;

mod top_k;

use std::ops::AddAssign;
use std::path::{Path, PathBuf};

pub use merge::Merge;
pub use run::Run;
pub use top_k::TopK;

use crate::error::Result;
use table::Table;

/// How often a key was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: u64,
    /// Documents that have it.
    pub documents: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.count += other.count;
        self.documents += other.documents;
    }
}

/// See the module.
pub struct Tallies {
    table: Table,
    runs: Vec<Run>,
    folder: PathBuf,
    memory: usize,
}

impl Tallies {
    /// `folder` takes the temporary files, `memory` is in bytes.
    pub fn new(folder: &Path, memory: usize) -> Tallies {
        Tallies { table: Table::default(), runs: Vec::new(), folder: folder.into(), memory }
    }

    /// One more of `key`, in the document of that number; a document's keys must come together and with no
    /// [`Tallies::relieve`] between them.
    pub fn count(&mut self, key: &[u8], document: u32) {
        self.table.with(key, |tally, last| {
            tally.count += 1;
            tally.documents += u64::from(tally.count == 1 || *last != document);
            *last = document;
        });
    }

    pub fn add(&mut self, key: &[u8], more: Tally) {
        self.table.with(key, |tally, _| *tally += more);
    }

    /// Writes the table to disk if it has used up its memory. What is counted between two calls comes on top.
    pub fn relieve(&mut self) -> Result<()> {
        if self.table.bytes() > self.memory { self.write_run() } else { Ok(()) }
    }

    /// All that was counted, on disk.
    pub fn finish(mut self) -> Result<Vec<Run>> {
        self.write_run()?;
        Ok(self.runs)
    }

    fn write_run(&mut self) -> Result<()> {
        if !self.table.is_empty() {
            let mut run = run::Writer::create(&self.folder)?;
            self.table.drain(|key, tally| run.push(key, tally))?;
            self.runs.push(run.finish()?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
