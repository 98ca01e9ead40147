//! Loads a configuration from defaults, a job file and `--set`, and compares configurations.

use toml::{Table, Value};

use super::value::{explained, with_type_of};
use super::{
    ArchiveSection, Config, ConfigError, DEFAULTS, NearSection, OutputSection, PlanSection, SelectSection, TextSection,
};
use crate::document::labels::LabelColumn;
use crate::hash::hash64;
use crate::language::Language;
use crate::nearest::nearest;

impl Default for Config {
    fn default() -> Self {
        default_table().try_into().expect("jobs/default.toml is complete; a test reads it")
    }
}

impl Config {
    /// The defaults, overridden by `job` (name and text of a TOML file) and then by `sets` (`key.path=value`).
    ///
    /// # Errors
    /// `ConfigError` for unknown keys, values of the wrong type and values out of range.
    pub fn load(job: Option<(&str, &str)>, sets: &[String]) -> Result<Config, ConfigError> {
        Config::load_for(job, sets, Vec::new())
    }

    /// [`Config::load`] for a corpus to which `annotate` joined columns.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn load_for(
        job: Option<(&str, &str)>,
        sets: &[String],
        labels: Vec<LabelColumn>,
    ) -> Result<Config, ConfigError> {
        let mut table = default_table();
        if let Some((origin, text)) = job {
            let given: Table = toml::from_str(text)
                .map_err(|e| ConfigError::Syntax { origin: origin.into(), message: e.to_string() })?;
            overlay(&mut table, &given, "", origin)?;
        }
        for set in sets {
            overlay(&mut table, &assignment(set)?, "", "--set")?;
        }
        let mut config: Config = table.clone().try_into().map_err(|error| explained(&wrong_key(&table), &error))?;
        config.labels = labels;
        config.name_languages()?;
        config.validate()?;
        Ok(config)
    }

    /// Replaces the names and codes of languages by ISO 639-3 codes.
    fn name_languages(&mut self) -> Result<(), ConfigError> {
        let has_model = !self.language.model.is_empty();
        let keys =
            [("language.keep", &mut self.language.keep), ("emit.tagger_languages", &mut self.emit.tagger_languages)];
        for (key, names) in keys {
            for name in names {
                let found = Language::by_name(name);
                let wrong = |want| ConfigError::OutOfRange { key: key.into(), got: name.clone(), want };
                // A model may know more languages than the table.
                let other = Language::of_letters(name).filter(|_| has_model);
                *name = found.or_else(|want| other.ok_or(want)).map_err(wrong)?.code().into();
            }
        }
        Ok(())
    }

    /// Overrides the selection: `index` unless it is empty, `filter` unless it is absent.
    pub fn selecting(mut self, index: &[String], filter: Option<&str>) -> Result<Config, ConfigError> {
        if !index.is_empty() {
            self.select = SelectSection { index: index.to_vec(), filter: String::new() };
        }
        if let Some(filter) = filter {
            self.select.filter = filter.into();
        }
        self.validate()?;
        Ok(self)
    }

    /// The configuration as TOML with every key and the comments of the defaults.
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

    /// The configuration with all settings that do not affect the output reset to their defaults: how files are read, how
    /// often progress is checkpointed, and the path of the index, whose rows the plan holds.
    pub fn of_output(&self) -> Config {
        let defaults = Config::default();
        let plan = PlanSection { checkpoint_seconds: defaults.plan.checkpoint_seconds, ..self.plan.clone() };
        let select = SelectSection { index: Vec::new(), ..self.select.clone() };
        let archive = ArchiveSection { mmap: defaults.archive.mmap, ..self.archive.clone() };
        Config { archive, plan, select, remote: defaults.remote, ..self.clone() }
    }

    /// [`Config::of_output`] with all settings that only `emit` and `report` read reset to their defaults: names and
    /// form of the output formats, tokens, the tagger, quality, personal data, and whether duplicates are dropped. They may
    /// change when the other stages are done.
    pub fn before_emit(&self) -> Config {
        let defaults = Config::default();
        let output = OutputSection {
            name: defaults.output.name,
            formats: defaults.output.formats,
            gzip_level: defaults.output.gzip_level,
            shard_bytes: defaults.output.shard_bytes,
            tokenizer: defaults.output.tokenizer,
            ..self.output.clone()
        };
        let near = NearSection { action: defaults.near.action, ..self.near.clone() };
        Config {
            output,
            near,
            vertical: defaults.vertical,
            tei: defaults.tei,
            jsonl: defaults.jsonl,
            text: TextSection { format: defaults.text.format, ..self.text },
            parquet: defaults.parquet,
            emit: defaults.emit,
            quality: defaults.quality,
            pii: defaults.pii,
            segments: defaults.segments,
            ..self.of_output()
        }
    }

    /// Hash in hexadecimal of all settings that affect the output.
    pub fn fingerprint(&self) -> String {
        format!("{:016x}", hash64(toml::to_string(&self.of_output()).unwrap_or_default().as_bytes()))
    }

    /// Differences between the settings of the two configurations that affect the output, as
    /// `key: ours instead of theirs`.
    pub fn differences(&self, other: &Config) -> Vec<String> {
        let (ours, theirs) = (flattened(&self.of_output()), flattened(&other.of_output()));
        ours.iter()
            .filter_map(|(key, value)| {
                let before = theirs.iter().find(|(k, _)| k == key).map(|(_, v)| v)?;
                (before != value).then(|| format!("{key}: {value} instead of {before}"))
            })
            .collect()
    }
}

