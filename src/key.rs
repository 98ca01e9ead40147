//! A document's key: shard number, then its position among the documents of the shard. Ascending keys are corpus order.
//!
//! Documents of a reference corpus (`build --against`) take part in a job under keys of their own, which have the
//! highest bit set and name the corpus.

/// The key of the document at position `ordinal` of a shard.
pub fn key(shard: u32, ordinal: u32) -> u64 {
    u64::from(shard) << 32 | u64::from(ordinal)
}

/// Shard number and position of a key.
pub fn parts(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// Set in the keys of documents of reference corpora.
const REFERENCE: u64 = 1 << 63;
/// Bits of such a key that are the document's key in its own corpus.
const OWN_BITS: u32 = 56;
/// A corpus with as many shards cannot be indexed: its keys would not fit into [`OWN_BITS`].
pub const MAX_REFERENCE_SHARDS: u32 = 1 << 24;
/// Reference corpora of one job at most.
pub const MAX_REFERENCES: usize = 1 << 7;

/// The key, in this job, of the document that has `key` in reference corpus number `corpus`.
pub fn in_reference(corpus: usize, key: u64) -> u64 {
    REFERENCE | (corpus as u64) << OWN_BITS | key & ((1 << OWN_BITS) - 1)
}

/// Number of the reference corpus and key in it; `None` for a document of this job.
pub fn as_reference(doc: u64) -> Option<(usize, u64)> {
    (doc & REFERENCE != 0).then_some(((doc >> OWN_BITS & 0x7f) as usize, doc & ((1 << OWN_BITS) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_in_corpus_order() {
        assert!(key(0, u32::MAX) < key(1, 0));
        assert_eq!(parts(key(7, 9)), (7, 9));
    }

    #[test]
    fn documents_of_reference_corpora_keep_their_keys() {
        assert_eq!(as_reference(in_reference(5, key(7, 9))), Some((5, key(7, 9))));
        assert_eq!(as_reference(key(7, 9)), None);
        assert!(in_reference(0, key(9, 9)) < in_reference(1, key(0, 0)));
    }
}
