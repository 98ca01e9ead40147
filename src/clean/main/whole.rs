//! What kind of page it is, as far as its address, its head and the sum of its blocks tell.

use super::names::Trait;
use super::scene::{FAR, Scene, flag, steps, steps_to_element};
use crate::page::blocks::{Block, Kind, Tag};
use crate::page::head::Head;

/// Words in addresses that go with a kind of page.
const ADDRESS: [&[&str]; 3] = [
    &[
        "forum",
        "thread",
        "topic",
        "viewtopic",
        "showthread",
        "discussion",
        "boards",
        "questions",
        "/t/",
        "community",
        "/comments/",
        "answers",
    ],
    &[
        "category",
        "/tag/",
        "/tags/",
        "search",
        "collection",
        "archive",
        "/c/",
        "/list",
        "directory",
        "/best",
        "catalog",
    ],
    &["blog", "news", "article", "story", "/post", "/20", "/19", "artikel"],
];

/// Types of objects in JSON-LD that go with one.
const TYPES: [&[&str]; 4] = [
    &[
        "article",
        "newsarticle",
        "blogposting",
        "reportagenewsarticle",
        "opinionnewsarticle",
        "techarticle",
        "scholarlyarticle",
    ],
    &["discussionforumposting", "qapage", "question", "answer", "socialmediaposting"],
    &["organization", "localbusiness", "service", "corporation", "professionalservice"],
    &["webpage", "website"],
];

/// Names whose share of the prose is asked for.
const SHARES: [Trait; 8] = [
    Trait::Comment,
    Trait::Forum,
    Trait::Article,
    Trait::Content,
    Trait::Body,
    Trait::Related,
    Trait::Product,
    Trait::Review,
];
/// Elements whose share is.
const ELEMENT_SHARES: [Tag; 4] = [Tag::Article, Tag::Main, Tag::Table, Tag::Li];
/// Objects of JSON-LD, and elements of time, that are looked at.
const MOST_OBJECTS: usize = 100;

/// Features of a page that all its blocks share.
pub fn whole(scene: &Scene<'_>, url: &str) -> Vec<f32> {
    let mut row = Vec::with_capacity(64);
    sizes(scene, &mut row);
    shares(scene, &mut row);
    address(url, &mut row);
    head(&scene.page.head, &mut row);
    kinds(&scene.page.blocks, &mut row);
    row
}

/// Their names.
pub fn names() -> Vec<String> {
    let mut names: Vec<&str> =
        vec!["page_blocks", "page_length", "page_links", "page_prose", "page_stopwords", "page_mean"];
    names.extend(["comment_share", "forum_share", "article_share", "content_share", "body_share", "related_share"]);
    names.extend([
        "product_share",
        "review_share",
        "in_article_share",
        "in_main_share",
        "in_table_share",
        "in_li_share",
    ]);
    names.extend(["articles", "containers", "url_depth", "url_slug", "url_dashes", "url_query", "url_forum"]);
    names.extend(["url_list", "url_news", "og_type", "ld_article", "ld_forum"]);
    names.extend(["ld_organization", "ld_page", "times", "ld_count", "metas", "ps", "p_share"]);
    names.extend(["li_share", "cell_share", "heading_share", "h1s", "pres", "definitions"]);
    names.into_iter().map(String::from).collect()
}

fn sizes(scene: &Scene<'_>, row: &mut Vec<f32>) {
    let (n, total) = (scene.page.blocks.len().max(1) as f32, &scene.total);
    row.extend([
        n,
        total.length,
        total.link_density(),
        total.prose_density(),
        total.stopwords / total.words.max(1.0),
        total.length / n,
    ]);
}

/// How much of the prose stands in what: an article with comments is another thing than a thread of them.
fn shares(scene: &Scene<'_>, row: &mut Vec<f32>) {
    let mut sums = [0.0; SHARES.len() + ELEMENT_SHARES.len()];
    for (own, block) in scene.own.iter().zip(&scene.page.blocks).filter(|(own, _)| own.prose > 0.0) {
        let Some(place) = scene.places.get(block.container as usize) else { continue };
        let elements = ELEMENT_SHARES.iter().map(|&tag| steps_to_element(place, tag));
        let near = SHARES.iter().map(|&one| steps(place, one)).chain(elements);
        sums.iter_mut().zip(near).filter(|&(_, steps)| steps < FAR).for_each(|(sum, _)| *sum += own.prose);
    }
    row.extend(sums.map(|sum| sum / scene.total.prose.max(1.0)));
    let articles = scene.page.containers.iter().filter(|c| c.tag == Tag::Article).count();
    row.extend([articles as f32, scene.page.containers.len() as f32]);
}

fn address(url: &str, row: &mut Vec<f32>) {
    let lower = url.to_ascii_lowercase();
    let path = lower.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    let bare = path.split(['?', '#']).next().unwrap_or_default();
    let slug = bare.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    // Hosts under `.invalid` (RFC 2606) stand for addresses that nobody knows.
    let known = crate::page::url::site(url).is_some_and(|site| site.tld != "invalid");
    let depth = bare.split('/').filter(|part| !part.is_empty()).count();
    let figures = [depth, slug.len(), slug.matches(['-', '_']).count()];
    row.extend(figures.map(|figure| if known { figure as f32 } else { -1.0 }));
    row.push(flag(path.contains('?')));
    let rooted = format!("/{path}");
    row.extend(ADDRESS.iter().map(|words| flag(words.iter().any(|word| rooted.contains(word)))));
}

fn head(head: &Head, row: &mut Vec<f32>) {
    let stated = head.meta.iter().find(|m| m.key == "og:type").map(|m| m.content.to_ascii_lowercase());
    row.push(match stated.as_deref() {
        None => 0.0,
        Some(kind) if kind.contains("article") || kind.contains("blog") => 1.0,
        Some(kind) if kind.contains("product") => 2.0,
        Some("website") => 3.0,
        Some(_) => 4.0,
    });
    let mut types = [0.0f32; TYPES.len()];
    for json in &head.json_ld {
        for at in memchr::memmem::find_iter(json.as_bytes(), b"\"@type\"").take(MOST_OBJECTS) {
            let rest = json.get(at + 7..).unwrap_or_default();
            let value = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || ":[\"".contains(c));
            let end = value.bytes().take(40).take_while(u8::is_ascii_alphanumeric).count();
            let name = value.get(..end).unwrap_or_default().to_ascii_lowercase();
            for (count, names) in types.iter_mut().zip(TYPES) {
                *count = (*count + flag(names.contains(&name.as_str()))).min(9.0);
            }
        }
    }
    row.extend(types);
    row.push(head.times.min(MOST_OBJECTS as u32) as f32);
    row.extend([head.json_ld.len(), head.meta.len()].map(|n| n as f32));
}

fn kinds(blocks: &[Block], row: &mut Vec<f32>) {
    let n = blocks.len().max(1) as f32;
    let count = |wanted: fn(Kind) -> bool| blocks.iter().filter(|block| wanted(block.kind)).count() as f32;
    row.extend([
        count(|kind| kind == Kind::P),
        count(|kind| kind == Kind::P) / n,
        count(|kind| kind == Kind::Li) / n,
        count(|kind| matches!(kind, Kind::Td | Kind::Th)) / n,
        count(|kind| matches!(kind, Kind::H1 | Kind::H2 | Kind::H3 | Kind::H4 | Kind::H5 | Kind::H6)) / n,
        count(|kind| kind == Kind::H1),
        count(|kind| kind == Kind::Pre),
        count(|kind| matches!(kind, Kind::Dt | Kind::Dd)),
    ]);
}
