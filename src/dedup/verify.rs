//! Whether two candidates resemble each other: cheap tests first, the shingles themselves last.

use serde::{Deserialize, Serialize};

/// What decides about a candidate pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    /// The Jaccard similarity of the shingle sets.
    Exact,
    /// The same within two standard deviations of the threshold; outside, the signatures.
    Grey,
    /// The estimate from the signatures.
    Signature,
    /// Nothing: a shared key is enough. What is written is the estimate.
    None,
}

/// What is known of a document without its shingles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Shingles in its set.
    pub size: u32,
    /// 32 bits of its key in each slot; 0 where it has none.
    pub keys: Vec<u32>,
    /// The lowest byte of each minimum of its signature (b-bit MinHash with b = 8; Li and König 2010).
    pub signature: Vec<u8>,
}

impl Outline {
    /// Slots in which two documents share a key.
    pub fn meet<'a>(&'a self, other: &'a Outline) -> impl Iterator<Item = usize> + 'a {
        let same = |&(_, (x, y)): &(usize, (&u32, &u32))| x == y && *x != 0;
        self.keys.iter().zip(&other.keys).enumerate().filter(same).map(|(slot, _)| slot)
    }
}

/// Judges pairs by one configuration.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    pub verify: Verify,
    pub threshold: f64,
}

/// What the outlines say about a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judgement {
    Unlike,
    /// Not hopeless, and met in an earlier slot already, where they may have been compared.
    MetBefore,
    /// With this similarity.
    Alike(f64),
    /// The shingles must be read.
    Unclear,
}

/// Standard deviations from the threshold within which [`Verify::Grey`] reads the shingles, and beyond
/// which even [`Verify::Exact`] need not read them to say no (once in 30,000 wrongly).
const GREY: f64 = 2.0;
const HOPELESS: f64 = 4.0;

impl Judge {
    /// About a pair that meets in `slot`. It is judged where it meets first, so that shingles are read
    /// once for each pair.
    pub fn outlines(&self, a: &Outline, b: &Outline, slot: usize) -> Judgement {
        let (small, large) = (a.size.min(b.size), a.size.max(b.size));
        // No two sets of these sizes have a higher similarity than if one holds the other.
        if self.verify != Verify::None && large > 0 && share(small as usize, large as usize) < self.threshold {
            return Judgement::Unlike;
        }
        let met_before = a.meet(b).any(|met| met < slot);
        let Some(estimate) = estimate(&a.signature, &b.signature) else {
            return if met_before { Judgement::MetBefore } else { Judgement::Unclear };
        };
        let deviation = (self.threshold * (1.0 - self.threshold) / a.signature.len() as f64).sqrt();
        match self.verify {
            Verify::Exact if estimate < self.threshold - HOPELESS * deviation => Judgement::Unlike,
            _ if met_before => Judgement::MetBefore,
            Verify::None => Judgement::Alike(estimate),
            Verify::Signature if estimate >= self.threshold => Judgement::Alike(estimate),
            Verify::Grey if estimate >= self.threshold + GREY * deviation => Judgement::Alike(estimate),
            Verify::Signature => Judgement::Unlike,
            Verify::Grey if estimate <= self.threshold - GREY * deviation => Judgement::Unlike,
            _ => Judgement::Unclear,
        }
    }

