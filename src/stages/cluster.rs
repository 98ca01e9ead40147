//! Cluster: verified pairs → what becomes of every document that is not alone. One task, all of whose
//! work is sorting on disk; in memory it holds two or three bits for each document.
//!
//! 1. Pairs of texts, in keeper order → texts that are dropped ([`drop_duplicate`]).
//! 2. Copies of a text share its fate: dropped in favour of it, or of its own keeper.
//! 3. All that have one keeper are a cluster; its size is told to each of them.
//! 4. Pairs of containment among those that are left, longest first.

use std::path::PathBuf;

use crate::dedup::representatives::{DocumentSet, drop_duplicate};
use crate::document::Document;
use crate::error::{Error, Result};
use crate::key::{as_reference, parts};
use crate::stages::bucket::{CopyRow, EdgeRow, MET_BEFORE, UNLIKE, Verifier};
use crate::stages::counters::{ClusterSummary, Counters};
use crate::stages::extract::Extract;
use crate::stages::{Job, Stage, reference};
use crate::store::rows;
use crate::store::spill::{self, Groups, MergeJoin, MergedRows, Writer, spill_row};

spill_row! {
    /// A text that is dropped because it resembles another.
    pub struct DroppedRow {
        pub doc: u64,
        pub keeper: u64,
        /// Of the verified Jaccard similarity, an f32.
        pub similarity_bits: u32,
    }
}

spill_row! {
    /// A dropped document under its keeper.
    pub struct MemberRow {
        pub keeper: u64,
        pub doc: u64,
        pub similarity_bits: u32,
        /// 1 if the texts are the same.
        pub exact: u32,
    }
}

spill_row! {
    /// What was decided about a document.
    struct DecisionRow {
        doc: u64,
        kind: u32,
        /// Its keeper, or the document that holds it.
        other: u64,
        size: u32,
        /// Similarity or share, an f32.
        measure_bits: u32,
    }
}

/// Kinds of decisions.
const KEEPER: u32 = 0;
const NEAR: u32 = 1;
const EXACT: u32 = 2;
const HELD: u32 = 3;
const HELD_AND_DROPPED: u32 = 4;

/// Stars listed in the report, and documents of each.
const LARGEST: usize = 10;
const SAMPLE: usize = 3;

/// The stage `cluster`: one task.
#[derive(Debug)]
pub struct Cluster;

impl Stage for Cluster {
    fn name(&self) -> &'static str {
        "cluster"
    }

    fn tasks(&self, job: &Job) -> u32 {
        u32::from(job.config.near.enabled)
    }

    fn outputs(&self, job: &Job, _task: u32) -> Vec<PathBuf> {
        vec![job.layout.dropped(), job.layout.members(), job.layout.decisions()]
    }

    fn run(&self, job: &Job, _task: u32) -> Result<Counters> {
        cluster(job)
    }

    fn relative_cost(&self) -> f64 {
        0.01
    }

    /// Two bits a document, of which there are some 50,000 in a gigabyte.
    fn task_megabytes(&self, job: &Job) -> u64 {
        256 + (job.plan.bytes() >> 36)
    }
}

fn cluster(job: &Job) -> Result<Counters> {
    let mut counters = Counters::default();
    let documents = job.counts_by_task(&Extract, |counters| counters.pages)?;
    let [mut copies, mut dropped] = [(); 2].map(|()| DocumentSet::new(documents.iter().copied()));
    for row in all_copies(job)? {
        copies.insert(row?.copy);
    }
    drop_texts(job, &copies, &mut dropped, &mut counters)?;
    drop_copies(job)?;
    drop(copies);
    let mut decisions = Writer::create(&job.layout.decisions(), job.shard_count(), &job.sort_memory)?;
    form_clusters(job, &mut dropped, &mut decisions, &mut counters)?;
    if job.config.containment.enabled {
        let held = hold(job, &mut dropped, &mut decisions)?;
        counters.dedup.insert("containments".into(), held);
    }
    decisions.finish()?;
    Ok(counters)
}

fn all_copies(job: &Job) -> Result<MergedRows<CopyRow>> {
    let files: Vec<PathBuf> = (0..job.plan.ranges).map(|range| job.layout.copies(range)).collect();
    spill::merge(&files, 0, &job.sort_memory)
}

