//! `status`: shows which tasks are done, running and failed, and how to resume.

use std::path::PathBuf;

use super::{Exit, open_job, print_result};
use crate::error::Error;
use crate::job::status::{Standing, status, verify};

pub const EXAMPLES: &str = "Examples:
  warcorpus status corpus
  warcorpus status corpus --verify

Exit codes: 0 done; 1 a task failed; 4 under way; 5 not done, and no process works on it.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Directory of a job
    corpus: PathBuf,
    /// Compare all files of finished tasks with their checksums
    #[arg(long)]
    verify: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let job = open_job(arguments.corpus.clone())?;
    let (standing, text) = status(&job)?;
    print_result(&text)?;
    if arguments.verify && job.layout.is_finished_without_work() {
        let why = "cannot be verified: the checksums were in work/, which was removed";
        return Err(Error::Usage(format!("{} {why}", job.layout.root().display())).into());
    }
    if arguments.verify {
        let (files, damaged) = verify(&job)?;
        damaged.iter().try_for_each(|line| print_result(&format!("damaged: {line}\n")))?;
        print_result(&format!("{files} files compared, {} damaged or missing\n", damaged.len()))?;
        if !damaged.is_empty() {
            print_result("`warcorpus build` on the directory writes them again\n")?;
            return Ok(Exit::Failed);
        }
    }
    Ok(match standing {
        Standing::Done => Exit::Done,
        Standing::Failed => Exit::Failed,
        Standing::Underway => Exit::Underway,
        Standing::Idle => Exit::Idle,
    })
}
