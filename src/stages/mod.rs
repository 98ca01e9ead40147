//! The stages of a job: what is computed in which order.
//!
//! A [`Stage`] is a list of tasks. A task reads what earlier stages wrote, writes its own files whole or not at all, and
//! returns its [`Counters`]. One file holds one stage; [`STAGES`] is the only list of them. `job` runs stages in
//! threads or as array jobs of a cluster, and knows none by name.
//!
//! | stage | one task per | reads | writes |
//! | --- | --- | --- | --- |
//! | [`extract`] | shard | archive bytes | documents, content paragraphs, boilerplate table, block keys |
//! | [`census`] | key range | block keys of all shards | on how many pages of its host each block stands |
//! | [`sketch`] | shard | content without site templates | sketches, band keys, sampled shingles |
//! | [`bucket`] | key range | band keys of all shards | copies, verified pairs, candidates of containment |
//! | [`contain`] | shard | candidates | which documents stand inside longer ones |
//! | [`cluster`] | job | verified pairs | who is dropped in whose favour |
//! | [`ngrams`] | shard | content of kept documents | their n-grams |
//! | [`overlap`] | key range | n-grams of all shards | those with an earlier owner |
//! | [`emit`] | shard | all of the above | final tables and formats |
//! | [`report`] | job | counters of all tasks | rejects, statistics, a page to look at |

pub mod bucket;
pub mod census;
pub mod cluster;
pub mod contain;
pub mod content;
pub mod counters;
pub mod emit;
pub mod extract;
pub mod ngrams;
pub mod overlap;
pub mod plan;
pub mod progress;
pub mod reference;
pub mod report;
pub mod sketch;

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::Config;
use crate::error::{Error, Result};
use crate::pipeline::Pipeline;
use crate::store::archives::Archives;
use crate::store::layout::Layout;
use crate::store::marker::Marker;
use crate::store::sketches::Sketches;
use crate::store::spill::SortMemory;
use crate::store::tables;
use crate::threads::CancelToken;

use counters::Counters;
use plan::{Input, Plan, Shard};
use progress::Progress;
use reference::ReferenceCorpus;

/// All stages in the order in which they run; each needs all tasks of the ones before it.
pub static STAGES: [&dyn Stage; 10] = [
    &extract::Extract,
    &census::Census,
    &sketch::Sketch,
    &bucket::Bucket,
    &contain::Contain,
    &cluster::Cluster,
    &ngrams::Ngrams,
    &overlap::Overlap,
    &emit::Emit,
    &report::Report,
];

/// A list of tasks of one kind.
pub trait Stage: Sync {
    /// Its name on the command line, in `work/` and in messages.
    fn name(&self) -> &'static str;

    /// Number of tasks; 0 where the configuration turns the stage off.
    fn tasks(&self, job: &Job) -> u32;

    /// The files that a task leaves. Their checksums go into the task's completion marker.
    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf>;

    /// Does one task.
    fn run(&self, job: &Job, task: u32) -> Result<Counters>;

    /// Removes what a task needed only until its marker was written.
    fn clean_up(&self, _job: &Job, _task: u32) -> Result<()> {
        Ok(())
    }

    /// Whether a task reports progress in bytes of its shard instead of as one whole task.
    fn counts_bytes(&self) -> bool {
        false
    }

    /// CPU time of all tasks together as a share of that of extract, for time limits on a cluster.
    fn relative_cost(&self) -> f64;

    /// Megabytes that a task takes, for memory limits on a cluster.
    fn task_megabytes(&self, _job: &Job) -> u64 {
        256
    }
}

impl PartialEq for dyn Stage {
    fn eq(&self, other: &dyn Stage) -> bool {
        self.name() == other.name()
    }
}

/// Everything that tasks need to know of their job. Immutable while tasks run.
pub struct Job {
    pub layout: Layout,
    pub config: Config,
    pub plan: Plan,
    pub archives: Archives,
    /// Reads pages, with the job's site rules and stop words.
    pub pipeline: Pipeline,
    /// Corpora that this one is compared with.
    pub references: Vec<ReferenceCorpus>,
    /// Memory that one task may use for sorting.
    pub sort_memory: SortMemory,
    pub cancel: CancelToken,
    pub progress: Arc<Progress>,
}

impl Job {
    /// # Errors
    /// [`Error::Interrupted`] once the job is to stop.
    pub fn check_stop(&self) -> Result<()> {
        self.cancel.check()
    }

    /// A shard, and the archive file that it is a range of.
    pub fn shard(&self, shard: u32) -> Result<(&Shard, &Input)> {
        let found = self.plan.shards.get(shard as usize);
        let input = found.and_then(|shard| self.plan.inputs.get(shard.input as usize));
        found.zip(input).ok_or_else(|| Error::Usage(format!("the plan has no shard {shard}")))
    }

    pub fn shard_count(&self) -> u32 {
        self.plan.shards.len() as u32
    }

    pub fn shards(&self) -> std::ops::Range<u32> {
        0..self.shard_count()
    }

    /// The sketches of all documents, those of reference corpora included.
    pub fn sketches(&self) -> Sketches {
        Sketches::new(reference::sketch_file(self))
    }

    /// The counters of a finished task.
    ///
    /// # Errors
    /// [`Error::Usage`] if the task is not done.
    pub fn counters(&self, stage: &dyn Stage, task: u32) -> Result<Counters> {
        let marker = Marker::<Counters>::read(&self.layout.done(stage.name(), task))?;
        let marker =
            marker.ok_or_else(|| Error::Usage(format!("{} {task} is not done yet; run it first", stage.name())))?;
        Ok(marker.counts)
    }

    /// One number of the counters of every task of a finished stage, in task order.
    pub fn counts_by_task(&self, stage: &dyn Stage, number: impl Fn(&Counters) -> u64) -> Result<Vec<u64>> {
        (0..stage.tasks(self)).map(|task| self.counters(stage, task).map(|counters| number(&counters))).collect()
    }

    /// The sum of [`Job::counts_by_task`].
    pub fn counted(&self, stage: &dyn Stage, number: impl Fn(&Counters) -> u64) -> Result<u64> {
        Ok(self.counts_by_task(stage, number)?.iter().sum())
    }

    /// How final tables are written; the files' metadata name the configuration that made them.
    pub fn table_settings(&self) -> tables::Options {
        let output = &self.config.output;
        tables::Options {
            zstd_level: output.zstd_level,
            row_group_rows: output.row_group_rows,
            metadata: vec![
                ("warcorpus.version".into(), env!("CARGO_PKG_VERSION").into()),
                ("warcorpus.configuration".into(), self.config.fingerprint()),
            ],
        }
    }
}
