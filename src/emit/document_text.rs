//! The text of one document as all formats read it: paragraphs, and sentences and tokens for formats that need them.
//! It is made once per document, and a tagger's annotation is added to it.

use std::borrow::Cow;

use super::xml;
use crate::document::{Document, Paragraph};
use crate::language::Language;
use crate::text::segments::{Segmenter, Tokenizer};

/// The kept text of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentText<'a> {
    pub document: &'a Document,
    /// Paragraphs that have at least one visible character.
    pub paragraphs: Vec<TokenizedParagraph<'a>>,
}

/// A paragraph and its sentences.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenizedParagraph<'a> {
    pub row: &'a Paragraph,
    /// Empty if the document was not tokenized.
    pub sentences: Vec<TokenizedSentence<'a>>,
}

/// A sentence and its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenizedSentence<'a> {
    /// The sentence as it stands in the paragraph, without white space at its ends.
    pub text: &'a str,
    /// The tokens of the sentence; at least one.
    pub tokens: Vec<TaggedToken<'a>>,
}

/// A token with the annotation of a tagger.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedToken<'a> {
    /// The token as it is written; never empty. It has no control characters and no other characters that XML excludes;
    /// white space inside is single blanks.
    pub form: Cow<'a, str>,
    /// No white space separates the token from the one before it, be that in the same sentence or in the previous one.
    /// False for the first token of a paragraph.
    pub glued: bool,
    /// The tagger's columns, separated by TAB; empty without a tagger.
    pub tags: &'a str,
}

/// A tagger returned more or fewer lines than the document has tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tagger returned {lines} lines for {tokens} tokens")]
pub struct TagCountMismatch {
    pub tokens: usize,
    pub lines: usize,
}

impl<'a> DocumentText<'a> {
    /// Paragraphs without sentences and tokens, for formats that do not need them.
    pub fn untokenized(document: &'a Document, rows: impl IntoIterator<Item = &'a Paragraph>) -> DocumentText<'a> {
        let visible = rows.into_iter().filter(|row| row.text.chars().any(is_visible));
        let paragraphs = visible.map(|row| TokenizedParagraph { row, sentences: Vec::new() }).collect();
        DocumentText { document, paragraphs }
    }

    /// Paragraphs segmented by the rules of their language, or of the document's language if the paragraph's is not
    /// known.
    pub fn tokenized(
        document: &'a Document,
        rows: impl IntoIterator<Item = &'a Paragraph>,
        segmenter: &Segmenter,
    ) -> DocumentText<'a> {
        let mut text = DocumentText::untokenized(document, rows);
        for paragraph in &mut text.paragraphs {
            let language = paragraph.row.language.filter(|language| *language != Language::UNDETERMINED);
            let tokenizer = segmenter.language(language.unwrap_or(document.language).code());
            paragraph.sentences = sentences(&paragraph.row.text, &tokenizer);
        }
        text.paragraphs.retain(|paragraph| !paragraph.sentences.is_empty());
        text
    }

    /// All tokens in order.
    pub fn tokens(&self) -> impl Iterator<Item = &TaggedToken<'a>> {
        self.paragraphs.iter().flat_map(|paragraph| &paragraph.sentences).flat_map(|sentence| &sentence.tokens)
    }

    /// Adds a tagger's columns: one line per token, in order.
    pub fn tag(&mut self, lines: &'a str) -> Result<(), TagCountMismatch> {
        let counts = TagCountMismatch { tokens: self.tokens().count(), lines: lines.lines().count() };
        if counts.tokens != counts.lines {
            return Err(counts);
        }
        let sentences = self.paragraphs.iter_mut().flat_map(|paragraph| &mut paragraph.sentences);
        let tokens = sentences.flat_map(|sentence| &mut sentence.tokens);
        tokens.zip(lines.lines()).for_each(|(token, line)| token.tags = line);
        Ok(())
    }
}

impl TokenizedSentence<'_> {
    /// Whether no white space separates the sentence from the one before it.
    pub fn glued(&self) -> bool {
        self.tokens.first().is_some_and(|token| token.glued)
    }
}

/// Where the values of a column of tokens come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnSource {
    /// The token itself: column `word`.
    Form,
    /// The token in lower case: column `lc`.
    Lowercase,
    /// The tagger's column with this number, from 0.
    Tag(usize),
    /// No source: the column is empty.
    Missing,
}

