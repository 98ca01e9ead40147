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

    /// The texts of the site rules.
    pub fn rules(&self) -> PathBuf {
        self.root.join("rules.json")
    }

    /// The job's own list of stop words.
    pub fn stoplist(&self) -> PathBuf {
        self.root.join("stoplist.txt")
    }

    /// The records of a selection, by shard.
    pub fn selection(&self) -> PathBuf {
        self.root.join("selection")
    }

    pub fn documents(&self, shard: u32) -> PathBuf {
        self.root.join(format!("documents/part-{shard:05}.parquet"))
    }

    pub fn paragraphs(&self, shard: u32) -> PathBuf {
        self.root.join(format!("paragraphs/part-{shard:05}.parquet"))
    }

    /// The blocks of a shard's pages that the cleaner called boilerplate.
    pub fn boilerplate(&self, shard: u32) -> PathBuf {
        self.root.join(format!("boilerplate/part-{shard:05}.parquet"))
    }

    /// Shards of a finished corpus.
    pub fn shards(&self) -> u32 {
        (0..).take_while(|&shard| self.documents(shard).exists()).count() as u32
    }

    /// A file in a folder of the output directory.
    pub fn file(&self, folder: &str, name: &str) -> PathBuf {
        self.root.join(folder).join(name)
    }

    /// The file of a shard in the folder of an output format.
    pub fn part(&self, folder: &str, ending: &str, shard: u32) -> PathBuf {
        self.root.join(format!("{folder}/part-{shard:05}.{ending}"))
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

    /// Job scripts, job numbers and logs of a cluster.
    pub fn slurm(&self) -> PathBuf {
        self.root.join("slurm")
    }

    /// All folders that a job makes, that of its task files first; `formats` are those of output formats.
    pub fn folders(&self, formats: &[&str]) -> Vec<PathBuf> {
        let tables = ["work", "documents", "paragraphs", "boilerplate"];
        let names = tables.iter().chain(formats).chain(&["input", "slurm"]);
        names.map(|name| self.root.join(name)).collect()
    }

    /// Spills and task files; not needed once the job is done.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Held by whoever works in the directory, and the sign that it is one of ours.
    pub fn lock(&self) -> PathBuf {
        self.root.join(".warcorpus")
    }

    /// Standard input, set down as a file so that it can be split, read again and shown.
    pub fn stdin(&self) -> PathBuf {
        self.root.join("input/stdin")
    }

    /// Written last by a task: it is done, and this is what it counted.
    pub fn done(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "done.json")
    }

    /// Written first by a task, removed when it ends: who is at work on it.
    pub fn running(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "running.json")
    }

    /// Why a task failed the last time it ran.
    pub fn failed(&self, stage: &str, task: u32) -> PathBuf {
        self.task_file(stage, task, "failed.json")
    }

    fn task_file(&self, stage: &str, task: u32, kind: &str) -> PathBuf {
        self.work().join(format!("{stage}/{task:05}.{kind}"))
    }

    /// What an extract task leaves.
    pub fn extracted(&self, shard: u32) -> Extracted {
        Extracted { stem: self.work().join(format!("extract/{shard:05}")) }
    }

    /// What an unfinished extract task has left so far.
    pub fn segments(&self, shard: u32) -> PathBuf {
        self.work().join(format!("extract/{shard:05}.segments"))
    }

    pub fn segment(&self, shard: u32, name: &str) -> Extracted {
        Extracted { stem: self.segments(shard).join(name) }
    }

    /// Up to where the segments go.
    pub fn checkpoint(&self, shard: u32) -> PathBuf {
        self.segments(shard).join("checkpoint.json")
    }

    /// How many pages have what the documents of each shard have, for a key range.
    pub fn page_counts(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "page_counts")
    }

    /// Document frequencies of the words of each shard's documents, for a key range.
    pub fn frequencies(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "frequencies")
    }

    /// Words of a key range that many documents have.
    pub fn common_words(&self, range: u32) -> PathBuf {
        self.task_file("census", range, "common")
    }

    pub fn sketches(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "sketches")
    }

    /// Keys that near duplicates share.
    pub fn bands(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "bands")
    }

    /// Identities of the texts.
    pub fn texts(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "texts")
    }

    /// Shingles by which containment is found.
    pub fn samples(&self, shard: u32) -> PathBuf {
        self.task_file("sketch", shard, "samples")
    }

    /// Documents of one text, found in a key range.
    pub fn copies(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "copies")
    }

    /// Verified edges found in a key range.
    pub fn edges(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "edges")
    }

    /// Documents that share a sampled shingle of a key range, by the shard of the shorter one.
    pub fn pairs(&self, range: u32) -> PathBuf {
        self.task_file("bucket", range, "pairs")
    }

    /// Which documents of a shard stand in which longer ones.
    pub fn contained(&self, shard: u32) -> PathBuf {
        self.task_file("contain", shard, "contained")
    }

    /// What clustering keeps between its steps: texts dropped, then documents by their keepers.
    pub fn dropped(&self) -> PathBuf {
        self.work().join("cluster/dropped")
    }

    pub fn members(&self) -> PathBuf {
        self.work().join("cluster/members")
    }

    /// Document decisions, by shard.
    pub fn decisions(&self) -> PathBuf {
        self.work().join("cluster/decisions")
    }

    pub fn ngrams(&self, shard: u32) -> PathBuf {
        self.task_file("ngrams", shard, "ngrams")
    }

    /// N-grams of a key range that occur in more than one document, by the shards that repeat them.
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
    pub fn documents(&self) -> PathBuf {
        self.file("documents")
    }

    /// The content of each document.
    pub fn contents(&self) -> PathBuf {
        self.file("contents")
    }

    /// The boilerplate table of a segment; that of the shard has its place among the final tables.
    pub fn boilerplate(&self) -> PathBuf {
        self.file("boilerplate.parquet")
    }

    pub fn rejects(&self) -> PathBuf {
        self.file("rejects.jsonl")
    }

    pub fn all(&self) -> [PathBuf; 5] {
        [self.documents(), self.contents(), self.rejects(), self.blocks(), self.words()]
    }

    /// Which blocks stand on which pages.
    pub fn blocks(&self) -> PathBuf {
        self.file("blocks")
    }

    /// Which words stand in which documents.
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

/// What an earlier corpus left for later ones; a folder of its own.
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

    /// What it was made with; written last.
    pub fn header(&self) -> PathBuf {
        self.root.join("index.json")
    }

    pub fn texts(&self) -> PathBuf {
        self.root.join("texts")
    }

    pub fn bands(&self) -> PathBuf {
        self.root.join("bands")
    }

    /// Texts that were dropped, and in whose favour.
    pub fn dropped(&self) -> PathBuf {
        self.root.join("dropped")
    }

    pub fn ngrams(&self) -> PathBuf {
        self.root.join("ngrams")
    }

    pub fn names(&self) -> PathBuf {
        self.root.join("names")
    }

    pub fn sketches(&self, shard: u32) -> PathBuf {
        self.root.join(format!("sketches/{shard:05}"))
    }

    /// All files of an index of so many shards, but for the header.
    pub fn files(&self, shards: u32) -> Vec<PathBuf> {
        let whole = [self.texts(), self.bands(), self.dropped(), self.ngrams(), self.names()];
        whole.into_iter().chain((0..shards).map(|shard| self.sketches(shard))).collect()
    }
}
