//! Collocations: words that stand near a node word more often than elsewhere.
//!
//! A *pair* is an occurrence of a collocate with an occurrence of the node at most `window` tokens away, in the same
//! sentence. All tokens count for the distance, but only words (tokens with a letter or digit) are collocates. An
//! occurrence that is near two nodes is one pair, and a node is no collocate of itself alone.

mod measures;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::Path;

use compact_str::CompactString;

pub use measures::{Measure, PairCounts};

use super::counted_words::{Casing, fold};
use super::grouped::{GroupedCounter, GroupedCounts, GroupedRow};
use crate::error::Result;
use crate::order::compare_by_order;
use crate::page::charset::nfc;
use crate::store::key_counts::{KeyCount, TopK};
use crate::text::lower_case::LowerCase;
use crate::text::words::is_word;

/// Groups of [`GroupedCounter`]: all occurrences of a word, and those near a node.
const ALL: u32 = 0;
const NEAR: u32 = 1;

/// Tokens on either side of a node in which collocates are sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub left: usize,
    pub right: usize,
}

/// Most tokens on a side of a window.
const MAX_WINDOW: usize = 100;

impl std::str::FromStr for Window {
    type Err = String;

    /// `5`, or `0,3` for other numbers on the left and on the right.
    fn from_str(text: &str) -> std::result::Result<Window, String> {
        let (left, right) = text.split_once(',').unwrap_or((text, text));
        let side = |text: &str| text.trim().parse().ok().filter(|tokens| *tokens <= MAX_WINDOW);
        match side(left).zip(side(right)) {
            Some((left, right)) if left + right > 0 => Ok(Window { left, right }),
            _ => Err(format!("expected tokens on both sides, or LEFT,RIGHT, up to {MAX_WINDOW}")),
        }
    }
}

/// Sizes that the measures need, of one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// Running words.
    pub words: u64,
    /// Occurrences of the node.
    pub nodes: u64,
    /// Words near a node.
    pub near: u64,
}

impl AddAssign for NodeCounts {
    fn add_assign(&mut self, other: NodeCounts) {
        self.words += other.words;
        self.nodes += other.nodes;
        self.near += other.near;
    }
}

/// How words are counted in languages with a dotless i.
const DOTLESS: Casing = Casing::Folded(LowerCase::Dotless);

/// What collocations are sought.
#[derive(Debug, Clone)]
pub struct CollocationQuery {
    /// Forms of the node in normal form C, as they are counted in most languages, and in those with a dotless i.
    nodes: BTreeSet<String>,
    dotless_nodes: BTreeSet<String>,
    casing: Casing,
    window: Window,
}

impl CollocationQuery {
    /// What is sought for a node with the given forms. Either apostrophe stands for the other one, as in a concordance.
    pub fn new(forms: &[String], casing: Casing, window: Window) -> CollocationQuery {
        let folded = |casing: Casing| -> BTreeSet<String> {
            let one = |form: String| {
                let mut to = String::new();
                fold(&nfc(&form), casing, &mut to);
                to
            };
            let spelt = |form: &String| [form.clone(), form.replace('’', "'"), form.replace('\'', "’")];
            forms.iter().flat_map(spelt).map(one).collect()
        };
        let dotless = if casing == Casing::Kept { casing } else { DOTLESS };
        CollocationQuery { nodes: folded(casing), dotless_nodes: folded(dotless), casing, window }
    }

    /// The forms of the node among words that are counted in this way.
    fn nodes(&self, casing: Casing) -> &BTreeSet<String> {
        if casing == DOTLESS { &self.dotless_nodes } else { &self.nodes }
    }
}

/// Counts words and those near a node. Each thread has its own counter and counts whole documents.
pub struct CollocationCounter<'q> {
    query: &'q CollocationQuery,
    counter: GroupedCounter,
    sizes: BTreeMap<CompactString, NodeCounts>,
    sentence: Sentence,
}

/// The tokens of a sentence, kept for its memory.
#[derive(Debug, Default)]
struct Sentence {
    words: String,
    /// End of each token in `words`; a token that is no word is empty.
    ends: Vec<usize>,
    is_node: Vec<bool>,
}

impl<'q> CollocationCounter<'q> {
    /// A counter that writes temporary files to `folder` when its counts take more than `memory` bytes.
    pub fn new(query: &'q CollocationQuery, folder: &Path, memory: usize) -> CollocationCounter<'q> {
        let (counter, sentence) = (GroupedCounter::new(folder, memory), Sentence::default());
        CollocationCounter { query, counter, sizes: BTreeMap::new(), sentence }
    }

    /// Counts the sentences of one document.
    pub fn document<'t>(&mut self, language: &str, sentences: impl Iterator<Item = &'t Vec<&'t str>>) -> Result<()> {
        let mut sizes = NodeCounts::default();
        let casing = self.query.casing.of_language(language);
        let nodes = self.query.nodes(casing);
        for tokens in sentences {
            self.sentence.read(tokens, nodes, casing);
            let Sentence { words, ends, is_node } = &self.sentence;
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let mut near = Nearness::new(is_node, self.query.window);
            for ((start, end), is_node) in starts.zip(ends).zip(is_node) {
                let is_near = near.advance();
                let word = words.get(start..*end).unwrap_or_default();
                if word.is_empty() {
                    continue;
                }
                sizes += NodeCounts { words: 1, nodes: u64::from(*is_node), near: u64::from(is_near) };
                self.counter.count(language, 1, word, ALL);
                if is_near {
                    self.counter.count(language, 1, word, NEAR);
                }
            }
        }
        *self.sizes.entry(language.into()).or_default() += sizes;
        self.counter.end_document()
    }