impl ColumnSource {
    /// The source of the column `name`, given the names of the tagger's columns.
    pub fn by_name<S: AsRef<str>>(name: &str, tagger_columns: &[S]) -> ColumnSource {
        match (name, tagger_columns.iter().position(|column| column.as_ref() == name)) {
            ("word", _) => ColumnSource::Form,
            ("lc", _) => ColumnSource::Lowercase,
            (_, Some(index)) => ColumnSource::Tag(index),
            (_, None) => ColumnSource::Missing,
        }
    }
}

impl TaggedToken<'_> {
    /// The token's value in a column; empty if there is none.
    pub fn value(&self, source: ColumnSource) -> Cow<'_, str> {
        match source {
            ColumnSource::Form => Cow::Borrowed(&self.form),
            ColumnSource::Lowercase => Cow::Owned(self.form.to_lowercase()),
            ColumnSource::Tag(index) => visible_text(self.tags.split('\t').nth(index).unwrap_or_default()),
            ColumnSource::Missing => Cow::Borrowed(""),
        }
    }
}

fn sentences<'a>(paragraph: &'a str, tokenizer: &Tokenizer<'_>) -> Vec<TokenizedSentence<'a>> {
    let (mut sentences, mut ranges) = (Vec::new(), Vec::new());
    // Whether white space, or the beginning of the paragraph, precedes the next token.
    let mut space = true;
    for sentence in tokenizer.sentences(paragraph) {
        ranges.clear();
        tokenizer.tokens(paragraph, sentence.clone(), &mut ranges);
        let mut tokens = Vec::with_capacity(ranges.len());
        for token in &ranges {
            space |= !token.glued;
            let form = visible_text(paragraph.get(token.range.clone()).unwrap_or_default());
            if !form.is_empty() {
                tokens.push(TaggedToken { form, glued: !space, tags: "" });
                space = false;
            }
        }
        if !tokens.is_empty() {
            sentences.push(TokenizedSentence { text: paragraph.get(sentence).unwrap_or_default(), tokens });
        }
    }
    sentences
}

/// The text without characters that XML excludes; white space becomes single blanks, and none at the ends.
fn visible_text(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return text.into();
    }
    let words = text.split_whitespace().map(|word| word.chars().filter(|c| is_visible(*c)).collect::<String>());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").into()
}

fn is_visible(c: char) -> bool {
    xml::is_allowed(c) && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Paragraph {
        Paragraph { text: text.into(), ..Paragraph::default() }
    }

    /// Sentences of a text: tokens with + before those that are glued.
    fn tokens(text: &str) -> Vec<String> {
        let (document, rows) = (Document::default(), [row(text)]);
        let text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
        let token = |token: &TaggedToken| if token.glued { format!("+{}", token.form) } else { token.form.to_string() };
        let sentences = text.paragraphs.iter().flat_map(|paragraph| &paragraph.sentences);
        sentences.map(|s| s.tokens.iter().map(token).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn glue_crosses_sentences_but_not_white_space() {
        assert_eq!(tokens(" Oh!  (Now.) "), ["Oh +!", "( +Now +. +)"]);
        assert_eq!(tokens("一。二。 三。"), ["一 +。", "+二 +。", "三 +。"]);
    }

    #[test]
    fn what_cannot_be_shown_is_left_out_and_separates_nothing() {
        assert_eq!(tokens("a \u{1} b\u{1}!\u{FFFF}?"), ["a b +! +?"]);
        assert_eq!(tokens("\u{1}a"), ["a"]);
        assert!(tokens(" \u{1}\u{85}\u{FFFE}").is_empty());
    }

    #[test]
    fn values_of_columns() {
        let token = TaggedToken { form: "Ebb".into(), glued: false, tags: "NN\t a\u{1} b \t" };
        let value = |name| token.value(ColumnSource::by_name(name, &["tag", "lemma", "x", "y"])).to_string();
        assert_eq!(["word", "lc", "tag", "lemma", "x", "y", "z"].map(value), ["Ebb", "ebb", "NN", "a b", "", "", ""]);
    }

    #[test]
    fn a_tagger_may_leave_a_token_without_tags() {
        let (document, rows) = (Document::default(), [row("One."), row("Two")]);
        let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
        text.tag("A\n\nB\n").unwrap();
        assert_eq!(text.tokens().map(|token| token.tags).collect::<Vec<_>>(), ["A", "", "B"]);
        assert_eq!(text.tag("A\nB\n").unwrap_err().to_string(), "the tagger returned 2 lines for 3 tokens");
    }
}
