//! Thresholds and stop words that replace those of a recipe, for all languages or for one: TOML of our own with numbers or
//! names of quantiles, and the configurations of FineWeb-2 as they are.

mod files;
mod unused;

use std::collections::BTreeMap;

use fxhash::FxHashSet;
use regex::Regex;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::presets::rule_names;
use super::quantiles::{self, Quantiles};
use crate::language::Language;
use crate::nearest::nearest;
use crate::text::printable;

pub use files::Files;

/// Names in a line of the log.
const MOST_NAMED: usize = 20;

/// Thresholds by language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Thresholds {
    /// Those of all languages are under the empty name.
    by_language: BTreeMap<String, Overrides>,
    quantiles: Quantiles,
    cursed: Cursed,
}

/// What no sound sentence has: MADLAD-400's list.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Cursed {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cursed_substrings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cursed_patterns: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Overrides {
    #[serde(flatten)]
    lists: BTreeMap<WordList, Vec<String>>,
    #[serde(flatten)]
    rules: BTreeMap<String, Threshold>,
}

/// A list of words of a language, by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordList {
    /// The stop words that Gopher's rules count.
    StopWords,
    /// The stop words of RedPajama.
    RpsStopWords,
    /// The words and phrases of LDNOOBW.
    #[serde(rename = "ldnoobw_words")]
    Ldnoobw,
}

/// The threshold of a rule, or `false` for a rule that is off.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Threshold {
    Number(f64),
    /// The name of a quantile of the signal that the rule looks at.
    Quantile(String),
    Off(bool),
}

/// The section of quantiles.
const QUANTILES: &str = "quantiles";

