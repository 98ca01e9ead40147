//! Rows for the next stages of the same job: written once, read from first to last, then removed. A row is a value in
//! the order of its fields (postcard), followed by numbers as they are, if it has any. Rows are compressed and checked
//! in chunks, and read without being copied out of them.
//!
//! ```text
//! file   = chunk, chunk, …, chunk without bytes
//! chunk  = bytes stored u64, bytes u64, checksum of the bytes stored u64, checksum of these three u64,
//!          the bytes stored: rows, or zstd(rows) if that is shorter
//! row    = bytes u32, postcard, numbers (u64 each)
//! ```
//! All numbers are little-endian.
//!
//! Files laid end to end are a file of all their rows.

use std::fs::File;
use std::io::{BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use postcard::ser_flavors::Flavor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{Compressor, Decompressor};

use crate::error::{Error, Result};
use crate::hash::{combine, hash64};
use crate::store::atomic::AtomicFile;

/// Fast: the files are read once or twice, soon, and then removed.
const LEVEL: i32 = -3;

/// Number of bytes from which rows make a chunk.
const CHUNK: usize = 1 << 17;

/// Bytes of the numbers before the bytes of a chunk.
const HEADER: usize = 32;

/// A byte of a zstd frame holds at most so many: a block of four bytes can stand for 128 KiB (RFC 8878, 3.1.1.2).
const MOST_EXPANSION: u64 = 1 << 15;

/// Writes rows in the order they are pushed.
pub struct Writer {
    file: AtomicFile,
    /// `None` for rows that are stored as they are.
    compressor: Option<Compressor<'static>>,
    pending: Vec<u8>,
    compressed: Vec<u8>,
}

impl Writer {
    /// A file of compressed rows.
    pub fn create(path: &Path) -> Result<Writer> {
        let compressor = Compressor::new(LEVEL).map_err(Error::io("create", path))?;
        Ok(Writer { compressor: Some(compressor), ..Writer::uncompressed(path)? })
    }

    /// A file of rows that compression does not make shorter, as it is with hashes.
    pub fn uncompressed(path: &Path) -> Result<Writer> {
        let file = AtomicFile::create(path)?;
        Ok(Writer { file, compressor: None, pending: Vec::new(), compressed: Vec::new() })
    }

    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        self.push_limited(row, &[], u32::MAX)
    }

    /// Adds a row with numbers behind it.
    pub fn push_with_numbers(&mut self, row: &impl Serialize, numbers: &[u64]) -> Result<()> {
        self.push_limited(row, numbers, u32::MAX)
    }

    /// A row of more bytes than `most` is an error, and nothing of it is written.
    fn push_limited(&mut self, row: &impl Serialize, numbers: &[u64], most: u32) -> Result<()> {
        let begin = self.pending.len();
        self.pending.extend([0; 4]);
        append(row, &mut self.pending).map_err(|error| Error::damaged(self.file.path(), error))?;
        self.pending.reserve(size_of_val(numbers));
        numbers.iter().for_each(|number| self.pending.extend_from_slice(&number.to_le_bytes()));
        let bytes = self.pending.len() - begin - 4;
        let Some(length) = u32::try_from(bytes).ok().filter(|length| *length <= most) else {
            self.pending.truncate(begin);
            let error = format!("a row of {bytes} bytes is too long; at most {most} fit");
            return Err(Error::damaged(self.file.path(), error));
        };
        if let Some(place) = self.pending.get_mut(begin..begin + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
        if self.pending.len() >= CHUNK { self.write_chunk() } else { Ok(()) }
    }

    fn write_chunk(&mut self) -> Result<()> {
        let bytes = self.pending.len();
        if let Some(compressor) = &mut self.compressor {
            self.compressed.clear();
            self.compressed.reserve(zstd::zstd_safe::compress_bound(bytes));
            let written = compressor.compress_to_buffer(&self.pending, &mut self.compressed);
            written.map_err(Error::io("write", self.file.path()))?;
        }
        let shorter = self.compressor.is_some() && self.compressed.len() < bytes;
        let stored = if shorter { &self.compressed } else { &self.pending };
        let numbers = [stored.len() as u64, bytes as u64, hash64(stored)];
        let mut header = Vec::with_capacity(HEADER);
        numbers.iter().chain([&combine(&numbers)]).for_each(|number| header.extend_from_slice(&number.to_le_bytes()));
        self.file.put(&header)?;
        self.file.put(stored)?;
        self.pending.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        if !self.pending.is_empty() {
            self.write_chunk()?;
        }
        self.write_chunk()?;
        self.file.persist_unsynced()
    }
}

/// Appends a value in serialized form.
pub(super) fn append(value: &impl Serialize, bytes: &mut Vec<u8>) -> postcard::Result<()> {
    postcard::serialize_with_flavor(value, Appended(bytes))
}

/// Appends serialized bytes to others, each string at once.
struct Appended<'a>(&'a mut Vec<u8>);

impl Flavor for Appended<'_> {
    type Output = ();

    #[inline]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

/// Reads the rows of a file in order.
pub struct Reader<T> {
    path: PathBuf,
    file: BufReader<File>,
    decompressor: Decompressor<'static>,
    stored: Vec<u8>,
    /// The bytes of the chunk; those before `at` were read.
    chunk: Vec<u8>,
    at: usize,
    /// Whether the chunk is one without bytes, after which a file may end.
    may_end: bool,
    of: PhantomData<T>,
}

