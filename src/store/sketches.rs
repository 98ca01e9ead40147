//! Sketches: what verification needs of a document, reached by its key. One file per shard: the shingle sets one
//! after the other, then one entry per document, all of the same width ([`super::indexed`]).
//!
//! ```text
//! file  = shingles (u64 each), entries, footer
//! entry = offset u64, shingles stored u32, shingles u32, digest u128, keys (u32 each), signature,
//!         checksum of the shingles stored u64, of the entry u64
//! footer = entries u64, keys of an entry u32, bytes of a signature u32, checksum of these u64, magic
//! ```

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::dedup::verify::SketchHeader;
use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::key;
use crate::store::indexed::{self, ShardFiles};
use crate::store::spill::NumberReader;

const MAGIC: &[u8; 8] = b"WCSKETC3";
/// Bytes of the footer.
const FOOTER: u64 = 32;
/// Bytes of an entry beside keys and signature.
pub const FIXED: usize = 48;

/// The digest of a document's text, its header, and its set of shingles (sorted, without repetitions; empty
/// where the job does not store them).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    pub digest: u128,
    pub header: SketchHeader,
    pub shingles: Vec<u64>,
}

/// Writes the sketches of one shard in the order of its documents.
pub struct Writer {
    values: indexed::Writer,
    widths: EntryWidths,
}

/// Lengths of what every entry of a file holds.
#[derive(Debug, Clone, Copy)]
struct EntryWidths {
    /// Number of keys.
    bands: usize,
    /// Bytes of the signature.
    signature: usize,
}

impl EntryWidths {
    /// Bytes of an entry.
    fn total(self) -> usize {
        FIXED + self.bands * 4 + self.signature
    }

    fn checksum(self, entries: u64) -> u64 {
        combine(&[entries, self.bands as u64, self.signature as u64])
    }
}

impl Writer {
    /// For sketches of `bands` keys and signatures of `signature` bytes.
    pub fn create(path: &Path, bands: usize, signature: usize) -> Result<Writer> {
        Ok(Writer { values: indexed::Writer::create(path)?, widths: EntryWidths { bands, signature } })
    }

    /// Every document has a sketch; the empty one resembles nothing.
    pub fn push(&mut self, sketch: &Sketch) -> Result<()> {
        let widths = self.widths;
        let Sketch { digest, header, shingles } = sketch;
        let bytes: Vec<[u8; 8]> = shingles.iter().map(|shingle| shingle.to_le_bytes()).collect();
        self.values.push(bytes.as_flattened(), |offset, checksum| {
            let mut entry = Vec::with_capacity(widths.total());
            entry.extend(offset.to_le_bytes());
            entry.extend((shingles.len() as u32).to_le_bytes());
            entry.extend(header.size.to_le_bytes());
            entry.extend(digest.to_le_bytes());
            let keys = header.keys.iter().copied().chain(iter::repeat(0)).take(widths.bands);
            keys.for_each(|key| entry.extend(key.to_le_bytes()));
            entry.extend(header.signature.iter().copied().chain(iter::repeat(0)).take(widths.signature));
            entry.extend(checksum.to_le_bytes());
            entry.extend(hash64(&entry).to_le_bytes());
            entry
        })
    }

    pub fn finish(self) -> Result<()> {
        let Writer { values, widths } = self;
        let count = values.count();
        let mut footer = count.to_le_bytes().to_vec();
        footer.extend((widths.bands as u32).to_le_bytes());
        footer.extend((widths.signature as u32).to_le_bytes());
        footer.extend(widths.checksum(count).to_le_bytes());
        footer.extend(MAGIC);
        values.finish(&footer)?.persist_unsynced()
    }
}

/// Reads sketches of any document.
pub struct Sketches(ShardFiles<SketchFile>);

impl Sketches {
    /// `path` names the file of a shard.
    pub fn new(path: impl Fn(u32) -> PathBuf + Send + Sync + 'static) -> Sketches {
        Sketches(ShardFiles::new(path))
    }

    /// What a document's sketch says without its shingles.
    pub fn entry(&self, doc: u64) -> Result<SketchEntry> {
        self.file(doc)?.entry(key::parts(doc).1)
    }

    /// Shingles of a document, whose entry is given, sorted; empty where the job does not store them.
    pub fn shingles(&self, doc: u64, entry: &SketchEntry) -> Result<Vec<u64>> {
        self.file(doc)?.shingles(entry)
    }

