//! Archives as random-access bytes: files mapped in windows, or read; objects on servers.
//!
//! A window bounds what a task keeps resident whatever the file's size. A mapped file that shrinks
//! under the reader kills the process with SIGBUS. Where that can happen (on network file systems, or
//! with `archive.mmap = false`) files are read instead of mapped.

use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use memmap2::Mmap;

use crate::archive::Bytes;
use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::remote::{Remote, RemoteFile, Settings, split_scheme};
use crate::store::layout::Layout;
use crate::store::{atomic, file_systems};
use crate::threads::lock;

/// Bytes mapped at a time, and bytes read at a time.
const WINDOW: u64 = 8 << 20;
const READ_WINDOW: u64 = 128 << 10;

/// How archives are opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Map local files into memory instead of reading them.
    pub mmap: bool,
    pub remote: Settings,
}

/// Opens archives: local files and objects on servers.
pub struct Archives {
    /// The folder in which relative paths begin.
    directory: PathBuf,
    /// The file to which standard input was copied.
    stdin: PathBuf,
    options: Options,
    /// Made when the first remote archive is named.
    remote: OnceLock<Remote>,
}

impl Archives {
    /// `directory` is the folder in which relative paths begin.
    pub fn new(options: Options, layout: &Layout, directory: &Path) -> Archives {
        Archives { directory: directory.into(), stdin: layout.stdin(), options, remote: OnceLock::new() }
    }

    /// The archives of a job whose standard input is still in another file.
    pub fn with_stdin(self, stdin: PathBuf) -> Archives {
        Archives { stdin, ..self }
    }

    /// Path of the file of a location that is not remote.
    pub fn path(&self, location: &str) -> PathBuf {
        if location == STDIN { self.stdin.clone() } else { self.directory.join(location) }
    }

    pub fn remote(&self) -> Result<&Remote> {
        if let Some(remote) = self.remote.get() {
            return Ok(remote);
        }
        let made = Remote::new(&self.options.remote)?;
        Ok(self.remote.get_or_init(|| made))
    }

    /// Number of archives that may be opened at once to look at their beginnings.
    pub fn parallel(&self) -> usize {
        self.options.remote.parallel
    }

    /// The archive at a path or URL.
    pub fn open(&self, location: &str) -> Result<ArchiveFile> {
        let storage = if is_remote(location) {
            Storage::Remote(self.remote()?.open(location)?)
        } else {
            let path = &self.path(location);
            // Asked before it is opened: a pipe without a writer would block, and a device has no end.
            let metadata = fs::metadata(path).map_err(Error::io("open", path))?;
            if !metadata.is_file() {
                return Err(Error::Usage(format!("{}; `-` reads standard input", Error::not_a_regular_file(path))));
            }
            let file = File::open(path).map_err(Error::io("open", path))?;
            let (length, modified) = (metadata.len(), metadata.modified().ok());
            let mmap = self.options.mmap && !file_systems::is_network(path);
            Storage::Local(LocalFile { path: path.clone(), file, length, modified, mmap, last: Mutex::default() })
        };
        Ok(ArchiveFile { location: public_name(location), storage })
    }

    /// The archive of a plan, with the size and fingerprint that it had then. An error if it has changed since.
    pub fn open_known(&self, location: &str, bytes: u64, fingerprint: &str) -> Result<ArchiveFile> {
        if is_remote(location) {
            // Each answer of the server is checked.
            let storage = Storage::Remote(self.remote()?.open_known(location, bytes, fingerprint)?);
            return Ok(ArchiveFile { location: public_name(location), storage });
        }
        let archive = self.open(location)?;
        if archive.fingerprint()? != fingerprint {
            return Err(Error::damaged(
                Path::new(location),
                "is not the file that was planned with: it was changed since; begin again with `warcorpus build … --restart`",
            ));
        }
        Ok(archive)
    }
}

/// The location of standard input.
pub const STDIN: &str = "-";

