//! [`Head`] → [`Metadata`]: decides which of a page's own statements to believe.
//!
//! Every field has one order of sources, OpenGraph and other `<meta>` before
//! JSON-LD before the rest of the page, with the exceptions noted at each
//! function. The page is a witness, not a judge: a date after the capture, a
//! canonical URL in another domain or an account as author are dropped. Only
//! the head and a few marked elements are read; bylines and dates in running
//! text, and the real language of the page, belong elsewhere.

mod authors;
mod dates;
mod jsonld;
mod license;
mod months;
mod robots;
mod sources;
mod title;

use jiff::civil::Date;

use super::charset::clean_text;
use super::head::Head;
use super::url;
use sources::Sources;
use title::SiteNames;

/// Longest value kept of any field, in characters. Longer ones are no names.
const MAX_CHARS: usize = 1000;

/// What is known of a page beside its text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    /// Title of the text, without the name of the site.
    pub title: Option<String>,
    /// Names of persons, in the page's order.
    pub author: Vec<String>,
    /// Day of first publication.
    pub published: Option<Date>,
    /// Where `published` was found: `jsonld`, `meta`, `time` or `url`.
    pub published_source: Option<&'static str>,
    /// Name of the site or publisher; its host if the page names none.
    pub sitename: Option<String>,
    /// The site's section or category.
    pub section: Option<String>,
    /// Keywords or tags.
    pub keywords: Vec<String>,
    /// Short name of a Creative Commons licence (`CC BY-SA 4.0`), else what the page says.
    pub license: Option<String>,
    /// Directives for robots of the page and the HTTP header: `noindex,noarchive`.
    pub robots: Option<String>,
    /// The URL the page names as its own, if it is in the same registered domain.
    pub canonical: Option<String>,
    /// The declared language as a tag (`pt-BR`). A claim, not a finding.
    pub declared_language: Option<String>,
}

/// Decides all fields.
///
/// * `url`: where the page was captured.
/// * `captured`: the day of capture; later dates are refused. Unknown: none is.
/// * `x_robots`: the values of all `X-Robots-Tag` headers.
pub fn metadata(head: &Head, url: &str, captured: Option<Date>, x_robots: &[&str]) -> Metadata {
    let sources = Sources::of(head);
    let sitename = sources.sitename(url);
    let published = sources.published(url, captured);
    let domain = url::site(url).map(|site| site.domain).unwrap_or_default();
    Metadata {
        title: title::title(&sources, &SiteNames::new(sitename.as_deref(), &domain)),
        author: sources.authors(),
        published: published.map(|(day, _)| day),
        published_source: published.map(|(_, source)| source),
        section: sources.section(),
        keywords: sources.keywords(),
        license: sources.license(),
        robots: robots::directives(head, x_robots),
        canonical: sources.canonical(url),
        declared_language: sources.language(),
        sitename,
    }
}

/// Decodes entities (values are often escaped twice), removes control
/// characters and collapses white space. `None` if nothing is left, or far too much.
fn tidy(value: &str) -> Option<String> {
    let text = htmlize::unescape(value);
    let text = clean_text(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty() && text.chars().count() <= MAX_CHARS).then_some(text)
}

#[cfg(test)]
mod tests;
