//! A window over the bytes of records, unpacked if need be.
//!
//! Contract: looks ahead as far as asked, grows only as bytes arrive, finds the next record header. Plain and packed
//! files look the same from here on; in a packed file the stream ends with the member (gzip member or zstd frame),
//! unless the caller is in the middle of a record and the next member does not start one: some writers cut records
//! into members.
//! Border: what a record is made of is for `reader`.

use std::io;
use std::ops::Range;

use memchr::memmem;

use super::anchor;
use super::arc;
use super::codec::Codec;
use super::dictionary::Skippable;
use super::member::State;
use super::scan::{Format, is_padding};
use super::source::Source;
use super::{Bytes, DamageReason};

/// Bytes of a plain file taken at a time, and searched at a time when resynchronising.
const CHUNK: usize = 64 << 10;
/// Blocks above this are moved out of the window instead of copied, so that they are never in memory twice.
const COPIED: usize = 1 << 20;
/// Bytes that tell whether a line may begin a header: the magic, or the scheme of a URL.
const CANDIDATE: usize = 64;
const MAGIC: &[u8] = b"WARC/";
const SMALL_MAGIC: &[u8] = b"warc/";

/// May the look ahead go on into a member that does not start a record?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    Yes,
    No,
}

/// What lay before the next header.
pub(super) struct Passed {
    /// The first bytes of it, as many as were to be kept.
    pub(super) kept: Vec<u8>,
    /// All bytes of it.
    pub(super) length: u64,
    /// Nothing but blank lines and NUL.
    pub(super) padding: bool,
    /// A header follows; otherwise the end does.
    pub(super) found: bool,
}

pub(super) struct Stream<'a> {
    source: Source<'a>,
    codec: Codec<'a>,
    format: Format,
    buffer: Vec<u8>,
    start: usize,
    /// Offset of the front in the file (plain) or in what the member inflates to.
    offset: u64,
    /// The byte before the front; a line end at the start.
    before: u8,
    /// File offset of the member being read.
    member: u64,
}

impl<'a> Stream<'a> {
    /// The start of a file; of a packed one no member is open yet.
    pub(super) fn new(source: Source<'a>, codec: Codec<'a>, format: Format) -> Self {
        let offset = source.position();
        Self { source, codec, format, buffer: Vec::new(), start: 0, offset, before: b'\n', member: 0 }
    }

    /// Goes to `offset` in a plain file; `before` is the byte before it.
    pub(super) fn seek(&mut self, offset: u64, before: u8) {
        self.source.seek(offset);
        self.buffer.clear();
        (self.start, self.offset, self.before) = (0, offset, before);
    }

    /// Opens the member at a file offset; false if there is none.
    pub(super) fn open_member(&mut self, at: u64) -> io::Result<bool> {
        self.source.seek(at);
        self.buffer.clear();
        (self.start, self.offset, self.before, self.member) = (0, 0, b'\n', at);
        self.codec.begin(&mut self.source)
    }

    pub(super) fn format(&self) -> Format {
        self.format
    }

    /// Whether a record that proves itself begins at a file offset. Only between members.
    pub(super) fn is_anchor(&mut self, at: u64) -> io::Result<bool> {
        anchor::is_anchor(self.source.bytes(), &mut self.codec, self.format, at)
    }

    /// The first such offset in `[from, until)`. Only between members.
    pub(super) fn first_anchor(&mut self, from: u64, until: u64) -> io::Result<Option<u64>> {
        anchor::first_anchor(self.source.bytes(), &mut self.codec, self.format, from, until)
    }

