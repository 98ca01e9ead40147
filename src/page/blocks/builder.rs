//! Tags and text → blocks.
//!
//! The state is that of the published jusText algorithm: the text of the current block, whether a link is open, whether
//! the last tag was a line break. The text between two visible tags is one *node*; dropped and transparent elements do
//! not end it.

mod buttons;
mod current_block;
mod elements;
mod inside;
mod signs;

use std::ops::Range;

use self::inside::Inside;
use self::signs::PendingSigns;
use super::attributes::AttributeList;
use super::block_text::BlockText;
use super::container_list::ContainerList;
use super::head::HeadBuilder;
use super::open_elements::ElementStack;
use super::rule_matcher::{RuleMatch, RuleMatcher};
use super::tags::{HTML5_BLOCKS, JUSTEXT_BLOCKS, LISTS, Tag, TagSet, TextState, VOID};
use super::tokenizer::{HtmlToken, HtmlTokenizer, StartTag, end_before_next, ends_next};
use super::tree_state::TreeState;
use super::{Block, BlockTags, Options, Page, Rule, browser, reference};
use crate::limits::Limits;

/// How many levels of markup inside raw text (`noframes` in `noscript`) are read.
const MAX_NESTING: u8 = 3;

const ITEMS: TagSet = TagSet::of(&[Tag::Li, Tag::Dt, Tag::Dd]);
const TABLES: TagSet = TagSet::of(&[Tag::Table]);
const ALL_LISTS: TagSet = TagSet::of(&LISTS).union(TagSet::of(&[Tag::Dl]));
/// Elements of HTML that are never inside of SVG.
const LEAVES_SVG: TagSet = {
    use Tag::*;
    TagSet::of(&[
        B, Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, H1, H2, H3, H4, H5, H6, Head, Hr, I,
        Img, Li, Listing, Menu, Meta, Nobr, Ol, P, Pre, Ruby, S, Small, Span, Strike, Strong, Sub, Sup, Table, Tt, U,
        Ul, Var,
    ])
};
/// Elements with which highlighters of code part its lines.
const CODE_LINES: TagSet = TagSet::of(&[Tag::Div, Tag::P]);

/// The inline element that ended last.
struct EndedInline<'a> {
    source: StartTag<'a>,
    is_code_line: bool,
    /// Bytes of text that the block had when it was opened, and when it ended.
    text: Range<usize>,
}

/// Builds the blocks of a page from its tags and text.
pub struct Builder<'a> {
    pub(super) stack: ElementStack<'a>,
    pub(super) reference: bool,
    /// State of the tree construction beside the stack.
    pub(super) tree: TreeState,
    /// Follows the selectors of the page's rule.
    pub(super) rule_matcher: RuleMatcher<'a>,
    /// What the rule says by the innermost open element that one of its selectors matches.
    rule_match: RuleMatch,
    /// Elements that start and end a block.
    block_tags: TagSet,
    limits: Limits,
    /// Whether there is a NUL in the markup.
    has_nul: bool,
    /// Address of the markup in memory, from which the places of its parts are counted.
    base: usize,
    head: HeadBuilder,
    /// Attributes of the current start tag; valid until the next token.
    pub(super) attributes: AttributeList<'a>,
    /// Text of the current block.
    text: BlockText,
    /// The current block, without its text and counts of characters.
    block: Block,
    /// Whether the current block has text; blocks without text are not part of the page.
    started: bool,
    /// Whether the last visible tag was a line break.
    after_br: bool,
    /// Whether a link is open.
    link: bool,
    /// Characters of the block before the link that was opened last.
    before_link: u32,
    /// Whether the current block has only text so far that no browser shows.
    starts_unseen: bool,
    /// Whether all text of the current block is bold.
    is_bold: bool,
    /// Whether the current block is code.
    is_code: bool,
    /// Whether the current block is the text of a button that opens a part of the page.
    is_button: bool,
    /// What markup sets before the next text: quotation marks, lines of fractions.
    signs: PendingSigns,
    last_inline: Option<EndedInline<'a>>,
    inside: Inside,
    /// How many lists, list items, tables and quotations the page has up to here.
    numbered: u32,
    /// Address in memory of an end tag of SVG that was found ahead; 0 if there is none.
    svg_end: usize,
    /// Levels of markup inside raw text that are open.
    nesting: u8,
    page: Page<'a>,
    containers: ContainerList<'a>,
}

