//! Decompresses one gzip member (RFC 1952): header, deflate data, checksum.
//!
//! Exactly the bytes of a member are consumed, so that after a whole member the cursor is at the byte that follows it.
//! A sound member of which all bytes are at hand, as of nearly every record, is decompressed at once by libdeflate; any
//! other one piece by piece. Invalid data end in a [`MemberState`]; only a failing environment is an error.
//! The decompressed bytes are interpreted in `stream` and `scan`.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use libdeflater::{DecompressionError, Decompressor, crc32};
use memchr::memmem;

use super::cursor::ByteCursor;
use super::{Bytes, DamageReason};

/// Least and most bytes decompressed at a time. In between, as many as there are already: each call copies the last
/// 32 KiB for the next one and clears the room it writes to, so that few large calls are cheaper for a large member.
const CHUNK: usize = 64 << 10;
const LARGEST_CHUNK: usize = 1 << 20;
/// Least and most bytes into which a member is decompressed at once.
const ROOM: usize = 256 << 10;
const LARGEST_ROOM: usize = 4 << 20;
/// Bytes of the checksum and the size at the end of a member.
const TRAILER: usize = 8;
/// The bytes with which every member begins.
const MAGIC: &[u8] = &[0x1f, 0x8b, 8];
/// Longest file name or comment that is accepted in a member header.
const MAX_HEADER_TEXT: usize = 4 << 10;
/// Bits of the FLG byte of the member header.
const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;

/// How far a member has been read, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberState {
    /// More bytes may follow.
    Reading,
    /// Ended; checksum and size are right.
    Whole,
    /// Ended; checksum or size are wrong.
    BadChecksum,
    /// Ended early because the data are invalid or cut off.
    Damaged(DamageReason),
}

/// Decompresses one gzip member after another with one set of tables.
pub(super) struct Inflater {
    inflate: Decompress,
    crc: Crc,
    state: MemberState,
    whole: WholeInflater,
    /// Whether no byte of the member is decompressed yet, and all of it may be at once.
    untouched: bool,
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            crc: Crc::new(),
            state: MemberState::Whole,
            whole: WholeInflater::default(),
            untouched: false,
        }
    }

    pub(super) fn state(&self) -> MemberState {
        self.state
    }

    /// Reads a member header. If there is none: false, and the cursor has moved some way past its position.
    pub(super) fn begin(&mut self, cursor: &mut ByteCursor<'_>) -> io::Result<bool> {
        let found = read_header(cursor)?.is_some();
        if found {
            self.inflate.reset(false);
            self.crc.reset();
            self.state = MemberState::Reading;
            self.untouched = true;
        }
        Ok(found)
    }

    /// Appends the next decompressed bytes to `out` and updates [`Inflater::state`].
    pub(super) fn decode_next(&mut self, cursor: &mut ByteCursor<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        if std::mem::take(&mut self.untouched)
            && let Some(length) = self.whole.decode(cursor, out)?
        {
            cursor.consume(length);
            self.state = MemberState::Whole;
            return Ok(());
        }
        let before = out.len();
        out.resize(before + before.clamp(CHUNK, LARGEST_CHUNK), 0);
        let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
        let input = cursor.fill()?;
        let at_end = input.is_empty();
        let room = out.get_mut(before..).unwrap_or_default();
        let status = self.inflate.decompress(input, room, FlushDecompress::None);
        let read = (self.inflate.total_in() - total_in) as usize;
        let written = (self.inflate.total_out() - total_out) as usize;
        out.truncate(before + written);
        cursor.consume(read);
        self.crc.update(out.get(before..).unwrap_or_default());
        self.state = match status {
            Ok(Status::StreamEnd) => self.check(cursor)?,
            Ok(_) if at_end && written == 0 => MemberState::Damaged(DamageReason::Truncated),
            // No progress although there was input and room for output: there will never be any.
            Ok(_) if !at_end && read == 0 && written == 0 => MemberState::Damaged(DamageReason::BadDeflate),
            Ok(_) => MemberState::Reading,
            Err(_) => MemberState::Damaged(DamageReason::BadDeflate),
        };
        Ok(())
    }

    /// Compares checksum and size with the trailer of the member.
    fn check(&self, cursor: &mut ByteCursor<'_>) -> io::Result<MemberState> {
        let mut trailer = [0; 8];
        for slot in &mut trailer {
            match cursor.byte()? {
                Some(byte) => *slot = byte,
                None => return Ok(MemberState::Damaged(DamageReason::Truncated)),
            }
        }
        let expected = u64::from(self.crc.amount()) << 32 | u64::from(self.crc.sum());
        Ok(if u64::from_le_bytes(trailer) == expected { MemberState::Whole } else { MemberState::BadChecksum })
    }
}

/// Decompresses members at once.
#[derive(Default)]
struct WholeInflater {
    decompressor: Decompressor,
    /// Where the decompressed bytes are written; cleared only once.
    room: Vec<u8>,
}

impl WholeInflater {
    /// Appends the decompressed bytes of the member whose header was just read, and gives the length of the rest of the
    /// member. None, and nothing appended, if the member is not sound, too large, or may not lie whole in the bytes at
    /// hand.
    fn decode(&mut self, cursor: &mut ByteCursor<'_>, out: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let left = cursor.bytes().len().saturating_sub(cursor.position());
        let input = cursor.fill()?;
        let next = memmem::find(input, MAGIC).or_else(|| (input.len() as u64 >= left).then_some(input.len()));
        let member = next.and_then(|next| input.get(..next)).unwrap_or_default();
        let Some((deflated, trailer)) = member.split_last_chunk::<TRAILER>() else { return Ok(None) };
        // The trailer of a member without bytes is zeros, as is padding after it.
        let Some(inflated) = self.inflate(deflated).filter(|inflated| !inflated.is_empty()) else { return Ok(None) };
        let expected = (inflated.len() as u64) << 32 | u64::from(crc32(inflated));
        if u64::from_le_bytes(*trailer) != expected {
            return Ok(None);
        }
        out.extend_from_slice(inflated);
        Ok(Some(member.len()))
    }

