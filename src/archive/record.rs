//! Parses the record at the front of a stream: header and block, also when the two disagree.
//!
//! A block ends at its Content-Length if the bytes after it fit, otherwise at the next header. Bytes that cannot be a
//! record are skipped up to the next header. Every call makes progress or is at the end of the stream.
//! For a block above `record_bytes`: in a compressed file its Content-Length is trusted (up to `record_length`), because a
//! member cannot be read backwards; in an uncompressed file the bytes at its claimed end are checked.
//! A record whose header was found by a search, because the bytes before it are damaged or claim a wrong length, is marked
//! [`Flags::resynchronised`], or refused with all that follows it ([`Resync`]): nothing but its own bytes says that it is
//! a record of the archive and not of a page.
//! `reader` adds the position of the record in the file.

use std::io;

use super::arc::{self, Strictness};
use super::scan::{self, HeaderEnd, RecordFormat};
use super::stream::{CrossMembers, RecordStream};
use super::warc::{BlockLength, Header, is_magic, version_line};
use super::{DamageReason, Flags, Limits, Options, Record, Resync};

/// Bytes within which a version line must end.
const VERSION_LINE: usize = 32;
/// Bytes of a header that are requested first; most headers are shorter.
const HEADER: usize = 4096;

/// Bytes that are enough to see whether a line begins like a URL.
const URL_START: usize = 64;

/// What was found where a record was expected.
pub(super) enum Parsed {
    Record(Record),
    Damaged { length: u64, reason: DamageReason },
    Padding,
}

/// A header and its length in bytes, or why it could not be read.
type ParsedHeader = Result<(Header, usize), DamageReason>;

/// Parses record after record of a stream.
pub(super) struct RecordParser<'a> {
    pub(super) stream: RecordStream<'a>,
    limits: Limits,
    resync: Resync,
    /// Whether the last block was cut by a wrong Content-Length, so that its rest may follow.
    mismatch: bool,
    /// Whether a search ended at the front of the stream.
    searched: bool,
}

impl<'a> RecordParser<'a> {
    pub(super) fn new(stream: RecordStream<'a>, options: Options) -> Self {
        Self { stream, limits: options.limits, resync: options.resync, mismatch: false, searched: false }
    }

    /// Whether what is at the front of the stream depends on what was read before it.
    pub(super) fn is_amid(&self) -> bool {
        self.mismatch || self.searched
    }

    /// Whether a search ended at the front of the stream.
    pub(super) fn searched(&self) -> bool {
        self.searched
    }

    /// Whether a record at the front of the stream counts for nothing.
    pub(super) fn refuses(&self) -> bool {
        self.searched && self.resync == Resync::Members
    }

    /// Opens the member at a file offset; false if there is none.
    pub(super) fn open_member(&mut self, at: u64) -> io::Result<bool> {
        (self.mismatch, self.searched) = (false, false);
        self.stream.open_member(at)
    }

    /// Parses the record at the front of the stream, which must not be at a blank line. The caller sets its offset and
    /// length.
    pub(super) fn parse(&mut self) -> io::Result<Parsed> {
        if self.refuses() {
            self.searched = false;
            return Ok(Parsed::Damaged { length: self.stream.skip_all()?, reason: DamageReason::Resynchronised });
        }
        let rest_of_block = std::mem::take(&mut self.mismatch);
        let searched = std::mem::take(&mut self.searched);
        let mut parsed = match self.stream.format() {
            RecordFormat::Warc => self.warc(rest_of_block),
            RecordFormat::Arc => self.arc(rest_of_block),
        }?;
        if let Parsed::Record(record) = &mut parsed {
            record.flags.resynchronised = searched;
        }
        Ok(parsed)
    }

    fn arc(&mut self, rest_of_block: bool) -> io::Result<Parsed> {
        let strictness = if rest_of_block { Strictness::Strict } else { Strictness::Lenient };
        let line = match self.arc_line(strictness)? {
            Ok(line) => line,
            Err(DamageReason::Junk) if rest_of_block => return self.resync(0, DamageReason::LengthMismatch),
            Err(reason) => return self.resync(0, reason),
        };
        let Some((fields, length)) = arc::header_line(&line, strictness) else {
            return self.resync(0, DamageReason::Junk);
        };
        if length > self.limits.header_bytes {
            return self.resync(length, DamageReason::HeaderTooLong);
        }
        if fields.length() > self.limits.record_length {
            return self.over_limit(length, fields.length());
        }
        self.stream.consume(length);
        let (block, flags) = self.block(fields.length())?;
        Ok(self.record(fields.header(&block), block, flags))
    }

