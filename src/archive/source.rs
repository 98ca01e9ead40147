//! A position in the bytes of one file that can be read forward and moved.
//!
//! Border: knows neither gzip nor WARC; errors are the environment's.

use std::io::{self, BufRead, ErrorKind};

use super::Bytes;

/// Reads forward from a position; moving elsewhere opens a new reader.
pub(super) struct Source<'a> {
    bytes: &'a dyn Bytes,
    reader: Option<Box<dyn BufRead + 'a>>,
    position: u64,
}

impl<'a> Source<'a> {
    pub(super) fn new(bytes: &'a dyn Bytes, position: u64) -> Self {
        Self { bytes, reader: None, position }
    }

    /// The file itself, for a look elsewhere.
    pub(super) fn bytes(&self) -> &'a dyn Bytes {
        self.bytes
    }

    /// File offset of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Goes to `position`; free when already there.
    pub(super) fn seek(&mut self, position: u64) {
        if position != self.position {
            self.reader = None;
            self.position = position;
        }
    }

    /// The next bytes, empty only at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(self.bytes.read_from(self.position)?),
        };
        while let Err(error) = reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        reader.fill_buf()
    }

    /// Marks `n` of the filled bytes as read.
    pub(super) fn consume(&mut self, n: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(n);
            self.position = self.position.saturating_add(n as u64);
        }
    }

    /// The next byte, `None` at the end of the file.
    pub(super) fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.fill()?.first().copied();
        if byte.is_some() {
            self.consume(1);
        }
        Ok(byte)
    }
}

/// At most `max` bytes of the file from `offset` on; fewer only at its end.
pub(super) fn read_at(bytes: &dyn Bytes, offset: u64, max: usize) -> io::Result<Vec<u8>> {
    let mut source = Source::new(bytes, offset);
    let mut out = Vec::new();
    while out.len() < max {
        let filled = source.fill()?;
        let n = filled.len().min(max - out.len());
        if n == 0 {
            break;
        }
        out.extend_from_slice(filled.get(..n).unwrap_or_default());
        source.consume(n);
    }
    Ok(out)
}
