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
    text: String,
    /// Offsets at which the lines begin, and the end of the text.
    lines: Vec<u32>,
    /// Lines of the words that begin with a character.
    by_first: FxHashMap<char, Range<u32>>,
}

impl ListedWords {
    /// A list that begins at a byte offset of a text; none if a line has no tab.
    pub fn new(text: String, begin: usize) -> Option<ListedWords> {
        let mut lines = vec![u32::try_from(begin).ok()?];
        let list = text.as_bytes().get(begin..)?;
        lines.extend(memchr::memchr_iter(b'\n', list).map(|end| (begin + end + 1) as u32));
        let mut by_first: FxHashMap<char, Range<u32>> = FxHashMap::default();
        let mut last: Option<(char, u32)> = None;
        for (line, &start) in lines.iter().enumerate().take(lines.len() - 1) {
            let first = text.get(start as usize..)?.chars().next()?;
            if last.is_none_or(|(c, _)| c != first) {
                last = Some((first, line as u32));
            }
            let (_, begin) = last?;
            by_first.insert(first, begin..line as u32 + 1);
        }
        Some(ListedWords { text, lines, by_first })
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
            if let Some(numbers) = self.line(lines.start).get(depth..).and_then(|rest| rest.strip_prefix(b"\t")) {
                found(before + 1, Readings(numbers));
            }
        }
    }

    /// Those of the lines that have a character at a byte offset; they are equal before it.
    fn narrowed(&self, lines: Range<u32>, depth: usize, c: char) -> Range<u32> {
        let mut buffer = [0; 4];
        let c = c.encode_utf8(&mut buffer).as_bytes();
        let begins = |line: u32| self.line(line).get(depth..).unwrap_or_default();
        let start = partition_point(lines.clone(), |line| begins(line) < c);
        let end = partition_point(start..lines.end, |line| begins(line).starts_with(c));
        start..end
    }

    fn line(&self, index: u32) -> &[u8] {
        match self.lines.get(index as usize..) {
            Some(&[begin, end, ..]) => self.text.as_bytes().get(begin as usize..end as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// The first number of a range for which a test fails that holds for none behind one for which it fails.
fn partition_point(range: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut start, mut end) = (range.start, range.end);
    while start < end {
        let middle = start + (end - start) / 2;
        if holds(middle) {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    start
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
        let list = ListedWords::new("head\n\n夏\t1 2 -3 4 5 6\n夏休み\t7 8 9\n".into(), 6).unwrap();
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
            let list = words.iter().map(|word| format!("{word}\t0 0 {}\n", word.len())).collect();
            let list = ListedWords::new(list, 0).unwrap();
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
