//! What tasks count. Every record read ends in exactly one outcome, and the sums must agree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::emit::{CountsByFormat, add_counts};
use crate::error::{Error, Result};
use crate::page::rules::{Rule, SiteRules};

/// Counts of one task, or of many added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Records read from archives.
    pub records: u64,
    /// Records that became a document (a row in the tables).
    pub pages: u64,
    /// Paragraphs of these documents.
    pub page_paragraphs: u64,
    /// Records that did not, by reason.
    pub no_page: Counts,
    /// Documents by what became of them in the end: `kept` or the reason.
    pub documents: Counts,
    /// Paragraphs likewise.
    pub paragraphs: Counts,
    /// Stretches of archives that could not be read, by reason, and their bytes.
    pub damage: Counts,
    pub damaged_bytes: u64,
    /// Oddities of records and pages that were read all the same.
    pub faults: Counts,
    /// Kept documents and words by language.
    pub languages: BTreeMap<String, Size>,
    /// What output formats counted, by their names.
    #[serde(flatten)]
    pub formats: CountsByFormat,
    /// Bytes of payload that were cleaned, and of text that was kept.
    pub payload_bytes: u64,
    pub text_bytes: u64,
    /// Site rules, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleUse>,
    /// Work of deduplication: pairs verified, buckets over the limit, and so on.
    pub dedup: Counts,
    /// Stars with the most members: size and keeper.
    #[serde(rename = "largest_stars")]
    pub largest_clusters: Vec<ClusterSummary>,
}

pub type Counts = BTreeMap<String, u64>;

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    pub documents: u64,
    pub words: u64,
}

/// Pages that were read by a rule, and on how many each of its selectors matched.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleUse {
    pub pages: u64,
    pub matched: Vec<u64>,
}

impl RuleUse {
    pub fn add(&mut self, other: &RuleUse) {
        self.pages += other.pages;
        self.matched.resize(self.matched.len().max(other.matched.len()), 0);
        self.matched.iter_mut().zip(&other.matched).for_each(|(ours, theirs)| *ours += theirs);
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterSummary {
    pub documents: u32,
    pub keeper: u64,
    /// Name of the earlier corpus that the keeper is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// Of the keeper; known once documents are emitted.
    pub url: String,
    /// Some of those that went in its favour, and their addresses.
    pub dropped: Vec<u64>,
    pub dropped_urls: Vec<String>,
}

impl Counters {
    /// The outcome of a kept document or paragraph.
    pub const KEPT: &'static str = "kept";

    pub fn add(&mut self, other: &Counters) {
        self.records += other.records;
        self.pages += other.pages;
        self.page_paragraphs += other.page_paragraphs;
        for (ours, theirs) in [
            (&mut self.no_page, &other.no_page),
            (&mut self.documents, &other.documents),
            (&mut self.paragraphs, &other.paragraphs),
            (&mut self.damage, &other.damage),
            (&mut self.faults, &other.faults),
            (&mut self.dedup, &other.dedup),
        ] {
            theirs.iter().for_each(|(key, n)| *ours.entry(key.clone()).or_default() += n);
        }
        self.damaged_bytes += other.damaged_bytes;
        self.payload_bytes += other.payload_bytes;
        self.text_bytes += other.text_bytes;
        for (language, size) in &other.languages {
            let ours = self.languages.entry(language.clone()).or_default();
            ours.documents += size.documents;
            ours.words += size.words;
        }
        for (rule, used) in &other.rules {
            self.rules.entry(rule.clone()).or_default().add(used);
        }
        add_counts(&mut self.formats, &other.formats);
        self.largest_clusters.extend(other.largest_clusters.iter().cloned());
    }

    /// Records = records that are no page + documents kept + documents dropped; paragraphs likewise.
    pub fn check_balance(&self) -> Result<()> {
        let no_page: u64 = self.no_page.values().sum();
        let documents: u64 = self.documents.values().sum();
        let paragraphs: u64 = self.paragraphs.values().sum();
        let balanced =
            [(self.records, no_page + self.pages), (self.pages, documents), (self.page_paragraphs, paragraphs)];
        if balanced.iter().all(|(read, accounted)| read == accounted) {
            return Ok(());
        }
        Err(Error::Unbalanced(format!(
            "the counts do not add up: {} records, {no_page} no page, {} pages, {documents} documents accounted for, \
             {} paragraphs, {paragraphs} accounted for; please report this",
            self.records, self.pages, self.page_paragraphs
        )))
    }

    pub fn kept(&self) -> u64 {
        self.documents.get(Self::KEPT).copied().unwrap_or(0)
    }
}

/// Among the counts of deduplication: documents whose words were counted.
pub const WITH_WORDS: &str = "documents_with_words";

pub fn with_words(counters: &Counters) -> u64 {
    counters.dedup.get(WITH_WORDS).copied().unwrap_or(0)
}

/// Adds 1 under a key.
pub fn count(counts: &mut Counts, key: &str) {
    match counts.get_mut(key) {
        Some(n) => *n += 1,
        None => {
            counts.insert(key.to_string(), 1);
        }
    }
}

/// Counts a page that was read by a rule.
pub fn count_rule(counters: &mut Counters, rule: &str, matched: &[bool]) {
    let used = counters.rules.entry(rule.to_string()).or_default();
    used.add(&RuleUse { pages: 1, matched: matched.iter().map(|&matched| u64::from(matched)).collect() });
}

/// What did not work, a line each: rules that no page was read by, selectors that never matched.
pub fn rule_complaints(rules: &SiteRules, counters: &Counters) -> Vec<String> {
    let of_rule = |rule: &Rule| -> Vec<String> {
        let Some(used) = counters.rules.get(&rule.name) else {
            return vec![format!("rule {}: no page was read by it", rule.name)];
        };
        let pages = used.pages;
        let never = rule.selectors().iter().zip(&used.matched).filter(|(_, matched)| **matched == 0);
        never.map(|(selector, _)| format!("rule {}: {selector} matched on none of {pages} pages", rule.name)).collect()
    };
    rules.iter().flat_map(of_rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_the_names_that_readers_of_the_statistics_know() {
        let counts = |tokens| crate::emit::FormatCounts { tokens, ..Default::default() };
        let mut counters = Counters::default();
        assert!(!serde_json::to_string(&counters).unwrap().contains("vertical"));
        counters.formats.insert("vertical".into(), counts(7));
        let json = serde_json::to_string(&counters).unwrap();
        assert!(json.contains(r#""languages":{},"vertical":{"tokens":7},"payload_bytes":0"#), "{json}");
        assert_eq!(serde_json::from_str::<Counters>(&json).unwrap(), counters);
        let mut twice = counters.clone();
        twice.add(&counters);
        assert_eq!(twice.formats["vertical"], counts(14));
    }

    #[test]
    fn sums_are_checked() {
        let mut counters = Counters { records: 3, pages: 2, ..Default::default() };
        count(&mut counters.no_page, "status.404");
        count(&mut counters.documents, Counters::KEPT);
        assert!(counters.check_balance().is_err());
        count(&mut counters.documents, "boilerplate");
        counters.check_balance().unwrap();
        let mut twice = counters.clone();
        twice.add(&counters);
        twice.check_balance().unwrap();
        assert_eq!((twice.records, twice.kept()), (6, 2));
        count(&mut twice.paragraphs, "overlap");
        assert!(twice.check_balance().is_err());
        twice.page_paragraphs = 1;
        twice.check_balance().unwrap();
        twice.no_page.clear();
        assert!(twice.check_balance().is_err());
    }
}
