//! What there is to read in a shard: all that begins in its range.

use std::ops::Range;

use super::Job;
use super::plan::Shard;
use crate::archive::{Event, Limits, Position, Records, records, resume};
use crate::error::Result;
use crate::store::archives::ArchiveFile;

/// Content-Length that is believed: videos of many gigabytes are in archives; their blocks are passed over.
const MAX_LENGTH: u64 = 1 << 40;

/// The events of a shard, one after the other.
pub struct Events<'a> {
    job: &'a Job,
    archive: &'a ArchiveFile,
    records: Records<'a>,
    range: Range<u64>,
    /// Up to where progress was told.
    told: u64,
}

impl<'a> Events<'a> {
    /// From the beginning of the shard, or from where it was left.
    pub fn begin(job: &'a Job, shard: &Shard, archive: &'a ArchiveFile, from: Option<&Position>) -> Result<Events<'a>> {
        let limits = Limits { max_block: job.config.archive.max_block, max_length: MAX_LENGTH, ..Limits::default() };
        let range = shard.start..shard.end;
        let records = match from {
            None => records(archive, range.clone(), &limits),
            Some(position) => resume(archive, range.clone(), &limits, position),
        };
        Ok(Events { job, archive, records: records.map_err(archive.error())?, told: range.start, range })
    }

    /// Where to go on after the last event.
    pub fn reached(&self) -> Position {
        self.records.position()
    }

    fn tell(&mut self, end: u64) {
        let end = end.min(self.range.end);
        self.job.progress.advance(end.saturating_sub(self.told), 0);
        self.told = self.told.max(end);
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Result<Event>> {
        let Some(event) = self.records.next() else {
            self.tell(self.range.end);
            return None;
        };
        Some(event.map_err(self.archive.error()).inspect(|event| {
            self.tell(match event {
                Event::Damage(damage) => damage.offset + damage.length,
                Event::Record(record) => record.offset + record.length,
            });
        }))
    }
}
