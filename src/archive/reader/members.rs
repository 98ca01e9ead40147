//! Reads the members (gzip members or zstd frames) of a compressed file: where one begins, which records it holds, how
//! it ended, and where the next one is.

use std::io;
use std::ops::Range;

use super::super::anchor::is_padding_to_end;
use super::super::cursor::read_at;
use super::super::gzip_member::MemberState;
use super::super::record::Parsed;
use super::super::scan::is_blank;
use super::super::stored::StoredBlocks;
use super::super::stream::member_damage;
use super::super::{DamageReason, Record};
use super::{ReaderState, Records};

/// Blank lines between gzip members are no damage up to this many bytes.
const MAX_BLANKS: u64 = 4096;

/// The state of the member being read.
#[derive(Default)]
pub(super) struct OpenMember {
    offset: u64,
    records: u64,
    /// The last record, held back until it is known whether its member contains another one.
    held: Option<Record>,
    /// File offset that the decompressor had reached at the end of the last whole record.
    read: u64,
    /// The first damage met between the records.
    junk: Option<DamageReason>,
}

impl Records<'_> {
    /// Opens the member at `at`, or searches for the next one.
    pub(super) fn boundary(&mut self, at: u64) -> io::Result<ReaderState> {
        let end = self.bytes.len();
        if at >= end || at >= self.range.end && self.parser.stream.is_anchor(at)? {
            return Ok(self.done(at));
        }
        if let Some(next) = self.pass_skippable(at)? {
            return Ok(ReaderState::Boundary(next));
        }
        if self.parser.open_member(at)? {
            return Ok(ReaderState::Member(OpenMember { offset: at, read: at, ..OpenMember::default() }));
        }
        let next = self.parser.stream.first_anchor(at.saturating_add(1), end)?;
        let harmless = match next {
            Some(next) => self.is_blank_between(at, next)?,
            None => is_padding_to_end(self.bytes, at)?,
        };
        if !harmless {
            self.damage(at, next.unwrap_or(end) - at, DamageReason::Junk);
        }
        Ok(ReaderState::Boundary(next.unwrap_or(end)))
    }

    /// Skips a skippable zstd frame; a dictionary in it becomes the active one. The size of a frame that no other frame
    /// follows is not trusted, except that of a leading dictionary with no anchor inside.
    fn pass_skippable(&mut self, at: u64) -> io::Result<Option<u64>> {
        let Some(frame) = self.parser.stream.skippable(at)? else { return Ok(None) };
        let leading = at == 0 && frame.dictionary;
        if !frame.sound && (!leading || self.parser.stream.first_anchor(1, frame.end)?.is_some()) {
            return Ok(None);
        }
        if frame.dictionary && !self.parser.stream.activate(at)? {
            self.damage(at, frame.end.saturating_sub(at), DamageReason::MissingDictionary);
        }
        Ok(Some(frame.end))
    }

    /// Whether only blank lines, and a byte order mark at the start of the file, lie between `from` and `to`.
    fn is_blank_between(&self, from: u64, to: u64) -> io::Result<bool> {
        if to - from > MAX_BLANKS {
            return Ok(false);
        }
        let bytes = read_at(self.bytes, from, (to - from) as usize)?;
        let bytes = if from == 0 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
        Ok(bytes.iter().all(|&b| is_blank(b)))
    }

    /// Reads the next record of a member.
    pub(super) fn member(&mut self, mut member: OpenMember) -> io::Result<ReaderState> {
        if !self.parser.stream.skip_blanks(is_blank)? {
            return self.finish(member);
        }
        match self.parser.parse()? {
            Parsed::Padding => {}
            Parsed::Damaged { reason, .. } => member.junk = member.junk.or(Some(reason)),
            Parsed::Record(mut record) => {
                record.offset = member.offset;
                self.release_shared(&mut member);
                self.junk(&mut member);
                if !record.flags.truncated {
                    member.read = self.parser.stream.file_position();
                }
                member.records += 1;
                member.held = Some(record);
            }
        }
        Ok(ReaderState::Member(member))
    }

    /// Emits the record held back, because another one was found in the same member.
    fn release_shared(&mut self, member: &mut OpenMember) {
        if let Some(mut record) = member.held.take() {
            record.flags.not_seekable = true;
            self.seekable = false;
            self.emit(record);
        }
    }

    /// Emits the damage met between the records of a member.
    fn junk(&mut self, member: &mut OpenMember) {
        if let Some(reason) = member.junk.take() {
            self.damage(member.offset, 0, reason);
        }
    }

    /// The decompressed bytes are at their end: reports how the member ended and goes to the next one.
    fn finish(&mut self, mut member: OpenMember) -> io::Result<ReaderState> {
        let state = self.parser.stream.member_state();
        let next = self.after_member(state)?;
        let broken = member_damage(state);
        let shared = member.records > 1;
        let truncated = member.held.as_ref().is_some_and(|record| record.flags.truncated);
        if let Some(mut record) = member.held.take() {
            let end = if broken.is_some() && !truncated { member.read.min(next) } else { next };
            record.length = if shared { 0 } else { end.saturating_sub(member.offset) };
            record.flags.not_seekable = shared;
            record.flags.bad_crc = state != MemberState::Whole && !(truncated && broken.is_some());
            self.emit_kept(record);
        }
        if member.records == 0 {
            let bad = (state == MemberState::BadChecksum).then_some(DamageReason::BadChecksum);
            if let Some(reason) = broken.or(member.junk).or(bad) {
                self.damage(member.offset, next.saturating_sub(member.offset), reason);
            }
            return Ok(ReaderState::Boundary(next));
        }
        self.junk(&mut member);
        if let Some(reason) = broken.or(truncated.then_some(DamageReason::Truncated)) {
            // In a member with several records, only the bytes after the last whole record are lost.
            let from = if truncated && !shared { member.offset } else { member.read.min(next) };
            if next > from {
                self.damage(from, next - from, reason);
            } else if truncated {
                self.damage(member.offset, 0, reason);
            }
        }
        Ok(ReaderState::Boundary(next))
    }

    /// File offset at which to continue after the member just read.
    fn after_member(&mut self, state: MemberState) -> io::Result<u64> {
        let (at, position) = (self.parser.stream.member(), self.parser.stream.file_position());
        let inside = at.saturating_add(1);
        match state {
            MemberState::Whole => Ok(position),
            MemberState::BadChecksum if self.reread > 0 => {
                // This may be a cut member after which the following members were decompressed as its rest.
                Ok(self.member_within(at, inside..position)?.unwrap_or(position))
            }
            MemberState::BadChecksum => Ok(position),
            MemberState::Reading | MemberState::Damaged(_) => {
                // The search begins after the first byte of the broken member: if it was cut short, the next one begins
                // long before the decompressor notices.
                let (from, end) = (if self.reread > 0 { inside } else { position.max(inside) }, self.bytes.len());
                Ok(self.member_within(at, from..end)?.unwrap_or(end))
            }
        }
    }

    /// File offset of the first member in `range` that is not content of the broken member at `broken`. What will be read
    /// again counts.
    fn member_within(&mut self, broken: u64, range: Range<u64>) -> io::Result<Option<u64>> {
        let read = self.parser.stream.file_position();
        let (mut from, mut stored) = (range.start, None);
        let found = loop {
            let Some(next) = self.parser.stream.first_anchor(from, range.end)? else { break None };
            let stored = match &mut stored {
                Some(stored) => stored,
                none => {
                    let spare = self.parser.stream.spare();
                    none.insert(StoredBlocks::new(self.bytes, self.framing, broken, spare)?)
                }
            };
            match stored.end_around(next)? {
                Some(end) => from = end,
                None => break Some(next),
            }
        };
        if let Some(stored) = stored {
            self.parser.stream.set_spare(stored.spare());
        }
        self.reread = self.reread.saturating_sub(read.saturating_sub(found.unwrap_or(read)));
        Ok(found)
    }
}
