//! The tags that the paragraphs of a tagged corpus have.

use crate::document::Paragraph;
use crate::emit::document_text::DocumentText;

/// The stored tagger output of a document: its words, and one line of tab-separated columns per word.
pub struct StoredTags<'a> {
    words: Vec<&'a str>,
    pub lines: String,
}

impl StoredTags<'_> {
    pub fn of(rows: &[Paragraph]) -> StoredTags<'_> {
        let mut tags = StoredTags { words: Vec::new(), lines: String::new() };
        for (word, columns) in rows.iter().flat_map(|row| &row.tokens).filter_map(|token| token.split_once('\t')) {
            tags.words.push(word);
            tags.lines.push_str(columns);
            tags.lines.push('\n');
        }
        tags
    }

    /// Whether the tokens of the text are the tagged ones.
    pub fn match_tokens(&self, text: &DocumentText) -> bool {
        text.tokens().map(|token| token.form).eq(self.words.iter().copied())
    }
}
