//! The documents of a shard with their content: the output of extract without the blocks that the census identified as
//! site templates. The stages after the census read documents through [`ContentReader`].

use serde::{Deserialize, Serialize};

use crate::clean::justext::Class;
use crate::clean::{Classifier, Neighbour, Reason};
use crate::dedup::sites::{self, HostBlock};
use crate::document::{Document, DropReason, Paragraph};
use crate::error::{Error, Result};
use crate::page::blocks::BlockKind;
use crate::pipeline::WHOLE_PAGE;
use crate::stages::census::CountRow;
use crate::stages::counters::Counters;
use crate::stages::extract::Extract;
use crate::stages::{Job, Stage};
use crate::store::marker::Marker;
use crate::store::rows;
use crate::store::spill::{self, MergeJoin};
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

/// The blocks of a page that extract passes on to later stages. Boilerplate goes into a table of its own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct PageContent {
    /// Characters of all blocks of the page, boilerplate included.
    pub page_characters: u64,
    /// Paragraphs that the cleaner classified as content, in page order.
    pub paragraphs: Vec<Paragraph>,
    /// All blocks of the page if the cleaner's verdicts depend on neighbouring blocks; else empty.
    outline: Vec<OutlineBlock>,
}

/// A block of a page, without its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct OutlineBlock {
    neighbour: Neighbour,
    boilerplate: bool,
    /// Whether the block is exempt from template detection (see [`is_protected`]).
    protected: bool,
    /// Number of pages of the host that have the block; 0 until the census is read.
    #[serde(skip)]
    pages: u32,
}

impl PageContent {
    /// Splits the paragraphs of a page into its content and its boilerplate.
    pub fn split(paragraphs: Vec<Paragraph>, title: Option<&str>, classifier: &Classifier) -> (Self, Vec<Paragraph>) {
        let outline = match classifier.uses_neighbours() {
            true => paragraphs.iter().map(|paragraph| OutlineBlock::new(paragraph, title)).collect(),
            false => Vec::new(),
        };
        let page_characters = paragraphs.iter().map(|paragraph| u64::from(paragraph.characters)).sum();
        let (boilerplate, paragraphs) = paragraphs.into_iter().partition(|paragraph| paragraph.boilerplate);
        (PageContent { page_characters, paragraphs, outline }, boilerplate)
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

    /// Drops the paragraphs that are site templates, and those that were content only because of a neighbouring
    /// template.
    fn drop_templates(&mut self, document: &mut Document, options: &sites::Options, classifier: &Classifier) {
        let title = document.title.as_deref();
        let blocks: Vec<HostBlock> = match self.outline.is_empty() {
            true => self.paragraphs.iter().map(|paragraph| host_block(paragraph, title)).collect(),
            false => self.outline.iter().map(OutlineBlock::host_block).collect(),
        };
        let found = sites::templates(&blocks, document.site_pages.unwrap_or(0), options);
        document.repeated_page = found.repeated_page;
        if !found.template.contains(&true) {
            return;
        }
        let (had_content, mut dropped) = (!self.paragraphs.is_empty(), Vec::new());
        if self.outline.is_empty() {
            let both = self.paragraphs.iter().zip(&found.template);
            dropped.extend(both.filter(|(_, template)| **template).map(|(paragraph, _)| paragraph.index));
        } else {
            let both = self.outline.iter().zip(&found.template);
            dropped.extend(both.filter(|(_, template)| **template).map(|(block, _)| block.neighbour.index));
        }
        for paragraph in self.paragraphs.iter_mut().filter(|p| dropped.binary_search(&p.index).is_ok()) {
            drop_paragraph(paragraph, DropReason::Template, Reason::Template);
        }
        if !self.outline.is_empty() {
            self.revise(&found.template, classifier);
        }
        if had_content && document.drop_reason.is_none() && self.paragraphs.iter().all(|p| p.boilerplate) {
            document.drop_reason = DropReason::Template;
        }
    }

    /// Drops content that the cleaner calls boilerplate once the neighbouring templates are removed.
    fn revise(&mut self, templates: &[bool], classifier: &Classifier) {
        let neighbours: Vec<Neighbour> = self.outline.iter().map(|block| block.neighbour).collect();
        let boilerplate = classifier.revise(&neighbours, templates);
        let revised = self.paragraphs.iter_mut().filter(|p| boilerplate.binary_search(&p.index).is_ok());
        for paragraph in revised.filter(|p| !p.boilerplate && !p.reason.is_rule()) {
            drop_paragraph(paragraph, DropReason::Boilerplate, Reason::Neighbours);
            paragraph.class = Class::Bad;
        }
    }
}

impl OutlineBlock {
    fn new(paragraph: &Paragraph, title: Option<&str>) -> OutlineBlock {
        let &Paragraph { index, heading, characters, context_free, boilerplate, .. } = paragraph;
        let neighbour = Neighbour { index, heading, characters, context_free };
        OutlineBlock { neighbour, boilerplate, protected: is_protected(paragraph, title), pages: 0 }
    }

