//! The content of the documents of a shard: the output of extract without the blocks that the census identified as
//! site templates. Stages that compare documents read their word hashes through [`pages`]; those that need texts read both
//! through [`ContentReader`].

mod readers;

pub use readers::{Content, ContentReader, pages};

use serde::{Deserialize, Serialize};

use crate::clean::justext::Class;
use crate::clean::{Classifier, Neighbour, Reason};
use crate::dedup::sites::{self, HostBlock, Part};
use crate::document::{Document, DropReason, Paragraph};
use crate::page::blocks::BlockKind;
use crate::text::segments::Segmenter;
use crate::text::words;

/// Word hashes of a document's content.
#[derive(Debug, Clone, Default)]
pub struct ContentWords {
    /// One hash for each word, in text order.
    pub hashes: Vec<u64>,
    /// Number of words of each content paragraph.
    pub lengths: Vec<usize>,
}

impl ContentWords {
    /// Hashes the words of the paragraphs that are not boilerplate.
    pub fn of(paragraphs: &[Paragraph]) -> ContentWords {
        let mut words = ContentWords::default();
        for paragraph in paragraphs.iter().filter(|p| !p.boilerplate) {
            let before = words.hashes.len();
            words::hashes(&paragraph.text, &mut words.hashes);
            words.lengths.push(words.hashes.len() - before);
        }
        words
    }
}

/// The part of a page that extract passes on to later stages. Boilerplate goes into a table of its own.
#[derive(Debug, Default)]
pub struct PageContent {
    /// Paragraphs that the cleaner classified as content, in page order.
    pub paragraphs: Vec<Paragraph>,
    pub summary: PageSummary,
    /// One hash for each word of the paragraphs.
    pub hashes: Vec<u64>,
}

/// What stages that compare documents need of a page besides its word hashes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PageSummary {
    pub doc: u64,
    /// Microseconds since 1970 in UTC.
    pub captured: Option<i64>,
    /// Why the document is dropped, as far as its own page decides it, and the templates of its host.
    pub drop_reason: DropReason,
    /// Characters of all blocks of the page, boilerplate included.
    pub page_characters: u64,
    /// The content paragraphs in page order.
    paragraphs: Vec<ContentParagraph>,
    /// All blocks of the page if the cleaner's verdicts depend on neighbouring blocks; else empty.
    outline: Vec<OutlineBlock>,
    /// Number of pages of the host.
    #[serde(skip)]
    site_pages: Option<u32>,
    /// Whether nearly all content of the page is on other pages of the host, too.
    #[serde(skip)]
    repeated_page: bool,
}

/// A content paragraph, without its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ContentParagraph {
    index: u32,
    part: Part,
    characters: u32,
    /// Number of words.
    words: u32,
    /// Whether it is exempt from template detection (see [`is_protected`]).
    protected: bool,
    /// Whether a site rule decided that it is content.
    by_rule: bool,
    /// Number of pages of the host that have it, if the census counted several.
    #[serde(skip)]
    site_pages: Option<u32>,
    #[serde(skip)]
    removed: Option<Removed>,
}

/// Why a paragraph is no content once the templates of its host are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removed {
    Template,
    /// It was content only because of a neighbouring template.
    Neighbours,
}

/// A block of a page, without its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OutlineBlock {
    neighbour: Neighbour,
    part: Part,
    boilerplate: bool,
    /// Whether the block is exempt from template detection (see [`is_protected`]).
    protected: bool,
    /// Number of pages of the host that have the block; 0 until the census is read.
    #[serde(skip)]
    pages: u32,
}

