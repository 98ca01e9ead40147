//! Hits by the value of a column of their documents: `--count --by`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::error::Result;
use crate::store::document_values::{check_groups, in_order};
use crate::text::printable;

/// Hits and sizes of the documents with one value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Group {
    hits: u64,
    /// Documents with a hit.
    with_hits: u64,
    documents: u64,
    words: u64,
}

/// Groups of documents by a value. Those of several workers are added up.
#[derive(Debug, Default)]
pub struct HitGroups(BTreeMap<String, Group>);

impl HitGroups {
    /// Counts a document with its number of hits and words.
    ///
    /// # Errors
    /// [`crate::error::Error::Usage`] if there are too many values.
    pub fn document(&mut self, value: String, hits: u64, words: u32) -> Result<()> {
        let group = self.0.entry(value).or_default();
        group.hits += hits;
        group.with_hits += u64::from(hits > 0);
        group.documents += 1;
        group.words += u64::from(words);
        check_groups("--by", self.0.len())
    }

    /// Adds the groups of another worker.
    pub fn add(&mut self, other: HitGroups) {
        for (value, more) in other.0 {
            let group = self.0.entry(value).or_default();
            group.hits += more.hits;
            group.with_hits += more.with_hits;
            group.documents += more.documents;
            group.words += more.words;
        }
    }

    /// Writes a table of all values, those without a hit included, with a header.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "value\thits\tdocuments_with_hits\tdocuments\twords\tper_million")?;
        for (value, group) in in_order(self.0.iter().map(|(value, group)| (value.as_str(), group))) {
            let Group { hits, with_hits, documents, words } = group;
            let per_million = if *words == 0 { 0.0 } else { *hits as f64 * 1e6 / *words as f64 };
            let value = printable(value);
            writeln!(out, "{value}\t{hits}\t{with_hits}\t{documents}\t{words}\t{per_million:.4}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_grouped_by_value() {
        let (mut groups, mut more) = (HitGroups::default(), HitGroups::default());
        groups.document("2020".into(), 3, 1000).unwrap();
        groups.document("".into(), 0, 10).unwrap();
        more.document("2020".into(), 0, 1000).unwrap();
        more.document("2019\t".into(), 1, 0).unwrap();
        groups.add(more);
        let mut out = Vec::new();
        groups.print(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["\t0\t0\t1\t10\t0.0000", "2019 \t1\t1\t1\t0\t0.0000", "2020\t3\t1\t2\t2000\t1500.0000"]);
    }
}
