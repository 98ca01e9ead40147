//! Decoded page → blocks of text with what cleaners want to know about each, in one pass.
//!
//! [`page`] reads any string; broken markup is read as a browser reads it. Recursion is bounded (markup inside raw text, three
//! levels), no step looks at more than a bounded number of open elements, and nothing is decided about what is worth keeping.
//!
//! Two tokenisers feed the same builder. A small one of our own reads pages without a site rule in a third of the time
//! (`benches/README.md`). `lol_html`, which matches CSS selectors, reads pages with a rule. Tests check the two against
//! each other: both give the same page for any markup.
//!
//! Bytes are decoded in `charset`, [`Head`] is interpreted in `metadata`, and `clean` tells content from boilerplate.
//!
//! Files in the order of the data flow: `tokenizer` with `attributes` (our tokeniser) and `rewriter` (`lol_html` → tags
//! and text); `open_elements` with `browser`, `reference` and `table_grid` (tree construction: which elements are open,
//! and in which cell); `builder` (text → blocks) with `block_text` (white space), `lines` (line breaks), `written_text`
//! (preformatted prose), `container_list` and `kind`; `layout_tables` and `bold_headings`
//! (what becomes of blocks when the cleaner has decided); `rule_matcher` (the selectors of a rule); `head` (titles, metas,
//! links) with `candidates`, `candidate_attributes`, `name_traits` and `byline_prefixes` (elements and lines that may hold a
//! title, an author or a date).
//! `plain_text` reads text without markup, `pieces` divides long text, `tags` has the element names and sets of them,
//! `name_table` finds names.

mod attributes;
mod block_text;
mod bold_headings;
mod browser;
mod builder;
mod byline_prefixes;
mod candidate_attributes;
mod candidates;
mod container_list;
mod emoticons;
mod head;
mod heading_text;
mod kind;
mod layout_tables;
mod lines;
mod link_traits;
mod name_table;
mod name_traits;
mod open_elements;
mod pieces;
mod plain_text;
mod reference;
mod rewriter;
mod rule_matcher;
mod table_grid;
mod tags;
mod text_lines;
mod tokenizer;
mod tree_state;
mod written_text;

pub use block_text::is_space;
pub use bold_headings::mark_bold_headings;
pub use kind::BlockKind;
pub use layout_tables::leave_layout_tables;
pub use plain_text::{plain_text, wet_text};
pub use rule_matcher::{RuleFindings, RuleMatch};
pub use tags::Tag;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::charset::{clean_text, nfc};
use super::head::Head;
use super::rules::Rule;
use crate::limits::Limits;
use crate::text::invisible::{has_invisible, visible};
use block_text::collapsed;
use builder::Builder;

/// Which elements start and end a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockTags {
    /// The 32 elements of the published jusText algorithm.
    Justext,
    /// Those of jusText and the block elements of HTML 5: `section`, `article`, `header`, `ol`, …
    #[default]
    Html5,
}

/// How an HTML page is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Which elements start and end a block. Default: HTML 5's.
    pub block_tags: BlockTags,
    /// Whether the page is read exactly as the reference program (jusText) reads it, for comparisons: blank text
    /// between two inline elements vanishes, a white-space run with a line end becomes a line feed, and the open
    /// elements follow libxml2's rules in place of a browser's. Default: false.
    pub reference: bool,
    /// Bounds on what is kept of a page.
    pub limits: Limits,
}

impl Options {
    /// The options of the reference program (jusText).
    pub fn reference() -> Options {
        Options { block_tags: BlockTags::Justext, reference: true, ..Options::default() }
    }
}

/// A block element that has text somewhere inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container<'a> {
    /// The element's name.
    pub tag: Tag,
    /// The `class` attribute, character references decoded, at most 200 bytes.
    pub class: Cow<'a, str>,
    /// The `id` attribute, character references decoded, at most 200 bytes.
    pub id: Cow<'a, str>,
    /// The `role` and `itemprop` attributes with one blank between them, at most 400 bytes.
    pub role: Cow<'a, str>,
    /// Index of the container around it in [`Page::containers`]; None for the root, which is the first of them.
    pub parent: Option<u32>,
    /// Index of the first container with the same class, id and role, at most its own index. What depends on these names
    /// alone has to be computed only for containers that have their own index here.
    pub same_names: u32,
}

/// A piece of text that a browser shows as a block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// The nearest block element around the block.
    pub kind: BlockKind,
    /// The text, character references decoded, white space normalised.
    pub text: String,
    /// Unicode scalars in `text`.
    pub characters: u32,
    /// Unicode scalars of `text` inside links. In the reference reading, blanks around a link's text count too.
    pub link_characters: u32,
    /// Links that begin inside the block.
    pub links: u32,
    /// Inline start tags inside the block.
    pub inline_tags: u32,
    /// Whether a heading element is open where the block starts.
    pub heading: bool,
    /// Whether all of the text is bold: it stands inside `b` or `strong`.
    pub bold: bool,
    /// Whether an element whose name contains `select` is open where the block starts.
    pub in_select: bool,
    /// Whether the page hides the whole block: `hidden`, `aria-hidden`, `display: none`, `visibility: hidden`. Text of inline
    /// elements that no browser shows is left out of blocks that it shows.
    pub hidden: bool,
    /// Number of lists around the block without definition lists, as the models of the cleaner were trained to count them.
    pub list_depth: u16,
    /// Number of lists around the block: `ul`, `ol`, `menu`, `dir` and `dl`.
    pub all_lists: u16,
    /// Whether a `blockquote` is open where the block starts.
    pub quoted: bool,
    /// Number on the page of the innermost list around the block. Lists, items, tables and quotations are numbered together, from
    /// 1, in the order in which they begin. 0 outside of lists.
    pub list: u32,
    /// The same of the innermost list item around the block; 0 outside of items.
    pub item: u32,
    /// Number of that item in its ordered list (`ol`), as browsers show it; 0 outside of such lists.
    pub item_number: u32,
    /// The same of the innermost quotation in which the block starts; 0 outside of quotations, and for lines that begin with `>`.
    pub quote: u32,
    /// The same of the table whose cell the block is in; 0 outside tables.
    pub table: u32,
    /// Row and first column, counted from 1 with spans, of the block's cell in the innermost table; (0, 0) outside of
    /// tables.
    pub cell: (u16, u16),
    /// Index of the innermost container in [`Page::containers`].
    pub container: u32,
    /// Where the text stands in the markup: from the beginning of the first text node to the end of the last one, in
    /// bytes of the decoded page.
    pub source: (u32, u32),
    /// What the rule of the site says about the block. Except in the reference reading, text that a selector matches
    /// never shares a block with other text.
    pub rule_match: RuleMatch,
}

