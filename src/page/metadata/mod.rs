//! [`Head`] → [`Metadata`]: decides which of a page's own statements to believe.
//!
//! Every field has one order of sources, stated at its function. For title and date what readers see beside the title counts
//! more than what is declared for machines; authors are taken from JSON-LD and `<meta>` before bylines. The page is a witness,
//! not a judge: dates after the capture and canonical URLs in another domain are dropped, an account as author counts only
//! where nobody else is named. The real language belongs elsewhere.

mod authors;
mod byline_lines;
mod bylines;
mod date_tokens;
mod date_weights;
mod dates;
mod digits;
mod han_numerals;
mod json_repair;
mod jsonld;
mod license;
mod months;
mod organisations;
mod parted_months;
mod phrases;
mod published;
mod published_source;
mod robots;
mod roles;
mod rule_values;
mod shown_dates;
mod solar_hijri;
mod sources;
mod title;
mod url_dates;
mod weekdays;

use jiff::civil::Date;

pub use published_source::PublishedSource;
pub use robots::excluded;
pub use rule_values::apply_rule_values;

use super::charset::{clean_text, nfc};
use super::head::Head;
use super::url;
use crate::text::invisible::without_invisible;
use sources::Sources;
use title::SiteNames;

/// Longest value of a field, in characters. Longer values are no names.
const MAX_CHARS: usize = 1000;

/// The metadata of a page, decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata {
    /// Title of the text, without the name of the site.
    pub title: Option<String>,
    /// Names of persons, in the page's order.
    pub author: Vec<String>,
    /// Day of first publication.
    pub published: Option<Date>,
    /// Where `published` was found.
    pub published_source: Option<PublishedSource>,
    /// Day of the last change.
    pub modified: Option<Date>,
    /// Name of the site or publisher; its host if the page names none.
    pub sitename: Option<String>,
    /// The site's section or category.
    pub section: Option<String>,
    /// Keywords or tags.
    pub keywords: Vec<String>,
    /// Short name of a Creative Commons licence (`CC BY-SA 4.0`), else what the page says.
    pub license: Option<String>,
    /// Directives for robots of the page and the HTTP headers: `noindex,noarchive,tdm-reservation`.
    pub robots: Option<String>,
    /// The URL the page names as its own, if it is in the same registered domain.
    pub canonical: Option<String>,
    /// The declared language as a tag (`pt-BR`). A claim, not a finding.
    pub declared_language: Option<String>,
}

/// Decides all fields of the metadata.
///
/// * `url`: where the page was captured.
/// * `captured`: the day of capture; later dates are refused. Unknown: none is.
/// * `x_robots`: the values of all `X-Robots-Tag` headers.
/// * `tdm`: the value of the header `TDM-Reservation`.
pub fn metadata(head: &Head, url: &str, captured: Option<Date>, x_robots: &[&str], tdm: Option<&str>) -> Metadata {
    let sources = Sources::of(head);
    let address = url::parse(url);
    let site = address.as_ref().and_then(url::site_of);
    let sitename = sources.sitename(site.as_ref());
    let names = SiteNames::new(sitename.as_deref(), site.as_ref().map_or("", |site| &site.domain));
    let title = title::title(&sources, &names, address.as_ref());
    let tld = site.as_ref().map_or("", |site| &site.tld);
    let dates = published::page_dates(&sources, address.as_ref(), tld, title.place, captured);
    Metadata {
        title: title.text,
        author: sources.authors(&names, title.place),
        published: dates.published,
        published_source: dates.source,
        modified: dates.modified,
        section: sources.section(),
        keywords: sources.keywords(),
        license: sources.license(),
        robots: robots::directives(head, x_robots, tdm),
        canonical: address.as_ref().zip(site.as_ref()).and_then(|(page, site)| sources.canonical(page, &site.domain)),
        declared_language: sources.language(),
        sitename,
    }
}

/// Removes control characters and those that only format from a text, collapses its white space and composes its characters
/// (NFC). `None` if nothing is left, or more than [`MAX_CHARS`] characters.
///
/// Character references are not decoded here but where a value comes from, once: text and attributes by the tokeniser,
/// strings of JSON-LD by [`jsonld`]. The contents of `<meta>` elements, which no reader sees, are now and then escaped
/// twice, so [`Sources`] decodes them once more.
fn tidy(text: &str) -> Option<String> {
    let mut tidy = String::with_capacity(text.len());
    for word in nfc(&without_invisible(&clean_text(text))).split_whitespace() {
        tidy.push_str(if tidy.is_empty() { "" } else { " " });
        tidy.push_str(word);
    }
    (!tidy.is_empty() && tidy.chars().count() <= MAX_CHARS).then_some(tidy)
}

/// Distance of a place from the title, in blocks of text; those before the title count twice.
fn distance(title: Option<u32>, place: u32) -> u32 {
    let title = title.unwrap_or(0);
    if place >= title { place - title } else { (title - place) * 2 }
}

#[cfg(test)]
mod tests;
