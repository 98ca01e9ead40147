//! All threads of the project.

use std::ops::Range;
use std::sync::atomic::Ordering;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::ledger::Ledger;
use super::{Job, Stage, run_task};
use crate::error::{Error, Result};

/// Runs all tasks of all stages on `threads` threads; the counts of the job.
pub fn run(job: &Job, threads: usize) -> Result<Ledger> {
    let pool = pool(threads)?;
    let mut total = Ledger::default();
    for stage in Stage::ALL {
        let ledgers = run_on(&pool, job, stage, 0..stage.tasks(job))?;
        // The last stage is the report, which has added up all the others.
        total = ledgers.into_iter().next_back().unwrap_or(total);
    }
    Ok(total)
}

/// Runs some tasks of one stage on `threads` threads; the counts of each.
pub fn run_stage(job: &Job, stage: Stage, tasks: Range<u32>, threads: usize) -> Result<Vec<Ledger>> {
    run_on(&pool(threads)?, job, stage, tasks)
}

/// A pool of its own.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|e| Error::Usage(format!("cannot start {threads} threads: {e}")))
}

fn run_on(pool: &ThreadPool, job: &Job, stage: Stage, tasks: Range<u32>) -> Result<Vec<Ledger>> {
    let shards = job.plan.shards.iter().skip(tasks.start as usize).take(tasks.len());
    job.progress.begin(stage, tasks.len() as u32, shards.map(|shard| shard.bytes).sum());
    let results: Vec<Result<Ledger>> =
        pool.install(|| tasks.into_par_iter().with_max_len(1).map(|index| one(job, stage, index)).collect());
    job.progress.end();
    all_or_first_cause(results)
}

fn one(job: &Job, stage: Stage, index: u32) -> Result<Ledger> {
    let result = run_task(job, stage, index);
    match &result {
        Ok(_) => job.progress.task_done(),
        // The other tasks end at their next record instead of at their own pace.
        Err(_) => job.stop.store(true, Ordering::Relaxed),
    }
    result
}

/// A failed task interrupts the others; what failed is told, not that they were interrupted.
fn all_or_first_cause(results: Vec<Result<Ledger>>) -> Result<Vec<Ledger>> {
    let (ledgers, errors): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let mut errors: Vec<Error> = errors.into_iter().filter_map(Result::err).collect();
    let cause = errors.iter().position(|e| !matches!(e, Error::Interrupted)).unwrap_or(0);
    if errors.is_empty() { Ok(ledgers.into_iter().flatten().collect()) } else { Err(errors.swap_remove(cause)) }
}
