//! Sizes and yields of documents by the value of a column: `--group-by`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::AddAssign;

use compact_str::CompactString;
use serde::Serialize;

use super::counts::Volume;
use super::yields::Yield;
use crate::store::document_values::in_order;
use crate::text::printable;

/// Name of the table of groups.
pub const GROUPS: &str = "groups.tsv";
/// Its columns behind the first one.
pub const COLUMNS: &str = "documents\tparagraphs\tsentences\ttokens\tword_tokens\tbytes\tdropped\trate";

/// Size of the kept text of the documents with one value, and the yield of all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Group {
    pub volume: Volume,
    pub yielded: Yield,
}

impl AddAssign for Group {
    fn add_assign(&mut self, other: Group) {
        self.volume += other.volume;
        self.yielded += other.yielded;
    }
}

/// A group in `statistics.json`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct GroupFigures {
    /// Kept documents.
    pub documents: u64,
    pub paragraphs: u64,
    pub sentences: u64,
    pub tokens: u64,
    pub word_tokens: u64,
    pub bytes: u64,
    /// Documents that are not kept.
    pub dropped: u64,
    /// Clean bytes / raw bytes; `None` without raw bytes.
    pub rate: Option<f64>,
}

impl From<&Group> for GroupFigures {
    fn from(Group { volume, yielded }: &Group) -> GroupFigures {
        GroupFigures {
            documents: volume.documents,
            paragraphs: volume.paragraphs,
            sentences: volume.sentences,
            tokens: volume.tokens,
            word_tokens: volume.words,
            bytes: volume.bytes,
            dropped: yielded.documents - yielded.kept,
            rate: yielded.rate(),
        }
    }
}

/// Writes the table of groups. Columns: value, kept documents, paragraphs, sentences, tokens, word tokens, bytes, dropped
/// documents, clean bytes / raw bytes.
///
/// # Errors
/// When `out` cannot be written.
pub fn write(groups: &BTreeMap<CompactString, GroupFigures>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "value\t{COLUMNS}")?;
    for (value, of) in in_order(groups.iter().map(|(value, of)| (value.as_str(), of))) {
        let GroupFigures { documents, paragraphs, sentences, tokens, word_tokens, bytes, dropped, rate } = of;
        let (value, rate) = (printable(value), rate.map(|rate| format!("{rate:.4}")).unwrap_or_default());
        writeln!(
            out,
            "{value}\t{documents}\t{paragraphs}\t{sentences}\t{tokens}\t{word_tokens}\t{bytes}\t{dropped}\t{rate}"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_added_and_written() {
        let volume = Volume { documents: 1, words: 7, bytes: 50, ..Volume::default() };
        let yielded = Yield { documents: 2, kept: 1, raw_bytes: 400, clean_bytes: 50, ..Yield::default() };
        let mut group = Group { volume, yielded };
        group += group;
        let groups = BTreeMap::from([
            ("a\tb".into(), GroupFigures::from(&group)),
            ("".into(), GroupFigures::from(&Group::default())),
        ]);
        let mut out = Vec::new();
        write(&groups, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["\t0\t0\t0\t0\t0\t0\t0\t", "a b\t2\t0\t0\t0\t14\t100\t2\t0.1250"]);
    }
}
