//! Hits of many workers in corpus order.
//!
//! The corpus is cut into parts, numbered in corpus order (shards, or pieces of them). Workers
//! [claim](Queue::claim) parts in this order and push what they find in batches; the reader takes
//! the batches of the first part, then those of the second. Nobody runs far ahead, so that little
//! is held, and all end early when the reader stops.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Hits that a part may have in the queue before its worker waits.
const HELD: usize = 4096;

/// What the reader finds.
#[derive(Debug, PartialEq, Eq)]
enum Next<T> {
    Batch(Vec<T>),
    /// The part whose turn it is has nothing yet.
    Wait,
    End,
}

/// Batches of parts in any order → batches in the order of the parts.
#[derive(Debug)]
struct Merge<T> {
    /// Whose turn it is.
    head: u32,
    parts: u32,
    waiting: BTreeMap<u32, Waiting<T>>,
}

#[derive(Debug)]
struct Waiting<T> {
    batches: VecDeque<Vec<T>>,
    held: usize,
    finished: bool,
}

impl<T> Merge<T> {
    fn new(parts: u32) -> Merge<T> {
        Merge { head: 0, parts, waiting: BTreeMap::new() }
    }

    fn part(&mut self, part: u32) -> &mut Waiting<T> {
        self.waiting.entry(part).or_insert_with(|| Waiting { batches: VecDeque::new(), held: 0, finished: false })
    }

    fn push(&mut self, part: u32, batch: Vec<T>) {
        let part = self.part(part);
        part.held += batch.len();
        part.batches.push_back(batch);
    }

    fn finish(&mut self, part: u32) {
        self.part(part).finished = true;
    }

    fn held(&self, part: u32) -> usize {
        self.waiting.get(&part).map_or(0, |part| part.held)
    }

    fn next(&mut self) -> Next<T> {
        while self.head < self.parts {
            let Some(part) = self.waiting.get_mut(&self.head) else { return Next::Wait };
            if let Some(batch) = part.batches.pop_front() {
                part.held -= batch.len();
                return Next::Batch(batch);
            }
            if !part.finished {
                return Next::Wait;
            }
            self.waiting.remove(&self.head);
            self.head += 1;
        }
        Next::End
    }
}

/// Between workers and one reader.
#[derive(Debug)]
pub struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    ahead: u32,
}

#[derive(Debug)]
struct State<T> {
    merge: Merge<T>,
    claimed: u32,
    stopped: bool,
}

impl<T> Queue<T> {
    /// For a corpus of so many parts, so many workers and a reader.
    pub fn new(parts: u32, workers: usize) -> Queue<T> {
        let state = State { merge: Merge::new(parts), claimed: 0, stopped: false };
        let ahead = u32::try_from(workers).unwrap_or(u32::MAX).saturating_mul(4).max(1);
        Queue { state: Mutex::new(state), changed: Condvar::new(), ahead }
    }

