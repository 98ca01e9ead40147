//! Methods that see a document as a set of shingles, or not at all.

use super::{DocumentFeatures, KeyGenerator};
use crate::dedup::bands::Banding;
use crate::hash::combine;

/// No keys: only identical texts meet, and they do so whatever the method.
pub struct Exact;

impl KeyGenerator for Exact {
    fn bands(&self) -> usize {
        0
    }

    fn keys(&self, _: &DocumentFeatures) -> Vec<Option<u64>> {
        Vec::new()
    }
}

/// One key for each band of a MinHash signature.
pub struct Bands(pub Banding);

impl KeyGenerator for Bands {
    fn bands(&self) -> usize {
        self.0.bands
    }

    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>> {
        // The minima of the empty set say nothing.
        let signature = if document.shingles.is_empty() { &[] } else { document.signature };
        let mut keys: Vec<Option<u64>> = self.0.keys(signature).map(Some).collect();
        keys.resize(self.bands(), None);
        keys
    }

    fn permutations(&self) -> usize {
        self.0.bands * self.0.rows
    }
}

/// Megashingles (Fetterly, Manasse & Najork 2003): 84 minima → 6 super-shingles of 14 minima → one
/// key for each of their 15 pairs. With J the Jaccard similarity and q = J¹⁴,
/// P(candidate | J) = Σ_{i=2..6} C(6,i) qⁱ (1 − q)⁶⁻ⁱ, which is ½ at J = .909: near copies only.
pub struct Megashingles;

/// 6 super-shingles of 14 minima, as published.
const SUPER_SHINGLES: Banding = Banding { bands: 6, rows: 14 };

impl KeyGenerator for Megashingles {
    fn bands(&self) -> usize {
        SUPER_SHINGLES.bands * (SUPER_SHINGLES.bands - 1) / 2
    }

    fn keys(&self, document: &DocumentFeatures) -> Vec<Option<u64>> {
        let supers = Bands(SUPER_SHINGLES).keys(document);
        let pairs = supers.iter().enumerate().flat_map(|(i, &a)| supers.iter().skip(i + 1).map(move |&b| (a, b)));
        pairs.map(|(a, b)| Some(combine(&[a?, b?]))).collect()
    }

    fn permutations(&self) -> usize {
        Bands(SUPER_SHINGLES).permutations()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DocumentFrequencies, tests::uniform};
    use super::*;

    fn keys(method: &dyn KeyGenerator, signature: &[u32]) -> Vec<Option<u64>> {
        let statistics = DocumentFrequencies::default();
        method.keys(&DocumentFeatures { shingles: &[1], signature, sentences: &[], statistics: &statistics })
    }

    #[test]
    fn bands_are_those_of_the_banding() {
        let banding = Banding { bands: 3, rows: 2 };
        let signature = [1, 2, 3, 4, 5, 6];
        let want: Vec<Option<u64>> = banding.keys(&signature).map(Some).collect();
        assert_eq!(keys(&Bands(banding), &signature), want);
        assert_eq!(Bands(banding).permutations(), 6);
    }

    #[test]
    fn the_empty_set_has_no_keys() {
        let statistics = DocumentFrequencies::default();
        let signature = [u32::MAX; 84];
        let content =
            DocumentFeatures { shingles: &[], signature: &signature, sentences: &[], statistics: &statistics };
        assert_eq!(Megashingles.keys(&content), [None; 15]);
    }

    #[test]
    fn two_equal_super_shingles_make_one_equal_key() {
        let a: Vec<u32> = (0..84).collect();
        let with_changed = |supers: &[usize]| {
            let changed = |i: &u32| supers.contains(&(*i as usize / 14)) && i % 14 == 3;
            let b: Vec<u32> = a.iter().map(|i| if changed(i) { i + 1000 } else { *i }).collect();
            keys(&Megashingles, &a).iter().zip(&keys(&Megashingles, &b)).filter(|(x, y)| x == y).count()
        };
        let counts = [&[][..], &[0], &[0, 5], &[1, 2, 3], &[0, 1, 2, 3], &[0, 1, 2, 3, 4]].map(with_changed);
        assert_eq!(counts, [15, 10, 6, 3, 1, 0]);
    }

    fn formula(similarity: f64) -> f64 {
        let q = similarity.powi(14);
        1.0 - (1.0 - q).powi(6) - 6.0 * q * (1.0 - q).powi(5)
    }

    /// 2000 pairs of signatures whose minima agree with probability J: standard deviation ≤ .011.
    #[test]
    fn candidates_are_as_frequent_as_the_formula_says() {
        for (run, (similarity, published)) in
            [(0.8, 0.026), (0.85, 0.120), (0.9, 0.415), (0.95, 0.879), (0.98, 0.996)].into_iter().enumerate()
        {
            assert!((formula(similarity) - published).abs() < 5e-4, "formula at {similarity}");
            let found = (0..2000u64).filter(|trial| {
                let start = (run as u64 * 2000 + trial) * 84;
                let a: Vec<u32> = (0..84).collect();
                let agrees = |i: &u32| uniform(start + u64::from(*i)) < similarity;
                let b: Vec<u32> = a.iter().map(|i| if agrees(i) { *i } else { i + 1000 }).collect();
                keys(&Megashingles, &a).iter().zip(&keys(&Megashingles, &b)).any(|(x, y)| x == y)
            });
            let got = found.count() as f64 / 2000.0;
            assert!((got - formula(similarity)).abs() < 0.035, "{got} at {similarity}");
        }
    }
}
