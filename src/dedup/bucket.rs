//! Documents that share a key → pairs to verify.
//!
//! The first texts of a bucket, in policy order, represent it: every further document is compared with each of them
//! and with no other. So m documents cost O(m) comparisons whatever they are (a hundred thousand copies of an error
//! page, say), and the comparisons of a document depend only on the documents before it: more documents at the end,
//! as a later crawl brings them, change nothing. Documents that resemble each other in a larger bucket meet in other
//! buckets as well.

/// Most texts that represent a bucket. In a bucket of no more texts all pairs are compared.
pub const REPRESENTATIVES: usize = 32;

/// Candidate duplicates of one key, filled in policy order. `T` is what a comparison needs of a document.
#[derive(Debug)]
pub struct CandidateBucket<T> {
    /// Representatives with the identities of their texts.
    representatives: Vec<(u32, T)>,
}

impl<T> Default for CandidateBucket<T> {
    fn default() -> Self {
        CandidateBucket { representatives: Vec::new() }
    }
}

impl<T> CandidateBucket<T> {
    /// The representative with this identity of a text. Copies need no comparison: they resemble what it resembles. Where two
    /// different texts share an identity of 31 bits, a near duplicate may be missed; none is dropped wrongly.
    pub fn find(&self, text: u32) -> Option<&T> {
        self.representatives.iter().find(|(known, _)| *known == text).map(|(_, representative)| representative)
    }

    /// The documents with which the next one is compared.
    pub fn representatives(&mut self) -> impl Iterator<Item = &mut T> {
        self.representatives.iter_mut().map(|(_, representative)| representative)
    }

    /// Whether no further document can represent the bucket.
    pub fn is_full(&self) -> bool {
        self.representatives.len() >= REPRESENTATIVES
    }

    /// Adds a document of a new text; it represents the bucket unless that is full.
    pub fn push(&mut self, text: u32, document: T) {
        if !self.is_full() {
            self.representatives.push((text, document));
        }
    }

    /// Begins the bucket of another key.
    pub fn clear(&mut self) {
        self.representatives.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs that are compared when documents of these texts come in turn.
    fn compared(texts: impl Iterator<Item = u32>) -> Vec<(usize, usize)> {
        let mut bucket = CandidateBucket::default();
        let mut pairs = Vec::new();
        for (i, text) in texts.enumerate() {
            if bucket.find(text).is_none() {
                pairs.extend(bucket.representatives().map(|a: &mut usize| (*a, i)));
                bucket.push(text, i);
            }
        }
        pairs
    }

    #[test]
    fn small_buckets_are_compared_completely() {
        assert_eq!(compared(0..4), [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]);
    }

    #[test]
    fn copies_cost_nothing() {
        assert!(compared((0..100_000).map(|_| 7)).is_empty());
    }

    #[test]
    fn large_buckets_cost_linear_time() {
        assert!(compared(0..10_000).len() < 10_000 * REPRESENTATIVES);
    }

    #[test]
    fn later_documents_do_not_change_earlier_comparisons() {
        let (few, many) = (compared((0..90).map(|i| i % 50)), compared((0..200).map(|i| i % 50)));
        assert_eq!(many.iter().filter(|(_, b)| *b < 90).copied().collect::<Vec<_>>(), few);
    }
}