    /// The header line at the front of the stream, with its line end.
    fn arc_line(&mut self, strictness: Strictness) -> io::Result<Result<Vec<u8>, DamageReason>> {
        loop {
            let data = self.stream.data();
            let there = data.len();
            if let Some((_, length)) = arc::header_line(data, strictness) {
                return Ok(Ok(data.get(..length).unwrap_or_default().to_vec()));
            }
            let window = data.get(..arc::MAX_LINE).unwrap_or(data);
            let ended = there >= arc::MAX_LINE || memchr::memchr(b'\n', window).is_some();
            if ended || !arc::starts_like_url(data) && there > 0 && there >= URL_START {
                return Ok(Err(DamageReason::Junk));
            }
            if !self.stream.ensure(there.saturating_add(1), CrossMembers::No)? {
                let url = arc::starts_like_url(self.stream.data());
                if !url || !self.stream.ensure(there.saturating_add(1), CrossMembers::Yes)? {
                    return Ok(Err(if url { DamageReason::TruncatedHeader } else { DamageReason::Junk }));
                }
            }
        }
    }

    fn warc(&mut self, rest_of_block: bool) -> io::Result<Parsed> {
        let (header, length) = match self.header()? {
            Ok(head) => head,
            Err(DamageReason::Junk) if rest_of_block => return self.resync(0, DamageReason::LengthMismatch),
            Err(DamageReason::Junk) => return self.resync(0, DamageReason::Junk),
            // Skip the magic number, so that this header is not found again.
            Err(reason) => return self.resync(5, reason),
        };
        match header.block_length() {
            BlockLength::Invalid => self.resync(length, DamageReason::BadLength),
            BlockLength::Bytes(block) if block > self.limits.record_length => self.over_limit(length, block),
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

    /// The WARC header at the front of the stream; `Junk` if there is no version line.
    fn header(&mut self) -> io::Result<ParsedHeader> {
        if !self.has_version_line()? {
            return Ok(Err(DamageReason::Junk));
        }
        let (mut wanted, mut searched) = (HEADER, 0);
        loop {
            let more = self.stream.ensure(wanted, CrossMembers::No)?;
            let end = scan::header_end(self.stream.data(), searched);
            searched = self.stream.data().len().saturating_sub(scan::LONGEST_END);
            match end {
                HeaderEnd::At(length) if length <= self.limits.header_bytes => return Ok(self.parse_header(length)),
                HeaderEnd::Broken => return Ok(Err(DamageReason::TruncatedHeader)),
                HeaderEnd::Beyond if wanted <= self.limits.header_bytes && more => wanted = wanted.saturating_mul(2),
                HeaderEnd::Beyond if wanted <= self.limits.header_bytes => {
                    let there = self.stream.data().len();
                    if !self.stream.ensure(there.saturating_add(1), CrossMembers::Yes)? {
                        return Ok(Err(DamageReason::TruncatedHeader));
                    }
                }
                HeaderEnd::At(_) | HeaderEnd::Beyond => return Ok(Err(DamageReason::HeaderTooLong)),
            }
        }
    }

    fn has_version_line(&mut self) -> io::Result<bool> {
        let there = self.stream.ensure(VERSION_LINE, CrossMembers::No)?;
        let data = self.stream.data();
        let cut = !there && (b"WARC/".starts_with(data) || b"warc/".starts_with(data) || is_magic(data));
        if cut && version_line(data).is_none() {
            self.stream.ensure(VERSION_LINE, CrossMembers::Yes)?;
        }
        Ok(version_line(self.stream.data()).is_some())
    }

    fn parse_header(&self, length: usize) -> ParsedHeader {
        let bytes = self.stream.data().get(..length).unwrap_or_default();
        if scan::is_stump(bytes) {
            return Err(DamageReason::TruncatedHeader);
        }
        let header = Header::parse(bytes, self.limits.header_fields).map_err(|_| DamageReason::TooManyFields)?;
        Ok((header, length))
    }

    /// Skips to the next header, at least `known` bytes, and reports the bytes skipped as damage.
    fn resync(&mut self, known: usize, reason: DamageReason) -> io::Result<Parsed> {
        self.stream.consume(known);
        let skipped = self.stream.skip_to_header(0)?;
        if known == 0 && skipped.padding && !skipped.found {
            return Ok(Parsed::Padding);
        }
        self.searched = skipped.found;
        Ok(Parsed::Damaged { length: skipped.length.saturating_add(known as u64), reason })
    }

    /// Skips a record whose block is above [`Limits::record_length`]: to its claimed end if that fits, else to the next
    /// header.
    fn over_limit(&mut self, header: usize, block: u64) -> io::Result<Parsed> {
        let reason = DamageReason::LengthOverLimit;
        let length = block.saturating_add(header as u64);
        if !self.is_sound_at(length)? {
            return self.resync(header, reason);
        }
        self.stream.skip(length)?;
        Ok(Parsed::Damaged { length, reason })
    }

    /// Whether a block may end `distance` bytes ahead in an uncompressed file. False in a compressed file, where that
    /// is unknown.
    fn is_sound_at(&self, distance: u64) -> io::Result<bool> {
        let end = self.stream.offset().saturating_add(distance);
        Ok(self.stream.is_plain() && self.stream.format().is_sound_end(self.stream.bytes(), end)?)
    }

    /// Reads a block that claims `length` bytes.
    fn block(&mut self, length: u64) -> io::Result<(Vec<u8>, Flags)> {
        let kept = usize::try_from(length.min(self.limits.record_bytes)).unwrap_or(usize::MAX);
        if length > self.limits.record_bytes {
            return self.long_block(length, kept);
        }
        let mut flags = Flags::default();
        let there = self.stream.ensure(kept, CrossMembers::Yes)?;
        if there && self.is_sound_tail(kept)? {
            return Ok((self.stream.take(kept), flags));
        }
        let next = self.stream.find_header(kept)?;
        flags.length_mismatch = there || next.is_some();
        flags.truncated = !flags.length_mismatch;
        self.searched = next.is_some();
        let mut block = self.stream.take(next.unwrap_or(kept));
        if next.is_some() {
            trim_record_end(&mut block, self.stream.format());
        }
        Ok((block, flags))
    }

    /// Whether the bytes after the next `block` bytes fit the end of a block.
    fn is_sound_tail(&mut self, block: usize) -> io::Result<bool> {
        self.stream.ensure(block.saturating_add(self.stream.format().tail_length()), CrossMembers::No)?;
        Ok(self.stream.format().is_sound_tail(self.stream.data().get(block..).unwrap_or_default()))
    }

    /// Reads a block of more than `record_bytes` bytes.
    fn long_block(&mut self, length: u64, kept: usize) -> io::Result<(Vec<u8>, Flags)> {
        if self.stream.is_plain() && !self.is_sound_at(length)? {
            let past_end = self.stream.offset().saturating_add(length) > self.stream.bytes().len();
            let (block, mut flags) = self.block_to_header()?;
            let at_end = !self.stream.ensure(1, CrossMembers::No)?;
            flags.truncated = past_end && at_end;
            flags.length_mismatch = !flags.truncated;
            return Ok((block, flags));
        }
        self.stream.ensure(kept, CrossMembers::Yes)?;
        let block = self.stream.take(kept);
        let whole = block.len() == kept && self.stream.skip(length.saturating_sub(kept as u64))?;
        Ok((block, Flags { oversize: true, truncated: !whole, ..Flags::default() }))
    }

    /// Reads a block of unknown length: up to the next header or the end of the member.
    fn block_to_header(&mut self) -> io::Result<(Vec<u8>, Flags)> {
        let skipped = self.stream.skip_to_header(self.limits.record_bytes)?;
        self.searched = skipped.found;
        let oversize = skipped.length > skipped.kept.len() as u64;
        let mut block = skipped.kept;
        if !oversize {
            trim_record_end(&mut block, self.stream.format());
        }
        Ok((block, Flags { oversize, ..Flags::default() }))
    }
}

/// Removes the line ends that close a record.
fn trim_record_end(block: &mut Vec<u8>, format: RecordFormat) {
    for _ in 0..format.closing_line_ends() {
        let line_end = match block.as_slice() {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        block.truncate(block.len() - line_end);
    }
}
