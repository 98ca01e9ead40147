//! Sorted runs → every key once, in order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::Path;

use super::Tally;
use super::run::{Reader, Run, Writer};
use crate::error::Result;

/// Most runs that are read at a time; each takes about a megabyte.
const MOST_RUNS: usize = 32;

/// See the module. Not an iterator, as the key is lent.
pub struct Merge {
    heads: BinaryHeap<Head>,
    key: Vec<u8>,
}

impl Merge {
    /// More runs than can be open at a time are merged in several passes, through files in `folder`.
    pub fn new(mut runs: Vec<Run>, folder: &Path) -> Result<Merge> {
        while runs.len() > MOST_RUNS {
            let rest = runs.split_off(MOST_RUNS);
            let merged = Merge::begin(runs)?.write(folder)?;
            runs = rest;
            runs.push(merged);
        }
        Merge::begin(runs)
    }

    fn begin(runs: Vec<Run>) -> Result<Merge> {
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let mut reader = Reader::open(run)?;
            if reader.advance()? {
                heads.push(Head(reader));
            }
        }
        Ok(Merge { heads, key: Vec::new() })
    }

    fn write(mut self, folder: &Path) -> Result<Run> {
        let mut run = Writer::create(folder)?;
        while let Some((key, tally)) = self.advance()? {
            run.push(key, tally)?;
        }
        run.finish()
    }

    /// The next key, and the sum of its tallies.
    pub fn advance(&mut self) -> Result<Option<(&[u8], Tally)>> {
        let Some(first) = self.heads.peek() else { return Ok(None) };
        self.key.clone_from(&first.0.key);
        let mut sum = Tally::default();
        while let Some(mut head) = self.heads.peek_mut().filter(|head| head.0.key == self.key) {
            sum += head.0.tally;
            // The run's next row takes the place of this one, so that the heap is put in order once.
            if !head.0.advance()? {
                PeekMut::pop(head);
            }
        }
        Ok(Some((&self.key, sum)))
    }
}

/// A run in the heap, the smallest key on top.
struct Head(Reader);

impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        other.0.key.cmp(&self.0.key)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}
