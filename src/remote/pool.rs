//! The memory of all remote files: spans that are being fetched or cached, and the threads that wait for them.
//!
//! These rules prevent deadlocks of readers: a span is part of the budget from before its request starts until it is
//! evicted; no thread holds a span while it waits for another one; a span that a thread waits for is not evicted.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::fault::Fault;
use crate::threads::lock;

/// A span of an object, as byte offsets, that is fetched and evicted as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SpanKey {
    pub(super) object: u64,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl SpanKey {
    pub(super) fn new(object: u64, span: &Range<u64>) -> Self {
        Self { object, start: span.start, end: span.end }
    }

    fn length(self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// The priority of a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// A thread waits for the first span.
    Now,
    /// Read-ahead: the spans will probably be read soon.
    Ahead,
}

/// What happens to a cached span after a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// It stays in the cache.
    Keep,
    /// It was read to its end and is evicted before others.
    Spent,
    /// It leaves the cache and the budget; the caller owns the bytes.
    Taken,
}

enum SpanState {
    Fetching,
    Cached(Bytes),
    Failed(Fault),
}

struct PoolEntry {
    span: SpanState,
    /// Number of threads that wait for the span.
    waiting: usize,
    /// Time of last use, by the pool's clock.
    used: u64,
    /// Whether the span was read to its end.
    spent: bool,
    /// Whether no reader needs the span any more, so that it is removed when it arrives.
    unwanted: bool,
}

/// What the pool holds, behind its lock.
struct PoolState {
    entries: HashMap<SpanKey, PoolEntry>,
    /// Bytes in the budget.
    bytes: u64,
    /// Peak of `bytes`.
    most: u64,
    /// Number of threads that wait for memory.
    waiting_for_memory: usize,
    /// Number of runs under way.
    runs: usize,
    /// Number of open readers.
    readers: usize,
    /// Counts uses, for least-recently-used eviction.
    clock: u64,
}

pub(super) struct Pool {
    memory: u64,
    parallel: usize,
    state: Mutex<PoolState>,
    changed: Condvar,
}

