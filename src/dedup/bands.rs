//! Banding: a signature of b·r minima → b keys. Keys of different bands never meet, because the
//! band's number is part of the key.

use std::iter::repeat_n;

use crate::hash::{combine, hash64};

/// The key of a document in a band, made of what the method computed there and of the number of the band, so that keys
/// of different bands differ. The high bits are those of a hash, the low ones are the band. A method that is no LSH has
/// as many bands as it gives keys.
pub fn band_key(band: usize, key: u64) -> u64 {
    combine(&[band as u64, key]) & !BAND_BITS | band as u64 & BAND_BITS
}

/// The band of a key made by [`band_key`].
pub fn band_of(key: u64) -> usize {
    (key & BAND_BITS) as usize
}

/// Low bits that hold the band: there are at most 4096 bands.
const BAND_BITS: u64 = 0xfff;

/// A division of a signature into `bands` bands of `rows` minima.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Banding {
    /// Number of bands, b.
    pub bands: usize,
    /// Minima in a band, r.
    pub rows: usize,
}

impl Banding {
    /// The most selective banding that still finds the wanted share of pairs at the threshold: the
    /// largest r for which ⌊k/r⌋ bands reach `recall`; r = 1 if none does.
    pub fn choose(permutations: usize, threshold: f64, recall: f64) -> Banding {
        let with = |rows: usize| Banding { bands: permutations / rows, rows };
        (1..=permutations).rev().map(with).find(|banding| banding.probability(threshold) >= recall).unwrap_or(with(1))
    }

    /// P(candidate | J = similarity) = 1 − (1 − J^r)^b.
    pub fn probability(&self, similarity: f64) -> f64 {
        // `powi` may round otherwise on another machine, and the choice of a banding compares.
        let power = |base: f64, exponent| repeat_n(base, exponent).product::<f64>();
        1.0 - power(1.0 - power(similarity, self.rows), self.bands)
    }

    /// One 64-bit key per band.
    pub fn keys<'a>(&self, signature: &'a [u32]) -> impl Iterator<Item = u64> + 'a {
        signature.chunks_exact(self.rows.max(1)).take(self.bands).enumerate().map(|(band, rows)| {
            let bytes: Vec<u8> = rows.iter().flat_map(|v| v.to_le_bytes()).collect();
            combine(&[band as u64, hash64(&bytes)])
        })
    }
}

impl std::fmt::Display for Banding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bands × {} rows", self.bands, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_formula() {
        for (bands, rows, s, want) in [
            (14, 8, 0.8, 0.9235),
            (14, 8, 0.5, 0.0533),
            (20, 5, 0.4, 0.1860),
            (20, 5, 0.8, 0.9996),
            (9, 13, 0.7, 0.0839),
            (32, 4, 0.45, 0.7381),
            (42, 3, 0.3, 0.6832),
            (64, 2, 0.3, 0.9976),
        ] {
            let got = Banding { bands, rows }.probability(s);
            assert!((got - want).abs() < 5e-5, "{bands}x{rows} at {s}: {got}");
        }
    }

    #[test]
    fn choice_reaches_its_recall() {
        assert_eq!(Banding::choose(112, 0.75, 0.75), Banding { bands: 14, rows: 8 });
        let low = Banding::choose(112, 0.45, 0.75);
        assert_eq!(low, Banding { bands: 37, rows: 3 });
        assert!(low.probability(0.45) >= 0.97);
        assert_eq!(Banding::choose(4, 0.1, 0.9), Banding { bands: 4, rows: 1 });
    }

    #[test]
    fn keys_depend_on_band_and_rows() {
        let banding = Banding { bands: 2, rows: 2 };
        let keys: Vec<u64> = banding.keys(&[1, 2, 1, 2]).collect();
        assert_eq!(keys.len(), 2);
        assert_ne!(keys[0], keys[1]);
    }
}
