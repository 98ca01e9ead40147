//! The events of a shard: all records that begin in its byte range, or the records of a selection, and damage.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::archive::{Border, Bytes, Damage, DamageReason, Event, Options, Position, Records};
use crate::archive::{ZSTD_MAGIC, records, records_from, resume};
use crate::archive_index;
use crate::error::Result;
use crate::select::ranges::{ReadRange, coalesce};
use crate::stages::Job;
use crate::stages::extract::borders;
use crate::stages::plan::Shard;
use crate::store::archives::ArchiveFile;

/// Records of a selection with at most this many bytes between them are read together.
const MAX_GAP: u64 = 256 << 10;
/// Most bytes of selected records that are read at once.
const MAX_READ: u64 = 8 << 20;

/// Iterates over the events of a shard in archive order.
pub struct Events<'a> {
    job: &'a Job,
    archive: &'a ArchiveFile,
    source: Source<'a>,
}

/// Position in a shard at which reading resumes. Checkpoints store it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reached {
    /// Position in the archive.
    Place(Position),
    /// Number of finished records of the selection.
    Selected(u64),
}

enum Source<'a> {
    /// All records of a byte range. Progress is reported up to the offset `reported`.
    Range { records: Box<Records<'a>>, range: Range<u64>, reported: u64 },
    /// The records of a selection.
    Selected(Box<SelectedRecords<'a>>),
}

impl<'a> Events<'a> {
    /// Starts at the beginning of a shard, or resumes at `from`.
    pub fn begin(job: &'a Job, number: u32, archive: &'a ArchiveFile, from: Option<&Reached>) -> Result<Events<'a>> {
        let (shard, _) = job.shard(number)?;
        let source = match job.plan.selection {
            Some(_) => {
                let done = if let Some(Reached::Selected(done)) = from { *done } else { 0 };
                Source::Selected(Box::new(SelectedRecords::begin(job, number, archive, job.config.reading(), done)?))
            }
            None => {
                let first = borders::known_start(job, number)?;
                Source::range(shard, archive, job.config.reading(), first, from)?
            }
        };
        Ok(Events { job, archive, source })
    }

    /// The position after the last event. With a selection, it is valid only if [`Events::is_between`] holds.
    pub fn reached(&self) -> Reached {
        match &self.source {
            Source::Range { records, .. } => Reached::Place(Records::position(records)),
            Source::Selected(selected) => Reached::Selected(selected.done),
        }
    }

    /// Where the records of the shard begin and end, after the last event; `None` with a selection.
    pub fn border(&self) -> Option<Border> {
        match &self.source {
            Source::Range { records, .. } => Some(records.border()),
            Source::Selected(_) => None,
        }
    }

    /// Whether reading can resume at this position. It cannot between two events of one selected record.
    pub fn is_between(&self) -> bool {
        match &self.source {
            Source::Range { .. } => true,
            Source::Selected(selected) => selected.ready.is_empty(),
        }
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Result<Event>> {
        match &mut self.source {
            Source::Selected(selected) => selected.next(self.job),
            Source::Range { records, range, reported } => {
                let event = records.next().map(|event| event.map_err(self.archive.read_error()));
                let end = match &event {
                    Some(Ok(Event::Damage(damage))) => damage.offset + damage.length,
                    Some(Ok(Event::Record(record))) => record.offset + record.length,
                    Some(Err(_)) => *reported,
                    None => range.end,
                };
                let end = end.min(range.end);
                self.job.progress.advance(end.saturating_sub(*reported), 0);
                *reported = (*reported).max(end);
                event
            }
        }
    }
}

impl<'a> Source<'a> {
    fn range(
        shard: &Shard,
        archive: &'a ArchiveFile,
        options: Options,
        first: Option<u64>,
        from: Option<&Reached>,
    ) -> Result<Source<'a>> {
        let range = shard.start..shard.end;
        archive.announce(range.clone());
        let records = match (from, first) {
            (Some(Reached::Place(position)), _) => resume(archive, range.clone(), options, position),
            (_, Some(first)) => records_from(archive, range.clone(), options, first),
            (_, None) => records(archive, range.clone(), options),
        };
        let records = Box::new(records.map_err(archive.read_error())?);
        Ok(Source::Range { records, reported: range.start, range })
    }
}

/// Reads the records of a selection. Neighbouring records are read together.
struct SelectedRecords<'a> {
    archive: &'a ArchiveFile,
    options: Options,
    /// Byte ranges that remain to be read.
    runs: std::vec::IntoIter<ReadRange>,
    /// Contents of those `runs` that have at most `MAX_READ` bytes.
    buffers: Box<dyn Iterator<Item = Result<Vec<u8>>> + 'a>,
    /// Contents of the current range; `None` for a long range, which is read from the archive.
    buffer: Option<Vec<u8>>,
    /// Offset of the current range.
    start: u64,
    /// Offset and length of the remaining records in the current range.
    records: std::vec::IntoIter<(u64, u64)>,
    /// Events of the current record that were not yet returned.
    ready: VecDeque<Event>,
    /// Number of records whose events were all returned.
    done: u64,
}

