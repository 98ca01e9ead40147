//! Join: the first of two levels of merging. A key range reads a place of its own in the spill file of each shard. In a
//! job of many shards, each of these stages first joins the files of a group of shards into one, so that a key range
//! opens hundreds of files and not a hundred thousand. In a job of few shards they have no tasks.
//!
//! Readers ask [`files`] for the files of a spill. The files of the shards stay, because their markers list them.

use std::path::PathBuf;

use crate::error::Result;
use crate::stages::bucket::Bucket;
use crate::stages::census::{Census, OccurrenceRow, WordRow};
use crate::stages::counters::Counters;
use crate::stages::ngrams::NgramRow;
use crate::stages::overlap::Overlap;
use crate::stages::sketch::{BandRow, SampleRow, TextRow};
use crate::stages::{Job, Stage};
use crate::store::layout::Layout;
use crate::store::spill;

/// A kind of rows that tasks of shards write, partitioned by key range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spill {
    Blocks,
    Words,
    Texts,
    Bands,
    Samples,
    Ngrams,
}

impl Spill {
    /// The stage that joins its files.
    fn stage(self) -> &'static Join {
        match self {
            Spill::Blocks | Spill::Words => &BEFORE_CENSUS,
            Spill::Texts | Spill::Bands | Spill::Samples => &BEFORE_BUCKET,
            Spill::Ngrams => &BEFORE_OVERLAP,
        }
    }

    fn of_shard(self, layout: &Layout, shard: u32) -> PathBuf {
        match self {
            Spill::Blocks => layout.extracted(shard).blocks(),
            Spill::Words => layout.extracted(shard).words(),
            Spill::Texts => layout.texts(shard),
            Spill::Bands => layout.bands(shard),
            Spill::Samples => layout.samples(shard),
            Spill::Ngrams => layout.ngrams(shard),
        }
    }

    fn of_group(self, layout: &Layout, group: u32) -> PathBuf {
        let name = match self {
            Spill::Blocks => "blocks",
            Spill::Words => "words",
            Spill::Texts => "texts",
            Spill::Bands => "bands",
            Spill::Samples => "samples",
            Spill::Ngrams => "ngrams",
        };
        layout.joined(self.stage().name, group, name)
    }

    /// Joins the files of a group of shards.
    fn join(self, job: &Job, group: u32) -> Result<u64> {
        let files: Vec<PathBuf> = job.plan.shards_of(group).map(|shard| self.of_shard(&job.layout, shard)).collect();
        let (to, space) = (self.of_group(&job.layout, group), &job.sort_space);
        let check = || job.check_stop();
        match self {
            Spill::Blocks => spill::join::<OccurrenceRow>(&files, &to, space, check),
            Spill::Words => spill::join::<WordRow>(&files, &to, space, check),
            Spill::Texts => spill::join::<TextRow>(&files, &to, space, check),
            Spill::Bands => spill::join::<BandRow>(&files, &to, space, check),
            Spill::Samples => spill::join::<SampleRow>(&files, &to, space, check),
            Spill::Ngrams => spill::join::<NgramRow>(&files, &to, space, check),
        }
    }
}

/// The files that together hold all rows of a spill, each partitioned by key range: those of the groups if the job has
/// groups, else those of the shards.
pub fn files(job: &Job, spill: Spill) -> Vec<PathBuf> {
    match job.plan.groups() {
        0 => job.shards().map(|shard| spill.of_shard(&job.layout, shard)).collect(),
        groups => (0..groups).map(|group| spill.of_group(&job.layout, group)).collect(),
    }
}

/// A stage that joins the spill files that another stage reads: one task per group of shards.
pub struct Join {
    name: &'static str,
    /// The stage that reads the joined files.
    reader: &'static dyn Stage,
    spills: fn(&Job) -> Vec<Spill>,
}

/// The stage `join-census`.
pub static BEFORE_CENSUS: Join = Join {
    name: "join-census",
    reader: &Census,
    spills: |job| {
        let words = job.config.near.needs_statistics();
        let spills = [(Spill::Blocks, job.config.sites.enabled), (Spill::Words, words)];
        spills.into_iter().filter(|(_, on)| *on).map(|(spill, _)| spill).collect()
    },
};

/// The stage `join-bucket`.
pub static BEFORE_BUCKET: Join = Join {
    name: "join-bucket",
    reader: &Bucket,
    spills: |job| {
        let samples = job.config.containment.enabled.then_some(Spill::Samples);
        [Spill::Texts, Spill::Bands].into_iter().chain(samples).collect()
    },
};

/// The stage `join-overlap`.
pub static BEFORE_OVERLAP: Join = Join { name: "join-overlap", reader: &Overlap, spills: |_| vec![Spill::Ngrams] };

impl Stage for Join {
    fn name(&self) -> &'static str {
        self.name
    }

    fn tasks(&self, job: &Job) -> u32 {
        if self.reader.tasks(job) > 0 { job.plan.groups() } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        (self.spills)(job).into_iter().map(|spill| spill.of_group(&job.layout, task)).collect()
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        (self.spills)(job).into_iter().try_for_each(|spill| spill.join(job, task).map(|_| ()))?;
        Ok(Counters::default())
    }

    fn relative_cost(&self) -> f64 {
        0.02
    }
}
