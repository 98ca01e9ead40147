//! Quality signals of a text and the published recipes that keep or drop a document by them. What is measured is the kept
//! text as it is written: one paragraph a line. Values in, values out.
//!
//! The same name stands for different numbers in different tools: "Gopher" has five incompatible implementations. Each
//! group of signals and each recipe therefore follows one implementation, which docs/quality.md names with its traps.

use std::ops::Range;

pub mod basic;
pub mod c4;
pub mod characters;
pub mod datamap;
pub mod dclm;
pub mod dclm_lines;
pub mod dolma;
pub mod fineweb;
pub mod gopher;
pub mod key_counts;
pub mod keys;
pub mod madlad;
pub mod models;
pub mod ngrams;
pub mod oscar;
pub mod own_rule;
pub mod presets;
pub mod quantiles;
pub mod readability;
pub mod recipe;
pub mod redpajama;
pub mod rpv2_lines;
pub mod signals;
pub mod thresholds;
pub mod word_counts;
pub mod words;

pub use recipe::{Judged, Recipe};
pub use signals::{Group, Signals};

use crate::language::{Identifier, Language};
use crate::text::segments::{BYTES_OF_A_TOKEN, SegmentedSentence};
use characters::{ByteCounts, SPACE, TERMINAL, is, occurrences};
use fxhash::FxHashSet;
use key_counts::Table;
use keys::Keys;
use madlad::Languages;
use ngrams::Ngrams;
use regex::Regex;
use word_counts::WordCounts;

/// A text with its words and sentences.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Text {
    /// Lines, separated by LF.
    pub text: String,
    /// Byte ranges of the words in order; punctuation marks are words.
    words: Vec<(u32, u32)>,
    /// Byte offsets at which sentences begin.
    sentences: Vec<u32>,
}

impl Text {
    /// A text of paragraphs, each with its sentences; a paragraph begins a line and may have several.
    pub fn of_paragraphs<'t, S>(paragraphs: impl IntoIterator<Item = (&'t str, S), IntoIter: Clone>) -> Text
    where
        S: IntoIterator<Item = SegmentedSentence<'t>>,
    {
        let (mut text, paragraphs) = (Text::default(), paragraphs.into_iter());
        let bytes = paragraphs.clone().map(|(paragraph, _)| paragraph.len() + 1).sum();
        text.text.reserve(bytes);
        text.words.reserve(bytes / BYTES_OF_A_TOKEN);
        for (paragraph, sentences) in paragraphs {
            if !text.text.is_empty() {
                text.text.push('\n');
            }
            let base = text.text.len();
            text.text.push_str(paragraph);
            for SegmentedSentence { range, tokens } in sentences {
                text.sentences.push((base + range.start) as u32);
                let places = tokens.iter().map(|token| (base + token.range.start, base + token.range.end));
                text.words.extend(places.map(|(start, end)| (start as u32, end as u32)));
            }
        }
        text
    }

    /// A text with the byte ranges of its words and the byte offsets of its sentences, both in ascending order.
    pub fn given(text: &str, words: &[(u32, u32)], sentences: &[u32]) -> Text {
        Text { text: text.into(), words: words.to_vec(), sentences: sentences.to_vec() }
    }

    /// The words in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|place| self.word(*place))
    }

    /// The sentences that begin in a range of bytes.
    fn sentences_in(&self, range: &Range<usize>) -> &[u32] {
        between(&self.sentences, range, |at| *at)
    }

    fn word(&self, (begin, end): (u32, u32)) -> &str {
        self.text.get(begin as usize..end as usize).unwrap_or_default()
    }

    /// The words that begin in a range of bytes.
    fn words_in(&self, range: &Range<usize>) -> &[(u32, u32)] {
        between(&self.words, range, |word| word.0)
    }
}

/// The items of a sorted list that begin in a range.
fn between<'l, T>(sorted: &'l [T], range: &Range<usize>, begin: impl Fn(&T) -> u32) -> &'l [T] {
    let at = |place: usize| sorted.partition_point(|item| (begin(item) as usize) < place);
    sorted.get(at(range.start)..at(range.end)).unwrap_or_default()
}

/// What signals look for in a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lists<'l> {
    /// The stop words of the language of the text, if it has a list.
    pub stop_words: Option<&'l FxHashSet<String>>,
    /// The stop words of RedPajama.
    pub rps_stop_words: Option<&'l FxHashSet<String>>,
    /// The words and phrases of LDNOOBW.
    pub ldnoobw_words: Option<&'l FxHashSet<String>>,
    /// MADLAD-400's list of cursed substrings.
    pub cursed: Option<&'l Regex>,
    /// What tells the languages of sentences.
    pub languages: Option<Languages<'l>>,
}

/// Measures texts, one after the other, in memory that is used again.
#[derive(Debug, Default)]
pub struct Meter<'i> {
    identifier: Option<&'i Identifier>,
    keys: Keys,
    bytes: ByteCounts,
    ellipses: Ellipses,
    lines: Lines,
    ngrams: Ngrams,
    counts: WordCounts,
    table: Table,
    normalised: String,
}

impl<'i> Meter<'i> {
    /// Measures languages of sentences, too.
    pub fn with(identifier: &'i Identifier) -> Meter<'i> {
        Meter { identifier: Some(identifier), ..Meter::default() }
    }

    /// What tells whether sentences are in another language than their document's (ISO 639-3).
    fn languages(&self, document: &str) -> Option<Languages<'i>> {
        Some(Languages { identifier: self.identifier?, document: Language::by_code(document)? })
    }

