//! The counters of tasks. Every record has exactly one outcome, so the sums must balance.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::archive::Border;
use crate::emit::{CountsByFormat, add_counts};
use crate::error::{Error, Result};
use crate::figures::Figures;
pub use crate::figures::{Counts, count};
use crate::page::rules::{Rule, SiteRules};

/// The counters of one task, or the sum over many tasks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counters {
    /// Records read from archives.
    pub records: u64,
    /// Records that became a document (a row in the tables).
    pub pages: u64,
    /// Paragraphs of all documents, content and boilerplate.
    pub page_paragraphs: u64,
    /// Records that did not become a document, by reason.
    pub no_page: Counts,
    /// Documents by final outcome: `kept` or the drop reason.
    pub documents: Counts,
    /// Paragraphs by final outcome: `kept` or the drop reason.
    pub paragraphs: Counts,
    /// Unreadable byte ranges of archives, by reason.
    pub damage: Counts,
    /// Bytes in unreadable ranges of archives.
    pub damaged_bytes: u64,
    /// Warnings about records and pages that were processed anyway, by name.
    pub faults: Counts,
    /// Kept documents that the tagger tagged.
    #[serde(skip_serializing_if = "is_zero")]
    pub tagged: u64,
    /// Kept documents and words by language.
    pub languages: BTreeMap<String, Size>,
    /// Counts of the output formats, by format name.
    #[serde(flatten)]
    pub formats: CountsByFormat,
    /// Payload bytes of all documents, after content codings are removed.
    pub payload_bytes: u64,
    /// UTF-8 bytes of all kept paragraphs.
    pub text_bytes: u64,
    /// Use of site rules, by rule name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, RuleUse>,
    /// Where the records of the shard begin and end; only in the counters of an extract task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub border: Option<Border>,
    /// Counts of the deduplication stages: pairs read, large buckets and so on.
    pub dedup: Counts,
    /// Finds of personal data in content paragraphs, by kind.
    #[serde(skip_serializing_if = "Counts::is_empty")]
    pub pii: Counts,
    /// Distributions and samples for the report; not in `stats.json`.
    #[serde(skip_serializing_if = "Figures::is_empty")]
    pub figures: Figures,
    /// The clusters with the most documents, largest first.
    #[serde(rename = "largest_stars")]
    pub largest_clusters: Vec<ClusterSummary>,
}

/// The reason of a record that is passed over because two processes died at it.
pub const POISON: &str = "poison";

/// Number of kept documents, and of their kept words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    pub documents: u64,
    pub words: u64,
}

/// How often a site rule and its selectors were used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleUse {
    /// Pages that were read by the rule.
    pub pages: u64,
    /// For each selector of the rule, the number of pages on which it matched.
    pub matched: Vec<u64>,
}

impl RuleUse {
    /// Adds the counts of another task.
    pub fn add(&mut self, other: &RuleUse) {
        self.pages += other.pages;
        self.matched.resize(self.matched.len().max(other.matched.len()), 0);
        self.matched.iter_mut().zip(&other.matched).for_each(|(ours, theirs)| *ours += theirs);
    }
}

/// A cluster of duplicates, as the report lists it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClusterSummary {
    /// Number of documents, including the representative.
    pub documents: u32,
    /// Key of the representative.
    pub keeper: u64,
    /// Name of the reference corpus that the representative belongs to; `None` for one of this job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// URL of the representative. Empty until the report looks it up in the emitted documents.
    pub url: String,
    /// Keys of some dropped members.
    pub dropped: Vec<u64>,
    /// URLs of the documents in `dropped`, in the same order.
    pub dropped_urls: Vec<String>,
}

impl Counters {
    /// Name of the outcome of a kept document or paragraph.
    pub const KEPT: &'static str = crate::figures::KEPT;

    /// Whether a part of an archive could not be read, or a page of it was passed over.
    pub fn is_unreadable(&self) -> bool {
        let poison = [&self.no_page, &self.documents].iter().any(|counts| counts.contains_key(POISON));
        poison || !self.damage.is_empty()
    }

    /// Adds the counters of another task.
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
            (&mut self.pii, &other.pii),
        ] {
            theirs.iter().for_each(|(key, n)| *ours.entry(key.clone()).or_default() += n);
        }
        self.damaged_bytes += other.damaged_bytes;
        self.tagged += other.tagged;
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
        self.figures.add(&other.figures);
        self.largest_clusters.extend(other.largest_clusters.iter().cloned());
    }

    /// Checks that every record is a page or has a reason not to be one, and that every document and every paragraph
    /// has one outcome.
    ///
    /// # Errors
    /// [`Error::Unbalanced`] if a sum differs.
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

    /// Number of kept documents.
    pub fn kept(&self) -> u64 {
        self.documents.get(Self::KEPT).copied().unwrap_or(0)
    }
}

/// Name of a counter in [`Counters::dedup`]: documents whose words the census counts.
pub const WITH_WORDS: &str = "documents_with_words";

/// Number of documents whose words the census counts.
pub fn with_words(counters: &Counters) -> u64 {
    counters.dedup.get(WITH_WORDS).copied().unwrap_or(0)
}

/// The counts of a group, largest first; equal ones by name.
pub fn largest_first(counts: &Counts) -> Vec<(&str, u64)> {
    let mut sorted: Vec<(&str, u64)> = counts.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    sorted.sort_by_key(|(name, n)| (Reverse(*n), *name));
    sorted
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Counts a page that was read by a site rule. `matched` tells for each selector whether it matched.
pub fn count_rule(counters: &mut Counters, rule: &str, matched: &[bool]) {
    let used = counters.rules.entry(rule.to_string()).or_default();
    used.add(&RuleUse { pages: 1, matched: matched.iter().map(|&matched| u64::from(matched)).collect() });
}

/// Warnings about unused site rules, one line each: rules that applied to no page, and selectors that never matched.
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
