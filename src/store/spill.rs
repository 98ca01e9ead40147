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

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::Write;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::hash::{Hasher, combine};
use crate::store::atomic::{self, AtomicFile};

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

/// Writes one spill file.
pub struct Writer<R> {
    file: AtomicFile,
    partitions: u32,
    pending: Vec<(u32, R)>,
    most_pending: usize,
    /// Entries of the footer so far.
    entries: Vec<u8>,
    runs: u32,
    rows: u64,
}

impl<R: Row> Writer<R> {
    pub fn create(path: &Path, partitions: u32, room: &Room) -> Result<Writer<R>> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(MAGIC).map_err(Error::io("write", path))?;
        let most_pending = (room.run / size_of::<(u32, R)>()).max(1);
        // All at once: growing by doubling would take up to three times as much for a moment.
        let pending = Vec::with_capacity(most_pending);
        Ok(Writer { file, partitions: partitions.max(1), pending, most_pending, entries: Vec::new(), runs: 0, rows: 0 })
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
        let mut footer = std::mem::take(&mut self.entries);
        footer.extend(tail::<R>(self.runs, self.partitions));
        let path = self.file.path().to_path_buf();
        self.file.write_all(&footer).map_err(Error::io("write", &path))?;
        self.file.commit()?;
        Ok(self.rows)
    }

    fn write_run(&mut self) -> Result<()> {
        self.pending.sort_unstable();
        let mut pending = std::mem::take(&mut self.pending);
        let mut rows = pending.drain(..).peekable();
        let mut bytes = Vec::with_capacity(1 << 16);
        for partition in 0..self.partitions {
            let (first, mut sum) = (self.rows, Hasher::default());
            while let Some((_, row)) = rows.next_if(|(of, _)| *of == partition) {
                let before = bytes.len();
                row.write(&mut bytes);
                sum.update(bytes.get(before..).unwrap_or_default());
                self.rows += 1;
                if bytes.len() >= 1 << 16 {
                    self.file.write_all(&bytes).map_err(Error::io("write", self.file.path()))?;
                    bytes.clear();
                }
            }
            for number in [first, self.rows, checksum(first, self.rows, &sum)] {
                self.entries.extend(number.to_le_bytes());
            }
        }
        drop(rows);
        self.file.write_all(&bytes).map_err(Error::io("write", self.file.path()))?;
        self.runs += 1;
        self.pending = pending;
        Ok(())
    }
}

fn checksum(first: u64, end: u64, rows: &Hasher) -> u64 {
    combine(&[first, end, rows.sum()])
}

/// A partition of a spill file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub path: PathBuf,
    pub partition: u32,
}

/// Fewest bytes of a cursor's buffer: a page of the disk.
const LEAST_REFILL: usize = 4 << 10;

/// All rows of `partition` in `files`, in order, equal rows as often as they were written. Memory:
/// `room.merge`; files are opened for each refill only, so their number has no limit.
pub fn merge<R: Row>(files: &[PathBuf], partition: u32, room: &Room) -> Result<Merge<R>> {
    merge_parts(files.iter().map(|path| Part { path: path.clone(), partition }), room)
}

/// [`merge`] of any parts. More runs than the buffers have room for are merged in several passes,
/// through temporary files beside the first part.
pub fn merge_parts<R: Row>(parts: impl IntoIterator<Item = Part>, room: &Room) -> Result<Merge<R>> {
    let most = (room.merge / LEAST_REFILL).max(2);
    let mut cursors: Vec<Cursor<R>> = Vec::new();
    let mut beside = None;
    for part in parts {
        cursors.extend(Cursor::of_file(&part.path, part.partition)?);
        beside.get_or_insert(part.path);
    }
    let mut scratch = Scratch::default();
    while let Some(beside) = beside.as_deref().filter(|_| cursors.len() > most) {
        let rest = cursors.split_off(most);
        let path = atomic::temporary(beside);
        scratch.0.push(path.clone());
        Merge::begin(cursors, Scratch::default(), room)?.write_to(&path, room)?;
        cursors = rest;
        cursors.extend(Cursor::of_file(&path, 0)?);
    }
    Merge::begin(cursors, scratch, room)
}

