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
    /// The first container with a class, id and role, under the hash of these names, or under the first number behind it
    /// that other names do not have.
    first: FxHashMap<u64, u32>,
    /// The seeds of these hashes, for each name its own: XXH3 gives short names the same hash if they differ by as many bits
    /// as their seeds. They are random, so that nobody can write a page whose names share a place of the table.
    seeds: [u64; 3],
}

impl<'a> ContainerList<'a> {
    /// The root alone.
    pub fn new(limit: usize) -> ContainerList<'a> {
        let random = RandomState::new();
        let seeds = [0, 1, 2].map(|place| random.hash_one(place));
        ContainerList { containers: vec![root()], limit, is_cut: false, first: FxHashMap::default(), seeds }
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
            let mut key = hash(names, self.seeds);
            container.same_names = loop {
                let first = *self.first.entry(key).or_insert(index);
                let other = self.containers.get(first as usize);
                // What the names are decides, and never the seeds. The container itself is not in the list yet.
                if other.is_none_or(|other| are_equal(self::names(other), names)) {
                    break first;
                }
                key = key.wrapping_add(1);
            };
        }
        self.containers.push(container);
        index
    }
}

fn names<'c>(container: &'c Container<'_>) -> [&'c str; 3] {
    [&container.class, &container.id, &container.role]
}

/// A hash of names and their places. Most are empty.
fn hash(names: [&str; 3], seeds: [u64; 3]) -> u64 {
    let given = names.into_iter().zip(seeds).filter(|(name, _)| !name.is_empty());
    given.fold(0, |hash: u64, (name, seed)| hash.rotate_left(21) ^ xxh3_64_with_seed(name.as_bytes(), seed))
}

/// Whether all names are equal. Most are empty, and need no call that compares bytes.
fn are_equal(some: [&str; 3], others: [&str; 3]) -> bool {
    let mut pairs = some.into_iter().zip(others);
    pairs.all(|(name, other)| name.len() == other.len() && (name.is_empty() || name == other))
}
