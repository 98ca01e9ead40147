//! Bucket: pairs documents that share a key. One task per key range makes three kinds of pairs: documents with the
//! same text (copies), documents that share a band key and are verified as similar (edges), and documents that share a
//! sampled shingle (candidates of containment).

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

/// Writes copies: of the documents with one text, all but the first.
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

/// A document of a bucket, with the parts of its sketch that were read so far.
struct Candidate {
    row: BandRow,
    header: Option<SketchHeader>,
    shingles: Option<Vec<u64>>,
}

/// Compares candidates by their stored sketches.
pub struct Verifier<'a> {
    sketches: &'a Sketches,
    criterion: SimilarityCriterion,
    /// Number of pairs whose shingles were read.
    pub read: u64,
}

/// A [`Comparison`] that is final: the shingles were read where the headers did not suffice.
enum PairResult {
    /// The similarity as it is stored.
    Similar(f32),
    Dissimilar,
    /// An earlier bucket compares the pair.
    ComparedEarlier,
}

impl PairResult {
    fn bits(&self) -> u32 {
        match self {
            PairResult::Similar(similarity) => similarity.to_bits(),
            PairResult::Dissimilar => DISSIMILAR,
            PairResult::ComparedEarlier => COMPARED_EARLIER,
        }
    }
}

/// Most shingles that a candidate keeps in memory. Longer lists are read again for every comparison.
const MAX_CACHED_SHINGLES: usize = 1 << 16;

impl Candidate {
    fn new(row: BandRow) -> Candidate {
        Candidate { row, header: None, shingles: None }
    }
}

impl<'a> Verifier<'a> {
    pub fn new(job: &Job, sketches: &'a Sketches) -> Verifier<'a> {
        let near = &job.config.near;
        Verifier {
            sketches,
            criterion: SimilarityCriterion { verify: near.verify, threshold: near.threshold },
            read: 0,
        }
    }

    /// Compares two documents of a bucket. Returns [`EdgeRow::measure_bits`], or `None` if no later stage needs a row.
    fn compare(&mut self, a: &mut Candidate, b: &mut Candidate) -> Result<Option<u32>> {
        // A document that its reference corpus dropped cannot be a representative, and documents of reference
        // corpora are never dropped here.
        if a.row.text & DROPPED_IN_REFERENCE != 0 || as_reference(b.row.doc).is_some() {
            return Ok(None);
        }
        let band = bands::band_of(b.row.key);
        let found = self.similarity(a, b, band)?;
        if let PairResult::Dissimilar = found {
            let shares_later_band = self.header(a)?.shared_bands(self.header(b)?).any(|shared| shared > band);
            return Ok(shares_later_band.then_some(DISSIMILAR));
        }
        Ok(Some(found.bits()))
    }

    /// Verified Jaccard similarity of two documents that share a key; `None` if it is below the threshold.
    pub fn of_pair(&mut self, a: u64, b: u64) -> Result<Option<f32>> {
        let candidate = |doc| Candidate::new(BandRow { key: 0, order: 0, doc, text: 0 });
        match self.similarity(&mut candidate(a), &mut candidate(b), 0)? {
            PairResult::Similar(similarity) => Ok(Some(similarity)),
            _ => Ok(None),
        }
    }

    fn similarity(&mut self, a: &mut Candidate, b: &mut Candidate, band: usize) -> Result<PairResult> {
        let similarity = match self.criterion.compare_headers(self.header(a)?, self.header(b)?, band) {
            Comparison::Dissimilar => return Ok(PairResult::Dissimilar),
            Comparison::ComparedEarlier => return Ok(PairResult::ComparedEarlier),
            Comparison::Similar(similarity) => similarity,
            Comparison::NeedsShingles => {
                self.read += 1;
                self.load(b)?;
                let (x, y) = (self.load(a)?, b.shingles.as_deref().unwrap_or_default());
                let similarity = jaccard(x, y);
                if a.shingles.as_ref().is_some_and(|shingles| shingles.len() > MAX_CACHED_SHINGLES) {
                    a.shingles = None;
                }
                similarity
            }
        };
        Ok(self.criterion.stored_similarity(similarity).map_or(PairResult::Dissimilar, PairResult::Similar))
    }

    fn header<'c>(&self, candidate: &'c mut Candidate) -> Result<&'c SketchHeader> {
        if candidate.header.is_none() {
            candidate.header = Some(self.sketches.header(candidate.row.doc)?.1);
        }
        Ok(candidate.header.get_or_insert_default())
    }

    fn load<'c>(&self, candidate: &'c mut Candidate) -> Result<&'c [u64]> {
        if candidate.shingles.is_none() {
            candidate.shingles = Some(self.sketches.shingles(candidate.row.doc)?);
        }
        Ok(candidate.shingles.get_or_insert_default())
    }
}

/// Writes edges: pairs of documents that share a band key, with their verified similarity.
fn edges(job: &Job, range: u32, counters: &mut Counters) -> Result<()> {
    let sketches = job.sketches();
    let mut verifier = Verifier::new(job, &sketches);
    let mut writer = Writer::create(&job.layout.edges(range), 1, &job.sort_memory)?;
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
        for other in bucket.representatives() {
            if let Some(bits) = verifier.compare(other, &mut candidate)? {
                let [a, b] = [&other.row, &candidate.row].map(|row| RankedDocument { order: row.order, doc: row.doc });
                writer.push(0, EdgeRow::new(a, b, bits))?;
            }
        }
        candidate.shingles = candidate.shingles.filter(|shingles| shingles.len() <= MAX_CACHED_SHINGLES);
        if known.is_none() {
            bucket.push(text, candidate);
        }
    }
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
    let files: Vec<_> = job.shards().map(|shard| job.layout.samples(shard)).collect();
    let mut writer = Writer::create(&job.layout.pairs(range), job.shard_count(), &job.sort_memory)?;
    let (mut shingle, mut longest) = (None, Vec::<SampleRow>::with_capacity(MAX_CONTAINERS));
    for row in spill::merge::<SampleRow>(&files, range, &job.sort_memory)? {
        let row = row?;
        if shingle.replace(row.shingle) != Some(row.shingle) {
            job.check_stop()?;
            longest.clear();
        }
        // Documents of equal length are no candidates: neither can contain the other.
        for long in longest.iter().filter(|long| long.length_order < row.length_order) {
            writer.push(parts(row.doc).0, PairRow { short: row.doc, long: long.doc, samples: row.samples })?;
        }
        // Copies of a text come in policy order; only the first is a candidate.
        if longest.len() < MAX_CONTAINERS && longest.iter().all(|long| long.text != row.text) {
            longest.push(row);
        }
    }
    counters.dedup.insert("shared_samples".into(), writer.finish()?);
    Ok(())
}
