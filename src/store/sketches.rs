//! Sketches: what verification needs of a document, reached by its key. One file per shard: the
//! shingle sets one after the other, then one entry per document, all of the same width.
//!
//! ```text
//! file  = shingles (u64 each), entries, footer
//! entry = offset u64, shingles stored u32, shingles u32, digest u128, keys (u32 each), signature,
//!         checksum of the shingles stored u64, of the entry u64
//! footer = entries u64, keys of an entry u32, bytes of a signature u32, checksum of these u64, magic
//! ```

use std::fs::File;
use std::io::Write;
use std::iter;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fxhash::FxHashMap;

use crate::dedup::verify::Outline;
use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::key;
use crate::store::atomic::AtomicFile;
use crate::store::spill::Fields;
use crate::store::spool::Spool;

const MAGIC: &[u8; 8] = b"WCSKETC3";
const FOOTER: u64 = 32;
/// Bytes of an entry beside keys and signature.
const FIXED: usize = 48;

/// The identity of a document's text, its outline, and its set of shingles (sorted, without
/// repetitions; empty where the job does not store them).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    pub digest: u128,
    pub outline: Outline,
    pub shingles: Vec<u64>,
}

/// Writes the sketches of one shard in the order of its documents.
pub struct Writer {
    file: AtomicFile,
    /// Of every entry: keys, bytes of the signature.
    widths: (usize, usize),
    entries: Spool,
    count: u64,
    offset: u64,
}

impl Writer {
    /// For outlines of `slots` keys and signatures of `signature` bytes.
    pub fn create(path: &Path, slots: usize, signature: usize) -> Result<Writer> {
        let file = AtomicFile::create(path)?;
        Ok(Writer { file, widths: (slots, signature), entries: Spool::beside(path)?, count: 0, offset: 0 })
    }

    /// Every document has one; the empty sketch resembles nothing.
    pub fn push(&mut self, sketch: &Sketch) -> Result<()> {
        let bytes: Vec<u8> = sketch.shingles.iter().flat_map(|s| s.to_le_bytes()).collect();
        write(&mut self.file, &bytes)?;
        let (slots, signature) = self.widths;
        let Sketch { digest, outline, shingles } = sketch;
        let mut entry = Vec::with_capacity(width(self.widths));
        entry.extend(self.offset.to_le_bytes());
        entry.extend((shingles.len() as u32).to_le_bytes());
        entry.extend(outline.size.to_le_bytes());
        entry.extend(digest.to_le_bytes());
        let keys = outline.keys.iter().copied().chain(iter::repeat(0)).take(slots);
        keys.for_each(|key| entry.extend(key.to_le_bytes()));
        entry.extend(outline.signature.iter().copied().chain(iter::repeat(0)).take(signature));
        entry.extend(hash64(&bytes).to_le_bytes());
        entry.extend(hash64(&entry).to_le_bytes());
        self.entries.write(&entry)?;
        self.count += 1;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    pub fn finish(self) -> Result<()> {
        let Writer { mut file, widths: (slots, signature), entries, count, .. } = self;
        entries.append_to(&mut file)?;
        let mut footer = count.to_le_bytes().to_vec();
        footer.extend((slots as u32).to_le_bytes());
        footer.extend((signature as u32).to_le_bytes());
        footer.extend(combine(&[count, slots as u64, signature as u64]).to_le_bytes());
        footer.extend(MAGIC);
        write(&mut file, &footer)?;
        file.hand_on()
    }
}

fn write(file: &mut AtomicFile, bytes: &[u8]) -> Result<()> {
    file.write_all(bytes).map_err(|e| Error::io("write", file.path())(e))
}

/// Reads sketches of any document. Shared by threads; keeps a bounded number of files open.
pub struct Sketches {
    /// The file that holds the sketches of a shard.
    path: Box<dyn Fn(u64) -> PathBuf + Send + Sync>,
    open: Mutex<FxHashMap<u64, Arc<Reader>>>,
}

const MOST_OPEN: usize = 256;

impl Sketches {
    /// `path` names the file of a document's shard: that of the upper half of its key.
    pub fn new(path: impl Fn(u64) -> PathBuf + Send + Sync + 'static) -> Sketches {
        Sketches { path: Box::new(path), open: Mutex::default() }
    }

    /// Identity and outline of a document.
    pub fn outline(&self, doc: u64) -> Result<(u128, Outline)> {
        let entry = self.file(doc)?.entry(key::parts(doc).1)?;
        Ok((entry.digest, entry.outline))
    }

    /// Its shingles.
    pub fn shingles(&self, doc: u64) -> Result<Vec<u64>> {
        let file = self.file(doc)?;
        file.shingles(&file.entry(key::parts(doc).1)?)
    }

