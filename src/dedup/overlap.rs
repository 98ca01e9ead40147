//! Paragraph overlap, after onion (Pomikálek 2011): the share of a paragraph's words that lie under
//! pieces of text seen before, in an earlier document or earlier in the same one. A piece is an
//! n-gram of words, as in onion, or a whole sentence.
//!
//! "Before" is corpus order, not processing order: a piece is seen if its first owner, the first
//! document that has it, is an earlier one. Onion asks for more, an earlier document that has it and
//! kept a paragraph in which it ends. For all documents of a corpus the two see the same pieces if and
//! only if each piece of several documents ends in a kept paragraph of its first owner.
//!
//! Whole documents instead of paragraphs are the case of one paragraph: `lengths` = `[total]`.

use std::ops::Range;

use fxhash::{FxBuildHasher, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::hash::combine;
use crate::text::words::ngrams;

/// What is seen again or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub hash: u64,
    /// Where its words stand among those of the document.
    pub words: Range<usize>,
}

/// Words of a paragraph, and how many of them were seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    pub words: u32,
    pub seen: u32,
}

impl Coverage {
    /// 0 for a paragraph without words.
    pub fn share(&self) -> f64 {
        if self.words == 0 { 0.0 } else { f64::from(self.seen) / f64::from(self.words) }
    }

    pub fn is_above(&self, threshold: f64) -> bool {
        self.words > 0 && self.share() > threshold
    }
}

/// What a paragraph's neighbours change. All of it is decided on what the threshold alone says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Smoothing {
    /// A run of few words between two dropped paragraphs goes too, the document's ends counting as
    /// dropped. So does onion.
    #[default]
    Stub,
    /// A dropped paragraph directly between two kept ones stays.
    Bridge,
    /// Stubs go, then bridges stay, also where the paragraphs they join went as stubs.
    Both,
    None,
}

/// All n-grams, across paragraphs.
pub fn ngram_pieces(words: &[u64], n: usize) -> impl Iterator<Item = Piece> + '_ {
    let n = n.max(1);
    ngrams(words, n).enumerate().map(move |(start, hash)| Piece { hash, words: start..start + n })
}

/// All sentences that have words; `sentence_lengths` says how many each has.
pub fn sentence_pieces(words: &[u64], sentence_lengths: &[usize]) -> impl Iterator<Item = Piece> {
    ranges(sentence_lengths)
        .filter(|range| !range.is_empty())
        .filter_map(|range| Some(Piece { hash: combine(words.get(range.clone())?), words: range }))
}

fn ranges(lengths: &[usize]) -> impl Iterator<Item = Range<usize>> {
    lengths.iter().scan(0, |end, length| {
        let start = *end;
        *end += length;
        Some(start..*end)
    })
}

/// Coverage of the paragraphs of one document. `lengths` says how many words each has; `pieces` come
/// in the order of the text and may run across paragraphs.
pub fn coverage(
    lengths: &[usize],
    pieces: impl Iterator<Item = Piece>,
    seen_before: impl Fn(u64) -> bool,
) -> Vec<Coverage> {
    let paragraphs: Vec<Range<usize>> = ranges(lengths).collect();
    let mut covered = vec![false; paragraphs.last().map_or(0, |last| last.end)];
    // There are about as many pieces as words.
    let mut own: FxHashSet<u64> = FxHashSet::with_capacity_and_hasher(covered.len(), FxBuildHasher::default());
    for Piece { hash, words } in pieces {
        if own.insert(hash) && !seen_before(hash) {
            continue;
        }
        // A hit covers only those of its words that stand in the paragraph of the last one.
        let paragraph = paragraphs.partition_point(|paragraph| paragraph.end < words.end);
        let begin = paragraphs.get(paragraph).map_or(0, |paragraph| paragraph.start);
        if let Some(hit) = covered.get_mut(words.start.max(begin)..words.end) {
            hit.fill(true);
        }
    }
    let seen = |part: &[bool]| part.iter().filter(|&&covered| covered).count();
    paragraphs
        .into_iter()
        .map(|range| {
            let words = range.len() as u32;
            Coverage { words, seen: seen(covered.get(range).unwrap_or_default()) as u32 }
        })
        .collect()
}

/// Which paragraphs go: those covered above `threshold`, smoothed. A stub has at most `max_stub` words.
pub fn drops(coverage: &[Coverage], threshold: f64, smoothing: Smoothing, max_stub: u32) -> Vec<bool> {
    let mut dropped: Vec<bool> = coverage.iter().map(|c| c.is_above(threshold)).collect();
    let bridges = match smoothing {
        Smoothing::Bridge | Smoothing::Both => bridges(coverage, &dropped),
        Smoothing::Stub | Smoothing::None => Vec::new(),
    };
    if matches!(smoothing, Smoothing::Stub | Smoothing::Both) {
        drop_stubs(coverage, &mut dropped, max_stub);
    }
    for bridge in bridges {
        if let Some(dropped) = dropped.get_mut(bridge) {
            *dropped = false;
        }
    }
    dropped
}

/// Dropped paragraphs whose two neighbours stay. Paragraphs without words are looked through: they
/// always stay, so that a row of duplicates with asterisks between them would stay as well.
fn bridges(coverage: &[Coverage], dropped: &[bool]) -> Vec<usize> {
    let with_words: Vec<(usize, bool)> = coverage
        .iter()
        .zip(dropped)
        .enumerate()
        .filter(|(_, (coverage, _))| coverage.words > 0)
        .map(|(at, (_, &dropped))| (at, dropped))
        .collect();
    with_words
        .windows(3)
        .filter_map(|three| match three {
            [(_, false), (at, true), (_, false)] => Some(*at),
            _ => None,
        })
        .collect()
}

fn drop_stubs(coverage: &[Coverage], dropped: &mut [bool], max_stub: u32) {
    let mut start = 0;
    while start < dropped.len() {
        let run = dropped.iter().skip(start).take_while(|&&d| !d).count();
        let words: u32 = coverage.iter().skip(start).take(run).map(|c| c.words).sum();
        if words <= max_stub {
            dropped.iter_mut().skip(start).take(run).for_each(|d| *d = true);
        }
        start += run + 1;
    }
}

#[cfg(test)]
mod tests;
