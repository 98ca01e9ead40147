//! One gzip member (RFC 1952): header, deflate data, checksum.
//!
//! Contract: inflates a member piece by piece and consumes exactly its bytes, so that the source stands on the first
//! byte after it when it ends well. Broken data are a [`State`], only a broken environment is an error.
//! Border: what the inflated bytes mean is for `stream` and `scan`.

use std::io;

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::source::Source;
use super::{Bytes, DamageReason};

/// Bytes inflated at a time, of a large member as many as there are already: after each time the last 32 KiB are copied
/// for the next, and before it the room is filled with zeros.
const CHUNK: usize = 64 << 10;
const LARGEST_CHUNK: usize = 1 << 20;
/// Longest file name or comment stepped over in a member header.
const MAX_HEADER_TEXT: usize = 4 << 10;
/// FLG bits of the member header.
const FHCRC: u8 = 2;
const FEXTRA: u8 = 4;
const FNAME: u8 = 8;
const FCOMMENT: u8 = 16;

/// How far the member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// More may come.
    Reading,
    /// Ended, checksum and size hold.
    Whole,
    /// Ended, checksum or size do not hold.
    BadChecksum,
    /// Broken off.
    Damaged(DamageReason),
}

/// Inflates one member after another, reusing its tables.
pub(super) struct Inflater {
    inflate: Decompress,
    crc: Crc,
    state: State,
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self { inflate: Decompress::new(false), crc: Crc::new(), state: State::Whole }
    }

    pub(super) fn state(&self) -> State {
        self.state
    }

    /// Reads a member header; false, with the source somewhere past its position, if there is none.
    pub(super) fn begin(&mut self, source: &mut Source<'_>) -> io::Result<bool> {
        let found = read_header(source)?.is_some();
        if found {
            self.inflate.reset(false);
            self.crc.reset();
            self.state = State::Reading;
        }
        Ok(found)
    }

    /// Appends the next inflated bytes to `out`; look at [`Inflater::state`] afterwards.
    pub(super) fn feed(&mut self, source: &mut Source<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let before = out.len();
        out.resize(before + before.clamp(CHUNK, LARGEST_CHUNK), 0);
        let (total_in, total_out) = (self.inflate.total_in(), self.inflate.total_out());
        let input = source.fill()?;
        let at_end = input.is_empty();
        let room = out.get_mut(before..).unwrap_or_default();
        let status = self.inflate.decompress(input, room, FlushDecompress::None);
        let read = (self.inflate.total_in() - total_in) as usize;
        let written = (self.inflate.total_out() - total_out) as usize;
        out.truncate(before + written);
        source.consume(read);
        self.crc.update(out.get(before..).unwrap_or_default());
        self.state = match status {
            Ok(Status::StreamEnd) => self.check(source)?,
            Ok(_) if at_end && written == 0 => State::Damaged(DamageReason::Truncated),
            // Neither side moved although there was input and room: it never will.
            Ok(_) if !at_end && read == 0 && written == 0 => State::Damaged(DamageReason::BadDeflate),
            Ok(_) => State::Reading,
            Err(_) => State::Damaged(DamageReason::BadDeflate),
        };
        Ok(())
    }

    fn check(&self, source: &mut Source<'_>) -> io::Result<State> {
        let mut trailer = [0; 8];
        for slot in &mut trailer {
            match source.byte()? {
                Some(byte) => *slot = byte,
                None => return Ok(State::Damaged(DamageReason::Truncated)),
            }
        }
        let expected = u64::from(self.crc.amount()) << 32 | u64::from(self.crc.sum());
        Ok(if u64::from_le_bytes(trailer) == expected { State::Whole } else { State::BadChecksum })
    }
}

/// Steps over a member header; `None` if there is no valid one.
fn read_header(source: &mut Source<'_>) -> io::Result<Option<()>> {
    let mut fixed = [0; 10];
    for slot in &mut fixed {
        match source.byte()? {
            Some(byte) => *slot = byte,
            None => return Ok(None),
        }
    }
    let [0x1f, 0x8b, 8, flags @ 0..=0x1f, ..] = fixed else { return Ok(None) };
    if flags & FEXTRA != 0 {
        let (Some(low), Some(high)) = (source.byte()?, source.byte()?) else { return Ok(None) };
        if !skip(source, usize::from(u16::from_le_bytes([low, high])))? {
            return Ok(None);
        }
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 && !skip_text(source)? {
            return Ok(None);
        }
    }
    let whole = flags & FHCRC == 0 || skip(source, 2)?;
    Ok(whole.then_some(()))
}

fn skip(source: &mut Source<'_>, mut n: usize) -> io::Result<bool> {
    while n > 0 {
        let step = source.fill()?.len().min(n);
        if step == 0 {
            return Ok(false);
        }
        source.consume(step);
        n -= step;
    }
    Ok(true)
}

fn skip_text(source: &mut Source<'_>) -> io::Result<bool> {
    for _ in 0..MAX_HEADER_TEXT {
        match source.byte()? {
            Some(0) => return Ok(true),
            Some(_) => {}
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// At most the first `max` inflated bytes of the member at `offset`; `None` if no member starts there or nothing but
/// an error comes out of it.
pub(super) fn head(bytes: &dyn Bytes, offset: u64, max: usize) -> io::Result<Option<Vec<u8>>> {
    let mut source = Source::new(bytes, offset);
    let mut inflater = Inflater::new();
    if !inflater.begin(&mut source)? {
        return Ok(None);
    }
    let mut out = Vec::new();
    while inflater.state() == State::Reading && out.len() < max {
        inflater.feed(&mut source, &mut out)?;
    }
    let nothing = out.is_empty() && inflater.state() != State::Whole;
    out.truncate(max);
    Ok((!nothing).then_some(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn inflate(bytes: &[u8]) -> (Vec<u8>, State, u64) {
        let mut source = Source::new(&bytes, 0);
        let mut inflater = Inflater::new();
        assert!(inflater.begin(&mut source).unwrap());
        let mut out = Vec::new();
        while inflater.state() == State::Reading {
            inflater.feed(&mut source, &mut out).unwrap();
        }
        (out, inflater.state(), source.position())
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
        assert_eq!(inflate(&bytes), (b"hello".to_vec(), State::Whole, length));
    }

    #[test]
    fn wrong_checksum_keeps_the_bytes() {
        let mut bytes = member(b"hello");
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
        assert_eq!(inflate(&bytes).1, State::BadChecksum);
    }

    #[test]
    fn every_cut_is_truncated_or_no_member() {
        let bytes = member(&b"hello ".repeat(2000));
        for cut in 0..bytes.len() {
            let short = &bytes[..cut];
            let mut source = Source::new(&short, 0);
            let mut inflater = Inflater::new();
            if !inflater.begin(&mut source).unwrap() {
                continue;
            }
            assert_eq!(inflate(short).1, State::Damaged(DamageReason::Truncated), "cut at {cut}");
        }
    }
}
