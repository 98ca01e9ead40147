//! Contain: verifies the candidates of containment of a shard. For each document it compares the longer documents that
//! share the most sampled shingles with it, and keeps those that contain it.
//!
//! The time is near linear in the sketches that are read. A text of two million words may be the longer document of
//! thousands of pairs: pairs are gathered in batches and sorted by the longer document, so that a batch reads each
//! longer document once; a comparison then takes a binary search for each shingle of the shorter one.

use std::path::PathBuf;

use crate::dedup::containment::is_candidate;
use crate::dedup::representatives::RankedDocument;
use crate::dedup::verify::containment;
use crate::error::Result;
use crate::stages::bucket::{EdgeRow, PairRow};
use crate::stages::counters::Counters;
use crate::stages::{Job, Stage};
use crate::store::sketches::Sketches;
use crate::store::spill::{self, Writer};

/// Most longer documents that one shorter document is compared with.
const MAX_CANDIDATES: usize = 8;
/// Pairs in a batch: 4 MB of memory.
const BATCH: usize = 1 << 18;

/// The stage `contain`: one task per shard.
#[derive(Debug)]
pub struct Contain;

impl Stage for Contain {
    fn name(&self) -> &'static str {
        "contain"
    }

    fn tasks(&self, job: &Job) -> u32 {
        let on = job.config.near.enabled && job.config.containment.enabled;
        if on { job.shard_count() } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        vec![job.layout.contained(task)]
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        contain(job, task)
    }

    fn relative_cost(&self) -> f64 {
        0.03
    }
}

fn contain(job: &Job, shard: u32) -> Result<Counters> {
    let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.pairs(range)).collect();
    let sketches = job.sketches();
    let mut writer = Writer::create(&job.layout.contained(shard), 1, &job.sort_space)?;
    let mut rows = spill::merge::<PairRow>(&files, shard, &job.sort_space)?.peekable();
    let mut candidates: Vec<(u32, u64)> = Vec::new();
    let mut batch: Vec<CandidatePair> = Vec::new();
    let mut read = 0;
    while let Some(first) = rows.next() {
        let first = first?;
        let mut shared = 1;
        while rows.next_if(|row| row.as_ref().is_ok_and(|row| *row == first)).is_some() {
            shared += 1;
        }
        if is_candidate(shared, first.samples, job.config.containment.threshold) {
            candidates.push((shared, first.long));
        }
        let last = rows.peek().is_none_or(|row| row.as_ref().map_or(true, |row| row.short != first.short));
        if last && !candidates.is_empty() {
            job.check_stop()?;
            candidates.sort_unstable_by_key(|&(shared, long)| (std::cmp::Reverse(shared), long));
            candidates.truncate(MAX_CANDIDATES);
            read += candidates.len() as u64;
            batch.extend(candidates.drain(..).map(|(_, long)| CandidatePair { long, short: first.short }));
            if batch.len() >= BATCH {
                verify(job, &sketches, &mut batch, &mut writer)?;
            }
        }
    }
    verify(job, &sketches, &mut batch, &mut writer)?;
    let found = writer.finish()?;
    Ok(Counters {
        dedup: [("containers_read".into(), read), ("containers".into(), found)].into(),
        ..Counters::default()
    })
}

/// A document and a longer one that may contain it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CandidatePair {
    long: u64,
    short: u64,
}

/// Compares the pairs of a batch, which is left empty, and writes those whose contained share reaches the threshold.
/// Their rows sort by length, the longest documents first.
fn verify(job: &Job, sketches: &Sketches, batch: &mut Vec<CandidatePair>, writer: &mut Writer<EdgeRow>) -> Result<()> {
    let member = |doc, shingles: &[u64]| RankedDocument { order: u32::MAX - shingles.len() as u32, doc };
    batch.sort_unstable();
    for pairs in batch.chunk_by(|a, b| a.long == b.long) {
        job.check_stop()?;
        let Some(&CandidatePair { long, .. }) = pairs.first() else { continue };
        let container = sketches.shingles(long, &sketches.entry(long)?)?;
        for &CandidatePair { short, .. } in pairs {
            let own = sketches.shingles(short, &sketches.entry(short)?)?;
            let share = containment(&own, &container);
            if share >= job.config.containment.threshold {
                let edge = EdgeRow::new(member(long, &container), member(short, &own), (share as f32).to_bits());
                writer.push(0, edge)?;
            }
        }
    }
    batch.clear();
    Ok(())
}
