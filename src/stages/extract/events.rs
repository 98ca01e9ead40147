//! What there is to read in a shard: all that begins in its range, or the records of a selection.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::archive::{Bytes, Damage, DamageReason, Event, Limits, Position, Records, records, resume};
use crate::error::Result;
use crate::select::ranges::{ReadRange, coalesce};
use crate::selection;
use crate::stages::Job;
use crate::stages::plan::Shard;
use crate::store::archives::ArchiveFile;

/// Content-Length that is believed: videos of many gigabytes are in archives; their blocks are passed over.
const MAX_LENGTH: u64 = 1 << 40;
/// Records of a selection that are no further apart than `GAP` bytes are read together, `MOST` bytes at a time.
const GAP: u64 = 256 << 10;
const MOST: u64 = 8 << 20;
/// What a zstd frame begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The events of a shard, one after the other.
pub struct Events<'a> {
    job: &'a Job,
    archive: &'a ArchiveFile,
    source: Source<'a>,
}

/// Where to go on in a shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reached {
    /// In the archive.
    Place(Position),
    /// So many records of the selection are done.
    Selected(u64),
}

enum Source<'a> {
    Range { records: Box<Records<'a>>, range: Range<u64>, told: u64 },
    Selected(Selected<'a>),
}

impl<'a> Events<'a> {
    /// From the beginning of a shard, or from where it was left.
    pub fn begin(job: &'a Job, number: u32, archive: &'a ArchiveFile, from: Option<&Reached>) -> Result<Events<'a>> {
        let (shard, _) = job.shard(number)?;
        let limits = Limits { max_block: job.config.archive.max_block, max_length: MAX_LENGTH, ..Limits::default() };
        let source = match job.plan.selection {
            Some(_) => {
                let done = if let Some(Reached::Selected(done)) = from { *done } else { 0 };
                Source::Selected(Selected::begin(job, number, archive, limits, done)?)
            }
            None => Source::range(shard, archive, &limits, from)?,
        };
        Ok(Events { job, archive, source })
    }

    /// Where to go on after the last event. With a selection only right when [`Events::is_between`].
    pub fn reached(&self) -> Reached {
        match &self.source {
            Source::Range { records, .. } => Reached::Place(Records::position(records)),
            Source::Selected(selected) => Reached::Selected(selected.done),
        }
    }

    /// Whether the reading can be left here.
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
            Source::Range { records, range, told } => {
                let event = records.next().map(|event| event.map_err(self.archive.read_error()));
                let end = match &event {
                    Some(Ok(Event::Damage(damage))) => damage.offset + damage.length,
                    Some(Ok(Event::Record(record))) => record.offset + record.length,
                    Some(Err(_)) => *told,
                    None => range.end,
                };
                let end = end.min(range.end);
                self.job.progress.advance(end.saturating_sub(*told), 0);
                *told = (*told).max(end);
                event
            }
        }
    }
}

impl<'a> Source<'a> {
    fn range(shard: &Shard, archive: &'a ArchiveFile, limits: &Limits, from: Option<&Reached>) -> Result<Source<'a>> {
        let range = shard.start..shard.end;
        archive.announce(range.clone());
        let records = match from {
            Some(Reached::Place(position)) => resume(archive, range.clone(), limits, position),
            _ => records(archive, range.clone(), limits),
        };
        let records = Box::new(records.map_err(archive.read_error())?);
        Ok(Source::Range { records, told: range.start, range })
    }
}

/// The records of a selection, neighbours read together.
struct Selected<'a> {
    archive: &'a ArchiveFile,
    limits: Limits,
    runs: std::vec::IntoIter<ReadRange>,
    stretches: Box<dyn Iterator<Item = Result<Vec<u8>>> + 'a>,
    /// The stretch in reading, where it begins, and the records in it; none for a long record.
    stretch: Option<Vec<u8>>,
    start: u64,
    records: std::vec::IntoIter<(u64, u64)>,
    ready: VecDeque<Event>,
    done: u64,
}

impl<'a> Selected<'a> {
    fn begin(job: &Job, shard: u32, archive: &'a ArchiveFile, limits: Limits, done: u64) -> Result<Selected<'a>> {
        let records = selection::of_shard(&job.layout, shard)?.into_iter().skip(done as usize);
        let runs: Vec<ReadRange> = coalesce(records, GAP, MOST).collect();
        let short = runs.iter().map(|run| run.range.clone()).filter(|range| range.end - range.start <= MOST);
        let stretches = archive.read_ranges(short.collect());
        Ok(Selected {
            archive,
            limits,
            runs: runs.into_iter(),
            stretches: Box::new(stretches),
            stretch: None,
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
                    job.progress.advance(length, 0);
                    self.read(offset, length).map(|events| self.ready = events)
                }
                None => {
                    let run = self.runs.next()?;
                    let long = run.range.end - run.range.start > MOST;
                    (self.start, self.records) = (run.range.start, run.records.into_iter());
                    // A long one is read where it is, up to what is kept of a block, whatever the index claims.
                    let stretch = if long { Ok(None) } else { self.stretches.next().transpose() };
                    stretch.map(|stretch| self.stretch = stretch)
                }
            };
            if let Err(error) = read {
                return Some(Err(error));
            }
        }
    }

    /// At least one event: what the index names and is not there is damage.
    fn read(&self, offset: u64, length: u64) -> Result<VecDeque<Event>> {
        let collect = match &self.stretch {
            None => records(self.archive, offset..offset.saturating_add(1), &self.limits)
                .and_then(Iterator::collect::<io::Result<VecDeque<Event>>>),
            Some(stretch) => {
                let bytes = stretch.get(offset.saturating_sub(self.start) as usize..).unwrap_or_default();
                let bytes = bytes.get(..length as usize).unwrap_or(bytes);
                Cut { archive: self.archive, offset, bytes }.events(&self.limits).and_then(Iterator::collect)
            }
        };
        let mut events = collect.map_err(self.archive.read_error())?;
        if events.is_empty() {
            let length = length.min(self.archive.len().saturating_sub(offset));
            events.push_back(Event::Damage(Damage { offset, length, reason: DamageReason::Junk }));
        }
        Ok(events)
    }
}

/// The bytes of one record, at their place in an archive that ends with them.
struct Cut<'a> {
    archive: &'a ArchiveFile,
    offset: u64,
    bytes: &'a [u8],
}

impl Cut<'_> {
    fn events(&self, limits: &Limits) -> io::Result<impl Iterator<Item = io::Result<Event>>> {
        // Only where a dictionary may be needed is the rest of the archive looked at.
        let (whole, first): (&dyn Bytes, u64) =
            if self.bytes.starts_with(&ZSTD) { (self, self.offset) } else { (&self.bytes, 0) };
        let moved = self.offset - first;
        let events = records(whole, first..u64::MAX, limits)?;
        Ok(events.map(move |event| {
            event.map(|mut event| {
                match &mut event {
                    Event::Record(record) => record.offset += moved,
                    Event::Damage(damage) => damage.offset += moved,
                }
                event
            })
        }))
    }
}

impl Bytes for Cut<'_> {
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
