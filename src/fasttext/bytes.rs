//! Numbers and strings of a file in the order in which they stand, each after a check that it is there.

use std::ops::Range;

/// What is wrong with the file of a model, as the end of a sentence that begins with its name.
pub type Broken = String;

/// A place in the bytes of a file.
pub struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    pub fn new(bytes: &'b [u8]) -> Cursor<'b> {
        Cursor { bytes, at: 0 }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Number of bytes that are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The range of the next `length` bytes; `what` they are is named in the error.
    pub fn range(&mut self, length: usize, what: &str) -> Result<Range<usize>, Broken> {
        if length > self.left() {
            return Err(format!("ends within {what}: {length} bytes are announced, {} are left", self.left()));
        }
        let start = self.at;
        self.at += length;
        Ok(start..self.at)
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Broken> {
        let range = self.range(N, what)?;
        self.bytes.get(range).and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| format!("ends within {what}"))
    }

    pub fn u8(&mut self, what: &str) -> Result<u8, Broken> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub fn i32(&mut self, what: &str) -> Result<i32, Broken> {
        Ok(i32::from_le_bytes(self.array(what)?))
    }

    pub fn i64(&mut self, what: &str) -> Result<i64, Broken> {
        Ok(i64::from_le_bytes(self.array(what)?))
    }

    /// A number of things, not below 0.
    pub fn count(&mut self, what: &str) -> Result<usize, Broken> {
        let number = self.i32(what)?;
        usize::try_from(number).map_err(|_| format!("has {number} as {what}"))
    }

    /// A number of rows or columns, not below 0.
    pub fn long_count(&mut self, what: &str) -> Result<usize, Broken> {
        let number = self.i64(what)?;
        usize::try_from(number).map_err(|_| format!("has {number} as {what}"))
    }

    /// `true` or `false`.
    pub fn flag(&mut self, what: &str) -> Result<bool, Broken> {
        match self.u8(what)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("has {other} as {what}, which is 0 or 1")),
        }
    }

    /// Numbers, copied.
    pub fn floats(&mut self, count: usize, what: &str) -> Result<Vec<f32>, Broken> {
        let length = count.checked_mul(4).ok_or_else(|| format!("announces {count} numbers of {what}"))?;
        let range = self.range(length, what)?;
        Ok(floats(self.bytes.get(range).unwrap_or_default()).collect())
    }

    /// The bytes up to the next NUL, which is passed over.
    pub fn word(&mut self) -> Result<&'b [u8], Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = memchr::memchr(0, rest).ok_or("ends within a word of the dictionary")?;
        self.at += end + 1;
        Ok(rest.get(..end).unwrap_or_default())
    }
}

/// Little-endian numbers wherever they stand; a file does not align them.
pub fn floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four))
}
