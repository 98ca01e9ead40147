//! Cluster: all verified edges → stars, one connected component after the other. One task; see
//! [`Components`] for what it holds in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fxhash::FxHashMap;

use super::Job;
use super::bucket::{EdgeRow, Verifier};
use super::ledger::{Ledger, Star};
use crate::dedup::components::Components;
use crate::dedup::star;
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

/// An edge with the component it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ComponentRow {
    component: u32,
    edge: EdgeRow,
}

impl Row for ComponentRow {
    const WIDTH: usize = 4 + EdgeRow::WIDTH;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.component.to_le_bytes());
        self.edge.write(out);
    }

    fn read(fields: &mut Fields) -> Self {
        ComponentRow { component: fields.u32(), edge: EdgeRow::read(fields) }
    }
}

/// Stars listed in the report.
const LARGEST: usize = 10;

pub fn cluster(job: &Job) -> Result<Ledger> {
    let by_component = by_component(job)?;
    let sketches = Sketches::new(&job.layout);
    let mut stars = Stars {
        job,
        verifier: Verifier::new(&sketches),
        sketches: &sketches,
        writer: Writer::create(&job.layout.stars(), job.plan.shards.len() as u32, spill::RUN_BYTES)?,
        largest: Vec::new(),
        count: 0,
    };
    let mut component: Vec<ComponentRow> = Vec::new();
    for row in spill::merge::<ComponentRow>(&[by_component], 0)? {
        let row = row?;
        if component.last().is_some_and(|last| last.component != row.component) {
            stars.form(&component)?;
            component.clear();
        }
        component.push(row);
    }
    stars.form(&component)?;
    let mut ledger = Ledger { largest_stars: stars.largest, ..Default::default() };
    ledger.dedup.insert("stars".into(), stars.count);
    ledger.dedup.insert("pairs_verified".into(), stars.verifier.verified);
    stars.writer.finish()?;
    Ok(ledger)
}

/// Sorts all edges by connected component, on disk.
fn by_component(job: &Job) -> Result<PathBuf> {
    let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.edges(range)).collect();
    let edges = || spill::merge::<EdgeRow>(&files, 0);
    let mut docs: Vec<u64> = Vec::new();
    let mut sorted = 0;
    for row in edges()? {
        job.check_stop()?;
        let row = row?;
        docs.extend([row.a.doc, row.b.doc]);
        if docs.len() > 2 * sorted + (1 << 20) {
            docs.sort_unstable();
            docs.dedup();
            sorted = docs.len();
        }
    }
    let mut components = Components::new(docs);
    for row in edges()? {
        let row = row?;
        components.join(row.a.doc, row.b.doc);
    }
    let path = job.layout.components();
    let mut writer = Writer::create(&path, 1, spill::RUN_BYTES)?;
    let mut last = None;
    for row in edges()? {
        job.check_stop()?;
        let edge = row?;
        // A pair found in several buckets is one edge.
        if last.replace(edge) != Some(edge) {
            writer.push(0, ComponentRow { component: components.root(edge.a.doc).unwrap_or(u32::MAX), edge })?;
        }
    }
    writer.finish()?;
    Ok(path)
}

/// Forms stars component by component and writes them by shard.
struct Stars<'a> {
    job: &'a Job,
    verifier: Verifier<'a>,
    sketches: &'a Sketches,
    writer: Writer<StarRow>,
    largest: Vec<Star>,
    count: u64,
}

impl Stars<'_> {
    fn form(&mut self, component: &[ComponentRow]) -> Result<()> {
        self.job.check_stop()?;
        let edges: Vec<_> = component.iter().map(|row| row.edge.edge()).collect();
        let verifier = &mut self.verifier;
        let dropped = star::stars(&edges, self.job.config.near.threshold, |a, b| verifier.similarity(a, b))?;
        let mut sizes: BTreeMap<u64, u32> = BTreeMap::new();
        dropped.iter().for_each(|d| *sizes.entry(d.keeper).or_insert(1) += 1);
        for d in &dropped {
            let exact = self.sketches.digest(d.doc)? == self.sketches.digest(d.keeper)?;
            let size = sizes.get(&d.keeper).copied().unwrap_or(1);
            let similarity_bits = d.similarity.to_bits();
            let row = StarRow { doc: d.doc, keeper: d.keeper, size, similarity_bits, exact: u32::from(exact) };
            self.writer.push(parts(d.doc).0, row)?;
        }
        for (&keeper, &size) in &sizes {
            let row = StarRow { doc: keeper, keeper, size, similarity_bits: 1f32.to_bits(), exact: 1 };
            self.writer.push(parts(keeper).0, row)?;
            self.largest.push(Star { documents: size, keeper, url: String::new() });
        }
        self.count += sizes.len() as u64;
        self.largest.sort_unstable_by_key(|star| (std::cmp::Reverse(star.documents), star.keeper));
        self.largest.truncate(LARGEST);
        Ok(())
    }
}

/// The decisions about one shard's documents.
pub fn stars_of_shard(job: &Job, shard: u32) -> Result<FxHashMap<u64, StarRow>> {
    if !job.config.near.enabled {
        return Ok(FxHashMap::default());
    }
    spill::merge::<StarRow>(&[job.layout.stars()], shard)?.map(|row| row.map(|row| (row.doc, row))).collect()
}
