//! Boosted regression trees as the training writes them: features → score, and the contribution of each group of
//! features.
//!
//! A score is the sum over trees of the value of the leaf that the features lead to. The contribution of a group of
//! features is the sum of the changes of the expected value at all splits by one of them (Saabas 2014).
//!
//! Trees look at [`BinColumns`]: in place of a feature's value the number of thresholds that it exceeds, so that a byte
//! holds it. All splits of a tree are evaluated for [`LANES`] rows at once, from the leaves to the root, without a
//! branch: a tree has some twenty of them, and the processor compares as many bytes in one instruction.

use std::ops::Range;

use multiversion::multiversion;

use super::feature_columns::{FeatureColumns, LANES, MOST_FEATURES};
use super::feature_groups::Contributions;
use crate::clean::trees::{Node, Split, read_nodes, take};

/// Trees as the model file has them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredForest {
    trees: Vec<StoredTree>,
}

/// The nodes of a tree, the root first, and the contributions on the way to each.
#[derive(Debug, Clone, PartialEq)]
struct StoredTree {
    nodes: Vec<Node>,
    paths: Vec<Contributions>,
}

/// Features with the thresholds of the splits by them, ascending.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Binning(Vec<Split>);

/// For each feature the bins of [`LANES`] rows: the number of thresholds that the value exceeds.
#[derive(Debug, Clone)]
pub struct BinColumns(Box<[[i8; LANES]; MOST_FEATURES]>);

/// Boosted regression trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    trees: Vec<Tree>,
    /// For the first trees and each of their leaves, the contributions on the way.
    contributions: Vec<Vec<Contributions>>,
}

/// The prediction of a forest for one block.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prediction {
    /// The log-odds that the block is content.
    pub score: f32,
    /// The leaves of the first trees: what [`Forest::contributions`] goes by.
    pub leaves: [u8; EXPLAINING_TREES],
}

#[derive(Debug, Clone, PartialEq)]
struct Tree {
    /// Children before their parents, the root last. None for a tree of one leaf.
    splits: Vec<BinSplit>,
    /// The value of each leaf.
    values: [f32; LEAVES],
}

/// Goes to the right child if the bin of a feature is above `bin`, else to the left one.
#[derive(Debug, Clone, Copy, PartialEq)]
struct BinSplit {
    feature: u8,
    bin: i8,
    /// Children: below [`LEAVES`] the number of a leaf, else [`LEAVES`] more than the index of a split.
    left: u8,
    right: u8,
}

/// Leaves of a tree at most; it has one split fewer.
const LEAVES: usize = 64;
/// One for each leaf and each split.
const SLOTS: usize = 2 * LEAVES;
/// Thresholds of a feature at most.
const MOST_BINS: usize = i8::MAX as usize;
/// Number of trees after which evaluation may end. Training does the same.
pub const EARLY_TREES: usize = 16;
/// Log-odds below which evaluation ends after these trees.
pub const EARLY_EXIT_SCORE: f32 = -2.6;
/// Number of trees that contributions are computed from. Each tree corrects those before it, so the first ones decide.
pub const EXPLAINING_TREES: usize = 8;

impl StoredTree {
    /// Reads a tree; `groups` has the group of each feature.
    fn read(bytes: &mut &[u8], groups: &[u8]) -> Option<StoredTree> {
        let nodes = read_nodes(bytes).filter(|nodes| nodes.len() < 2 * LEAVES)?;
        let mut paths = vec![Contributions::default(); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let Some(split) = node.split else { continue };
            let group = groups.get(usize::from(split.feature)).copied().unwrap_or(u8::MAX);
            for child in [node.left, node.left + 1] {
                let mut path = *paths.get(at)?;
                path.add(group, nodes.get(child)?.value - node.value);
                *paths.get_mut(child)? = path;
            }
        }
        Some(StoredTree { nodes, paths })
    }
}

impl StoredForest {
    /// Reads trees: their number, then each of them as [`read_nodes`] does. `groups` has the group of each feature.
    pub fn read(bytes: &mut &[u8], groups: &[u8]) -> Option<StoredForest> {
        let count = u32::from_le_bytes(take(bytes)?);
        let trees = (0..count).map(|_| StoredTree::read(bytes, groups)).collect::<Option<_>>()?;
        Some(StoredForest { trees })
    }

    /// The first [`EARLY_TREES`] trees, and the others.
    pub fn split_early(mut self) -> (StoredForest, StoredForest) {
        let late = self.trees.split_off(EARLY_TREES.min(self.trees.len()));
        (self, StoredForest { trees: late })
    }

    fn splits(&self) -> impl Iterator<Item = Split> {
        self.trees.iter().flat_map(|tree| &tree.nodes).filter_map(|node| node.split)
    }
}

