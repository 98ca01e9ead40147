//! Joining: all partitions of many runs → one run.
//!
//! A merge of one partition reads a place of its own in every run of every file. Where these are too many, runs are
//! joined first: each is read once, from its beginning to its end.

use std::fs::File;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::merge::{Footer, LEAST_REFILL, Scratch, merge};
use super::tournament::Tournament;
use super::write::RunWriter;
use super::{ENTRY_BYTES, MAGIC, NumberReader, SortSpace, SpillRow, Writer, checksum};
use crate::error::{Error, Result};
use crate::hash::Hasher;

/// Rows that are written between two checks for an interrupt.
const ROWS_BETWEEN_CHECKS: u64 = 1 << 16;
/// Most bytes that are read at a time.
const MOST_REFILL: usize = 256 << 10;

/// Joins files with equal numbers of partitions into the file `to`, which has a single run; the number of its rows. It
/// takes `space.run` bytes. `check` is called often and can end the work with its error.
pub fn join<R: SpillRow>(
    files: &[PathBuf],
    to: &Path,
    space: &SortSpace,
    check: impl Fn() -> Result<()>,
) -> Result<u64> {
    let most = (space.run / LEAST_REFILL).max(2);
    let (mut partitions, mut runs) = (1, Vec::new());
    for file in files {
        let footer = Footer::read::<R>(file)?;
        partitions = footer.partitions;
        for run in 0..footer.runs {
            runs.push(RunReader::<R>::new(file, &footer, run)?);
        }
    }
    let mut scratch = Scratch::default();
    while runs.len() > most {
        let rest = runs.split_off(most);
        let path = space.temporary(to);
        scratch.0.push(path.clone());
        join_runs(runs, partitions, &path, space, &check)?;
        runs = rest;
        runs.push(RunReader::new(&path, &Footer::read::<R>(&path)?, 0)?);
    }
    join_runs(runs, partitions, to, space, &check)
}

fn join_runs<R: SpillRow>(
    mut runs: Vec<RunReader<R>>,
    partitions: u32,
    to: &Path,
    space: &SortSpace,
    check: &impl Fn() -> Result<()>,
) -> Result<u64> {
    let refill_bytes = (space.run / runs.len().max(1)).clamp(LEAST_REFILL, MOST_REFILL);
    runs.iter_mut().for_each(|run| run.rows.refill_bytes = refill_bytes);
    let mut writer = RunWriter::create(to, partitions, space)?;
    for partition in 0..partitions {
        check()?;
        let first = |run: &mut RunReader<R>| run.begin_partition().and_then(|()| run.next());
        let mut tournament = Tournament::new(runs.iter_mut().map(first).collect::<Result<_>>()?);
        while let Some((row, i)) = tournament.first() {
            tournament.replace(runs.get_mut(i).map(RunReader::next).transpose()?.flatten());
            writer.push(partition, row)?;
            if writer.rows.is_multiple_of(ROWS_BETWEEN_CHECKS) {
                check()?;
            }
        }
    }
    writer.finish()
}

/// A stretch of a file that is read in order. The file is opened for each refill only.
struct Stretch {
    path: PathBuf,
    /// Offsets of the next byte to read from the file, and of the byte after the last.
    next: u64,
    end: u64,
    refill_bytes: usize,
    buffer: Vec<u8>,
    used: usize,
}

impl Stretch {
    fn new(path: &Path, next: u64, end: u64) -> Stretch {
        Stretch { path: path.into(), next, end, refill_bytes: LEAST_REFILL, buffer: Vec::new(), used: 0 }
    }

    /// Fills the empty buffer with as many items of `width` bytes as fit; the stretch ends if it stays empty.
    fn refill(&mut self, width: usize) -> Result<()> {
        let most = (self.refill_bytes / width).max(1) * width;
        let bytes = self.end.saturating_sub(self.next).min(most as u64);
        self.buffer.resize(bytes as usize, 0);
        self.used = 0;
        if bytes > 0 {
            let file = File::open(&self.path).map_err(Error::io("open", &self.path))?;
            file.read_exact_at(&mut self.buffer, self.next).map_err(Error::io("read", &self.path))?;
            self.next += bytes;
        }
        Ok(())
    }

    /// The next item of `width` bytes; shorter past the end of the buffer.
    fn take(&mut self, width: usize) -> &[u8] {
        let begin = self.used;
        self.used = self.buffer.len().min(begin + width);
        self.buffer.get(begin..self.used).unwrap_or_default()
    }
}

/// Reads a run from its beginning to its end, partition by partition.
struct RunReader<R> {
    rows: Stretch,
    /// The footer entries of the partitions that follow.
    entries: Stretch,
    /// Numbers of the first row of the partition, of the next one, and of the one after its last.
    first_row: u64,
    next_row: u64,
    end_row: u64,
    /// The checksum that the file states for the partition, and the one of its rows so far.
    checksum: u64,
    sum: Hasher,
    /// Where in the buffer the rows begin that `sum` lacks.
    unsummed: usize,
    row: PhantomData<R>,
}