/// Step 1. A copy is no text of its own.
fn drop_texts(job: &Job, copies: &DocumentSet, dropped: &mut DocumentSet, counters: &mut Counters) -> Result<()> {
    let files: Vec<PathBuf> = (0..job.plan.ranges).map(|range| job.layout.edges(range)).collect();
    let mut writer = Writer::create(&job.layout.dropped(), 1, &job.sort_memory)?;
    let sketches = job.sketches();
    let mut verifier = Verifier::new(job, &sketches);
    let mut last = None;
    let mut edges = spill::merge::<EdgeRow>(&files, 0, &job.sort_memory)?;
    while let Some(edge) = edges.next() {
        job.check_stop()?;
        let EdgeRow { a, b, measure_bits, .. } = edge?;
        // What was verified of a pair comes first, and counts.
        if last.replace((a, b)) == Some((a, b)) || copies.contains(a) || copies.contains(b) || measure_bits == UNLIKE {
            continue;
        }
        if dropped.contains(a) || dropped.contains(b) {
            continue;
        }
        let similarity = match measure_bits {
            // A damaged row may name a document that nobody has; its file is to be named, not that.
            MET_BEFORE => verifier.of_pair(a, b).map_err(|error| edges.find_map(Result::err).unwrap_or(error))?,
            bits => Some(f32::from_bits(bits)),
        };
        if let Some(similarity) = similarity.filter(|_| drop_duplicate(dropped, a, b)) {
            writer.push(0, DroppedRow { doc: b, keeper: a, similarity_bits: similarity.to_bits() })?;
        }
    }
    counters.dedup.insert("pairs_read".into(), verifier.read);
    writer.finish().map(|_| ())
}

/// Step 2: dropped texts, joined with their copies.
fn drop_copies(job: &Job) -> Result<()> {
    let mut writer = Writer::create(&job.layout.members(), 1, &job.sort_memory)?;
    let mut copies = all_copies(job)?.peekable();
    let mut exact = |writer: &mut Writer<MemberRow>, before: Option<&DroppedRow>| -> Result<()> {
        // Copies of texts that are kept, then those of this one.
        while let Some(row) = copies.next_if(|row| before_or_of(row, before)) {
            let CopyRow { original, copy } = row?;
            writer.push(
                0,
                match before.filter(|text| text.doc == original) {
                    Some(text) => {
                        MemberRow { keeper: text.keeper, doc: copy, similarity_bits: text.similarity_bits, exact: 0 }
                    }
                    None => MemberRow { keeper: original, doc: copy, similarity_bits: 1f32.to_bits(), exact: 1 },
                },
            )?;
        }
        Ok(())
    };
    for text in reference::dropped(job)? {
        job.check_stop()?;
        let text = text?;
        if as_reference(text.doc).is_none() {
            let DroppedRow { doc, keeper, similarity_bits } = text;
            writer.push(0, MemberRow { keeper, doc, similarity_bits, exact: 0 })?;
        }
        exact(&mut writer, Some(&text))?;
    }
    exact(&mut writer, None)?;
    writer.finish().map(|_| ())
}

fn before_or_of(row: &Result<CopyRow>, text: Option<&DroppedRow>) -> bool {
    row.as_ref().map_or(true, |row| text.is_none_or(|text| row.original <= text.doc))
}

/// Step 3.
fn form_clusters(
    job: &Job,
    dropped: &mut DocumentSet,
    decisions: &mut Writer<DecisionRow>,
    counters: &mut Counters,
) -> Result<()> {
    let mut groups = Groups::<MemberRow>::new(&[job.layout.members()], 0, |row| row.keeper, &job.sort_memory)?;
    let (mut clusters, mut keeper, mut size) = (0u64, 0, 1u32);
    while groups.scan_group(|row| (keeper, size) = (row.keeper, size.saturating_add(1)))? {
        job.check_stop()?;
        let mut sample = Vec::with_capacity(SAMPLE);
        groups.replay_group(|row, place| {
            dropped.insert(row.doc);
            sample.extend((place < SAMPLE as u32).then_some(row.doc));
            let kind = if row.exact == 1 { EXACT } else { NEAR };
            let MemberRow { doc, keeper: other, similarity_bits: measure_bits, .. } = row;
            decisions.push(parts(doc).0, DecisionRow { doc, kind, other, size, measure_bits })
        })?;
        if as_reference(keeper).is_none() {
            let own = DecisionRow { doc: keeper, kind: KEEPER, other: keeper, size, measure_bits: 0 };
            decisions.push(parts(keeper).0, own)?;
        }
        clusters += 1;
        counters.largest_clusters.push(ClusterSummary {
            documents: size,
            keeper,
            dropped: sample,
            ..ClusterSummary::default()
        });
        counters
            .largest_clusters
            .sort_unstable_by_key(|cluster| (std::cmp::Reverse(cluster.documents), cluster.keeper));
        counters.largest_clusters.truncate(LARGEST);
        size = 1;
    }
    counters.dedup.insert("stars".into(), clusters);
    refuse_large_cluster(job, counters)
}

