//! Open and closed elements and text → blocks.
//!
//! The state is that of the published algorithm: the text so far, whether a link is open, whether the
//! last thing was a line break. Text between two visible tags is one *node*; dropped and transparent
//! elements do not end it.

use std::borrow::Cow;

use super::attributes::AttributeList;
use super::head::HeadBuilder;
use super::ruled::{Ruling, Watch};
use super::scan::{Scanner, StartTag, Token};
use super::tags::{Content, HTML5_BLOCKS, JUSTEXT_BLOCKS, Tag, TagSet, VOID};
use super::text::Text;
use super::tree::{Open, Role, Stack};
use super::{Block, BlockTags, Kind, Options, Page, Rule, browser, reference, root};

/// How deep markup hidden in raw text (`iframe` in `iframe`) is followed.
const MAX_NESTING: u8 = 3;

/// Elements that a list's depth counts.
const LISTS: [Tag; 4] = [Tag::Ul, Tag::Ol, Tag::Menu, Tag::Dir];

/// Collects the blocks of a page.
pub struct Builder<'a> {
    pub(super) stack: Stack<'a>,
    pub(super) reference: bool,
    /// What a reference reading must remember about the document.
    pub(super) document: reference::Document,
    /// What the rule of the page finds.
    pub(super) watch: Watch<'a>,
    /// Ruling of the innermost open element that has one.
    ruling: Ruling,
    blocks: TagSet,
    glue: bool,
    head: HeadBuilder,
    /// Of the start tag that goes by, until text or another tag does.
    pub(super) attributes: AttributeList<'a>,
    text: Text,
    block: Block,
    /// Whether the block has text; blocks without any are never shown, in the reference neither.
    started: bool,
    br: bool,
    link: bool,
    dropped: u32,
    headings: u32,
    selects: u32,
    hidden: u32,
    nesting: u8,
    page: Page<'a>,
}

impl<'a> Builder<'a> {
    /// Nothing read yet.
    pub fn new(html: &str, options: &Options, rule: Option<&'a Rule>) -> Builder<'a> {
        Builder {
            stack: Stack::new(),
            reference: options.glue,
            document: reference::Document::new(html),
            watch: Watch::new(rule),
            ruling: Ruling::None,
            blocks: match options.block_tags {
                BlockTags::Justext => JUSTEXT_BLOCKS,
                BlockTags::Html5 => HTML5_BLOCKS,
            },
            glue: options.glue,
            head: HeadBuilder::default(),
            attributes: AttributeList::default(),
            text: Text::new(options.glue),
            block: Block::default(),
            started: false,
            br: false,
            link: false,
            dropped: 0,
            headings: 0,
            selects: 0,
            hidden: 0,
            nesting: 0,
            page: Page { containers: vec![root()], ..Page::default() },
        }
    }

    /// Everything is read.
    pub fn finish(mut self) -> Page<'a> {
        while self.stack.depth() > 0 {
            self.pop();
        }
        self.end_node();
        self.start_block();
        self.page.head = self.head.finish();
        self.page.ruled = self.watch.finish();
        self.page
    }

    /// A start tag, whose attributes have been read; says how the text that follows is to be tokenised.
    pub fn start(&mut self, source: StartTag<'a>) -> Content {
        let tag = source.tag;
        let in_svg = self.in_svg();
        if !in_svg {
            self.head.start(tag, &source, &self.attributes);
        }
        self.watch.start(&source);
        let foreign = self.foreign();
        if self.reference {
            reference::start(self, tag, source);
        } else {
            browser::start(self, tag, source);
        }
        self.watch.passed();
        if in_svg && !self.in_svg() {
            self.head.end_svg();
        }
        match tag {
            _ if foreign || source.self_closing => Content::Markup,
            // A browser with scripts takes it for text, so that nothing inside can reach beyond its end.
            Tag::Noscript => Content::Raw,
            _ => tag.content(),
        }
    }

    /// An end tag.
    pub fn end(&mut self, tag: Tag, name: &str) {
        let in_svg = self.in_svg();
        if !in_svg {
            self.head.end(tag);
        }
        if self.reference {
            reference::end(self, tag, name);
        } else {
            browser::end(self, tag, name);
        }
        if in_svg && !self.in_svg() {
            self.head.end_svg();
            // The end tag of an element around the SVG.
            if tag != Tag::Svg {
                self.head.end(tag);
            }
        }
    }

