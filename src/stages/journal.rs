//! The journal of a task: which record the task is reading, in a file that outlives the process. A record that kills its
//! process (by memory, time or a fault of this program) is read once more by the next process, then passed over. In the
//! stage `emit`, documents take the place of records.
//!
//! A record at which a process died is a suspect. A process reads a suspect while it reads no other record, so that a
//! second death there is caused by the suspect, unless somebody killed the process at that moment: a death within
//! [`MOMENT`] has to recur. The journal is written without waiting for the disk: it outlives the process, not the
//! machine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, RwLock};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::store::atomic;
use crate::threads;

/// How long a suspect is read before a death counts for [`OWN_DEATH`]. A record takes some milliseconds.
const MOMENT: Duration = Duration::from_millis(200);
/// What a death counts for that a kill from outside hardly meets.
const OWN_DEATH: u32 = 4;
/// A record is passed over when its deaths count for as much.
const POISON_DEATHS: u32 = 1 + OWN_DEATH;
/// Marks in [`Journal::current`] that a suspect was read for longer than [`MOMENT`].
const BEYOND_MOMENT: u64 = 1 << 63;

/// Names of the files of a journal in its folder: the record that is being read, and the deaths.
const FILES: [&str; 2] = ["current", "deaths.json"];

/// Held by all records of a process that are being read: shared, or alone by a suspect.
#[derive(Debug, Default)]
pub struct Isolation(RwLock<()>);

/// The journal of a task. Records are known by their number in the shard, from 0.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// The file of `deaths`.
    notes: PathBuf,
    /// Eight bytes: one more than the number of the record that is being read; 0 between records.
    current: File,
    /// For each record at which a process died what these deaths count for; 0 for one that was read to its end since.
    deaths: Mutex<BTreeMap<u64, u32>>,
}

