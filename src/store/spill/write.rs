//! Writing: rows in any order → sorted runs.

use std::fs::File;
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use super::{FLUSH, MAGIC, SortSpace, SpillRow, checksum, tail};
use crate::error::{Error, Result};
use crate::hash::{Hasher, deal, sort_spread};
use crate::store::atomic::AtomicFile;

/// Writes one spill file.
pub struct Writer<R> {
    file: AtomicFile,
    partitions: u32,
    pending: Vec<(u32, R)>,
    most_pending: usize,
    /// Entries of the footer so far, as bytes.
    entries: Vec<u8>,
    runs: u32,
    rows: u64,
}

impl<R: SpillRow> Writer<R> {
    pub fn create(path: &Path, partitions: u32, space: &SortSpace) -> Result<Writer<R>> {
        let mut file = space.create(path)?;
        file.put(MAGIC)?;
        let most_pending = (space.run / size_of::<(u32, R)>()).max(1);
        // All at once: growing by doubling would take up to three times as much for a moment.
        let pending = Vec::with_capacity(most_pending);
        Ok(Writer { file, partitions: partitions.max(1), pending, most_pending, entries: Vec::new(), runs: 0, rows: 0 })
    }

    /// Adds a row to a partition. A partition beyond the last counts as the last.
    pub fn push(&mut self, partition: u32, row: R) -> Result<()> {
        self.pending.push((partition.min(self.partitions - 1), row));
        if self.pending.len() >= self.most_pending { self.write_run() } else { Ok(()) }
    }

    /// Completes the file; the number of its rows.
    pub fn finish(mut self) -> Result<u64> {
        if !self.pending.is_empty() {
            self.write_run()?;
        }
        let mut footer = std::mem::take(&mut self.entries);
        footer.extend(tail::<R>(self.runs, self.partitions));
        self.file.put(&footer)?;
        self.file.persist_unsynced()?;
        Ok(self.rows)
    }

    fn write_run(&mut self) -> Result<()> {
        let bounds = deal(&mut self.pending, self.partitions as usize, |(partition, _)| *partition as usize);
        let mut bytes = Vec::with_capacity(2 * FLUSH);
        for bounds in bounds.windows(2) {
            let &[begin, end] = bounds else { continue };
            let rows = self.pending.get_mut(begin as usize..end as usize).unwrap_or_default();
            sort_spread(rows, |(_, row)| row.leading());
            let (first, mut sum) = (self.rows, Hasher::default());
            for rows in rows.chunks((FLUSH / R::WIDTH).max(1)) {
                let before = bytes.len();
                rows.iter().for_each(|(_, row)| row.write(&mut bytes));
                sum.update(bytes.get(before..).unwrap_or_default());
                if bytes.len() >= FLUSH {
                    self.file.put(&bytes)?;
                    bytes.clear();
                }
            }
            self.rows += rows.len() as u64;
            for number in [first, self.rows, checksum(first, self.rows, &sum)] {
                self.entries.extend_from_slice(&number.to_le_bytes());
            }
        }
        self.file.put(&bytes)?;
        self.runs += 1;
        self.pending.clear();
        Ok(())
    }
}

/// Fewest bytes that are written at a time.
const LEAST_WRITE: usize = 4 << 10;

/// A file of one run in one partition, whose rows come in order.
pub struct SortedRun<R> {
    file: File,
    path: PathBuf,
    bytes: Vec<u8>,
    most_bytes: usize,
    rows: u64,
    sum: Hasher,
    row: PhantomData<R>,
}

impl<R: SpillRow> SortedRun<R> {
    pub fn create(path: &Path, space: &SortSpace) -> Result<SortedRun<R>> {
        let file = File::create(path).map_err(Error::io("create", path))?;
        let most_bytes = space.merge.clamp(LEAST_WRITE, 1 << 20);
        Ok(SortedRun {
            file,
            path: path.into(),
            bytes: MAGIC.to_vec(),
            most_bytes,
            rows: 0,
            sum: Hasher::default(),
            row: PhantomData,
        })
    }

    pub fn push(&mut self, row: R) -> Result<()> {
        let before = self.bytes.len();
        row.write(&mut self.bytes);
        self.sum.update(self.bytes.get(before..).unwrap_or_default());
        self.rows += 1;
        if self.bytes.len() >= self.most_bytes { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.file.write_all(&self.bytes).map_err(Error::io("write", &self.path))?;
        self.bytes.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        for number in [0, self.rows, checksum(0, self.rows, &self.sum)] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(tail::<R>(1, 1));
        self.flush()
    }
}
