//! One remote file: reading in sequence and looking.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::object::Object;
use super::pool::{After, Key, Want};
use super::ranges::Ranges;
use super::run::Run;
use super::{Shared, WINDOW};
use crate::archive::Bytes;

/// Bytes copied at first by a reader, which may only want to look.
const FIRST_WINDOW: usize = 8 << 10;
/// Places of a file that are read in sequence at the same time.
const STREAMS: usize = 64;

/// A place that is read in sequence. All numbers are pieces.
struct Stream {
    /// The piece after the last one touched.
    next: u64,
    /// Touched in sequence so far.
    length: u64,
    /// An announced range ends before this one.
    until: Option<u64>,
}

/// What may be fetched ahead of a piece that is touched.
#[derive(Clone, Copy)]
struct Window {
    /// Pieces after it.
    pieces: u64,
    /// The piece before which fetching stops.
    until: u64,
    /// Whether the piece is touched for the first time in its sequence.
    fresh: bool,
}

/// One remote file, open.
pub struct RemoteFile {
    pub(super) shared: Arc<Shared>,
    pub(super) object: Arc<Object>,
    identity: String,
    /// The latest used last.
    streams: Mutex<VecDeque<Stream>>,
}

impl RemoteFile {
    pub(super) fn new(shared: Arc<Shared>, object: Object) -> Self {
        let identity = object.identity.text();
        Self { shared, object: Arc::new(object), identity, streams: Mutex::default() }
    }

    /// The state of the object when it was opened, for `Remote::open_known`: its ETag or its date. Empty when the
    /// server tells neither; a change is then only noticed by the size.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Announces that `range` will be read in sequence: it is fetched ahead from its first byte on, and nothing behind
    /// it (but for the rest of its last piece).
    pub fn expect(&self, range: Range<u64>) {
        let range = self.clamp(range);
        if range.start < range.end {
            let (next, until) = (range.start / self.shared.piece, range.end.div_ceil(self.shared.piece));
            // An earlier look at its first piece is no reason to begin slowly.
            self.streams.lock().unwrap_or_else(PoisonError::into_inner).retain(|stream| stream.next != next + 1);
            self.remember(Stream { next, length: 0, until: Some(until) });
        }
    }

    /// The bytes from `offset` on; fewer than `length` only at the end of the file.
    ///
    /// # Errors
    /// When they cannot be had.
    #[cfg(test)]
    pub fn slice(&self, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let range = self.clamp(offset..offset.saturating_add(length));
        if range.end - range.start <= self.shared.chunk {
            return self
                .ranges(std::iter::once(range))
                .next()
                .unwrap_or_else(|| Ok(bytes::Bytes::new()))
                .map(Vec::from);
        }
        let mut bytes = Vec::new();
        self.read_from(offset)?.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The given ranges in the given order, cut at the end of the file, fetched ahead; neighbours that touch share a
    /// request. What was given out is no longer part of the memory budget.
    ///
    /// An item is an error when its bytes cannot be had, or when it is longer than half the budget.
    pub fn ranges<I: Iterator<Item = Range<u64>>>(&self, ranges: I) -> Ranges<'_, I> {
        Ranges::new(self, ranges)
    }

    pub(super) fn clamp(&self, range: Range<u64>) -> Range<u64> {
        let end = range.end.min(self.object.size);
        range.start.min(end)..end
    }

    fn key(&self, piece: u64) -> Key {
        let start = piece * self.shared.piece;
        Key { object: self.object.id, start, end: (start + self.shared.piece).min(self.object.size) }
    }

    fn pieces(&self) -> u64 {
        self.object.size.div_ceil(self.shared.piece)
    }

    /// Fetches what the pool promised.
    pub(super) fn start(&self, keys: Vec<Key>) {
        let run = Run::new(self.shared.pool.clone(), keys);
        self.shared.runtime().spawn(run.fetch(self.shared.client.clone(), self.object.clone()));
    }

