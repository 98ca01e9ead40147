//! A sorted run on disk.
//!
//! ```text
//! file = zstd(row, row, …)                  with zstd's own checksum
//! row  = bytes shared with the key before, bytes that follow, count + 1, documents (LEB128 each), the bytes
//!        that follow; a row of zeros ends the file
//! ```

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::KeyCount;
use crate::error::{Error, Result};
use crate::store::atomic;

/// Compression counts less than speed here; front coding has taken the most.
const LEVEL: i32 = 1;
/// Bytes that are given to zstd or taken from it at a time.
const CHUNK: usize = 1 << 16;

/// A sorted run on disk, which is removed when the value is dropped.
pub struct CountRun {
    path: PathBuf,
}

impl Drop for CountRun {
    fn drop(&mut self) {
        // A file that cannot be removed now is swept away like any unfinished file.
        let _ = atomic::remove(&self.path);
    }
}

pub struct Writer {
    run: CountRun,
    encoder: zstd::Encoder<'static, File>,
    bytes: Vec<u8>,
    last: Vec<u8>,
}

impl Writer {
    pub fn create(folder: &Path) -> Result<Writer> {
        std::fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
        let run = CountRun { path: atomic::temporary(&folder.join("counts")) };
        let encoder = File::create(&run.path).and_then(|file| zstd::Encoder::new(file, LEVEL));
        let mut encoder = encoder.map_err(Error::io("create", &run.path))?;
        encoder.include_checksum(true).map_err(Error::io("create", &run.path))?;
        Ok(Writer { run, encoder, bytes: Vec::with_capacity(2 * CHUNK), last: Vec::new() })
    }

    /// Keys must come in ascending order.
    pub fn push(&mut self, key: &[u8], count: KeyCount) -> Result<()> {
        let shared = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
        let rest = key.get(shared..).unwrap_or_default();
        for number in [shared as u64, rest.len() as u64, count.count + 1, count.documents] {
            write_number(number, &mut self.bytes);
        }
        self.bytes.extend_from_slice(rest);
        self.last.truncate(shared);
        self.last.extend_from_slice(rest);
        if self.bytes.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.encoder.write_all(&self.bytes).map_err(Error::io("write", &self.run.path))?;
        self.bytes.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<CountRun> {
        self.bytes.extend([0; 4]);
        self.flush()?;
        self.encoder.finish().map_err(Error::io("write", &self.run.path))?;
        Ok(self.run)
    }
}

/// Reads a run; `key` and `count` are those of the current row.
pub struct Reader {
    run: CountRun,
    rows: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    pub key: Vec<u8>,
    pub count: KeyCount,
}

impl Reader {
    pub fn open(run: CountRun) -> Result<Reader> {
        let decoder = File::open(&run.path).and_then(zstd::Decoder::new);
        let rows = BufReader::with_capacity(CHUNK, decoder.map_err(Error::io("open", &run.path))?);
        Ok(Reader { run, rows, key: Vec::new(), count: KeyCount::default() })
    }

    /// Goes to the next row; false at the end.
    pub fn advance(&mut self) -> Result<bool> {
        self.row().map_err(Error::io("read", &self.run.path))
    }

    fn row(&mut self) -> io::Result<bool> {
        let shared = read_number(&mut self.rows)?;
        let rest = read_number(&mut self.rows)?;
        let count = read_number(&mut self.rows)?;
        let documents = read_number(&mut self.rows)?;
        let Some(count) = count.checked_sub(1) else { return self.ended() };
        self.count = KeyCount { count, documents };
        self.key.truncate(shared as usize);
        let read = self.rows.by_ref().take(rest).read_to_end(&mut self.key)?;
        if read as u64 == rest { Ok(true) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads to the end of the file, so that zstd compares its checksum.
    fn ended(&mut self) -> io::Result<bool> {
        if self.rows.fill_buf()?.is_empty() { Ok(false) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

fn write_number(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn read_number(from: &mut impl BufRead) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *from.fill_buf()?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
        from.consume(1);
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(io::ErrorKind::InvalidData.into())
}
