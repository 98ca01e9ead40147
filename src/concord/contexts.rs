//! The parts of a paragraph around a hit, as byte ranges.

use std::ops::Range;

use crate::text::segments::Token;

/// The range from the start of the sentence in which a hit begins to the end of the one in which it ends; nearly always
/// the same sentence. It contains at least the hit itself.
pub fn around(sentences: &[Range<usize>], hit: &Range<usize>) -> Range<usize> {
    let first = sentences.partition_point(|sentence| sentence.end <= hit.start);
    let touched = sentences.iter().skip(first).take_while(|sentence| sentence.start < hit.end);
    touched.fold(hit.clone(), |all, sentence| all.start.min(sentence.start)..all.end.max(sentence.end))
}

/// The range of the hit and `width` characters on each side, or as many as there are.
pub fn window(text: &str, hit: &Range<usize>, width: usize) -> Range<usize> {
    let (left, right) = (text.get(..hit.start).unwrap_or_default(), text.get(hit.end..).unwrap_or_default());
    let start = match width {
        0 => hit.start,
        _ => left.char_indices().rev().nth(width - 1).map_or(0, |(at, _)| at),
    };
    let end = right.char_indices().nth(width).map_or(text.len(), |(at, _)| hit.end + at);
    start..end
}

/// The range of the hit and `width` tokens on each side, or as many as there are. A token of which the hit is a part is
/// there as a whole, and does not count.
pub fn token_window(tokens: &[Token], hit: &Range<usize>, width: usize) -> Range<usize> {
    let first = tokens.partition_point(|token| token.range.end <= hit.start);
    let after = tokens.partition_point(|token| token.range.start < hit.end);
    let shown = first.saturating_sub(width)..after.saturating_add(width).min(tokens.len());
    let shown = tokens.get(shown).unwrap_or_default();
    let start = shown.first().map_or(hit.start, |token| token.range.start.min(hit.start));
    let end = shown.last().map_or(hit.end, |token| token.range.end.max(hit.end));
    start..end
}
