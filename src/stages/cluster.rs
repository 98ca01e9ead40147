//! Cluster: turns verified pairs into a decision for every document that has a duplicate or a container. A single task
//! sorts on disk and holds two bits for each document in memory.
//!
//! Policy order is the order of preference as representative (see [`crate::dedup::representatives`]).
//!
//! 1. Verified pairs of distinct texts, in policy order, determine the texts to drop ([`drop_duplicate`]).
//! 2. Copies of a kept text are dropped in its favour; copies of a dropped text, in favour of that text's
//!    representative.
//! 3. All documents with one representative form a cluster. Each of its decisions holds the size of the cluster.
//! 4. Pairs of containment are decided among the remaining documents, the longest documents first.

use std::path::PathBuf;

use crate::dedup::representatives::{DocumentSet, drop_duplicate};
use crate::document::Document;
use crate::error::{Error, Result};
use crate::key::{as_reference, parts};
use crate::stages::bucket::{COMPARED_EARLIER, CopyRow, DISSIMILAR, EdgeRow};
use crate::stages::counters::{ClusterSummary, Counters};
use crate::stages::extract::Extract;
use crate::stages::verifier::Verifier;
use crate::stages::{Job, Stage, reference};
use crate::store::rows;
use crate::store::spill::{self, Groups, MergeJoin, MergedRows, OrderedWriter, Writer, spill_row};

spill_row! {
    /// A text that is dropped because it is similar to another.
    pub struct DroppedRow {
        pub doc: u64,
        /// The representative.
        pub keeper: u64,
        /// Verified Jaccard similarity, as the bits of an f32.
        pub similarity_bits: u32,
    }
}

spill_row! {
    /// A dropped member of a cluster. Rows sort by the representative.
    pub struct MemberRow {
        /// The representative.
        pub keeper: u64,
        pub doc: u64,
        /// Verified Jaccard similarity, as the bits of an f32.
        pub similarity_bits: u32,
        /// 1 if the two texts are equal, else 0.
        pub exact: u32,
    }
}

spill_row! {
    /// A decision about a document.
    struct DecisionRow {
        doc: u64,
        /// One of the kinds below.
        kind: u32,
        /// The representative, or the document that contains this one.
        other: u64,
        /// Number of documents in the cluster.
        size: u32,
        /// Similarity or contained share, as the bits of an f32.
        measure_bits: u32,
    }
}

/// Kind of decision: the representative of a cluster, which is kept.
const REPRESENTATIVE: u32 = 0;
/// Kind of decision: dropped as a near duplicate.
const NEAR: u32 = 1;
/// Kind of decision: dropped as a copy.
const EXACT: u32 = 2;
/// Kind of decision: contained in a longer document, and not dropped for it.
const CONTAINED: u32 = 3;
/// Kind of decision: contained in a longer document, and dropped for it.
const CONTAINED_AND_DROPPED: u32 = 4;

/// Clusters that the report lists.
const LISTED_CLUSTERS: usize = 10;
/// Dropped documents that the report lists for each of them.
const LISTED_MEMBERS: usize = 3;

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

    /// Two bits a document, at an estimate of 50,000 documents in a gigabyte of input.
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
    let mut decisions = job.writer_by_shard::<DecisionRow>(&job.layout.decisions())?;
    form_clusters(job, &mut dropped, &mut decisions, &mut counters)?;
    if job.config.containment.enabled {
        let contained = decide_containment(job, &documents, &mut dropped, &mut decisions)?;
        counters.dedup.insert("containments".into(), contained);
    }
    decisions.finish()?;
    Ok(counters)
}

/// The copies of all key ranges, sorted by original.
fn all_copies(job: &Job) -> Result<MergedRows<CopyRow>> {
    let files: Vec<PathBuf> = (0..job.plan.ranges).map(|range| job.layout.copies(range)).collect();
    spill::merge(&files, 0, &job.sort_space)
}