/// Schemes of the locations of remote archives.
const SCHEMES: [&str; 3] = ["https", "http", "s3"];

/// The location of an archive as tables, formats and messages name it.
pub use crate::remote::public_name;

/// Whether a location is that of a remote archive.
pub fn is_remote(location: &str) -> bool {
    let known = |scheme: &str| SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    split_scheme(location).is_some_and(|(scheme, _)| known(scheme))
}

/// Writes a whole small file that has these addresses in it. With a secret in one of them, it is readable by its owner alone.
///
/// # Errors
/// [`Error::Io`] if it cannot be written.
pub fn write_with_addresses<'a>(
    path: &Path,
    text: &str,
    mut addresses: impl Iterator<Item = &'a String>,
) -> Result<()> {
    match addresses.any(|address| public_name(address) != *address) {
        true => atomic::write_private(path, text),
        false => atomic::write(path, text),
    }
}

/// One archive, open.
pub struct ArchiveFile {
    location: String,
    storage: Storage,
}

enum Storage {
    Local(LocalFile),
    Remote(RemoteFile),
}

struct LocalFile {
    path: PathBuf,
    file: File,
    length: u64,
    modified: Option<SystemTime>,
    mmap: bool,
    /// The window that was opened last.
    last: Mutex<Option<Arc<Window>>>,
}

impl ArchiveFile {
    /// Announces that a range will be read in sequence, so that bytes of a remote archive are fetched ahead.
    pub fn announce(&self, range: Range<u64>) {
        if let Storage::Remote(remote) = &self.storage {
            remote.expect(range);
        }
    }

    /// The bytes of each range, fewer at the end of the file. Bytes of a remote archive are fetched ahead.
    pub fn read_ranges(&self, ranges: Vec<Range<u64>>) -> impl Iterator<Item = Result<Vec<u8>>> + '_ {
        let chunks: Box<dyn Iterator<Item = io::Result<Vec<u8>>>> = match &self.storage {
            Storage::Local(local) => Box::new(ranges.into_iter().map(|range| local.slice(range))),
            Storage::Remote(remote) => {
                let end = remote.len();
                let ranges = ranges.into_iter().map(move |range| range.start.min(end)..range.end.min(end));
                Box::new(remote.ranges(ranges).map(|bytes| bytes.map(Vec::from)))
            }
        };
        chunks.map(|bytes| bytes.map_err(self.read_error()))
    }

    /// Tells apart files under the same name: a hash of size, beginning and end; for a remote archive the identity that
    /// its server gives.
    pub fn fingerprint(&self) -> Result<String> {
        const END: u64 = 1 << 16;
        let local = match &self.storage {
            Storage::Remote(remote) => return Ok(remote.identity().to_string()),
            Storage::Local(local) => local,
        };
        let begin = local.slice(0..END).map_err(self.read_error())?;
        let end = local.slice(local.length.saturating_sub(END)..local.length).map_err(self.read_error())?;
        Ok(format!("{:016x}", combine(&[local.length, hash64(&begin), hash64(&end)])))
    }

    /// [`Error::Damaged`] if the file was written to since it was opened: some of the bytes read may be old, some new.
    /// [`Error::Io`] if that cannot be told.
    pub fn check_unchanged(&self) -> Result<()> {
        let Storage::Local(local) = &self.storage else { return Ok(()) };
        let now = fs::metadata(&local.path).map_err(self.read_error())?;
        if (now.len(), now.modified().ok()) == (local.length, local.modified) {
            return Ok(());
        }
        Err(Error::damaged(Path::new(&self.location), "was changed while it was read; run again when it is complete"))
    }

    /// For `map_err`: an error while this archive was read.
    pub fn read_error(&self) -> impl FnOnce(io::Error) -> Error + use<> {
        let path = PathBuf::from(&self.location);
        move |source| Error::Io { action: "read", path, source }
    }
}

