//! Regression trees as the training writes them: reading, and the value that a row of features leads to. The main cleaner
//! evaluates its trees for many rows at once (`main_content::forest`).

use std::cmp::Ordering;

/// Trees whose values are added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trees(Vec<Vec<Node>>);

/// A node as the model file has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// None for a leaf.
    pub split: Option<Split>,
    /// Expected value of rows that reach the node; of a leaf its value.
    pub value: f32,
    /// Index of the left child; the right one follows it.
    pub left: usize,
}

/// Goes to the right child if a feature is above the threshold, else to the left one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    pub threshold: f32,
    pub feature: u8,
}

/// The feature of a leaf in the model file.
const LEAF: u16 = u16::MAX;

impl Split {
    /// By feature, then by threshold.
    pub fn order(&self, other: &Split) -> Ordering {
        self.feature.cmp(&other.feature).then(self.threshold.total_cmp(&other.threshold))
    }
}

impl Node {
    fn read(bytes: &mut &[u8]) -> Option<Node> {
        let (threshold, value) = (f32::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?));
        let (feature, left) = (u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?));
        let stored = |feature: u16| Some(Split { threshold, feature: feature.try_into().ok()? });
        let split = if feature == LEAF { None } else { Some(stored(feature).filter(|_| !threshold.is_nan())?) };
        Some(Node { split, value, left: usize::from(left) })
    }
}

/// Reads the nodes of a tree, the root first: their number, then 12 bytes each (threshold, value, feature, left child,
/// behind which the right one stands); all little-endian. None for other bytes. Children stand behind their parent, so
/// that every path ends.
pub fn read_nodes(bytes: &mut &[u8]) -> Option<Vec<Node>> {
    let count = usize::from(u16::from_le_bytes(take(bytes)?));
    let nodes = (0..count).map(|_| Node::read(bytes)).collect::<Option<Vec<Node>>>()?;
    let mut splits = nodes.iter().enumerate().filter(|(_, node)| node.split.is_some());
    let is_sound = count > 0 && splits.all(|(at, node)| node.left > at && node.left + 1 < count);
    is_sound.then_some(nodes)
}

/// The value of the leaf that a row leads to.
pub fn walk(nodes: &[Node], row: &[f32]) -> f32 {
    let mut at = 0;
    while let Some(Node { split: Some(split), left, .. }) = nodes.get(at) {
        let is_above = row.get(usize::from(split.feature)).is_some_and(|value| *value > split.threshold);
        at = left + usize::from(is_above);
    }
    nodes.get(at).map_or(0.0, |leaf| leaf.value)
}

impl Trees {
    /// Reads trees over a number of features: how many they are, then each as [`read_nodes`] does. None for other bytes.
    pub fn read(bytes: &mut &[u8], features: usize) -> Option<Trees> {
        let count = u32::from_le_bytes(take(bytes)?);
        let is_known = |node: &Node| node.split.is_none_or(|split| usize::from(split.feature) < features);
        let tree = |bytes: &mut &[u8]| read_nodes(bytes).filter(|nodes| nodes.iter().all(is_known));
        (0..count).map(|_| tree(bytes)).collect::<Option<_>>().map(Trees)
    }

    /// The sum of the values of the leaves that a row leads to.
    pub fn score(&self, row: &[f32]) -> f32 {
        self.0.iter().map(|nodes| walk(nodes, row)).sum()
    }
}

/// Takes the first `N` bytes off a slice; none if it is shorter.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

#[cfg(test)]
pub mod examples {
    use super::LEAF;

    fn node(threshold: f32, value: f32, feature: u16, left: u16) -> Vec<u8> {
        [&threshold.to_le_bytes()[..], &value.to_le_bytes(), &feature.to_le_bytes(), &left.to_le_bytes()].concat()
    }

    /// One tree: feature 1 up to 0.5 → -1, else feature 0 up to 3 → 2, else 4.
    pub fn bytes() -> Vec<u8> {
        let nodes = [
            node(0.5, 0.0, 1, 1),
            node(0.0, -1.0, LEAF, 0),
            node(3.0, 2.5, 0, 3),
            node(0.0, 2.0, LEAF, 0),
            node(0.0, 4.0, LEAF, 0),
        ];
        [&1u32.to_le_bytes()[..], &5u16.to_le_bytes(), &nodes.concat()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::examples::bytes;
    use super::*;

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
        let mut backward = good.clone();
        backward[6 + 10] = 0;
        assert_eq!(Trees::read(&mut &backward[..], 2), None, "a child before its parent");
        let mut beyond = good;
        beyond[6 + 10] = 4;
        assert_eq!(Trees::read(&mut &beyond[..], 2), None, "a child that is not there");
    }
}
