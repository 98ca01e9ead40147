//! A lookahead window over the bytes of records, decompressed if necessary.
//!
//! The window looks ahead as far as requested, grows only as bytes arrive, and finds the next record header. It hides
//! whether the file is compressed. In a compressed file the stream ends with the member (gzip member or zstd frame),
//! unless the caller is within a record and the next member does not start one: some writers split records into
//! several members.
//! `record` parses what the window contains.

mod search;

use std::io;

use super::anchor;
use super::cursor::ByteCursor;
use super::decompressor::Decompressor;
use super::dictionary_frame::Skippable;
use super::gzip_member::MemberState;
use super::scan::RecordFormat;
use super::{Bytes, DamageReason};

/// Bytes of an uncompressed file that are read at a time, and bytes that are searched at a time after damage.
const CHUNK: usize = 64 << 10;
/// Larger blocks are moved out of the window instead of copied, so that they are never in memory twice.
const COPIED: usize = 1 << 20;
/// Decompressed bytes that a member may give for each of its bytes, and decompressed bytes that any member may give.
/// Web pages give four to ten.
const USUAL_EXPANSION: u64 = 64;
const SMALL_MEMBER: u64 = 256 << 10;
/// Decompressed bytes beyond that which the members of a file may give together: this many, and a multiple of its size.
const SPARE: u64 = 1 << 30;
const SPARE_PER_BYTE: u64 = 16;

/// Whether the lookahead may continue into a member that does not start a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrossMembers {
    Yes,
    No,
}

/// The decompressed bytes of a file or member, with lookahead.
pub(super) struct RecordStream<'a> {
    cursor: ByteCursor<'a>,
    decompressor: Decompressor<'a>,
    format: RecordFormat,
    buffer: Vec<u8>,
    start: usize,
    /// Offset of the first byte in the window: in the file, or in the decompressed member.
    offset: u64,
    /// The byte before the window; a line end at the start of a file or member.
    before: u8,
    /// File offset of the member being read.
    member: u64,
    /// Decompressed bytes of the member being read.
    given: u64,
    /// How many of them were taken from `spare`.
    charged: u64,
    /// Decompressed bytes beyond [`USUAL_EXPANSION`] that the members of the file may still give.
    spare: u64,
}

impl<'a> RecordStream<'a> {
    /// A stream at the position of `cursor`. In a compressed file no member is open yet.
    pub(super) fn new(cursor: ByteCursor<'a>, decompressor: Decompressor<'a>, format: RecordFormat) -> Self {
        let offset = cursor.position();
        let spare = cursor.bytes().len().saturating_mul(SPARE_PER_BYTE).saturating_add(SPARE);
        Self {
            cursor,
            decompressor,
            format,
            buffer: Vec::new(),
            start: 0,
            offset,
            before: b'\n',
            member: 0,
            given: 0,
            charged: 0,
            spare,
        }
    }

    /// Decompressed bytes beyond the usual expansion that the members of the file may still give.
    pub(super) fn spare(&self) -> u64 {
        self.spare
    }

    /// Sets what [`RecordStream::spare`] tells.
    pub(super) fn set_spare(&mut self, spare: u64) {
        self.spare = spare;
    }

    /// Moves to `offset` in an uncompressed file; `before` is the byte before it.
    pub(super) fn seek(&mut self, offset: u64, before: u8) {
        self.cursor.seek(offset);
        self.buffer.clear();
        (self.start, self.offset, self.before) = (0, offset, before);
    }

    /// Opens the member at a file offset; false if there is none.
    pub(super) fn open_member(&mut self, at: u64) -> io::Result<bool> {
        self.cursor.seek(at);
        self.buffer.clear();
        (self.start, self.offset, self.before, self.member) = (0, 0, b'\n', at);
        (self.given, self.charged) = (0, 0);
        self.decompressor.begin(&mut self.cursor)
    }

    pub(super) fn format(&self) -> RecordFormat {
        self.format
    }

    /// Whether a file offset is an anchor. Must not be called within a member.
    pub(super) fn is_anchor(&mut self, at: u64) -> io::Result<bool> {
        anchor::is_anchor(self.cursor.bytes(), &mut self.decompressor, self.format, at)
    }

    /// The first anchor in `[from, until)`. Must not be called within a member.
    pub(super) fn first_anchor(&mut self, from: u64, until: u64) -> io::Result<Option<u64>> {
        anchor::first_anchor(self.cursor.bytes(), &mut self.decompressor, self.format, from, until)
    }

    /// The skippable zstd frame at `at`, if there is one.
    pub(super) fn skippable(&self, at: u64) -> io::Result<Option<Skippable>> {
        self.decompressor.skippable(at)
    }

    /// Makes the dictionary in the frame at `at` the active one; false if the frame contains no valid dictionary.
    pub(super) fn activate(&mut self, at: u64) -> io::Result<bool> {
        self.decompressor.activate(at)
    }

    /// File offset of the active dictionary.
    pub(super) fn dictionary(&self) -> Option<u64> {
        self.decompressor.dictionary()
    }

    /// File offset of the member being read: the last one, if a record was split into several.
    pub(super) fn member(&self) -> u64 {
        self.member
    }

    /// The state of the member being read.
    pub(super) fn member_state(&self) -> MemberState {
        self.decompressor.state()
    }

    /// File offset of the first byte that the decompressor has not consumed.
    pub(super) fn file_position(&self) -> u64 {
        self.cursor.position()
    }

