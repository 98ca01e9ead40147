//! The markup of a page with the places of its blocks, for people who want to see why a block is what it is.

use super::Pipeline;
use crate::archive::Record;
use crate::clean::Weights;
use crate::page::blocks::{Block, Container, Page};
use crate::page::head::Head;
use crate::page::payload::{self, Media};
use crate::page::url;

/// A page's markup and its blocks.
#[derive(Debug)]
pub struct PageSource {
    /// The decoded page.
    pub markup: String,
    /// The blocks in order: as many as the page has paragraphs.
    pub blocks: Vec<BlockSource>,
    /// What the page says about itself.
    pub head: Head,
}

/// Where a block stands.
#[derive(Debug)]
pub struct BlockSource {
    /// Its text in the markup, in bytes from the beginning.
    pub range: std::ops::Range<usize>,
    /// The containers around it, outermost first, each with id and classes: `body.home`, `div#main.text`.
    pub containers: Vec<String>,
    /// What weighed in the cleaner's decision; nothing if it does not weigh.
    pub weights: Weights,
}

impl Pipeline {
    /// The source of a record that is a page; `None` for any other.
    pub fn source(&self, record: &Record) -> Option<PageSource> {
        let payload = payload::payload(record, &self.options.payload).ok()?;
        let address = record.header.target_uri().unwrap_or_default();
        let decoded = payload.decode(&address).ok()?;
        let site = url::site(&address);
        let host = site.as_ref().map_or("", |site| &site.host);
        let day = payload::captured(record).map(|time| time.to_zoned(jiff::tz::TimeZone::UTC).date());
        let rule = self.options.rules.choose(&address, host, day).filter(|_| payload.media == Media::Html);
        let page = self.blocks(&payload, &decoded, rule);
        let weights = if payload.media == Media::Html { self.classifier.weights(&page) } else { Vec::new() };
        let block = |(block, weights): (&Block, Weights)| BlockSource {
            range: block.source.0 as usize..block.source.1 as usize,
            containers: path(&page, block.container),
            weights,
        };
        let weights = weights.into_iter().chain(std::iter::repeat_with(Weights::default));
        Some(PageSource {
            blocks: page.blocks.iter().zip(weights).map(block).collect(),
            head: page.head,
            markup: decoded.text.into_owned(),
        })
    }
}

/// Most containers of a path; deeper ones are nobody's handwork.
const DEEPEST: usize = 100;

/// A container and those around it, outermost first.
fn path(page: &Page<'_>, innermost: u32) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = Some(innermost);
    while let Some(container) = next.and_then(|index| page.containers.get(index as usize)) {
        if names.len() == DEEPEST {
            break;
        }
        names.push(name(container));
        next = container.parent;
    }
    names.reverse();
    names
}

/// A container as a CSS selector: element, id and classes.
fn name(container: &Container<'_>) -> String {
    let mut name = container.tag.name().to_string();
    for (sign, words) in [('#', &container.id), ('.', &container.class)] {
        for word in words.split_whitespace() {
            name.push(sign);
            name.push_str(word);
        }
    }
    name
}
