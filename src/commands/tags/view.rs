//! The tag dictionary as an HTML page: for each host a tree of container paths with bars, and a table of elements.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::html::{self, Cell, Table, number, quoted};
use crate::tags::{HostTags, TagDictionary, TagFigures};

/// Most hosts, paths of a page and elements of a host that are shown: those with the most text.
const MOST_HOSTS: usize = 20;
const MOST_PATHS: usize = 1_500;
const MOST_ELEMENTS: usize = 100;
/// Paths with fewer containers are open at first.
const OPEN: usize = 4;
/// Width of the bar of a host's whole text, in the units of its picture.
const BAR: f64 = 200.0;

/// The whole page.
pub fn page(dictionary: &TagDictionary) -> String {
    let mut hosts: Vec<(&String, &HostTags)> = dictionary.hosts.iter().collect();
    hosts.sort_by_key(|(name, tags)| (Reverse(tags.characters), name.as_str()));
    let more = hosts.len().saturating_sub(MOST_HOSTS);
    hosts.truncate(MOST_HOSTS);
    let each = MOST_PATHS / hosts.len().max(1);
    let body = html! {
        h1 { "Tag dictionary" }
        p.soft {
            "What stands in the containers of each site: characters, and how many of them the cleaner lets pass. "
            "Numbers of three or more digits in names stand as *."
        }
        ul.legend { li { span.b2 {} "content" } li { span.b1 {} "boilerplate" } }
        @for (name, tags) in &hosts { (host(name, tags, each)) }
        @if more > 0 { p.none { (number(more as u64)) " more hosts are in the TSV and JSON output." } }
    };
    html::page("Tag dictionary", &body)
}

fn host(name: &str, tags: &HostTags, most: usize) -> Markup {
    let shown = largest(&tags.paths, most);
    html! {
        section {
            h2 { @if name.is_empty() { "(no host)" } @else { (quoted(name)) } }
            p {
                (number(tags.pages)) " pages, " (number(tags.content_pages)) " with content; " (number(tags.characters))
                " characters, " (html::percentage(tags.content_characters, tags.characters)) " of them content"
            }
            div.tree { (tree(&shown, tags.characters)) }
            details.sample { summary { "Elements, classes and ids" } (elements(tags)) }
        }
    }
}

/// The paths with the most text. The containers around a path have at least as much, so none of them is missing.
fn largest(paths: &BTreeMap<Vec<String>, TagFigures>, most: usize) -> Vec<(&[String], &TagFigures)> {
    let mut ranked: Vec<(&Vec<String>, &TagFigures)> = paths.iter().collect();
    ranked.sort_by_key(|(path, figures)| (Reverse(figures.characters), path.len(), *path));
    ranked.truncate(most);
    let chosen: BTreeMap<&Vec<String>, &TagFigures> = ranked.into_iter().collect();
    chosen.into_iter().map(|(path, figures)| (path.as_slice(), figures)).collect()
}

/// The paths as nested lists. They come in their order, a container before those inside; the depth is that of the
/// dictionary.
fn tree(paths: &[(&[String], &TagFigures)], whole: u64) -> Markup {
    let mut pieces = Vec::new();
    let mut rest = paths;
    while let Some(((path, figures), after)) = rest.split_first() {
        let inside = after.iter().take_while(|(other, _)| other.len() > path.len()).count();
        let (inner, next) = after.split_at(inside);
        let label = html! { (bar(figures, whole)) " " code { (quoted(path.last().map_or("", String::as_str))) } " " (described(figures)) };
        pieces.push(if inner.is_empty() {
            html! { li { p.leaf { (label) } (examples(figures)) } }
        } else {
            html! { li { details open[path.len() < OPEN] { summary { (label) } (tree(inner, whole)) } } }
        });
        rest = next;
    }
    html! { ul { @for piece in &pieces { (piece) } } }
}

fn described(figures: &TagFigures) -> Markup {
    html! {
        span.soft {
            (number(figures.characters)) " characters on " (number(figures.pages)) " pages, "
            (html::percentage(figures.content_characters, figures.characters)) " content"
            @if let Some(score) = figures.mean_score() { ", mean score " (format!("{score:+.1}")) }
            @if figures.years.len() > 1 {
                @let years: BTreeSet<String> = figures.years.iter().map(|(year, (all, content))| format!("{year}: {}", html::percentage(*content, *all))).collect();
                "; content by year " (years.into_iter().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn examples(figures: &TagFigures) -> Markup {
    html! { @for text in &figures.examples { blockquote { (quoted(text)) } } }
}

/// A bar as long as the share of the host's text.
fn bar(figures: &TagFigures, whole: u64) -> Markup {
    let width = |characters: u64| format!("{:.1}", BAR * characters as f64 / whole.max(1) as f64);
    let content = figures.content_characters;
    html! {
        svg.bar viewBox={ "0 0 " (BAR) " 12" } aria-hidden="true" {
            rect.c1 width=(width(figures.characters)) height="12" {}
            rect.c2 width=(width(content)) height="12" {}
        }
    }
}

fn elements(tags: &HostTags) -> Markup {
    let mut ranked: Vec<(&String, &TagFigures)> = tags.elements.iter().collect();
    ranked.sort_by_key(|(name, figures)| (Reverse(figures.characters), name.as_str()));
    let row = |(name, figures): &(&String, &TagFigures)| {
        vec![
            Cell::Text((*name).clone()),
            Cell::Count(figures.pages),
            Cell::Count(figures.blocks),
            Cell::Count(figures.characters),
            Cell::Share(figures.content_share()),
            Cell::Text(figures.examples.first().cloned().unwrap_or_default()),
        ]
    };
    Table {
        caption: "Elements, classes and ids with the most text",
        heads: vec!["name", "pages", "blocks", "characters", "content", "example"],
        rows: ranked.iter().take(MOST_ELEMENTS).map(row).collect(),
    }
    .markup()
}
