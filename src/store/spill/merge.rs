//! Reading: sorted runs → one sorted sequence.

use std::fs::File;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::write::RunWriter;
use super::{ENTRY_BYTES, MAGIC, NumberReader, SortSpace, SpillPartition, SpillRow, checksum};
use crate::error::{Error, Result};
use crate::hash::{Hasher, combine, sort_spread};
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
    let most = (buffer_bytes(space) / LEAST_REFILL).max(2);
    let mut cursors: Vec<RunCursor<R>> = Vec::new();
    for part in parts {
        cursors.extend(RunCursor::of_file(&part.path, part.partition)?);
    }
    let mut scratch = Scratch::default();
    while cursors.len() > most {
        let rest = cursors.split_off(most);
        let path = space.temporary(beside);
        scratch.0.push(path.clone());
        MergedRows::begin(cursors, Scratch::default(), space).write_to(&path, space)?;
        cursors = rest;
        cursors.extend(RunCursor::of_file(&path, 0)?);
    }
    Ok(MergedRows::begin(cursors, scratch, space))
}

/// The rows of several sorted runs in order: an iterator, made by [`merge`].
///
/// Rows up to a boundary are taken from all runs and sorted together. Their first fields are mostly hashes, so that a row
/// costs the same however many runs there are. In a tree of the runs' first rows it would be compared once for each doubling
/// of their number.
pub struct MergedRows<R> {
    cursors: Vec<RunCursor<R>>,
    /// Rows that are sorted, and the number of those that were given.
    batch: Vec<R>,
    given: usize,
    /// Rows that a batch takes of a run at most, but for those equal to the last of the batch.
    share: usize,
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
    fn begin(mut cursors: Vec<RunCursor<R>>, scratch: Scratch, space: &SortSpace) -> MergedRows<R> {
        let runs = cursors.len().max(1);
        let refill_bytes = (buffer_bytes(space) / runs).clamp(LEAST_REFILL, 256 << 10);
        cursors.iter_mut().for_each(|cursor| cursor.refill_bytes = refill_bytes);
        let batch_rows = (space.merge - buffer_bytes(space)) / size_of::<R>();
        let share = (batch_rows / runs).clamp(1, refill_bytes / R::WIDTH);
        MergedRows { cursors, batch: Vec::new(), given: 0, share, _scratch: scratch }
    }

    /// Sorts the next rows.
    fn fill(&mut self) -> Result<()> {
        self.batch.clear();
        self.given = 0;
        let mut boundary = None;
        for cursor in &mut self.cursors {
            if let Some(row) = cursor.row_at_end_of(self.share)? {
                boundary = Some(boundary.map_or(row, |least: R| least.min(row)));
            }
        }
        for cursor in &mut self.cursors {
            cursor.take_to(boundary, &mut self.batch);
        }
        if self.cursors.len() > 1 {
            sort_spread(&mut self.batch, R::leading);
        }
        self.cursors.retain(|cursor| !cursor.is_at_end());
        Ok(())
    }

    /// Writes all rows as one sorted run.
    fn write_to(mut self, temporary: &Path, space: &SortSpace) -> Result<()> {
        let mut run = RunWriter::create(temporary, 1, space)?;
        self.try_for_each(|row| run.push(0, row?))?;
        run.finish().map(drop)
    }
}

impl<R: SpillRow> Iterator for MergedRows<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        if self.given == self.batch.len()
            && let Err(error) = self.fill()
        {
            return Some(Err(error));
        }
        let row = self.batch.get(self.given)?;
        self.given += 1;
        Some(Ok(*row))
    }
}

/// Bytes of [`SortSpace::merge`] for the buffers of the runs; the rest is for the batch.
fn buffer_bytes(space: &SortSpace) -> usize {
    space.merge / 8 * 7
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

    /// The last of the next `rows` rows, `None` if no more than these are left: then all of them are in the buffer.
    fn row_at_end_of(&mut self, rows: usize) -> Result<Option<R>> {
        let bytes = rows * R::WIDTH;
        if self.next_row < self.end_row && self.unread().len() <= bytes {
            self.refill(bytes + R::WIDTH)?;
        }
        let last = self.unread().get(bytes - R::WIDTH..bytes).filter(|_| self.unread().len() > bytes);
        Ok(last.map(|last| R::read(&mut NumberReader(last))))
    }

    /// Moves the rows of the buffer up to `boundary`, `None` for all, to the end of `batch`.
    fn take_to(&mut self, boundary: Option<R>, batch: &mut Vec<R>) {
        for bytes in self.buffer.get(self.used..).unwrap_or_default().chunks_exact(R::WIDTH) {
            let row = R::read(&mut NumberReader(bytes));
            if boundary.is_some_and(|boundary| row > boundary) {
                break;
            }
            self.used += R::WIDTH;
            batch.push(row);
        }
    }

    fn is_at_end(&self) -> bool {
        self.next_row == self.end_row && self.unread().is_empty()
    }

    /// Rows of the buffer that were not taken.
    fn unread(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// Reads rows behind those that were not taken, so that there are `least` bytes or all that are left. The checksum is
    /// compared before the last of them are given.
    fn refill(&mut self, least: usize) -> Result<()> {
        self.buffer.drain(..self.used);
        self.used = 0;
        let unread = self.buffer.len();
        let room = self.refill_bytes.max(least) - unread;
        let rows = (self.end_row - self.next_row).min((room / R::WIDTH).max(1) as u64);
        self.buffer.resize(unread + rows as usize * R::WIDTH, 0);
        let offset = MAGIC.len() as u64 + self.next_row * R::WIDTH as u64;
        let file = File::open(&self.path).map_err(Error::io("open", &self.path))?;
        let fresh = self.buffer.get_mut(unread..).unwrap_or_default();
        file.read_exact_at(fresh, offset).map_err(Error::io("read", &self.path))?;
        self.sum.update(fresh);
        self.next_row += rows;
        match self.next_row < self.end_row || checksum(self.first_row, self.end_row, &self.sum) == self.checksum {
            true => Ok(()),
            false => Err(Error::checksum_mismatch(&self.path)),
        }
    }
}