    fn host_block(&self) -> HostBlock {
        let &OutlineBlock { neighbour: Neighbour { characters, .. }, boilerplate, protected, pages } = self;
        HostBlock { characters, pages, boilerplate, protected }
    }
}

fn host_block(paragraph: &Paragraph, title: Option<&str>) -> HostBlock {
    HostBlock {
        characters: paragraph.characters,
        pages: paragraph.site_pages.unwrap_or(0),
        boilerplate: paragraph.boilerplate,
        protected: is_protected(paragraph, title),
    }
}

/// Main headings, the title and blocks that a site rule decided are never templates, on however many pages they occur.
fn is_protected(paragraph: &Paragraph, title: Option<&str>) -> bool {
    paragraph.kind == BlockKind::H1 || title == Some(paragraph.text.as_str()) || paragraph.reason.is_rule()
}

fn drop_paragraph(paragraph: &mut Paragraph, drop_reason: DropReason, reason: Reason) {
    (paragraph.boilerplate, paragraph.score) = (true, None);
    (paragraph.drop_reason, paragraph.reason) = (drop_reason, reason);
}

/// Iterates over the documents of a shard in corpus order, each with its content.
pub struct ContentReader<'a> {
    job: &'a Job,
    documents: rows::Reader<Document>,
    contents: rows::Reader<PageContent>,
    page_counts: MergeJoin<CountRow>,
}

impl<'a> ContentReader<'a> {
    /// Opens a shard and verifies the checksums of its files.
    pub fn of_shard(job: &'a Job, shard: u32) -> Result<ContentReader<'a>> {
        let files = job.layout.extracted(shard);
        if let Some(marker) = Marker::<Counters>::read(&job.layout.done(Extract.name(), shard))? {
            [files.documents(), files.contents()].iter().try_for_each(|path| marker.check(job.layout.root(), path))?;
        }
        let counts: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.page_counts(range)).collect();
        let counts = match job.config.sites.enabled {
            true => Some(spill::merge(&counts, shard, &job.sort_memory)?),
            false => None,
        };
        Ok(ContentReader {
            job,
            documents: rows::Reader::open(&files.documents())?,
            contents: rows::Reader::open(&files.contents())?,
            page_counts: MergeJoin::new(counts, |row| row.doc),
        })
    }

    fn complete(&mut self, mut document: Document) -> Result<(Document, PageContent)> {
        let content = self.contents.next().transpose()?;
        let mut content = content.ok_or_else(|| Error::checksum_mismatch(self.contents.path()))?;
        self.page_counts.rows_of(document.doc, |CountRow { index, pages, .. }| match index {
            WHOLE_PAGE => document.site_pages = Some(pages),
            index => content.count_pages(index, pages),
        })?;
        if self.job.config.sites.enabled {
            content.drop_templates(&mut document, &self.job.config.sites.rules, self.job.pipeline.classifier());
        }
        Ok((document, content))
    }

    /// Checks that the files of contents and page counts end with the last document.
    fn finish(&mut self) -> Result<()> {
        self.page_counts.finish()?;
        match self.contents.next().transpose()? {
            None => Ok(()),
            Some(_) => Err(Error::checksum_mismatch(self.contents.path())),
        }
    }
}

impl Iterator for ContentReader<'_> {
    type Item = Result<(Document, PageContent)>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.documents.next() {
            None => self.finish().err().map(Err),
            Some(document) => Some(document.and_then(|document| self.complete(document))),
        }
    }
}

impl Paragraph {
    /// Splits the paragraph into sentences by the rules of its language.
    pub fn sentences<'a>(&'a self, segmenter: &Segmenter) -> Vec<&'a str> {
        let tokenizer = segmenter.language(self.language.map_or("", |language| language.code()));
        tokenizer.sentences(&self.text).into_iter().filter_map(|range| self.text.get(range)).collect()
    }
}
