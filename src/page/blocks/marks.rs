//! Keeps the elements that say they hold a title, an author or a date, and short blocks of text
//! that may hold one.
//!
//! Open elements are known here only as far as they are wanted; an element is over when as many end
//! tags of its name as start tags went by. Where end tags are missing its text would run on, so
//! text beyond a bound ends it too.

use super::attributes::{Attribute, AttributeList};
use super::names::{Traits, traits};
use super::scan::StartTag;
use super::tags::{HEADINGS, HTML5_BLOCKS, Tag, TagSet, VOID};
use super::{Block, Kind};
use crate::page::head::{Head, Line, Mark};

const MAX_MARKS: usize = 200;
const MAX_OPEN: usize = 8;
/// Names whose meaning is remembered.
const KNOWN: usize = 256;
const MAX_LINES: usize = 200;
/// Start tags whose attributes are read.
const MAX_TAGS: u32 = 5000;
/// Longest text of a mark and of a line, in bytes.
const MAX_TEXT: usize = 400;
/// Longest attribute value kept, in bytes.
const MAX_VALUE: usize = 200;
/// A paragraph of so many characters outside links belongs to the story.
const BODY: u32 = 200;

/// Elements whose content nobody sees.
const MUTE: TagSet = TagSet::of(&[Tag::Script, Tag::Style, Tag::Svg, Tag::Select, Tag::Textarea, Tag::Template]);
/// Elements that are beside the story by their name.
const ASIDE: TagSet = TagSet::of(&[Tag::Aside, Tag::Footer, Tag::Nav]);
/// Elements too large to be beside the story, whatever their class says, or without content.
const NEVER: TagSet = TagSet::of(&[Tag::Html, Tag::Body, Tag::Main, Tag::Meta, Tag::Link, Tag::Form]).and(VOID);
/// Elements whose end tag is often left out: the next of them ends it.
const LISTED: TagSet = TagSet::of(&[Tag::P, Tag::Li, Tag::Td, Tag::Th, Tag::Tr, Tag::Dt, Tag::Dd]);

/// The marks and lines of a page under construction.
#[derive(Default)]
pub struct Marks {
    marks: Vec<Mark>,
    lines: Vec<Line>,
    body: Option<u32>,
    open: Vec<Open>,
    aside: Option<Nest>,
    kicker: Option<Nest>,
    link: bool,
    mute: Option<Tag>,
    /// Whether the block that is about to end stood aside.
    block_aside: bool,
    tags: u32,
    blocks: u32,
    known: Known,
    /// Room for a piece of text.
    words: String,
}

/// What the last names said, by the hash of the name: pages repeat the names of their classes.
#[derive(Default)]
struct Known(Vec<(u64, Traits)>);

impl Known {
    fn traits(&mut self, name: &str) -> Traits {
        if name.len() < 4 {
            return Traits::default();
        }
        self.0.resize(KNOWN, (0, Traits::default()));
        let hash = fxhash::hash64(name);
        // The upper bits of this hash are the good ones.
        let Some(slot) = self.0.get_mut((hash >> 32) as usize % KNOWN) else { return traits(name) };
        if slot.0 != hash {
            *slot = (hash, traits(name));
        }
        slot.1
    }
}

/// An open element: how many of its name are open since it began.
#[derive(Clone, Copy)]
struct Nest {
    tag: Tag,
    depth: u32,
}

struct Open {
    nest: Nest,
    mark: usize,
}

impl Nest {
    fn of(tag: Tag) -> Nest {
        Nest { tag, depth: 1 }
    }

    fn start(&mut self, tag: Tag) {
        self.depth += u32::from(self.tag == tag);
    }

    /// Whether the end tag closes it.
    fn end(&mut self, tag: Tag) -> bool {
        self.depth -= u32::from(self.tag == tag);
        self.depth == 0
    }
}

impl Marks {
    /// A start tag goes by.
    pub fn start(&mut self, tag: Tag, source: &StartTag<'_>, attributes: &AttributeList<'_>) {
        self.block_aside = self.aside.is_some();
        if self.mute.is_some() {
            return;
        }
        if MUTE.has(tag) {
            self.mute = (!source.self_closing).then_some(tag);
            return;
        }
        self.boundary(tag);
        if LISTED.has(tag) {
            self.close(|nest| nest.tag == tag);
            // Their end tags are often left out, and another one of them ends them. But cells hold tables of cells.
            self.kicker = self.kicker.filter(|nest| nest.tag != tag);
            self.aside = self.aside.filter(|nest| nest.tag != tag || matches!(tag, Tag::Td | Tag::Th | Tag::Tr));
        }
        if !VOID.has(tag) && !source.self_closing {
            for nest in self.aside.iter_mut().chain(&mut self.kicker).chain(self.open.iter_mut().map(|o| &mut o.nest)) {
                nest.start(tag);
            }
        }
        if !NEVER.has(tag) && !source.self_closing {
            self.look(tag, source, attributes);
        }
        self.link |= tag == Tag::A;
    }

