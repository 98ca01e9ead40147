//! Checkpoints of an extract task. A shard can take long, because an archive that is a single gzip member is one shard
//! of any size, and a user or a time limit may kill the process before the end. So a task writes its output in segments
//! and after each segment a checkpoint that says where to resume. At the end it joins the segments. The resulting files
//! are the same as without checkpoints.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::document::Paragraph;
use crate::error::Result;
use crate::stages::Job;
use crate::stages::census::{OccurrenceRow, WordRow};
use crate::stages::counters::Counters;
use crate::stages::extract::events::Reached;
use crate::stages::journal::Journal;
use crate::store::atomic;
use crate::store::layout::Extracted;
use crate::store::marker::Marker;
use crate::store::spill::{self, SpillRow};
use crate::store::tables;

/// The state of an extract task after its last complete segment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Names of the segments, in order. Names are unique to a process, so that two processes with one task do not mix
    /// their files.
    pub segments: Vec<String>,
    /// Where reading resumes. `None` is the start of the shard.
    pub reached: Option<Reached>,
    /// Number of documents in all segments. It is also the position of the next document in the shard.
    pub documents: u32,
    /// Counters of all segments.
    pub counters: Counters,
    /// Whether the whole shard was read.
    pub ended: bool,
}

/// Loads the checkpoint of a task. The task starts from the beginning if there is none or if a segment is damaged.
pub fn load(job: &Job, shard: u32) -> Result<Marker<Checkpoint>> {
    let begin = Marker { counts: Checkpoint::default(), seconds: 0.0, settings: String::new(), files: Vec::new() };
    let Some(marker) = Marker::<Checkpoint>::read(&job.layout.checkpoint(shard))? else { return Ok(begin) };
    let Some(damage) = marker.damage(job.layout.root())? else { return Ok(marker) };
    tracing::warn!("extract {shard} starts again from its beginning: {damage}");
    discard_segments(&job.layout.segments(shard))?;
    Ok(begin)
}

/// Removes the checkpoint and all segments of a task, and keeps its journal: a record that killed processes would kill two
/// more. It is known by its number in the shard, which stays.
fn discard_segments(folder: &Path) -> Result<()> {
    let files = atomic::files(folder)?;
    files.iter().filter(|path| !Journal::has_file(path)).try_for_each(|path| atomic::remove(path))
}

/// Writes the checkpoint, with the checksums of its last segment added.
pub fn save(marker: &mut Marker<Checkpoint>, job: &Job, shard: u32) -> Result<()> {
    if let Some(last) = marker.counts.segments.last() {
        let files = job.layout.segment(shard, last);
        let boilerplate = job.config.output.boilerplate.then(|| files.boilerplate());
        let files: Vec<PathBuf> = files.all().into_iter().chain(boilerplate).collect();
        marker.add_files(job.layout.root(), &files)?;
    }
    marker.write(&job.layout.checkpoint(shard))
}

/// Removes the checkpoint and all segments of a task, with its journal.
pub fn discard(job: &Job, shard: u32) -> Result<()> {
    atomic::remove_folder(&job.layout.segments(shard))
}

impl Checkpoint {
    /// Joins the segments into the output files of the task.
    pub fn join(&self, job: &Job, shard: u32) -> Result<()> {
        let whole = job.layout.extracted(shard);
        let segments: Vec<Extracted> = self.segments.iter().map(|name| job.layout.segment(shard, name)).collect();
        if job.config.output.boilerplate {
            join_boilerplate(job, &segments, &job.layout.boilerplate(shard))?;
        }
        if let [only] = segments.as_slice() {
            return only.all().iter().zip(whole.all()).try_for_each(|(from, to)| atomic::rename_unsynced(from, &to));
        }
        atomic::concatenate_unsynced(segments.iter().map(Extracted::documents), &whole.documents())?;
        atomic::concatenate_unsynced(segments.iter().map(Extracted::contents), &whole.contents())?;
        atomic::concatenate_unsynced(segments.iter().map(Extracted::hashes), &whole.hashes())?;
        atomic::concatenate_unsynced(segments.iter().map(Extracted::rejects), &whole.rejects())?;
        join_spills::<OccurrenceRow>(job, segments.iter().map(Extracted::blocks), whole.blocks())?;
        join_spills::<WordRow>(job, segments.iter().map(Extracted::words), whole.words())
    }
}

/// Rows that are written between two checks for an interrupt.
const ROWS_BETWEEN_CHECKS: usize = 1 << 14;

/// Joins the boilerplate tables. Rows of several segments are written again, because row groups must not depend on
/// where checkpoints were made.
fn join_boilerplate(job: &Job, segments: &[Extracted], whole: &Path) -> Result<()> {
    if let [only] = segments {
        return atomic::move_file(&only.boilerplate(), whole);
    }
    let mut table = tables::Writer::<Paragraph>::create(whole, &job.table_settings())?;
    for segment in segments {
        for (number, row) in tables::Reader::<Paragraph>::open(&segment.boilerplate())?.enumerate() {
            table.push(row?)?;
            if number % ROWS_BETWEEN_CHECKS == 0 {
                job.check_stop()?;
            }
        }
    }
    table.finish()
}

/// Merges spill files, key range by key range.
fn join_spills<R: SpillRow>(job: &Job, parts: impl Iterator<Item = PathBuf>, whole: PathBuf) -> Result<()> {
    let files: Vec<PathBuf> = parts.collect();
    let mut writer = spill::Writer::<R>::create(&whole, job.plan.ranges, &job.sort_space)?;
    for range in 0..job.plan.ranges {
        job.check_stop()?;
        spill::merge::<R>(&files, range, &job.sort_space)?.try_for_each(|row| writer.push(range, row?))?;
    }
    writer.finish().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deaths_outlive_damaged_segments() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["current", "deaths.json", "checkpoint.json", "000-0123456789abcdef.documents"];
        let paths = names.map(|name| folder.path().join(name));
        paths.iter().for_each(|path| atomic::write(path, "").unwrap());
        discard_segments(folder.path()).unwrap();
        assert_eq!(paths.map(|path| path.exists()), [true, true, false, false]);
    }
}
