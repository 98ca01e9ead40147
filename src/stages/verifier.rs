//! Verification of candidate pairs by their stored sketches. Pairs are compared in batches: the sketches of a batch are
//! read in the order of their documents, so that each file is opened once for a batch and not once for a pair.

use fxhash::{FxHashMap, FxHashSet};

use crate::dedup::bands::band_of;
use crate::dedup::representatives::RankedDocument;
use crate::dedup::verify::{Comparison, SimilarityCriterion, SketchHeader, jaccard};
use crate::error::Result;
use crate::key::as_reference;
use crate::stages::Job;
use crate::stages::bucket::{COMPARED_EARLIER, DISSIMILAR, EdgeRow};
use crate::stages::sketch::{BandRow, DROPPED_IN_REFERENCE};
use crate::store::sketches::{SketchEntry, Sketches};

/// Bytes of a document of a batch, with its entry.
const DOCUMENT_BYTES: usize = 320;
/// Fewest documents of a batch.
const LEAST_DOCUMENTS: usize = 1 << 12;
/// Documents of a batch for each file of sketches, so that few files are opened. More would only be slower, since the
/// headers of a small batch stay in the processor's caches.
const DOCUMENTS_PER_FILE: usize = 8;
/// Most pairs of a batch, divided by its documents.
const PAIRS_PER_DOCUMENT: usize = 4;

/// Compares candidates by their stored sketches.
pub struct Verifier<'a> {
    sketches: &'a Sketches,
    criterion: SimilarityCriterion,
    /// Most documents of a batch.
    documents: usize,
    /// Most bytes of shingles in memory.
    shingle_bytes: usize,
    batch: Batch,
    /// Number of pairs whose shingles were read.
    pub read: u64,
}

/// Pairs that wait for their comparison.
#[derive(Default)]
struct Batch {
    /// Number of the batch.
    number: u32,
    documents: Vec<BandRow>,
    /// Indexes into `documents`.
    pairs: Vec<(u32, u32)>,
}

/// A document of a bucket.
pub struct Candidate {
    pub row: BandRow,
    /// Number of the last batch that has the document, and its index there.
    place: Option<(u32, u32)>,
}

impl Candidate {
    pub fn new(row: BandRow) -> Candidate {
        Candidate { row, place: None }
    }
}

impl Batch {
    fn index(&mut self, candidate: &mut Candidate) -> u32 {
        match candidate.place {
            Some((number, index)) if number == self.number => index,
            _ => {
                let index = self.documents.len() as u32;
                self.documents.push(candidate.row);
                candidate.place = Some((self.number, index));
                index
            }
        }
    }
}

/// The documents of a batch with the entries of their sketches.
type Sketched = [(BandRow, SketchEntry)];

impl<'a> Verifier<'a> {
    pub fn new(job: &Job, sketches: &'a Sketches) -> Verifier<'a> {
        let near = &job.config.near;
        let criterion = SimilarityCriterion { verify: near.verify, threshold: near.threshold };
        let shingle_bytes = job.sort_space.run;
        let most = (shingle_bytes / DOCUMENT_BYTES).max(LEAST_DOCUMENTS);
        let documents = (DOCUMENTS_PER_FILE * job.shard_count() as usize).clamp(LEAST_DOCUMENTS, most);
        Verifier { sketches, criterion, documents, shingle_bytes, batch: Batch::default(), read: 0 }
    }

    /// Adds a pair of a bucket to the batch, unless no comparison can have a consequence.
    pub fn add(&mut self, a: &mut Candidate, b: &mut Candidate) {
        // A document that its reference corpus dropped cannot be a representative, and documents of reference
        // corpora are never dropped here.
        if a.row.text & DROPPED_IN_REFERENCE == 0 && as_reference(b.row.doc).is_none() {
            let pair = (self.batch.index(a), self.batch.index(b));
            self.batch.pairs.push(pair);
        }
    }

    /// Whether the batch is as large as it may be.
    pub fn is_full(&self) -> bool {
        let Batch { documents, pairs, .. } = &self.batch;
        documents.len() >= self.documents || pairs.len() >= self.documents * PAIRS_PER_DOCUMENT
    }

    /// Compares the pairs of the batch and begins another; `each` gets the rows that later stages need.
    pub fn compare(&mut self, mut each: impl FnMut(EdgeRow) -> Result<()>) -> Result<()> {
        let number = self.batch.number.wrapping_add(1);
        let Batch { documents, pairs, .. } = std::mem::replace(&mut self.batch, Batch { number, ..Batch::default() });
        let documents = self.sketched(documents)?;
        let mut undecided = Vec::new();
        for (i, j) in pairs {
            let Some(((a, x), (b, y))) = documents.get(i as usize).zip(documents.get(j as usize)) else { continue };
            match self.criterion.compare_headers(&x.header, &y.header, band_of(b.key)) {
                Comparison::NeedsShingles => undecided.push((i, j)),
                found => {
                    self.measure(found, (b, &y.header), &x.header).map_or(Ok(()), |bits| each(edge(a, b, bits)))?
                }
            }
        }
        let mut rest = undecided.as_slice();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(self.fitting(&documents, rest));
            self.compare_shingles(&documents, now, &mut each)?;
            rest = later;
        }
        Ok(())
    }

