//! Emit: joins the extracted rows of a shard with the decisions of the stages that compare shards, and writes the final
//! tables and formats. Rows are in corpus order.

pub mod format_files;
pub mod labels;
pub mod output;
mod personal;
mod quality;
pub mod tagger;
pub mod token_counts;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::config::{Action, Config, Level, PiiMode};
use crate::dedup::overlap::{Coverage, drop_headings, dropped_paragraphs, keep_answers, keep_headings};
use crate::document::{Document, DropReason, Paragraph};
use crate::error::Result;
use crate::hash::SeededMap;
use crate::language::Language;
use crate::page::blocks::BlockKind;
use crate::stages::cluster::{DocumentDecision, DocumentDecisions};
use crate::stages::content::{Content, ContentReader, ContentWords};
use crate::stages::counters::{Counters, count};
use crate::stages::emit::output::{FinalDocument, Output};
use crate::stages::emit::quality::Judge;
use crate::stages::journal::Journal;
use crate::stages::ngrams::Pieces;
use crate::stages::overlap::Repeats;
use crate::stages::reference::Lookup;
use crate::stages::{Job, Stage};
use crate::store::atomic;
use crate::text::segments::Segmenter;
use crate::text::words;

/// Name of a counter of deduplication: duplicates that `near.action = "mark"` kept.
const MARKED: &str = "marked_duplicates";

/// The stage `emit`: one task per shard.
#[derive(Debug)]
pub struct Emit;

impl Stage for Emit {
    fn name(&self) -> &'static str {
        "emit"
    }

    fn tasks(&self, job: &Job) -> u32 {
        job.shard_count()
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        let (layout, output) = (&job.layout, &job.config.output);
        let formats = format_files::shard_files(&job.config, &output.formats, layout, task);
        let signals = job.has_signals().then(|| layout.signals(task));
        let pii = (!job.config.pii.kinds.is_empty()).then(|| layout.pii(task));
        let tables = [layout.documents(task), layout.paragraphs(task)];
        tables.into_iter().chain(signals).chain(pii).chain(formats).collect()
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        emit(job, task)
    }

    fn clean_up(&self, job: &Job, task: u32) -> Result<()> {
        atomic::remove_folder(&job.layout.emit_journal(task))
    }

    fn settings(&self, job: &Job) -> String {
        job.emit_settings.clone()
    }

    fn is_by_shard(&self) -> bool {
        true
    }

    fn relative_cost(&self) -> f64 {
        0.2
    }
}

fn emit(job: &Job, shard: u32) -> Result<Counters> {
    let mut decisions = DocumentDecisions::of_shard(job, shard)?;
    let mut repeats = Repeats::of_shard(job, shard)?;
    let lookup = Lookup::new(job)?;
    let mut output = Output::create(job, shard)?;
    let mut counters = Counters::default();
    let segmenter = Segmenter::default();
    let mut judge = Judge::of(job);
    let journal = Journal::open(&job.layout.emit_journal(shard))?;
    for (number, item) in (0..).zip(ContentReader::of_shard(job, shard)?) {
        let Content { mut document, paragraphs: mut rows, words, .. } = item?;
        job.check_stop()?;
        if !words.hashes.is_empty() {
            document.text_digest = format!("{:032x}", words::text_digest(&words.hashes));
        }
        let mut lengths = words.lengths.clone();
        let decision = decisions.of(document.doc)?;
        apply_decision(&mut document, &decision, &lookup, job.config.near.action)?;
        if document.drop_reason.is_none() && journal.is_poison(number) {
            tracing::warn!(
                archive = document.archive,
                offset = document.offset,
                "passed over: two processes died at it"
            );
            document.drop_reason = DropReason::Poison;
        }
        // A marked duplicate would repeat its representative from end to end.
        if document.drop_reason.is_none() && document.keeper.is_none() && job.config.overlap.enabled {
            let seen = repeats.of(document.doc)?;
            let pieces = Pieces::new(&rows, words, &job.config.overlap, &segmenter);
            apply_overlap(&job.config, &mut document, &mut rows, &pieces, &seen);
        }
        settle(&mut document, &mut rows, &lengths);
        let write = || {
            let personal = personal::find(&job.config.pii, &mut document, &mut rows);
            if !personal.is_empty() && job.config.pii.mode == PiiMode::Mask {
                lengths = ContentWords::of(&rows).lengths;
                settle(&mut document, &mut rows, &lengths);
            }
            let mut measured = judge.apply(&mut document, &mut rows);
            if measured.is_some() {
                settle(&mut document, &mut rows, &lengths);
            }
            let signals = measured.as_mut().map(|measured| std::mem::take(&mut measured.signals));
            if let Some(signals) = job.token_counts.add(&document, &rows, signals)? {
                measured.get_or_insert_default().signals = signals;
            }
            tally(&mut counters, &document, &rows);
            personal.iter().for_each(|found| count(&mut counters.pii, found.kind.name()));
            output.push(FinalDocument { document, rows, measured, personal }, &mut counters)
        };
        if job.tagger.is_some() {
            // Documents are written in batches, so that a death would not be caused by this one.
            write()?;
        } else {
            journal.reading(number, &job.isolation, write)??;
        }
    }
    decisions.finish()?;
    repeats.finish()?;
    output.finish(&mut counters)?;
    Ok(counters)
}

