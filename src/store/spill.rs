//! Spill and gather: what must meet across shards goes through here and nowhere else.
//!
//! A task appends fixed-width rows, each to a partition; they are sorted and written in runs as a
//! memory cap fills. Another task merges one partition from any number of such files and sees the
//! rows in order. Which documents share a band key, which edges a document has, which n-grams
//! occur twice: all the same question with another row.
//!
//! ```text
//! file  = magic, rows of run 0, rows of run 1, …, footer
//! footer = for each run the row numbers at which its partitions begin (partitions + 1 × u64),
//!          runs u32, partitions u32, row width u32, magic
//! ```
//! All numbers are little-endian.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::Write;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;

const MAGIC: &[u8; 8] = b"WCSPILL1";

/// A fixed-width row. `Ord` is the order in which a merge gives rows back.
pub trait Row: Copy + Ord {
    /// Bytes of a row on disk.
    const WIDTH: usize;
    fn write(&self, out: &mut Vec<u8>);
    fn read(fields: &mut Fields) -> Self;
}

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

    pub fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }
}

/// Bytes of rows that a writer holds before it sorts and writes a run.
pub const RUN_BYTES: usize = 32 << 20;

/// Writes one spill file.
pub struct Writer<R> {
    file: AtomicFile,
    partitions: u32,
    pending: Vec<(u32, R)>,
    most_pending: usize,
    runs: Vec<Vec<u64>>,
    rows: u64,
}

impl<R: Row> Writer<R> {
    /// `run_bytes`: see [`RUN_BYTES`].
    pub fn create(path: &Path, partitions: u32, run_bytes: usize) -> Result<Writer<R>> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(MAGIC).map_err(Error::io("write", path))?;
        let most_pending = (run_bytes / size_of::<(u32, R)>()).max(1);
        // All at once: growing by doubling would take up to three times as much for a moment.
        let pending = Vec::with_capacity(most_pending);
        Ok(Writer { file, partitions: partitions.max(1), pending, most_pending, runs: Vec::new(), rows: 0 })
    }

    /// A partition beyond the last counts as the last.
    pub fn push(&mut self, partition: u32, row: R) -> Result<()> {
        self.pending.push((partition.min(self.partitions - 1), row));
        if self.pending.len() >= self.most_pending { self.write_run() } else { Ok(()) }
    }

    /// Number of rows in the finished file.
    pub fn finish(mut self) -> Result<u64> {
        if !self.pending.is_empty() {
            self.write_run()?;
        }
        let mut footer = Vec::new();
        for begin in self.runs.iter().flatten() {
            footer.extend(begin.to_le_bytes());
        }
        for number in [self.runs.len() as u32, self.partitions, R::WIDTH as u32] {
            footer.extend(number.to_le_bytes());
        }
        footer.extend(MAGIC);
        let path = self.file.path().to_path_buf();
        self.file.write_all(&footer).map_err(Error::io("write", &path))?;
        self.file.commit()?;
        Ok(self.rows)
    }

    fn write_run(&mut self) -> Result<()> {
        self.pending.sort_unstable();
        let mut begins = Vec::with_capacity(self.partitions as usize + 1);
        let mut bytes = Vec::with_capacity(1 << 16);
        let path = self.file.path().to_path_buf();
        for (partition, row) in self.pending.drain(..) {
            while begins.len() <= partition as usize {
                begins.push(self.rows);
            }
            row.write(&mut bytes);
            self.rows += 1;
            if bytes.len() >= 1 << 16 {
                self.file.write_all(&bytes).map_err(Error::io("write", &path))?;
                bytes.clear();
            }
        }
        self.file.write_all(&bytes).map_err(Error::io("write", &path))?;
        begins.resize(self.partitions as usize + 1, self.rows);
        self.runs.push(begins);
        Ok(())
    }
}

/// All rows of `partition` in `files`, in order, equal rows as often as they were written. Memory:
/// [`MERGE_BYTES`], shared by the runs, but at least a page of the disk for each; files are opened
/// for each refill only, so their number has no limit.
pub fn merge<R: Row>(files: &[PathBuf], partition: u32) -> Result<Merge<R>> {
    let mut cursors = Vec::new();
    for path in files {
        cursors.extend(Cursor::of_file(path, partition)?);
    }
    let refill_bytes = (MERGE_BYTES / cursors.len().max(1)).clamp(4 << 10, 256 << 10);
    cursors.iter_mut().for_each(|cursor| cursor.refill_bytes = refill_bytes);
    let mut heap = BinaryHeap::with_capacity(cursors.len());
    for (i, cursor) in cursors.iter_mut().enumerate() {
        if let Some(row) = cursor.next()? {
            heap.push(Reverse((row, i)));
        }
    }
    Ok(Merge { cursors, heap })
}