    /// An end tag goes by.
    pub fn end(&mut self, tag: Tag) {
        self.block_aside = self.aside.is_some();
        if self.mute.is_some() {
            self.mute = self.mute.filter(|mute| *mute != tag);
            return;
        }
        self.boundary(tag);
        self.link &= tag != Tag::A;
        self.close(|nest| nest.end(tag));
        for nest in [&mut self.aside, &mut self.kicker] {
            if nest.as_mut().is_some_and(|nest| nest.end(tag)) {
                *nest = None;
            }
        }
    }

    /// The outermost open `<svg>` ends, by whichever tag.
    pub fn end_svg(&mut self) {
        self.mute = self.mute.filter(|mute| *mute != Tag::Svg);
    }

    /// Whether text that goes by is wanted.
    pub fn wants_text(&self) -> bool {
        !self.open.is_empty() && self.mute.is_none() && self.kicker.is_none()
    }

    /// Text goes by.
    pub fn text(&mut self, text: &str) {
        if !self.wants_text() {
            return;
        }
        let words = &mut self.words;
        words.clear();
        push(words, text);
        let spaced = text.starts_with(char::is_whitespace);
        for open in &mut self.open {
            if let Some(mark) = self.marks.get_mut(open.mark) {
                if spaced && !mark.text.is_empty() && !mark.text.ends_with([' ', '\n']) {
                    mark.text.push(' ');
                }
                mark.text.push_str(words);
                // Too much text: it holds more than a name or a date.
                if mark.text.len() > MAX_TEXT {
                    mark.text.clear();
                    open.nest.depth = 0;
                }
            }
        }
        self.close(|nest| nest.depth == 0);
    }

    /// A block of text is complete.
    pub fn block(&mut self, block: &Block, title: &str) {
        let place = self.blocks;
        self.blocks += 1;
        let linked = block.link_characters * 2 > block.characters;
        if block.text.len() > MAX_TEXT {
            let prose = block.characters - block.link_characters.min(block.characters) >= BODY;
            if prose && self.body.is_none() && !self.block_aside && block.kind != Kind::H1 {
                self.body = Some(place);
                // Agencies begin a story with place and day.
                let text = block.text.chars().take(60).collect();
                self.lines.push(Line { text, place, opening: true, ..Line::default() });
            }
            return;
        }
        if self.lines.len() >= MAX_LINES {
            return;
        }
        let titled = block.text.len() >= 8 && title.contains(&block.text);
        if titled || has_number(&block.text) || is_byline(&block.text) {
            let text = block.text.clone();
            self.lines.push(Line { text, place, aside: self.block_aside, linked, titled, opening: false });
        }
    }

    /// Everything went by.
    pub fn finish(self, head: &mut Head) {
        head.marks = self.marks;
        head.marks.retain(|mark| !(mark.text.trim().is_empty() && mark.value.is_empty()));
        for mark in &mut head.marks {
            mark.text.truncate(mark.text.trim_end().len());
        }
        (head.lines, head.body) = (self.lines, self.body);
    }

    /// Looks at the attributes and opens a mark if they are telling.
    fn look(&mut self, tag: Tag, source: &StartTag<'_>, attributes: &AttributeList<'_>) {
        let heading = HEADINGS.has(tag);
        let bare = source.source.len() < source.name.len() + 8;
        if (bare || self.tags >= MAX_TAGS) && !heading && !ASIDE.has(tag) && tag != Tag::Time {
            return;
        }
        self.tags += 1;
        let attributes = Attributes::of(attributes);
        let meaning = attributes.meaning(&mut self.known);
        let titled = meaning.has(Traits::TITLE) && (heading || tag == Tag::A);
        let told = meaning.has(Traits::AUTHOR.and(Traits::DATE).and(Traits::META));
        if self.aside.is_none() && !titled && (ASIDE.has(tag) && !told || is_aside(tag, meaning)) {
            self.aside = Some(Nest::of(tag));
        }
        if self.kicker.is_none() && meaning.has(Traits::KICKER) && !self.open.is_empty() {
            self.kicker = Some(Nest::of(tag));
        }
        let wanted = Traits::AUTHOR.and(Traits::DATE).and(Traits::TITLE);
        let told = meaning.has(wanted) || (!attributes.value.is_empty() && tag != Tag::Img);
        let telling = told || heading || matches!(tag, Tag::Time | Tag::Address);
        if telling && self.marks.len() < MAX_MARKS && self.open.len() < MAX_OPEN {
            let mut mark = attributes.mark();
            mark.level = level(tag);
            mark.place = self.blocks;
            (mark.aside, mark.linked) = (self.aside.is_some(), self.link);
            self.open.push(Open { nest: Nest::of(tag), mark: self.marks.len() });
            self.marks.push(mark);
        }
    }

    /// Parts the text of open marks where an element begins or ends.
    fn boundary(&mut self, tag: Tag) {
        let gap = if HTML5_BLOCKS.has(tag) || tag == Tag::Br { '\n' } else { ' ' };
        for open in &self.open {
            let Some(text) = self.marks.get_mut(open.mark).map(|mark| &mut mark.text) else { continue };
            if gap == '\n' && text.ends_with(' ') {
                text.pop();
            }
            if !text.is_empty() && !text.ends_with([' ', '\n']) {
                text.push(gap);
            }
        }
    }

