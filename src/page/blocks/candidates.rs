//! Collects the elements whose names or attributes say that they hold the title, an author or a date of the page
//! ([`MetadataCandidate`]). Short blocks of text are collected in `text_lines`.
//!
//! Only the open elements that are candidates or enclose what is beside the story are followed; an element is taken for
//! closed when as many end tags of its name as start tags have been seen. Where end tags are missing, the text of an
//! element would run on; a bound on its length drops it then.

use super::attributes::AttributeList;
use super::candidate_attributes::CandidateAttributes;
use super::heading_text::is_torn;
use super::name_traits::{NameTraits, TraitCache, name_traits};
use super::tags::{HEADINGS, HTML5_BLOCKS, Tag, TagSet, VOID};
use super::text_lines::{BlockPlace, TextLines};
use super::tokenizer::StartTag;
use super::{Block, BlockKind};
use crate::page::head::{Head, MetadataCandidate};

/// Most candidates of a page.
const MAX_CANDIDATES: usize = 200;
/// Most links to keywords among them.
const MAX_KEYWORD_LINKS: u8 = 30;
/// Most candidates that are open at a time.
const MAX_OPEN: usize = 8;
/// Most start tags of a page whose attributes are analysed; headings and a few others are beyond it too.
const MAX_ANALYSED_TAGS: u32 = 5000;
/// Longest text of a candidate and of a line, in bytes.
pub(super) const MAX_TEXT: usize = 400;

/// Elements whose content no reader sees as text.
const MUTE: TagSet = TagSet::of(&[Tag::Script, Tag::Style, Tag::Svg, Tag::Select, Tag::Textarea, Tag::Template]);
/// Elements that are beside the story by their element name.
const ASIDE: TagSet = TagSet::of(&[Tag::Aside, Tag::Footer, Tag::Nav]);
/// Elements that are never candidates nor beside the story: they enclose the whole page, or have no content.
const NEVER: TagSet = TagSet::of(&[Tag::Html, Tag::Body, Tag::Main, Tag::Meta, Tag::Link, Tag::Form]).union(VOID);
/// Elements whose end tag is often left out: the start of the next one ends them.
const OPTIONAL_END: TagSet = TagSet::of(&[Tag::P, Tag::Li, Tag::Td, Tag::Th, Tag::Tr, Tag::Dt, Tag::Dd]);

/// The candidates and lines of a page under construction.
#[derive(Default)]
pub struct MetadataCandidates {
    candidates: Vec<MetadataCandidate>,
    lines: TextLines,
    open: Vec<OpenCandidate>,
    /// The outermost open element that is beside the story.
    aside: Option<NestingCount>,
    /// The outermost open element that holds comments.
    comments: Option<NestingCount>,
    /// The open element that is a post of another site.
    embedded: Option<NestingCount>,
    /// The open element that holds the words above a title, the category in a byline or a number of comments.
    excluded: Option<NestingCount>,
    /// Whether a link is open.
    link: bool,
    /// The open element whose content is ignored.
    mute: Option<Tag>,
    /// Where the block stands that the current tag may end.
    block_place: BlockPlace,
    analysed_tags: u32,
    keyword_links: u8,
    traits: TraitCache,
    /// The piece of text that is being added; kept for its allocation.
    piece: String,
}

/// An open element, known by its name and how many elements of that name are open since it began.
#[derive(Clone, Copy)]
struct NestingCount {
    tag: Tag,
    depth: u32,
}

/// An open element that is a candidate: its nesting, its index in [`MetadataCandidates::candidates`], and whether it may be
/// a title.
struct OpenCandidate {
    nesting: NestingCount,
    index: usize,
    titled: bool,
}

impl NestingCount {
    fn of(tag: Tag) -> NestingCount {
        NestingCount { tag, depth: 1 }
    }

    fn start(&mut self, tag: Tag) {
        self.depth += u32::from(self.tag == tag);
    }

