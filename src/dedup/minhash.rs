//! MinHash signatures (Broder 1997): for k hash functions, the least value over a set of shingles.
//! Two sets agree in one of them with probability J, their Jaccard similarity.
//!
//! The family is multiply-add-shift on 32 bits: h(x) = (a·x + b) mod 2³², a odd, then an xorshift.
//! It vectorises on every machine. (The high half of a 64-bit product with a 32-bit multiplier would
//! be faster still and is wrong: nothing wraps, the map is monotone and not min-wise. The test on
//! the estimate's error is there to catch that.)

use crate::hash::mix;

/// k hash functions, the same on every machine and in every version.
#[derive(Debug, Clone)]
pub struct MinHash {
    multipliers: Vec<u32>,
    offsets: Vec<u32>,
}

impl MinHash {
    pub fn new(permutations: usize) -> MinHash {
        let stream = |salt: u64| (0..permutations as u64).map(move |i| mix(mix(salt) ^ i) as u32);
        MinHash { multipliers: stream(1).map(|a| a | 1).collect(), offsets: stream(2).collect() }
    }

    /// k minima; all `u32::MAX` for the empty set.
    pub fn signature(&self, shingles: &[u64]) -> Vec<u32> {
        let mut minima = vec![u32::MAX; self.multipliers.len()];
        for &shingle in shingles {
            let x = (mix(shingle) >> 32) as u32;
            for ((least, &a), &b) in minima.iter_mut().zip(&self.multipliers).zip(&self.offsets) {
                let y = x.wrapping_mul(a).wrapping_add(b);
                *least = (*least).min(y ^ (y >> 15));
            }
        }
        minima
    }
}

/// |A ∩ B| / |A ∪ B| of two sorted sets without repetitions; 0 for two empty ones.
pub fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let either = a.len() + b.len() - both;
    if either == 0 { 0.0 } else { both as f64 / either as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash64;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(range: std::ops::Range<u64>) -> Vec<u64> {
        let mut v: Vec<u64> = range.map(|i| hash64(&i.to_le_bytes())).collect();
        v.sort_unstable();
        v
    }

    /// Root mean square error of the estimate over sets of many sizes: theory says √(J(1−J)/k) ≈ .045.
    #[test]
    fn estimates_jaccard() {
        let hasher = MinHash::new(112);
        let (mut squares, mut bias, mut n) = (0.0, 0.0, 0.0);
        for trial in 0..300u64 {
            let size = 40 + trial * 5;
            let shift = size * (trial % 10) / 10;
            let start = trial * 100_000;
            let (a, b) = (set(start..start + size), set(start + shift..start + size + shift));
            let (x, y) = (hasher.signature(&a), hasher.signature(&b));
            let same = x.iter().zip(&y).filter(|(p, q)| p == q).count();
            let error = same as f64 / 112.0 - jaccard(&a, &b);
            squares += error * error;
            bias += error;
            n += 1.0;
        }
        let rmse: f64 = squares / n;
        assert!(rmse.sqrt() < 0.05, "RMSE {}", rmse.sqrt());
        assert!((bias / n).abs() < 0.01, "bias {}", bias / n);
    }

    proptest! {
        #[test]
        fn jaccard_equals_sets(a in prop::collection::btree_set(0u64..60, 0..40), b in prop::collection::btree_set(0u64..60, 0..40)) {
            let list = |s: &BTreeSet<u64>| s.iter().copied().collect::<Vec<_>>();
            let union = a.union(&b).count();
            let want = if union == 0 { 0.0 } else { a.intersection(&b).count() as f64 / union as f64 };
            prop_assert_eq!(jaccard(&list(&a), &list(&b)), want);
        }

        #[test]
        fn order_of_shingles_does_not_matter(mut shingles in prop::collection::vec(any::<u64>(), 0..50)) {
            let hasher = MinHash::new(16);
            let before = hasher.signature(&shingles);
            shingles.reverse();
            prop_assert_eq!(before, hasher.signature(&shingles));
        }
    }
}
