//! One open remote file: sequential reads with read-ahead, and single reads without.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::object::Object;
use super::pool::{After, SpanKey, Want};
use super::ranges::Ranges;
use super::run::SpanRun;
use super::{Shared, WINDOW};
use crate::archive::Bytes;
use crate::threads::lock;

/// Bytes of a reader's first copy. It is small, because many readers only need a header.
const FIRST_WINDOW: usize = 8 << 10;
/// Most sequential reads of a file that are tracked at the same time.
const STREAMS: usize = 64;

/// A sequential read. All fields count pieces.
struct Stream {
    /// The piece after the last one read.
    next: u64,
    /// Number of pieces read in sequence so far.
    length: u64,
    /// End (exclusive) of the announced range, if there is one.
    until: Option<u64>,
}

/// The read-ahead that a read of a piece allows.
#[derive(Clone, Copy)]
struct Window {
    /// Most pieces after the one that is read.
    pieces: u64,
    /// End (exclusive) of the read-ahead, as a piece number.
    until: u64,
    /// Whether the piece is read for the first time in its sequence.
    fresh: bool,
}

/// One remote file, open.
pub struct RemoteFile {
    pub(super) shared: Arc<Shared>,
    pub(super) object: Arc<Object>,
    identity: String,
    /// Sequential reads, the most recently used last.
    streams: Mutex<VecDeque<Stream>>,
}

impl RemoteFile {
    pub(super) fn new(shared: Arc<Shared>, object: Object) -> Self {
        let identity = object.identity.text();
        Self { shared, object: Arc::new(object), identity, streams: Mutex::default() }
    }

    /// The identity of the object when it was opened, for `Remote::open_known`: its ETag or its date. Empty if the server
    /// sends neither; a change is then detected by the size only.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Announces that `range` will be read in sequence. Read-ahead then starts at its first byte and ends with the piece
    /// that holds its last byte.
    pub fn expect(&self, range: Range<u64>) {
        let range = self.clamp(range);
        if range.start < range.end {
            let (next, until) = (range.start / self.shared.piece, range.end.div_ceil(self.shared.piece));
            // A stream from an earlier read of the first piece would limit the read-ahead.
            lock(&self.streams).retain(|stream| stream.next != next + 1);
            self.remember(Stream { next, length: 0, until: Some(until) });
        }
    }

    /// The `length` bytes from `offset` on; fewer only at the end of the file.
    ///
    /// # Errors
    /// If the bytes cannot be fetched.
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

    /// The bytes of the given ranges in the given order, truncated at the end of the file. Ranges are read ahead, and
    /// adjacent ranges share a request. Returned bytes are no longer part of the memory budget.
    ///
    /// An item is an error if its bytes cannot be fetched, or if the range is longer than half the budget.
    pub fn ranges<I: Iterator<Item = Range<u64>>>(&self, ranges: I) -> Ranges<'_, I> {
        Ranges::new(self, ranges)
    }

    pub(super) fn clamp(&self, range: Range<u64>) -> Range<u64> {
        let end = range.end.min(self.object.size);
        range.start.min(end)..end
    }

    fn key(&self, piece: u64) -> SpanKey {
        let start = piece * self.shared.piece;
        SpanKey { object: self.object.id, start, end: (start + self.shared.piece).min(self.object.size) }
    }

    fn pieces(&self) -> u64 {
        self.object.size.div_ceil(self.shared.piece)
    }

    /// Starts a request for spans that the pool has reserved.
    pub(super) fn start(&self, keys: Vec<SpanKey>) {
        let run = SpanRun::new(self.shared.pool.clone(), keys);
        self.shared.runtime().spawn(run.fetch(self.shared.client.clone(), self.object.clone()));
    }

    fn remember(&self, stream: Stream) {
        let mut streams = lock(&self.streams);
        while streams.len() >= STREAMS {
            streams.pop_front();
        }
        streams.push_back(stream);
    }

    /// Records the read of `piece` in its stream and returns the read-ahead that it allows.
    fn touch(&self, piece: u64) -> Window {
        let mut streams = lock(&self.streams);
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

    /// Appends the bytes from `position` to the end of its piece, at most `most`, to `to`. Waits until they have arrived.
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

    /// Starts runs of at most `run` pieces for the missing pieces in `[from, stop)`. A run much shorter than that is
    /// delayed until more pieces may be fetched, unless it is the last one before `end`.
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

/// The bytes from index `from` on, at most `most`.
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

/// Reads forward through its own buffer, so that it holds no bytes of the pool while it waits.
struct Reader<'a> {
    file: &'a RemoteFile,
    /// File offset of the first byte after the buffer.
    position: u64,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were consumed.
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
