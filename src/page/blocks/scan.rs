//! A small tokeniser: markup → tags and text, never failing, one step forward per byte.
//!
//! It knows the tokenisation rules of HTML, not its tree; who calls it says which [`Content`] state applies after a
//! start tag. Where `lol_html` reads the page, it still reads what that leaves: end tags between two tokens, and the
//! inside of `noscript` and `iframe`.

use memchr::{memchr, memchr2, memmem};

use super::attributes::{AttributeList, is_space};
use super::keys::{TAG_NAMES, name};
use super::tags::{Content, Tag};

/// A piece of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Token<'a> {
    /// Character data as written; references count in it.
    Text(&'a str),
    /// What stands in an element whose content is no markup.
    Raw {
        /// As written.
        raw: &'a str,
        /// Whether references count in it.
        entities: bool,
    },
    /// A section of character data of SVG or MathML.
    CharacterData(&'a str),
    /// A start tag, with its whole source.
    Start(StartTag<'a>),
    /// An end tag, and its name as written.
    End(Tag, &'a str),
    /// Comment, doctype, processing instruction.
    Ignored,
}

/// A start tag as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartTag<'a> {
    /// From `<` to `>`.
    pub source: &'a str,
    /// Name as written.
    pub name: &'a str,
    /// The element, where known.
    pub tag: Tag,
    /// Whether it ends in `/>`.
    pub self_closing: bool,
    /// Whether its attributes hide the element.
    pub hidden: bool,
}

impl<'a> StartTag<'a> {
    /// Reads the tag that a text begins with, and its attributes; None where the text ends before the tag does.
    pub fn read(text: &'a str, attributes: &mut AttributeList<'a>) -> Option<StartTag<'a>> {
        let (end, key) = name(text.as_bytes(), 1, &TAG_NAMES);
        let name = text.get(1..end)?;
        let end = attributes.read(text, end)?;
        Some(StartTag {
            source: text.get(..end.at)?,
            name,
            tag: Tag::of(name, key),
            self_closing: end.self_closing,
            hidden: attributes.hide(),
        })
    }

    /// One without attributes that is not written.
    pub fn implied(tag: Tag) -> StartTag<'a> {
        StartTag { source: "", name: tag.name(), tag, self_closing: false, hidden: false }
    }

    /// Reads its attributes again.
    pub fn attributes(&self, attributes: &mut AttributeList<'a>) {
        attributes.read(self.source, 1 + self.name.len());
    }

    /// Value of the first attribute of that name, undecoded; empty when it has no value.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let mut attributes = AttributeList::default();
        self.attributes(&mut attributes);
        let mut named = attributes.iter().filter(|(_, other, _)| other.eq_ignore_ascii_case(name));
        named.next().map(|(.., value)| value)
    }
}

const CDATA: &str = "<![CDATA[";

/// The tokeniser. Iterate with [`Scanner::next`], setting [`Scanner::content`] after start tags.
pub struct Scanner<'a> {
    rest: &'a str,
    /// State for the text that comes next.
    pub content: Content,
    /// The element whose end tag ends a state other than markup.
    pub element: &'a str,
    /// Whether elements of SVG or MathML are open, where sections of character data are such.
    pub foreign: bool,
}

impl<'a> Scanner<'a> {
    /// Starts in the markup state.
    pub fn new(html: &'a str) -> Scanner<'a> {
        Scanner { rest: html, content: Content::Markup, element: "", foreign: false }
    }

    /// Reads what follows the start tag as that content.
    pub fn enter(&mut self, tag: &StartTag<'a>, content: Content) {
        self.content = content;
        self.element = tag.name;
    }

    /// The next token, None at the end. The attributes are those of a start tag, else of no meaning.
    pub fn next(&mut self, attributes: &mut AttributeList<'a>) -> Option<Token<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if self.content != Content::Markup {
            return Some(self.raw_text());
        }
        let text = self.markup_start();
        if text > 0 {
            return Some(Token::Text(self.take(text)));
        }
        Some(self.markup(attributes))
    }

    fn take(&mut self, len: usize) -> &'a str {
        let (piece, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = rest;
        piece
    }

