//! The stages of a job, in the order in which they run.
//!
//! A [`Stage`] is a list of tasks. A task reads the output of earlier stages, writes its own files atomically and
//! returns its [`Counters`]. Each stage has a module of its own, and [`STAGES`] is the only list of stages. `job` runs
//! them in threads or as array jobs of a cluster without knowing any of them by name.
//!
//! | stage | one task per | reads | writes |
//! | --- | --- | --- | --- |
//! | [`extract`] | shard | archive bytes | documents, content paragraphs, word hashes, boilerplate table, block keys |
//! | [`borders`](extract::borders) | job | where the records of each shard begin and end | shards that began inside a record |
//! | [`join`] | group of shards | spills of its shards | the same rows in one file; before census, bucket and overlap |
//! | [`census`] | key range | block keys of all shards | number of pages of the host that have each block |
//! | [`sketch`] | shard | word hashes without site templates | sketches, band keys, sampled shingles |
//! | [`bucket`] | key range | band keys of all shards | copies, verified pairs, candidates of containment |
//! | [`contain`] | shard | candidates | which documents are contained in longer ones |
//! | [`cluster`] | job | verified pairs | clusters: which documents are dropped for which representative |
//! | [`ngrams`] | shard | word hashes of kept documents | their n-grams |
//! | [`overlap`] | key range | n-grams of all shards | n-grams that an earlier document owns |
//! | [`emit`] | shard | all of the above | final tables and formats |
//! | [`report`] | job | counters of all tasks | rejects, statistics, HTML report |

pub mod bucket;
pub mod census;
pub mod cluster;
pub mod contain;
pub mod content;
pub mod counters;
pub mod emit;
pub mod extract;
pub mod join;
pub mod journal;
pub mod ngrams;
pub mod overlap;
pub mod plan;
pub mod progress;
pub mod reference;
pub mod report;
pub mod sketch;
pub mod verifier;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::key::parts;
use crate::pipeline::Pipeline;
use crate::quality::Recipe;
use crate::quality::models::DocumentModels;
use crate::store::archives::Archives;
use crate::store::layout::Layout;
use crate::store::marker::Marker;
use crate::store::sketches::Sketches;
use crate::store::spill::{OrderedWriter, SortSpace, SpillRow};
use crate::store::tables;
use crate::threads::CancelToken;

use counters::Counters;
use emit::tagger::Tagger;
use emit::token_counts::TokenCounts;
use journal::Isolation;
use plan::{Input, Plan, Shard};
use progress::Progress;
use reference::ReferenceCorpus;

/// All stages in the order in which they run. A stage starts after all tasks of the stages before it are done; `task` may
/// begin one by shard ([`Stage::is_by_shard`]) earlier.
pub static STAGES: [&dyn Stage; 14] = [
    &extract::Extract,
    &extract::borders::Borders,
    &join::BEFORE_CENSUS,
    &census::Census,
    &sketch::Sketch,
    &join::BEFORE_BUCKET,
    &bucket::Bucket,
    &contain::Contain,
    &cluster::Cluster,
    &ngrams::Ngrams,
    &join::BEFORE_OVERLAP,
    &overlap::Overlap,
    &emit::Emit,
    &report::Report,
];

/// A stage: a list of tasks of one kind.
pub trait Stage: Sync {
    /// Name of the stage on the command line, in `work/` and in messages.
    fn name(&self) -> &'static str;

    /// Number of tasks. 0 if the configuration turns the stage off.
    fn tasks(&self, job: &Job) -> u32;

    /// The output files of a task. The task's completion marker holds their checksums.
    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf>;

    /// Runs one task and returns its counters.
    fn run(&self, job: &Job, task: u32) -> Result<Counters>;

    /// Removes files that a task needs only until its marker is written, such as checkpoints.
    fn clean_up(&self, _job: &Job, _task: u32) -> Result<()> {
        Ok(())
    }

    /// Fingerprint of the settings that may change between two runs of the stage; empty if there are none.
    fn settings(&self, _job: &Job) -> String {
        String::new()
    }

    /// Whether task N reads, of other stages of which this is true, only what their task N wrote: that of its shard.
    fn is_by_shard(&self) -> bool {
        false
    }

    /// Whether tasks report progress in bytes read instead of in finished tasks.
    fn counts_bytes(&self) -> bool {
        false
    }

    /// CPU time of all tasks of the stage, divided by that of extract; measured on the archives of
    /// `benches/README.md`. Time limits on a cluster and the remaining time of a job are set by it.
    fn relative_cost(&self) -> f64;

    /// Memory of one task in megabytes. Memory limits on a cluster are set by it.
    fn task_megabytes(&self, _job: &Job) -> u64 {
        256
    }
}

impl PartialEq for dyn Stage {
    fn eq(&self, other: &dyn Stage) -> bool {
        self.name() == other.name()
    }
}

