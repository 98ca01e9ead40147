//! Plain text, for tools that read nothing else.

use serde::{Deserialize, Serialize};

use super::document_text::DocumentText;
use super::{Create, Format, FormatError, OutputFormat};

/// The format `text`.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "text",
    folder: "text",
    ending: |_| "txt.gz",
    summary: "Plain text",
    needs_tokens: false,
    empty_files: true,
    bytes_per_word: None,
    memory_per_byte: 3,
    document_ending: |_| None,
    job_file: None,
    create: Create::Text(|options| Box::new(PlainText(options.text))),
};

/// Options of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Options {
    pub lines: LineLayout,
}

/// What a line holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineLayout {
    /// A line per paragraph, and an empty line after each document.
    #[default]
    Paragraphs,
    /// A line per document.
    Documents,
}

struct PlainText(Options);

impl Format for PlainText {
    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        document(out, text, self.0.lines);
        Ok(())
    }
}

/// Appends one document, or nothing if it has no text. White space inside a paragraph becomes single blanks.
pub fn document(out: &mut String, text: &DocumentText<'_>, layout: LineLayout) {
    let between = if layout == LineLayout::Paragraphs { '\n' } else { ' ' };
    for (n, paragraph) in text.paragraphs.iter().enumerate() {
        if n > 0 {
            out.push(between);
        }
        for (n, word) in paragraph.row.text.split_whitespace().enumerate() {
            if n > 0 {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    if !text.paragraphs.is_empty() {
        out.push_str(if layout == LineLayout::Paragraphs { "\n\n" } else { "\n" });
    }
}
