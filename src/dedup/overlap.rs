//! Paragraph overlap, after onion (Pomikálek 2011): the share of a paragraph's words that are covered by
//! units of text seen before, in an earlier document or earlier in the same one. A unit is an n-gram of
//! words, as in onion, or a whole sentence.
//!
//! Unlike in onion, a paragraph is dropped for what earlier documents have, and not for what its own document repeats: of 4,195
//! paragraphs of labelled pages that onion's rule drops for the latter, the gold texts have 81 % (cells of tables, refrains,
//! headings).
//!
//! "Before" means corpus order, not processing order: a unit is *seen* if its first owner, the first
//! document that has it, is an earlier document. Onion asks for more: an earlier document that has the unit
//! and kept a paragraph in which it ends. For all documents of a corpus both definitions see the same units
//! if and only if each unit of several documents ends in a kept paragraph of its first owner.
//!
//! Whole documents are the case of one paragraph: `lengths` = `[total]`.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::share;
use crate::hash::{sequence_hash, window_hashes};

/// A piece of text that counts as a whole as seen or not: an n-gram or a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashedSpan {
    /// Hash of the unit's words.
    pub hash: u64,
    /// Positions of the unit's words among the words of the document.
    pub words: Range<usize>,
}

/// How many words of a paragraph were seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Number of words.
    pub words: u32,
    /// Number of words that are covered by units seen before.
    pub seen: u32,
    /// Number of words that are covered by units of earlier documents: without those that the document itself repeats.
    pub elsewhere: u32,
}

impl Coverage {
    /// Share of the words that were seen before, from 0 to 1; 0 for a paragraph without words.
    pub fn share(&self) -> f64 {
        share(self.seen as usize, self.words as usize)
    }

    /// Whether the share of the words that earlier documents have is above the threshold; never for a paragraph without
    /// words.
    pub fn repeats_others(&self, threshold: f64) -> bool {
        share(self.elsewhere as usize, self.words as usize) > threshold
    }
}

/// How the neighbours of a paragraph change the decision about it: setting `overlap.smoothing`. All decisions start
/// from those that the threshold alone makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Smoothing {
    /// A run of few words between two paragraphs that repeat other documents (a stub) is dropped too; in a document that has
    /// one, its ends count as such. Onion has the same rule, also in documents without one.
    #[default]
    Stub,
    /// A dropped paragraph directly between two kept ones (a bridge) stays.
    Bridge,
    /// Stubs are dropped, then bridges stay, also where the paragraphs that they join were dropped as stubs.
    Both,
    /// The threshold alone decides.
    None,
}

/// All n-grams of a document, across its paragraphs.
pub fn ngram_spans(words: &[u64], n: usize) -> impl Iterator<Item = HashedSpan> {
    let n = n.max(1);
    window_hashes(words, n)
        .into_iter()
        .enumerate()
        .map(move |(start, hash)| HashedSpan { hash, words: start..start + n })
}

/// All sentences of a document that have words; `sentence_lengths` has the number of words of each sentence.
pub fn sentence_spans(words: &[u64], sentence_lengths: &[usize]) -> impl Iterator<Item = HashedSpan> {
    ranges(sentence_lengths)
        .filter(|range| !range.is_empty())
        .filter_map(|range| Some(HashedSpan { hash: sequence_hash(words.get(range.clone())?), words: range }))
}

/// The distinct units of a document. Hashes are looked for by a product of their own, so that no page can be written
/// to make them collide.
#[derive(Debug, Default)]
pub struct OwnUnits {
    /// Twice as many slots as units, at least; 0 in an empty one.
    slots: Vec<u64>,
    has_zero: bool,
    multiplier: u64,
}

impl OwnUnits {
    /// Room for at most `units` units.
    pub fn with_capacity(units: usize) -> OwnUnits {
        let slots = vec![0; (2 * units).max(2).next_power_of_two()];
        OwnUnits { slots, has_zero: false, multiplier: RandomState::new().hash_one(0) | 1 }
    }

    /// Adds a unit; false if it is there already.
    pub fn insert(&mut self, unit: u64) -> bool {
        if unit == 0 {
            return !std::mem::replace(&mut self.has_zero, true);
        }
        let first = unit.wrapping_mul(self.multiplier) >> (64 - self.slots.len().trailing_zeros());
        let (before, from) = self.slots.split_at_mut_checked(first as usize).unwrap_or_default();
        for slot in from.iter_mut().chain(before) {
            if *slot == 0 {
                *slot = unit;
                return true;
            }
            if *slot == unit {
                return false;
            }
        }
        true
    }
}

/// The ranges of positions that parts of these lengths have one after the other.
fn ranges(lengths: &[usize]) -> impl Iterator<Item = Range<usize>> {
    lengths.iter().scan(0, |end, length| {
        let start = *end;
        *end += length;
        Some(start..*end)
    })
}

/// Where a word was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    Nowhere,
    /// Further up in the same document.
    Here,
    /// In an earlier document.
    Elsewhere,
}