    fn file(&self, doc: u64) -> Result<Arc<SketchFile>> {
        self.0.of_document(doc, SketchFile::open)
    }
}

/// One file of sketches.
struct SketchFile {
    values: indexed::Reader,
    widths: EntryWidths,
}

/// A sketch without its shingles, and where the shingles stand in the file.
#[derive(Debug, Clone, Default)]
pub struct SketchEntry {
    offset: u64,
    /// Number of shingles.
    stored: u32,
    pub header: SketchHeader,
    /// Checksum of the shingles.
    checksum: u64,
}

/// Keys and bytes of signature that a file may claim.
const MOST_WIDTH: u32 = 1 << 16;

impl SketchFile {
    fn open(path: &Path) -> Result<SketchFile> {
        let mut file = indexed::FooterReader::open(path)?;
        let footer = file.read_back(FOOTER)?;
        let mut fields = NumberReader(&footer);
        let (entries, bands, signature) = (fields.u64(), fields.u32(), fields.u32());
        let widths = EntryWidths { bands: bands as usize, signature: signature as usize };
        let sound = widths.checksum(entries) == fields.u64() && fields.0 == MAGIC;
        if !sound || bands > MOST_WIDTH || signature > MOST_WIDTH {
            return Err(file.damaged());
        }
        Ok(SketchFile { values: file.values(entries, widths.total() as u64)?, widths })
    }

    fn entry(&self, ordinal: u32) -> Result<SketchEntry> {
        let Some(bytes) = self.values.entry(ordinal.into())? else {
            return Err(Error::damaged(
                self.values.path(),
                format!("has no sketch of document {ordinal} of the shard"),
            ));
        };
        let (own, sum) = bytes.split_at(bytes.len() - 8);
        if hash64(own) != NumberReader(sum).u64() {
            return Err(Error::checksum_mismatch(self.values.path()));
        }
        let mut fields = NumberReader(own);
        let (offset, stored, size, _digest) = (fields.u64(), fields.u32(), fields.u32(), fields.u128());
        let keys = (0..self.widths.bands).map(|_| fields.u32()).collect();
        let (signature, rest) = fields.0.split_at(self.widths.signature);
        let header = SketchHeader { size, keys, signature: signature.into() };
        Ok(SketchEntry { offset, stored, header, checksum: NumberReader(rest).u64() })
    }

    fn shingles(&self, entry: &SketchEntry) -> Result<Vec<u64>> {
        let bytes = self.values.value(entry.offset, u64::from(entry.stored) * 8, entry.checksum)?;
        Ok(bytes.chunks_exact(8).map(|c| NumberReader(c).u64()).collect())
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;

    #[test]
    fn sketches_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_path_buf();
        let path = move |shard: u32| folder.join(shard.to_string());
        let header = |size, key, byte| SketchHeader { size, keys: smallvec![key; 2], signature: smallvec![byte; 3] };
        let all = [
            Sketch { shingles: vec![1, 5, 9], digest: 7, header: header(3, 8, 1) },
            Sketch { header: header(0, 0, 0), ..Sketch::default() },
            Sketch { shingles: vec![u64::MAX], digest: u128::MAX, header: header(1, u32::MAX, 255) },
        ];
        let mut writer = Writer::create(&path(3), 2, 3).unwrap();
        all.iter().for_each(|s| writer.push(s).unwrap());
        writer.finish().unwrap();
        let sketches = Sketches::new(path.clone());
        for (i, want) in all.iter().enumerate() {
            let doc = key::key(3, i as u32);
            let entry = sketches.entry(doc).unwrap();
            assert_eq!(entry.header, want.header);
            assert_eq!(sketches.shingles(doc, &entry).unwrap(), want.shingles);
        }
        assert!(sketches.entry(key::key(3, 3)).is_err());
        assert!(sketches.entry(key::key(4, 0)).is_err());
        let whole = std::fs::read(path(3)).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(path(3), &changed).unwrap();
            let sketches = Sketches::new(path.clone());
            let read = |i| sketches.shingles(key::key(3, i), &sketches.entry(key::key(3, i))?);
            assert!((0..3).any(|i| read(i).is_err()), "byte {at}");
        }
    }
}
