//! Cluster: all verified edges → stars. One task; memory per dropped document, not per document.

use fxhash::FxHashMap;

use super::Job;
use super::bucket::{EdgeRow, Verifier};
use super::ledger::{Ledger, Star};
use crate::dedup::star::{self, Dropped};
use crate::document::parts;
use crate::error::Result;
use crate::store::sketches::Sketches;
use crate::store::spill::{self, Fields, Row, Writer};

/// What clustering decided about a document that is not alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct StarRow {
    pub doc: u64,
    /// `doc` itself for the kept one.
    pub keeper: u64,
    /// Documents of the star, the kept one included.
    pub size: u32,
    similarity_bits: u32,
    exact: u32,
}

impl StarRow {
    /// Verified Jaccard similarity to the keeper.
    pub fn similarity(&self) -> f32 {
        f32::from_bits(self.similarity_bits)
    }

    /// The texts are the same, word for word.
    pub fn exact(&self) -> bool {
        self.exact != 0
    }
}

impl Row for StarRow {
    const WIDTH: usize = 28;

    fn write(&self, out: &mut Vec<u8>) {
        [self.doc, self.keeper].iter().for_each(|n| out.extend(n.to_le_bytes()));
        [self.size, self.similarity_bits, self.exact].iter().for_each(|n| out.extend(n.to_le_bytes()));
    }

    fn read(fields: &mut Fields) -> Self {
        StarRow {
            doc: fields.u64(),
            keeper: fields.u64(),
            size: fields.u32(),
            similarity_bits: fields.u32(),
            exact: fields.u32(),
        }
    }
}

/// Stars listed in the report.
const LARGEST: usize = 10;

pub fn cluster(job: &Job) -> Result<Ledger> {
    let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.edges(range)).collect();
    let sketches = Sketches::new(&job.layout);
    let mut verifier = Verifier::new(&sketches);
    let edges = spill::merge::<EdgeRow>(&files, 0)?.map(|row| row.map(|row| row.edge()));
    let dropped = star::stars(edges, job.config.near.threshold, |a, b| verifier.similarity(a, b))?;
    let mut sizes: FxHashMap<u64, u32> = FxHashMap::default();
    for d in &dropped {
        *sizes.entry(d.keeper).or_insert(1) += 1;
    }
    write(job, &dropped, &sizes, &sketches)?;
    let mut ledger = Ledger { largest_stars: largest(&sizes), ..Default::default() };
    ledger.dedup.insert("stars".into(), sizes.len() as u64);
    ledger.dedup.insert("pairs_verified".into(), verifier.verified);
    Ok(ledger)
}

fn write(job: &Job, dropped: &[Dropped], sizes: &FxHashMap<u64, u32>, sketches: &Sketches) -> Result<()> {
    let mut writer = Writer::create(&job.layout.stars(), job.plan.shards.len() as u32, spill::RUN_BYTES)?;
    for d in dropped {
        let exact = sketches.get(d.doc)?.digest == sketches.get(d.keeper)?.digest;
        let size = sizes.get(&d.keeper).copied().unwrap_or(1);
        let similarity_bits = d.similarity.to_bits();
        let row = StarRow { doc: d.doc, keeper: d.keeper, size, similarity_bits, exact: u32::from(exact) };
        writer.push(parts(d.doc).0, row)?;
    }
    for (&keeper, &size) in sizes {
        let row = StarRow { doc: keeper, keeper, size, similarity_bits: 1f32.to_bits(), exact: 1 };
        writer.push(parts(keeper).0, row)?;
    }
    writer.finish().map(|_| ())
}

fn largest(sizes: &FxHashMap<u64, u32>) -> Vec<Star> {
    let mut all: Vec<(u32, u64)> = sizes.iter().map(|(&keeper, &size)| (size, keeper)).collect();
    all.sort_unstable_by_key(|&(size, keeper)| (std::cmp::Reverse(size), keeper));
    all.into_iter().take(LARGEST).map(|(documents, keeper)| Star { documents, keeper, url: String::new() }).collect()
}

/// The decisions about one shard's documents.
pub fn stars_of_shard(job: &Job, shard: u32) -> Result<FxHashMap<u64, StarRow>> {
    if !job.config.near.enabled {
        return Ok(FxHashMap::default());
    }
    spill::merge::<StarRow>(&[job.layout.stars()], shard)?.map(|row| row.map(|row| (row.doc, row))).collect()
}
