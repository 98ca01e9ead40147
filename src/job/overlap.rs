//! N-grams (or sentences) of kept documents meet across shards: which were first somewhere else?

use std::path::PathBuf;

use fxhash::{FxHashMap, FxHashSet};

use super::cleaned::{Cleaned, Words};
use super::cluster::Decisions;
use super::ledger::Ledger;
use super::{Job, Stage, earlier};
use crate::config::{Level, Overlap, OverlapUnit};
use crate::dedup::overlap::{Coverage, Piece, coverage, ngram_pieces, sentence_pieces};
use crate::document::{Paragraph, part_of, parts};
use crate::error::Result;
use crate::store::spill::{self, InStep, Writer, row};
use crate::text::segments::Segmenter;
use crate::text::words;

row! {
    /// An n-gram and a document that holds it.
    pub struct NgramRow {
        pub ngram: u64,
        /// See [`Owner`]; in an index the key of the document.
        pub owner: u64,
    }
}

row! {
    /// A document and an n-gram of it that an earlier one owns.
    pub struct RepeatRow {
        pub doc: u64,
        pub ngram: u64,
        pub owner: u64,
    }
}

/// A document that holds an n-gram, in the order in which one of them becomes its owner: documents of
/// earlier corpora, those of this one, and those that may repeat it but not own it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// Its key by [`crate::document::earlier`].
    Earlier(u64),
    Own(u64),
    Never(u64),
}

const OWN: u64 = 1 << 63;
/// Above all bits of a document's key: shards are fewer than 2³⁰.
const NEVER: u64 = 1 << 62;

impl Owner {
    pub fn code(self) -> u64 {
        match self {
            // The bit that marks such documents is turned over: they come first here.
            Owner::Earlier(doc) => doc & !OWN,
            Owner::Own(doc) => OWN | doc,
            Owner::Never(doc) => OWN | NEVER | doc,
        }
    }

    pub fn of(code: u64) -> Owner {
        match (code & OWN != 0, code & NEVER != 0) {
            (false, _) => Owner::Earlier(code | OWN),
            (true, false) => Owner::Own(code & !OWN),
            (true, true) => Owner::Never(code & !OWN & !NEVER),
        }
    }
}

/// The words of a document's paragraphs, cut as the configuration asks.
pub struct Pieces {
    words: Vec<u64>,
    /// Words of each paragraph that is no boilerplate.
    lengths: Vec<usize>,
    /// Words of each sentence; empty unless sentences are looked for.
    sentences: Vec<usize>,
    ngram: usize,
}

impl Pieces {
    pub fn new(paragraphs: &[Paragraph], words: Words, overlap: &Overlap, segmenter: &Segmenter) -> Pieces {
        let Words { hashes: words, lengths } = words;
        let mut pieces = Pieces { words, lengths, sentences: Vec::new(), ngram: overlap.ngram };
        if overlap.unit == OverlapUnit::Sentence {
            (pieces.words, pieces.lengths) = Default::default();
            for paragraph in paragraphs.iter().filter(|p| !p.boilerplate) {
                let before = pieces.words.len();
                pieces.add_sentences(paragraph, segmenter);
                pieces.lengths.push(pieces.words.len() - before);
            }
        }
        if overlap.level == Level::Document {
            pieces.lengths = vec![pieces.words.len()];
        }
        pieces
    }

    fn add_sentences(&mut self, paragraph: &Paragraph, segmenter: &Segmenter) {
        for sentence in paragraph.sentences(segmenter) {
            let before = self.words.len();
            words::hashes(sentence, &mut self.words);
            self.sentences.push(self.words.len() - before);
        }
    }

    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// In the order of the text.
    pub fn all(&self) -> Box<dyn Iterator<Item = Piece> + '_> {
        match self.sentences.is_empty() {
            true => Box::new(ngram_pieces(&self.words, self.ngram)),
            false => Box::new(sentence_pieces(&self.words, &self.sentences)),
        }
    }

    /// How much of each paragraph, or of the document, was seen before.
    pub fn coverage(&self, seen_before: impl Fn(u64) -> bool) -> Vec<Coverage> {
        coverage(&self.lengths, self.all(), seen_before)
    }
}

