//! Text without markup → blocks: paragraphs or lines.

use super::block_text::{BlockText, is_space};
use super::lines::keep_lines;
use super::pieces::pieces;
use super::{Block, BlockKind, Page, root};
use crate::limits::Limits;

/// Reads plain text: a block for each paragraph where blank lines separate paragraphs, else one for each line.
pub fn plain_text(text: &str, limits: &Limits) -> Page<'static> {
    let blank_lines = lines(text.trim()).any(|line| line.chars().all(is_space));
    paragraphs(text, !blank_lines, limits)
}

/// Reads the text of a WET record: a block for each line that is not blank.
pub fn wet_text(text: &str, limits: &Limits) -> Page<'static> {
    paragraphs(text, true, limits)
}

/// The lines of a text. Before Mac OS X, a carriage return alone ended them on that system.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.trim();
    text.split(if inner.contains('\r') && !inner.contains('\n') { '\r' } else { '\n' })
}

fn paragraphs(text: &str, per_line: bool, limits: &Limits) -> Page<'static> {
    let mut page = Page { containers: vec![root()], ..Page::default() };
    let mut paragraph = BlockText::new(false);
    let mut source = (0, 0);
    for line in lines(text).chain([""]) {
        let blank = line.chars().all(is_space);
        if !blank {
            for piece in pieces(line, limits.block_bytes) {
                // With the blank between them.
                if !paragraph.text.is_empty() && paragraph.bytes() + 1 + piece.len() > limits.block_bytes {
                    page.cuts.block_bytes = true;
                    end_paragraph(&mut page, &mut paragraph, source, limits);
                }
                let begin = (piece.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
                let first = if paragraph.text.is_empty() { begin as u32 } else { source.0 };
                source = (first, (begin + piece.len()) as u32);
                paragraph.push(piece, false);
            }
            paragraph.line_break();
        }
        if (blank || per_line) && !paragraph.text.is_empty() {
            end_paragraph(&mut page, &mut paragraph, source, limits);
        }
        if page.cuts.ends_page() {
            break;
        }
    }
    page
}

/// Adds a paragraph of plain text to the page as a block, and starts the next one.
fn end_paragraph(page: &mut Page<'_>, paragraph: &mut BlockText, source: (u32, u32), limits: &Limits) {
    let ended = std::mem::replace(paragraph, BlockText::new(false));
    let (mut text, characters) = (ended.text, ended.characters);
    let characters = characters.saturating_sub(keep_lines(&mut text, &ended.breaks));
    page.push(Block { kind: BlockKind::P, text, characters, source, ..Block::default() }, ended.special, limits);
}
