//! Words and n-grams by group → rows with their counts in each group. A group is a part of the corpus, a year, or the
//! neighbourhood of a node word.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compact_str::CompactString;

use super::counted_words::DocumentWords;
use super::lists::{FrequencyListId, for_each_list};
use crate::error::Result;
use crate::store::key_counts::{CountRun, KeyCount, KeyCounter, MergedCounts, TopK};

/// Running words of each group, by language.
pub type GroupSizes = BTreeMap<CompactString, BTreeMap<u32, u64>>;

/// Counts words and n-grams by language and group. Each thread has its own counter and counts whole documents.
pub struct GroupedCounter {
    counts: KeyCounter,
    folder: PathBuf,
    sizes: GroupSizes,
    documents: u32,
    key: Vec<u8>,
}

impl GroupedCounter {
    /// A counter that writes temporary files to `folder` when its counts take more than `memory` bytes.
    pub fn new(folder: &Path, memory: usize) -> GroupedCounter {
        GroupedCounter {
            counts: KeyCounter::new(folder, memory),
            folder: folder.into(),
            sizes: GroupSizes::new(),
            documents: 0,
            key: Vec::new(),
        }
    }

    /// Counts the n-grams of up to `longest` words of a document, all of them in one group.
    pub fn document(&mut self, language: &str, group: u32, words: &DocumentWords, longest: u8) -> Result<()> {
        let size = self.sizes.entry(language.into()).or_default().entry(group).or_default();
        *size += words.word_count() as u64;
        for n in 1..=longest {
            words.ngrams(usize::from(n)).for_each(|gram| self.count(language, n, gram, group));
        }
        self.end_document()
    }

    /// Counts one occurrence in the document that is read.
    pub fn count(&mut self, language: &str, n: u8, gram: &str, group: u32) {
        write_key(language, n, gram, group, &mut self.key);
        self.counts.count(&self.key, self.documents);
    }

    /// Ends the document that is read.
    pub fn end_document(&mut self) -> Result<()> {
        self.documents = self.documents.wrapping_add(1);
        self.counts.spill_if_full()
    }

    /// The counts, all on disk.
    pub fn finish(self) -> Result<GroupedCounts> {
        Ok(GroupedCounts { runs: self.counts.finish()?, sizes: self.sizes, folder: self.folder })
    }
}

/// The counts of one or more counters.
pub struct GroupedCounts {
    runs: Vec<CountRun>,
    pub sizes: GroupSizes,
    folder: PathBuf,
}

impl GroupedCounts {
    /// Adds the counts of another counter. The order of merging makes no difference.
    pub fn merge(&mut self, other: GroupedCounts) {
        self.runs.extend(other.runs);
        for (language, groups) in other.sizes {
            let sizes = self.sizes.entry(language).or_default();
            groups.into_iter().for_each(|(group, words)| *sizes.entry(group).or_default() += words);
        }
    }

    /// All rows: by language, length of the n-gram, and code points.
    pub fn rows(self) -> Result<GroupedRows> {
        Ok(GroupedRows { merge: MergedCounts::new(self.runs, &self.folder)?, next: None })
    }
}

/// A word or n-gram with its counts. Greater is more frequent; ties are broken by code point, and the first in that order
/// is the greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupedRow {
    pub total: KeyCount,
    pub gram: Reverse<Box<str>>,
    /// Counts in the groups that have it, by group.
    pub groups: Vec<(u32, KeyCount)>,
}

/// Reads rows in order.
pub struct GroupedRows {
    merge: MergedCounts,
    next: Option<(FrequencyListId, GroupedRow)>,
}

impl GroupedRows {
    /// The next row with its list; `None` at the end.
    pub fn advance(&mut self) -> Result<Option<(FrequencyListId, GroupedRow)>> {
        while let Some((key, count)) = self.merge.advance()? {
            let Some((language, n, gram, group)) = read_key(key) else { continue };
            match &mut self.next {
                Some((list, row)) if *row.gram.0 == *gram && list.n == n && list.language == language => {
                    row.total += count;
                    row.groups.push((group, count));
                }
                next => {
                    let row = GroupedRow { total: count, gram: Reverse(gram.into()), groups: vec![(group, count)] };
                    let before = next.replace((FrequencyListId { language: language.into(), n }, row));
                    if before.is_some() {
                        return Ok(before);
                    }
                }
            }
        }
        Ok(self.next.take())
    }

