//! `status`: how many tasks of each stage are done, running, failed or waiting, and how to resume.

use std::fmt::Write;

use crate::error::Result;
use crate::job::shell;
use crate::job::slurm::{self, Queue};
use crate::job::state::{self, TaskState};
use crate::stages::counters::Counters;
use crate::stages::{Job, STAGES, Stage};
use crate::store::locks;
use crate::store::marker::Marker;

/// The state of a whole job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Done,
    /// Tasks are running or queued.
    Underway,
    /// Tasks are left, and no process works on them.
    Idle,
    /// No process works on it because a task failed.
    Failed,
}

/// Most failed tasks that are listed.
const LISTED: usize = 20;

/// Task counts of one stage by state.
#[derive(Default)]
struct TaskStates {
    done: u32,
    running: u32,
    waiting: u32,
    /// For each task that failed or was killed, a description and the command that runs it again.
    failed: Vec<(String, String)>,
    /// How many of these failed with an error.
    errors: u32,
}

/// A table of the stages, then the failed tasks, each with the reason and the command that runs it again.
pub fn status(job: &Job) -> Result<(Standing, String)> {
    if job.layout.is_finished_without_work() {
        return Ok((Standing::Done, "done; its intermediate files are removed\n".into()));
    }
    let queue = slurm::queue(&job.layout)?;
    let mut text = row("stage", ["tasks", "done", "running", "failed", "waiting"].map(String::from));
    let mut sum = TaskStates::default();
    for stage in STAGES {
        let mut states = task_states(job, stage, queue.as_ref())?;
        let numbers = [stage.tasks(job), states.done, states.running, states.failed.len() as u32, states.waiting];
        text += &row(stage.name(), numbers.map(|n| n.to_string()));
        sum.running += states.running;
        sum.waiting += states.waiting;
        sum.failed.append(&mut states.failed);
        sum.errors += states.errors;
    }
    for (what, remedy) in sum.failed.iter().take(LISTED) {
        let _ = writeln!(text, "{what}\n    {remedy}");
    }
    if sum.failed.len() > LISTED {
        let _ = writeln!(text, "and {} more failed tasks", sum.failed.len() - LISTED);
    }
    for line in queue.iter().flat_map(|queue| &queue.pending) {
        let _ = writeln!(text, "in the queue: {line}");
    }
    let standing = match (sum.running, sum.waiting, sum.failed.len()) {
        (0, 0, 0) => Standing::Done,
        (1.., ..) => Standing::Underway,
        _ if queue.is_some_and(|queue| !queue.is_empty()) => Standing::Underway,
        // A build between two tasks.
        _ if locks::is_held(&job.layout.lock()) => Standing::Underway,
        // What was killed goes on when the job is started again.
        _ if sum.errors == 0 => Standing::Idle,
        _ => Standing::Failed,
    };
    let _ = writeln!(text, "{}", verdict(job, standing));
    Ok((standing, text))
}

fn row(stage: &str, cells: [String; 5]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {cell:>8}")).collect();
    format!("{stage:12}{cells}\n")
}

fn task_states(job: &Job, stage: &dyn Stage, queue: Option<&Queue>) -> Result<TaskStates> {
    let (mut states, name, out) = (TaskStates::default(), stage.name(), shell::argument(job.layout.root()));
    for index in 0..stage.tasks(job) {
        let mut failed = |what: String| {
            let remedy = format!("warcorpus task {name} {index} --out {out}");
            states.failed.push((format!("{name} {index} {what}"), remedy));
        };
        match state::of(job, stage, index, queue)? {
            TaskState::Done => states.done += 1,
            TaskState::Running(_) => states.running += 1,
            TaskState::Waiting => states.waiting += 1,
            TaskState::Failed(why) => {
                failed(format!("failed on {}: {}", why.was.host, why.reason));
                states.errors += 1;
            }
            TaskState::Killed(was) => {
                let element = was.slurm.map(|element| format!(", job {element}")).unwrap_or_default();
                failed(format!("was killed on {} (no error was recorded), started {}{element}", was.host, was.since));
            }
        }
    }
    Ok(states)
}

/// Compares the files of all finished tasks with their markers: how many were compared, and what is wrong with the
/// others, a line for each task.
pub fn verify(job: &Job) -> Result<(usize, Vec<String>)> {
    let (mut files, mut damaged) = (0, Vec::new());
    for stage in STAGES {
        for index in 0..stage.tasks(job) {
            job.check_stop()?;
            let path = job.layout.done(stage.name(), index);
            if !path.exists() {
                continue;
            }
            let found = match Marker::<Counters>::read(&path)? {
                // The task has to run again whatever its files are.
                Some(marker) if marker.settings != stage.settings(job) => None,
                Some(marker) => {
                    files += marker.files.len();
                    marker.damage(job.layout.root())?
                }
                None => Some(format!("{} cannot be read", path.display())),
            };
            damaged.extend(found.map(|what| format!("{} {index}: {what}", stage.name())));
        }
    }
    Ok((files, damaged))
}

fn verdict(job: &Job, standing: Standing) -> String {
    let out = shell::argument(job.layout.root());
    let submit = job.layout.slurm().join("submit.sh");
    match standing {
        Standing::Done => "done".into(),
        Standing::Underway => "under way".into(),
        Standing::Idle | Standing::Failed if submit.exists() => {
            format!("no process works on it; resume with: bash {}", shell::argument(&submit))
        }
        Standing::Idle | Standing::Failed => {
            format!("no process works on it; resume with: warcorpus build --out {out}")
        }
    }
}
