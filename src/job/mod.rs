//! From a request to a corpus: the plan, the stages and their tasks, threads, resume, counts.
//!
//! A stage is a list of tasks; a task reads what earlier stages wrote, writes its own files whole
//! or not at all, and leaves a completion marker with its counts. [`run_task`] is the one function
//! that does the work, whoever calls it: read it first.
//!
//! | stage | one task per | reads | writes |
//! | --- | --- | --- | --- |
//! | `extract` | shard | archive bytes | documents, paragraphs, sketches, band keys |
//! | `bucket` | key range | band keys of all shards | verified edges |
//! | `cluster` | job | all edges | stars: who is dropped in whose favour |
//! | `ngrams` | shard | paragraphs of kept documents | their n-grams |
//! | `overlap` | key range | n-grams of all shards | those with an earlier owner |
//! | `emit` | shard | all of the above | the final tables and formats |

pub mod build;

pub mod inputs;

pub mod plan;

pub mod extract;

pub mod page;

pub mod bucket;

pub mod cluster;

pub mod overlap;

pub mod emit;

pub mod ledger;

pub mod progress;

pub mod workers;

pub mod report;

pub mod show;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::config::Config;
use crate::dedup::bands::Banding;
use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::tables;

use ledger::Ledger;
use plan::Plan;
use progress::Progress;

/// Set once by an interrupt; tasks look at it between records.
pub type Stop = Arc<AtomicBool>;

/// Everything a task needs to know. Immutable while tasks run.
pub struct Job {
    pub layout: Layout,
    pub config: Config,
    pub plan: Plan,
    pub stop: Stop,
    pub progress: Arc<Progress>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Extract,
    Bucket,
    Cluster,
    Ngrams,
    Overlap,
    Emit,
}

impl Stage {
    /// In the order in which they run; each needs all tasks of the one before.
    pub const ALL: [Stage; 6] =
        [Stage::Extract, Stage::Bucket, Stage::Cluster, Stage::Ngrams, Stage::Overlap, Stage::Emit];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Extract => "extract",
            Stage::Bucket => "bucket",
            Stage::Cluster => "cluster",
            Stage::Ngrams => "ngrams",
            Stage::Overlap => "overlap",
            Stage::Emit => "emit",
        }
    }

    /// Number of tasks; 0 where the configuration turns the stage off.
    pub fn tasks(self, job: &Job) -> u32 {
        let shards = job.plan.shards.len() as u32;
        let (near, overlap) = (job.config.near.enabled, job.config.overlap.enabled);
        match self {
            Stage::Extract | Stage::Emit => shards,
            Stage::Bucket if near => job.plan.ranges,
            Stage::Cluster if near => 1,
            Stage::Ngrams if overlap => shards,
            Stage::Overlap if overlap => job.plan.ranges,
            _ => 0,
        }
    }
}

/// Runs one task, or reads its counts if it is done already.
pub fn run_task(job: &Job, stage: Stage, index: u32) -> Result<Ledger> {
    let marker = job.layout.done(stage.name(), index);
    if let Some(done) = atomic::read(&marker)? {
        return serde_json::from_str(&done).map_err(|e| Error::damaged(&marker, e));
    }
    job.check_stop()?;
    let ledger = match stage {
        Stage::Extract => extract::extract(job, index)?,
        Stage::Bucket => bucket::bucket(job, index)?,
        Stage::Cluster => cluster::cluster(job)?,
        Stage::Ngrams => overlap::ngrams(job, index)?,
        Stage::Overlap => overlap::overlap(job, index)?,
        Stage::Emit => emit::emit(job, index)?,
    };
    let counts = serde_json::to_string(&ledger).map_err(|e| Error::damaged(&marker, e))?;
    atomic::write(&marker, counts)?;
    Ok(ledger)
}

impl Job {
    pub fn check_stop(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The banding that the configuration asks for.
    pub fn banding(&self) -> Banding {
        let near = &self.config.near;
        match (near.bands, near.rows) {
            (0, 0) => Banding::choose(near.permutations, near.threshold, near.recall),
            (bands, rows) => Banding { bands, rows },
        }
    }

    /// How final tables are written; the metadata say which configuration made them.
    pub fn table_settings(&self) -> tables::Settings {
        let output = &self.config.output;
        let configuration = toml::to_string(&self.config.of_output()).unwrap_or_default();
        tables::Settings {
            zstd_level: output.zstd_level,
            row_group_rows: output.row_group_rows,
            metadata: vec![
                ("warcorpus.version".into(), env!("CARGO_PKG_VERSION").into()),
                ("warcorpus.configuration".into(), format!("{:016x}", hash64(configuration.as_bytes()))),
            ],
        }
    }

    /// How tables between stages are written: to be read once, soon.
    pub fn work_table_settings(&self) -> tables::Settings {
        tables::Settings { zstd_level: 1, row_group_rows: 10_000, metadata: Vec::new() }
    }
}
