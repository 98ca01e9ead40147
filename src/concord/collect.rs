//! Which of the hits are printed, and in which order.
//!
//! Hits come in corpus order. Of equal sentences the first counts (`--unique`); of what is left,
//! the first ones of a document (`--max-per-doc`), by lot if there is a sample; of what is left,
//! the sample or the first ones (`--limit`).

use std::collections::{HashSet, VecDeque};
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::choose::{Best, lot, sort_key};
use super::hit::Hit;
use super::options::{Options, Sort};
use super::order::Queue;
use super::print::Printer;

/// Hits that can be held for sorting or in a sample.
pub const MOST_HELD: usize = 1_000_000;
/// Sentences that are remembered, as many as ConcordanceCrawler does; the oldest are forgotten first.
const MOST_SENTENCES: usize = 1_000_000;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("more than {MOST_HELD} hits to sort; give --limit N, or --limit N with --sample SEED")]
    TooMany,
    #[error("--limit {0} is more than can be sorted or be a sample, which is {MOST_HELD}")]
    TooLarge(usize),
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Takes hits in corpus order and passes on those to print.
#[derive(Debug)]
pub struct Collector {
    unique: Option<Sentences>,
    per_document: Option<PerDocument>,
    sample: Option<u64>,
    sort: Option<Sort>,
    limit: Option<NonZeroUsize>,
    held: Best,
    passed: usize,
}

impl Collector {
    pub fn new(options: &Options) -> Result<Collector, Failure> {
        let limit = options.limit();
        let holds = options.sample.is_some() || options.sort.is_some();
        if let Some(limit) = limit.filter(|limit| holds && limit.get() > MOST_HELD) {
            return Err(Failure::TooLarge(limit.get()));
        }
        let most = limit.map_or(MOST_HELD + 1, NonZeroUsize::get);
        Ok(Collector {
            unique: options.unique.then(Sentences::default),
            per_document: options.max_per_doc.map(|most| PerDocument::new(most.get(), options.sample)),
            sample: options.sample,
            sort: options.sort,
            limit,
            held: Best::new(most),
            passed: 0,
        })
    }

    /// Takes a hit; it and earlier ones may go to `print`. Break when no more are needed.
    pub fn take(
        &mut self,
        hit: Hit,
        print: &mut impl FnMut(Hit) -> io::Result<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        if self.unique.as_mut().is_some_and(|sentences| !sentences.is_new(hit.sentence)) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(per_document) = &mut self.per_document else { return self.pass(hit, print) };
        for hit in per_document.take(hit) {
            if self.pass(hit, print)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Prints what was held. Not after a break.
    pub fn finish(mut self, print: &mut impl FnMut(Hit) -> io::Result<()>) -> Result<(), Failure> {
        for hit in self.per_document.take().map(PerDocument::finish).unwrap_or_default() {
            // What is held for a document is held for a sample, which never breaks.
            let _ = self.pass(hit, print)?;
        }
        let hits = match (self.sample, self.sort) {
            (None, _) => self.held.drain_sorted(),
            (Some(_), None) => self.held.drain_in_place(),
            (Some(_), Some(sort)) => {
                let mut hits = self.held.drain_in_place();
                hits.sort_by_cached_key(|hit| sort_key(hit, sort));
                hits
            }
        };
        Ok(hits.into_iter().try_for_each(print)?)
    }

    fn pass(&mut self, hit: Hit, print: &mut impl FnMut(Hit) -> io::Result<()>) -> Result<ControlFlow<()>, Failure> {
        match (self.sample, self.sort) {
            (Some(seed), _) => self.held.push(lot(&hit, seed), hit),
            (None, Some(sort)) => self.held.push(sort_key(&hit, sort), hit),
            (None, None) => {
                print(hit)?;
                self.passed += 1;
            }
        }
        if self.limit.is_none() && self.held.len() > MOST_HELD {
            return Err(Failure::TooMany);
        }
        let done = self.limit.is_some_and(|limit| self.passed >= limit.get());
        Ok(if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// The first hits of each document, or those that the lot falls on.
#[derive(Debug)]
struct PerDocument {
    most: usize,
    sample: Option<u64>,
    doc: Option<u64>,
    count: usize,
    held: Best,
}

impl PerDocument {
    fn new(most: usize, sample: Option<u64>) -> PerDocument {
        PerDocument { most, sample, doc: None, count: 0, held: Best::new(most) }
    }

    /// Hits to pass on: this one, or with a sample those of the document before.
    fn take(&mut self, hit: Hit) -> Vec<Hit> {
        let mut passed = Vec::new();
        if self.doc != Some(hit.source.doc) {
            self.doc = Some(hit.source.doc);
            self.count = 0;
            passed = self.held.drain_in_place();
        }
        match self.sample {
            Some(seed) => self.held.push(lot(&hit, seed), hit),
            None if self.count < self.most => passed.push(hit),
            None => {}
        }
        self.count += 1;
        passed
    }

    fn finish(mut self) -> Vec<Hit> {
        self.held.drain_in_place()
    }
}

/// The last sentences, by hash.
#[derive(Debug, Default)]
struct Sentences {
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Sentences {
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

/// Takes the hits out of the queue and prints those that are asked for; stops the queue when there
/// are enough and when something fails. The number of hits printed.
pub fn deliver(queue: &Queue<Hit>, collector: Collector, printer: Printer<impl io::Write>) -> Result<u64, Failure> {
    let _stop = StopAtEnd(queue);
    let (mut collector, mut printer) = (collector, printer);
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

/// However it ends, no worker waits for a reader that is gone.
struct StopAtEnd<'q>(&'q Queue<Hit>);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
