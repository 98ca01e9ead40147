//! The text of one document as all formats read it: paragraphs, and sentences and tokens for formats that need them.
//! It is made once per document, and a tagger's annotation is added to it.

use std::borrow::Cow;
use std::ops::Range;

use super::gaps::{self, Gap};
use super::xml;
use crate::document::labels::Label;
use crate::document::{Document, Paragraph};
use crate::quality::Signals;
use crate::text::invisible::{self, Visible};
use crate::text::lower_case::LowerCase;
use crate::text::segments::{SegmentedSentence, SegmentedTexts, Segmenter, Token, Tokenizer};

/// Ends words in scripts without spaces, and is part of none.
const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// The kept text of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentText<'a> {
    pub document: &'a Document,
    /// Paragraphs that have at least one visible character.
    pub paragraphs: Vec<TokenizedParagraph<'a>>,
    /// Sentences of all paragraphs.
    sentences: Vec<SentenceRange>,
    /// Tokens of all sentences. Byte ranges are those of the paragraph, or of `changed`.
    tokens: Vec<Token>,
    /// The tokens of paragraphs with characters that cannot be shown or are invisible, without these.
    changed: String,
    /// The tagger's columns of each token; empty without a tagger.
    tags: Vec<&'a str>,
    /// What was measured of the document, for formats that show it.
    pub signals: Option<&'a Signals>,
    /// What others said about it.
    pub labels: &'a [Label],
}

/// A paragraph and its sentences, which [`DocumentText::sentences`] lists.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenizedParagraph<'a> {
    pub row: &'a Paragraph,
    /// What was dropped between the paragraph before it and this one; filled by [`DocumentText::with_gaps`].
    pub gap: Gap,
    /// Empty if the document was not tokenized.
    sentences: Range<usize>,
    /// Whether its tokens are in [`DocumentText::changed`].
    changed: bool,
}

/// Where a sentence stands.
#[derive(Debug, Clone, PartialEq)]
struct SentenceRange {
    /// Byte range in the paragraph.
    text: Range<usize>,
    /// Positions of its tokens, at least one.
    tokens: Range<usize>,
}

/// A sentence and its tokens.
#[derive(Debug, Clone, Copy)]
pub struct TokenizedSentence<'t> {
    /// The sentence as it stands in the paragraph, without white space at its ends.
    pub text: &'t str,
    /// Whether it begins a line of the paragraph other than the first.
    pub begins_line: bool,
    tokens: &'t [Token],
    /// What the ranges of the tokens are ranges of.
    forms: &'t str,
    tags: &'t [&'t str],
    lower_case: LowerCase,
}

