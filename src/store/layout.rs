//! The paths of all files in an output directory, and in the directory of a reference index.

use std::fs;
use std::path::{Path, PathBuf};

/// The paths in an output directory. Files of a stage have one path per task: a shard or a key range.
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

    /// The configuration of the job, with all defaults written out.
    pub fn job(&self) -> PathBuf {
        self.root.join("job.toml")
    }

    /// The plan: inputs and shards, fixed when the job is planned.
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    /// Names and texts of the files of site rules, as JSON.
    pub fn rules(&self) -> PathBuf {
        self.root.join("rules.json")
    }

    /// The stop list, if `clean.stoplist` names a file.
    pub fn stoplist(&self) -> PathBuf {
        self.root.join("stoplist.txt")
    }

    /// The locations of the selected records, partitioned by shard.
    pub fn selection(&self) -> PathBuf {
        self.root.join("selection")
    }

    /// The final table of a shard's documents.
    pub fn documents(&self, shard: u32) -> PathBuf {
        self.root.join(format!("documents/part-{shard:05}.parquet"))
    }

    /// The final table of a shard's content paragraphs.
    pub fn paragraphs(&self, shard: u32) -> PathBuf {
        self.root.join(format!("paragraphs/part-{shard:05}.parquet"))
    }

    /// The final table of the blocks that the cleaner classified as boilerplate.
    pub fn boilerplate(&self, shard: u32) -> PathBuf {
        self.root.join(format!("boilerplate/part-{shard:05}.parquet"))
    }

    /// The table of a shard's quality signals.
    pub fn signals(&self, shard: u32) -> PathBuf {
        self.root.join(format!("signals/part-{shard:05}.parquet"))
    }

    /// The table of personal data in a shard's paragraphs.
    pub fn pii(&self, shard: u32) -> PathBuf {
        self.root.join(format!("pii/part-{shard:05}.parquet"))
    }

    /// The table of what `annotate` joined to a shard's documents.
    pub fn labels(&self, shard: u32) -> PathBuf {
        self.root.join(format!("labels/part-{shard:05}.parquet"))
    }

    /// A shard's file of a table that not every corpus has, if this one does: a file of some shard is there. One that is
    /// missing beside it is an error of its reader.
    pub fn optional(&self, table: PathBuf) -> Option<PathBuf> {
        let mut files = fs::read_dir(table.parent()?).ok()?.flatten();
        files.any(|file| file.file_name().to_string_lossy().ends_with(".parquet")).then_some(table)
    }

    /// A file in a folder of the output directory.
    pub fn file(&self, folder: &str, name: &str) -> PathBuf {
        self.root.join(folder).join(name)
    }

    /// The file of a shard in the folder of an output format.
    pub fn part(&self, folder: &str, ending: &str, shard: u32) -> PathBuf {
        self.root.join(format!("{folder}/part-{shard:05}.{ending}"))
    }

    /// The folder of a shard in the folder of an output format that writes a file for each document.
    pub fn part_folder(&self, folder: &str, shard: u32) -> PathBuf {
        self.root.join(format!("{folder}/part-{shard:05}"))
    }

    /// The records and stretches of archives that could not be read, one JSON object per line.
    pub fn rejects(&self) -> PathBuf {
        self.root.join("rejects.jsonl")
    }

    /// The counters of the job.
    pub fn stats(&self) -> PathBuf {
        self.root.join("stats.json")
    }

    /// What the report shows, as JSON.
    pub fn report_data(&self) -> PathBuf {
        self.root.join("report.json")
    }

    /// The report of the job for people.
    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// The folder of job scripts, job numbers and logs for Slurm.
    pub fn slurm(&self) -> PathBuf {
        self.root.join("slurm")
    }

    /// All folders that a job creates, the one of its task files first; `formats` are the folder names of output formats.
    pub fn folders(&self, formats: &[&str]) -> Vec<PathBuf> {
        let tables = ["work", "documents", "paragraphs", "boilerplate", "signals", "pii", "labels"];
        let names = tables.iter().chain(formats).chain(&["input", "slurm"]);
        names.map(|name| self.root.join(name)).collect()
    }

    /// The folder of intermediate and task files; it may be removed once the job is done.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Whether it holds a finished corpus whose intermediate files were removed: no task can be told done or be run again.
    pub fn is_finished_without_work(&self) -> bool {
        self.stats().exists() && !self.work().exists()
    }

    /// What stands in the directory while `emit` writes formats there; left behind by one that did not end.
    pub fn incomplete(&self) -> PathBuf {
        self.root.join("INCOMPLETE")
    }

    /// The files of the card: for people and for loaders.
    pub fn card(&self) -> [PathBuf; 2] {
        ["README.md", "croissant.json"].map(|name| self.root.join(name))
    }

    /// The lock file. Its presence also identifies an output directory.
    pub fn lock(&self) -> PathBuf {
        self.root.join(".warcorpus")
    }

    /// Standard input, saved to a file so that it can be split, read again and shown.
    pub fn stdin(&self) -> PathBuf {
        self.root.join("input/stdin")
    }

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

    /// The folder of the notes of an unfinished emit task.
    pub fn emit_notes(&self, shard: u32) -> PathBuf {
        self.task_file("emit", shard, "notes")
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
