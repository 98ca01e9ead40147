//! Keeps the first of many hits in the order of a key, in bounded memory.

use std::collections::BinaryHeap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::hit::Hit;
use crate::order::compare_by_order;

/// The key by which hits are sampled or sorted: smallest first, ties in corpus order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SortKey {
    /// A pseudorandom number: the hits with the smallest ones are a sample.
    Random(u64),
    /// [`Hit::sort_words`]. They are compared by code points, not by the alphabet of a language.
    Words(String),
}

/// The key that decides whether a hit is in the sample of this seed. It depends on the seed and the place of the hit
/// alone, so that the sample is the same on every machine and in every order of work.
pub fn sample_key(hit: &Hit, seed: u64) -> SortKey {
    let (doc, paragraph, at) = hit.place();
    let bytes = [doc.to_le_bytes(), (u64::from(paragraph) << 32 | u64::from(at)).to_le_bytes()];
    SortKey::Random(xxh3_64_with_seed(bytes.as_flattened(), seed))
}

/// The key of a hit in the order of `--sort`. The words are taken out of the hit, which needs them no more.
pub fn sort_key(hit: &mut Hit) -> SortKey {
    SortKey::Words(std::mem::take(&mut hit.sort_words))
}

/// The hits with the smallest keys, at most `most` of them.
#[derive(Debug)]
pub struct TopHits {
    most: usize,
    heap: BinaryHeap<RankedHit>,
    /// Of the hits in `heap`.
    bytes: usize,
}

#[derive(Debug)]
struct RankedHit {
    key: SortKey,
    hit: Hit,
}

impl TopHits {
    /// Keeps at most `most` hits.
    pub fn new(most: usize) -> TopHits {
        TopHits { most, heap: BinaryHeap::new(), bytes: 0 }
    }

    /// Adds a hit, in place of the one with the largest key if there are too many.
    pub fn push(&mut self, key: SortKey, hit: Hit) {
        let ranked = RankedHit { key, hit };
        if self.heap.len() < self.most {
            self.bytes += ranked.bytes();
            self.heap.push(ranked);
        } else if let Some(mut worst) = self.heap.peek_mut().filter(|worst| ranked < **worst) {
            self.bytes = self.bytes - worst.bytes() + ranked.bytes();
            *worst = ranked;
        }
    }

    /// Number of hits kept.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Bytes of the hits kept. A context counts for each hit that shares it.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Removes all hits and returns them in the order of their keys.
    pub fn drain_sorted(&mut self) -> Vec<Hit> {
        self.bytes = 0;
        std::mem::take(&mut self.heap).into_sorted_vec().into_iter().map(|ranked| ranked.hit).collect()
    }

    /// Removes all hits and returns them in corpus order.
    pub fn drain_in_place(&mut self) -> Vec<Hit> {
        self.bytes = 0;
        let mut hits: Vec<Hit> = self.heap.drain().map(|ranked| ranked.hit).collect();
        hits.sort_unstable_by_key(Hit::place);
        hits
    }
}

impl RankedHit {
    /// Without the document, which many hits share.
    fn bytes(&self) -> usize {
        let words = if let SortKey::Words(words) = &self.key { words.len() } else { 0 };
        size_of::<RankedHit>() + self.hit.text.len() + self.hit.sort_words.len() + words
    }

    fn rank(&self) -> (&SortKey, (u64, u32, u32)) {
        (&self.key, self.hit.place())
    }
}

impl Ord for RankedHit {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

compare_by_order!(RankedHit);
