//! Brings the hits of many workers into corpus order.
//!
//! The corpus is divided into parts that are numbered in corpus order (shards, or pieces of them). Workers
//! [claim](OrderedQueue::claim) parts in this order and push their hits in batches; the reader takes the batches of the
//! first part, then those of the second, and so on. Workers wait when they are far ahead, so that memory is bounded,
//! and end early when the reader stops.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::threads::lock;

/// Bytes of one part that may be in the queue before its worker waits; some thousand hits with usual contexts.
const HELD: usize = 1 << 20;

/// What the reader gets next.
#[derive(Debug, PartialEq, Eq)]
enum NextBatch<T> {
    /// The next batch in order.
    Batch(Vec<T>),
    /// The current part has no batch yet and is not finished.
    Wait,
    /// All parts are finished.
    End,
}

/// Takes batches of parts in any order and returns them in the order of the parts.
#[derive(Debug)]
struct OrderedBatches<T> {
    /// The part whose batches are returned now.
    head: u32,
    /// Number of parts.
    parts: u32,
    waiting: BTreeMap<u32, PartBatches<T>>,
}

#[derive(Debug)]
struct PartBatches<T> {
    /// Batches with their bytes.
    batches: VecDeque<(Vec<T>, usize)>,
    held: usize,
    finished: bool,
}

impl<T> OrderedBatches<T> {
    fn new(parts: u32) -> OrderedBatches<T> {
        OrderedBatches { head: 0, parts, waiting: BTreeMap::new() }
    }

    fn part(&mut self, part: u32) -> &mut PartBatches<T> {
        self.waiting.entry(part).or_insert_with(|| PartBatches { batches: VecDeque::new(), held: 0, finished: false })
    }

    fn push(&mut self, part: u32, batch: Vec<T>, bytes: usize) {
        let part = self.part(part);
        part.held += bytes;
        part.batches.push_back((batch, bytes));
    }

    fn finish(&mut self, part: u32) {
        self.part(part).finished = true;
    }

    fn held(&self, part: u32) -> usize {
        self.waiting.get(&part).map_or(0, |part| part.held)
    }

    fn next(&mut self) -> NextBatch<T> {
        while self.head < self.parts {
            let Some(part) = self.waiting.get_mut(&self.head) else { return NextBatch::Wait };
            if let Some((batch, bytes)) = part.batches.pop_front() {
                part.held -= bytes;
                return NextBatch::Batch(batch);
            }
            if !part.finished {
                return NextBatch::Wait;
            }
            self.waiting.remove(&self.head);
            self.head += 1;
        }
        NextBatch::End
    }
}

/// A bounded queue between workers and one reader that keeps the order of the parts.
#[derive(Debug)]
pub struct OrderedQueue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    /// Parts that may be claimed beyond the one being read.
    ahead: u32,
    /// Bytes of memory that a hit takes.
    bytes: fn(&T) -> usize,
}

#[derive(Debug)]
struct QueueState<T> {
    batches: OrderedBatches<T>,
    claimed: u32,
    stopped: bool,
}

impl<T> OrderedQueue<T> {
    /// A queue for `parts` parts, `workers` workers and one reader, of hits that take so many `bytes`.
    pub fn new(parts: u32, workers: usize, bytes: fn(&T) -> usize) -> OrderedQueue<T> {
        let state = QueueState { batches: OrderedBatches::new(parts), claimed: 0, stopped: false };
        let ahead = u32::try_from(workers).unwrap_or(u32::MAX).saturating_mul(4).max(1);
        OrderedQueue { state: Mutex::new(state), changed: Condvar::new(), ahead, bytes }
    }

    /// The next part for a worker to search. Waits while the reader is far behind. `None` when all parts are claimed or
    /// the queue is stopped. A worker may have only one claim at a time.
    pub fn claim(&self) -> Option<Claim<'_, T>> {
        let mut state = self.wait_while(|state| state.claimed - state.batches.head >= self.ahead);
        let part = state.claimed;
        if state.stopped || part >= state.batches.parts {
            return None;
        }
        state.claimed += 1;
        Some(Claim { queue: self, part })
    }

    /// The next batch in corpus order, for the reader. `None` at the end, or if the queue is stopped.
    pub fn next(&self) -> Option<Vec<T>> {
        let mut state = self.lock();
        loop {
            let head = state.batches.head;
            let next = if state.stopped { NextBatch::End } else { state.batches.next() };
            if state.batches.head != head || matches!(next, NextBatch::Batch(_)) {
                self.changed.notify_all();
            }
            match next {
                NextBatch::Batch(batch) => return Some(batch),
                NextBatch::End => return None,
                NextBatch::Wait => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Stops reader and workers, because there are enough hits or an error occurred.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Whether [`OrderedQueue::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        lock(&self.state)
    }

    /// Waits while `busy` holds and the queue is not stopped.
    fn wait_while(&self, busy: impl Fn(&QueueState<T>) -> bool) -> MutexGuard<'_, QueueState<T>> {
        let waits = |state: &mut QueueState<T>| !state.stopped && busy(state);
        self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part that a worker is searching; it is finished when the claim is dropped.
#[derive(Debug)]
pub struct Claim<'q, T> {
    queue: &'q OrderedQueue<T>,
    part: u32,
}

impl<T> Claim<'_, T> {
    /// The number of the part.
    pub fn part(&self) -> u32 {
        self.part
    }

    /// Adds the next batch of the part. Waits while the part has many bytes in the queue. False if the queue is stopped,
    /// so that the worker can end; an empty batch only asks for that.
    pub fn push(&self, batch: Vec<T>) -> bool {
        let bytes: usize = batch.iter().map(self.queue.bytes).sum();
        let mut state = self.queue.wait_while(|state| !batch.is_empty() && state.batches.held(self.part) >= HELD);
        if !state.stopped && !batch.is_empty() {
            state.batches.push(self.part, batch, bytes);
            self.queue.changed.notify_all();
        }
        !state.stopped
    }
}

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        self.queue.lock().batches.finish(self.part);
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drain(merge: &mut OrderedBatches<u32>, out: &mut Vec<u32>) -> bool {
        loop {
            match merge.next() {
                NextBatch::Batch(batch) => out.extend(batch),
                NextBatch::Wait => return false,
                NextBatch::End => return true,
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
            let mut merge = OrderedBatches::new(parts.len() as u32);
            let mut out = Vec::new();
            for (pick, read) in picks.iter().zip(reads).cycle() {
                if parts.is_empty() {
                    break;
                }
                let at = pick.index(parts.len());
                match parts[at].1.pop_front() {
                    Some(batch) => merge.push(parts[at].0, batch, 9),
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
        let queue = OrderedQueue::new(parts, workers, |_| 3000);
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