impl PageContent {
    /// Splits the paragraphs of a page into its content and its boilerplate.
    pub fn split(
        document: &Document,
        mut paragraphs: Vec<Paragraph>,
        classifier: &Classifier,
    ) -> (PageContent, Vec<Paragraph>) {
        let title = document.title.as_deref();
        let outline = match classifier.uses_neighbours() {
            true => paragraphs.iter().map(|paragraph| OutlineBlock::new(paragraph, title)).collect(),
            false => Vec::new(),
        };
        let page_characters = paragraphs.iter().map(|paragraph| u64::from(paragraph.characters)).sum();
        let mut boilerplate = Vec::with_capacity(paragraphs.iter().filter(|paragraph| paragraph.boilerplate).count());
        boilerplate.extend(paragraphs.extract_if(.., |paragraph| paragraph.boilerplate));
        let ContentWords { hashes, lengths } = ContentWords::of(&paragraphs);
        let each = paragraphs.iter().zip(&lengths);
        let summary = PageSummary {
            doc: document.doc,
            captured: document.captured,
            drop_reason: document.drop_reason,
            page_characters,
            paragraphs: each.map(|(paragraph, &words)| ContentParagraph::new(paragraph, words, title)).collect(),
            outline,
            ..PageSummary::default()
        };
        (PageContent { paragraphs, summary, hashes }, boilerplate)
    }
}

impl PageSummary {
    /// The paragraphs that are content after all.
    fn content(&self) -> impl Iterator<Item = &ContentParagraph> {
        self.paragraphs.iter().filter(|paragraph| paragraph.removed.is_none())
    }

    /// Characters of the content.
    pub fn characters(&self) -> u64 {
        self.content().map(|paragraph| u64::from(paragraph.characters)).sum()
    }

    /// The words of the content, from `hashes`, those of all paragraphs.
    fn words(&self, mut hashes: Vec<u64>) -> ContentWords {
        let lengths = self.content().map(|paragraph| paragraph.words as usize).collect();
        if self.paragraphs.iter().any(|paragraph| paragraph.removed.is_some()) {
            let mut paragraphs = self.paragraphs.iter();
            let (mut left, mut keep) = (0, false);
            hashes.retain(|_| {
                while left == 0 {
                    let Some(next) = paragraphs.next() else { break };
                    (left, keep) = (next.words, next.removed.is_none());
                }
                left = left.saturating_sub(1);
                keep
            });
        }
        ContentWords { hashes, lengths }
    }

    /// Stores the census count of a block: the number of pages of its host that have it.
    fn count_pages(&mut self, index: u32, pages: u32) {
        if let Ok(at) = self.paragraphs.binary_search_by_key(&index, |paragraph| paragraph.index) {
            self.paragraphs.iter_mut().skip(at).take(1).for_each(|paragraph| paragraph.site_pages = Some(pages));
        }
        if let Ok(at) = self.outline.binary_search_by_key(&index, |block| block.neighbour.index) {
            self.outline.iter_mut().skip(at).take(1).for_each(|block| block.pages = pages);
        }
    }

    /// Removes the paragraphs that are site templates, and those that were content only because of a neighbouring
    /// template.
    fn remove_templates(&mut self, options: &sites::Options, classifier: &Classifier) {
        let blocks: Vec<HostBlock> = match self.outline.is_empty() {
            true => self.paragraphs.iter().map(ContentParagraph::host_block).collect(),
            false => self.outline.iter().map(OutlineBlock::host_block).collect(),
        };
        let found = sites::templates(&blocks, self.site_pages.unwrap_or(0), options);
        self.repeated_page = found.repeated_page;
        if !found.template.contains(&true) {
            return;
        }
        if self.outline.is_empty() {
            let both = self.paragraphs.iter_mut().zip(&found.template);
            both.filter(|(_, template)| **template).for_each(|(p, _)| p.removed = Some(Removed::Template));
        } else {
            let both = self.outline.iter().zip(&found.template);
            let templates = both.filter(|(_, template)| **template).map(|(block, _)| block.neighbour.index);
            let templates: Vec<u32> = templates.collect();
            let removed = self.paragraphs.iter_mut().filter(|p| templates.binary_search(&p.index).is_ok());
            removed.for_each(|paragraph| paragraph.removed = Some(Removed::Template));
            self.revise(&found.template, classifier);
        }
        if !self.paragraphs.is_empty() && self.drop_reason.is_none() && self.content().next().is_none() {
            self.drop_reason = DropReason::Template;
        }
    }

