//! Archive files as random-access bytes: mapped in windows, or read.
//!
//! A window bounds what a task keeps resident whatever the file's size. A mapped file that shrinks
//! under the reader kills the process with SIGBUS; where that can happen (on network file systems, or
//! with `archive.mmap = false`) the same bytes are read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use memmap2::{Mmap, MmapOptions};

use crate::archive::Bytes;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::store::mounts;
use crate::store::remote::{Remote, Settings};

/// Bytes mapped at a time.
const WINDOW: u64 = 8 << 20;

/// Opens archives as the configuration says.
pub struct Archives {
    mmap: bool,
    settings: Settings,
    /// Made when the first remote archive is named.
    remote: OnceLock<Remote>,
}

impl Archives {
    pub fn new(config: &Config) -> Archives {
        Archives { mmap: config.archive.mmap, settings: config.remote.settings.clone(), remote: OnceLock::new() }
    }

    pub fn remote(&self) -> Result<&Remote> {
        if let Some(remote) = self.remote.get() {
            return Ok(remote);
        }
        let made = Remote::new(&self.settings)?;
        Ok(self.remote.get_or_init(|| made))
    }

    /// Archives that may be opened at once when only looked at.
    pub fn parallel(&self) -> usize {
        self.settings.parallel
    }

    /// The archive at a path.
    pub fn open(&self, location: &str) -> Result<ArchiveFile> {
        let path = Path::new(location);
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        Ok(ArchiveFile { location: location.into(), file, length, mmap: self.mmap && !mounts::is_network(path) })
    }

    /// The archive that a plan knows; refused if it is another one by now.
    pub fn open_known(&self, location: &str, fingerprint: &str) -> Result<ArchiveFile> {
        let archive = self.open(location)?;
        if archive.fingerprint()? != fingerprint {
            return Err(Error::damaged(Path::new(location), "is not the file that was planned with; plan anew"));
        }
        Ok(archive)
    }
}

/// One archive file, open.
pub struct ArchiveFile {
    location: String,
    file: File,
    length: u64,
    mmap: bool,
}

impl ArchiveFile {
    /// Bytes of a whole member or record; fewer at the end of the file.
    pub fn slice(&self, offset: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        At { file: &self.file, position: offset }.take(length).read_to_end(&mut bytes).map_err(self.error())?;
        Ok(bytes)
    }

    /// The bytes of each range.
    pub fn stretches(&self, ranges: Vec<Range<u64>>) -> impl Iterator<Item = Result<Vec<u8>>> + '_ {
        ranges.into_iter().map(|range| self.slice(range.start, range.end - range.start))
    }

    /// Of size, beginning and end: notices another file under the same name.
    pub fn fingerprint(&self) -> Result<String> {
        const END: u64 = 1 << 16;
        let begin = self.slice(0, END)?;
        let end = self.slice(self.length.saturating_sub(END), END)?;
        Ok(format!("{:016x}", combine(&[self.length, hash64(&begin), hash64(&end)])))
    }

    /// For `map_err`: what was read.
    pub fn error(&self) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = PathBuf::from(&self.location);
        move |source| Error::Io { action: "read", path, source }
    }
}

impl Bytes for ArchiveFile {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        if self.mmap {
            Ok(Box::new(Windows { archive: self, next: offset.min(self.length), window: None, used: 0 }))
        } else {
            Ok(Box::new(BufReader::with_capacity(1 << 17, At { file: &self.file, position: offset })))
        }
    }
}

/// Reads at its own position, so that several readers share one file.
struct At<'a> {
    file: &'a File,
    position: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

/// One mapped window after the other.
struct Windows<'a> {
    archive: &'a ArchiveFile,
    next: u64,
    window: Option<Mmap>,
    used: usize,
}

impl BufRead for Windows<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let spent = self.window.as_ref().is_none_or(|window| self.used >= window.len());
        if spent && self.next < self.archive.length {
            let length = WINDOW.min(self.archive.length - self.next);
            self.window = None;
            self.window = Some(map(&self.archive.file, self.next, length as usize)?);
            self.used = 0;
            self.next += length;
        }
        Ok(self.window.as_deref().and_then(|window| window.get(self.used..)).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.used += amount;
    }
}

impl Read for Windows<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), available.get(..count)) {
            to.copy_from_slice(from);
        }
        self.consume(count);
        Ok(count)
    }
}

#[expect(unsafe_code, reason = "memmap2 cannot promise that nobody truncates the file; see the module's text")]
fn map(file: &File, offset: u64, length: usize) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and private to this reader, and `length` was checked against the
    // file's size. A file that shrinks meanwhile raises SIGBUS, which no program can rule out; users
    // with such files set `archive.mmap = false`.
    unsafe { MmapOptions::new().offset(offset).len(length).map(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archives(mmap: bool) -> Archives {
        let mut config = Config::default();
        config.archive.mmap = mmap;
        Archives::new(&config)
    }

    #[test]
    fn mapped_and_read_bytes_are_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("archive");
        let bytes: Vec<u8> = (0..WINDOW * 2 + 12_345).map(|i| (i % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        for mmap in [true, false] {
            let archive = archives(mmap).open(&path.display().to_string()).unwrap();
            assert_eq!(archive.len(), bytes.len() as u64);
            for offset in [0, 1, WINDOW - 1, WINDOW, WINDOW * 2 + 12_344, WINDOW * 2 + 12_345, WINDOW * 9] {
                let mut got = Vec::new();
                archive.read_from(offset).unwrap().read_to_end(&mut got).unwrap();
                assert_eq!(got, bytes.get(offset as usize..).unwrap_or_default());
            }
        }
    }

    #[test]
    fn an_empty_file_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("empty");
        std::fs::write(&path, b"").unwrap();
        let mut got = Vec::new();
        let archive = archives(true).open(&path.display().to_string()).unwrap();
        archive.read_from(0).unwrap().read_to_end(&mut got).unwrap();
        assert!(got.is_empty());
    }
}
