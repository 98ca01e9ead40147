//! Searches the window for the next record header.

use std::io;
use std::ops::Range;

use super::{CHUNK, CrossMembers, RecordStream};
use crate::archive::arc;
use crate::archive::scan::{BEFORE_SLASH, RecordFormat, is_padding, is_whole_warc_header, may_precede_header};
use crate::archive::warc::{is_magic, version_line};

/// Bytes that show whether a header may begin: a version line, or the scheme of a URL.
const CANDIDATE: usize = 64;

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
        while let Some(at) = self.candidate(from..limit) {
            self.ensure(at.saturating_add(self.format.lookahead()), CrossMembers::No)?;
            if self.is_header(at) {
                return Ok(Some(at));
            }
            from = at + 1;
        }
        Ok(None)
    }

    /// Whether a header begins at a place of the window that may begin one.
    fn is_header(&self, at: usize) -> bool {
        let data = self.data().get(at..).unwrap_or_default();
        match self.format {
            RecordFormat::Warc if !self.may_begin_header(at) => is_whole_warc_header(data),
            format => format.is_header(data),
        }
    }

    /// Whether the byte before a place of the window may stand before a header.
    fn may_begin_header(&self, at: usize) -> bool {
        let before = match at.checked_sub(1) {
            None => Some(self.before),
            Some(before) => self.data().get(before).copied(),
        };
        before.is_some_and(may_precede_header)
    }

    /// The next place that may begin a header and lies in `range` of the window.
    fn candidate(&self, range: Range<usize>) -> Option<usize> {
        match self.format {
            RecordFormat::Warc => self.magic(range),
            RecordFormat::Arc => self.url(range),
        }
    }

    /// The first line that begins like a URL and begins in `range` of the window.
    fn url(&self, range: Range<usize>) -> Option<usize> {
        let data = self.data();
        let before = match range.start.checked_sub(1) {
            None => Some(self.before),
            Some(before) => data.get(before).copied(),
        };
        let here = (before == Some(b'\n')).then_some(range.start);
        let searched = data.get(..range.end).unwrap_or(data).get(range.start..)?;
        let later = memchr::memchr_iter(b'\n', searched).map(|end| range.start + end + 1);
        let mut lines = here.into_iter().chain(later).filter(|at| range.contains(at));
        lines.find(|&at| arc::starts_like_url(data.get(at..).unwrap_or_default()))
    }

    /// The first `WARC/` or `warc/` that begins in `range` of the window: at the start of a line, or amid it if the line ends as
    /// a version line. Both end with a slash, so that one pass finds the nearest of either: with a search for each, a window
    /// full of the one is searched for the other again and again.
    fn magic(&self, range: Range<usize>) -> Option<usize> {
        let data = self.data();
        let end = range.end.saturating_add(BEFORE_SLASH);
        let searched = data.get(..end).unwrap_or(data).get(range.start..)?;
        let slashes = memchr::memchr_iter(b'/', searched);
        let mut candidates = slashes.filter_map(|slash| Some(range.start + slash.checked_sub(BEFORE_SLASH)?));
        candidates.find(|&at| {
            let begins = |data: &[u8]| is_magic(data) && (self.may_begin_header(at) || version_line(data).is_some());
            data.get(at..).is_some_and(begins)
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
