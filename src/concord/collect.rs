//! Decides which hits are printed, and in which order.
//!
//! Hits arrive in corpus order and pass three steps. `--unique` keeps the first hit of equal sentences. `--max-per-doc`
//! keeps the first hits of each document, or random ones with `--sample`. `--limit` keeps the first hits of all, or the
//! sample.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::choose::{TopHits, sample_key, sort_key};
use super::hit::Hit;
use super::options::Options;
use super::order::OrderedQueue;
use super::print::Printer;

/// Most hits that are held in memory for sorting or sampling.
pub const MOST_HELD: usize = 1_000_000;
/// Most bytes of memory that they may take: contexts may be long.
const MOST_BYTES: usize = 2 << 30;
/// Sentences remembered by `--unique`, as many as ConcordanceCrawler remembers; the oldest are forgotten first.
const MOST_SENTENCES: usize = 1_000_000;

/// Why a concordance could not be printed.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// There are more hits than can be sorted in memory.
    #[error("more than {MOST_HELD} hits to sort: set --limit N, or --limit N and --sample SEED")]
    TooMany,
    /// The hits to sort take too much memory.
    #[error("the hits to sort take more than {} GiB: set a smaller --limit, or less context", MOST_BYTES >> 30)]
    TooLong,
    /// `--limit` is above [`MOST_HELD`] while sorting or sampling.
    #[error("--limit {0} is too large: at most {MOST_HELD} hits can be sorted or sampled")]
    TooLarge(usize),
    /// The output could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Takes hits in corpus order and passes those to be printed on.
#[derive(Debug)]
pub struct Collector {
    unique: Option<SeenSentences>,
    per_document: Option<PerDocument>,
    sample: Option<u64>,
    sorts: bool,
    limit: Option<NonZeroUsize>,
    held: TopHits,
    passed: usize,
}

impl Collector {
    /// A collector for these options.
    ///
    /// # Errors
    /// [`CollectError::TooLarge`] if `--limit` is too large for sorting or sampling.
    pub fn new(options: &Options) -> Result<Collector, CollectError> {
        let limit = options.limit();
        let holds = options.sample.is_some() || options.sort.is_some();
        if let Some(limit) = limit.filter(|limit| holds && limit.get() > MOST_HELD) {
            return Err(CollectError::TooLarge(limit.get()));
        }
        let most = limit.map_or(MOST_HELD + 1, NonZeroUsize::get);
        Ok(Collector {
            unique: options.unique.then(SeenSentences::default),
            per_document: options.max_per_doc.map(|most| PerDocument::new(most.get(), options.sample)),
            sample: options.sample,
            sorts: options.sort.is_some(),
            limit,
            held: TopHits::new(most),
            passed: 0,
        })
    }

