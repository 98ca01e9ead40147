//! Checkpoints of an extract task. A shard can take long (an archive that is one gzip member is one shard, whatever
//! its size), and the process may be killed before the end: by a user, by a time limit. So a task writes segments,
//! each followed by a checkpoint that says where to resume. At the end the segments are joined; the files are the same
//! as without checkpoints.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::Paragraph;
use crate::error::{Error, Result};
use crate::stages::Job;
use crate::stages::census::{OccurrenceRow, WordRow};
use crate::stages::counters::Counters;
use crate::stages::extract::events::Reached;
use crate::store::atomic::{self, AtomicFile};
use crate::store::layout::Extracted;
use crate::store::marker::Marker;
use crate::store::spill::{self, SpillRow};
use crate::store::tables;

/// How far an extract task is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Names of the segments in order. Every process makes its own, so that two that run one task do not mix files.
    pub segments: Vec<String>,
    /// Where reading resumes; the start of the shard if absent.
    pub reached: Option<Reached>,
    /// Documents in all segments, which is the position of the next one in the shard.
    pub documents: u32,
    pub counters: Counters,
    /// The whole shard was read.
    pub ended: bool,
}

/// The checkpoint of a task; the start of the shard if there is none, or if files of a segment were damaged.
pub fn load(job: &Job, shard: u32) -> Result<Marker<Checkpoint>> {
    let begin = Marker { counts: Checkpoint::default(), files: Vec::new() };
    let Some(marker) = Marker::<Checkpoint>::read(&job.layout.checkpoint(shard))? else { return Ok(begin) };
    let Some(damage) = marker.damage(job.layout.root())? else { return Ok(marker) };
    tracing::warn!("extract {shard} starts again from its beginning: {damage}");
    discard(job, shard)?;
    Ok(begin)
}

/// Adds the last segment to the checkpoint on disk.
pub fn save(marker: &mut Marker<Checkpoint>, job: &Job, shard: u32) -> Result<()> {
    if let Some(last) = marker.counts.segments.last() {
        let files = job.layout.segment(shard, last);
        let boilerplate = job.config.output.boilerplate.then(|| files.boilerplate());
        let files: Vec<PathBuf> = files.all().into_iter().chain(boilerplate).collect();
        marker.add_files(job.layout.root(), &files)?;
    }
    marker.write(&job.layout.checkpoint(shard))
}

/// Removes checkpoint and segments.
pub fn discard(job: &Job, shard: u32) -> Result<()> {
    atomic::remove_folder(&job.layout.segments(shard))
}

impl Checkpoint {
    /// Makes the files of the task out of its segments.
    pub fn join(&self, job: &Job, shard: u32) -> Result<()> {
        let whole = job.layout.extracted(shard);
        let segments: Vec<Extracted> = self.segments.iter().map(|name| job.layout.segment(shard, name)).collect();
        if job.config.output.boilerplate {
            join_boilerplate(job, &segments, &job.layout.boilerplate(shard))?;
        }
        if let [only] = segments.as_slice() {
            return only.all().iter().zip(whole.all()).try_for_each(|(from, to)| atomic::rename_unsynced(from, &to));
        }
        join_files(segments.iter().map(Extracted::documents), whole.documents())?;
        join_files(segments.iter().map(Extracted::contents), whole.contents())?;
        join_files(segments.iter().map(Extracted::rejects), whole.rejects())?;
        join_spills::<OccurrenceRow>(job, segments.iter().map(Extracted::blocks), whole.blocks())?;
        join_spills::<WordRow>(job, segments.iter().map(Extracted::words), whole.words())
    }
}

/// The rows of several segments are written again: row groups must not depend on where checkpoints were made.
fn join_boilerplate(job: &Job, segments: &[Extracted], whole: &Path) -> Result<()> {
    if let [only] = segments {
        return atomic::move_file(&only.boilerplate(), whole);
    }
    let mut table = tables::Writer::<Paragraph>::create(whole, &job.table_settings())?;
    for segment in segments {
        tables::Reader::<Paragraph>::open(&segment.boilerplate())?.try_for_each(|row| table.push(row?))?;
    }
    table.finish()
}

fn join_spills<R: SpillRow>(job: &Job, parts: impl Iterator<Item = PathBuf>, whole: PathBuf) -> Result<()> {
    let files: Vec<PathBuf> = parts.collect();
    let mut writer = spill::Writer::<R>::create(&whole, job.plan.ranges, &job.sort_memory)?;
    for range in 0..job.plan.ranges {
        job.check_stop()?;
        spill::merge::<R>(&files, range, &job.sort_memory)?.try_for_each(|row| writer.push(range, row?))?;
    }
    writer.finish().map(|_| ())
}

/// Concatenates files.
pub fn join_files(parts: impl Iterator<Item = PathBuf>, whole: PathBuf) -> Result<()> {
    let mut all = AtomicFile::create(&whole)?;
    for part in parts {
        let mut file = File::open(&part).map_err(Error::io("open", &part))?;
        io::copy(&mut file, &mut all).map_err(Error::io("write", &whole))?;
    }
    all.commit()
}
