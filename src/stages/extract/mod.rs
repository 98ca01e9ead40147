//! Extract: reads the records of a shard and writes documents, paragraphs and census keys. Extract decides nothing that
//! depends on another page.

pub mod borders;
pub mod checkpoint;
pub mod events;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::archive::{Border, Damage, DamageReason, Event, Record};
use crate::document::{DropReason, Paragraph};
use crate::error::{Error, Result};
use crate::figures;
use crate::hash::range_of;
use crate::key::key;
use crate::page::payload;
use crate::pipeline::{CensusKeys, Outcome, PageOutput};
use crate::stages::census::{OccurrenceRow, WordRow};
use crate::stages::content::PageContent;
use crate::stages::counters::{Counters, POISON, WITH_WORDS, count, count_rule};
use crate::stages::extract::checkpoint::Checkpoint;
use crate::stages::extract::events::Events;
use crate::stages::journal::Journal;
use crate::stages::{Job, Stage};
use crate::store::archives::public_name;
use crate::store::atomic::{self, AtomicFile};
use crate::store::{locks, rows, spill, tables};

/// A line of `rejects.jsonl`: a record, byte range or document that was passed over, its position and the reason.
#[derive(Debug, Serialize)]
pub struct Reject<'a> {
    pub archive: &'a str,
    pub offset: u64,
    /// Number of bytes from `offset` that were passed over.
    pub length: u64,
    pub reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub record_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub url: &'a str,
}

impl Reject<'_> {
    /// The line, with its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The stage `extract`: one task per shard.
#[derive(Debug)]
pub struct Extract;

impl Stage for Extract {
    fn name(&self) -> &'static str {
        "extract"
    }

    fn tasks(&self, job: &Job) -> u32 {
        job.shard_count()
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        let boilerplate = job.config.output.boilerplate.then(|| job.layout.boilerplate(task));
        job.layout.extracted(task).all().into_iter().chain(boilerplate).collect()
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        extract(job, task)
    }

    fn relative_cost(&self) -> f64 {
        1.0
    }

    fn clean_up(&self, job: &Job, task: u32) -> Result<()> {
        checkpoint::discard(job, task)
    }

    fn is_by_shard(&self) -> bool {
        true
    }

    fn counts_bytes(&self) -> bool {
        true
    }
}

/// Reads the records of a shard and writes its files.
fn extract(job: &Job, shard: u32) -> Result<Counters> {
    let mut marker = checkpoint::load(job, shard)?;
    let (_, input) = job.shard(shard)?;
    let archive = job.archives.open_known(&input.location, input.bytes, &input.fingerprint)?;
    let name = public_name(&input.location);
    let journal = Journal::open(&job.layout.segments(shard))?;
    let mut events = Events::begin(job, shard, &archive, marker.counts.reached.as_ref())?;
    while !marker.counts.ended {
        let segment = Segment::begin(job, shard, &name, &journal, &marker.counts)?;
        marker.counts = segment.fill(&mut events)?;
        archive.check_unchanged().or_else(|error| match error {
            Error::Damaged { .. } => forget_input(job, shard).and(Err(error)),
            // Nothing is known about the archive.
            error => Err(error),
        })?;
        if !marker.counts.ended {
            checkpoint::save(&mut marker, job, shard)?;
            job.check_stop()?;
        }
    }
    marker.counts.join(job, shard)?;
    Ok(marker.counts.counters)
}

/// Discards the results of all shards of an archive that changed while it was read: other shards may have been read
/// before the change.
fn forget_input(job: &Job, shard: u32) -> Result<()> {
    let (changed, _) = job.shard(shard)?;
    for other in job.shards().filter(|other| job.shard(*other).is_ok_and(|(of, _)| of.input == changed.input)) {
        atomic::remove(&job.layout.done(Extract.name(), other))?;
        // A running task of another shard finds the change itself.
        if other == shard || !locks::is_held(&job.layout.running(Extract.name(), other)) {
            checkpoint::discard(job, other)?;
        }
    }
    Ok(())
}

/// The output files of one segment of an extract task, and the state of the task so far.
struct Segment<'a> {
    job: &'a Job,
    shard: u32,
    archive: &'a str,
    journal: &'a Journal,
    documents: rows::Writer,
    contents: rows::Writer,
    hashes: rows::Writer,
    boilerplate: Option<tables::Writer<Paragraph>>,
    blocks: spill::Writer<OccurrenceRow>,
    words: spill::Writer<WordRow>,
    rejects: AtomicFile,
    checkpoint: Checkpoint,
}