/// Step 1: drops texts that are similar to an earlier one. Pairs of copies are skipped because step 2 decides them.
fn drop_texts(job: &Job, copies: &DocumentSet, dropped: &mut DocumentSet, counters: &mut Counters) -> Result<()> {
    let files: Vec<PathBuf> = (0..job.plan.ranges).map(|range| job.layout.edges(range)).collect();
    let mut writer = Writer::create(&job.layout.dropped(), 1, &job.sort_space)?;
    let sketches = job.sketches();
    let mut verifier = Verifier::new(job, &sketches);
    let mut last = None;
    let mut edges = spill::merge::<EdgeRow>(&files, 0, &job.sort_space)?;
    while let Some(edge) = edges.next() {
        job.check_stop()?;
        let EdgeRow { a, b, measure_bits, .. } = edge?;
        // The first row of a pair decides: verified values sort before the two special ones.
        if last.replace((a, b)) == Some((a, b))
            || copies.contains(a)
            || copies.contains(b)
            || measure_bits == DISSIMILAR
        {
            continue;
        }
        if dropped.contains(a) || dropped.contains(b) {
            continue;
        }
        let similarity = match measure_bits {
            // A damaged row may name a document that does not exist. The error to report is that of the damaged file,
            // which the end of the file reveals.
            COMPARED_EARLIER => verifier.of_pair(a, b).map_err(|error| edges.find_map(Result::err).unwrap_or(error))?,
            bits => Some(f32::from_bits(bits)),
        };
        if let Some(similarity) = similarity.filter(|_| drop_duplicate(dropped, a, b)) {
            writer.push(0, DroppedRow { doc: b, keeper: a, similarity_bits: similarity.to_bits() })?;
        }
    }
    counters.dedup.insert("pairs_read".into(), verifier.read);
    writer.finish().map(|_| ())
}