/// The context of a job that all tasks share. It is immutable while tasks run.
pub struct Job {
    pub layout: Layout,
    pub config: Config,
    /// Fingerprint of the settings of the job and of the labels that `annotate` joined, on which emit and report depend.
    pub emit_settings: String,
    pub plan: Plan,
    pub archives: Archives,
    /// The page pipeline, with the job's site rules and stop lists.
    pub pipeline: Pipeline,
    /// What is measured of kept texts, and by what they are judged.
    pub quality: Recipe,
    /// The models of others that score kept texts.
    pub models: DocumentModels,
    /// What counts the tokens of kept texts.
    pub token_counts: TokenCounts,
    /// Reference corpora (`--against`), in the order in which they were named.
    pub references: Vec<ReferenceCorpus>,
    /// Memory that one task may use for sorting.
    pub sort_space: SortSpace,
    /// The program that tags kept text, if the configuration names one.
    pub tagger: Option<Tagger>,
    pub cancel: CancelToken,
    pub progress: Arc<Progress>,
    /// Keeps other records away while one is read that killed a process before.
    pub isolation: Isolation,
    /// See [`Job::documents_with_words`].
    pub with_words: OnceLock<u64>,
}

impl Job {
    /// Tasks call this between records or keys, so that a cancelled job stops soon.
    ///
    /// # Errors
    /// [`Error::Interrupted`] if the job was cancelled.
    pub fn check_stop(&self) -> Result<()> {
        self.cancel.check()
    }

    /// A shard by its number, and the archive file in which it is a byte range.
    ///
    /// # Errors
    /// [`Error::Usage`] if the plan has no such shard.
    pub fn shard(&self, shard: u32) -> Result<(&Shard, &Input)> {
        let found = self.plan.shards.get(shard as usize);
        let input = found.and_then(|shard| self.plan.inputs.get(shard.input as usize));
        found.zip(input).ok_or_else(|| Error::Usage(format!("the plan has no shard {shard}")))
    }

    /// Whether kept texts are measured, scored or their tokens counted, so that there is a table `signals`.
    pub fn has_signals(&self) -> bool {
        !self.quality.is_empty() || !self.models.is_empty() || self.token_counts.is_on()
    }

    pub fn shard_count(&self) -> u32 {
        self.plan.shards.len() as u32
    }

    pub fn shards(&self) -> std::ops::Range<u32> {
        0..self.shard_count()
    }

    /// A writer of rows that begin with their document, partitioned by its shard.
    pub fn writer_by_shard<R: SpillRow>(&self, path: &Path) -> Result<OrderedWriter<R>> {
        let shard = |row: &R| parts(row.leading()).0;
        OrderedWriter::create(path, self.shard_count(), shard, self.plan.groups() > 0, &self.sort_space)
    }

    /// Access to the sketches of all documents, including those of reference corpora.
    pub fn sketches(&self) -> Sketches {
        Sketches::new(reference::sketch_file(self))
    }

    /// The completion marker of a task; `None` if the task is not done with the present settings of its stage.
    pub fn marker(&self, stage: &dyn Stage, task: u32) -> Result<Option<Marker<Counters>>> {
        let marker = Marker::<Counters>::read(&self.layout.done(stage.name(), task))?;
        Ok(marker.filter(|marker| marker.settings == stage.settings(self)))
    }

    /// The counters of a finished task.
    ///
    /// # Errors
    /// [`Error::Usage`] if the task is not done.
    pub fn counters(&self, stage: &dyn Stage, task: u32) -> Result<Counters> {
        let not_done = || Error::Usage(format!("{} {task} is not done yet; run it first", stage.name()));
        Ok(self.marker(stage, task)?.ok_or_else(not_done)?.counts)
    }

    /// A number that `number` takes from the counters of each task of a finished stage, in task order.
    pub fn counts_by_task(&self, stage: &dyn Stage, number: impl Fn(&Counters) -> u64) -> Result<Vec<u64>> {
        (0..stage.tasks(self)).map(|task| self.counters(stage, task).map(|counters| number(&counters))).collect()
    }

    /// The sum of a number over all tasks of a finished stage (see [`Job::counts_by_task`]).
    pub fn counted(&self, stage: &dyn Stage, number: impl Fn(&Counters) -> u64) -> Result<u64> {
        Ok(self.counts_by_task(stage, number)?.iter().sum())
    }

    /// Number of documents whose words the census counts. Every task of census and sketch needs it, so the markers of all
    /// shards are read once in a process instead of once in a task.
    pub fn documents_with_words(&self) -> Result<u64> {
        if let Some(known) = self.with_words.get() {
            return Ok(*known);
        }
        let counted = self.counted(&extract::Extract, counters::with_words)?;
        Ok(*self.with_words.get_or_init(|| counted))
    }

    /// Options for the final tables. The metadata of the files name the program version and the configuration.
    pub fn table_settings(&self) -> tables::Options {
        self.config.table_settings(&self.plan.configuration)
    }
}