    /// Whether an `<svg>` is open: its tags are no metadata of the page.
    fn in_svg(&self) -> bool {
        self.stack.count(Tag::Svg) > 0
    }

    /// Character data as written.
    pub fn text(&mut self, raw: &str, entities: bool) {
        if self.head.wants_text() {
            self.head.text(raw, entities);
        }
        if self.reference {
            reference::text(self, raw);
        } else {
            browser::text(self, raw);
        }
        self.watch.text(raw, entities, (self.dropped, self.hidden));
        if self.dropped > 0 || self.document.stopped {
            return;
        }
        let mut text = Cow::Borrowed(raw);
        if memchr::memchr2(b'&', 0, raw.as_bytes()).is_some() {
            if entities {
                text = htmlize::unescape(raw);
            }
            if memchr::memchr(0, text.as_bytes()).is_some() {
                text = Cow::Owned(text.replace('\0', if self.reference { "\u{fffd}" } else { "" }));
            }
        }
        self.text.verbatim = !self.reference && self.stack.count(Tag::Pre) > 0;
        if self.text.push(&text, self.link) {
            self.br = false;
        }
        if !self.started && !self.text.text.is_empty() {
            self.begin();
        }
    }

    /// Text that the parser did not look into: a script, or the content of `noscript` and `iframe`,
    /// which the reader of a page without scripts and frames would see.
    pub fn raw_text(&mut self, raw: &'a str, entities: bool) {
        let tag = self.stack.top_tag();
        let opaque = match tag.map(Tag::content) {
            None | Some(Content::Markup) => false,
            Some(Content::Raw) => self.reference || matches!(tag, Some(Tag::Style | Tag::Xmp)),
            Some(_) => true,
        };
        if opaque || self.nesting >= MAX_NESTING {
            self.text(raw, entities);
        } else {
            self.nesting += 1;
            self.scan(raw);
            self.nesting -= 1;
        }
    }

    /// Tokenises markup here and now.
    pub fn scan(&mut self, html: &'a str) {
        let mut scanner = Scanner::new(html);
        while let Some(token) = scanner.next(&mut self.attributes) {
            match token {
                Token::Text(raw) => self.text(raw, true),
                Token::Raw { raw, entities } => self.raw_text(raw, entities),
                Token::CharacterData(raw) => self.text(raw, false),
                Token::End(tag, name) => {
                    self.end(tag, name);
                    scanner.foreign = self.foreign();
                }
                Token::Ignored => {}
                Token::Start(tag) => {
                    let content = self.start(tag);
                    scanner.enter(&tag, content);
                    scanner.foreign = self.foreign();
                }
            }
        }
    }

    /// Whether the innermost open element is of SVG or MathML, not of HTML inside it.
    fn foreign(&self) -> bool {
        const HTML_INSIDE: TagSet = TagSet::of(&[Tag::Foreignobject, Tag::Desc, Tag::Title, Tag::Annotation]);
        let is_foreign = |tag: Tag| matches!(tag, Tag::Svg | Tag::Math);
        let nearest = || self.stack.iter().rev().find(|open| is_foreign(open.tag) || HTML_INSIDE.has(open.tag));
        self.stack.count(Tag::Svg) + self.stack.count(Tag::Math) > 0
            && nearest().is_some_and(|open| is_foreign(open.tag))
    }

    /// Opens an element that is on its way to the stack.
    pub(super) fn push(&mut self, mut open: Open<'a>) {
        if self.dropped == 0 && open.role == Role::Visible {
            self.end_node();
        }
        self.dropped += u32::from(open.role == Role::Dropped);
        self.headings += u32::from(open.heading);
        self.selects += u32::from(open.select);
        self.hidden += u32::from(open.hidden);
        self.watch.open(&mut open, (self.dropped, self.hidden));
        self.stack.push(open);
        if self.dropped == 0 && open.role == Role::Visible {
            self.opened(&open);
        }
        if open.ruling != Ruling::None {
            self.rule_anew();
        }
    }

    fn opened(&mut self, open: &Open<'a>) {
        let second_break = open.tag == Tag::Br && self.br;
        if second_break || self.blocks.has(open.tag) {
            if second_break {
                self.block.inline_tags = self.block.inline_tags.saturating_sub(1);
            }
            self.start_block();
            return;
        }
        self.br = open.tag == Tag::Br;
        if self.br {
            self.text.space();
            self.watch.space();
        }
        self.link |= open.link;
        self.block.links += u32::from(open.link);
        self.block.inline_tags += 1;
    }

