//! A document cut into paragraphs, sentences and words: what the formats with tokens write. It is made once per
//! document, and a tagger's output is laid over it.

use std::borrow::Cow;
use std::fmt;

use super::xml;
use crate::document::{Document, Paragraph as Row};
use crate::text::segments::{Segmenter, Tokenizer};

/// The kept text of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Text<'a> {
    pub document: &'a Document,
    /// Those with something to show.
    pub paragraphs: Vec<Paragraph<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Paragraph<'a> {
    pub row: &'a Row,
    /// None if the text was not cut.
    pub sentences: Vec<Sentence<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sentence<'a> {
    /// As it stands in the paragraph, without white space around it.
    pub text: &'a str,
    /// At least one.
    pub words: Vec<Word<'a>>,
}

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub struct Word<'a> {
    /// Never empty, without control characters and other characters that XML cannot hold; white space in it is single blanks.
    pub form: Cow<'a, str>,
    /// No white space separates it from the word before, in this sentence or the one before; never so for the first of
    /// a paragraph.
    pub glued: bool,
    /// What the tagger says of it: its columns with TAB between them; empty without a tagger.
    pub tags: &'a str,
}

/// The tagger gave another number of lines than there are words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch {
    pub words: usize,
    pub lines: usize,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tagger answered {} words with {} lines", self.words, self.lines)
    }
}

impl std::error::Error for Mismatch {}

impl<'a> Text<'a> {
    /// Paragraphs uncut, for formats without sentences.
    pub fn whole(document: &'a Document, rows: impl IntoIterator<Item = &'a Row>) -> Text<'a> {
        let shown = rows.into_iter().filter(|row| row.text.chars().any(is_visible));
        Text { document, paragraphs: shown.map(|row| Paragraph { row, sentences: Vec::new() }).collect() }
    }

    /// Paragraphs cut by the rules of their language, or of the document's where a paragraph alone does not tell.
    pub fn cut(document: &'a Document, rows: impl IntoIterator<Item = &'a Row>, segmenter: &Segmenter) -> Text<'a> {
        let mut text = Text::whole(document, rows);
        for paragraph in &mut text.paragraphs {
            let language = paragraph.row.language.as_deref().filter(|language| *language != "und");
            let tokenizer = segmenter.language(language.unwrap_or(&document.language));
            paragraph.sentences = sentences(&paragraph.row.text, &tokenizer);
        }
        text.paragraphs.retain(|paragraph| !paragraph.sentences.is_empty());
        text
    }

    /// All words in order, as a tagger is to see them.
    pub fn words(&self) -> impl Iterator<Item = &Word<'a>> {
        self.paragraphs.iter().flat_map(|p| &p.sentences).flat_map(|s| &s.words)
    }

    /// Lays a tagger's columns over the words: one line per word, in order.
    pub fn tag(&mut self, lines: &'a str) -> Result<(), Mismatch> {
        let counts = Mismatch { words: self.words().count(), lines: lines.lines().count() };
        if counts.words != counts.lines {
            return Err(counts);
        }
        let words = self.paragraphs.iter_mut().flat_map(|p| &mut p.sentences).flat_map(|s| &mut s.words);
        words.zip(lines.lines()).for_each(|(word, line)| word.tags = line);
        Ok(())
    }
}

impl Sentence<'_> {
    /// Whether it touches the sentence before.
    pub fn glued(&self) -> bool {
        self.words.first().is_some_and(|word| word.glued)
    }
}

/// Where the values of a column come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    Word,
    Lowercase,
    /// The tagger's column, counted from 0.
    Tag(usize),
    /// Nobody gives it.
    Empty,
}

impl Column {
    /// The source of the column `name`, given the names of the tagger's columns.
    pub fn of<S: AsRef<str>>(name: &str, tagger: &[S]) -> Column {
        match (name, tagger.iter().position(|tag| tag.as_ref() == name)) {
            ("word", _) => Column::Word,
            ("lc", _) => Column::Lowercase,
            (_, Some(index)) => Column::Tag(index),
            (_, None) => Column::Empty,
        }
    }
}

