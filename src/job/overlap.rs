//! N-grams of kept documents meet across shards: which were first somewhere else?

use std::iter::Peekable;

use fxhash::FxHashSet;

use super::Job;
use super::cluster::stars_of_shard;
use super::emit::extracted;
use super::ledger::Ledger;
use crate::document::{Paragraph, part_of, parts};
use crate::error::Result;
use crate::store::spill::{self, Fields, Merge, Row, Writer};
use crate::text::words;

/// An n-gram and a document that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NgramRow {
    ngram: u64,
    /// With [`NO_OWNER`] if the document can repeat the n-gram but not own it; so owners sort first.
    doc: u64,
}

/// Above all bits of a document's key: shards are fewer than 2³¹.
const NO_OWNER: u64 = 1 << 63;

/// A document and an n-gram of it that an earlier document owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RepeatRow {
    doc: u64,
    ngram: u64,
}

impl Row for RepeatRow {
    const WIDTH: usize = 16;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.doc.to_le_bytes());
        out.extend(self.ngram.to_le_bytes());
    }

    fn read(fields: &mut Fields) -> Self {
        RepeatRow { doc: fields.u64(), ngram: fields.u64() }
    }
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
        let short = job.config.overlap.max_stub().is_some_and(|most| hashes.len() <= most as usize);
        let doc = document.doc | if short { NO_OWNER } else { 0 };
        for ngram in words::ngrams(&hashes, job.config.overlap.ngram) {
            if own.insert(ngram) {
                writer.push(part_of(ngram, job.plan.ranges), NgramRow { ngram, doc })?;
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// One task per key range: for each shard, which n-grams its documents repeat.
pub fn overlap(job: &Job, range: u32) -> Result<Ledger> {
    let shards = job.plan.shards.len() as u32;
    let files: Vec<_> = (0..shards).map(|shard| job.layout.ngrams(shard)).collect();
    let mut writer = Writer::create(&job.layout.repeats(range), shards, spill::RUN_BYTES)?;
    let mut first: Option<NgramRow> = None;
    for row in spill::merge::<NgramRow>(&files, range)? {
        let NgramRow { ngram, doc } = row?;
        match first.filter(|first| first.ngram == ngram) {
            // Those that cannot own it come last, and may stand before its owner in the corpus.
            Some(owner) => {
                let doc = doc & !NO_OWNER;
                if owner.doc < doc {
                    writer.push(parts(doc).0, RepeatRow { doc, ngram })?;
                }
            }
            None => {
                job.check_stop()?;
                // An n-gram that nobody owns is not repeated: every other document compares as earlier.
                first = Some(NgramRow { ngram, doc: if doc & NO_OWNER == 0 { doc } else { u64::MAX } });
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("repeated_ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// What the documents of a shard repeat, asked for one document after the other.
pub struct Repeats {
    rows: Option<Peekable<Merge<RepeatRow>>>,
}

impl Repeats {
    pub fn of_shard(job: &Job, shard: u32) -> Result<Repeats> {
        if !job.config.overlap.enabled {
            return Ok(Repeats { rows: None });
        }
        let files: Vec<_> = (0..job.plan.ranges).map(|range| job.layout.repeats(range)).collect();
        Ok(Repeats { rows: Some(spill::merge(&files, shard)?.peekable()) })
    }

    /// N-grams of `doc` that earlier documents own. Documents must be asked for in ascending order.
    pub fn of(&mut self, doc: u64) -> Result<FxHashSet<u64>> {
        let mut seen = FxHashSet::default();
        let Some(rows) = &mut self.rows else { return Ok(seen) };
        while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| row.doc <= doc)) {
            let row = row?;
            if row.doc == doc {
                seen.insert(row.ngram);
            }
        }
        Ok(seen)
    }

    /// Reads what nobody asked for: only at the end is it known that the files are sound.
    pub fn finish(self) -> Result<()> {
        self.rows.into_iter().flatten().try_for_each(|row| row.map(|_| ()))
    }
}
