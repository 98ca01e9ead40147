//! `build`: a directory, a plan, all stages, a report.

use std::fs::{self, File, TryLockError};
use std::sync::Arc;
use std::time::Instant;

use super::ledger::Ledger;
use super::plan::Plan;
use super::progress::Progress;
use super::report::{self, Run};
use super::{Job, Stop, inputs, workers};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;

/// What `build` was asked for.
pub struct Request {
    pub inputs: Vec<String>,
    pub layout: Layout,
    pub config: Config,
    pub threads: usize,
    pub stop: Stop,
    /// No progress at all.
    pub quiet: bool,
    /// Progress as a bar.
    pub terminal: bool,
}

/// What came out.
pub struct Built {
    pub ledger: Ledger,
    pub summary: String,
}

/// Builds a corpus, or continues one that was interrupted.
pub fn build(request: Request) -> Result<Built> {
    let begun = Instant::now();
    let Request { inputs, layout, config, threads, stop, quiet, terminal } = request;
    let (plan, _lock) = prepare(&inputs, &layout, &config)?;
    let progress = Arc::new(Progress::new(plan.bytes(), !quiet, terminal));
    let job = Job { layout, config, plan, stop, progress };
    announce(&job, threads);
    let mut ledger = workers::run(&job, threads)?;
    report::report(&job, &mut ledger)?;
    let run = Run { seconds: begun.elapsed().as_secs_f64(), peak_memory: peak_memory(), threads };
    let summary = report::summary(&job, &ledger, &run);
    Ok(Built { ledger, summary })
}

/// Checks or makes the output directory and its plan. Nothing of an earlier job is overwritten by
/// a different one.
fn prepare(arguments: &[String], layout: &Layout, config: &Config) -> Result<(Plan, File)> {
    let files = inputs::expand(arguments, layout)?;
    refuse_foreign(layout)?;
    let lock = lock(layout)?;
    let begun = match (atomic::read(&layout.plan())?, atomic::read(&layout.job())?) {
        (Some(plan), Some(job)) => Some((plan, job)),
        _ => None,
    };
    if let Some((_, job)) = &begun {
        let origin = layout.job().display().to_string();
        let differences = config.differences(&Config::load(Some((&origin, job)), &[])?);
        refuse(layout, "with another configuration", &differences)?;
    } else {
        atomic::write(&layout.job(), config.to_commented_toml())?;
        // Without a plan nothing says what earlier tasks were about.
        if layout.work().exists() {
            fs::remove_dir_all(layout.work()).map_err(Error::io("remove", &layout.work()))?;
        }
    }
    if arguments.iter().any(|argument| argument == inputs::STDIN) {
        inputs::save_stdin(layout)?;
    }
    let plan = Plan::new(&files, config)?;
    if let Some((before, _)) = begun {
        let before: Plan = serde_json::from_str(&before).map_err(|e| Error::damaged(&layout.plan(), e))?;
        refuse(layout, "of other inputs", &before.differences(&plan))?;
    } else {
        let json = serde_json::to_string_pretty(&plan).map_err(|e| Error::damaged(&layout.plan(), e))?;
        atomic::write(&layout.plan(), json + "\n")?;
    }
    Ok((plan, lock))
}

/// Keeps a second process from the same directory until the handle is dropped.
fn lock(layout: &Layout) -> Result<File> {
    let root = layout.root();
    let directory = File::open(root).map_err(Error::io("open", root))?;
    match directory.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!("another process is working in {}", root.display()))),
        // Not every file system has locks; without one the user must take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(directory),
    }
}

fn refuse(layout: &Layout, what: &str, differences: &[String]) -> Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let root = layout.root().display();
    Err(Error::Usage(format!("{root} holds a job {what} ({}); choose another --out", differences.join("; "))))
}

fn refuse_foreign(layout: &Layout) -> Result<()> {
    let root = layout.root();
    if !root.exists() {
        return fs::create_dir_all(root).map_err(Error::io("create folder", root));
    }
    let mut entries = fs::read_dir(root).map_err(Error::io("list", root))?;
    if entries.next().is_some() && !layout.job().exists() {
        return Err(Error::Usage(format!(
            "{} is not empty and no corpus of warcorpus; choose another --out",
            root.display()
        )));
    }
    Ok(())
}

fn announce(job: &Job, threads: usize) {
    let plan = &job.plan;
    tracing::info!(
        "input files: {}, bytes: {}, shards: {}, threads: {threads}",
        plan.inputs.len(),
        plan.bytes(),
        plan.shards.len()
    );
    let near = &job.config.near;
    if near.enabled {
        let banding = job.banding();
        tracing::info!(
            "near duplicates: {} word shingles, {banding}, P(candidate at {}) = {:.3}",
            near.shingle,
            near.threshold,
            banding.probability(near.threshold)
        );
    }
}

/// Most bytes this process ever held in memory, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}
