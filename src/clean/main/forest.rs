//! Boosted regression trees as the training writes them: features → score, and which group of features led to it.
//!
//! A score is the sum over trees of the leaf that the features lead to. What a group of features contributes is the
//! sum over all steps that ask one of them of how much the step changed the expectation (Saabas 2014).

use super::reason::Parts;
use super::row::Row;

/// Boosted trees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Forest {
    trees: Vec<Tree>,
}

/// What trees say of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Opinion {
    /// The log-odds that the block is content.
    pub score: f32,
    /// What each group of features contributed.
    pub parts: Parts,
}

/// A tree as a heap: below question `n` stand `2 n` and `2 n + 1`, and below the last row of them the leaves.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    questions: [Question; LEAVES],
    /// What the tree says at each leaf.
    values: [f32; LEAVES],
    /// For the first trees, what each group of features contributed on the way to each leaf.
    told: Vec<Parts>,
}

/// Whether a feature is above a threshold: then it goes on to the right. Where nothing is asked any more, it never is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Question {
    threshold: f32,
    feature: u8,
}

const NOTHING: Question = Question { threshold: f32::INFINITY, feature: 0 };

/// A node as it stands in the file.
#[derive(Clone, Copy)]
struct Node {
    question: Option<Question>,
    /// Expected score of what comes here; at a leaf, what the tree says.
    value: f32,
    left: usize,
}

/// Questions from the root to a leaf, at most.
const DEPTH: u32 = 6;
const LEAVES: usize = 1 << DEPTH;
/// In place of a feature: a leaf.
const LEAF: u16 = u16::MAX;
/// Rows that walk side by side, so that the processor need not wait for one of them.
const ABREAST: usize = 8;
/// Groups of such rows that a tree is asked about while it is in the nearest cache.
const GROUPS: usize = 2;
const TOGETHER: usize = ABREAST * GROUPS;
/// Trees after which a row may be given up, and the log-odds below which it is. Training does the same.
const EARLY: usize = 16;
pub const HOPELESS: f32 = -2.6;
/// Trees that reasons are read from. Each tree corrects those before it, so the first ones decide.
const TELLING: usize = 8;

impl Node {
    fn read(bytes: &mut &[u8]) -> Option<Node> {
        let (threshold, value) = (f32::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?));
        let (feature, left) = (u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?));
        let asked = |feature: u16| Some(Question { threshold, feature: feature.try_into().ok()? });
        let question = if feature == LEAF { None } else { Some(asked(feature)?) };
        Some(Node { question, value, left: usize::from(left) })
    }
}

impl Tree {
    /// `groups` names the group of each feature, for a tree that reasons are read from.
    fn read(bytes: &mut &[u8], groups: Option<&[u8]>) -> Option<Tree> {
        let count = u16::from_le_bytes(take(bytes)?);
        let nodes = (0..count).map(|_| Node::read(bytes)).collect::<Option<Vec<Node>>>()?;
        let mut tree = Tree { questions: [NOTHING; LEAVES], values: [0.0; LEAVES], told: Vec::new() };
        if groups.is_some() {
            tree.told = vec![Parts::default(); LEAVES];
        }
        tree.grow(&nodes, groups.unwrap_or_default(), 1, 0, Parts::default())?;
        Some(tree)
    }

    /// Sets a node of the file, and those below it, at a place of the heap.
    fn grow(&mut self, nodes: &[Node], groups: &[u8], place: usize, at: usize, parts: Parts) -> Option<()> {
        let node = nodes.get(at)?;
        match (self.questions.get_mut(place), node.question) {
            (Some(slot), Some(question)) => {
                *slot = question;
                let group = groups.get(usize::from(question.feature)).copied().unwrap_or(u8::MAX);
                // Children stand behind their parent.
                let left = Some(node.left).filter(|&left| left > at)?;
                for right in 0..2 {
                    let below = nodes.get(left + right)?;
                    let mut parts = parts;
                    parts.add(group, below.value - node.value);
                    self.grow(nodes, groups, 2 * place + right, left + right, parts)?;
                }
            }
            (Some(_), None) => self.grow(nodes, groups, 2 * place, at, parts)?,
            (None, None) => {
                *self.values.get_mut(place - LEAVES)? = node.value;
                if let Some(told) = self.told.get_mut(place - LEAVES) {
                    *told = parts;
                }
            }
            (None, Some(_)) => return None,
        }
        Some(())
    }
}

