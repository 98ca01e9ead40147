//! The output directory of a job: who may work in it, and the plan and configuration that it holds.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::Config;
use crate::emit;
use crate::error::{Error, Result};
use crate::job::run::RunOptions;
use crate::job::{inputs, memory, rules, selection, stopwords};
use crate::pipeline::Pipeline;
use crate::stages::plan::{Plan, ReferenceIndex};
use crate::stages::progress::Progress;
use crate::stages::{Job, reference};
use crate::store::archives::{Archives, STDIN, is_remote};
use crate::store::atomic;
use crate::store::layout::Layout;

/// A job to plan.
pub struct Request {
    pub layout: Layout,
    pub config: Config,
    /// Archives; without any and without a selection, the job of the directory is resumed.
    pub inputs: Vec<String>,
    /// Indexes of reference corpora.
    pub against: Vec<PathBuf>,
    /// Threads and memory that the job will run with; a ceiling that is too low is refused before work starts.
    pub threads: usize,
    pub memory: Option<u64>,
    pub resumes: bool,
    /// Discard what the directory holds of an earlier job.
    pub restart: bool,
}

/// A planned job. Its directory stays locked until this is dropped.
#[derive(Debug)]
pub struct Planned {
    pub plan: Plan,
    layout: Layout,
    config: Config,
    lock: DirectoryLock,
}

/// Which other processes may work in the directory at the same time.
#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    /// None.
    Alone,
    /// Those that run tasks.
    Shared,
    /// Any: this one only reads.
    ReadOnly,
}

/// The job of a planned directory, and the lock that keeps others from it.
pub fn job(planned: Planned, options: &RunOptions) -> Result<(Job, DirectoryLock)> {
    let Planned { plan, layout, config, lock } = planned;
    Ok((Job::new(layout, config, plan, options)?, lock))
}

/// Checks or makes the output directory and its plan. Nothing of an earlier job is overwritten by a
/// different one, and nothing is removed before all that can be refused was accepted.
pub fn plan(request: Request) -> Result<Planned> {
    let Request { layout, config, inputs, against, threads, memory, resumes, restart } = request;
    let against = against.iter().map(|folder| ReferenceIndex::new(folder)).collect::<Result<Vec<_>>>()?;
    refuse_foreign(&layout)?;
    let lock = DirectoryLock::acquire(&layout, Access::Alone)?;
    lock.sweep(&layout)?;
    let begun = if restart { None } else { begun(&layout)? };
    if let Some((plan, saved)) = &begun {
        refuse(&layout, "with another configuration", &config.differences(saved))?;
        if resumes {
            let other = !against.is_empty() && against != plan.earlier;
            refuse(&layout, "against other corpora", if other { &["--against"] } else { &[] })?;
            memory::room(memory, threads, &config, plan)?;
            // Indexes may have moved.
            let earlier = if against.is_empty() { plan.earlier.clone() } else { against };
            return Ok(Planned { plan: Plan { earlier, ..plan.clone() }, layout, config, lock });
        }
    } else if resumes || inputs.is_empty() && config.select.index.is_empty() {
        let root = layout.root().display();
        return Err(Error::Usage(format!("{root} holds no plan to continue; name the inputs")));
    }
    reference::open(&against, &config)?;
    let directory = env::current_dir().map_err(Error::io("find", Path::new(".")))?;
    let archives = Archives::new(config.archives(), &layout, &directory);
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
            let _ = lock.sweep(&layout);
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
    Ok(Planned { plan, layout, config, lock })
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
            "{}: changed since the job was planned; restore it, or start again with --restart",
            path.display()
        )));
    }
    Ok(Some((plan, config)))
}

/// The archives of the job in a directory.
pub fn archives(layout: &Layout) -> Result<Archives> {
    Ok(Archives::new(saved_config(layout, &[])?.archives(), layout, &Plan::read(layout)?.directory))
}

/// The job that a directory holds the plan of.
pub fn open(layout: Layout, options: &RunOptions, access: Access) -> Result<(Job, DirectoryLock)> {
    let missing = || Error::Usage(format!("{} holds no plan; make one: warcorpus plan", layout.root().display()));
    let (plan, config) = begun(&layout)?.ok_or_else(missing)?;
    let lock = DirectoryLock::acquire(&layout, access)?;
    let mut plan = plan;
    if access == Access::ReadOnly && rules::open(&layout, plan.rules.as_deref()).is_err() {
        // What they decided is in the tables.
        plan.rules = None;
    }
    if access == Access::ReadOnly && stopwords::open(&layout, plan.stopwords.as_deref()).is_err() {
        plan.stopwords = None;
    }
    if access == Access::ReadOnly && reference::open(&plan.earlier, &config).is_err() {
        // What they were needed for is in the tables.
        plan.earlier.clear();
    }
    Ok((Job::new(layout, config, plan, options)?, lock))
}

