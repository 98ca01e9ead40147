//! What can be said on the command line.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Parser, Subcommand, ValueEnum};

use crate::concord::{self, CONCORD_EXAMPLES};
use crate::config::Config;
use crate::emit::OutputFormat;
use crate::error::Error;
use crate::job::build::{Request, saved_config};
use crate::job::{Stage, slurm};
use crate::stats::options::{STATS_EXAMPLES, StatsOptions};
use crate::stoplist::options::{STOPLIST_EXAMPLES, StoplistOptions};
use crate::store::layout::Layout;

/// Turns stored web archives (WARC, Common Crawl) into text corpora.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 wrong usage or configuration; \
3 done, but a part of an archive could not be read (rejects.jsonl lists it); 130 interrupted, \
the same command continues.";

const BUILD_EXAMPLES: &str = "Examples:
  warcorpus build crawl/*.warc.gz --out corpus
  warcorpus build @files.txt --out corpus --set language.keep='[\"ces\",\"slk\"]'
  warcorpus build crawl/ --out corpus --job jobs/my.toml --threads 8
  cat crawl/*.warc.gz | warcorpus build - --out corpus

  warcorpus build https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-22/warc.paths.gz --out corpus
  warcorpus build s3://bucket/crawl/ --out corpus --set remote.anonymous=true

A build that was interrupted is continued by the same command, or by `warcorpus build --out corpus`.";

const PLAN_EXAMPLES: &str = "Example: a job on a cluster
  warcorpus plan crawl/*.warc.gz --out corpus
  warcorpus slurm corpus --partition long --submit
  warcorpus status corpus";

const TASK_EXAMPLES: &str = "Examples:
  warcorpus task extract 17 --out corpus
  warcorpus task extract 16-31 --out corpus --threads 4

SIGTERM, SIGUSR1 or an interrupt ends it at the next record with exit code 130; what was done is kept.";

const INDEX_EXAMPLES: &str = "Example: what is new in the second crawl
  warcorpus build crawl-1/ --out corpus-1
  warcorpus index corpus-1 --out corpus-1.index
  warcorpus build crawl-2/ --out corpus-2 --against corpus-1.index

The index stays valid without the corpus. Settings of [near] and [overlap] must be the same.";

const EMIT_EXAMPLES: &str = "Examples:
  warcorpus emit corpus --format tei,conllu
  warcorpus emit corpus --format jsonl --set jsonl.fields=datatrove --out for-training
  warcorpus emit corpus --format vertical --set vertical.escape=xml --out for-cwb

Reads the tables alone: archives and work/ may be gone. Kept documents are written, one file for each shard.";

const SLURM_EXAMPLES: &str = "Examples:
  warcorpus slurm corpus --partition long --submit
  warcorpus slurm corpus --elements 200 --cpus-per-task 4 --time 4:00:00 --mem 8G --option=--account=lab

Writes one job script for each stage and submit.sh into corpus/slurm/; read them, they are short.";

#[derive(Subcommand)]
pub enum Command {
    /// Build a corpus: read, decode, clean, identify, deduplicate, write
    #[command(after_help = BUILD_EXAMPLES)]
    Build {
        #[command(flatten)]
        asked: Asked,
        #[command(flatten)]
        running: Running,
    },
    /// Only plan: write the directory, the configuration and the list of shards
    #[command(after_help = PLAN_EXAMPLES)]
    Plan {
        #[command(flatten)]
        asked: Asked,
        /// Threads that the estimate is for [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<NonZeroUsize>,
        /// Memory that the job will be allowed, such as 8G; refused if it cannot fit
        #[arg(long, value_name = "BYTES", value_parser = bytes)]
        memory: Option<u64>,
        /// Do not read a sample of the input to tell what the job will take
        #[arg(long)]
        no_estimate: bool,
    },
    /// Run some tasks of one stage of a planned job, as a cluster does
    #[command(after_help = TASK_EXAMPLES)]
    Task {
        /// extract, census, sketch, bucket, contain, cluster, ngrams, overlap, emit or report
        #[arg(value_parser = stage)]
        stage: Stage,
        /// Number of the task, or first and last: 16-31
        #[arg(value_parser = indices)]
        index: Range<u32>,
        /// Directory of the planned job
        #[arg(long, short)]
        out: PathBuf,
        #[command(flatten)]
        running: Running,
    },
    /// Write job scripts for Slurm, and submit them if asked
    #[command(after_help = SLURM_EXAMPLES)]
    Slurm {
        /// Directory of a planned job, or its plan.json
        plan: PathBuf,
        #[command(flatten)]
        options: slurm::Options,
        /// Submit the job now
        #[arg(long)]
        submit: bool,
    },
    /// Tell what is done, running and failed, and how to continue
    #[command(after_help = "Exit codes: 0 done; 1 a task failed; 4 under way; 5 nobody is at work.")]
    Status {
        /// Directory of a job
        corpus: PathBuf,
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
    /// Tell why a document and each of its paragraphs stayed or went
    #[command(after_help = "Example:\n  warcorpus explain corpus http://example.org/page")]
    Explain {
        /// A built corpus
        corpus: PathBuf,
        /// Key (column `doc`) or address of a document
        document: String,
    },
    /// List the largest clusters of duplicates
    Clusters {
        /// A built corpus
        corpus: PathBuf,
        /// Clusters to list
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Dropped documents to list of each
        #[arg(long, default_value_t = 3)]
        members: usize,
    },
    /// Write a finished corpus in further formats, from its tables
    #[command(after_help = EMIT_EXAMPLES)]
    Emit {
        /// A built corpus
        corpus: PathBuf,
        /// Formats, several with commas
        #[arg(long, short, required = true, value_delimiter = ',')]
        format: Vec<OutputFormat>,
        /// Directory to write; a folder for each format [default: the corpus]
        #[arg(long, short)]
        out: Option<PathBuf>,
        /// Set one key, for example vertical.escape=xml
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Threads [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<NonZeroUsize>,
    },
    /// Find words in a corpus, with what stands around them
    #[command(after_help = CONCORD_EXAMPLES)]
    Concord {
        /// A built corpus
        corpus: PathBuf,
        #[command(flatten)]
        options: concord::Options,
        /// Threads [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<NonZeroUsize>,
    },
    /// Count a corpus: documents, sentences, words, types, years, yields; frequency lists, keywords
    #[command(after_help = STATS_EXAMPLES)]
    Stats {
        #[command(flatten)]
        options: StatsOptions,
        /// Threads [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<NonZeroUsize>,
    },
    /// Make a list of stop words from a corpus or from plain text
    #[command(after_help = STOPLIST_EXAMPLES)]
    Stoplist {
        #[command(flatten)]
        options: StoplistOptions,
        /// Threads [default: one per core]
        #[arg(long, short = 'j')]
        threads: Option<NonZeroUsize>,
    },
    /// Write what later builds need to leave out what this corpus has (`build --against`)
    #[command(after_help = INDEX_EXAMPLES)]
    Index {
        /// A built corpus, with its work/
        corpus: PathBuf,
        /// Directory to write; new or empty
        #[arg(long, short)]
        out: PathBuf,
    },
    /// Print shell completions
    Completions { shell: clap_complete::Shell },
}

#[derive(clap::Args)]
pub struct Asked {
    /// Archive files, globs, folders, lists (@list.txt, *.paths, *.paths.gz), URLs (https, s3), or -
    /// for standard input; none to continue the job in the directory
    inputs: Vec<String>,
    /// Directory to write; new, empty, or of the same job interrupted
    #[arg(long, short)]
    pub out: PathBuf,
    /// Read only the records that an index names (Common Crawl's columnar index or a part of it,
    /// CDXJ, CDX); without inputs, from where the index says
    #[arg(long, value_name = "INDEX")]
    select: Vec<String>,
    /// Which rows of the index, such as: fetch_status = 200 and content_languages has ces
    #[arg(long = "where", value_name = "EXPRESSION")]
    filter: Option<String>,
    #[command(flatten)]
    configuration: Configuration,
    /// Leave out what an earlier corpus has: its index, made by `warcorpus index`
    #[arg(long, value_name = "INDEX")]
    against: Vec<PathBuf>,
    /// Continue the job that the directory holds (the default)
    #[arg(long)]
    resume: bool,
    /// Remove what the directory holds of an earlier job and begin anew
    #[arg(long, conflicts_with = "resume")]
    restart: bool,
}

#[derive(clap::Args)]
pub struct Running {
    /// Threads [default: one per core]
    #[arg(long, short = 'j')]
    pub threads: Option<NonZeroUsize>,
    /// Memory that the process may take, such as 8G; sorting then uses more disk [default: no ceiling]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
    /// No progress and no summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Form of the log on standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    pub log: Log,
}

#[derive(clap::Args)]
pub struct Configuration {
    /// Job file (TOML) with the settings that differ from the defaults
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// Set one key, for example near.threshold=0.8; wins over the job file
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Log {
    Text,
    Json,
}

impl Asked {
    /// `threads` and `memory` are those of the job.
    pub fn request(&self, threads: usize, memory: Option<u64>) -> anyhow::Result<Request> {
        let layout = Layout::new(&self.out);
        let continues = self.inputs.is_empty() && self.select.is_empty() && self.configuration.job.is_none();
        let config = match continues {
            true => saved_config(&layout, &self.configuration.set)?,
            false => self.configuration.load()?,
        };
        let config = config.selecting(&self.select, self.filter.as_deref()).map_err(Error::from)?;
        let against = self.against.clone();
        let inputs = self.inputs.clone();
        Ok(Request { layout, config, inputs, against, threads, memory, continues, restart: self.restart })
    }
}

impl Configuration {
    pub fn load(&self) -> anyhow::Result<Config> {
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

/// `8G`, `500M`, or bytes.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.trim_end_matches(['B', 'b', 'i']).to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number with K, M, G or T, such as 8G".into()),
    };
    let number = digits.parse::<u64>().map_err(|e| e.to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".into())
}

fn stage(name: &str) -> Result<Stage, String> {
    let known = || Stage::ALL.map(Stage::name).join(", ");
    Stage::ALL.into_iter().find(|stage| stage.name() == name).ok_or_else(|| format!("stages are {}", known()))
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `7` or `16-31`.
fn indices(text: &str) -> Result<Range<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(last)) if first <= last && last < u32::MAX => Ok(first..last + 1),
        _ => Err("expected a number, or two as in 16-31".into()),
    }
}
