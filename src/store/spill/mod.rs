//! External sorting. All rows that must meet across shards go through this module.
//!
//! A task appends fixed-width rows, each to a partition; whenever its memory is full, they are sorted and
//! written as a run. Another task merges one partition from any number of such files and reads the rows in
//! order. Which documents share a band key, which similar documents a document has, which n-grams occur
//! twice: all of these are the same question with other rows.
//!
//! ```text
//! file   = magic, rows of run 0, rows of run 1, …, footer
//! footer = for each run, for each partition: numbers of its first row and of the row after its last,
//!          checksum of these and of its rows (u64 each);
//!          runs u32, partitions u32, row width u32, checksum of these u64, magic
//! ```
//! All numbers are little-endian. Checksums are compared whenever rows are read: a decision made from a
//! damaged file could not be told from a correct one.

mod groups;

mod join;

mod merge;

mod tournament;

mod write;

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::hash::{Hasher, combine};
use crate::store::atomic::{self, AtomicFile};

pub use groups::{Groups, MergeJoin};
pub use join::{OrderedWriter, join};
pub use merge::{MergedRows, merge, merge_parts};
pub use write::Writer;

const MAGIC: &[u8; 8] = b"WCSPILL2";
/// Bytes of a partition's entry in the footer.
const ENTRY_BYTES: u64 = 24;
/// Bytes of rows that are written at a time.
const FLUSH: usize = 64 << 10;

/// A fixed-width row. `Ord` is the order in which a merge gives rows back.
pub trait SpillRow: Copy + Ord {
    /// Bytes of a row on disk.
    const WIDTH: usize;
    /// Appends the row's bytes.
    fn write(&self, out: &mut Vec<u8>);
    /// The high bits of the first field, so that it ascends as rows do.
    fn leading(&self) -> u64;
    /// Reads a row that [`SpillRow::write`] wrote.
    fn read(fields: &mut NumberReader) -> Self;
}

/// Defines a struct of numbers and implements [`SpillRow`] for it. A merge orders rows by the fields from first to last.
macro_rules! spill_row {
    ($(#[$about:meta])* $vis:vis struct $name:ident { $($(#[$field_about:meta])* $field_vis:vis $field:ident: $type:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $vis struct $name {
            $($(#[$field_about])* $field_vis $field: $type,)*
        }

        impl $crate::store::spill::SpillRow for $name {
            const WIDTH: usize = 0 $(+ size_of::<$type>())*;

            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                $(out.extend_from_slice(&self.$field.to_le_bytes());)*
            }

            #[inline]
            fn leading(&self) -> u64 {
                let [first, ..] = [$($crate::store::spill::Leading::leading(self.$field)),*];
                first
            }

            #[inline]
            fn read(fields: &mut $crate::store::spill::NumberReader) -> Self {
                $name { $($field: fields.$type()),* }
            }
        }
    };
}
pub(crate) use spill_row;

/// A number of a row.
pub trait Leading {
    /// Its 64 high bits; all bits of a shorter one.
    fn leading(self) -> u64;
}

impl Leading for u32 {
    fn leading(self) -> u64 {
        u64::from(self)
    }
}

impl Leading for u64 {
    fn leading(self) -> u64 {
        self
    }
}

impl Leading for u128 {
    fn leading(self) -> u64 {
        (self >> 64) as u64
    }
}

/// Reads little-endian numbers from the front of a slice. Past its end all numbers are 0.
pub struct NumberReader<'a>(pub &'a [u8]);

impl NumberReader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.0.split_first_chunk::<N>() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => [0; N],
        }
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    pub fn u128(&mut self) -> u128 {
        u128::from_le_bytes(self.take())
    }
}

/// Memory and disk that an external sort takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortSpace {
    /// Bytes of rows that a writer holds before it sorts them and writes a run.
    pub run: usize,
    /// Bytes of all buffers of a merge together.
    pub merge: usize,
    /// Folder for files that are being written; `None` is the folder of the finished file. On a cluster it is on the
    /// disk of the node, and the shared file system gets each file in one stretch.
    pub scratch: Option<PathBuf>,
}

impl Default for SortSpace {
    fn default() -> SortSpace {
        SortSpace { run: 32 << 20, merge: 8 << 20, scratch: None }
    }
}

impl SortSpace {
    fn create(&self, path: &Path) -> Result<AtomicFile> {
        AtomicFile::create_by_way_of(&self.temporary(path), path)
    }

    /// The path of a file that is needed only while `path` is written.
    fn temporary(&self, path: &Path) -> PathBuf {
        match (&self.scratch, path.file_name()) {
            (Some(scratch), Some(name)) => atomic::temporary(&scratch.join(name)),
            _ => atomic::temporary(path),
        }
    }
}

/// One partition of a spill file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpillPartition {
    pub path: PathBuf,
    pub partition: u32,
}

fn checksum(first: u64, end: u64, rows: &Hasher) -> u64 {
    combine(&[first, end, rows.sum()])
}

/// The end of a spill file.
fn tail<R: SpillRow>(runs: u32, partitions: u32) -> Vec<u8> {
    let numbers = [runs, partitions, R::WIDTH as u32];
    let mut tail: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tail.extend(combine(&numbers.map(u64::from)).to_le_bytes());
    tail.extend(MAGIC);
    tail
}

#[cfg(test)]
mod tests;
