//! A vector of a text → probabilities of labels, by the loss that a model was trained with. What fastText does (version
//! 0.9.2, `loss.cc`) is followed: its probabilities are a little larger than they should be, since 0.00001 is added before
//! their logarithm is taken.

use super::bytes::Broken;
use super::matrix::Matrix;
use crate::portable_math;

/// How the rows of the output matrix become probabilities.
#[derive(Debug)]
pub enum Loss {
    Softmax,
    /// A probability for each label on its own: one-vs-all, and negative sampling.
    Sigmoid,
    /// Hierarchical softmax.
    Tree(Tree),
}

/// Labels as the leaves of a tree. A node decides between its two children.
#[derive(Debug)]
pub struct Tree {
    leaves: usize,
    /// Children of the nodes that are no leaves; their numbers begin after those of the leaves. The last one is the root.
    children: Vec<[usize; 2]>,
}

/// The count of a node that does not exist yet.
const UNKNOWN: i64 = 1_000_000_000_000_000;

/// A label by its number, and its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    pub label: usize,
    pub probability: f32,
}

/// The vector of a text, and where the output matrix is.
#[derive(Clone, Copy)]
pub struct Scored<'m> {
    pub bytes: &'m [u8],
    pub matrix: &'m Matrix,
    pub vector: &'m [f32],
}

impl Scored<'_> {
    fn dot(&self, row: usize) -> f32 {
        self.matrix.dot(self.bytes, row, self.vector)
    }
}

impl Loss {
    /// The loss with a number of a model file, for labels with these numbers of examples.
    pub fn read(number: i32, counts: &[i64]) -> Result<Loss, Broken> {
        match number {
            1 => Ok(Loss::Tree(Tree::new(counts)?)),
            2 | 4 => Ok(Loss::Sigmoid),
            3 => Ok(Loss::Softmax),
            other => Err(format!("has an unknown loss, number {other}")),
        }
    }

    /// Gives `each` the labels and the logarithms of their probabilities, in the order in which fastText comes to them. It
    /// returns the least logarithm that it still wants.
    pub fn each(&self, scored: Scored<'_>, mut each: impl FnMut(usize, f32) -> f32) {
        let rows = 0..scored.matrix.rows();
        match self {
            Loss::Softmax => {
                let products: Vec<f32> = rows.map(|row| scored.dot(row)).collect();
                let greatest = products.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let powers: Vec<f32> = products.iter().map(|product| exp(product - greatest)).collect();
                let sum: f32 = powers.iter().sum();
                for (label, power) in powers.iter().enumerate() {
                    each(label, ln(power / sum));
                }
            }
            Loss::Sigmoid => rows.for_each(|row| {
                each(row, ln(tabled_sigmoid(scored.dot(row))));
            }),
            Loss::Tree(tree) => tree.each(scored, each),
        }
    }

    /// The most probable label; none if there is none, or no number.
    pub fn best(&self, scored: Scored<'_>) -> Option<Prediction> {
        let mut best: Option<(usize, f32)> = None;
        self.each(scored, |label, logarithm| {
            // The later of equal ones, as in fastText.
            if best.is_none_or(|(_, least)| logarithm >= least) && !logarithm.is_nan() {
                best = Some((label, logarithm));
            }
            best.map_or(f32::NEG_INFINITY, |(_, least)| least)
        });
        best.map(|(label, logarithm)| Prediction { label, probability: exp(logarithm) })
    }

    /// The probability of a label. That of a label below 0.00001 in a tree is 0.
    pub fn of_label(&self, scored: Scored<'_>, label: usize) -> f32 {
        let mut probability = 0.0;
        self.each(scored, |other, logarithm| {
            if other == label && !logarithm.is_nan() {
                probability = exp(logarithm);
            }
            f32::NEG_INFINITY
        });
        probability
    }
}

impl Tree {
    /// The Huffman tree of labels, which stand in falling order of their counts.
    fn new(counts: &[i64]) -> Result<Tree, Broken> {
        let leaves = counts.len();
        let mut all: Vec<i64> = counts.to_vec();
        let mut children: Vec<[usize; 2]> = Vec::new();
        let (mut leaf, mut node) = (leaves, leaves);
        for _ in 1..leaves {
            let mut pair = [0; 2];
            let mut sum: i64 = 0;
            for child in &mut pair {
                let least = leaf.checked_sub(1).and_then(|leaf| all.get(leaf)).copied();
                let next = all.get(node).copied().unwrap_or(UNKNOWN);
                if let Some(count) = least.filter(|count| *count < next) {
                    leaf -= 1;
                    *child = leaf;
                    sum = sum.saturating_add(count);
                } else if node < all.len() {
                    *child = node;
                    node += 1;
                    sum = sum.saturating_add(next);
                } else {
                    return Err("has labels whose numbers of examples make no tree".into());
                }
            }
            children.push(pair);
            all.push(sum);
        }
        Ok(Tree { leaves, children })
    }

    fn each(&self, scored: Scored<'_>, mut each: impl FnMut(usize, f32) -> f32) {
        // What fastText leaves out with a threshold of 0.
        let least = ln(0.0);
        let mut wanted = least;
        let root = self.leaves + self.children.len();
        let mut open: Vec<(usize, f32)> = root.checked_sub(1).map(|root| (root, 0.0)).into_iter().collect();
        while let Some((node, score)) = open.pop() {
            if score < wanted {
                continue;
            }
            let Some(inner) = node.checked_sub(self.leaves) else {
                wanted = each(node, score).max(least);
                continue;
            };
            let Some([left, right]) = self.children.get(inner) else { continue };
            let right_share = (1.0 / (1.0 + portable_math::exp(f64::from(-scored.dot(inner))))) as f32;
            open.push((*right, score + ln(right_share)));
            open.push((*left, score + ln(1.0 - right_share)));
        }
    }
}

fn ln(probability: f32) -> f32 {
    portable_math::ln(f64::from(probability) + 1e-5) as f32
}

fn exp(logarithm: f32) -> f32 {
    portable_math::exp(f64::from(logarithm)) as f32
}

/// The logistic function in steps of 1/32, from -8 to 8.
fn tabled_sigmoid(x: f32) -> f32 {
    if x < -8.0 {
        0.0
    } else if x > 8.0 {
        1.0
    } else {
        let step = ((x + 8.0) * 512.0 / 8.0 / 2.0).floor();
        (1.0 / (1.0 + portable_math::exp(8.0 - f64::from(step) / 32.0))) as f32
    }
}
