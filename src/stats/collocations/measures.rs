//! Measures of association. With N running words, node frequency f(x), frequency f(y) of the collocate and number of
//! pairs f(x,y):
//!
//! | measure | formula | |
//! | --- | --- | --- |
//! | logDice | 14 + log₂ (2 f(x,y) / (f(x) + f(y))) | Rychlý, *A lexicographer-friendly association score*, RASLAN 2008 |
//! | MI | log₂ (f(x,y) N / (f(x) f(y))) | Church and Hanks, *Word association norms, mutual information, and lexicography*, Computational Linguistics 16:1, 1990 |
//! | t-score | (f(x,y) − f(x) f(y) / N) / √f(x,y) | Church, Gale, Hanks and Hindle, *Using statistics in lexical analysis*, 1991 |
//! | log-likelihood | 2 Σ observed ln (observed / expected) | Dunning, *Accurate methods for the statistics of surprise and coincidence*, Computational Linguistics 19:1, 1993 |
//!
//! The first three are computed as Sketch Engine documents them: MI and t-score are not corrected for the size of the
//! window. The four cells of the log-likelihood are the words near a node and all others, each parted into the
//! collocate and other words (the *surface* table of Evert, *Corpora and collocations*, 2008), so that no cell is negative
//! even if a collocate stands near the node several times. It has the sign of the association: below 0, the
//! collocate is rarer near the node than elsewhere.

use clap::ValueEnum;

use super::NodeCounts;

/// How often a collocate stands near a node, and what that is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairCounts {
    pub sizes: NodeCounts,
    /// Occurrences of the collocate.
    pub count: u64,
    /// Occurrences of the collocate near a node, at least 1.
    pub pairs: u64,
}

impl PairCounts {
    pub fn log_dice(&self) -> f64 {
        14.0 + (2.0 * self.pairs as f64 / (self.sizes.nodes + self.count).max(1) as f64).log2()
    }

    pub fn mi(&self) -> f64 {
        (self.pairs as f64 / self.expected()).log2()
    }

    pub fn t_score(&self) -> f64 {
        (self.pairs as f64 - self.expected()) / (self.pairs as f64).sqrt()
    }

    pub fn log_likelihood(&self) -> f64 {
        let NodeCounts { words, near, .. } = self.sizes;
        let (others_near, elsewhere) = (near.saturating_sub(self.pairs), self.count.saturating_sub(self.pairs));
        let others_elsewhere = words.saturating_sub(near).saturating_sub(elsewhere);
        let cell = |observed: u64, row: u64, column: u64| match observed {
            // x · ln x goes to 0 with x.
            0 => 0.0,
            _ => observed as f64 * (observed as f64 * words as f64 / (row as f64 * column as f64)).ln(),
        };
        let (far, others) = (words.saturating_sub(near), words.saturating_sub(self.count));
        let sum = cell(self.pairs, near, self.count)
            + cell(others_near, near, others)
            + cell(elsewhere, far, self.count)
            + cell(others_elsewhere, far, others);
        let is_attracted = self.pairs as f64 * words as f64 >= near as f64 * self.count as f64;
        2.0 * if is_attracted { sum.max(0.0) } else { -sum.max(0.0) }
    }

    /// Expected number of pairs, above 0.
    fn expected(&self) -> f64 {
        self.sizes.nodes.max(1) as f64 * self.count.max(1) as f64 / self.sizes.words.max(1) as f64
    }
}

// What orders a list of collocations. Not a doc comment, because clap would show it in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Measure {
    /// How typical: logDice (Rychlý 2008), at most 15; does not depend on the size of the corpus
    #[default]
    LogDice,
    /// How exclusive: mutual information (Church and Hanks 1990); prefers rare words
    Mi,
    /// How certain: t-score (Church et al. 1991); prefers frequent words
    TScore,
    /// How certain: log-likelihood (Dunning 1993)
    LogLikelihood,
    /// The number of pairs
    Count,
}

impl Measure {
    pub fn of(self, counts: &PairCounts) -> f64 {
        match self {
            Measure::LogDice => counts.log_dice(),
            Measure::Mi => counts.mi(),
            Measure::TScore => counts.t_score(),
            Measure::LogLikelihood => counts.log_likelihood(),
            Measure::Count => counts.pairs as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(words: u64, nodes: u64, near: u64, count: u64, pairs: u64) -> PairCounts {
        PairCounts { sizes: NodeCounts { words, nodes, near }, count, pairs }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    /// By hand: N = 1,000,000, f(x) = 1000, f(y) = 500, f(x,y) = 60; expected are 0.5.
    #[test]
    fn measures_by_hand() {
        let pair = counts(1_000_000, 1000, 10_000, 500, 60);
        assert!(near(pair.log_dice(), 14.0 + (120.0_f64 / 1500.0).log2()));
        assert!(near(pair.mi(), 120.0_f64.log2()));
        assert!(near(pair.t_score(), 59.5 / 60.0_f64.sqrt()));
        // Cells 60, 9,940, 440 and 989,560; expected are 5, 9,995, 495 and 989,505.
        let want = 60.0 * 12.0_f64.ln() + 9940.0 * (9940.0 / 9995.0_f64).ln() + 440.0 * (440.0 / 495.0_f64).ln();
        let want = 2.0 * (want + 989_560.0 * (989_560.0 / 989_505.0_f64).ln());
        assert!(near(pair.log_likelihood(), want), "{}", pair.log_likelihood());
    }

    /// `the swiss` in table 1 of Dunning (1993): cells 110, 2442, 111 and 29114, −2 log λ 270.72.
    #[test]
    fn log_likelihood_of_dunning() {
        let pair = counts(110 + 2442 + 111 + 29114, 2552, 2552, 221, 110);
        assert_eq!(format!("{:.2}", pair.log_likelihood()), "270.72");
    }

    #[test]
    fn rarer_near_the_node_than_elsewhere_is_below_zero() {
        assert!(counts(1000, 10, 100, 500, 1).log_likelihood() < -50.0);
        assert!(near(counts(1000, 10, 100, 500, 50).log_likelihood(), 0.0));
        // Several pairs for each node.
        assert!(counts(100, 1, 10, 5, 5).log_likelihood() > 0.0);
        assert!(counts(10, 1, 10, 10, 10).log_likelihood().abs() < 1e-9);
    }
}
