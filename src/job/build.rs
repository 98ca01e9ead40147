//! `plan` and `build`: a directory, a plan, all stages.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::ledger::Ledger;
use super::plan::{Against, Plan};
use super::progress::Progress;
use super::report::{self, Run};
use super::{Job, Stop, earlier, estimate, inputs, memory, rules, selection, stopwords, workers};
use crate::config::Config;
use crate::dedup::method::Kind;
use crate::emit;
use crate::error::{Error, Result};
use crate::store::archives::{Archives, STDIN, is_remote};
use crate::store::atomic;
use crate::store::layout::Layout;

/// What a job is asked for.
pub struct Request {
    pub layout: Layout,
    pub config: Config,
    /// None, without a selection: the job that the directory holds, continued.
    pub inputs: Vec<String>,
    /// Indexes of earlier corpora.
    pub against: Vec<PathBuf>,
    /// What the job is to run with, to be refused now if it cannot.
    pub threads: usize,
    pub memory: Option<u64>,
    pub continues: bool,
    /// Begin anew, whatever the directory holds of an earlier job.
    pub restart: bool,
}

/// A job that can begin; its directory is held until this is dropped.
pub struct Planned {
    pub plan: Plan,
    layout: Layout,
    config: Config,
    _lock: Option<File>,
}

/// How it is run.
pub struct Manner {
    pub threads: usize,
    pub stop: Stop,
    /// No progress at all.
    pub quiet: bool,
    /// Progress as a bar.
    pub terminal: bool,
    /// Bytes that the process may hold.
    pub memory: Option<u64>,
}

