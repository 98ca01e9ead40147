//! Runs a planned job: all stages in order, the tasks of each stage on a thread pool.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::config::Config;
use crate::dedup::method::Method;
use crate::error::{Error, Result};
use crate::job::directory::{Planned, Request, job, plan};
use crate::job::summary::{self, RunFigures};
use crate::job::task::run_task;
use crate::process;
use crate::stages::counters::Counters;
use crate::stages::progress::ShowProgress;
use crate::stages::report;
use crate::stages::{Job, STAGES, Stage};
use crate::store::incomplete;
use crate::store::layout::Layout;
use crate::text::units::Unit;
use crate::threads::{self, CancelToken};

/// How a job is run. No option changes its output.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Threads that run tasks; 0 counts as 1.
    pub threads: usize,
    /// Stops the job between two records when it is cancelled.
    pub cancel: CancelToken,
    /// Where progress is shown; it is hidden by default.
    pub progress: ShowProgress,
    /// Memory limit of the process in bytes; unlimited if absent.
    pub memory: Option<u64>,
    /// Folder for the files of sorting while they are written; the job's own folder if absent.
    pub scratch: Option<PathBuf>,
}

/// The results of a finished job.
#[derive(Debug)]
pub struct Built {
    /// All counters, as in `stats.json`.
    pub counters: Counters,
    /// The main counters as text for a terminal.
    pub summary: String,
}

/// Plans and builds a corpus in the directory `out`, or resumes an interrupted build with the same inputs and
/// configuration. `inputs` are archive files, globs, folders, lists (`@list.txt`) or URLs.
///
/// # Errors
/// [`Error::Usage`] for inputs or a directory that cannot be used, [`Error::Interrupted`] if `options.cancel` was
/// cancelled; calling the function again with the same arguments resumes the build.
///
/// ```no_run
/// use warcorpus::{Config, RunOptions, build_corpus};
///
/// let config = Config::load(None, &["language.keep=[\"ces\"]".into()])?;
/// let options = RunOptions { threads: 4, ..RunOptions::default() };
/// let built = build_corpus(&["crawl/*.warc.gz".into()], "corpus", config, &options)?;
/// print!("{}", built.summary);
/// # Ok::<(), warcorpus::Error>(())
/// ```
pub fn build_corpus(inputs: &[String], out: impl Into<PathBuf>, config: Config, options: &RunOptions) -> Result<Built> {
    let (threads, memory) = (options.threads.max(1), options.memory);
    let planned = plan(Request {
        layout: Layout::new(out),
        config,
        inputs: inputs.to_vec(),
        against: Vec::new(),
        threads,
        memory,
        resumes: false,
        restart: false,
        keeps_finished: false,
    })?;
    build(planned, &RunOptions { threads, ..options.clone() })
}

/// Builds a planned corpus; tasks that are done already are skipped.
pub fn build(planned: Planned, options: &RunOptions) -> Result<Built> {
    let begun = Instant::now();
    let (job, _lock) = job(planned, options)?;
    if job.layout.is_finished_without_work() {
        return finished_before(&job);
    }
    announce(&job, options.threads);
    // A finished corpus has its tags.
    if !job.layout.stats().exists() {
        job.tagger.as_ref().map_or(Ok(()), |tagger| tagger.try_out(&job.config, &options.cancel))?;
    }
    let counters = run(&job, options.threads)?;
    // An export that was interrupted may have left them.
    let folders: Vec<&str> = job.config.output.formats.iter().map(|format| format.folder).collect();
    incomplete::end(&job.layout, &folders)?;
    let figures = RunFigures {
        seconds: begun.elapsed().as_secs_f64(),
        peak_memory: process::peak_memory(),
        threads: options.threads,
    };
    let summary = summary::summary(&job, &counters, &figures)?;
    Ok(Built { counters, summary })
}