impl Thresholds {
    /// Reads TOML: names of rules with their thresholds, or `false` for a rule that is off, and lists of words, such as
    /// `stop_words`, for all languages or in a section of one language. A threshold can be the name of a quantile, such
    /// as "p95"; section `quantiles` has their values.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse(text: &str) -> Result<Thresholds, String> {
        let table: Table = toml::from_str(text).map_err(|error| error.message().to_string())?;
        let mut thresholds = Thresholds::default();
        for (key, value) in table {
            if let Some(list) = thresholds.cursed.list(&key) {
                *list = words(&key, &value)?;
                continue;
            }
            let Value::Table(section) = value else {
                thresholds.set("", key, value)?;
                continue;
            };
            if key == QUANTILES {
                let quantiles = section.try_into::<Quantiles>().map_err(|error| format!("`{QUANTILES}`: {error}"))?;
                thresholds.quantiles = quantiles.with_codes();
                continue;
            }
            let language = Language::by_name(&key)?.code();
            section.into_iter().try_for_each(|(name, value)| thresholds.set(language, name, value))?;
        }
        thresholds.cursed()?;
        Ok(thresholds)
    }

    fn set(&mut self, language: &str, name: String, value: Value) -> Result<(), String> {
        let own = self.by_language.entry(language.into()).or_default();
        if let Ok(list) = WordList::deserialize(Value::from(name.as_str())) {
            own.lists.insert(list, words(&name, &value)?);
            return Ok(());
        }
        if !rule_names().any(|known| known == name) {
            return Err(format!("no rule `{name}`; the nearest is `{}`", nearest(&name, rule_names())));
        }
        let threshold = match value {
            Value::Float(number) if number.is_finite() => Threshold::Number(number),
            Value::Integer(number) => Threshold::Number(number as f64),
            Value::Boolean(false) => Threshold::Off(false),
            Value::String(quantile) if quantiles::is_name(&quantile) => Threshold::Quantile(quantile),
            other => {
                return Err(format!("`{name}` = {other} should be a number, a quantile such as \"p95\", or false"));
            }
        };
        own.rules.insert(name, threshold);
        Ok(())
    }

    /// An expression that finds what MADLAD-400's list has, if there is one.
    ///
    /// # Errors
    /// What is wrong with the list.
    pub fn cursed(&self) -> Result<Option<Regex>, String> {
        let Cursed { cursed_substrings, cursed_patterns } = &self.cursed;
        if cursed_substrings.iter().chain(cursed_patterns).any(String::is_empty) {
            return Err("an empty entry in a list of cursed substrings is in every sentence".into());
        }
        let patterns = cursed_patterns.iter().map(|pattern| format!("(?:{pattern})"));
        let all: Vec<String> = cursed_substrings.iter().map(|part| regex::escape(part)).chain(patterns).collect();
        if all.is_empty() {
            return Ok(None);
        }
        Regex::new(&all.join("|")).map(Some).map_err(|error| error.to_string())
    }

    /// Adds thresholds; they win over those before.
    pub fn extend(&mut self, later: Thresholds) {
        for (language, overrides) in later.by_language {
            let own = self.by_language.entry(language).or_default();
            own.rules.extend(overrides.rules);
            own.lists.extend(overrides.lists);
        }
        self.quantiles.extend(later.quantiles);
        if later.cursed != Cursed::default() {
            self.cursed = later.cursed;
        }
    }

    pub fn is_empty(&self) -> bool {
        self.by_language.is_empty() && self.quantiles.is_empty() && self.cursed == Cursed::default()
    }

    /// Quantiles of signals.
    pub fn quantiles(&self) -> &Quantiles {
        &self.quantiles
    }

    /// The threshold of a rule about a signal, for a language: `None` if it is that of the recipe, `Some(None)` if the rule
    /// is off.
    pub fn of(&self, language: &str, rule: &str, signal: &str) -> Option<Option<f64>> {
        let own = |language| self.by_language.get(language).and_then(|own| own.rules.get(rule));
        own(language).or_else(|| own("")).map(|threshold| match threshold {
            Threshold::Number(number) => Some(*number),
            Threshold::Quantile(quantile) => self.quantiles.of(language, signal, quantile),
            Threshold::Off(_) => None,
        })
    }

    /// What must be set so that a signal has values, if it is about a list that is not given.
    pub fn missing_list(&self, signal: &str) -> Option<&'static str> {
        let has = |list| self.by_language.values().any(|own| own.lists.contains_key(&list));
        match signal {
            "rps_doc_stop_word_fraction" if !has(WordList::RpsStopWords) => {
                Some("quality.thresholds = [\"stopwords-all.json\"], from https://github.com/6/stopwords-json")
            }
            "rps_doc_ldnoobw_words" if !has(WordList::Ldnoobw) => Some(
                "quality.thresholds = [\"en\"], a file of \
                 https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
            ),
            "madlad_cursed" if self.cursed == Cursed::default() => Some(
                "quality.thresholds = [\"madlad400_cursed.txt\"], unpacked from banlists of https://github.com/allenai/datamap-rs",
            ),
            _ => None,
        }
    }

    /// Checks that the quantiles are there which rules use as thresholds.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(&self, signal_of: impl Fn(&str) -> Option<&'static str>) -> Result<(), String> {
        let rules =
            self.by_language.iter().flat_map(|(language, own)| own.rules.iter().map(move |rule| (language, rule)));
        for (language, (rule, threshold)) in rules {
            let Threshold::Quantile(quantile) = threshold else { continue };
            let Some(signal) = signal_of(rule) else { continue };
            self.quantiles.of(language, signal, quantile).ok_or_else(|| {
                format!(
                    "`{rule}` = \"{quantile}\" needs quantiles of `{signal}`: warcorpus stats CORPUS --quantiles FILE"
                )
            })?;
        }
        Ok(())
    }

    /// A list of the languages for which it is given; that of all others is under the empty name.
    pub fn words(&self, list: WordList) -> BTreeMap<String, FxHashSet<String>> {
        let given = self.by_language.iter().filter_map(|(language, own)| Some((language, own.lists.get(&list)?)));
        given.map(|(language, words)| (language.clone(), words.iter().cloned().collect())).collect()
    }

    /// As TOML that [`Thresholds::parse`] reads.
    pub fn to_toml(&self) -> String {
        let mut table = Table::try_from(&self.cursed).unwrap_or_default();
        if let Some(section) = Table::try_from(&self.quantiles).ok().filter(|section| !section.is_empty()) {
            table.insert(QUANTILES.into(), Value::Table(section));
        }
        for (language, own) in &self.by_language {
            let Ok(section) = Table::try_from(own) else { continue };
            if language.is_empty() {
                table.extend(section);
            } else {
                table.insert(language.clone(), Value::Table(section));
            }
        }
        table.to_string()
    }
}

