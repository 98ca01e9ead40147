//! A small tokeniser: markup → tags and text, never failing, one step forward per byte.
//!
//! It follows the tokenisation rules of HTML and knows nothing of the tree: the caller sets the [`TextState`] after a
//! start tag. Where `lol_html` reads the page, it reads what `lol_html` leaves: end tags between two tokens, and the
//! inside of `noscript`.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::attributes::{self, Attribute, AttributeList, AttributeSet};
use super::name_table::{TAG_NAMES, find_byte, read_name};
use super::tags::{Tag, TextState};

/// A token of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HtmlToken<'a> {
    /// Text as written, with character references.
    Text(&'a str),
    /// The text of an element whose content is no markup (RCDATA, RAWTEXT, script data, PLAINTEXT).
    Raw {
        /// The text as written.
        raw: &'a str,
        /// Whether the text has character references (RCDATA).
        references: bool,
    },
    /// The text of a CDATA section in SVG or MathML.
    CdataSection(&'a str),
    /// A start tag.
    Start(StartTag<'a>),
    /// An end tag and its name as written.
    End(Tag, &'a str),
    /// A comment, doctype or processing instruction.
    Ignored,
}

/// A start tag as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StartTag<'a> {
    /// The whole tag from `<` to `>`.
    pub source: &'a str,
    /// The name as written.
    pub name: &'a str,
    /// The element; [`Tag::Unknown`] for other names.
    pub tag: Tag,
    /// Whether the tag ends in `/>`.
    pub self_closing: bool,
    /// Whether its attributes hide the element.
    pub hidden: bool,
    /// Whether it has a `class`, `id`, `role` or `itemprop`.
    pub named: bool,
}

const NAMES: AttributeSet = AttributeSet::of(&[Attribute::Class, Attribute::Id, Attribute::Role, Attribute::Itemprop]);

impl<'a> StartTag<'a> {
    /// Reads the tag that a text begins with, and its attributes; None if the text ends before the tag does.
    pub fn read(text: &'a str, attributes: &mut AttributeList<'a>) -> Option<StartTag<'a>> {
        let (end, key) = read_name(text.as_bytes(), 1, &TAG_NAMES);
        let name = text.get(1..end)?;
        let end = attributes.read(text, end)?;
        Some(StartTag {
            source: text.get(..end.at)?,
            name,
            tag: Tag::of(name, key),
            self_closing: end.self_closing,
            hidden: attributes.hide_element(),
            named: attributes.has_any(NAMES),
        })
    }

    /// A tag without attributes that other tags imply and the page does not have.
    pub fn implied(tag: Tag) -> StartTag<'a> {
        StartTag { source: "", name: tag.name(), tag, self_closing: false, hidden: false, named: false }
    }

    /// Reads the attributes of the tag again.
    pub fn attributes(&self, attributes: &mut AttributeList<'a>) {
        attributes.read(self.source, 1 + self.name.len());
    }

    /// Value of the first attribute of a name (in any case) as written; empty if the attribute has no value.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        attributes::value_of(self.source, 1 + self.name.len(), name)
    }
}

const CDATA: &str = "<![CDATA[";

/// The tokeniser: call [`HtmlTokenizer::next`] for each token, and [`HtmlTokenizer::enter`] after start tags.
pub struct HtmlTokenizer<'a> {
    rest: &'a str,
    /// State for the text that comes next.
    pub state: TextState,
    /// Name of the element whose end tag ends a state other than data.
    pub element: &'a str,
    /// Whether the innermost open element is of SVG or MathML, where CDATA sections are recognised.
    pub foreign: bool,
}

impl<'a> HtmlTokenizer<'a> {
    /// A tokeniser at the start of a text, in the data state.
    pub fn new(html: &'a str) -> HtmlTokenizer<'a> {
        HtmlTokenizer { rest: html, state: TextState::Data, element: "", foreign: false }
    }

    /// Reads the text that follows a start tag in that state.
    pub fn enter(&mut self, tag: &StartTag<'a>, state: TextState) {
        self.state = state;
        self.element = tag.name;
    }

    /// The text that is not read yet.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// The next token; None at the end. `attributes` holds those of a start tag, and nothing of use after other tokens.
    pub fn next(&mut self, attributes: &mut AttributeList<'a>) -> Option<HtmlToken<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if self.state != TextState::Data {
            return Some(self.raw_text());
        }
        let text = self.markup_start();
        if text > 0 {
            return Some(HtmlToken::Text(self.take(text)));
        }
        Some(self.markup(attributes))
    }

    fn take(&mut self, len: usize) -> &'a str {
        let (piece, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = rest;
        piece
    }

    /// Bytes before the next `<` that begins markup.
    fn markup_start(&self) -> usize {
        let bytes = self.rest.as_bytes();
        let mut from = 0;
        while let Some(at) = find_byte(bytes, from, b'<') {
            match bytes.get(at + 1) {
                Some(b) if b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?') => return at,
                _ => from = at + 1,
            }
        }
        bytes.len()
    }