    /// The counts, all on disk.
    pub fn finish(self) -> Result<CollocationCounts> {
        Ok(CollocationCounts { counts: self.counter.finish()?, sizes: self.sizes })
    }
}

impl Sentence {
    fn read(&mut self, tokens: &[&str], nodes: &BTreeSet<String>, casing: Casing) {
        self.words.clear();
        self.ends.clear();
        self.is_node.clear();
        for token in tokens {
            let start = self.words.len();
            if is_word(token) {
                fold(token, casing, &mut self.words);
            }
            self.is_node.push(self.words.get(start..).is_some_and(|word| nodes.contains(word)));
            self.ends.push(self.words.len());
        }
    }
}

/// Tells of one token after another whether a node other than itself is near. A token is in the window of the nodes from
/// `right` tokens before it to `left` tokens behind it; their number is kept up while the tokens pass, so that a
/// sentence takes time linear in its length.
struct Nearness<'s> {
    is_node: &'s [bool],
    window: Window,
    at: usize,
    /// Nodes up to `left` tokens behind the token before, and up to `right` tokens before it.
    nodes: usize,
}

impl<'s> Nearness<'s> {
    fn new(is_node: &'s [bool], window: Window) -> Nearness<'s> {
        let nodes = is_node.iter().take(window.left).filter(|is_node| **is_node).count();
        Nearness { is_node, window, at: 0, nodes }
    }

    fn advance(&mut self) -> bool {
        let node = |at: Option<usize>| at.and_then(|at| self.is_node.get(at)).is_some_and(|is_node| *is_node);
        let (enters, leaves) = (self.at.checked_add(self.window.left), self.at.checked_sub(self.window.right + 1));
        let itself = node(Some(self.at));
        self.nodes = self.nodes + usize::from(node(enters)) - usize::from(node(leaves));
        self.at += 1;
        self.nodes > usize::from(itself)
    }
}

/// The counts of one or more counters.
pub struct CollocationCounts {
    counts: GroupedCounts,
    sizes: BTreeMap<CompactString, NodeCounts>,
}

/// Which collocations a list has.
#[derive(Debug, Clone, Copy)]
pub struct CollocationList {
    /// Rows of a list.
    pub most: usize,
    /// Fewest pairs of a row.
    pub min_pairs: u64,
    /// What the rows are ordered by.
    pub measure: Measure,
}

/// A collocate of the node. Greater is more of a collocate; ties are broken by code point.
#[derive(Debug, Clone)]
pub struct Collocate {
    pub word: Box<str>,
    /// Documents that have the pair.
    pub documents: u64,
    pub counts: PairCounts,
    /// Value of the measure that orders the list.
    score: f64,
}

/// Collocates of a language.
#[derive(Debug, Clone)]
pub struct Collocates {
    pub sizes: NodeCounts,
    /// Greatest first.
    pub rows: Vec<Collocate>,
}

impl CollocationCounts {
    /// Adds the counts of another counter. The order of merging makes no difference.
    pub fn merge(&mut self, other: CollocationCounts) {
        self.counts.merge(other.counts);
        other.sizes.into_iter().for_each(|(language, sizes)| *self.sizes.entry(language).or_default() += sizes);
    }

    /// The collocates by language; a language without the node has no list.
    pub fn rank(self, wanted: &CollocationList) -> Result<BTreeMap<CompactString, Collocates>> {
        let mut lists: BTreeMap<CompactString, TopK<Collocate>> = BTreeMap::new();
        let mut rows = self.counts.rows()?;
        while let Some((list, row)) = rows.advance()? {
            let Some(sizes) = self.sizes.get(&list.language) else { continue };
            let Some(collocate) = Collocate::of(row, *sizes, wanted) else { continue };
            lists.entry(list.language).or_insert_with(|| TopK::new(wanted.most)).push(collocate);
        }
        let with_node = self.sizes.into_iter().filter(|(_, sizes)| sizes.nodes > 0);
        let list = |(language, sizes): (CompactString, NodeCounts)| {
            let rows = lists.remove(&language).map(TopK::into_sorted).unwrap_or_default();
            (language, Collocates { sizes, rows })
        };
        Ok(with_node.map(list).collect())
    }
}

impl Collocate {
    fn of(row: GroupedRow, sizes: NodeCounts, wanted: &CollocationList) -> Option<Collocate> {
        let of_group = |wanted: u32| row.groups.iter().find(|(group, _)| *group == wanted).map(|(_, count)| *count);
        let pairs: KeyCount = of_group(NEAR).filter(|pairs| pairs.count >= wanted.min_pairs.max(1))?;
        let counts = PairCounts { sizes, count: of_group(ALL)?.count, pairs: pairs.count };
        let score = wanted.measure.of(&counts);
        Some(Collocate { word: row.gram.0, documents: pairs.documents, counts, score })
    }
}

impl Ord for Collocate {
    fn cmp(&self, other: &Collocate) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.word.cmp(&self.word))
    }
}

compare_by_order!(Collocate);

#[cfg(test)]
mod tests;
