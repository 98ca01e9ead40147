//! The stage `ngrams`: n-grams (or sentences) of the kept documents of a shard, each once per document.

use std::path::PathBuf;

use fxhash::FxHashSet;

use crate::config::{Level, Overlap, OverlapUnit};
use crate::dedup::overlap::{Coverage, HashedSpan, coverage, ngram_spans, sentence_spans};
use crate::document::Paragraph;
use crate::error::Result;
use crate::hash::range_of;
use crate::stages::cluster::Decisions;
use crate::stages::content::{ContentReader, ContentWords};
use crate::stages::counters::Counters;
use crate::stages::{Job, Stage};
use crate::store::spill::{Writer, spill_row};
use crate::text::segments::Segmenter;
use crate::text::words;

spill_row! {
    /// An n-gram and a document that holds it.
    pub struct NgramRow {
        pub ngram: u64,
        /// See [`Owner`]; in an index the key of the document.
        pub owner: u64,
    }
}

/// A document that holds an n-gram, in the order in which one of them becomes its owner: documents of
/// earlier corpora, those of this one, and those that may repeat it but not own it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A document of a reference corpus, by [`crate::key::in_reference`].
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
    /// ContentWords of each paragraph that is no boilerplate.
    lengths: Vec<usize>,
    /// ContentWords of each sentence; empty unless sentences are looked for.
    sentences: Vec<usize>,
    ngram: usize,
}

impl Pieces {
    pub fn new(paragraphs: &[Paragraph], words: ContentWords, overlap: &Overlap, segmenter: &Segmenter) -> Pieces {
        let ContentWords { hashes: words, lengths } = words;
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
    pub fn all(&self) -> Box<dyn Iterator<Item = HashedSpan> + '_> {
        match self.sentences.is_empty() {
            true => Box::new(ngram_spans(&self.words, self.ngram)),
            false => Box::new(sentence_spans(&self.words, &self.sentences)),
        }
    }

    /// How much of each paragraph, or of the document, was seen before.
    pub fn coverage(&self, seen_before: impl Fn(u64) -> bool) -> Vec<Coverage> {
        coverage(&self.lengths, self.all(), seen_before)
    }
}

/// The stage `ngrams`: one task per shard.
#[derive(Debug)]
pub struct Ngrams;

impl Stage for Ngrams {
    fn name(&self) -> &'static str {
        "ngrams"
    }

    fn tasks(&self, job: &Job) -> u32 {
        if job.config.overlap.enabled { job.shard_count() } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        vec![job.layout.ngrams(task)]
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        ngrams(job, task)
    }

    fn relative_cost(&self) -> f64 {
        0.1
    }
}

fn ngrams(job: &Job, shard: u32) -> Result<Counters> {
    let mut decisions = Decisions::of_shard(job, shard)?;
    let mut writer = Writer::create(&job.layout.ngrams(shard), job.plan.ranges, &job.sort_memory)?;
    let (overlap, segmenter) = (&job.config.overlap, Segmenter::default());
    let mut own = FxHashSet::default();
    for item in ContentReader::of_shard(job, shard)? {
        let (document, content) = item?;
        job.check_stop()?;
        if decisions.of(document.doc)?.drops() || !document.drop_reason.is_none() {
            continue;
        }
        own.clear();
        let pieces = Pieces::new(&content.paragraphs, ContentWords::of(&content.paragraphs), overlap, &segmenter);
        // Too short to stay even if unique: it must not take a longer text's words with it.
        let short = overlap.longest_stub().is_some_and(|most| pieces.words() <= most as usize);
        let owner = if short { Owner::Never(document.doc) } else { Owner::Own(document.doc) }.code();
        for HashedSpan { hash: ngram, .. } in pieces.all() {
            if own.insert(ngram) {
                writer.push(range_of(ngram, job.plan.ranges), NgramRow { ngram, owner })?;
            }
        }
    }
    decisions.finish()?;
    let rows = writer.finish()?;
    Ok(Counters { dedup: [("ngrams".to_string(), rows)].into(), ..Default::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{in_reference, key};

    #[test]
    fn owners_come_in_the_order_of_the_corpora() {
        let owners = [
            Owner::Earlier(in_reference(0, key(9, 9))),
            Owner::Earlier(in_reference(1, key(0, 0))),
            Owner::Own(key(0, 0)),
            Owner::Own(key(7, 1)),
            Owner::Never(key(0, 0)),
        ];
        assert!(owners.map(Owner::code).is_sorted());
        assert_eq!(owners.map(|owner| Owner::of(owner.code())), owners);
    }
}