    fn close(&mut self, mut over: impl FnMut(&mut Nest) -> bool) {
        self.open.retain_mut(|open| !over(&mut open.nest));
    }
}

/// Text with its white space collapsed.
fn push(to: &mut String, text: &str) {
    for c in text.chars().take(MAX_TEXT + 1) {
        if !c.is_whitespace() {
            to.push(c);
        } else if !to.is_empty() && !to.ends_with([' ', '\n']) {
            to.push(' ');
        }
    }
}

fn level(tag: Tag) -> u8 {
    match tag {
        Tag::H1 => 1,
        Tag::H2 => 2,
        Tag::H3 => 3,
        Tag::H4 => 4,
        Tag::H5 => 5,
        Tag::H6 => 6,
        _ => 0,
    }
}

/// Small parts of a story may speak of comments (their number) or be headings.
fn is_aside(tag: Tag, meaning: Traits) -> bool {
    meaning.has(Traits::ASIDE)
        && !meaning.has(Traits::AROUND)
        && matches!(tag, Tag::Div | Tag::Section | Tag::Ul | Tag::Ol | Tag::Table | Tag::Td | Tag::Article | Tag::Li)
}

/// Whether two digits stand in the text: a day, a year.
fn has_number(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
}

/// First words of bylines; letters outside ASCII in each case that occurs.
const BYLINES: [&str; 26] = [
    "by ",
    "von ",
    "par ",
    "por ",
    "di ",
    "door ",
    "autor",
    "author",
    "auteur",
    "автор",
    "Автор",
    "АВТОР",
    "written",
    "posted",
    "text",
    "von:",
    "by:",
    "od ",
    "av ",
    "af ",
    "foto",
    "geschrieben",
    "verfasst",
    "redak",
    "publi",
    "yazar",
];

fn is_byline(text: &str) -> bool {
    let bytes = text.as_bytes();
    let starts = |lead: &&str| bytes.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead.as_bytes()));
    // Most texts begin with another letter.
    let first = bytes.first().map_or(0, u8::to_ascii_lowercase);
    b"abdfgoprtvwy\xd0".contains(&first) && bytes.len() < 200 && BYLINES.iter().any(starts)
}

/// The attributes that tell.
#[derive(Default)]
struct Attributes<'a> {
    names: [&'a str; 4],
    href: &'a str,
    value: &'a str,
    title: &'a str,
}

impl<'a> Attributes<'a> {
    fn of(attributes: &AttributeList<'a>) -> Attributes<'a> {
        let mut found = Attributes::default();
        for (attribute, name, value) in attributes.iter() {
            let [class, id, property, rel] = &mut found.names;
            let slot = match attribute {
                Attribute::Class => class,
                Attribute::Id => id,
                Attribute::Itemprop => property,
                Attribute::Rel => rel,
                Attribute::Href => &mut found.href,
                Attribute::Title => &mut found.title,
                Attribute::Pubdate if property.is_empty() => {
                    *property = "pubdate";
                    continue;
                }
                Attribute::Datetime | Attribute::Content => &mut found.value,
                Attribute::Data if is_stamp(name, value) => &mut found.value,
                _ => continue,
            };
            if slot.is_empty() {
                *slot = short(value);
            }
        }
        found
    }

    fn meaning(&self, known: &mut Known) -> Traits {
        let named = self.names.iter().fold(Traits::default(), |all, name| all.and(known.traits(name)));
        if leads_to_author(self.href) { named.and(Traits::AUTHOR) } else { named }
    }

    fn mark(&self) -> Mark {
        let decoded = |value: &str| htmlize::unescape_attribute(value).into_owned();
        let value = if self.value.is_empty() && self.title.bytes().any(|b| b.is_ascii_digit()) {
            self.title
        } else {
            self.value
        };
        let mut names = String::new();
        for name in self.names.into_iter().filter(|name| !name.is_empty()) {
            names.push_str(if names.is_empty() { "" } else { " " });
            names.push_str(&htmlize::unescape_attribute(name));
        }
        Mark { names: names.to_lowercase(), href: decoded(self.href), value: decoded(value), ..Mark::default() }
    }
}

/// Whether an address has a part that begins with the word for an author.
fn leads_to_author(href: &str) -> bool {
    let start = memchr::memmem::find(href.as_bytes(), b"/aut").unwrap_or(href.len());
    let rest = href.get(start..).unwrap_or_default();
    !rest.is_empty() && ["/author", "/autor", "/auteur"].iter().any(|part| rest.contains(part))
}

/// `data-utime`, `data-publish-date` and the like, with a number.
fn is_stamp(name: &str, value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|b| b.is_ascii_digit())
        && traits(name.get(5..).unwrap_or_default()).has(Traits::DATE)
}

fn short(value: &str) -> &str {
    value.get(..value.floor_char_boundary(MAX_VALUE)).unwrap_or_default()
}