impl<T: DeserializeOwned> Reader<T> {
    pub fn open(path: &Path) -> Result<Reader<T>> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let decompressor = Decompressor::new().map_err(Error::io("open", path))?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Reader {
            path: path.into(),
            file,
            decompressor,
            stored: Vec::new(),
            chunk: Vec::new(),
            at: 0,
            may_end: false,
            of: PhantomData,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next row, with its numbers appended to `numbers`; `None` at the end of the file.
    pub fn with_numbers(&mut self, numbers: &mut Vec<u64>) -> Result<Option<T>> {
        while self.at >= self.chunk.len() {
            if !self.next_chunk()? {
                return Ok(None);
            }
        }
        let damaged = || Error::checksum_mismatch(&self.path);
        let rest = self.chunk.get(self.at..).unwrap_or_default();
        let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
        let row = rest.get(..u32::from_le_bytes(*length) as usize).ok_or_else(damaged)?;
        self.at += length.len() + row.len();
        let (value, rest) = postcard::take_from_bytes(row).map_err(|_| damaged())?;
        let (stored, rest) = rest.as_chunks::<8>();
        numbers.extend(stored.iter().map(|number| u64::from_le_bytes(*number)));
        if rest.is_empty() { Ok(Some(value)) } else { Err(damaged()) }
    }

    /// Reads and checks the next chunk; false at the end of the file.
    fn next_chunk(&mut self) -> Result<bool> {
        let damaged = || Error::checksum_mismatch(&self.path);
        let unreadable = |error| Error::io("read", &self.path)(error);
        let mut header = Vec::with_capacity(HEADER);
        self.file.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(unreadable)?;
        if header.is_empty() && self.may_end {
            return Ok(false);
        }
        let (numbers, _) = header.as_chunks::<8>();
        let &[stored, bytes, sum, check] = numbers else { return Err(damaged()) };
        let [stored, bytes, sum, check] = [stored, bytes, sum, check].map(u64::from_le_bytes);
        if combine(&[stored, bytes, sum]) != check {
            return Err(damaged());
        }
        // What the file holds decides about memory, not what it says of itself.
        self.stored.clear();
        let read = self.file.by_ref().take(stored).read_to_end(&mut self.stored).map_err(unreadable)? as u64;
        if read != stored || hash64(&self.stored) != sum || bytes / MOST_EXPANSION > stored {
            return Err(damaged());
        }
        if stored == bytes {
            std::mem::swap(&mut self.stored, &mut self.chunk);
        } else {
            self.chunk.clear();
            self.chunk.reserve(bytes as usize);
            let found = self.decompressor.decompress_to_buffer(&self.stored, &mut self.chunk);
            found.map_err(|_| damaged())?;
        }
        (self.at, self.may_end) = (0, bytes == 0);
        Ok(true)
    }
}

impl<T: DeserializeOwned> Iterator for Reader<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        self.with_numbers(&mut Vec::new()).transpose()
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
    fn numbers_come_back_with_their_rows() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let rows: Vec<(String, Vec<u64>)> =
            (0..300).map(|i| ("x".repeat(i % 7), (0..i as u64 * 9).map(|n| n << (i % 60)).collect())).collect();
        let mut writer = Writer::uncompressed(&path).unwrap();
        rows.iter().for_each(|(text, numbers)| writer.push_with_numbers(text, numbers).unwrap());
        writer.finish().unwrap();
        let mut reader = Reader::<String>::open(&path).unwrap();
        for (text, numbers) in &rows {
            let mut got = Vec::new();
            assert_eq!(reader.with_numbers(&mut got).unwrap().as_ref(), Some(text));
            assert_eq!(&got, numbers);
        }
        assert_eq!(reader.next().map(Result::unwrap), None);
    }

    #[test]
    fn a_row_longer_than_its_length_field_can_say_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let mut writer = Writer::create(&path).unwrap();
        // A string of n < 128 bytes takes n + 1.
        writer.push_limited(&"a".repeat(9), &[], 10).unwrap();
        let error = writer.push_limited(&"b".repeat(10), &[], 10).unwrap_err().to_string();
        assert!(error.contains("11 bytes"), "{error}");
        writer.push_limited(&"c", &[], 10).unwrap();
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
        let mut changed = (0..sound.len()).step_by(41).map(|at| {
            let mut damaged = sound.clone();
            damaged[at] ^= 0x10;
            read(&damaged)
        });
        assert!(changed.all(|found| found.is_err()));
    }

    #[test]
    fn lengths_that_a_file_only_claims_are_damage() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rows");
        let chunk = |stored: u64, bytes: u64, content: &[u8]| {
            let numbers = [stored, bytes, hash64(content)];
            let header: Vec<u8> = numbers.iter().chain([&combine(&numbers)]).flat_map(|n| n.to_le_bytes()).collect();
            fs::write(&path, [&header, content].concat()).unwrap();
            Reader::<String>::open(&path).unwrap().next().unwrap().map_err(|error| error.to_string())
        };
        let sound = b"\x02\0\0\0\x01a";
        assert_eq!(chunk(6, 6, sound).unwrap(), "a");
        for (stored, bytes) in [(u64::MAX / 4, 6), (1 << 40, 1 << 40), (6, u64::MAX / 2), (6, 1 << 40)] {
            assert!(chunk(stored, bytes, sound).unwrap_err().contains("damaged"), "{stored} {bytes}");
        }
    }
}
