//! `plan` and `build`: a directory, a plan, all stages.

use std::fs::{self, File, TryLockError};
use std::sync::Arc;
use std::time::Instant;

use super::ledger::Ledger;
use super::plan::Plan;
use super::progress::Progress;
use super::report::{self, Run};
use super::selection::{self, Gathered};
use super::{Job, Stop, inputs, workers};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::store::archives::Archives;
use crate::store::atomic;
use crate::store::layout::Layout;

/// What a job is asked for.
pub struct Request {
    /// None: those of the plan that is there.
    pub inputs: Vec<String>,
    pub layout: Layout,
    pub config: Config,
    /// Begin anew, whatever the directory holds of an earlier job.
    pub restart: bool,
}

/// How it is run.
pub struct Manner {
    pub threads: usize,
    pub stop: Stop,
    /// No progress at all.
    pub quiet: bool,
    /// Progress as a bar.
    pub terminal: bool,
}

impl Manner {
    /// For a job that is only looked at.
    pub fn silent() -> Manner {
        Manner { threads: 1, stop: Stop::default(), quiet: true, terminal: false }
    }
}

/// What came out.
pub struct Built {
    pub ledger: Ledger,
    pub summary: String,
}

/// Who else may work in the directory meanwhile.
#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    /// Nobody.
    Alone,
    /// Others that run tasks.
    Shared,
    /// Anybody.
    Looking,
}

/// Builds a corpus, or continues one that was interrupted.
pub fn build(request: Request, manner: &Manner) -> Result<Built> {
    let begun = Instant::now();
    let (layout, config) = (request.layout.clone(), request.config.clone());
    let (plan, _lock) = plan(request)?;
    let job = Job::new(layout, config, plan, manner);
    announce(&job, manner.threads);
    let ledger = workers::run(&job, manner.threads)?;
    let run = Run { seconds: begun.elapsed().as_secs_f64(), peak_memory: peak_memory(), threads: manner.threads };
    let summary = report::summary(&job, &ledger, &run);
    Ok(Built { ledger, summary })
}

/// Checks or makes the output directory and its plan, and holds it. Nothing of an earlier job is
/// overwritten by a different one.
pub fn plan(request: Request) -> Result<(Plan, File)> {
    let Request { inputs, layout, config, restart } = request;
    let archives = Archives::new(&config);
    let nothing_named = inputs.is_empty() && config.select.index.is_empty();
    let locations = match inputs.is_empty() {
        true => Vec::new(),
        false => inputs::expand(&inputs, &layout, &archives, &config.remote.prefix)?,
    };
    refuse_foreign(&layout)?;
    let lock = lock(&layout, Access::Alone)?;
    if restart {
        clear(&layout)?;
    }
    atomic::sweep(layout.root())?;
    let begun = layout.plan().exists() && layout.job().exists();
    if begun {
        let differences = config.differences(&saved_config(&layout)?);
        refuse(&layout, "with another configuration", &differences)?;
        if nothing_named {
            return Ok((Plan::read(&layout)?, lock));
        }
    } else if nothing_named {
        return Err(Error::Usage(format!("{} holds no plan to continue; name the inputs", layout.root().display())));
    } else {
        atomic::write(&layout.job(), config.to_commented_toml())?;
        // Without a plan nothing says what earlier tasks were about.
        remove_folder(&layout.work())?;
    }
    if inputs.iter().any(|input| input == inputs::STDIN) {
        inputs::save_stdin(&layout)?;
    }
    let gathered = match config.select.index.is_empty() {
        true => None,
        false => Some(selection::gather(&layout, &config, locations.clone())?),
    };
    let plan = match &gathered {
        Some(gathered) => Plan::of_selection(gathered, &archives)?,
        None => Plan::new(&locations, &config, &archives)?,
    };
    if begun {
        refuse(&layout, "of other inputs", &Plan::read(&layout)?.differences(&plan))?;
        gathered.map_or(Ok(()), Gathered::discard)?;
    } else {
        gathered.map_or(Ok(()), |gathered| gathered.keep(&layout))?;
        let json = serde_json::to_string_pretty(&plan).map_err(|e| Error::damaged(&layout.plan(), e))?;
        atomic::write(&layout.plan(), json + "\n")?;
    }
    Ok((plan, lock))
}

/// The job that a directory holds the plan of.
pub fn open(layout: Layout, manner: &Manner, access: Access) -> Result<(Job, File)> {
    let plan = Plan::read(&layout)?;
    let config = saved_config(&layout)?;
    let lock = lock(&layout, access)?;
    Ok((Job::new(layout, config, plan, manner), lock))
}

/// The configuration of the job in a directory.
pub fn saved_config(layout: &Layout) -> Result<Config> {
    let path = layout.job();
    let none = || Error::Usage(format!("{} holds no job of warcorpus", layout.root().display()));
    let text = atomic::read(&path)?.ok_or_else(none)?;
    Ok(Config::load(Some((&path.display().to_string(), &text)), &[])?)
}

impl Job {
    fn new(layout: Layout, config: Config, plan: Plan, manner: &Manner) -> Job {
        let progress = Arc::new(Progress::new(plan.bytes(), !manner.quiet, manner.terminal));
        Job { archives: Archives::new(&config), layout, config, plan, stop: manner.stop.clone(), progress }
    }
}

/// Keeps others from the directory until the handle is dropped.
fn lock(layout: &Layout, access: Access) -> Result<File> {
    let root = layout.root();
    let directory = File::open(root).map_err(Error::io("open", root))?;
    let locked = match access {
        Access::Alone => directory.try_lock(),
        Access::Shared => directory.try_lock_shared(),
        Access::Looking => Ok(()),
    };
    match locked {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!("another process is working in {}", root.display()))),
        // Not every file system has locks; without one the user must take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(directory),
    }
}

fn refuse(layout: &Layout, what: &str, differences: &[String]) -> Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let (root, differences) = (layout.root().display(), differences.join("; "));
    Err(Error::Usage(format!("{root} holds a job {what} ({differences}); choose another --out, or --restart")))
}

fn refuse_foreign(layout: &Layout) -> Result<()> {
    let root = layout.root();
    if !root.exists() {
        return fs::create_dir_all(root).map_err(Error::io("create folder", root));
    }
    if layout.job().exists() {
        return Ok(());
    }
    for entry in fs::read_dir(root).map_err(Error::io("list", root))? {
        // All that a job killed at its very beginning leaves.
        if !atomic::is_temporary(&entry.map_err(Error::io("list", root))?.path()) {
            return Err(Error::Usage(format!(
                "{} is not empty and no corpus of warcorpus; choose another --out",
                root.display()
            )));
        }
    }
    Ok(())
}

/// Removes what an earlier job left, and only that.
fn clear(layout: &Layout) -> Result<()> {
    if !layout.job().exists() {
        return Ok(());
    }
    // The plan first: without it nothing of the rest counts.
    for file in [layout.plan(), layout.selection(), layout.rejects(), layout.stats(), layout.report()] {
        atomic::remove(&file)?;
    }
    layout.folders().iter().try_for_each(|folder| remove_folder(folder))?;
    atomic::remove(&layout.job())
}

fn remove_folder(folder: &std::path::Path) -> Result<()> {
    if folder.exists() { fs::remove_dir_all(folder).map_err(Error::io("remove", folder)) } else { Ok(()) }
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
