//! Bucket: documents that share a key → pairs. One task per key range; three questions of one shape:
//! who has the same text, who shares a key of the method (and resembles the other when verified), who
//! shares a sampled shingle.

use std::path::PathBuf;

use crate::dedup::bands;
use crate::dedup::bucket::{self, REPRESENTATIVES};
use crate::dedup::representatives::RankedDocument;
use crate::dedup::verify::{Comparison, SimilarityCriterion, SketchHeader, jaccard};
use crate::error::Result;
use crate::key::{as_reference, parts};
use crate::stages::counters::Counters;
use crate::stages::sketch::{BandRow, DROPPED_IN_REFERENCE, SampleRow, TextRow};
use crate::stages::{Job, Stage, reference};
use crate::store::sketches::Sketches;
use crate::store::spill::{self, Writer, spill_row};

spill_row! {
    /// A document whose text is that of another, which comes before it in keeper order.
    pub struct CopyRow {
        pub original: u64,
        pub copy: u64,
    }
}

spill_row! {
    /// Two documents of which the second may go in favour of the first; both in the order that decides.
    pub struct EdgeRow {
        pub a_order: u32,
        pub a: u64,
        pub b_order: u32,
        pub b: u64,
        /// Of an f32: the verified Jaccard similarity, or how much of `b` stands in `a`. [`UNLIKE`] for
        /// a pair that was found to be so, [`MET_BEFORE`] for one that was not compared here.
        pub measure_bits: u32,
    }
}

/// A pair that was found to be unlike, and meets again elsewhere.
pub const UNLIKE: u32 = u32::MAX - 1;
/// Sorts behind all that is verified. A pair is compared in the first bucket in which it meets; only if
/// that was a large one, which neither of the two represents, is this all that is known of it.
pub const MET_BEFORE: u32 = u32::MAX;

impl EdgeRow {
    pub fn new(a: RankedDocument, b: RankedDocument, measure_bits: u32) -> EdgeRow {
        EdgeRow { a_order: a.order, a: a.doc, b_order: b.order, b: b.doc, measure_bits }
    }
}

spill_row! {
    /// A sampled shingle that a document shares with a longer one.
    pub struct PairRow {
        pub short: u64,
        pub long: u64,
        /// How many the shorter one has in all.
        pub samples: u32,
    }
}

/// Longer texts with which a document is compared for each shingle they share.
const CONTAINERS: usize = 8;

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
        0.05
    }
}

fn bucket(job: &Job, range: u32) -> Result<Counters> {
    let mut counters = Counters::default();
    copies(job, range, &mut counters)?;
    edges(job, range, &mut counters)?;
    pairs(job, range, &mut counters)?;
    Ok(counters)
}

/// Documents of one text: all but the first are copies of it.
fn copies(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let mut writer = Writer::create(&job.layout.copies(range), 1, &job.sort_memory)?;
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

/// A document that is compared.
struct Candidate {
    row: BandRow,
    outline: Option<SketchHeader>,
    shingles: Option<Vec<u64>>,
}

/// Compares candidates by what is stored of them.
pub struct Verifier<'a> {
    sketches: &'a Sketches,
    judge: SimilarityCriterion,
    /// Pairs whose shingles were read.
    pub read: u64,
}

enum Judged {
    Alike(f32),
    Unlike,
    MetBefore,
}

impl Judged {
    fn bits(&self) -> u32 {
        match self {
            Judged::Alike(similarity) => similarity.to_bits(),
            Judged::Unlike => UNLIKE,
            Judged::MetBefore => MET_BEFORE,
        }
    }
}

/// Shingles up to which a representative keeps them, instead of reading them for every comparison.
const KEPT_SHINGLES: usize = 1 << 16;

impl Candidate {
    fn new(row: BandRow) -> Candidate {
        Candidate { row, outline: None, shingles: None }
    }
}

