//! Reads the content of the documents of a shard, with what the census counted on their hosts.

use super::{ContentWords, PageSummary};
use crate::document::{Document, Paragraph};
use crate::error::{Error, Result};
use crate::pipeline::WHOLE_PAGE;
use crate::stages::Job;
use crate::stages::census::CountRow;
use crate::stages::extract::Extract;
use crate::store::rows;
use crate::store::spill::{self, MergeJoin};

/// Iterates over the pages of a shard in corpus order, each with the words of its content.
pub struct WordReader<'a> {
    job: &'a Job,
    pages: rows::Reader<PageSummary>,
    page_counts: MergeJoin<CountRow>,
    /// Number of pages that extract wrote and that are not read yet; `None` if its marker is missing.
    left: Option<u64>,
}

impl<'a> WordReader<'a> {
    /// Opens a shard.
    pub fn of_shard(job: &'a Job, shard: u32) -> Result<WordReader<'a>> {
        let marker = job.marker(&Extract, shard)?;
        let counts: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.page_counts(range)).collect();
        let counts = match job.config.sites.enabled {
            true => Some(spill::merge(&counts, shard, &job.sort_space)?),
            false => None,
        };
        Ok(WordReader {
            job,
            pages: rows::Reader::open(&job.layout.extracted(shard).hashes())?,
            page_counts: MergeJoin::new(counts, |row| row.doc),
            left: marker.map(|marker| marker.counts.pages),
        })
    }

    fn read(&mut self) -> Result<Option<(PageSummary, ContentWords)>> {
        let mut hashes = Vec::new();
        let Some(mut page) = self.pages.with_numbers(&mut hashes)? else { return self.finish().map(|()| None) };
        self.left = self.left.map(|left| left.wrapping_sub(1));
        self.page_counts.rows_of(page.doc, |CountRow { index, pages, .. }| match index {
            WHOLE_PAGE => page.site_pages = Some(pages),
            index => page.count_pages(index, pages),
        })?;
        if self.job.config.sites.enabled {
            page.remove_templates(&self.job.config.sites.rules, self.job.pipeline.classifier());
        }
        let words = page.words(hashes);
        Ok(Some((page, words)))
    }

    /// Checks that the file has all pages, and that the page counts end with the last of them.
    fn finish(&mut self) -> Result<()> {
        self.page_counts.finish()?;
        match self.left {
            None | Some(0) => Ok(()),
            Some(_) => Err(Error::checksum_mismatch(self.pages.path())),
        }
    }
}

impl Iterator for WordReader<'_> {
    type Item = Result<(PageSummary, ContentWords)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A page with its text.
pub struct Content {
    pub document: Document,
    /// What the cleaner classified as content, in page order; templates of the site are marked as boilerplate.
    pub paragraphs: Vec<Paragraph>,
    pub summary: PageSummary,
    pub words: ContentWords,
}

/// Iterates over the documents of a shard in corpus order, each with its content.
pub struct ContentReader<'a> {
    words: WordReader<'a>,
    documents: rows::Reader<Document>,
    contents: rows::Reader<Vec<Paragraph>>,
}

impl<'a> ContentReader<'a> {
    /// Opens a shard.
    pub fn of_shard(job: &'a Job, shard: u32) -> Result<ContentReader<'a>> {
        let files = job.layout.extracted(shard);
        Ok(ContentReader {
            words: WordReader::of_shard(job, shard)?,
            documents: rows::Reader::open(&files.documents())?,
            contents: rows::Reader::open(&files.contents())?,
        })
    }

    fn read(&mut self) -> Result<Option<Content>> {
        let (words, document) = (self.words.next().transpose()?, self.documents.next().transpose()?);
        let (mut document, (summary, words)) = match (document, words) {
            (Some(document), Some(words)) if document.doc == words.0.doc => (document, words),
            (None, None) => return self.finish().map(|()| None),
            _ => return Err(Error::checksum_mismatch(self.documents.path())),
        };
        let paragraphs = self.contents.next().transpose()?;
        let paragraphs = paragraphs.filter(|paragraphs| paragraphs.len() == summary.paragraphs.len());
        let mut paragraphs = paragraphs.ok_or_else(|| Error::checksum_mismatch(self.contents.path()))?;
        paragraphs.iter_mut().zip(&summary.paragraphs).for_each(|(paragraph, known)| known.apply(paragraph));
        document.site_pages = summary.site_pages;
        document.repeated_page = summary.repeated_page;
        document.drop_reason = summary.drop_reason;
        Ok(Some(Content { document, paragraphs, summary, words }))
    }

    /// Checks that the file of contents ends with the last document.
    fn finish(&mut self) -> Result<()> {
        match self.contents.next().transpose()? {
            None => Ok(()),
            Some(_) => Err(Error::checksum_mismatch(self.contents.path())),
        }
    }
}

impl Iterator for ContentReader<'_> {
    type Item = Result<Content>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A page as the stages that compare documents read it. It has paragraphs only if they asked for texts.
pub type ComparedPage = (PageSummary, ContentWords, Vec<Paragraph>);

/// The pages of a shard in corpus order.
pub fn pages(job: &Job, shard: u32, with_texts: bool) -> Result<Box<dyn Iterator<Item = Result<ComparedPage>> + '_>> {
    Ok(match with_texts {
        true => Box::new(
            ContentReader::of_shard(job, shard)?
                .map(|page| page.map(|page| (page.summary, page.words, page.paragraphs))),
        ),
        false => {
            Box::new(WordReader::of_shard(job, shard)?.map(|page| page.map(|(page, words)| (page, words, Vec::new()))))
        }
    })
}
