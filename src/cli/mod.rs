//! Arguments → job → exit code. No logic of its own.

mod arguments;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::{CommandFactory, Parser};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;

use crate::emit::OutputFormat;
use crate::error::Error;
use crate::job::build::{Access, Manner, archives, build, estimate, open, plan, saved_config};
use crate::job::concordance::concordance;
use crate::job::export::export;
use crate::job::statistics::{statistics, stop_words};
use crate::job::status::{Standing, status};
use crate::job::{Job, Stop, explain, index, show, slurm, task};
use crate::stats::report::write_report;
use crate::stoplist::options::StoplistOptions;
use crate::stoplist::recipe::write_list;
use crate::store::atomic;
use crate::store::layout::{Index, Layout};
use arguments::{Arguments, Asked, Command, Log, Running, cores};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Done = 0,
    Failed = 1,
    /// Wrong usage or configuration; nothing was begun.
    Usage = 2,
    /// Done, but a part of an archive could not be read; `rejects.jsonl` lists it.
    Unreadable = 3,
    /// `status` only: tasks are running or queued.
    Underway = 4,
    /// `status` only: not done, and nobody is at work.
    Idle = 5,
    /// The same command continues.
    Interrupted = 130,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let exit = match run(Arguments::parse().command) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            // Ours name their cause themselves.
            match error.downcast_ref::<Error>() {
                Some(error) => eprintln!("warcorpus: {error}"),
                None => eprintln!("warcorpus: {error:#}"),
            }
            exit_of(&error)
        }
    };
    ExitCode::from(exit as u8)
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Build { asked, running } => return run_build(&asked, &running),
        Command::Plan { asked, threads, memory, no_estimate } => {
            let manner = Manner { threads: threads.map_or_else(cores, usize::from), memory, ..Manner::silent() };
            run_plan(&asked, &manner, !no_estimate)?;
        }
        Command::Task { stage, index, out, running } => {
            start_log(running.log, running.quiet);
            task::run(Layout::new(out), stage, index, &running.manner()?)?;
        }
        Command::Slurm { plan, options, submit } => run_slurm(plan, &options, submit)?,
        Command::Status { corpus } => return run_status(corpus),
        Command::Config { configuration } => print(&configuration.load()?.to_commented_toml())?,
        Command::Show { corpus, document, payload } => {
            let layout = Layout::new(corpus);
            let document = show::find(&layout, &document)?;
            let archives = archives(&layout)?;
            let show = if payload { show::payload_bytes } else { show::original };
            io::stdout().write_all(&show(&archives, &document)?)?;
        }
        Command::Explain { corpus, document } => print(&explain::explain(&look_into(corpus)?, &document)?)?,
        Command::Clusters { corpus, limit, members } => {
            print(&explain::clusters(&look_into(corpus)?, limit, members)?)?;
        }
        Command::Emit { corpus, format, out, set, threads } => {
            run_emit(corpus, &format, out, &set, threads.map_or_else(cores, usize::from))?;
        }
        Command::Concord { corpus, options, threads } => {
            let layout = look_into(corpus)?.layout;
            let config = saved_config(&layout, &[])?;
            let threads = threads.map_or_else(cores, usize::from);
            let tally = concordance(&layout, &config, &options, threads, &stop_on_signal()?, io::stdout().lock())?;
            if tally.is_untagged() {
                return Err(Error::Usage("the corpus is not tagged; see emit.tagger".into()).into());
            }
        }
        Command::Stats { options, threads } => {
            let layout = look_into(options.corpus.clone())?.layout;
            let threads = threads.map_or_else(cores, usize::from);
            let (figures, counts) =
                statistics(&layout, &saved_config(&layout, &[])?, &options, threads, &stop_on_signal()?)?;
            write_report(&figures, &counts, &mut io::stdout().lock())?;
        }
        Command::Stoplist { options, threads } => run_stoplist(&options, threads.map_or_else(cores, usize::from))?,
        Command::Index { corpus, out } => run_index(corpus, &out)?,
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "warcorpus", &mut io::stdout());
        }
    }
    Ok(Exit::Done)
}

fn print(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes())
}

/// The job of a directory in which nothing is to be changed.
fn look_at(corpus: PathBuf) -> anyhow::Result<Job> {
    Ok(open(Layout::new(corpus), &Manner::silent(), Access::Looking)?.0)
}

/// One that is finished.
fn look_into(corpus: PathBuf) -> anyhow::Result<Job> {
    let job = look_at(corpus)?;
    let root = job.layout.root().display();
    if !job.layout.stats().exists() {
        return Err(Error::Usage(format!("{root} is not built yet; run `warcorpus build --out {root}`")).into());
    }
    Ok(job)
}

fn run_build(asked: &Asked, running: &Running) -> anyhow::Result<Exit> {
    start_log(running.log, running.quiet);
    // Signals are heard from where there is something to set down; before, they end the process.
    let threads = running.threads.map_or_else(cores, usize::from);
    let planned = plan(asked.request(threads, running.memory)?)?;
    let built = build(planned, &running.manner()?)?;
    if running.log == Log::Json {
        let ledger = serde_json::to_string(&built.ledger).unwrap_or_default();
        tracing::info!(ledger, "done");
    } else if !running.quiet {
        io::stdout().write_all(built.summary.as_bytes())?;
    }
    Ok(if built.ledger.damage.is_empty() { Exit::Done } else { Exit::Unreadable })
}