/// Coverage of the paragraphs of one document. `lengths` has the number of words of each paragraph; `units` are in
/// the order of the text and may run across paragraphs. A unit covers its words in the paragraph of its last word and in the
/// headings directly before it, which may be shorter than an n-gram: `ranks` has the rank of each paragraph that is a
/// heading, else 0. Without ranks no paragraph is one.
pub fn coverage(
    lengths: &[usize],
    ranks: &[u8],
    units: impl Iterator<Item = HashedSpan>,
    seen_before: impl Fn(u64) -> bool,
) -> Vec<Coverage> {
    let paragraphs: Vec<Range<usize>> = ranges(lengths).collect();
    let mut begins: Vec<usize> = Vec::with_capacity(paragraphs.len());
    for (number, paragraph) in paragraphs.iter().enumerate() {
        let follows_heading = number > 0 && ranks.get(number - 1).is_some_and(|rank| *rank > 0);
        let first = begins.last().filter(|_| follows_heading);
        begins.push(first.copied().unwrap_or(paragraph.start));
    }
    let mut covered = vec![Seen::Nowhere; paragraphs.last().map_or(0, |last| last.end)];
    // There are at most as many units as words.
    let mut own = OwnUnits::with_capacity(covered.len());
    for HashedSpan { hash, words } in units {
        let (is_first, elsewhere) = (own.insert(hash), seen_before(hash));
        if is_first && !elsewhere {
            continue;
        }
        let seen = if elsewhere { Seen::Elsewhere } else { Seen::Here };
        let paragraph = paragraphs.partition_point(|paragraph| paragraph.end < words.end);
        let begin = begins.get(paragraph).copied().unwrap_or(0);
        if let Some(hit) = covered.get_mut(words.start.max(begin)..words.end) {
            hit.iter_mut().for_each(|word| *word = seen.max(*word));
        }
    }
    let count = |part: &[Seen], least: Seen| part.iter().filter(|&&seen| seen >= least).count() as u32;
    paragraphs
        .into_iter()
        .map(|range| {
            let words = range.len() as u32;
            let part = covered.get(range).unwrap_or_default();
            Coverage { words, seen: count(part, Seen::Here), elsewhere: count(part, Seen::Elsewhere) }
        })
        .collect()
}

/// For each paragraph whether it is dropped: it repeats other documents, or smoothing decides so. A stub has at most
/// `max_stub` words.
pub fn dropped_paragraphs(coverage: &[Coverage], threshold: f64, smoothing: Smoothing, max_stub: u32) -> Vec<bool> {
    let mut dropped: Vec<bool> = coverage.iter().map(|c| c.repeats_others(threshold)).collect();
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

/// Dropped paragraphs whose two neighbours stay. Paragraphs without words do not count as neighbours: they always
/// stay, so that a row of duplicates with asterisks between them would stay as well.
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

/// Drops the runs of few words between paragraphs that are dropped, of which there is one at least; the ends of the document
/// count as such.
fn drop_stubs(coverage: &[Coverage], dropped: &mut [bool], max_stub: u32) {
    if !dropped.contains(&true) {
        return;
    }
    let mut start = 0;
    while start < dropped.len() {
        let run = dropped.iter().skip(start).take_while(|&&dropped| !dropped).count();
        let words: u32 = coverage.iter().skip(start).take(run).map(|coverage| coverage.words).sum();
        if words <= max_stub {
            dropped.iter_mut().skip(start).take(run).for_each(|dropped| *dropped = true);
        }
        start += run + 1;
    }
}

/// Keeps the headings among `may_stay` though they were dropped, if a paragraph is kept below them, up to the next heading of
/// their rank or a higher one: that a date line repeats others says nothing about the title above it.
pub fn keep_headings(ranks: &[u8], may_stay: &[bool], dropped: &mut [bool]) {
    // From the end, so that what stands below a heading is decided before it.
    for (place, (&rank, &may_stay)) in ranks.iter().zip(may_stay).enumerate().rev() {
        if rank > 0 && may_stay && section(ranks, dropped, place).any(|dropped| !dropped) {
            dropped.get_mut(place).into_iter().for_each(|own| *own = false);
        }
    }
}

/// Keeps what was dropped as a stub between two quotations, and then also what stands behind the last one: few words between the
/// parts of a mail that repeat another one are the answer to it. A single quotation can be all that a page has.
pub fn keep_answers(quoted: &[bool], coverage: &[Coverage], threshold: f64, dropped: &mut [bool]) {
    let repeats: Vec<bool> = coverage.iter().map(|coverage| coverage.repeats_others(threshold)).collect();
    let is_quotation = |at: usize| quoted.get(at) == Some(&true);
    let (mut start, mut answers) = (0, false);
    for run in repeats.chunk_by(|one, next| one == next) {
        let end = start + run.len();
        let follows = run.first() == Some(&false) && start.checked_sub(1).is_some_and(is_quotation);
        if follows && (is_quotation(end) || answers && end == repeats.len()) {
            answers = true;
            dropped.iter_mut().take(end).skip(start).for_each(|dropped| *dropped = false);
        }
        start = end;
    }
}

/// Which paragraphs below the heading at `place` are dropped, up to the next heading of its rank or a higher one.
fn section(ranks: &[u8], dropped: &[bool], place: usize) -> impl Iterator<Item = bool> {
    let rank = ranks.get(place).copied().unwrap_or(0);
    let behind = ranks.iter().zip(dropped).skip(place + 1);
    behind.take_while(move |(other, _)| **other == 0 || **other > rank).map(|(_, dropped)| *dropped)
}

/// Drops headings that were seen before, as their [`coverage`] with `ranks` tells, if all up to the next
/// heading of their rank or a higher one is dropped. Returns their places.
pub fn drop_headings(ranks: &[u8], coverage: &[Coverage], threshold: f64, dropped: &mut [bool]) -> Vec<usize> {
    let mut headings = Vec::new();
    // From the end, so that what stands below a heading is decided before it.
    for (place, (&rank, coverage)) in ranks.iter().zip(coverage).enumerate().rev() {
        if rank == 0 || !coverage.repeats_others(threshold) {
            continue;
        }
        let repeats = {
            let mut below = section(ranks, dropped, place).peekable();
            below.peek().is_some() && below.all(|dropped| dropped)
        };
        if let Some(own) = dropped.get_mut(place).filter(|own| repeats && !**own) {
            *own = true;
            headings.push(place);
        }
    }
    headings
}

#[cfg(test)]
mod tests;
