//! Which record an extract task is at, noted where it outlives the process: a record that kills its task (by memory,
//! time or a fault of this program) is met once more, then passed over.
//!
//! The first process that dies at a record makes it a suspect. A suspect is read while no other record of the process
//! is, so that a second death there is its own. Notes are written without waiting for the disk: they outlive the
//! process, not the machine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::RwLock;

use crate::error::{Error, Result};
use crate::store::atomic;

/// Deaths at a record after which it is passed over.
const MOST_DEATHS: u32 = 2;

/// Held by all records of a process that are being read: shared, or alone by a suspect.
#[derive(Debug, Default)]
pub struct Isolation(RwLock<()>);

/// The notes of a task. Records are known by their number in the shard, from 0.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Eight bytes: one more than the number of the record that is being read; 0 between records.
    current: File,
    /// Processes that died at a record.
    deaths: BTreeMap<u64, u32>,
}

impl Journal {
    /// Opens the notes of a task in a folder, and counts a death if its last process ended within a record.
    pub fn open(folder: &Path) -> Result<Journal> {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let (path, notes) = (folder.join("current"), folder.join("deaths.json"));
        let mut deaths: BTreeMap<u64, u32> = match fs::read(&notes) {
            Ok(json) => serde_json::from_slice(&json).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(Error::io("read", &notes)(error)),
        };
        let before = fs::read(&path).ok().and_then(|bytes| Some(u64::from_le_bytes(*bytes.first_chunk()?)));
        if let Some(record) = before.and_then(|current| current.checked_sub(1)) {
            *deaths.entry(record).or_default() += 1;
            atomic::write(&notes, &serde_json::to_vec(&deaths).unwrap_or_default())?;
        }
        let current = File::create(&path).map_err(Error::io("create", &path))?;
        let journal = Journal { path, current, deaths };
        journal.note(0)?;
        Ok(journal)
    }

    /// Whether a record is to be passed over.
    pub fn is_poison(&self, record: u64) -> bool {
        self.deaths.get(&record).is_some_and(|&deaths| deaths >= MOST_DEATHS)
    }

    /// Reads a record, which is noted until it is done.
    pub fn reading<T>(&self, record: u64, isolation: &Isolation, read: impl FnOnce() -> T) -> Result<T> {
        // A poisoned lock protects nothing: the guard only keeps others away.
        let (mut shared, mut alone) = (None, None);
        if self.deaths.contains_key(&record) {
            alone = Some(isolation.0.write());
        } else {
            shared = Some(isolation.0.read());
        }
        self.note(record + 1)?;
        let done = read();
        self.note(0)?;
        drop((shared.take(), alone.take()));
        Ok(done)
    }

    fn note(&self, current: u64) -> Result<()> {
        self.current.write_all_at(&current.to_le_bytes(), 0).map_err(Error::io("write", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves the notes of a process that died at a record.
    fn die(folder: &Path, record: u64) {
        Journal::open(folder).unwrap().note(record + 1).unwrap();
    }

    #[test]
    fn a_record_is_passed_over_after_two_deaths() {
        let folder = tempfile::tempdir().unwrap();
        die(folder.path(), 7);
        assert!(!Journal::open(folder.path()).unwrap().is_poison(7));
        die(folder.path(), 8);
        die(folder.path(), 7);
        let journal = Journal::open(folder.path()).unwrap();
        assert!(journal.is_poison(7) && !journal.is_poison(8) && !journal.is_poison(0));
    }

    #[test]
    fn records_that_end_leave_no_note() {
        let folder = tempfile::tempdir().unwrap();
        let isolation = Isolation::default();
        let journal = Journal::open(folder.path()).unwrap();
        assert_eq!(journal.reading(3, &isolation, || "read").unwrap(), "read");
        assert!(Journal::open(folder.path()).unwrap().deaths.is_empty());
    }

    #[test]
    fn a_suspect_is_read_alone() {
        let folder = tempfile::tempdir().unwrap();
        die(folder.path(), 3);
        let (isolation, journal) = (Isolation::default(), Journal::open(folder.path()).unwrap());
        journal.reading(3, &isolation, || assert!(isolation.0.try_read().is_err())).unwrap();
        journal.reading(4, &isolation, || assert!(isolation.0.try_read().is_ok())).unwrap();
    }
}
