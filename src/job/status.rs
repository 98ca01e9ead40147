//! `status`: stage by stage what is done, running, failed, and what to do about it.

use std::fmt::Write;
use std::path::Path;

use crate::error::Result;
use crate::job::slurm::{self, Queue};
use crate::job::state::{self, State};
use crate::stages::{Job, STAGES, Stage};

/// How a job stands as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Done,
    /// Tasks run, or wait in a queue.
    Underway,
    /// Something is left and nobody is at it.
    Idle,
    /// As `Idle`, because a task failed or was killed.
    Failed,
}

/// Tasks in trouble that are told one by one.
const LISTED: usize = 20;

/// The tasks of one stage.
#[derive(Default)]
struct Tally {
    done: u32,
    running: u32,
    waiting: u32,
    /// What happened to the failed ones, and the command that runs them again.
    failed: Vec<(String, String)>,
}

/// A table of the stages, then the tasks in trouble with reason and remedy.
pub fn status(job: &Job) -> Result<(Standing, String)> {
    let queue = slurm::queue(&job.layout)?;
    let mut text = row("stage", ["tasks", "done", "running", "failed", "waiting"].map(String::from));
    let mut sum = Tally::default();
    for stage in STAGES {
        let mut tally = tally(job, stage, queue.as_ref())?;
        let numbers = [stage.tasks(job), tally.done, tally.running, tally.failed.len() as u32, tally.waiting];
        text += &row(stage.name(), numbers.map(|n| n.to_string()));
        sum.running += tally.running;
        sum.waiting += tally.waiting;
        sum.failed.append(&mut tally.failed);
    }
    for (what, remedy) in sum.failed.iter().take(LISTED) {
        let _ = writeln!(text, "{what}\n    {remedy}");
    }
    if sum.failed.len() > LISTED {
        let _ = writeln!(text, "and {} more", sum.failed.len() - LISTED);
    }
    for line in queue.iter().flat_map(|queue| &queue.pending) {
        let _ = writeln!(text, "in the queue: {line}");
    }
    let standing = match (sum.running, sum.waiting, sum.failed.len()) {
        (0, 0, 0) => Standing::Done,
        (1.., ..) => Standing::Underway,
        _ if queue.is_some_and(|queue| !queue.is_empty()) => Standing::Underway,
        (_, _, 0) => Standing::Idle,
        _ => Standing::Failed,
    };
    let _ = writeln!(text, "{}", verdict(job, standing));
    Ok((standing, text))
}

fn row(stage: &str, cells: [String; 5]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {cell:>8}")).collect();
    format!("{stage:9}{cells}\n")
}

fn tally(job: &Job, stage: &dyn Stage, queue: Option<&Queue>) -> Result<Tally> {
    let (mut tally, name, out) = (Tally::default(), stage.name(), shown(job.layout.root()));
    for index in 0..stage.tasks(job) {
        let mut failed = |what: String| {
            let remedy = format!("warcorpus task {name} {index} --out {out}");
            tally.failed.push((format!("{name} {index} {what}"), remedy));
        };
        match state::of(job, stage, index, queue)? {
            State::Done => tally.done += 1,
            State::Running(_) => tally.running += 1,
            State::Waiting => tally.waiting += 1,
            State::Failed(why) => failed(format!("failed on {}: {}", why.was.host, why.reason)),
            State::Killed(was) => {
                let element = was.slurm.map(|element| format!(", job {element}")).unwrap_or_default();
                failed(format!("was ended on {} without a word, begun {}{element}", was.host, was.since));
            }
        }
    }
    Ok(tally)
}

/// As it can be given to a shell.
fn shown(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+=,:".contains(c));
    if plain { path } else { slurm::quoted(&path) }
}

fn verdict(job: &Job, standing: Standing) -> String {
    let out = shown(job.layout.root());
    let submit = job.layout.slurm().join("submit.sh");
    match standing {
        Standing::Done => "done".into(),
        Standing::Underway => "under way".into(),
        Standing::Idle | Standing::Failed if submit.exists() => {
            format!("nobody is at work; continue with: bash {}", shown(&submit))
        }
        Standing::Idle | Standing::Failed => format!("nobody is at work; continue with: warcorpus build --out {out}"),
    }
}