fn default_table() -> Table {
    toml::from_str(DEFAULTS).expect("jobs/default.toml parses; a test reads it")
}

/// Parses `near.threshold=0.8` like a TOML file with that line.
fn assignment(set: &str) -> Result<Table, ConfigError> {
    let syntax = |message: String| ConfigError::Syntax { origin: format!("--set {set}"), message };
    let (key, value) = set.split_once('=').ok_or_else(|| syntax("expected KEY=VALUE".into()))?;
    let (key, value) = (key.trim(), value.trim());
    // TOML wants a digit before the point.
    let is_fraction = value.starts_with('.') && value.parse::<f64>().is_ok();
    let value = if is_fraction { format!("0{value}") } else { value.to_string() };
    let bare = key.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if !bare {
        return Err(syntax(format!("`{key}` is not a key; expected SECTION.KEY=VALUE")));
    }
    // A value that is not valid TOML is read as a string: --set near.keeper=earliest.
    toml::from_str(&format!("{key} = {value}"))
        .or_else(|_| toml::from_str(&format!("{key} = {}", Value::String(value.clone()))))
        .map_err(|e| syntax(e.to_string()))
}

/// Replaces the values of `base` by those of `given`; `prefix` is the path of the table, `origin` names the source in
/// errors.
fn overlay(base: &mut Table, given: &Table, prefix: &str, origin: &str) -> Result<(), ConfigError> {
    for (key, value) in given {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match (base.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(given)) => overlay(inner, given, &path, origin)?,
            (Some(slot), value) => *slot = with_type_of(slot, value, &path, origin)?,
            (None, _) => {
                let nearest = nearest_key(&path, value.is_table());
                return Err(ConfigError::UnknownKey { origin: origin.into(), key: path, nearest });
            }
        }
    }
    Ok(())
}

/// What the writer of an unknown key may have meant: for a section another section, for a key without its section the keys of
/// that name, for any other the key most like it.
fn nearest_key(path: &str, is_table: bool) -> String {
    let keys: Vec<String> = flattened(&Config::default()).into_iter().map(|(key, _)| key).collect();
    if path.contains('.') {
        return nearest(path, keys.iter().map(String::as_str)).into();
    }
    if is_table {
        return nearest(path, default_table().keys().map(String::as_str)).into();
    }
    let name = |key: &str| key.rsplit('.').next().unwrap_or_default().to_string();
    let names: Vec<String> = keys.iter().map(|key| name(key)).collect();
    let meant = nearest(path, names.iter().map(String::as_str));
    let of_name: Vec<&str> = keys.iter().map(String::as_str).filter(|key| name(key) == meant).collect();
    of_name.join("` or `")
}