/// The configuration of the job in a directory, with `sets` over it.
pub fn saved_config(layout: &Layout, sets: &[String]) -> Result<Config> {
    let path = layout.job();
    let none = || Error::Usage(format!("{} holds no job of warcorpus", layout.root().display()));
    let text = atomic::read(&path)?.ok_or_else(none)?;
    Ok(Config::load(Some((&path.display().to_string(), &text)), sets)?)
}

impl Job {
    fn new(layout: Layout, config: Config, plan: Plan, options: &RunOptions) -> Result<Job> {
        let progress = Arc::new(Progress::new(options.progress));
        let archives = Archives::new(config.archives(), &layout, &plan.directory);
        let references = reference::open(&plan.earlier, &config)?;
        let rules = rules::open(&layout, plan.rules.as_deref())?;
        let stopwords = stopwords::open(&layout, plan.stopwords.as_deref())?;
        let pipeline = Pipeline::new(config.pipeline_options(rules, stopwords));
        let sort_memory = memory::room(options.memory, options.threads, &config, &plan)?;
        Ok(Job {
            archives,
            pipeline,
            layout,
            config,
            plan,
            references,
            sort_memory,
            // A task that fails cancels the others of this run, not the caller.
            cancel: options.cancel.child(),
            progress,
        })
    }
}

/// Keeps other processes from the directory until it is dropped. Its file is a regular one: network file systems do not
/// lock folders.
#[derive(Debug)]
pub struct DirectoryLock {
    file: Option<File>,
    /// No other process works in the directory. Unknown, and taken as false, where the file system has no locks.
    exclusive: bool,
}

type Locked = std::result::Result<(), TryLockError>;

impl DirectoryLock {
    /// # Errors
    /// [`Error::Usage`] if another process holds the directory in a way that excludes `access`.
    pub fn acquire(layout: &Layout, access: Access) -> Result<DirectoryLock> {
        let try_lock = if access == Access::Alone { File::try_lock } else { File::try_lock_shared };
        DirectoryLock::acquire_by(layout, access, try_lock)
    }

    fn acquire_by(layout: &Layout, access: Access, try_lock: fn(&File) -> Locked) -> Result<DirectoryLock> {
        if access == Access::ReadOnly {
            // Readers need no lock, and may have no right to write.
            return Ok(DirectoryLock { file: None, exclusive: false });
        }
        let (root, path) = (layout.root(), layout.lock());
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(Error::io("open", &path))?;
        let locked = match try_lock(&file) {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Usage(format!("another process is working in {}", root.display())));
            }
            // The file system has no locks: the job runs, and nothing is done that only a lone process may do.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(DirectoryLock { file: Some(file), exclusive: locked && access == Access::Alone })
    }

    /// Removes temporary files that killed processes left, if no running task can own one of them.
    pub fn sweep(&self, layout: &Layout) -> Result<()> {
        if self.exclusive && self.file.is_some() { atomic::sweep(layout.root()) } else { Ok(()) }
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

/// Refuses a folder that is neither empty nor the output of a job, which has a lock file.
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

/// Refuses inputs inside the output directory, whose files a restart removes.
fn refuse_own(layout: &Layout, archives: &Archives, locations: &[String], against: &[ReferenceIndex]) -> Result<()> {
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

/// Removes the files of an earlier job, and no others.
fn clear(layout: &Layout, keep_stdin: bool) -> Result<()> {
    // The plan first: without it no other file is believed.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As on a network file system that is mounted without locks.
    fn without_locks(_: &File) -> Locked {
        Err(TryLockError::Error(std::io::ErrorKind::Unsupported.into()))
    }

    #[test]
    fn temporary_files_of_running_tasks_stay_where_the_file_system_has_no_locks() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let temporary = atomic::temporary(&folder.path().join("table"));
        fs::write(&temporary, "half a table").unwrap();
        DirectoryLock::acquire_by(&layout, Access::Alone, without_locks).unwrap().sweep(&layout).unwrap();
        assert!(temporary.exists());
        DirectoryLock::acquire(&layout, Access::Shared).unwrap().sweep(&layout).unwrap();
        assert!(temporary.exists());
        DirectoryLock::acquire(&layout, Access::Alone).unwrap().sweep(&layout).unwrap();
        assert!(!temporary.exists());
    }

    #[test]
    fn one_process_at_a_time_has_a_directory_alone() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let alone = DirectoryLock::acquire(&layout, Access::Alone).unwrap();
        assert!(DirectoryLock::acquire(&layout, Access::Shared).is_err());
        DirectoryLock::acquire(&layout, Access::ReadOnly).unwrap();
        drop(alone);
        let _shared = DirectoryLock::acquire(&layout, Access::Shared).unwrap();
        DirectoryLock::acquire(&layout, Access::Shared).unwrap();
        assert!(DirectoryLock::acquire(&layout, Access::Alone).is_err());
    }
}
