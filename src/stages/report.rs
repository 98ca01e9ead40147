//! Report: sums the counters of all tasks and writes the files of the whole job: rejects, statistics, the registry file
//! and the HTML report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use fxhash::FxHashMap;
use indicatif::HumanCount;
use serde::Serialize;

use crate::archive_index::SelectionCounts;
use crate::dedup::method::Method;
use crate::document::Document;
use crate::emit::{FormatCounts, xml};
use crate::error::{Error, Result};
use crate::key::parts;
use crate::stages::counters::{Counters, Counts};
use crate::stages::emit::format_files;
use crate::stages::extract::checkpoint;
use crate::stages::reference::Lookup;
use crate::stages::{Job, STAGES, Stage};
use crate::store::marker::Marker;
use crate::store::{atomic, tables};

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

    fn tasks(&self, job: &Job) -> u32 {
        let _ = job;
        1
    }

    fn outputs(&self, job: &Job, _task: u32) -> Vec<PathBuf> {
        let formats = format_files::job_files(&job.config, &job.config.output.formats, &job.layout);
        [job.layout.rejects(), job.layout.stats(), job.layout.report()].into_iter().chain(formats).collect()
    }

    fn run(&self, job: &Job, _task: u32) -> Result<Counters> {
        report(job)
    }

    fn settings(&self, job: &Job) -> String {
        job.config.fingerprint()
    }

    fn relative_cost(&self) -> f64 {
        0.01
    }
}

fn report(job: &Job) -> Result<Counters> {
    let mut counters = total(job)?;
    counters.check_balance()?;
    checkpoint::join_files(job.shards().map(|shard| job.layout.extracted(shard).rejects()), job.layout.rejects())?;
    name_clusters(job, &mut counters)?;
    format_files::write_job_files(&job.config, &job.config.output.formats, &job.layout, &counters.formats)?;
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
    atomic::write(&job.layout.report(), html(&json, &counters))?;
    atomic::write(&job.layout.stats(), json + "\n")?;
    // All tasks are done, so temporary files that still exist were left by killed processes.
    atomic::sweep(&job.layout.work())?;
    job.shards().try_for_each(|shard| checkpoint::discard(job, shard))?;
    Ok(counters)
}

/// The counters in the text of a `stats.json`.
pub fn read(text: &str) -> serde_json::Result<Counters> {
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)?;
    // What [`Stats`] adds to the counters.
    ["version", "inputs", "input_bytes", "shards", "earlier", "selection", "banding"].iter().for_each(|name| {
        fields.remove(*name);
    });
    serde_json::from_value(fields.into())
}

/// The sum of the counters of all tasks of the stages before this one.
fn total(job: &Job) -> Result<Counters> {
    let mut total = Counters::default();
    for stage in STAGES.into_iter().filter(|stage| stage.name() != Report.name()) {
        for index in 0..stage.tasks(job) {
            let path = job.layout.done(stage.name(), index);
            let marker = Marker::<Counters>::read(&path)?
                .ok_or_else(|| Error::Usage(format!("{} {index} is not done yet; run it first", stage.name())))?;
            total.add(&marker.counts);
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
    let shards: BTreeSet<u32> = wanted.iter().filter(|doc| !urls.contains_key(doc)).map(|&doc| parts(doc).0).collect();
    for shard in shards {
        for document in tables::Reader::<Document>::open(&job.layout.documents(shard))? {
            let document = document?;
            if wanted.contains(&document.doc) {
                urls.insert(document.doc, document.url);
            }
        }
    }
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

/// The HTML report: the counters as tables, followed by `stats.json`. The page has no scripts and loads nothing.
fn html(json: &str, counters: &Counters) -> String {
    let mut tables = String::new();
    let languages: Counts = counters.languages.iter().map(|(code, size)| (code.clone(), size.documents)).collect();
    let outcomes: [(&str, &BTreeMap<String, u64>); 7] = [
        ("Records that are no page", &counters.no_page),
        ("Documents", &counters.documents),
        ("Paragraphs", &counters.paragraphs),
        ("Kept documents by language", &languages),
        ("Unreadable stretches", &counters.damage),
        ("Warnings about processed records", &counters.faults),
        ("Deduplication", &counters.dedup),
    ];
    for (title, counts) in outcomes.into_iter().filter(|(_, counts)| !counts.is_empty()) {
        let greatest = counts.values().copied().max().unwrap_or(1).max(1);
        let _ = write!(tables, "<h2>{title}</h2>\n<table>\n");
        for (key, n) in counts {
            let width = 100.0 * *n as f64 / greatest as f64;
            let _ = writeln!(
                tables,
                "<tr><td>{}</td><td class=n>{}</td><td><div style=\"width:{width:.1}%\"></div></td></tr>",
                xml::escape(key),
                HumanCount(*n)
            );
        }
        tables.push_str("</table>\n");
    }
    tables.push_str(&largest(counters));
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>warcorpus report</title>\n<style>\n\
         body{{font:15px/1.5 sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222}}\n\
         table{{border-collapse:collapse;width:100%}} td{{padding:.1rem .6rem .1rem 0;border-bottom:1px solid #eee}}\n\
         .n{{text-align:right;font-variant-numeric:tabular-nums;width:7rem}} td:last-child{{width:40%}}\n\
         div{{background:#4a7;height:.7rem}} pre{{background:#f6f6f6;padding:1rem;overflow:auto}}\n</style>\n\
         <h1>{} records, {} pages, {} documents kept</h1>\n{tables}<h2>stats.json</h2>\n<pre>{}</pre>\n</html>\n",
        HumanCount(counters.records),
        HumanCount(counters.pages),
        HumanCount(counters.kept()),
        xml::escape(json)
    )
}

/// The largest clusters as an HTML table: size, representative and some dropped members.
fn largest(counters: &Counters) -> String {
    if counters.largest_clusters.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h2>Largest clusters of duplicates</h2>\n<table>\n");
    for cluster in &counters.largest_clusters {
        let dropped: Vec<String> = cluster.dropped_urls.iter().map(|url| xml::escape(url)).collect();
        let (size, kept) = (HumanCount(cluster.documents.into()), xml::escape(&cluster.url));
        let _ =
            writeln!(out, "<tr><td class=n>{size}</td><td>{kept}<br><small>{}</small></td></tr>", dropped.join("<br>"));
    }
    out.push_str("</table>\n");
    out
}