impl Forest {
    /// Reads trees: their number, then for each the number of nodes and the nodes, 12 bytes each (threshold, value,
    /// feature, left child, behind which the right one stands); all little-endian. `groups` names the group of each feature.
    pub fn read(bytes: &mut &[u8], groups: &[u8]) -> Option<Forest> {
        let count = u32::from_le_bytes(take(bytes)?) as usize;
        let tree = |at: usize| Tree::read(bytes, (at < TELLING).then_some(groups));
        (0..count).map(tree).collect::<Option<_>>().map(|trees| Forest { trees })
    }

    /// Of every row the log-odds, and what each group of features contributed. Where the first trees leave no hope, the
    /// others are not asked: what they have said stands.
    pub fn opinions(&self, rows: &[Row]) -> Vec<Opinion> {
        let mut opinions = vec![Opinion::default(); rows.len()];
        let (early, late) = self.trees.split_at(EARLY.min(self.trees.len()));
        let mut room = vec![std::array::from_fn(|_| Row::default()); GROUPS];
        let mut all: Vec<&mut Opinion> = opinions.iter_mut().collect();
        for (rows, opinions) in rows.chunks(TOGETHER).zip(all.chunks_mut(TOGETHER)) {
            add(early, side_by_side(&mut room, rows), opinions);
        }
        let hoped = |(opinion, _): &(&mut Opinion, &Row)| opinion.score >= HOPELESS;
        let (mut hoped, rows): (Vec<&mut Opinion>, Vec<&Row>) = opinions.iter_mut().zip(rows).filter(hoped).unzip();
        for (rows, opinions) in rows.chunks(TOGETHER).zip(hoped.chunks_mut(TOGETHER)) {
            add(late, side_by_side(&mut room, rows.iter().copied()), opinions);
        }
        opinions
    }
}

/// Rows side by side in memory, so that one register leads to all of a group; the last one may have old rows at its end.
fn side_by_side<'r>(
    room: &mut [[Row; ABREAST]],
    rows: impl IntoIterator<Item = &'r Row, IntoIter: ExactSizeIterator>,
) -> &[[Row; ABREAST]] {
    let rows = rows.into_iter();
    let groups = rows.len().div_ceil(ABREAST);
    room.as_flattened_mut().iter_mut().zip(rows).for_each(|(place, row)| place.clone_from(row));
    room.get(..groups).unwrap_or_default()
}

/// Adds what the trees say of rows, of which there may be fewer than room.
fn add(trees: &[Tree], groups: &[[Row; ABREAST]], opinions: &mut [&mut Opinion]) {
    let mut sums = [[0.0; ABREAST]; GROUPS];
    for tree in trees {
        for ((rows, sums), opinions) in groups.iter().zip(&mut sums).zip(opinions.chunks_mut(ABREAST)) {
            let leaves = tree.leaves(rows);
            sums.iter_mut().zip(leaves).for_each(|(sum, leaf)| *sum += tree.value(leaf));
            if !tree.told.is_empty() {
                for (opinion, leaf) in opinions.iter_mut().zip(leaves) {
                    tree.told.get(leaf).into_iter().for_each(|told| opinion.parts.join(told));
                }
            }
        }
    }
    opinions.iter_mut().zip(sums.as_flattened()).for_each(|(opinion, sum)| opinion.score += sum);
}

impl Tree {
    /// The leaf that each row comes to.
    fn leaves(&self, rows: &[Row; ABREAST]) -> [usize; ABREAST] {
        let mut places = [1usize; ABREAST];
        for _ in 0..DEPTH {
            for (place, row) in places.iter_mut().zip(rows) {
                let Question { threshold, feature } = self.questions.get(*place % LEAVES).copied().unwrap_or(NOTHING);
                *place = 2 * *place + usize::from(row.at(feature) > threshold);
            }
        }
        places.map(|place| place % LEAVES)
    }

    fn value(&self, leaf: usize) -> f32 {
        self.values.get(leaf).copied().unwrap_or_default()
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
        let forest = Forest::read(&mut &bytes()[..], &[0, 1]).unwrap();
        let row = |features: [f32; 2]| features.into_iter().collect::<Row>();
        let opinion = |features| forest.opinions(&[row(features)])[0];
        assert_eq!(opinion([9.0, 0.5]).score, -1.0);
        assert_eq!(opinion([3.0, 1.0]).score, 2.0);
        let Opinion { score, parts } = opinion([4.0, 1.0]);
        assert_eq!((score, parts.0[0], parts.0[1]), (4.0, 1.5, 2.5));
    }

    #[test]
    fn what_is_no_forest_is_refused() {
        let good = bytes();
        assert_eq!(Forest::read(&mut &good[..good.len() - 1], &[]), None);
        let mut backward = good;
        backward[6 + 10] = 0;
        assert_eq!(Forest::read(&mut &backward[..], &[]), None, "a child before its parent");
    }
}
