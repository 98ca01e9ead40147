//! Word segmentation by a word list: the cheapest path through a lattice of words (Viterbi). Each word has a cost, and
//! so has each pair of classes of neighbouring words.
//!
//! A list is a text. Its head names the number of classes, the cost of each class (row) behind each class
//! (column), and how words that are not listed are guessed; one line per word follows, with its class to the left, its
//! class to the right and its cost, several times where it has several readings. `docs/segmentation.md` tells how
//! the lists were made.

use std::ops::Range;

use super::listed_words::{ListedWords, Reading, next_number};

/// A word that ends at a position of the text, on its cheapest path from the start.
#[derive(Debug, Clone, Copy)]
struct PathNode {
    cost: i32,
    right: u16,
    /// Position where the word starts.
    start: usize,
    /// Index of the previous node among those that end at `start`.
    before: usize,
}

/// Costs of words that are not in the list.
#[derive(Debug, Default)]
struct UnknownWordModel {
    /// Left and right class at the ends of a piece.
    ends: (u16, u16),
    /// Classes of an unlisted word.
    class: (u16, u16),
    /// Costs of one ideograph and of two.
    ideographs: (i32, i32),
    /// Cost of a run of katakana, and of each character in it.
    katakana: (i32, i32),
    /// Cost of one character of another kind.
    other: i32,
    /// Cost of a foreign name, and of each character in it.
    name: (i32, i32),
    /// Characters of foreign names.
    names: Vec<char>,
    /// Cost of a number in characters, and the characters of numbers.
    number: i32,
    numerals: Vec<char>,
    /// Ideographs that are no part of unlisted words.
    alone: Vec<char>,
    /// Cost of an ideograph with one of these before it, though it may stand alone: 较 in 较弱.
    heads: (i32, Vec<char>),
    /// Cost of an ideograph with one of these behind it: 到 in 迁到.
    tails: (i32, Vec<char>),
    /// Cost of an unlisted run of Thai clusters, and of each character in it.
    clusters: Option<(i32, i32)>,
    /// Characters of another way of writing, for which the list is of no use.
    foreign: Vec<char>,
}

/// A word list, ready for use.
#[derive(Debug)]
pub struct Lattice {
    classes: usize,
    /// Cost of class `row` behind class `column`, row by row.
    costs: Vec<i32>,
    unknown: UnknownWordModel,
    words: ListedWords,
}

/// Characters of an unlisted name or katakana word at most.
const LONGEST_NAME: usize = 6;
const LONGEST_KATAKANA: usize = 24;
/// Characters of an unlisted Thai word at most, and between two places where a word may end.
const LONGEST_THAI: usize = 12;

impl Lattice {
    /// Reads a list; none if it is broken, which a test rules out.
    pub fn read(text: &'static [u8]) -> Option<Lattice> {
        let list = memchr::memmem::find(text, b"\n\n")? + 2;
        let mut lines = std::str::from_utf8(text.get(..list)?).ok()?.lines();
        let classes: usize = lines.next()?.strip_prefix("classes ")?.parse().ok()?;
        let mut costs = Vec::with_capacity(classes * classes);
        for row in lines.by_ref().take(classes) {
            let mut row = row.as_bytes();
            costs.extend(std::iter::from_fn(|| next_number(&mut row)));
        }
        let unknown = UnknownWordModel::read(lines);
        let words = ListedWords::new(text, list)?;
        (costs.len() == classes * classes).then_some(Lattice { classes, costs, unknown, words })
    }

    /// Whether a text has characters of a way of writing that the list does not cover.
    pub fn is_foreign(&self, text: &str) -> bool {
        text.chars().any(|c| self.unknown.foreign.contains(&c))
    }

    /// Calls `push` with the byte range of each word of a text.
    pub fn segment(&self, text: &str, mut push: impl FnMut(Range<usize>)) {
        let mut at: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        let chars: Vec<char> = text.chars().collect();
        at.push(text.len());
        let may_end = if self.unknown.clusters.is_some() { cluster_ends(&chars) } else { vec![true; at.len()] };
        let starts = self.path(&Piece { chars: &chars, may_end: &may_end });
        if starts.is_empty() {
            push(0..text.len());
        }
        let ends = starts.iter().skip(1).copied().chain([chars.len()]);
        for (start, end) in starts.iter().zip(ends) {
            if let (Some(start), Some(end)) = (at.get(*start), at.get(end)) {
                push(*start..*end);
            }
        }
    }

