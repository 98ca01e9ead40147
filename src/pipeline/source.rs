//! The markup of a page with the places of its blocks, for people who want to see why a block is what it is.

use super::{Pipeline, day};
use crate::archive::Record;
use crate::clean::Weights;
use crate::page::blocks::{Block, Container};
use crate::page::head::Head;
use crate::page::payload::{self, Media};

/// A page's markup and its blocks.
#[derive(Debug)]
pub struct PageSource {
    /// The decoded page.
    pub markup: String,
    /// The blocks in order, one for each paragraph of the page.
    pub blocks: Vec<BlockSource>,
    /// The containers of all blocks.
    containers: Vec<SourceContainer>,
    /// What the page says about itself.
    pub head: Head,
}

/// Where a block stands.
#[derive(Debug)]
pub struct BlockSource {
    /// Its text in the markup, in bytes from the beginning.
    pub range: std::ops::Range<usize>,
    /// What weighed in the cleaner's decision; nothing if it does not weigh.
    pub weights: Weights,
    /// Index of the innermost container around it.
    container: u32,
}

/// A container with its name. Many blocks share those around them, which may have long names.
#[derive(Debug)]
struct SourceContainer {
    name: String,
    parent: Option<u32>,
}

/// Most containers around a block that say something of it; those around them are nobody's handwork.
pub const DEEPEST: usize = 100;

impl PageSource {
    /// The containers around a block, innermost first, each with id and classes: `div#main.text`, `body.home`.
    pub fn containers(&self, block: &BlockSource) -> impl Iterator<Item = &str> {
        let container = move |index: u32| self.containers.get(index as usize);
        let around = std::iter::successors(container(block.container), move |inner| inner.parent.and_then(container));
        around.map(|container| container.name.as_str())
    }
}

impl Pipeline {
    /// The source of a record that is a page; `None` for any other.
    pub fn source(&self, record: &Record) -> Option<PageSource> {
        let payload = payload::payload(record, &self.options.payload).ok()?;
        let address = record.header.target_uri().unwrap_or_default();
        let decoded = payload.decode(&address).ok()?;
        let (page, _) = self.blocks(&address, &payload, &decoded, payload::captured(record).map(day));
        let weights = if payload.media == Media::Html { self.classifier.weights(&page) } else { Vec::new() };
        let block = |(block, weights): (&Block, Weights)| BlockSource {
            range: block.source.0 as usize..block.source.1 as usize,
            container: block.container,
            weights,
        };
        let container = |container: &Container<'_>| SourceContainer { name: name(container), parent: container.parent };
        let weights = weights.into_iter().chain(std::iter::repeat_with(Weights::default));
        Some(PageSource {
            blocks: page.blocks.iter().zip(weights).map(block).collect(),
            containers: page.containers.iter().map(container).collect(),
            head: page.head,
            markup: decoded.text.into_owned(),
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{self, Event};
    use crate::limits::Limits;
    use crate::pipeline::{Options, Outcome};

    #[test]
    fn places_are_those_of_the_paragraphs() {
        // The first block has no visible character, and is no paragraph.
        let html = "<p>&#xFEFF;</p><main><p>Ebb and flow</p></main><p>High water</p>";
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        let warc = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len(),
        );
        let bytes = warc.as_bytes();
        let mut events = archive::records(&bytes, 0..u64::MAX, &Limits::default()).unwrap();
        let Some(Ok(Event::Record(record))) = events.next() else { panic!("a record") };
        let pipeline = Pipeline::new(Options::default());
        let Outcome::Page(page) = pipeline.read(&record) else { panic!("a page") };
        let source = pipeline.source(&record).unwrap();
        let texts: Vec<&str> = page.paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect();
        let places: Vec<&str> = source.blocks.iter().map(|block| &source.markup[block.range.clone()]).collect();
        assert_eq!(
            (texts.as_slice(), places.as_slice()),
            (&["Ebb and flow", "High water"][..], &["Ebb and flow", "High water"][..])
        );
        assert_eq!(source.containers(&source.blocks[0]).collect::<Vec<_>>(), ["p", "main", "html"]);
    }
}
