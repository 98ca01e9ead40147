//! The plan of a job (`plan.json`): its inputs and shards. The plan is frozen before work starts, so that all tasks and
//! all later runs use the same shards. `job::plan` makes plans.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use fxhash::FxHashMap;
use indicatif::{HumanBytes, HumanCount};
use serde::{Deserialize, Serialize};

use crate::archive_index::SelectionCounts;
use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::store::archives::{public_name, write_with_addresses};
use crate::store::atomic;
use crate::store::layout::{Index, Layout};
use crate::text::counted;

/// A job has groups of shards if it has more shards than this number of groups.
const UNGROUPED: u32 = 16;

/// A shard owns the records whose first byte lies in its range of an archive file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Index into [`Plan::inputs`].
    pub input: u32,
    /// Offset of the first byte of the range in the (compressed) file.
    pub start: u64,
    /// Offset after the last byte of the range.
    pub end: u64,
    /// Number of bytes to read: those of the range, or those of the selected records in it.
    pub bytes: u64,
    /// Number of selected records; 0 if the job reads all records.
    #[serde(default)]
    pub records: u64,
}

/// An archive file of the job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Path, URL, or `-` for standard input.
    pub location: String,
    /// Size of the file.
    pub bytes: u64,
    /// Hash of the size, the beginning and the end of the file. It reveals that a file was replaced.
    pub fingerprint: String,
}

impl Input {
    /// Whether this is the archive `now`: the same version at the same address, of which only what grants access may differ,
    /// such as a signature. Where the server tells no version, it may be another object of the same public name.
    fn is_same(&self, now: &Input) -> bool {
        let renewed = || !self.fingerprint.is_empty() && public_name(&self.location) == public_name(&now.location);
        (self.bytes, &self.fingerprint) == (now.bytes, &now.fingerprint) && (self.location == now.location || renewed())
    }
}

/// The inputs, the shards and the fingerprints of the configuration of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of warcorpus that began the job.
    pub version: String,
    /// Version of the intermediate files ([`STAGE_FORMAT`]); 0 for jobs that were begun before it was written down.
    #[serde(default)]
    pub format: u32,
    /// Fingerprint of the settings that the stages before emit read ([`crate::config::Config::before_emit`]).
    pub configuration: String,
    /// Directory to which relative paths of inputs refer.
    pub directory: PathBuf,
    pub inputs: Vec<Input>,
    pub shards: Vec<Shard>,
    /// Number of key ranges, which is the number of tasks of the stages that compare all shards.
    pub ranges: u32,
    /// Number of shards in a group, whose spill files are joined (see [`crate::stages::join`]).
    pub group: u32,
    /// Indexes of the reference corpora (`--against`).
    #[serde(rename = "earlier", default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<ReferenceIndex>,
    /// Fingerprint of the site rules; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Fingerprint of the user's stop list; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopwords: Option<String>,
    /// Counts of the selection; `None` if the job reads all records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionCounts>,
}

/// Version of the files between stages. It is incremented with every change after which a job cannot be continued.
pub const STAGE_FORMAT: u32 = 10;

/// Most key ranges of a job. There are not more, because each has a separate place on disk in the file of every shard.
pub const MOST_RANGES: u32 = 1024;

/// The index of a reference corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReferenceIndex {
    pub folder: PathBuf,
    /// Hash of the index header. It reveals that the folder now holds another index.
    pub fingerprint: String,
}

