//! `plan`: writes the directory, the configuration and the list of shards, and estimates what the job will take.

use std::io::{self, Write};

use super::request::JobArguments;
use super::{Exit, LogFormat, Threads, print, start_log};
use crate::config::value::bytes;
use crate::job::directory::{self, Request, plan};
use crate::job::estimate::estimate;
use crate::job::run::RunOptions;
use crate::job::shell;

pub const EXAMPLES: &str = "Example: a job on a cluster
  warcorpus plan crawl/*.warc.gz --out corpus
  warcorpus slurm corpus --partition long --submit
  warcorpus status corpus

The settings of a finished corpus stay as they are, unless --reopen is given; `build --out corpus --set …` changes them and writes
the output again. --restart discards a finished corpus at once.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    job: JobArguments,
    #[command(flatten)]
    threads: Threads,
    /// Memory that the job will be allowed, such as 8G; refused if it cannot fit
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Do not read a sample of the input to estimate what the job will take
    #[arg(long)]
    no_estimate: bool,
    /// Change the settings of a finished corpus, which counts as unfinished until tasks have written its output again
    #[arg(long)]
    reopen: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let options = RunOptions { threads: arguments.threads.count(), memory: arguments.memory, ..RunOptions::default() };
    let request = arguments.job.request(options.threads, options.memory)?;
    let planned = plan(Request { keeps_finished: !arguments.reopen, ..request })?;
    writeln!(io::stdout(), "{}", planned.plan.summary())?;
    let (job, _lock) = directory::job(planned, &options)?;
    if !arguments.no_estimate {
        print(&estimate(&job, options.threads)?)?;
    }
    writeln!(
        io::stdout(),
        "next: warcorpus slurm {0}, or warcorpus build --out {0}",
        shell::argument(&arguments.job.out)
    )?;
    Ok(Exit::Done)
}
