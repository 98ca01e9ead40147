//! The stack of open elements, and what opening and closing one means for the text.
//!
//! Which start and end tags open and close elements is a question of rules: `browser` has those of HTML, `reference` those
//! of libxml2. Both work on this stack and report every element that opens or closes to the builder.

use std::borrow::Cow;

use super::attributes::{Attribute, AttributeList, hides};
use super::link_traits::LinkTraits;
use super::name_table::find_byte;
use super::rule_matcher::RuleMatch;
use super::table_grid::TableGrid;
use super::tags::{HEADINGS, HTML5_BLOCKS, LISTS, Tag, TagSet};
use super::tokenizer::StartTag;
use super::{BlockKind, Container, root};
use crate::text::beginning;

/// Longest class or id kept, in bytes.
const MAX_NAME: usize = 200;

/// Whether an element and the text inside it belong to the text of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The element counts, as a block or inline element, and so does its content.
    Visible,
    /// Only the content counts, as if its tags were not there.
    Transparent,
    /// Neither the element nor its content counts.
    Dropped,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub struct OpenElement<'a> {
    /// The element's name; [`Tag::Unknown`] for names outside the table.
    pub tag: Tag,
    /// The start tag.
    pub source: StartTag<'a>,
    /// Whether the element and its text count.
    pub role: Role,
    /// Whether text inside is link text; false where none is shown.
    pub link: bool,
    /// The kind of the blocks that it is the nearest block element of.
    pub kind: BlockKind,
    /// Whether its name counts as a heading's (`h1`, but also `x-h1`).
    pub heading: bool,
    /// Whether the text inside is quoted.
    pub quotes: bool,
    /// Whether its name contains `select`.
    pub select: bool,
    /// Whether the page hides it.
    pub hidden: bool,
    /// Whether browsers do not show it either: `aria-hidden` hides from other readers only.
    pub unseen: bool,
    /// Whether its style makes lines of its own of it, if it is an inline element.
    pub is_line: bool,
    /// Whether an opening mark was added before the text of this `q` or root, so that the closing one has to be added.
    pub is_marked: bool,
    /// Bytes of text that the block had when it was opened.
    pub text_before: usize,
    /// Whether it is a line of code, parted from the line before it where no line end stands between.
    pub is_code_line: bool,
    /// Number on the page of a list, item, table or quotation, from 1; 0 for other elements.
    pub number: u32,
    /// Of an item of an `ol` its number, of an `ol` that of its next item.
    pub ordinal: Option<i64>,
    /// Index in `Page::containers`, once a block stands inside it.
    pub container: Option<u32>,
    /// What the rule of the site says about it.
    pub rule_match: RuleMatch,
    /// Number under which the rule collects its text, if it does.
    pub capture: Option<u32>,
    /// Of a link or span, once [`OpenElement::link_traits`] was asked for.
    pub traits: Option<LinkTraits>,
    /// Position of the next element of the same name towards the root, counted from 1; 0 without one.
    pub outer: u16,
}