/// One task per shard: n-grams of its kept documents, each once per document.
pub fn ngrams(job: &Job, shard: u32) -> Result<Ledger> {
    let mut decisions = Decisions::of_shard(job, shard)?;
    let mut writer = Writer::create(&job.layout.ngrams(shard), job.plan.ranges, &job.room)?;
    let (overlap, segmenter) = (&job.config.overlap, Segmenter::default());
    let mut own = FxHashSet::default();
    for item in Cleaned::of_shard(job, shard, false)? {
        let (document, paragraphs) = item?;
        job.check_stop()?;
        if decisions.of(document.doc)?.drops() || !document.drop_reason.is_empty() {
            continue;
        }
        own.clear();
        let pieces = Pieces::new(&paragraphs, Words::of(&paragraphs), overlap, &segmenter);
        // Too short to stay even if unique: it must not take a longer text's words with it.
        let short = overlap.longest_stub().is_some_and(|most| pieces.words() <= most as usize);
        let owner = if short { Owner::Never(document.doc) } else { Owner::Own(document.doc) }.code();
        for Piece { hash: ngram, .. } in pieces.all() {
            if own.insert(ngram) {
                writer.push(part_of(ngram, job.plan.ranges), NgramRow { ngram, owner })?;
            }
        }
    }
    decisions.finish()?;
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// One task per key range: for each shard, which n-grams its documents repeat.
pub fn overlap(job: &Job, range: u32) -> Result<Ledger> {
    let mut writer = Writer::create(&job.layout.repeats(range), job.shard_count(), &job.room)?;
    let mut first: Option<(u64, Owner)> = None;
    for row in earlier::ngrams(job, range)? {
        let NgramRow { ngram, owner } = row?;
        let owner = Owner::of(owner);
        match (first.filter(|(known, _)| *known == ngram), owner) {
            // Those that cannot own it come last, and may stand before its owner in the corpus.
            (Some((_, Owner::Own(first))), Owner::Own(doc) | Owner::Never(doc)) if first < doc => {
                writer.push(parts(doc).0, RepeatRow { doc, ngram, owner: first })?;
            }
            (Some((_, Owner::Earlier(first))), Owner::Own(doc) | Owner::Never(doc)) => {
                writer.push(parts(doc).0, RepeatRow { doc, ngram, owner: first })?;
            }
            // Nobody owns it, or it is of an earlier corpus, about which nothing is decided.
            (Some(_), _) => {}
            (None, _) => {
                job.check_stop()?;
                first = Some((ngram, owner));
            }
        }
    }
    let rows = writer.finish()?;
    Ok(Ledger { dedup: [("repeated_ngrams".to_string(), rows)].into(), ..Default::default() })
}

/// What the documents of a shard repeat, asked for one document after the other.
pub struct Repeats(InStep<RepeatRow>);

impl Repeats {
    pub fn of_shard(job: &Job, shard: u32) -> Result<Repeats> {
        let files: Vec<PathBuf> = (0..Stage::Overlap.tasks(job)).map(|range| job.layout.repeats(range)).collect();
        Ok(Repeats(InStep::new(Some(spill::merge(&files, shard, &job.room)?), |row| row.doc)))
    }

    /// N-grams of `doc` that earlier documents own, with their owners. Documents must be asked for in
    /// ascending order.
    pub fn of(&mut self, doc: u64) -> Result<FxHashMap<u64, u64>> {
        let mut seen = FxHashMap::default();
        self.0.of(doc, |row| {
            seen.insert(row.ngram, row.owner);
        })?;
        Ok(seen)
    }

    pub fn finish(mut self) -> Result<()> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{earlier, key};

    #[test]
    fn owners_come_in_the_order_of_the_corpora() {
        let owners = [
            Owner::Earlier(earlier(0, key(9, 9))),
            Owner::Earlier(earlier(1, key(0, 0))),
            Owner::Own(key(0, 0)),
            Owner::Own(key(7, 1)),
            Owner::Never(key(0, 0)),
        ];
        assert!(owners.map(Owner::code).is_sorted());
        assert_eq!(owners.map(|owner| Owner::of(owner.code())), owners);
    }
}