    fn markup(&mut self, attributes: &mut AttributeList<'a>) -> HtmlToken<'a> {
        let rest = self.rest;
        match (rest.as_bytes().get(1), rest.as_bytes().get(2)) {
            (Some(b'/'), Some(b)) if b.is_ascii_alphabetic() => self.end_tag(attributes),
            (Some(b'/'), Some(b'>')) => self.skip(3),
            (Some(b'/'), None) => HtmlToken::Text(self.take(2)),
            (Some(b'!'), _) if rest.starts_with("<!--") => self.comment(),
            (Some(b'!'), _) if self.foreign && rest.starts_with(CDATA) => self.cdata_section(),
            (Some(b), _) if b.is_ascii_alphabetic() => self.start_tag(attributes),
            _ => {
                let len = memchr(b'>', rest.as_bytes()).map_or(rest.len(), |n| n + 1);
                self.skip(len)
            }
        }
    }

    fn cdata_section(&mut self) -> HtmlToken<'a> {
        self.take(CDATA.len());
        let raw = self.take(memmem::find(self.rest.as_bytes(), b"]]>").unwrap_or(self.rest.len()));
        self.take("]]>".len());
        HtmlToken::CdataSection(raw)
    }

    fn skip(&mut self, len: usize) -> HtmlToken<'a> {
        self.take(len);
        HtmlToken::Ignored
    }

    fn comment(&mut self) -> HtmlToken<'a> {
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

    fn start_tag(&mut self, attributes: &mut AttributeList<'a>) -> HtmlToken<'a> {
        let Some(tag) = StartTag::read(self.rest, attributes) else { return self.skip(self.rest.len()) };
        self.take(tag.source.len());
        HtmlToken::Start(tag)
    }

    fn end_tag(&mut self, attributes: &mut AttributeList<'a>) -> HtmlToken<'a> {
        let (end, key) = read_name(self.rest.as_bytes(), 2, &TAG_NAMES);
        let name = self.rest.get(2..end).unwrap_or_default();
        let Some(end) = attributes.read(self.rest, end) else { return self.skip(self.rest.len()) };
        self.take(end.at);
        HtmlToken::End(Tag::of(name, key), name)
    }

    fn raw_text(&mut self) -> HtmlToken<'a> {
        let len = match self.state {
            TextState::Plaintext => self.rest.len(),
            TextState::ScriptData => script_end(self.rest),
            _ => end_of(self.rest, self.element).unwrap_or(self.rest.len()),
        };
        let references = self.state == TextState::Rcdata;
        if self.state != TextState::Plaintext {
            self.state = TextState::Data;
        }
        HtmlToken::Raw { raw: self.take(len), references }
    }
}

/// Offset of the end tag `</element`.
fn end_of(text: &str, element: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, b"</").find(|at| is_named(bytes.get(at + 2..).unwrap_or_default(), element))
}

/// Whether the next tag in a text is the end tag of an element, or follows other end tags alone.
pub fn ends_next(text: &str, element: &str) -> bool {
    let bytes = text.as_bytes();
    let mut tags = memchr_iter(b'<', bytes).filter_map(|at| bytes.get(at + 1..));
    tags.find_map(|tag| match tag {
        [b'/', name @ ..] if is_named(name, element) => Some(true),
        [b'!', ..] => Some(false),
        [first, ..] if first.is_ascii_alphabetic() => Some(false),
        _ => None,
    })
    .unwrap_or(false)
}

/// Offset of the end tag of an element, if it comes before the next start tag of that name.
pub fn end_before_next(text: &str, element: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_tag = |at: &usize| {
        let tag = bytes.get(at + 1..).unwrap_or_default();
        is_named(tag.strip_prefix(b"/").unwrap_or(tag), element)
    };
    memchr_iter(b'<', bytes).find(is_tag).filter(|at| bytes.get(at + 1) == Some(&b'/'))
}

/// Whether the text starts with the name of the element, followed by a byte that ends a name.
fn is_named(text: &[u8], element: &str) -> bool {
    text.get(..element.len()).is_some_and(|t| t.eq_ignore_ascii_case(element.as_bytes()))
        && text.get(element.len()).is_some_and(|b| matches!(b, b'>' | b'/') || b.is_ascii_whitespace())
}

/// Length of script text, with the rules for `<!--` inside scripts.
fn script_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut escaped, mut doubly) = (0, false, false);
    // Dashes matter only after `<!--`.
    let next = |rest: &[u8], escaped| if escaped { memchr2(b'<', b'-', rest) } else { memchr(b'<', rest) };
    while let Some(n) = bytes.get(at..).and_then(|rest| next(rest, escaped)) {
        at += n;
        let tail = bytes.get(at..).unwrap_or_default();
        if tail.starts_with(b"-->") {
            (escaped, doubly) = (false, false);
        } else if tail.starts_with(b"<!--") {
            escaped = true;
            // The dashes that open a comment may also close it: `<!-->`.
            at += 1;
        } else if tail.starts_with(b"</") && is_named(tail.get(2..).unwrap_or_default(), "script") {
            if !doubly {
                return at;
            }
            doubly = false;
        } else if escaped && is_named(tail.get(1..).unwrap_or_default(), "script") && tail.starts_with(b"<") {
            doubly = true;
        }
        at += 1;
    }
    text.len()
}
