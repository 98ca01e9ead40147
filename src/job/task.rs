//! Runs one task and writes its completion marker, unless it is done already.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::job::directory;
use crate::job::directory_lock::Access;
use crate::job::run::{self, RunOptions};
use crate::job::state::{self, RunningTask, TaskState};
use crate::stages::counters::Counters;
use crate::stages::{Job, STAGES, Stage};
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::marker::Marker;

/// How long a task waits before it asks again whether another process still runs it.
const WAIT: Duration = Duration::from_millis(200);
/// After so many times it tells again for whom it waits: each minute.
const TELLS: u32 = 300;
/// Most unfinished tasks that an error message names.
const MAX_NAMED: usize = 5;

/// Runs one task. If it is done and its files are undamaged, only its counters are read.
pub fn run_task(job: &Job, stage: &dyn Stage, index: u32) -> Result<Counters> {
    let running = match take(job, stage, index)? {
        Taken::Done(counters) => {
            let bytes = job.plan.shards.get(index as usize).map_or(0, |shard| shard.bytes);
            job.progress.task_skipped(bytes, kept(&counters));
            return Ok(*counters);
        }
        Taken::Ours(running) => running,
    };
    let begun = Instant::now();
    let result = stage.run(job, index).and_then(|counters| {
        let mut marker = Marker::of_files(job.layout.root(), &stage.outputs(job, index), counters)?;
        marker.settings = stage.settings(job);
        marker.seconds = begun.elapsed().as_secs_f64();
        marker.write(&job.layout.done(stage.name(), index))?;
        // While the task is this process's: another one must not lose the files that it writes.
        stage.clean_up(job, index)?;
        Ok(marker.counts)
    });
    let ended = running.end(job, stage, index, result.as_ref().err());
    // The error of the task comes first: it is the cause.
    let counters = result?;
    ended?;
    job.progress.task_done(kept(&counters));
    Ok(counters)
}

enum Taken {
    Done(Box<Counters>),
    Ours(RunningTask),
}

/// Takes a task unless it is done. While another process runs it, as after a requeue, it is waited for.
fn take(job: &Job, stage: &dyn Stage, index: u32) -> Result<Taken> {
    let mut waits = 0u32;
    loop {
        if let Marked::Done(counters) = marked(job, stage, index)? {
            return Ok(Taken::Done(counters));
        }
        job.check_stop()?;
        match RunningTask::begin(job, stage, index)? {
            Some(running) => return begun(job, stage, index, running),
            None if waits.is_multiple_of(TELLS) => {
                tracing::warn!(
                    "{} {index} is run by {}; waiting for its end",
                    stage.name(),
                    state::runner(job, stage, index)
                );
            }
            None => {}
        }
        waits += 1;
        thread::sleep(WAIT);
    }
}

/// A task that no other process runs. One may have ended it since its marker was read. Only now is a marker removed: before,
/// it could be a new one of that process.
fn begun(job: &Job, stage: &dyn Stage, index: u32, running: RunningTask) -> Result<Taken> {
    match marked(job, stage, index)? {
        Marked::Done(counters) => running.end(job, stage, index, None).map(|()| Taken::Done(counters)),
        Marked::Outdated(damage) => {
            if let Some(damage) = damage {
                tracing::warn!("{} {index} is run again: {damage}", stage.name());
            }
            atomic::remove(&job.layout.done(stage.name(), index))?;
            Ok(Taken::Ours(running))
        }
        Marked::Nothing => Ok(Taken::Ours(running)),
    }
}

/// Documents that the task kept. Report returns the sums of all stages, pages included, and kept none itself.
fn kept(counters: &Counters) -> u64 {
    if counters.pages == 0 { counters.kept() } else { 0 }
}

/// What the marker of a task says.
enum Marked {
    Done(Box<Counters>),
    /// It is of other settings, or one of its files is missing or damaged, which is described.
    Outdated(Option<String>),
    /// There is none, or it cannot be read.
    Nothing,
}

