//! Features of the page that all its blocks share: what its head and the sums over its blocks tell about the kind of
//! page. The address is not used: the same bytes get the same verdicts wherever they were found, so that copies stay
//! copies.

use super::container_names::ContainerTrait;
use super::page_context::{MAX_STEPS, PageContext, levels_to_element, levels_to_name};
use crate::clean::{indicator, stated_types};
use crate::page::blocks::{Block, BlockKind, Tag};
use crate::page::head::Head;

/// Types of JSON-LD objects whose number is a feature.
const TYPES: [&[&str]; 4] =
    [stated_types::ARTICLE, stated_types::FORUM, stated_types::ORGANIZATION, stated_types::PAGE];

/// Names whose share of the prose is a feature.
const SHARES: [ContainerTrait; 8] = [
    ContainerTrait::Comment,
    ContainerTrait::Forum,
    ContainerTrait::Article,
    ContainerTrait::Content,
    ContainerTrait::Body,
    ContainerTrait::Related,
    ContainerTrait::Product,
    ContainerTrait::Review,
];
/// Elements whose share of the prose is a feature.
const ELEMENT_SHARES: [Tag; 4] = [Tag::Article, Tag::Main, Tag::Table, Tag::Li];
/// Number of JSON-LD objects, and of `time` elements, that count.
const MOST_OBJECTS: usize = 100;

/// The features of a page, in the order of [`names()`].
pub fn page_features(page_context: &PageContext<'_>) -> Vec<f32> {
    let mut row = Vec::with_capacity(64);
    sizes(page_context, &mut row);
    shares(page_context, &mut row);
    head(&page_context.page.head, &mut row);
    kinds(&page_context.page.blocks, &mut row);
    row
}

/// Names of the page's features.
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

fn sizes(page_context: &PageContext<'_>, row: &mut Vec<f32>) {
    let (n, total) = (page_context.page.blocks.len().max(1) as f32, &page_context.total);
    row.extend([
        n,
        total.length,
        total.link_density(),
        total.prose_density(),
        total.stopwords / total.words.max(1.0),
        total.length / n,
    ]);
}

/// Shares of the prose by container: an article with comments is another kind of page than a thread of comments.
fn shares(page_context: &PageContext<'_>, row: &mut Vec<f32>) {
    let mut sums = [0.0; SHARES.len() + ELEMENT_SHARES.len()];
    for (sums_of_block, block) in
        page_context.block_sums.iter().zip(&page_context.page.blocks).filter(|(sums, _)| sums.prose > 0.0)
    {
        let Some(container) = page_context.containers.get(block.container as usize) else { continue };
        let elements = ELEMENT_SHARES.iter().map(|&tag| levels_to_element(container, tag));
        let near = SHARES.iter().map(|&one| levels_to_name(container, one)).chain(elements);
        sums.iter_mut()
            .zip(near)
            .filter(|&(_, levels)| levels < MAX_STEPS)
            .for_each(|(sum, _)| *sum += sums_of_block.prose);
    }
    row.extend(sums.map(|sum| sum / page_context.total.prose.max(1.0)));
    let articles = page_context.page.containers.iter().filter(|c| c.tag == Tag::Article).count();
    row.extend([articles as f32, page_context.page.containers.len() as f32]);
}

fn head(head: &Head, row: &mut Vec<f32>) {
    row.push(stated_types::og_type(head));
    let mut types = [0.0f32; TYPES.len()];
    for json in &head.json_ld {
        for name in stated_types::types(json).take(MOST_OBJECTS) {
            for (count, names) in types.iter_mut().zip(TYPES) {
                *count = (*count + indicator(stated_types::is_one_of(name, names))).min(9.0);
            }
        }
    }
    row.extend(types);
    row.push(head.times.min(MOST_OBJECTS as u32) as f32);
    row.extend([head.json_ld.len(), head.meta.len()].map(|n| n as f32));
}

fn kinds(blocks: &[Block], row: &mut Vec<f32>) {
    let n = blocks.len().max(1) as f32;
    let mut counts = [0u32; BlockKind::ALL.len()];
    for block in blocks {
        counts.get_mut(block.kind as usize).into_iter().for_each(|count| *count += 1);
    }
    let count = |wanted: fn(BlockKind) -> bool| {
        let of_kind = BlockKind::ALL.iter().zip(counts).filter(|(kind, _)| wanted(**kind));
        of_kind.map(|(_, count)| count).sum::<u32>() as f32
    };
    row.extend([
        count(|kind| kind == BlockKind::P),
        count(|kind| kind == BlockKind::P) / n,
        count(|kind| kind == BlockKind::Li) / n,
        count(|kind| matches!(kind, BlockKind::Td | BlockKind::Th)) / n,
        count(BlockKind::is_heading) / n,
        count(|kind| kind == BlockKind::H1),
        count(|kind| kind == BlockKind::Pre),
        count(|kind| matches!(kind, BlockKind::Dt | BlockKind::Dd)),
    ]);
}
