//! The plan of a job, as `plan.json` holds it: which shards there are. Frozen before work starts, so that every task
//! and every restart agrees about them. `job::plan` makes plans.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{HumanBytes, HumanCount};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::selection::SelectionCounts;
use crate::store::atomic;
use crate::store::layout::{Index, Layout};

/// A shard owns the records whose first byte lies in its range of an archive file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Index into [`Plan::inputs`].
    pub input: u32,
    /// Bytes of the (compressed) file: `start..end`.
    pub start: u64,
    pub end: u64,
    /// Bytes to read: the whole range, or those of the selected records in it.
    pub bytes: u64,
    /// Selected records; 0 where the job reads all records.
    #[serde(default)]
    pub records: u64,
}

/// An archive file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Path, URL, or `-`.
    pub location: String,
    pub bytes: u64,
    /// Hash of size, beginning and end, by which another file of the same name is noticed.
    pub fingerprint: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of warcorpus: tasks of different versions must not be mixed.
    pub version: String,
    /// SketchedText of the configuration ([`crate::config::Config::fingerprint`]).
    pub configuration: String,
    /// The directory that relative paths of inputs start from.
    pub directory: PathBuf,
    pub inputs: Vec<Input>,
    pub shards: Vec<Shard>,
    /// Key ranges: tasks of the stages that gather rows of all shards.
    pub ranges: u32,
    /// Indexes of the corpora that this one is compared with (`--against`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<ReferenceIndex>,
    /// SketchedText of the site rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// SketchedText of the job's own list of stop words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopwords: Option<String>,
    /// Counts of the selection, where only some records are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionCounts>,
}

/// An index that the job is compared with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReferenceIndex {
    pub folder: PathBuf,
    /// Hash of the index' header, by which another index in the same folder is noticed.
    pub fingerprint: String,
}

/// Equal fingerprints are the same index, wherever the folder is now.
impl PartialEq for ReferenceIndex {
    fn eq(&self, other: &ReferenceIndex) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl ReferenceIndex {
    /// # Errors
    /// [`Error::Usage`] if the folder holds no index.
    pub fn new(folder: &Path) -> Result<ReferenceIndex> {
        let folder = fs::canonicalize(folder).map_err(Error::io("find", folder))?;
        let path = Index::new(&folder).header();
        let header = atomic::read(&path)?
            .ok_or_else(|| Error::Usage(format!("{} is no index; make one: warcorpus index", folder.display())))?;
        Ok(ReferenceIndex { folder, fingerprint: format!("{:016x}", hash64(header.as_bytes())) })
    }
}

impl Plan {
    /// Reads the plan of a directory.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is none, or if another version of warcorpus made it.
    pub fn read(layout: &Layout) -> Result<Plan> {
        let path = layout.plan();
        let missing =
            || Error::Usage(format!("{} holds no plan; make one with `warcorpus plan`", layout.root().display()));
        let plan: Plan =
            serde_json::from_str(&atomic::read(&path)?.ok_or_else(missing)?).map_err(|e| Error::damaged(&path, e))?;
        if plan.version != env!("CARGO_PKG_VERSION") {
            let (theirs, ours) = (&plan.version, env!("CARGO_PKG_VERSION"));
            return Err(Error::Usage(format!(
                "{} was begun by version {theirs}; this is {ours}",
                layout.root().display()
            )));
        }
        Ok(plan)
    }

    /// Bytes to read, of all shards.
    pub fn bytes(&self) -> u64 {
        self.shards.iter().fold(0, |sum, shard| sum.saturating_add(shard.bytes))
    }

    /// Bytes of the largest shard.
    pub fn largest_shard(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes).max().unwrap_or(0)
    }

    /// One line for people.
    pub fn summary(&self) -> String {
        let selected = self.selection.as_ref().map(|selection| format!("{} records, ", HumanCount(selection.records)));
        format!(
            "{} input files, {}{} in {} shards of at most {}, {} key ranges",
            self.inputs.len(),
            selected.unwrap_or_default(),
            HumanBytes(self.bytes()),
            self.shards.len(),
            HumanBytes(self.largest_shard()),
            self.ranges
        )
    }

    /// What has changed since this plan was made, one line each.
    pub fn differences(&self, now: &Plan) -> Vec<String> {
        let mut lines = Vec::new();
        for input in &now.inputs {
            match self.inputs.iter().find(|before| before.location == input.location) {
                None => lines.push(format!("{} is new", input.location)),
                Some(before) if before != input => lines.push(format!("{} has changed", input.location)),
                Some(_) => {}
            }
        }
        for input in &self.inputs {
            if !now.inputs.iter().any(|other| other.location == input.location) {
                lines.push(format!("{} is missing", input.location));
            }
        }
        if self.earlier != now.earlier {
            lines.push("the indexes of --against have changed".to_string());
        }
        if self.rules != now.rules {
            lines.push("the site rules have changed".to_string());
        }
        if self.stopwords != now.stopwords {
            lines.push("the list of stop words has changed".to_string());
        }
        if lines.is_empty() && self.selection != now.selection {
            lines.push("the selection has changed".to_string());
        }
        if lines.is_empty() && (&self.inputs, &self.shards) != (&now.inputs, &now.shards) {
            lines.push("the order of the inputs or the shards has changed".to_string());
        }
        lines
    }
}
