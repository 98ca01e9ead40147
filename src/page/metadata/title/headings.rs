//! What the page shows as headings, among them that of its title.

use url::Url;

use super::super::sources::Sources;
use super::super::tidy;
use super::agreement::{MIN_AGREEMENT, agreement, words};
use super::separators::split_at_last;
use super::{SiteNames, title_element};
use crate::page::head::MetadataCandidate;

/// Most headings that are taken for the name of the site because they lead up.
const MAX_SITE_HEADINGS: usize = 4;

/// Longest heading that can be the title, in bytes.
const MAX_TITLE: usize = 400;

/// A heading, or a line of one.
pub(super) struct Heading {
    pub(super) text: String,
    pub(super) level: u8,
    /// Whether blog software names it as the title of the first post.
    of_post: bool,
    pub(super) place: u32,
    /// Whether it begins with a link to the home page or to a folder above the page.
    leads_up: bool,
}

impl Heading {
    /// The level that counts against other headings: the title of a post stands below the name of its blog.
    pub(super) fn rank(&self) -> u8 {
        if self.of_post { 1 } else { self.level }
    }
}

/// What the page shows as headings, without the name of the site; each line of one by itself too.
pub(super) fn headings(sources: &Sources, site: &SiteNames, address: Option<&Url>, is_home: bool) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut add = |text: &str, level: u8, place: u32, leads_up: bool, of_post: bool| {
        let text = text.trim_end_matches(['¶', '#', ' ', '\u{f0c1}']);
        // arXiv says what it is.
        let text = text.strip_prefix("Title:").unwrap_or(text);
        if let Some(text) = tidy(text).filter(|text| text.len() <= MAX_TITLE && !site.is(text)) {
            found.push(Heading { text, level, of_post, place, leads_up });
        }
    };
    let mut seen_post = is_home;
    let first = sources.head.candidates.iter().find(|element| element.level == 1).map(|h1| h1.text.as_str());
    for element in sources.head.candidates.iter().filter(|element| is_heading(element)) {
        // The next ones are those of other posts, as are all on a home page.
        let of_post =
            !seen_post && is_named_as_title(element) && !first.is_some_and(|h1| h1.contains(element.text.trim()));
        seen_post |= of_post;
        let level = if element.level == 0 { 4 } else { element.level };
        let leads_up = address.is_some_and(|page| leads_up(&element.first_link, page));
        add(&element.text, level, element.place, leads_up, of_post);
        if element.text.contains('\n') {
            element.text.lines().for_each(|line| add(line, level, element.place, leads_up, of_post));
        }
    }
    let titled = sources.head.lines.iter().filter(|line| line.titled && !line.aside && !line.linked);
    for line in titled.filter(|line| split_at_last(&line.text).is_none()) {
        add(&line.text, 9, line.place, false, false);
    }
    found
}

/// Whether a link of the page leads to its home page or to a folder above it.
fn leads_up(link: &str, page: &Url) -> bool {
    let target = if link.is_empty() { None } else { page.join(link).ok() };
    let Some(target) = target.filter(|target| target.host() == page.host()) else { return false };
    let Some(above) = folder(&target).filter(|above| folder(page) != Some(above)) else { return false };
    page.path().strip_prefix(above).is_some_and(|below| below.starts_with('/'))
}

/// The folder that an address names, without the slash behind it; `None` if it names a page in one.
fn folder(address: &Url) -> Option<&str> {
    let (folder, file) = address.path().rsplit_once('/')?;
    let is_index = file.is_empty() || file.starts_with("index.");
    (is_index && address.query().is_none()).then_some(folder)
}

/// The headings without those that lead up and name the site, where a title has their words and another heading is the rest of
/// it: `Blog: Story` above the heading `Story`.
pub(super) fn without_site_above(mut headings: Vec<Heading>, sources: &Sources, declared: &[String]) -> Vec<Heading> {
    let names = headings.iter().filter(|heading| heading.leads_up).take(MAX_SITE_HEADINGS);
    let names: Vec<Vec<u64>> = names.map(|heading| words(&heading.text)).collect();
    if names.is_empty() {
        return headings;
    }
    let full = title_element(&sources.head.title);
    let titles: Vec<Vec<u64>> = declared.iter().chain(&full).map(|title| words(title)).collect();
    let others = headings.iter().filter(|heading| !heading.leads_up);
    let others: Vec<Vec<u64>> = others.map(|heading| words(&heading.text)).collect();
    let is_site = |name: &&Vec<u64>| {
        titles.iter().filter(|title| name.iter().all(|word| title.contains(word))).any(|title| {
            let rest: Vec<u64> = title.iter().filter(|word| !name.contains(word)).copied().collect();
            others.iter().any(|other| agreement(other, &rest) >= MIN_AGREEMENT)
        })
    };
    let sites: Vec<&Vec<u64>> = names.iter().filter(is_site).collect();
    headings.retain(|heading| !heading.leads_up || sites.iter().all(|site| **site != words(&heading.text)));
    headings
}

fn is_heading(element: &MetadataCandidate) -> bool {
    let named = || element.names.contains("headline") || element.names.contains("page-title");
    (element.level > 0 || named() || is_named_as_title(element)) && !(element.aside && element.level != 1)
}

/// Whether an element has a name that blog software gives to the title of a post.
fn is_named_as_title(element: &MetadataCandidate) -> bool {
    ["entry-title", "post-title", "article-title", "posttitle"].iter().any(|name| element.names.contains(name))
}

/// The only `<h1>` if it has several words; where no title is declared for sharing, the last
/// heading before the text.
pub(super) fn fallback_heading<'a>(sources: &Sources, headings: &'a [Heading]) -> Option<&'a Heading> {
    let several = |heading: &&Heading| words(&heading.text).len() >= 3;
    let mut firsts = headings.iter().filter(|heading| heading.level == 1);
    let only = firsts.next().filter(|_| firsts.next().is_none()).filter(several);
    let shared = sources.meta(&["og:title"]).is_some();
    let body = sources.head.body.filter(|_| !shared);
    let before = |heading: &&Heading| heading.level <= 4 && body.is_some_and(|body| heading.place <= body);
    only.or_else(|| headings.iter().rev().filter(before).find(several))
}
