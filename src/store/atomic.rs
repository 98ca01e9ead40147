//! Files that are whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file in the making, under its name plus `.tmp`. Dropped without [`AtomicFile::commit`], it is removed.
pub struct AtomicFile {
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    pub fn create(path: &Path) -> Result<AtomicFile> {
        let temporary = temporary(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::io("create folder", parent))?;
        }
        let file = File::create(&temporary).map_err(Error::io("create", &temporary))?;
        Ok(AtomicFile { path: path.to_path_buf(), file: Some(BufWriter::with_capacity(1 << 16, file)) })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings the bytes to disk and leaves them under the temporary name, which is returned.
    pub fn finish_unnamed(mut self) -> Result<PathBuf> {
        let temporary = temporary(&self.path);
        let saved = self.file.take().map_or(Ok(()), |mut file| file.flush());
        saved.map(|()| temporary).map_err(Error::io("write", &self.path))
    }

    /// Brings the bytes to disk and gives the file its name.
    pub fn commit(mut self) -> Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let temporary = temporary(&self.path);
        let saved = file.flush().and_then(|()| file.get_ref().sync_all());
        drop(file);
        let named = saved.and_then(|()| fs::rename(&temporary, &self.path));
        named.map_err(|e| {
            let _ = fs::remove_file(&temporary);
            Error::io("write", &self.path)(e)
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(temporary(&self.path));
        }
    }
}

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}

/// Writes a whole small file.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref()).map_err(Error::io("write", path))?;
    file.commit()
}

/// Reads a whole small file; `None` if it is not there.
pub fn read(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io("read", path)(e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_committed_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/a.txt");
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        write(&path, "whole").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some("whole"));
        assert_eq!(read(&dir.path().join("none")).unwrap(), None);
    }
}
