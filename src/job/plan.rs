//! The plan: which shards there are. Frozen before work starts, so that every task and every
//! restart agrees about them; it depends on the inputs and the configuration, not on the machine.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{HumanBytes, HumanCount};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::selection::{Gathered, Selection};
use super::workers;
use crate::archive::Bytes;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::store::archives::Archives;
use crate::store::atomic;
use crate::store::layout::{Index, Layout};

/// A shard owns the records whose first byte lies in its range of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Index into [`Plan::inputs`].
    pub input: u32,
    /// Bytes of the (compressed) file: `start..end`.
    pub start: u64,
    pub end: u64,
    /// Bytes to read: all of the range, or those of a selection's records in it.
    pub bytes: u64,
    /// Records of a selection; 0 where there is none.
    #[serde(default)]
    pub records: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Path, URL, or `-`.
    pub location: String,
    pub bytes: u64,
    /// Of size, beginning and end, to notice another file under the same name.
    pub fingerprint: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Of warcorpus: tasks of different versions must not be mixed.
    pub version: String,
    /// [`Config::fingerprint`].
    pub configuration: String,
    /// Where relative paths of inputs begin.
    pub directory: PathBuf,
    pub inputs: Vec<Input>,
    pub shards: Vec<Shard>,
    /// Key ranges of the gathering stages.
    pub ranges: u32,
    /// Indexes of the corpora that this one is compared with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Against>,
    /// Of the site rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Of the job's own stop words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopwords: Option<String>,
    /// If only some records are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
}

/// An index, and how to notice another under the same name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Against {
    pub folder: PathBuf,
    pub fingerprint: String,
}

/// The same index, wherever it stands.
impl PartialEq for Against {
    fn eq(&self, other: &Against) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Against {
    pub fn new(folder: &Path) -> Result<Against> {
        let folder = fs::canonicalize(folder).map_err(Error::io("find", folder))?;
        let path = Index::new(&folder).header();
        let header = atomic::read(&path)?
            .ok_or_else(|| Error::Usage(format!("{} is no index; make one: warcorpus index", folder.display())))?;
        Ok(Against { folder, fingerprint: format!("{:016x}", hash64(header.as_bytes())) })
    }
}

/// Key ranges for so much compressed input: some for all cores to have work, then one for each gigabyte
/// (up to 4 TB). Every range of every shard is a place on disk that one task reads, so more would cost.
pub fn key_ranges(bytes: u64) -> u32 {
    let few = bytes.div_ceil(32 << 20).min(64);
    few.max(bytes >> 30).clamp(1, 4096) as u32
}

impl Plan {
    /// All records of the archives.
    pub fn new(locations: &[String], config: &Config, directory: &Path, archives: &Archives) -> Result<Plan> {
        let inputs = inputs(locations, archives)?;
        let size = shard_size(config, inputs.iter().map(|input| input.bytes).sum());
        let shards = inputs.iter().enumerate().flat_map(|(i, input)| split(i as u32, input.bytes, size)).collect();
        Ok(Plan::of(config, directory, inputs, shards, None))
    }

    /// The records of a selection.
    pub fn of_selection(gathered: &Gathered, config: &Config, directory: &Path, archives: &Archives) -> Result<Plan> {
        let inputs = inputs(&gathered.locations, archives)?;
        let selection = Some(gathered.selection.clone());
        Ok(Plan::of(config, directory, inputs, gathered.shards.clone(), selection))
    }

    fn of(
        config: &Config,
        directory: &Path,
        inputs: Vec<Input>,
        shards: Vec<Shard>,
        selection: Option<Selection>,
    ) -> Plan {
        let bytes = shards.iter().fold(0, |sum: u64, shard| sum.saturating_add(shard.bytes));
        let ranges = key_ranges(bytes);
        let (version, configuration) = (env!("CARGO_PKG_VERSION").into(), config.fingerprint());
        let directory = directory.into();
        Plan {
            version,
            configuration,
            directory,
            inputs,
            shards,
            ranges,
            earlier: Vec::new(),
            rules: None,
            stopwords: None,
            selection,
        }
    }

    /// The plan of a job that was begun by this version.
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
            lines.push("the earlier corpora have changed".to_string());
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

impl Input {
    fn new(location: &str, archives: &Archives) -> Result<Input> {
        let file = archives.open(location)?;
        Ok(Input { location: location.into(), bytes: file.len(), fingerprint: file.fingerprint()? })
    }
}

/// Opens all archives; remote ones a few at a time, since each answer takes a while.
fn inputs(locations: &[String], archives: &Archives) -> Result<Vec<Input>> {
    let open = || locations.par_iter().map(|location| Input::new(location, archives)).collect();
    workers::pool(archives.parallel())?.install(open)
}

/// Bytes that a shard should have.
pub fn shard_size(config: &Config, total: u64) -> u64 {
    match config.plan.shard_bytes {
        0 => (total / 64).clamp(1 << 20, 256 << 20),
        size => size,
    }
}

/// Ranges of about `size` bytes that cover `bytes`; one, empty, for an empty file.
fn split(input: u32, bytes: u64, size: u64) -> Vec<Shard> {
    let count = bytes.div_ceil(size).max(1);
    let at = |i: u64| (u128::from(bytes) * u128::from(i) / u128::from(count)) as u64;
    let shard = |start, end| Shard { input, start, end, bytes: end - start, records: 0 };
    (0..count).map(|i| shard(at(i), at(i + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_a_file() {
        for bytes in [0, 1, 99, 100, 101, 1000, 12_345] {
            let shards = split(0, bytes, 100);
            assert_eq!((shards[0].start, shards[shards.len() - 1].end), (0, bytes));
            assert!(shards.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(shards.iter().all(|s| s.end - s.start <= 100));
        }
    }

    #[test]
    fn a_changed_input_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.warc");
        fs::write(&path, b"WARC/1.0").unwrap();
        let (location, config) = (path.display().to_string(), Config::default());
        let archives = Archives::new(&config, &Layout::new("out"), Path::new(""));
        let plan = || Plan::new(std::slice::from_ref(&location), &config, Path::new(""), &archives).unwrap();
        let before = plan();
        assert!(before.differences(&plan()).is_empty());
        fs::write(&path, b"WARC/1.1").unwrap();
        assert!(before.differences(&plan())[0].ends_with("has changed"));
    }
}
