//! What a page says about itself, as the streaming pass collected it; nothing decided yet.

/// Everything a page declares, raw.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Head {
    /// First `<title>`, entities decoded, white space collapsed.
    pub title: String,
    /// `lang` of `<html>`.
    pub html_lang: String,
    /// Every `<meta>` with content, document order, at most 500.
    pub meta: Vec<Meta>,
    /// `<link rel href>`, and `<a rel=license|author>`, at most 200.
    pub links: Vec<Link>,
    /// Raw text of `script type=application/ld+json`, at most 1 MiB in all.
    pub json_ld: Vec<String>,
    /// `<time>` elements, at most 100.
    pub times: Vec<Time>,
    /// Texts of h1 blocks, at most 10.
    pub h1: Vec<String>,
}

/// One key of a `<meta>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// name | property | itemprop | http-equiv, lower case.
    pub key: String,
    /// Entities decoded.
    pub content: String,
}

/// One link with a relation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// Lower case, as written otherwise.
    pub rel: String,
    /// As written, entities decoded.
    pub href: String,
}

/// One `<time>` element.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Time {
    /// `datetime` attribute.
    pub datetime: String,
    /// `itemprop` attribute.
    pub itemprop: String,
    /// `class` attribute.
    pub class: String,
    /// Whether `pubdate` is present.
    pub pubdate: bool,
    /// The text inside.
    pub text: String,
}