    /// The bytes that a deflate stream gives; None if it is damaged or gives too many.
    fn inflate(&mut self, deflated: &[u8]) -> Option<&[u8]> {
        if self.room.is_empty() {
            self.room = vec![0; ROOM];
        }
        loop {
            match self.decompressor.deflate_decompress(deflated, &mut self.room) {
                Ok(length) => return self.room.get(..length),
                Err(DecompressionError::InsufficientSpace) if self.room.len() < LARGEST_ROOM => {
                    self.room = vec![0; self.room.len() * 4];
                }
                Err(_) => return None,
            }
        }
    }
}

/// Reads a member header; `None` if there is no valid one.
fn read_header(cursor: &mut ByteCursor<'_>) -> io::Result<Option<()>> {
    let mut fixed = [0; 10];
    for slot in &mut fixed {
        match cursor.byte()? {
            Some(byte) => *slot = byte,
            None => return Ok(None),
        }
    }
    let [0x1f, 0x8b, 8, flags @ 0..=0x1f, ..] = fixed else { return Ok(None) };
    if flags & FEXTRA != 0 {
        let (Some(low), Some(high)) = (cursor.byte()?, cursor.byte()?) else { return Ok(None) };
        if !skip(cursor, usize::from(u16::from_le_bytes([low, high])))? {
            return Ok(None);
        }
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 && !skip_text(cursor)? {
            return Ok(None);
        }
    }
    let whole = flags & FHCRC == 0 || skip(cursor, 2)?;
    Ok(whole.then_some(()))
}

fn skip(cursor: &mut ByteCursor<'_>, mut n: usize) -> io::Result<bool> {
    while n > 0 {
        let step = cursor.fill()?.len().min(n);
        if step == 0 {
            return Ok(false);
        }
        cursor.consume(step);
        n -= step;
    }
    Ok(true)
}

fn skip_text(cursor: &mut ByteCursor<'_>) -> io::Result<bool> {
    for _ in 0..MAX_HEADER_TEXT {
        match cursor.byte()? {
            Some(0) => return Ok(true),
            Some(_) => {}
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// The first decompressed bytes of the member at `offset`, at most `max`; `None` if no member starts there or it gives
/// no bytes but an error.
pub(super) fn peek(bytes: &dyn Bytes, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
    let mut cursor = ByteCursor::new(bytes, offset);
    let mut inflater = Inflater::new();
    if !inflater.begin(&mut cursor)? {
        return Ok(None);
    }
    inflater.untouched = false;
    let mut out = Vec::new();
    while inflater.state() == MemberState::Reading && out.len() < max {
        inflater.decode_next(&mut cursor, &mut out)?;
    }
    let nothing = out.is_empty() && inflater.state() != MemberState::Whole;
    out.truncate(max);
    Ok((!nothing).then_some(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn inflate(bytes: &[u8]) -> (Vec<u8>, MemberState, u64) {
        let mut cursor = ByteCursor::new(&bytes, 0);
        let mut inflater = Inflater::new();
        assert!(inflater.begin(&mut cursor).unwrap());
        let mut out = Vec::new();
        while inflater.state() == MemberState::Reading {
            inflater.decode_next(&mut cursor, &mut out).unwrap();
        }
        (out, inflater.state(), cursor.position())
    }

    fn member(text: &[u8]) -> Vec<u8> {
        let mut writer = GzBuilder::new()
            .extra(b"sl\x08\0abcdefgh".to_vec())
            .filename("a.warc")
            .comment("c")
            .write(Vec::new(), Compression::default());
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn consumes_exactly_the_member() {
        let mut bytes = member(b"hello");
        let length = bytes.len() as u64;
        bytes.extend_from_slice(b"rest");
        assert_eq!(inflate(&bytes), (b"hello".to_vec(), MemberState::Whole, length));
    }

    #[test]
    fn at_once_and_piece_by_piece_give_the_same() {
        let noise: Vec<u8> = (0..50_000u32).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
        let texts = [vec![], b"hello".to_vec(), b"hello ".repeat(100_000), noise.repeat(9), vec![7; LARGEST_ROOM + 1]];
        for text in texts {
            for rest in [member(b"next"), b"".to_vec(), b"\n\nrest".to_vec(), vec![0; 100]] {
                let first = member(&text);
                let bytes = [first.clone(), rest].concat();
                assert_eq!(inflate(&bytes), (text.clone(), MemberState::Whole, first.len() as u64));
                let start = peek(&bytes.as_slice(), 0, 100).unwrap().unwrap();
                assert_eq!(start, text[..text.len().min(100)]);
            }
        }
    }

    #[test]
    fn wrong_checksum_keeps_the_bytes() {
        let mut bytes = member(b"hello");
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
        assert_eq!(inflate(&bytes).1, MemberState::BadChecksum);
    }

    #[test]
    fn every_cut_is_truncated_or_no_member() {
        let bytes = member(&b"hello ".repeat(2000));
        for cut in 0..bytes.len() {
            let short = &bytes[..cut];
            let mut cursor = ByteCursor::new(&short, 0);
            let mut inflater = Inflater::new();
            if !inflater.begin(&mut cursor).unwrap() {
                continue;
            }
            assert_eq!(inflate(short).1, MemberState::Damaged(DamageReason::Truncated), "cut at {cut}");
        }
    }
}