/// Two indexes are equal if their fingerprints are, because the folder of an index may be moved.
impl PartialEq for ReferenceIndex {
    fn eq(&self, other: &ReferenceIndex) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl ReferenceIndex {
    /// Finds the index in a folder.
    ///
    /// # Errors
    /// [`Error::Usage`] if the folder holds no index.
    pub fn new(folder: &Path) -> Result<ReferenceIndex> {
        let missing = |error| Error::Usage(format!("--against {}: {error}", folder.display()));
        let folder = fs::canonicalize(folder).map_err(missing)?;
        let header = if folder.is_dir() { atomic::read(&Index::new(&folder).header())? } else { None };
        let header = header
            .ok_or_else(|| Error::Usage(format!("{} is no index; make one: warcorpus index", folder.display())))?;
        Ok(ReferenceIndex { folder, fingerprint: format!("{:016x}", hash64(header.as_bytes())) })
    }
}

impl Plan {
    /// Reads the plan of an output directory.
    ///
    /// # Errors
    /// [`Error::Usage`] if there is no plan.
    pub fn read(layout: &Layout) -> Result<Plan> {
        let path = layout.plan();
        let missing =
            || Error::Usage(format!("{} holds no plan; make one with `warcorpus plan`", layout.root().display()));
        let plan: Plan =
            serde_json::from_str(&atomic::read(&path)?.ok_or_else(missing)?).map_err(|e| Error::damaged(&path, e))?;
        plan.check().map_err(|what| Error::damaged(&path, what))?;
        Ok(plan)
    }

    /// Writes the plan of an output directory. One whose addresses have secrets, without which the job could not be
    /// resumed, is readable by its owner alone.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be written.
    pub fn write(&self, layout: &Layout) -> Result<()> {
        let path = layout.plan();
        let json = serde_json::to_string_pretty(self).map_err(|e| Error::damaged(&path, e))? + "\n";
        write_with_addresses(&path, &json, self.inputs.iter().map(|input| &input.location))
    }

    /// This plan with the addresses of the plan `now`, where they are those of the same archives: a signature is valid for
    /// some hours, and a job goes on with a new one.
    #[must_use]
    pub fn with_addresses_of(mut self, now: &Plan) -> Plan {
        for (input, now) in self.inputs.iter_mut().zip(&now.inputs) {
            if input.is_same(now) {
                input.location.clone_from(&now.location);
            }
        }
        self
    }

    /// # Errors
    /// [`Error::Usage`] if this version does not read the intermediate files of the job.
    pub fn check_format(&self, layout: &Layout) -> Result<()> {
        if self.format == STAGE_FORMAT {
            return Ok(());
        }
        let (root, theirs, ours) = (layout.root().display(), &self.version, env!("CARGO_PKG_VERSION"));
        Err(Error::Usage(format!(
            "{root} was begun by another version ({theirs}), whose intermediate files this one ({ours}) does not read; \
             finish it with that version, choose another --out, or start again with --restart. A finished corpus can be \
             read as it is"
        )))
    }

    /// Refuses numbers that no planner writes; the tasks rely on them.
    fn check(&self) -> std::result::Result<(), &'static str> {
        let sound = |shard: &Shard| (shard.input as usize) < self.inputs.len() && shard.start <= shard.end;
        if !(1..=MOST_RANGES).contains(&self.ranges) {
            return Err("has an impossible number of key ranges (`ranges`)");
        }
        if self.group == 0 {
            return Err("has groups of no shards (`group`)");
        }
        if u32::try_from(self.shards.len()).is_err() || !self.shards.iter().all(sound) {
            return Err("has a shard that is no part of an input (`shards`)");
        }
        Ok(())
    }

    /// Number of groups of shards; 0 if there are so few shards that key ranges read the files of each.
    pub fn groups(&self) -> u32 {
        let (shards, group) = (self.shards.len() as u32, self.group.max(1));
        if shards <= group.saturating_mul(UNGROUPED) { 0 } else { shards.div_ceil(group) }
    }

    /// The shards of a group.
    pub fn shards_of(&self, group: u32) -> Range<u32> {
        let begin = |group: u32| group.saturating_mul(self.group.max(1)).min(self.shards.len() as u32);
        begin(group)..begin(group.saturating_add(1))
    }

    /// Number of bytes to read, summed over all shards.
    pub fn bytes(&self) -> u64 {
        self.shards.iter().fold(0, |sum, shard| sum.saturating_add(shard.bytes))
    }

    /// Number of bytes to read of the largest shard.
    fn largest_shard(&self) -> u64 {
        self.shards.iter().map(|shard| shard.bytes).max().unwrap_or(0)
    }

