//! Reading: sorted runs → one sorted sequence.

use std::fs::File;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::tournament::Tournament;
use super::write::SortedRun;
use super::{ENTRY_BYTES, MAGIC, NumberReader, SortSpace, SpillPartition, SpillRow, checksum};
use crate::error::{Error, Result};
use crate::hash::{Hasher, combine};
use crate::store::atomic;

/// Least size of a cursor's buffer in bytes: a page of the disk.
pub(super) const LEAST_REFILL: usize = 4 << 10;

/// All rows of `partition` in `files`, in order, equal rows as often as they were written. It takes `space.merge` bytes
/// and some 200 for each run. Files are opened for each refill only, so their number has no limit.
pub fn merge<R: SpillRow>(files: &[PathBuf], partition: u32, space: &SortSpace) -> Result<MergedRows<R>> {
    let beside = files.first().map_or(Path::new(""), PathBuf::as_path);
    merge_parts(files.iter().map(|path| SpillPartition { path: path.clone(), partition }), beside, space)
}

/// [`merge`] of partitions of any files. More runs than there is memory for buffers are merged in several passes,
/// through temporary files beside the path `beside` or in `space.scratch`.
pub fn merge_parts<R: SpillRow>(
    parts: impl IntoIterator<Item = SpillPartition>,
    beside: &Path,
    space: &SortSpace,
) -> Result<MergedRows<R>> {
    let most = (space.merge / LEAST_REFILL).max(2);
    let mut cursors: Vec<RunCursor<R>> = Vec::new();
    for part in parts {
        cursors.extend(RunCursor::of_file(&part.path, part.partition)?);
    }
    let mut scratch = Scratch::default();
    while cursors.len() > most {
        let rest = cursors.split_off(most);
        let path = space.temporary(beside);
        scratch.0.push(path.clone());
        MergedRows::begin(cursors, Scratch::default(), space)?.write_to(&path, space)?;
        cursors = rest;
        cursors.extend(RunCursor::of_file(&path, 0)?);
    }
    MergedRows::begin(cursors, scratch, space)
}

/// The rows of several sorted runs in order: an iterator, made by [`merge`].
pub struct MergedRows<R> {
    cursors: Vec<RunCursor<R>>,
    tournament: Tournament<R>,
    _scratch: Scratch,
}

/// Temporary files that are removed with the merge that reads them.
#[derive(Default)]
pub(super) struct Scratch(pub Vec<PathBuf>);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that cannot be removed now is swept away like any unfinished file.
        self.0.iter().for_each(|path| drop(atomic::remove(path)));
    }
}

impl<R: SpillRow> MergedRows<R> {
    fn begin(mut cursors: Vec<RunCursor<R>>, scratch: Scratch, space: &SortSpace) -> Result<MergedRows<R>> {
        let refill_bytes = (space.merge / cursors.len().max(1)).clamp(LEAST_REFILL, 256 << 10);
        cursors.iter_mut().for_each(|cursor| cursor.refill_bytes = refill_bytes);
        let rows = cursors.iter_mut().map(RunCursor::next).collect::<Result<_>>()?;
        Ok(MergedRows { cursors, tournament: Tournament::new(rows), _scratch: scratch })
    }

    /// Writes all rows as one sorted run.
    fn write_to(mut self, temporary: &Path, space: &SortSpace) -> Result<()> {
        let mut run = SortedRun::create(temporary, space)?;
        self.try_for_each(|row| run.push(row?))?;
        run.finish()
    }
}

impl<R: SpillRow> Iterator for MergedRows<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let (row, i) = self.tournament.first()?;
        match self.cursors.get_mut(i)?.next() {
            Err(error) => return Some(Err(error)),
            Ok(next) => self.tournament.replace(next),
        }
        Some(Ok(row))
    }
}

/// The end of a file, which says where the rows of each partition are.
pub(super) struct Footer<'a> {
    path: &'a Path,
    file: File,
    pub runs: u32,
    pub partitions: u32,
    /// Offset of the entries.
    entries: u64,
    /// Most rows that the bytes before the entries can be.
    rows: u64,
}

