//! Boosted regression trees for one row of features.

use crate::clean::main_content::take;

/// Trees whose values are added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trees(Vec<Vec<Node>>);

/// A node; children stand behind their parents.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf(f32),
    /// Goes to `left` if the feature is at most the threshold, else to the node behind it.
    Split {
        feature: u16,
        threshold: f32,
        left: u16,
    },
}

/// The feature of a leaf in the model file.
const LEAF: u16 = u16::MAX;

impl Trees {
    /// Reads trees: their number, then for each the number of nodes and the nodes, 12 bytes each (threshold, value,
    /// feature, left child, behind which the right one stands); all little-endian. None for other bytes.
    pub fn read(bytes: &mut &[u8], features: usize) -> Option<Trees> {
        let count = u32::from_le_bytes(take(bytes)?);
        (0..count).map(|_| tree(bytes, features)).collect::<Option<_>>().map(Trees)
    }

    /// The sum of the values of the leaves that a row leads to.
    pub fn score(&self, row: &[f32]) -> f32 {
        self.0.iter().map(|tree| value(tree, row)).sum()
    }
}

fn tree(bytes: &mut &[u8], features: usize) -> Option<Vec<Node>> {
    let count = u16::from_le_bytes(take(bytes)?);
    let mut nodes = Vec::with_capacity(usize::from(count));
    for at in 0..count {
        let [threshold, value] = [f32::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?)];
        let [feature, left] = [u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?)];
        let sound = !threshold.is_nan() && left > at && left + 1 < count && usize::from(feature) < features;
        nodes.push(match feature {
            LEAF => Node::Leaf(value),
            feature => Some(Node::Split { feature, threshold, left }).filter(|_| sound)?,
        });
    }
    Some(nodes).filter(|nodes| !nodes.is_empty())
}

fn value(nodes: &[Node], row: &[f32]) -> f32 {
    let mut at = 0;
    loop {
        match nodes.get(at) {
            // A child stands behind its parent, so that every way ends.
            Some(Node::Split { feature, threshold, left }) => {
                let is_above = row.get(usize::from(*feature)).is_some_and(|value| value > threshold);
                at = usize::from(*left) + usize::from(is_above);
            }
            Some(Node::Leaf(value)) => return *value,
            None => return 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(threshold: f32, value: f32, feature: u16, left: u16) -> Vec<u8> {
        [&threshold.to_le_bytes()[..], &value.to_le_bytes(), &feature.to_le_bytes(), &left.to_le_bytes()].concat()
    }

    /// Feature 1 up to 0.5 → -1, else feature 0 up to 3 → 2, else 4.
    fn bytes() -> Vec<u8> {
        let nodes = [
            node(0.5, 0.0, 1, 1),
            node(0.0, -1.0, LEAF, 0),
            node(3.0, 2.5, 0, 3),
            node(0.0, 2.0, LEAF, 0),
            node(0.0, 4.0, LEAF, 0),
        ];
        [&1u32.to_le_bytes()[..], &5u16.to_le_bytes(), &nodes.concat()].concat()
    }

    #[test]
    fn rows_reach_leaves() {
        let trees = Trees::read(&mut &bytes()[..], 2).unwrap();
        assert_eq!([[9.0, 0.5], [3.0, 1.0], [4.0, 1.0]].map(|row| trees.score(&row)), [-1.0, 2.0, 4.0]);
        assert_eq!(trees.score(&[]), -1.0);
    }

    #[test]
    fn damaged_trees_are_refused() {
        let good = bytes();
        assert_eq!(Trees::read(&mut &good[..good.len() - 1], 2), None);
        assert_eq!(Trees::read(&mut &good[..], 1), None, "a feature that is not there");
        let mut backward = good;
        backward[6 + 10] = 0;
        assert_eq!(Trees::read(&mut &backward[..], 2), None, "a child before its parent");
    }
}