    /// Positions at which the words of the cheapest path start.
    fn path(&self, piece: &Piece) -> Vec<usize> {
        let chars = piece.chars;
        let mut ending: Vec<Vec<PathNode>> = vec![Vec::new(); chars.len() + 1];
        if let Some(first) = ending.first_mut() {
            first.push(PathNode { cost: 0, right: self.unknown.ends.1, start: 0, before: 0 });
        }
        for start in 0..chars.len() {
            let before = ending.get_mut(start).map(std::mem::take).unwrap_or_default();
            if !before.is_empty() {
                self.extend(piece, start, &before, &mut ending);
            }
            if let Some(slot) = ending.get_mut(start) {
                *slot = before;
            }
        }
        let last = ending.last().and_then(|nodes| self.cheapest(self.unknown.ends.0, nodes)).map_or(0, |best| best.1);
        let mut starts = Vec::new();
        let (mut position, mut node) = (chars.len(), last);
        while position > 0
            && let Some(word) = ending.get(position).and_then(|nodes| nodes.get(node))
        {
            starts.push(word.start);
            (position, node) = (word.start, word.before);
        }
        starts.reverse();
        starts
    }

    /// Adds the words that start at a position to the nodes of the positions where they end.
    fn extend(&self, piece: &Piece, start: usize, before: &[PathNode], ending: &mut [Vec<PathNode>]) {
        let mut add = |length: usize, reading: Reading| {
            if piece.may_end.get(start + length) != Some(&true) {
                return;
            }
            let Some((cost, node)) = self.cheapest(reading.left, before) else { return };
            let node = PathNode { cost: cost + reading.cost, right: reading.right, start, before: node };
            let Some(nodes) = ending.get_mut(start + length) else { return };
            match nodes.iter_mut().find(|other| other.right == node.right) {
                Some(other) if other.cost <= node.cost => {}
                Some(other) => *other = node,
                None => nodes.push(node),
            }
        };
        let mut listed = 0u64;
        self.words.beginning(piece.chars.get(start..).unwrap_or_default(), |length, readings| {
            // No unlisted word is as long as 64 characters.
            listed |= 1u64.checked_shl(length as u32).unwrap_or_default();
            readings.for_each(|reading| add(length, reading));
        });
        self.unknown.words(piece.chars, start, |length, cost| {
            let (left, right) = self.unknown.class;
            if length == 1 || listed >> length & 1 == 0 {
                add(length, Reading { left, right, cost });
            }
        });
    }

    /// The cheapest of the nodes before a class: its cost with the step, and its index.
    fn cheapest(&self, left: u16, nodes: &[PathNode]) -> Option<(i32, usize)> {
        let row = self.costs.get(usize::from(left) * self.classes..)?;
        let step = |node: &PathNode| row.get(usize::from(node.right)).copied().unwrap_or_default();
        nodes.iter().enumerate().map(|(index, node)| (node.cost + step(node), index)).min()
    }
}

/// A text to be segmented.
struct Piece<'a> {
    chars: &'a [char],
    /// Whether a word may end before each character, and at the end.
    may_end: &'a [bool],
}

/// For each character whether a Thai word may end before it: not before a vowel sign or tone mark, nor behind a vowel
/// that is written first. One more entry stands for the end.
fn cluster_ends(chars: &[char]) -> Vec<bool> {
    let depends = |c: Option<&char>| matches!(c, Some('ะ' | 'ั'..='ฺ' | 'ๅ' | '็'..='๎'));
    let mut last = 0;
    let inner = (0..chars.len()).map(|i| {
        let before = i.checked_sub(1).and_then(|i| chars.get(i));
        let silent = chars.get(i + 1) == Some(&'์') || chars.get(i + 2) == Some(&'์') && depends(chars.get(i + 1));
        let inside = depends(chars.get(i)) || silent || matches!(before, Some('เ'..='ไ' | 'ั'));
        let ends = !inside || i - last >= LONGEST_THAI;
        if ends {
            last = i;
        }
        ends
    });
    inner.chain([true]).collect()
}