/// See [`merge`].
pub struct Merge<R> {
    cursors: Vec<Cursor<R>>,
    heap: BinaryHeap<Reverse<(R, usize)>>,
    _scratch: Scratch,
}

/// Files that go with their merge.
#[derive(Default)]
struct Scratch(Vec<PathBuf>);

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is swept away like any unfinished file.
        self.0.iter().for_each(|path| drop(atomic::remove(path)));
    }
}

impl<R: Row> Merge<R> {
    fn begin(mut cursors: Vec<Cursor<R>>, scratch: Scratch, room: &Room) -> Result<Merge<R>> {
        let refill_bytes = (room.merge / cursors.len().max(1)).clamp(LEAST_REFILL, 256 << 10);
        cursors.iter_mut().for_each(|cursor| cursor.refill_bytes = refill_bytes);
        let mut heap = BinaryHeap::with_capacity(cursors.len());
        for (i, cursor) in cursors.iter_mut().enumerate() {
            if let Some(row) = cursor.next()? {
                heap.push(Reverse((row, i)));
            }
        }
        Ok(Merge { cursors, heap, _scratch: scratch })
    }

    /// As one sorted run.
    fn write_to(mut self, temporary: &Path, room: &Room) -> Result<()> {
        let mut run = SortedRun::create(temporary, room)?;
        self.try_for_each(|row| run.push(row?))?;
        run.finish()
    }
}

impl<R: Row> Iterator for Merge<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let mut top = self.heap.peek_mut()?;
        let Reverse((row, i)) = *top;
        // The next row of the same cursor takes its place, so that the heap is put in order once.
        match self.cursors.get_mut(i).map(Cursor::next) {
            Some(Err(error)) => return Some(Err(error)),
            Some(Ok(Some(next))) => *top = Reverse((next, i)),
            _ => drop(PeekMut::pop(top)),
        }
        Some(Ok(row))
    }
}

/// A file of one run in one partition, whose rows come in order.
struct SortedRun<R> {
    file: File,
    path: PathBuf,
    bytes: Vec<u8>,
    most_bytes: usize,
    rows: u64,
    sum: Hasher,
    row: PhantomData<R>,
}

