//! A small tokeniser: markup → tags and text, never failing, one step forward per byte.
//!
//! It knows the tokenisation rules of HTML, not its tree; who calls it says which [`Content`] state applies after a
//! start tag. Where `lol_html` reads the page, it still reads what that leaves: end tags between two tokens, and the
//! inside of `noscript` and `iframe`.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::tags::Content;

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
    /// An end tag's name, as written.
    End(&'a str),
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
    /// Whether it ends in `/>`.
    pub self_closing: bool,
    /// Whether its attributes hide the element; false until somebody has looked at them.
    pub hidden: bool,
}

impl<'a> StartTag<'a> {
    /// Reads a tag known to be complete: `source` runs from `<` to `>`.
    pub fn whole(source: &'a str) -> StartTag<'a> {
        let (name, rest) = split_name(source.get(1..).unwrap_or_default());
        let mut attributes = Attributes { rest, self_closing: false };
        // A slash at the end may also belong to a value without quotation marks.
        if source.ends_with("/>") {
            for _ in attributes.by_ref() {}
        }
        StartTag { source, name, self_closing: attributes.self_closing, hidden: false }
    }

    /// Its attributes, in order.
    pub fn attributes(&self) -> Attributes<'a> {
        let (_, rest) = split_name(self.source.get(1..).unwrap_or_default());
        Attributes { rest, self_closing: false }
    }

    /// Value of the first attribute of that name, undecoded; empty when it has no value.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Attributes of one tag that are looked at.
pub const MOST: usize = 64;

/// The attributes of a tag, for all who want some of them.
#[derive(Default)]
pub struct AttributeList<'a>(Vec<(&'a str, &'a str)>);

impl<'a> AttributeList<'a> {
    /// Takes those of a tag in place of those of the last.
    pub fn read(&mut self, tag: &StartTag<'a>) {
        self.0.clear();
        // A tag without any ends behind its name.
        if tag.source.len() > tag.name.len() + "<>".len() {
            self.0.extend(tag.attributes().take(MOST));
        }
    }

    /// Name and undecoded value of each, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().copied()
    }

    /// Value of the first of that name, undecoded; empty when it has no value.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Iterates over `(name, undecoded value)`; ends at the `>` of the tag or at the end of input.
pub struct Attributes<'a> {
    rest: &'a str,
    self_closing: bool,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let (rest, bytes) = (self.rest, self.rest.as_bytes());
        let skip = |from: usize, all: fn(u8) -> bool| {
            let tail = bytes.get(from..).unwrap_or_default();
            from + tail.iter().position(|&b| !all(b)).unwrap_or(tail.len())
        };
        let from = skip(0, |b| is_space(b) || b == b'/');
        if matches!(bytes.get(from), None | Some(b'>')) {
            self.self_closing = from.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'/');
            self.rest = rest.get(from..).unwrap_or_default();
            return None;
        }
        // A leading `=` belongs to the name.
        let after = from + usize::from(bytes.get(from) == Some(&b'='));
        let end = skip(after, |b| !(matches!(b, b'=' | b'>' | b'/') || is_space(b)));
        let name = rest.get(from..end).unwrap_or_default();
        let equals = skip(end, is_space);
        if bytes.get(equals) != Some(&b'=') {
            self.rest = rest.get(end..).unwrap_or_default();
            return Some((name, ""));
        }
        let (value, rest) = split_value(rest.get(skip(equals + 1, is_space)..).unwrap_or_default());
        self.rest = rest;
        Some((name, value))
    }
}

fn split_value(text: &str) -> (&str, &str) {
    let quote = match text.bytes().next() {
        Some(q @ (b'"' | b'\'')) => q,
        _ => {
            let len = text.bytes().position(|b| b == b'>' || is_space(b)).unwrap_or(text.len());
            return text.split_at(len);
        }
    };
    let inside = text.get(1..).unwrap_or_default();
    let len = memchr(quote, inside.as_bytes()).unwrap_or(inside.len());
    (inside.get(..len).unwrap_or_default(), inside.get(len + 1..).unwrap_or_default())
}

fn split_name(text: &str) -> (&str, &str) {
    let len = text.bytes().position(|b| matches!(b, b'>' | b'/') || is_space(b));
    text.split_at(len.unwrap_or(text.len()))
}

/// How much of a tag stands behind its name and whether it closes itself, where that shows without reading every
/// attribute: quotation marks stand only around values, and right behind `name=`.
fn plain_end(rest: &[u8]) -> Option<(usize, bool)> {
    let mut from = 0;
    loop {
        let at = from + memchr3(b'>', b'"', b'\'', rest.get(from..)?)?;
        let before = rest.get(from..at)?;
        match rest.get(at)? {
            b'>' if !before.ends_with(b"/") => return Some((at + 1, false)),
            // Any other slash may be part of a value.
            b'>' => return (before.trim_ascii() == b"/").then_some((at + 1, true)),
            quote if begins_value(before) => from = at + 1 + memchr(*quote, rest.get(at + 1..)?)? + 1,
            _ => return None,
        }
    }
}

/// Whether a text that follows a value, or the name of a tag, ends in white space and `name=`.
fn begins_value(text: &[u8]) -> bool {
    let Some(named) = text.strip_suffix(b"=") else { return false };
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':');
    let gap = named.iter().rposition(|b| !is_name(b)).map_or(0, |at| at + 1);
    let (before, name) = named.split_at_checked(gap).unwrap_or_default();
    // What stands between must not be waiting for a value.
    !name.is_empty() && before.last().is_some_and(|b| is_space(*b)) && !before.trim_ascii().ends_with(b"=")
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
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

    /// The next token; None at the end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Token<'a>> {
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
        Some(self.markup())
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

    fn markup(&mut self) -> Token<'a> {
        let rest = self.rest;
        match (rest.as_bytes().get(1), rest.as_bytes().get(2)) {
            (Some(b'/'), Some(b)) if b.is_ascii_alphabetic() => self.end_tag(),
            (Some(b'/'), Some(b'>')) => self.skip(3),
            (Some(b'/'), None) => Token::Text(self.take(2)),
            (Some(b'!'), _) if rest.starts_with("<!--") => self.comment(),
            (Some(b'!'), _) if self.foreign && rest.starts_with(CDATA) => self.character_data(),
            (Some(b), _) if b.is_ascii_alphabetic() => self.start_tag(),
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

    fn start_tag(&mut self) -> Token<'a> {
        let (name, rest) = split_name(self.rest.get(1..).unwrap_or_default());
        if let Some((len, self_closing)) = plain_end(rest.as_bytes()) {
            return Token::Start(StartTag {
                source: self.take(1 + name.len() + len),
                name,
                self_closing,
                hidden: false,
            });
        }
        let mut attributes = Attributes { rest, self_closing: false };
        for _ in attributes.by_ref() {}
        let len = self.rest.len() - attributes.rest.len() + 1;
        if attributes.rest.is_empty() {
            return self.skip(self.rest.len());
        }
        Token::Start(StartTag { source: self.take(len), name, self_closing: attributes.self_closing, hidden: false })
    }

    fn end_tag(&mut self) -> Token<'a> {
        let (name, rest) = split_name(self.rest.get(2..).unwrap_or_default());
        let mut attributes = Attributes { rest, self_closing: false };
        for _ in attributes.by_ref() {}
        if attributes.rest.is_empty() {
            return self.skip(self.rest.len());
        }
        self.take(self.rest.len() - attributes.rest.len() + 1);
        Token::End(name)
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
