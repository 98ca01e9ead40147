//! Arguments → job → exit code. No logic of its own.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::config::Config;
use crate::error::Error;
use crate::job::build::{Request, build};
use crate::job::{Stop, show};
use crate::store::layout::Layout;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Done = 0,
    Failed = 1,
    /// Wrong usage or configuration; nothing was begun.
    Usage = 2,
    /// Done, but a part of an archive could not be read; `rejects.jsonl` lists it.
    Unreadable = 3,
    /// The same command continues.
    Interrupted = 130,
}

/// Turns stored web archives (WARC, Common Crawl) into text corpora.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; \
3 done, but a part of an archive could not be read (rejects.jsonl lists it); 130 interrupted, \
the same command continues.";

const BUILD_EXAMPLES: &str = "Examples:
  warcorpus build crawl/*.warc.gz --out corpus
  warcorpus build @files.txt --out corpus --set language.keep='[\"ces\",\"slk\"]'
  warcorpus build crawl/ --out corpus --job jobs/my.toml --threads 8
  cat crawl/*.warc.gz | warcorpus build - --out corpus

A build that was interrupted is continued by the same command.";

#[derive(Subcommand)]
enum Command {
    /// Build a corpus: read, decode, clean, identify, deduplicate, write
    #[command(after_help = BUILD_EXAMPLES)]
    Build {
        /// Archive files, globs, folders, lists (@list.txt or *.paths), or - for standard input
        #[arg(required = true)]
        inputs: Vec<String>,
        /// Directory to write; new, empty, or of the same job interrupted
        #[arg(long, short)]
        out: PathBuf,
        #[command(flatten)]
        configuration: Configuration,
        /// Threads [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<std::num::NonZeroUsize>,
        /// No progress and no summary
        #[arg(long, short)]
        quiet: bool,
        /// Form of the log on standard error
        #[arg(long, value_enum, default_value_t = Log::Text)]
        log: Log,
    },
    /// Print the configuration with every default and what it means
    Config {
        #[command(flatten)]
        configuration: Configuration,
    },
    /// Print the original record of a document, from its archive
    #[command(after_help = "Example:\n  warcorpus show corpus http://example.org/page > record.warc")]
    Show {
        /// A built corpus
        corpus: PathBuf,
        /// Key (column `doc`) or address of a document
        document: String,
        /// Only the payload as stored, without WARC and HTTP headers
        #[arg(long)]
        payload: bool,
    },
    /// Print shell completions
    Completions { shell: clap_complete::Shell },
}

#[derive(clap::Args)]
struct Configuration {
    /// Job file (TOML) with the settings that differ from the defaults
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// Set one key, for example near.threshold=0.8; wins over the job file
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Log {
    Text,
    Json,
}

/// Runs the program.
pub fn main() -> ExitCode {
    let exit = match run(Arguments::parse().command) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            eprintln!("warcorpus: {error:#}");
            exit_of(&error)
        }
    };
    ExitCode::from(exit as u8)
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Build { inputs, out, configuration, threads, quiet, log } => {
            start_log(log, quiet);
            let threads =
                threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
            let config = configuration.load()?;
            let terminal = io::stderr().is_terminal() && log == Log::Text;
            let stop = stop_on_interrupt()?;
            let built = build(Request { inputs, layout: Layout::new(out), config, threads, stop, quiet, terminal })?;
            if log == Log::Json {
                let ledger = serde_json::to_string(&built.ledger).unwrap_or_default();
                tracing::info!(ledger, "done");
            } else if !quiet {
                io::stdout().write_all(built.summary.as_bytes())?;
            }
            Ok(if built.ledger.damage.is_empty() { Exit::Done } else { Exit::Unreadable })
        }
        Command::Config { configuration } => {
            io::stdout().write_all(configuration.load()?.to_commented_toml().as_bytes())?;
            Ok(Exit::Done)
        }
        Command::Show { corpus, document, payload } => {
            let document = show::find(&Layout::new(corpus), &document)?;
            let bytes = if payload { show::payload_bytes(&document)? } else { show::original(&document)? };
            io::stdout().write_all(&bytes)?;
            Ok(Exit::Done)
        }
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "warcorpus", &mut io::stdout());
            Ok(Exit::Done)
        }
    }
}

impl Configuration {
    fn load(&self) -> anyhow::Result<Config> {
        let file = match &self.job {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read job file {}", path.display()))
                    .map_err(|e| Error::Usage(format!("{e:#}")))?;
                Some((path.display().to_string(), text))
            }
            None => None,
        };
        let job = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        Ok(Config::load(job, &self.set).map_err(Error::from)?)
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

/// The first interrupt lets tasks end between two records, the second ends the process.
fn stop_on_interrupt() -> anyhow::Result<Stop> {
    let stop: Stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        eprintln!("warcorpus: stopping at the next record; interrupt again to stop at once");
    })
    .context("cannot handle interrupts")?;
    Ok(stop)
}
