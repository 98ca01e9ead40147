//! Candidates → stars. A star is one kept document and the documents dropped in its favour, each
//! verified against it; there are no chains A≈B≈C in which C resembles nothing that is kept.
//!
//! Documents stand in *keeper order*: ascending (`order`, document key), where `order` encodes the
//! policy (longest, earliest …). A star forms around a hub, the document that resembles most of
//! those still free; the first of its members in keeper order that resembles all the others is
//! kept. Hubs rather than keepers come first because edited copies resemble their original but not
//! one another: around any copy, however long, the others would all be left over.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A document in keeper order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub order: u64,
    pub doc: u64,
}

/// Two documents that resemble each other; `a` comes before `b` in keeper order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub a: Member,
    pub b: Member,
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

/// Up to so many members of a bucket are all compared with one another.
const ALL_PAIRS: usize = 32;

/// In a larger bucket a member is compared with at most so many of those before it.
const REPRESENTATIVES: usize = 8;

/// Members of a star that are tried as its keeper before the hub, which always is possible.
const KEEPERS_TRIED: usize = 8;

/// Verified edges within one bucket of different texts. `members` stand in keeper order;
/// `similarity` verifies a pair. In a large bucket every member is compared with the
/// representatives so far and becomes one itself if it resembles none, so that m members cost O(m)
/// comparisons; above `max_bucket` members only the first represents.
pub fn edges<E>(
    members: &[Member],
    threshold: f64,
    max_bucket: usize,
    mut similarity: impl FnMut(u64, u64) -> Result<f64, E>,
) -> Result<Vec<Edge>, E> {
    let most = match members.len() {
        n if n > max_bucket => 1,
        n if n > ALL_PAIRS => REPRESENTATIVES,
        n => n,
    };
    let all_pairs = most == members.len();
    let mut representatives: Vec<Member> = Vec::new();
    let mut edges = Vec::new();
    for &b in members {
        let mut alone = true;
        for &a in &representatives {
            if let Some(similarity) = judged(similarity(a.doc, b.doc)?, threshold) {
                edges.push(Edge { a, b, similarity });
                alone = false;
                if !all_pairs {
                    break;
                }
            }
        }
        if representatives.len() < most && (alone || all_pairs) {
            representatives.push(b);
        }
    }
    Ok(edges)
}

/// The similarity as it is written, in 32 bits, if it reaches the threshold; rounded so that what is
/// written reaches it as well.
fn judged(similarity: f64, threshold: f64) -> Option<f32> {
    let written = similarity as f32;
    let written = if f64::from(written) < threshold { written.next_up() } else { written };
    (similarity >= threshold).then_some(written)
}

/// The edges of one connected component → the documents of it that are dropped.
///
/// A document whose neighbours all went to other stars joins one of those if it resembles its
/// keeper, and is kept if not. Time: O(E log E) and a bounded number of verifications per document.
pub fn stars<E>(
    edges: &[Edge],
    threshold: f64,
    similarity: impl FnMut(u64, u64) -> Result<f64, E>,
) -> Result<Vec<Dropped>, E> {
    let graph = Graph::new(edges);
    let mut stars = Stars { keepers: vec![None; graph.members.len()], graph, threshold, similarity };
    let degrees = stars.graph.neighbours.iter().map(Vec::len);
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> = degrees.zip((0..).map(Reverse)).collect();
    while let Some((degree, Reverse(hub))) = queue.pop() {
        if stars.keeper(hub).is_some() {
            continue;
        }
        let free: Vec<usize> = stars.graph.of(hub).map(|(i, _)| i).filter(|&i| stars.keeper(i).is_none()).collect();
        if free.len() < degree {
            queue.push((free.len(), Reverse(hub)));
        } else if free.is_empty() {
            stars.adopt(hub)?;
        } else {
            stars.form(hub, free)?;
        }
    }
    Ok(stars.dropped())
}

/// Documents by their place in keeper order, and whom each resembles.
struct Graph {
    members: Vec<Member>,
    /// Sorted by place.
    neighbours: Vec<Vec<(usize, f32)>>,
}

impl Graph {
    fn new(edges: &[Edge]) -> Graph {
        let mut members: Vec<Member> = edges.iter().flat_map(|edge| [edge.a, edge.b]).collect();
        members.sort_unstable();
        members.dedup();
        let mut neighbours = vec![Vec::new(); members.len()];
        for edge in edges {
            let place = |member: &Member| members.binary_search(member).ok();
            let (Some(a), Some(b)) = (place(&edge.a), place(&edge.b)) else { continue };
            for (from, to) in [(a, b), (b, a)] {
                neighbours.get_mut(from).into_iter().for_each(|list: &mut Vec<_>| list.push((to, edge.similarity)));
            }
        }
        for list in &mut neighbours {
            list.sort_by_key(|&(place, _)| place);
            list.dedup_by_key(|&mut (place, _)| place);
        }
        Graph { members, neighbours }
    }

