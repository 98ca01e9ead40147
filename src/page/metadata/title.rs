//! Titles: which of several to believe, and how the name of the site is separated from the title.

mod agreement;
mod headings;
mod separators;

use url::Url;

use super::dates;
use super::months::month;
use super::sources::Sources;
use super::weekdays::is_weekday;
use super::{MAX_CHARS, tidy};
use crate::page::url::has_page_number;
use crate::text::char_classes::is_alphanumeric;
use agreement::{agreeing_heading, words};
use headings::{fallback_heading, headings, without_site_above};
use separators::{reads_as_site, split_at_first, split_at_last, split_at_last_weak};

const TITLE_KEYS: [&str; 14] = [
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

/// Shortest name of a site that is looked for within other names, in bytes: shorter ones are parts of many words.
const MIN_NAME: usize = 6;
/// Shortest part of a title that is the name of the site because the domain is spelled so, in bytes.
const MIN_SITE_NAME: usize = 3;

/// A title, and the number of blocks of text before it if it is one of the page's headings.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Title {
    pub(super) text: Option<String>,
    pub(super) place: Option<u32>,
}

/// The page's title: the heading that the declared titles or the address repeat, as readers see it;
/// else the only `<h1>`; else OpenGraph and other `<meta>`, JSON-LD, `<title>`, without the name of
/// the site. A home page has no heading of its own, so there the declared title comes first.
pub(super) fn title(sources: &Sources, site: &SiteNames, address: Option<&Url>) -> Title {
    let declared = declared(sources, site);
    let path = address.map_or("", Url::path);
    let is_home = path.trim_matches('/').is_empty() && address.is_none_or(|address| !has_page_number(address));
    if is_home && !declared.is_empty() {
        let named = declared.iter().find(|title| !is_home_title(title)).cloned();
        let named = named.or_else(|| title_element(&sources.head.title).and_then(|title| beside_home(&title)));
        return Title { text: named.or_else(|| declared.into_iter().next()), place: None };
    }
    let mut headings = without_site_above(headings(sources, site, address, is_home), sources, &declared);
    // A date is a title if the page declares it.
    headings.retain(|heading| !is_date(&heading.text) || declared.contains(&heading.text));
    let full = title_element(&sources.head.title);
    let best = agreeing_heading(&headings, &declared, full.as_deref(), site, path);
    if let Some(heading) = best.or_else(|| fallback_heading(sources, &headings)) {
        let whole = declared.iter().chain(&full).any(|title| title.contains(&heading.text));
        let is_less =
            |title: &&String| is_behind_more(title, &heading.text) || !whole && is_before_date(title, &heading.text);
        let title = declared.iter().find(is_less);
        return Title { text: Some(title.unwrap_or(&heading.text).clone()), place: Some(heading.place) };
    }
    let first = headings.iter().find(|heading| heading.level == 1);
    let text = declared.into_iter().next().or(first.map(|h1| h1.text.clone()));
    Title { text, place: first.map(|h1| h1.place) }
}

/// Titles of home pages that name no site, in lower case.
const HOME: [&str; 22] = [
    "home",
    "homepage",
    "home page",
    "welcome",
    "index",
    "start",
    "startseite",
    "accueil",
    "page d'accueil",
    "inicio",
    "início",
    "página inicial",
    "página principal",
    "strona główna",
    "úvod",
    "hlavní stránka",
    "domov",
    "hjem",
    "главная",
    "главная страница",
    "首页",
    "ホーム",
];

fn is_home_title(title: &str) -> bool {
    HOME.contains(&title.trim().to_lowercase().as_str())
}

/// The part of a title that stands beside the words for a home page.
fn beside_home(title: &str) -> Option<String> {
    let (before, last) = split_at_last(title)?;
    let (first, behind) = split_at_first(title)?;
    let other = if is_home_title(first) { behind } else { Some(before).filter(|_| is_home_title(last))? };
    (!is_home_title(other)).then(|| String::from(other))
}

/// Whether a heading is a declared title with a date, a section or the like before it.
fn is_behind_more(title: &str, heading: &str) -> bool {
    heading.strip_suffix(title).is_some_and(|before| {
        before.ends_with(char::is_whitespace) && before.split_whitespace().count() >= 2 && words(title).len() >= 3
    })
}

/// Whether a heading is a declared title with a date behind it. A number alone may belong to the title.
fn is_before_date(title: &str, heading: &str) -> bool {
    let Some(tail) = heading.strip_prefix(title).filter(|tail| tail.starts_with(char::is_whitespace)) else {
        return false;
    };
    let tail = tail.trim();
    words(title).len() >= 3 && !tail.is_empty() && is_date(tail)
}

/// Whether a text is a date, perhaps with its weekday and time, and nothing else.
fn is_date(text: &str) -> bool {
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let is_part = |word: &str| is_number(word) || month(&word.to_lowercase()).is_some() || is_weekday(word);
    let mut parts = text.split(|c: char| c.is_whitespace() || ".,:/-".contains(c)).filter(|part| !part.is_empty());
    parts.all(is_part) && dates::parse(text).is_some()
}

