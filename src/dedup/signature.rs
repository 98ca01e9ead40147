//! The signature of one text, for users of the library. Jobs work on sketches, which hold the same minima.

use serde::{Deserialize, Serialize};

use super::bands::Banding;
use super::minhash::{Family, MinHash};
use crate::text::words;

/// A MinHash signature of the word n-grams (shingles) of a text: equal on every machine and in every version.
///
/// Two signatures agree in each of their minima with probability J, the Jaccard similarity of the shingle sets (Broder
/// 1997). With 128 minima the standard error of [`Signature::similarity`] is at most 0.044.
///
/// ```
/// use warcorpus::{Banding, Signature};
///
/// let tide = "The tide comes about fifty minutes later every day because the moon has moved on in its orbit";
/// let quote = format!("{tide} around the earth");
/// let (a, b) = (Signature::of_text(tide, 3, 128), Signature::of_text(&quote, 3, 128));
/// assert!(a.similarity(&b) > 0.6);
/// assert_eq!(a.similarity(&Signature::of_text("Quite another text about bread", 3, 128)), 0.0);
///
/// // Pairs with a similarity of 0.8 or more meet in some band with a probability of 0.99.
/// let banding = Banding::choose(128, 0.8, 0.99);
/// assert!(banding.probability(0.8) >= 0.99);
/// let keys: Vec<u64> = a.band_keys(&banding).collect();
/// assert_eq!(keys.len(), banding.bands);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature(Vec<u32>);

impl Signature {
    /// The signature of `permutations` minima over the shingles of `shingle` words. A text of fewer words is one shingle.
    pub fn of_text(text: &str, shingle: usize, permutations: usize) -> Signature {
        let mut hashes = Vec::new();
        words::hashes(text, &mut hashes);
        Signature::of_words(&hashes, shingle, permutations)
    }

    /// The signature of a text with these hashes of words.
    pub(crate) fn of_words(hashes: &[u64], shingle: usize, permutations: usize) -> Signature {
        let shingles = words::shingles(hashes, shingle.max(1));
        Signature(MinHash::new(Family::Classic, permutations).signature(&shingles))
    }

    /// The estimated Jaccard similarity, 0 to 1. Signatures of different lengths are compared over the shorter one.
    pub fn similarity(&self, other: &Signature) -> f64 {
        let length = self.0.len().min(other.0.len()).max(1);
        let equal = self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count();
        equal as f64 / length as f64
    }

    /// The keys under which candidates meet, one for each band.
    pub fn band_keys<'a>(&'a self, banding: &Banding) -> impl Iterator<Item = u64> + 'a {
        banding.keys(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_compare() {
        let text: String = (0..300).map(|i| format!("word{} ", i * i % 97)).collect();
        let one = Signature::of_text(&text, 5, 128);
        assert_eq!(one.similarity(&one.clone()), 1.0);
        assert_eq!(one.similarity(&Signature::of_text("", 5, 128)), 0.0);
        assert_eq!(Signature::of_text("two words", 5, 0).similarity(&one), 0.0);
    }
}