    fn markup_start(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|b| memchr(b'<', b)) {
            match bytes.get(from + at + 1) {
                Some(b) if b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?') => return from + at,
                _ => from += at + 1,
            }
        }
        bytes.len()
    }

    fn markup(&mut self, attributes: &mut AttributeList<'a>) -> Token<'a> {
        let rest = self.rest;
        match (rest.as_bytes().get(1), rest.as_bytes().get(2)) {
            (Some(b'/'), Some(b)) if b.is_ascii_alphabetic() => self.end_tag(attributes),
            (Some(b'/'), Some(b'>')) => self.skip(3),
            (Some(b'/'), None) => Token::Text(self.take(2)),
            (Some(b'!'), _) if rest.starts_with("<!--") => self.comment(),
            (Some(b'!'), _) if self.foreign && rest.starts_with(CDATA) => self.character_data(),
            (Some(b), _) if b.is_ascii_alphabetic() => self.start_tag(attributes),
            _ => {
                let len = memchr(b'>', rest.as_bytes()).map_or(rest.len(), |n| n + 1);
                self.skip(len)
            }
        }
    }

    fn character_data(&mut self) -> Token<'a> {
        self.take(CDATA.len());
        let raw = self.take(memmem::find(self.rest.as_bytes(), b"]]>").unwrap_or(self.rest.len()));
        self.take("]]>".len());
        Token::CharacterData(raw)
    }

    fn skip(&mut self, len: usize) -> Token<'a> {
        self.take(len);
        Token::Ignored
    }

    fn comment(&mut self) -> Token<'a> {
        let rest = self.rest;
        if rest.starts_with("<!-->") {
            return self.skip(5);
        }
        if rest.starts_with("<!--->") {
            return self.skip(6);
        }
        let mut from = 4;
        while let Some(at) = rest.as_bytes().get(from..).and_then(|b| memmem::find(b, b"--")) {
            let dashes = from + at;
            let tail = rest.as_bytes().get(dashes + 2..).unwrap_or_default();
            if tail.starts_with(b">") {
                return self.skip(dashes + 3);
            }
            if tail.starts_with(b"!>") {
                return self.skip(dashes + 4);
            }
            from = dashes + 1;
        }
        self.skip(rest.len())
    }

    fn start_tag(&mut self, attributes: &mut AttributeList<'a>) -> Token<'a> {
        let Some(tag) = StartTag::read(self.rest, attributes) else { return self.skip(self.rest.len()) };
        self.take(tag.source.len());
        Token::Start(tag)
    }

    fn end_tag(&mut self, attributes: &mut AttributeList<'a>) -> Token<'a> {
        let (end, key) = name(self.rest.as_bytes(), 2, &TAG_NAMES);
        let name = self.rest.get(2..end).unwrap_or_default();
        let Some(end) = attributes.read(self.rest, end) else { return self.skip(self.rest.len()) };
        self.take(end.at);
        Token::End(Tag::of(name, key), name)
    }

    fn raw_text(&mut self) -> Token<'a> {
        let len = match self.content {
            Content::Plain => self.rest.len(),
            Content::Script => script_end(self.rest),
            _ => end_of(self.rest, 0, self.element).unwrap_or(self.rest.len()),
        };
        let entities = self.content == Content::Escapable;
        if self.content != Content::Plain {
            self.content = Content::Markup;
        }
        Token::Raw { raw: self.take(len), entities }
    }
}

/// Offset of the end tag `</element` at or after `from`.
fn end_of(text: &str, from: usize, element: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += memmem::find(bytes.get(at..)?, b"</")?;
        if names(bytes.get(at + 2..)?, element) {
            return Some(at);
        }
        at += 2;
    }
}

/// Whether the text starts with the name followed by something that ends a name.
fn names(text: &[u8], element: &str) -> bool {
    text.get(..element.len()).is_some_and(|t| t.eq_ignore_ascii_case(element.as_bytes()))
        && text.get(element.len()).is_some_and(|&b| matches!(b, b'>' | b'/') || is_space(b))
}

/// Length of script text, with the rules for `<!--` inside scripts.
fn script_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut escaped, mut doubly) = (0, false, false);
    while let Some(n) = bytes.get(at..).and_then(|b| memchr2(b'<', b'-', b)) {
        at += n;
        let tail = bytes.get(at..).unwrap_or_default();
        if tail.starts_with(b"-->") {
            (escaped, doubly) = (false, false);
        } else if tail.starts_with(b"<!--") {
            escaped = true;
            // The dashes that open a comment may also close it: `<!-->`.
            at += 1;
        } else if tail.starts_with(b"</") && names(tail.get(2..).unwrap_or_default(), "script") {
            if !doubly {
                return at;
            }
            doubly = false;
        } else if escaped && names(tail.get(1..).unwrap_or_default(), "script") && tail.starts_with(b"<") {
            doubly = true;
        }
        at += 1;
    }
    text.len()
}