    /// Reads the entries of documents.
    fn sketched(&self, documents: Vec<BandRow>) -> Result<Vec<(BandRow, SketchEntry)>> {
        let mut sketched: Vec<_> = documents.into_iter().map(|row| (row, SketchEntry::default())).collect();
        let mut order: Vec<_> = sketched.iter_mut().collect();
        order.sort_unstable_by_key(|(row, _)| row.doc);
        for (row, entry) in order {
            *entry = self.sketches.entry(row.doc)?;
        }
        Ok(sketched)
    }

    /// [`EdgeRow::measure_bits`] of a pair that was compared; `None` if no later stage needs a row.
    fn measure(&self, found: Comparison, (b, y): (&BandRow, &SketchHeader), x: &SketchHeader) -> Option<u32> {
        let stored = match found {
            Comparison::ComparedEarlier => return Some(COMPARED_EARLIER),
            Comparison::Similar(similarity) => self.criterion.stored_similarity(similarity),
            Comparison::Dissimilar | Comparison::NeedsShingles => None,
        };
        let band = band_of(b.key);
        let dissimilar = || x.shared_bands(y).any(|shared| shared > band).then_some(DISSIMILAR);
        stored.map_or_else(dissimilar, |similarity| Some(similarity.to_bits()))
    }

    /// How many of the first pairs have shingles that fit into memory; at least one.
    fn fitting(&self, documents: &Sketched, pairs: &[(u32, u32)]) -> usize {
        let (mut bytes, mut seen) = (0, FxHashSet::default());
        let fits = |&&(i, j): &&(u32, u32)| {
            let new = [i, j].into_iter().filter(|&i| seen.insert(i));
            bytes +=
                new.filter_map(|i| documents.get(i as usize)).map(|(_, x)| x.header.size as usize * 8).sum::<usize>();
            bytes <= self.shingle_bytes
        };
        pairs.iter().take_while(fits).count().max(1)
    }

    fn compare_shingles(
        &mut self,
        documents: &Sketched,
        pairs: &[(u32, u32)],
        each: &mut impl FnMut(EdgeRow) -> Result<()>,
    ) -> Result<()> {
        let mut order: Vec<u32> = pairs.iter().flat_map(|&(i, j)| [i, j]).collect();
        order.sort_unstable_by_key(|&i| documents.get(i as usize).map(|(row, _)| (row.doc, i)));
        order.dedup();
        let mut shingles = FxHashMap::default();
        for i in order {
            if let Some((row, entry)) = documents.get(i as usize) {
                shingles.insert(i, self.sketches.shingles(row.doc, entry)?);
            }
        }
        for (i, j) in pairs {
            let Some(((a, x), (b, y))) = documents.get(*i as usize).zip(documents.get(*j as usize)) else { continue };
            let Some((own, others)) = shingles.get(i).zip(shingles.get(j)) else { continue };
            self.read += 1;
            let found = Comparison::Similar(jaccard(own, others));
            self.measure(found, (b, &y.header), &x.header).map_or(Ok(()), |bits| each(edge(a, b, bits)))?;
        }
        Ok(())
    }

    /// Verified Jaccard similarity of two documents that share a key; `None` if it is below the threshold.
    pub fn of_pair(&mut self, a: u64, b: u64) -> Result<Option<f32>> {
        let (x, y) = (self.sketches.entry(a)?, self.sketches.entry(b)?);
        let similarity = match self.criterion.compare_headers(&x.header, &y.header, 0) {
            Comparison::Dissimilar | Comparison::ComparedEarlier => return Ok(None),
            Comparison::Similar(similarity) => similarity,
            Comparison::NeedsShingles => {
                self.read += 1;
                jaccard(&self.sketches.shingles(a, &x)?, &self.sketches.shingles(b, &y)?)
            }
        };
        Ok(self.criterion.stored_similarity(similarity))
    }
}

fn edge(a: &BandRow, b: &BandRow, measure_bits: u32) -> EdgeRow {
    let [a, b] = [a, b].map(|row| RankedDocument { order: row.order, doc: row.doc });
    EdgeRow::new(a, b, measure_bits)
}