impl<'a> Segment<'a> {
    /// Creates the files of the segment that follows those of the checkpoint.
    fn begin(
        job: &'a Job,
        shard: u32,
        archive: &'a str,
        journal: &'a Journal,
        checkpoint: &Checkpoint,
    ) -> Result<Segment<'a>> {
        let mut checkpoint = checkpoint.clone();
        let name = format!("{:03}-{}", checkpoint.segments.len(), atomic::unique());
        let files = job.layout.segment(shard, &name);
        checkpoint.segments.push(name);
        Ok(Segment {
            job,
            shard,
            archive,
            journal,
            documents: rows::Writer::create(&files.documents())?,
            contents: rows::Writer::create(&files.contents())?,
            hashes: rows::Writer::uncompressed(&files.hashes())?,
            boilerplate: boilerplate_writer(job, &files.boilerplate())?,
            blocks: spill::Writer::create(&files.blocks(), job.plan.ranges, &job.sort_space)?,
            words: spill::Writer::create(&files.words(), job.plan.ranges, &job.sort_space)?,
            rejects: AtomicFile::create(&files.rejects())?,
            checkpoint,
        })
    }

    /// Processes events until the shard ends, the job is cancelled or a checkpoint is due. Returns the new checkpoint.
    fn fill(mut self, events: &mut Events) -> Result<Checkpoint> {
        self.job.check_stop()?;
        let begun = Instant::now();
        let interval = Duration::from_secs(self.job.config.plan.checkpoint_seconds);
        self.checkpoint.ended = loop {
            let Some(event) = events.next() else { break true };
            self.event(event?)?;
            let due = begun.elapsed() >= interval || self.job.check_stop().is_err();
            if due && events.is_between() {
                break false;
            }
        };
        if let Some(border) = events.border() {
            let first = self.checkpoint.counters.border.and_then(|earlier| earlier.first);
            self.checkpoint.counters.border = Some(Border { first: first.or(border.first), ..border });
            // A checkpoint may stand before damage that was found already: the next segment meets it again.
            if self.checkpoint.ended && border.searched {
                // The reader of the next shard cannot know that its first record was found by a search.
                count(&mut self.checkpoint.counters.faults, "record.resynchronised");
            }
        }
        self.checkpoint.reached = Some(events.reached());
        self.finish()
    }

    fn event(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Damage(damage) => self.damage(&damage),
            Event::Record(record) => self.record(&record),
        }
    }

    fn damage(&mut self, damage: &Damage) -> Result<()> {
        let (archive, offset, length, reason) = (self.archive, damage.offset, damage.length, damage.reason.name());
        count(&mut self.checkpoint.counters.damage, reason);
        if damage.reason == DamageReason::NoRecord {
            tracing::warn!(archive, offset, "no record begins where the index names one; is it of this archive?");
        } else {
            self.checkpoint.counters.damaged_bytes += length;
            tracing::warn!(archive, offset, "{length} bytes unreadable: {reason}");
        }
        self.reject(offset, length, reason, None)
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        let number = self.checkpoint.counters.records;
        self.checkpoint.counters.records += 1;
        for fault in faults(record) {
            count(&mut self.checkpoint.counters.faults, &format!("record.{fault}"));
        }
        if self.journal.is_poison(number) {
            tracing::warn!(archive = self.archive, offset = record.offset, "passed over: two processes died at it");
            count(&mut self.checkpoint.counters.no_page, POISON);
            return self.reject(record.offset, record.length, POISON, Some(record));
        }
        let journal = self.journal;
        journal.reading(number, &self.job.isolation, || self.outcome(record))?
    }

    fn outcome(&mut self, record: &Record) -> Result<()> {
        match self.job.pipeline.read(record) {
            Outcome::NotAPage(reason) => {
                count(&mut self.checkpoint.counters.no_page, &reason);
                Ok(())
            }
            Outcome::Unreadable(reason) => {
                count(&mut self.checkpoint.counters.no_page, &reason);
                self.reject(record.offset, record.length, &reason, Some(record))
            }
            Outcome::Page(page) => self.page(*page),
        }
    }

    /// Assigns the document key of a page and writes its rows.
    fn page(&mut self, page: PageOutput) -> Result<()> {
        let PageOutput { mut document, mut paragraphs, census_keys, payload_bytes, warnings, rule } = page;
        let doc = key(self.shard, self.checkpoint.documents);
        self.checkpoint.documents += 1;
        self.checkpoint.counters.pages += 1;
        self.checkpoint.counters.page_paragraphs += paragraphs.len() as u64;
        self.checkpoint.counters.payload_bytes += payload_bytes;
        for warning in warnings {
            count(&mut self.checkpoint.counters.faults, &format!("page.{warning}"));
        }
        if let Some((rule, matched)) = rule {
            count_rule(&mut self.checkpoint.counters, &rule, &matched);
        }
        document.doc = doc;
        document.archive = self.archive.to_string();
        self.push_census_keys(&census_keys, doc)?;
        paragraphs.iter_mut().for_each(|paragraph| paragraph.doc = doc);
        self.checkpoint.counters.figures.page(&document, &paragraphs);
        let classifier = self.job.pipeline.classifier();
        let (content, boilerplate) = PageContent::split(&document, paragraphs, classifier);
        self.contents.push(&content.paragraphs)?;
        self.hashes.push_with_numbers(&content.summary, &content.hashes)?;
        self.documents.push(&document)?;
        self.push_boilerplate(boilerplate)?;
        self.job.progress.advance(0, 1);
        Ok(())
    }

    /// Counts and writes boilerplate in its final form: no later stage changes a row of it.
    fn push_boilerplate(&mut self, paragraphs: Vec<Paragraph>) -> Result<()> {
        let counts = &mut self.checkpoint.counters.paragraphs;
        figures::add(counts, DropReason::Boilerplate.name(), paragraphs.len() as u64);
        let Some(table) = &mut self.boilerplate else { return Ok(()) };
        paragraphs.into_iter().try_for_each(|paragraph| table.push(paragraph))
    }

    /// Spills the keys of a page for the census, partitioned by key range.
    fn push_census_keys(&mut self, keys: &CensusKeys, doc: u64) -> Result<()> {
        let ranges = self.job.plan.ranges;
        let &CensusKeys { url, text, .. } = keys;
        for &(key, index) in &keys.blocks {
            self.blocks.push(range_of(key, ranges), OccurrenceRow { key, url, text, doc, index })?;
        }
        if !keys.words.is_empty() {
            count(&mut self.checkpoint.counters.dedup, WITH_WORDS);
        }
        for &(word, share) in &keys.words {
            self.words.push(range_of(word, ranges), WordRow { word, share_bits: share.to_bits(), doc })?;
        }
        Ok(())
    }

    /// Writes a line of `rejects.jsonl`.
    fn reject(&mut self, offset: u64, length: u64, reason: &str, record: Option<&Record>) -> Result<()> {
        let record_id = record.map(payload::record_id).unwrap_or_default();
        let url = record.and_then(|r| r.header.target_uri()).unwrap_or_default();
        let reject = Reject { archive: self.archive, offset, length, reason, record_id, url: &url };
        self.rejects.put(reject.line().as_bytes())
    }

    /// Completes the files of the segment.
    fn finish(self) -> Result<Checkpoint> {
        self.contents.finish()?;
        self.hashes.finish()?;
        self.boilerplate.map_or(Ok(()), tables::Writer::finish)?;
        self.documents.finish()?;
        self.blocks.finish()?;
        self.words.finish()?;
        self.rejects.persist_unsynced()?;
        Ok(self.checkpoint)
    }
}

/// Creates a boilerplate table, if the job writes one.
fn boilerplate_writer(job: &Job, path: &Path) -> Result<Option<tables::Writer<Paragraph>>> {
    let create = || tables::Writer::create(path, &job.table_settings());
    job.config.output.boilerplate.then(create).transpose()
}

/// Names of the warnings about a record that is processed anyway.
fn faults(record: &Record) -> impl Iterator<Item = &'static str> {
    let flags = record.flags;
    [
        (flags.truncated, "truncated"),
        (flags.bad_crc, "bad_crc"),
        (flags.length_mismatch, "length_mismatch"),
        (flags.oversize, "oversize"),
        (flags.missing_length, "missing_length"),
        (flags.resynchronised, "resynchronised"),
        (flags.not_seekable, "not_seekable"),
    ]
    .into_iter()
    .filter_map(|(is_set, name)| is_set.then_some(name))
}
