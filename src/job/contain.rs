//! Contain: for every document of a shard, the longer ones that share samples with it → those that
//! really hold it.

use super::Job;
use super::bucket::{EdgeRow, PairRow};
use super::ledger::Ledger;
use crate::dedup::containment::is_candidate;
use crate::dedup::keepers::Member;
use crate::dedup::verify::containment;
use crate::error::Result;
use crate::store::sketches::Sketches;
use crate::store::spill::{self, Writer};

/// Longer documents that are read for one shorter: those that share most samples with it.
const MOST_READ: usize = 8;

pub fn contain(job: &Job, shard: u32) -> Result<Ledger> {
    let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.pairs(range)).collect();
    let sketches = job.sketches();
    let mut writer = Writer::create(&job.layout.contained(shard), 1, &job.room)?;
    let mut rows = spill::merge::<PairRow>(&files, shard, &job.room)?.peekable();
    let mut candidates: Vec<(u32, u64)> = Vec::new();
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
            candidates.truncate(MOST_READ);
            read += candidates.len() as u64;
            for edge in verified(job, &sketches, first.short, candidates.drain(..))? {
                writer.push(0, edge)?;
            }
        }
    }
    let found = writer.finish()?;
    Ok(Ledger { dedup: [("containers_read".into(), read), ("containers".into(), found)].into(), ..Ledger::default() })
}

/// Pairs in the order of length, the longer document first.
fn verified(
    job: &Job,
    sketches: &Sketches,
    short: u64,
    candidates: impl Iterator<Item = (u32, u64)>,
) -> Result<Vec<EdgeRow>> {
    let own = sketches.shingles(short)?;
    let member = |doc, shingles: &[u64]| Member { order: u32::MAX - shingles.len() as u32, doc };
    let mut edges = Vec::new();
    for (_, long) in candidates {
        let other = sketches.shingles(long)?;
        let share = containment(&own, &other);
        if share >= job.config.containment.threshold {
            edges.push(EdgeRow::new(member(long, &other), member(short, &own), (share as f32).to_bits()));
        }
    }
    Ok(edges)
}
