//! Rows for the next stages of the same job: written once, read from first to last a few times, then removed. They are
//! written in the order of their fields (postcard): reading a whole row costs as much as from Parquet, writing it costs
//! less, and the files of an interrupted task can be joined without reading them.
//!
//! ```text
//! file = zstd(row, row, …)      row = bytes u32, postcard
//! ```
//!
//! Files laid end to end are a file of all their rows.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::stream::{read::Decoder, write::Encoder};

use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;

/// Fast: the files are read a few times, soon, and then removed.
const LEVEL: i32 = -3;

/// Number of bytes that are compressed at a time.
const CHUNK: usize = 1 << 16;

/// Writes rows in the order they are pushed.
pub struct Writer {
    path: PathBuf,
    encoder: Encoder<'static, AtomicFile>,
    pending: Vec<u8>,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Writer> {
        let mut encoder = Encoder::new(AtomicFile::create(path)?, LEVEL).map_err(Error::io("create", path))?;
        encoder.include_checksum(true).map_err(Error::io("create", path))?;
        Ok(Writer { path: path.into(), encoder, pending: Vec::new() })
    }

    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        self.push_limited(row, u32::MAX)
    }

    /// A row of more bytes than `most` is an error, and nothing of it is written.
    fn push_limited(&mut self, row: &impl Serialize, most: u32) -> Result<()> {
        let begin = self.pending.len();
        self.pending.extend([0; 4]);
        self.pending = postcard::to_extend(row, std::mem::take(&mut self.pending))
            .map_err(|error| Error::damaged(&self.path, error))?;
        let bytes = self.pending.len() - begin - 4;
        let Some(length) = u32::try_from(bytes).ok().filter(|length| *length <= most) else {
            self.pending.truncate(begin);
            return Err(Error::damaged(&self.path, format!("a row of {bytes} bytes is too long; at most {most} fit")));
        };
        if let Some(place) = self.pending.get_mut(begin..begin + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
        if self.pending.len() >= CHUNK { self.compress() } else { Ok(()) }
    }

    fn compress(&mut self) -> Result<()> {
        self.encoder.write_all(&self.pending).map_err(Error::io("write", &self.path))?;
        self.pending.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        self.compress()?;
        self.encoder.finish().map_err(Error::io("write", &self.path))?.persist_unsynced()
    }
}

/// Reads the rows of a file in order, as bytes.
pub struct RawRows {
    path: PathBuf,
    bytes: BufReader<Decoder<'static, BufReader<File>>>,
    row: Vec<u8>,
}

impl RawRows {
    pub fn open(path: &Path) -> Result<RawRows> {
        let decoder = File::open(path).and_then(Decoder::new).map_err(Error::io("open", path))?;
        Ok(RawRows { path: path.into(), bytes: BufReader::with_capacity(CHUNK, decoder), row: Vec::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next row; `None` at the end of the file, when its checksum has been compared.
    pub fn row(&mut self) -> Result<Option<&[u8]>> {
        let unreadable = |error: std::io::Error| match error.kind() {
            // The errors of zstd for a wrong checksum or a file that ends too early.
            ErrorKind::Other | ErrorKind::UnexpectedEof | ErrorKind::InvalidData => {
                Error::checksum_mismatch(&self.path)
            }
            _ => Error::io("read", &self.path)(error),
        };
        if self.bytes.fill_buf().map_err(unreadable)?.is_empty() {
            return Ok(None);
        }
        let mut length = [0; 4];
        self.bytes.read_exact(&mut length).map_err(unreadable)?;
        let length = u64::from(u32::from_le_bytes(length));
        self.row.clear();
        let read = self.bytes.by_ref().take(length).read_to_end(&mut self.row).map_err(unreadable)?;
        if read as u64 != length {
            return Err(Error::checksum_mismatch(&self.path));
        }
        Ok(Some(&self.row))
    }
}

/// Reads the rows of a file in order.
pub struct Reader<T> {
    rows: RawRows,
    of: PhantomData<T>,
}

impl<T: DeserializeOwned> Reader<T> {
    pub fn open(path: &Path) -> Result<Reader<T>> {
        Ok(Reader { rows: RawRows::open(path)?, of: PhantomData })
    }

    pub fn path(&self) -> &Path {
        self.rows.path()
    }

    fn read(&mut self) -> Result<Option<T>> {
        let Some(row) = self.rows.row()? else { return Ok(None) };
        let row = postcard::from_bytes(row).map(Some);
        row.map_err(|_| Error::checksum_mismatch(self.rows.path()))
    }
}

impl<T: DeserializeOwned> Iterator for Reader<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::document::Paragraph;
    use crate::language::Language;
    use crate::page::blocks::BlockKind;

    fn paragraph(index: u32) -> Paragraph {
        Paragraph {
            doc: 7 << 32,
            index,
            text: "žluťoučký ".repeat(index as usize % 90),
            kind: BlockKind::Li,
            score: index.is_multiple_of(3).then_some(index as f32 / 7.0),
            language: index.is_multiple_of(2).then(|| Language::by_code("ces").unwrap()),
            ..Default::default()
        }
    }

    fn written(path: &Path, rows: std::ops::Range<u32>) -> Vec<Paragraph> {
        let rows: Vec<Paragraph> = rows.map(paragraph).collect();
        let mut writer = Writer::create(path).unwrap();
        rows.iter().for_each(|row| writer.push(row).unwrap());
        writer.finish().unwrap();
        rows
    }

    #[test]
    fn rows_come_back_as_they_were_from_files_end_to_end_too() {
        let dir = tempfile::tempdir().unwrap();
        let [one, two, both] = ["one", "two", "both"].map(|name| dir.path().join(name));
        let mut rows = written(&one, 0..3000);
        rows.extend(written(&two, 3000..3001));
        fs::write(&both, [fs::read(&one).unwrap(), fs::read(&two).unwrap()].concat()).unwrap();
        let got: Vec<Paragraph> = Reader::open(&both).unwrap().map(Result::unwrap).collect();
        assert_eq!(got, rows);
        written(&one, 0..0);
        assert_eq!(Reader::<Paragraph>::open(&one).unwrap().count(), 0);
    }

    #[test]
    fn a_row_longer_than_its_length_field_can_say_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let mut writer = Writer::create(&path).unwrap();
        // A string of n < 128 bytes takes n + 1.
        writer.push_limited(&"a".repeat(9), 10).unwrap();
        let error = writer.push_limited(&"b".repeat(10), 10).unwrap_err().to_string();
        assert!(error.contains("11 bytes"), "{error}");
        writer.push_limited(&"c", 10).unwrap();
        writer.finish().unwrap();
        let got: Vec<String> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(got, ["a".repeat(9), "c".into()]);
    }

    #[test]
    fn damage_is_an_error_and_never_other_rows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let rows = written(&path, 0..200);
        let sound = fs::read(&path).unwrap();
        // A reader stops at the first error.
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            Reader::open(&path).unwrap().take(rows.len() + 1).collect::<Result<Vec<Paragraph>>>()
        };
        assert_eq!(read(&sound).unwrap(), rows);
        assert!((1..sound.len()).step_by(37).all(|length| read(&sound[..length]).is_err()));
        let changed = (8..sound.len()).step_by(41).map(|at| {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x10;
            read(&damaged)
        });
        let found: Vec<_> = changed.collect();
        // A few bits of a zstd frame mean nothing.
        assert!(found.iter().all(|found| found.as_ref().map_or(true, |got| *got == rows)));
        assert!(found.iter().filter(|found| found.is_err()).count() * 100 > found.len() * 95);
    }
}
