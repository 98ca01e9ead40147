//! Quality signals of a text and the published recipes that keep or drop a document by them. What is measured is the kept
//! text as it is written: one paragraph a line. Values in, values out.
//!
//! The same name stands for different numbers in different tools: "Gopher" has five incompatible implementations. Each
//! group of signals and each recipe therefore follows one implementation, which docs/quality.md names with its traps.

use std::ops::Range;

pub mod basic;
pub mod c4;
pub mod characters;
pub mod fineweb;
pub mod gopher;
pub mod ngrams;
pub mod recipe;
pub mod redpajama;
pub mod signals;
pub mod thresholds;

pub use recipe::{Judged, Recipe};
pub use signals::{Group, Signals};

use crate::text::segments::Segmenter;
use ngrams::{Polynomial, Table, Words};

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
    /// Lines with the language of each, segmented by the rules of these languages.
    pub fn segmented<'t>(lines: impl IntoIterator<Item = (&'t str, &'t str)>, segmenter: &Segmenter) -> Text {
        let mut text = Text::default();
        let mut tokens = Vec::new();
        for (line, language) in lines {
            let tokenizer = segmenter.language(language);
            text.push(line, |line, words, sentences| {
                for sentence in tokenizer.sentences(line) {
                    sentences.push(sentence.start);
                    tokenizer.tokens(line, sentence, &mut tokens);
                }
                words.extend(tokens.drain(..).map(|token| token.range));
            });
        }
        text
    }

    /// A text with the byte ranges of its words and the byte offsets of its sentences, both in ascending order.
    pub fn given(text: &str, words: &[(u32, u32)], sentences: &[u32]) -> Text {
        Text { text: text.into(), words: words.to_vec(), sentences: sentences.to_vec() }
    }

    /// Appends a line; `segment` finds its words and the beginnings of its sentences.
    pub fn push(&mut self, line: &str, segment: impl FnOnce(&str, &mut Vec<Range<usize>>, &mut Vec<usize>)) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let base = self.text.len();
        self.text.push_str(line);
        let (mut words, mut sentences) = (Vec::new(), Vec::new());
        segment(line, &mut words, &mut sentences);
        let place = |at: usize| (base + at) as u32;
        self.words.extend(words.into_iter().map(|word| (place(word.start), place(word.end))));
        self.sentences.extend(sentences.into_iter().map(place));
    }

    /// The words in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|&(start, end)| self.text.get(start as usize..end as usize).unwrap_or_default())
    }

    /// The sentences that begin in a range of bytes.
    fn sentences_in(&self, range: &Range<usize>) -> &[u32] {
        between(&self.sentences, range, |at| *at)
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

/// Measures texts, one after the other, in memory that is used again.
#[derive(Debug, Default)]
pub struct Meter {
    words: Words,
    table: Table,
    normalised: String,
}

impl Meter {
    /// Puts the values of a group into a row. `stop_words` are those of the language of the text, if it has a list.
    pub fn measure(&mut self, group: Group, text: &Text, stop_words: Option<&[String]>, signals: &mut Signals) {
        match group {
            Group::Basic => basic::measure(text, &mut self.table, signals),
            Group::Gopher => gopher::measure(text, stop_words, self, signals),
            Group::C4 => c4::measure(text, signals),
            Group::Fineweb => fineweb::measure(&text.text, text.words.len(), &mut self.table, signals),
            Group::Rpv2 => redpajama::measure(&text.text, self, signals),
        }
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
    fn of<'t>(texts: impl Iterator<Item = &'t str>, polynomial: &Polynomial, table: &mut Table) -> Repeats {
        let texts: Vec<&str> = texts.collect();
        table.clear(texts.len());
        let mut repeats = Repeats { texts: texts.len(), ..Repeats::default() };
        for text in texts {
            if table.add(polynomial.piece(text).hash, 0) > 1 {
                repeats.repeated += 1;
                repeats.repeated_characters += characters::count(text);
            }
        }
        repeats
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