/// Applies the decision about near duplicates and containment to the row of a document.
fn apply_decision(document: &mut Document, decision: &DocumentDecision, lookup: &Lookup, action: Action) -> Result<()> {
    document.cluster_size = decision.cluster_size.max(1);
    if let Some((keeper, similarity, exact)) = decision.keeper {
        document.keeper = Some(keeper);
        if let Some(found) = lookup.find(keeper)? {
            document.keeper = Some(found.key);
            document.keeper_corpus = Some(found.corpus);
            document.keeper_url = Some(found.url);
        }
        document.similarity = Some(similarity);
        if action == Action::Drop {
            document.drop_reason = if exact { DropReason::ExactDuplicate } else { DropReason::NearDuplicate };
        }
    } else if let Some((container, share)) = decision.held {
        document.contained_in = Some(container);
        document.contained_share = Some(share);
        if decision.container_drops {
            document.drop_reason = DropReason::Contained;
        }
    }
    Ok(())
}

/// The result of overlap detection for a paragraph, or for a whole document.
struct Repetition {
    /// Share of the words in n-grams that were seen before, in earlier documents or further up in this one; 0 to 1.
    seen_share: f32,
    /// Reason to drop it; `None` to keep it. With `overlap.action = "mark"` nothing is dropped for it.
    repeated: Option<DropReason>,
}