impl Cursed {
    /// The list of a key.
    fn list(&mut self, key: &str) -> Option<&mut Vec<String>> {
        match key {
            "cursed_substrings" => Some(&mut self.cursed_substrings),
            "cursed_patterns" => Some(&mut self.cursed_patterns),
            _ => None,
        }
    }
}

/// Names for a line of the log.
fn listed(names: &[impl AsRef<str>]) -> String {
    let first = names.iter().take(MOST_NAMED).map(|name| printable(name.as_ref())).collect::<Vec<_>>().join(", ");
    let more = if names.len() > MOST_NAMED { ", …" } else { "" };
    format!("{first}{more} ({})", names.len())
}

fn words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let words = value.as_array().and_then(|words| words.iter().map(|word| word.as_str().map(String::from)).collect());
    words.ok_or_else(|| format!("`{key}` is a list of words"))
}

impl From<Quantiles> for Thresholds {
    fn from(quantiles: Quantiles) -> Thresholds {
        Thresholds { quantiles, ..Thresholds::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(thresholds: &Thresholds, rule: &str) -> Option<Option<f64>> {
        thresholds.of("ces", rule, rule)
    }

    #[test]
    fn a_threshold_can_be_a_quantile() {
        let text = "top_2_gram = \"p95\"\n[quantiles.all.top_2_gram]\np95 = 0.3\n[quantiles.all]\ndocuments = 7\n\
                    [quantiles.Czech]\ndocuments = 5\n[quantiles.Czech.top_2_gram]\np95 = 0.2\n";
        let thresholds = Thresholds::parse(text).unwrap();
        assert_eq!(of(&thresholds, "top_2_gram"), Some(Some(0.2)));
        assert_eq!(thresholds.of("deu", "top_2_gram", "top_2_gram"), Some(Some(0.3)));
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert!(thresholds.check(|_| Some("top_2_gram")).is_ok());
        assert!(thresholds.check(|_| Some("top_3_gram")).unwrap_err().contains("stats CORPUS --quantiles"));
        // A rule for one language needs the quantiles of that one.
        let of_language = |rule: &str| {
            let text = format!(
                "[{rule}]\ntop_2_gram = \"p95\"\n[quantiles.Czech]\ndocuments = 5\n\
                 [quantiles.Czech.top_2_gram]\np95 = 0.2\n"
            );
            Thresholds::parse(&text).unwrap().check(|_| Some("top_2_gram")).is_ok()
        };
        assert!(of_language("ces") && !of_language("deu"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "dup_line_frac = 0.35\nlist_ratio = false\n[ces]\nstop_words = [\"v\", \"a\"]\ntop_2_gram = 1\n\
            rps_stop_words = [\"na\"]\nldnoobw_words = [\"slovo\"]\n";
        let thresholds = Thresholds::parse(text).unwrap();
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert_eq!(of(&thresholds, "dup_line_frac"), Some(Some(0.35)));
        assert_eq!(of(&thresholds, "list_ratio"), Some(None));
        assert_eq!(thresholds.of("deu", "top_2_gram", "top_2_gram"), None);
        let stop_words = thresholds.words(WordList::StopWords);
        assert!(stop_words["ces"].contains("v") && stop_words["ces"].len() == 2 && stop_words.len() == 1);
        let others = [WordList::RpsStopWords, WordList::Ldnoobw].map(|list| thresholds.words(list));
        assert!(others[0]["ces"].contains("na") && others[1]["ces"].contains("slovo"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("dup_line_fraction = 1", "`dup_line_frac`"),
            ("dup_line_frac = \"much\"", "should be a number"),
            ("[quantiles]\nces = 3", "`quantiles`"),
            ("dup_line_frac = true", "or false"),
            ("[xyz]\ndup_line_frac = 1", "`xyz` is not among the languages"),
            ("stop_words = 3", "list of words"),
            ("dup_line_frac", "expected"),
        ] {
            let error = Thresholds::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
