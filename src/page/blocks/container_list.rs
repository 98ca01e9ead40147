//! The containers of a page: the open elements around each block.

use std::hash::{BuildHasher, RandomState};

use fxhash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::attributes::AttributeList;
use super::open_elements::ElementStack;
use super::{Container, root};

/// The containers that blocks have been placed in so far.
pub struct ContainerList<'a> {
    containers: Vec<Container<'a>>,
    /// Number of containers at most.
    limit: usize,
    /// Whether the limit was met.
    is_cut: bool,
    /// For the hash of a class, id and role the first container with these names.
    first: FxHashMap<u64, u32>,
    /// The seed of these hashes. It is random, so that nobody can write a page whose names share a place of the table.
    seed: u64,
}

impl<'a> ContainerList<'a> {
    /// The root alone.
    pub fn new(limit: usize) -> ContainerList<'a> {
        let seed = RandomState::new().hash_one(limit);
        ContainerList { containers: vec![root()], limit, is_cut: false, first: FxHashMap::default(), seed }
    }

    /// All containers, and whether there were more than the limit.
    pub fn finish(self) -> (Vec<Container<'a>>, bool) {
        (self.containers, self.is_cut)
    }

    /// Index of the innermost open container, added with those around it; `attributes` is overwritten.
    pub fn innermost(&mut self, stack: &mut ElementStack<'a>, attributes: &mut AttributeList<'a>) -> u32 {
        let known = stack.iter().rposition(|open| open.container.is_some());
        let mut parent = 0;
        for at in known.unwrap_or(0)..stack.depth() {
            let Some(open) = stack.get_mut(at) else { break };
            if let Some(index) = open.container {
                parent = index;
            } else if open.is_container() && self.containers.len() >= self.limit {
                self.is_cut = true;
            } else if open.is_container() {
                parent = self.push(open.to_container(parent, attributes));
                open.container = Some(parent);
            }
        }
        parent
    }

    /// Adds a container. Returns its index.
    fn push(&mut self, mut container: Container<'a>) -> u32 {
        let index = u32::try_from(self.containers.len()).unwrap_or(u32::MAX);
        let names = names(&container);
        // The root, which is the first of them, has no names.
        if names.iter().any(|name| !name.is_empty()) {
            let first = *self.first.entry(hash(names, self.seed)).or_insert(index);
            let other = self.containers.get(first as usize);
            // Different names may have one hash.
            let same = other.is_some_and(|other| are_equal(self::names(other), names));
            container.same_names = if same { first } else { index };
        }
        self.containers.push(container);
        index
    }
}

fn names<'c>(container: &'c Container<'_>) -> [&'c str; 3] {
    [&container.class, &container.id, &container.role]
}

/// A hash of names and their places. Most are empty.
fn hash(names: [&str; 3], seed: u64) -> u64 {
    let given = names.into_iter().zip(1u64..).filter(|(name, _)| !name.is_empty());
    given.fold(seed, |hash, (name, place)| xxh3_64_with_seed(name.as_bytes(), hash.wrapping_add(place)))
}

/// Whether all names are equal. Most are empty, and need no call that compares bytes.
fn are_equal(some: [&str; 3], others: [&str; 3]) -> bool {
    let mut pairs = some.into_iter().zip(others);
    pairs.all(|(name, other)| name.len() == other.len() && (name.is_empty() || name == other))
}
