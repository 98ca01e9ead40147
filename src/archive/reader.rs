//! Iterates over the records and damages of one file, or of a shard of it.
//!
//! [`Records`] yields every record that begins in its range, in file order; `anchor` explains why shards neither lose
//! nor repeat a record. It holds `Limits::record_bytes` bytes and small buffers, whatever the file claims.
//! `members` reads the members of compressed files; `record` parses a single record.

mod members;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::cursor::{ByteCursor, read_at};
use super::decompressor::Decompressor;
use super::detect;
use super::position::Position;
use super::record::{Parsed, RecordParser};
use super::scan::is_blank;
use super::stream::{CrossMembers, RecordStream};
use super::{Bytes, Damage, DamageReason, Event, Framing, Options, Record};
use members::OpenMember;

/// Bytes that may be decompressed again after broken members, in addition to four times the file size. Only a file made
/// to waste time needs more. After that, the search for the next member begins where the decompressor stopped.
const REREAD_ALLOWANCE: u64 = 64 << 20;

/// Reads the records whose first byte lies in `range`; that of their gzip member or zstd frame if the file is
/// compressed. `0..u64::MAX` reads the whole file.
///
/// Ranges that partition a file give each of its records exactly once. A file of an unsupported format gives one
/// damage, in the range that contains byte 0. See [`Records`] for an example.
///
/// # Errors
/// When the file cannot be read.
pub fn records<'a>(bytes: &'a dyn Bytes, range: Range<u64>, options: impl Into<Options>) -> io::Result<Records<'a>> {
    let (framing, format) = detect::detect(bytes)?;
    let stream = RecordStream::new(ByteCursor::new(bytes, 0), Decompressor::new(bytes, framing)?, format);
    let spare = stream.spare();
    let reread = bytes.len().saturating_mul(4).saturating_add(REREAD_ALLOWANCE);
    Ok(Records {
        bytes,
        range,
        framing,
        parser: RecordParser::new(stream, options.into()),
        state: ReaderState::Start,
        ready: VecDeque::new(),
        pending: None,
        seekable: true,
        reread,
        border: Border::default(),
        resume_point: Position { offset: None, events: 0, reread, spare, dictionary: None, seekable: true },
    })
}

/// Reads the records of `range` from its first one at `first`, which is not searched for. It may lie behind the range: then
/// there is none.
///
/// # Errors
/// When the file cannot be read.
pub fn records_from<'a>(
    bytes: &'a dyn Bytes,
    range: Range<u64>,
    options: impl Into<Options>,
    first: u64,
) -> io::Result<Records<'a>> {
    let mut records = records(bytes, range, options)?;
    records.border.first = Some(first);
    records.resume_point.offset = Some(first);
    records.begin_at(first)?;
    Ok(records)
}

/// Continues from the [position](Records::position) of another reader: yields the events that it had not yet returned.
/// File, range and options must be the same.
///
/// # Errors
/// When the file cannot be read.
pub fn resume<'a>(
    bytes: &'a dyn Bytes,
    range: Range<u64>,
    options: impl Into<Options>,
    position: &Position,
) -> io::Result<Records<'a>> {
    let mut records = records(bytes, range, options)?;
    if let Some(offset) = position.offset {
        records.restore(offset, position)?;
    }
    for _ in 0..position.events {
        if let Some(Err(error)) = records.next() {
            return Err(error);
        }
    }
    Ok(records)
}

/// Where the records of a range begin and end. The reader of a range searches for its first record; the reader of the range
/// before knows where it must be, because it has read what lies before. They differ if what was found lies inside a record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Border {
    /// File offset of the first record, or of its member; `None` if none was found in the range.
    pub first: Option<u64>,
    /// File offset of the first record after the range, or the size of the file; `None` if nothing was read.
    pub next: Option<u64>,
    /// Whether the record at `next` was found by a search after damage: the reader of the next range does not know.
    #[serde(default)]
    pub searched: bool,
}

impl Border {
    /// Whether the first record of `range` is the one at `expected`, where the range before ended.
    pub fn begins_at(&self, expected: u64, range: &Range<u64>) -> bool {
        range.start == 0 || self.first.map_or(expected >= range.end, |first| first == expected)
    }
}

