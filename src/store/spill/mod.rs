//! Spill and gather: what must meet across shards goes through here and nowhere else.
//!
//! A task appends fixed-width rows, each to a partition; they are sorted and written in runs as a
//! memory cap fills. Another task merges one partition from any number of such files and sees the
//! rows in order. Which documents share a band key, which edges a document has, which n-grams
//! occur twice: all the same question with another row.
//!
//! ```text
//! file   = magic, rows of run 0, rows of run 1, …, footer
//! footer = for each run, for each partition: numbers of its first row and of the row after its last,
//!          checksum of these and of its rows (u64 each);
//!          runs u32, partitions u32, row width u32, checksum of these u64, magic
//! ```
//! All numbers are little-endian. The checksums are looked at whenever rows are read: a decision made
//! from a damaged file could not be told from a right one.

mod groups;

mod merge;

mod write;

use std::path::PathBuf;

use crate::hash::{Hasher, combine};

pub use groups::{Groups, InStep};
pub use merge::{Merge, merge, merge_parts};
pub use write::Writer;

const MAGIC: &[u8; 8] = b"WCSPILL2";
/// Bytes of a partition's entry in the footer.
const ENTRY: u64 = 24;

/// A fixed-width row. `Ord` is the order in which a merge gives rows back.
pub trait Row: Copy + Ord {
    /// Bytes of a row on disk.
    const WIDTH: usize;
    fn write(&self, out: &mut Vec<u8>);
    fn read(fields: &mut Fields) -> Self;
}

/// A struct of numbers that is a [`Row`]; its fields' order is that of the merge.
macro_rules! row {
    ($(#[$about:meta])* $vis:vis struct $name:ident { $($(#[$field_about:meta])* $field_vis:vis $field:ident: $type:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $vis struct $name {
            $($(#[$field_about])* $field_vis $field: $type,)*
        }

        impl $crate::store::spill::Row for $name {
            const WIDTH: usize = 0 $(+ size_of::<$type>())*;

            fn write(&self, out: &mut Vec<u8>) {
                $(out.extend(self.$field.to_le_bytes());)*
            }

            fn read(fields: &mut $crate::store::spill::Fields) -> Self {
                $name { $($field: fields.$type()),* }
            }
        }
    };
}
pub(crate) use row;

/// Reads little-endian numbers from the front of a slice; 0 past its end.
pub struct Fields<'a>(pub &'a [u8]);

impl Fields<'_> {
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

/// Bytes that sorting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Of rows that a writer holds before it sorts and writes a run.
    pub run: usize,
    /// Of all buffers of a merge together.
    pub merge: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { run: 32 << 20, merge: 8 << 20 }
    }
}

/// A partition of a spill file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub path: PathBuf,
    pub partition: u32,
}

fn checksum(first: u64, end: u64, rows: &Hasher) -> u64 {
    combine(&[first, end, rows.sum()])
}

/// What a file ends with.
fn tail<R: Row>(runs: u32, partitions: u32) -> Vec<u8> {
    let numbers = [runs, partitions, R::WIDTH as u32];
    let mut tail: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tail.extend(combine(&numbers.map(u64::from)).to_le_bytes());
    tail.extend(MAGIC);
    tail
}

#[cfg(test)]
mod tests;
