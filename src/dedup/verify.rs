//! Verification of candidate pairs: cheap tests on their sketches first, a comparison of their shingles last.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::share;

/// How a candidate pair is verified: setting `near.verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    /// The Jaccard similarity of the shingle sets.
    Exact,
    /// The Jaccard similarity of the shingle sets where the estimate from the signatures is within two standard
    /// deviations of the threshold; elsewhere the estimate.
    Grey,
    /// The estimate from the signatures.
    Signature,
    /// Not at all: a shared key is enough. The estimate is written as the similarity.
    None,
}

/// A sketch without its shingles: what is compared of all candidates. Keys and signature of the default setting need no
/// allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SketchHeader {
    /// Number of distinct shingles of the document.
    pub size: u32,
    /// For each band 32 bits of the document's key; 0 for a band without a key.
    pub keys: SmallVec<[u32; 16]>,
    /// The lowest byte of each minimum of the MinHash signature (b-bit MinHash with b = 8; Li and König 2010).
    pub signature: SmallVec<[u8; 128]>,
}

impl SketchHeader {
    /// Bands in which two documents share a key.
    pub fn shared_bands<'a>(&'a self, other: &'a SketchHeader) -> impl Iterator<Item = usize> + 'a {
        let same = |&(_, (x, y)): &(usize, (&u32, &u32))| x == y && *x != 0;
        self.keys.iter().zip(&other.keys).enumerate().filter(same).map(|(band, _)| band)
    }
}

/// When two documents count as similar.
#[derive(Debug, Clone, Copy)]
pub struct SimilarityCriterion {
    pub verify: Verify,
    /// Least Jaccard similarity of similar documents, from 0 to 1.
    pub threshold: f64,
}

/// Result of comparing the headers of two sketches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Comparison {
    /// The similarity is below the threshold.
    Dissimilar,
    /// The documents share an earlier band, where they may have been compared already.
    ComparedEarlier,
    /// The estimated similarity reaches the threshold.
    Similar(f64),
    /// Only the shingles can tell.
    NeedsShingles,
}

/// Standard deviations from the threshold within which [`Verify::Grey`] reads the shingles, and beyond
/// which even [`Verify::Exact`] need not read them to say no (once in 30,000 wrongly).
const GREY_SIGMAS: f64 = 2.0;
const REJECT_SIGMAS: f64 = 4.0;

impl SimilarityCriterion {
    /// Compares two documents that share the key of `band`. A pair is compared in the first band that it shares, so
    /// that its shingles are read once.
    pub fn compare_headers(&self, a: &SketchHeader, b: &SketchHeader, band: usize) -> Comparison {
        let (small, large) = (a.size.min(b.size), a.size.max(b.size));
        // No two sets of these sizes have a higher similarity than if one holds the other.
        if self.verify != Verify::None && large > 0 && share(small as usize, large as usize) < self.threshold {
            return Comparison::Dissimilar;
        }
        let compared_earlier = a.shared_bands(b).any(|shared| shared < band);
        let Some(estimate) = estimate(&a.signature, &b.signature) else {
            return if compared_earlier { Comparison::ComparedEarlier } else { Comparison::NeedsShingles };
        };
        let deviation = (self.threshold * (1.0 - self.threshold) / a.signature.len() as f64).sqrt();
        match self.verify {
            Verify::Exact if estimate < self.threshold - REJECT_SIGMAS * deviation => Comparison::Dissimilar,
            _ if compared_earlier => Comparison::ComparedEarlier,
            Verify::None => Comparison::Similar(estimate),
            Verify::Signature if estimate >= self.threshold => Comparison::Similar(estimate),
            Verify::Grey if estimate >= self.threshold + GREY_SIGMAS * deviation => Comparison::Similar(estimate),
            Verify::Signature => Comparison::Dissimilar,
            Verify::Grey if estimate <= self.threshold - GREY_SIGMAS * deviation => Comparison::Dissimilar,
            _ => Comparison::NeedsShingles,
        }
    }

