//! MinHash signatures (Broder 1997): for k hash functions, the least value over a set of shingles.
//! Two sets agree in one of them with probability J, their Jaccard similarity.
//!
//! The family is multiply-add-shift on 32 bits: h(x) = (a·x + b) mod 2³², a odd, then an xorshift.
//! It vectorises on every machine; with AVX2, which the program looks for when it runs, it takes a quarter
//! of the time. (The high half of a 64-bit product with a 32-bit multiplier would be faster still and is
//! wrong: nothing wraps, the map is monotone and not min-wise. The test on the estimate's error is there
//! to catch that.)

use multiversion::multiversion;
use serde::{Deserialize, Serialize};

use crate::hash::mix;
use crate::hash::range_of;

/// How signatures are made. Those of different families do not compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// k functions over all shingles.
    Classic,
    /// One function; its values are dealt to k bins, and empty bins borrow (Li, Owen and Zhang 2012;
    /// densified after Shrivastava 2017). Cheaper for long texts, less exact for fewer than k shingles.
    OnePermutation,
}

/// k hash functions, the same on every machine and in every version.
#[derive(Debug, Clone)]
pub struct MinHash {
    family: Family,
    multipliers: Vec<u32>,
    offsets: Vec<u32>,
}

impl MinHash {
    pub fn new(family: Family, permutations: usize) -> MinHash {
        let stream = |salt: u64| (0..permutations as u64).map(move |i| mix(mix(salt) ^ i) as u32);
        MinHash { family, multipliers: stream(1).map(|a| a | 1).collect(), offsets: stream(2).collect() }
    }

    /// k minima; all `u32::MAX` for the empty set.
    pub fn signature(&self, shingles: &[u64]) -> Vec<u32> {
        match self.family {
            Family::Classic => minima(&self.multipliers, &self.offsets, shingles),
            Family::OnePermutation => self.bins(shingles),
        }
    }

    /// The high bits of a hash choose the bin, the low ones compete in it.
    fn bins(&self, shingles: &[u64]) -> Vec<u32> {
        let k = self.multipliers.len() as u32;
        let mut bins = vec![u32::MAX; k as usize];
        for &shingle in shingles {
            let hash = mix(shingle);
            // No value is the mark of an empty bin.
            let value = (hash as u32).min(u32::MAX - 1);
            bins.get_mut(range_of(hash, k) as usize).into_iter().for_each(|least| *least = value.min(*least));
        }
        if shingles.is_empty() {
            return bins;
        }
        // Borrowing is from bins that were filled before any borrowed, by the same rule in every document.
        let borrowed = |bin: u32| {
            let attempts = (0u64..).map(|attempt| range_of(mix(mix(u64::from(bin) + 1) ^ attempt), k));
            attempts.filter_map(|from| bins.get(from as usize)).copied().find(|&value| value != u32::MAX)
        };
        (0..k).zip(&bins).map(|(bin, &own)| if own == u32::MAX { borrowed(bin).unwrap_or(own) } else { own }).collect()
    }
}

fn minima(multipliers: &[u32], offsets: &[u32], shingles: &[u64]) -> Vec<u32> {
    let values: Vec<u32> = shingles.iter().map(|&shingle| (mix(shingle) >> 32) as u32).collect();
    multipliers.iter().zip(offsets).map(|(&a, &b)| minimum(a, b, &values)).collect()
}

#[multiversion(targets("x86_64+avx2"))]
fn minimum(a: u32, b: u32, values: &[u32]) -> u32 {
    let mut least = u32::MAX;
    for &x in values {
        let y = x.wrapping_mul(a).wrapping_add(b);
        least = least.min(y ^ (y >> 15));
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedup::verify::jaccard;
    use crate::hash::hash64;
    use proptest::prelude::*;

    fn set(range: std::ops::Range<u64>) -> Vec<u64> {
        let mut v: Vec<u64> = range.map(|i| hash64(&i.to_le_bytes())).collect();
        v.sort_unstable();
        v
    }

    /// Root mean square error of the estimate over sets of many sizes: theory says √(J(1−J)/k) ≈ .045.
    fn estimates_jaccard(family: Family, most: f64) {
        let hasher = MinHash::new(family, 112);
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
        assert!(rmse.sqrt() < most, "RMSE {}", rmse.sqrt());
        assert!((bias / n).abs() < 0.01, "bias {}", bias / n);
    }

    #[test]
    fn families_estimate_jaccard() {
        estimates_jaccard(Family::Classic, 0.05);
        estimates_jaccard(Family::OnePermutation, 0.055);
    }

    proptest! {
        #[test]
        fn minima_are_the_least_values(shingles in prop::collection::vec(any::<u64>(), 0..40), k in 0usize..40) {
            let hasher = MinHash::new(Family::Classic, k);
            let value = |(&a, &b): (&u32, &u32), shingle: u64| {
                let y = ((u64::from(a) * (mix(shingle) >> 32) + u64::from(b)) % (1 << 32)) as u32;
                y ^ (y >> 15)
            };
            let least = |pair| shingles.iter().map(|&shingle| value(pair, shingle)).min().unwrap_or(u32::MAX);
            let slowly: Vec<u32> = hasher.multipliers.iter().zip(&hasher.offsets).map(least).collect();
            prop_assert_eq!(hasher.signature(&shingles), slowly);
        }

        #[test]
        fn order_of_shingles_does_not_matter(mut shingles in prop::collection::vec(any::<u64>(), 0..50)) {
            for family in [Family::Classic, Family::OnePermutation] {
                let hasher = MinHash::new(family, 16);
                let before = hasher.signature(&shingles);
                shingles.reverse();
                prop_assert_eq!(before, hasher.signature(&shingles));
            }
        }
    }
}
