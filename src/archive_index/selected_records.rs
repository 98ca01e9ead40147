//! The selected records of a job, as stored in its directory: sorted by archive and offset, one partition per shard.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::store::layout::Layout;
use crate::store::spill::{self, NumberReader, SpillRow};

/// Counters of the rows of all index files of a selection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SelectionCounts {
    pub rows: u64,
    /// Rows for which the filter is not true.
    pub unwanted: u64,
    /// Rows whose file name, offset or length is missing or invalid.
    pub unlocated: u64,
    /// Lines that are neither CDXJ nor CDX, or are too long.
    pub unreadable: u64,
    /// Rows of archives that are not among the inputs.
    pub elsewhere: u64,
    /// Rows whose record is named by another row too.
    pub repeated: u64,
    /// Distinct records to read.
    pub records: u64,
    /// Hash of all locations in hexadecimal, by which a changed selection is detected.
    pub fingerprint: String,
}

/// The location of a record to read: `input` is the index of its archive in the plan, `offset` and `length` are stored
/// bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelectedRow {
    pub input: u32,
    pub offset: u64,
    pub length: u64,
}

/// By archive, then by offset; of several rows with the same offset the longest comes first.
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

    fn leading(&self) -> u64 {
        self.input.into()
    }

    fn read(fields: &mut NumberReader) -> Self {
        SelectedRow { input: fields.u32(), offset: fields.u64(), length: fields.u64() }
    }
}

/// Offset and length of the records of a shard, in the order of the archive.
pub fn of_shard(layout: &Layout, shard: u32) -> Result<Vec<(u64, u64)>> {
    spill::merge::<SelectedRow>(&[layout.selection()], shard, &spill::SortSpace::default())?
        .map(|row| row.map(|row| (row.offset, row.length)))
        .collect()
}