/// `near.max_star`.
fn refuse_large_cluster(job: &Job, counters: &Counters) -> Result<()> {
    let most = job.config.near.max_star;
    let Some(cluster) = counters.largest_clusters.first().filter(|_| most < 1.0) else { return Ok(()) };
    let documents = job.counted(&Extract, |counters| counters.pages)?;
    if f64::from(cluster.documents) / documents.max(1) as f64 <= most {
        return Ok(());
    }
    let (shard, size) = (parts(cluster.keeper).0, cluster.documents);
    let mut rows = match as_reference(cluster.keeper) {
        None => Some(rows::Reader::<Document>::open(&job.layout.extracted(shard).documents())?),
        Some(_) => None,
    };
    let found = rows.iter_mut().flatten().flatten().find(|document| document.doc == cluster.keeper);
    let name = found.map_or_else(|| "one of an earlier corpus".to_string(), |document| document.url);
    Err(Error::Refused(format!(
        "{size} of {documents} documents are duplicates of {name}: more than near.max_star = {most} allows; start again \
         (--restart) with another near.threshold or near.max_star"
    )))
}

/// Step 4; how many pairs there are.
fn hold(job: &Job, dropped: &mut DocumentSet, decisions: &mut Writer<DecisionRow>) -> Result<u64> {
    let files: Vec<PathBuf> = job.shards().map(|shard| job.layout.contained(shard)).collect();
    let mut held = 0;
    for edge in spill::merge::<EdgeRow>(&files, 0, &job.sort_memory)? {
        job.check_stop()?;
        let edge = edge?;
        if dropped.contains(edge.a) || dropped.contains(edge.b) {
            continue;
        }
        let mut kind = HELD;
        if job.config.containment.drop {
            dropped.insert(edge.b);
            kind = HELD_AND_DROPPED;
        }
        held += 1;
        let row = DecisionRow { doc: edge.b, kind, other: edge.a, size: 1, measure_bits: edge.measure_bits };
        decisions.push(parts(edge.b).0, row)?;
    }
    Ok(held)
}

/// What was decided about a document; nothing for one that is alone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Decision {
    /// Documents of its cluster, the kept one included; 0 if it is of none.
    pub cluster_size: u32,
    /// In whose favour it is dropped, with what similarity, and whether the texts are the same.
    pub keeper: Option<(u64, f32, bool)>,
    /// Which document holds most of it, and how much.
    pub held: Option<(u64, f32)>,
    /// It is dropped for that.
    pub container_drops: bool,
}

impl Decision {
    pub fn drops(&self) -> bool {
        self.keeper.is_some() || self.container_drops
    }

    fn add(&mut self, row: &DecisionRow) {
        let measure = f32::from_bits(row.measure_bits);
        match row.kind {
            KEEPER => self.cluster_size = row.size,
            NEAR | EXACT => {
                self.cluster_size = row.size;
                self.keeper = Some((row.other, measure, row.kind == EXACT));
            }
            _ => {
                self.container_drops |= row.kind == HELD_AND_DROPPED;
                if self.held.is_none_or(|(_, most)| measure > most) {
                    self.held = Some((row.other, measure));
                }
            }
        }
    }
}

/// The decisions about one shard's documents, asked for one document after the other.
pub struct Decisions(MergeJoin<DecisionRow>);

impl Decisions {
    pub fn of_shard(job: &Job, shard: u32) -> Result<Decisions> {
        let rows = match job.config.near.enabled {
            true => Some(spill::merge(&[job.layout.decisions()], shard, &job.sort_memory)?),
            false => None,
        };
        Ok(Decisions(MergeJoin::new(rows, |row| row.doc)))
    }

    /// Documents must be asked for in ascending order.
    pub fn of(&mut self, doc: u64) -> Result<Decision> {
        let mut decision = Decision::default();
        self.0.rows_of(doc, |row| decision.add(&row))?;
        Ok(decision)
    }

    pub fn finish(mut self) -> Result<()> {
        self.0.finish()
    }
}