/// The titles that the page declares, the best first.
fn declared(sources: &Sources, site: &SiteNames) -> Vec<String> {
    let metas = TITLE_KEYS.iter().filter_map(|key| sources.meta(&[key])).map(|title| without_site(&title, site));
    let linked = sources.json_ld.headline.as_deref().and_then(tidy);
    metas.chain(linked).chain(from_title_element(&sources.head.title, site)).take(6).collect()
}

/// The names a site goes by: what it calls itself, its domain, the domain's first label.
pub(super) struct SiteNames {
    /// The names in the form of [`joined_letters`].
    names: [String; 3],
}

impl SiteNames {
    /// `domain` is the registered domain.
    pub(super) fn new(sitename: Option<&str>, domain: &str) -> Self {
        let label = domain.split('.').next().unwrap_or_default();
        Self { names: [sitename.unwrap_or_default(), domain, label].map(joined_letters) }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        let the = letters(text).take(3).eq("the".chars()) && letters(text).nth(3).is_some();
        let same = |name: &str| !name.is_empty() && letters(text).skip(if the { 3 } else { 0 }).eq(name.chars());
        self.names.iter().any(|name| same(name) || name.strip_prefix("the").is_some_and(same))
    }

    /// Whether the text is the name of the site, or holds it with other words.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let letters: String = letters(text).collect();
        self.is(text) || self.names.iter().any(|name| name.len() >= MIN_NAME && letters.contains(name.as_str()))
    }
}

/// The part of a `<title>` that is spelled as the site's domain (`Story - The Harbour Wire`), or else looks like an address
/// (`Story - Site.com`).
pub(super) fn site_in_title(title: &str, site: &SiteNames) -> Option<String> {
    let title = title_element(title)?;
    let (_, last) = split_at_last(&title)?;
    let (first, _) = split_at_first(&title)?;
    let named = [last, first].into_iter().find(|part| part.len() >= MIN_SITE_NAME && site.is(part));
    named.or_else(|| [last, first].into_iter().find(|part| is_dotted_word(part))).map(String::from)
}

fn is_dotted_word(part: &str) -> bool {
    let labelled = part.split('.').count() > 1 && part.split('.').all(|label| !label.is_empty());
    labelled && !part.contains(char::is_whitespace)
}

/// Whether a word is an address whose last label can be that of a domain: not `2.0` nor `U.S.`.
fn is_domain(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or_default();
    is_dotted_word(word) && last.len() >= 2 && last.chars().all(char::is_alphabetic)
}

/// The text of a `<title>`; of a longer one than a field may be, its beginning.
fn title_element(title: &str) -> Option<String> {
    let end = title.char_indices().nth(MAX_CHARS).map_or(title.len(), |(at, _)| at);
    tidy(title.get(..end)?)
}

/// The first part of a `<title>` that is no name or address of a site, else all of it. A dot in it is that of an address, or of a
/// sentence if there are several words.
fn from_title_element(title: &str, site: &SiteNames) -> Option<String> {
    let title = title_element(title)?;
    let is_story = |part: &&str| !is_dotted(part) && !site.is(part);
    let is_site =
        |first: &str, last: &str| site.is(last) || reads_as_site(last) && words(first).len() > words(last).len();
    let before_site = || split_at_last_weak(&title).filter(|(first, last)| is_site(first, last));
    let parts = split_at_last(&title).or_else(before_site);
    let part = parts.and_then(|(first, last)| [first, last].into_iter().find(is_story));
    // Beside the name of the site, the dot of `St. Louis` is none of an address.
    let beside_site = || parts.filter(|(first, last)| site.is(last) && !first.split_whitespace().any(is_dotted_word));
    let part = part.or_else(|| beside_site().map(|(first, _)| first));
    Some(part.map_or(title.clone(), String::from))
}

/// Whether a part of a title, or one of its own parts, has the dot of an address or an abbreviation and not that of a sentence,
/// which has several words.
fn is_dotted(mut part: &str) -> bool {
    while !part.is_empty() {
        let (first, rest) = split_at_first(part).unwrap_or((part, ""));
        let mut words = first.split_whitespace();
        if first.contains('.') && (words.clone().count() < 4 || words.any(is_domain)) {
            return true;
        }
        part = rest;
    }
    false
}

/// Cuts parts that name the site from the end, or one from the start.
fn without_site(title: &str, site: &SiteNames) -> String {
    let mut rest = title;
    while let Some((first, _)) = split_at_last(rest).filter(|(_, last)| site.is(last)) {
        rest = first;
    }
    rest = split_at_last_weak(rest).filter(|(_, last)| site.is(last)).map_or(rest, |(first, _)| first);
    split_at_first(rest).filter(|(first, _)| site.is(first)).map_or(rest, |(_, last)| last).to_owned()
}

/// Letters and digits in lower case, joined: `La Stampa` is `lastampa`.
fn joined_letters(text: &str) -> String {
    letters(text).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|&c| is_alphanumeric(c)).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests;
