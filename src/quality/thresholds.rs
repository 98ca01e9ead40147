//! Thresholds and stop words that replace those of a recipe, for all languages or for one: TOML of our own with numbers or
//! names of quantiles, and the configurations of FineWeb-2 as they are.

use std::collections::BTreeMap;

use fxhash::FxHashSet;
use regex::Regex;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::presets::rule_names;
use super::quantiles::{self, Quantiles};
use crate::language::{self, Language};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_words: Option<Vec<String>>,
    #[serde(flatten)]
    rules: BTreeMap<String, Threshold>,
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

/// Lines at the end of MADLAD-400's list that are regular expressions; those before them are not.
const CURSED_PATTERNS: usize = 4;

/// The section of quantiles.
const QUANTILES: &str = "quantiles";

/// A configuration of FineWeb-2: `configs/LANGUAGE_Script.yml`. Its `language_score` is one of GlotLID and is not used.
#[derive(Debug, Deserialize)]
struct Fineweb2 {
    dup_line_frac: f64,
    top_n_grams: Vec<(u32, f64)>,
    dup_n_grams: Vec<(u32, f64)>,
    line_punct_thr: f64,
    new_line_ratio: f64,
    min_avg_word_length: f64,
    max_avg_word_length: f64,
    max_non_alpha_words_ratio: f64,
    stopwords: Vec<String>,
}

