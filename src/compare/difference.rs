//! What changed between two sequences of paragraphs.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// The difference of two sequences. Numbers are places in the older one (`a`) and in the newer one (`b`), from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// Members of both that stayed in their order: the most that can.
    pub same: u32,
    /// Members of both that stand elsewhere, with both places.
    pub moved: Vec<(u32, u32)>,
    /// The members between those that stayed, where any were removed or added.
    pub hunks: Vec<Hunk>,
}

/// Members that stood, and that stand, between two others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    pub removed: Vec<u32>,
    pub added: Vec<u32>,
}

impl Difference {
    /// Compares two sequences by the digests of their members, in O(n log n). The k-th member of a kind in one is the k-th
    /// of that kind in the other.
    pub fn between<D: Copy + Eq + Hash>(a: &[D], b: &[D]) -> Difference {
        let mut places: HashMap<D, VecDeque<u32>> = HashMap::new();
        for (place, digest) in (0..).zip(b) {
            places.entry(*digest).or_default().push_back(place);
        }
        let partners: Vec<Option<u32>> = a.iter().map(|digest| places.get_mut(digest)?.pop_front()).collect();
        let mut is_new = vec![true; b.len()];
        for partner in partners.iter().flatten() {
            is_new.get_mut(*partner as usize).into_iter().for_each(|new| *new = false);
        }
        let pairs: Vec<(u32, u32)> =
            (0..).zip(&partners).filter_map(|(place, partner)| Some((place, (*partner)?))).collect();
        let stayed = longest_ascending(&pairs);
        let mut difference = Difference { same: stayed.len() as u32, ..Difference::default() };
        let mut kept = stayed.iter().copied().peekable();
        for pair in &pairs {
            if kept.next_if_eq(pair).is_none() {
                difference.moved.push(*pair);
            }
        }
        let (mut from_a, mut from_b) = (0, 0);
        for (end_a, end_b) in stayed.into_iter().chain([(a.len() as u32, b.len() as u32)]) {
            let gone = |place: &u32| partners.get(*place as usize).is_some_and(Option::is_none);
            let new = |place: &u32| is_new.get(*place as usize).is_some_and(|new| *new);
            let hunk =
                Hunk { removed: (from_a..end_a).filter(gone).collect(), added: (from_b..end_b).filter(new).collect() };
            if hunk != Hunk::default() {
                difference.hunks.push(hunk);
            }
            (from_a, from_b) = (end_a + 1, end_b + 1);
        }
        difference
    }

    /// Number of members that only the newer sequence has.
    pub fn added(&self) -> u32 {
        self.hunks.iter().map(|hunk| hunk.added.len() as u32).sum()
    }

    /// Number of members that only the older sequence has.
    pub fn removed(&self) -> u32 {
        self.hunks.iter().map(|hunk| hunk.removed.len() as u32).sum()
    }

    /// Whether the sequences are equal.
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.hunks.is_empty()
    }
}

/// The longest subsequence whose second numbers ascend (patience sorting); the first numbers ascend already.
fn longest_ascending(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // For each length, the position of the pair that ends such a subsequence with the smallest number.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |position: usize| pairs.get(position).map(|pair| pair.1);
    for (position, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(*end) < Some(pair.1));
        before.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = position,
            None => ends.push(position),
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(position) = next {
        found.extend(pairs.get(position));
        next = before.get(position).copied().flatten();
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paragraphs_are_added_removed_and_moved() {
        let difference = Difference::between(&[1, 2, 3, 4, 5], &[1, 9, 3, 2, 5, 5]);
        assert_eq!(difference.same, 3);
        assert_eq!(difference.moved.len(), 1);
        assert_eq!((difference.added(), difference.removed()), (2, 1));
        assert!(Difference::between(&[7, 7, 8], &[7, 7, 8]).is_empty());
        let all_new = Difference::between(&[], &[1, 2]);
        assert_eq!(all_new.hunks, [Hunk { removed: vec![], added: vec![0, 1] }]);
    }

    #[test]
    fn a_hunk_has_both_sides() {
        let difference = Difference::between(&[1, 2, 3], &[1, 4, 3]);
        assert_eq!(difference.hunks, [Hunk { removed: vec![1], added: vec![1] }]);
        assert_eq!((difference.same, difference.moved.len()), (2, 0));
    }

    /// Length of the longest common subsequence of two sequences without repetitions, by the textbook.
    fn common(a: &[u64], b: &[u64]) -> usize {
        let mut lengths = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                lengths[i + 1][j + 1] =
                    if x == y { lengths[i][j] + 1 } else { lengths[i][j + 1].max(lengths[i + 1][j]) };
            }
        }
        lengths[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn every_member_is_accounted_for(a in prop::collection::vec(0u64..12, 0..20), b in prop::collection::vec(0u64..12, 0..20)) {
            let difference = Difference::between(&a, &b);
            let both = difference.same + difference.moved.len() as u32;
            prop_assert_eq!(both + difference.removed(), a.len() as u32);
            prop_assert_eq!(both + difference.added(), b.len() as u32);
            prop_assert_eq!(difference.is_empty(), a == b);
        }

        #[test]
        fn the_most_stay(a in Just((0u64..14).collect::<Vec<_>>()).prop_shuffle(), b in Just((3u64..17).collect::<Vec<_>>()).prop_shuffle()) {
            prop_assert_eq!(Difference::between(&a, &b).same as usize, common(&a, &b));
        }
    }
}
