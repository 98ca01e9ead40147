//! Bytes that belong behind others in a file but are produced before them. They are kept on disk meanwhile, since
//! there may be more of them than memory.

use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::atomic::{self, AtomicFile};

/// A temporary file of bytes for a place further on in another file. It is removed when dropped.
pub struct DeferredBytes {
    path: PathBuf,
    file: BufWriter<File>,
}

impl DeferredBytes {
    /// A temporary file beside the one that the bytes are for.
    pub fn beside(path: &Path) -> Result<DeferredBytes> {
        let path = atomic::temporary(path);
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        Ok(DeferredBytes { file: BufWriter::new(file.map_err(Error::io("create", &path))?), path })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io("write", &self.path))
    }

    /// Appends all bytes to the file that they are for.
    pub fn append_to(mut self, target: &mut AtomicFile) -> Result<()> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().rewind());
        written.map_err(Error::io("write", &self.path))?;
        target.put_all(self.file.get_ref(), &self.path)
    }
}

impl Drop for DeferredBytes {
    fn drop(&mut self) {
        // A file that cannot be removed now is swept away like any unfinished file.
        let _ = atomic::remove(&self.path);
    }
}
