//! What a page says about itself, as collected in the single pass over its markup. Data only: which of several titles,
//! authors or dates to believe is decided in [`super::metadata`].

/// What stands for the `rel` of a link to a licence in the footer of the page, which has none.
pub const FOOTER_LICENSE: &str = "footer-license";

/// What a page says about itself, undecided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Head {
    /// Text of the first `<title>`: character references decoded, white space collapsed, at most 10,000 bytes.
    pub title: String,
    /// The `lang` attribute of `<html>`.
    pub html_lang: String,
    /// Every `<meta>` that has a `content`, in document order (at most 500).
    pub meta: Vec<Meta>,
    /// `<link rel href>` and `<a rel=license|author>` (at most 200), and links to Creative Commons in footers, whose `rel` is
    /// [`FOOTER_LICENSE`].
    pub links: Vec<Link>,
    /// Raw text of each `<script type="application/ld+json">` (at most 1 MiB in all).
    pub json_ld: Vec<String>,
    /// Headings, and elements whose attributes speak of authors, dates or titles (at most 200); links to keywords (at most 30).
    pub candidates: Vec<MetadataCandidate>,
    /// Short blocks of text that may hold a date, a byline or the title (at most 200), and the opening of the story.
    pub lines: Vec<TextLine>,
    /// Number of `<time>` elements.
    pub times: u32,
    /// Number of blocks of text before the first long paragraph; None without one.
    pub body: Option<u32>,
}

/// One `<meta>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// The value of `name`, `property`, `itemprop` or `http-equiv`, in lower case.
    pub key: String,
    /// The value of `content`, character references decoded once.
    pub content: String,
    /// Whether the key is an `itemprop`: such elements also describe parts of the page.
    pub item: bool,
}

/// One `<link>`, or an `<a>` that states a relation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The `rel` attribute, in lower case; may hold several words.
    pub rel: String,
    /// The `href` attribute, character references decoded; may be relative.
    pub href: String,
}

/// An element that may hold the title, an author, a date or a keyword of the page: a heading, or an element whose names or
/// attributes say so.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetadataCandidate {
    /// 1 to 6 for a heading, else 0.
    pub level: u8,
    /// The values of `class`, `id`, `itemprop` and `rel`, in lower case, joined by spaces.
    pub names: String,
    /// Whether they or the address speak of an author.
    pub author: bool,
    /// The `href` of a link, character references decoded.
    pub href: String,
    /// The `href` of the link that a heading begins with, character references decoded.
    pub first_link: String,
    /// What the attributes give for machines: `datetime`, `content`, `data-…`, `title`.
    pub value: String,
    /// The text of the element; a line feed stands where a block inside begins or ends.
    pub text: String,
    /// Number of blocks of text before it.
    pub place: u32,
    /// Whether the element stands in a sidebar, a footer, among comments or other stories.
    pub aside: bool,
    /// Whether it stands among comments, behind the beginning of the story.
    pub commented: bool,
    /// Whether the element stands inside a link.
    pub linked: bool,
}

/// A block of text that may hold a date, a byline or the title.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TextLine {
    /// The text of the block, or its beginning ([`TextLine::opening`]).
    pub text: String,
    /// Number of blocks of text before it.
    pub place: u32,
    /// Whether the block stands in a sidebar, a footer, among comments or other stories.
    pub aside: bool,
    /// Whether most of the text is in links.
    pub linked: bool,
    /// Whether the page's `<title>` holds the same words in a row.
    pub titled: bool,
    /// Whether the text is the beginning of the first long paragraph, and not a whole block.
    pub opening: bool,
}