    fn of(&self, place: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.neighbours.get(place).into_iter().flatten().copied()
    }

    fn known(&self, a: usize, b: usize) -> Option<f32> {
        let list = self.neighbours.get(a)?;
        let at = list.binary_search_by_key(&b, |&(place, _)| place).ok()?;
        list.get(at).map(|&(_, similarity)| similarity)
    }

    fn doc(&self, place: usize) -> u64 {
        self.members.get(place).map_or(0, |member| member.doc)
    }
}

struct Stars<F> {
    graph: Graph,
    /// For each place: the keeper's place and the similarity to it, once decided.
    keepers: Vec<Option<(usize, f32)>>,
    threshold: f64,
    similarity: F,
}

impl<E, F: FnMut(u64, u64) -> Result<f64, E>> Stars<F> {
    fn keeper(&self, place: usize) -> Option<(usize, f32)> {
        self.keepers.get(place).copied().flatten()
    }

    fn assign(&mut self, place: usize, keeper: usize, similarity: f32) {
        self.keepers.get_mut(place).into_iter().for_each(|slot| *slot = Some((keeper, similarity)));
    }

    /// Similarity of two documents if it reaches the threshold.
    fn resemblance(&mut self, a: usize, b: usize) -> Result<Option<f32>, E> {
        match self.graph.known(a, b) {
            Some(similarity) => Ok(Some(similarity)),
            None => Ok(judged((self.similarity)(self.graph.doc(a), self.graph.doc(b))?, self.threshold)),
        }
    }

    /// A star of `hub` and its free neighbours.
    fn form(&mut self, hub: usize, free: Vec<usize>) -> Result<(), E> {
        let mut star = free;
        star.push(hub);
        star.sort_unstable();
        let before_hub = star.iter().copied().take_while(|&place| place != hub).take(KEEPERS_TRIED);
        for keeper in before_hub.chain([hub]).collect::<Vec<_>>() {
            if let Some(similarities) = self.resembling_all(keeper, &star)? {
                star.iter().zip(similarities).for_each(|(&place, similarity)| self.assign(place, keeper, similarity));
                break;
            }
        }
        Ok(())
    }

    /// Similarities of `keeper` to the members of `star`, if all of them reach the threshold.
    fn resembling_all(&mut self, keeper: usize, star: &[usize]) -> Result<Option<Vec<f32>>, E> {
        let mut similarities = Vec::with_capacity(star.len());
        for &place in star {
            let resemblance = if place == keeper { Some(1.0) } else { self.resemblance(keeper, place)? };
            let Some(similarity) = resemblance else { return Ok(None) };
            similarities.push(similarity);
        }
        Ok(Some(similarities))
    }

    /// A document whose neighbours all belong to stars: to the most similar of their keepers, or kept.
    fn adopt(&mut self, place: usize) -> Result<(), E> {
        let mut keepers: Vec<usize> =
            self.graph.of(place).filter_map(|(i, _)| self.keeper(i)).map(|(k, _)| k).collect();
        // Those it is known to resemble first: they cost nothing, and must not be missed.
        keepers.sort_unstable_by_key(|&keeper| (self.graph.known(keeper, place).is_none(), keeper));
        keepers.dedup();
        let mut best = (place, 1.0);
        for (tried, keeper) in keepers.into_iter().enumerate() {
            let known = self.graph.known(keeper, place).is_some();
            if !known && (tried >= REPRESENTATIVES || best.0 != place) {
                break;
            }
            if let Some(similarity) = self.resemblance(keeper, place)?.filter(|&s| best.0 == place || s > best.1) {
                best = (keeper, similarity);
            }
        }
        self.assign(place, best.0, best.1);
        Ok(())
    }