    /// Takes a hit; this hit and earlier ones may be passed to `print`. Returns `Break` when no more hits are needed.
    ///
    /// # Errors
    /// When there are too many hits to sort, or printing fails.
    pub fn take(
        &mut self,
        hit: Hit,
        print: &mut impl FnMut(Hit) -> io::Result<()>,
    ) -> Result<ControlFlow<()>, CollectError> {
        if self.unique.as_mut().is_some_and(|sentences| !sentences.is_new(hit.sentence)) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(per_document) = &mut self.per_document else { return self.pass(hit, print) };
        let passed = per_document.take(hit);
        if per_document.held.bytes() > MOST_BYTES {
            return Err(CollectError::TooLong);
        }
        for hit in passed {
            if self.pass(hit, print)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Prints the hits that were held. Must not be called after a `Break`.
    ///
    /// # Errors
    /// When printing fails.
    pub fn finish(mut self, print: &mut impl FnMut(Hit) -> io::Result<()>) -> Result<(), CollectError> {
        for hit in self.per_document.take().map(PerDocument::finish).unwrap_or_default() {
            // Hits are held for a document only while sampling, which never breaks.
            let _ = self.pass(hit, print)?;
        }
        let hits = match (self.sample, self.sorts) {
            (None, _) => self.held.drain_sorted(),
            (Some(_), false) => self.held.drain_in_place(),
            (Some(_), true) => {
                let sample = self.held.drain_in_place();
                sample.into_iter().for_each(|mut hit| self.held.push(sort_key(&mut hit), hit));
                self.held.drain_sorted()
            }
        };
        Ok(hits.into_iter().try_for_each(print)?)
    }

    /// Prints a hit, or holds it for sorting or sampling.
    fn pass(
        &mut self,
        mut hit: Hit,
        print: &mut impl FnMut(Hit) -> io::Result<()>,
    ) -> Result<ControlFlow<()>, CollectError> {
        match (self.sample, self.sorts) {
            (Some(seed), _) => self.held.push(sample_key(&hit, seed), hit),
            (None, true) => self.held.push(sort_key(&mut hit), hit),
            (None, false) => {
                print(hit)?;
                self.passed += 1;
            }
        }
        if self.limit.is_none() && self.held.len() > MOST_HELD {
            return Err(CollectError::TooMany);
        }
        if self.held.bytes() > MOST_BYTES {
            return Err(CollectError::TooLong);
        }
        let done = self.limit.is_some_and(|limit| self.passed >= limit.get());
        Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Keeps the first hits of each document, or a sample of them.
#[derive(Debug)]
struct PerDocument {
    most: usize,
    sample: Option<u64>,
    doc: Option<u64>,
    count: usize,
    held: TopHits,
}

impl PerDocument {
    fn new(most: usize, sample: Option<u64>) -> PerDocument {
        PerDocument { most, sample, doc: None, count: 0, held: TopHits::new(most) }
    }

    /// Takes a hit and returns those to pass on: this one or none, or when sampling those of the previous document.
    fn take(&mut self, hit: Hit) -> Vec<Hit> {
        let mut passed = Vec::new();
        if self.doc != Some(hit.document.doc) {
            self.doc = Some(hit.document.doc);
            self.count = 0;
            passed = self.held.drain_in_place();
        }
        match self.sample {
            Some(seed) => self.held.push(sample_key(&hit, seed), hit),
            None if self.count < self.most => passed.push(hit),
            None => {}
        }
        self.count += 1;
        passed
    }

    /// The sample of the last document.
    fn finish(mut self) -> Vec<Hit> {
        self.held.drain_in_place()
    }
}

/// Hashes of the sentences seen last.
#[derive(Debug, Default)]
struct SeenSentences {
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

impl SeenSentences {
    fn is_new(&mut self, sentence: u64) -> bool {
        if !self.known.insert(sentence) {
            return false;
        }
        if self.order.len() == MOST_SENTENCES
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        self.order.push_back(sentence);
        true
    }
}

/// Takes the hits from the queue and prints those that the options ask for. Stops the queue when there are enough hits
/// and when an error occurs. Returns the number of hits printed.
///
/// # Errors
/// When there are too many hits to sort, or printing fails.
pub fn deliver(
    queue: &OrderedQueue<Hit>,
    mut collector: Collector,
    mut printer: Printer<impl io::Write>,
) -> Result<u64, CollectError> {
    let _stop = StopAtEnd(queue);
    printer.begin()?;
    let mut print = |hit: Hit| printer.hit(&hit);
    let mut flow = ControlFlow::Continue(());
    while let Some(batch) = if flow.is_break() { None } else { queue.next() } {
        for hit in batch {
            flow = collector.take(hit, &mut print)?;
            if flow.is_break() {
                break;
            }
        }
    }
    if flow.is_continue() && !queue.is_stopped() {
        collector.finish(&mut print)?;
    }
    Ok(printer.end()?)
}

/// Stops the queue when dropped, so that no worker waits for a reader that has ended.
struct StopAtEnd<'q>(&'q OrderedQueue<Hit>);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
