//! The completion markers of a corpus into which formats were written.

use std::path::PathBuf;

use crate::config::Config;
use crate::emit::OutputFormat;
use crate::error::Result;
use crate::stages::counters::Counters;
use crate::stages::emit::Emit;
use crate::stages::emit::format_files::{job_files, shard_files};
use crate::stages::report::Report;
use crate::stages::{Job, Stage};
use crate::store::marker::Marker;

/// Tells the markers of a job with the settings `saved` about the files of its own formats that were written again with the
/// settings `config`: their checksums are those to compare with from now on.
pub fn renew(job: &Job, saved: &Config, config: &Config, formats: &[OutputFormat]) -> Result<()> {
    let own = &saved.output.formats;
    let formats: Vec<OutputFormat> = formats.iter().copied().filter(|format| own.contains(format)).collect();
    // These are the files that the job itself would write now, with what `annotate` joined.
    let is_all = own.iter().all(|format| formats.contains(format)) && config.differences(saved).is_empty();
    for shard in job.shards() {
        renew_task(job, &Emit, shard, &formats, shard_files(config, &formats, &job.layout, shard), is_all)?;
    }
    renew_task(job, &Report, 0, &formats, job_files(config, &formats, &job.layout), is_all)
}

/// Replaces the files of formats in the marker of a task by `files`. A task without a marker, as in a corpus without `work/`,
/// has none to replace.
fn renew_task(
    job: &Job,
    stage: &dyn Stage,
    task: u32,
    formats: &[OutputFormat],
    files: Vec<PathBuf>,
    is_all: bool,
) -> Result<()> {
    let path = job.layout.done(stage.name(), task);
    let Some(mut marker) = Marker::<Counters>::read(&path)? else { return Ok(()) };
    let folders = formats.iter().flat_map(|format| [Some(format.folder), format.job_file.map(|file| file.folder)]);
    let folders: Vec<&str> = folders.flatten().collect();
    marker.files.retain(|file| !folders.iter().any(|folder| file.path.starts_with(folder)));
    marker.add_files(job.layout.root(), &files)?;
    if is_all {
        marker.settings = stage.settings(job);
    }
    marker.write(&path)
}
