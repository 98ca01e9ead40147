//! `task`: runs some tasks of one stage, as an element of a job array does.

use std::ops::Range;
use std::path::PathBuf;

use super::Exit;
use super::build::RunArguments;
use crate::job::task::run_tasks;
use crate::stages::{STAGES, Stage};
use crate::store::layout::Layout;

pub const EXAMPLES: &str = "Examples:
  warcorpus task extract 17 --out corpus
  warcorpus task extract 16-31 --out corpus --threads 4

SIGTERM, SIGUSR1 or an interrupt ends it at the next record with exit code 130; finished work is kept.";

#[derive(clap::Args)]
pub struct Arguments {
    /// Name of a stage
    #[arg(value_parser = stage, help = stages_help())]
    stage: &'static dyn Stage,
    /// Number of the task, or first and last: 16-31
    #[arg(value_parser = indices)]
    index: Range<u32>,
    /// Directory of the planned job
    #[arg(long, short)]
    out: PathBuf,
    #[command(flatten)]
    running: RunArguments,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    arguments.running.start_log();
    let layout = Layout::new(&arguments.out);
    run_tasks(layout, arguments.stage, arguments.index.clone(), &arguments.running.options()?)?;
    Ok(Exit::Done)
}

fn names() -> String {
    STAGES.map(|stage| stage.name()).join(", ")
}

fn stages_help() -> String {
    format!("Name of a stage: {}", names())
}

fn stage(name: &str) -> Result<&'static dyn Stage, String> {
    STAGES.into_iter().find(|stage| stage.name() == name).ok_or_else(|| format!("stages are {}", names()))
}

/// Parses a task number such as `7`, or an inclusive range such as `16-31`.
fn indices(text: &str) -> Result<Range<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(last)) if first <= last && last < u32::MAX => Ok(first..last + 1),
        _ => Err("expected a number, or two as in 16-31".into()),
    }
}
