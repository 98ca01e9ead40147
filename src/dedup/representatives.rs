//! Verified pairs → clusters: which documents are dropped, and which document represents each of them.
//!
//! Documents stand in *policy order*: ascending (`order`, document key), where `order` encodes the policy of
//! `near.keeper` (longest, earliest …). In this order, a document is dropped exactly if it resembles an earlier
//! document that is kept; the first such document is its representative (column `keeper`). So every dropped
//! document is verified against the very document that represents it, no two kept documents resemble each
//! other (as far as they met), and a chain A≈B≈C cannot drop a C that resembles nothing kept. (This is the greedy
//! maximal independent set in a given order. Unlike single linkage by union-find it needs no components, only one
//! bit for each document.)

/// A document with its rank in policy order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RankedDocument {
    /// Rank by the policy; smaller is preferred as representative.
    pub order: u32,
    pub doc: u64,
}

/// A set of documents of a corpus, one bit for each document.
#[derive(Debug)]
pub struct DocumentSet {
    /// For each shard the number of documents in those before it.
    starts: Vec<u64>,
    words: Vec<u64>,
}

impl DocumentSet {
    /// The empty set. `documents` has the number of documents of each shard.
    pub fn new(documents: impl Iterator<Item = u64>) -> DocumentSet {
        let mut starts = Vec::new();
        let mut total = 0u64;
        for n in documents {
            starts.push(total);
            total = total.saturating_add(n);
        }
        DocumentSet { starts, words: vec![0; total.div_ceil(64) as usize] }
    }

    /// The word and the bit of a document; `None` for a shard that the corpus does not have.
    fn place(&self, doc: u64) -> Option<(usize, u64)> {
        let (shard, ordinal) = crate::key::parts(doc);
        let place = self.starts.get(shard as usize)?.checked_add(u64::from(ordinal))?;
        Some(((place / 64) as usize, 1 << (place % 64)))
    }

    /// Whether the document is in the set. Documents of other corpora never are.
    pub fn contains(&self, doc: u64) -> bool {
        self.place(doc).is_some_and(|(word, bit)| self.words.get(word).is_some_and(|w| w & bit != 0))
    }

    pub fn insert(&mut self, doc: u64) {
        if let Some((word, bit)) = self.place(doc) {
            self.words.get_mut(word).into_iter().for_each(|w| *w |= bit);
        }
    }
}

/// Drops `doc` in favour of `representative`, which comes first in policy order and resembles it, unless either is
/// dropped already; whether it did. Pairs must come in ascending order of `representative`, so that all pairs that
/// could drop it have come before.
pub fn drop_duplicate(dropped: &mut DocumentSet, representative: u64, doc: u64) -> bool {
    let drops = !dropped.contains(representative) && !dropped.contains(doc);
    if drops {
        dropped.insert(doc);
    }
    drops
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Dropped documents with their representatives; pairs of documents in policy order.
    fn run(pairs: impl IntoIterator<Item = (u64, u64)>, documents: u64) -> Vec<(u64, u64)> {
        let mut pairs: Vec<(u64, u64)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let mut dropped = DocumentSet::new([documents].into_iter());
        pairs.into_iter().filter(|&(a, b)| drop_duplicate(&mut dropped, a, b)).map(|(a, b)| (b, a)).collect()
    }

    #[test]
    fn a_chain_is_cut_where_it_stops_resembling_the_representative() {
        let dropped = run((0..9_999).map(|i| (i, i + 1)), 10_000);
        assert_eq!(dropped.len(), 5_000);
        assert!(dropped.iter().all(|&(doc, keeper)| doc == keeper + 1 && keeper % 2 == 0));
    }

    #[test]
    fn a_set_tells_the_documents_of_all_shards_apart() {
        let mut set = DocumentSet::new([70, 0, 3].into_iter());
        let docs = [crate::key::key(0, 69), crate::key::key(2, 0), crate::key::key(2, 2)];
        docs.iter().for_each(|&doc| set.insert(doc));
        assert!(docs.iter().all(|&doc| set.contains(doc)));
        assert!(
            ![crate::key::key(0, 0), crate::key::key(2, 1), crate::key::key(9, 0)]
                .map(|d| set.contains(d))
                .contains(&true)
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