impl Journal {
    /// Opens the journal of a task in a folder, and counts a death if the last process ended while it read a record.
    pub fn open(folder: &Path) -> Result<Journal> {
        atomic::create_folder(folder)?;
        let [path, notes] = FILES.map(|name| folder.join(name));
        let mut deaths: BTreeMap<u64, u32> = match fs::read(&notes) {
            // It is written whole or not at all, and on disk before its task goes on: what does not read was damaged since.
            Ok(json) => serde_json::from_slice(&json).map_err(|error| damaged_deaths(&notes, &error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(Error::io("read", &notes)(error)),
        };
        let before = match fs::read(&path) {
            Ok(bytes) => bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // As none it would be replaced, and the death that it tells of forgotten.
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        let beyond_moment = before.is_some_and(|current| current & BEYOND_MOMENT != 0);
        if let Some(record) = before.and_then(|current| (current & !BEYOND_MOMENT).checked_sub(1)) {
            *deaths.entry(record).or_default() += if beyond_moment { OWN_DEATH } else { 1 };
            write_deaths(&notes, &deaths)?;
        }
        let current = File::create(&path).map_err(Error::io("create", &path))?;
        let journal = Journal { path, notes, current, deaths: Mutex::new(deaths) };
        journal.note(0)?;
        Ok(journal)
    }

    /// Whether a path in the folder of a journal is that of one of its files.
    pub fn has_file(path: &Path) -> bool {
        path.file_name().is_some_and(|name| FILES.iter().any(|own| name == *own))
    }

    /// Whether a record is to be passed over.
    pub fn is_poison(&self, record: u64) -> bool {
        self.deaths().get(&record).is_some_and(|&deaths| deaths >= POISON_DEATHS)
    }

    /// Reads a record. Until that is done, the journal names the record.
    pub fn reading<T>(&self, record: u64, isolation: &Isolation, read: impl FnOnce() -> T) -> Result<T> {
        // The locks guard no data, so that it does not matter whether a thread panicked that held one.
        let is_suspect = self.deaths().contains_key(&record);
        if is_suspect {
            let _alone = isolation.0.write();
            let done = self.noted(record, || self.watched(record, read))?;
            self.acquit(record)?;
            Ok(done)
        } else {
            let _shared = isolation.0.read();
            self.noted(record, read)
        }
    }

    fn deaths(&self) -> MutexGuard<'_, BTreeMap<u64, u32>> {
        threads::lock(&self.deaths)
    }

    /// The deaths at a suspect that was read to its end count no longer: kills from outside that meet it again must not add up.
    /// It is still read alone, because it may kill its process together with another record.
    fn acquit(&self, record: u64) -> Result<()> {
        let mut deaths = self.deaths();
        deaths.insert(record, 0);
        write_deaths(&self.notes, &deaths)
    }

    fn noted<T>(&self, record: u64, read: impl FnOnce() -> T) -> Result<T> {
        self.note(record + 1)?;
        let done = read();
        self.note(0)?;
        Ok(done)
    }

    /// Reads a suspect. The journal says so if it takes longer than [`MOMENT`].
    fn watched<T>(&self, record: u64, read: impl FnOnce() -> T) -> T {
        let (ended, end) = mpsc::channel::<()>();
        let end = Mutex::new(end);
        let watch = || {
            let waited = end.lock().map(|end| end.recv_timeout(MOMENT));
            if matches!(waited, Ok(Err(RecvTimeoutError::Timeout))) {
                let noted = self.note(BEYOND_MOMENT | (record + 1));
                noted.unwrap_or_else(|error| tracing::warn!("{error}"));
            }
        };
        let read = || {
            let done = read();
            drop(ended);
            done
        };
        threads::together(1, watch, read).1
    }

    fn note(&self, current: u64) -> Result<()> {
        self.current.write_all_at(&current.to_le_bytes(), 0).map_err(Error::io("write", &self.path))
    }
}

fn write_deaths(notes: &Path, deaths: &BTreeMap<u64, u32>) -> Result<()> {
    atomic::write(notes, serde_json::to_vec(deaths).map_err(|error| Error::damaged(notes, error))?)
}

/// Taken for no deaths, the file would let a record kill its process again, as often as the job is continued.
fn damaged_deaths(notes: &Path, error: &serde_json::Error) -> Error {
    Error::damaged(
        notes,
        format!("does not tell at which records processes died ({error}); remove it, and deaths are counted from 0"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaves the notes of a process that died at a record.
    fn die(folder: &Path, current: u64) {
        Journal::open(folder).unwrap().note(current).unwrap();
    }

    fn poison(folder: &Path) -> Vec<u64> {
        let journal = Journal::open(folder).unwrap();
        (0..10).filter(|&record| journal.is_poison(record)).collect()
    }

    #[test]
    fn a_record_is_passed_over_after_two_deaths() {
        let folder = tempfile::tempdir().unwrap();
        die(folder.path(), 8);
        assert!(poison(folder.path()).is_empty());
        die(folder.path(), BEYOND_MOMENT | 8);
        assert_eq!(poison(folder.path()), [7]);
    }

    #[test]
    fn a_record_that_cannot_be_asked_for_is_not_none() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be read as a file, by nobody.
        let current = folder.path().join("current");
        fs::create_dir(&current).unwrap();
        let error = Journal::open(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot read {}: ", current.display())), "{error}");
        assert!(Journal::has_file(&current) && !Journal::has_file(&folder.path().join("000-segment.documents")));
    }

    #[test]
    fn deaths_that_cannot_be_read_are_not_none() {
        let folder = tempfile::tempdir().unwrap();
        let deaths = folder.path().join("deaths.json");
        for damaged in ["", r#"{"7":"#, r#"{"7":-1}"#] {
            fs::write(&deaths, damaged).unwrap();
            let error = Journal::open(folder.path()).unwrap_err().to_string();
            let told = format!("{}: does not tell at which records processes died (", deaths.display());
            assert!(error.starts_with(&told) && error.contains("; remove it, "), "{error}");
        }
        fs::remove_file(&deaths).unwrap();
        assert!(poison(folder.path()).is_empty());
    }

    #[test]
    fn deaths_within_a_moment_have_to_recur() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..4 {
            die(folder.path(), 8);
            die(folder.path(), 4);
            assert!(poison(folder.path()).is_empty());
        }
        die(folder.path(), 4);
        assert_eq!(poison(folder.path()), [3]);
    }

    #[test]
    fn deaths_before_a_record_was_read_to_its_end_count_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 * POISON_DEATHS {
            die(folder.path(), 4);
            let journal = Journal::open(folder.path()).unwrap();
            assert!(!journal.is_poison(3));
            journal.reading(3, &Isolation::default(), || ()).unwrap();
            assert_eq!(journal.deaths()[&3], 0);
        }
    }

    #[test]
    fn a_suspect_that_takes_long_is_noted() {
        let folder = tempfile::tempdir().unwrap();
        let (isolation, current) = (Isolation::default(), folder.path().join("current"));
        die(folder.path(), 4);
        let journal = Journal::open(folder.path()).unwrap();
        let note = || u64::from_le_bytes(fs::read(&current).unwrap().try_into().unwrap());
        let noted = || {
            while note() & BEYOND_MOMENT == 0 {
                std::thread::yield_now();
            }
            note()
        };
        assert_eq!(journal.reading(3, &isolation, noted).unwrap(), BEYOND_MOMENT | 4);
        assert_eq!(note(), 0);
    }

    #[test]
    fn records_that_end_leave_no_note() {
        let folder = tempfile::tempdir().unwrap();
        let isolation = Isolation::default();
        let journal = Journal::open(folder.path()).unwrap();
        assert_eq!(journal.reading(3, &isolation, || "read").unwrap(), "read");
        assert!(Journal::open(folder.path()).unwrap().deaths().is_empty());
    }

    #[test]
    fn a_suspect_is_read_alone() {
        let folder = tempfile::tempdir().unwrap();
        die(folder.path(), 4);
        let (isolation, journal) = (Isolation::default(), Journal::open(folder.path()).unwrap());
        journal.reading(3, &isolation, || assert!(isolation.0.try_read().is_err())).unwrap();
        journal.reading(4, &isolation, || assert!(isolation.0.try_read().is_ok())).unwrap();
    }
}