    /// Counts an end tag; true if it closes the element.
    fn end(&mut self, tag: Tag) -> bool {
        self.depth -= u32::from(self.tag == tag);
        self.depth == 0
    }
}

impl MetadataCandidates {
    /// Takes a start tag with its attributes.
    pub fn start(&mut self, tag: Tag, source: &StartTag<'_>, attributes: &AttributeList<'_>) {
        self.block_place = self.place();
        if self.mute.is_some() {
            return;
        }
        if MUTE.has(tag) || tag == Tag::Button && self.has_title_text() {
            self.mute = (!source.self_closing).then_some(tag);
            return;
        }
        let has_content = !VOID.has(tag) && !source.self_closing;
        if self.follows() {
            self.separate_text(tag);
            self.end_siblings(tag);
            if has_content {
                self.nestings().for_each(|nesting| nesting.start(tag));
            }
        }
        if !NEVER.has(tag) && !source.self_closing && self.embedded.is_none() {
            self.analyse(tag, source, attributes);
        }
        self.link |= tag == Tag::A && has_content;
    }

    fn place(&self) -> BlockPlace {
        BlockPlace {
            aside: self.aside.is_some(),
            commented: self.comments.is_some(),
            embedded: self.embedded.is_some(),
        }
    }

    /// Whether any open element is followed up to its end.
    fn follows(&self) -> bool {
        let elements = [&self.aside, &self.comments, &self.embedded, &self.excluded];
        !self.open.is_empty() || elements.iter().any(|element| element.is_some())
    }

    /// The elements that are followed.
    fn nestings(&mut self) -> impl Iterator<Item = &mut NestingCount> {
        let open = self.open.iter_mut().map(|open| &mut open.nesting);
        let beside = self.aside.iter_mut().chain(&mut self.comments).chain(&mut self.embedded);
        beside.chain(&mut self.excluded).chain(open)
    }

    /// Ends elements whose end tags are often left out, where another one of them begins. But cells hold tables of cells.
    fn end_siblings(&mut self, tag: Tag) {
        if !OPTIONAL_END.has(tag) {
            return;
        }
        self.close(|nesting| nesting.tag == tag);
        self.excluded = self.excluded.filter(|nesting| nesting.tag != tag);
        let nests = matches!(tag, Tag::Td | Tag::Th | Tag::Tr);
        self.aside = self.aside.filter(|nesting| nesting.tag != tag || nests);
        self.comments = self.comments.filter(|nesting| nesting.tag != tag || nests);
    }

    /// Whether a title is open that has text: a button behind it copies or shares.
    fn has_title_text(&self) -> bool {
        let has_text =
            |open: &OpenCandidate| self.candidates.get(open.index).is_some_and(|title| !title.text.is_empty());
        self.open.iter().any(|open| open.titled && has_text(open))
    }

    /// Takes an end tag.
    pub fn end(&mut self, tag: Tag) {
        self.block_place = self.place();
        if self.mute.is_some() {
            return;
        }
        self.link &= tag != Tag::A;
        if !self.follows() {
            return;
        }
        self.separate_text(tag);
        self.close(|nesting| nesting.end(tag));
        for nesting in [&mut self.aside, &mut self.comments, &mut self.embedded, &mut self.excluded] {
            nesting.take_if(|nesting| nesting.end(tag));
        }
    }

    /// Leaves the element whose content is ignored, if it is not open any more, and gives its name then: any tag may have ended
    /// it.
    pub fn leave_ignored(&mut self, is_open: impl Fn(Tag) -> bool) -> Option<Tag> {
        self.mute.take_if(|mute| !is_open(*mute))
    }

    /// Whether an open candidate takes the text that comes next.
    pub fn wants_text(&self) -> bool {
        !self.open.is_empty() && self.mute.is_none() && self.excluded.is_none()
    }

