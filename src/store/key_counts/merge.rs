//! Sorted runs → every key once, in order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::Path;

use super::KeyCount;
use super::run::{CountRun, Reader, Writer};
use crate::error::Result;
use crate::order::compare_by_order;

/// Most runs that are read at a time; each takes about a megabyte.
const MOST_RUNS: usize = 32;

/// All keys of several runs in byte order. Not an iterator, since the key is lent.
pub struct MergedCounts {
    heads: BinaryHeap<RunHead>,
    key: Vec<u8>,
}

impl MergedCounts {
    /// Merges runs. More runs than can be open at a time are merged in several passes, through files in `folder`.
    pub fn new(mut runs: Vec<CountRun>, folder: &Path) -> Result<MergedCounts> {
        while runs.len() > MOST_RUNS {
            let rest = runs.split_off(MOST_RUNS);
            let merged = MergedCounts::begin(runs)?.write(folder)?;
            runs = rest;
            runs.push(merged);
        }
        MergedCounts::begin(runs)
    }

    fn begin(runs: Vec<CountRun>) -> Result<MergedCounts> {
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let mut reader = Reader::open(run)?;
            if reader.advance()? {
                heads.push(RunHead(reader));
            }
        }
        Ok(MergedCounts { heads, key: Vec::new() })
    }

    fn write(mut self, folder: &Path) -> Result<CountRun> {
        let mut run = Writer::create(folder)?;
        while let Some((key, count)) = self.advance()? {
            run.push(key, count)?;
        }
        run.finish()
    }

    /// The next key and the sum of its counts; `None` at the end.
    pub fn advance(&mut self) -> Result<Option<(&[u8], KeyCount)>> {
        let Some(first) = self.heads.peek() else { return Ok(None) };
        self.key.clone_from(&first.0.key);
        let mut sum = KeyCount::default();
        while let Some(mut head) = self.heads.peek_mut().filter(|head| head.0.key == self.key) {
            sum += head.0.count;
            // The run's next row takes the place of this one, so that the heap is put in order once.
            if !head.0.advance()? {
                PeekMut::pop(head);
            }
        }
        Ok(Some((&self.key, sum)))
    }
}

/// A run in the heap, the smallest key on top.
struct RunHead(Reader);

impl Ord for RunHead {
    fn cmp(&self, other: &RunHead) -> Ordering {
        other.0.key.cmp(&self.0.key)
    }
}

compare_by_order!(RunHead);