fn marked(job: &Job, stage: &dyn Stage, index: u32) -> Result<Marked> {
    let path = job.layout.done(stage.name(), index);
    let Some(marker) = Marker::<Counters>::read(&path)? else { return Ok(Marked::Nothing) };
    if marker.settings != stage.settings(job) {
        return Ok(Marked::Outdated(None));
    }
    Ok(match marker.damage(job.layout.root())? {
        None => Marked::Done(marker.counts.into()),
        damage => Marked::Outdated(damage),
    })
}

/// Runs those of `tasks` that exist, as an element of a job array does. A corpus that is finished without `work/` stays as it is:
/// a task would bring back what its owner removed.
///
/// # Errors
/// [`Error::Usage`] if none of the tasks exists, or if a task of an earlier stage that they need is not done.
pub fn run_tasks(layout: Layout, stage: &'static dyn Stage, tasks: Range<u32>, options: &RunOptions) -> Result<()> {
    let (job, _lock) = directory::open(layout, options, Access::Shared)?;
    if job.layout.is_finished_without_work() {
        tracing::info!("{}", run::finished_before(&job)?.summary.trim_end());
        return Ok(());
    }
    let count = stage.tasks(&job);
    if tasks.start >= count {
        let name = stage.name();
        let error = if count == 0 { "is disabled".into() } else { format!("has tasks 0 to {}", count - 1) };
        return Err(Error::Usage(format!("no task {}: {name} {error}", tasks.start)));
    }
    if tasks.end > count {
        tracing::info!(
            "tasks {count} to {} do not exist: {} has tasks 0 to {}",
            tasks.end - 1,
            stage.name(),
            count - 1
        );
    }
    let tasks = tasks.start..tasks.end.min(count);
    check_earlier_stages(&job, stage, &tasks)?;
    run::run_stage(&job, stage, tasks, options.threads).map(|_| ())
}

/// Checks that a stage can begin with `tasks`. The tasks of the stage before it began when all tasks of the stages before
/// that one were done. So an array element asks for its markers, and not for those of every shard in every stage; and for
/// those of the same tasks in the stages that are divided alike, whose files it reads. Where the stage before is one by shard
/// as well, nothing of other shards is read, and their tasks may still be under way.
fn check_earlier_stages(job: &Job, stage: &dyn Stage, tasks: &Range<u32>) -> Result<()> {
    let earlier = STAGES.into_iter().take_while(|earlier| earlier.name() != stage.name());
    let earlier: Vec<&dyn Stage> = earlier.filter(|earlier| earlier.tasks(job) > 0).collect();
    let Some((last, others)) = earlier.split_last() else { return Ok(()) };
    let alike = others.iter().copied().filter(|other| other.tasks(job) == stage.tasks(job));
    let of_last = if stage.is_by_shard() && last.is_by_shard() { tasks.clone() } else { 0..last.tasks(job) };
    let needed = alike.map(|alike| (alike, tasks.clone())).chain([(*last, of_last)]);
    for (needed, tasks) in needed {
        if !not_done(job, needed, tasks)?.is_empty() {
            return earlier.iter().copied().try_for_each(|earlier| check_all_done(job, earlier, stage));
        }
    }
    Ok(())
}

/// # Errors
/// [`Error::Usage`] with the tasks of the stage `earlier` that are not done.
fn check_all_done(job: &Job, earlier: &dyn Stage, stage: &dyn Stage) -> Result<()> {
    let open = not_done(job, earlier, 0..earlier.tasks(job))?;
    if open.is_empty() {
        return Ok(());
    }
    let named = open.iter().take(MAX_NAMED).map(u32::to_string).collect::<Vec<_>>().join(", ");
    let more = if open.len() > MAX_NAMED { " …" } else { "" };
    Err(Error::Usage(format!(
        "{} needs all of {}; not done: {named}{more} ({} tasks)",
        stage.name(),
        earlier.name(),
        open.len()
    )))
}

fn not_done(job: &Job, stage: &dyn Stage, tasks: Range<u32>) -> Result<Vec<u32>> {
    let mut open = Vec::new();
    for index in tasks {
        if state::of(job, stage, index, None)? != TaskState::Done {
            open.push(index);
        }
    }
    Ok(open)
}