    /// The file itself, for reads at other offsets.
    pub(super) fn bytes(&self) -> &'a dyn Bytes {
        self.cursor.bytes()
    }

    /// Whether the file is uncompressed, so that offsets are file offsets.
    pub(super) fn is_plain(&self) -> bool {
        self.decompressor.is_plain()
    }

    /// Offset of the first byte in the window: in the file, or in the decompressed member.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes in the window.
    pub(super) fn data(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Fills the window to at least `n` bytes; false if the stream ends before.
    pub(super) fn ensure(&mut self, n: usize, across: CrossMembers) -> io::Result<bool> {
        while self.data().len() < n {
            if !self.pull(across)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Appends some bytes to the window; false at the end of the stream.
    fn pull(&mut self, across: CrossMembers) -> io::Result<bool> {
        if self.start > 0 && self.start >= self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        if self.is_plain() {
            return self.pull_plain();
        }
        match self.decompressor.state() {
            MemberState::Reading => {
                let before = self.buffer.len();
                self.decompressor.decode_next(&mut self.cursor, &mut self.buffer)?;
                self.charge(self.buffer.len().saturating_sub(before));
                Ok(true)
            }
            MemberState::Whole if across == CrossMembers::Yes => self.attach(),
            _ => Ok(false),
        }
    }

    /// Counts decompressed bytes, and ends a member that gives more than there is to spare. With this the members of a
    /// file give a bounded number of bytes for each byte of the file, so that reading it takes linear time.
    fn charge(&mut self, given: usize) {
        self.given = self.given.saturating_add(given as u64);
        let read = self.cursor.position().saturating_sub(self.member);
        let usual = read.saturating_mul(USUAL_EXPANSION).saturating_add(SMALL_MEMBER);
        let new = self.given.saturating_sub(usual).saturating_sub(self.charged);
        if new > self.spare {
            self.decompressor.give_up(DamageReason::Expansion);
        }
        self.charged = self.charged.saturating_add(new);
        self.spare = self.spare.saturating_sub(new);
    }

    fn pull_plain(&mut self) -> io::Result<bool> {
        let filled = self.cursor.fill()?;
        let n = filled.len().min(CHUNK);
        self.buffer.extend_from_slice(filled.get(..n).unwrap_or_default());
        self.cursor.consume(n);
        Ok(n > 0)
    }

    /// Continues with the next member, if that does not start a record.
    fn attach(&mut self) -> io::Result<bool> {
        let at = self.decompressor.pass_skippable(self.cursor.position())?;
        let head = self.decompressor.peek(at, self.format.peek_length())?;
        if head.is_none_or(|head| self.format.may_start_record(&head)) {
            return Ok(false);
        }
        self.member = at;
        (self.given, self.charged) = (0, 0);
        self.cursor.seek(at);
        self.decompressor.begin(&mut self.cursor)
    }

    /// Removes the first `n` bytes of the window, or as many as there are.
    pub(super) fn consume(&mut self, n: usize) {
        let n = n.min(self.data().len());
        if let Some(last) = n.checked_sub(1) {
            self.before = self.data().get(last).copied().unwrap_or_default();
        }
        self.start += n;
        self.offset = self.offset.saturating_add(n as u64);
    }

    /// Removes and returns the first `n` bytes of the window, or as many as there are.
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

    /// Skips `n` bytes, in an uncompressed file without reading them; false if the stream ends before.
    pub(super) fn skip(&mut self, n: u64) -> io::Result<bool> {
        let mut left = n;
        if self.is_plain() && left > self.data().len() as u64 {
            // All but the last byte, which must be read because it may be a line end.
            self.offset = self.offset.saturating_add(left - 1);
            self.cursor.seek(self.offset);
            self.buffer.clear();
            self.start = 0;
            left = 1;
        }
        while left > 0 {
            if self.data().is_empty() && !self.ensure(1, CrossMembers::Yes)? {
                return Ok(false);
            }
            let n = usize::try_from(left).unwrap_or(usize::MAX).min(self.data().len());
            self.consume(n);
            left -= n as u64;
        }
        Ok(true)
    }

    /// Skips the rest of an uncompressed file, or of a member, and tells its length.
    pub(super) fn skip_all(&mut self) -> io::Result<u64> {
        let from = self.offset;
        if self.is_plain() {
            self.skip(self.bytes().len().saturating_sub(from))?;
        }
        while self.ensure(1, CrossMembers::No)? {
            self.consume(self.data().len());
        }
        Ok(self.offset.saturating_sub(from))
    }

    /// Skips bytes for which `is_blank` holds; false if the stream ends with them.
    pub(super) fn skip_blanks(&mut self, is_blank: fn(u8) -> bool) -> io::Result<bool> {
        loop {
            let n = self.data().iter().take_while(|&&b| is_blank(b)).count();
            self.consume(n);
            if !self.data().is_empty() {
                return Ok(true);
            }
            if !self.pull(CrossMembers::No)? {
                return Ok(false);
            }
        }
    }

    /// Skips the line ends after a block, as far as there are any.
    pub(super) fn close_record(&mut self) -> io::Result<()> {
        for _ in 0..self.format.closing_line_ends() {
            self.ensure(2, CrossMembers::No)?;
            match self.data() {
                [b'\r', b'\n', ..] => self.consume(2),
                [b'\n', ..] => self.consume(1),
                _ => break,
            }
        }
        Ok(())
    }
}

/// The reason of the damage that a member ended with, if any.
pub(super) fn member_damage(state: MemberState) -> Option<DamageReason> {
    match state {
        MemberState::Damaged(reason) => Some(reason),
        MemberState::Reading | MemberState::Whole | MemberState::BadChecksum => None,
    }
}