    /// Adds text, its character references decoded, to the open candidates.
    pub fn text(&mut self, text: &str) {
        if !self.wants_text() {
            return;
        }
        let piece = &mut self.piece;
        set_collapsed(piece, text);
        let spaced = text.starts_with(char::is_whitespace);
        for open in &mut self.open {
            if let Some(candidate) = self.candidates.get_mut(open.index) {
                if spaced && !candidate.text.is_empty() && !candidate.text.ends_with([' ', '\n']) {
                    candidate.text.push(' ');
                }
                candidate.text.push_str(piece);
                // An element with so much text holds more than a name or a date.
                if candidate.text.len() > MAX_TEXT {
                    candidate.text.clear();
                    open.nesting.depth = 0;
                }
            }
        }
        self.close(|nesting| nesting.depth == 0);
    }

    /// Takes a complete block of text. `title`: the text of the page's `<title>`.
    pub fn block(&mut self, block: &Block, title: &str) {
        let place = self.lines.blocks();
        self.lines.block(block, title, self.block_place);
        let heads = |one: &MetadataCandidate| one.level > 0 || name_traits(&one.names).has(NameTraits::TITLE);
        let heading = self.candidates.iter_mut().rev().take_while(|one| one.place == place).find(|one| heads(one));
        if let Some(heading) = heading.filter(|one| is_torn(&one.text, &block.text, title)) {
            heading.text.clone_from(&block.text);
        }
    }

    /// Moves what was collected into the head, without candidates that hold neither text nor a value.
    pub fn finish(self, head: &mut Head) {
        head.candidates = self.candidates;
        head.candidates.retain(|candidate| !(candidate.text.trim().is_empty() && candidate.value.is_empty()));
        for candidate in &mut head.candidates {
            candidate.text.truncate(candidate.text.trim_end().len());
        }
        (head.lines, head.body) = self.lines.finish();
    }

    /// Decides by the name and the attributes of an element whether it is a candidate, and whether it is beside the
    /// story.
    fn analyse(&mut self, tag: Tag, source: &StartTag<'_>, attributes: &AttributeList<'_>) {
        let heading = HEADINGS.has(tag);
        // A tag this short has no room for an attribute that says anything.
        let bare = source.source.len() < source.name.len() + 8;
        if (bare || self.analysed_tags >= MAX_ANALYSED_TAGS) && !heading && !ASIDE.has(tag) && tag != Tag::Time {
            return;
        }
        self.analysed_tags += 1;
        let attributes = CandidateAttributes::of(attributes);
        let traits = attributes.traits(&mut self.traits);
        let titled = traits.has(NameTraits::TITLE) && (heading || tag == Tag::A);
        let has_facts = traits.has(NameTraits::AUTHOR.union(NameTraits::DATE).union(NameTraits::META));
        if self.aside.is_none() && !titled && (ASIDE.has(tag) && !has_facts || is_aside(tag, traits)) {
            self.aside = Some(NestingCount::of(tag));
        }
        if tag == Tag::Blockquote && attributes.is_embedded() {
            self.embedded = Some(NestingCount::of(tag));
            return;
        }
        if self.comments.is_none() && is_aside(tag, traits) && attributes.holds_comments() {
            self.comments = Some(NestingCount::of(tag));
        }
        if self.excluded.is_none() && !self.open.is_empty() {
            let is_muted = match self.open.iter().any(|open| open.titled) {
                true => traits.has(NameTraits::KICKER) || attributes.is_of_comments(traits),
                // In a byline the category is no author. Whole stories have classes of their categories.
                false => matches!(tag, Tag::A | Tag::Span) && attributes.is_category(traits),
            };
            self.excluded = is_muted.then(|| NestingCount::of(tag));
        }
        let wanted = NameTraits::AUTHOR.union(NameTraits::DATE).union(NameTraits::TITLE);
        let named = traits.has(wanted) || (attributes.has_value() && !matches!(tag, Tag::Img | Tag::Del | Tag::Ins));
        if tag == Tag::A {
            self.link_headings(&attributes);
        }
        let is_tag = tag == Tag::A && self.keyword_links < MAX_KEYWORD_LINKS && attributes.is_tag();
        self.keyword_links += u8::from(is_tag);
        let is_candidate = named || heading || is_tag || matches!(tag, Tag::Time | Tag::Address);
        if is_candidate && self.candidates.len() < MAX_CANDIDATES && self.open.len() < MAX_OPEN {
            let mut candidate = attributes.candidate();
            candidate.level = BlockKind::of(tag).rank().unwrap_or(0);
            candidate.place = self.lines.blocks();
            candidate.author = traits.has(NameTraits::AUTHOR);
            (candidate.aside, candidate.linked) = (self.aside.is_some(), self.link);
            candidate.commented = self.comments.is_some() && self.lines.has_body();
            let titled = heading || traits.has(NameTraits::TITLE);
            self.open.push(OpenCandidate { nesting: NestingCount::of(tag), index: self.candidates.len(), titled });
            self.candidates.push(candidate);
        }
    }

