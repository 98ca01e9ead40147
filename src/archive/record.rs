//! One record off the front of a stream: header, block, and what to do when they disagree.
//!
//! Contract: a block is cut at its Content-Length if what follows fits, otherwise at the next header. What cannot be a
//! record is passed over up to the next header. Every call makes progress or stands at the end of the stream.
//! A block above `max_block` in a packed file is believed to be as long as it says (up to `max_length`), since a
//! member cannot be read backwards; in a plain file the place where it claims to end is looked at.
//! Border: where the record lies in the file is for `reader`.

use std::io;

use super::arc::{self, Trust};
use super::scan::{self, Format, HeaderEnd};
use super::stream::{Across, Stream};
use super::warc::{BlockLength, Header, is_magic, version_line};
use super::{DamageReason, Flags, Limits, Record};

/// Bytes in which a version line must end.
const VERSION_LINE: usize = 32;
/// Bytes of the header looked at first; most are shorter.
const HEADER: usize = 4096;

/// Bytes that tell whether a line begins like a URL.
const URL_START: usize = 64;

/// What stood where a record was expected.
pub(super) enum Parsed {
    Record(Record),
    Lost { length: u64, reason: DamageReason },
    Padding,
}

/// A header with the length of its bytes, or why there is none.
type Head = Result<(Header, usize), DamageReason>;

