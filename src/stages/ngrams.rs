//! Ngrams: writes the distinct n-grams (or sentences) of each kept document of a shard.

use std::path::PathBuf;

use crate::config::{Level, OverlapSection, OverlapUnit};
use crate::dedup::overlap::{Coverage, HashedSpan, OwnUnits, coverage, ngram_spans, sentence_spans};
use crate::document::Paragraph;
use crate::error::Result;
use crate::hash::range_of;
use crate::stages::cluster::DocumentDecisions;
use crate::stages::content::{self, ContentWords};
use crate::stages::counters::Counters;
use crate::stages::{Job, Stage};
use crate::store::spill::{Writer, spill_row};
use crate::text::segments::Segmenter;
use crate::text::words;

spill_row! {
    /// An n-gram and a document that has it.
    pub struct NgramRow {
        /// Hash of the n-gram or sentence.
        pub ngram: u64,
        /// Code of an [`Owner`]. In an index, it is the key of the document.
        pub owner: u64,
    }
}

/// A document as a possible owner of an n-gram. The first document in the order of the codes owns it: documents of
/// reference corpora come first, then those of this job, then those that may repeat n-grams but not own them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A document of a reference corpus, by its key from [`crate::key::in_reference`].
    Reference(u64),
    /// A document of this job, by its key.
    Own(u64),
    /// A document of this job that cannot own n-grams, by its key.
    Never(u64),
}

/// Bit of the code that marks documents of this job.
const OWN: u64 = 1 << 63;
/// Bit of the code that marks documents that cannot own n-grams. Keys do not use it: there are fewer than 2³⁰ shards.
const NEVER: u64 = 1 << 62;

impl Owner {
    /// The owner as a number. Codes sort in the order of ownership.
    pub fn code(self) -> u64 {
        match self {
            // Keys of reference documents have the highest bit set. It is cleared, so that they sort first.
            Owner::Reference(doc) => doc & !OWN,
            Owner::Own(doc) => OWN | doc,
            Owner::Never(doc) => OWN | NEVER | doc,
        }
    }

    /// The owner with this code.
    pub fn of(code: u64) -> Owner {
        match (code & OWN != 0, code & NEVER != 0) {
            (false, _) => Owner::Reference(code | OWN),
            (true, false) => Owner::Own(code & !OWN),
            (true, true) => Owner::Never(code & !OWN & !NEVER),
        }
    }
}

/// The word hashes of a document, with the boundaries of the configured unit (n-gram or sentence) and level.
pub struct Pieces {
    words: Vec<u64>,
    /// Number of words of each content paragraph; of the whole document at the level of documents.
    lengths: Vec<usize>,
    /// Number of words of each sentence; empty if the unit is the n-gram.
    sentences: Vec<usize>,
    /// Number of words of an n-gram.
    ngram: usize,
}

impl Pieces {
    /// Splits a document into its units. `words` are the words of `paragraphs`.
    pub fn new(
        paragraphs: &[Paragraph],
        words: ContentWords,
        overlap: &OverlapSection,
        segmenter: &Segmenter,
    ) -> Pieces {
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
        for sentence in content::sentences(paragraph, segmenter) {
            let before = self.words.len();
            words::hashes(sentence, &mut self.words);
            self.sentences.push(self.words.len() - before);
        }
    }

    /// Number of words of the document.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// All n-grams or sentences, in text order.
    pub fn all(&self) -> impl Iterator<Item = HashedSpan> + '_ {
        let words: &[u64] = if self.sentences.is_empty() { &self.words } else { &[] };
        ngram_spans(words, self.ngram).chain(sentence_spans(&self.words, &self.sentences))
    }

    /// An empty set with room for all n-grams or sentences: there are at most as many as words.
    pub fn own_units(&self) -> OwnUnits {
        OwnUnits::with_capacity(self.words.len())
    }

    /// Gives the hash of each distinct n-gram or sentence.
    fn each_distinct(&self, mut each: impl FnMut(u64) -> Result<()>) -> Result<()> {
        let mut own = self.own_units();
        self.all().try_for_each(|span| if own.insert(span.hash) { each(span.hash) } else { Ok(()) })
    }

    /// For each paragraph, or for the document, how many of its words `seen_before` covers. With `ranks` (see
    /// [`coverage`]) a unit covers headings before its paragraph, too.
    pub fn coverage(&self, ranks: &[u8], seen_before: impl Fn(u64) -> bool) -> Vec<Coverage> {
        coverage(&self.lengths, ranks, self.all(), seen_before)
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

    fn is_by_shard(&self) -> bool {
        true
    }

    fn relative_cost(&self) -> f64 {
        0.07
    }
}

fn ngrams(job: &Job, shard: u32) -> Result<Counters> {
    let mut decisions = DocumentDecisions::of_shard(job, shard)?;
    let mut writer = Writer::create(&job.layout.ngrams(shard), job.plan.ranges, &job.sort_space)?;
    let (overlap, segmenter) = (&job.config.overlap, Segmenter::default());
    for page in content::pages(job, shard, overlap.unit == OverlapUnit::Sentence)? {
        let (page, words, paragraphs) = page?;
        job.check_stop()?;
        if decisions.of(page.doc)?.drops() || !page.drop_reason.is_none() {
            continue;
        }
        let pieces = Pieces::new(&paragraphs, words, overlap, &segmenter);
        // A document that may be dropped as a stub with what is new in it must not own n-grams of one that is kept.
        let short = overlap.longest_stub().is_some_and(|longest| pieces.words() <= longest as usize);
        let owner = if short { Owner::Never(page.doc) } else { Owner::Own(page.doc) }.code();
        pieces.each_distinct(|ngram| writer.push(range_of(ngram, job.plan.ranges), NgramRow { ngram, owner }))?;
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
            Owner::Reference(in_reference(0, key(9, 9))),
            Owner::Reference(in_reference(1, key(0, 0))),
            Owner::Own(key(0, 0)),
            Owner::Own(key(7, 1)),
            Owner::Never(key(0, 0)),
        ];
        assert!(owners.map(Owner::code).is_sorted());
        assert_eq!(owners.map(|owner| Owner::of(owner.code())), owners);
    }
}