impl Thresholds {
    /// Reads TOML: names of rules with their thresholds, or `false` for a rule that is off, and `stop_words`, for all
    /// languages or in a section of an ISO 639-3 code. A threshold can be the name of a quantile, such as "p95"; section
    /// `quantiles` has their values.
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
                thresholds.quantiles = section.try_into().map_err(|error| format!("`{QUANTILES}`: {error}"))?;
                continue;
            }
            if Language::by_code(&key).is_none() {
                return Err(format!("`{key}` is no language that is identified; see: warcorpus languages"));
            }
            section.into_iter().try_for_each(|(name, value)| thresholds.set(&key, name, value))?;
        }
        thresholds.cursed()?;
        Ok(thresholds)
    }

    fn set(&mut self, language: &str, name: String, value: Value) -> Result<(), String> {
        let own = self.by_language.entry(language.into()).or_default();
        if name == "stop_words" {
            own.stop_words = Some(words(&name, &value)?);
            return Ok(());
        }
        if !rule_names().any(|known| known == name) {
            let nearest = rule_names().min_by_key(|known| strsim::damerau_levenshtein(known, &name));
            return Err(format!("no rule `{name}`; the nearest is `{}`", nearest.unwrap_or_default()));
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

    /// Reads MADLAD-400's list as datamap-rs has it (`madlad400_cursed.txt`): one entry a line, the last four of them regular
    /// expressions.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse_cursed(text: &str) -> Result<Thresholds, String> {
        let mut cursed_substrings: Vec<String> = text.lines().map(String::from).collect();
        let patterns = cursed_substrings.len().checked_sub(CURSED_PATTERNS);
        let cursed_patterns = cursed_substrings.split_off(patterns.ok_or("a list of fewer than four lines")?);
        let cursed = Cursed { cursed_substrings, cursed_patterns };
        let thresholds = Thresholds { cursed, ..Thresholds::default() };
        thresholds.cursed()?;
        Ok(thresholds)
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

    /// Reads a configuration of FineWeb-2; `name` is that of its file. Thresholds of languages that are not identified are
    /// left out.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse_fineweb2(name: &str, text: &str) -> Result<Thresholds, String> {
        let config: Fineweb2 = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
        let code = name.split(['_', '.']).next().unwrap_or_default();
        let code = language::macrolanguage(code);
        let mut thresholds = Thresholds::default();
        if Language::by_code(code).is_none() {
            return Ok(thresholds);
        }
        // 0 switches these off in datatrove.
        let unless_zero = |number: f64| if number == 0.0 { Threshold::Off(false) } else { Threshold::Number(number) };
        let mut rules = vec![
            ("dup_line_frac".to_string(), unless_zero(config.dup_line_frac)),
            ("line_punct_ratio".into(), Threshold::Number(config.line_punct_thr)),
            ("list_ratio".into(), Threshold::Number(config.new_line_ratio)),
            ("gopher_below_avg_threshold".into(), unless_zero(config.min_avg_word_length)),
            ("gopher_above_avg_threshold".into(), unless_zero(config.max_avg_word_length)),
            ("gopher_below_alpha_threshold".into(), unless_zero(config.max_non_alpha_words_ratio)),
        ];
        rules.extend(config.top_n_grams.iter().map(|(n, most)| (format!("top_{n}_gram"), Threshold::Number(*most))));
        let repeated = config.dup_n_grams.iter();
        rules.extend(repeated.map(|(n, most)| (format!("duplicated_{n}_n_grams"), Threshold::Number(*most))));
        let own = Overrides { stop_words: Some(config.stopwords), rules: rules.into_iter().collect() };
        thresholds.by_language.insert(code.into(), own);
        Ok(thresholds)
    }

    /// Adds thresholds; they win over those before.
    pub fn extend(&mut self, later: Thresholds) {
        for (language, overrides) in later.by_language {
            let own = self.by_language.entry(language).or_default();
            own.rules.extend(overrides.rules);
            own.stop_words = overrides.stop_words.or(own.stop_words.take());
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

    /// Checks that the quantiles are there which rules use as thresholds.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(&self, signal_of: impl Fn(&str) -> Option<&'static str>) -> Result<(), String> {
        let rules = self.by_language.values().flat_map(|own| &own.rules);
        for (rule, threshold) in rules {
            let Threshold::Quantile(quantile) = threshold else { continue };
            let Some(signal) = signal_of(rule) else { continue };
            self.quantiles.of(quantiles::ALL, signal, quantile).ok_or_else(|| {
                format!(
                    "`{rule}` = \"{quantile}\" needs quantiles of `{signal}`: warcorpus stats CORPUS --quantiles FILE"
                )
            })?;
        }
        Ok(())
    }

    /// The stop words of the languages for which they are given; those of all others are under the empty name.
    pub fn stop_words(&self) -> BTreeMap<String, FxHashSet<String>> {
        let given = self.by_language.iter().filter_map(|(language, own)| Some((language, own.stop_words.as_ref()?)));
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
                    [quantiles.ces]\ndocuments = 5\n[quantiles.ces.top_2_gram]\np95 = 0.2\n";
        let thresholds = Thresholds::parse(text).unwrap();
        assert_eq!(of(&thresholds, "top_2_gram"), Some(Some(0.2)));
        assert_eq!(thresholds.of("deu", "top_2_gram", "top_2_gram"), Some(Some(0.3)));
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert!(thresholds.check(|_| Some("top_2_gram")).is_ok());
        assert!(thresholds.check(|_| Some("top_3_gram")).unwrap_err().contains("stats CORPUS --quantiles"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "dup_line_frac = 0.35\nlist_ratio = false\n[ces]\nstop_words = [\"v\", \"a\"]\ntop_2_gram = 1\n";
        let thresholds = Thresholds::parse(text).unwrap();
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert_eq!(of(&thresholds, "dup_line_frac"), Some(Some(0.35)));
        assert_eq!(of(&thresholds, "list_ratio"), Some(None));
        assert_eq!(thresholds.of("deu", "top_2_gram", "top_2_gram"), None);
        let stop_words = thresholds.stop_words();
        assert!(stop_words["ces"].contains("v") && stop_words["ces"].len() == 2 && stop_words.len() == 1);
    }

    #[test]
    fn the_list_of_cursed_substrings_is_read() {
        let list = "orem ipsum\n г\\.\n№\n(?i)xx\n[^ ] [^ ]$\n\\|\\s*$\na|b\n";
        let thresholds = Thresholds::parse_cursed(list).unwrap();
        let cursed = thresholds.cursed().unwrap().unwrap();
        for (sentence, found) in [
            ("Lorem ipsum", true),
            ("x г\\.", true),
            ("x г.", false),
            ("tXXt", true),
            ("t t", true),
            ("t t.", false),
            ("c|", true),
            ("c", false),
        ] {
            assert_eq!(cursed.is_match(sentence), found, "{sentence}");
        }
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
        assert!(!thresholds.is_empty());
        for wrong in ["a\nb\nc", "a\n\nb\nc\nd\ne", "a\nb\nc\n(\nd"] {
            assert!(Thresholds::parse_cursed(wrong).is_err(), "{wrong}");
        }
        assert!(Thresholds::parse("cursed_patterns = [3]").unwrap_err().contains("list of words"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("dup_line_fraction = 1", "`dup_line_frac`"),
            ("dup_line_frac = \"much\"", "should be a number"),
            ("[quantiles]\nces = 3", "`quantiles`"),
            ("dup_line_frac = true", "or false"),
            ("[xyz]\ndup_line_frac = 1", "`xyz` is no language"),
            ("stop_words = 3", "list of words"),
            ("dup_line_frac", "expected"),
        ] {
            let error = Thresholds::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn configurations_of_fineweb_2_are_read_as_they_are() {
        let text = "dup_line_frac: 0.333\ndup_n_grams:\n- - 5\n  - 0.193\n- - 6\n  - 0.175\nlanguage_score: 0.88\n\
                    line_punct_thr: 0.125\nmax_avg_word_length: 11\nmax_non_alpha_words_ratio: 0.781\n\
                    min_avg_word_length: 0\nnew_line_ratio: 0.233\nstopwords:\n- v\n- a\ntop_n_grams:\n- - 2\n  - 0.095\n";
        let thresholds = Thresholds::parse_fineweb2("ces_Latn.yml", text).unwrap();
        assert_eq!(of(&thresholds, "dup_line_frac"), Some(Some(0.333)));
        assert_eq!(of(&thresholds, "top_2_gram"), Some(Some(0.095)));
        assert_eq!(of(&thresholds, "duplicated_6_n_grams"), Some(Some(0.175)));
        assert_eq!(of(&thresholds, "gopher_below_avg_threshold"), Some(None));
        assert!(thresholds.stop_words()["ces"].contains("v"));
        assert!(Thresholds::parse_fineweb2("cmn_Hani.yml", text).unwrap().stop_words().contains_key("zho"));
        assert!(Thresholds::parse_fineweb2("xho_Latn.yml", text).is_ok());
        assert!(Thresholds::parse_fineweb2("ces_Latn.yml", "dup_line_frac: [").is_err());
        assert_eq!(Thresholds::parse(&thresholds.to_toml()).unwrap(), thresholds);
    }
}
