//! Output directories that a command writes as a whole. They are new or empty when it begins, so that nothing of the user
//! is lost.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::locks::{self, FileLock};

/// Name of the file that a directory has until it is complete. It is the first one in it, so the other files of a directory
/// with it are those of an interrupted run.
const UNFINISHED: &str = ".warcorpus-unfinished";

/// A directory that this process alone writes.
pub struct NewFolder {
    unfinished: PathBuf,
    _lock: FileLock,
}

impl NewFolder {
    /// Creates the directory. If an interrupted run began it, its entries that have the names of `own` are removed.
    ///
    /// # Errors
    /// [`Error::Usage`] if anything else is in it, or if another process writes it.
    pub fn begin(folder: &Path, own: &[PathBuf]) -> Result<NewFolder> {
        atomic::create_folder(folder)?;
        let unfinished = folder.join(UNFINISHED);
        // Asked before the file of the lock is made, so that nothing is written into a directory of something else.
        // Open, so that no other file gets its inode.
        let marked = File::open(&unfinished).ok();
        let mark = marked.as_ref().and_then(|file| inode(file.metadata()));
        own_entries(folder, &unfinished, own, mark.is_some())?;
        let lock = locks::alone(&unfinished)?;
        let lock = lock.ok_or_else(|| Error::Usage(format!("another process is writing in {}", folder.display())))?;
        // Asked again: a process that had the lock before may have completed the directory, and taken its mark away.
        let begun = mark.is_some() && inode(lock.file.metadata()) == mark;
        let entries = own_entries(folder, &unfinished, own, begun);
        if entries.is_err() && !begun {
            atomic::remove(&unfinished)?;
        }
        for path in entries? {
            if path.is_dir() { atomic::remove_folder(&path)? } else { atomic::remove(&path)? }
        }
        atomic::sweep(folder)?;
        Ok(NewFolder { unfinished, _lock: lock })
    }

    /// Marks the directory as complete.
    pub fn finish(self) -> Result<()> {
        atomic::remove(&self.unfinished)
    }
}

/// What tells one file of a path from another.
fn inode(metadata: io::Result<fs::Metadata>) -> Option<u64> {
    metadata.ok().map(|metadata| metadata.ino())
}

/// The entries of a directory beside the file `unfinished`: those of an interrupted run, if one has `begun`.
fn own_entries(folder: &Path, unfinished: &Path, own: &[PathBuf], begun: bool) -> Result<Vec<PathBuf>> {
    let mut entries = atomic::entries(folder)?;
    entries.retain(|path| path != unfinished);
    if entries.iter().any(|path| !begun || !own.contains(path)) {
        return Err(Error::Usage(format!("{} is not empty; choose another --out", folder.display())));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_files_of_an_interrupted_run_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let (folder, work) = (dir.path().join("new"), dir.path().join("new/work"));
        let begin = || NewFolder::begin(&folder, std::slice::from_ref(&work));
        let first = begin().unwrap();
        assert!(begin().is_err_and(|error| error.to_string().contains("another process")));
        drop(first);
        fs::create_dir(&work).unwrap();
        fs::write(work.join("rows"), "ours").unwrap();
        let complete = begin().unwrap();
        assert!(!work.exists());
        complete.finish().unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::create_dir(&work).unwrap();
        fs::write(work.join("thesis.txt"), "mine").unwrap();
        assert!(matches!(begin(), Err(Error::Usage(_))));
        assert!(work.join("thesis.txt").exists());
        fs::remove_dir_all(&work).unwrap();
        begin().unwrap();
        fs::write(folder.join("notes.txt"), "mine").unwrap();
        assert!(matches!(begin(), Err(Error::Usage(_))));
    }
}
