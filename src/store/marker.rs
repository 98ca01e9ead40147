//! Completion markers: the last file that a task writes. A marker holds the task's counters, and size and checksum of
//! each of its files, so that a file that was damaged since is detected.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Error, Result};
use crate::hash::{Hasher, hash64};
use crate::store::atomic;

/// The counters and the files of a finished task.
#[derive(Debug, Serialize, Deserialize)]
pub struct Marker<T> {
    pub counts: T,
    /// How long the task took, in seconds; of an interrupted task the last part. 0 if an earlier version ran it.
    #[serde(default)]
    pub seconds: f64,
    /// What the files depend on besides the plan; a task whose marker names other settings runs again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub settings: String,
    pub files: Vec<FileChecksum>,
}

/// The text of a marker on disk, with a checksum of the marker in it.
#[derive(Serialize, Deserialize)]
struct MarkerFile {
    marker: Box<RawValue>,
    checksum: String,
}

/// Size and checksum of a file when its task ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileChecksum {
    /// Relative to the output directory, which may be moved.
    pub path: PathBuf,
    pub bytes: u64,
    /// [`Hasher`]'s sum of its bytes, in hexadecimal.
    pub checksum: String,
}

impl<T: Serialize + DeserializeOwned> Marker<T> {
    /// The marker of a task that wrote `files`, all of them below `root`.
    pub fn of_files(root: &Path, files: &[PathBuf], counts: T) -> Result<Marker<T>> {
        let mut marker = Marker { counts, seconds: 0.0, settings: String::new(), files: Vec::new() };
        marker.add_files(root, files)?;
        Ok(marker)
    }

    /// Adds files below `root` to the marker.
    pub fn add_files(&mut self, root: &Path, files: &[PathBuf]) -> Result<()> {
        files.iter().try_for_each(|path| FileChecksum::new(root, path).map(|file| self.files.push(file)))
    }

    /// Writes the marker. If a crash of the system destroys it, the task counts as unfinished and runs again.
    pub fn write(&self, path: &Path) -> Result<()> {
        let marker = to_raw_value(self).map_err(|e| Error::damaged(path, e))?;
        let stored = MarkerFile { checksum: checksum(&marker), marker };
        atomic::write_unsynced(path, serde_json::to_string(&stored).map_err(|e| Error::damaged(path, e))?)
    }

    /// Reads a marker. `None` if there is no marker or if it is damaged: then the task is not done.
    pub fn read(path: &Path) -> Result<Option<Marker<T>>> {
        let stored = atomic::read(path)?.and_then(|text| serde_json::from_str::<MarkerFile>(&text).ok());
        let sound = stored.filter(|stored| checksum(&stored.marker) == stored.checksum);
        Ok(sound.and_then(|stored| serde_json::from_str(stored.marker.get()).ok()))
    }

    /// Describes the first file that was changed since its task ended; `None` if there is none.
    pub fn damage(&self, root: &Path) -> Result<Option<String>> {
        for file in &self.files {
            let path = root.join(&file.path);
            match FileChecksum::new(root, &path) {
                Ok(now) if now == *file => {}
                Ok(now) if now.bytes != file.bytes => {
                    let (now, then) = (now.bytes, file.bytes);
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

impl FileChecksum {
    /// The checksum that a file has now; its path is told relative to `root`.
    pub fn new(root: &Path, path: &Path) -> Result<FileChecksum> {
        let mut file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("read", path))?.len();
        // Most files are small.
        let (mut hasher, mut buffer, mut bytes) = (Hasher::default(), vec![0; length.clamp(1, 1 << 16) as usize], 0);
        loop {
            let read = file.read(&mut buffer).map_err(Error::io("read", path))?;
            if read == 0 {
                break;
            }
            hasher.update(buffer.get(..read).unwrap_or_default());
            bytes += read as u64;
        }
        let relative = path.strip_prefix(root).unwrap_or(path).to_path_buf();
        Ok(FileChecksum { path: relative, bytes, checksum: format!("{:016x}", hasher.sum()) })
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
        Marker::of_files(dir.path(), std::slice::from_ref(&a), 7u32).unwrap().write(&marker).unwrap();
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