impl<'a> OpenElement<'a> {
    /// An element with what its start tag says.
    pub fn new(tag: Tag, source: StartTag<'a>, role: Role) -> OpenElement<'a> {
        let visible = role == Role::Visible;
        let closed = tag == Tag::Dialog && source.attribute("open").is_none();
        let odd = tag == Tag::Unknown && visible;
        OpenElement {
            tag,
            source,
            role,
            link: false,
            kind: BlockKind::of(tag),
            quotes: tag == Tag::Blockquote,
            heading: visible && HEADINGS.has(tag) || odd && looks_like_heading(source.name),
            select: odd && contains_select(source.name),
            hidden: visible && (source.hidden && !is_formula(&source) || closed),
            unseen: visible && (source.hidden && is_unseen(&source) && !is_formula(&source) || closed),
            is_line: false,
            is_marked: false,
            text_before: 0,
            is_code_line: false,
            number: 0,
            ordinal: None,
            container: None,
            rule_match: RuleMatch::None,
            capture: None,
            traits: None,
            outer: 0,
        }
    }

    /// Whether the element is a container of the blocks inside it.
    #[inline]
    pub fn is_container(&self) -> bool {
        self.role != Role::Dropped && HTML5_BLOCKS.has(self.tag)
    }

    /// The traits of a link or span. The tag is read for them once, since its text may come in any number of pieces.
    pub fn link_traits(&mut self) -> LinkTraits {
        let source = self.source;
        *self.traits.get_or_insert_with(|| LinkTraits::of(&source))
    }

    /// The element as a container whose parent has that index; `attributes` is overwritten.
    pub fn to_container(self, parent: u32, attributes: &mut AttributeList<'a>) -> Container<'a> {
        let mut container = Container { tag: self.tag, parent: Some(parent), ..root() };
        if !self.source.named {
            return container;
        }
        self.source.attributes(attributes);
        for (attribute, _, value) in attributes.iter() {
            match attribute {
                Attribute::Class if container.class.is_empty() => container.class = short(value),
                Attribute::Id if container.id.is_empty() => container.id = short(value),
                Attribute::Role | Attribute::Itemprop if container.role.is_empty() => container.role = short(value),
                Attribute::Role | Attribute::Itemprop if container.role.len() < MAX_NAME => {
                    container.role = [&container.role, " ", &short(value)].concat().into();
                }
                _ => {}
            }
        }
        container
    }

    /// Whether a tag with that name has the element's name.
    #[inline]
    pub fn is(&self, tag: Tag, name: &str) -> bool {
        self.tag == tag && (tag != Tag::Unknown || self.source.name.eq_ignore_ascii_case(name))
    }
}

/// Whether the attributes of a tag that hides its element hide it from all readers.
fn is_unseen(source: &StartTag<'_>) -> bool {
    source.attribute("hidden").is_some() || source.attribute("style").is_some_and(hides)
}

/// The integer that a value begins with, as browsers read it.
fn leading_integer(value: &str) -> Option<i64> {
    let value = value.trim_start();
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let end = value.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    value.get(..end)?.parse().ok()
}

/// Whether a hidden element is one of MediaWiki's formulas, which stands there a second time as a picture.
fn is_formula(source: &StartTag<'_>) -> bool {
    source.attribute("class").is_some_and(|class| class.contains("mwe-math-mathml"))
}

fn short(value: &str) -> Cow<'_, str> {
    let value = beginning(value, MAX_NAME);
    match find_byte(value.as_bytes(), 0, b'&') {
        Some(_) => htmlize::unescape_attribute(value),
        None => Cow::Borrowed(value),
    }
}

/// Whether the name matches `\bh\d\b`, by which the reference program finds headings in the path of an element.
fn looks_like_heading(name: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    name.char_indices().any(|(at, c)| {
        let (before, after) = (name.get(..at).unwrap_or_default(), name.get(at + c.len_utf8()..).unwrap_or_default());
        let mut after = after.chars();
        c.eq_ignore_ascii_case(&'h')
            && !word(before.chars().next_back())
            && after.next().is_some_and(|c| c.is_ascii_digit())
            && !word(after.next())
    })
}

fn contains_select(name: &str) -> bool {
    name.as_bytes().windows(6).any(|w| w.eq_ignore_ascii_case(b"select"))
}

/// Elements among which a name is searched for one by one.
const NEAR: usize = 12;

/// The stack of open elements, with a count for each name, so that most questions need no walk.
pub struct ElementStack<'a> {
    open: Vec<OpenElement<'a>>,
    counts: [u16; Tag::COUNT],
    /// For each name the position of the innermost open element, counted from 1; 0 without one.
    innermost: [u16; Tag::COUNT],
    /// The place reached in each open table, outermost first.
    tables: Vec<TableGrid>,
}

