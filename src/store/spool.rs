//! Bytes that stand behind others in a file but come before them: kept on disk meanwhile, since there
//! may be more of them than memory.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::atomic::{self, AtomicFile};

pub struct Spool {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Spool {
    /// A temporary file beside the one that the bytes are for.
    pub fn beside(path: &Path) -> Result<Spool> {
        let path = atomic::temporary(path);
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        Ok(Spool { file: BufWriter::new(file.map_err(Error::io("create", &path))?), path })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(Error::io("write", &self.path))
    }

    /// All of them, to where they belong.
    pub fn append_to(mut self, whole: &mut AtomicFile) -> Result<()> {
        let copied = self.file.flush().and_then(|()| {
            let mut file = self.file.get_ref();
            file.rewind()?;
            io::copy(&mut file, whole)
        });
        copied.map(|_| ()).map_err(Error::io("write", whole.path()))
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What stays is swept away like any unfinished file.
        let _ = atomic::remove(&self.path);
    }
}
