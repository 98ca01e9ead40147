//! `report`: draws the report of a finished corpus again, with the times of its stages.

use std::path::PathBuf;

use super::{Exit, open_corpus, refuse_inside, write_or_print};
use crate::error::{Error, Result};
use crate::stages::Job;
use crate::stages::report::{data, times, view};

pub const EXAMPLES: &str = "Example:
  warcorpus report corpus --out report-with-times.html";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Where to write the page; standard output by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let job = open_corpus(arguments.corpus.clone())?;
    arguments.out.iter().try_for_each(|out| refuse_inside(out, &job.layout))?;
    let page = report(&job)?;
    write_or_print(arguments.out.as_deref(), page)?;
    Ok(Exit::Done)
}

fn report(job: &Job) -> Result<String> {
    let path = job.layout.report_data();
    let without = || {
        Error::Usage(format!(
            "{} is missing: `warcorpus build --out {}` writes it",
            path.display(),
            job.layout.root().display()
        ))
    };
    let data = data::read(&job.layout)?.ok_or_else(without)?;
    Ok(view::page(&data, times::of_job(job)?.as_ref()))
}
