//! Gaps: where blocks of a page between two paragraphs of its text were dropped, so that nobody reads across the hole.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::document_text::TokenizedParagraph;
use crate::document::{DropReason, Paragraph};

/// Blocks that were dropped between two paragraphs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gap {
    /// Number of blocks; a gap of none is no gap.
    pub blocks: u32,
    /// Why they were dropped, each reason once.
    pub reasons: BTreeSet<DropReason>,
}

impl Gap {
    /// The names of the reasons.
    pub fn reasons(&self, separator: &str) -> String {
        self.reasons.iter().map(|reason| reason.name()).collect::<Vec<_>>().join(separator)
    }

    fn add(&mut self, blocks: u32, reason: DropReason) {
        if blocks > 0 {
            self.blocks += blocks;
            self.reasons.insert(reason);
        }
    }
}

/// Whether gaps are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gaps {
    /// In vertical text for Manatee, whose registry declares the structure; not in that for CWB (`escape = "xml"`), which
    /// takes undeclared tags for tokens.
    #[default]
    Auto,
    On,
    Off,
}

impl Gaps {
    pub fn is_default(&self) -> bool {
        *self == Gaps::default()
    }
}

/// Tells each paragraph, but for the first one, what was dropped since the paragraph before it. `rows` are the content
/// blocks of the page in order, kept or not. Blocks that are not among them are boilerplate.
pub fn find(paragraphs: &mut [TokenizedParagraph<'_>], rows: &[Paragraph]) {
    let mut shown = paragraphs.iter_mut().peekable();
    let mut gap = Gap::default();
    // Index of the next block, once a paragraph was shown.
    let mut next = None;
    for row in rows {
        let is_first = next.is_none();
        if let Some(next) = next {
            gap.add(row.index.saturating_sub(next), DropReason::Boilerplate);
        }
        if let Some(paragraph) = shown.next_if(|paragraph| paragraph.row.index == row.index) {
            paragraph.gap = std::mem::take(&mut gap);
        } else if is_first {
            continue;
        } else if !row.drop_reason.is_none() {
            gap.add(1, row.drop_reason);
        }
        next = Some(row.index.saturating_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::emit::document_text::DocumentText;

    fn row(index: u32, text: &str, drop_reason: DropReason) -> Paragraph {
        Paragraph { index, text: text.into(), drop_reason, kept: drop_reason.is_none(), ..Paragraph::default() }
    }

    #[test]
    fn gaps_lie_between_paragraphs_that_are_shown() {
        let rows = [
            row(2, "dropped at the beginning", DropReason::Overlap),
            row(4, "a", DropReason::None),
            row(5, "b", DropReason::None),
            row(7, "c", DropReason::None),
            row(8, "\u{AD}", DropReason::None),
            row(9, "dropped", DropReason::Template),
            row(12, "dropped", DropReason::Overlap),
            row(13, "d", DropReason::None),
            row(20, "dropped at the end", DropReason::Template),
        ];
        let document = Document::default();
        let text = DocumentText::untokenized(&document, rows.iter().filter(|row| row.kept)).with_gaps(&rows);
        let gaps: Vec<_> = text.paragraphs.iter().map(|p| (p.gap.blocks, p.gap.reasons("|"))).collect();
        let none = || (0, String::new());
        let boilerplate = |blocks| (blocks, "boilerplate".to_string());
        assert_eq!(gaps, [none(), none(), boilerplate(1), (4, "boilerplate|template|overlap".into())]);
    }
}