impl<'a> Verifier<'a> {
    pub fn new(job: &Job, sketches: &'a Sketches) -> Verifier<'a> {
        let near = &job.config.near;
        Verifier { sketches, judge: SimilarityCriterion { verify: near.verify, threshold: near.threshold }, read: 0 }
    }

    /// What is to be said of a pair that meets in a bucket, as [`EdgeRow::measure_bits`]; nothing if
    /// nobody will ask.
    fn compare(&mut self, a: &mut Candidate, b: &mut Candidate) -> Result<Option<u32>> {
        // What an earlier corpus dropped keeps nobody, and it is decided about its documents.
        if a.row.text & DROPPED_IN_REFERENCE != 0 || as_reference(b.row.doc).is_some() {
            return Ok(None);
        }
        let slot = bands::slot_of(b.row.key);
        let found = self.similarity(a, b, slot)?;
        if let Judged::Unlike = found {
            let again = self.outline(a)?.shared_slots(self.outline(b)?).any(|met| met > slot);
            return Ok(again.then_some(UNLIKE));
        }
        Ok(Some(found.bits()))
    }

    /// Verified similarity of two documents that are only known to share a key; `None` if they are unlike.
    pub fn of_pair(&mut self, a: u64, b: u64) -> Result<Option<f32>> {
        let candidate = |doc| Candidate::new(BandRow { key: 0, order: 0, doc, text: 0 });
        match self.similarity(&mut candidate(a), &mut candidate(b), 0)? {
            Judged::Alike(similarity) => Ok(Some(similarity)),
            _ => Ok(None),
        }
    }

    fn similarity(&mut self, a: &mut Candidate, b: &mut Candidate, slot: usize) -> Result<Judged> {
        let similarity = match self.judge.compare_headers(self.outline(a)?, self.outline(b)?, slot) {
            Comparison::Dissimilar => return Ok(Judged::Unlike),
            Comparison::MetEarlier => return Ok(Judged::MetBefore),
            Comparison::Similar(similarity) => similarity,
            Comparison::NeedsShingles => {
                self.read += 1;
                self.load(b)?;
                let (x, y) = (self.load(a)?, b.shingles.as_deref().unwrap_or_default());
                let similarity = jaccard(x, y);
                if a.shingles.as_ref().is_some_and(|shingles| shingles.len() > KEPT_SHINGLES) {
                    a.shingles = None;
                }
                similarity
            }
        };
        Ok(self.judge.stored_similarity(similarity).map_or(Judged::Unlike, Judged::Alike))
    }

    fn outline<'c>(&self, candidate: &'c mut Candidate) -> Result<&'c SketchHeader> {
        if candidate.outline.is_none() {
            candidate.outline = Some(self.sketches.header(candidate.row.doc)?.1);
        }
        Ok(candidate.outline.get_or_insert_default())
    }

    fn load<'c>(&self, candidate: &'c mut Candidate) -> Result<&'c [u64]> {
        if candidate.shingles.is_none() {
            candidate.shingles = Some(self.sketches.shingles(candidate.row.doc)?);
        }
        Ok(candidate.shingles.get_or_insert_default())
    }
}

/// Pairs that resemble each other.
fn edges(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let sketches = job.sketches();
    let mut verifier = Verifier::new(job, &sketches);
    let mut writer = Writer::create(&job.layout.edges(range), 1, &job.sort_memory)?;
    let mut bucket: bucket::CandidateBucket<Candidate> = bucket::CandidateBucket::default();
    let (mut key, mut texts, mut buckets, mut crowded) = (None, 0, 0u64, 0u64);
    for row in reference::bands(job, range)? {
        let row: BandRow = row?;
        if key != Some(row.key) {
            job.check_stop()?;
            (key, texts) = (Some(row.key), 0);
            bucket.clear();
        }
        let text = row.text & !DROPPED_IN_REFERENCE;
        let known = bucket.find(text).map(|known| known.row.text & DROPPED_IN_REFERENCE != 0);
        // A copy goes the way of its original; that of one which an earlier corpus dropped finds its own.
        if known == Some(false) {
            continue;
        }
        texts += usize::from(known.is_none());
        buckets += u64::from(known.is_none() && texts == 2);
        crowded += u64::from(known.is_none() && texts == REPRESENTATIVES + 1);
        let mut candidate = Candidate::new(row);
        for other in bucket.representatives() {
            if let Some(bits) = verifier.compare(other, &mut candidate)? {
                let [a, b] = [&other.row, &candidate.row].map(|row| RankedDocument { order: row.order, doc: row.doc });
                writer.push(0, EdgeRow::new(a, b, bits))?;
            }
        }
        candidate.shingles = candidate.shingles.filter(|shingles| shingles.len() <= KEPT_SHINGLES);
        if known.is_none() {
            bucket.push(text, candidate);
        }
    }
    let edges = writer.finish()?;
    for (name, n) in
        [("buckets", buckets), ("crowded_buckets", crowded), ("pairs_read", verifier.read), ("edges", edges)]
    {
        counters.dedup.insert(name.into(), n);
    }
    Ok(())
}

/// Which documents share sampled shingles with longer ones, by the shard of the shorter.
fn pairs(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let files: Vec<_> = job.shards().map(|shard| job.layout.samples(shard)).collect();
    let mut writer = Writer::create(&job.layout.pairs(range), job.shard_count(), &job.sort_memory)?;
    let (mut shingle, mut longest) = (None, Vec::<SampleRow>::with_capacity(CONTAINERS));
    for row in spill::merge::<SampleRow>(&files, range, &job.sort_memory)? {
        let row = row?;
        if shingle.replace(row.shingle) != Some(row.shingle) {
            job.check_stop()?;
            longest.clear();
        }
        // Of two documents of one length neither stands inside the other.
        for long in longest.iter().filter(|long| long.length_order < row.length_order) {
            writer.push(parts(row.doc).0, PairRow { short: row.doc, long: long.doc, samples: row.samples })?;
        }
        // Copies of a text come in keeper order; the first stands for all of them.
        if longest.len() < CONTAINERS && longest.iter().all(|long| long.text != row.text) {
            longest.push(row);
        }
    }
    counters.dedup.insert("shared_samples".into(), writer.finish()?);
    Ok(())
}
