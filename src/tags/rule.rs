//! A draft of a site rule from the tag dictionary of the site.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{HostTags, TagFigures, parts};
use crate::text::printable;

/// A content container holds at least this share of the site's content, and is content itself for at least this share of
/// its text.
const LEAST_RECALL: f64 = 0.97;
const LEAST_PURITY: f64 = 0.8;
/// A container is boilerplate if at most this share of its text is content; inside of the content, where a rule lets
/// pass what it does not drop; and for lines with the author or the date, which the metadata have.
const MOST_CONTENT: f64 = 0.02;
const MOST_CONTENT_INSIDE: f64 = 0.2;
const MOST_CONTENT_LINE: f64 = 0.8;
/// The headline belongs to the content if it is content at least this often: cleaners take it for either.
const LEAST_CONTENT_TITLE: f64 = 0.1;
/// Share of the pages that a container must be on.
const MANY_PAGES: f64 = 0.8;
const SOME_PAGES: f64 = 0.1;
/// Pages from which on a rule can be suggested at all.
const LEAST_PAGES: u64 = 5;
/// Most containers that a rule drops.
const MOST_DROPPED: usize = 25;

/// A draft rule for a site as TOML, with the evidence as comments. `None` for a site with too few pages, or where nothing
/// is clear.
pub fn suggest(host: &str, tags: &HostTags) -> Option<String> {
    if tags.pages < LEAST_PAGES || host.is_empty() {
        return None;
    }
    let content = content(tags);
    let metadata = metadata(tags);
    let dropped = dropped(tags, content.map(|(name, _)| name), &metadata);
    if content.is_none() && dropped.is_empty() && metadata.is_empty() {
        return None;
    }
    let mut out = format!(
        "# A draft from {} pages, {} of them with content. Read the evidence, and delete what is not true.\n\
         [[rule]]\nname = {}\nhost = {}\n",
        tags.pages,
        tags.content_pages,
        quoted(host),
        quoted(host)
    );
    if let Some((name, figures)) = content {
        let recall = figures.content_characters as f64 / tags.content_characters.max(1) as f64;
        let _ = writeln!(
            out,
            "# has {:.1} % of the content, {:.1} % of its own text is content, on {} pages",
            100.0 * recall,
            100.0 * figures.content_share(),
            figures.pages
        );
        match title_outside(tags, name, &metadata) {
            Some(title) => {
                out.push_str("# The title is content and stands outside of it.\n");
                let _ = writeln!(out, "content = [{}, {}]", quoted(name), quoted(title));
            }
            None => {
                let _ = writeln!(out, "content = [{}]", quoted(name));
            }
        }
    }
    if !dropped.is_empty() {
        out.push_str("drop = [\n");
        for (name, figures) in dropped {
            let example = figures.examples.first().map(|text| printable(text).into_owned()).unwrap_or_default();
            let (share, pages) = (100.0 * figures.content_share(), figures.pages);
            let _ = writeln!(out, "  {},  # {share:.1} % content, on {pages} pages: {example}", quoted(name));
        }
        out.push_str("]\n");
    }
    if !metadata.is_empty() {
        out.push_str("[rule.metadata]\n");
        for (field, name, pages) in metadata {
            let _ = writeln!(out, "{field} = {}  # on {pages} of {} pages", quoted(name), tags.pages);
        }
    }
    Some(out)
}

/// The purest container with nearly all content of the site.
fn content(tags: &HostTags) -> Option<(&str, &TagFigures)> {
    let fits = |figures: &TagFigures| {
        figures.content_characters as f64 >= LEAST_RECALL * tags.content_characters as f64
            && figures.content_share() >= LEAST_PURITY
            && figures.content_pages as f64 >= MANY_PAGES * tags.content_pages as f64
    };
    let candidates = selectors(tags).filter(|(name, figures)| {
        (name.contains(['.', '#']) || *name == "article" || *name == "main") && fits(figures)
    });
    candidates.max_by_key(|(name, figures)| (figures.content_characters, Reverse(figures.characters), Reverse(*name)))
}

/// The element of the title, if it is content now and then and stands outside of the container of all other content.
fn title_outside<'t>(tags: &HostTags, container: &str, metadata: &[Field<'t>]) -> Option<&'t str> {
    let (_, title, _) = metadata.iter().find(|(field, ..)| *field == "title")?;
    let is_content = tags.elements.get(*title)?.content_share() >= LEAST_CONTENT_TITLE;
    (is_content && !names_inside(tags, container).contains(*title)).then_some(title)
}

