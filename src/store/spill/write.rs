//! Writing: rows in any order → sorted runs.

use std::marker::PhantomData;
use std::path::Path;

use super::{FLUSH, MAGIC, SortSpace, SpillRow, checksum, tail};
use crate::error::Result;
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

/// Writes a file of a single run, whose rows come in order.
pub(super) struct RunWriter<R> {
    file: AtomicFile,
    partitions: u32,
    /// The partition of the last row, and the number of its first row.
    partition: u32,
    first_row: u64,
    pub(super) rows: u64,
    bytes: Vec<u8>,
    /// Checksum of the rows of the partition that were written to the file.
    sum: Hasher,
    /// Where in `bytes` the rows begin that `sum` lacks.
    unsummed: usize,
    /// Entries of the footer so far, as bytes.
    entries: Vec<u8>,
    row: PhantomData<R>,
}

impl<R: SpillRow> RunWriter<R> {
    pub(super) fn create(path: &Path, partitions: u32, space: &SortSpace) -> Result<RunWriter<R>> {
        Ok(RunWriter {
            file: space.create(path)?,
            partitions: partitions.max(1),
            partition: 0,
            first_row: 0,
            rows: 0,
            bytes: MAGIC.to_vec(),
            sum: Hasher::default(),
            unsummed: MAGIC.len(),
            entries: Vec::new(),
            row: PhantomData,
        })
    }

    /// Adds a row to the partition of the last one or to one after it. A partition beyond the last counts as the last.
    pub(super) fn push(&mut self, partition: u32, row: R) -> Result<()> {
        while self.partition < partition.min(self.partitions - 1) {
            self.end_partition();
        }
        row.write(&mut self.bytes);
        self.rows += 1;
        if self.bytes.len() >= FLUSH { self.flush() } else { Ok(()) }
    }

    fn sum_up(&mut self) {
        self.sum.update(self.bytes.get(self.unsummed..).unwrap_or_default());
        self.unsummed = self.bytes.len();
    }

    fn end_partition(&mut self) {
        self.sum_up();
        let sum = checksum(self.first_row, self.rows, &std::mem::take(&mut self.sum));
        for number in [self.first_row, self.rows, sum] {
            self.entries.extend(number.to_le_bytes());
        }
        self.first_row = self.rows;
        self.partition += 1;
    }

    fn flush(&mut self) -> Result<()> {
        self.sum_up();
        self.file.put(&self.bytes)?;
        self.bytes.clear();
        self.unsummed = 0;
        Ok(())
    }

    /// Completes the file; the number of its rows.
    pub(super) fn finish(mut self) -> Result<u64> {
        while self.partition < self.partitions {
            self.end_partition();
        }
        self.flush()?;
        self.entries.extend(tail::<R>(1, self.partitions));
        self.file.put(&self.entries)?;
        self.file.persist_unsynced()?;
        Ok(self.rows)
    }
}
