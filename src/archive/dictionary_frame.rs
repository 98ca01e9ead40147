//! Skippable frames of zstd, and the dictionaries in them.

use std::io::{self, Read};

use super::cursor::{ByteCursor, read_at};
use super::{Bytes, magic};

/// Largest dictionary in bytes, and largest window as a power of two: 128 MiB each.
pub(super) const MAX_DICTIONARY: u64 = 1 << 27;
pub(super) const MAX_WINDOW_LOG: u32 = 27;
pub(super) const DICTIONARY: &[u8] = &[0x37, 0xa4, 0x30, 0xec];
pub(super) const DICTIONARY_FRAME: &[u8] = &[0x5d, 0x2a, 0x4d, 0x18];

/// A skippable frame: it contains no record data, but may contain a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skippable {
    /// File offset of the byte after the frame, at most the size of the file.
    pub(super) end: u64,
    /// Whether this is a dictionary frame.
    pub(super) dictionary: bool,
    /// Whether the end of the file or another frame follows, so that the size can be trusted.
    pub(super) sound: bool,
}

/// The skippable frame at `at`, if one is there and ends within the file.
pub(super) fn skippable(bytes: &dyn Bytes, at: u64) -> io::Result<Option<Skippable>> {
    let head = read_at(bytes, at, 8)?;
    let [a @ (0x50..=0x5f), 0x2a, 0x4d, 0x18, size @ ..] = head.as_slice() else { return Ok(None) };
    let Ok(size) = <[u8; 4]>::try_from(size) else { return Ok(None) };
    let end = at.saturating_add(8).saturating_add(u64::from(u32::from_le_bytes(size)));
    if end > bytes.len() {
        return Ok(None);
    }
    let next = read_at(bytes, end, 4)?;
    let sound = end == bytes.len() || next == magic::ZSTD || magic::is_skippable(&next);
    Ok(Some(Skippable { end, dictionary: *a == 0x5d, sound }))
}

/// The id in a dictionary's first eight bytes.
pub(super) fn id(dictionary: &[u8]) -> Option<u32> {
    let [a, b, c, d, ..] = *dictionary.strip_prefix(DICTIONARY)? else { return None };
    Some(u32::from_le_bytes([a, b, c, d]))
}

/// The content of a dictionary frame: a dictionary, or a zstd frame of one.
pub(super) struct Stored {
    start: u64,
    size: u64,
}

impl Stored {
    /// The content of the frame at `offset`; `None` if it contains no dictionary or one above 128 MiB.
    pub(super) fn of(frame: &Skippable, offset: u64) -> Option<Stored> {
        let start = offset.saturating_add(8);
        let size = frame.end.saturating_sub(start);
        let counts = frame.dictionary && (frame.sound || offset == 0) && size <= MAX_DICTIONARY;
        counts.then_some(Stored { start, size })
    }

    /// Whether it is compressed.
    pub(super) fn is_packed(&self, bytes: &dyn Bytes) -> io::Result<bool> {
        Ok(read_at(bytes, self.start, 4)? == magic::ZSTD)
    }

    /// Appends the first `max` bytes, decompressed if necessary, to `out`. False if what is compressed is invalid or gives
    /// more than 128 MiB; `out` then has what was decoded before.
    pub(super) fn read(&self, bytes: &dyn Bytes, max: u64, out: &mut Vec<u8>) -> io::Result<bool> {
        if self.is_packed(bytes)? {
            let payload = DictionaryReader { cursor: ByteCursor::new(bytes, self.start), left: self.size };
            return Ok(unpack(payload, max, out));
        }
        out.extend(read_at(bytes, self.start, self.size.min(max) as usize)?);
        Ok(true)
    }
}

/// Decompresses the first `max` bytes of a dictionary; false if the data are invalid or too long.
fn unpack(payload: DictionaryReader<'_>, max: u64, out: &mut Vec<u8>) -> bool {
    let Ok(decoder) = zstd::stream::read::Decoder::new(payload) else { return false };
    let mut decoder = decoder.single_frame();
    let valid =
        decoder.window_log_max(MAX_WINDOW_LOG).is_ok() && decoder.take(max.saturating_add(1)).read_to_end(out).is_ok();
    let whole = out.len() as u64 <= max || max < MAX_DICTIONARY;
    out.truncate(max as usize);
    valid && whole
}

/// Reads the content of a dictionary frame from the file.
struct DictionaryReader<'a> {
    cursor: ByteCursor<'a>,
    left: u64,
}

impl Read for DictionaryReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let filled = self.cursor.fill()?;
        let n = filled.len().min(out.len()).min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if let (Some(to), Some(from)) = (out.get_mut(..n), filled.get(..n)) {
            to.copy_from_slice(from);
        }
        self.cursor.consume(n);
        self.left -= n as u64;
        Ok(n)
    }
}
