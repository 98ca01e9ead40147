//! Builds the [`Head`] of a page from its tags and text.

use super::Block;
use super::attributes::{Attribute, AttributeList};
use super::block_text::collapsed;
use super::candidates::MetadataCandidates;
use super::tags::Tag;
use super::tokenizer::StartTag;
use crate::page::head::{FOOTER_LICENSE, Head, Link, Meta};
use crate::text::beginning;

/// Most `<meta>` elements of a page.
const MAX_META: usize = 500;
/// Most links of a page.
const MAX_LINKS: usize = 200;
/// Most bytes of JSON-LD of a page.
const MAX_JSON_LD: usize = 1 << 20;
/// Longest text kept of `<title>`, in bytes; what follows is cut off.
const MAX_TITLE: usize = 10_000;

/// What the text that comes next is collected for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TextTarget {
    #[default]
    Nothing,
    Title,
    JsonLd,
}

/// A [`Head`] under construction.
#[derive(Default)]
pub struct HeadBuilder {
    head: Head,
    target: TextTarget,
    buffer: String,
    titled: bool,
    json_ld_bytes: usize,
    candidates: MetadataCandidates,
}

impl HeadBuilder {
    /// Takes a start tag with its attributes. `is_open` tells of elements around it.
    pub fn start(
        &mut self,
        tag: Tag,
        source: &StartTag<'_>,
        attributes: &AttributeList<'_>,
        is_open: impl Fn(Tag) -> bool,
    ) {
        self.candidates.start(tag, source, attributes);
        match tag {
            Tag::Html if self.head.html_lang.is_empty() => {
                // Old XHTML has `xml:lang` alone.
                let stated = attributes.value(Attribute::Lang).filter(|lang| !lang.is_empty());
                self.head.html_lang = decoded(stated.or_else(|| attributes.value(Attribute::XmlLang)))
            }
            Tag::Meta => self.meta(attributes),
            Tag::Link => self.link(attributes),
            Tag::A => self.anchor(attributes, is_open),
            Tag::Time => self.head.times += 1,
            Tag::Title if !self.titled && !source.self_closing => {
                self.titled = true;
                self.target = TextTarget::Title;
            }
            Tag::Script if self.json_ld_bytes < MAX_JSON_LD && !source.self_closing && is_json_ld(attributes) => {
                self.target = TextTarget::JsonLd;
            }
            _ => {}
        }
    }

    /// Takes an end tag.
    pub fn end(&mut self, tag: Tag) {
        self.candidates.end(tag);
        if matches!((self.target, tag), (TextTarget::Title, Tag::Title) | (TextTarget::JsonLd, Tag::Script)) {
            self.close();
        }
    }

    /// As [`MetadataCandidates::leave_ignored`].
    pub fn leave_ignored(&mut self, is_open: impl Fn(Tag) -> bool) -> Option<Tag> {
        self.candidates.leave_ignored(is_open)
    }

    /// Whether the text that comes next is wanted.
    pub fn wants_text(&self) -> bool {
        self.target != TextTarget::Nothing || self.candidates.wants_text()
    }

    /// Takes text, its character references decoded.
    pub fn text(&mut self, text: &str) {
        self.candidates.text(text);
        let room = match self.target {
            TextTarget::Nothing => return,
            TextTarget::Title => MAX_TITLE,
            TextTarget::JsonLd => MAX_JSON_LD - self.json_ld_bytes,
        };
        let left = room.saturating_sub(self.buffer.len());
        if text.len() <= left {
            self.buffer.push_str(text);
        } else if self.target == TextTarget::JsonLd {
            // Half a JSON document is of no use.
            self.target = TextTarget::Nothing;
            self.buffer.clear();
        } else {
            self.buffer.push_str(beginning(text, left));
            self.close();
        }
    }

    /// Takes a complete block of text.
    pub fn block(&mut self, block: &Block) {
        self.candidates.block(block, &self.head.title);
    }

    /// The head, when the whole page is read.
    pub fn finish(mut self) -> Head {
        self.close();
        self.candidates.finish(&mut self.head);
        self.head
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.buffer);
        match std::mem::take(&mut self.target) {
            TextTarget::Nothing => {}
            TextTarget::Title => self.head.title = collapsed(&text),
            TextTarget::JsonLd => {
                self.json_ld_bytes += text.len();
                self.head.json_ld.push(text);
            }
        }
    }

    fn meta(&mut self, attributes: &AttributeList<'_>) {
        let Some(content) = attributes.value(Attribute::Content) else { return };
        for name in [Attribute::Name, Attribute::Property, Attribute::Itemprop, Attribute::HttpEquiv] {
            let Some(key) = attributes.value(name) else { continue };
            let key = decoded(Some(key)).trim().to_lowercase();
            if !key.is_empty() && self.head.meta.len() < MAX_META {
                self.head.meta.push(Meta { key, content: decoded(Some(content)), item: name == Attribute::Itemprop });
            }
        }
    }

    fn link(&mut self, attributes: &AttributeList<'_>) {
        self.push_link(decoded(attributes.value(Attribute::Rel)), decoded(attributes.value(Attribute::Href)));
    }

    fn push_link(&mut self, rel: String, href: String) {
        if !rel.is_empty() && !href.is_empty() && self.head.links.len() < MAX_LINKS {
            self.head.links.push(Link { rel: rel.trim().to_lowercase(), href: href.trim().to_owned() });
        }
    }

    /// Keeps links to authors, to the licence of the page, which is none of a figure, and to Creative Commons in its footer, where
    /// nothing marks them.
    fn anchor(&mut self, attributes: &AttributeList<'_>, is_open: impl Fn(Tag) -> bool) {
        let value = |attribute| attributes.value(attribute).unwrap_or_default();
        let has_rel =
            |wanted| value(Attribute::Rel).split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(wanted));
        // Parts of a page have footers of their own.
        let is_in_footer =
            || is_open(Tag::Footer) && ![Tag::Article, Tag::Aside, Tag::Blockquote].into_iter().any(&is_open);
        if has_rel("author") || has_rel("license") && !is_open(Tag::Figure) {
            self.link(attributes);
        } else if is_creative_commons(value(Attribute::Href)) && !is_open(Tag::Figure) && is_in_footer() {
            self.push_link(FOOTER_LICENSE.into(), decoded(attributes.value(Attribute::Href)));
        }
    }
}

/// Whether an address is that of a Creative Commons licence.
fn is_creative_commons(href: &str) -> bool {
    let href = href.trim();
    let behind_scheme = ["https:", "http:"].iter().find_map(|scheme| href.strip_prefix(scheme)).unwrap_or(href);
    let host = behind_scheme.strip_prefix("//").map(|host| host.strip_prefix("www.").unwrap_or(host));
    host.is_some_and(|host| host.starts_with("creativecommons.org/licenses/"))
}

fn is_json_ld(attributes: &AttributeList<'_>) -> bool {
    attributes.value(Attribute::Type).is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/ld+json")
    })
}

fn decoded(value: Option<&str>) -> String {
    htmlize::unescape_attribute(value.unwrap_or_default()).into_owned()
}
