//! Union-find: which documents are connected by edges. It grows with the input: 12 bytes per document
//! that resembles another.

/// Disjoint sets of documents. The representative of a set is its smallest document.
pub struct Components {
    docs: Vec<u64>,
    parents: Vec<u32>,
}

impl Components {
    /// Every document of `docs` alone. At most 2³² of them.
    pub fn new(mut docs: Vec<u64>) -> Components {
        docs.sort_unstable();
        docs.dedup();
        let parents = (0..docs.len() as u32).collect();
        Components { docs, parents }
    }

    /// Joins the sets of two documents; unknown ones are ignored.
    pub fn join(&mut self, a: u64, b: u64) {
        let (Some(a), Some(b)) = (self.root(a), self.root(b)) else { return };
        self.parents.get_mut(a.max(b) as usize).into_iter().for_each(|parent| *parent = a.min(b));
    }

    /// Place of the representative of a document's set.
    pub fn root(&mut self, doc: u64) -> Option<u32> {
        let mut place = self.docs.binary_search(&doc).ok()? as u32;
        loop {
            let parent = *self.parents.get(place as usize)?;
            if parent == place {
                return Some(place);
            }
            // Path halving.
            let grandparent = *self.parents.get(parent as usize)?;
            *self.parents.get_mut(place as usize)? = grandparent;
            place = grandparent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_documents_share_a_root() {
        let mut sets = Components::new(vec![50, 10, 30, 20, 40, 10]);
        sets.join(10, 30);
        sets.join(50, 40);
        sets.join(30, 40);
        sets.join(20, 99);
        assert_eq!([10, 30, 40, 50].map(|doc| sets.root(doc)), [Some(0); 4]);
        assert_eq!((sets.root(20), sets.root(99)), (Some(1), None));
    }
}