    /// Puts the values of some groups into a row.
    pub fn measure(&mut self, groups: &[Group], text: &Text, lists: Lists<'_>, signals: &mut Signals) {
        let stop_words = lists.stop_words;
        self.bytes = ByteCounts::of(&text.text);
        self.lines.set(&self.keys, &text.text, &self.bytes);
        if groups.iter().any(|group| matches!(group, Group::Basic | Group::Gopher)) {
            self.ellipses = Ellipses::of(&text.text, &self.bytes);
            self.ngrams.set(&text.text, &text.words);
            self.counts = WordCounts::of(text, self.ngrams.words());
        }
        for group in groups {
            match group {
                Group::Basic => basic::measure(text, self, signals),
                Group::Gopher => gopher::measure(text, stop_words, self, signals),
                Group::Readability => readability::measure(text, signals),
                Group::C4 => c4::measure(text, &self.lines, signals),
                Group::Fineweb => fineweb::measure(&self.lines, text.words.len(), &mut self.table, signals),
                // Their words are others; they come last.
                Group::Rpv2 => redpajama::measure(&text.text, lists, self, signals),
                Group::Dclm => dclm::measure(text, stop_words, self, signals),
                Group::Datamap => datamap::measure(text, stop_words, self, signals),
                Group::Dolma => dolma::measure(&text.text, stop_words, self, signals),
                Group::Oscar => oscar::measure(&text.text, signals),
                Group::DclmLines => dclm_lines::measure(&text.text, signals),
                Group::Rpv2Lines => rpv2_lines::measure(&text.text, &mut self.normalised, signals),
                // The other group measures its signals as well.
                Group::Madlad if groups.contains(&Group::MadladLanguage) => {}
                Group::Madlad => madlad::measure(text, lists.cursed, None, signals),
                Group::MadladLanguage => madlad::measure(text, lists.cursed, lists.languages, signals),
            }
        }
    }

    /// The signals of FineWeb of another text with a number of words.
    fn measure_fineweb(&mut self, text: &str, words: usize, signals: &mut Signals) {
        self.lines.set(&self.keys, text, &ByteCounts::of(text));
        fineweb::measure(&self.lines, words, &mut self.table, signals);
    }
}

/// How often a text has `...`, without overlap, and `…`.
#[derive(Debug, Clone, Copy, Default)]
struct Ellipses {
    dots: usize,
    characters: usize,
}

impl Ellipses {
    fn of(text: &str, bytes: &ByteCounts) -> Ellipses {
        let count = |part: &str| if bytes.may_have(part) { occurrences(text, part) } else { 0 };
        Ellipses { dots: count("..."), characters: count("…") }
    }
}

/// The lines of a text.
#[derive(Debug, Default)]
pub struct Lines {
    /// Those that LF parts.
    lines: Vec<Line>,
    /// Those of [`characters::split_lines`], in bytes.
    split: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy)]
pub struct Line {
    begin: u32,
    end: u32,
    hash: u64,
    characters: usize,
    is_empty: bool,
    /// Has nothing but white space.
    is_blank: bool,
    ends_sentence: bool,
}

impl Line {
    fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.begin as usize..self.end as usize).unwrap_or_default()
    }
}

impl Lines {
    fn set(&mut self, keys: &Keys, text: &str, bytes: &ByteCounts) {
        let is_ascii = bytes.are_ascii();
        self.lines.clear();
        self.lines.extend(characters::lines(text).map(|place| {
            let line = text.get(place.clone()).unwrap_or_default();
            Line {
                begin: place.start as u32,
                end: place.end as u32,
                hash: keys.text(line.as_bytes()),
                characters: if is_ascii { line.len() } else { characters::count(line) },
                is_empty: line.is_empty(),
                is_blank: line.chars().all(|c| is(c, SPACE)),
                ends_sentence: line.ends_with(|c| is(c, TERMINAL)),
            }
        }));
        self.split = characters::split_lines(text, bytes);
    }

    fn iter(&self) -> impl Iterator<Item = &Line> + Clone {
        self.lines.iter()
    }

    /// Number of the characters of the text.
    fn all_characters(&self) -> usize {
        self.lines.iter().map(|line| line.characters + 1).sum::<usize>().saturating_sub(1)
    }

    /// The parts between runs of LF, as `re.split("\n+")` gives them: empty ones at either end only.
    fn between_runs(&self) -> impl Iterator<Item = &Line> {
        let last = self.lines.len().saturating_sub(1);
        let stays = move |(at, line): &(usize, &Line)| !line.is_empty || *at == 0 || *at == last;
        self.lines.iter().enumerate().filter(stays).map(|(_, line)| line)
    }
}

/// How much of some texts repeats earlier ones among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repeats {
    pub texts: usize,
    pub repeated: usize,
    pub repeated_characters: usize,
}

impl Repeats {
    /// Texts by their hashes and lengths in characters.
    fn of(texts: impl Iterator<Item = (u64, usize)>, most: usize, table: &mut Table) -> Repeats {
        let mut repeats = Repeats::default();
        table.clear(most);
        for (hash, characters) in texts {
            repeats.texts += 1;
            let (_, entry) = table.add(hash, 0);
            if entry.count > 1 {
                repeats.repeated += 1;
                repeats.repeated_characters += characters;
            }
        }
        repeats
    }

    fn of_lines<'l>(lines: impl Iterator<Item = &'l Line>, all: &Lines, table: &mut Table) -> Repeats {
        Repeats::of(lines.map(|line| (line.hash, line.characters)), all.lines.len(), table)
    }
}

/// A share, or nothing of nothing.
fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A count as a table holds it.
fn number(count: usize) -> Option<u32> {
    Some(u32::try_from(count).unwrap_or(u32::MAX))
}
