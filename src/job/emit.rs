//! Emit: the extracted rows of a shard, joined with what the gathering stages decided about them →
//! the final tables and formats. Row order is corpus order.

use std::io::Write;

use flate2::{Compression, GzBuilder, write::GzEncoder};
use fxhash::FxHashSet;

use super::cluster::{StarRow, stars_of_shard};
use super::ledger::{Ledger, count};
use super::overlap::{Repeats, word_hashes};
use super::{Job, Stage};
use crate::dedup::overlap::{coverage, drops};
use crate::document::{Document, Drop, Paragraph};
use crate::emit::vertical;
use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;
use crate::store::marker::Marker;
use crate::store::tables;
use crate::text::segments::Segmenter;
use crate::text::words;

/// Documents of a shard as extract left them, each with its paragraphs.
pub fn extracted(job: &Job, shard: u32) -> Result<impl Iterator<Item = Result<(Document, Vec<Paragraph>)>> + use<>> {
    let files = job.layout.extracted(shard);
    if let Some(marker) = Marker::<Ledger>::read(&job.layout.done(Stage::Extract.name(), shard))? {
        [files.documents(), files.paragraphs()].iter().try_for_each(|path| marker.check(job.layout.root(), path))?;
    }
    let documents = tables::Reader::<Document>::open(&files.documents())?;
    let mut paragraphs = tables::Reader::<Paragraph>::open(&files.paragraphs())?.peekable();
    Ok(documents.map(move |document| {
        let document = document?;
        let mut own = Vec::new();
        while let Some(next) = paragraphs.next_if(|p| p.as_ref().map_or(true, |p| p.doc == document.doc)) {
            own.push(next?);
        }
        Ok((document, own))
    }))
}

pub fn emit(job: &Job, shard: u32) -> Result<Ledger> {
    let stars = stars_of_shard(job, shard)?;
    let mut repeats = Repeats::of_shard(job, shard)?;
    let settings = job.table_settings();
    let mut documents = tables::Writer::<Document>::create(&job.layout.documents(shard), &settings)?;
    let mut paragraphs = tables::Writer::<Paragraph>::create(&job.layout.paragraphs(shard), &settings)?;
    let mut vertical = Vertical::create(job, shard)?;
    let mut ledger = Ledger::default();
    for item in extracted(job, shard)? {
        let (mut document, mut rows) = item?;
        job.check_stop()?;
        if let Some(star) = stars.get(&document.doc) {
            apply_star(&mut document, star);
        }
        if document.drop_reason.is_empty() && job.config.overlap.enabled {
            let seen = repeats.of(document.doc)?;
            apply_overlap(job, &mut document, &mut rows, &seen);
        }
        settle(&mut document, &mut rows);
        tally(&mut ledger, &document, &rows);
        if let Some(vertical) = vertical.as_mut().filter(|_| document.kept) {
            vertical.write(&document, rows.iter().filter(|p| p.kept))?;
        }
        documents.push(document)?;
        rows.into_iter().try_for_each(|row| paragraphs.push(row))?;
    }
    repeats.finish()?;
    if let Some(vertical) = vertical {
        vertical.finish()?;
    }
    paragraphs.finish()?;
    documents.finish()?;
    Ok(ledger)
}

fn apply_star(document: &mut Document, star: &StarRow) {
    document.cluster_size = star.size;
    if star.keeper != document.doc {
        document.keeper = Some(star.keeper);
        document.similarity = Some(star.similarity());
        let reason = if star.exact() { Drop::ExactDuplicate } else { Drop::NearDuplicate };
        document.drop_reason = reason.name().into();
    }
}

fn apply_overlap(job: &Job, document: &mut Document, rows: &mut [Paragraph], seen: &FxHashSet<u64>) {
    let overlap = &job.config.overlap;
    let (hashes, lengths) = word_hashes(rows);
    let covered = coverage(&hashes, &lengths, overlap.ngram, |ngram| seen.contains(&ngram));
    let dropped = drops(&covered, overlap.threshold, overlap.max_stub());
    let candidates = rows.iter_mut().filter(|p| !p.boilerplate);
    for ((row, cover), dropped) in candidates.zip(&covered).zip(dropped) {
        row.seen_share = Some(cover.share() as f32);
        if dropped {
            let seen = cover.words > 0 && cover.share() > overlap.threshold;
            row.drop_reason = if seen { Drop::Overlap } else { Drop::Stub }.name().into();
        }
    }
    if rows.iter().all(|p| !p.drop_reason.is_empty()) {
        let seen = rows.iter().any(|p| p.drop_reason == Drop::Overlap.name());
        document.drop_reason = if seen { Drop::Overlap } else { Drop::Stub }.name().into();
    }
}

/// Draws the last conclusions: what is kept, and how much that is.
fn settle(document: &mut Document, rows: &mut [Paragraph]) {
    document.kept = document.drop_reason.is_empty();
    (document.characters, document.words, document.paragraphs) = (0, 0, 0);
    for row in rows {
        if !document.kept && row.drop_reason.is_empty() {
            row.drop_reason = Drop::Document.name().into();
        }
        row.kept = row.drop_reason.is_empty();
        if row.kept {
            document.paragraphs += 1;
            document.characters += row.characters;
            words::words(&row.text, |_| document.words += 1);
        }
    }
}

fn tally(ledger: &mut Ledger, document: &Document, rows: &[Paragraph]) {
    let outcome = |reason: &str| if reason.is_empty() { Ledger::KEPT.to_string() } else { reason.to_string() };
    count(&mut ledger.documents, &outcome(&document.drop_reason));
    for row in rows {
        count(&mut ledger.paragraphs, &outcome(&row.drop_reason));
        ledger.text_bytes += if row.kept { row.text.len() as u64 } else { 0 };
    }
    if document.kept {
        let size = ledger.languages.entry(document.language.clone()).or_default();
        size.documents += 1;
        size.words += u64::from(document.words);
    }
}

/// The vertical file of a shard.
struct Vertical {
    gzip: GzEncoder<AtomicFile>,
    segmenter: Segmenter,
    text: String,
}

impl Vertical {
    fn create(job: &Job, shard: u32) -> Result<Option<Vertical>> {
        let output = &job.config.output;
        if !output.vertical {
            return Ok(None);
        }
        let file = AtomicFile::create(&job.layout.vertical(shard))?;
        // No time and no name in the header: the same text gives the same bytes.
        let gzip = GzBuilder::new().mtime(0).write(file, Compression::new(output.gzip_level));
        Ok(Some(Vertical { gzip, segmenter: Segmenter::default(), text: String::new() }))
    }

    fn write<'a>(&mut self, document: &Document, rows: impl Iterator<Item = &'a Paragraph>) -> Result<()> {
        self.text.clear();
        vertical::document(&mut self.text, &self.segmenter, document, rows);
        let path = self.gzip.get_ref().path().to_path_buf();
        self.gzip.write_all(self.text.as_bytes()).map_err(Error::io("write", &path))
    }

    fn finish(self) -> Result<()> {
        let path = self.gzip.get_ref().path().to_path_buf();
        self.gzip.finish().map_err(Error::io("write", &path))?.commit()
    }
}