/// The first key whose value makes a configuration impossible. What `toml` says names the section alone.
fn wrong_key(table: &Table) -> String {
    for (section, values) in table {
        for (key, value) in values.as_table().into_iter().flatten() {
            let mut changed = default_table();
            if let Some(Value::Table(defaults)) = changed.get_mut(section) {
                defaults.insert(key.clone(), value.clone());
            }
            if changed.try_into::<Config>().is_err() {
                return format!("{section}.{key}");
            }
        }
    }
    String::new()
}

/// Whether the text of a saved configuration is complete: it ends as the defaults do.
pub fn is_complete(text: &str) -> bool {
    DEFAULTS.lines().next_back().is_some_and(|end| text.trim_end().ends_with(end))
}

/// All keys as `section.key` with their values as TOML. A value that a configuration leaves out is the default.
fn flattened(config: &Config) -> Vec<(String, String)> {
    let table = Table::try_from(config).expect("a configuration is a table");
    let mut keys = Vec::new();
    for (section, defaults) in &default_table() {
        let values = table.get(section).and_then(Value::as_table);
        for (key, default) in defaults.as_table().into_iter().flatten() {
            let value = values.and_then(|values| values.get(key)).unwrap_or(default);
            keys.push((format!("{section}.{key}"), value.to_string()));
        }
    }
    keys
}