impl<R: Row> SortedRun<R> {
    fn create(path: &Path, room: &Room) -> Result<SortedRun<R>> {
        let file = File::create(path).map_err(Error::io("create", path))?;
        let most_bytes = room.merge.clamp(LEAST_REFILL, 1 << 20);
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

    fn push(&mut self, row: R) -> Result<()> {
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

    fn finish(mut self) -> Result<()> {
        for number in [0, self.rows, checksum(0, self.rows, &self.sum)] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(tail::<R>(1, 1));
        self.flush()
    }
}

/// What a file ends with.
fn tail<R: Row>(runs: u32, partitions: u32) -> Vec<u8> {
    let numbers = [runs, partitions, R::WIDTH as u32];
    let mut tail: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tail.extend(combine(&numbers.map(u64::from)).to_le_bytes());
    tail.extend(MAGIC);
    tail
}

/// The rows of one partition in one run.
struct Cursor<R> {
    path: PathBuf,
    first_row: u64,
    next_row: u64,
    end_row: u64,
    /// Of the rows so far, and as it should be at the end.
    sum: Hasher,
    checksum: u64,
    buffer: Vec<u8>,
    used: usize,
    refill_bytes: usize,
    row: PhantomData<R>,
}

impl<R: Row> Cursor<R> {
    fn of_file(path: &Path, partition: u32) -> Result<Vec<Cursor<R>>> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let read_at = |length: usize, offset: u64| -> Result<Vec<u8>> {
            let mut bytes = vec![0; length];
            file.read_exact_at(&mut bytes, offset).map_err(Error::io("read", path))?;
            Ok(bytes)
        };
        const TAIL: u64 = 12 + 8 + 8;
        let damaged = || Error::spoiled(path);
        let tail = read_at(TAIL as usize, length.checked_sub(TAIL).ok_or_else(damaged)?)?;
        let mut fields = Fields(&tail);
        let (runs, partitions, width) = (fields.u32(), fields.u32(), fields.u32());
        let sound = combine(&[runs, partitions, width].map(u64::from)) == fields.u64();
        if !sound || fields.0 != MAGIC || width as usize != R::WIDTH {
            return Err(damaged());
        }
        let per_run = u64::from(partitions) * ENTRY;
        let footer = length.checked_sub(TAIL + per_run * u64::from(runs)).ok_or_else(damaged)?;
        let mut cursors = Vec::new();
        for run in 0..u64::from(runs) {
            let entry = footer + run * per_run + u64::from(partition.min(partitions.saturating_sub(1))) * ENTRY;
            let entry = read_at(ENTRY as usize, entry)?;
            let mut fields = Fields(&entry);
            let (first_row, end_row, sum) = (fields.u64(), fields.u64(), fields.u64());
            if first_row < end_row {
                cursors.push(Cursor {
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
                return Err(damaged());
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
            return match checksum(self.first_row, self.end_row, &self.sum) == self.checksum {
                true => Ok(false),
                false => Err(Error::spoiled(&self.path)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    row! {
        pub struct Pair {
            pub key: u64,
            pub owner: u32,
        }
    }

    fn pair(key: u64, owner: u32) -> Pair {
        Pair { key, owner }
    }

    proptest! {
        /// Whatever the number of files and runs, a merge is the sorted list of what was written.
        #[test]
        fn merge_equals_sort(
            rows in prop::collection::vec((0u32..5, 0u64..50, 0u32..4), 0..400),
            files in 1usize..4,
            run in 1usize..2000,
            merge_bytes in 1usize..40_000,
        ) {
            let room = Room { run, merge: merge_bytes };
            let dir = tempfile::tempdir().unwrap();
            let paths: Vec<PathBuf> = (0..files).map(|i| dir.path().join(i.to_string())).collect();
            for (i, path) in paths.iter().enumerate() {
                let mut writer = Writer::create(path, 5, &room).unwrap();
                for &(p, a, b) in rows.iter().skip(i).step_by(files) {
                    writer.push(p, pair(a, b)).unwrap();
                }
                writer.finish().unwrap();
            }
            for partition in 0..5 {
                let got: Vec<Pair> = merge(&paths, partition, &room).unwrap().map(Result::unwrap).collect();
                let mut want: Vec<Pair> = rows.iter().filter(|r| r.0 == partition).map(|r| pair(r.1, r.2)).collect();
                want.sort_unstable();
                prop_assert_eq!(got, want);
            }
        }
    }

    #[test]
    fn a_cut_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("spill");
        let mut writer = Writer::create(&path, 2, &Room::default()).unwrap();
        writer.push(0, pair(1, 2)).unwrap();
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(merge::<Pair>(std::slice::from_ref(&path), 0, &Room::default()).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("spill");
        let mut writer = Writer::create(&path, 2, &Room { run: 100, merge: 100 }).unwrap();
        (0..9).for_each(|i| writer.push(1, pair(i, 2)).unwrap());
        writer.finish().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let read = || -> Result<Vec<Pair>> {
            let files = std::slice::from_ref(&path);
            merge(files, 0, &Room::default())?.chain(merge(files, 1, &Room::default())?).collect()
        };
        assert_eq!(read().unwrap().len(), 9);
        // The magic at the beginning is for people.
        for at in MAGIC.len()..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert!(read().is_err(), "byte {at}");
        }
    }
}
