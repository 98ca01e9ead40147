//! Decoded page → blocks of text with what cleaners want to know about each, in one pass.
//!
//! Contract: [`page`] takes any string and always answers; broken markup is read as a browser reads
//! it. No recursion, no step that looks at more than a bounded number of open elements, nothing
//! decided about what is worth keeping.
//!
//! Two tokenisers feed the same builder. A small one of our own reads pages without a rule: it takes a third of the time
//! (`benches/README.md`). `lol_html`, which knows CSS selectors, reads those with one, and is what the first is
//! checked against: both give the same page for any markup.
//!
//! Border: bytes and charsets are `charset`'s, the meaning of [`Head`] is `metadata`'s, classes are
//! `clean`'s.
//!
//! Files in the order of the flow: `scan` (our tokeniser) with `attributes`, and `stream` (`lol_html` → tags and text),
//! `tree` with `browser` and `reference` (which elements are open), `builder` (text → blocks),
//! `ruled` (what the selectors of a rule find), `head` (titles, metas, links) with `marks` and
//! `names` (elements that may hold a title, an author or a date), `text` (white space),
//! `tags` (names and sets), `keys` (names as numbers).

mod attributes;
mod browser;
mod builder;
mod head;
mod keys;
mod marks;
mod names;
mod reference;
mod ruled;
mod scan;
mod stream;
mod tags;
mod text;
mod tree;

pub use ruled::{Ruled, Ruling};
pub use tags::Tag;
pub use text::is_space;

use std::borrow::Cow;

use super::charset::{clean_text, is_plain, nfc};
use super::head::Head;
use super::rules::Rule;
use builder::Builder;

/// Which elements start and end a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockTags {
    /// The 32 of the published algorithm.
    Justext,
    /// Those and what HTML has for blocks today: `section`, `article`, `header`, `ol`, …
    #[default]
    Html5,
}

/// How to read a page.
#[derive(Debug, Clone)]
pub struct Options {
    /// Which elements start and end a block.
    pub block_tags: BlockTags,
    /// Read the page exactly as the reference program does, for comparisons: blank text between two
    /// inline elements vanishes, a white-space run with a line end becomes a line feed, and the open
    /// elements follow libxml2's rules in place of a browser's.
    pub glue: bool,
    /// Bytes that `lol_html` may hold; a page that asks for more is read without its rule.
    pub max_memory: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { block_tags: BlockTags::Html5, glue: false, max_memory: 4 << 20 }
    }
}

impl Options {
    /// The reference program's reading.
    pub fn reference() -> Options {
        Options { block_tags: BlockTags::Justext, glue: true, ..Options::default() }
    }
}

/// The nearest block element around a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum Kind {
    P,
    H1,
    H2,
    H3,
    H4,
    H5,
    H6,
    Li,
    Td,
    Th,
    Dt,
    Dd,
    Pre,
    Blockquote,
    Caption,
    Figcaption,
    Summary,
    Legend,
    Address,
    #[default]
    Other,
}

impl Kind {
    /// The element's name; `div` stands for all others.
    pub fn name(self) -> &'static str {
        match self {
            Kind::P => "p",
            Kind::H1 => "h1",
            Kind::H2 => "h2",
            Kind::H3 => "h3",
            Kind::H4 => "h4",
            Kind::H5 => "h5",
            Kind::H6 => "h6",
            Kind::Li => "li",
            Kind::Td => "td",
            Kind::Th => "th",
            Kind::Dt => "dt",
            Kind::Dd => "dd",
            Kind::Pre => "pre",
            Kind::Blockquote => "blockquote",
            Kind::Caption => "caption",
            Kind::Figcaption => "figcaption",
            Kind::Summary => "summary",
            Kind::Legend => "legend",
            Kind::Address => "address",
            Kind::Other => "div",
        }
    }

    /// Whether it is one of `h1` to `h6`.
    pub fn is_heading(self) -> bool {
        matches!(self, Kind::H1 | Kind::H2 | Kind::H3 | Kind::H4 | Kind::H5 | Kind::H6)
    }

    fn of(tag: Tag) -> Kind {
        match tag {
            Tag::P => Kind::P,
            Tag::H1 => Kind::H1,
            Tag::H2 => Kind::H2,
            Tag::H3 => Kind::H3,
            Tag::H4 => Kind::H4,
            Tag::H5 => Kind::H5,
            Tag::H6 => Kind::H6,
            Tag::Li => Kind::Li,
            Tag::Td => Kind::Td,
            Tag::Th => Kind::Th,
            Tag::Dt => Kind::Dt,
            Tag::Dd => Kind::Dd,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => Kind::Pre,
            Tag::Blockquote => Kind::Blockquote,
            Tag::Caption => Kind::Caption,
            Tag::Figcaption => Kind::Figcaption,
            Tag::Summary => Kind::Summary,
            Tag::Legend => Kind::Legend,
            Tag::Address => Kind::Address,
            _ => Kind::Other,
        }
    }
}

