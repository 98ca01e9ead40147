//! N-grams of kept documents meet across shards: which were first somewhere else?

use fxhash::{FxHashMap, FxHashSet};

use super::Job;
use super::cluster::stars_of_shard;
use super::emit::extracted;
use super::ledger::Ledger;
use crate::document::{Paragraph, part_of, parts};
use crate::error::Result;
use crate::store::spill::{self, Fields, Row, Writer};
use crate::text::words;

/// An n-gram and a document that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NgramRow {
    pub ngram: u64,
    pub doc: u64,
}

impl Row for NgramRow {
    const WIDTH: usize = 16;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.ngram.to_le_bytes());
        out.extend(self.doc.to_le_bytes());
    }

    fn read(fields: &mut Fields) -> Self {
        NgramRow { ngram: fields.u64(), doc: fields.u64() }
    }
}

/// Word hashes of the paragraphs that are no boilerplate, and how many each has.
pub fn word_hashes(paragraphs: &[Paragraph]) -> (Vec<u64>, Vec<usize>) {
    let mut hashes = Vec::new();
    let mut lengths = Vec::new();
    for paragraph in paragraphs.iter().filter(|p| !p.boilerplate) {
        let before = hashes.len();
        words::hashes(&paragraph.text, &mut hashes);
        lengths.push(hashes.len() - before);
    }
    (hashes, lengths)
}

/// One task per shard: n-grams of its kept documents, each once per document.
pub fn ngrams(job: &Job, shard: u32) -> Result<Ledger> {
    let stars = stars_of_shard(job, shard)?;
    let mut writer = Writer::create(&job.layout.ngrams(shard), job.plan.ranges, spill::RUN_BYTES)?;
    let mut own = FxHashSet::default();
    for item in extracted(job, shard)? {
        let (document, paragraphs) = item?;
        job.check_stop()?;
        let duplicate = stars.get(&document.doc).is_some_and(|star| star.keeper != document.doc);
        if duplicate || !document.drop_reason.is_empty() {
            continue;
        }
        own.clear();
        let (hashes, _) = word_hashes(&paragraphs);
        // Too short to stay even if unique: it must not take a longer text's words with it.
        if job.config.overlap.max_stub().is_some_and(|most| hashes.len() <= most as usize) {
            continue;
        }
        for ngram in words::ngrams(&hashes, job.config.overlap.ngram) {
            if own.insert(ngram) {
                writer.push(part_of(ngram, job.plan.ranges), NgramRow { ngram, doc: document.doc })?;
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// One task per key range: n-grams of more than one document, with their first owner, for each
/// shard that repeats them.
pub fn overlap(job: &Job, range: u32) -> Result<Ledger> {
    let shards = job.plan.shards.len() as u32;
    let files: Vec<_> = (0..shards).map(|shard| job.layout.ngrams(shard)).collect();
    let mut writer = Writer::create(&job.layout.repeats(range), shards, spill::RUN_BYTES)?;
    let mut first: Option<NgramRow> = None;
    let mut last_shard = None;
    for row in spill::merge::<NgramRow>(&files, range)? {
        let row = row?;
        match first.filter(|first| first.ngram == row.ngram) {
            // Rows of an n-gram come in corpus order: one row for each shard after the first owner.
            Some(first) => {
                let shard = parts(row.doc).0;
                if last_shard.replace(shard) != Some(shard) {
                    writer.push(shard, NgramRow { ngram: row.ngram, doc: first.doc })?;
                }
            }
            None => {
                job.check_stop()?;
                first = Some(row);
                last_shard = None;
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("repeated_ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// First owners of the n-grams that documents of a shard repeat.
pub fn owners_of_shard(job: &Job, shard: u32) -> Result<FxHashMap<u64, u64>> {
    if !job.config.overlap.enabled {
        return Ok(FxHashMap::default());
    }
    let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.repeats(range)).collect();
    spill::merge::<NgramRow>(&files, shard)?.map(|row| row.map(|row| (row.ngram, row.doc))).collect()
}