impl Binning {
    /// The thresholds of all splits of some forests; None if a feature has more than a byte can count.
    pub fn of<'f>(forests: impl IntoIterator<Item = &'f StoredForest>) -> Option<Binning> {
        let mut splits: Vec<Split> = forests.into_iter().flat_map(StoredForest::splits).collect();
        splits.sort_by(Split::order);
        splits.dedup_by(|a, b| a.order(b).is_eq());
        let fits = splits.chunk_by(|a, b| a.feature == b.feature).all(|splits| splits.len() <= MOST_BINS);
        fits.then_some(Binning(splits))
    }

    /// The features of a range, and the others.
    pub fn parted(self, range: &Range<usize>) -> (Binning, Binning) {
        let (inside, others) = self.0.into_iter().partition(|split| range.contains(&usize::from(split.feature)));
        (Binning(inside), Binning(others))
    }

    /// Adds the bins of these features, which must be 0.
    pub fn add(&self, columns: &FeatureColumns, bins: &mut BinColumns) {
        add_bins(&self.0, columns.all(), &mut bins.0);
    }

    /// The bin of a threshold: values above it are in higher ones.
    fn bin(&self, split: Split) -> Option<i8> {
        let at = self.0.binary_search_by(|other| other.order(&split)).ok()?;
        let first = self.0.partition_point(|other| other.feature < split.feature);
        i8::try_from(at - first).ok()
    }
}

impl Default for BinColumns {
    fn default() -> BinColumns {
        BinColumns(Box::new([[0; LANES]; MOST_FEATURES]))
    }
}

impl BinColumns {
    /// Sets all bins to those of other columns.
    pub fn copy(&mut self, other: &BinColumns) {
        self.0.copy_from_slice(&*other.0);
    }
}

impl Forest {
    /// The trees over the bins of their features: the first of the binnings that has a feature counts.
    pub fn over(stored: &StoredForest, binnings: &[&Binning]) -> Option<Forest> {
        let bin = |split| binnings.iter().find_map(|binning| binning.bin(split));
        let trees = stored.trees.iter().map(|tree| Tree::over(tree, bin)).collect::<Option<_>>()?;
        let leaves = |tree: &StoredTree| {
            let leaves = tree.nodes.iter().zip(&tree.paths).filter(|(node, _)| node.split.is_none());
            leaves.map(|(_, path)| *path).collect()
        };
        let contributions = stored.trees.iter().take(EXPLAINING_TREES).map(leaves).collect();
        Some(Forest { trees, contributions })
    }

    /// The sum of the trees' values for each row, with the leaves of the first trees.
    pub fn predict(&self, bins: &BinColumns) -> [Prediction; LANES] {
        let mut first_leaves = [[0; LANES]; EXPLAINING_TREES];
        let sums = evaluate(&self.trees, &bins.0, &mut first_leaves);
        let mut predictions = sums.map(|score| Prediction { score, ..Prediction::default() });
        for (lane, prediction) in predictions.iter_mut().enumerate() {
            let leaves = first_leaves.iter().map(|leaves| leaves.get(lane).copied().unwrap_or_default());
            prediction.leaves.iter_mut().zip(leaves).for_each(|(place, leaf)| *place = leaf);
        }
        predictions
    }

    /// The contribution of each group of features to a prediction, from the first trees.
    pub fn contributions(&self, prediction: &Prediction) -> Contributions {
        let mut all = Contributions::default();
        for (of_tree, &leaf) in self.contributions.iter().zip(&prediction.leaves) {
            of_tree.get(usize::from(leaf)).into_iter().for_each(|of_leaf| all.join(of_leaf));
        }
        all
    }
}

impl Tree {
    fn over(stored: &StoredTree, bin: impl Fn(Split) -> Option<i8>) -> Option<Tree> {
        let mut tree = Tree { splits: Vec::new(), values: [0.0; LEAVES] };
        let mut slots = vec![0u8; stored.nodes.len()];
        let leaves = stored.nodes.iter().enumerate().filter(|(_, node)| node.split.is_none());
        for (leaf, (at, node)) in leaves.enumerate() {
            *tree.values.get_mut(leaf)? = node.value;
            *slots.get_mut(at)? = leaf as u8;
        }
        for (at, node) in stored.nodes.iter().enumerate().rev() {
            let Some(split) = node.split else { continue };
            let (left, right) = (*slots.get(node.left)?, *slots.get(node.left + 1)?);
            *slots.get_mut(at)? = (LEAVES + tree.splits.len()) as u8;
            tree.splits.push(BinSplit { feature: split.feature, bin: bin(split)?, left, right });
        }
        Some(tree).filter(|tree| tree.splits.len() < LEAVES)
    }
}

/// Adds the trees' values for each row, and replaces the leaves of the first trees.
fn evaluate(
    trees: &[Tree],
    bins: &[[i8; LANES]; MOST_FEATURES],
    first_leaves: &mut [[u8; LANES]; EXPLAINING_TREES],
) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    let mut slots = [[0; LANES]; SLOTS];
    slots.iter_mut().zip(0..LEAVES as u8).for_each(|(slot, leaf)| *slot = [leaf; LANES]);
    for (at, tree) in trees.iter().enumerate() {
        reach(&tree.splits, bins, &mut slots);
        let root = if tree.splits.is_empty() { 0 } else { LEAVES + tree.splits.len() - 1 };
        let Some(leaves) = slots.get(root) else { continue };
        first_leaves.get_mut(at).into_iter().for_each(|place| *place = *leaves);
        for (sum, leaf) in sums.iter_mut().zip(leaves) {
            *sum += tree.values.get(usize::from(*leaf) % LEAVES).copied().unwrap_or_default();
        }
    }
    sums
}

