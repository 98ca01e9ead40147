//! Bucket: documents that share a band key → verified edges. One task per key range.

use fxhash::{FxHashMap, FxHashSet};

use super::Job;
use super::ledger::Ledger;
use crate::dedup::minhash::jaccard;
use crate::dedup::star::{self, Edge, Member};
use crate::error::Result;
use crate::store::sketches::Sketches;
use crate::store::spill::{self, Fields, Row, Writer};

/// A band key of a document. Rows of one key come in keeper order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BandRow {
    pub key: u64,
    pub member: Member,
}

impl Row for BandRow {
    const WIDTH: usize = 24;

    fn write(&self, out: &mut Vec<u8>) {
        [self.key, self.member.order, self.member.doc].iter().for_each(|n| out.extend(n.to_le_bytes()));
    }

    fn read(fields: &mut Fields) -> Self {
        BandRow { key: fields.u64(), member: Member { order: fields.u64(), doc: fields.u64() } }
    }
}

/// An edge on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    pub a: Member,
    pub b: Member,
    similarity_bits: u32,
}

impl EdgeRow {
    fn new(edge: &Edge) -> EdgeRow {
        EdgeRow { a: edge.a, b: edge.b, similarity_bits: edge.similarity.to_bits() }
    }

    pub fn edge(&self) -> Edge {
        Edge { a: self.a, b: self.b, similarity: f32::from_bits(self.similarity_bits) }
    }
}

impl Row for EdgeRow {
    const WIDTH: usize = 36;

    fn write(&self, out: &mut Vec<u8>) {
        [self.a.order, self.a.doc, self.b.order, self.b.doc].iter().for_each(|n| out.extend(n.to_le_bytes()));
        out.extend(self.similarity_bits.to_le_bytes());
    }

    fn read(fields: &mut Fields) -> Self {
        let a = Member { order: fields.u64(), doc: fields.u64() };
        let b = Member { order: fields.u64(), doc: fields.u64() };
        EdgeRow { a, b, similarity_bits: fields.u32() }
    }
}

/// Pairs remembered by a task, because near duplicates meet in many bands.
const REMEMBERED: usize = 1 << 20;

/// Exact Jaccard similarity of two documents, remembering pairs.
pub struct Verifier<'a> {
    sketches: &'a Sketches,
    known: FxHashMap<(u64, u64), f64>,
    pub verified: u64,
}

impl<'a> Verifier<'a> {
    pub fn new(sketches: &'a Sketches) -> Verifier<'a> {
        Verifier { sketches, known: FxHashMap::default(), verified: 0 }
    }

    pub fn similarity(&mut self, a: u64, b: u64) -> Result<f64> {
        if let Some(&similarity) = self.known.get(&(a, b)) {
            return Ok(similarity);
        }
        let similarity = jaccard(&self.sketches.get(a)?.shingles, &self.sketches.get(b)?.shingles);
        self.verified += 1;
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert((a, b), similarity);
        Ok(similarity)
    }
}

pub fn bucket(job: &Job, range: u32) -> Result<Ledger> {
    let near = &job.config.near;
    let files: Vec<_> = (0..job.plan.shards.len() as u32).map(|shard| job.layout.extracted(shard).bands()).collect();
    let sketches = Sketches::new(&job.layout);
    let mut verifier = Verifier::new(&sketches);
    let mut writer = Writer::create(&job.layout.edges(range), 1, spill::RUN_BYTES)?;
    let (mut buckets, mut crowded) = (0, 0);
    let mut finish = |members: &mut Vec<Member>| -> Result<()> {
        if members.len() > 1 {
            job.check_stop()?;
            buckets += 1;
            crowded += u64::from(members.len() > near.max_bucket);
            let texts = different_texts(members, &sketches)?;
            // Copies of one text meet under the key of their digest as well, and need no more edges than that.
            let compared = if texts.len() > 1 { &texts } else { &*members };
            let verify = |a, b| verifier.similarity(a, b);
            for edge in star::edges(compared, near.threshold, near.max_bucket, verify)? {
                writer.push(0, EdgeRow::new(&edge))?;
            }
        }
        members.clear();
        Ok(())
    };
    let mut key = 0;
    let mut members: Vec<Member> = Vec::new();
    for row in spill::merge::<BandRow>(&files, range)? {
        let row = row?;
        if row.key != key {
            finish(&mut members)?;
            key = row.key;
        }
        members.push(row.member);
    }
    finish(&mut members)?;
    let edges = writer.finish()?;
    let mut ledger = Ledger::default();
    for (name, n) in
        [("buckets", buckets), ("crowded_buckets", crowded), ("pairs_verified", verifier.verified), ("edges", edges)]
    {
        ledger.dedup.insert(name.into(), n);
    }
    Ok(ledger)
}

/// The first member of each text, in keeper order.
fn different_texts(members: &[Member], sketches: &Sketches) -> Result<Vec<Member>> {
    let mut seen = FxHashSet::default();
    let mut first = Vec::new();
    for member in members {
        if seen.insert(sketches.digest(member.doc)?) {
            first.push(*member);
        }
    }
    Ok(first)
}
