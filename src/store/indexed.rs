//! Files of values that are reached by their number: first the values' bytes one after the other, then one entry
//! of fixed width for each value, then a footer. What an entry and the footer hold beside places and checksums
//! is up to the module that writes the file: [`super::sketches`], [`super::urls`], [`super::values`].
//!
//! All numbers are little-endian.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fxhash::FxHashMap;
use rustix::process::{Resource, getrlimit};
use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::key;
use crate::store::atomic::AtomicFile;
use crate::store::deferred::DeferredBytes;

/// Writes values in the order of their numbers.
pub struct Writer {
    file: AtomicFile,
    entries: DeferredBytes,
    count: u64,
    offset: u64,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        Ok(Writer { file: AtomicFile::create(path)?, entries: DeferredBytes::beside(path)?, count: 0, offset: 0 })
    }

    /// Number of values so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes the bytes of the next value and its entry, which `entry` makes of the bytes' offset in the file and
    /// their checksum.
    pub fn push(&mut self, value: &[u8], entry: impl FnOnce(u64, u64) -> Vec<u8>) -> Result<()> {
        self.file.put(value)?;
        self.entries.write(&entry(self.offset, hash64(value)))?;
        self.offset += value.len() as u64;
        self.count += 1;
        Ok(())
    }

    /// The whole file, which the caller names.
    pub fn finish(self, footer: &[u8]) -> Result<AtomicFile> {
        let Writer { mut file, entries, .. } = self;
        entries.append_to(&mut file)?;
        file.put(footer)?;
        Ok(file)
    }
}

/// A file whose footer is read, from its end backwards.
pub struct FooterReader {
    path: PathBuf,
    file: File,
    /// Where the part that was read begins.
    begin: u64,
}

impl FooterReader {
    pub fn open(path: &Path) -> Result<FooterReader> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        Ok(FooterReader { path: path.into(), file, begin: length })
    }

    /// The bytes before those that were read already.
    pub fn read_back(&mut self, bytes: u64) -> Result<Vec<u8>> {
        self.begin = self.begin.checked_sub(bytes).ok_or_else(|| self.damaged())?;
        read(&self.file, &self.path, self.begin, bytes)
    }

    /// The error of a footer whose checksum does not hold.
    pub fn damaged(&self) -> Error {
        Error::checksum_mismatch(&self.path)
    }

    /// The values, of which there are `count` with entries of `width` bytes before the footer.
    pub fn values(self, count: u64, width: u64) -> Result<Reader> {
        let entries = count.checked_mul(width).and_then(|bytes| self.begin.checked_sub(bytes));
        let entries_at = entries.ok_or_else(|| self.damaged())?;
        Ok(Reader { path: self.path, file: self.file, entries_at, count, width })
    }
}

/// Reads values by their numbers.
pub struct Reader {
    path: PathBuf,
    file: File,
    entries_at: u64,
    count: u64,
    width: u64,
}

impl Reader {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The entry of a value; `None` if there is no value of that number.
    pub fn entry(&self, number: u64) -> Result<Option<SmallVec<[u8; 256]>>> {
        if number >= self.count {
            return Ok(None);
        }
        let mut entry = SmallVec::from_elem(0, self.width as usize);
        read_into(&self.file, &self.path, self.entries_at + number * self.width, &mut entry)?;
        Ok(Some(entry))
    }

    /// The bytes of a value, from the place and with the checksum that its entry says.
    pub fn value(&self, offset: u64, bytes: u64, checksum: u64) -> Result<Vec<u8>> {
        let inside = offset.checked_add(bytes).is_some_and(|end| end <= self.entries_at);
        let value = if inside { read(&self.file, &self.path, offset, bytes)? } else { Vec::new() };
        if !inside || hash64(&value) != checksum {
            return Err(Error::checksum_mismatch(&self.path));
        }
        Ok(value)
    }
}

/// Opened files of shards, shared by threads. A bounded number of them is kept open.
pub struct ShardFiles<F> {
    /// Path of the file of a shard.
    path: Box<dyn Fn(u32) -> PathBuf + Send + Sync>,
    open: Mutex<OpenFiles<F>>,
}

struct OpenFiles<F> {
    /// By shard.
    files: FxHashMap<u32, Arc<F>>,
    /// The shard whose file was used last.
    last: u32,
    /// Most files that are kept open.
    most: usize,
}

/// Fewest and most files that are kept open at a time.
const LEAST_OPEN: u64 = 8;
const MOST_OPEN: u64 = 256;

/// How many files each of the threads may keep open, so that all of them take half of what the process may open
/// (`ulimit -n`).
fn most_open() -> usize {
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    (allowed / 2 / rayon::current_num_threads() as u64).clamp(LEAST_OPEN, MOST_OPEN) as usize
}

impl<F> ShardFiles<F> {
    pub fn new(path: impl Fn(u32) -> PathBuf + Send + Sync + 'static) -> ShardFiles<F> {
        let open = OpenFiles { files: FxHashMap::default(), last: 0, most: most_open() };
        ShardFiles { path: Box::new(path), open: Mutex::new(open) }
    }

    /// The file of the shard of a document.
    pub fn of_document(&self, doc: u64, open_file: impl FnOnce(&Path) -> Result<F>) -> Result<Arc<F>> {
        let (shard, _) = key::parts(doc);
        let mut open = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let last = std::mem::replace(&mut open.last, shard);
        if let Some(found) = open.files.get(&shard) {
            return Ok(found.clone());
        }
        if open.files.len() >= open.most {
            // Documents are mostly read in the order of their shards, again and again: the last shard is the one whose turn
            // is farthest away.
            open.files.remove(&last);
        }
        let opened = Arc::new(open_file(&(self.path)(shard))?);
        open.files.insert(shard, opened.clone());
        Ok(opened)
    }
}

fn read(file: &File, path: &Path, offset: u64, bytes: u64) -> Result<Vec<u8>> {
    let mut buffer = vec![0; bytes as usize];
    read_into(file, path, offset, &mut buffer)?;
    Ok(buffer)
}

fn read_into(file: &File, path: &Path, offset: u64, buffer: &mut [u8]) -> Result<()> {
    file.read_exact_at(buffer, offset).map_err(Error::io("read", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_were_opened_first_stay_open() {
        let files = ShardFiles::new(|shard| PathBuf::from(shard.to_string()));
        // Whether the file of a shard had to be opened.
        let opens = |shard: u32| {
            let mut opened = false;
            let file = files.of_document(key::key(shard, 7), |path| {
                opened = true;
                Ok(path.to_path_buf())
            });
            assert_eq!(*file.unwrap(), PathBuf::from(shard.to_string()));
            opened
        };
        let most = most_open() as u32;
        assert!((0..most + 2).all(opens));
        // Of two files too many, as few are opened again in each further round.
        assert_eq!((0..most + 2).filter(|&shard| opens(shard)).collect::<Vec<_>>(), [most - 1, most]);
        assert_eq!((0..most + 2).filter(|&shard| opens(shard)).count(), 2);
    }
}
