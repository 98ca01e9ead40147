//! What kind of page it is, as far as its head and the sum of its blocks tell. Its address is not asked: the same bytes get the
//! same verdicts wherever they were found, so that copies stay copies.

use super::names::Trait;
use super::scene::{FAR, Scene, flag, steps, steps_to_element};
use crate::page::blocks::{Block, BlockKind, Tag};
use crate::page::head::Head;

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
pub fn whole(scene: &Scene<'_>) -> Vec<f32> {
    let mut row = Vec::with_capacity(64);
    sizes(scene, &mut row);
    shares(scene, &mut row);
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
    names.extend(["articles", "containers", "og_type", "ld_article", "ld_forum"]);
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
    let count = |wanted: fn(BlockKind) -> bool| blocks.iter().filter(|block| wanted(block.kind)).count() as f32;
    row.extend([
        count(|kind| kind == BlockKind::P),
        count(|kind| kind == BlockKind::P) / n,
        count(|kind| kind == BlockKind::Li) / n,
        count(|kind| matches!(kind, BlockKind::Td | BlockKind::Th)) / n,
        count(|kind| {
            matches!(
                kind,
                BlockKind::H1 | BlockKind::H2 | BlockKind::H3 | BlockKind::H4 | BlockKind::H5 | BlockKind::H6
            )
        }) / n,
        count(|kind| kind == BlockKind::H1),
        count(|kind| kind == BlockKind::Pre),
        count(|kind| matches!(kind, BlockKind::Dt | BlockKind::Dd)),
    ]);
}
