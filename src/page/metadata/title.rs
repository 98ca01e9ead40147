//! Titles: which of several to believe, and parting the story's title from
//! the site's name.

use super::sources::Sources;
use super::tidy;

/// Characters that part title and site name when white space stands before and
/// after (a colon or comma may follow a word directly, so they are not here).
const SEPARATORS: [char; 17] = ['-', '|', '–', '—', '·', '•', '»', '«', '›', '‹', '>', '<', '~', '*', '⋆', '⁄', ':'];

const KEYS: [&str; 14] = [
    "og:title",
    "headline",
    "title",
    "dc.title",
    "dcterms.title",
    "citation_title",
    "parsely-title",
    "sailthru.title",
    "twitter:title",
    "fb_title",
    "rbtitle",
    "bt:headline",
    "rnews:headline",
    "dc:title",
];

/// The page's title: OpenGraph and other `<meta>`, JSON-LD, the only `<h1>`,
/// `<title>`, the first `<h1>`. A name of the site at its end is cut off.
pub(super) fn title(sources: &Sources, site: &SiteNames) -> Option<String> {
    let head = sources.head;
    let mut headings = head.h1.iter().filter_map(|h1| tidy(h1)).filter(|h1| !site.is(h1));
    let first_h1 = headings.next();
    let only_h1 = first_h1.clone().filter(|_| headings.next().is_none());
    let full = sources
        .meta(&KEYS)
        .or_else(|| sources.linked.headline.as_deref().and_then(tidy))
        .or(only_h1)
        .or_else(|| from_title_element(&head.title, site))
        .or(first_h1)?;
    Some(without_site(&full, &head.h1, site))
}

/// The names a site goes by: what it calls itself, its domain, the domain's first label.
pub(super) struct SiteNames {
    squashed: [String; 3],
}

impl SiteNames {
    /// `domain` is the registered domain.
    pub(super) fn new(sitename: Option<&str>, domain: &str) -> Self {
        let label = domain.split('.').next().unwrap_or_default();
        Self { squashed: [sitename.unwrap_or_default(), domain, label].map(squash) }
    }

    fn is(&self, text: &str) -> bool {
        let text = squash(text);
        let text = text.strip_prefix("the").filter(|rest| !rest.is_empty()).unwrap_or(&text);
        !text.is_empty() && self.squashed.iter().any(|name| name == text || name.strip_prefix("the") == Some(text))
    }
}

/// The part of a `<title>` that looks like a site's address (`Story - Site.com`).
pub(super) fn site_in_title(title: &str) -> Option<String> {
    let (first, last) = split(title)?;
    [last, first].into_iter().find(|part| is_address(part)).map(String::from)
}

fn is_address(part: &str) -> bool {
    let labelled = part.split('.').count() > 1 && part.split('.').all(|label| !label.is_empty());
    labelled && !part.contains(char::is_whitespace)
}

/// The first part of a `<title>` that names no site and has no dot, else all of it.
fn from_title_element(title: &str, site: &SiteNames) -> Option<String> {
    let title = tidy(title)?;
    let is_story = |part: &&str| !part.contains('.') && !site.is(part);
    let part = split(&title).and_then(|(first, last)| [first, last].into_iter().find(is_story));
    Some(part.map_or(title.clone(), String::from))
}

/// Splits at the last separator.
fn split(title: &str) -> Option<(&str, &str)> {
    let at = title.char_indices().rev().find(|&(at, c)| is_separator(title, at, c))?;
    let (first, last) = (title.get(..at.0)?.trim(), title.get(at.0 + at.1.len_utf8()..)?.trim());
    (!first.is_empty() && !last.is_empty()).then_some((first, last))
}

fn is_separator(title: &str, at: usize, c: char) -> bool {
    SEPARATORS.contains(&c)
        && title.get(..at).is_some_and(|before| before.ends_with(char::is_whitespace))
        && title.get(at + c.len_utf8()..).is_some_and(|after| after.starts_with(char::is_whitespace))
}

/// Cuts the site's name off. If an `<h1>` repeats one part of the title, that
/// part is the title; else parts that name the site are cut from the end.
fn without_site(title: &str, h1: &[String], site: &SiteNames) -> String {
    let heads = |part: &str| !site.is(part) && h1.iter().any(|h1| squash(h1) == squash(part));
    let mut rest = title;
    while let Some((first, last)) = split(rest) {
        if let Some(part) = [first, last].into_iter().find(|part| !squash(part).is_empty() && heads(part)) {
            return String::from(part);
        }
        rest = first;
    }
    rest = title;
    while let Some((first, _)) = split(rest).filter(|(_, last)| site.is(last)) {
        rest = first;
    }
    String::from(rest)
}

/// Letters and digits in small letters: `La Stampa` is `lastampa`.
fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_elements_are_split() {
        let site = SiteNames::new(None, "harbour-wire.example");
        let part = |title| from_title_element(title, &site).unwrap_or_default();
        assert_eq!(part("The Harbour Wire - Story"), "Story");
        assert_eq!(part("Story name - Site.com"), "Story name");
        assert_eq!(part("Site.com - Story name"), "Story name");
        assert_eq!(part("Story name | The Site"), "Story name");
        assert_eq!(part("Story - part two — The Site"), "Story - part two");
        assert_eq!(part("Well-known story"), "Well-known story");
        assert_eq!(part(" | "), "|");
        assert_eq!(part(""), "");
    }

    #[test]
    fn sites_are_found_in_titles() {
        assert_eq!(site_in_title("Story name - Site.com").as_deref(), Some("Site.com"));
        assert_eq!(site_in_title("Story name | The Site"), None);
        assert_eq!(site_in_title("Wait ... - what"), None);
    }

    #[test]
    fn the_name_of_the_site_is_cut_off() {
        let cut =
            |title, h1: &str, site| without_site(title, &[String::from(h1)], &SiteNames::new(site, "lastampa.it"));
        assert_eq!(cut("Story | the site", "", Some("The Site")), "Story");
        assert_eq!(cut("Story - part - La Stampa", "", None), "Story - part");
        assert_eq!(cut("Story - lastampa.it", "", None), "Story");
        assert_eq!(cut("Story – Anything", "Story", None), "Story");
        assert_eq!(cut("Anything – Story", " STORY", None), "Story");
        assert_eq!(cut("Story | other", "Another", Some("The Site")), "Story | other");
        assert_eq!(cut("The Site", "", Some("The Site")), "The Site");
        assert_eq!(cut("Story - !", "", None), "Story - !");
    }
}
