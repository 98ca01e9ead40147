//! Lines in bold that are headings to a reader, though their markup does not say so.

use super::byline_prefixes::is_byline;
use super::{Block, BlockKind};

/// Most words of such a heading.
const MAX_WORDS: usize = 12;
/// Fewest words of the text that it stands before.
const MIN_TEXT_WORDS: usize = 10;

/// Marks the blocks in bold that stand as headings before text. `kept`: whether each block is content.
pub fn mark_bold_headings(blocks: &mut [Block], kept: impl Iterator<Item = bool>) {
    let kept: Vec<usize> = kept.enumerate().filter_map(|(at, kept)| kept.then_some(at)).collect();
    for (at, next) in kept.iter().zip(kept.iter().skip(1)) {
        let has_text = |text: &Block| !text.bold && text.text.split(' ').nth(MIN_TEXT_WORDS - 1).is_some();
        let stands_before_text =
            blocks.get(*at).is_some_and(reads_as_heading) && blocks.get(*next).is_some_and(has_text);
        if let Some(block) = blocks.get_mut(*at).filter(|_| stands_before_text) {
            block.heading = true;
        }
    }
}

/// Whether a block is short and in bold, no sentence, byline or line of an address, and neither a link nor in a list or table.
fn reads_as_heading(block: &Block) -> bool {
    let text = block.text.as_str();
    block.bold
        && matches!(block.kind, BlockKind::P | BlockKind::Td | BlockKind::Other)
        && (block.all_lists, block.cell.0) == (0, 0)
        && block.link_characters * 2 < block.characters
        && text.split(' ').nth(MAX_WORDS).is_none()
        && text.chars().any(char::is_alphabetic)
        && !text.ends_with(['.', ',', ';'])
        && !text.contains('\n')
        && !text.contains(": ")
        && !is_byline(text)
}

#[cfg(test)]
mod tests {
    use crate::page::blocks::{Options, page};

    #[test]
    fn bold_lines_before_text_are_headings() {
        let is_heading = |html: &str| {
            let html = format!("{html}<p>{}", "The tide comes twice a day. ".repeat(4));
            let mut page = page(&html, &Options::default());
            let all = vec![true; page.blocks.len()];
            super::mark_bold_headings(&mut page.blocks, all.into_iter());
            page.blocks[0].heading
        };
        for html in [
            "<p><b>How tides work</b>",
            "<div><strong>How </strong><b>tides</b> <strong>work?</strong></div>",
            "<p>&nbsp;<b>How tides</b>&nbsp;<b>work</b> &nbsp;</p>",
            "<p><span hidden>3</span><b>How tides work</b>",
        ] {
            assert!(is_heading(html), "{html}");
        }
        for html in [
            "<p><b>How</b> tides work",
            "<p><b>Tides come twice.</b>",
            "<p><b>Degree level: bachelor</b>",
            "<p><b>By Jane Doe</b>",
            "<p><a href=/tides><b>How tides work</b></a>",
            "<li><b>How tides work</b>",
            "<p><b>One</b><br><b>Two</b>",
            "<p><b>One</b><p>Two",
        ] {
            assert!(!is_heading(html), "{html}");
        }
    }
}
