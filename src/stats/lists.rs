//! Counts of words and n-grams → frequency lists, types and keywords, in one pass over all keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use compact_str::CompactString;

use super::counter::{WordCounts, read_key};
use super::keywords::{CorpusFrequency, Keyword, ReferenceFrequencies, simple_maths};
use crate::error::Result;
use crate::store::key_counts::{KeyCount, KeyCounter, MergedCounts, TopK};

/// Which words and n-grams the lists have.
#[derive(Debug, Clone, Copy)]
pub struct ListOptions<'a> {
    /// Rows of each frequency list, which are held in memory; 0 for all rows, which are sorted on disk.
    pub top: usize,
    /// Bytes of memory for sorting on disk.
    pub memory: usize,
    /// Rows of each list of keywords; 0 for all rows. They are held in memory.
    pub keywords: usize,
    /// Reference corpora by language.
    pub references: &'a BTreeMap<CompactString, ReferenceFrequencies>,
    /// The parameter of [`simple_maths`].
    pub smoothing: f64,
}

/// Names a frequency list: its language and the length of its n-grams.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FrequencyListId {
    pub language: CompactString,
    /// Number of words of an n-gram.
    pub n: u8,
}

/// A row of a frequency list. Greater is more frequent; ties are broken by code point, and the first in that order is
/// the greater.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frequency {
    pub count: u64,
    pub gram: Reverse<Box<str>>,
    /// Documents that have the n-gram.
    pub documents: u64,
}

/// Frequency lists, types and keywords of a corpus.
pub struct RankedLists {
    /// Distinct words and n-grams of each list.
    pub types: BTreeMap<FrequencyListId, u64>,
    /// Distinct words of all languages. A word that two languages share counts once.
    pub types_of_all: u64,
    /// Running words of each language.
    pub words: BTreeMap<CompactString, u64>,
    /// Keywords by language, greatest first.
    pub keywords: BTreeMap<CompactString, Vec<Keyword>>,
    ranking: FrequencyRanking,
    folder: PathBuf,
}

/// Rows on their way into frequency lists.
enum FrequencyRanking {
    /// The greatest rows of each list, in memory.
    Top(BTreeMap<FrequencyListId, TopK<Frequency>>),
    /// All rows, by [`sorting_key`].
    All(KeyCounter),
}

/// Makes all lists in one pass over the counts.
pub fn rank(counts: WordCounts, options: &ListOptions) -> Result<RankedLists> {
    let WordCounts { runs, words, folder } = counts;
    let mut merge = MergedCounts::new(runs, &folder)?;
    let ranking = match options.top {
        0 => FrequencyRanking::All(KeyCounter::new(&folder, options.memory)),
        _ => FrequencyRanking::Top(BTreeMap::new()),
    };
    let (types, keywords) = (BTreeMap::new(), BTreeMap::new());
    let mut lists = RankedLists { types, types_of_all: 0, words, keywords, ranking, folder };
    let mut best = BTreeMap::new();
    let mut last = String::new();
    while let Some((key, count)) = merge.advance()? {
        let Some((n, gram, language)) = read_key(key) else { continue };
        *lists.types.entry(FrequencyListId { language: language.into(), n }).or_default() += 1;
        if n == 1 {
            lists.types_of_all += u64::from(last != gram);
            last.clear();
            last.push_str(gram);
            lists.compare_with_reference(gram, language, count, options, &mut best);
        }
        lists.ranking.add(n, gram, language, count, options.top)?;
    }
    lists.keywords = best.into_iter().map(|(language, top)| (language, top.into_sorted())).collect();
    Ok(lists)
}

type TopKeywords = BTreeMap<CompactString, TopK<Keyword>>;

impl RankedLists {
    /// Adds a word to the keywords of its language, if there is a reference corpus and the word is among the best.
    fn compare_with_reference(
        &self,
        word: &str,
        language: &str,
        found: KeyCount,
        options: &ListOptions,
        best: &mut TopKeywords,
    ) {
        let Some(list) = options.references.get(language) else { return };
        let focus = CorpusFrequency { count: found.count, words: self.words.get(language).copied().unwrap_or(0) };
        let reference = list.frequency(word);
        let score = simple_maths(focus, reference, options.smoothing);
        let most = if options.keywords == 0 { usize::MAX } else { options.keywords };
        let top = best.entry(language.into()).or_insert_with(|| TopK::new(most));
        if top.least().is_none_or(|least| least.score <= score) {
            top.push(Keyword { word: word.into(), documents: found.documents, focus, reference, score });
        }
    }

    /// Passes every list to `show` once, by language and then by n, with its rows, most frequent first.
    pub fn for_each(
        self,
        mut show: impl FnMut(&FrequencyListId, &mut dyn Iterator<Item = Result<Frequency>>) -> Result<()>,
    ) -> Result<()> {
        match self.ranking {
            FrequencyRanking::Top(lists) => {
                lists.into_iter().try_for_each(|(list, top)| show(&list, &mut top.into_sorted().into_iter().map(Ok)))
            }
            FrequencyRanking::All(counts) => {
                let mut merge = MergedCounts::new(counts.finish()?, &self.folder)?;
                let next = || {
                    Ok(merge.advance()?.and_then(|(key, KeyCount { count, documents })| {
                        let (list, gram) = read_sorting_key(key)?;
                        Some((list, Frequency { count, gram: Reverse(gram.into()), documents }))
                    }))
                };
                for_each_list(next, show)
            }
        }
    }
}

impl FrequencyRanking {
    fn add(&mut self, n: u8, gram: &str, language: &str, found: KeyCount, most: usize) -> Result<()> {
        match self {
            FrequencyRanking::Top(lists) => {
                let top =
                    lists.entry(FrequencyListId { language: language.into(), n }).or_insert_with(|| TopK::new(most));
                // Of equally frequent rows the first by code point stay, and rows come in this order.
                if top.least().is_none_or(|least| least.count < found.count) {
                    let KeyCount { count, documents } = found;
                    top.push(Frequency { count, gram: Reverse(gram.into()), documents });
                }
                Ok(())
            }
            FrequencyRanking::All(counts) => {
                counts.add(&sorting_key(n, gram, language, found.count), found);
                counts.spill_if_full()
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

fn read_sorting_key(key: &[u8]) -> Option<(FrequencyListId, &str)> {
    let at = key.iter().position(|b| *b == 0)?;
    let (language, rest) = key.split_at_checked(at)?;
    let ([_, n], rest) = rest.split_first_chunk()?;
    let (_count, gram) = rest.split_first_chunk::<8>()?;
    let language = std::str::from_utf8(language).ok()?.into();
    Some((FrequencyListId { language, n: *n }, std::str::from_utf8(gram).ok()?))
}

/// Passes every list to `show` once, with the rows that `next` returns, one after the other, sorted by list.
pub fn for_each_list<R>(
    mut next: impl FnMut() -> Result<Option<(FrequencyListId, R)>>,
    mut show: impl FnMut(&FrequencyListId, &mut dyn Iterator<Item = Result<R>>) -> Result<()>,
) -> Result<()> {
    let mut ahead = next()?;
    while let Some((list, first)) = ahead.take() {
        let mut rest = std::iter::from_fn(|| match next() {
            Ok(Some((of, row))) if of == list => Some(Ok(row)),
            Ok(other) => {
                ahead = other;
                None
            }
            Err(error) => Some(Err(error)),
        })
        .fuse();
        show(&list, &mut std::iter::once(Ok(first)).chain(&mut rest))?;
        rest.try_for_each(|row| row.map(drop))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