/// Iterator over the [`Event`]s of a file or shard; made by [`records`].
///
/// ```
/// use warcorpus::{Event, Limits, read_archive, resume_archive};
///
/// let file = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 5\r\n\r\nfirst\r\n\r\n\
///     WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 6\r\n\r\nsecond\r\n\r\n";
/// let limits = Limits::default();
/// let mut reader = read_archive(file, 0..u64::MAX, &limits)?;
///
/// let Some(Ok(Event::Record(record))) = reader.next() else { panic!("the file has two records") };
/// assert_eq!((record.offset, record.block.as_slice()), (0, &b"first"[..]));
/// assert_eq!(record.header.record_type(), "metadata");
///
/// // The position can be stored; another reader continues there.
/// let position = reader.position();
/// let rest: Vec<Event> = resume_archive(file, 0..u64::MAX, &limits, &position)?.collect::<Result<_, _>>()?;
/// assert!(matches!(rest.as_slice(), [Event::Record(record)] if record.block == b"second"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Records<'a> {
    bytes: &'a dyn Bytes,
    range: Range<u64>,
    framing: Framing,
    parser: RecordParser<'a>,
    state: ReaderState,
    ready: VecDeque<Event>,
    /// The last damage, which the next one may extend.
    pending: Option<Damage>,
    seekable: bool,
    reread: u64,
    border: Border,
    resume_point: Position,
}

/// What the reader does next.
enum ReaderState {
    Start,
    Plain,
    /// Between members, at this file offset.
    Boundary(u64),
    Member(OpenMember),
    Done,
}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut records = f.debug_struct("Records");
        records.field("range", &self.range).field("framing", &self.framing).field("position", &self.resume_point);
        records.finish_non_exhaustive()
    }
}

