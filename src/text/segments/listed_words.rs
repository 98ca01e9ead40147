//! The words of a list, in the order of their bytes, found by their first characters without an index of the words.
//!
//! A list has hundreds of thousands of words, of which a page needs some hundreds: a line is read when its word is met.

use std::ops::Range;

use fxhash::FxHashMap;

/// One reading of a word: its classes to either side and its cost.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    pub left: u16,
    pub right: u16,
    pub cost: i32,
}

/// A list of words: one a line, with a tab and the numbers of its readings behind it, sorted by bytes.
#[derive(Debug)]
pub struct ListedWords {
    text: &'static [u8],
    /// Bytes of the lines whose words begin with a character.
    by_first: FxHashMap<char, Range<usize>>,
}

impl ListedWords {
    /// A list that begins at a byte offset of a text; none if it is not UTF-8 where words begin.
    pub fn new(text: &'static [u8], begin: usize) -> Option<ListedWords> {
        let mut list = ListedWords { text, by_first: FxHashMap::default() };
        let mut at = begin;
        while at < list.text.len() {
            let first = first_char(list.text.get(at..)?)?;
            let mut buffer = [0; 4];
            let first_bytes = first.encode_utf8(&mut buffer).as_bytes();
            let end = list.partition_point(at..list.text.len(), |line| line.starts_with(first_bytes));
            list.by_first.insert(first, at..end);
            at = end;
        }
        Some(list)
    }

    /// Calls `found` with the length in characters and the readings of each listed word that a text begins with.
    pub fn beginning(&self, text: &[char], mut found: impl FnMut(usize, Readings<'_>)) {
        let Some(mut lines) = text.first().and_then(|first| self.by_first.get(first)).cloned() else { return };
        let mut depth = 0;
        for (before, c) in text.iter().enumerate() {
            if before > 0 {
                lines = self.narrowed(lines, depth, *c);
            }
            if lines.is_empty() {
                return;
            }
            depth += c.len_utf8();
            // A word stands before the longer ones that begin with it.
            let first = self.text.get(lines.start + depth..lines.end).unwrap_or_default();
            if let Some(numbers) = first.strip_prefix(b"\t") {
                let end = memchr::memchr(b'\n', numbers).unwrap_or(numbers.len());
                found(before + 1, Readings(numbers.get(..end).unwrap_or_default()));
            }
        }
    }

    /// Those of the lines that have a character at a byte offset; they are equal before it.
    fn narrowed(&self, lines: Range<usize>, depth: usize, c: char) -> Range<usize> {
        let mut buffer = [0; 4];
        let c = c.encode_utf8(&mut buffer).as_bytes();
        let start = self.partition_point(lines.clone(), |line| line.get(depth..).is_some_and(|rest| rest < c));
        let end =
            self.partition_point(start..lines.end, |line| line.get(depth..).is_some_and(|rest| rest.starts_with(c)));
        start..end
    }

    /// Where the first line begins for which a test fails that holds for none behind one for which it fails. The range
    /// begins and ends where lines do.
    fn partition_point(&self, lines: Range<usize>, holds: impl Fn(&[u8]) -> bool) -> usize {
        let Range { mut start, mut end } = lines;
        while start < end {
            let middle = start + (end - start) / 2;
            let before = self.text.get(start..middle).unwrap_or_default();
            let line = memchr::memrchr(b'\n', before).map_or(start, |last| start + last + 1);
            let rest = self.text.get(line..end).unwrap_or_default();
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |last| last + 1);
            if holds(rest.get(..length).unwrap_or_default()) {
                start = line + length;
            } else {
                end = line;
            }
        }
        start
    }
}

/// The first character of a text.
fn first_char(text: &[u8]) -> Option<char> {
    let first = text.get(..text.len().min(4))?;
    first.utf8_chunks().next()?.valid().chars().next()
}

/// The readings of a word, from triples of numbers: class to the left, class to the right, cost.
pub struct Readings<'a>(&'a [u8]);

impl Iterator for Readings<'_> {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        let mut next = || next_number(&mut self.0);
        Some(Reading { left: next()? as u16, right: next()? as u16, cost: next()? })
    }
}

/// Takes the first whole number off a line; none at its end.
pub fn next_number(line: &mut &[u8]) -> Option<i32> {
    let from = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\n'))?;
    let rest = line.get(from..)?;
    let length = rest.iter().position(|b| matches!(b, b' ' | b'\t' | b'\n')).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(length);
    *line = rest;
    let (sign, digits) = number.strip_prefix(b"-").map_or((1, number), |digits| (-1, digits));
    Some(sign * digits.iter().fold(0i32, |n, d| n.wrapping_mul(10).wrapping_add(i32::from(d.wrapping_sub(b'0')))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readings_are_triples() {
        let list = ListedWords::new("head\n\n夏\t1 2 -3 4 5 6\n夏休み\t7 8 9\n".as_bytes(), 6).unwrap();
        let mut found = Vec::new();
        let text: Vec<char> = "夏休みだ".chars().collect();
        list.beginning(&text, |length, readings| {
            found.extend(readings.map(|reading| (length, reading.left, reading.right, reading.cost)));
        });
        assert_eq!(found, [(1, 1, 2, -3), (1, 4, 5, 6), (3, 7, 8, 9)]);
    }

    proptest! {
        #[test]
        fn words_are_found_as_by_trying_all(
            words in prop::collection::btree_set("[aβ山𠀀]{1,5}", 0..40),
            text in "[aβ山𠀀b]{0,8}",
        ) {
            let list: String = words.iter().map(|word| format!("{word}\t0 0 {}\n", word.len())).collect();
            let list = ListedWords::new(list.leak().as_bytes(), 0).unwrap();
            let text: Vec<char> = text.chars().collect();
            let mut found = Vec::new();
            list.beginning(&text, |length, mut readings| found.push((length, readings.next().unwrap().cost as usize)));
            let beginning = |length: usize| text.iter().take(length).collect::<String>();
            let expected: Vec<_> = (1..=text.len())
                .filter(|length| words.contains(&beginning(*length)))
                .map(|length| (length, beginning(length).len()))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