impl Pool {
    pub(super) fn new(memory: u64, parallel: usize) -> Self {
        let state = PoolState {
            entries: HashMap::new(),
            bytes: 0,
            most: 0,
            waiting_for_memory: 0,
            runs: 0,
            readers: 0,
            clock: 0,
        };
        Self { memory, parallel, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, PoolState> {
        lock(&self.state)
    }

    pub(super) fn memory(&self) -> u64 {
        self.memory
    }

    #[cfg(test)]
    pub(super) fn most(&self) -> u64 {
        self.lock().most
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.lock().bytes
    }

    /// The share of one open reader in bytes: half the budget divided by the number of open readers.
    pub(super) fn share(&self) -> u64 {
        self.memory / 2 / self.lock().readers.max(1) as u64
    }

    /// Counts a reader that was opened.
    pub(super) fn enter(&self) {
        self.lock().readers += 1;
    }

    /// Counts a reader that was closed.
    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.readers = state.readers.saturating_sub(1);
    }

    /// Index of the first of `keys` that is neither cached nor being fetched.
    pub(super) fn first_missing(&self, mut keys: impl Iterator<Item = SpanKey>) -> Option<usize> {
        let state = self.lock();
        keys.position(|key| !state.entries.contains_key(&key))
    }

    /// Reserves memory for a prefix of `keys` (adjacent, in order): as many as are missing and fit into the budget. The
    /// caller must fetch the returned keys and call [`Pool::arrived`] or [`Pool::failed`] for each, then
    /// [`Pool::landed`].
    pub(super) fn begin(&self, keys: impl Iterator<Item = SpanKey>, want: Want) -> Vec<SpanKey> {
        let mut state = self.lock();
        self.begin_locked(&mut state, keys, want)
    }

    fn begin_locked(&self, state: &mut PoolState, keys: impl Iterator<Item = SpanKey>, want: Want) -> Vec<SpanKey> {
        let mut begun = Vec::new();
        if want == Want::Ahead && (state.waiting_for_memory > 0 || state.runs >= self.parallel) {
            return begun;
        }
        for key in keys {
            if state.entries.contains_key(&key) || !state.make_room(self.memory, key.length(), want) {
                break;
            }
            let used = state.tick();
            let entry = PoolEntry { span: SpanState::Fetching, waiting: 0, used, spent: false, unwanted: false };
            state.entries.insert(key, entry);
            state.bytes += key.length();
            state.most = state.most.max(state.bytes);
            begun.push(key);
            if state.waiting_for_memory > 0 {
                break;
            }
        }
        state.runs += usize::from(!begun.is_empty());
        begun
    }

    /// Stores the bytes of a reserved span.
    pub(super) fn arrived(&self, key: SpanKey, bytes: Bytes) {
        let mut state = self.lock();
        if let Some(entry) = state.entries.get_mut(&key) {
            entry.span = SpanState::Cached(bytes);
            if entry.unwanted && entry.waiting == 0 {
                state.remove(key);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Passes a failure to the threads that wait for a reserved span, and frees its memory.
    pub(super) fn failed(&self, key: SpanKey, fault: &Fault) {
        let mut state = self.lock();
        if let Some(entry) = state.entries.get_mut(&key) {
            entry.span = SpanState::Failed(fault.clone());
            if entry.waiting == 0 {
                state.remove(key);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Counts a run that has ended.
    pub(super) fn landed(&self) {
        let mut state = self.lock();
        state.runs = state.runs.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for a span and passes its bytes to `take`. `take` runs under the lock, so it should only copy. While the
    /// span is missing, `wanted` are the keys to fetch, `key` first; `start` receives those that were reserved.
    pub(super) fn read<T, I: Iterator<Item = SpanKey>>(
        &self,
        key: SpanKey,
        after: After,
        wanted: impl Fn() -> I,
        start: impl Fn(Vec<SpanKey>),
        take: impl FnOnce(&Bytes) -> T,
    ) -> Result<T, Fault> {
        let mut state = self.lock();
        loop {
            let now = state.tick();
            let Some(entry) = state.entries.get_mut(&key) else {
                let begun = self.begin_locked(&mut state, wanted(), Want::Now);
                if begun.is_empty() {
                    state.waiting_for_memory += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.waiting_for_memory -= 1;
                } else {
                    start(begun);
                }
                continue;
            };
            match &entry.span {
                SpanState::Fetching => {
                    entry.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    if let Some(entry) = state.entries.get_mut(&key) {
                        entry.waiting -= 1;
                    }
                }
                SpanState::Cached(bytes) => {
                    let taken = take(bytes);
                    entry.used = now;
                    entry.spent |= after == After::Spent;
                    if after == After::Taken && entry.waiting == 0 {
                        state.remove(key);
                    }
                    // The span may be evicted now, so threads that wait for memory try again.
                    if state.waiting_for_memory > 0 {
                        self.changed.notify_all();
                    }
                    return Ok(taken);
                }
                SpanState::Failed(fault) => {
                    let fault = fault.clone();
                    if entry.waiting == 0 {
                        state.remove(key);
                        self.changed.notify_all();
                    }
                    return Err(fault);
                }
            }
        }
    }

    /// Removes the cached spans of `object` at once, and those being fetched when they arrive; with `only`, that span
    /// alone. Spans that a thread waits for stay.
    pub(super) fn forget(&self, object: u64, only: Option<SpanKey>) {
        let mut state = self.lock();
        let state = &mut *state;
        let mut freed = 0;
        state.entries.retain(|key, entry| {
            if key.object != object || only.is_some_and(|only| only != *key) || entry.waiting > 0 {
                return true;
            }
            entry.unwanted = true;
            let keep = matches!(entry.span, SpanState::Fetching);
            freed += if keep { 0 } else { key.length() };
            keep
        });
        state.bytes = state.bytes.saturating_sub(freed);
        self.changed.notify_all();
    }
}

impl PoolState {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn remove(&mut self, key: SpanKey) {
        if self.entries.remove(&key).is_some() {
            self.bytes = self.bytes.saturating_sub(key.length());
        }
    }

    /// Evicts spans until `length` bytes fit into `memory`; false if they do not. Spans read to their end are evicted
    /// first, then the least recently used; for read-ahead only the former.
    fn make_room(&mut self, memory: u64, length: u64, want: Want) -> bool {
        while self.bytes.saturating_add(length) > memory {
            let idle = |entry: &PoolEntry| entry.waiting == 0 && !matches!(entry.span, SpanState::Fetching);
            let is_evictable = |entry: &PoolEntry| idle(entry) && (want == Want::Now || entry.spent);
            let oldest = self.entries.iter().filter(|(_, entry)| is_evictable(entry));
            let Some(key) = oldest.min_by_key(|(_, entry)| (!entry.spent, entry.used)).map(|(key, _)| *key) else {
                return false;
            };
            self.remove(key);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> [SpanKey; 3] {
        [0..10, 10..20, 20..30].map(|span| SpanKey::new(0, &span))
    }

    fn full() -> Pool {
        let [a, b, _] = keys();
        let pool = Pool::new(20, 8);
        assert_eq!(pool.begin([a, b].into_iter(), Want::Now), [a, b]);
        pool
    }

    #[test]
    fn what_is_on_its_way_or_waited_for_stays() {
        let (pool, [a, b, c]) = (full(), keys());
        assert_eq!(pool.begin([c].into_iter(), Want::Now), []);
        pool.arrived(a, Bytes::from_static(&[0; 10]));
        pool.lock().entries.entry(a).and_modify(|entry| entry.waiting = 1);
        assert_eq!(pool.begin([c].into_iter(), Want::Now), []);
        pool.lock().entries.entry(a).and_modify(|entry| entry.waiting = 0);
        assert_eq!(pool.begin([c].into_iter(), Want::Now), [c]);
        assert_eq!(pool.first_missing([b, c, a].into_iter()), Some(2));
        assert_eq!(pool.lock().bytes, 20);
    }

    #[test]
    fn reading_ahead_replaces_only_what_was_read() {
        let (pool, [a, b, c]) = (full(), keys());
        let read = |key, after| pool.read(key, after, || [].into_iter(), |_| (), |_| ()).unwrap_or_else(|_| panic!());
        for key in [a, b] {
            pool.arrived(key, Bytes::from_static(&[0; 10]));
        }
        read(a, After::Keep);
        assert_eq!(pool.begin([c].into_iter(), Want::Ahead), []);
        read(b, After::Spent);
        assert_eq!(pool.begin([c].into_iter(), Want::Ahead), [c]);
        assert_eq!(pool.first_missing([a, c, b].into_iter()), Some(2));
    }

    #[test]
    fn reading_ahead_waits_for_the_hungry() {
        let (pool, [a, ..]) = (Pool::new(20, 8), keys());
        pool.lock().waiting_for_memory = 1;
        assert_eq!(pool.begin([a].into_iter(), Want::Ahead), []);
        pool.lock().waiting_for_memory = 0;
        assert_eq!(pool.begin([a].into_iter(), Want::Ahead), [a]);
    }

    #[test]
    fn failures_free_their_room() {
        let (pool, [a, b, c]) = (full(), keys());
        pool.failed(a, &Fault::last(std::io::ErrorKind::Other, "gone"));
        assert_eq!(pool.begin([c].into_iter(), Want::Ahead), [c]);
        pool.forget(0, None);
        pool.arrived(b, Bytes::from_static(&[0; 10]));
        assert_eq!(pool.lock().bytes, 10);
    }
}
