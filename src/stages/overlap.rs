//! The stage `overlap`: n-grams (or sentences) of kept documents from all shards meet; those that an earlier document
//! owns are told to the shards that repeat them.

use std::path::PathBuf;

use fxhash::FxHashMap;

use crate::error::Result;
use crate::key::parts;
use crate::stages::counters::Counters;
use crate::stages::ngrams::{NgramRow, Owner};
use crate::stages::{Job, Stage, reference};
use crate::store::spill::{self, MergeJoin, Writer, spill_row};

spill_row! {
    /// A document and an n-gram of it that an earlier one owns.
    pub struct RepeatRow {
        pub doc: u64,
        pub ngram: u64,
        pub owner: u64,
    }
}

/// The stage `overlap`: one task per key range.
#[derive(Debug)]
pub struct Overlap;

impl Stage for Overlap {
    fn name(&self) -> &'static str {
        "overlap"
    }

    fn tasks(&self, job: &Job) -> u32 {
        if job.config.overlap.enabled { job.plan.ranges } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        vec![job.layout.repeats(task)]
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        overlap(job, task)
    }

    fn relative_cost(&self) -> f64 {
        0.05
    }
}

/// One task per key range: for each shard, which n-grams its documents repeat.
fn overlap(job: &Job, range: u32) -> Result<Counters> {
    let mut writer = Writer::create(&job.layout.repeats(range), job.shard_count(), &job.sort_memory)?;
    let mut first: Option<(u64, Owner)> = None;
    for row in reference::ngrams(job, range)? {
        let NgramRow { ngram, owner } = row?;
        let owner = Owner::of(owner);
        match (first.filter(|(known, _)| *known == ngram), owner) {
            // Those that cannot own it come last, and may stand before its owner in the corpus.
            (Some((_, Owner::Own(first))), Owner::Own(doc) | Owner::Never(doc)) if first < doc => {
                writer.push(parts(doc).0, RepeatRow { doc, ngram, owner: first })?;
            }
            (Some((_, Owner::Earlier(first))), Owner::Own(doc) | Owner::Never(doc)) => {
                writer.push(parts(doc).0, RepeatRow { doc, ngram, owner: first })?;
            }
            // Nobody owns it, or it is of an earlier corpus, about which nothing is decided.
            (Some(_), _) => {}
            (None, _) => {
                job.check_stop()?;
                first = Some((ngram, owner));
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Counters { dedup: [("repeated_ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// What the documents of a shard repeat, asked for one document after the other.
pub struct Repeats(MergeJoin<RepeatRow>);

impl Repeats {
    pub fn of_shard(job: &Job, shard: u32) -> Result<Repeats> {
        let files: Vec<PathBuf> = (0..Overlap.tasks(job)).map(|range| job.layout.repeats(range)).collect();
        Ok(Repeats(MergeJoin::new(Some(spill::merge(&files, shard, &job.sort_memory)?), |row| row.doc)))
    }

    /// N-grams of `doc` that earlier documents own, with their owners. Documents must be asked for in
    /// ascending order.
    pub fn of(&mut self, doc: u64) -> Result<FxHashMap<u64, u64>> {
        let mut seen = FxHashMap::default();
        self.0.rows_of(doc, |row| {
            seen.insert(row.ngram, row.owner);
        })?;
        Ok(seen)
    }

    pub fn finish(mut self) -> Result<()> {
        self.0.finish()
    }
}