    /// About a pair whose similarity is known: as it is written, in 32 bits, if it reaches the
    /// threshold (or none is asked for); rounded so that what is written reaches it as well.
    pub fn similarity(&self, similarity: f64) -> Option<f32> {
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

/// `part` / `whole`; 0 of an empty whole.
///
/// Whatever is compared with a threshold is compared as a quotient of whole numbers, never as a product with the
/// threshold: 11 / 20 is the same number as 0.55, while 0.55 · 20 is more than 11.
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Members that two sorted sets without repetitions share.
pub fn shared(a: &[u64], b: &[u64]) -> usize {
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
    let both = shared(a, b);
    share(both, a.len() + b.len() - both)
}

/// |A ∩ B| / |A|: how much of A stands in B; 0 for the empty set.
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    share(shared(a, b), a.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn outline(size: u32, keys: &[u32], signature: &[u8]) -> Outline {
        Outline { size, keys: keys.into(), signature: signature.into() }
    }

    fn judge(verify: Verify) -> Judge {
        Judge { verify, threshold: 0.75 }
    }

    /// A signature that agrees with that of all zeros in `same` of 100 places.
    fn agreeing(same: u8) -> Vec<u8> {
        (0..100).map(|i| u8::from(i >= same)).collect()
    }

    #[test]
    fn a_pair_is_judged_where_it_meets_first() {
        let (a, b) = (outline(9, &[1, 5, 0, 7], &[]), outline(9, &[2, 5, 0, 7], &[]));
        let at = |slot| judge(Verify::Exact).outlines(&a, &b, slot);
        assert_eq!([at(1), at(3)], [Judgement::Unclear, Judgement::MetBefore]);
        assert_eq!(a.meet(&b).collect::<Vec<_>>(), [1, 3]);
        let none = outline(9, &[0, 9, 0, 7], &[]);
        assert_eq!(judge(Verify::Exact).outlines(&a, &none, 3), Judgement::Unclear);
    }

    #[test]
    fn sets_of_too_different_size_are_unlike() {
        let sized = |size| outline(size, &[1], &[]);
        assert_eq!(judge(Verify::Exact).outlines(&sized(74), &sized(100), 0), Judgement::Unlike);
        assert_eq!(judge(Verify::Exact).outlines(&sized(75), &sized(100), 0), Judgement::Unclear);
    }

    /// Every threshold in hundredths, every size below 400: what reaches the threshold by whole numbers reaches
    /// it here, and nothing else does.
    #[test]
    fn pairs_exactly_at_the_threshold_reach_it() {
        let sized = |size: usize| outline(size as u32, &[1], &[]);
        for hundredths in 1..=100 {
            let threshold = hundredths as f64 / 100.0;
            let judge = Judge { verify: Verify::Exact, threshold };
            for large in 1..400 {
                let large_outline = sized(large);
                for small in 1..=large {
                    let reaches = small * 100 >= hundredths * large;
                    let possible = judge.outlines(&sized(small), &large_outline, 0) == Judgement::Unclear;
                    let similar = judge.similarity(share(small, large));
                    assert_eq!([possible, similar.is_some()], [reaches; 2], "{small} of {large} at {threshold}");
                    assert!(similar.is_none_or(|written| f64::from(written) >= threshold));
                    let estimate_reaches = 25_600 * small >= (255 * hundredths + 100) * large;
                    assert_eq!(estimated(small, large) >= threshold, estimate_reaches);
                }
            }
        }
        let (eleven, twenty): (Vec<u64>, Vec<u64>) = ((0..11).collect(), (0..20).collect());
        let judge = Judge { verify: Verify::Exact, threshold: 0.55 };
        assert_eq!(judge.outlines(&sized(11), &sized(20), 0), Judgement::Unclear);
        assert_eq!(judge.similarity(jaccard(&eleven, &twenty)), Some(0.55));
    }

    #[test]
    fn signatures_decide_where_they_may() {
        let base = outline(9, &[1], &[0; 100]);
        let with = |verify, same| judge(verify).outlines(&base, &outline(9, &[1], &agreeing(same)), 0);
        let alike = |judgement| matches!(judgement, Judgement::Alike(_));
        assert!(alike(with(Verify::Signature, 76)) && with(Verify::Signature, 74) == Judgement::Unlike);
        assert!(alike(with(Verify::Grey, 90)) && with(Verify::Grey, 50) == Judgement::Unlike);
        assert_eq!([with(Verify::Grey, 72), with(Verify::Grey, 80)], [Judgement::Unclear; 2]);
        assert_eq!([with(Verify::Exact, 99), with(Verify::Exact, 60)], [Judgement::Unclear; 2]);
        assert_eq!(with(Verify::Exact, 40), Judgement::Unlike);
        assert!(alike(with(Verify::None, 0)));
    }

    #[test]
    fn what_is_written_reaches_the_threshold() {
        let judge = Judge { verify: Verify::Exact, threshold: 0.7 };
        assert!(judge.similarity(0.7).is_some_and(|s| f64::from(s) >= 0.7));
        assert_eq!(judge.similarity(0.699_999), None);
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
