//! Tallies → frequency lists, types and keywords, in one pass over all keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use compact_str::CompactString;

use super::counter::{Counted, read_key};
use super::keywords::{Keyword, Occurrence, Reference, simple_maths};
use super::top::Top;
use crate::error::Result;
use crate::store::key_counts::{KeyCount, KeyCounter, MergedCounts};

/// Which of all words and n-grams are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Rows of each frequency list, held in memory; 0: all, sorted on disk.
    pub top: usize,
    /// Bytes that this sorting takes.
    pub memory: usize,
    /// Rows of each list of keywords.
    pub keywords: usize,
    /// By language.
    pub references: &'a BTreeMap<CompactString, Reference>,
    /// See [`simple_maths`].
    pub smoothing: f64,
}

/// A frequency list: a language, and how many words its n-grams have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct List {
    pub language: CompactString,
    pub n: u8,
}

/// A row of it. Greater is more frequent; ties are broken by code point, the first being the greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frequency {
    pub count: u64,
    pub gram: Reverse<Box<str>>,
    pub documents: u64,
}

/// What the pass brings.
pub struct Lists {
    /// Distinct words and n-grams of each list.
    pub types: BTreeMap<List, u64>,
    /// Distinct words of all languages: those that two languages share count once.
    pub types_of_all: u64,
    /// Running words of each language.
    pub words: BTreeMap<CompactString, u64>,
    /// Greatest first.
    pub keywords: BTreeMap<CompactString, Vec<Keyword>>,
    ranked: Ranked,
    folder: PathBuf,
}

enum Ranked {
    Top(BTreeMap<List, Top<Frequency>>),
    All(KeyCounter),
}

/// Reads all tallies once.
pub fn rank(counted: Counted, wanted: &Wanted) -> Result<Lists> {
    let Counted { runs, words, folder } = counted;
    let mut merge = MergedCounts::new(runs, &folder)?;
    let ranked = match wanted.top {
        0 => Ranked::All(KeyCounter::new(&folder, wanted.memory)),
        _ => Ranked::Top(BTreeMap::new()),
    };
    let (types, keywords) = (BTreeMap::new(), BTreeMap::new());
    let mut lists = Lists { types, types_of_all: 0, words, keywords, ranked, folder };
    let mut best = BTreeMap::new();
    let mut last = String::new();
    while let Some((key, tally)) = merge.advance()? {
        let Some((n, gram, language)) = read_key(key) else { continue };
        *lists.types.entry(List { language: language.into(), n }).or_default() += 1;
        if n == 1 {
            lists.types_of_all += u64::from(last != gram);
            last.clear();
            last.push_str(gram);
            lists.judge(gram, language, tally, wanted, &mut best);
        }
        lists.ranked.take(n, gram, language, tally, wanted.top)?;
    }
    lists.keywords = best.into_iter().map(|(language, top)| (language, top.into_sorted())).collect();
    Ok(lists)
}

type Best = BTreeMap<CompactString, Top<Keyword>>;

impl Lists {
    fn judge(&self, word: &str, language: &str, tally: KeyCount, wanted: &Wanted, best: &mut Best) {
        let Some(list) = wanted.references.get(language) else { return };
        let focus = Occurrence { count: tally.count, words: self.words.get(language).copied().unwrap_or(0) };
        let reference = list.of(word);
        let score = simple_maths(focus, reference, wanted.smoothing);
        let top = best.entry(language.into()).or_insert_with(|| Top::new(wanted.keywords));
        if top.least().is_none_or(|least| least.score <= score) {
            top.push(Keyword { word: word.into(), tally, focus, reference, score });
        }
    }

    /// Shows every list once, by language and then n, and its rows, most frequent first.
    pub fn each(
        self,
        mut show: impl FnMut(&List, &mut dyn Iterator<Item = Result<Frequency>>) -> Result<()>,
    ) -> Result<()> {
        match self.ranked {
            Ranked::Top(lists) => {
                lists.into_iter().try_for_each(|(list, top)| show(&list, &mut top.into_sorted().into_iter().map(Ok)))
            }
            Ranked::All(tallies) => {
                let mut sorted = Sorted { merge: MergedCounts::new(tallies.finish()?, &self.folder)?, ahead: None };
                while let Some(list) = sorted.list()? {
                    let mut rows = std::iter::from_fn(|| sorted.row_of(&list).transpose());
                    show(&list, &mut rows)?;
                    rows.try_for_each(|row| row.map(drop))?;
                }
                Ok(())
            }
        }
    }
}

impl Ranked {
    fn take(&mut self, n: u8, gram: &str, language: &str, tally: KeyCount, most: usize) -> Result<()> {
        match self {
            Ranked::Top(lists) => {
                let top = lists.entry(List { language: language.into(), n }).or_insert_with(|| Top::new(most));
                // Of equally frequent ones the first by code point stay, and they come in this order.
                if top.least().is_none_or(|least| least.count < tally.count) {
                    let KeyCount { count, documents } = tally;
                    top.push(Frequency { count, gram: Reverse(gram.into()), documents });
                }
                Ok(())
            }
            Ranked::All(tallies) => {
                tallies.add(&sorting_key(n, gram, language, tally.count), tally);
                tallies.spill_if_full()
            }
        }
    }
}

/// ```text
/// key = the language, NUL, n (one byte), 2^64 − 1 − count (big-endian), the n-gram
/// ```
fn sorting_key(n: u8, gram: &str, language: &str, count: u64) -> Vec<u8> {
    [language.as_bytes(), &[0, n], &(!count).to_be_bytes(), gram.as_bytes()].concat()
}

fn read_sorting_key(key: &[u8]) -> Option<(List, &str)> {
    let at = key.iter().position(|b| *b == 0)?;
    let (language, rest) = key.split_at_checked(at)?;
    let ([_, n], rest) = rest.split_first_chunk()?;
    let (_count, gram) = rest.split_first_chunk::<8>()?;
    let language = std::str::from_utf8(language).ok()?.into();
    Some((List { language, n: *n }, std::str::from_utf8(gram).ok()?))
}

/// Goes through rows that are sorted by list.
struct Sorted {
    merge: MergedCounts,
    ahead: Option<(List, Frequency)>,
}

impl Sorted {
    /// The list of the next row.
    fn list(&mut self) -> Result<Option<List>> {
        if self.ahead.is_none() {
            self.ahead = self.merge.advance()?.and_then(|(key, tally)| {
                let (list, gram) = read_sorting_key(key)?;
                Some((list, Frequency { count: tally.count, gram: Reverse(gram.into()), documents: tally.documents }))
            });
        }
        Ok(self.ahead.as_ref().map(|(list, _)| list.clone()))
    }

    /// The next row if it is of that list.
    fn row_of(&mut self, list: &List) -> Result<Option<Frequency>> {
        let same = self.list()?.as_ref() == Some(list);
        Ok(self.ahead.take_if(|_| same).map(|(_, row)| row))
    }
}

#[cfg(test)]
mod tests;
