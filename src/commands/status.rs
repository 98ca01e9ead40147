//! `status`: shows which tasks are done, running and failed, and how to resume.

use std::path::PathBuf;

use super::{Exit, open_job, print};
use crate::job::status::{Standing, status};

pub const EXIT_CODES: &str =
    "Exit codes: 0 done; 1 a task failed; 4 under way; 5 not done, and no process works on it.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Directory of a job
    corpus: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let (standing, text) = status(&open_job(arguments.corpus.clone())?)?;
    print(&text)?;
    Ok(match standing {
        Standing::Done => Exit::Done,
        Standing::Failed => Exit::Failed,
        Standing::Underway => Exit::Underway,
        Standing::Idle => Exit::Idle,
    })
}