    /// The next part to search, for a worker; waits while the reader is far behind. `None` when all
    /// are taken or the reader has stopped. A worker has one claim at a time.
    pub fn claim(&self) -> Option<Claim<'_, T>> {
        let mut state = self.wait_while(|state| state.claimed - state.merge.head >= self.ahead);
        let part = state.claimed;
        if state.stopped || part >= state.merge.parts {
            return None;
        }
        state.claimed += 1;
        Some(Claim { queue: self, part })
    }

    /// The next batch in corpus order, for the reader. `None` at the end, or if stopped.
    pub fn next(&self) -> Option<Vec<T>> {
        let mut state = self.lock();
        loop {
            let head = state.merge.head;
            let next = if state.stopped { Next::End } else { state.merge.next() };
            if state.merge.head != head || matches!(next, Next::Batch(_)) {
                self.changed.notify_all();
            }
            match next {
                Next::Batch(batch) => return Some(batch),
                Next::End => return None,
                Next::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Ends the work of all: enough is known, or something failed.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Whether somebody called [`Queue::stop`].
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for as long as this holds and nobody stops.
    fn wait_while(&self, busy: impl Fn(&State<T>) -> bool) -> MutexGuard<'_, State<T>> {
        let waits = |state: &mut State<T>| !state.stopped && busy(state);
        self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part that a worker searches; finished when dropped.
#[derive(Debug)]
pub struct Claim<'q, T> {
    queue: &'q Queue<T>,
    part: u32,
}

impl<T> Claim<'_, T> {
    pub fn part(&self) -> u32 {
        self.part
    }

    /// Hands over what was found next in the part; waits while the part has much in the queue.
    /// False if the reader has stopped: there is no use in going on. An empty batch only asks.
    pub fn push(&self, batch: Vec<T>) -> bool {
        let mut state = self.queue.wait_while(|state| !batch.is_empty() && state.merge.held(self.part) >= HELD);
        if !state.stopped && !batch.is_empty() {
            state.merge.push(self.part, batch);
            self.queue.changed.notify_all();
        }
        !state.stopped
    }
}

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        self.queue.lock().merge.finish(self.part);
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drain(merge: &mut Merge<u32>, out: &mut Vec<u32>) -> bool {
        loop {
            match merge.next() {
                Next::Batch(batch) => out.extend(batch),
                Next::Wait => return false,
                Next::End => return true,
            }
        }
    }

    proptest! {
        #[test]
        fn any_interleaving_comes_out_in_order(
            sizes in prop::collection::vec(prop::collection::vec(0..4usize, 0..4), 0..8),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 64),
            reads in prop::collection::vec(any::<bool>(), 64),
        ) {
            let mut next = 0..;
            let batches = |sizes: &Vec<usize>| sizes.iter().map(|&n| next.by_ref().take(n).collect()).collect();
            let mut parts: Vec<(u32, VecDeque<Vec<u32>>)> = (0..).zip(sizes.iter().map(batches)).collect();
            let mut merge = Merge::new(parts.len() as u32);
            let mut out = Vec::new();
            for (pick, read) in picks.iter().zip(reads).cycle() {
                if parts.is_empty() {
                    break;
                }
                let at = pick.index(parts.len());
                match parts[at].1.pop_front() {
                    Some(batch) => merge.push(parts[at].0, batch),
                    None => merge.finish(parts.remove(at).0),
                }
                if read {
                    drain(&mut merge, &mut out);
                }
            }
            prop_assert!(drain(&mut merge, &mut out));
            let all: usize = sizes.iter().flatten().sum();
            prop_assert_eq!(out, (0..all as u32).collect::<Vec<_>>());
            prop_assert!(merge.waiting.is_empty());
        }
    }

    /// Part n has the numbers from 1000 n on, as many as `size` says.
    fn through_threads(parts: u32, workers: usize, size: impl Fn(u32) -> u32 + Sync, take: usize) -> Vec<u32> {
        let queue = Queue::new(parts, workers);
        let mut out = Vec::new();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some(claim) = queue.claim() {
                        let numbers = (0..size(claim.part())).map(|n| claim.part() * 1000 + n);
                        for batch in numbers.collect::<Vec<_>>().chunks(7) {
                            if !claim.push(batch.to_vec()) {
                                return;
                            }
                        }
                    }
                });
            }
            while let Some(batch) = queue.next() {
                out.extend(batch);
                if out.len() >= take {
                    queue.stop();
                }
            }
        });
        out
    }

    #[test]
    fn workers_do_not_change_the_order() {
        let size = |part: u32| part * 7919 % 997;
        let want = through_threads(60, 1, size, usize::MAX);
        assert_eq!(want.len(), (0..60).map(|part| size(part) as usize).sum::<usize>());
        assert!(want.is_sorted());
        for workers in [2, 5] {
            assert_eq!(through_threads(60, workers, size, usize::MAX), want);
        }
        assert!(through_threads(0, 3, size, usize::MAX).is_empty());
    }

    #[test]
    fn an_early_stop_ends_all_workers() {
        let out = through_threads(4_000_000, 3, |_| 20, 30);
        assert_eq!(out[..21], [&(0..20).collect::<Vec<_>>()[..], &[1000]].concat());
        assert!(out.len() < 40);
    }
}
