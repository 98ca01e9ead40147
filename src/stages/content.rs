//! The documents of a shard as the cleaner has them in the end: what extract left, without the blocks
//! that the census found to be template. Whoever needs texts afterwards reads them here.

use serde::Serialize;

use crate::clean::justext::Class;
use crate::clean::{Classifier, Neighbour, Reason};
use crate::dedup::sites::{self, HostBlock};
use crate::document::{Document, Drop, Paragraph};
use crate::error::{Error, Result};
use crate::stages::census::{CountRow, WHOLE_PAGE};
use crate::stages::counters::Counters;
use crate::stages::extract::Extract;
use crate::stages::{Job, Stage};
use crate::store::marker::Marker;
use crate::store::rows;
use crate::store::spill::{self, MergeJoin};
use crate::text::segments::Segmenter;
use crate::text::words;

/// Hashes of the words of what could be kept: of all paragraphs of a document that are no boilerplate.
#[derive(Debug, Clone, Default)]
pub struct Words {
    pub hashes: Vec<u64>,
    /// Words of each of these paragraphs.
    pub lengths: Vec<usize>,
}

impl Words {
    pub fn of(paragraphs: &[Paragraph]) -> Words {
        let mut words = Words::default();
        for paragraph in paragraphs.iter().filter(|p| !p.boilerplate) {
            let before = words.hashes.len();
            words::hashes(&paragraph.text, &mut words.hashes);
            words.lengths.push(words.hashes.len() - before);
        }
        words
    }
}

/// The paragraphs of a document as extract leaves them: three in four are boilerplate, which those who look for duplicates
/// need not read.
#[derive(Debug, Serialize)]
pub struct Parted<'a> {
    content: Vec<&'a Paragraph>,
    boilerplate: Vec<&'a Paragraph>,
}

impl<'a> Parted<'a> {
    pub fn of(paragraphs: &'a [Paragraph]) -> Parted<'a> {
        let (boilerplate, content) = paragraphs.iter().partition(|paragraph| paragraph.boilerplate);
        Parted { content, boilerplate }
    }
}

/// The paragraphs of a [`Parted`] row in their order; without the boilerplate if that is not asked for.
fn read(row: &[u8], all: bool) -> Option<Vec<Paragraph>> {
    let (mut paragraphs, rest) = rows::beginning::<Vec<Paragraph>>(row)?;
    if all {
        let (boilerplate, _) = rows::beginning::<Vec<Paragraph>>(rest)?;
        paragraphs.extend(boilerplate);
        paragraphs.sort_by_key(|paragraph| paragraph.index);
    }
    Some(paragraphs)
}

/// Documents of a shard in their order, each with its paragraphs.
pub struct ContentReader<'a> {
    job: &'a Job,
    documents: rows::Reader<Document>,
    paragraphs: rows::RawRows,
    counts: MergeJoin<CountRow>,
    classifier: Classifier,
    all: bool,
}

impl<'a> ContentReader<'a> {
    /// With all paragraphs, or with those alone that were no boilerplate to the cleaner.
    pub fn of_shard(job: &'a Job, shard: u32, all: bool) -> Result<ContentReader<'a>> {
        let files = job.layout.extracted(shard);
        if let Some(marker) = Marker::<Counters>::read(&job.layout.done(Extract.name(), shard))? {
            [files.documents(), files.paragraphs()]
                .iter()
                .try_for_each(|path| marker.check(job.layout.root(), path))?;
        }
        let told: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.page_counts(range)).collect();
        let counts = match job.config.sites.enabled {
            true => Some(spill::merge(&told, shard, &job.sort_memory)?),
            false => None,
        };
        let classifier = Classifier::new(&job.config.clean.options());
        Ok(ContentReader {
            job,
            documents: rows::Reader::open(&files.documents())?,
            paragraphs: rows::RawRows::open(&files.paragraphs())?,
            counts: MergeJoin::new(counts, |row| row.doc),
            all: all || classifier.uses_neighbours(),
            classifier,
        })
    }

