//! Collects what the page says about itself while the tags go by.

use std::borrow::Cow;

use super::Block;
use super::attributes::{Attribute, AttributeList};
use super::marks::Marks;
use super::scan::StartTag;
use super::tags::Tag;
use super::text::Text;
use crate::page::head::{Head, Link, Meta};

const MAX_META: usize = 500;
const MAX_LINKS: usize = 200;
const MAX_JSON_LD: usize = 1 << 20;
/// Longest text kept of `<title>`, in bytes; what follows is cut off.
const MAX_TITLE: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Capture {
    #[default]
    Nothing,
    Title,
    JsonLd,
}

/// A [`Head`] under construction.
#[derive(Default)]
pub struct HeadBuilder {
    head: Head,
    capture: Capture,
    buffer: String,
    titled: bool,
    json_ld_bytes: usize,
    marks: Marks,
}

impl HeadBuilder {
    /// A start tag goes by.
    pub fn start(&mut self, tag: Tag, source: &StartTag<'_>, attributes: &AttributeList<'_>) {
        self.marks.start(tag, source, attributes);
        match tag {
            Tag::Html if self.head.html_lang.is_empty() => {
                self.head.html_lang = decoded(attributes.value(Attribute::Lang))
            }
            Tag::Meta => self.meta(attributes),
            Tag::Link => self.link(attributes),
            Tag::A => self.anchor(attributes),
            Tag::Time => self.head.times += 1,
            Tag::Title if !self.titled && !source.self_closing => {
                self.titled = true;
                self.capture = Capture::Title;
            }
            Tag::Script if self.json_ld_bytes < MAX_JSON_LD && !source.self_closing && is_json_ld(attributes) => {
                self.capture = Capture::JsonLd;
            }
            _ => {}
        }
    }

    /// An end tag goes by.
    pub fn end(&mut self, tag: Tag) {
        self.marks.end(tag);
        if matches!((self.capture, tag), (Capture::Title, Tag::Title) | (Capture::JsonLd, Tag::Script)) {
            self.close();
        }
    }

    /// The outermost open `<svg>` ends, whose inside is not reported here.
    pub fn end_svg(&mut self) {
        self.marks.end_svg();
    }

    /// Whether text that goes by is wanted.
    pub fn wants_text(&self) -> bool {
        self.capture != Capture::Nothing || self.marks.wants_text()
    }

    /// Text goes by.
    pub fn text(&mut self, raw: &str, entities: bool) {
        let text = if entities { htmlize::unescape(raw) } else { Cow::Borrowed(raw) };
        self.marks.text(&text);
        let room = match self.capture {
            Capture::Nothing => return,
            Capture::Title => MAX_TITLE,
            Capture::JsonLd => MAX_JSON_LD - self.json_ld_bytes,
        };
        let left = room.saturating_sub(self.buffer.len());
        if text.len() <= left {
            self.buffer.push_str(&text);
        } else if self.capture == Capture::JsonLd {
            // Half a JSON document is of no use.
            self.capture = Capture::Nothing;
            self.buffer.clear();
        } else {
            self.buffer.push_str(text.get(..text.floor_char_boundary(left)).unwrap_or_default());
            self.close();
        }
    }

    /// A block of text is complete.
    pub fn block(&mut self, block: &Block) {
        self.marks.block(block, &self.head.title);
    }

    /// Everything went by.
    pub fn finish(mut self) -> Head {
        self.close();
        self.marks.finish(&mut self.head);
        self.head
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.buffer);
        match std::mem::take(&mut self.capture) {
            Capture::Nothing => {}
            Capture::Title => self.head.title = collapsed(&text),
            Capture::JsonLd => {
                self.json_ld_bytes += text.len();
                self.head.json_ld.push(text);
            }
        }
    }

    fn meta(&mut self, attributes: &AttributeList<'_>) {
        let Some(content) = attributes.value(Attribute::Content) else { return };
        let content = decoded(Some(content));
        for name in [Attribute::Name, Attribute::Property, Attribute::Itemprop, Attribute::HttpEquiv] {
            let key = decoded(attributes.value(name)).trim().to_lowercase();
            if !key.is_empty() && self.head.meta.len() < MAX_META {
                self.head.meta.push(Meta { key, content: content.clone(), item: name == Attribute::Itemprop });
            }
        }
    }

    fn link(&mut self, attributes: &AttributeList<'_>) {
        let (rel, href) = (decoded(attributes.value(Attribute::Rel)), decoded(attributes.value(Attribute::Href)));
        if !rel.is_empty() && !href.is_empty() && self.head.links.len() < MAX_LINKS {
            self.head.links.push(Link { rel: rel.trim().to_lowercase(), href: href.trim().to_owned() });
        }
    }

    fn anchor(&mut self, attributes: &AttributeList<'_>) {
        let rel = attributes.value(Attribute::Rel).unwrap_or_default();
        let wanted = |word: &str| word.eq_ignore_ascii_case("license") || word.eq_ignore_ascii_case("author");
        if rel.split_ascii_whitespace().any(wanted) {
            self.link(attributes);
        }
    }
}

fn is_json_ld(attributes: &AttributeList<'_>) -> bool {
    attributes.value(Attribute::Type).is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/ld+json")
    })
}

fn decoded(value: Option<&str>) -> String {
    htmlize::unescape_attribute(value.unwrap_or_default()).into_owned()
}

fn collapsed(text: &str) -> String {
    let mut collapsed = Text::new(false);
    collapsed.push(text, false);
    collapsed.text
}
