//! Borders: checks that each shard began where the one before ended.
//!
//! A shard of a file begins at the first bytes that look like a record (`archive::anchor`), and the bytes of a page may look
//! like records. If the last record of the shard before ends behind them, they are part of that record. Such a shard is read
//! again from the right place. So the records of a job are those of a single reader, and a page cannot have its bytes read
//! as records of other addresses.

use std::path::PathBuf;

use crate::archive::Border;
use crate::error::{Error, Result};
use crate::stages::counters::Counters;
use crate::stages::extract::{Extract, checkpoint, extract};
use crate::stages::{Job, Stage};
use crate::store::archives::public_name;
use crate::store::atomic;
use crate::store::marker::Marker;

/// The stage `borders`: one task, in jobs that cut a file into shards.
#[derive(Debug)]
pub struct Borders;

impl Stage for Borders {
    fn name(&self) -> &'static str {
        "borders"
    }

    fn tasks(&self, job: &Job) -> u32 {
        let plan = &job.plan;
        u32::from(plan.selection.is_none() && plan.shards.len() > plan.inputs.len())
    }

    fn outputs(&self, _job: &Job, _task: u32) -> Vec<PathBuf> {
        Vec::new()
    }

    fn run(&self, job: &Job, _task: u32) -> Result<Counters> {
        check(job)
    }

    fn relative_cost(&self) -> f64 {
        0.01
    }
}

/// The file offset at which a shard begins, if this stage has found that it is not where extract would begin.
pub fn known_start(job: &Job, shard: u32) -> Result<Option<u64>> {
    let path = job.layout.shard_start(shard);
    let text = atomic::read(&path)?;
    text.map(|text| serde_json::from_str(&text).map_err(|e| Error::damaged(&path, e))).transpose()
}

/// Compares the shards of each file in order.
fn check(job: &Job) -> Result<Counters> {
    let (mut input, mut expected) = (None, 0);
    for shard in job.shards() {
        job.check_stop()?;
        let (place, archive) = job.shard(shard)?;
        if input.replace(place.input) != Some(place.input) {
            expected = 0;
        }
        let mut border = border(job, shard)?;
        if !border.begins_at(expected, &(place.start..place.end)) {
            tracing::warn!(
                archive = public_name(&archive.location),
                "the bytes from {} look like records but are part of one; \
                the shard is read again from {expected}",
                border.first.unwrap_or(place.start)
            );
            border = read_again(job, shard, expected)?;
        }
        expected = border.next.unwrap_or(expected);
    }
    Ok(Counters::default())
}

fn border(job: &Job, shard: u32) -> Result<Border> {
    Ok(job.counters(&Extract, shard)?.border.unwrap_or_default())
}

/// Extracts a shard from another start. If the process ends before the marker is written, the files of the shard are not
/// those of its old marker, and its task runs again.
fn read_again(job: &Job, shard: u32, start: u64) -> Result<Border> {
    if known_start(job, shard)? != Some(start) {
        // A process that was killed right after its marker left its checkpoint, which is one of the other start.
        checkpoint::discard(job, shard)?;
        atomic::write(&job.layout.shard_start(shard), start.to_string())?;
    }
    let counters = extract(job, shard)?;
    let border = counters.border.unwrap_or_default();
    let marker = Marker::of_files(job.layout.root(), &Extract.outputs(job, shard), counters)?;
    marker.write(&job.layout.done(Extract.name(), shard))?;
    Extract.clean_up(job, shard)?;
    Ok(border)
}