/// Kinds of characters of unlisted words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Ideograph,
    Katakana,
    Other,
}

fn char_kind(c: char) -> CharKind {
    match c as u32 {
        0x30A1..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => CharKind::Katakana,
        0x3005..=0x3007 | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => CharKind::Ideograph,
        _ => CharKind::Other,
    }
}

impl UnknownWordModel {
    /// Reads the lines of a list's head that describe unlisted words.
    fn read<'a>(lines: impl Iterator<Item = &'a str>) -> UnknownWordModel {
        let mut model = UnknownWordModel::default();
        for line in lines {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Vec<i32> = rest.split(' ').filter_map(|number| number.parse().ok()).collect();
            match (key, numbers.as_slice()) {
                ("ends", &[left, right]) => model.ends = (left as u16, right as u16),
                ("ideographs", &[left, right, one, two]) => {
                    model.class = (left as u16, right as u16);
                    model.ideographs = (one, two);
                }
                ("other", &[run, each, other]) => {
                    model.katakana = (run, each);
                    model.other = other;
                }
                ("names", &[name, each]) => {
                    model.name = (name, each);
                    model.names = rest.chars().filter(|c| !c.is_ascii()).collect();
                }
                ("numerals", &[cost]) => {
                    model.number = cost;
                    model.numerals = rest.chars().filter(|c| !c.is_ascii()).collect();
                }
                ("clusters", &[run, each]) => model.clusters = Some((run, each)),
                ("heads", &[cost]) => model.heads = (cost, rest.chars().filter(|c| !c.is_ascii()).collect()),
                ("tails", &[cost]) => model.tails = (cost, rest.chars().filter(|c| !c.is_ascii()).collect()),
                ("alone", _) => model.alone = rest.chars().collect(),
                ("foreign", _) => model.foreign = rest.chars().collect(),
                _ => {}
            }
        }
        model
    }

    /// The cost of two ideographs that are no listed word, if they may be one.
    fn pair(&self, first: char, second: char) -> Option<i32> {
        let joins = |c: char| char_kind(c) == CharKind::Ideograph && !self.alone.contains(&c);
        match (joins(first), joins(second)) {
            (_, true) if self.heads.1.contains(&first) => Some(self.heads.0),
            (true, _) if self.tails.1.contains(&second) => Some(self.tails.0),
            (true, true) => Some(self.ideographs.1),
            _ => None,
        }
    }

    /// Calls `add` with the length and cost of each unlisted word that may start at a position.
    fn words(&self, chars: &[char], start: usize, mut add: impl FnMut(usize, i32)) {
        let rest = chars.get(start..).unwrap_or_default();
        let Some(first) = rest.first() else { return };
        if let Some((run, each)) = self.clusters {
            return (1..=LONGEST_THAI.min(rest.len())).for_each(|length| add(length, run + each * length as i32));
        }
        let run = |most: usize, keep: &dyn Fn(&char) -> bool| rest.iter().take(most).take_while(|c| keep(c)).count();
        match char_kind(*first) {
            CharKind::Ideograph => {
                add(1, self.ideographs.0);
                if let Some(cost) = rest.get(1).and_then(|second| self.pair(*first, *second)) {
                    add(2, cost);
                }
                let digits = run(LONGEST_NAME, &|c| self.numerals.contains(c));
                if digits > 1 {
                    add(digits, self.number);
                }
                for length in 2..=run(LONGEST_NAME, &|c| self.names.contains(c)) {
                    add(length, self.name.0 + self.name.1 * length as i32);
                }
            }
            CharKind::Katakana => {
                add(1, self.other);
                let inside = start
                    .checked_sub(1)
                    .and_then(|i| chars.get(i))
                    .is_some_and(|c| char_kind(*c) == CharKind::Katakana);
                let length = run(LONGEST_KATAKANA, &|c| char_kind(*c) == CharKind::Katakana);
                if !inside || length == LONGEST_KATAKANA {
                    add(length, self.katakana.0 + self.katakana.1 * length as i32);
                }
            }
            CharKind::Other => {
                for length in 1..=run(4, &|c| char_kind(*c) == CharKind::Other) {
                    add(length, self.other * (length as i32 + 1) / 2);
                }
            }
        }
    }
}