impl<'a> SelectedRecords<'a> {
    fn begin(
        job: &Job,
        shard: u32,
        archive: &'a ArchiveFile,
        options: Options,
        done: u64,
    ) -> Result<SelectedRecords<'a>> {
        let records = archive_index::of_shard(&job.layout, shard)?.into_iter().skip(done as usize);
        let runs: Vec<ReadRange> = coalesce(records, MAX_GAP, MAX_READ).collect();
        let short = runs.iter().map(|run| run.range.clone()).filter(|range| range.end - range.start <= MAX_READ);
        let buffers = archive.read_ranges(short.collect());
        Ok(SelectedRecords {
            archive,
            options,
            runs: runs.into_iter(),
            buffers: Box::new(buffers),
            buffer: None,
            start: 0,
            records: Vec::new().into_iter(),
            ready: VecDeque::new(),
            done,
        })
    }

    fn next(&mut self, job: &Job) -> Option<Result<Event>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.done += u64::from(self.ready.is_empty());
                return Some(Ok(event));
            }
            let read = match self.records.next() {
                Some((offset, length)) => {
                    let left = self.archive.len().saturating_sub(offset);
                    job.progress.advance(length.min(left), 0);
                    self.read(offset, length).map(|events| self.ready = events)
                }
                None => {
                    let run = self.runs.next()?;
                    let long = run.range.end - run.range.start > MAX_READ;
                    (self.start, self.records) = (run.range.start, run.records.into_iter());
                    // A long range is not buffered: the limit on blocks bounds what is read of it, whatever length the
                    // index claims.
                    let buffer = if long { Ok(None) } else { self.buffers.next().transpose() };
                    buffer.map(|buffer| self.buffer = buffer)
                }
            };
            if let Err(error) = read {
                return Some(Err(error));
            }
        }
    }

    /// Reads one record. Returns at least one event: a record of the index that the archive does not have is damage.
    fn read(&self, offset: u64, length: u64) -> Result<VecDeque<Event>> {
        let collect = match &self.buffer {
            None => {
                let view = ArchiveUntil { archive: self.archive, end: offset.saturating_add(length) };
                first_record(&view, offset, self.options).and_then(Iterator::collect::<io::Result<VecDeque<Event>>>)
            }
            Some(buffer) => {
                let bytes = buffer.get(offset.saturating_sub(self.start) as usize..).unwrap_or_default();
                let bytes = bytes.get(..length as usize).unwrap_or(bytes);
                RecordSlice { archive: self.archive, offset, bytes }.events(self.options).and_then(Iterator::collect)
            }
        };
        let mut events = collect.map_err(self.archive.read_error())?;
        // Bytes amid a record look like anything: only where a record begins, as at the start of a file, they say something
        // about the archive.
        let begins = match events.front() {
            Some(Event::Damage(damage)) => match damage.reason {
                DamageReason::Junk | DamageReason::Unsupported(_) => offset == 0,
                _ => true,
            },
            first => first.is_some(),
        };
        if !begins {
            events.pop_front();
            let length = length.min(self.archive.len().saturating_sub(offset));
            events.push_front(Event::Damage(Damage { offset, length, reason: DamageReason::NoRecord }));
        }
        Ok(events)
    }
}

/// Reads the record that begins here, and none behind it, whatever length the index claims.
fn first_record(bytes: &dyn Bytes, offset: u64, options: Options) -> io::Result<Records<'_>> {
    Ok(records(bytes, offset..offset.saturating_add(1), options)?.without_reread())
}

/// An archive up to a place, behind which nothing is searched for.
struct ArchiveUntil<'a> {
    archive: &'a ArchiveFile,
    end: u64,
}

impl Bytes for ArchiveUntil<'_> {
    fn len(&self) -> u64 {
        self.archive.len().min(self.end)
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self.archive.read_from(offset)?.take(self.len().saturating_sub(offset))))
    }
}

/// The bytes of one record, presented as an archive that ends where the index claims that the record does.
struct RecordSlice<'a> {
    archive: &'a ArchiveFile,
    offset: u64,
    bytes: &'a [u8],
}

impl RecordSlice<'_> {
    fn events(&self, options: Options) -> io::Result<impl Iterator<Item = io::Result<Event>>> {
        // Only a zstd record may need the dictionary at the start of the archive. Others are read from their own bytes.
        let (source, first): (&dyn Bytes, u64) =
            if self.bytes.starts_with(&ZSTD_MAGIC) { (self, self.offset) } else { (&self.bytes, 0) };
        let shift = self.offset - first;
        Ok(first_record(source, first, options)?.map(move |event| {
            event.map(|mut event| {
                match &mut event {
                    Event::Record(record) => record.offset += shift,
                    Event::Damage(damage) => damage.offset += shift,
                }
                event
            })
        }))
    }
}

impl Bytes for RecordSlice<'_> {
    fn len(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        match offset.checked_sub(self.offset) {
            Some(from) => Ok(Box::new(self.bytes.get(from as usize..).unwrap_or_default())),
            None => self.archive.read_from(offset),
        }
    }
}
