//! From a request to a corpus: the plan, the stages and their tasks, threads, resume, counts.
//!
//! A stage is a list of tasks; a task reads what earlier stages wrote, writes its own files whole
//! or not at all, and leaves a completion marker with its counts. [`run_task`] is the one function
//! that does the work, whoever calls it ([`build`] in its threads, `warcorpus task` on a cluster):
//! read it first.
//!
//! | stage | one task per | reads | writes |
//! | --- | --- | --- | --- |
//! | `extract` | shard | archive bytes | documents, paragraphs, their blocks |
//! | `census` | key range | blocks of all shards | on how many pages of its host each stands |
//! | `sketch` | shard | documents without site templates | sketches, keys, samples of shingles |
//! | `bucket` | key range | those of all shards | copies, verified edges, candidates of containment |
//! | `contain` | shard | candidates | which documents stand in longer ones |
//! | `cluster` | job | all edges | who is dropped in whose favour |
//! | `ngrams` | shard | paragraphs of kept documents | their n-grams |
//! | `overlap` | key range | n-grams of all shards | those with an earlier owner |
//! | `emit` | shard | all of the above | the final tables and formats |
//! | `report` | job | counts of all tasks | rejects, statistics, a page to look at |

pub mod build;

pub mod inputs;

pub mod selection;

pub mod rules;

pub mod stopwords;

pub mod plan;

pub mod extract;

pub mod checkpoint;

pub mod events;

pub mod page;

pub mod verdicts;

pub mod census;

pub mod cleaned;

pub mod sketch;

pub mod bucket;

pub mod contain;

pub mod cluster;

pub mod overlap;

pub mod tagger;

pub mod formats;

pub mod output;

pub mod emit;

pub mod index;

pub mod earlier;

pub mod ledger;

pub mod progress;

pub mod workers;

pub mod state;

pub mod task;

pub mod slurm;

pub mod status;

pub mod report;

pub mod memory;

pub mod estimate;

pub mod show;

pub mod explain;

pub mod kept;

pub mod export;

pub mod concordance;

pub mod statistics;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::clean::stoplist::Stoplist;
use crate::config::Config;
use crate::emit::Format;
use crate::error::{Error, Result};
use crate::page::rules::Rules;
use crate::store::archives::Archives;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::marker::Marker;
use crate::store::sketches::Sketches;
use crate::store::spill::Room;
use crate::store::tables;

use earlier::Earlier;
use ledger::Ledger;
use plan::{Input, Plan, Shard};
use progress::Progress;

/// Set once by an interrupt; tasks look at it between records.
pub type Stop = Arc<AtomicBool>;

/// Everything a task needs to know. Immutable while tasks run.
pub struct Job {
    pub layout: Layout,
    pub config: Config,
    pub plan: Plan,
    pub archives: Archives,
    /// Of sites.
    pub rules: Rules,
    /// Its own list, if it has one.
    pub stopwords: Option<Stoplist>,
    /// Corpora that this one is compared with.
    pub earlier: Vec<Earlier>,
    /// For sorting, of one task.
    pub room: Room,
    pub stop: Stop,
    pub progress: Arc<Progress>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Extract,
    Census,
    Sketch,
    Bucket,
    Contain,
    Cluster,
    Ngrams,
    Overlap,
    Emit,
    Report,
}