/// See [`merge`].
pub struct Merge<R> {
    cursors: Vec<Cursor<R>>,
    heap: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Row> Iterator for Merge<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let Reverse((row, i)) = self.heap.pop()?;
        match self.cursors.get_mut(i).map(Cursor::next) {
            Some(Err(error)) => return Some(Err(error)),
            Some(Ok(Some(next))) => self.heap.push(Reverse((next, i))),
            _ => {}
        }
        Some(Ok(row))
    }
}

/// The rows of one partition in one run.
struct Cursor<R> {
    path: PathBuf,
    next_row: u64,
    end_row: u64,
    buffer: Vec<u8>,
    used: usize,
    refill_bytes: usize,
    row: PhantomData<R>,
}

/// Bytes that the buffers of a merge take together.
const MERGE_BYTES: usize = 8 << 20;

impl<R: Row> Cursor<R> {
    fn of_file(path: &Path, partition: u32) -> Result<Vec<Cursor<R>>> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let read_at = |length: usize, offset: u64| -> Result<Vec<u8>> {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset).map_err(Error::io("read", path))?;
            Ok(bytes)
        };
        const TAIL: u64 = 12 + 8;
        let damaged = || Error::damaged(path, "not a whole spill file; remove it and run again");
        let tail = read_at(TAIL as usize, length.checked_sub(TAIL).ok_or_else(damaged)?)?;
        let mut fields = Fields(&tail);
        let (runs, partitions, width) = (fields.u32(), fields.u32(), fields.u32());
        if fields.0 != MAGIC || width as usize != R::WIDTH {
            return Err(damaged());
        }
        let per_run = (u64::from(partitions) + 1) * 8;
        let footer = length.checked_sub(TAIL + per_run * u64::from(runs)).ok_or_else(damaged)?;
        let mut cursors = Vec::new();
        for run in 0..u64::from(runs) {
            let begins = read_at(16, footer + run * per_run + u64::from(partition.min(partitions - 1)) * 8)?;
            let mut fields = Fields(&begins);
            let (next_row, end_row) = (fields.u64(), fields.u64());
            if next_row < end_row {
                cursors.push(Cursor {
                    path: path.into(),
                    next_row,
                    end_row,
                    buffer: Vec::new(),
                    used: 0,
                    refill_bytes: 0,
                    row: PhantomData,
                });
            }
        }
        Ok(cursors)
    }

    fn next(&mut self) -> Result<Option<R>> {
        if self.used >= self.buffer.len() && !self.refill()? {
            return Ok(None);
        }
        let row = R::read(&mut Fields(self.buffer.get(self.used..).unwrap_or_default()));
        self.used += R::WIDTH;
        Ok(Some(row))
    }

    fn refill(&mut self) -> Result<bool> {
        let rows = (self.end_row - self.next_row).min((self.refill_bytes / R::WIDTH).max(1) as u64);
        self.buffer.resize(rows as usize * R::WIDTH, 0);
        self.used = 0;
        if rows == 0 {
            return Ok(false);
        }
        let offset = MAGIC.len() as u64 + self.next_row * R::WIDTH as u64;
        let file = File::open(&self.path).map_err(Error::io("open", &self.path))?;
        file.read_exact_at(&mut self.buffer, offset).map_err(Error::io("read", &self.path))?;
        self.next_row += rows;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Pair(u64, u32);

    impl Row for Pair {
        const WIDTH: usize = 12;
        fn write(&self, out: &mut Vec<u8>) {
            out.extend(self.0.to_le_bytes());
            out.extend(self.1.to_le_bytes());
        }
        fn read(fields: &mut Fields) -> Self {
            Pair(fields.u64(), fields.u32())
        }
    }

    proptest! {
        /// Whatever the number of files and runs, a merge is the sorted list of what was written.
        #[test]
        fn merge_equals_sort(
            rows in prop::collection::vec((0u32..5, 0u64..50, 0u32..4), 0..400),
            files in 1usize..4,
            run_bytes in 1usize..2000,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let paths: Vec<PathBuf> = (0..files).map(|i| dir.path().join(i.to_string())).collect();
            for (i, path) in paths.iter().enumerate() {
                let mut writer = Writer::create(path, 5, run_bytes).unwrap();
                for &(p, a, b) in rows.iter().skip(i).step_by(files) {
                    writer.push(p, Pair(a, b)).unwrap();
                }
                writer.finish().unwrap();
            }
            for partition in 0..5 {
                let got: Vec<Pair> = merge(&paths, partition).unwrap().map(Result::unwrap).collect();
                let mut want: Vec<Pair> = rows.iter().filter(|r| r.0 == partition).map(|r| Pair(r.1, r.2)).collect();
                want.sort_unstable();
                prop_assert_eq!(got, want);
            }
        }
    }

    #[test]
    fn a_cut_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("spill");
        let mut writer = Writer::create(&path, 2, 1000).unwrap();
        writer.push(0, Pair(1, 2)).unwrap();
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(merge::<Pair>(std::slice::from_ref(&path), 0).is_err(), "{length} bytes");
        }
    }
}
