//! Values of documents, reached by the documents' keys. One file per shard: the values in serialized form (postcard), one
//! after the other, then one entry per document ([`super::indexed`]).
//!
//! ```text
//! file   = values, entries, footer
//! entry  = offset u64, bytes u64, checksum of the value u64, of the entry u64
//! footer = entries u64, checksum of it u64, magic
//! ```

use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::hash::combine;
use crate::key;
use crate::store::indexed::{self, ShardFiles};
use crate::store::rows::append;
use crate::store::spill::NumberReader;

const MAGIC: &[u8; 8] = b"WCVALUE1";
/// Bytes of an entry.
const ENTRY: u64 = 32;
/// Bytes of the footer.
const FOOTER: u64 = 24;

/// Writes the values of one shard in the order of its documents.
pub struct Writer<T> {
    path: PathBuf,
    values: indexed::Writer,
    of: PhantomData<T>,
}

impl<T: Serialize> Writer<T> {
    pub fn create(path: &Path) -> Result<Writer<T>> {
        Ok(Writer { path: path.into(), values: indexed::Writer::create(path)?, of: PhantomData })
    }

    /// Adds the value of the next document.
    pub fn push(&mut self, value: &T) -> Result<()> {
        let mut bytes = Vec::new();
        append(value, &mut bytes).map_err(|error| Error::damaged(&self.path, error))?;
        self.values.push(&bytes, |offset, checksum| {
            let numbers = [offset, bytes.len() as u64, checksum];
            numbers.iter().chain([&combine(&numbers)]).flat_map(|number| number.to_le_bytes()).collect()
        })
    }

    pub fn finish(self) -> Result<()> {
        let count = self.values.count();
        let mut footer = count.to_le_bytes().to_vec();
        footer.extend(combine(&[count]).to_le_bytes());
        footer.extend(MAGIC);
        self.values.finish(&footer)?.persist_unsynced()
    }
}

/// Reads the value of any document.
pub struct Values<T> {
    files: ShardFiles<indexed::Reader>,
    of: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Values<T> {
    /// `path` names the file of a shard.
    pub fn new(path: impl Fn(u32) -> PathBuf + Send + Sync + 'static) -> Values<T> {
        Values { files: ShardFiles::new(path), of: PhantomData }
    }

    /// Number of documents of a shard.
    pub fn count(&self, shard: u32) -> Result<u64> {
        Ok(self.files.of_document(key::key(shard, 0), open)?.count())
    }

    /// # Errors
    /// [`Error::Damaged`] if there is no such document.
    pub fn get(&self, doc: u64) -> Result<T> {
        let (_, ordinal) = key::parts(doc);
        let file = self.files.of_document(doc, open)?;
        let damaged = || Error::checksum_mismatch(file.path());
        let entry = file.entry(ordinal.into())?.ok_or_else(damaged)?;
        let mut fields = NumberReader(&entry);
        let numbers = [fields.u64(), fields.u64(), fields.u64()];
        if fields.u64() != combine(&numbers) {
            return Err(damaged());
        }
        let [offset, bytes, checksum] = numbers;
        postcard::from_bytes(&file.value(offset, bytes, checksum)?).map_err(|_| damaged())
    }
}

fn open(path: &Path) -> Result<indexed::Reader> {
    let mut file = indexed::FooterReader::open(path)?;
    let footer = file.read_back(FOOTER)?;
    let mut fields = NumberReader(&footer);
    let (count, sum) = (fields.u64(), fields.u64());
    if fields.0 != MAGIC || combine(&[count]) != sum {
        return Err(file.damaged());
    }
    file.values(count, ENTRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_damage_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("3");
        let values = [Some("one".to_string()), None, Some(String::new())];
        let mut writer = Writer::create(&path).unwrap();
        values.iter().for_each(|value| writer.push(value).unwrap());
        writer.finish().unwrap();
        let all = || -> Result<Vec<Option<String>>> {
            let folder = dir.path().to_path_buf();
            let file = Values::new(move |shard| folder.join(shard.to_string()));
            (0..file.count(3)? as u32).map(|ordinal| file.get(key::key(3, ordinal))).collect()
        };
        assert_eq!(all().unwrap(), values);
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            assert!(all().is_err(), "byte {at}");
        }
    }
}
