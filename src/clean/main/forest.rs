//! Boosted regression trees as the training writes them: features → score, and which group of features led to it.
//!
//! A score is the sum over trees of the leaf that the features lead to. What a group of features contributes is the
//! sum over all steps that ask one of them of how much the step changed the expectation (Saabas 2014).

use super::reason::Parts;
use super::row::{EMPTY, Row};

/// Boosted trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    trees: Vec<Tree>,
}

#[derive(Debug, Clone, PartialEq)]
struct Tree {
    /// Steps of the longest walk.
    depth: u32,
    steps: Box<[Step; MOST_NODES]>,
    /// Expected score of what comes to each node; at a leaf, what the tree says.
    values: Vec<f32>,
}

/// A question. At a leaf one that leads back to the leaf.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Step {
    /// Features up to this go left.
    threshold: f32,
    feature: u8,
    /// Where the left branch goes on; the right one stands behind it.
    left: u8,
}

/// Nodes of a tree are at most so many: places then need not be checked against the end.
const MOST_NODES: usize = 128;
/// In place of a feature: a leaf.
const LEAF: u16 = u16::MAX;
/// Rows that walk side by side, so that the processor need not wait for one of them.
const ABREAST: usize = 8;
/// Trees after which a row may be given up, and the log-odds below which it is. Training does the same.
const EARLY: usize = 16;
pub const HOPELESS: f32 = -2.6;
/// Trees that reasons are read from. Each tree corrects those before it, so the first ones decide.
const TELLING: usize = 8;
impl Tree {
    fn read(bytes: &mut &[u8]) -> Option<Tree> {
        let count = u16::from_le_bytes(take(bytes)?);
        let mut tree = Tree { depth: 0, steps: Box::new([Step::default(); MOST_NODES]), values: Vec::new() };
        let mut depths = [0u32; MOST_NODES];
        for at in 0..count {
            let threshold = f32::from_le_bytes(take(bytes)?);
            tree.values.push(f32::from_le_bytes(take(bytes)?));
            let feature = u16::from_le_bytes(take(bytes)?);
            let left = u16::from_le_bytes(take(bytes)?);
            let step = tree.steps.get_mut(usize::from(at))?;
            if feature == LEAF {
                *step = Step { threshold: f32::INFINITY, feature: 0, left: at as u8 };
                continue;
            }
            // Children stand behind their parent, so that every walk ends.
            let left = Some(left).filter(|&left| left > at && left < count - 1)?;
            *step = Step { threshold, feature: feature.try_into().ok()?, left: left.try_into().ok()? };
            let below = depths.get(usize::from(at))? + 1;
            depths.iter_mut().skip(usize::from(left)).take(2).for_each(|depth| *depth = below);
            tree.depth = tree.depth.max(below);
        }
        Some(tree)
    }

    fn question(&self, at: u8) -> Step {
        self.steps.get(usize::from(at) % MOST_NODES).copied().unwrap_or_default()
    }

    fn step(&self, at: u8, row: &Row) -> u8 {
        let step = self.question(at);
        step.left + u8::from(row.at(step.feature) > step.threshold)
    }

    fn value(&self, at: u8) -> f32 {
        self.values.get(usize::from(at)).copied().unwrap_or_default()
    }
}

impl Forest {
    /// Reads trees: their number, then for each the number of nodes (at most 128) and the nodes, 12 bytes each (threshold, value,
    /// feature, left child); all little-endian.
    pub fn read(bytes: &mut &[u8]) -> Option<Forest> {
        let count = u32::from_le_bytes(take(bytes)?);
        (0..count).map(|_| Tree::read(bytes)).collect::<Option<_>>().map(|trees| Forest { trees })
    }

    /// Log-odds of every row. Where the first trees leave no hope, the others are not asked: what they have said stands.
    pub fn scores<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Vec<f32> {
        let mut rows: Vec<(usize, &Row)> = rows.enumerate().collect();
        let mut scores = vec![0.0; rows.len()];
        let (early, late) = self.trees.split_at(EARLY.min(self.trees.len()));
        add(early, &rows, &mut scores);
        rows.retain(|&(row, _)| scores.get(row).is_some_and(|&score| score >= HOPELESS));
        add(late, &rows, &mut scores);
        scores
    }

    /// What each group of features contributed to the score of a row; `groups` names the group of each feature.
    pub fn parts(&self, row: &Row, groups: &[u8]) -> Parts {
        let mut parts = Parts::default();
        for tree in self.trees.iter().take(TELLING) {
            let mut place = 0;
            for _ in 0..tree.depth {
                let next = tree.step(place, row);
                if next == place {
                    break;
                }
                let feature = tree.question(place).feature;
                let group = groups.get(usize::from(feature)).copied().unwrap_or(u8::MAX);
                parts.add(group, tree.value(next) - tree.value(place));
                place = next;
            }
        }
        parts
    }
}

/// Adds what the trees say of some rows (each with its place among the scores).
fn add(trees: &[Tree], rows: &[(usize, &Row)], scores: &mut [f32]) {
    for rows in rows.chunks(ABREAST) {
        let mut abreast = [&EMPTY; ABREAST];
        abreast.iter_mut().zip(rows).for_each(|(to, (_, row))| *to = row);
        let mut sums = [0.0; ABREAST];
        for tree in trees {
            let mut places = [0; ABREAST];
            for _ in 0..tree.depth {
                for (place, row) in places.iter_mut().zip(&abreast) {
                    *place = tree.step(*place, row);
                }
            }
            sums.iter_mut().zip(places).for_each(|(sum, place)| *sum += tree.value(place));
        }
        for (&(row, _), sum) in rows.iter().zip(sums) {
            scores.iter_mut().skip(row).take(1).for_each(|score| *score += sum);
        }
    }
}

/// The next bytes.
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
    fn walks_end_at_leaves_and_parts_add_up() {
        let forest = Forest::read(&mut &bytes()[..]).unwrap();
        let row = |features: [f32; 2]| features.into_iter().collect::<Row>();
        let scores = |features| forest.scores([&row(features)].into_iter());
        assert_eq!(scores([9.0, 0.5]), [-1.0]);
        assert_eq!(scores([3.0, 1.0]), [2.0]);
        let parts = forest.parts(&row([4.0, 1.0]), &[0, 1]);
        assert_eq!((scores([4.0, 1.0]), parts.0[0], parts.0[1]), (vec![4.0], 1.5, 2.5));
    }

    #[test]
    fn what_is_no_forest_is_refused() {
        let good = bytes();
        assert_eq!(Forest::read(&mut &good[..good.len() - 1]), None);
        let mut backward = good;
        backward[6 + 10] = 0;
        assert_eq!(Forest::read(&mut &backward[..]), None, "a child before its parent");
    }
}
