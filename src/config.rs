//! What a job is asked to do. Every setting, its default and its meaning stand in
//! `jobs/default.toml`; a job file and `--set` replace values there, and an unknown key is refused
//! with the nearest one that exists.

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::clean::justext::Params;
use crate::dedup::bands::Banding;
use crate::dedup::method;
use crate::dedup::minhash::Family;
use crate::dedup::overlap::Smoothing;
use crate::dedup::sites;
use crate::dedup::verify::Verify;
use crate::hash::hash64;
use crate::store::remote::Settings;
use crate::text::units::Unit;

/// The commented defaults, as `warcorpus config` prints them.
pub const DEFAULTS: &str = include_str!("../jobs/default.toml");

/// A complete configuration. Construct with [`Config::load`] or `default()`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub plan: Plan,
    pub archive: Archive,
    pub remote: Remote,
    pub select: Select,
    pub page: Page,
    pub clean: Clean,
    pub language: Language,
    pub sites: Sites,
    pub near: Near,
    pub containment: Containment,
    pub overlap: Overlap,
    pub output: Output,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub shard_bytes: u64,
    pub checkpoint_seconds: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Archive {
    pub mmap: bool,
    pub max_block: u64,
    pub max_payload: u64,
    pub max_ratio: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remote {
    pub prefix: String,
    #[serde(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Select {
    pub index: Vec<String>,
    #[serde(rename = "where")]
    pub filter: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub plain_text: bool,
    pub max_memory: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clean {
    pub cleaner: Cleaner,
    pub block_tags: BlockTags,
    pub compat: bool,
    pub stoplist: String,
    /// Its thresholds, keys of the same section.
    #[serde(flatten)]
    pub justext: Params,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cleaner {
    Justext,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockTags {
    Html5,
    Justext,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Language {
    pub keep: Vec<String>,
    pub document_sample: usize,
    pub paragraph_sample: usize,
    pub min_letters: usize,
    pub min_confidence: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sites {
    pub enabled: bool,
    /// Its thresholds, keys of the same section.
    #[serde(flatten)]
    pub rules: sites::Settings,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Near {
    pub enabled: bool,
    pub method: method::Kind,
    pub unit: Unit,
    pub shingle: usize,
    pub threshold: f64,
    pub verify: Verify,
    pub family: Family,
    pub permutations: usize,
    pub recall: f64,
    pub bands: usize,
    pub rows: usize,
    pub keeper: Keeper,
    pub max_star: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Containment {
    pub enabled: bool,
    pub threshold: f64,
    pub scale: u64,
    pub drop: bool,
}

/// Which document of a cluster of duplicates stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keeper {
    Longest,
    Earliest,
    Latest,
    Cleanest,
    First,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    pub enabled: bool,
    pub unit: OverlapUnit,
    pub ngram: usize,
    pub level: Level,
    pub threshold: f64,
    pub smoothing: Smoothing,
    pub max_stub: u32,
    pub action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverlapUnit {
    Ngram,
    Sentence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Paragraph,
    Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Drop,
    Mark,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    pub name: String,
    pub zstd_level: i32,
    pub row_group_rows: usize,
    pub vertical: bool,
    pub gzip_level: u32,
}

impl Near {
    /// Whether words are counted over the whole collection first.
    pub fn needs_statistics(&self) -> bool {
        self.enabled && method::method(self.method, self.banding()).needs_statistics()
    }

    /// The banding that is asked for.
    pub fn banding(&self) -> Banding {
        match (self.bands, self.rows) {
            (0, 0) => Banding::choose(self.permutations, self.threshold, self.recall),
            (bands, rows) => Banding { bands, rows },
        }
    }
}

impl Overlap {
    /// Words up to which a document goes even if all of it is new.
    pub fn longest_stub(&self) -> Option<u32> {
        let stubs = matches!(self.smoothing, Smoothing::Stub | Smoothing::Both) && self.action == Action::Drop;
        stubs.then_some(self.max_stub)
    }
}

/// Why a configuration is refused, before any work starts.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ConfigError {
    #[error("{origin}: unknown key `{key}`; the nearest is `{nearest}` (all keys: warcorpus config)")]
    UnknownKey { origin: String, key: String, nearest: String },
    #[error("{origin}: `{key}` = {got} should be {want}, as in `{key} = {default}`")]
    WrongType { origin: String, key: String, got: String, want: &'static str, default: String },
    #[error("{origin}: {message}")]
    Syntax { origin: String, message: String },
    #[error("`{key}` = {got}: {want}")]
    OutOfRange { key: &'static str, got: String, want: String },
}

impl Default for Config {
    fn default() -> Self {
        toml::from_str(DEFAULTS).expect("jobs/default.toml is complete; a test reads it")
    }
}

impl Config {
    /// The defaults, replaced by `job` (name and text of a TOML file) and then by `sets` (`key.path=value`).
    pub fn load(job: Option<(&str, &str)>, sets: &[String]) -> Result<Config, ConfigError> {
        let mut table = default_table();
        if let Some((origin, text)) = job {
            let given: Table = toml::from_str(text)
                .map_err(|e| ConfigError::Syntax { origin: origin.into(), message: e.to_string() })?;
            overlay(&mut table, &given, "", origin)?;
        }
        for set in sets {
            overlay(&mut table, &assignment(set)?, "", "--set")?;
        }
        let config: Config = table
            .try_into()
            .map_err(|e| ConfigError::Syntax { origin: "configuration".into(), message: e.to_string() })?;
        config.validate()?;
        Ok(config)
    }

    /// With another selection: `index` if there is one, `filter` if it is said.
    pub fn selecting(mut self, index: &[String], filter: Option<&str>) -> Result<Config, ConfigError> {
        if !index.is_empty() {
            self.select = Select { index: index.to_vec(), filter: String::new() };
        }
        if let Some(filter) = filter {
            self.select.filter = filter.into();
        }
        self.validate()?;
        Ok(self)
    }

    /// As TOML with every key, commented as the defaults are.
    pub fn to_commented_toml(&self) -> String {
        let mut document: toml_edit::DocumentMut = DEFAULTS.parse().expect("jobs/default.toml parses; a test reads it");
        let values = Table::try_from(self).expect("a configuration is a table");
        for (section, keys) in values {
            for (key, value) in keys.as_table().cloned().unwrap_or_default() {
                let item = document.get_mut(&section).and_then(|section| section.get_mut(&key));
                item.into_iter().for_each(|item| replace(item, &value));
            }
        }
        document.to_string()
    }

    /// Without what has no influence on the output: how files are read, when work is set down, and how
    /// an index is spelled whose rows the plan knows.
    pub fn of_output(&self) -> Config {
        let defaults = Config::default();
        let archive = Archive { mmap: defaults.archive.mmap, ..self.archive.clone() };
        let plan = Plan { checkpoint_seconds: defaults.plan.checkpoint_seconds, ..self.plan.clone() };
        let select = Select { index: Vec::new(), ..self.select.clone() };
        Config { archive, plan, select, remote: defaults.remote, ..self.clone() }
    }

    /// Hash of [`Config::of_output`], in hexadecimal.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", hash64(toml::to_string(&self.of_output()).unwrap_or_default().as_bytes()))
    }

    /// Keys whose values differ and matter, as `key: ours instead of theirs`.
    pub fn differences(&self, other: &Config) -> Vec<String> {
        let (ours, theirs) = (flat(&self.of_output()), flat(&other.of_output()));
        ours.iter()
            .filter_map(|(key, value)| {
                let before = theirs.iter().find(|(k, _)| k == key).map(|(_, v)| v)?;
                (before != value).then(|| format!("{key}: {value} instead of {before}"))
            })
            .collect()
    }

    fn validate(&self) -> Result<(), ConfigError> {
        let near = &self.near;
        check("near.threshold", near.threshold, (0.05..=1.0).contains(&near.threshold), "0.05 to 1")?;
        check("near.recall", near.recall, (0.0..1.0).contains(&near.recall), "at least 0, below 1")?;
        check("near.shingle", near.shingle, (1..=50).contains(&near.shingle), "1 to 50 words")?;
        check("near.permutations", near.permutations, (1..=1024).contains(&near.permutations), "1 to 1024")?;
        let both = (near.bands == 0) == (near.rows == 0);
        check("near.bands", near.bands, both, "set both near.bands and near.rows, or neither")?;
        let minima = near.bands.saturating_mul(near.rows);
        check("near.rows", near.rows, minima <= 4096, "near.bands × near.rows at most 4096")?;
        check("near.max_star", near.max_star, (0.0..=1.0).contains(&near.max_star), "0 to 1")?;
        let containment = &self.containment;
        let threshold = (0.05..=1.0).contains(&containment.threshold);
        check("containment.threshold", containment.threshold, threshold, "0.05 to 1")?;
        let drops = !containment.drop || containment.enabled && near.enabled;
        check("containment.drop", containment.drop, drops, "needs containment.enabled and near.enabled")?;
        check("containment.scale", containment.scale, containment.scale >= 1, "at least 1")?;
        let sites = &self.sites.rules;
        for (key, share) in [
            ("sites.share_short", sites.share_short),
            ("sites.share_medium", sites.share_medium),
            ("sites.share_long", sites.share_long),
        ] {
            check(key, share, (0.0..=1.0).contains(&share), "0 to 1")?;
        }
        let overlap = &self.overlap;
        check("overlap.ngram", overlap.ngram, (1..=50).contains(&overlap.ngram), "1 to 50 words")?;
        check("overlap.threshold", overlap.threshold, (0.0..=1.0).contains(&overlap.threshold), "0 to 1")?;
        let language = &self.language;
        let confidence = (0.0..=1.0).contains(&language.min_confidence);
        check("language.min_confidence", language.min_confidence, confidence, "0 to 1")?;
        check("language.document_sample", language.document_sample, language.document_sample >= 20, "at least 20")?;
        check("language.paragraph_sample", language.paragraph_sample, language.paragraph_sample >= 20, "at least 20")?;
        for code in &language.keep {
            let known = crate::language::known_codes();
            let ok = known.contains(&code.as_str());
            let nearest = nearest(code, known.iter().copied());
            check(
                "language.keep",
                code,
                ok,
                &format!("no such language; the nearest ISO 639-3 code is \"{nearest}\""),
            )?;
        }
        if !["auto", "own", "all", "none"].contains(&self.clean.stoplist.as_str())
            && crate::clean::stoplist::Stoplist::by_name(&self.clean.stoplist).is_none()
        {
            let want = nearest(&self.clean.stoplist, crate::clean::stoplist::Stoplist::names());
            check("clean.stoplist", &self.clean.stoplist, false, &format!("no such list; the nearest is \"{want}\""))?;
        }
        let output = &self.output;
        let mut chars = output.name.chars();
        let name = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        check("output.name", &output.name, name, "ASCII letters, digits and _, not a digit first (Manatee's rule)")?;
        check("output.zstd_level", output.zstd_level, (1..=22).contains(&output.zstd_level), "1 to 22")?;
        check("output.gzip_level", output.gzip_level, output.gzip_level <= 9, "0 to 9")?;
        check("output.row_group_rows", output.row_group_rows, output.row_group_rows >= 1, "at least 1")?;
        check("archive.max_block", self.archive.max_block, self.archive.max_block >= 1024, "at least 1024 bytes")?;
        let index = !self.select.index.is_empty() || self.select.filter.is_empty();
        check("select.where", &self.select.filter, index, "an index to apply it to: select.index, or --select")?;
        let shard = self.plan.shard_bytes;
        check("plan.shard_bytes", shard, shard == 0 || shard >= 1024, "0 or at least 1024")
    }
}

fn check(key: &'static str, got: impl std::fmt::Display, ok: bool, want: &str) -> Result<(), ConfigError> {
    if ok {
        return Ok(());
    }
    Err(ConfigError::OutOfRange { key, got: got.to_string(), want: want.to_string() })
}

fn default_table() -> Table {
    toml::from_str(DEFAULTS).expect("jobs/default.toml parses; a test reads it")
}

/// `near.threshold=0.8` as the table that a file with that line would be.
fn assignment(set: &str) -> Result<Table, ConfigError> {
    let syntax = |message: String| ConfigError::Syntax { origin: format!("--set {set}"), message };
    let (key, value) = set.split_once('=').ok_or_else(|| syntax("expected KEY=VALUE".into()))?;
    let (key, value) = (key.trim(), value.trim());
    let bare = key.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if !bare {
        return Err(syntax(format!("`{key}` is no key")));
    }
    // A value that is no TOML is meant as a string: --set near.keeper=earliest.
    toml::from_str(&format!("{key} = {value}"))
        .or_else(|_| toml::from_str(&format!("{key} = {}", Value::String(value.into()))))
        .map_err(|e| syntax(e.to_string()))
}

fn overlay(base: &mut Table, given: &Table, prefix: &str, origin: &str) -> Result<(), ConfigError> {
    for (key, value) in given {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match (base.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(given)) => overlay(inner, given, &path, origin)?,
            (Some(slot), value) => *slot = fitting(slot, value, &path, origin)?,
            (None, _) => {
                let nearest = nearest_key(&path);
                return Err(ConfigError::UnknownKey { origin: origin.into(), key: path, nearest });
            }
        }
    }
    Ok(())
}

fn fitting(default: &Value, given: &Value, key: &str, origin: &str) -> Result<Value, ConfigError> {
    match (default, given) {
        (Value::Float(_), Value::Integer(i)) => Ok(Value::Float(*i as f64)),
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => Ok(given.clone()),
        _ => Err(ConfigError::WrongType {
            origin: origin.into(),
            key: key.into(),
            got: given.to_string(),
            want: kind(default),
            default: default.to_string(),
        }),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
        _ => "a string",
    }
}

fn nearest_key(path: &str) -> String {
    let keys: Vec<String> = flat(&Config::default()).into_iter().map(|(key, _)| key).collect();
    nearest(path, keys.iter().map(String::as_str))
}

fn nearest<'a>(wrong: &str, all: impl IntoIterator<Item = &'a str>) -> String {
    all.into_iter().min_by_key(|right| strsim::damerau_levenshtein(wrong, right)).unwrap_or_default().to_string()
}

fn flat(config: &Config) -> Vec<(String, String)> {
    let table = Table::try_from(config).expect("a configuration is a table");
    let mut keys = Vec::new();
    for (section, values) in &table {
        for (key, value) in values.as_table().into_iter().flatten() {
            keys.push((format!("{section}.{key}"), value.to_string()));
        }
    }
    keys
}

/// Replaces a value and keeps the comments that stand around it.
fn replace(item: &mut toml_edit::Item, value: &Value) {
    let Some(old) = item.as_value_mut() else { return };
    let decor = old.decor().clone();
    if let Ok(mut new) = value.to_string().parse::<toml_edit::Value>() {
        *new.decor_mut() = decor;
        *old = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_complete_and_valid() {
        Config::default().validate().unwrap();
        assert_eq!(Config::default().to_commented_toml(), DEFAULTS);
    }

    #[test]
    fn unknown_key_names_the_nearest() {
        let error = Config::load(None, &["near.treshold=0.8".into()]).unwrap_err();
        assert!(error.to_string().contains("`near.threshold`"), "{error}");
        let error = Config::load(Some(("my.toml", "[claen]\ncleaner = \"justext\"")), &[]).unwrap_err();
        assert!(error.to_string().starts_with("my.toml: unknown key `claen`"), "{error}");
    }

    #[test]
    fn sets_win_over_the_job_file() {
        let job = "[near]\nthreshold = 0.6\nshingle = 3";
        let config =
            Config::load(Some(("j", job)), &["near.threshold=1".into(), "near.keeper=earliest".into()]).unwrap();
        assert_eq!((config.near.threshold, config.near.shingle), (1.0, 3));
        assert_eq!(config.near.keeper, Keeper::Earliest);
        let config = Config::load(None, &["language.keep=[\"ces\"]".into()]).unwrap();
        assert_eq!(config.language.keep, ["ces"]);
    }

    #[test]
    fn wrong_types_and_ranges_are_refused() {
        for (set, part) in [
            ("near.threshold=high", "should be a number"),
            ("near.threshold=1.5", "0.05 to 1"),
            ("near.bands=20", "or neither"),
            ("near={bands=1000000000, rows=1000}", "at most 4096"),
            ("near.keeper=best", "unknown variant"),
            ("language.keep=[\"cze\"]", "nearest ISO 639-3"),
            ("output.name=my corpus", "Manatee"),
            ("near", "expected KEY=VALUE"),
        ] {
            let error = Config::load(None, &[set.into()]).unwrap_err().to_string();
            assert!(error.contains(part), "{set}: {error}");
        }
    }

    #[test]
    fn differences_name_the_keys() {
        let other = Config::load(None, &["near.shingle=3".into()]).unwrap();
        assert_eq!(other.differences(&Config::default()), ["near.shingle: 3 instead of 5"]);
    }
}