    fn file(&self, doc: u64) -> Result<Arc<Reader>> {
        let shard = doc >> 32;
        let mut open = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(found) = open.get(&shard) {
            return Ok(found.clone());
        }
        if open.len() >= MOST_OPEN {
            open.clear();
        }
        let opened = Arc::new(Reader::open(&(self.path)(shard))?);
        open.insert(shard, opened.clone());
        Ok(opened)
    }
}

/// One file of sketches.
struct Reader {
    path: PathBuf,
    file: File,
    entries_at: u64,
    entries: u64,
    widths: (usize, usize),
}

/// All of a sketch but the shingles, and where these stand.
struct Entry {
    offset: u64,
    stored: u32,
    digest: u128,
    outline: Outline,
    checksum: u64,
}

/// Keys and bytes of signature that a file may claim.
const MOST_WIDTH: u32 = 1 << 16;

impl Reader {
    fn open(path: &Path) -> Result<Reader> {
        let damaged = || Error::spoiled(path);
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let mut footer = [0; FOOTER as usize];
        let footer_at = length.checked_sub(FOOTER).ok_or_else(damaged)?;
        file.read_exact_at(&mut footer, footer_at).map_err(Error::io("read", path))?;
        let mut fields = Fields(&footer);
        let (entries, slots, signature) = (fields.u64(), fields.u32(), fields.u32());
        let sound = combine(&[entries, slots.into(), signature.into()]) == fields.u64() && fields.0 == MAGIC;
        if !sound || slots > MOST_WIDTH || signature > MOST_WIDTH {
            return Err(damaged());
        }
        let widths = (slots as usize, signature as usize);
        let bytes = entries.checked_mul(width(widths) as u64).ok_or_else(damaged)?;
        let entries_at = footer_at.checked_sub(bytes).ok_or_else(damaged)?;
        Ok(Reader { path: path.into(), file, entries_at, entries, widths })
    }

    fn entry(&self, ordinal: u32) -> Result<Entry> {
        if u64::from(ordinal) >= self.entries {
            return Err(Error::damaged(&self.path, format!("no document {ordinal}")));
        }
        let width = width(self.widths);
        let bytes = self.read(width, self.entries_at + u64::from(ordinal) * width as u64)?;
        let (own, sum) = bytes.split_at(width - 8);
        let mut fields = Fields(own);
        let (offset, stored, size, digest) = (fields.u64(), fields.u32(), fields.u32(), fields.u128());
        let keys = (0..self.widths.0).map(|_| fields.u32()).collect();
        let (signature, rest) = fields.0.split_at(self.widths.1);
        let checksum = Fields(rest).u64();
        let sound = hash64(own) == Fields(sum).u64();
        if !sound || offset.checked_add(u64::from(stored) * 8).is_none_or(|end| end > self.entries_at) {
            return Err(Error::spoiled(&self.path));
        }
        let outline = Outline { size, keys, signature: signature.to_vec() };
        Ok(Entry { offset, stored, digest, outline, checksum })
    }

    fn shingles(&self, entry: &Entry) -> Result<Vec<u64>> {
        let bytes = self.read(entry.stored as usize * 8, entry.offset)?;
        if hash64(&bytes) != entry.checksum {
            return Err(Error::spoiled(&self.path));
        }
        Ok(bytes.chunks_exact(8).map(|c| Fields(c).u64()).collect())
    }

    fn read(&self, length: usize, offset: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, offset).map_err(Error::io("read", &self.path))?;
        Ok(bytes)
    }
}

fn width((slots, signature): (usize, usize)) -> usize {
    FIXED + slots * 4 + signature
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_path_buf();
        let path = move |shard: u64| folder.join(shard.to_string());
        let outline = |size, key, byte| Outline { size, keys: vec![key; 2], signature: vec![byte; 3] };
        let all = [
            Sketch { shingles: vec![1, 5, 9], digest: 7, outline: outline(3, 8, 1) },
            Sketch { outline: outline(0, 0, 0), ..Sketch::default() },
            Sketch { shingles: vec![u64::MAX], digest: u128::MAX, outline: outline(1, u32::MAX, 255) },
        ];
        let mut writer = Writer::create(&path(3), 2, 3).unwrap();
        all.iter().for_each(|s| writer.push(s).unwrap());
        writer.finish().unwrap();
        let sketches = Sketches::new(path.clone());
        for (i, want) in all.iter().enumerate() {
            let doc = key::key(3, i as u32);
            assert_eq!(sketches.outline(doc).unwrap(), (want.digest, want.outline.clone()));
            assert_eq!(sketches.shingles(doc).unwrap(), want.shingles);
        }
        assert!(sketches.outline(key::key(3, 3)).is_err());
        assert!(sketches.outline(key::key(4, 0)).is_err());
        let whole = std::fs::read(path(3)).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(path(3), &changed).unwrap();
            let sketches = Sketches::new(path.clone());
            let read = |i| Ok::<_, Error>((sketches.outline(key::key(3, i))?, sketches.shingles(key::key(3, i))?));
            assert!((0..3).any(|i| read(i).is_err()), "byte {at}");
        }
    }
}