/// Step 2: joins the dropped texts with their copies and writes both as members of clusters.
fn drop_copies(job: &Job) -> Result<()> {
    let mut writer = Writer::create(&job.layout.members(), 1, &job.sort_space)?;
    let mut copies = all_copies(job)?.peekable();
    let mut push_copies = |writer: &mut Writer<MemberRow>, dropped: Option<&DroppedRow>| -> Result<()> {
        // First come copies of kept texts with smaller keys, then those of the dropped text.
        while let Some(row) = copies.next_if(|row| is_copy_up_to(row, dropped)) {
            let CopyRow { original, copy } = row?;
            writer.push(
                0,
                match dropped.filter(|text| text.doc == original) {
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
        push_copies(&mut writer, Some(&text))?;
    }
    push_copies(&mut writer, None)?;
    writer.finish().map(|_| ())
}

/// Whether a copy's original has at most the key of `text`; true for all copies if there is no text.
fn is_copy_up_to(row: &Result<CopyRow>, text: Option<&DroppedRow>) -> bool {
    row.as_ref().map_or(true, |row| text.is_none_or(|text| row.original <= text.doc))
}

/// Step 3: writes the decisions of each cluster, counts it for the figures, and adds the largest ones to the counters.
fn form_clusters(
    job: &Job,
    dropped: &mut DocumentSet,
    decisions: &mut OrderedWriter<DecisionRow>,
    counters: &mut Counters,
) -> Result<()> {
    let mut groups = Groups::<MemberRow>::new(&[job.layout.members()], 0, |row| row.keeper, &job.sort_space)?;
    let (mut clusters, mut keeper, mut size) = (0u64, 0, 1u32);
    while groups.scan_group(|row| (keeper, size) = (row.keeper, size.saturating_add(1)))? {
        job.check_stop()?;
        let mut sample = Vec::with_capacity(LISTED_MEMBERS);
        groups.replay_group(|row, position| {
            dropped.insert(row.doc);
            sample.extend((position < LISTED_MEMBERS as u32).then_some(row.doc));
            let MemberRow { doc, keeper: other, similarity_bits: measure_bits, .. } = row;
            let kind = if row.exact == 1 { EXACT } else { NEAR };
            if kind == NEAR {
                counters.figures.near_duplicate(f32::from_bits(measure_bits));
            }
            decisions.push(DecisionRow { doc, kind, other, size, measure_bits })
        })?;
        if as_reference(keeper).is_none() {
            let own = DecisionRow { doc: keeper, kind: REPRESENTATIVE, other: keeper, size, measure_bits: 0 };
            decisions.push(own)?;
        }
        clusters += 1;
        counters.figures.cluster(size);
        counters.largest_clusters.push(ClusterSummary {
            documents: size,
            keeper,
            dropped: sample,
            ..ClusterSummary::default()
        });
        counters
            .largest_clusters
            .sort_unstable_by_key(|cluster| (std::cmp::Reverse(cluster.documents), cluster.keeper));
        counters.largest_clusters.truncate(LISTED_CLUSTERS);
        size = 1;
    }
    counters.dedup.insert("stars".into(), clusters);
    refuse_large_cluster(job, counters)
}

/// Stops the job if the largest cluster has a greater share of the documents than `near.max_star` allows.
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
    let name = found.map_or_else(|| "a document of a reference corpus".to_string(), |document| document.url);
    Err(Error::Refused(format!(
        "{size} of {documents} documents are duplicates of {name}: more than near.max_star = {most} allows; start \
         again (--restart) with another near.threshold or near.max_star"
    )))
}

/// Step 4: decides pairs of containment. `documents` has the number of documents of each shard. Returns the number of
/// remaining documents that another one contains.
fn decide_containment(
    job: &Job,
    documents: &[u64],
    dropped: &mut DocumentSet,
    decisions: &mut OrderedWriter<DecisionRow>,
) -> Result<u64> {
    let files: Vec<PathBuf> = job.shards().map(|shard| job.layout.contained(shard)).collect();
    let (mut contained, mut count) = (DocumentSet::new(documents.iter().copied()), 0);
    for edge in spill::merge::<EdgeRow>(&files, 0, &job.sort_space)? {
        job.check_stop()?;
        let edge = edge?;
        if dropped.contains(edge.a) || dropped.contains(edge.b) {
            continue;
        }
        let mut kind = CONTAINED;
        if job.config.containment.drop {
            dropped.insert(edge.b);
            kind = CONTAINED_AND_DROPPED;
        }
        // Several documents can contain it.
        count += u64::from(!contained.contains(edge.b));
        contained.insert(edge.b);
        let row = DecisionRow { doc: edge.b, kind, other: edge.a, size: 1, measure_bits: edge.measure_bits };
        decisions.push(row)?;
    }
    Ok(count)
}

/// What near-duplicate detection decides about a document (`clean::Decision` is about a block). The default is that of
/// a document without duplicates and containers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DocumentDecision {
    /// Number of documents in its cluster, including the representative; 0 if it is in no cluster.
    pub cluster_size: u32,
    /// The representative for which it is dropped, their similarity, and whether the texts are equal.
    pub keeper: Option<(u64, f32, bool)>,
    /// The document that contains the greatest share of it, and that share, 0 to 1.
    pub held: Option<(u64, f32)>,
    /// Whether it is dropped because another document contains it.
    pub container_drops: bool,
}

impl DocumentDecision {
    /// Whether the document is dropped.
    pub fn drops(&self) -> bool {
        self.keeper.is_some() || self.container_drops
    }

    fn add(&mut self, row: &DecisionRow) {
        let measure = f32::from_bits(row.measure_bits);
        match row.kind {
            REPRESENTATIVE => self.cluster_size = row.size,
            NEAR | EXACT => {
                self.cluster_size = row.size;
                self.keeper = Some((row.other, measure, row.kind == EXACT));
            }
            _ => {
                self.container_drops |= row.kind == CONTAINED_AND_DROPPED;
                if self.held.is_none_or(|(_, greatest)| measure > greatest) {
                    self.held = Some((row.other, measure));
                }
            }
        }
    }
}

/// Reads the decisions about the documents of one shard in document order.
pub struct DocumentDecisions(MergeJoin<DecisionRow>);

impl DocumentDecisions {
    /// Opens the decisions of a shard. Without near-duplicate detection there are none.
    pub fn of_shard(job: &Job, shard: u32) -> Result<DocumentDecisions> {
        let rows = match job.config.near.enabled {
            true => Some(spill::merge(&[job.layout.decisions()], shard, &job.sort_space)?),
            false => None,
        };
        Ok(DocumentDecisions(MergeJoin::new(rows, |row| row.doc)))
    }

    /// The decision about `doc`. Calls must be in ascending order of documents.
    pub fn of(&mut self, doc: u64) -> Result<DocumentDecision> {
        let mut decision = DocumentDecision::default();
        self.0.rows_of(doc, |row| decision.add(&row))?;
        Ok(decision)
    }

    /// Reads the remaining rows, because checksums are verified at the end of the files.
    pub fn finish(mut self) -> Result<()> {
        self.0.finish()
    }
}
