//! Report: sums the counters of all tasks and writes the files of the whole job: rejects, statistics, the registry file
//! and the report.

pub mod data;
mod hosts;
pub mod meanings;
mod rejects;
pub mod times;
pub mod view;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use fxhash::FxHashMap;
use serde::Serialize;

use crate::archive_index::SelectionCounts;
use crate::config::{Config, PiiMode};
use crate::dedup::method::Method;
use crate::document::{DocumentName, DropReason, ParagraphText};
use crate::emit::FormatCounts;
use crate::error::{Error, Result};
use crate::figures::Figures;
use crate::key::{as_reference, key, parts};
use crate::stages::counters::{ClusterSummary, Counters};
use crate::stages::emit::format_files;
use crate::stages::extract::{Extract, checkpoint};
use crate::stages::reference::Lookup;
use crate::stages::{Job, STAGES, Stage};
use crate::store::archives::public_name;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::tables::{self, DocumentRow};
use data::{ClusterTexts, InputFile, ReportData};

/// `stats.json`: the counters of a job. It is reproducible: nothing in it depends on the machine or the time.
#[derive(Debug, Serialize)]
struct Stats<'a> {
    version: &'static str,
    inputs: usize,
    input_bytes: u64,
    shards: usize,
    /// Names of the reference corpora, with their numbers of documents.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    earlier: BTreeMap<&'a str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selection: Option<&'a SelectionCounts>,
    banding: Option<BandingSummary>,
    #[serde(flatten)]
    counters: &'a Counters,
}

/// The fields that [`Stats`] adds to the counters.
const ADDED: [&str; 7] = ["version", "inputs", "input_bytes", "shards", "earlier", "selection", "banding"];

/// The banding that near-duplicate detection used.
#[derive(Debug, Serialize)]
struct BandingSummary {
    bands: usize,
    rows: usize,
    /// Probability, 0 to 1, that a pair with a similarity equal to the threshold becomes a candidate.
    probability_at_threshold: f64,
}

/// The stage `report`: one task.
#[derive(Debug)]
pub struct Report;

impl Stage for Report {
    fn name(&self) -> &'static str {
        "report"
    }

    fn tasks(&self, _job: &Job) -> u32 {
        1
    }

    fn outputs(&self, job: &Job, _task: u32) -> Vec<PathBuf> {
        let formats = format_files::job_files(&job.config, &job.config.output.formats, &job.layout);
        job.layout.report_files().into_iter().chain(formats).collect()
    }

    fn run(&self, job: &Job, _task: u32) -> Result<Counters> {
        report(job)
    }

    fn settings(&self, job: &Job) -> String {
        job.emit_settings.clone()
    }

    fn relative_cost(&self) -> f64 {
        0.01
    }
}

fn report(job: &Job) -> Result<Counters> {
    let mut counters = total(job)?;
    counters.check_balance()?;
    rejects::write(job, &counters)?;
    name_clusters(job, &mut counters)?;
    format_files::write_job_files(&job.config, &job.config.output.formats, &job.layout, &counters.formats)?;
    let figures = std::mem::take(&mut counters.figures);
    // `stats.json` has only the numbers of tokens. The other counts are for the files of the formats.
    counters.formats.values_mut().for_each(|c| *c = FormatCounts { tokens: c.tokens, ..FormatCounts::default() });
    let near = &job.config.near;
    let bands = near.enabled && near.method == Method::Bands;
    let banding = bands.then(|| near.banding()).map(|banding| BandingSummary {
        bands: banding.bands,
        rows: banding.rows,
        probability_at_threshold: (banding.probability(near.threshold) * 1e4).round() / 1e4,
    });
    let stats = Stats {
        version: env!("CARGO_PKG_VERSION"),
        inputs: job.plan.inputs.len(),
        input_bytes: job.plan.bytes(),
        shards: job.plan.shards.len(),
        earlier: job.references.iter().map(|one| (one.header.name.as_str(), one.header.documents)).collect(),
        selection: job.plan.selection.as_ref(),
        banding,
        counters: &counters,
    };
    let json = serde_json::to_string_pretty(&stats).map_err(|e| Error::damaged(&job.layout.stats(), e))?;
    counters.figures = figures;
    write_report(job, &counters)?;
    counters.figures = Figures::default();
    // The last one, since its presence marks a finished corpus: a report beside it is the one of this job.
    atomic::write(&job.layout.stats(), json + "\n")?;
    // All tasks are done, so temporary files that still exist were left by killed processes.
    atomic::sweep(job.layout.root())?;
    job.shards().try_for_each(|shard| checkpoint::discard(job, shard))?;
    Ok(counters)
}