impl<R: SpillRow> RunReader<R> {
    fn new(path: &Path, footer: &Footer, run: u32) -> Result<RunReader<R>> {
        let (first_row, _, _) = footer.entry(run, 0)?;
        let (_, end_row, _) = footer.entry(run, footer.partitions)?;
        let offset = |row: u64| (MAGIC.len() as u64).saturating_add(row.saturating_mul(R::WIDTH as u64));
        let [entries, entries_end] = [run, run + 1].map(|run| footer.entry_offset(run, 0));
        Ok(RunReader {
            rows: Stretch::new(path, offset(first_row), offset(end_row).min(footer.entry_offset(0, 0))),
            entries: Stretch::new(path, entries, entries_end),
            first_row,
            next_row: first_row,
            end_row: first_row,
            checksum: 0,
            sum: Hasher::default(),
            unsummed: 0,
            row: PhantomData,
        })
    }

    /// Goes on to the next partition, when all rows of the one before were read.
    fn begin_partition(&mut self) -> Result<()> {
        const WIDTH: usize = ENTRY_BYTES as usize;
        if self.entries.used >= self.entries.buffer.len() {
            self.entries.refill(WIDTH)?;
        }
        let mut fields = NumberReader(self.entries.take(WIDTH));
        (self.first_row, self.end_row, self.checksum) = (fields.u64(), fields.u64(), fields.u64());
        match self.first_row == self.next_row && self.first_row <= self.end_row {
            true => Ok(()),
            false => Err(Error::checksum_mismatch(&self.rows.path)),
        }
    }

    /// The next row of the partition.
    fn next(&mut self) -> Result<Option<R>> {
        if self.next_row == self.end_row {
            return self.end_partition().map(|()| None);
        }
        if self.rows.used >= self.rows.buffer.len() {
            self.sum_up();
            self.rows.refill(R::WIDTH)?;
            self.unsummed = 0;
        }
        self.next_row += 1;
        let bytes = self.rows.take(R::WIDTH);
        if bytes.len() < R::WIDTH {
            return Err(Error::checksum_mismatch(&self.rows.path));
        }
        Ok(Some(R::read(&mut NumberReader(bytes))))
    }

    fn sum_up(&mut self) {
        self.sum.update(self.rows.buffer.get(self.unsummed..self.rows.used).unwrap_or_default());
        self.unsummed = self.rows.used;
    }

    /// Compares the checksum of the partition.
    fn end_partition(&mut self) -> Result<()> {
        self.sum_up();
        match checksum(self.first_row, self.end_row, &std::mem::take(&mut self.sum)) == self.checksum {
            true => Ok(()),
            false => Err(Error::checksum_mismatch(&self.rows.path)),
        }
    }
}

/// Writes rows to partitions that ascend as the rows do, as those of the shards do for rows that begin with their
/// document. With `single_run` the file has one run, whatever its size: a file of thousands of partitions would
/// otherwise have tiny pieces, and a footer as large as its rows.
pub struct OrderedWriter<R> {
    rows: Writer<R>,
    partition: fn(&R) -> u32,
    joined: Option<Joined>,
}

/// What becomes of a file of many runs.
struct Joined {
    path: PathBuf,
    partitions: u32,
    /// The file of runs without partitions.
    runs: PathBuf,
    space: SortSpace,
    _scratch: Scratch,
}

impl<R: SpillRow> OrderedWriter<R> {
    pub fn create(
        path: &Path,
        partitions: u32,
        partition: fn(&R) -> u32,
        single_run: bool,
        space: &SortSpace,
    ) -> Result<OrderedWriter<R>> {
        if !single_run {
            return Ok(OrderedWriter { rows: Writer::create(path, partitions, space)?, partition, joined: None });
        }
        let runs = space.temporary(path);
        let _scratch = Scratch(vec![runs.clone()]);
        let rows = Writer::create(&runs, 1, space)?;
        let joined = Joined { path: path.into(), partitions, runs, space: space.clone(), _scratch };
        Ok(OrderedWriter { rows, partition, joined: Some(joined) })
    }

    pub fn push(&mut self, row: R) -> Result<()> {
        let partition = if self.joined.is_some() { 0 } else { (self.partition)(&row) };
        self.rows.push(partition, row)
    }

    /// Completes the file; the number of its rows.
    pub fn finish(self) -> Result<u64> {
        let rows = self.rows.finish()?;
        let Some(Joined { path, partitions, runs, space, .. }) = &self.joined else { return Ok(rows) };
        let mut writer = RunWriter::create(path, *partitions, space)?;
        for row in merge::<R>(std::slice::from_ref(runs), 0, space)? {
            let row = row?;
            writer.push((self.partition)(&row), row)?;
        }
        writer.finish()
    }
}
