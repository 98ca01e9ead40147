//! Addresses of documents, reached by their keys.
//!
//! ```text
//! file   = names (UTF-8), entries, starts, footer
//! entry  = offset u64, bytes u32, checksum u64      one for each document, shard by shard
//! starts = entries before each shard (u64 each)
//! footer = entries u64, shards u32, checksum of starts and of these u64, magic
//! ```

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::key;
use crate::store::atomic::AtomicFile;
use crate::store::spill::Fields;
use crate::store::spool::Spool;

const MAGIC: &[u8; 8] = b"WCNAMES1";
const ENTRY: u64 = 20;
const FOOTER: u64 = 28;

/// Writes the names of all documents in the order of their keys.
pub struct Writer {
    file: AtomicFile,
    entries: Spool,
    starts: Vec<u64>,
    count: u64,
    offset: u64,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        let file = AtomicFile::create(path)?;
        Ok(Writer { file, entries: Spool::beside(path)?, starts: Vec::new(), count: 0, offset: 0 })
    }

    /// What follows is of the next shard.
    pub fn begin_shard(&mut self) {
        self.starts.push(self.count);
    }

    pub fn push(&mut self, name: &str) -> Result<()> {
        write(&mut self.file, name.as_bytes())?;
        self.entries.write(&self.offset.to_le_bytes())?;
        self.entries.write(&(name.len() as u32).to_le_bytes())?;
        self.entries.write(&hash64(name.as_bytes()).to_le_bytes())?;
        self.offset += name.len() as u64;
        self.count += 1;
        Ok(())
    }

    pub fn finish(self) -> Result<()> {
        let Writer { mut file, entries, starts, count, .. } = self;
        entries.append_to(&mut file)?;
        let mut tail: Vec<u8> = starts.iter().flat_map(|start| start.to_le_bytes()).collect();
        tail.extend(count.to_le_bytes());
        tail.extend((starts.len() as u32).to_le_bytes());
        tail.extend(checksum(&starts, count).to_le_bytes());
        tail.extend(MAGIC);
        write(&mut file, &tail)?;
        file.commit()
    }
}

fn write(file: &mut AtomicFile, bytes: &[u8]) -> Result<()> {
    file.write_all(bytes).map_err(|e| Error::io("write", file.path())(e))
}

fn checksum(starts: &[u64], count: u64) -> u64 {
    combine(&[combine(starts), count])
}

/// Looks names up.
pub struct Names {
    path: PathBuf,
    file: File,
    entries_at: u64,
    starts: Vec<u64>,
    count: u64,
}

impl Names {
    pub fn open(path: &Path) -> Result<Names> {
        let damaged = || Error::spoiled(path);
        let file = File::open(path).map_err(Error::io("open", path))?;
        let length = file.metadata().map_err(Error::io("open", path))?.len();
        let read = |at: u64, bytes: u64| -> Result<Vec<u8>> {
            let mut buffer = vec![0; bytes as usize];
            file.read_exact_at(&mut buffer, at).map_err(Error::io("read", path))?;
            Ok(buffer)
        };
        let footer_at = length.checked_sub(FOOTER).ok_or_else(damaged)?;
        let footer = read(footer_at, FOOTER)?;
        let mut fields = Fields(&footer);
        let (count, shards, sum) = (fields.u64(), u64::from(fields.u32()), fields.u64());
        let starts_at = footer_at.checked_sub(shards * 8).filter(|_| fields.0 == MAGIC).ok_or_else(damaged)?;
        let starts = read(starts_at, shards * 8)?;
        let starts: Vec<u64> = starts.chunks_exact(8).map(|bytes| Fields(bytes).u64()).collect();
        let entries = count.checked_mul(ENTRY).filter(|_| checksum(&starts, count) == sum).ok_or_else(damaged)?;
        let entries_at = starts_at.checked_sub(entries).ok_or_else(damaged)?;
        Ok(Names { path: path.into(), file, entries_at, starts, count })
    }

    /// `None` for a document that is not there.
    pub fn get(&self, doc: u64) -> Result<Option<String>> {
        let (shard, ordinal) = key::parts(doc);
        let Some(start) = self.starts.get(shard as usize) else { return Ok(None) };
        let end = self.starts.get(shard as usize + 1).copied().unwrap_or(self.count);
        let place = start + u64::from(ordinal);
        if place >= end {
            return Ok(None);
        }
        let entry = self.read(self.entries_at + place * ENTRY, ENTRY)?;
        let mut fields = Fields(&entry);
        let (offset, length, sum) = (fields.u64(), u64::from(fields.u32()), fields.u64());
        if offset.checked_add(length).is_none_or(|end| end > self.entries_at) {
            return Err(Error::spoiled(&self.path));
        }
        let name = self.read(offset, length)?;
        if hash64(&name) != sum {
            return Err(Error::spoiled(&self.path));
        }
        Ok(Some(String::from_utf8_lossy(&name).into_owned()))
    }

    fn read(&self, at: u64, bytes: u64) -> Result<Vec<u8>> {
        let mut buffer = vec![0; bytes as usize];
        self.file.read_exact_at(&mut buffer, at).map_err(Error::io("read", &self.path))?;
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use key::key;

    #[test]
    fn names_come_back_and_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("names");
        let mut writer = Writer::create(&path).unwrap();
        for shard in [&["a", "http://é/"][..], &[], &["c"]] {
            writer.begin_shard();
            shard.iter().for_each(|name| writer.push(name).unwrap());
        }
        writer.finish().unwrap();
        let all = || -> Result<Vec<Option<String>>> {
            let names = Names::open(&path)?;
            [key(0, 0), key(0, 1), key(0, 2), key(1, 0), key(2, 0), key(3, 0)]
                .map(|doc| names.get(doc))
                .into_iter()
                .collect()
        };
        let want = [Some("a"), Some("http://é/"), None, None, Some("c"), None];
        assert_eq!(all().unwrap(), want.map(|name| name.map(str::to_string)));
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert!(all().is_err(), "byte {at}");
        }
    }
}
