//! The selected records of a job, as its directory keeps them: sorted by archive and offset, one partition per shard.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::layout::Layout;
use crate::store::spill::{self, NumberReader, SpillRow};

/// What became of the rows of the index.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SelectionCounts {
    pub rows: u64,
    /// The expression is not true of them.
    pub unwanted: u64,
    /// Wanted, but without a usable place.
    pub unlocated: u64,
    /// No lines of an index.
    pub unreadable: u64,
    /// Of archives that are not among the inputs.
    pub elsewhere: u64,
    /// Named before.
    pub repeated: u64,
    /// To be read.
    pub records: u64,
    /// Of all places, to notice another selection.
    pub fingerprint: String,
}

/// A record to read. `input` counts the archives in the order of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectedRow {
    pub input: u32,
    pub offset: u64,
    pub length: u64,
}

/// In the order of the archives; of several lengths the longest comes first.
impl Ord for SelectedRow {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.input, self.offset, other.length).cmp(&(other.input, other.offset, self.length))
    }
}

impl PartialOrd for SelectedRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl SpillRow for SelectedRow {
    const WIDTH: usize = 20;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.input.to_le_bytes());
        out.extend(self.offset.to_le_bytes());
        out.extend(self.length.to_le_bytes());
    }

    fn read(fields: &mut NumberReader) -> Self {
        SelectedRow { input: fields.u32(), offset: fields.u64(), length: fields.u64() }
    }
}

/// The records of a shard, in the order of the archive.
pub fn of_shard(layout: &Layout, shard: u32) -> Result<Vec<(u64, u64)>> {
    spill::merge::<SelectedRow>(&[layout.selection()], shard, &spill::SortMemory::default())?
        .map(|row| row.map(|row| (row.offset, row.length)))
        .collect()
}