/// Takes record after record off a stream.
pub(super) struct Parser<'a> {
    pub(super) stream: Stream<'a>,
    limits: Limits,
    /// The last block was cut by a wrong Content-Length: what follows is its rest.
    mismatch: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(stream: Stream<'a>, limits: &Limits) -> Self {
        Self { stream, limits: limits.clone(), mismatch: false }
    }

    /// Whether what stands at the front may be the rest of a block.
    pub(super) fn in_mismatch(&self) -> bool {
        self.mismatch
    }

    /// Opens the member at a file offset; false if there is none.
    pub(super) fn open_member(&mut self, at: u64) -> io::Result<bool> {
        self.mismatch = false;
        self.stream.open_member(at)
    }

    /// Reads what stands at the front of the stream, which is not blank. Offset and length are for the caller.
    pub(super) fn parse(&mut self) -> io::Result<Parsed> {
        let rest_of_block = std::mem::take(&mut self.mismatch);
        match self.stream.format() {
            Format::Warc => self.warc(rest_of_block),
            Format::Arc => self.arc(rest_of_block),
        }
    }

    fn arc(&mut self, rest_of_block: bool) -> io::Result<Parsed> {
        let trust = if rest_of_block { Trust::Searched } else { Trust::Expected };
        let line = match self.arc_line(trust)? {
            Ok(line) => line,
            Err(DamageReason::Junk) if rest_of_block => return self.resync(0, DamageReason::LengthMismatch),
            Err(reason) => return self.resync(0, reason),
        };
        let Some((fields, length)) = arc::line(&line, trust) else { return self.resync(0, DamageReason::Junk) };
        if length > self.limits.max_header {
            return self.resync(length, DamageReason::HeaderTooLong);
        }
        if fields.length() > self.limits.max_length {
            return self.over_limit(length, fields.length());
        }
        self.stream.consume(length);
        let (block, flags) = self.block(fields.length())?;
        Ok(self.record(fields.header(&block), block, flags))
    }

    /// The header line at the front of the stream, with its line end.
    fn arc_line(&mut self, trust: Trust) -> io::Result<Result<Vec<u8>, DamageReason>> {
        loop {
            let data = self.stream.data();
            let there = data.len();
            if let Some((_, length)) = arc::line(data, trust) {
                return Ok(Ok(data.get(..length).unwrap_or_default().to_vec()));
            }
            let window = data.get(..arc::MAX_LINE).unwrap_or(data);
            let ended = there >= arc::MAX_LINE || memchr::memchr(b'\n', window).is_some();
            if ended || !arc::starts_like_url(data) && there > 0 && there >= URL_START {
                return Ok(Err(DamageReason::Junk));
            }
            if !self.stream.ensure(there.saturating_add(1), Across::No)? {
                let url = arc::starts_like_url(self.stream.data());
                if !url || !self.stream.ensure(there.saturating_add(1), Across::Yes)? {
                    return Ok(Err(if url { DamageReason::TruncatedHeader } else { DamageReason::Junk }));
                }
            }
        }
    }

    fn warc(&mut self, rest_of_block: bool) -> io::Result<Parsed> {
        let (header, length) = match self.head()? {
            Ok(head) => head,
            Err(DamageReason::Junk) if rest_of_block => return self.resync(0, DamageReason::LengthMismatch),
            Err(DamageReason::Junk) => return self.resync(0, DamageReason::Junk),
            // Past the magic, so that this header is not found again.
            Err(reason) => return self.resync(5, reason),
        };
        match header.block_length() {
            BlockLength::Invalid => self.resync(length, DamageReason::BadLength),
            BlockLength::Bytes(block) if block > self.limits.max_length => self.over_limit(length, block),
            BlockLength::Bytes(block) => {
                self.stream.consume(length);
                self.block(block).map(|(block, flags)| self.record(header, block, flags))
            }
            BlockLength::Missing => {
                self.stream.consume(length);
                let (block, mut flags) = self.block_to_header()?;
                flags.missing_length = true;
                Ok(self.record(header, block, flags))
            }
        }
    }

    fn record(&mut self, header: Header, block: Vec<u8>, flags: Flags) -> Parsed {
        self.mismatch = flags.length_mismatch;
        Parsed::Record(Record { offset: 0, length: 0, header, block, flags })
    }

    /// The header at the front of the stream; `Junk` if there is no version line.
    fn head(&mut self) -> io::Result<Head> {
        if !self.has_version_line()? {
            return Ok(Err(DamageReason::Junk));
        }
        let mut wanted = HEADER;
        loop {
            let more = self.stream.ensure(wanted, Across::No)?;
            match scan::header_end(self.stream.data()) {
                HeaderEnd::At(length) if length <= self.limits.max_header => return Ok(self.parse_head(length)),
                HeaderEnd::Broken => return Ok(Err(DamageReason::TruncatedHeader)),
                HeaderEnd::Beyond if wanted <= self.limits.max_header && more => wanted = wanted.saturating_mul(2),
                HeaderEnd::Beyond if wanted <= self.limits.max_header => {
                    let there = self.stream.data().len();
                    if !self.stream.ensure(there.saturating_add(1), Across::Yes)? {
                        return Ok(Err(DamageReason::TruncatedHeader));
                    }
                }
                HeaderEnd::At(_) | HeaderEnd::Beyond => return Ok(Err(DamageReason::HeaderTooLong)),
            }
        }
    }

    fn has_version_line(&mut self) -> io::Result<bool> {
        let there = self.stream.ensure(VERSION_LINE, Across::No)?;
        let data = self.stream.data();
        let cut = !there && (b"WARC/".starts_with(data) || b"warc/".starts_with(data) || is_magic(data));
        if cut && version_line(data).is_none() {
            self.stream.ensure(VERSION_LINE, Across::Yes)?;
        }
        Ok(version_line(self.stream.data()).is_some())
    }

    fn parse_head(&self, length: usize) -> Head {
        let bytes = self.stream.data().get(..length).unwrap_or_default();
        let header = Header::parse(bytes, self.limits.max_fields).map_err(|_| DamageReason::TooManyFields)?;
        Ok((header, length))
    }

    /// Gives up what is at the front, `known` bytes at least, and goes to the next header.
    fn resync(&mut self, known: usize, reason: DamageReason) -> io::Result<Parsed> {
        self.stream.consume(known);
        let passed = self.stream.pass_to_header(0)?;
        if known == 0 && passed.padding && !passed.found {
            return Ok(Parsed::Padding);
        }
        Ok(Parsed::Lost { length: passed.length.saturating_add(known as u64), reason })
    }

    fn over_limit(&mut self, header: usize, block: u64) -> io::Result<Parsed> {
        let reason = DamageReason::LengthOverLimit;
        let length = block.saturating_add(header as u64);
        if !self.is_sound_at(length)? {
            return self.resync(header, reason);
        }
        self.stream.skip(length)?;
        Ok(Parsed::Lost { length, reason })
    }

    /// Whether a block may end `distance` bytes ahead in a plain file. Never so in a packed file: unknown.
    fn is_sound_at(&self, distance: u64) -> io::Result<bool> {
        let end = self.stream.offset().saturating_add(distance);
        Ok(self.stream.is_plain() && self.stream.format().is_sound_end(self.stream.bytes(), end)?)
    }

    /// A block that claims `length` bytes.
    fn block(&mut self, length: u64) -> io::Result<(Vec<u8>, Flags)> {
        let kept = usize::try_from(length.min(self.limits.max_block)).unwrap_or(usize::MAX);
        if length > self.limits.max_block {
            return self.long_block(length, kept);
        }
        let mut flags = Flags::default();
        let there = self.stream.ensure(kept, Across::Yes)?;
        if there && self.is_sound_tail(kept)? {
            return Ok((self.stream.take(kept), flags));
        }
        let next = self.stream.find_header(kept)?;
        flags.length_mismatch = there || next.is_some();
        flags.truncated = !flags.length_mismatch;
        let mut block = self.stream.take(next.unwrap_or(kept));
        if next.is_some() {
            trim_record_end(&mut block, self.stream.format());
        }
        Ok((block, flags))
    }

    fn is_sound_tail(&mut self, block: usize) -> io::Result<bool> {
        self.stream.ensure(block.saturating_add(self.stream.format().tail()), Across::No)?;
        Ok(self.stream.format().is_sound_tail(self.stream.data().get(block..).unwrap_or_default()))
    }

    /// A block of more than `max_block` bytes.
    fn long_block(&mut self, length: u64, kept: usize) -> io::Result<(Vec<u8>, Flags)> {
        if self.stream.is_plain() && !self.is_sound_at(length)? {
            let past_end = self.stream.offset().saturating_add(length) > self.stream.bytes().len();
            let (block, mut flags) = self.block_to_header()?;
            let at_end = !self.stream.ensure(1, Across::No)?;
            flags.truncated = past_end && at_end;
            flags.length_mismatch = !flags.truncated;
            return Ok((block, flags));
        }
        self.stream.ensure(kept, Across::Yes)?;
        let block = self.stream.take(kept);
        let whole = block.len() == kept && self.stream.skip(length.saturating_sub(kept as u64))?;
        Ok((block, Flags { oversize: true, truncated: !whole, ..Flags::default() }))
    }

    /// A block of unknown length: up to the next header or the end of the member.
    fn block_to_header(&mut self) -> io::Result<(Vec<u8>, Flags)> {
        let passed = self.stream.pass_to_header(self.limits.max_block)?;
        let oversize = passed.length > passed.kept.len() as u64;
        let mut block = passed.kept;
        if !oversize {
            trim_record_end(&mut block, self.stream.format());
        }
        Ok((block, Flags { oversize, ..Flags::default() }))
    }
}

/// Removes the line ends that close a record.
fn trim_record_end(block: &mut Vec<u8>, format: Format) {
    for _ in 0..format.closing_line_ends() {
        let line_end = match block.as_slice() {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        block.truncate(block.len() - line_end);
    }
}
