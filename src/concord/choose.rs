//! The best of many hits, by a key, in little memory.

use std::collections::BinaryHeap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::hit::Hit;
use super::options::Sort;
use crate::text::words::words;

/// What hits are chosen or sorted by: the smallest first, ties in corpus order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// By lot.
    Lot(u64),
    /// By lower-cased words with a space after each; scripts without spaces by character. Code points count, no
    /// language's alphabet.
    Words(String),
}

/// The place of a hit in a lottery: the same on every machine and in every order of work.
pub fn lot(hit: &Hit, seed: u64) -> Key {
    let (doc, paragraph, at) = hit.place();
    let bytes = [doc.to_le_bytes(), (u64::from(paragraph) << 32 | u64::from(at)).to_le_bytes()];
    Key::Lot(xxh3_64_with_seed(bytes.as_flattened(), seed))
}

pub fn sort_key(hit: &Hit, sort: Sort) -> Key {
    let text = match sort {
        Sort::Left => hit.left(),
        Sort::Right => hit.right(),
        Sort::Word => hit.form(),
    };
    let (mut line, mut ends) = (String::new(), vec![0]);
    words(text, |word| {
        line.extend([word, " "]);
        ends.push(line.len());
    });
    if sort == Sort::Left {
        let from_end = ends.iter().rev().skip(1).zip(ends.iter().rev());
        line = from_end.filter_map(|(&start, &end)| line.get(start..end)).collect();
    }
    Key::Words(line)
}

/// The hits with the smallest keys, at most `most` of them.
#[derive(Debug)]
pub struct Best {
    most: usize,
    heap: BinaryHeap<Ranked>,
}

#[derive(Debug)]
struct Ranked {
    key: Key,
    hit: Hit,
}

impl Best {
    pub fn new(most: usize) -> Best {
        Best { most, heap: BinaryHeap::new() }
    }

    pub fn push(&mut self, key: Key, hit: Hit) {
        let ranked = Ranked { key, hit };
        if self.heap.len() < self.most {
            self.heap.push(ranked);
        } else if let Some(mut worst) = self.heap.peek_mut().filter(|worst| ranked < **worst) {
            *worst = ranked;
        }
    }

    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// By key; nothing is left.
    pub fn drain_sorted(&mut self) -> Vec<Hit> {
        std::mem::take(&mut self.heap).into_sorted_vec().into_iter().map(|ranked| ranked.hit).collect()
    }

    /// In corpus order; nothing is left.
    pub fn drain_in_place(&mut self) -> Vec<Hit> {
        let mut hits: Vec<Hit> = self.heap.drain().map(|ranked| ranked.hit).collect();
        hits.sort_unstable_by_key(Hit::place);
        hits
    }
}

impl Ranked {
    fn rank(&self) -> (&Key, (u64, u32, u32)) {
        (&self.key, self.hit.place())
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Ranked {}