/// Containers that are boilerplate wherever they stand, those with the most text first. What is outside of the content
/// needs no selector.
fn dropped<'t>(tags: &'t HostTags, content: Option<&str>, metadata: &[Field<'t>]) -> Vec<(&'t str, &'t TagFigures)> {
    let inside = content.map(|content| names_inside(tags, content));
    let most = if inside.is_some() { MOST_CONTENT_INSIDE } else { MOST_CONTENT };
    let clear = |(name, figures): &(&str, &TagFigures)| {
        let line = metadata.iter().any(|(field, line, _)| *field != "title" && line == name);
        let most = if line { MOST_CONTENT_LINE } else { most };
        name.contains(['.', '#'])
            && inside.as_ref().is_none_or(|inside| inside.contains(*name))
            && figures.content_share() <= most
            && figures.title_pages == 0
            && figures.pages as f64 >= (SOME_PAGES * tags.pages as f64).max(LEAST_PAGES as f64)
    };
    let mut all: Vec<_> = selectors(tags).filter(clear).collect();
    all.sort_by_key(|(name, figures)| (Reverse(figures.characters), *name));
    // One container with several classes is one.
    all.dedup_by_key(|(_, figures)| (figures.characters, figures.blocks));
    all.truncate(MOST_DROPPED);
    all
}

/// The elements that stand inside of a container.
fn names_inside(tags: &HostTags, container: &str) -> BTreeSet<String> {
    let mut inside = BTreeSet::new();
    for path in tags.paths.keys() {
        if let Some((last, around)) = path.split_last()
            && around.iter().any(|name| parts(name).iter().any(|part| part == container))
        {
            inside.extend(parts(last));
        }
    }
    inside.remove(container);
    inside
}

/// A field of the metadata, the element that has it, and on how many pages.
type Field<'t> = (&'static str, &'t str, u64);

/// For each field of the metadata the element that has it on most pages, about once a page.
fn metadata(tags: &HostTags) -> Vec<Field<'_>> {
    type Pages = fn(&TagFigures) -> u64;
    let fields: [(&str, Pages); 3] =
        [("title", |of| of.title_pages), ("author", |of| of.author_pages), ("date", |of| of.date_pages)];
    let best = |(field, pages): (&'static str, Pages)| {
        let clear = selectors(tags).filter(|(_, figures)| {
            pages(figures) as f64 >= MANY_PAGES * tags.pages as f64
                && figures.blocks as f64 <= 1.2 * figures.pages as f64
        });
        let (name, figures) = clear.max_by_key(|(name, figures)| {
            (pages(figures), Reverse(figures.pages), name.contains(['.', '#']), Reverse(*name))
        })?;
        Some((field, name, pages(figures)))
    };
    fields.into_iter().filter_map(best).collect()
}

/// The elements that can be written as a selector as they are.
fn selectors(tags: &HostTags) -> impl Iterator<Item = (&str, &TagFigures)> {
    let plain = |name: &str| {
        let (element, rest) = name.split_at(name.find(['#', '.']).unwrap_or(name.len()));
        let identifier = rest.get(1..).unwrap_or_default();
        let starts = !identifier.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        element.chars().all(|c| c.is_ascii_alphanumeric()) && starts && identifier.chars().all(valid)
    };
    tags.elements.iter().map(|(name, figures)| (name.as_str(), figures)).filter(move |(name, _)| plain(name))
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::tests::site;
    use super::*;
    use crate::page::rules::SiteRules;

    #[test]
    fn a_rule_names_what_is_clear() {
        let dictionary = site(12);
        let rule = suggest("news.example", &dictionary.hosts["news.example"]).unwrap();
        let want = "# A draft from 12 pages, 12 of them with content. Read the evidence, and delete what is not true.\n\
            [[rule]]\nname = \"news.example\"\nhost = \"news.example\"\n\
            # has 100.0 % of the content, 94.0 % of its own text is content, on 12 pages\ncontent = [\"div.page\"]\n\
            drop = [\n  \"p.byline\",  # 0.0 % content, on 12 pages: Owen Tarrant, 2024-10-04\n  \
            \"p.more\",  # 0.0 % content, on 12 pages: Read more about the sea\n]\n\
            [rule.metadata]\ntitle = \"h1.headline\"  # on 12 of 12 pages\nauthor = \"p.byline\"  # on 12 of 12 pages\n\
            date = \"p.byline\"  # on 12 of 12 pages\n";
        assert_eq!(rule, want);
        SiteRules::read([("rule.toml", rule.as_str())]).unwrap();
        assert!(suggest("news.example", &site(4).hosts["news.example"]).is_none());
    }
}