impl Stage {
    /// In the order in which they run; each needs all tasks of the ones before.
    pub const ALL: [Stage; 10] = [
        Stage::Extract,
        Stage::Census,
        Stage::Sketch,
        Stage::Bucket,
        Stage::Contain,
        Stage::Cluster,
        Stage::Ngrams,
        Stage::Overlap,
        Stage::Emit,
        Stage::Report,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Extract => "extract",
            Stage::Census => "census",
            Stage::Sketch => "sketch",
            Stage::Bucket => "bucket",
            Stage::Contain => "contain",
            Stage::Cluster => "cluster",
            Stage::Ngrams => "ngrams",
            Stage::Overlap => "overlap",
            Stage::Emit => "emit",
            Stage::Report => "report",
        }
    }

    /// Number of tasks; 0 where the configuration turns the stage off.
    pub fn tasks(self, job: &Job) -> u32 {
        let shards = job.shard_count();
        let (near, overlap) = (job.config.near.enabled, job.config.overlap.enabled);
        match self {
            Stage::Extract | Stage::Emit => shards,
            Stage::Census if job.config.sites.enabled || job.config.near.needs_statistics() => job.plan.ranges,
            Stage::Sketch if near => shards,
            Stage::Bucket if near => job.plan.ranges,
            Stage::Contain if near && job.config.containment.enabled => shards,
            Stage::Cluster if near => 1,
            Stage::Ngrams if overlap => shards,
            Stage::Overlap if overlap => job.plan.ranges,
            Stage::Report => 1,
            _ => 0,
        }
    }

    /// The files that a task leaves.
    pub fn outputs(self, job: &Job, index: u32) -> Vec<PathBuf> {
        let layout = &job.layout;
        let output = &job.config.output;
        match self {
            Stage::Extract => layout.extracted(index).all().into(),
            Stage::Census => {
                let sites = job.config.sites.enabled.then(|| layout.sightings(index));
                let words = [layout.frequencies(index), layout.common_words(index)];
                sites.into_iter().chain(words.into_iter().filter(|_| job.config.near.needs_statistics())).collect()
            }
            Stage::Sketch => {
                vec![layout.sketches(index), layout.bands(index), layout.texts(index), layout.samples(index)]
            }
            Stage::Bucket => vec![layout.copies(index), layout.edges(index), layout.pairs(index)],
            Stage::Contain => vec![layout.contained(index)],
            Stage::Cluster => vec![layout.dropped(), layout.stars(), layout.decisions()],
            Stage::Ngrams => vec![layout.ngrams(index)],
            Stage::Overlap => vec![layout.repeats(index)],
            Stage::Emit => {
                let formats = output.formats.iter().map(|format| layout.part(format.name(), format.ending(), index));
                // Of a shard without documents there is no TEI.
                let formats = formats.filter(|path| path.exists());
                [layout.documents(index), layout.paragraphs(index)].into_iter().chain(formats).collect()
            }
            Stage::Report => {
                let registry = output.formats.contains(&Format::Vertical).then(|| layout.registry(&output.name));
                [layout.rejects(), layout.stats(), layout.report()].into_iter().chain(registry).collect()
            }
        }
    }
}

/// Runs one task. If it is done already and its files are what they were, only its counts are read.
pub fn run_task(job: &Job, stage: Stage, index: u32) -> Result<Ledger> {
    if let Some(counts) = finished(job, stage, index)? {
        return Ok(counts);
    }
    job.check_stop()?;
    let running = state::Running::begin(job, stage, index)?;
    let result = work(job, stage, index).and_then(|ledger| {
        let marker = Marker::seal(job.layout.root(), &stage.outputs(job, index), ledger)?;
        marker.write(&job.layout.done(stage.name(), index))?;
        Ok(marker.counts)
    });
    running.end(job, stage, index, result.as_ref().err())?;
    if stage == Stage::Extract && result.is_ok() {
        checkpoint::discard(job, index)?;
    }
    result
}

/// The one place where a stage is a function.
fn work(job: &Job, stage: Stage, index: u32) -> Result<Ledger> {
    match stage {
        Stage::Extract => extract::extract(job, index),
        Stage::Census => census::census(job, index),
        Stage::Sketch => sketch::sketch(job, index),
        Stage::Bucket => bucket::bucket(job, index),
        Stage::Contain => contain::contain(job, index),
        Stage::Cluster => cluster::cluster(job),
        Stage::Ngrams => overlap::ngrams(job, index),
        Stage::Overlap => overlap::overlap(job, index),
        Stage::Emit => emit::emit(job, index),
        Stage::Report => report::report(job),
    }
}

/// The counts of a task that is done; one whose files were damaged since is not.
fn finished(job: &Job, stage: Stage, index: u32) -> Result<Option<Ledger>> {
    let path = job.layout.done(stage.name(), index);
    let Some(marker) = Marker::<Ledger>::read(&path)? else { return Ok(None) };
    let Some(damage) = marker.damage(job.layout.root())? else { return Ok(Some(marker.counts)) };
    tracing::warn!("{} {index} is done again: {damage}", stage.name());
    atomic::remove(&path)?;
    Ok(None)
}

impl Job {
    pub fn check_stop(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// A shard and the input it is of.
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

    /// The sketches of all documents, those of earlier corpora included.
    pub fn sketches(&self) -> Sketches {
        Sketches::new(earlier::sketch_file(self))
    }

    /// A count of every task of a finished stage, in their order.
    pub fn counts_by_shard(&self, stage: Stage, of: impl Fn(&Ledger) -> u64) -> Result<Vec<u64>> {
        let count = |index| {
            let path = self.layout.done(stage.name(), index);
            let marker = Marker::<Ledger>::read(&path)?
                .ok_or_else(|| Error::Usage(format!("{} {index} is not done yet; run it first", stage.name())))?;
            Ok(of(&marker.counts))
        };
        (0..stage.tasks(self)).map(count).collect()
    }

    /// The same, added up.
    pub fn counted(&self, stage: Stage, of: impl Fn(&Ledger) -> u64) -> Result<u64> {
        Ok(self.counts_by_shard(stage, of)?.iter().sum())
    }

    /// How final tables are written; the metadata say which configuration made them.
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
