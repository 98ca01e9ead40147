//! Where everything stands in an output directory.

use std::path::{Path, PathBuf};

/// An output directory. Numbers are shards unless said otherwise.
#[derive(Debug, Clone)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    pub fn new(root: impl Into<PathBuf>) -> Layout {
        Layout { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What was asked, with all defaults written out.
    pub fn job(&self) -> PathBuf {
        self.root.join("job.toml")
    }

    /// The shards, frozen.
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    pub fn documents(&self, shard: u32) -> PathBuf {
        self.root.join(format!("documents/part-{shard:05}.parquet"))
    }

    pub fn paragraphs(&self, shard: u32) -> PathBuf {
        self.root.join(format!("paragraphs/part-{shard:05}.parquet"))
    }

    pub fn vertical(&self, shard: u32) -> PathBuf {
        self.root.join(format!("vertical/part-{shard:05}.vert.gz"))
    }

    pub fn registry(&self, name: &str) -> PathBuf {
        self.root.join("registry").join(name)
    }

    pub fn rejects(&self) -> PathBuf {
        self.root.join("rejects.jsonl")
    }

    pub fn stats(&self) -> PathBuf {
        self.root.join("stats.json")
    }

    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// Spills and task files; not needed once the job is done.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Standard input, set down as a file so that it can be split, read again and shown.
    pub fn stdin(&self) -> PathBuf {
        self.root.join("input/stdin")
    }

    /// Written last by a task: it is done, and this is what it counted.
    pub fn done(&self, stage: &str, task: u32) -> PathBuf {
        self.work().join(format!("{stage}/{task:05}.done.json"))
    }

    pub fn extracted_documents(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.documents.parquet"))
    }

    pub fn extracted_paragraphs(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.paragraphs.parquet"))
    }

    pub fn shard_rejects(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.rejects.jsonl"))
    }

    pub fn sketches(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.sketches"))
    }

    pub fn bands(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.bands"))
    }

    /// Verified edges found in a key range.
    pub fn edges(&self, range: u32) -> PathBuf {
        self.work().join(format!("bucket/{range:05}.edges"))
    }

    /// All edges, sorted by connected component.
    pub fn components(&self) -> PathBuf {
        self.work().join("cluster/components")
    }

    /// Document decisions, by shard.
    pub fn stars(&self) -> PathBuf {
        self.work().join("cluster/stars")
    }

    pub fn ngrams(&self, shard: u32) -> PathBuf {
        self.work().join(format!("ngrams/{shard:05}.ngrams"))
    }

    /// N-grams of a key range that occur in more than one document, by the shards that repeat them.
    pub fn repeats(&self, range: u32) -> PathBuf {
        self.work().join(format!("overlap/{range:05}.repeats"))
    }
}