impl Manner {
    /// For a job that is only looked at.
    pub fn silent() -> Manner {
        Manner { threads: 1, stop: Stop::default(), quiet: true, terminal: false, memory: None }
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

/// Builds a planned corpus, or what is left of it.
pub fn build(planned: Planned, manner: &Manner) -> Result<Built> {
    let begun = Instant::now();
    let Planned { plan, layout, config, _lock } = planned;
    let job = Job::new(layout, config, plan, manner)?;
    announce(&job, manner.threads);
    let ledger = workers::run(&job, manner.threads)?;
    let run = Run { seconds: begun.elapsed().as_secs_f64(), peak_memory: peak_memory(), threads: manner.threads };
    let summary = report::summary(&job, &ledger, &run);
    Ok(Built { ledger, summary })
}

/// What a planned job will take.
pub fn estimate(planned: &Planned, manner: &Manner) -> Result<String> {
    let Planned { plan, layout, config, .. } = planned;
    estimate::estimate(&Job::new(layout.clone(), config.clone(), plan.clone(), manner)?, manner.threads)
}

/// Checks or makes the output directory and its plan. Nothing of an earlier job is overwritten by a
/// different one, and nothing is removed before all that can be refused was accepted.
pub fn plan(request: Request) -> Result<Planned> {
    let Request { layout, config, inputs, against, threads, memory, continues, restart } = request;
    let against: Vec<Against> = against.iter().map(|folder| Against::new(folder)).collect::<Result<_>>()?;
    refuse_foreign(&layout)?;
    let _lock = lock(&layout, Access::Alone)?;
    atomic::sweep(layout.root())?;
    let begun = if restart { None } else { begun(&layout)? };
    if let Some((plan, saved)) = &begun {
        refuse(&layout, "with another configuration", &config.differences(saved))?;
        if continues {
            let other = !against.is_empty() && against != plan.earlier;
            refuse(&layout, "against other corpora", if other { &["--against"] } else { &[] })?;
            memory::room(memory, threads, &config, plan)?;
            // Indexes may have moved.
            let earlier = if against.is_empty() { plan.earlier.clone() } else { against };
            return Ok(Planned { plan: Plan { earlier, ..plan.clone() }, layout, config, _lock });
        }
    } else if continues || inputs.is_empty() && config.select.index.is_empty() {
        let root = layout.root().display();
        return Err(Error::Usage(format!("{root} holds no plan to continue; name the inputs")));
    }
    earlier::open(&against, &config)?;
    let directory = env::current_dir().map_err(Error::io("find", Path::new(".")))?;
    let archives = Archives::new(&config, &layout, &directory);
    let locations = match inputs.is_empty() {
        true => Vec::new(),
        false => inputs::expand(&inputs, &archives, &config.remote.prefix)?,
    };
    refuse_own(&layout, &archives, &locations, &against)?;
    let stdin = locations.iter().any(|location| location == STDIN);
    if stdin {
        inputs::save_stdin(&layout, begun.is_none())?;
    }
    let gathered = match config.select.index.is_empty() {
        true => None,
        false => Some(selection::gather(&layout, &config, locations.clone()).inspect_err(|_| {
            let _ = atomic::sweep(layout.root());
        })?),
    };
    let mut plan = match &gathered {
        Some(gathered) => Plan::of_selection(gathered, &config, &directory, &archives)?,
        None => Plan::new(&locations, &config, &directory, &archives)?,
    };
    plan.earlier = against;
    let (rules, stopwords) = (rules::gather(&config.clean.rules)?, stopwords::gather(&config.clean.stoplist)?);
    plan.rules = rules.as_deref().map(rules::fingerprint);
    plan.stopwords = stopwords.as_deref().map(rules::fingerprint);
    memory::room(memory, threads, &config, &plan)?;
    if let Some((before, _)) = &begun {
        refuse(&layout, "of other inputs", &before.differences(&plan))?;
    } else {
        clear(&layout, stdin)?;
        atomic::write(&layout.job(), config.to_commented_toml())?;
    }
    // Also where the job has the same rows already: they may have been damaged.
    gathered.map_or(Ok(()), |gathered| gathered.keep(&layout))?;
    rules.map_or(Ok(()), |rules| atomic::write(&layout.rules(), rules))?;
    stopwords.map_or(Ok(()), |words| atomic::write(&layout.stoplist(), words))?;
    // Indexes may have moved.
    let earlier = plan.earlier.clone();
    let plan = begun.map_or(plan, |(before, _)| Plan { earlier, ..before });
    let json = serde_json::to_string_pretty(&plan).map_err(|e| Error::damaged(&layout.plan(), e))?;
    atomic::write(&layout.plan(), json + "\n")?;
    Ok(Planned { plan, layout, config, _lock })
}

/// Plan and configuration of a job that was begun.
fn begun(layout: &Layout) -> Result<Option<(Plan, Config)>> {
    if !layout.plan().exists() {
        return Ok(None);
    }
    let (plan, config) = (Plan::read(layout)?, saved_config(layout, &[])?);
    if plan.configuration != config.fingerprint() {
        let path = layout.job();
        return Err(Error::Usage(format!(
            "{}: changed since the job was planned; put it back, or begin anew with --restart",
            path.display()
        )));
    }
    Ok(Some((plan, config)))
}

/// The archives of the job in a directory.
pub fn archives(layout: &Layout) -> Result<Archives> {
    Ok(Archives::new(&saved_config(layout, &[])?, layout, &Plan::read(layout)?.directory))
}

/// The job that a directory holds the plan of.
pub fn open(layout: Layout, manner: &Manner, access: Access) -> Result<(Job, Option<File>)> {
    let missing = || Error::Usage(format!("{} holds no plan; make one: warcorpus plan", layout.root().display()));
    let (plan, config) = begun(&layout)?.ok_or_else(missing)?;
    let lock = lock(&layout, access)?;
    let mut plan = plan;
    if access == Access::Looking && rules::open(&layout, plan.rules.as_deref()).is_err() {
        // What they decided is in the tables.
        plan.rules = None;
    }
    if access == Access::Looking && stopwords::open(&layout, plan.stopwords.as_deref()).is_err() {
        plan.stopwords = None;
    }
    if access == Access::Looking && earlier::open(&plan.earlier, &config).is_err() {
        // What they were needed for is in the tables.
        plan.earlier.clear();
    }
    Ok((Job::new(layout, config, plan, manner)?, lock))
}

/// The configuration of the job in a directory, with `sets` over it.
pub fn saved_config(layout: &Layout, sets: &[String]) -> Result<Config> {
    let path = layout.job();
    let none = || Error::Usage(format!("{} holds no job of warcorpus", layout.root().display()));
    let text = atomic::read(&path)?.ok_or_else(none)?;
    Ok(Config::load(Some((&path.display().to_string(), &text)), sets)?)
}

impl Job {
    fn new(layout: Layout, config: Config, plan: Plan, manner: &Manner) -> Result<Job> {
        let progress = Arc::new(Progress::new(!manner.quiet, manner.terminal));
        let archives = Archives::new(&config, &layout, &plan.directory);
        let earlier = earlier::open(&plan.earlier, &config)?;
        let rules = rules::open(&layout, plan.rules.as_deref())?;
        let stopwords = stopwords::open(&layout, plan.stopwords.as_deref())?;
        let room = memory::room(manner.memory, manner.threads, &config, &plan)?;
        Ok(Job { archives, rules, stopwords, layout, config, plan, earlier, room, stop: manner.stop.clone(), progress })
    }
}

/// Keeps others from the directory until the handle is dropped. A file, because network file systems
/// do not pass on locks of folders.
fn lock(layout: &Layout, access: Access) -> Result<Option<File>> {
    let (root, path) = (layout.root(), layout.lock());
    if access == Access::Looking {
        // Also where nothing may be written.
        return Ok(None);
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(Error::io("open", &path))?;
    match if access == Access::Alone { file.try_lock() } else { file.try_lock_shared() } {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!("another process is working in {}", root.display()))),
        // Not every file system has locks; without one the user must take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

fn refuse(layout: &Layout, what: &str, differences: &[impl AsRef<str>]) -> Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    let differences: Vec<&str> = differences.iter().map(AsRef::as_ref).collect();
    let (root, differences) = (layout.root().display(), differences.join("; "));
    Err(Error::Usage(format!("{root} holds a job {what} ({differences}); choose another --out, or --restart")))
}

/// A folder is ours if we left the lock file there, or if it is empty.
fn refuse_foreign(layout: &Layout) -> Result<()> {
    let root = layout.root();
    if !root.exists() {
        return fs::create_dir_all(root).map_err(Error::io("create folder", root));
    }
    let mut entries = fs::read_dir(root).map_err(Error::io("list", root))?;
    if layout.lock().exists() || entries.next().is_none() {
        return Ok(());
    }
    let root = root.display();
    Err(Error::Usage(format!("{root} is not empty and no corpus of warcorpus; choose another --out")))
}

/// What a job makes may be removed; what it reads must not be there.
fn refuse_own(layout: &Layout, archives: &Archives, locations: &[String], against: &[Against]) -> Result<()> {
    let root = fs::canonicalize(layout.root()).map_err(Error::io("find", layout.root()))?;
    for location in locations.iter().filter(|location| *location != STDIN && !is_remote(location)) {
        if fs::canonicalize(archives.path(location)).is_ok_and(|path| path.starts_with(&root)) {
            return Err(Error::Usage(format!("{location} lies in the output directory; choose another --out")));
        }
    }
    if let Some(index) = against.iter().find(|index| index.folder.starts_with(&root)) {
        let folder = index.folder.display();
        return Err(Error::Usage(format!("{folder} lies in the output directory; choose another --out")));
    }
    Ok(())
}

/// Removes what an earlier job left, and only that.
fn clear(layout: &Layout, keep_stdin: bool) -> Result<()> {
    // The plan first: without it nothing of the rest counts.
    let kept = [layout.rules(), layout.stoplist(), layout.selection()];
    for file in [layout.plan()].into_iter().chain(kept).chain([layout.rejects(), layout.stats(), layout.report()]) {
        atomic::remove(&file)?;
    }
    let input = layout.stdin();
    let kept = input.parent().filter(|_| keep_stdin);
    layout
        .folders(&emit::folders())
        .iter()
        .filter(|folder| Some(folder.as_path()) != kept)
        .try_for_each(|f| atomic::remove_folder(f))
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
    if near.enabled && near.method == Kind::Bands {
        let banding = near.banding();
        tracing::info!(
            "near duplicates: shingles of {} ({:?}), {banding}, P(candidate at {}) = {:.3}",
            near.shingle,
            near.unit,
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
