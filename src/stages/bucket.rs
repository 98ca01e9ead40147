//! Bucket: pairs documents that share a key. One task per key range makes three kinds of pairs: documents with the
//! same text (copies), documents that share a band key and are verified as similar (edges), and documents that share a
//! sampled shingle (candidates of containment).

use std::path::PathBuf;

use crate::dedup::bucket::{self, REPRESENTATIVES};
use crate::dedup::representatives::RankedDocument;
use crate::error::Result;
use crate::key::as_reference;
use crate::stages::counters::Counters;
use crate::stages::join::{self, Spill};
use crate::stages::sketch::{BandRow, DROPPED_IN_REFERENCE, SampleRow, TextRow};
use crate::stages::verifier::{Candidate, Verifier};
use crate::stages::{Job, Stage, reference};
use crate::store::spill::{self, Writer, spill_row};

spill_row! {
    /// A document with the same text as another that comes before it in policy order.
    pub struct CopyRow {
        pub original: u64,
        pub copy: u64,
    }
}

spill_row! {
    /// A pair of documents. The second may be dropped in favour of the first. Rows sort by the policy order of both.
    pub struct EdgeRow {
        pub a_order: u32,
        pub a: u64,
        pub b_order: u32,
        pub b: u64,
        /// Bits of an f32 from 0 to 1: the verified Jaccard similarity, or the share of `b` that `a` contains.
        /// [`DISSIMILAR`] for a pair below the threshold, [`COMPARED_EARLIER`] for one that this bucket did not
        /// compare.
        pub measure_bits: u32,
    }
}

/// [`EdgeRow::measure_bits`] of a pair below the threshold that shares a key of a later band, too. The row tells
/// cluster that the pair needs no comparison.
pub const DISSIMILAR: u32 = u32::MAX - 1;
/// [`EdgeRow::measure_bits`] of a pair that an earlier bucket compares. It sorts after all verified values, so that
/// cluster reads a verified value first. A pair may have no other row: in a large bucket, documents are compared with
/// its representatives only.
pub const COMPARED_EARLIER: u32 = u32::MAX;

impl EdgeRow {
    pub fn new(a: RankedDocument, b: RankedDocument, measure_bits: u32) -> EdgeRow {
        EdgeRow { a_order: a.order, a: a.doc, b_order: b.order, b: b.doc, measure_bits }
    }
}

spill_row! {
    /// A document and a longer one that share a sampled shingle. There is one row for each shared shingle.
    pub struct PairRow {
        pub short: u64,
        pub long: u64,
        /// Number of sampled shingles of the shorter document.
        pub samples: u32,
    }
}

/// Most longer texts that a document is paired with for one sampled shingle.
const MAX_CONTAINERS: usize = 8;

/// The stage `bucket`: one task per key range.
#[derive(Debug)]
pub struct Bucket;

impl Stage for Bucket {
    fn name(&self) -> &'static str {
        "bucket"
    }

    fn tasks(&self, job: &Job) -> u32 {
        if job.config.near.enabled { job.plan.ranges } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        vec![job.layout.copies(task), job.layout.edges(task), job.layout.pairs(task)]
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        bucket(job, task)
    }

    fn relative_cost(&self) -> f64 {
        0.03
    }
}

fn bucket(job: &Job, range: u32) -> Result<Counters> {
    let mut counters = Counters::default();
    copies(job, range, &mut counters)?;
    edges(job, range, &mut counters)?;
    pairs(job, range, &mut counters)?;
    Ok(counters)
}

/// Writes copies: of the documents with one text, all but the first.
fn copies(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let mut writer = Writer::create(&job.layout.copies(range), 1, &job.sort_space)?;
    let mut first: Option<TextRow> = None;
    for row in reference::texts(job, range)? {
        let row = row?;
        match first.filter(|first| first.digest == row.digest) {
            Some(first) if as_reference(row.doc).is_none() => {
                writer.push(0, CopyRow { original: first.doc, copy: row.doc })?;
            }
            Some(_) => {}
            None => {
                job.check_stop()?;
                first = Some(row);
            }
        }
    }
    counters.dedup.insert("copies".into(), writer.finish()?);
    Ok(())
}

/// Writes edges: pairs of documents that share a band key, with their verified similarity.
fn edges(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let sketches = job.sketches();
    let mut verifier = Verifier::new(job, &sketches);
    let mut writer = Writer::create(&job.layout.edges(range), 1, &job.sort_space)?;
    let mut bucket: bucket::CandidateBucket<Candidate> = bucket::CandidateBucket::default();
    let (mut key, mut texts, mut buckets, mut large_buckets) = (None, 0, 0u64, 0u64);
    for row in reference::bands(job, range)? {
        let row: BandRow = row?;
        if key != Some(row.key) {
            job.check_stop()?;
            (key, texts) = (Some(row.key), 0);
            bucket.clear();
        }
        let text = row.text & !DROPPED_IN_REFERENCE;
        let known = bucket.find(text).map(|known| known.row.text & DROPPED_IN_REFERENCE != 0);
        // A copy is dropped or kept with its original. The exception is a copy of a document that its reference corpus
        // dropped: it is compared by itself.
        if known == Some(false) {
            continue;
        }
        texts += usize::from(known.is_none());
        buckets += u64::from(known.is_none() && texts == 2);
        large_buckets += u64::from(known.is_none() && texts == REPRESENTATIVES + 1);
        let mut candidate = Candidate::new(row);
        bucket.representatives().for_each(|other| verifier.add(other, &mut candidate));
        if verifier.is_full() {
            job.check_stop()?;
            verifier.compare(|edge| writer.push(0, edge))?;
        }
        if known.is_none() {
            bucket.push(text, candidate);
        }
    }
    verifier.compare(|edge| writer.push(0, edge))?;
    let edges = writer.finish()?;
    for (name, n) in
        [("buckets", buckets), ("crowded_buckets", large_buckets), ("pairs_read", verifier.read), ("edges", edges)]
    {
        counters.dedup.insert(name.into(), n);
    }
    Ok(())
}

/// Writes candidates of containment: documents that share a sampled shingle with a longer one, partitioned by the
/// shard of the shorter document.
fn pairs(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let files = if job.config.containment.enabled { join::files(job, Spill::Samples) } else { Vec::new() };
    let mut writer = job.writer_by_shard::<PairRow>(&job.layout.pairs(range))?;
    let (mut shingle, mut longest) = (None, Vec::<SampleRow>::with_capacity(MAX_CONTAINERS));
    let (mut crowded, mut is_crowded) = (0, false);
    for row in spill::merge::<SampleRow>(&files, range, &job.sort_space)? {
        let row = row?;
        if shingle.replace(row.shingle) != Some(row.shingle) {
            job.check_stop()?;
            longest.clear();
            crowded += u64::from(std::mem::take(&mut is_crowded));
        }
        // Documents of equal length are no candidates: neither can contain the other.
        for long in longest.iter().filter(|long| long.length_order < row.length_order) {
            writer.push(PairRow { short: row.doc, long: long.doc, samples: row.samples })?;
        }
        // Copies of a text come in policy order; only the first is a candidate.
        if longest.iter().all(|long| long.text != row.text) {
            if longest.len() < MAX_CONTAINERS {
                longest.push(row);
            } else {
                is_crowded = true;
            }
        }
    }
    crowded += u64::from(is_crowded);
    counters.dedup.insert("crowded_samples".into(), crowded);
    counters.dedup.insert("shared_samples".into(), writer.finish()?);
    Ok(())
}
