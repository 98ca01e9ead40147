//! Collects short blocks of text that may hold the title, an author or a date of the page, and the beginning of its story.

use std::borrow::Cow;

use super::byline_prefixes::is_byline;
use super::candidates::MAX_TEXT;
use super::name_table::find_byte;
use super::{Block, BlockKind};
use crate::page::head::TextLine;
use crate::text::{beginning, swar};

/// Most short lines of a page, beside the opening of the story.
const MAX_LINES: usize = 200;
/// Bytes of the `<title>` in which each line is sought.
const MAX_TITLE: usize = 1000;
/// A paragraph of at least so many characters outside links belongs to the story.
const MIN_STORY_CHARACTERS: u32 = 200;
/// Characters kept of the paragraph that opens the story.
const OPENING_CHARACTERS: usize = 60;

/// The lines of a page under construction.
#[derive(Default)]
pub struct TextLines {
    lines: Vec<TextLine>,
    /// Number of blocks before the first long paragraph, once there is one.
    body: Option<u32>,
    blocks: u32,
}

/// Where a block stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockPlace {
    /// Beside the story.
    pub aside: bool,
    /// Among comments.
    pub commented: bool,
    /// In a post of another site.
    pub embedded: bool,
}

impl TextLines {
    /// Number of blocks so far.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Whether the story has begun.
    pub fn has_body(&self) -> bool {
        self.body.is_some()
    }

    /// The lines, and the number of blocks before the story.
    pub fn finish(self) -> (Vec<TextLine>, Option<u32>) {
        (self.lines, self.body)
    }

    /// Takes a complete block of text. `title`: the text of the page's `<title>`.
    pub fn block(&mut self, block: &Block, title: &str, at: BlockPlace) {
        let place = self.blocks;
        self.blocks += 1;
        if at.embedded {
            return;
        }
        let linked = block.link_characters * 2 > block.characters;
        if block.text.len() > MAX_TEXT {
            let prose = block.characters - block.link_characters.min(block.characters) >= MIN_STORY_CHARACTERS;
            if prose && self.body.is_none() && !at.aside && block.kind != BlockKind::H1 {
                self.body = Some(place);
                // Agencies begin a story with place and day.
                let text = block.text.chars().take(OPENING_CHARACTERS).collect();
                self.lines.push(TextLine { text, place, opening: true, ..TextLine::default() });
            }
            return;
        }
        // What comments say behind the beginning of the story is no byline nor date of it.
        if self.lines.len() >= MAX_LINES || at.commented && self.body.is_some() {
            return;
        }
        let title = beginning(title, MAX_TITLE);
        let joined = if block.text.contains('\n') {
            Cow::Owned(block.text.replace('\n', " "))
        } else {
            Cow::Borrowed(&*block.text)
        };
        let titled = joined.len() >= 8 && holds(title, &joined);
        if titled || has_number(&block.text) || block.text.lines().any(is_byline) {
            let text = block.text.clone();
            self.lines.push(TextLine { text, place, aside: at.aside, linked, titled, opening: false });
        }
    }
}

/// Whether a title holds a text in a row.
fn holds(title: &str, text: &str) -> bool {
    /// Places at which the text may begin that are tried before a search begins, which needs preparation.
    const TRIED: usize = 32;
    let Some(first @ 1..0x80) = text.bytes().next() else { return title.contains(text) };
    let mut at = 0;
    for _ in 0..TRIED {
        if title.len() < at + text.len() {
            return false;
        }
        let Some(place) = find_byte(title.as_bytes(), at, first) else { return false };
        if title.get(place..).is_some_and(|rest| rest.starts_with(text)) {
            return true;
        }
        at = place + 1;
    }
    title.get(at..).is_some_and(|rest| rest.contains(text))
}

/// Whether two digits of any script stand side by side in the text, as in a day or a year.
fn has_number(text: &str) -> bool {
    has_ascii_number(text) || !text.is_ascii() && has_other_number(text)
}

fn has_other_number(text: &str) -> bool {
    let mut before = false;
    text.chars().any(|c| {
        // The years of this century begin with these in Han numerals; 〇 is numeric, they are letters.
        let is_digit = !c.is_ascii() && (c.is_numeric() || matches!(c, '二' | '零'));
        std::mem::replace(&mut before, is_digit) && is_digit
    })
}

fn has_ascii_number(text: &str) -> bool {
    let (bytes, mut before) = (text.as_bytes(), 0);
    (0..bytes.len()).step_by(8).any(|at| {
        let digits = swar::within(swar::load(bytes, at), b'0', b'9');
        let pairs = digits & (digits << 8 | before);
        before = digits >> 56;
        pairs != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_of_all_scripts_are_found() {
        for (text, want) in [
            ("٥ مارس ٢٠١٨", true),
            ("5 मार्च २०१८", true),
            ("二〇二四年三月五日", true),
            ("二零二四年", true),
            ("在十二月 5", false),
            ("٥ م ٢", false),
            ("a 12", true),
        ] {
            assert_eq!(has_number(text), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn fast_searches_find_what_slow_ones_find(text in "[a9 \u{e9}]{0,30}", part in "[a9 \u{e9}]{0,3}") {
            let pair = text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
            prop_assert_eq!(has_ascii_number(&text), pair);
            prop_assert_eq!(holds(&text, &part), text.contains(&part));
            let repeated = text.repeat(9);
            prop_assert_eq!(holds(&repeated, &part), repeated.contains(&part));
        }
    }
}