impl<'a> Builder<'a> {
    /// A builder at the start of a page.
    pub fn new(html: &str, options: &Options, rule: Option<&'a Rule>) -> Builder<'a> {
        Builder {
            stack: ElementStack::new(),
            reference: options.reference,
            tree: TreeState::new(html),
            rule_matcher: RuleMatcher::new(rule),
            rule_match: RuleMatch::None,
            block_tags: match options.block_tags {
                BlockTags::Justext => JUSTEXT_BLOCKS,
                BlockTags::Html5 => HTML5_BLOCKS,
            },
            limits: options.limits,
            base: html.as_ptr() as usize,
            has_nul: memchr::memchr(0, html.as_bytes()).is_some(),
            head: HeadBuilder::default(),
            attributes: AttributeList::default(),
            text: BlockText::new(options.reference),
            block: Block::default(),
            started: false,
            after_br: false,
            link: false,
            before_link: 0,
            is_bold: false,
            is_code: false,
            is_button: false,
            signs: PendingSigns::new(),
            last_inline: None,
            inside: Inside::default(),
            numbered: 0,
            starts_unseen: false,
            svg_end: 0,
            nesting: 0,
            page: Page::default(),
            containers: ContainerList::new(options.limits.containers),
        }
    }

    /// The page, when all of it is read.
    pub fn finish(mut self) -> Page<'a> {
        while self.stack.depth() > 0 {
            self.pop();
        }
        self.end_node();
        self.start_block();
        self.page.head = self.head.finish();
        (self.page.containers, self.page.cuts.containers) = self.containers.finish();
        self.page.rule_findings = self.rule_matcher.finish();
        self.page
    }

    /// Takes a start tag, whose attributes are in `self.attributes`, and gives the state in which the text that follows is
    /// to be tokenised. `rest`: the markup behind the tag.
    pub fn start(&mut self, mut source: StartTag<'a>, rest: &'a str) -> TextState {
        let tag = source.tag;
        if !self.reference && self.in_svg() && LEAVES_SVG.has(tag) && !self.is_svg_closed(rest) {
            self.leave_svg();
        }
        // Pages written as XHTML have scripts without an end tag. Where one follows, the slash means nothing, as in browsers.
        if source.self_closing && !self.reference && matches!(tag, Tag::Script | Tag::Style) && !self.foreign() {
            source.self_closing = !ends_next(rest, source.name);
        }
        if !self.in_svg() {
            self.head.start(tag, &source, &self.attributes, |tag| self.stack.count(tag) > 0);
        }
        self.rule_matcher.start(&source);
        let foreign = self.foreign();
        if self.reference {
            reference::start(self, tag, source);
        } else {
            browser::start(self, tag, source);
        }
        self.rule_matcher.start_tag_done();
        self.head.leave_ignored(|tag| self.stack.count(tag) > 0);
        match tag {
            _ if foreign || source.self_closing => TextState::Data,
            // To a browser with scripts the content is text, so that no tag inside reaches beyond its end.
            Tag::Noscript => TextState::Rawtext,
            _ => tag.text_state(),
        }
    }

    /// Takes an end tag.
    pub fn end(&mut self, tag: Tag, name: &str) {
        if !self.in_svg() {
            self.head.end(tag);
        }
        if self.reference {
            reference::end(self, tag, name);
        } else {
            browser::end(self, tag, name);
        }
        // The end tag of an element around the one whose content is ignored.
        if self.head.leave_ignored(|tag| self.stack.count(tag) > 0).is_some_and(|ignored| ignored != tag) {
            self.head.end(tag);
        }
    }

