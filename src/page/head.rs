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
    /// `<time>` elements (at most 100).
    pub times: Vec<Time>,
    /// Texts of the `<h1>` blocks (at most 10).
    pub h1: Vec<String>,
}

/// One `<meta>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// The value of `name`, `property`, `itemprop` or `http-equiv`, in lower case.
    pub key: String,
    /// The value of `content`, entities decoded.
    pub content: String,
}

/// One `<link>`, or an `<a>` that states a relation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The `rel` attribute, in lower case; may hold several words.
    pub rel: String,
    /// The `href` attribute as written; may be relative.
    pub href: String,
}

/// One `<time>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Time {
    /// The `datetime` attribute.
    pub datetime: String,
    /// The `itemprop` attribute.
    pub itemprop: String,
    /// The `class` attribute.
    pub class: String,
    /// Whether the (obsolete) `pubdate` attribute is present.
    pub pubdate: bool,
    /// The element's text.
    pub text: String,
}