    /// A known similarity in the 32 bits in which it is stored, if it reaches the threshold or pairs are not
    /// verified. It is rounded so that the stored value reaches the threshold as well.
    pub fn stored_similarity(&self, similarity: f64) -> Option<f32> {
        let written = similarity as f32;
        if self.verify == Verify::None {
            return Some(written);
        }
        let written = if f64::from(written) < self.threshold { written.next_up() } else { written };
        (similarity >= self.threshold).then_some(written)
    }
}

/// Estimate of the Jaccard similarity from two signatures; `None` without signatures.
fn estimate(a: &[u8], b: &[u8]) -> Option<f64> {
    let same = a.iter().zip(b).filter(|(x, y)| x == y).count();
    let length = a.len().min(b.len());
    (length > 0).then(|| estimated(same, length))
}

/// Ĵ = (m − C) / (1 − C) for a share m = `same` / `length` of equal bytes, of which C = 1/256 are equal by
/// chance; not below 0. One division of whole numbers, as in [`share`].
fn estimated(same: usize, length: usize) -> f64 {
    (256.0 * same as f64 - length as f64).max(0.0) / (255.0 * length as f64)
}

/// Number of values that two sorted sets without repetitions share.
pub fn intersection_size(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    both
}

/// |A ∩ B| / |A ∪ B|; 0 for two empty sets.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let both = intersection_size(a, b);
    share(both, a.len() + b.len() - both)
}

/// |A ∩ B| / |A|, the share of A that is also in B; 0 for the empty set. The time grows with the size of A and the
/// logarithm of that of B.
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    share(found_in(a, b), a.len())
}

