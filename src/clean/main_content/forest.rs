//! Boosted regression trees as the training writes them: features → score, and the contribution of each group of
//! features.
//!
//! A score is the sum over trees of the value of the leaf that the features lead to. The contribution of a group of
//! features is the sum of the changes of the expected value at all splits by one of them (Saabas 2014).

use super::feature_groups::Contributions;
use super::feature_row::FeatureRow;

/// Boosted regression trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    trees: Vec<Tree>,
}

/// The prediction of a forest for one block.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prediction {
    /// The log-odds that the block is content.
    pub score: f32,
    /// The contribution of each group of features, from the first trees.
    pub contributions: Contributions,
}

/// A complete tree as a heap: the children of split `n` are `2 n` and `2 n + 1`; the leaves are below the last splits.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    splits: [Split; LEAVES],
    /// The value of each leaf.
    values: [f32; LEAVES],
    /// For the first trees, the contributions on the way to each leaf; empty for the others.
    contributions: Vec<Contributions>,
}

/// Goes to the right child if a feature is above the threshold, else to the left one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Split {
    threshold: f32,
    feature: u8,
}

/// A split that always goes left, where a branch ends above the last level.
const ALWAYS_LEFT: Split = Split { threshold: f32::INFINITY, feature: 0 };

/// A node as the model file has it.
#[derive(Clone, Copy)]
struct StoredNode {
    /// None for a leaf.
    split: Option<Split>,
    /// Expected value of rows that reach the node; of a leaf its value.
    value: f32,
    /// Index of the left child; the right one follows it.
    left: usize,
}

/// Number of splits from the root to a leaf at most.
const DEPTH: u32 = 6;
const LEAVES: usize = 1 << DEPTH;
/// The feature of a leaf in the model file.
const LEAF: u16 = u16::MAX;
/// Rows traversed together, to hide load latency.
const LANES: usize = 8;
/// Groups of such rows for which a tree is evaluated while it is in the first-level cache.
const GROUPS: usize = 2;
const BATCH: usize = LANES * GROUPS;
/// Number of trees after which evaluation may end. Training does the same.
const EARLY_TREES: usize = 16;
/// Log-odds below which evaluation ends after these trees.
pub const EARLY_EXIT_SCORE: f32 = -2.6;
/// Number of trees that contributions are computed from. Each tree corrects those before it, so the first ones decide.
const EXPLAINING_TREES: usize = 8;

impl StoredNode {
    fn read(bytes: &mut &[u8]) -> Option<StoredNode> {
        let (threshold, value) = (f32::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?));
        let (feature, left) = (u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?));
        let stored = |feature: u16| Some(Split { threshold, feature: feature.try_into().ok()? });
        let split = if feature == LEAF { None } else { Some(stored(feature)?) };
        Some(StoredNode { split, value, left: usize::from(left) })
    }
}

impl Tree {
    /// Reads a tree. `groups` has the group of each feature, for a tree that contributions are computed from.
    fn read(bytes: &mut &[u8], groups: Option<&[u8]>) -> Option<Tree> {
        let count = u16::from_le_bytes(take(bytes)?);
        let nodes = (0..count).map(|_| StoredNode::read(bytes)).collect::<Option<Vec<StoredNode>>>()?;
        let mut tree = Tree { splits: [ALWAYS_LEFT; LEAVES], values: [0.0; LEAVES], contributions: Vec::new() };
        if groups.is_some() {
            tree.contributions = vec![Contributions::default(); LEAVES];
        }
        tree.grow(&nodes, groups.unwrap_or_default(), 1, 0, Contributions::default())?;
        Some(tree)
    }

    /// Puts a node of the file, and those below it, at index `place` of the heap.
    fn grow(
        &mut self,
        nodes: &[StoredNode],
        groups: &[u8],
        place: usize,
        at: usize,
        path: Contributions,
    ) -> Option<()> {
        let node = nodes.get(at)?;
        match (self.splits.get_mut(place), node.split) {
            (Some(slot), Some(split)) => {
                *slot = split;
                let group = groups.get(usize::from(split.feature)).copied().unwrap_or(u8::MAX);
                // Children follow their parent, so that every path ends.
                let left = Some(node.left).filter(|&left| left > at)?;
                for right in 0..2 {
                    let below = nodes.get(left + right)?;
                    let mut path = path;
                    path.add(group, below.value - node.value);
                    self.grow(nodes, groups, 2 * place + right, left + right, path)?;
                }
            }
            (Some(_), None) => self.grow(nodes, groups, 2 * place, at, path)?,
            (None, None) => {
                *self.values.get_mut(place - LEAVES)? = node.value;
                if let Some(contributions) = self.contributions.get_mut(place - LEAVES) {
                    *contributions = path;
                }
            }
            (None, Some(_)) => return None,
        }
        Some(())
    }
}

impl Forest {
    /// Reads trees: their number, then for each the number of nodes and the nodes, 12 bytes each (threshold, value,
    /// feature, left child, behind which the right one stands); all little-endian. `groups` has the group of each
    /// feature.
    pub fn read(bytes: &mut &[u8], groups: &[u8]) -> Option<Forest> {
        let count = u32::from_le_bytes(take(bytes)?) as usize;
        let tree = |at: usize| Tree::read(bytes, (at < EXPLAINING_TREES).then_some(groups));
        (0..count).map(tree).collect::<Option<_>>().map(|trees| Forest { trees })
    }

