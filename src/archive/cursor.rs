//! A seekable, buffered reader over the bytes of one file. It knows neither gzip nor WARC; its errors are those of the
//! environment.

use std::io::{self, BufRead, ErrorKind};

use super::Bytes;

/// Reads forward from a position; seeking elsewhere opens a new reader.
pub(super) struct ByteCursor<'a> {
    bytes: &'a dyn Bytes,
    reader: Option<Box<dyn BufRead + 'a>>,
    position: u64,
}

impl<'a> ByteCursor<'a> {
    pub(super) fn new(bytes: &'a dyn Bytes, position: u64) -> Self {
        Self { bytes, reader: None, position }
    }

    /// The file itself, for reads at other offsets.
    pub(super) fn bytes(&self) -> &'a dyn Bytes {
        self.bytes
    }

    /// File offset of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Moves to `position`; costs nothing when already there.
    pub(super) fn seek(&mut self, position: u64) {
        if position != self.position {
            self.reader = None;
            self.position = position;
        }
    }

    /// The next bytes; empty only at the end of the file.
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

/// Reads `max` bytes from `offset` on; fewer only at the end of the file.
pub(super) fn read_at(bytes: &dyn Bytes, offset: u64, max: usize) -> io::Result<Vec<u8>> {
    let mut cursor = ByteCursor::new(bytes, offset);
    let mut out = Vec::new();
    while out.len() < max {
        let filled = cursor.fill()?;
        let n = filled.len().min(max - out.len());
        if n == 0 {
            break;
        }
        out.extend_from_slice(filled.get(..n).unwrap_or_default());
        cursor.consume(n);
    }
    Ok(out)
}