/// The leaf that each row reaches from each split, behind the numbers of the leaves. Each step begins and ends in
/// memory and chooses by a mask: only then does the compiler use vectors.
#[multiversion(targets("x86_64+avx2"))]
fn reach(splits: &[BinSplit], bins: &[[i8; LANES]; MOST_FEATURES], slots: &mut [[u8; LANES]; SLOTS]) {
    for (at, split) in splits.iter().enumerate() {
        let mut reached = [0; LANES];
        let bins = bins.get(usize::from(split.feature));
        let (left, right) = (slots.get(usize::from(split.left) % SLOTS), slots.get(usize::from(split.right) % SLOTS));
        let (Some(bins), Some(left), Some(right)) = (bins, left, right) else { continue };
        for (((leaf, bin), left), right) in reached.iter_mut().zip(bins).zip(left).zip(right) {
            // All bits of the sign: bins are not negative.
            let mask = (split.bin.wrapping_sub(*bin) >> 7) as u8;
            *leaf = left ^ ((left ^ right) & mask);
        }
        slots.get_mut((LEAVES + at) % SLOTS).into_iter().for_each(|slot| *slot = reached);
    }
}

/// Adds 1 to the bin of each value above a threshold.
#[multiversion(targets("x86_64+avx2"))]
fn add_bins(splits: &[Split], columns: &[[f32; LANES]; MOST_FEATURES], bins: &mut [[i8; LANES]; MOST_FEATURES]) {
    for split in splits {
        let feature = usize::from(split.feature);
        let (Some(values), Some(bins)) = (columns.get(feature), bins.get_mut(feature)) else { continue };
        let mut above = [0; LANES];
        for ((above, value), before) in above.iter_mut().zip(values).zip(&*bins) {
            *above = *before + i8::from(*value > split.threshold);
        }
        *bins = above;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clean::trees::{examples, walk};

    fn predictions(forest: &StoredForest, rows: &[Vec<f32>]) -> (Forest, Vec<Prediction>) {
        let (mut columns, mut bins) = (FeatureColumns::default(), BinColumns::default());
        for (lane, values) in rows.iter().enumerate() {
            let mut row = columns.row(lane, 0);
            values.iter().for_each(|value| row.push(*value));
        }
        let binning = Binning::of([forest]).unwrap();
        binning.add(&columns, &mut bins);
        let bound = Forest::over(forest, &[&binning]).unwrap();
        let predictions = bound.predict(&bins)[..rows.len()].to_vec();
        (bound, predictions)
    }

    #[test]
    fn rows_reach_leaves_and_contributions_add_up() {
        let forest = StoredForest::read(&mut &examples::bytes()[..], &[0, 1]).unwrap();
        let rows = [[9.0, 0.5], [3.0, 1.0], [4.0, 1.0]].map(Vec::from);
        let (forest, predictions) = predictions(&forest, &rows);
        assert_eq!(predictions.iter().map(|prediction| prediction.score).collect::<Vec<_>>(), [-1.0, 2.0, 4.0]);
        let contributions = forest.contributions(&predictions[2]).0;
        assert_eq!((contributions[0], contributions[1]), (1.5, 2.5));
    }

    /// A forest whose trees grow at the leaves that `growth` selects.
    fn grown(growth: &[Vec<(u8, u8, i8)>]) -> StoredForest {
        let tree = |splits: &Vec<(u8, u8, i8)>| {
            let mut nodes = vec![Node { split: None, value: 0.5, left: 0 }];
            for &(leaf, feature, threshold) in splits {
                let left = nodes.len();
                let leaves: Vec<usize> = (0..left).filter(|&at| nodes[at].split.is_none()).collect();
                let at = leaves[usize::from(leaf) % leaves.len()];
                let split = Some(Split { threshold: f32::from(threshold) / 2.0, feature: feature % 4 });
                nodes[at] = Node { split, value: 0.0, left };
                let child = |value: usize| Node { split: None, value: value as f32 + 0.25, left: 0 };
                nodes.extend([child(left), child(left + 1)]);
            }
            StoredTree { paths: vec![Contributions::default(); nodes.len()], nodes }
        };
        StoredForest { trees: growth.iter().map(tree).collect() }
    }

    proptest! {
        #[test]
        fn bins_lead_where_values_lead(
            growth in prop::collection::vec(prop::collection::vec((any::<u8>(), any::<u8>(), -5i8..5), 0..20), 0..5),
            rows in prop::collection::vec(
                prop::collection::vec(prop_oneof![-3f32..3.0, Just(f32::NAN), Just(1.0)], 4),
                1..LANES,
            ),
        ) {
            let forest = grown(&growth);
            let (_, predictions) = predictions(&forest, &rows);
            for (row, prediction) in rows.iter().zip(predictions) {
                let expected: f32 = forest.trees.iter().map(|tree| walk(&tree.nodes, row)).sum();
                prop_assert_eq!(prediction.score, expected);
            }
        }
    }
}