    /// The predictions for some rows. Rows below [`EARLY_EXIT_SCORE`] after the first trees skip the remaining trees.
    pub fn predict(&self, rows: &[FeatureRow]) -> Vec<Prediction> {
        let mut predictions = vec![Prediction::default(); rows.len()];
        let (early, late) = self.trees.split_at(EARLY_TREES.min(self.trees.len()));
        let mut buffer = vec![std::array::from_fn(|_| FeatureRow::default()); GROUPS];
        let mut all: Vec<&mut Prediction> = predictions.iter_mut().collect();
        for (rows, predictions) in rows.chunks(BATCH).zip(all.chunks_mut(BATCH)) {
            add(early, side_by_side(&mut buffer, rows), predictions);
        }
        let goes_on = |(prediction, _): &(&mut Prediction, &FeatureRow)| prediction.score >= EARLY_EXIT_SCORE;
        let (mut remaining, rows): (Vec<&mut Prediction>, Vec<&FeatureRow>) =
            predictions.iter_mut().zip(rows).filter(goes_on).unzip();
        for (rows, predictions) in rows.chunks(BATCH).zip(remaining.chunks_mut(BATCH)) {
            add(late, side_by_side(&mut buffer, rows.iter().copied()), predictions);
        }
        predictions
    }
}

/// Copies rows into a contiguous buffer, so that one register addresses a whole group. The last group may end with rows
/// of an earlier call.
fn side_by_side<'r>(
    buffer: &mut [[FeatureRow; LANES]],
    rows: impl IntoIterator<Item = &'r FeatureRow, IntoIter: ExactSizeIterator>,
) -> &[[FeatureRow; LANES]] {
    let rows = rows.into_iter();
    let groups = rows.len().div_ceil(LANES);
    buffer.as_flattened_mut().iter_mut().zip(rows).for_each(|(place, row)| place.clone_from(row));
    buffer.get(..groups).unwrap_or_default()
}

/// Adds the trees' values for rows to their predictions, of which there may be fewer than rows.
fn add(trees: &[Tree], groups: &[[FeatureRow; LANES]], predictions: &mut [&mut Prediction]) {
    let mut sums = [[0.0; LANES]; GROUPS];
    for tree in trees {
        for ((rows, sums), predictions) in groups.iter().zip(&mut sums).zip(predictions.chunks_mut(LANES)) {
            let leaves = tree.leaves(rows);
            sums.iter_mut().zip(leaves).for_each(|(sum, leaf)| *sum += tree.value(leaf));
            if !tree.contributions.is_empty() {
                for (prediction, leaf) in predictions.iter_mut().zip(leaves) {
                    let of_leaf = tree.contributions.get(leaf);
                    of_leaf.into_iter().for_each(|of_leaf| prediction.contributions.join(of_leaf));
                }
            }
        }
    }
    predictions.iter_mut().zip(sums.as_flattened()).for_each(|(prediction, sum)| prediction.score += sum);
}

impl Tree {
    /// The leaf that each row reaches.
    fn leaves(&self, rows: &[FeatureRow; LANES]) -> [usize; LANES] {
        let mut nodes = [1usize; LANES];
        for _ in 0..DEPTH {
            for (node, row) in nodes.iter_mut().zip(rows) {
                let Split { threshold, feature } = self.splits.get(*node % LEAVES).copied().unwrap_or(ALWAYS_LEFT);
                *node = 2 * *node + usize::from(row.at(feature) > threshold);
            }
        }
        nodes.map(|node| node % LEAVES)
    }

    fn value(&self, leaf: usize) -> f32 {
        self.values.get(leaf).copied().unwrap_or_default()
    }
}

/// Takes the first `N` bytes off a slice; none if it is shorter.
pub fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One tree: feature 1 up to 0.5 → -1, else feature 0 up to 3 → 2, else 4.
    fn bytes() -> Vec<u8> {
        let node = |threshold: f32, value: f32, feature: u16, left: u16| {
            [&threshold.to_le_bytes()[..], &value.to_le_bytes(), &feature.to_le_bytes(), &left.to_le_bytes()].concat()
        };
        let mut bytes = [&1u32.to_le_bytes()[..], &5u16.to_le_bytes()].concat();
        for (threshold, value, feature, left) in
            [(0.5, 0.0, 1, 1), (0.0, -1.0, LEAF, 0), (3.0, 2.5, 0, 3), (0.0, 2.0, LEAF, 0), (0.0, 4.0, LEAF, 0)]
        {
            bytes.extend(node(threshold, value, feature, left));
        }
        bytes
    }

    #[test]
    fn rows_reach_leaves_and_contributions_add_up() {
        let forest = Forest::read(&mut &bytes()[..], &[0, 1]).unwrap();
        let row = |features: [f32; 2]| features.into_iter().collect::<FeatureRow>();
        let prediction = |features| forest.predict(&[row(features)])[0];
        assert_eq!(prediction([9.0, 0.5]).score, -1.0);
        assert_eq!(prediction([3.0, 1.0]).score, 2.0);
        let Prediction { score, contributions } = prediction([4.0, 1.0]);
        assert_eq!((score, contributions.0[0], contributions.0[1]), (4.0, 1.5, 2.5));
    }

    #[test]
    fn a_damaged_forest_is_refused() {
        let good = bytes();
        assert_eq!(Forest::read(&mut &good[..good.len() - 1], &[]), None);
        let mut backward = good;
        backward[6 + 10] = 0;
        assert_eq!(Forest::read(&mut &backward[..], &[]), None, "a child before its parent");
    }
}