impl Footer<'_> {
    /// Bytes behind the entries.
    const TAIL: u64 = 12 + 8 + 8;

    pub fn read<R: SpillRow>(path: &Path) -> Result<Footer<'_>> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let damaged = || Error::checksum_mismatch(path);
        let mut footer = Footer { path, file, runs: 0, partitions: 0, entries: 0, rows: 0 };
        let tail = footer.read_at(Self::TAIL as usize, length.checked_sub(Self::TAIL).ok_or_else(damaged)?)?;
        let mut fields = NumberReader(&tail);
        let (runs, partitions, width) = (fields.u32(), fields.u32(), fields.u32());
        let sound = combine(&[runs, partitions, width].map(u64::from)) == fields.u64();
        if !sound || fields.0 != MAGIC || width as usize != R::WIDTH {
            return Err(damaged());
        }
        let entries = (u64::from(partitions) * u64::from(runs)).saturating_mul(ENTRY_BYTES);
        (footer.runs, footer.partitions) = (runs, partitions);
        footer.entries = length.checked_sub(Self::TAIL).and_then(|end| end.checked_sub(entries)).ok_or_else(damaged)?;
        footer.rows = footer.entries / R::WIDTH as u64;
        Ok(footer)
    }

    fn read_at(&self, length: usize, offset: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset).map_err(Error::io("read", self.path))?;
        Ok(bytes)
    }

    /// Offset of the entry of a partition in a run. A partition beyond the last counts as the last.
    pub fn entry_offset(&self, run: u32, partition: u32) -> u64 {
        let partition = u64::from(partition.min(self.partitions.saturating_sub(1)));
        self.entries + (u64::from(run) * u64::from(self.partitions) + partition) * ENTRY_BYTES
    }

    /// The first row of a partition in a run, the row after its last, and the checksum of both and its rows.
    pub fn entry(&self, run: u32, partition: u32) -> Result<(u64, u64, u64)> {
        let entry = self.read_at(ENTRY_BYTES as usize, self.entry_offset(run, partition))?;
        let mut fields = NumberReader(&entry);
        let (first, end, sum) = (fields.u64(), fields.u64(), fields.u64());
        match end <= self.rows {
            true => Ok((first, end, sum)),
            false => Err(Error::checksum_mismatch(self.path)),
        }
    }
}

/// Reads the rows of one partition in one run.
struct RunCursor<R> {
    path: PathBuf,
    first_row: u64,
    next_row: u64,
    end_row: u64,
    /// Checksum of the rows so far.
    sum: Hasher,
    /// The checksum of all rows that the file states.
    checksum: u64,
    buffer: Vec<u8>,
    used: usize,
    refill_bytes: usize,
    row: PhantomData<R>,
}

impl<R: SpillRow> RunCursor<R> {
    fn of_file(path: &Path, partition: u32) -> Result<Vec<RunCursor<R>>> {
        let footer = Footer::read::<R>(path)?;
        let mut cursors = Vec::new();
        for run in 0..footer.runs {
            let (first_row, end_row, sum) = footer.entry(run, partition)?;
            if first_row < end_row {
                cursors.push(RunCursor {
                    path: path.into(),
                    first_row,
                    next_row: first_row,
                    end_row,
                    sum: Hasher::default(),
                    checksum: sum,
                    buffer: Vec::new(),
                    used: 0,
                    refill_bytes: 0,
                    row: PhantomData,
                });
            } else if sum != checksum(first_row, end_row, &Hasher::default()) {
                return Err(Error::checksum_mismatch(path));
            }
        }
        Ok(cursors)
    }

    fn next(&mut self) -> Result<Option<R>> {
        if self.used >= self.buffer.len() && !self.refill()? {
            return Ok(None);
        }
        let row = R::read(&mut NumberReader(self.buffer.get(self.used..).unwrap_or_default()));
        self.used += R::WIDTH;
        Ok(Some(row))
    }

    fn refill(&mut self) -> Result<bool> {
        let rows = (self.end_row - self.next_row).min((self.refill_bytes / R::WIDTH).max(1) as u64);
        self.buffer.resize(rows as usize * R::WIDTH, 0);
        self.used = 0;
        if rows == 0 {
            return match checksum(self.first_row, self.end_row, &self.sum) == self.checksum {
                true => Ok(false),
                false => Err(Error::checksum_mismatch(&self.path)),
            };
        }
        let offset = MAGIC.len() as u64 + self.next_row * R::WIDTH as u64;
        let file = File::open(&self.path).map_err(Error::io("open", &self.path))?;
        file.read_exact_at(&mut self.buffer, offset).map_err(Error::io("read", &self.path))?;
        self.sum.update(&self.buffer);
        self.next_row += rows;
        Ok(true)
    }
}