    /// Whether an `<svg>` is open: its tags are no metadata of the page.
    #[inline]
    fn in_svg(&self) -> bool {
        self.stack.count(Tag::Svg) > 0
    }

    /// Whether the open `<svg>` has an end tag.
    fn is_svg_closed(&mut self, rest: &str) -> bool {
        let place = rest.as_ptr() as usize;
        if place >= self.svg_end {
            self.svg_end = end_before_next(rest, "svg").map_or(0, |end| place + end);
        }
        place < self.svg_end
    }

    /// Closes an `<svg>` without an end tag, unless HTML is open inside it. Tags of HTML end it in browsers, and any `<svg>` (HTML
    /// Standard, "The rules for parsing tokens in foreign content"); but what an icon has inside is no text of the page.
    fn leave_svg(&mut self) {
        while self.in_svg() && self.foreign() {
            self.pop();
        }
        self.head.leave_ignored(|tag| self.stack.count(tag) > 0);
    }

    /// Takes the text of an element whose content is no markup to the tokeniser: a script, or the content of `noscript`,
    /// which is read as the markup that browsers without scripts show.
    pub fn raw_text(&mut self, raw: &'a str, references: bool) {
        let tag = self.stack.top_tag();
        let opaque = match tag.map(Tag::text_state) {
            None | Some(TextState::Data) => false,
            Some(TextState::Rawtext) => {
                self.reference || matches!(tag, Some(Tag::Style | Tag::Xmp | Tag::Iframe | Tag::Noembed))
            }
            Some(_) => true,
        };
        if opaque || self.nesting >= MAX_NESTING {
            self.text(raw, references);
        } else {
            self.nesting += 1;
            self.read_markup(raw);
            self.nesting -= 1;
        }
    }

    /// Tokenises markup and takes its tokens.
    pub fn read_markup(&mut self, html: &'a str) {
        let mut tokenizer = HtmlTokenizer::new(html);
        while !self.is_full()
            && let Some(token) = tokenizer.next(&mut self.attributes)
        {
            match token {
                HtmlToken::Text(raw) => self.text(raw, true),
                HtmlToken::Raw { raw, references } => self.raw_text(raw, references),
                HtmlToken::CdataSection(raw) => self.text(raw, false),
                HtmlToken::End(tag, name) => {
                    self.end(tag, name);
                    tokenizer.foreign = self.foreign();
                }
                HtmlToken::Ignored => {}
                HtmlToken::Start(tag) => {
                    let state = self.start(tag, tokenizer.rest());
                    tokenizer.enter(&tag, state);
                    tokenizer.foreign = self.foreign();
                }
            }
        }
    }

    /// Whether the page has reached a limit: nothing behind it is read, not even what it says about itself.
    pub fn is_full(&self) -> bool {
        self.page.cuts.ends_page()
    }

    /// Whether the innermost open element is of SVG or MathML, and not of HTML inside them.
    fn foreign(&self) -> bool {
        const HTML_INSIDE: TagSet = TagSet::of(&[Tag::Foreignobject, Tag::Desc, Tag::Title, Tag::Annotation]);
        const FOREIGN: TagSet = TagSet::of(&[Tag::Svg, Tag::Math]);
        self.stack.count(Tag::Svg) + self.stack.count(Tag::Math) > 0
            && self.stack.innermost(&FOREIGN.union(HTML_INSIDE)).is_some_and(|(_, tag)| FOREIGN.has(tag))
    }

    fn end_node(&mut self) {
        if !self.tree.stopped {
            self.text.end_node(self.link);
        }
    }

    /// An empty block element stands here, which only ends the block.
    pub(super) fn boundary(&mut self) {
        if self.inside.dropped == 0 {
            self.end_node();
            self.start_block();
        }
    }
}

/// Whether an element is closed as soon as it is opened.
#[inline]
pub fn closes_at_once(source: &StartTag<'_>, tag: Tag) -> bool {
    source.self_closing || VOID.has(tag)
}