/// A token with the annotation of a tagger.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaggedToken<'t> {
    /// The token as it is written; never empty. It has no control characters and no other characters that XML excludes;
    /// white space inside is single blanks.
    pub form: &'t str,
    /// No white space separates the token from the one before it, be that in the same sentence or in the previous one.
    /// False for the first token of a paragraph.
    pub glued: bool,
    /// The tagger's columns, separated by TAB; empty without a tagger.
    pub tags: &'t str,
    /// The lower case of its language.
    pub lower_case: LowerCase,
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
        let visible =
            rows.into_iter().filter(|row| row.text.chars().any(|c| is_visible(c) && !invisible::is_invisible(c)));
        let paragraphs = visible
            .map(|row| TokenizedParagraph { row, gap: Gap::default(), sentences: 0..0, changed: false })
            .collect();
        let (sentences, tokens, changed, tags) = Default::default();
        DocumentText { document, paragraphs, sentences, tokens, changed, tags, signals: None, labels: &[] }
    }

    /// Paragraphs segmented by the rules of their language, or of the document's language if the paragraph's is not
    /// known.
    pub fn tokenized(
        document: &'a Document,
        rows: impl IntoIterator<Item = &'a Paragraph>,
        segmenter: &Segmenter,
    ) -> DocumentText<'a> {
        DocumentText::segmented(document, rows, segmenter, &SegmentedTexts::default())
    }

    /// As [`DocumentText::tokenized`], with what is known already of some of the paragraphs by their index.
    pub fn segmented(
        document: &'a Document,
        rows: impl IntoIterator<Item = &'a Paragraph>,
        segmenter: &Segmenter,
        known: &SegmentedTexts,
    ) -> DocumentText<'a> {
        let mut text = DocumentText::untokenized(document, rows);
        text.tokens.reserve(known.token_count());
        let mut paragraphs = std::mem::take(&mut text.paragraphs);
        paragraphs.retain_mut(|paragraph| {
            let tokenizer = segmenter.language(paragraph.row.language_or(document.language).code());
            let first = text.sentences.len();
            paragraph.changed = !is_allowed(&paragraph.row.text);
            if paragraph.changed {
                text.push_changed(&invisible::visible(&paragraph.row.text), &tokenizer);
            } else if let Some(sentences) = known.sentences(paragraph.row.index) {
                text.push_known(sentences);
            } else {
                text.push(&paragraph.row.text, &tokenizer);
            }
            paragraph.sentences = first..text.sentences.len();
            !paragraph.sentences.is_empty()
        });
        DocumentText { paragraphs, ..text }
    }

    /// The text with what was measured of the document.
    pub fn with_signals(self, signals: Option<&'a Signals>) -> DocumentText<'a> {
        DocumentText { signals, ..self }
    }

    /// The text with what others said about it.
    pub fn with_labels(self, labels: &'a [Label]) -> DocumentText<'a> {
        DocumentText { labels, ..self }
    }

    /// The text with the gaps between its paragraphs. `rows` are all content paragraphs of the page, kept or not.
    pub fn with_gaps(mut self, rows: &[Paragraph]) -> DocumentText<'a> {
        gaps::find(&mut self.paragraphs, rows);
        self
    }

    /// Appends the sentences of a paragraph whose tokens are shown as they stand.
    fn push(&mut self, paragraph: &str, tokenizer: &Tokenizer<'_>) {
        for sentence in tokenizer.sentences(paragraph) {
            let first = self.tokens.len();
            tokenizer.tokens(paragraph, sentence.clone(), &mut self.tokens);
            self.push_sentence(sentence, first);
        }
    }

    /// Appends the known sentences of a paragraph whose tokens are shown as they stand.
    fn push_known<'s>(&mut self, sentences: impl Iterator<Item = SegmentedSentence<'s>>) {
        for sentence in sentences {
            let first = self.tokens.len();
            self.tokens.extend_from_slice(sentence.tokens);
            self.push_sentence(sentence.range, first);
        }
    }

    /// Appends the sentences of a paragraph that has characters which cannot be shown or are invisible.
    fn push_changed(&mut self, visible: &Visible, tokenizer: &Tokenizer<'_>) {
        let paragraph = visible.text.as_str();
        let mut tokens = Vec::new();
        // Whether white space, or the beginning of the paragraph, precedes the next token.
        let mut space = true;
        for sentence in tokenizer.sentences(paragraph) {
            let first = self.tokens.len();
            tokens.clear();
            tokenizer.tokens(paragraph, sentence.clone(), &mut tokens);
            for token in &tokens {
                space |= !token.glued;
                let start = self.changed.len();
                push_visible(&mut self.changed, paragraph.get(token.range.clone()).unwrap_or_default());
                if self.changed.len() > start {
                    self.tokens.push(Token { range: start..self.changed.len(), glued: !space });
                    space = false;
                }
            }
            self.push_sentence(visible.original(sentence.start)..visible.original(sentence.end), first);
        }
    }

    /// Appends a sentence whose tokens are those from `first` on, unless there are none.
    fn push_sentence(&mut self, text: Range<usize>, first: usize) {
        if first < self.tokens.len() {
            self.sentences.push(SentenceRange { text, tokens: first..self.tokens.len() });
        }
    }

    /// The sentences of one of the paragraphs; none if the document was not tokenized.
    pub fn sentences<'t>(
        &'t self,
        paragraph: &'t TokenizedParagraph<'a>,
    ) -> impl ExactSizeIterator<Item = TokenizedSentence<'t>> {
        let text = paragraph.row.text.as_str();
        let forms = if paragraph.changed { self.changed.as_str() } else { text };
        let sentences = self.sentences.get(paragraph.sentences.clone()).unwrap_or_default();
        let lower_case = LowerCase::of(paragraph.row.language_or(self.document.language).code());
        sentences.iter().map(move |sentence| TokenizedSentence {
            text: text.get(sentence.text.clone()).unwrap_or_default(),
            begins_line: begins_line(text, sentence.text.start),
            tokens: self.tokens.get(sentence.tokens.clone()).unwrap_or_default(),
            forms,
            tags: self.tags.get(sentence.tokens.clone()).unwrap_or_default(),
            lower_case,
        })
    }

    /// The whole text: its paragraphs with line feeds between them; `None` without paragraphs.
    pub fn whole_text(&self) -> Option<String> {
        let paragraphs: Vec<&str> = self.paragraphs.iter().map(|paragraph| paragraph.row.text.as_str()).collect();
        (!paragraphs.is_empty()).then(|| paragraphs.join("\n"))
    }

    /// Number of tokens.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// All tokens in order.
    pub fn tokens(&self) -> impl Iterator<Item = TaggedToken<'_>> {
        self.paragraphs.iter().flat_map(|paragraph| self.sentences(paragraph)).flat_map(|sentence| sentence.tokens())
    }

    /// Adds a tagger's columns: one line per token, in order.
    pub fn tag(&mut self, lines: &'a str) -> Result<(), TagCountMismatch> {
        let tags: Vec<&str> = lines.lines().collect();
        if tags.len() != self.tokens.len() {
            return Err(TagCountMismatch { tokens: self.tokens.len(), lines: tags.len() });
        }
        self.tags = tags;
        Ok(())
    }
}

