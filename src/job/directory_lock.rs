//! Which processes may use an output directory at the same time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;

use crate::error::{Error, Result};
use crate::store::layout::Layout;
use crate::store::{atomic, locks};

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

type Locked = std::result::Result<(), TryLockError>;

impl DirectoryLock {
    /// Locks the directory without waiting.
    ///
    /// # Errors
    /// [`Error::Usage`] if another process holds a lock that excludes `access`.
    pub fn acquire(layout: &Layout, access: Access) -> Result<DirectoryLock> {
        let try_lock = if access == Access::Alone { File::try_lock } else { File::try_lock_shared };
        DirectoryLock::acquire_by(layout, access, try_lock)
    }

    fn acquire_by(layout: &Layout, access: Access, try_lock: fn(&File) -> Locked) -> Result<DirectoryLock> {
        if access == Access::ReadOnly {
            // Readers need no lock, and may lack the permission to create its file.
            return Ok(DirectoryLock { _file: None, exclusive: false });
        }
        let path = layout.lock();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(Error::io("open", &path))?;
        let locked = match try_lock(&file) {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Err(worked_in(layout)),
            // The file system has no locks: the job runs, but skips what requires exclusive access.
            Err(TryLockError::Error(_)) => false,
        };
        Ok(DirectoryLock { _file: Some(file), exclusive: locked && access == Access::Alone })
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

    /// Fails like a network file system that is mounted without locks.
    fn without_locks(_: &File) -> Locked {
        Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
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
