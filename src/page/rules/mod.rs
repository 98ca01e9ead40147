//! Rules per site: CSS selectors that say where the text of its pages stands, and their metadata.
//!
//! Contract: the texts of rules files in, [`Rules`] out; what is wrong in one is refused with the file,
//! the rule and the reason. Nothing is read from disk here, nothing is matched.
//!
//! Border: matching is `blocks`' ([`super::blocks::page_by`]), what a ruling means for the text `clean`'s,
//! what a value means for a document `metadata`'s.
//!
//! Limits of a single pass: of a selector only what lies before and around an element can count (no `+`,
//! `~`, `:last-child`, `:has`). Selectors see the tags as written: `p` and `li` without end tags stand
//! inside one another for `>` and `:nth-child`, although what they mark ends where a browser ends it.

mod parse;
mod selector;

use std::collections::HashMap;

use jiff::civil::Date;
use regex::Regex;

pub use parse::{Fault, RuleError};
pub use selector::{Field, Purpose, Selector};

/// What the pages of a site are read by.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What reasons and reports call it; no other rule has the same.
    pub name: String,
    hosts: Vec<Host>,
    urls: Vec<Regex>,
    from: Option<Date>,
    until: Option<Date>,
    selectors: Vec<Selector>,
}

/// Where a rule applies; names as [`super::url::Site::host`] has them.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Host {
    /// This host.
    Exact(String),
    /// This domain and all below.
    Below(String),
}

impl Rule {
    /// All its selectors: those of `content`, of `drop`, then of the metadata in the order of [`Field::ALL`].
    /// [`super::blocks::Ruled::matched`] has this order.
    pub fn selectors(&self) -> &[Selector] {
        &self.selectors
    }

    /// Whether one of the `content` selectors matched, by [`super::blocks::Ruled::matched`].
    pub fn content_matched(&self, matched: &[bool]) -> bool {
        self.selectors.iter().zip(matched).any(|(selector, &matched)| matched && selector.purpose == Purpose::Content)
    }

    /// An unknown day of capture is in no span of time.
    fn covers(&self, url: &str, captured: Option<Date>) -> bool {
        let since = self.from.is_none_or(|from| captured.is_some_and(|day| from <= day));
        let until = self.until.is_none_or(|until| captured.is_some_and(|day| day <= until));
        since && until && (self.urls.is_empty() || self.urls.iter().any(|pattern| pattern.is_match(url)))
    }
}

/// Rules in the order in which they are tried, found by host.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    exact: HashMap<String, Vec<usize>>,
    below: HashMap<String, Vec<usize>>,
}

impl Rules {
    /// The rules of one file.
    pub fn parse(file_name: &str, toml: &str) -> Result<Rules, RuleError> {
        Rules::read([(file_name, toml)])
    }

    /// The rules of files (name and text): files in the order of their names, rules as they stand there.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Rules, RuleError> {
        let mut files: Vec<(&str, &str)> = files.into_iter().collect();
        files.sort_unstable();
        let mut rules = Rules::default();
        for (file, text) in files {
            for rule in parse::rules(file, text)? {
                if rules.iter().any(|other| other.name == rule.name) {
                    return Err(RuleError { place: file.into(), fault: Fault::Twice(rule.name) });
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
                Host::Exact(name) => (&mut self.exact, name),
                Host::Below(name) => (&mut self.below, name),
            };
            index.entry(name.clone()).or_default().push(at);
        }
        self.rules.push(rule);
    }

    /// All rules, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Rule> {
        self.rules.iter()
    }

    /// The first rule for a page.
    ///
    /// * `host`: of the URL, as [`super::url::Site::host`].
    /// * `captured`: the day of capture.
    pub fn choose(&self, url: &str, host: &str, captured: Option<Date>) -> Option<&Rule> {
        if self.rules.is_empty() {
            return None;
        }
        let domains = std::iter::successors(Some(host), |name| name.split_once('.').map(|(_, rest)| rest));
        let below = domains.filter_map(|domain| self.below.get(domain));
        let mut places: Vec<usize> = self.exact.get(host).into_iter().chain(below).flatten().copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| self.rules.get(at)).find(|rule| rule.covers(url, captured))
    }
}

#[cfg(test)]
mod tests;