    /// Passes every list to `show` once, by language and then by n. It has what `make` makes of its rows: the `top`
    /// greatest, greatest first; with 0 all rows, by code points, since so many need not fit into memory.
    pub fn for_each<T: Ord>(
        mut self,
        top: usize,
        mut make: impl FnMut(&FrequencyListId, GroupedRow) -> T,
        mut show: impl FnMut(&FrequencyListId, &mut dyn Iterator<Item = Result<T>>) -> Result<()>,
    ) -> Result<()> {
        for_each_list(
            || self.advance(),
            |list, rows| {
                let mut rows = rows.map(|row| row.map(|row| make(list, row)));
                if top == 0 {
                    return show(list, &mut rows);
                }
                let mut greatest = TopK::new(top);
                rows.try_for_each(|row| row.map(|row| greatest.push(row)))?;
                show(list, &mut greatest.into_sorted().into_iter().map(Ok))
            },
        )
    }
}

/// ```text
/// key = the language, NUL, n (one byte), the n-gram, NUL, the group (big-endian)
/// ```
/// Neither the language nor the n-gram has a NUL. Keys therefore sort by list, and the groups of an n-gram stand together.
fn write_key(language: &str, n: u8, gram: &str, group: u32, key: &mut Vec<u8>) {
    key.clear();
    key.extend_from_slice(language.as_bytes());
    key.extend([0, n]);
    key.extend_from_slice(gram.as_bytes());
    key.push(0);
    key.extend(group.to_be_bytes());
}

fn read_key(key: &[u8]) -> Option<(&str, u8, &str, u32)> {
    let (rest, group) = key.split_last_chunk::<4>()?;
    let (language, rest) = rest.split_at_checked(rest.iter().position(|byte| *byte == 0)?)?;
    let ([_, n], gram) = rest.split_first_chunk()?;
    let gram = std::str::from_utf8(gram.strip_suffix(&[0])?).ok()?;
    Some((std::str::from_utf8(language).ok()?, *n, gram, u32::from_be_bytes(*group)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_written() {
        let mut key = b"rest of the one before".to_vec();
        write_key("ces", 2, "žlutý kůň", 0x0100_0000, &mut key);
        assert_eq!(read_key(&key), Some(("ces", 2, "žlutý kůň", 0x0100_0000)));
        assert_eq!(read_key(b""), None);
    }

    /// Language, n-gram, and counts by group.
    type Shown = (String, String, Vec<(u32, u64)>);

    fn shown(top: usize) -> Vec<Shown> {
        let folder = tempfile::tempdir().unwrap();
        let counts =
            [[("ces", "a", 7), ("ces", "b", 7), ("eng", "a", 1)], [("ces", "b", 9), ("ces", "ab", 0), ("ces", "b", 7)]];
        let count = |counted: &[(&str, &str, u32)]| {
            let mut counter = GroupedCounter::new(folder.path(), 0);
            for (language, gram, group) in counted {
                counter.count(language, 1, gram, *group);
                counter.end_document().unwrap();
            }
            counter.finish().unwrap()
        };
        let mut all = count(&counts[0]);
        all.merge(count(&counts[1]));
        let mut shown = Vec::new();
        let show = |list: &FrequencyListId, rows: &mut dyn Iterator<Item = Result<GroupedRow>>| {
            for row in rows.map(Result::unwrap) {
                let groups = row.groups.iter().map(|(group, count)| (*group, count.count)).collect();
                shown.push((list.language.to_string(), row.gram.0.to_string(), groups));
            }
            Ok(())
        };
        all.rows().unwrap().for_each(top, |_, row| row, show).unwrap();
        shown
    }

    #[test]
    fn rows_have_their_groups() {
        let row = |language: &str, gram: &str, groups: &[(u32, u64)]| (language.into(), gram.into(), groups.to_vec());
        let (a, ab, b) = (row("ces", "a", &[(7, 1)]), row("ces", "ab", &[(0, 1)]), row("ces", "b", &[(7, 2), (9, 1)]));
        let of_english = row("eng", "a", &[(1, 1)]);
        assert_eq!(shown(0), [a.clone(), ab, b.clone(), of_english.clone()]);
        assert_eq!(shown(2), [b, a, of_english]);
    }
}