    /// The zstd frame at `at` that holds nothing for the reader, if there is one.
    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        self.codec.skippable(at)
    }

    /// Puts the dictionary frame at `at` in force; false if it holds no dictionary.
    pub(super) fn adopt(&mut self, at: u64) -> io::Result<bool> {
        self.codec.adopt(at)
    }

    /// File offset of the dictionary in force.
    pub(super) fn dictionary(&self) -> Option<u64> {
        self.codec.dictionary()
    }

    /// File offset of the member being read: the last one, if a record went over several.
    pub(super) fn member(&self) -> u64 {
        self.member
    }

    /// How the member being read has ended.
    pub(super) fn member_state(&self) -> State {
        self.codec.state()
    }

    /// File offset of the first byte not yet given to the decompressor.
    pub(super) fn file_position(&self) -> u64 {
        self.source.position()
    }

    /// The file itself, for a look elsewhere.
    pub(super) fn bytes(&self) -> &'a dyn Bytes {
        self.source.bytes()
    }

    /// Whether offsets are file offsets.
    pub(super) fn is_plain(&self) -> bool {
        self.codec.is_plain()
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes in the window.
    pub(super) fn data(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Tries to have `n` bytes in the window; false if the stream ends before.
    pub(super) fn ensure(&mut self, n: usize, across: Across) -> io::Result<bool> {
        while self.data().len() < n {
            if !self.pull(across)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Appends some bytes to the window; false at the end.
    fn pull(&mut self, across: Across) -> io::Result<bool> {
        if self.start > 0 && self.start >= self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        if self.is_plain() {
            return self.pull_plain();
        }
        match self.codec.state() {
            State::Reading => {
                self.codec.feed(&mut self.source, &mut self.buffer)?;
                Ok(true)
            }
            State::Whole if across == Across::Yes => self.attach(),
            _ => Ok(false),
        }
    }

    fn pull_plain(&mut self) -> io::Result<bool> {
        let filled = self.source.fill()?;
        let n = filled.len().min(CHUNK);
        self.buffer.extend_from_slice(filled.get(..n).unwrap_or_default());
        self.source.consume(n);
        Ok(n > 0)
    }

    /// Goes on into the next member, if it is one that does not start a record.
    fn attach(&mut self) -> io::Result<bool> {
        let at = self.codec.pass_skippable(self.source.position())?;
        let head = self.codec.head(at, self.format.head())?;
        if head.is_none_or(|head| self.format.may_start_record(&head)) {
            return Ok(false);
        }
        self.member = at;
        self.source.seek(at);
        self.codec.begin(&mut self.source)
    }

    /// Drops up to `n` bytes of the window.
    pub(super) fn consume(&mut self, n: usize) {
        let n = n.min(self.data().len());
        if let Some(last) = n.checked_sub(1) {
            self.before = self.data().get(last).copied().unwrap_or_default();
        }
        self.start += n;
        self.offset = self.offset.saturating_add(n as u64);
    }

    /// Takes up to `n` bytes out of the window.
    pub(super) fn take(&mut self, n: usize) -> Vec<u8> {
        let n = n.min(self.data().len());
        if n <= COPIED {
            let taken = self.data().get(..n).unwrap_or_default().to_vec();
            self.consume(n);
            return taken;
        }
        let rest = self.buffer.split_off(self.start + n);
        let mut taken = std::mem::replace(&mut self.buffer, rest);
        taken.drain(..self.start);
        self.start = 0;
        self.before = taken.last().copied().unwrap_or_default();
        self.offset = self.offset.saturating_add(n as u64);
        taken
    }

    /// Passes over `n` bytes, in a plain file without reading them; false if the stream ends before.
    pub(super) fn skip(&mut self, n: u64) -> io::Result<bool> {
        let mut left = n;
        if self.is_plain() && left > self.data().len() as u64 {
            // All but the last byte: that one must be seen, it may be a line end.
            self.offset = self.offset.saturating_add(left - 1);
            self.source.seek(self.offset);
            self.buffer.clear();
            self.start = 0;
            left = 1;
        }
        while left > 0 {
            if self.data().is_empty() && !self.ensure(1, Across::Yes)? {
                return Ok(false);
            }
            let n = usize::try_from(left).unwrap_or(usize::MAX).min(self.data().len());
            self.consume(n);
            left -= n as u64;
        }
        Ok(true)
    }

    /// Passes over blank lines; false if the stream ends with them.
    pub(super) fn skip_blanks(&mut self, is_blank: fn(u8) -> bool) -> io::Result<bool> {
        loop {
            let n = self.data().iter().take_while(|&&b| is_blank(b)).count();
            self.consume(n);
            if !self.data().is_empty() {
                return Ok(true);
            }
            if !self.pull(Across::No)? {
                return Ok(false);
            }
        }
    }

    /// Passes over the line ends that close a record, as far as they are there.
    pub(super) fn close_record(&mut self) -> io::Result<()> {
        for _ in 0..self.format.closing_line_ends() {
            self.ensure(2, Across::No)?;
            match self.data() {
                [b'\r', b'\n', ..] => self.consume(2),
                [b'\n', ..] => self.consume(1),
                _ => break,
            }
        }
        Ok(())
    }

    /// Distance to the next record header, if it begins within `limit` bytes. Looks further ahead than that.
    pub(super) fn find_header(&mut self, limit: usize) -> io::Result<Option<usize>> {
        self.ensure(limit.saturating_add(CANDIDATE), Across::No)?;
        let mut from = 0;
        while let Some(at) = self.candidate(from).filter(|&at| at < limit) {
            self.ensure(at.saturating_add(self.format.lookahead()), Across::No)?;
            if self.format.is_header(self.data().get(at..).unwrap_or_default()) {
                return Ok(Some(at));
            }
            from = at + 1;
        }
        Ok(None)
    }

    /// The next line start that may begin a header.
    fn candidate(&self, from: usize) -> Option<usize> {
        match self.format {
            Format::Warc => self.magic(from),
            Format::Arc => self.url(from),
        }
    }

    /// The next line from `from` on that begins like a URL.
    fn url(&self, from: usize) -> Option<usize> {
        let data = self.data();
        let before = match from.checked_sub(1) {
            None => Some(self.before),
            Some(before) => data.get(before).copied(),
        };
        let here = (before == Some(b'\n')).then_some(from);
        let later = memchr::memchr_iter(b'\n', data.get(from..)?).map(|end| from + end + 1);
        here.into_iter().chain(later).find(|&at| arc::starts_like_url(data.get(at..).unwrap_or_default()))
    }

    /// The next `WARC/` or `warc/` at a line start. Searched piece by piece, so that a window full of the one is not
    /// combed for the other again and again.
    fn magic(&self, mut from: usize) -> Option<usize> {
        let length = self.data().len();
        while from < length {
            let end = length.min(from + CHUNK);
            let capitals = self.candidate_of(MAGIC, from..end);
            let small = self.candidate_of(SMALL_MAGIC, from..capitals.unwrap_or(end));
            if let Some(at) = small.or(capitals) {
                return Some(at);
            }
            from = end;
        }
        None
    }

    /// The first `magic` at a line start that begins in `range` of the window.
    fn candidate_of(&self, magic: &[u8], range: Range<usize>) -> Option<usize> {
        let data = self.data();
        let end = data.len().min(range.end.saturating_add(magic.len() - 1));
        let piece = data.get(range.start..end)?;
        memmem::find_iter(piece, magic).map(|at| range.start + at).find(|&at| match at.checked_sub(1) {
            None => self.before == b'\n',
            Some(before) => data.get(before) == Some(&b'\n'),
        })
    }

    /// Passes over everything up to the next record header or the end, keeping the first `keep` bytes.
    pub(super) fn pass_to_header(&mut self, keep: u64) -> io::Result<Passed> {
        let mut passed = Passed { kept: Vec::new(), length: 0, padding: true, found: false };
        loop {
            let hit = self.find_header(CHUNK)?;
            let n = hit.unwrap_or_else(|| self.data().len().min(CHUNK));
            let bytes = self.data().get(..n).unwrap_or_default();
            let wanted = keep.saturating_sub(passed.length).min(n as u64) as usize;
            passed.kept.extend_from_slice(bytes.get(..wanted).unwrap_or_default());
            passed.padding &= bytes.iter().all(|&b| is_padding(b));
            passed.length += n as u64;
            self.consume(n);
            if hit.is_some() || self.data().is_empty() && !self.pull(Across::No)? {
                passed.found = hit.is_some();
                return Ok(passed);
            }
        }
    }
}

/// The damage that the end of the member in reading amounts to, if any.
pub(super) fn member_damage(state: State) -> Option<DamageReason> {
    match state {
        State::Damaged(reason) => Some(reason),
        State::Reading | State::Whole | State::BadChecksum => None,
    }
}