/// Marks or drops the paragraphs whose n-grams were seen before. `seen` maps those of earlier documents to their owners.
fn apply_overlap(
    config: &Config,
    document: &mut Document,
    rows: &mut [Paragraph],
    pieces: &Pieces,
    seen: &SeededMap<u64, u64>,
) {
    let overlap = &config.overlap;
    let seen_before = |ngram: u64| seen.contains_key(&ngram);
    let mut covered = pieces.coverage(&[], seen_before);
    let mut dropped = dropped_paragraphs(&covered, overlap.threshold, overlap.smoothing, overlap.max_stub);
    if overlap.has_stubs() && overlap.level == Level::Paragraph && dropped.contains(&true) {
        let quoted: Vec<bool> = rows.iter().filter(|p| !p.boilerplate).map(|p| p.quoted).collect();
        keep_answers(&quoted, &covered, overlap.threshold, &mut dropped);
        let content = rows.iter().filter(|p| !p.boilerplate).zip(&covered);
        let (ranks, may_stay): (Vec<u8>, Vec<bool>) = content
            .map(|(p, covered)| {
                // The name of a site may be the heading of all its pages; a list of stories has the title of this one.
                let is_own = p.site_pages.unwrap_or(0) < config.sites.rules.min_repeats;
                let is_title = p.kind == BlockKind::H1 || document.title.as_ref() == Some(&p.text);
                (p.kind.rank().unwrap_or(0), is_own && (is_title || !covered.repeats_others(overlap.threshold)))
            })
            .unzip();
        keep_headings(&ranks, &may_stay, &mut dropped);
        let with_headings = pieces.coverage(&ranks, seen_before);
        for place in drop_headings(&ranks, &with_headings, overlap.threshold, &mut dropped) {
            let coverage = covered.get_mut(place).zip(with_headings.get(place));
            coverage.into_iter().for_each(|(own, with_headings)| *own = *with_headings);
        }
    }
    let repetition = |(cover, dropped): (&Coverage, bool)| {
        let reason = if cover.repeats_others(overlap.threshold) { DropReason::Overlap } else { DropReason::Stub };
        Repetition { seen_share: cover.share() as f32, repeated: dropped.then_some(reason) }
    };
    let found: Vec<Repetition> = covered.iter().zip(dropped).map(repetition).collect();
    let candidates = rows.iter_mut().filter(|p| !p.boilerplate);
    // At the level of documents, one result applies to all paragraphs.
    let last = found.len().saturating_sub(1);
    for (row, index) in candidates.zip(0..) {
        let Some(repetition) = found.get(if overlap.level == Level::Document { last } else { index }) else { continue };
        row.seen_share = Some(repetition.seen_share);
        row.repeated = repetition.repeated.is_some();
        if let Some(reason) = repetition.repeated.filter(|_| overlap.action == Action::Drop) {
            row.drop_reason = reason;
        }
    }
    let is_repeated = rows.iter().any(|p| p.drop_reason == DropReason::Overlap);
    if is_repeated && rows.iter().all(|p| !p.drop_reason.is_none()) {
        document.drop_reason = DropReason::Overlap;
    }
}

/// Sets `kept` of a document and its paragraphs from their drop reasons, and the document's sizes from what is kept.
/// `lengths` are the numbers of words of the content paragraphs.
fn settle(document: &mut Document, rows: &mut [Paragraph], lengths: &[usize]) {
    document.kept = document.drop_reason.is_none();
    (document.characters, document.words, document.paragraphs) = (0, 0, 0);
    let mut languages: BTreeMap<Language, u32> = BTreeMap::new();
    let mut lengths = lengths.iter();
    for row in rows {
        let length = if row.boilerplate { None } else { lengths.next() };
        row.settle(document.kept);
        if row.kept {
            document.paragraphs += 1;
            document.characters += row.characters;
            let words = length.map_or(0, |&length| length as u32);
            document.words += words;
            *languages.entry(row.language_or(document.language)).or_default() += words;
        }
    }
    document.languages = shares(&languages, document.words);
}

/// Languages with their shares of the words, the greatest first.
fn shares(languages: &BTreeMap<Language, u32>, words: u32) -> Vec<String> {
    let mut sorted: Vec<(&str, u32)> = languages.iter().map(|(language, words)| (language.code(), *words)).collect();
    sorted.retain(|(_, words)| *words > 0);
    sorted.sort_by_key(|(code, words)| (std::cmp::Reverse(*words), *code));
    let share = |(code, own): (&str, u32)| format!("{code}:{:.3}", f64::from(own) / f64::from(words.max(1)));
    sorted.into_iter().map(share).collect()
}

/// Counts the outcome of a document and of its content paragraphs. Extract counted the boilerplate.
fn tally(counters: &mut Counters, document: &Document, rows: &[Paragraph]) {
    let outcome = |reason: DropReason| if reason.is_none() { Counters::KEPT } else { reason.name() };
    count(&mut counters.documents, outcome(document.drop_reason));
    if document.kept && document.keeper.is_some() {
        count(&mut counters.dedup, MARKED);
    }
    counters.figures.document(document, rows);
    for row in rows {
        count(&mut counters.paragraphs, outcome(row.drop_reason));
        counters.text_bytes += if row.kept { row.text.len() as u64 } else { 0 };
    }
    if document.kept {
        let size = counters.languages.entry(document.language.to_string()).or_default();
        size.documents += 1;
        size.words += u64::from(document.words);
    }
}