impl Word<'_> {
    /// Its value in a column, empty if there is none.
    pub fn value(&self, column: Column) -> Cow<'_, str> {
        match column {
            Column::Word => Cow::Borrowed(&self.form),
            Column::Lowercase => Cow::Owned(self.form.to_lowercase()),
            Column::Tag(index) => shown(self.tags.split('\t').nth(index).unwrap_or_default()),
            Column::Empty => Cow::Borrowed(""),
        }
    }
}

fn sentences<'a>(paragraph: &'a str, tokenizer: &Tokenizer<'_>) -> Vec<Sentence<'a>> {
    let (mut found, mut tokens) = (Vec::new(), Vec::new());
    // White space stands before the next word.
    let mut space = true;
    for range in tokenizer.sentences(paragraph) {
        tokens.clear();
        tokenizer.tokens(paragraph, range.clone(), &mut tokens);
        let mut words = Vec::with_capacity(tokens.len());
        for token in &tokens {
            space |= !token.glued;
            let form = shown(paragraph.get(token.range.clone()).unwrap_or_default());
            if !form.is_empty() {
                words.push(Word { form, glued: !space, tags: "" });
                space = false;
            }
        }
        if !words.is_empty() {
            found.push(Sentence { text: paragraph.get(range).unwrap_or_default(), words });
        }
    }
    found
}

/// What a value shows: white space collapsed, none around it, without what XML cannot hold.
fn shown(token: &str) -> Cow<'_, str> {
    if token.chars().all(is_visible) {
        return token.into();
    }
    let words = token.split_whitespace().map(|word| word.chars().filter(|c| is_visible(*c)).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").into()
}

fn is_visible(c: char) -> bool {
    xml::is_allowed(c) && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Row {
        Row { text: text.into(), ..Row::default() }
    }

    /// Sentences of a text: words with + before the glued.
    fn words(text: &str) -> Vec<String> {
        let (document, rows) = (Document::default(), [row(text)]);
        let text = Text::cut(&document, &rows, &Segmenter::default());
        let word = |word: &Word| if word.glued { format!("+{}", word.form) } else { word.form.to_string() };
        let sentences = text.paragraphs.iter().flat_map(|p| &p.sentences);
        sentences.map(|s| s.words.iter().map(word).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn glue_crosses_sentences_but_not_white_space() {
        assert_eq!(words(" Oh!  (Now.) "), ["Oh +!", "( +Now +. +)"]);
        assert_eq!(words("一。二。 三。"), ["一 +。", "+二 +。", "三 +。"]);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out_and_separates_nothing() {
        assert_eq!(words("a \u{1} b\u{1}!\u{FFFF}?"), ["a b +! +?"]);
        assert_eq!(words("\u{1}a"), ["a"]);
        assert!(words(" \u{1}\u{85}\u{FFFE}").is_empty());
    }

    #[test]
    fn values_of_columns() {
        let word = Word { form: "Ebb".into(), glued: false, tags: "NN\t a\u{1} b \t" };
        let value = |name| word.value(Column::of(name, &["tag", "lemma", "x", "y"])).to_string();
        assert_eq!(["word", "lc", "tag", "lemma", "x", "y", "z"].map(value), ["Ebb", "ebb", "NN", "a b", "", "", ""]);
    }

    #[test]
    fn a_tagger_may_have_nothing_to_say_of_a_word() {
        let (document, rows) = (Document::default(), [row("One."), row("Two")]);
        let mut text = Text::cut(&document, &rows, &Segmenter::default());
        text.tag("A\n\nB\n").unwrap();
        assert_eq!(text.words().map(|word| word.tags).collect::<Vec<_>>(), ["A", "", "B"]);
        assert_eq!(text.tag("A\nB\n").unwrap_err().to_string(), "the tagger answered 3 words with 2 lines");
    }
}
