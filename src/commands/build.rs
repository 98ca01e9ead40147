//! `build`: plans a job and runs all of its stages, or resumes it.

use std::path::PathBuf;

use super::request::JobArguments;
use super::{Exit, LogFormat, Threads, cancel_on_signal, print_result, start_log, terminal};
use crate::config::value::bytes;
use crate::job::directory::plan;
use crate::job::run::{RunOptions, build};
use crate::stages::progress::ShowProgress;
use crate::store::layout::Layout;

pub const EXAMPLES: &str = "Examples:
  warcorpus build crawl/*.warc.gz --out corpus
  warcorpus build @files.txt --out corpus --set language.keep=ces,slk
  warcorpus build crawl/ --out corpus --set output.formats=vertical,tei
  warcorpus build crawl/ --out corpus --job jobs/my.toml --threads 8
  cat crawl/*.warc.gz | warcorpus build - --out corpus

  warcorpus build https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-22/warc.paths.gz --out corpus
  warcorpus build s3://bucket/crawl/ --out corpus --set remote.anonymous=true

The same command, or `warcorpus build --out corpus`, resumes an interrupted build.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    job: JobArguments,
    #[command(flatten)]
    running: RunArguments,
    /// Remove the intermediate files when the job is done; what they serve for: docs/usage.md
    #[arg(long)]
    remove_work: bool,
}

/// Options for running tasks, shared by `build` and `task`.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    #[command(flatten)]
    threads: Threads,
    /// Memory that the process may take, such as 8G; sorting then uses more disk [default: no ceiling]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Folder on a disk of this machine for files of sorting while they are written; the output directory then gets
    /// each of them in one stretch
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// No progress, no summary and no log but errors
    #[arg(long, short)]
    quiet: bool,
    /// Form of the log on standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log: LogFormat,
}

impl RunArguments {
    pub fn start_log(&self) {
        start_log(self.log, self.quiet);
    }

    pub fn options(&self) -> anyhow::Result<RunOptions> {
        let progress = match (self.quiet, terminal() && self.log == LogFormat::Text) {
            (true, _) => ShowProgress::Nowhere,
            (false, true) => ShowProgress::Terminal,
            (false, false) => ShowProgress::Log,
        };
        Ok(RunOptions {
            threads: self.threads.count(),
            cancel: cancel_on_signal()?,
            progress,
            memory: self.memory,
            scratch: self.scratch.clone(),
        })
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let Arguments { job, running, remove_work } = arguments;
    running.start_log();
    let layout = Layout::new(&job.out);
    // Signals are handled only after planning: before that there is nothing to resume.
    let planned = plan(job.request(running.threads.count(), running.memory)?)?;
    let built = build(planned, &running.options()?)?;
    if *remove_work {
        layout.remove_work()?;
    }
    if running.log == LogFormat::Json {
        let counters = serde_json::to_string(&built.counters).unwrap_or_default();
        tracing::info!(counters, "done");
    } else if !running.quiet {
        print_result(&built.summary)?;
    }
    Ok(if built.counters.is_unreadable() { Exit::Unreadable } else { Exit::Done })
}