    /// Takes the address of a link for the headings that begin with it.
    fn link_headings(&mut self, link: &CandidateAttributes<'_>) {
        for open in &self.open {
            let candidate = self.candidates.get_mut(open.index);
            if let Some(heading) = candidate.filter(|one| one.level > 0 && one.text.is_empty()) {
                heading.first_link = link.address();
            }
        }
    }

    /// Separates the text of open candidates where an element begins or ends: blocks by a line feed, others by a space.
    fn separate_text(&mut self, tag: Tag) {
        let separator = if HTML5_BLOCKS.has(tag) || tag == Tag::Br { '\n' } else { ' ' };
        for open in &self.open {
            let Some(text) = self.candidates.get_mut(open.index).map(|candidate| &mut candidate.text) else { continue };
            if separator == '\n' && text.ends_with(' ') {
                text.pop();
            }
            if !text.is_empty() && !text.ends_with([' ', '\n']) {
                text.push(separator);
            }
        }
    }

    /// Closes the open candidates for which the condition holds.
    fn close(&mut self, mut is_closed: impl FnMut(&mut NestingCount) -> bool) {
        self.open.retain_mut(|open| !is_closed(&mut open.nesting));
    }
}

/// Replaces a text by the beginning of another one, with its white space collapsed and none at the start.
fn set_collapsed(to: &mut String, text: &str) {
    to.clear();
    let end = if text.len() > MAX_TEXT { text.char_indices().nth(MAX_TEXT + 1) } else { None };
    let text = end.and_then(|(end, _)| text.get(..end)).unwrap_or(text);
    for word in text.split_whitespace() {
        to.push_str(if to.is_empty() { "" } else { " " });
        to.push_str(word);
    }
    if !to.is_empty() && text.ends_with(char::is_whitespace) {
        to.push(' ');
    }
}

/// Whether an element is beside the story by its class or id. Small parts of a story may speak of comments (their
/// number), and headings may too.
fn is_aside(tag: Tag, traits: NameTraits) -> bool {
    traits.has(NameTraits::ASIDE)
        && !traits.has(NameTraits::AROUND)
        && matches!(tag, Tag::Div | Tag::Section | Tag::Ul | Tag::Ol | Tag::Table | Tag::Td | Tag::Article | Tag::Li)
}

#[cfg(test)]
mod tests {
    use crate::page::blocks::{Options, page};

    #[test]
    fn what_follows_a_link_without_content_is_not_linked() {
        let page =
            page("<a name='top'/><time>5 May 2020</time> <a href=/x><time>6 May 2020</time></a>", &Options::default());
        let linked: Vec<bool> = page.head.candidates.iter().map(|candidate| candidate.linked).collect();
        assert_eq!(linked, [false, true]);
    }

    #[test]
    fn posts_of_other_sites_have_dates_and_authors_of_their_own() {
        let tweet = "<blockquote class=twitter-tweet>It rains. — <b class=author>Ann</b> <a href=/x>March 5, 2012</a></blockquote>";
        let html = format!("{tweet}<p>By Jane Doe</p>");
        let page = page(&html, &Options::default());
        assert!(page.head.candidates.is_empty());
        assert_eq!(page.head.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["By Jane Doe"]);
    }
}
