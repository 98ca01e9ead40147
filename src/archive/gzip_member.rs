//! Decompresses one gzip member (RFC 1952): header, deflate data, checksum.
//!
//! Exactly the bytes of a member are consumed, so that after a whole member the cursor is at the byte that follows it.
//! A sound member of which all bytes are at hand, as of nearly every record, is decompressed at once by libdeflate; any
//! other one piece by piece. Invalid data end in a [`MemberState`]; only a failing environment is an error.
//! The decompressed bytes are interpreted in `stream` and `scan`.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};
use libdeflater::{DecompressionError, Decompressor, crc32};
use memchr::{memchr, memmem};

use super::cursor::ByteCursor;
use super::magic;
use super::{Bytes, DamageReason};

/// Least and most bytes decompressed at a time. In between, as many as there are already: each call copies the last
/// 32 KiB for the next one and clears the room it writes to, so that few large calls are cheaper for a large member.
const CHUNK: usize = 64 << 10;
const LARGEST_CHUNK: usize = 1 << 20;
/// Least and most bytes into which a member is decompressed at once.
const ROOM: usize = 256 << 10;
const LARGEST_ROOM: usize = 4 << 20;
/// Most bytes that a byte of deflate gives.
const MOST_TIMES: usize = 1032;
/// Bytes of the checksum and the size at the end of a member.
const TRAILER: usize = 8;
/// A deflate stream without bytes, as compressors write it, with its checksum and size.
const EMPTY: [&[u8]; 2] = [b"\x03\0\0\0\0\0\0\0\0\0", b"\x01\0\0\xff\xff\0\0\0\0\0\0\0\0"];
/// Compressed bytes that a member may take before it gives its first byte when it is only looked at, and how many more
/// for each byte that it gives. Any compressor gives bytes for fewer.
const PEEKED: usize = 512;
const PEEKED_PER_BYTE: usize = 8;
/// Longest file name or comment that is accepted in a member header.
const MAX_HEADER_TEXT: usize = 4 << 10;
/// Bits of the FLG byte of the member header.
const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;
/// Those that must not be set.
const RESERVED: u8 = 0xe0;

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
    /// Whether the tables are still those of an earlier member.
    stale: bool,
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self {
            inflate: Decompress::new(false),
            crc: Crc::new(),
            state: MemberState::Whole,
            whole: WholeInflater::default(),
            untouched: false,
            stale: false,
        }
    }

    pub(super) fn state(&self) -> MemberState {
        self.state
    }

    /// Ends the member for a reason that is not in its data.
    pub(super) fn give_up(&mut self, reason: DamageReason) {
        self.state = MemberState::Damaged(reason);
    }

    /// Reads a member header. If there is none: false, and the cursor has moved some way past its position.
    pub(super) fn begin(&mut self, cursor: &mut ByteCursor<'_>) -> io::Result<bool> {
        let found = read_header(cursor)?.is_some();
        if found {
            self.state = MemberState::Reading;
            self.untouched = true;
            // The tables are cleared when they are needed: for most members they are not.
            self.stale = true;
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
        let room = out.len().clamp(CHUNK, LARGEST_CHUNK);
        self.decode_some(cursor, out, room, usize::MAX)
    }

    /// Appends at most `room` decompressed bytes of at most `most` compressed ones.
    fn decode_some(
        &mut self,
        cursor: &mut ByteCursor<'_>,
        out: &mut Vec<u8>,
        room: usize,
        most: usize,
    ) -> io::Result<()> {
        if std::mem::take(&mut self.stale) {
            self.inflate.reset(false);
            self.crc.reset();
        }
        let before = out.len();
        out.resize(before + room, 0);
        let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
        let input = cursor.fill()?;
        let input = input.get(..most).unwrap_or(input);
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
        if let Some(empty) = EMPTY.iter().find(|empty| input.starts_with(empty)) {
            return Ok(Some(<[u8]>::len(empty)));
        }
        let next =
            memmem::find(input, &magic::GZIP_DEFLATE).or_else(|| (input.len() as u64 >= left).then_some(input.len()));
        let member = next.and_then(|next| input.get(..next)).unwrap_or_default();
        let Some((deflated, trailer)) = member.split_last_chunk::<TRAILER>() else { return Ok(None) };
        // The trailer of a member without bytes is zeros, as is padding after it.
        let Some(inflated) = self.inflate(deflated, *trailer).filter(|inflated| !inflated.is_empty()) else {
            return Ok(None);
        };
        let expected = (inflated.len() as u64) << 32 | u64::from(crc32(inflated));
        if u64::from_le_bytes(*trailer) != expected {
            return Ok(None);
        }
        out.extend_from_slice(inflated);
        Ok(Some(member.len()))
    }

    /// The bytes that a deflate stream gives; None if it is damaged or gives too many. The trailer behind it claims how many
    /// they are, which is where the room begins.
    fn inflate(&mut self, deflated: &[u8], trailer: [u8; TRAILER]) -> Option<&[u8]> {
        let claimed = (u64::from_le_bytes(trailer) >> 32) as usize;
        let most = LARGEST_ROOM.min(deflated.len().saturating_mul(MOST_TIMES));
        let least = claimed.min(most).next_power_of_two().max(ROOM);
        if self.room.len() < least {
            self.room = vec![0; least];
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
pub(super) fn read_header(cursor: &mut ByteCursor<'_>) -> io::Result<Option<()>> {
    let mut fixed = [0; 10];
    for slot in &mut fixed {
        match cursor.byte()? {
            Some(byte) => *slot = byte,
            None => return Ok(None),
        }
    }
    let [_, _, _, flags, ..] = fixed;
    if !fixed.starts_with(&magic::GZIP_DEFLATE) || flags & RESERVED != 0 {
        return Ok(None);
    }
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
    let mut left = MAX_HEADER_TEXT;
    while left > 0 {
        let filled = cursor.fill()?;
        let filled = filled.get(..left).unwrap_or(filled);
        let (end, length) = (memchr(0, filled), filled.len());
        cursor.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || length == 0 {
            return Ok(end.is_some());
        }
        left -= length;
    }
    Ok(false)
}

impl Inflater {
    /// The first decompressed bytes of the member at `offset`, at most `max`; `None` if no member starts there or it
    /// gives no bytes but an error. Must not be called within a member, because the tables are used for it.
    ///
    /// A search looks at every place where a member seems to begin, and hostile files have one every few bytes. Each
    /// look reads a header of bounded length and a bounded number of compressed bytes after it, so that a search takes
    /// time linear in the bytes searched.
    pub(super) fn peek(&mut self, bytes: &dyn Bytes, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
        let before = self.state;
        let mut cursor = ByteCursor::new(bytes, offset);
        if !self.begin(&mut cursor)? {
            return Ok(None);
        }
        self.untouched = false;
        let (start, mut out) = (cursor.position(), Vec::new());
        while self.state == MemberState::Reading && out.len() < max {
            let read = usize::try_from(cursor.position().saturating_sub(start)).unwrap_or(usize::MAX);
            let most = (PEEKED + PEEKED_PER_BYTE * out.len()).saturating_sub(read);
            if most == 0 {
                break;
            }
            let room = max - out.len();
            self.decode_some(&mut cursor, &mut out, room, most)?;
        }
        let nothing = out.is_empty() && self.state != MemberState::Whole;
        self.state = before;
        Ok((!nothing).then_some(out))
    }
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
                let start = Inflater::new().peek(&bytes.as_slice(), 0, 100).unwrap().unwrap();
                assert_eq!(start, text[..text.len().min(100)]);
            }
        }
    }

    #[test]
    fn empty_members_are_whole_and_exact() {
        for empty in EMPTY {
            let bytes = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], empty, &[0; 9]].concat();
            assert_eq!(inflate(&bytes), (vec![], MemberState::Whole, 10 + empty.len() as u64));
        }
    }

    /// A member of empty blocks alone shows nothing, however long it is; few of its bytes are read.
    #[test]
    fn a_look_reads_few_bytes() {
        let blocks = [0, 0, 0, 0xff, 0xff].repeat(1 << 16);
        let bytes = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &blocks].concat();
        let mut inflater = Inflater::new();
        assert_eq!(inflater.peek(&bytes, 0, 100).unwrap(), None);
        assert!(inflater.inflate.total_in() <= PEEKED as u64);
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