    fn dropped(&self) -> Vec<Dropped> {
        let decided = self.keepers.iter().enumerate().filter_map(|(place, keeper)| Some((place, (*keeper)?)));
        decided
            .filter(|&(place, (keeper, _))| place != keeper)
            .map(|(place, (keeper, similarity))| Dropped {
                doc: self.graph.doc(place),
                keeper: self.graph.doc(keeper),
                similarity,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    fn member(doc: u64) -> Member {
        Member { order: 0, doc }
    }

    /// Stars of the pairs, which are edges; `similarity` knows all pairs.
    fn run(pairs: &[(u64, u64)], similarity: impl Fn(u64, u64) -> f64 + Copy) -> Vec<Dropped> {
        let edge = |&(a, b): &(u64, u64)| Edge { a: member(a), b: member(b), similarity: similarity(a, b) as f32 };
        let all: Vec<Edge> = pairs.iter().map(edge).collect();
        stars(&all, 0.75, |a, b| Ok::<_, Infallible>(similarity(a.min(b), a.max(b)))).unwrap()
    }

    #[test]
    fn a_chain_is_cut_where_it_stops_resembling_the_keeper() {
        // Neighbours resemble each other, nothing further does.
        let near = |a: u64, b: u64| if a.abs_diff(b) <= 1 { 0.8 } else { 0.1 };
        let chain: Vec<(u64, u64)> = (0..9_999).map(|i| (i, i + 1)).collect();
        let dropped = run(&chain, near);
        assert_eq!(dropped.len(), 6_666);
        assert!(dropped.iter().all(|d| near(d.keeper, d.doc) >= 0.75));
    }

    #[test]
    fn copies_that_do_not_resemble_one_another_go_to_their_original() {
        let near = |a, b| if a == 5 || b == 5 { 0.8 } else { 0.6 };
        let dropped = run(&[(1, 5), (2, 5), (3, 5), (5, 9)], near);
        assert_eq!(dropped.iter().map(|d| (d.doc, d.keeper)).collect::<Vec<_>>(), [(1, 5), (2, 5), (3, 5), (9, 5)]);
    }

    #[test]
    fn among_documents_that_all_resemble_one_another_the_policy_decides() {
        let dropped = run(&[(1, 3), (2, 3), (3, 4)], |_, _| 0.9);
        assert_eq!(dropped.iter().map(|d| (d.doc, d.keeper)).collect::<Vec<_>>(), [(2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn who_lost_all_neighbours_joins_a_keeper_it_resembles() {
        // 1 is the hub of 2, 3, 4; 9 was a candidate of 4 only.
        let pairs = [(1, 2), (1, 3), (1, 4), (4, 9)];
        let close = run(&pairs, |_, _| 0.8);
        assert!(close.contains(&Dropped { doc: 9, keeper: 1, similarity: 0.8 }));
        let far = run(&pairs, |a, b| if (a, b) == (1, 9) { 0.5 } else { 0.8 });
        assert!(far.iter().all(|d| d.doc != 9));
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
        assert_eq!(stars(&edges, 0.75, |_, _| Ok::<_, Infallible>(1.0)).unwrap().len(), 99_999);
    }

    #[test]
    fn unlike_members_of_a_bucket_represent_themselves() {
        let members: Vec<Member> = (0..40).map(member).collect();
        let same_parity = |a: u64, b: u64| Ok::<_, Infallible>(if a % 2 == b % 2 { 1.0 } else { 0.0 });
        let found = edges(&members, 0.75, 100, same_parity).unwrap();
        assert_eq!(found.len(), 38);
        assert!(found.iter().all(|e| e.a.doc == e.b.doc % 2));
    }

    proptest! {
        /// Whatever the graph: keepers are kept, every drop is verified, and no edge joins two keepers.
        #[test]
        fn stars_are_verified_and_nothing_similar_is_kept_twice(
            weights in prop::collection::btree_map((0u64..20, 0u64..20), 0.5f64..1.0, 0..60),
        ) {
            let weights: BTreeMap<(u64, u64), f64> = weights.into_iter().filter(|((a, b), _)| a < b).collect();
            let similarity = |a: u64, b: u64| weights.get(&(a, b)).copied().unwrap_or(0.0);
            let pairs: Vec<(u64, u64)> = weights.iter().filter(|(_, w)| **w >= 0.75).map(|(p, _)| *p).collect();
            let dropped = run(&pairs, similarity);
            let keeper = |doc: u64| dropped.iter().find(|d| d.doc == doc).map_or(doc, |d| d.keeper);
            for d in &dropped {
                prop_assert_eq!(keeper(d.keeper), d.keeper);
                let real = similarity(d.doc.min(d.keeper), d.doc.max(d.keeper));
                prop_assert!(real >= 0.75 && d.similarity == real as f32);
            }
            for (a, b) in pairs {
                prop_assert!(keeper(a) != a || keeper(b) != b, "{} and {} are both kept", a, b);
            }
        }
    }
}
