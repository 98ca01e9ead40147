//! Sketches: what verification needs of a document, reached by its key. One file per shard: the
//! shingle sets one after the other, then one fixed-width entry per document.
//!
//! ```text
//! file  = shingles (u64 each), entries, entries u64, magic
//! entry = offset u64, shingles u64, digest u128, checksum of the shingles u64, of the entry u64
//! ```

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fxhash::FxHashMap;

use crate::document;
use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::store::atomic::AtomicFile;
use crate::store::layout::Layout;
use crate::store::spill::Fields;

const MAGIC: &[u8; 8] = b"WCSKETC2";
const ENTRY: u64 = 48;

/// The set of shingles (sorted, without repetitions) and the identity of a document's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    pub shingles: Vec<u64>,
    pub digest: u128,
}

/// Writes the sketches of one shard in the order of its documents.
pub struct Writer {
    file: AtomicFile,
    entries: Vec<u8>,
    offset: u64,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        Ok(Writer { file: AtomicFile::create(path)?, entries: Vec::new(), offset: 0 })
    }

    /// Every document has one; the empty sketch resembles nothing.
    pub fn push(&mut self, sketch: &Sketch) -> Result<()> {
        let bytes: Vec<u8> = sketch.shingles.iter().flat_map(|s| s.to_le_bytes()).collect();
        self.write(&bytes)?;
        let mut entry = Vec::with_capacity(ENTRY as usize);
        entry.extend(self.offset.to_le_bytes());
        entry.extend((sketch.shingles.len() as u64).to_le_bytes());
        entry.extend(sketch.digest.to_le_bytes());
        entry.extend(hash64(&bytes).to_le_bytes());
        entry.extend(hash64(&entry).to_le_bytes());
        self.entries.extend(entry);
        self.offset += bytes.len() as u64;
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        let mut tail = std::mem::take(&mut self.entries);
        let entries = tail.len() as u64 / ENTRY;
        tail.extend(entries.to_le_bytes());
        tail.extend(MAGIC);
        self.write(&tail)?;
        self.file.commit()
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let path = self.file.path().to_path_buf();
        self.file.write_all(bytes).map_err(Error::io("write", &path))
    }
}

/// Reads sketches of any document of a job. Shared by threads; keeps a bounded number of files open.
pub struct Sketches {
    layout: Layout,
    open: Mutex<FxHashMap<u32, Arc<Reader>>>,
}

const MOST_OPEN: usize = 256;

impl Sketches {
    pub fn new(layout: &Layout) -> Sketches {
        Sketches { layout: layout.clone(), open: Mutex::default() }
    }

    pub fn get(&self, doc: u64) -> Result<Sketch> {
        let (shard, ordinal) = document::parts(doc);
        self.shard(shard)?.get(ordinal)
    }

    /// Identity of a document's text.
    pub fn digest(&self, doc: u64) -> Result<u128> {
        let (shard, ordinal) = document::parts(doc);
        self.shard(shard)?.entry(ordinal).map(|entry| entry.digest)
    }

    fn shard(&self, shard: u32) -> Result<Arc<Reader>> {
        let mut open = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(found) = open.get(&shard) {
            return Ok(found.clone());
        }
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        let opened = Arc::new(Reader::open(&self.layout.extracted(shard).sketches())?);
        open.insert(shard, opened.clone());
        Ok(opened)
    }
}

/// One file of sketches.
pub struct Reader {
    path: PathBuf,
    file: File,
    entries_at: u64,
    entries: u32,
}

/// Where the shingles of a document stand.
struct Entry {
    offset: u64,
    count: u64,
    digest: u128,
    checksum: u64,
}

impl Reader {
    pub fn open(path: &Path) -> Result<Reader> {
        let damaged = || Error::spoiled(path);
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let mut tail = [0; 16];
        let tail_at = length.checked_sub(16).ok_or_else(damaged)?;
        file.read_exact_at(&mut tail, tail_at).map_err(Error::io("read", path))?;
        let mut fields = Fields(&tail);
        let entries = u32::try_from(fields.u64()).map_err(|_| damaged())?;
        let entries_at = tail_at.checked_sub(u64::from(entries) * ENTRY);
        match entries_at {
            Some(entries_at) if fields.0 == MAGIC => Ok(Reader { path: path.into(), file, entries_at, entries }),
            _ => Err(damaged()),
        }
    }

    /// The sketches of all documents, in their order.
    pub fn all(&self) -> impl Iterator<Item = Result<Sketch>> {
        (0..self.entries).map(|ordinal| self.get(ordinal))
    }

    fn get(&self, ordinal: u32) -> Result<Sketch> {
        let entry = self.entry(ordinal)?;
        let bytes = self.read(entry.count as usize * 8, entry.offset)?;
        if hash64(&bytes) != entry.checksum {
            return Err(Error::spoiled(&self.path));
        }
        let shingles = bytes.chunks_exact(8).map(|c| Fields(c).u64()).collect();
        Ok(Sketch { shingles, digest: entry.digest })
    }

    fn entry(&self, ordinal: u32) -> Result<Entry> {
        if ordinal >= self.entries {
            return Err(Error::damaged(&self.path, format!("no document {ordinal}")));
        }
        let bytes = self.read(ENTRY as usize, self.entries_at + u64::from(ordinal) * ENTRY)?;
        let mut fields = Fields(&bytes);
        let (offset, count, digest, checksum) = (fields.u64(), fields.u64(), fields.u128(), fields.u64());
        let sound = bytes.get(..bytes.len() - 8).is_some_and(|entry| hash64(entry) == fields.u64());
        if !sound || count > self.entries_at / 8 || offset > self.entries_at - count * 8 {
            return Err(Error::spoiled(&self.path));
        }
        Ok(Entry { offset, count, digest, checksum })
    }

    fn read(&self, length: usize, offset: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset).map_err(Error::io("read", &self.path))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        let all = [
            Sketch { shingles: vec![1, 5, 9], digest: 7 },
            Sketch::default(),
            Sketch { shingles: vec![u64::MAX], digest: u128::MAX },
        ];
        let mut writer = Writer::create(&layout.extracted(3).sketches()).unwrap();
        all.iter().for_each(|s| writer.push(s).unwrap());
        writer.finish().unwrap();
        let sketches = Sketches::new(&layout);
        for (i, want) in all.iter().enumerate() {
            assert_eq!(&sketches.get(document::key(3, i as u32)).unwrap(), want);
        }
        assert!(sketches.get(document::key(3, 3)).is_err());
        assert!(sketches.get(document::key(4, 0)).is_err());
    }
}
