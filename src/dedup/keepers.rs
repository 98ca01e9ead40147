//! Verified pairs → who is dropped in whose favour.
//!
//! Documents stand in *keeper order*: ascending (`order`, document key), where `order` encodes the
//! policy (longest, earliest …). Going through them in this order, a document is dropped exactly if it
//! resembles one that comes before it and is kept; the first such one is its keeper. So every
//! dropped document is verified against the very document that stays in its place, no two kept ones
//! resemble each other (as far as they met), and a chain A≈B≈C cannot carry away a C that resembles
//! nothing kept. (Greedy maximal independent set in a given order; unlike single linkage by
//! union-find it needs no components, only one bit for each document.)

/// A document in keeper order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub order: u32,
    pub doc: u64,
}

/// One bit for each document of a corpus.
#[derive(Debug)]
pub struct Bits {
    /// For each shard the number of documents in those before it.
    starts: Vec<u64>,
    words: Vec<u64>,
}

impl Bits {
    /// All unset. `documents` has one number for each shard.
    pub fn new(documents: impl Iterator<Item = u64>) -> Bits {
        let mut starts = Vec::new();
        let mut total = 0u64;
        for n in documents {
            starts.push(total);
            total = total.saturating_add(n);
        }
        Bits { starts, words: vec![0; total.div_ceil(64) as usize] }
    }

    fn place(&self, doc: u64) -> Option<(usize, u64)> {
        let (shard, ordinal) = crate::key::parts(doc);
        let place = self.starts.get(shard as usize)?.checked_add(u64::from(ordinal))?;
        Some(((place / 64) as usize, 1 << (place % 64)))
    }

    /// Documents that are not of this corpus are never set.
    pub fn get(&self, doc: u64) -> bool {
        self.place(doc).is_some_and(|(word, bit)| self.words.get(word).is_some_and(|w| w & bit != 0))
    }

    pub fn set(&mut self, doc: u64) {
        if let Some((word, bit)) = self.place(doc) {
            self.words.get_mut(word).into_iter().for_each(|w| *w |= bit);
        }
    }
}

/// Decides about a verified pair, `keeper` before `doc` in keeper order: whether `doc` is dropped now.
/// Pairs must come in ascending order of their keepers, so that all is known about one when its turn
/// comes.
pub fn drops(dropped: &mut Bits, keeper: u64, doc: u64) -> bool {
    let drops = !dropped.get(keeper) && !dropped.get(doc);
    if drops {
        dropped.set(doc);
    }
    drops
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Dropped documents with their keepers; pairs of documents in keeper order.
    fn run(pairs: impl IntoIterator<Item = (u64, u64)>, documents: u64) -> Vec<(u64, u64)> {
        let mut pairs: Vec<(u64, u64)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let mut dropped = Bits::new([documents].into_iter());
        pairs.into_iter().filter(|&(a, b)| drops(&mut dropped, a, b)).map(|(a, b)| (b, a)).collect()
    }

    #[test]
    fn a_chain_is_cut_where_it_stops_resembling_the_keeper() {
        let dropped = run((0..9_999).map(|i| (i, i + 1)), 10_000);
        assert_eq!(dropped.len(), 5_000);
        assert!(dropped.iter().all(|&(doc, keeper)| doc == keeper + 1 && keeper % 2 == 0));
    }

    #[test]
    fn bits_belong_to_documents_of_shards() {
        let mut bits = Bits::new([70, 0, 3].into_iter());
        let docs = [crate::key::key(0, 69), crate::key::key(2, 0), crate::key::key(2, 2)];
        docs.iter().for_each(|&doc| bits.set(doc));
        assert!(docs.iter().all(|&doc| bits.get(doc)));
        assert!(
            ![crate::key::key(0, 0), crate::key::key(2, 1), crate::key::key(9, 0)].map(|d| bits.get(d)).contains(&true)
        );
    }

    proptest! {
        #[test]
        fn every_drop_is_in_favour_of_a_kept_document_and_no_pair_is_kept(
            pairs in prop::collection::btree_set((0u64..30, 0u64..30), 0..80),
        ) {
            let pairs: BTreeSet<(u64, u64)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let dropped = run(pairs.iter().copied(), 30);
            let gone: BTreeSet<u64> = dropped.iter().map(|&(doc, _)| doc).collect();
            prop_assert_eq!(gone.len(), dropped.len());
            for &(doc, keeper) in &dropped {
                prop_assert!(pairs.contains(&(keeper, doc)) && !gone.contains(&keeper));
            }
            for (a, b) in pairs {
                prop_assert!(gone.contains(&a) || gone.contains(&b), "{} and {} are both kept", a, b);
            }
        }

        /// More documents at the end change nothing about those before: what makes batches possible.
        #[test]
        fn later_documents_do_not_change_earlier_decisions(
            pairs in prop::collection::btree_set((0u64..30, 0u64..30), 0..80),
        ) {
            let pairs: Vec<(u64, u64)> = pairs.into_iter().filter(|(a, b)| a < b).collect();
            let first = run(pairs.iter().copied().filter(|&(_, b)| b < 20), 30);
            let both = run(pairs, 30);
            prop_assert_eq!(first.into_iter().collect::<BTreeSet<_>>(), both.into_iter().filter(|&(doc, _)| doc < 20).collect::<BTreeSet<_>>());
        }
    }
}
