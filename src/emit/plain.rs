//! Plain text, for tools that take nothing else.

use serde::{Deserialize, Serialize};

use super::text::Text;

/// How documents are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// A line per paragraph, an empty line after each document.
    #[default]
    Paragraphs,
    /// A line per document.
    Documents,
}

/// Appends one document; nothing if it has no text. White space inside a paragraph becomes single blanks.
pub fn document(out: &mut String, text: &Text<'_>, layout: Layout) {
    let between = if layout == Layout::Paragraphs { '\n' } else { ' ' };
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
        out.push_str(if layout == Layout::Paragraphs { "\n\n" } else { "\n" });
    }
}
