//! Short texts inside long ones. Their Jaccard similarity is low, so bands do not find them. A sample of shingles
//! that is chosen the same way in every document does (FracMinHash; Irber et al. 2022): the shingles of the sample
//! that are in the short text are in the long one too.

use super::share;
use crate::hash::mix;

/// Makes the choice of the sample independent of every other use of shingle hashes.
const SALT: u64 = 0x636f_6e74_6169_6e73;

/// The sample of a document: one in `scale` of its shingles on average.
pub fn sample(shingles: &[u64], scale: u64) -> impl Iterator<Item = u64> + '_ {
    let limit = u64::MAX / scale.max(1);
    shingles.iter().copied().filter(move |&shingle| mix(shingle ^ SALT) <= limit)
}

/// Whether the shingles of a pair are worth comparing: it shares `shared` of the `samples` sampled shingles of the
/// shorter document, at least half of the share that the threshold asks for.
pub fn is_candidate(shared: u32, samples: u32, threshold: f64) -> bool {
    shared > 0 && 2.0 * share(shared as usize, samples as usize) >= threshold
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash64;

    #[test]
    fn a_sample_is_a_share_and_the_same_everywhere() {
        let shingles: Vec<u64> = (0..16_000u64).map(|i| hash64(&i.to_le_bytes())).collect();
        let all: Vec<u64> = sample(&shingles, 16).collect();
        assert!((900..1100).contains(&all.len()), "{}", all.len());
        let half: Vec<u64> = sample(&shingles[..8_000], 16).collect();
        assert!(all.starts_with(&half));
        assert_eq!(sample(&shingles, 1).count(), 16_000);
    }

    #[test]
    fn candidates_share_half_of_what_is_wanted() {
        assert!(is_candidate(6, 14, 0.8) && !is_candidate(5, 14, 0.8) && is_candidate(1, 1, 0.8));
        assert!(!is_candidate(0, 0, 0.8));
        for hundredths in 1..=100u32 {
            let threshold = f64::from(hundredths) / 100.0;
            for samples in 1..400u32 {
                for shared in 1..=samples {
                    let want = 200 * shared >= hundredths * samples;
                    assert_eq!(is_candidate(shared, samples, threshold), want, "{shared} of {samples} at {threshold}");
                }
            }
        }
    }
}
