//! The memory of all remote files: what is on its way, what is here, and who waits for it.
//!
//! Rules that keep readers from waiting for each other for ever: a span is counted from before its request starts until
//! it is thrown away; nobody holds a span while waiting for another; what somebody waits for is not thrown away.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::client::Fault;

/// A stretch of an object that is fetched and thrown away as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) object: u64,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Key {
    pub(super) fn new(object: u64, span: &Range<u64>) -> Self {
        Self { object, start: span.start, end: span.end }
    }

    fn length(self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// How badly spans are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// A thread waits for the first of them.
    Now,
    /// They will probably be read soon.
    Ahead,
}

/// What a reader does with a span that is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Keep,
    /// Read to its end: the first to be thrown away.
    Spent,
    /// The caller takes the bytes out of the budget.
    Taken,
}

enum Held {
    Coming,
    Here(Bytes),
    Failed(Fault),
}

struct Entry {
    held: Held,
    /// Threads that wait for it.
    waiting: usize,
    /// Time of last use, by the pool's clock.
    used: u64,
    spent: bool,
    /// Nobody will ask for it again; it goes as soon as it has come.
    unwanted: bool,
}

struct State {
    entries: HashMap<Key, Entry>,
    /// Bytes counted, and the most there ever were.
    bytes: u64,
    most: u64,
    /// Threads that wait for room.
    hungry: usize,
    /// Runs under way.
    runs: usize,
    /// Readers open.
    readers: usize,
    clock: u64,
}

pub(super) struct Pool {
    memory: u64,
    parallel: usize,
    state: Mutex<State>,
    changed: Condvar,
}

impl Pool {
    pub(super) fn new(memory: u64, parallel: usize) -> Self {
        let state = State { entries: HashMap::new(), bytes: 0, most: 0, hungry: 0, runs: 0, readers: 0, clock: 0 };
        Self { memory, parallel, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Bytes that one of the readers open may keep busy.
    pub(super) fn share(&self) -> u64 {
        self.memory / 2 / self.lock().readers.max(1) as u64
    }

    pub(super) fn enter(&self) {
        self.lock().readers += 1;
    }

    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.readers = state.readers.saturating_sub(1);
    }

    /// The first of `keys` that is neither here nor coming, by its number.
    pub(super) fn first_missing(&self, mut keys: impl Iterator<Item = Key>) -> Option<usize> {
        let state = self.lock();
        keys.position(|key| !state.entries.contains_key(&key))
    }

    /// Reserves what may be fetched now of `keys` (neighbours, in order): as many from the first on as are missing and
    /// find room. They are then promised: the caller must bring about [`Pool::arrived`] or [`Pool::failed`] for each,
    /// then [`Pool::landed`].
    pub(super) fn begin(&self, keys: impl Iterator<Item = Key>, want: Want) -> Vec<Key> {
        let mut state = self.lock();
        self.begin_locked(&mut state, keys, want)
    }

    fn begin_locked(&self, state: &mut State, keys: impl Iterator<Item = Key>, want: Want) -> Vec<Key> {
        let mut begun = Vec::new();
        if want == Want::Ahead && (state.hungry > 0 || state.runs >= self.parallel) {
            return begun;
        }
        for key in keys {
            if state.entries.contains_key(&key) || !state.make_room(self.memory, key.length(), want) {
                break;
            }
            let used = state.tick();
            let entry = Entry { held: Held::Coming, waiting: 0, used, spent: false, unwanted: false };
            state.entries.insert(key, entry);
            state.bytes += key.length();
            state.most = state.most.max(state.bytes);
            begun.push(key);
            if state.hungry > 0 {
                break;
            }
        }
        state.runs += usize::from(!begun.is_empty());
        begun
    }

    pub(super) fn arrived(&self, key: Key, bytes: Bytes) {
        let mut state = self.lock();
        if let Some(entry) = state.entries.get_mut(&key) {
            entry.held = Held::Here(bytes);
            if entry.unwanted && entry.waiting == 0 {
                state.remove(key);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn failed(&self, key: Key, fault: &Fault) {
        let mut state = self.lock();
        if let Some(entry) = state.entries.get_mut(&key) {
            entry.held = Held::Failed(fault.clone());
            if entry.waiting == 0 {
                state.remove(key);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// A run is over.
    pub(super) fn landed(&self) {
        let mut state = self.lock();
        state.runs = state.runs.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for a span and gives `take` its bytes, under the lock: copy and return. While it is missing, `wanted` are
    /// the keys to fetch, itself first, and `start` gets those of them that may be fetched.
    pub(super) fn read<T, I: Iterator<Item = Key>>(
        &self,
        key: Key,
        after: After,
        wanted: impl Fn() -> I,
        start: impl Fn(Vec<Key>),
        take: impl FnOnce(&Bytes) -> T,
    ) -> Result<T, Fault> {
        let mut state = self.lock();
        loop {
            let now = state.tick();
            let Some(entry) = state.entries.get_mut(&key) else {
                let begun = self.begin_locked(&mut state, wanted(), Want::Now);
                if begun.is_empty() {
                    state.hungry += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    state.hungry -= 1;
                } else {
                    start(begun);
                }
                continue;
            };
            match &entry.held {
                Held::Coming => {
                    entry.waiting += 1;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    if let Some(entry) = state.entries.get_mut(&key) {
                        entry.waiting -= 1;
                    }
                }
                Held::Here(bytes) => {
                    let taken = take(bytes);
                    entry.used = now;
                    entry.spent |= after == After::Spent;
                    if after == After::Taken && entry.waiting == 0 {
                        state.remove(key);
                    }
                    // What nobody waits for any more may be thrown away now.
                    if state.hungry > 0 {
                        self.changed.notify_all();
                    }
                    return Ok(taken);
                }
                Held::Failed(fault) => {
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

    /// Throws away what is here of `object`, and what is coming when it has come. With `only`, no more than that span.
    pub(super) fn forget(&self, object: u64, only: Option<Key>) {
        let mut state = self.lock();
        let state = &mut *state;
        let mut freed = 0;
        state.entries.retain(|key, entry| {
            if key.object != object || only.is_some_and(|only| only != *key) || entry.waiting > 0 {
                return true;
            }
            entry.unwanted = true;
            let keep = matches!(entry.held, Held::Coming);
            freed += if keep { 0 } else { key.length() };
            keep
        });
        state.bytes = state.bytes.saturating_sub(freed);
        self.changed.notify_all();
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn remove(&mut self, key: Key) {
        if self.entries.remove(&key).is_some() {
            self.bytes = self.bytes.saturating_sub(key.length());
        }
    }

    /// Whether `length` bytes fit, after throwing away what may go: for read-ahead only what was read to its end.
    fn make_room(&mut self, memory: u64, length: u64, want: Want) -> bool {
        while self.bytes.saturating_add(length) > memory {
            let idle = |entry: &Entry| entry.waiting == 0 && !matches!(entry.held, Held::Coming);
            let may_go = |entry: &Entry| idle(entry) && (want == Want::Now || entry.spent);
            let oldest = self.entries.iter().filter(|(_, entry)| may_go(entry));
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

    fn keys() -> [Key; 3] {
        [0..10, 10..20, 20..30].map(|span| Key::new(0, &span))
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
        pool.lock().hungry = 1;
        assert_eq!(pool.begin([a].into_iter(), Want::Ahead), []);
        pool.lock().hungry = 0;
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