    fn remember(&self, stream: Stream) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        while streams.len() >= STREAMS {
            streams.pop_front();
        }
        streams.push_back(stream);
    }

    /// Notes that `piece` is read, and says what that lets expect.
    fn touch(&self, piece: u64) -> Window {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let again = streams.iter().rposition(|stream| stream.next == piece + 1 && stream.length > 0);
        let found = again.or_else(|| streams.iter().rposition(|stream| stream.next == piece));
        let known = found.and_then(|at| streams.remove(at));
        let mut stream = known.unwrap_or(Stream { next: piece, length: 0, until: None });
        let fresh = again.is_none();
        if fresh {
            (stream.next, stream.length) = (piece + 1, stream.length + 1);
        }
        if stream.until.is_some_and(|until| piece >= until) {
            (stream.length, stream.until) = (1, None);
        }
        let pieces = if stream.until.is_some() { u64::MAX } else { stream.length / 2 };
        let window = Window { pieces, until: stream.until.unwrap_or(u64::MAX).min(self.pieces()), fresh };
        drop(streams);
        self.remember(stream);
        window
    }

    /// Copies what the piece at `position` has from there on, at most `most` bytes.
    fn copy(&self, position: u64, most: usize, to: &mut Vec<u8>) -> io::Result<()> {
        let piece = position / self.shared.piece;
        let (window, key) = (self.touch(piece), self.key(piece));
        let from = (position - key.start) as usize;
        let share = self.shared.pool.share();
        let run = (self.shared.chunk.min(share / 2) / self.shared.piece).max(1);
        let ahead = window.pieces.min(share / self.shared.piece);
        let last = piece.saturating_add(ahead.clamp(1, run)).min(window.until).max(piece + 1);
        let spent = key.end - position <= most as u64;
        let copied = self.shared.pool.read(
            key,
            if spent { After::Spent } else { After::Keep },
            || (piece..last).map(|piece| self.key(piece)),
            |keys| self.start(keys),
            |bytes| to.extend_from_slice(window_of(bytes, from, most)),
        );
        copied?;
        if window.fresh && ahead > 0 {
            self.fetch_ahead(piece + 1, (piece + 1).saturating_add(ahead).min(window.until), window.until, run);
        }
        Ok(())
    }

    /// Starts runs of at most `run` pieces for what is missing in `[from, stop)`, but none much shorter than could be
    /// had by waiting a little, unless it is the last one before `end`.
    fn fetch_ahead(&self, mut from: u64, stop: u64, end: u64, run: u64) {
        let pool = &self.shared.pool;
        let worthwhile = run.min(stop.saturating_sub(from) / 2).max(1);
        while let Some(missing) = pool.first_missing((from..stop).map(|piece| self.key(piece))) {
            from += missing as u64;
            if stop < end && stop - from < worthwhile {
                return;
            }
            let last = from.saturating_add(run).min(stop);
            let begun = pool.begin((from..last).map(|piece| self.key(piece)), Want::Ahead);
            if begun.is_empty() {
                return;
            }
            from += begun.len() as u64;
            self.start(begun);
        }
    }
}

/// At most `most` of `bytes`, from number `from` on.
fn window_of(bytes: &[u8], from: usize, most: usize) -> &[u8] {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.get(..most).unwrap_or(rest)
}

impl Drop for RemoteFile {
    fn drop(&mut self) {
        self.object.close();
        self.shared.pool.forget(self.object.id, None);
    }
}

impl Bytes for RemoteFile {
    fn len(&self) -> u64 {
        self.object.size
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        self.shared.pool.enter();
        Ok(Box::new(Reader { file: self, position: offset, buffer: Vec::new(), used: 0 }))
    }
}

/// Reads forward through a window of its own.
struct Reader<'a> {
    file: &'a RemoteFile,
    /// Of the first byte after the buffer.
    position: u64,
    buffer: Vec<u8>,
    used: usize,
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used >= self.buffer.len() && self.position < self.file.object.size {
            let most = if self.buffer.is_empty() { FIRST_WINDOW } else { WINDOW };
            self.buffer.clear();
            self.used = 0;
            self.file.copy(self.position, most, &mut self.buffer)?;
            self.position += self.buffer.len() as u64;
        }
        Ok(self.buffer.get(self.used..).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        self.used += amount;
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.file.shared.pool.leave();
    }
}