/// Inputs that the report names.
const NAMED_INPUTS: usize = 20;
/// Most characters of a text that is compared with another.
const COMPARED_CHARACTERS: usize = 16_000;

/// Writes `report.json` and `report.html`.
fn write_report(job: &Job, counters: &Counters) -> Result<()> {
    let levels = hosts::of_job(job)?;
    let inputs = job.plan.inputs.iter().take(NAMED_INPUTS);
    let [hosts, ..] = &levels;
    let data = ReportData {
        name: job.config.output.name.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        inputs: inputs.map(|input| InputFile { location: public_name(&input.location), bytes: input.bytes }).collect(),
        input_files: job.plan.inputs.len() as u64,
        input_bytes: job.plan.bytes(),
        against: job.references.iter().map(|one| one.header.name.clone()).collect(),
        settings: job.config.differences(&Config::default()),
        warnings: warnings::warnings(job, counters, hosts)?,
        unreadable: counters.is_unreadable(),
        counters: counters.clone(),
        clusters: cluster_texts(job, counters)?,
        levels,
    };
    let json = serde_json::to_string(&data).map_err(|error| Error::damaged(&job.layout.report_data(), error))?;
    atomic::write(&job.layout.report_data(), json + "\n")?;
    atomic::write(&job.layout.report(), view::page(&data, None))
}

/// The texts of the representative and of one other document of the largest clusters.
fn cluster_texts(job: &Job, counters: &Counters) -> Result<Vec<ClusterTexts>> {
    let clusters = &counters.largest_clusters;
    let other = |cluster: &ClusterSummary| cluster.dropped.first().copied().unwrap_or(cluster.keeper);
    let own = clusters.iter().filter(|cluster| cluster.corpus.is_none()).map(|cluster| cluster.keeper);
    let wanted: BTreeSet<u64> = clusters.iter().map(other).chain(own).collect();
    let mut texts: BTreeMap<u64, String> = BTreeMap::new();
    each_of(
        &wanted,
        |shard| job.layout.paragraphs(shard),
        |row: ParagraphText| {
            let text = texts.entry(row.doc).or_default();
            if row.drop_reason != DropReason::Template && text.len() < COMPARED_CHARACTERS {
                text.push_str(&row.text);
                text.push('\n');
                text.truncate(text.floor_char_boundary(COMPARED_CHARACTERS));
            }
        },
    )?;
    let text = |doc: u64| texts.get(&doc).cloned().unwrap_or_default();
    let texts = |cluster: &ClusterSummary| ClusterTexts {
        documents: cluster.documents,
        keeper: cluster.keeper,
        corpus: cluster.corpus.clone(),
        url: cluster.url.clone(),
        other: other(cluster),
        other_url: cluster.dropped_urls.first().cloned().unwrap_or_default(),
        other_text: text(other(cluster)),
        text: if cluster.corpus.is_none() { text(cluster.keeper) } else { String::new() },
    };
    Ok(clusters.iter().map(texts).collect())
}

