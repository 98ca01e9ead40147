//! Scores of a page's blocks → the threshold above which a block is content.
//!
//! The threshold maximises the expected F1 of the page: a block should be kept if it is content with a probability of
//! more than half of the best F1 (Lewis 1995; Lipton, Elkan & Naryanaswamy 2014). On an article where all is clear that
//! is nearly one half; on a page of snippets and offers, where much is doubtful, less.

use crate::portable_math::logistic;

/// Lowest threshold, as a probability.
const LOWEST: f32 = 0.25;
/// Highest threshold, as a probability.
const HIGHEST: f32 = 0.47;
/// Added to each block's length in sums of probabilities, so that short ones count.
pub const PROBABILITY_LENGTH_OFFSET: f32 = 20.0;
/// Iterations of the fixed-point search.
const ROUNDS: usize = 6;

/// The log-odds above which a block is content, from each block's log-odds and length.
pub fn decision_threshold(blocks: impl Iterator<Item = (f32, f32)>) -> f32 {
    let weighed: Vec<(f32, f32)> =
        blocks.map(|(score, length)| (logistic(score), length + PROBABILITY_LENGTH_OFFSET)).collect();
    let expected: f32 = weighed.iter().map(|(p, weight)| p * weight).sum();
    let mut threshold = HIGHEST;
    for _ in 0..ROUNDS {
        let (mut content, mut length) = (0.0, 0.0);
        for (p, weight) in weighed.iter().filter(|(p, _)| *p > threshold) {
            content += p * weight;
            length += weight;
        }
        let f1 = if length > 0.0 { 2.0 * content / (length + expected) } else { 0.0 };
        threshold = (f1 / 2.0).clamp(LOWEST, HIGHEST);
    }
    log_odds(threshold)
}

/// The inverse of [`logistic`] between [`LOWEST`] and [`HIGHEST`], by bisection.
fn log_odds(wanted: f32) -> f32 {
    let (mut low, mut high) = (-6.0f32, 6.0f32);
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if logistic(middle) < wanted { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_near_the_logistic_function() {
        for tenth in -60..=60 {
            let score = tenth as f32 / 10.0;
            assert!((logistic(score) - 1.0 / (1.0 + (-score).exp())).abs() < 0.015, "{score}");
        }
        assert!((logistic(log_odds(0.3)) - 0.3).abs() < 1e-4);
    }

    #[test]
    fn clear_pages_have_a_higher_threshold_than_doubtful_ones() {
        let clear = decision_threshold([(6.0, 900.0), (5.0, 700.0), (-6.0, 300.0)].into_iter());
        let doubtful = decision_threshold([(0.5, 90.0), (-0.5, 80.0), (-0.8, 70.0), (-1.5, 60.0)].into_iter());
        assert!(clear > -0.2 && doubtful < -0.4, "{clear} {doubtful}");
        assert!(decision_threshold(std::iter::empty()).is_finite());
    }
}
