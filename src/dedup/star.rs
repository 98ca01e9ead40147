//! Candidates → stars. A star is one kept document and the documents dropped in its favour, each
//! verified against it; there are no chains A≈B≈C in which C resembles nothing that is kept.
//!
//! Documents are taken in keeper order: ascending (`order`, document key), where `order` encodes
//! the policy (longest, earliest …). Within a bucket the earlier members stand for the later ones;
//! over all buckets a document becomes a keeper unless one that came before it is similar enough.

use fxhash::FxHashMap;

/// A document in a bucket. Sorts in keeper order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub order: u64,
    pub doc: u64,
}

/// `member` is similar to `representative`, which comes before it in keeper order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub member: Member,
    pub representative: u64,
    /// Verified Jaccard similarity.
    pub similarity: f32,
}

/// A document that is dropped, and the one kept in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropped {
    pub doc: u64,
    pub keeper: u64,
    /// Verified Jaccard similarity of the two.
    pub similarity: f32,
}

/// A bucket's members are compared with at most so many of those before them.
const REPRESENTATIVES: usize = 8;

/// Verified edges within one bucket. `members` stand in keeper order; `similarity` verifies a pair.
/// Every member is compared with the representatives so far and becomes one itself if it resembles
/// none, so that m members cost O(m) comparisons; above `max_bucket` members only the first
/// represents.
pub fn edges<E>(
    members: &[Member],
    threshold: f64,
    max_bucket: usize,
    mut similarity: impl FnMut(u64, u64) -> Result<f64, E>,
) -> Result<Vec<Edge>, E> {
    let most = if members.len() > max_bucket { 1 } else { REPRESENTATIVES };
    let mut representatives: Vec<u64> = Vec::new();
    let mut edges = Vec::new();
    'members: for &member in members {
        for &representative in &representatives {
            // The similarity that is written is the one that is judged: in 32 bits.
            let similarity = similarity(representative, member.doc)? as f32;
            if f64::from(similarity) >= threshold {
                edges.push(Edge { member, representative, similarity });
                continue 'members;
            }
        }
        if representatives.len() < most {
            representatives.push(member.doc);
        }
    }
    Ok(edges)
}

/// All edges of a job, sorted by member in keeper order → the documents that are dropped.
///
/// A member whose representative was itself dropped is verified against that one's keeper, so that
/// the answer never rests on a chain. Memory: one entry per dropped document.
pub fn stars<E>(
    edges: impl IntoIterator<Item = Result<Edge, E>>,
    threshold: f64,
    mut similarity: impl FnMut(u64, u64) -> Result<f64, E>,
) -> Result<Vec<Dropped>, E> {
    let mut dropped: FxHashMap<u64, (u64, f32)> = FxHashMap::default();
    let mut answer = Vec::new();
    let mut decide = |group: &[Edge]| -> Result<(), E> {
        let Some(first) = group.first() else { return Ok(()) };
        let mut keepers: Vec<(u64, f32)> = Vec::new();
        for edge in group {
            let (keeper, known) = match dropped.get(&edge.representative) {
                Some(&(keeper, _)) => (keeper, None),
                None => (edge.representative, Some(edge.similarity)),
            };
            if keepers.iter().any(|&(k, _)| k == keeper) {
                continue;
            }
            let similarity = match known {
                Some(similarity) => similarity,
                None => similarity(keeper, first.member.doc)? as f32,
            };
            keepers.push((keeper, similarity));
        }
        let best = keepers.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((keeper, similarity)) = best.filter(|&(_, s)| f64::from(s) >= threshold) {
            dropped.insert(first.member.doc, (keeper, similarity));
            answer.push(Dropped { doc: first.member.doc, keeper, similarity });
        }
        Ok(())
    };
    let mut group: Vec<Edge> = Vec::new();
    for edge in edges {
        let edge = edge?;
        if group.first().is_some_and(|first| first.member != edge.member) {
            decide(&group)?;
            group.clear();
        }
        group.push(edge);
    }
    decide(&group)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn member(doc: u64) -> Member {
        Member { order: 0, doc }
    }

    fn run(pairs: &[(u64, u64)], similarity: impl Fn(u64, u64) -> f64 + Copy) -> Vec<Dropped> {
        let mut all: Vec<Edge> = pairs
            .iter()
            .map(|&(r, m)| Edge { member: member(m), representative: r, similarity: similarity(r, m) as f32 })
            .collect();
        all.sort_by_key(|e| (e.member, e.representative));
        let check = |a, b| Ok::<_, Infallible>(similarity(a, b));
        stars(all.into_iter().map(Ok), 0.75, check).unwrap()
    }

    #[test]
    fn a_chain_is_cut_where_it_stops_resembling_the_keeper() {
        // Neighbours resemble each other, nothing further does.
        let near = |a: u64, b: u64| if a.abs_diff(b) <= 1 { 0.8 } else { 0.1 };
        let chain: Vec<(u64, u64)> = (0..9_999).map(|i| (i, i + 1)).collect();
        let dropped = run(&chain, near);
        assert_eq!(dropped.len(), 5_000);
        assert!(dropped.iter().all(|d| near(d.keeper, d.doc) >= 0.75));
    }

    #[test]
    fn a_member_follows_its_dropped_representative_to_the_keeper() {
        let near = |_, _| 0.9;
        let dropped = run(&[(1, 2), (2, 3)], near);
        assert_eq!(dropped.iter().map(|d| (d.doc, d.keeper)).collect::<Vec<_>>(), [(2, 1), (3, 1)]);
    }

    #[test]
    fn the_most_similar_keeper_wins_then_the_first() {
        let near = |a: u64, b: u64| match (a, b) {
            (1, 5) => 0.8,
            (2, 5) => 0.9,
            (3, 6) | (4, 6) => 0.85,
            _ => 0.0,
        };
        let dropped = run(&[(1, 5), (2, 5), (3, 6), (4, 6)], near);
        assert_eq!(dropped.iter().map(|d| d.keeper).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn a_bucket_costs_linear_time() {
        let members: Vec<Member> = (0..100_000).map(member).collect();
        let mut calls = 0u64;
        let edges = edges(&members, 0.75, 10_000, |_, _| {
            calls += 1;
            Ok::<_, Infallible>(1.0)
        })
        .unwrap();
        assert_eq!((edges.len(), calls), (99_999, 99_999));
    }

    #[test]
    fn unlike_members_of_a_bucket_represent_themselves() {
        let members: Vec<Member> = (0..4).map(member).collect();
        let same_parity = |a: u64, b: u64| Ok::<_, Infallible>(if a % 2 == b % 2 { 1.0 } else { 0.0 });
        let found = edges(&members, 0.75, 10, same_parity).unwrap();
        assert_eq!(found.iter().map(|e| (e.representative, e.member.doc)).collect::<Vec<_>>(), [(0, 2), (1, 3)]);
    }
}
