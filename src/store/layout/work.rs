//! The files of tasks: markers, checkpoints, and what one stage writes for the next.

use std::path::PathBuf;

use super::Layout;

impl Layout {
    /// The completion marker of a task, written last: its counters and the checksums of its files.
    pub fn done(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "done.json")
    }

    /// The process that runs a task. Written when the task starts, removed when it ends.
    pub fn running(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "running.json")
    }

    /// The error with which the last run of a task ended.
    pub fn failed(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "failed.json")
    }

    fn task_file(&self, stage: &str, task: u32, kind: &str) -> PathBuf {
        self.work().join(format!("{stage}/{task:05}.{kind}"))
    }

    /// The files of a finished extract task.
    pub fn extracted(&self, shard: u32) -> Extracted {
        Extracted { stem: self.work().join(format!("extract/{shard:05}")) }
    }

    /// The file offset at which a shard begins. Exists if extract had found another one.
    pub fn shard_start(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.start.json"))
    }

    /// The folder of the segments that an unfinished extract task has written so far, one per checkpoint.
    pub fn segments(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.segments"))
    }

    /// The files of one segment of an extract task.
    pub fn segment(&self, shard: u32, name: &str) -> Extracted {
        Extracted { stem: self.segments(shard).join(name) }
    }

    /// The checkpoint of an unfinished extract task, from which it resumes.
    pub fn checkpoint(&self, shard: u32) -> PathBuf {
        self.segments(shard).join("checkpoint.json")
    }

    /// The joined spill files of a group of shards, partitioned by key range as they are; `stage` joins them.
    pub fn joined(&self, stage: &str, group: u32, spill: &str) -> PathBuf {
        self.task_file(stage, group, spill)
    }

    /// On how many pages of its host each block of a key range occurs, partitioned by shard.
    pub fn page_counts(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "page_counts")
    }

    /// Document frequencies of the words of a key range, partitioned by the shards whose documents have them.
    pub fn frequencies(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "frequencies")
    }

    /// The words of a key range with a high document frequency.
    pub fn common_words(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "common")
    }

    /// The sketches of a shard's documents.
    pub fn sketches(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "sketches")
    }

    /// The band keys of a shard's documents, partitioned by key range; near duplicates share keys.
    pub fn bands(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "bands")
    }

    /// The text digests of a shard's documents, partitioned by key range.
    pub fn texts(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "texts")
    }

    /// The sampled shingles of a shard's documents, by which containment candidates are found.
    pub fn samples(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "samples")
    }

    /// Exact duplicates found in a key range.
    pub fn copies(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "copies")
    }

    /// Verified near-duplicate pairs found in a key range.
    pub fn edges(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "edges")
    }

    /// Containment candidates: pairs of documents that share a sampled shingle of a key range, partitioned by the shard
    /// of the shorter document.
    pub fn pairs(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "pairs")
    }

    /// The documents of a shard that are contained in longer ones.
    pub fn contained(&self, shard: u32) -> PathBuf {
        self.task_file("contain", shard, "contained")
    }

    /// The dropped texts with their representatives, written by the first step of clustering.
    pub fn dropped(&self) -> PathBuf {
        self.work().join("cluster/dropped")
    }

    /// The dropped documents with their representatives, written by the second step of clustering.
    pub fn members(&self) -> PathBuf {
        self.work().join("cluster/members")
    }

    /// The decision about each document, partitioned by shard.
    pub fn decisions(&self) -> PathBuf {
        self.work().join("cluster/decisions")
    }

    /// The folder of the journal of an unfinished emit task.
    pub fn emit_journal(&self, shard: u32) -> PathBuf {
        self.task_file("emit", shard, "journal")
    }

    /// The n-grams of a shard's kept documents, partitioned by key range.
    pub fn ngrams(&self, shard: u32) -> PathBuf {
        self.task_file("ngrams", shard, "ngrams")
    }

    /// N-grams of a key range that occur in more than one document, partitioned by the shards that repeat them.
    pub fn repeats(&self, range: u32) -> PathBuf {
        self.task_file("overlap", range, "repeats")
    }
}

/// The files of an extract task, or of a segment of one.
#[derive(Debug, Clone)]
pub struct Extracted {
    stem: PathBuf,
}

impl Extracted {
    /// The rows of the documents.
    pub fn documents(&self) -> PathBuf {
        self.file("documents")
    }

    /// The content paragraphs of each document.
    pub fn contents(&self) -> PathBuf {
        self.file("contents")
    }

    /// The word hashes of each document's content, with what later stages need of a page besides.
    pub fn hashes(&self) -> PathBuf {
        self.file("hashes")
    }

    /// The boilerplate table of a segment; the one of the shard is at [`Layout::boilerplate`].
    pub fn boilerplate(&self) -> PathBuf {
        self.file("boilerplate.parquet")
    }

    /// The records that could not be read.
    pub fn rejects(&self) -> PathBuf {
        self.file("rejects.jsonl")
    }

    /// The files that a task and a segment of one have in common: all but the boilerplate table.
    pub fn all(&self) -> [PathBuf; 6] {
        [self.documents(), self.contents(), self.hashes(), self.rejects(), self.blocks(), self.words()]
    }

    /// The block keys of the pages, partitioned by key range, for the census.
    pub fn blocks(&self) -> PathBuf {
        self.file("blocks")
    }

    /// The word keys of the documents, partitioned by key range, for the census.
    pub fn words(&self) -> PathBuf {
        self.file("words")
    }

    fn file(&self, kind: &str) -> PathBuf {
        let mut name = self.stem.clone().into_os_string();
        name.push(".");
        name.push(kind);
        name.into()
    }
}