impl Iterator for Records<'_> {
    type Item = io::Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.resume_point.events += 1;
                return Some(Ok(event));
            }
            self.set_resume_point();
            let step = match std::mem::replace(&mut self.state, ReaderState::Done) {
                ReaderState::Start => self.start(),
                ReaderState::Plain => self.plain(),
                ReaderState::Boundary(at) => self.boundary(at),
                ReaderState::Member(member) => self.member(member),
                ReaderState::Done => return self.last(),
            };
            match step {
                Ok(state) => self.state = state,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl<'a> Records<'a> {
    /// Reads no bytes of a broken member again to find the next one within it: for a reader that wants the first record
    /// alone. Readers of many records of a file would each read again as much as one for all of them may.
    #[must_use]
    pub fn without_reread(mut self) -> Records<'a> {
        (self.reread, self.resume_point.reread) = (0, 0);
        self
    }

    /// The position after the last event returned, from which reading can resume.
    #[must_use]
    pub fn position(&self) -> Position {
        self.resume_point.clone()
    }

    /// Where the records of the range begin and end, once all are read; after [`resume`], where they end.
    pub fn border(&self) -> Border {
        self.border
    }

    /// Ends reading at the first record that is not in the range, or at the end of the file.
    fn done(&mut self, at: u64) -> ReaderState {
        self.border.next = Some(at);
        ReaderState::Done
    }

    /// Remembers the current offset as the place to resume from, if no event from before it is pending.
    fn set_resume_point(&mut self) {
        let offset = match self.state {
            ReaderState::Plain if !self.parser.is_amid() => self.parser.stream.offset(),
            ReaderState::Boundary(at) => at,
            _ => return,
        };
        if self.pending.is_none() {
            let spare = self.parser.stream.spare();
            let (reread, seekable, dictionary) = (self.reread, self.seekable, self.parser.stream.dictionary());
            self.resume_point = Position { offset: Some(offset), events: 0, reread, spare, dictionary, seekable };
        }
    }

    /// Restores the state that the other reader had at the last boundary of its position.
    fn restore(&mut self, offset: u64, position: &Position) -> io::Result<()> {
        self.resume_point = Position { events: 0, ..position.clone() };
        self.reread = position.reread;
        self.seekable = position.seekable;
        self.parser.stream.set_spare(position.spare);
        if let Some(dictionary) = position.dictionary {
            self.parser.stream.activate(dictionary)?;
        }
        self.begin_at(offset)
    }

    /// Continues at the boundary at `offset`.
    fn begin_at(&mut self, offset: u64) -> io::Result<()> {
        self.state = match self.framing {
            Framing::Gzip | Framing::Zstd => ReaderState::Boundary(offset),
            Framing::Plain => {
                let before = match offset.checked_sub(1) {
                    Some(before) => read_at(self.bytes, before, 1)?.first().copied(),
                    None => Some(b'\n'),
                };
                self.parser.stream.seek(offset, before.unwrap_or_default());
                ReaderState::Plain
            }
            Framing::Empty | Framing::Unsupported(_) => ReaderState::Done,
        };
        Ok(())
    }

    /// The pending damage, after the last record.
    fn last(&mut self) -> Option<io::Result<Event>> {
        let damage = self.pending.take()?;
        self.resume_point.events += 1;
        Some(Ok(Event::Damage(damage)))
    }

    /// Whether every record so far can be read by itself from its offset and length. False once a member with several
    /// records was met.
    #[must_use]
    pub fn seekable(&self) -> bool {
        self.seekable
    }

    /// Finds the first anchor of the range.
    fn start(&mut self) -> io::Result<ReaderState> {
        if self.range.is_empty() {
            return Ok(ReaderState::Done);
        }
        let first = match self.range.start {
            0 => Some(0),
            from if self.is_read() => self.parser.stream.first_anchor(from, self.range.end)?,
            _ => None,
        };
        let end = self.bytes.len();
        if !self.is_read() {
            self.border.next = Some(end);
        }
        let Some(first) = first else { return Ok(ReaderState::Done) };
        self.border.first = Some(first);
        match self.framing {
            Framing::Gzip | Framing::Zstd => Ok(ReaderState::Boundary(first)),
            Framing::Plain => self.start_plain(first),
            Framing::Empty => Ok(ReaderState::Done),
            Framing::Unsupported(kind) => {
                self.damage(0, end, DamageReason::Unsupported(kind));
                Ok(ReaderState::Done)
            }
        }
    }

    /// Whether the format of the file is supported and it contains records.
    fn is_read(&self) -> bool {
        matches!(self.framing, Framing::Plain | Framing::Gzip | Framing::Zstd)
    }

    /// Begins an uncompressed file, after its byte order mark.
    fn start_plain(&mut self, first: u64) -> io::Result<ReaderState> {
        self.parser.stream.seek(first, b'\n');
        self.parser.stream.ensure(3, CrossMembers::No)?;
        if first == 0 && self.parser.stream.data().starts_with(b"\xef\xbb\xbf") {
            self.parser.stream.skip(3)?;
        }
        Ok(ReaderState::Plain)
    }

    /// Reads the next record of an uncompressed file.
    fn plain(&mut self) -> io::Result<ReaderState> {
        if !self.parser.stream.skip_blanks(is_blank)? {
            return Ok(self.done(self.bytes.len()));
        }
        let at = self.parser.stream.offset();
        if at >= self.range.end && !self.parser.refuses() && self.parser.stream.is_anchor(at)? {
            self.border.searched = self.parser.searched();
            return Ok(self.done(at));
        }
        match self.parser.parse()? {
            Parsed::Padding => {}
            Parsed::Damaged { length, reason } => self.damage(at, length, reason),
            Parsed::Record(mut record) => {
                self.parser.stream.close_record()?;
                record.offset = at;
                record.length = self.parser.stream.offset().saturating_sub(at);
                self.emit(record);
            }
        }
        Ok(ReaderState::Plain)
    }

    /// Emits a record, and its damage if it is truncated.
    fn emit(&mut self, record: Record) {
        let (offset, length, truncated) = (record.offset, record.length, record.flags.truncated);
        self.emit_kept(record);
        if truncated {
            self.damage(offset, length, DamageReason::Truncated);
        }
    }

    /// Emits a record after the pending damage.
    fn emit_kept(&mut self, record: Record) {
        self.ready.extend(self.pending.take().map(Event::Damage));
        self.ready.push_back(Event::Record(record));
    }

    /// Adds a damage, or extends the pending one if the two are contiguous.
    fn damage(&mut self, offset: u64, length: u64, reason: DamageReason) {
        if let Some(last) = &mut self.pending
            && length > 0
            && last.length > 0
            && last.offset.saturating_add(last.length) == offset
        {
            last.length = last.length.saturating_add(length);
            return;
        }
        let last = self.pending.replace(Damage { offset, length, reason });
        self.ready.extend(last.map(Event::Damage));
    }
}

#[cfg(test)]
mod tests;