/// Number of values of a sorted set that another has. The second is searched from the last place on in steps that
/// double, so that sets of similar sizes are not more work than with [`intersection_size`].
fn found_in(a: &[u64], mut b: &[u64]) -> usize {
    let mut both = 0;
    for x in a {
        let mut step = 1;
        while b.get(step).is_some_and(|y| y < x) {
            step *= 2;
        }
        let near = b.get(..b.len().min(step + 1)).unwrap_or_default();
        b = b.get(near.partition_point(|y| y < x)..).unwrap_or_default();
        both += usize::from(b.first() == Some(x));
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_search_finds_what_a_merge_finds(
            a in prop::collection::btree_set(0u64..400, 0..40),
            b in prop::collection::btree_set(0u64..400, 0..300),
        ) {
            let (a, b): (Vec<u64>, Vec<u64>) = (a.into_iter().collect(), b.into_iter().collect());
            prop_assert_eq!(found_in(&a, &b), intersection_size(&a, &b));
        }
    }

    fn header(size: u32, keys: &[u32], signature: &[u8]) -> SketchHeader {
        SketchHeader { size, keys: keys.into(), signature: signature.into() }
    }

    fn criterion(verify: Verify) -> SimilarityCriterion {
        SimilarityCriterion { verify, threshold: 0.75 }
    }

    /// A signature that agrees with that of all zeros in `same` of 100 places.
    fn agreeing(same: u8) -> Vec<u8> {
        (0..100).map(|i| u8::from(i >= same)).collect()
    }

    #[test]
    fn a_pair_is_compared_where_it_meets_first() {
        let (a, b) = (header(9, &[1, 5, 0, 7], &[]), header(9, &[2, 5, 0, 7], &[]));
        let at = |band| criterion(Verify::Exact).compare_headers(&a, &b, band);
        assert_eq!([at(1), at(3)], [Comparison::NeedsShingles, Comparison::ComparedEarlier]);
        assert_eq!(a.shared_bands(&b).collect::<Vec<_>>(), [1, 3]);
        let none = header(9, &[0, 9, 0, 7], &[]);
        assert_eq!(criterion(Verify::Exact).compare_headers(&a, &none, 3), Comparison::NeedsShingles);
    }

    #[test]
    fn sets_of_too_different_size_are_unlike() {
        let sized = |size| header(size, &[1], &[]);
        assert_eq!(criterion(Verify::Exact).compare_headers(&sized(74), &sized(100), 0), Comparison::Dissimilar);
        assert_eq!(criterion(Verify::Exact).compare_headers(&sized(75), &sized(100), 0), Comparison::NeedsShingles);
    }

    /// Every threshold in hundredths, every size below 400: what reaches the threshold by whole numbers reaches
    /// it here, and nothing else does.
    #[test]
    fn pairs_exactly_at_the_threshold_reach_it() {
        let sized = |size: usize| header(size as u32, &[1], &[]);
        for hundredths in 1..=100 {
            let threshold = hundredths as f64 / 100.0;
            let criterion = SimilarityCriterion { verify: Verify::Exact, threshold };
            for large in 1..400 {
                let large_header = sized(large);
                for small in 1..=large {
                    let reaches = small * 100 >= hundredths * large;
                    let possible =
                        criterion.compare_headers(&sized(small), &large_header, 0) == Comparison::NeedsShingles;
                    let similar = criterion.stored_similarity(share(small, large));
                    assert_eq!([possible, similar.is_some()], [reaches; 2], "{small} of {large} at {threshold}");
                    assert!(similar.is_none_or(|written| f64::from(written) >= threshold));
                    let estimate_reaches = 25_600 * small >= (255 * hundredths + 100) * large;
                    assert_eq!(estimated(small, large) >= threshold, estimate_reaches);
                }
            }
        }
        let (eleven, twenty): (Vec<u64>, Vec<u64>) = ((0..11).collect(), (0..20).collect());
        let criterion = SimilarityCriterion { verify: Verify::Exact, threshold: 0.55 };
        assert_eq!(criterion.compare_headers(&sized(11), &sized(20), 0), Comparison::NeedsShingles);
        assert_eq!(criterion.stored_similarity(jaccard(&eleven, &twenty)), Some(0.55));
    }

    #[test]
    fn signatures_decide_where_they_may() {
        let base = header(9, &[1], &[0; 100]);
        let with = |verify, same| criterion(verify).compare_headers(&base, &header(9, &[1], &agreeing(same)), 0);
        let similar = |comparison| matches!(comparison, Comparison::Similar(_));
        assert!(similar(with(Verify::Signature, 76)) && with(Verify::Signature, 74) == Comparison::Dissimilar);
        assert!(similar(with(Verify::Grey, 90)) && with(Verify::Grey, 50) == Comparison::Dissimilar);
        assert_eq!([with(Verify::Grey, 72), with(Verify::Grey, 80)], [Comparison::NeedsShingles; 2]);
        assert_eq!([with(Verify::Exact, 99), with(Verify::Exact, 60)], [Comparison::NeedsShingles; 2]);
        assert_eq!(with(Verify::Exact, 40), Comparison::Dissimilar);
        assert!(similar(with(Verify::None, 0)));
    }

    #[test]
    fn what_is_written_reaches_the_threshold() {
        let criterion = SimilarityCriterion { verify: Verify::Exact, threshold: 0.7 };
        assert!(criterion.stored_similarity(0.7).is_some_and(|s| f64::from(s) >= 0.7));
        assert_eq!(criterion.stored_similarity(0.699_999), None);
    }

    proptest! {
        #[test]
        fn measures_equal_those_of_sets(a in prop::collection::btree_set(0u64..60, 0..40), b in prop::collection::btree_set(0u64..60, 0..40)) {
            let list = |s: &BTreeSet<u64>| s.iter().copied().collect::<Vec<_>>();
            let both = a.intersection(&b).count() as f64;
            let of = |n: usize| if n == 0 { 0.0 } else { both / n as f64 };
            prop_assert_eq!(jaccard(&list(&a), &list(&b)), of(a.union(&b).count()));
            prop_assert_eq!(containment(&list(&a), &list(&b)), of(a.len()));
        }
    }
}