    /// A description of the plan in one line, for the terminal.
    pub fn summary(&self) -> String {
        let selected = self.selection.as_ref().map(|selection| format!("{} records, ", HumanCount(selection.records)));
        format!(
            "{}, {}{} in {} of at most {}, {}",
            counted(self.inputs.len(), "input file"),
            selected.unwrap_or_default(),
            HumanBytes(self.bytes()),
            counted(self.shards.len(), "shard"),
            HumanBytes(self.largest_shard()),
            counted(self.ranges as usize, "key range")
        )
    }

    /// Differences between this plan and the plan `now`, one line each.
    pub fn differences(&self, now: &Plan) -> Vec<String> {
        let mut lines = Vec::new();
        let line = |input: &Input, what: &str| format!("{} {what}", public_name(&input.location));
        let before = by_location(&self.inputs);
        let after = by_location(&now.inputs);
        for input in &now.inputs {
            match before.get(input.location.as_str()) {
                None => lines.push(line(input, "is new")),
                Some(before) if *before != input => lines.push(line(input, "has changed")),
                Some(_) => {}
            }
        }
        for input in self.inputs.iter().filter(|input| !after.contains_key(input.location.as_str())) {
            lines.push(line(input, "is missing"));
        }
        if self.references != now.references {
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

fn by_location(inputs: &[Input]) -> FxHashMap<&str, &Input> {
    inputs.iter().map(|input| (input.location.as_str(), input)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plan of archives, each with a location and a fingerprint.
    fn plan(archives: &[(&str, &str)]) -> Plan {
        let input = |&(location, fingerprint): &(&str, &str)| Input {
            location: location.into(),
            bytes: 9,
            fingerprint: fingerprint.into(),
        };
        Plan {
            version: String::new(),
            format: STAGE_FORMAT,
            configuration: String::new(),
            directory: PathBuf::new(),
            inputs: archives.iter().map(input).collect(),
            shards: vec![Shard { input: 0, start: 0, end: 9, bytes: 9, records: 0 }],
            ranges: 1,
            group: 1,
            references: Vec::new(),
            rules: None,
            stopwords: None,
            selection: None,
        }
    }

    const OLD: &str = "http://u:pw9@h/a?page=1&X-Amz-Signature=9";
    const NEW: &str = "http://v:pw8@h/a?page=1&X-Amz-Signature=8";

    #[test]
    fn a_job_goes_on_with_a_renewed_signature() {
        let (before, now) = (plan(&[("b", "1"), (OLD, "etag x")]), plan(&[("b", "1"), (NEW, "etag x")]));
        let renewed = before.with_addresses_of(&now);
        assert_eq!(renewed, now);
        assert!(renewed.differences(&now).is_empty());
        // Another version, another object, a server that tells no version, another number of archives.
        for (old, new) in [
            (vec![(OLD, "etag x")], vec![(NEW, "etag y")]),
            (vec![(OLD, "etag x")], vec![("http://h/a?page=2", "etag x")]),
            (vec![(OLD, "")], vec![(NEW, "")]),
            (vec![("b", "1")], vec![("b", "1"), (NEW, "etag x")]),
        ] {
            let (before, now) = (plan(&old), plan(&new));
            assert!(!before.with_addresses_of(&now).differences(&now).is_empty(), "{old:?} {new:?}");
        }
    }

    #[test]
    fn differences_tell_no_secrets() {
        let (before, now) = (plan(&[(OLD, ""), ("http://c@h/c", "1")]), plan(&[(NEW, ""), ("http://c@h/c", "2")]));
        let want = ["http://h/a?page=1 is new", "http://h/c has changed", "http://h/a?page=1 is missing"];
        assert_eq!(before.differences(&now), want);
    }

    #[test]
    fn a_plan_with_secrets_is_readable_by_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;

        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::new(dir.path());
        for (location, for_others) in [("http://h/a", true), (OLD, false), ("/a", true)] {
            plan(&[(location, "")]).write(&layout).unwrap();
            let mode = fs::metadata(layout.plan()).unwrap().permissions().mode();
            // What others may do depends on the umask of the user.
            assert!(for_others || mode & 0o777 == 0o600, "{location}: {mode:o}");
            assert_eq!(Plan::read(&layout).unwrap(), plan(&[(location, "")]));
        }
    }
}