/// Whether a line feed is in the white space before a place of a paragraph.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.get(before.trim_end().len()..).is_some_and(|space| space.contains('\n'))
}

impl<'t> TokenizedSentence<'t> {
    /// Whether no white space separates the sentence from the one before it.
    pub fn glued(self) -> bool {
        self.tokens.first().is_some_and(|token| token.glued)
    }

    /// Its tokens, at least one.
    pub fn tokens(self) -> impl ExactSizeIterator<Item = TaggedToken<'t>> {
        self.tokens.iter().enumerate().map(move |(n, token)| TaggedToken {
            form: self.forms.get(token.range.clone()).unwrap_or_default(),
            glued: token.glued,
            tags: self.tags.get(n).copied().unwrap_or_default(),
            lower_case: self.lower_case,
        })
    }
}

/// Where the values of a column of tokens come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnSource {
    /// The token itself: column `word`.
    Form,
    /// The token in the lower case of its language: column `lc`.
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

impl<'t> TaggedToken<'t> {
    /// The token's value in a column; empty if there is none.
    pub fn value(self, source: ColumnSource) -> Cow<'t, str> {
        match source {
            ColumnSource::Form => Cow::Borrowed(self.form),
            ColumnSource::Lowercase => self.lower_case.text(self.form),
            ColumnSource::Tag(index) => visible_text(self.tags.split('\t').nth(index).unwrap_or_default()),
            ColumnSource::Missing => Cow::Borrowed(""),
        }
    }
}

/// The text without characters that XML excludes; white space becomes single blanks, and none at the ends.
fn visible_text(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return text.into();
    }
    let mut visible = String::new();
    push_visible(&mut visible, text);
    visible.into()
}

/// Appends what [`visible_text`] is.
fn push_visible(out: &mut String, text: &str) {
    let begin = out.len();
    for word in text.split_whitespace() {
        let mut visible = word.chars().filter(|c| is_visible(*c)).peekable();
        if visible.peek().is_some() && out.len() > begin {
            out.push(' ');
        }
        out.extend(visible);
    }
}

/// Whether a text has no characters that XML excludes, and none that are invisible.
fn is_allowed(text: &str) -> bool {
    // Without an early end, which the compiler makes vector instructions of.
    let surely = text.bytes().fold(true, |all, byte| all & ((b' '..0x7f).contains(&byte) || is_harmless(byte)));
    surely || text.chars().all(xml::is_allowed) && !invisible::has_invisible(text)
}

/// Whether a byte is part of a character beyond ASCII, and begins none that [`is_allowed`] excludes. Those are in the blocks of
/// Latin-1, Arabic, Mongolian, punctuation and specials.
fn is_harmless(byte: u8) -> bool {
    byte >= 0x80 && !matches!(byte, 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef)
}

/// Whether a character is part of the forms of tokens.
pub fn is_visible(c: char) -> bool {
    xml::is_allowed(c) && !c.is_whitespace() && c != ZERO_WIDTH_SPACE
}

#[cfg(test)]
mod tests;
