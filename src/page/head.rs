//! What a page says about itself, as the streaming pass over its markup
//! collected it. Data only: which of several titles, authors or dates to
//! believe is decided in [`super::metadata`].

/// What a page says about itself, as the streaming pass collected it; nothing decided yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Head {
    /// Text of the first `<title>`: entities decoded, white space collapsed.
    pub title: String,
    /// The `lang` (or `xml:lang`) attribute of `<html>`.
    pub html_lang: String,
    /// Every `<meta>` that has a `content`, in document order (at most 500).
    pub meta: Vec<Meta>,
    /// `<link rel href>` and `<a rel=license|author>` (at most 200).
    pub links: Vec<Link>,
    /// Raw text of each `<script type="application/ld+json">` (at most 1 MiB in all).
    pub json_ld: Vec<String>,
    /// Headings, and elements whose attributes speak of authors, dates or titles (at most 200).
    pub marks: Vec<Mark>,
    /// Short blocks of text that may hold a date, a byline or the title (at most 200).
    pub lines: Vec<Line>,
    /// Number of `<time>` elements.
    pub times: u32,
    /// Place of the first long paragraph.
    pub body: Option<u32>,
}

/// One `<meta>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// The value of `name`, `property`, `itemprop` or `http-equiv`, in lower case.
    pub key: String,
    /// The value of `content`, entities decoded.
    pub content: String,
    /// Whether the key is an `itemprop`: such elements also describe parts of the page.
    pub item: bool,
}

/// One `<link>`, or an `<a>` that states a relation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The `rel` attribute, in lower case; may hold several words.
    pub rel: String,
    /// The `href` attribute as written; may be relative.
    pub href: String,
}

/// An element that says what it holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mark {
    /// 1 to 6 for a heading, else 0.
    pub level: u8,
    /// The values of `class`, `id`, `itemprop` and `rel`, in lower case, joined by spaces.
    pub names: String,
    /// The `href` of a link.
    pub href: String,
    /// What the attributes give for machines: `datetime`, `content`, `data-…`, `title`.
    pub value: String,
    /// Its text; a line feed stands where a block inside begins or ends.
    pub text: String,
    /// Number of blocks of text before it.
    pub place: u32,
    /// Whether it stands in a sidebar, a footer, among comments or other stories.
    pub aside: bool,
    /// Whether it stands inside a link.
    pub linked: bool,
}

/// A short block of text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// As in the block.
    pub text: String,
    /// Number of blocks of text before it.
    pub place: u32,
    /// Whether it stands in a sidebar, a footer, among comments or other stories.
    pub aside: bool,
    /// Whether most of it is the text of links.
    pub linked: bool,
    /// Whether the page's `<title>` holds the same words in a row.
    pub titled: bool,
    /// Whether this is but the start of the first long paragraph.
    pub opening: bool,
}
