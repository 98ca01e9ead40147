//! Locks on files, by which processes exclude each other. A file system may have none: then nobody is excluded.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::store::atomic;

/// How often a file is opened again that another process has removed or replaced meanwhile.
const ATTEMPTS: usize = 100;

/// How often a lock is tried, and the time between: whoever asks whether a file is held has it for a moment.
const TRIES: u32 = 4;
const MOMENT: Duration = Duration::from_millis(5);

/// A file that this process has alone until it is dropped.
#[derive(Debug)]
pub struct FileLock {
    pub file: File,
    /// Whether others are excluded; false if the file system has no locks.
    pub excludes: bool,
}

/// Opens a file, which is made if it is missing, and locks it for this process alone; `None` if another process holds a lock.
///
/// # Errors
/// If the file cannot be made or opened.
pub fn alone(path: &Path) -> Result<Option<FileLock>> {
    alone_after(path, open, File::try_lock, || thread::sleep(MOMENT))
}

/// [`alone`] for a file that exists and that this process may only read. Network file systems lock such a file for several
/// processes at most: then it is told whether another process has it alone.
///
/// # Errors
/// If the file cannot be opened.
pub fn alone_to_read(path: &Path) -> Result<Option<FileLock>> {
    let open = |path: &Path| File::open(path).map_err(Error::io("open", path));
    alone_after(path, open, File::try_lock, || thread::sleep(MOMENT))
}

/// [`alone`] with other ways to open and lock the file; `wait` is called between two tries.
fn alone_after(
    path: &Path,
    open: impl Fn(&Path) -> Result<File>,
    try_lock: fn(&File) -> std::result::Result<(), TryLockError>,
    mut wait: impl FnMut(),
) -> Result<Option<FileLock>> {
    let (mut attempt, mut tries) = (0, 1);
    loop {
        attempt += 1;
        let file = open(path)?;
        let locked = try_lock(&file);
        let excludes = locked.is_ok();
        let locked = locked.or_else(|error| match error {
            TryLockError::WouldBlock => Err(error),
            TryLockError::Error(_) => file.try_lock_shared(),
        });
        if let Err(TryLockError::WouldBlock) = locked {
            if tries == TRIES {
                return Ok(None);
            }
            tries += 1;
            wait();
            continue;
        }
        // Whoever held it may have removed or replaced the file in between.
        if is_at(&file, path) || attempt == ATTEMPTS {
            return Ok(Some(FileLock { file, excludes }));
        }
    }
}

/// Locks a file so that no process has it alone; `None` if one has. What cannot be opened is not locked.
pub fn shared(path: &Path) -> Option<Option<File>> {
    let file = File::open(path).ok();
    match file.as_ref().map(File::try_lock_shared) {
        Some(Err(TryLockError::WouldBlock)) => None,
        _ => Some(file),
    }
}

/// Whether a process has a file alone, or may have it: that of a file which cannot be opened is not known.
pub fn is_held(path: &Path) -> bool {
    match File::open(path) {
        Ok(file) => matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

/// Opens a file to lock it, which is made if it is missing.
///
/// # Errors
/// If the file cannot be made or opened.
pub fn open(path: &Path) -> Result<File> {
    // NFS gives shared locks to files that are open for reading, and exclusive ones to those that are open for writing.
    let open = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let opened = match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), atomic::create_folder)?;
            open()
        }
        opened => opened,
    };
    opened.map_err(Error::io("open", path))
}

/// Whether an open file is the one that has the path now.
fn is_at(file: &File, path: &Path) -> bool {
    let place = |metadata: io::Result<fs::Metadata>| metadata.map(|metadata| (metadata.dev(), metadata.ino())).ok();
    let ours = place(file.metadata());
    ours.is_some() && ours == place(fs::metadata(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_a_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("work/extract/00000.running");
        assert!(!is_held(&path));
        let first = alone(&path).unwrap().unwrap();
        assert!(alone(&path).unwrap().is_none() && is_held(&path));
        // The next one does not lock the file that the first removes.
        fs::remove_file(&path).unwrap();
        let second = alone(&path).unwrap().unwrap();
        drop(first);
        assert!(alone(&path).unwrap().is_none());
        drop(second);
        let reader = shared(&path).unwrap();
        assert!(reader.is_some() && alone(&path).unwrap().is_none() && !is_held(&path));
        drop(reader);
        let last = alone_to_read(&path).unwrap();
        assert!(last.is_some() && alone(&path).unwrap().is_none() && is_held(&path));
        drop(last);
        assert!(alone(&path).unwrap().is_some());
        assert!(alone_to_read(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_file_system_without_locks_excludes_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00000.running");
        let unsupported = |_: &File| Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
        let locked = alone_after(&path, open, unsupported, || panic!("nobody has it")).unwrap().unwrap();
        assert!(!locked.excludes);
    }

    #[test]
    fn whoever_asks_for_a_moment_keeps_nobody_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00000.running");
        drop(alone(&path).unwrap());
        let (mut asking, mut waits) = (shared(&path).unwrap(), 0);
        assert!(asking.is_some());
        let locked = alone_after(&path, open, File::try_lock, || {
            waits += 1;
            if waits == TRIES - 1 {
                drop(asking.take());
            }
        });
        assert!(locked.unwrap().is_some());
        assert_eq!(waits, TRIES - 1);
        // One who has it for longer does.
        let (_reader, mut waits) = (shared(&path).unwrap(), 0);
        assert!(alone_after(&path, open, File::try_lock, || waits += 1).unwrap().is_none());
        assert_eq!(waits, TRIES - 1);
    }
}