    /// Closes the innermost element.
    pub(super) fn pop(&mut self) -> Option<Tag> {
        if self.dropped == 0 && self.stack.top().is_some_and(|top| top.role == Role::Visible) {
            self.end_node();
        }
        let open = self.stack.pop()?;
        self.closed(&open);
        Some(open.tag)
    }

    /// Closes an element of the stack's middle, leaving those inside open.
    pub(super) fn remove(&mut self, at: usize) {
        if self.dropped == 0 {
            self.end_node();
        }
        if let Some(open) = self.stack.remove(at) {
            self.closed(&open);
        }
    }

    fn closed(&mut self, open: &Open<'a>) {
        self.dropped -= u32::from(open.role == Role::Dropped);
        self.headings -= u32::from(open.heading);
        self.selects -= u32::from(open.select);
        self.hidden -= u32::from(open.hidden);
        self.watch.closed(open);
        if open.ruling != Ruling::None {
            self.rule_anew();
        }
        if self.dropped > 0 || open.role != Role::Visible {
            return;
        }
        if self.blocks.has(open.tag) {
            self.start_block();
        }
        if open.tag == Tag::A {
            self.link = false;
        }
    }

    /// An element with a ruling opened or closed: where the ruling in force changes, the block ends.
    fn rule_anew(&mut self) {
        let rulings = self.stack.iter().rev().map(|open| open.ruling);
        let ruling = rulings.into_iter().find(|&ruling| ruling != Ruling::None).unwrap_or_default();
        if std::mem::replace(&mut self.ruling, ruling) != ruling && !self.reference {
            self.end_node();
            self.start_block();
        }
    }

    fn end_node(&mut self) {
        if !self.document.stopped {
            self.text.end_node(self.link, self.glue);
        }
    }

    /// An element that opens and closes here, leaving only the boundary.
    pub(super) fn boundary(&mut self) {
        if self.dropped == 0 {
            self.end_node();
            self.start_block();
        }
    }

    /// Ends the block, if there is text to show, and starts the next.
    fn start_block(&mut self) {
        self.watch.space();
        if self.started {
            self.emit();
        }
        self.started = false;
        self.text.clear();
        // The rest of it is put in when there is text.
        (self.block.links, self.block.inline_tags) = (0, 0);
        (self.block.heading, self.block.in_select) = (self.headings > 0, self.selects > 0);
    }

    fn emit(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        block.text.push_str(&self.text.text);
        block.characters = self.text.characters;
        block.link_characters = self.text.link_characters;
        self.head.block(&block);
        self.page.blocks.push(block);
    }

    /// The first text of a block decides where it stands.
    fn begin(&mut self) {
        self.started = true;
        let nearest = self.stack.iter().rev().find(|open| self.blocks.has(open.tag));
        self.block.kind = nearest.map_or(Kind::Other, |open| Kind::of(open.tag));
        self.block.container = self.container();
        self.block.ruling = self.ruling;
        self.block.hidden = self.hidden > 0;
        self.block.list_depth = LISTS.map(|tag| self.stack.count(tag)).iter().sum();
        self.block.cell = self.stack.cell();
    }

    /// The innermost open container, entered into the list with all around it.
    fn container(&mut self) -> u32 {
        let known = self.stack.iter().rposition(|open| open.container.is_some());
        let mut parent = 0;
        for at in known.unwrap_or(0)..self.stack.depth() {
            let Some(open) = self.stack.get_mut(at) else { break };
            if let Some(index) = open.container {
                parent = index;
            } else if open.is_container() {
                let index = u32::try_from(self.page.containers.len()).unwrap_or(u32::MAX);
                self.page.containers.push(open.describe(parent, &mut self.attributes));
                open.container = Some(index);
                parent = index;
            }
        }
        parent
    }
}

/// Elements whose content is no text of the page.
pub const DROPPED: TagSet = TagSet::of(&[
    Tag::Head,
    Tag::Script,
    Tag::Style,
    Tag::Button,
    Tag::Input,
    Tag::Select,
    Tag::Textarea,
    Tag::Applet,
    Tag::Base,
    Tag::Param,
]);

/// Whether an element opens only to close at once.
pub fn closes_at_once(source: &StartTag<'_>, tag: Tag) -> bool {
    source.self_closing || VOID.has(tag)
}
