//! Reads a list of ranges of one file, with read-ahead.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::ops::Range;

use super::fault::Fault;
use super::file::RemoteFile;
use super::pool::{After, SpanKey, Want};

/// Most ranges taken from the list before they are needed.
const RANGES_AHEAD: usize = 256;

/// Iterates over the bytes of ranges of a file, in order; returned by [`RemoteFile::ranges`].
pub struct Ranges<'a, I> {
    file: &'a RemoteFile,
    source: I,
    /// Ranges that were taken from the list and not returned yet.
    pending: VecDeque<Range<u64>>,
    /// Number of pending ranges, from the front, that were requested.
    begun: usize,
}

impl<'a, I: Iterator<Item = Range<u64>>> Ranges<'a, I> {
    pub(super) fn new(file: &'a RemoteFile, source: I) -> Self {
        Self { file, source, pending: VecDeque::new(), begun: 0 }
    }

    /// Keys of the adjacent pending ranges from index `from` on that one request can fetch.
    fn run(&self, from: usize) -> Vec<SpanKey> {
        let mut keys: Vec<SpanKey> = Vec::new();
        for range in self.pending.iter().skip(from) {
            let first = keys.first().map_or(range.start, |key| key.start);
            let touches = keys.last().is_none_or(|key| key.end == range.start);
            let fits = keys.is_empty() || range.end.saturating_sub(first) <= self.file.shared.chunk;
            if range.is_empty() || !touches || !fits || self.is_too_long(range) {
                break;
            }
            keys.push(SpanKey::new(self.file.object.id, range));
        }
        keys
    }

    fn is_too_long(&self, range: &Range<u64>) -> bool {
        range.end.saturating_sub(range.start) > self.file.shared.pool.memory() / 2
    }

    fn fetch_ahead(&mut self) {
        while self.pending.len() < RANGES_AHEAD
            && let Some(range) = self.source.next()
        {
            self.pending.push_back(self.file.clamp(range));
        }
        while let Some(next) = self.pending.get(self.begun) {
            let key = SpanKey::new(self.file.object.id, next);
            let is_known = self.file.shared.pool.first_missing(std::iter::once(key)).is_none();
            if is_known || next.is_empty() || self.is_too_long(next) {
                self.begun += 1;
                continue;
            }
            let begun = self.file.shared.pool.begin(self.run(self.begun).into_iter(), Want::Ahead);
            if begun.is_empty() {
                return;
            }
            self.begun += begun.len();
            self.file.start(begun);
        }
    }
}

impl<I: Iterator<Item = Range<u64>>> Iterator for Ranges<'_, I> {
    type Item = io::Result<bytes::Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fetch_ahead();
        let range = self.pending.front()?.clone();
        let got = if range.is_empty() {
            Ok(bytes::Bytes::new())
        } else if self.is_too_long(&range) {
            let cause = format!("{} bytes in one range; remote.memory allows half of it", range.end - range.start);
            Err(Fault::last(ErrorKind::FileTooLarge, format!("{}: {cause}", self.file.object.location.shown)))
        } else {
            let wanted = || self.run(0).into_iter();
            let key = SpanKey::new(self.file.object.id, &range);
            self.file.shared.pool.read(key, After::Taken, wanted, |keys| self.file.start(keys), bytes::Bytes::clone)
        };
        self.pending.pop_front();
        self.begun = self.begun.saturating_sub(1);
        Some(got.map_err(io::Error::from))
    }
}

impl<I> Drop for Ranges<'_, I> {
    fn drop(&mut self) {
        for range in &self.pending {
            self.file.shared.pool.forget(self.file.object.id, Some(SpanKey::new(self.file.object.id, range)));
        }
    }
}
