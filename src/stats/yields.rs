//! How much text comes from how many archived bytes: the yield rate of hosts, domains and top-level domains.
//!
//! After Suchomel and Pomikálek, *Efficient Web Crawling for Large Text Corpora* (WAC7, 2012): yield rate =
//! final bytes / downloaded bytes. The table of documents has only pages with text, so pictures,
//! redirects and errors do not lower the rate.

use std::cmp::Reverse;
use std::ops::AddAssign;

use compact_str::CompactString;
use serde::Serialize;

use crate::document::Document;
use crate::hash::SeededMap;

/// Documents and bytes of a host, a domain, a top-level domain or the corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Yield {
    /// Pages with text, kept or not.
    pub documents: u64,
    pub kept: u64,
    /// Documents whose raw bytes are not known. They are in neither of the two sums of bytes.
    pub unmeasured: u64,
    /// Bytes of the pages as the servers sent them, without content coding.
    pub raw_bytes: u64,
    /// Bytes of the kept paragraphs in UTF-8.
    pub clean_bytes: u64,
}

impl Yield {
    /// The yield of one document with this number of kept bytes.
    pub fn of(document: &Document, clean_bytes: u64) -> Yield {
        let raw = Some(document.payload_bytes).filter(|bytes| *bytes > 0);
        Yield {
            documents: 1,
            kept: u64::from(document.kept),
            unmeasured: u64::from(raw.is_none()),
            raw_bytes: raw.unwrap_or(0),
            clean_bytes: if raw.is_some() { clean_bytes } else { 0 },
        }
    }

    /// Clean bytes / raw bytes; `None` without raw bytes.
    pub fn rate(&self) -> Option<f64> {
        (self.raw_bytes > 0).then(|| self.clean_bytes as f64 / self.raw_bytes as f64)
    }
}

impl AddAssign for Yield {
    fn add_assign(&mut self, other: Yield) {
        self.documents += other.documents;
        self.kept += other.kept;
        self.unmeasured += other.unmeasured;
        self.raw_bytes += other.raw_bytes;
        self.clean_bytes += other.clean_bytes;
    }
}

/// What a yield is summed over; the first column of `yield.tsv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YieldLevel {
    All,
    Tld,
    Domain,
    Host,
}

impl YieldLevel {
    /// All levels, in the order of the output.
    pub const ALL: [YieldLevel; 4] = [YieldLevel::All, YieldLevel::Tld, YieldLevel::Domain, YieldLevel::Host];

    /// Name in the output.
    pub fn name(self) -> &'static str {
        match self {
            YieldLevel::All => "all",
            YieldLevel::Tld => "tld",
            YieldLevel::Domain => "domain",
            YieldLevel::Host => "host",
        }
    }
}

type YieldsByName = SeededMap<CompactString, Yield>;

/// Yields by name, in about 100 bytes of memory per host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Yields {
    all: Yield,
    tlds: YieldsByName,
    domains: YieldsByName,
    hosts: YieldsByName,
}

impl Yields {
    /// Adds one document with this number of kept bytes.
    pub fn add(&mut self, document: &Document, clean_bytes: u64) {
        let one = Yield::of(document, clean_bytes);
        self.all += one;
        add(&mut self.tlds, &document.tld, one);
        add(&mut self.domains, &document.domain, one);
        add(&mut self.hosts, &document.host, one);
    }

    /// Adds other yields.
    pub fn merge(&mut self, other: Yields) {
        self.all += other.all;
        for (ours, theirs) in
            [(&mut self.tlds, other.tlds), (&mut self.domains, other.domains), (&mut self.hosts, other.hosts)]
        {
            theirs.into_iter().for_each(|(name, more)| *ours.entry(name).or_default() += more);
        }
    }

    /// The yield of the corpus.
    pub fn all(&self) -> Yield {
        self.all
    }

    /// The names of a level with their yields: most clean bytes first, then most raw bytes, then by name.
    pub fn sorted(&self, level: YieldLevel) -> Vec<(&str, Yield)> {
        let named = match level {
            YieldLevel::All => return vec![("", self.all)],
            YieldLevel::Tld => &self.tlds,
            YieldLevel::Domain => &self.domains,
            YieldLevel::Host => &self.hosts,
        };
        let mut sorted: Vec<(&str, Yield)> = named.iter().map(|(name, of)| (name.as_str(), *of)).collect();
        let order = |of: &Yield| Reverse((of.clean_bytes, of.raw_bytes));
        sorted.sort_unstable_by(|(a, x), (b, y)| order(x).cmp(&order(y)).then_with(|| a.cmp(b)));
        sorted
    }
}

fn add(named: &mut YieldsByName, name: &str, one: Yield) {
    match named.get_mut(name) {
        Some(sum) => *sum += one,
        None => drop(named.insert(name.into(), one)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(host: &str, length: u64, kept: bool) -> Document {
        Document {
            host: host.into(),
            domain: "b.cz".into(),
            tld: "cz".into(),
            payload_bytes: length,
            kept,
            ..Document::default()
        }
    }

    #[test]
    fn rates_are_of_measured_documents_only() {
        let mut yields = Yields::default();
        yields.add(&document("a.b.cz", 1000, true), 300);
        yields.add(&document("a.b.cz", 500, false), 0);
        yields.add(&document("c.b.cz", 0, true), 999);
        let host = yields.sorted(YieldLevel::Host);
        assert_eq!(host.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["a.b.cz", "c.b.cz"]);
        assert_eq!(host[0].1.rate(), Some(0.2));
        assert_eq!(host[1].1.rate(), None);
        let sum = Yield { documents: 3, kept: 2, unmeasured: 1, raw_bytes: 1500, clean_bytes: 300 };
        assert_eq!(yields.sorted(YieldLevel::Domain), [("b.cz", sum)]);
        assert_eq!(yields.sorted(YieldLevel::All), [("", sum)]);
    }
}