/// Replaces a value and keeps the comments around it.
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
    use crate::config::Keeper;

    #[test]
    fn defaults_are_complete_and_valid() {
        Config::default().validate().unwrap();
        assert_eq!(Config::default().to_commented_toml(), DEFAULTS);
    }

    #[test]
    fn unknown_key_names_the_nearest() {
        let error = Config::load(None, &["near.treshold=0.8".into()]).unwrap_err();
        assert!(error.to_string().contains("`near.threshold`"), "{error}");
        for (set, key, nearest) in [
            ("keep=ces", "keep", "language.keep"),
            ("fromats=tei", "fromats", "output.formats"),
            ("languages.keep=ces", "languages", "language"),
        ] {
            let error = Config::load(None, &[set.into()]).unwrap_err().to_string();
            let told = format!("--set: unknown key `{key}`; the nearest is `{nearest}` ");
            assert!(error.starts_with(&told), "{error}");
        }
        let error = Config::load(None, &["gaps=off".into()]).unwrap_err().to_string();
        assert!(["`tei.gaps`", "`vertical.gaps`", "` or `"].iter().all(|key| error.contains(key)), "{error}");
        for (section, nearest) in [("claen", "clean"), ("langauge", "language"), ("nera", "near")] {
            let error = Config::load(Some(("my.toml", &format!("[{section}]\nx = 1"))), &[]).unwrap_err().to_string();
            let told = format!("my.toml: unknown key `{section}`; the nearest is `{nearest}` ");
            assert!(error.starts_with(&told), "{error}");
        }
    }

    #[test]
    fn sets_win_over_the_job_file() {
        let job = "[near]\nthreshold = 0.6\nshingle = 3";
        let config =
            Config::load(Some(("j", job)), &["near.threshold=1".into(), "near.keeper=earliest".into()]).unwrap();
        assert_eq!((config.near.threshold, config.near.shingle), (1.0, 3));
        assert_eq!(config.near.keeper, Keeper::Earliest);
        assert_eq!(Config::load(None, &["near.threshold=.8".into()]).unwrap().near.threshold, 0.8);
        for keep in ["language.keep=[\"ces\", \"slk\"]", "language.keep=ces,slk", "language.keep = \"Czech, sk\""] {
            assert_eq!(Config::load(None, &[keep.into()]).unwrap().language.keep, ["ces", "slk"], "{keep}");
        }
        for shard in ["plan.shard_bytes=64M", "plan.shard_bytes=67108864"] {
            assert_eq!(Config::load(None, &[shard.into()]).unwrap().plan.shard_bytes, 64 << 20, "{shard}");
        }
    }

    #[test]
    fn wrong_types_and_ranges_are_refused() {
        for (set, part) in [
            ("near.threshold=high", "should be a number"),
            ("near.threshold=1.5", "0.05 to 1"),
            ("near.bands=20", "or neither"),
            ("near={bands=1000000000, rows=1000}", "at most 4096"),
            (
                "near.keeper=newest",
                "`near.keeper` = newest: one of longest, earliest, latest, cleanest, first; the nearest is latest",
            ),
            ("near.permutations=-1", "`near.permutations` = -1: a whole number, not below 0"),
            ("output.formats=pdf", "`output.formats` = pdf: one of vertical, tei, conllu, jsonl, text, parquet"),
            ("plan.shard_bytes=64X", "expected a number with K, M, G or T"),
            ("language.keep=lad", "`lad` is not among the languages that are identified"),
            ("language.identifier=cld3", "\"table\" or \"lingua\""),
            ("output.name=my corpus", "Manatee"),
            ("near", "expected KEY=VALUE"),
            ("quality.model=[{name=\"URL\", path=\"a\", label=\"b\"}]", "lower-case ASCII"),
            ("quality.model=[{name=\"n_words\", path=\"a\", label=\"b\"}]", "no column, field or attribute"),
            ("quality.model=[{name=\"edu\", path=\"a\", lable=\"b\"}]", "the nearest is label"),
            ("quality.model=[{name=\"edu\", path=\"a\", label=\"b\", threshold=2.0}]", "must be 0 to 1"),
        ] {
            let error = Config::load(None, &[set.into()]).unwrap_err().to_string();
            assert!(error.contains(part), "{set}: {error}");
        }
    }

    #[test]
    fn the_identifier_of_languages_is_named_only_where_it_is_not_the_table() {
        let written = toml::to_string(&Config::default()).unwrap();
        assert!(!written.contains("identifier"), "{written}");
        assert_eq!(toml::from_str::<Config>(&written).unwrap(), Config::default());
        let lingua = Config::load(None, &["language.identifier=lingua".into()]);
        if cfg!(feature = "lingua") {
            let different = ["language.identifier: \"lingua\" instead of \"table\""];
            assert_eq!(lingua.unwrap().differences(&Config::default()), different);
        } else {
            let error = lingua.unwrap_err().to_string();
            assert!(error.contains("--features lingua"), "{error}");
        }
    }

    #[test]
    fn models_are_sections_of_a_list_and_are_written_as_they_are_read() {
        let job = "[[quality.model]]\nname = \"edu\"\npath = \"m.bin\"\nlabel = \"hq\"\nthreshold = 0.5\n\
                   [[quality.model]]\nname = \"adult\"\npath = \"n.ftz\"\nlabel = \"no\"\nnewline = \"\"\n\
                   [language]\nmodel = \"lid.bin\"\nkeep = [\"lad\", \"cs\"]\n";
        let config = Config::load(Some(("j", job)), &[]).unwrap();
        let [edu, adult] = config.quality.model.as_slice() else { panic!("two models") };
        assert_eq!((edu.threshold, edu.newline.as_str(), adult.newline.as_str()), (Some(0.5), " ", ""));
        assert_eq!(config.language.keep, ["lad", "ces"]);
        let written = config.to_commented_toml();
        assert_eq!(Config::load(Some(("j", &written)), &[]).unwrap(), config, "{written}");
        assert!(Config::load(None, &["language.keep=lad".into()]).is_err());
    }

    #[test]
    fn differences_name_the_keys() {
        let other = Config::load(None, &["near.shingle=3".into()]).unwrap();
        assert_eq!(other.differences(&Config::default()), ["near.shingle: 3 instead of 5"]);
        let other = Config::load(None, &["archive.resync=members".into(), "archive.mmap=false".into()]).unwrap();
        let different = ["archive.resync: \"members\" instead of \"all\""];
        assert_eq!(other.before_emit().differences(&Config::default().before_emit()), different);
        let other = Config::load(None, &["text.mojibake=leave".into(), "text.lines=documents".into()]).unwrap();
        let different = ["text.mojibake: \"leave\" instead of \"fix\""];
        assert_eq!(other.before_emit().differences(&Config::default().before_emit()), different);
    }
}
