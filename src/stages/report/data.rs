//! What the report shows: `report.json`, from which `report.html` is drawn.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::stages::counters::Counters;
use crate::stages::report::hosts::Distribution;
use crate::store::atomic;
use crate::store::layout::Layout;

/// All that the report shows. It does not depend on the machine, the time or the number of tasks.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReportData {
    /// Name of the corpus (`output.name`).
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// The first input files, without secrets of their addresses.
    pub inputs: Vec<InputFile>,
    /// Number of all input files.
    pub input_files: u64,
    /// Bytes that are read of them: those of the selected records, if there is a selection.
    pub input_bytes: u64,
    /// Names of the reference corpora.
    pub against: Vec<String>,
    /// Settings that differ from the defaults, as `key: value instead of default`.
    pub settings: Vec<String>,
    /// What needs attention first.
    pub warnings: Vec<String>,
    /// Whether a part of the input could not be read (exit code 3).
    pub unreadable: bool,
    /// The counters of `stats.json`, with figures.
    pub counters: Counters,
    /// Distributions over hosts, domains and top-level domains.
    pub levels: [Distribution; 3],
    /// The largest clusters of duplicates, with the texts of two of their documents.
    pub clusters: Vec<ClusterTexts>,
}

/// An input file.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InputFile {
    pub location: String,
    pub bytes: u64,
}

/// A cluster of duplicates with the texts of two of its documents.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterTexts {
    /// Number of documents, including the representative.
    pub documents: u32,
    /// Key of the representative, in its own corpus.
    pub keeper: u64,
    /// Name of its corpus; absent for one of this job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    pub url: String,
    /// Key, address and content of a duplicate.
    pub other: u64,
    pub other_url: String,
    pub other_text: String,
    /// Content of the representative; empty if it is of another corpus.
    pub text: String,
}

/// Reads `report.json`; `None` for a corpus without, which an earlier version made.
pub fn read(layout: &Layout) -> Result<Option<ReportData>> {
    let path = layout.report_data();
    let parse = |text: String| serde_json::from_str(&text).map_err(|error| layout.damaged(&path, error));
    atomic::read(&path)?.map(parse).transpose()
}
