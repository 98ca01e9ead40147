//! Extract: the records of a shard → documents, paragraphs, sketches, band keys. Nothing is decided
//! here that needs another page.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use super::Job;
use super::bucket::BandRow;
use super::ledger::{Ledger, count};
use super::page::{Outcome, PageReader, ReadPage};
use crate::archive::{self, Damage, Event, Limits, Record};
use crate::dedup::star::Member;
use crate::document::{Document, Paragraph, key, part_of};
use crate::error::{Error, Result};
use crate::page::payload;
use crate::store::archives::ArchiveFile;
use crate::store::atomic::AtomicFile;
use crate::store::{sketches, spill, tables};

/// A line of `rejects.jsonl`: what could not be read, where it stands and why.
#[derive(Debug, Serialize)]
struct Reject<'a> {
    archive: &'a str,
    offset: u64,
    /// Bytes concerned.
    length: u64,
    reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    record_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    url: &'a str,
}

/// Content-Length that is believed: videos of many gigabytes are in archives; their blocks are passed over.
const MAX_LENGTH: u64 = 1 << 40;

pub fn extract(job: &Job, shard: u32) -> Result<Ledger> {
    let Some(range) = job.plan.shards.get(shard as usize) else {
        return Err(Error::Usage(format!("the plan has no shard {shard}")));
    };
    let input = job.plan.input(range)?;
    let file = ArchiveFile::open(&input.path, job.config.archive.mmap)?;
    let archive_name = input.path.display().to_string();
    let mut task = Task::begin(job, shard, &archive_name)?;
    let limits = Limits { max_block: job.config.archive.max_block, max_length: MAX_LENGTH, ..Limits::default() };
    let io = || Error::io("read", &input.path);
    let mut position = range.start;
    for event in archive::records(&file, range.start..range.end, &limits).map_err(io())? {
        job.check_stop()?;
        let end = task.event(event.map_err(io())?)?.min(range.end);
        job.progress.advance(end.saturating_sub(position), 0);
        position = position.max(end);
    }
    job.progress.advance(range.end.saturating_sub(position), 0);
    task.finish()
}

/// The files and counts of one extract task.
struct Task<'a> {
    job: &'a Job,
    shard: u32,
    archive: &'a str,
    reader: PageReader,
    documents: tables::Writer<Document>,
    paragraphs: tables::Writer<Paragraph>,
    sketches: sketches::Writer,
    bands: spill::Writer<BandRow>,
    rejects: AtomicFile,
    ordinal: u32,
    ledger: Ledger,
}

impl<'a> Task<'a> {
    fn begin(job: &'a Job, shard: u32, archive: &'a str) -> Result<Task<'a>> {
        let settings = job.work_table_settings();
        Ok(Task {
            job,
            shard,
            archive,
            reader: PageReader::new(&job.config, job.banding()),
            documents: tables::Writer::create(&job.layout.extracted_documents(shard), &settings)?,
            paragraphs: tables::Writer::create(&job.layout.extracted_paragraphs(shard), &settings)?,
            sketches: sketches::Writer::create(&job.layout.sketches(shard))?,
            bands: spill::Writer::create(&job.layout.bands(shard), job.plan.ranges, spill::RUN_BYTES)?,
            rejects: AtomicFile::create(&job.layout.shard_rejects(shard))?,
            ordinal: 0,
            ledger: Ledger::default(),
        })
    }

    /// Where in the file the event ends.
    fn event(&mut self, event: Event) -> Result<u64> {
        match event {
            Event::Damage(damage) => self.damage(&damage).map(|()| damage.offset + damage.length),
            Event::Record(record) => self.record(&record).map(|()| record.offset + record.length),
        }
    }

    fn damage(&mut self, damage: &Damage) -> Result<()> {
        count(&mut self.ledger.damage, damage.reason.name());
        self.ledger.damaged_bytes += damage.length;
        tracing::warn!(
            archive = self.archive,
            offset = damage.offset,
            "{} bytes unreadable: {}",
            damage.length,
            damage.reason.name()
        );
        self.reject(damage.offset, damage.length, damage.reason.name(), None)
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        self.ledger.records += 1;
        for fault in faults(record) {
            count(&mut self.ledger.faults, &format!("record.{fault}"));
        }
        match self.read(record) {
            Outcome::NoPage(reason) => {
                count(&mut self.ledger.no_page, &reason);
                Ok(())
            }
            Outcome::Unreadable(reason) => {
                count(&mut self.ledger.no_page, &reason);
                self.reject(record.offset, record.length, &reason, Some(record))
            }
            Outcome::Page(page) => self.page(*page),
        }
    }

    /// A page on which one of the parsers below panics is listed like any other unreadable one.
    fn read(&self, record: &Record) -> Outcome {
        let read = || self.reader.read(record);
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Outcome::Unreadable("internal_error".into()))
    }

    fn page(&mut self, page: ReadPage) -> Result<()> {
        let ReadPage { mut document, mut paragraphs, sketch, keys, order, payload_bytes, faults } = page;
        let doc = key(self.shard, self.ordinal);
        self.ordinal += 1;
        self.ledger.pages += 1;
        self.ledger.page_paragraphs += paragraphs.len() as u64;
        self.ledger.payload_bytes += payload_bytes;
        faults.iter().for_each(|fault| count(&mut self.ledger.faults, &format!("page.{fault}")));
        document.doc = doc;
        document.archive = self.archive.to_string();
        for key in keys {
            self.bands.push(part_of(key, self.job.plan.ranges), BandRow { key, member: Member { order, doc } })?;
        }
        self.sketches.push(&sketch)?;
        paragraphs.iter_mut().for_each(|paragraph| paragraph.doc = doc);
        paragraphs.into_iter().try_for_each(|paragraph| self.paragraphs.push(paragraph))?;
        self.documents.push(document)?;
        self.job.progress.advance(0, 1);
        Ok(())
    }

    fn reject(&mut self, offset: u64, length: u64, reason: &str, record: Option<&Record>) -> Result<()> {
        let record_id = record.map(payload::record_id).unwrap_or_default();
        let url = record.and_then(|r| r.header.target_uri()).unwrap_or_default();
        let reject = Reject { archive: self.archive, offset, length, reason, record_id, url: &url };
        let line = serde_json::to_string(&reject).unwrap_or_default();
        let path = self.rejects.path().to_path_buf();
        writeln!(self.rejects, "{line}").map_err(Error::io("write", &path))
    }

    fn finish(self) -> Result<Ledger> {
        self.paragraphs.finish()?;
        self.documents.finish()?;
        self.sketches.finish()?;
        self.bands.finish()?;
        self.rejects.commit()?;
        Ok(self.ledger)
    }
}

/// Doubts about a record that was read all the same.
fn faults(record: &Record) -> impl Iterator<Item = &'static str> {
    let flags = record.flags;
    [
        (flags.truncated, "truncated"),
        (flags.bad_crc, "bad_crc"),
        (flags.length_mismatch, "length_mismatch"),
        (flags.oversize, "oversize"),
        (flags.missing_length, "missing_length"),
        (flags.not_seekable, "not_seekable"),
    ]
    .into_iter()
    .filter_map(|(is, name)| is.then_some(name))
}