/// Reads the rows of some documents, each file once.
fn each_of<R: DocumentRow>(
    wanted: &BTreeSet<u64>,
    file: impl Fn(u32) -> PathBuf,
    mut each: impl FnMut(R),
) -> Result<()> {
    let shards: BTreeSet<u32> =
        wanted.iter().filter(|doc| as_reference(**doc).is_none()).map(|doc| parts(*doc).0).collect();
    for shard in shards {
        let own = wanted.range(key(shard, 0)..=key(shard, u32::MAX));
        let (Some(first), Some(last)) = (own.clone().next(), own.last()) else { continue };
        for row in tables::Reader::<R>::open_at(&file(shard), *first)? {
            let row = row?;
            if row.doc() > *last {
                break;
            }
            if wanted.contains(&row.doc()) {
                each(row);
            }
        }
    }
    Ok(())
}

/// The counters in the statistics of a corpus; `None` if it is not finished.
///
/// # Errors
/// [`Error::Damaged`] if they cannot be read.
pub fn of_corpus(layout: &Layout) -> Result<Option<Counters>> {
    let path = layout.stats();
    let text = atomic::read(&path)?;
    text.map(|text| read(&text).map_err(|error| layout.damaged(&path, error))).transpose()
}

/// The counters in the text of a `stats.json`.
fn read(text: &str) -> serde_json::Result<Counters> {
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)?;
    fields.retain(|name, _| !ADDED.contains(&name.as_str()));
    serde_json::from_value(fields.into())
}

/// The sum of the counters of all tasks of the stages before this one.
fn total(job: &Job) -> Result<Counters> {
    let mut total = Counters::default();
    let pii = &job.config.pii;
    let masks = pii.mode == PiiMode::Mask && !pii.kinds.is_empty();
    for stage in STAGES.into_iter().filter(|stage| stage.name() != Report.name()) {
        for index in 0..stage.tasks(job) {
            let mut counts = job.counters(stage, index)?;
            // Pages are counted before personal data is sought.
            if masks && stage.name() == Extract.name() {
                counts.figures = std::mem::take(&mut counts.figures).without_texts();
            }
            total.add(&counts);
        }
    }
    Ok(total)
}

/// Looks up the URLs of the documents in the largest clusters.
fn name_clusters(job: &Job, counters: &mut Counters) -> Result<()> {
    let clusters = &mut counters.largest_clusters;
    let wanted: BTreeSet<u64> =
        clusters.iter().flat_map(|cluster| cluster.dropped.iter().copied().chain([cluster.keeper])).collect();
    let lookup = Lookup::new(job)?;
    let mut urls: FxHashMap<u64, String> = FxHashMap::default();
    for &doc in &wanted {
        if let Some(found) = lookup.find(doc)? {
            urls.insert(doc, found.url);
        }
    }
    each_of(
        &wanted,
        |shard| job.layout.documents(shard),
        |row: DocumentName| {
            urls.insert(row.doc, row.url);
        },
    )?;
    let url = |doc: &u64| urls.get(doc).cloned().unwrap_or_default();
    for cluster in clusters {
        cluster.url = url(&cluster.keeper);
        if let Some(found) = lookup.find(cluster.keeper)? {
            (cluster.keeper, cluster.corpus) = (found.key, Some(found.corpus));
        }
        cluster.dropped_urls = cluster.dropped.iter().map(url).collect();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_come_back_from_the_statistics() {
        let mut counters = Counters { records: 3, pages: 2, tagged: 1, ..Counters::default() };
        counters.documents.insert(Counters::KEPT.into(), 2);
        counters.formats.insert("vertical".into(), FormatCounts { tokens: 7, ..FormatCounts::default() });
        let selection = SelectionCounts { rows: 5, ..SelectionCounts::default() };
        let stats = Stats {
            version: "0",
            inputs: 1,
            input_bytes: 9,
            shards: 1,
            earlier: BTreeMap::from([("one", 17)]),
            selection: Some(&selection),
            banding: Some(BandingSummary { bands: 1, rows: 2, probability_at_threshold: 0.5 }),
            counters: &counters,
        };
        let json = serde_json::to_string(&stats).unwrap();
        assert_eq!(read(&json).unwrap(), counters);
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&json).unwrap();
        assert!(ADDED.iter().all(|name| fields.contains_key(*name)), "{json}");
    }
}
