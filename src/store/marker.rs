//! Completion markers: the last file a task writes. A marker holds what the task counted, and size
//! and checksum of every file it left, so that a file that was damaged since is noticed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Error, Result};
use crate::hash::{Hasher, hash64};
use crate::store::atomic;

/// What a finished task left.
#[derive(Debug, Serialize, Deserialize)]
pub struct Marker<T> {
    pub counts: T,
    pub files: Vec<Sealed>,
}

/// A marker on disk, with a checksum of its own text.
#[derive(Serialize, Deserialize)]
struct Stamped {
    marker: Box<RawValue>,
    checksum: String,
}

/// A file as it was when its task ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sealed {
    /// Relative to the output directory, which may be moved.
    pub path: PathBuf,
    pub bytes: u64,
    /// [`Hasher`]'s sum of its bytes, in hexadecimal.
    pub checksum: String,
}

impl<T: Serialize + DeserializeOwned> Marker<T> {
    /// Sums up `files`, all of them below `root`.
    pub fn seal(root: &Path, files: &[PathBuf], counts: T) -> Result<Marker<T>> {
        let mut marker = Marker { counts, files: Vec::new() };
        marker.add(root, files)?;
        Ok(marker)
    }

    /// Sums up more files.
    pub fn add(&mut self, root: &Path, files: &[PathBuf]) -> Result<()> {
        files.iter().try_for_each(|path| Sealed::new(root, path).map(|sealed| self.files.push(sealed)))
    }

    /// Sets it down. One that a crash of the system takes is as if the task had not ended: it is run again.
    pub fn write(&self, path: &Path) -> Result<()> {
        let marker = to_raw_value(self).map_err(|e| Error::damaged(path, e))?;
        let stamped = Stamped { checksum: checksum(&marker), marker };
        atomic::note(path, serde_json::to_string(&stamped).map_err(|e| Error::damaged(path, e))?)
    }

    /// `None` if there is none, or none that is as it was written: then the task is not done.
    pub fn read(path: &Path) -> Result<Option<Marker<T>>> {
        let stamped = atomic::read(path)?.and_then(|text| serde_json::from_str::<Stamped>(&text).ok());
        let sound = stamped.filter(|stamped| checksum(&stamped.marker) == stamped.checksum);
        Ok(sound.and_then(|stamped| serde_json::from_str(stamped.marker.get()).ok()))
    }

    /// Refuses a file that is not what it was. One that the marker does not know may be anything.
    pub fn check(&self, root: &Path, path: &Path) -> Result<()> {
        let known = self.files.iter().find(|sealed| root.join(&sealed.path) == path);
        if known.is_none_or(|sealed| Sealed::new(root, path).is_ok_and(|now| now == *sealed)) {
            return Ok(());
        }
        Err(Error::spoiled(path))
    }

    /// The first file that is not what it was, and how; `None` if all are.
    pub fn damage(&self, root: &Path) -> Result<Option<String>> {
        for sealed in &self.files {
            let path = root.join(&sealed.path);
            match Sealed::new(root, &path) {
                Ok(now) if now == *sealed => {}
                Ok(now) if now.bytes != sealed.bytes => {
                    let (now, then) = (now.bytes, sealed.bytes);
                    return Ok(Some(format!("{} has {now} bytes instead of {then}", path.display())));
                }
                Ok(_) => return Ok(Some(format!("{} has another checksum", path.display()))),
                Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                    return Ok(Some(format!("{} is missing", path.display())));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

fn checksum(json: &RawValue) -> String {
    format!("{:016x}", hash64(json.get().as_bytes()))
}

impl Sealed {
    fn new(root: &Path, path: &Path) -> Result<Sealed> {
        let mut file = File::open(path).map_err(Error::io("open", path))?;
        let (mut hasher, mut buffer, mut bytes) = (Hasher::default(), vec![0; 1 << 18], 0);
        loop {
            let read = file.read(&mut buffer).map_err(Error::io("read", path))?;
            if read == 0 {
                break;
            }
            hasher.update(buffer.get(..read).unwrap_or_default());
            bytes += read as u64;
        }
        let relative = path.strip_prefix(root).unwrap_or(path).to_path_buf();
        Ok(Sealed { path: relative, bytes, checksum: format!("{:016x}", hasher.sum()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let (a, marker) = (dir.path().join("a"), dir.path().join("done"));
        assert!(Marker::<u32>::read(&marker).unwrap().is_none());
        atomic::write(&a, "some bytes").unwrap();
        Marker::seal(dir.path(), std::slice::from_ref(&a), 7u32).unwrap().write(&marker).unwrap();
        let damage = || Marker::<u32>::read(&marker).unwrap().unwrap().damage(dir.path()).unwrap();
        assert_eq!(damage(), None);
        for (bytes, words) in [("some bytex", "another checksum"), ("some byte", "9 bytes instead of 10")] {
            std::fs::write(&a, bytes).unwrap();
            assert!(damage().unwrap().contains(words));
        }
        std::fs::remove_file(&a).unwrap();
        assert!(damage().unwrap().contains("missing"));
        let text = std::fs::read_to_string(&marker).unwrap();
        for changed in [text.replacen('7', "8", 1), text[..text.len() - 9].to_string(), String::new()] {
            std::fs::write(&marker, changed).unwrap();
            assert!(Marker::<u32>::read(&marker).unwrap().is_none());
        }
    }
}