fn run_plan(asked: &Asked, manner: &Manner, estimates: bool) -> anyhow::Result<()> {
    start_log(Log::Text, false);
    let planned = plan(asked.request(manner.threads, manner.memory)?)?;
    writeln!(io::stdout(), "{}", planned.plan.summary())?;
    if estimates {
        print(&estimate(&planned, manner)?)?;
    }
    writeln!(io::stdout(), "next: warcorpus slurm {0}, or warcorpus build --out {0}", asked.out.display())?;
    Ok(())
}

fn run_slurm(plan: PathBuf, options: &slurm::Options, submit: bool) -> anyhow::Result<()> {
    start_log(Log::Text, false);
    // The directory is meant where its plan is named.
    let out = if plan.is_file() { Path::new(".").join(&plan).parent().map_or(plan, PathBuf::from) } else { plan };
    let script = slurm::write(&look_at(out)?, options)?;
    if submit {
        slurm::submit(&script)?;
    } else {
        writeln!(io::stdout(), "submit with: bash {}", script.display())?;
    }
    Ok(())
}

fn run_status(corpus: PathBuf) -> anyhow::Result<Exit> {
    let (standing, text) = status(&look_at(corpus)?)?;
    print(&text)?;
    Ok(match standing {
        Standing::Done => Exit::Done,
        Standing::Failed => Exit::Failed,
        Standing::Underway => Exit::Underway,
        Standing::Idle => Exit::Idle,
    })
}

fn run_index(corpus: PathBuf, out: &Path) -> anyhow::Result<()> {
    start_log(Log::Text, false);
    let manner = Manner { stop: stop_on_signal()?, ..Manner::silent() };
    let (job, _lock) = open(Layout::new(corpus), &manner, Access::Shared)?;
    let header = index::index(&job, &Index::new(out))?;
    let (documents, name, out) = (header.documents, header.name, out.display());
    writeln!(io::stdout(), "{documents} documents of {name}; next: warcorpus build … --against {out}")?;
    Ok(())
}

fn run_stoplist(options: &StoplistOptions, threads: usize) -> anyhow::Result<()> {
    start_log(Log::Text, false);
    options.corpus.clone().map(look_into).transpose()?;
    let made = stop_words(options, threads, &stop_on_signal()?)?;
    made.warnings.iter().for_each(|warning| tracing::warn!("the list {warning}"));
    let mut text = Vec::new();
    write_list(&made.forms, &mut text)?;
    match &options.out {
        Some(path) => atomic::write(path, text)?,
        None => io::stdout().write_all(&text)?,
    }
    Ok(())
}

fn run_emit(
    corpus: PathBuf,
    formats: &[OutputFormat],
    out: Option<PathBuf>,
    set: &[String],
    threads: usize,
) -> anyhow::Result<()> {
    start_log(Log::Text, false);
    let stop = stop_on_signal()?;
    let layout = look_into(corpus)?.layout;
    let config = saved_config(&layout, set)?;
    let out = out.map_or_else(|| layout.clone(), Layout::new);
    let exported = export(&layout, &config, formats, &out, threads, &stop)?;
    if exported.untagged > 0 {
        tracing::warn!("{} documents are cut otherwise than they were tagged; written without tags", exported.untagged);
    }
    for format in formats {
        let folder = out.root().join(format.name);
        writeln!(io::stdout(), "{} documents in {}", exported.documents, folder.display())?;
    }
    Ok(())
}

impl Running {
    fn manner(&self) -> anyhow::Result<Manner> {
        Ok(Manner {
            threads: self.threads.map_or_else(cores, usize::from),
            stop: stop_on_signal()?,
            quiet: self.quiet,
            terminal: io::stderr().is_terminal() && self.log == Log::Text,
            memory: self.memory,
        })
    }
}

fn exit_of(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<Error>() {
        Some(Error::Config(_) | Error::Usage(_)) => Exit::Usage,
        Some(Error::Interrupted) => Exit::Interrupted,
        _ => Exit::Failed,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

fn start_log(log: Log, quiet: bool) {
    use tracing_subscriber::EnvFilter;
    let default = if quiet { "error" } else { "info" };
    let filter = EnvFilter::try_from_env("WARCORPUS_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    let builder = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_env_filter(filter)
        .with_target(false);
    // A second call, as in tests, keeps the first log.
    let _ = match log {
        Log::Text => builder.try_init(),
        Log::Json => builder.json().flatten_event(true).try_init(),
    };
}

/// The first signal lets tasks end between two records; a second interrupt ends the process. The
/// others may come twice, as from a cluster's queue, and mean the same then.
fn stop_on_signal() -> anyhow::Result<Stop> {
    let stop: Stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGUSR1]).context("cannot handle signals")?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let again = seen.swap(true, Ordering::Relaxed);
            if again && signal == SIGINT {
                std::process::exit(Exit::Interrupted as i32);
            }
            if !again {
                let hint = if signal == SIGINT { "; interrupt again to stop at once" } else { "" };
                eprintln!("warcorpus: stopping at the next record{hint}");
            }
        }
    });
    Ok(stop)
}