    fn complete(&mut self, mut document: Document) -> Result<(Document, Vec<Paragraph>)> {
        let read = self.paragraphs.row()?.and_then(|row| read(row, self.all));
        let mut own = read.ok_or_else(|| Error::checksum_mismatch(self.paragraphs.path()))?;
        self.counts.rows_of(document.doc, |CountRow { index, pages, .. }| {
            if index == WHOLE_PAGE {
                document.site_pages = Some(pages);
            } else if let Ok(at) = own.binary_search_by_key(&index, |paragraph| paragraph.index) {
                own.iter_mut().skip(at).take(1).for_each(|paragraph| paragraph.site_pages = Some(pages));
            }
        })?;
        if self.job.config.sites.enabled {
            drop_templates(&mut document, &mut own, &self.job.config.sites.rules, &self.classifier);
        }
        Ok((document, own))
    }

    /// There are no more documents: no more rows of anything else either, and the sums of the files are right.
    fn finish(&mut self) -> Result<()> {
        self.counts.finish()?;
        match self.paragraphs.row()? {
            None => Ok(()),
            Some(_) => Err(Error::checksum_mismatch(self.paragraphs.path())),
        }
    }
}

impl Iterator for ContentReader<'_> {
    type Item = Result<(Document, Vec<Paragraph>)>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.documents.next() {
            None => self.finish().err().map(Err),
            Some(document) => Some(document.and_then(|document| self.complete(document))),
        }
    }
}

impl Paragraph {
    /// Its sentences, by the rules of its own language.
    pub fn sentences<'a>(&'a self, segmenter: &Segmenter) -> Vec<&'a str> {
        let cutter = segmenter.language(self.language.as_deref().unwrap_or_default());
        cutter.sentences(&self.text).into_iter().filter_map(|range| self.text.get(range)).collect()
    }
}

fn drop_templates(document: &mut Document, rows: &mut [Paragraph], settings: &sites::Options, classifier: &Classifier) {
    let blocks: Vec<HostBlock> = rows.iter().map(|row| block(row, document.title.as_deref())).collect();
    let found = sites::templates(&blocks, document.site_pages.unwrap_or(0), settings);
    document.repeated_page = found.repeated_page;
    if !found.template.contains(&true) {
        return;
    }
    let had_text = rows.iter().any(|row| !row.boilerplate);
    for (row, &template) in rows.iter_mut().zip(&found.template) {
        if template && !row.boilerplate {
            leave_out(row, Drop::Template, Reason::Template);
        }
    }
    if classifier.uses_neighbours() {
        revise(rows, &found.template, classifier);
    }
    if had_text && document.drop_reason.is_empty() && rows.iter().all(|row| row.boilerplate) {
        document.drop_reason = Drop::Template.name().into();
    }
}

/// Drops the paragraphs that were content only because of a template beside them.
fn revise(rows: &mut [Paragraph], templates: &[bool], classifier: &Classifier) {
    let neighbours: Vec<Neighbour> = rows.iter().map(neighbour).collect();
    let boilerplate = classifier.revise(&neighbours, templates);
    let is_boilerplate = |row: &&mut Paragraph| boilerplate.binary_search(&row.index).is_ok();
    for row in rows.iter_mut().filter(is_boilerplate) {
        if !row.boilerplate && !is_by_rule(row) {
            leave_out(row, Drop::Boilerplate, Reason::Neighbours);
            row.class = Class::Bad.name().into();
        }
    }
}

fn neighbour(row: &Paragraph) -> Neighbour {
    Neighbour {
        index: row.index,
        heading: row.heading,
        characters: row.characters,
        context_free: Class::by_name(&row.context_free).unwrap_or(Class::Bad),
    }
}

/// Whether a site rule decided about a paragraph.
fn is_by_rule(row: &Paragraph) -> bool {
    Reason::by_name(&row.reason).is_some_and(Reason::is_rule)
}

fn block(row: &Paragraph, title: Option<&str>) -> HostBlock {
    HostBlock {
        characters: row.characters,
        pages: row.site_pages.unwrap_or(0),
        boilerplate: row.boilerplate,
        protected: row.kind == "h1" || title == Some(row.text.as_str()) || is_by_rule(row),
    }
}

fn leave_out(row: &mut Paragraph, drop: Drop, reason: Reason) {
    (row.boilerplate, row.score) = (true, None);
    row.reason = reason.name().into();
    row.drop_reason = drop.name().into();
}
