//! The files of a reference index.

use std::path::{Path, PathBuf};

/// The paths in the directory of a reference index: the data of an earlier corpus against which later ones are
/// deduplicated.
#[derive(Debug, Clone)]
pub struct Index {
    root: PathBuf,
}

impl Index {
    pub fn new(root: impl Into<PathBuf>) -> Index {
        Index { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The header with the settings of the index; written last, so that its presence marks a complete index.
    pub fn header(&self) -> PathBuf {
        self.root.join("index.json")
    }

    /// Text digests, partitioned by key range.
    pub fn texts(&self) -> PathBuf {
        self.root.join("texts")
    }

    /// Band keys, partitioned by key range.
    pub fn bands(&self) -> PathBuf {
        self.root.join("bands")
    }

    /// The dropped texts with their representatives.
    pub fn dropped(&self) -> PathBuf {
        self.root.join("dropped")
    }

    /// N-grams with their owners, partitioned by key range.
    pub fn ngrams(&self) -> PathBuf {
        self.root.join("ngrams")
    }

    /// The URLs of the documents, by shard.
    pub fn names(&self) -> PathBuf {
        self.root.join("names")
    }

    /// The sketches of a shard's documents.
    pub fn sketches(&self, shard: u32) -> PathBuf {
        self.root.join(format!("sketches/{shard:05}"))
    }

    /// What the pages of a shard are compared by (`compare`).
    pub fn pages(&self, shard: u32) -> PathBuf {
        self.root.join(format!("pages/{shard:05}"))
    }

    /// All files of an index of `shards` shards except the header.
    pub fn files(&self, shards: u32) -> Vec<PathBuf> {
        let whole = [self.texts(), self.bands(), self.dropped(), self.ngrams(), self.names()];
        let of_shard = |shard| [self.sketches(shard), self.pages(shard)];
        whole.into_iter().chain((0..shards).flat_map(of_shard)).collect()
    }
}
