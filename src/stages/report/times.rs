//! When a job ran and how long its stages took, from the markers of its tasks. `report.html` has no times, so that it is the
//! same for every run; the command `report` adds them.

use std::path::Path;

use jiff::Timestamp;

use crate::error::{Error, Result};
use crate::stages::counters::Counters;
use crate::stages::{Job, STAGES};
use crate::store::marker::Marker;

/// The times of a job.
#[derive(Debug)]
pub struct JobTimes {
    /// When the plan was written, and when the report was.
    pub planned: Timestamp,
    pub done: Timestamp,
    pub stages: Vec<StageTimes>,
}

/// The seconds of a stage.
#[derive(Debug)]
pub struct StageTimes {
    pub name: &'static str,
    pub tasks: u32,
    /// Of all tasks together, and of the longest one.
    pub sum: f64,
    pub longest: f64,
}

/// The times of a finished job; `None` if its markers were removed.
pub fn of_job(job: &Job) -> Result<Option<JobTimes>> {
    if !job.layout.work().exists() {
        return Ok(None);
    }
    let mut stages = Vec::new();
    for stage in STAGES.into_iter().filter(|stage| stage.tasks(job) > 0) {
        let mut times = StageTimes { name: stage.name(), tasks: stage.tasks(job), sum: 0.0, longest: 0.0 };
        for task in 0..times.tasks {
            let Some(marker) = Marker::<Counters>::read(&job.layout.done(stage.name(), task))? else { return Ok(None) };
            times.sum += marker.seconds;
            times.longest = times.longest.max(marker.seconds);
        }
        stages.push(times);
    }
    Ok(Some(JobTimes { planned: written(&job.layout.plan())?, done: written(&job.layout.stats())?, stages }))
}

/// When a file was written, to the second.
fn written(path: &Path) -> Result<Timestamp> {
    let time = path.metadata().and_then(|about| about.modified()).map_err(Error::io("read", path))?;
    let seconds = time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(Timestamp::from_second(seconds as i64).unwrap_or_default())
}
