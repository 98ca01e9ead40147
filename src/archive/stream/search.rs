//! Searches the window for the next record header.

use std::io;
use std::ops::Range;

use memchr::memmem;

use super::{CHUNK, CrossMembers, RecordStream};
use crate::archive::arc;
use crate::archive::scan::{RecordFormat, is_padding, may_precede_header};

/// Bytes that show whether a line may begin a header: the magic number, or the scheme of a URL.
const CANDIDATE: usize = 64;
const MAGIC: &[u8] = b"WARC/";
const LOWER_CASE_MAGIC: &[u8] = b"warc/";

/// The bytes before the next header.
pub(in crate::archive) struct SkippedBytes {
    /// The first of these bytes, as many as the caller asked to keep.
    pub(in crate::archive) kept: Vec<u8>,
    /// Number of bytes skipped.
    pub(in crate::archive) length: u64,
    /// Whether they are all blank lines and NUL bytes.
    pub(in crate::archive) padding: bool,
    /// Whether a header follows; otherwise the stream ends.
    pub(in crate::archive) found: bool,
}

impl RecordStream<'_> {
    /// Distance in bytes to the next record header that begins within `limit` bytes. The window may grow beyond that.
    pub(in crate::archive) fn find_header(&mut self, limit: usize) -> io::Result<Option<usize>> {
        self.ensure(limit.saturating_add(CANDIDATE), CrossMembers::No)?;
        let mut from = 0;
        while let Some(at) = self.candidate(from).filter(|&at| at < limit) {
            self.ensure(at.saturating_add(self.format.lookahead()), CrossMembers::No)?;
            if self.format.is_header(self.data().get(at..).unwrap_or_default()) {
                return Ok(Some(at));
            }
            from = at + 1;
        }
        Ok(None)
    }

    /// The next line from `from` on that may begin a header.
    fn candidate(&self, from: usize) -> Option<usize> {
        match self.format {
            RecordFormat::Warc => self.magic(from),
            RecordFormat::Arc => self.url(from),
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

    /// The next `WARC/` or `warc/` at a line start. The window is searched piece by piece, so that a window full of the
    /// one is not searched for the other again and again.
    fn magic(&self, mut from: usize) -> Option<usize> {
        let length = self.data().len();
        while from < length {
            let end = length.min(from + CHUNK);
            let capitals = self.candidate_of(MAGIC, from..end);
            let small = self.candidate_of(LOWER_CASE_MAGIC, from..capitals.unwrap_or(end));
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
            None => may_precede_header(self.before),
            Some(before) => data.get(before).is_some_and(|&before| may_precede_header(before)),
        })
    }

    /// Skips to the next record header or the end of the stream, keeping the first `keep` bytes.
    pub(in crate::archive) fn skip_to_header(&mut self, keep: u64) -> io::Result<SkippedBytes> {
        let mut skipped = SkippedBytes { kept: Vec::new(), length: 0, padding: true, found: false };
        loop {
            let hit = self.find_header(CHUNK)?;
            let n = hit.unwrap_or_else(|| self.data().len().min(CHUNK));
            let bytes = self.data().get(..n).unwrap_or_default();
            let wanted = keep.saturating_sub(skipped.length).min(n as u64) as usize;
            skipped.kept.extend_from_slice(bytes.get(..wanted).unwrap_or_default());
            skipped.padding &= bytes.iter().all(|&b| is_padding(b));
            skipped.length += n as u64;
            self.consume(n);
            if hit.is_some() || self.data().is_empty() && !self.pull(CrossMembers::No)? {
                skipped.found = hit.is_some();
                return Ok(skipped);
            }
        }
    }
}
