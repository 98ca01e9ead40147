//! Site rules: CSS selectors that say where the text of a site's pages stands, and their metadata.
//!
//! The texts of rules files are parsed into [`SiteRules`]; a wrong file is rejected with its name, the rule and the
//! reason. Nothing is read from disk here, and nothing is matched: `blocks` matches the selectors
//! ([`super::blocks::page_with_rule`]), `clean` applies the matches to the text, `metadata` uses the values.
//!
//! Limits of a single pass: a selector can only depend on what lies before and around an element (no `+`, `~`,
//! `:last-child`, `:has`). Selectors match the tags as written: `p` and `li` without end tags are nested for `>` and
//! `:nth-child`, although their elements end where a browser ends them.

mod parse;
mod selector;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use jiff::civil::Date;
use regex::Regex;

pub use parse::{RuleError, RuleErrorKind};
pub use selector::{MetadataField, Purpose, Selector};

/// One rule: to which pages it applies, and the selectors for them.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Name of the rule in reasons and reports; no two rules have the same.
    pub name: String,
    hosts: Vec<HostPattern>,
    urls: Vec<UrlPattern>,
    from: Option<Date>,
    until: Option<Date>,
    selectors: Vec<Selector>,
}

/// A regular expression for URLs. It is compiled when a page of its hosts is met first: those of a hundred thousand
/// rules would take a gigabyte of memory.
#[derive(Debug, Clone)]
struct UrlPattern {
    /// An expression that compiles.
    written: String,
    compiled: OnceLock<Option<Regex>>,
}

impl UrlPattern {
    /// # Errors
    ///
    /// The reason if the expression does not compile.
    fn new(written: String) -> Result<UrlPattern, (String, regex::Error)> {
        match Regex::new(&written) {
            Ok(_) => Ok(UrlPattern { written, compiled: OnceLock::new() }),
            Err(reason) => Err((written, reason)),
        }
    }

    fn is_match(&self, url: &str) -> bool {
        self.compiled.get_or_init(|| Regex::new(&self.written).ok()).as_ref().is_some_and(|regex| regex.is_match(url))
    }
}

/// The hosts to which a rule applies; names in the form of [`super::url::Site::host`].
#[derive(Debug, Clone, PartialEq, Eq)]
enum HostPattern {
    /// One host.
    Exact(String),
    /// A domain and all hosts below it.
    Below(String),
}

impl Rule {
    /// All selectors of the rule: those of `content`, of `drop`, then of the metadata in the order of
    /// [`MetadataField::ALL`]. [`super::blocks::RuleFindings::matched`] has this order.
    pub fn selectors(&self) -> &[Selector] {
        &self.selectors
    }

    /// Whether one of the `content` selectors matched; `matched` is [`super::blocks::RuleFindings::matched`].
    pub fn content_matched(&self, matched: &[bool]) -> bool {
        self.selectors.iter().zip(matched).any(|(selector, &matched)| matched && selector.purpose == Purpose::Content)
    }

    /// Whether the rule applies to a page of its hosts. An unknown day of capture is in no span of time.
    fn covers(&self, url: &str, captured: Option<Date>) -> bool {
        let since = self.from.is_none_or(|from| captured.is_some_and(|day| from <= day));
        let until = self.until.is_none_or(|until| captured.is_some_and(|day| day <= until));
        since && until && (self.urls.is_empty() || self.urls.iter().any(|pattern| pattern.is_match(url)))
    }
}

/// Bytes of the name of a host at most (RFC 1035), with a final dot.
const LONGEST_HOST: usize = 254;

/// The rules of a job, in the order in which they are tried, indexed by host.
#[derive(Debug, Clone, Default)]
pub struct SiteRules {
    rules: Vec<Rule>,
    exact: HashMap<String, Vec<usize>>,
    below: HashMap<String, Vec<usize>>,
}

impl SiteRules {
    /// Reads the rules of one file.
    pub fn parse(file_name: &str, toml: &str) -> Result<SiteRules, RuleError> {
        SiteRules::read([(file_name, toml)])
    }

    /// Reads the rules of files (name and text): files in the order of their names, rules in the order of the file.
    ///
    /// # Errors
    ///
    /// [`RuleError`] for the first mistake in a file, or for two rules with one name.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<SiteRules, RuleError> {
        let mut files: Vec<(&str, &str)> = files.into_iter().collect();
        files.sort_unstable();
        let mut rules = SiteRules::default();
        let mut names = HashSet::new();
        for (file, text) in files {
            for rule in parse::rules(file, text)? {
                if !names.insert(rule.name.clone()) {
                    return Err(RuleError { place: file.into(), kind: RuleErrorKind::Twice(rule.name) });
                }
                rules.add(rule);
            }
        }
        Ok(rules)
    }

    fn add(&mut self, rule: Rule) {
        let at = self.rules.len();
        for host in &rule.hosts {
            let (index, name) = match host {
                HostPattern::Exact(name) => (&mut self.exact, name),
                HostPattern::Below(name) => (&mut self.below, name),
            };
            index.entry(name.clone()).or_default().push(at);
        }
        self.rules.push(rule);
    }

    /// All rules, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Rule> {
        self.rules.iter()
    }

    /// The first rule that applies to a page.
    ///
    /// * `host`: of the URL, as [`super::url::Site::host`].
    /// * `captured`: the day of capture.
    pub fn choose(&self, url: &str, host: &str, captured: Option<Date>) -> Option<&Rule> {
        if self.rules.is_empty() {
            return None;
        }
        // A longer name is not that of a host; each of its domains would be looked up.
        let named = Some(host).filter(|host| host.len() <= LONGEST_HOST);
        let domains = std::iter::successors(named, |name| name.split_once('.').map(|(_, rest)| rest));
        let below = domains.filter_map(|domain| self.below.get(domain));
        let mut places: Vec<usize> = self.exact.get(host).into_iter().chain(below).flatten().copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| self.rules.get(at)).find(|rule| rule.covers(url, captured))
    }
}

#[cfg(test)]
mod tests;
