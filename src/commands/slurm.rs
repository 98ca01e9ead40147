//! `slurm`: writes job scripts for Slurm, and submits them if asked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Exit, LogFormat, open_job, start_log};
use crate::job::status::{Standing, status};
use crate::job::{shell, slurm};

pub const EXAMPLES: &str = "Examples:
  warcorpus slurm corpus --partition long --submit
  warcorpus slurm corpus --elements 200 --cpus-per-task 4 --time 4:00:00 --mem 8G --account lab
  warcorpus slurm corpus --mem 4G --mem extract=8G --time extract=12:00:00 --constraint avx2
  warcorpus slurm corpus --program 'apptainer exec --bind /data /data/warcorpus.sif warcorpus'
  warcorpus slurm corpus --prelude modules.sh --array-limit 50 --mail me@example.org --submit

Writes one job script for each stage and submit.sh into corpus/slurm/; read them, they are short.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Directory of a planned job, or its plan.json
    plan: PathBuf,
    #[command(flatten)]
    options: slurm::Options,
    /// Submit the job now
    #[arg(long)]
    submit: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let plan = &arguments.plan;
    let named = if plan.is_file() { Path::new(".").join(plan).parent().map(PathBuf::from) } else { None };
    let job = open_job(named.unwrap_or_else(|| plan.clone()))?;
    if job.layout.stats().exists() && status(&job)?.0 == Standing::Done {
        let root = job.layout.root().display();
        writeln!(
            io::stdout(),
            "{root} is already done: no task is left, so no script is written and nothing is submitted"
        )?;
        return Ok(Exit::Done);
    }
    let script = slurm::write(&job, &arguments.options)?;
    if arguments.submit {
        slurm::submit(&script)?;
    } else {
        writeln!(io::stdout(), "submit with: bash {}", shell::argument(&script))?;
    }
    Ok(Exit::Done)
}