    /// Removes content that the cleaner calls boilerplate once the neighbouring templates are removed.
    fn revise(&mut self, templates: &[bool], classifier: &Classifier) {
        let neighbours: Vec<Neighbour> = self.outline.iter().map(|block| block.neighbour).collect();
        let boilerplate = classifier.revise(&neighbours, templates);
        let revised = self.paragraphs.iter_mut().filter(|p| boilerplate.binary_search(&p.index).is_ok());
        for paragraph in revised.filter(|p| p.removed.is_none() && !p.by_rule) {
            paragraph.removed = Some(Removed::Neighbours);
        }
    }
}

impl ContentParagraph {
    fn new(paragraph: &Paragraph, words: usize, title: Option<&str>) -> ContentParagraph {
        ContentParagraph {
            index: paragraph.index,
            part: part(paragraph),
            characters: paragraph.characters,
            words: words as u32,
            protected: is_protected(paragraph, title),
            by_rule: paragraph.reason.is_rule(),
            site_pages: None,
            removed: None,
        }
    }

    fn host_block(&self) -> HostBlock {
        let &ContentParagraph { index, part, characters, protected, site_pages, .. } = self;
        HostBlock { index, part, characters, pages: site_pages.unwrap_or(0), boilerplate: false, protected }
    }

    /// Applies to the paragraph's row what the census says about it.
    fn apply(&self, paragraph: &mut Paragraph) {
        paragraph.site_pages = self.site_pages;
        let Some(removed) = self.removed else { return };
        (paragraph.boilerplate, paragraph.score) = (true, None);
        (paragraph.drop_reason, paragraph.reason) = match removed {
            Removed::Template => (DropReason::Template, Reason::Template),
            Removed::Neighbours => (DropReason::Boilerplate, Reason::Neighbours),
        };
        if removed == Removed::Neighbours {
            paragraph.class = Class::Bad;
        }
    }
}

impl OutlineBlock {
    fn new(paragraph: &Paragraph, title: Option<&str>) -> OutlineBlock {
        let &Paragraph { index, heading, characters, context_free, boilerplate, .. } = paragraph;
        let neighbour = Neighbour { index, heading, characters, context_free };
        let part = part(paragraph);
        OutlineBlock { neighbour, part, boilerplate, protected: is_protected(paragraph, title), pages: 0 }
    }

    fn host_block(&self) -> HostBlock {
        let &OutlineBlock { neighbour: Neighbour { index, characters, .. }, part, boilerplate, protected, pages } =
            self;
        HostBlock { index, part, characters, pages, boilerplate, protected }
    }
}

/// What the paragraph is to those beside it.
fn part(paragraph: &Paragraph) -> Part {
    match paragraph.kind {
        _ if paragraph.heading => Part::Heading,
        BlockKind::Td | BlockKind::Th if paragraph.table > 0 => Part::Cell(paragraph.table),
        BlockKind::P if paragraph.table_row > 0 => Part::Cell(paragraph.table),
        BlockKind::Dt | BlockKind::Dd | BlockKind::Li => Part::Item,
        BlockKind::P if paragraph.item > 0 => Part::Item,
        _ => Part::Text,
    }
}

/// Main headings, the title and blocks that a site rule decided are never templates, on however many pages they occur.
fn is_protected(paragraph: &Paragraph, title: Option<&str>) -> bool {
    paragraph.kind == BlockKind::H1 || title == Some(paragraph.text.as_str()) || paragraph.reason.is_rule()
}

/// The sentences of a paragraph, by the rules of its language.
pub fn sentences<'a>(paragraph: &'a Paragraph, segmenter: &Segmenter) -> Vec<&'a str> {
    let tokenizer = segmenter.language(paragraph.language.map_or("", |language| language.code()));
    tokenizer.sentences(&paragraph.text).into_iter().filter_map(|range| paragraph.text.get(range)).collect()
}