/// The result of a job whose intermediate files were removed when it was done: nothing is left to compare or to run.
///
/// # Errors
/// [`Error::Damaged`] if a file of a table is lost. Users may remove whole tables that the corpus can do without.
pub fn finished_before(job: &Job) -> Result<Built> {
    let layout = &job.layout;
    let mut tables: Vec<fn(&Layout, u32) -> PathBuf> = vec![Layout::documents, Layout::paragraphs];
    for table in [Layout::boilerplate, Layout::signals, Layout::pii] {
        tables.extend(layout.optional(table(layout, 0))?.map(|_| table));
    }
    let mut files = job.shards().flat_map(|shard| tables.iter().map(move |table| table(layout, shard)));
    if let Some(lost) = files.find(|file| !file.exists()) {
        return Err(layout.damaged(&lost, "is missing"));
    }
    let counters = report::of_corpus(&job.layout)?.unwrap_or_default();
    let summary = "already done; its intermediate files are removed, so nothing was compared or written again (`emit` writes \
                   formats again, also with labels of `annotate`; --restart builds all)\n";
    Ok(Built { counters, summary: summary.into() })
}

/// Runs all tasks of all stages; returns the counters of the job.
fn run(job: &Job, threads: usize) -> Result<Counters> {
    let pool = threads::pool(threads)?;
    let mut total = Counters::default();
    let stages: Vec<&dyn Stage> = STAGES.into_iter().filter(|stage| stage.tasks(job) > 0).collect();
    job.progress.expect(&stages);
    for stage in stages {
        let counters = run_on(&pool, job, stage, 0..stage.tasks(job), Failure::EndsAll)?;
        // The last stage returns the sum of the counters of all stages.
        total = counters.into_iter().next_back().unwrap_or(total);
    }
    Ok(total)
}

/// What the failure of a task means for the other tasks of a run.
#[derive(Clone, Copy, PartialEq)]
enum Failure {
    /// They stop soon: the run cannot end well.
    EndsAll,
    /// They go on: an array element leaves as little as possible to the next run.
    EndsOne,
}

/// Runs the tasks `tasks` of one stage in parallel; returns the counters of each task. If one fails, the others are run
/// all the same.
pub fn run_stage(job: &Job, stage: &'static dyn Stage, tasks: Range<u32>, threads: usize) -> Result<Vec<Counters>> {
    job.progress.expect(&[stage]);
    run_on(&threads::pool(threads)?, job, stage, tasks, Failure::EndsOne)
}

fn run_on(
    pool: &ThreadPool,
    job: &Job,
    stage: &dyn Stage,
    tasks: Range<u32>,
    failure: Failure,
) -> Result<Vec<Counters>> {
    let shards = job.plan.shards.iter().skip(tasks.start as usize).take(tasks.len());
    job.progress.begin(stage, tasks.len() as u32, shards.map(|shard| shard.bytes).sum());
    let results: Vec<Result<Counters>> = pool
        .install(|| tasks.into_par_iter().with_max_len(1).map(|index| run_one(job, stage, index, failure)).collect());
    job.progress.end();
    all_or_first_cause(results)
}

fn run_one(job: &Job, stage: &dyn Stage, index: u32, failure: Failure) -> Result<Counters> {
    let result = run_task(job, stage, index);
    if result.is_err() && failure == Failure::EndsAll {
        // The other tasks stop at their next record instead of at the end of their shards.
        job.cancel.cancel();
    }
    result
}

/// The counters of all tasks, or the error of the task that failed. A failed task interrupts the others, so
/// [`Error::Interrupted`] is returned only if there is no other error.
fn all_or_first_cause(results: Vec<Result<Counters>>) -> Result<Vec<Counters>> {
    let (counters, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let mut errors: Vec<Error> = errors.into_iter().filter_map(Result::err).collect();
    let cause = errors.iter().position(|e| !matches!(e, Error::Interrupted)).unwrap_or(0);
    if errors.is_empty() { Ok(counters.into_iter().flatten().collect()) } else { Err(errors.swap_remove(cause)) }
}

/// Logs the size of the job and the settings of near-duplicate detection.
fn announce(job: &Job, threads: usize) {
    let plan = &job.plan;
    tracing::info!(
        "input files: {}, bytes: {}, shards: {}, threads: {threads}",
        plan.inputs.len(),
        plan.bytes(),
        plan.shards.len()
    );
    let near = &job.config.near;
    if near.enabled && near.method == Method::Bands {
        let banding = near.banding();
        let units = match near.unit {
            Unit::Word => "words",
            Unit::Character => "characters",
            Unit::Dictionary => "dictionary words",
        };
        tracing::info!(
            "near duplicates: shingles of {} {units}, {banding}; a pair at similarity {} is compared with probability {:.2}",
            near.shingle,
            near.threshold,
            banding.probability(near.threshold)
        );
    }
}
