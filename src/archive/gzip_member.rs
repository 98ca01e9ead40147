//! Decompresses one gzip member (RFC 1952): header, deflate data, checksum.
//!
//! A member is decompressed piece by piece and exactly its bytes are consumed, so that after a whole member the cursor
//! is at the byte that follows it. Invalid data end in a [`MemberState`]; only a failing environment is an error.
//! The decompressed bytes are interpreted in `stream` and `scan`.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::cursor::ByteCursor;
use super::{Bytes, DamageReason};

/// Least and most bytes decompressed at a time. In between, as many as there are already: each call copies the last
/// 32 KiB for the next one and clears the room it writes to, so that few large calls are cheaper for a large member.
const CHUNK: usize = 64 << 10;
const LARGEST_CHUNK: usize = 1 << 20;
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
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self { inflate: Decompress::new(false), crc: Crc::new(), state: MemberState::Whole }
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
        }
        Ok(found)
    }

    /// Appends the next decompressed bytes to `out` and updates [`Inflater::state`].
    pub(super) fn decode_next(&mut self, cursor: &mut ByteCursor<'_>, out: &mut Vec<u8>) -> io::Result<()> {
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