impl LocalFile {
    /// The bytes around `offset`; `None` at the end of the file. The last window is kept, because a search through
    /// damaged bytes begins a reader every few bytes.
    fn window(&self, offset: u64) -> io::Result<Option<Arc<Window>>> {
        if offset >= self.length {
            return Ok(None);
        }
        let mut last = lock(&self.last);
        if let Some(window) = last.as_ref().filter(|window| !window.from(offset).is_empty()) {
            return Ok(Some(Arc::clone(window)));
        }
        *last = None;
        let bytes = if self.mmap {
            WindowBytes::Mapped(file_systems::map(&self.file, offset, WINDOW.min(self.length - offset) as usize)?)
        } else {
            WindowBytes::Read(self.slice(offset..offset.saturating_add(READ_WINDOW))?)
        };
        let window = Arc::new(Window { start: offset, bytes });
        *last = Some(Arc::clone(&window));
        Ok(Some(window))
    }

    fn slice(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let at = FileCursor { file: &self.file, position: range.start };
        at.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Bytes for ArchiveFile {
    fn len(&self) -> u64 {
        match &self.storage {
            Storage::Local(local) => local.length,
            Storage::Remote(remote) => remote.len(),
        }
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        match &self.storage {
            Storage::Remote(remote) => remote.read_from(offset),
            Storage::Local(local) => Ok(Box::new(Windows { archive: local, position: offset, window: None })),
        }
    }
}

/// Reads a file from a position of its own, so that several readers can share the file.
struct FileCursor<'a> {
    file: &'a File,
    position: u64,
}

impl Read for FileCursor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

/// Some bytes of a local file.
struct Window {
    start: u64,
    bytes: WindowBytes,
}

enum WindowBytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Window {
    /// The bytes from `offset` on; none if it lies outside.
    fn from(&self, offset: u64) -> &[u8] {
        let bytes: &[u8] = match &self.bytes {
            WindowBytes::Mapped(bytes) => bytes,
            WindowBytes::Read(bytes) => bytes,
        };
        let at = offset.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| bytes.get(at..)).unwrap_or_default()
    }
}

/// Reads a file through one window after the other.
struct Windows<'a> {
    archive: &'a LocalFile,
    position: u64,
    window: Option<Arc<Window>>,
}

impl BufRead for Windows<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let spent = self.window.as_ref().is_none_or(|window| window.from(self.position).is_empty());
        if spent {
            self.window = None;
            self.window = self.archive.window(self.position)?;
        }
        Ok(self.window.as_ref().map(|window| window.from(self.position)).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.position += amount as u64;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn archives(mmap: bool) -> Archives {
        Archives::new(Options { mmap, remote: Settings::default() }, &Layout::new("out"), Path::new(""))
    }

    #[test]
    fn mapped_and_read_bytes_are_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("archive");
        let bytes: Vec<u8> = (0..WINDOW * 2 + 12_345).map(|i| (i % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
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
    fn a_changed_file_is_told_from_one_that_cannot_be_looked_at() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("archive");
        fs::write(&path, "before").unwrap();
        let archive = archives(false).open(&path.display().to_string()).unwrap();
        archive.check_unchanged().unwrap();
        fs::write(&path, "afterwards").unwrap();
        assert!(matches!(archive.check_unchanged(), Err(Error::Damaged { .. })));
        fs::remove_file(&path).unwrap();
        assert!(matches!(archive.check_unchanged(), Err(Error::Io { .. })));
    }

    #[test]
    fn schemes_have_any_case() {
        assert!(["https://h/a", "HTTP://h/a", "S3://b/a"].into_iter().all(is_remote));
        assert!(!["ftp://h/a", "file:///a", "a/http://h", "-", ""].into_iter().any(is_remote));
    }

    #[test]
    fn an_empty_file_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("empty");
        fs::write(&path, b"").unwrap();
        let mut got = Vec::new();
        let archive = archives(true).open(&path.display().to_string()).unwrap();
        archive.read_from(0).unwrap().read_to_end(&mut got).unwrap();
        assert!(got.is_empty());
    }
}
