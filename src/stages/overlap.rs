//! Overlap: compares the n-grams (or sentences) of kept documents from all shards, and writes for each shard which of
//! its n-grams an earlier document owns.

use std::path::PathBuf;

use crate::error::Result;
use crate::hash::SeededMap;
use crate::stages::counters::Counters;
use crate::stages::ngrams::{NgramRow, Owner};
use crate::stages::{Job, Stage, reference};
use crate::store::spill::{self, MergeJoin, spill_row};

spill_row! {
    /// An n-gram of a document that an earlier document owns.
    pub struct RepeatRow {
        pub doc: u64,
        /// Hash of the n-gram or sentence.
        pub ngram: u64,
        /// Key of the owner, from [`crate::key::in_reference`] for one of a reference corpus.
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
        0.06
    }
}

/// Writes the repeated n-grams of one key range, partitioned by the shard of the document that repeats them.
fn overlap(job: &Job, range: u32) -> Result<Counters> {
    let mut writer = job.writer_by_shard::<RepeatRow>(&job.layout.repeats(range))?;
    let mut first: Option<(u64, Owner)> = None;
    for row in reference::ngrams(job, range)? {
        let NgramRow { ngram, owner } = row?;
        let owner = Owner::of(owner);
        match (first.filter(|(known, _)| *known == ngram), owner) {
            // Documents that cannot own n-grams sort last, but may come before the owner in corpus order. Then they do
            // not repeat it.
            (Some((_, Owner::Own(first))), Owner::Own(doc) | Owner::Never(doc)) if first < doc => {
                writer.push(RepeatRow { doc, ngram, owner: first })?;
            }
            (Some((_, Owner::Reference(first))), Owner::Own(doc) | Owner::Never(doc)) => {
                writer.push(RepeatRow { doc, ngram, owner: first })?;
            }
            // The n-gram has no owner, or the document belongs to a reference corpus and is not decided here.
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

/// Reads the repeated n-grams of the documents of one shard in document order.
pub struct Repeats(MergeJoin<RepeatRow>);

impl Repeats {
    /// Opens the repeated n-grams of a shard.
    pub fn of_shard(job: &Job, shard: u32) -> Result<Repeats> {
        let files: Vec<PathBuf> = (0..Overlap.tasks(job)).map(|range| job.layout.repeats(range)).collect();
        Ok(Repeats(MergeJoin::new(Some(spill::merge(&files, shard, &job.sort_space)?), |row| row.doc)))
    }

    /// N-grams of `doc` that earlier documents own, with the keys of their owners. Calls must be in ascending order of
    /// documents.
    pub fn of(&mut self, doc: u64) -> Result<SeededMap<u64, u64>> {
        let mut seen = SeededMap::default();
        self.0.rows_of(doc, |row| {
            seen.insert(row.ngram, row.owner);
        })?;
        Ok(seen)
    }

    /// Reads the remaining rows, because checksums are verified at the end of the files.
    pub fn finish(mut self) -> Result<()> {
        self.0.finish()
    }
}
