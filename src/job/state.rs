//! The state of each task, kept in files beside its completion marker, so that any process on the same file system can
//! read it without a daemon or a database.

use std::env;
use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::job::slurm::Queue;
use crate::stages::{Job, Stage};
use crate::store::atomic;
use crate::store::locks::{self, FileLock};

/// The process that runs a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Running {
    pub host: String,
    pub process: u32,
    /// Array element of Slurm, such as `1234_5`, or the job number outside an array.
    pub slurm: Option<String>,
    /// Start of the task in UTC, as `2024-05-31T12:00:00Z`.
    pub since: String,
}

/// The error with which a task ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    pub reason: String,
    pub was: Running,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TaskState {
    Done,
    Running(Running),
    Failed(Failed),
    /// Started by a process that no longer exists.
    Killed(Running),
    Waiting,
}

/// A task that this process runs. Its record is locked as long, so that no other process runs it as well.
#[derive(Debug)]
pub struct RunningTask {
    record: Running,
    path: PathBuf,
    _lock: FileLock,
}

impl RunningTask {
    /// Takes a task and records that this process runs it; `None` while another process does.
    pub fn begin(job: &Job, stage: &dyn Stage, index: u32) -> Result<Option<RunningTask>> {
        let path = job.layout.running(stage.name(), index);
        let mut lock = locks::alone(&path);
        if lock.is_err() && path.exists() {
            // The record of a killed task of another user. While it is locked, no other process replaces it as well.
            let old = locks::alone_to_read(&path);
            if let Ok(None) = old {
                return Ok(None);
            }
            // Removed by whoever replaces it, or not to be read.
            if old.is_ok() {
                atomic::remove(&path)?;
            }
            lock = locks::alone(&path);
        }
        let Some(lock) = lock? else { return Ok(None) };
        let record = Running::this();
        let text = serde_json::to_string(&record).map_err(|e| Error::damaged(&path, e))?;
        // The record of a killed process may be longer.
        let written = lock.file.set_len(0).and_then(|()| lock.file.write_all_at(text.as_bytes(), 0));
        written.map_err(Error::io("write", &path))?;
        Ok(Some(RunningTask { record, path, _lock: lock }))
    }

    /// Removes the record; if the task failed, stores the reason.
    pub fn end(self, job: &Job, stage: &dyn Stage, index: u32, error: Option<&Error>) -> Result<()> {
        let failed = job.layout.failed(stage.name(), index);
        match error {
            None => atomic::remove(&failed)?,
            Some(Error::Interrupted) => {}
            // Ignored if it fails: on a full disk this file may not fit either.
            Some(error) => {
                let _ = write(&failed, &Failed { reason: error.to_string(), was: self.record });
            }
        }
        atomic::remove(&self.path)
    }
}

impl Running {
    fn this() -> Running {
        let slurm = match (env::var("SLURM_ARRAY_JOB_ID"), env::var("SLURM_ARRAY_TASK_ID"), env::var("SLURM_JOB_ID")) {
            (Ok(array), Ok(element), _) => Some(format!("{array}_{element}")),
            (_, _, job) => job.ok(),
        };
        let since = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        Running { host: host(), process: std::process::id(), slurm, since }
    }

    /// Whether the process still runs, according to Slurm or `/proc`. A process on another host that Slurm does not know
    /// counts as running.
    fn is_alive(&self, queue: Option<&Queue>) -> bool {
        let asked = self.slurm.as_ref().zip(queue).and_then(|(element, queue)| queue.is_running(element));
        if let Some(running) = asked {
            return running;
        }
        // The process number may have been reused by another program, so the names are compared.
        let name = |process: &str| fs::read(Path::new("/proc").join(process).join("comm")).ok();
        let same =
            || name(&self.process.to_string()).is_some_and(|theirs| name("self").is_none_or(|ours| ours == theirs));
        self.host != host() || same()
    }
}

/// Who runs a task, as its record tells; for messages.
pub fn runner(job: &Job, stage: &dyn Stage, index: u32) -> String {
    let record = read::<Running>(&job.layout.running(stage.name(), index)).ok().flatten();
    record.map_or_else(
        || "another process".into(),
        |Running { host, process, .. }| format!("process {process} on {host}"),
    )
}

/// The state of a task. A marker counts as done unless it is empty, as after a crash, or names other settings. The files
/// of the task are checked for damage only when the task is run again.
pub fn of(job: &Job, stage: &dyn Stage, index: u32, queue: Option<&Queue>) -> Result<TaskState> {
    let (layout, name) = (&job.layout, stage.name());
    // Only the markers of some stages have to be read for it.
    let is_done = match stage.settings(job).is_empty() {
        true => fs::metadata(layout.done(name, index)).is_ok_and(|marker| marker.len() > 0),
        false => job.marker(stage, index)?.is_some(),
    };
    if is_done {
        return Ok(TaskState::Done);
    }
    if let Some(running) = read::<Running>(&layout.running(name, index))? {
        let again = running.slurm.as_ref().zip(queue).is_some_and(|(element, queue)| queue.is_pending(element));
        return Ok(match running.is_alive(queue) {
            true => TaskState::Running(running),
            false if again => TaskState::Waiting,
            false => TaskState::Killed(running),
        });
    }
    Ok(read(&layout.failed(name, index))?.map_or(TaskState::Waiting, TaskState::Failed))
}

fn write(path: &Path, value: &impl Serialize) -> Result<()> {
    atomic::write_unsynced(path, serde_json::to_string(value).map_err(|e| Error::damaged(path, e))?)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    Ok(atomic::read(path)?.and_then(|text| serde_json::from_str(&text).ok()))
}

fn host() -> String {
    static HOST: LazyLock<String> = LazyLock::new(|| {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| env::var("HOSTNAME").ok());
        name.map_or_else(|| "this machine".to_string(), |name| name.trim().to_string())
    });
    HOST.clone()
}