/// A page as the single pass over its markup gives it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page<'a> {
    /// What the page says about itself.
    pub head: Head,
    /// The blocks of the page in document order.
    pub blocks: Vec<Block>,
    /// The containers that blocks refer to; parents come before children, the root first.
    pub containers: Vec<Container<'a>>,
    /// What the rule of the site found; empty without a rule.
    pub rule_findings: RuleFindings,
    /// Whether there was a rule that could not be applied, because `lol_html` needed more than
    /// [`Limits::rule_memory`]. The page is then read as without a rule.
    pub rule_not_applied: bool,
    /// The limits that the page met.
    pub cuts: Cuts,
    /// Indices of the blocks that [`Page::normalise`] may change, ascending.
    special: Vec<u32>,
    /// Bytes of the text of all blocks, before [`Page::normalise`].
    text_bytes: usize,
}

/// The limits that a page met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cuts {
    /// The page has more blocks than [`Limits::blocks`]: it ends there.
    pub blocks: bool,
    /// The page has more containers than [`Limits::containers`]: the others count as those around them.
    pub containers: bool,
    /// A block is longer than [`Limits::block_bytes`]: it is divided.
    pub block_bytes: bool,
    /// The blocks have more text than [`Limits::text_bytes`]: the page ends before the block that exceeds them.
    pub text_bytes: bool,
}

impl Cuts {
    /// Whether what follows is not read.
    fn ends_page(self) -> bool {
        self.blocks || self.text_bytes
    }
}

impl Page<'_> {
    /// Adds a block, unless there are as many as [`Limits::blocks`] or their text has [`Limits::text_bytes`].
    fn push(&mut self, block: Block, special: bool, limits: &Limits) {
        if self.cuts.ends_page() {
            return;
        }
        self.text_bytes = self.text_bytes.saturating_add(block.text.len());
        self.cuts.text_bytes = self.text_bytes > limits.text_bytes;
        self.cuts.blocks = self.blocks.len() >= limits.blocks;
        if self.cuts.ends_page() {
            return;
        }
        if special {
            self.special.push(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        }
        self.blocks.push(block);
    }

    /// Puts the texts of the blocks into NFC, so that equal texts have equal bytes, and removes the control characters
    /// that character references put there, and the characters that only format. Blocks of such characters alone go.
    /// [`Block::characters`] is kept right, and with it the share of [`Block::link_characters`].
    pub fn normalise(&mut self) {
        let mut emptied = false;
        for at in std::mem::take(&mut self.special) {
            let Some(block) = self.blocks.get_mut(at as usize) else { continue };
            let mut clean = clean_text(&block.text);
            if has_invisible(&clean) {
                clean = visible(&clean).text.into();
            }
            if clean != block.text {
                let keeps_space = block.kind == BlockKind::Pre && !clean.trim().is_empty();
                clean = if keeps_space { clean } else { collapsed_lines(&clean).into() };
            }
            let normal = match nfc(&clean) {
                Cow::Owned(text) => Cow::Owned(text),
                Cow::Borrowed(_) => clean,
            };
            if normal != block.text {
                let text = normal.into_owned();
                let characters = text.chars().count() as u32;
                // As many of those in links went as of all.
                let links = u64::from(block.link_characters) * u64::from(characters);
                block.link_characters = links.checked_div(u64::from(block.characters)).unwrap_or(0) as u32;
                block.characters = characters;
                emptied |= characters == 0;
                block.text = text;
            }
        }
        if emptied {
            self.blocks.retain(|block| block.characters > 0);
        }
    }
}

/// The lines of a text that are not blank, with single blanks for white space.
fn collapsed_lines(text: &str) -> String {
    let lines = text.split('\n').map(collapsed).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads an HTML page without a rule.
pub fn page<'a>(html: &'a str, options: &Options) -> Page<'a> {
    let mut builder = Builder::new(html, options, None);
    builder.read_markup(html);
    builder.finish()
}

/// Reads an HTML page with the rule of its site, if there is one that has selectors.
pub fn page_with_rule<'a>(html: &'a str, options: &Options, rule: Option<&'a Rule>) -> Page<'a> {
    let Some(rule) = rule.filter(|rule| !rule.selectors().is_empty()) else { return page(html, options) };
    let mut builder = Builder::new(html, options, Some(rule));
    match rewriter::read(html, options, &mut builder) {
        Ok(()) => builder.finish(),
        Err(_) => Page { rule_not_applied: true, ..page(html, options) },
    }
}

fn root() -> Container<'static> {
    Container { tag: Tag::Html, class: "".into(), id: "".into(), role: "".into(), parent: None, same_names: 0 }
}

#[cfg(test)]
mod tests;
