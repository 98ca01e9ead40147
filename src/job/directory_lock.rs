//! Which processes may use an output directory at the same time.

use std::fs::{self, File, TryLockError};
use std::io;

use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::locks::{self, FileLock};

/// Which other processes may use the directory at the same time.
#[derive(Clone, Copy, PartialEq)]
pub enum Access {
    /// No other process: the lock is exclusive.
    Alone,
    /// Other processes that run tasks: the lock is shared.
    Shared,
    /// Any process, since this one only reads: no lock is taken.
    ReadOnly,
}

/// The lock of an output directory; dropping it releases the lock. It locks a regular file, because network file
/// systems cannot lock folders.
#[derive(Debug)]
pub struct DirectoryLock {
    /// Locked as long as it is open.
    _file: Option<File>,
    /// Whether no other process works in the directory; false if the file system has no locks.
    exclusive: bool,
}

impl DirectoryLock {
    /// Locks the directory without waiting for the end of another job.
    ///
    /// # Errors
    /// [`Error::Usage`] if another process holds a lock that excludes `access`.
    pub fn acquire(layout: &Layout, access: Access) -> Result<DirectoryLock> {
        let path = layout.lock();
        match access {
            // Readers need no lock, and may lack the permission to create its file.
            Access::ReadOnly => Ok(DirectoryLock { _file: None, exclusive: false }),
            // Where the file system has no locks the job runs, but skips what requires exclusive access.
            Access::Alone => {
                let FileLock { file, excludes } = locks::alone(&path)?.ok_or_else(|| worked_in(layout))?;
                Ok(DirectoryLock { _file: Some(file), exclusive: excludes })
            }
            Access::Shared => {
                let file = locks::open(&path)?;
                match file.try_lock_shared() {
                    Err(TryLockError::WouldBlock) => Err(worked_in(layout)),
                    Ok(()) | Err(TryLockError::Error(_)) => Ok(DirectoryLock { _file: Some(file), exclusive: false }),
                }
            }
        }
    }

    /// Keeps other processes from changing the directory while this one reads it. A directory of somebody else that has no
    /// lock file, or lies on a file system without locks, is read all the same.
    ///
    /// # Errors
    /// [`Error::Usage`] if another process has the directory alone.
    pub fn keep(layout: &Layout) -> Result<DirectoryLock> {
        let file = locks::shared(&layout.lock()).ok_or_else(|| worked_in(layout))?;
        Ok(DirectoryLock { _file: file, exclusive: false })
    }

    /// Removes temporary files of killed processes. Does nothing unless the lock is exclusive, because a running task
    /// may own such a file.
    pub fn sweep(&self, layout: &Layout) -> Result<()> {
        if self.exclusive { atomic::sweep(layout.root()) } else { Ok(()) }
    }

    /// Removes the directory of a refused job, which has nothing but its lock. Does nothing unless the lock is exclusive.
    pub fn discard(&self, layout: &Layout) -> io::Result<()> {
        if self.exclusive && fs::read_dir(layout.root())?.count() == 1 {
            fs::remove_file(layout.lock())?;
            fs::remove_dir(layout.root())?;
        }
        Ok(())
    }
}

fn worked_in(layout: &Layout) -> Error {
    Error::Usage(format!("another process is working in {}", layout.root().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_of_running_tasks_stay_where_the_file_system_has_no_locks() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let temporary = atomic::temporary(&folder.path().join("table"));
        fs::write(&temporary, "half a table").unwrap();
        let without_locks = DirectoryLock { _file: None, exclusive: false };
        without_locks.sweep(&layout).unwrap();
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
        assert!(DirectoryLock::keep(&layout).is_err());
        drop(alone);
        let kept = DirectoryLock::keep(&layout).unwrap();
        assert!(DirectoryLock::acquire(&layout, Access::Alone).is_err());
        drop(kept);
        let _shared = DirectoryLock::acquire(&layout, Access::Shared).unwrap();
        DirectoryLock::acquire(&layout, Access::Shared).unwrap();
        assert!(DirectoryLock::acquire(&layout, Access::Alone).is_err());
    }
}
