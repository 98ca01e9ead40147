//! URLs of documents, reached by the documents' keys.
//!
//! ```text
//! file   = URLs (UTF-8), entries, starts, footer
//! entry  = offset u64, bytes u32, checksum u64      one for each document, shard by shard
//! starts = entries before each shard (u64 each)
//! footer = entries u64, shards u32, checksum of starts and of these u64, magic
//! ```

use std::path::Path;

use crate::error::Result;
use crate::hash::combine;
use crate::key;
use crate::store::indexed;
use crate::store::spill::NumberReader;

const MAGIC: &[u8; 8] = b"WCNAMES1";
/// Bytes of an entry.
const ENTRY: u64 = 20;
/// Bytes of the footer.
const FOOTER: u64 = 28;

/// Writes the URLs of all documents in the order of their keys.
pub struct Writer {
    values: indexed::Writer,
    starts: Vec<u64>,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        Ok(Writer { values: indexed::Writer::create(path)?, starts: Vec::new() })
    }

    /// Begins the next shard: the documents that follow belong to it.
    pub fn begin_shard(&mut self) {
        self.starts.push(self.values.count());
    }

    pub fn push(&mut self, url: &str) -> Result<()> {
        self.values.push(url.as_bytes(), |offset, checksum| {
            let mut entry = offset.to_le_bytes().to_vec();
            entry.extend((url.len() as u32).to_le_bytes());
            entry.extend(checksum.to_le_bytes());
            entry
        })
    }

    pub fn finish(self) -> Result<()> {
        let Writer { values, starts } = self;
        let count = values.count();
        let mut footer: Vec<u8> = starts.iter().flat_map(|start| start.to_le_bytes()).collect();
        footer.extend(count.to_le_bytes());
        footer.extend((starts.len() as u32).to_le_bytes());
        footer.extend(checksum(&starts, count).to_le_bytes());
        footer.extend(MAGIC);
        values.finish(&footer)?.commit()
    }
}

fn checksum(starts: &[u64], count: u64) -> u64 {
    combine(&[combine(starts), count])
}

/// Reads URLs by the keys of their documents.
pub struct DocumentUrls {
    values: indexed::Reader,
    starts: Vec<u64>,
}

impl DocumentUrls {
    pub fn open(path: &Path) -> Result<DocumentUrls> {
        let mut file = indexed::FooterReader::open(path)?;
        let footer = file.read_back(FOOTER)?;
        let mut fields = NumberReader(&footer);
        let (count, shards, sum) = (fields.u64(), u64::from(fields.u32()), fields.u64());
        if fields.0 != MAGIC {
            return Err(file.damaged());
        }
        let starts = file.read_back(shards * 8)?;
        let starts: Vec<u64> = starts.chunks_exact(8).map(|bytes| NumberReader(bytes).u64()).collect();
        if checksum(&starts, count) != sum {
            return Err(file.damaged());
        }
        Ok(DocumentUrls { values: file.values(count, ENTRY)?, starts })
    }

    /// The URL of a document; `None` for a document that is not there.
    pub fn get(&self, doc: u64) -> Result<Option<String>> {
        let (shard, ordinal) = key::parts(doc);
        let Some(start) = self.starts.get(shard as usize) else { return Ok(None) };
        let end = self.starts.get(shard as usize + 1).copied().unwrap_or(self.values.count());
        let number = start + u64::from(ordinal);
        if number >= end {
            return Ok(None);
        }
        let Some(entry) = self.values.entry(number)? else { return Ok(None) };
        let mut fields = NumberReader(&entry);
        let (offset, bytes, checksum) = (fields.u64(), u64::from(fields.u32()), fields.u64());
        let url = self.values.value(offset, bytes, checksum)?;
        Ok(Some(String::from_utf8_lossy(&url).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::key;

    #[test]
    fn urls_come_back_and_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("urls");
        let mut writer = Writer::create(&path).unwrap();
        for shard in [&["a", "http://é/"][..], &[], &["c"]] {
            writer.begin_shard();
            shard.iter().for_each(|url| writer.push(url).unwrap());
        }
        writer.finish().unwrap();
        let all = || -> Result<Vec<Option<String>>> {
            let urls = DocumentUrls::open(&path)?;
            [key(0, 0), key(0, 1), key(0, 2), key(1, 0), key(2, 0), key(3, 0)]
                .map(|doc| urls.get(doc))
                .into_iter()
                .collect()
        };
        let want = [Some("a"), Some("http://é/"), None, None, Some("c"), None];
        assert_eq!(all().unwrap(), want.map(|url| url.map(str::to_string)));
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert!(all().is_err(), "byte {at}");
        }
    }
}
