//! Samples: the values with the smallest ranks. A rank is a hash, so the choice looks like chance and is the same in
//! every run and for any number of tasks.

use serde::{Deserialize, Serialize};

use crate::document::{Document, Paragraph};

/// Paragraphs in the sample of an outcome.
pub const SAMPLES: usize = 10;
/// Pages in the list of those nearest to a decision.
pub const EDGES: usize = 10;
/// Most characters of a text and of an address in a sample.
const SHOWN_CHARACTERS: usize = 320;

/// The values with the smallest ranks, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Least<T>(Vec<(Rank, T)>);

/// What a value is chosen by.
type Rank = (u64, u64);

impl<T> Default for Least<T> {
    fn default() -> Self {
        Least(Vec::new())
    }
}

impl<T> Least<T> {
    /// Adds a value if fewer than `most` have a smaller rank. Two values of one rank are the same value.
    pub fn offer(&mut self, rank: Rank, most: usize, value: impl FnOnce() -> T) {
        if self.0.len() >= most && self.0.last().is_some_and(|(last, _)| *last <= rank) {
            return;
        }
        if let Err(place) = self.0.binary_search_by_key(&rank, |(rank, _)| *rank) {
            self.0.insert(place, (rank, value()));
            self.0.truncate(most);
        }
    }

    /// The values, smallest rank first.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<T: Clone> Least<T> {
    /// Adds the values of another task.
    pub fn merge(&mut self, other: &Least<T>, most: usize) {
        other.0.iter().for_each(|(rank, value)| self.offer(*rank, most, || value.clone()));
    }
}

/// A paragraph to judge an outcome by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub doc: u64,
    pub url: String,
    pub index: u32,
    pub text: String,
    /// Name of the evidence for the verdict.
    pub reason: String,
    pub score: Option<f32>,
    pub seen_share: Option<f32>,
    pub similarity: Option<f32>,
}

impl Sample {
    /// The sample of a row.
    pub fn new(document: &Document, row: &Paragraph) -> Sample {
        Sample {
            doc: document.doc,
            url: shown(&document.url),
            index: row.index,
            text: shown(&row.text),
            reason: row.reason.name().into(),
            score: row.score,
            seen_share: row.seen_share,
            similarity: document.similarity,
        }
    }
}

/// A page that is near to a decision: the block with the best score decides whether it has content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    pub doc: u64,
    pub url: String,
    pub score: f32,
    pub text: String,
}

impl Edge {
    /// A page and its best block.
    pub fn new(score: f32, document: &Document, block: &Paragraph) -> Edge {
        Edge { doc: document.doc, url: shown(&document.url), score, text: shown(&block.text) }
    }
}

/// The beginning of a text, with its lines.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_string() + "…",
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_ranks_stay() {
        let mut least = Least::default();
        [5, 3, 9, 3, 1, 7].iter().for_each(|&rank| least.offer((rank, 0), 3, || rank));
        assert_eq!(least.values().copied().collect::<Vec<_>>(), [1, 3, 5]);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shown("a kůň\nof mine"), "a kůň\nof mine");
        let cut = shown(&"ů".repeat(400));
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (321, true));
    }
}
