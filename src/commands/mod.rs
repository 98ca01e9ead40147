//! The subcommands, one file each: its arguments with their help, its examples, and `run`, which ends in an [`Exit`].

pub mod annotate;
pub mod build;
pub mod card;
pub mod clusters;
pub mod compare;
pub mod completions;
pub mod concord;
pub mod config;
pub mod emit;
pub mod explain;
pub mod index;
pub mod inspect;
pub mod languages;
mod lookup;
pub mod man;
pub mod plan;
pub mod report;
pub mod request;
pub mod show;
pub mod slurm;
pub mod stats;
pub mod status;
pub mod stoplist;
mod stored_tags;
pub mod tags;
pub mod task;

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::job::directory::{open, planned};
use crate::job::directory_lock::Access;
use crate::job::run::RunOptions;
use crate::stages::Job;
use crate::store::layout::Layout;
use crate::store::{atomic, corpus};
use crate::threads::{self, CancelToken};

/// The result of a command; its value is the exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done = 0,
    Failed = 1,
    /// Wrong usage or configuration; no work was started.
    Usage = 2,
    /// Done, but a part of an archive could not be read, which `rejects.jsonl` lists, or the tagger tagged no document.
    Unreadable = 3,
    /// `status` only: tasks are running or queued.
    Underway = 4,
    /// `status` only: the job is not done, and no process works on it.
    Idle = 5,
    /// Interrupted; the same command resumes the work.
    Interrupted = 130,
}

/// The option `--threads` of commands that run in parallel.
#[derive(Debug, clap::Args)]
pub struct Threads {
    /// Threads [default: one per core]
    #[arg(long, short = 'j', value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

impl Threads {
    pub fn count(&self) -> usize {
        self.threads.map_or_else(threads::cores, usize::from)
    }
}

/// Format of the log on standard error.
#[derive(Debug, Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

/// Starts the log. A second call keeps the first log.
fn start_log(format: LogFormat, quiet: bool) {
    use tracing::level_filters::LevelFilter;
    let wanted = env::var("WARCORPUS_LOG").ok().and_then(|level| level.parse().ok());
    let level = wanted.unwrap_or(if quiet { LevelFilter::ERROR } else { LevelFilter::INFO });
    let builder = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(terminal() && wants_colours())
        .with_max_level(level)
        .with_target(false)
        // They would go to standard error, which is what cannot be written, and end the process.
        .log_internal_errors(false);
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

/// Whether standard error is a terminal that moves its cursor.
fn terminal() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether the user's environment allows colours (no-color.org, bixense.com/clicolors).
fn wants_colours() -> bool {
    let unset = |name: &str| env::var_os(name).is_none_or(|value| value.is_empty());
    unset("NO_COLOR") && env::var_os("CLICOLOR").is_none_or(|value| value != "0")
}

/// A token that the first signal cancels, so that tasks stop between two records. A second SIGINT ends the process at
/// once. Other signals may be repeated, since a cluster's scheduler may send several; the repetition has no effect. What was
/// ignored when the process began, as `nohup` has it, stays ignored. At a limit of the size of files (`ulimit -f`), a write fails
/// as it does on a full disk.
fn cancel_on_signal() -> anyhow::Result<CancelToken> {
    let token = CancelToken::default();
    let seen = token.clone();
    let ignored = ignored_signals();
    let known = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ];
    let handled = known.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = Signals::new(handled).context("cannot handle signals")?;
    let listen = move || {
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            let again = seen.cancel();
            if again && signal == SIGINT {
                std::process::exit(Exit::Interrupted as i32);
            }
            if !again {
                let hint = if signal == SIGINT { "; interrupt again to stop at once" } else { "" };
                notify(format_args!("stopping at the next record{hint}"));
            }
        }
    };
    threads::spawn("signals", listen).context("cannot handle signals")?;
    Ok(token)
}

/// The signals that the process ignores, signal 1 in the lowest bit; none where the system does not tell.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Why there is no document to work on. `options` are those that choose documents, and whether they were given.
fn without_documents(options: &[(&str, bool)]) -> String {
    let given: Vec<&str> = options.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    match given.is_empty() {
        true => "the corpus keeps no document".into(),
        false => format!("no document is chosen by {}", given.join(" and ")),
    }
}

/// Writes a message to standard error. If that cannot be written, there is nobody to tell.
pub fn notify(message: impl Display) {
    let _ = writeln!(io::stderr(), "warcorpus: {message}");
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

/// Writes what a command makes to the file of its option `--out`, or prints it.
fn write_or_print(out: Option<&Path>, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    match out {
        Some(path) => atomic::write_named(path, text)?,
        None => io::stdout().write_all(text.as_ref())?,
    }
    Ok(())
}

/// Refuses to write into a corpus what is none of its files: it could replace one of them, and a restart would remove it. `out` is a
/// file or a folder.
///
/// # Errors
/// [`Error::Usage`] also if `..` follows a folder that is missing: where that leads is not known before it is made.
fn refuse_inside(out: &Path, corpus: &Layout) -> Result<()> {
    let there = out.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let missing = out.strip_prefix(there).unwrap_or(out);
    if missing.components().any(|part| part == Component::ParentDir) {
        return Err(Error::Usage(format!("{}: `..` behind a folder that is missing", out.display())));
    }
    let real = |path: &Path| fs::canonicalize(path).map_err(Error::io("find", path));
    if real(there)?.starts_with(real(corpus.root())?) {
        return Err(Error::Usage(format!("{} lies in the corpus; choose another --out", out.display())));
    }
    Ok(())
}

/// Prints what a command tells besides its exit code, which counts whether or not somebody reads it.
fn print_result(text: &str) -> io::Result<()> {
    print(text).or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Opens the job of a directory for reading.
fn open_job(directory: PathBuf) -> Result<Job> {
    Ok(open(Layout::new(directory), &RunOptions::default(), Access::ReadOnly)?.0)
}

/// Opens the job of a finished corpus for reading.
fn open_corpus(directory: PathBuf) -> Result<Job> {
    let job = open_job(directory)?;
    refuse_unfinished(&job.layout)?;
    Ok(job)
}

/// The files and the configuration of a finished corpus.
fn finished(directory: &Path) -> Result<(Layout, Config)> {
    let layout = Layout::new(directory);
    let (_, config) = planned(&layout)?;
    refuse_unfinished(&layout)?;
    Ok((layout, config))
}

fn refuse_unfinished(layout: &Layout) -> Result<()> {
    if layout.stats().exists() { Ok(()) } else { Err(corpus::not_finished(layout)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_where_it_would_be_made() {
        let dir = tempfile::tempdir().unwrap();
        let [corpus, beside] = ["corpus", "corpus.index"].map(|name| dir.path().join(name));
        fs::create_dir(&corpus).unwrap();
        fs::write(corpus.join("report.html"), "").unwrap();
        let layout = Layout::new(&corpus);
        for (folder, inside) in [
            (corpus.clone(), true),
            (corpus.join("a/b"), true),
            (corpus.join("report.html"), true),
            (dir.path().join("corpus/../corpus/a"), true),
            (beside, false),
            (dir.path().to_path_buf(), false),
            (PathBuf::from("a missing folder"), false),
        ] {
            assert_eq!(refuse_inside(&folder, &layout).is_err(), inside, "{}", folder.display());
        }
        let refused = refuse_inside(&dir.path().join("gone/../corpus/a"), &layout);
        assert!(matches!(refused, Err(Error::Usage(message)) if message.contains("`..` behind a folder")));
        assert_eq!(fs::read_dir(&corpus).unwrap().count(), 1);
    }
}