impl<'a> ElementStack<'a> {
    /// A stack without elements.
    pub fn new() -> ElementStack<'a> {
        ElementStack {
            open: Vec::with_capacity(64),
            counts: [0; Tag::COUNT],
            innermost: [0; Tag::COUNT],
            tables: Vec::new(),
        }
    }

    /// Number of open elements.
    #[inline]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The innermost open element.
    #[inline]
    pub fn top(&self) -> Option<&OpenElement<'a>> {
        self.open.last()
    }

    /// Name of the innermost open element.
    #[inline]
    pub fn top_tag(&self) -> Option<Tag> {
        self.top().map(|open| open.tag)
    }

    /// How many elements of that name are open.
    #[inline]
    pub fn count(&self, tag: Tag) -> u16 {
        self.counts.get(tag as usize).copied().unwrap_or(0)
    }

    /// Depth and name of the innermost open element whose name is in a set. The time does not depend on the depth of the
    /// stack: beyond a few elements the positions of the set's members are compared.
    pub fn innermost(&self, set: &TagSet) -> Option<(usize, Tag)> {
        let near = self.open.iter().enumerate().rev().take(NEAR).find(|(_, open)| set.has(open.tag));
        if near.is_some() || self.open.len() <= NEAR {
            return near.map(|(at, open)| (at, open.tag));
        }
        let position = set.numbers().filter_map(|number| self.innermost.get(number)).max().copied().unwrap_or(0);
        let at = usize::from(position).checked_sub(1)?;
        Some((at, self.open.get(at)?.tag))
    }

    /// Number of the innermost open element of a set, and its number in an ordered list if that is positive; 0 if none of them
    /// is open, and for elements without numbers.
    pub fn numbers(&self, set: &TagSet) -> (u32, u32) {
        if set.numbers().all(|name| self.counts.get(name) == Some(&0)) {
            return (0, 0);
        }
        let open = self.innermost(set).and_then(|(at, _)| self.open.get(at));
        let ordinal = open.and_then(|open| open.ordinal).and_then(|ordinal| u32::try_from(ordinal).ok());
        (open.map_or(0, |open| open.number), ordinal.unwrap_or(0))
    }

    /// The number of an element that opens now in an ordered list: of an item its own, of the list that of its first item. Lists
    /// that count down say no number.
    pub fn ordinal(&mut self, opened: &StartTag<'_>) -> Option<i64> {
        const ANY_LIST: TagSet = TagSet::of(&LISTS);
        let stated = |name: &str| opened.attribute(name).and_then(leading_integer);
        match opened.tag {
            Tag::Ol => opened.attribute("reversed").is_none().then(|| stated("start").unwrap_or(1)),
            Tag::Li => {
                let (at, _) = self.innermost(&ANY_LIST).filter(|(_, list)| *list == Tag::Ol)?;
                let list = self.open.get_mut(at)?;
                let own = stated("value").unwrap_or(list.ordinal?);
                list.ordinal = list.ordinal.map(|_| own.saturating_add(1));
                list.ordinal.map(|_| own)
            }
            _ => None,
        }
    }

    /// The open elements, outermost first.
    pub fn iter(&self) -> std::slice::Iter<'_, OpenElement<'a>> {
        self.open.iter()
    }

    /// An open element by its depth, the outermost being 0.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut OpenElement<'a>> {
        self.open.get_mut(at)
    }

    /// Opens an element. The caller bounds the depth, which is less than 2¹⁶.
    pub fn push(&mut self, mut open: OpenElement<'a>) {
        if let Some(innermost) = self.innermost.get_mut(open.tag as usize) {
            open.outer = std::mem::replace(innermost, self.open.len() as u16 + 1);
        }
        if let Some(count) = self.counts.get_mut(open.tag as usize) {
            *count = count.saturating_add(1);
        }
        match (open.tag, self.tables.last_mut()) {
            (Tag::Table, _) => self.tables.push(TableGrid::default()),
            (Tag::Tr, Some(table)) => table.begin_row(),
            (Tag::Thead | Tag::Tbody | Tag::Tfoot, Some(table)) => table.end_spans(),
            (Tag::Td | Tag::Th, Some(table)) => table.begin_cell(&open.source),
            _ => {}
        }
        self.open.push(open);
    }

    /// Row and first column, from 1, of the open cell of the innermost table; zeros outside of cells.
    pub fn cell(&self) -> (u16, u16) {
        const CELL_OR_TABLE: TagSet = TagSet::of(&[Tag::Td, Tag::Th, Tag::Table]);
        let inside =
            !self.tables.is_empty() && self.innermost(&CELL_OR_TABLE).is_some_and(|(_, tag)| tag != Tag::Table);
        self.tables.last().filter(|_| inside).map(TableGrid::place).unwrap_or_default()
    }

    /// Closes the innermost element.
    pub fn pop(&mut self) -> Option<OpenElement<'a>> {
        let open = self.open.pop();
        if let Some(open) = &open
            && let Some(innermost) = self.innermost.get_mut(open.tag as usize)
        {
            *innermost = open.outer;
        }
        self.uncount(open.as_ref());
        open
    }

    /// Takes an element out of the middle; those inside stay open.
    pub fn remove(&mut self, at: usize) -> Option<OpenElement<'a>> {
        let open = (at < self.open.len()).then(|| self.open.remove(at));
        // Those inside have moved.
        self.innermost = [0; Tag::COUNT];
        for (at, open) in self.open.iter_mut().enumerate() {
            if let Some(innermost) = self.innermost.get_mut(open.tag as usize) {
                open.outer = std::mem::replace(innermost, at as u16 + 1);
            }
        }
        self.uncount(open.as_ref());
        open
    }

    fn uncount(&mut self, open: Option<&OpenElement<'a>>) {
        if let Some(count) = open.and_then(|o| self.counts.get_mut(o.tag as usize)) {
            *count = count.saturating_sub(1);
        }
        match (open.map(|open| open.tag), self.tables.last_mut()) {
            (Some(Tag::Table), _) => drop(self.tables.pop()),
            (Some(Tag::Thead | Tag::Tbody | Tag::Tfoot), Some(table)) => table.end_spans(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn heading_names_are_whole_words() {
        for name in ["h1", "H7", "x-h2", "h3-x", "a:h0"] {
            assert!(looks_like_heading(name), "{name}");
        }
        for name in ["h", "h12", "xh1", "h1x", "th1", "h_1"] {
            assert!(!looks_like_heading(name), "{name}");
        }
    }

    #[test]
    fn counts_follow_the_stack() {
        let mut stack = ElementStack::new();
        let source = StartTag::implied(Tag::P);
        for _ in 0..3 {
            stack.push(OpenElement::new(Tag::P, source, Role::Visible));
        }
        stack.remove(1);
        stack.pop();
        assert_eq!((stack.depth(), stack.count(Tag::P), stack.count(Tag::B)), (1, 1, 0));
        assert!(stack.remove(7).is_none());
    }

    proptest! {
        #[test]
        fn the_innermost_is_found_as_by_a_walk(steps in prop::collection::vec((0u8..4, 0usize..40), 0..120)) {
            const NAMES: [Tag; 4] = [Tag::P, Tag::Div, Tag::B, Tag::Table];
            let mut stack = ElementStack::new();
            for (kind, at) in steps {
                match kind {
                    0 => drop(stack.pop()),
                    1 => drop(stack.remove(at)),
                    _ => {
                        let tag = NAMES[at % 4];
                        stack.push(OpenElement::new(tag, StartTag::implied(tag), Role::Visible));
                    }
                }
                for set in [&NAMES[..1], &NAMES[1..3], &NAMES[3..]].map(TagSet::of) {
                    let walk = stack.iter().enumerate().rev().find(|(_, open)| set.has(open.tag));
                    prop_assert_eq!(stack.innermost(&set), walk.map(|(at, open)| (at, open.tag)));
                }
            }
        }
    }
}