/// A block element that holds text somewhere below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container<'a> {
    /// Its name.
    pub tag: Tag,
    /// `class` attribute, entities decoded, at most 200 bytes.
    pub class: Cow<'a, str>,
    /// `id` attribute, likewise.
    pub id: Cow<'a, str>,
    /// `role` and `itemprop` attributes, one blank between them, at most 400 bytes.
    pub role: Cow<'a, str>,
    /// The container around it; None for the root, which is the first of the list.
    pub parent: Option<u32>,
}

/// A piece of text that its page shows as a block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// The nearest block element.
    pub kind: Kind,
    /// Entities decoded, white space normalised.
    pub text: String,
    /// Unicode scalars in `text`.
    pub characters: u32,
    /// Those of them inside links. In the reference reading, blanks around a link's text count too.
    pub link_characters: u32,
    /// Links that begin inside the block.
    pub links: u32,
    /// Inline start tags inside the block.
    pub inline_tags: u32,
    /// Whether a heading element is open where the block starts.
    pub heading: bool,
    /// Whether an element whose name contains `select` is open where the block starts.
    pub in_select: bool,
    /// Whether the page hides it: `hidden`, `aria-hidden`, `display: none`.
    pub hidden: bool,
    /// Lists (`ul`, `ol`, `menu`, `dir`) around it.
    pub list_depth: u16,
    /// Row and column, from 1, of the cell of the innermost table that it stands in; (0, 0) outside of tables.
    pub cell: (u16, u16),
    /// Index of the innermost container in [`Page::containers`].
    pub container: u32,
    /// What the rule says. Except in the reference reading, ruled text never shares a block with other text.
    pub ruling: Ruling,
}

/// What the pass made of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page<'a> {
    /// What the page says about itself.
    pub head: Head,
    /// Its blocks in document order.
    pub blocks: Vec<Block>,
    /// The containers that blocks refer to; parents come before children, the root first.
    pub containers: Vec<Container<'a>>,
    /// What the rule found.
    pub ruled: Ruled,
    /// Whether there was a rule that could not be applied, because `lol_html` gave up; the page is then read as
    /// without one.
    pub rule_lost: bool,
}

impl Page<'_> {
    /// Puts the texts of the blocks into NFC, so that equal texts are equal, and takes out the control characters that
    /// character references put there; the lengths follow.
    pub fn normalise(&mut self) {
        for block in self.blocks.iter_mut().filter(|block| !is_plain(&block.text)) {
            let clean = clean_text(&block.text);
            let normal = match nfc(&clean) {
                Cow::Owned(text) => Cow::Owned(text),
                Cow::Borrowed(_) => clean,
            };
            if let Cow::Owned(text) = normal {
                block.characters = text.chars().count() as u32;
                block.text = text;
            }
        }
    }
}

/// Reads an HTML page.
pub fn page<'a>(html: &'a str, options: &Options) -> Page<'a> {
    let mut builder = Builder::new(html, options, None);
    builder.scan(html);
    builder.finish()
}

/// Reads an HTML page by a rule of its site. A rule without selectors is none.
pub fn page_by<'a>(html: &'a str, options: &Options, rule: Option<&'a Rule>) -> Page<'a> {
    let Some(rule) = rule.filter(|rule| !rule.selectors().is_empty()) else { return page(html, options) };
    let mut builder = Builder::new(html, options, Some(rule));
    match stream::read(html, options, &mut builder) {
        Ok(()) => builder.finish(),
        Err(_) => Page { rule_lost: true, ..page(html, options) },
    }
}

/// Reads plain text: a block per paragraph where blank lines separate them, else one per line.
pub fn plain(text: &str) -> Page<'static> {
    let blank_lines = text.trim().lines().any(|line| line.chars().all(is_space));
    paragraphs(text, !blank_lines)
}

/// Reads the text of a WET record: a block per line.
pub fn lines(text: &str) -> Page<'static> {
    paragraphs(text, true)
}

fn paragraphs(text: &str, per_line: bool) -> Page<'static> {
    let mut page = Page { containers: vec![root()], ..Page::default() };
    let mut paragraph = text::Text::new(false);
    for line in text.lines().chain([""]) {
        let blank = line.chars().all(is_space);
        if !blank {
            paragraph.push(line, false);
            paragraph.space();
        }
        if (blank || per_line) && !paragraph.text.is_empty() {
            page.blocks.push(plain_block(&paragraph));
            paragraph = text::Text::new(false);
        }
    }
    page
}

fn plain_block(paragraph: &text::Text) -> Block {
    Block { kind: Kind::P, text: paragraph.text.clone(), characters: paragraph.characters, ..Block::default() }
}

fn root() -> Container<'static> {
    Container { tag: Tag::Html, class: "".into(), id: "".into(), role: "".into(), parent: None }
}

#[cfg(test)]
mod tests;
