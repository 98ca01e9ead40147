//! Emit: the extracted rows of a shard, joined with what the gathering stages decided about them →
//! the final tables and formats. Row order is corpus order.

use fxhash::FxHashMap;

use super::Job;
use super::cleaned::{Cleaned, Words};
use super::cluster::{Decision, Decisions};
use super::earlier::Lookup;
use super::ledger::{Ledger, count};
use super::output::Output;
use super::overlap::{Pieces, Repeats};
use crate::config::{Action, Level, Overlap};
use crate::dedup::overlap::{Coverage, drops};
use crate::document::{Document, Drop, Paragraph};
use crate::error::Result;
use crate::text::segments::Segmenter;
use crate::text::words;

pub fn emit(job: &Job, shard: u32) -> Result<Ledger> {
    let mut decisions = Decisions::of_shard(job, shard)?;
    let mut repeats = Repeats::of_shard(job, shard)?;
    let lookup = Lookup::new(job)?;
    let mut output = Output::create(job, shard)?;
    let mut ledger = Ledger::default();
    let segmenter = Segmenter::default();
    for item in Cleaned::of_shard(job, shard, true)? {
        let (mut document, mut rows) = item?;
        job.check_stop()?;
        let words = Words::of(&rows);
        if !words.hashes.is_empty() {
            document.text_digest = format!("{:032x}", words::text_digest(&words.hashes));
        }
        let decision = decisions.of(document.doc)?;
        apply_decision(&mut document, &decision, &lookup)?;
        if document.drop_reason.is_empty() && job.config.overlap.enabled {
            let seen = repeats.of(document.doc)?;
            let pieces = Pieces::new(&rows, words.clone(), &job.config.overlap, &segmenter);
            apply_overlap(&job.config.overlap, &mut document, &mut rows, &pieces, &seen);
        }
        settle(&mut document, &mut rows, &words);
        tally(&mut ledger, &document, &rows);
        output.push(document, rows, &mut ledger)?;
    }
    decisions.finish()?;
    repeats.finish()?;
    output.finish(&mut ledger)?;
    Ok(ledger)
}

fn apply_decision(document: &mut Document, decision: &Decision, lookup: &Lookup) -> Result<()> {
    document.cluster_size = decision.star_size.max(1);
    if let Some((keeper, similarity, exact)) = decision.keeper {
        document.keeper = Some(keeper);
        if let Some(found) = lookup.find(keeper)? {
            document.keeper = Some(found.key);
            document.keeper_corpus = Some(found.corpus);
            document.keeper_url = Some(found.url);
        }
        document.similarity = Some(similarity);
        document.drop_reason = if exact { Drop::ExactDuplicate } else { Drop::NearDuplicate }.name().into();
    } else if let Some((container, share)) = decision.held {
        document.contained_in = Some(container);
        document.contained_share = Some(share);
        if decision.held_and_dropped {
            document.drop_reason = Drop::Contained.name().into();
        }
    }
    Ok(())
}

/// What overlap says about a paragraph or a document.
struct Repetition {
    seen_share: f32,
    /// It is dropped, or would be.
    repeated: Option<Drop>,
}

fn apply_overlap(
    overlap: &Overlap,
    document: &mut Document,
    rows: &mut [Paragraph],
    pieces: &Pieces,
    seen: &FxHashMap<u64, u64>,
) {
    let covered = pieces.coverage(|ngram| seen.contains_key(&ngram));
    let dropped = drops(&covered, overlap.threshold, overlap.smoothing, overlap.max_stub);
    let repetition = |(cover, dropped): (&Coverage, bool)| {
        let reason = if cover.is_above(overlap.threshold) { Drop::Overlap } else { Drop::Stub };
        Repetition { seen_share: cover.share() as f32, repeated: dropped.then_some(reason) }
    };
    let found: Vec<Repetition> = covered.iter().zip(dropped).map(repetition).collect();
    let candidates = rows.iter_mut().filter(|p| !p.boilerplate);
    // Of a whole document there is one for all paragraphs.
    let last = found.len().saturating_sub(1);
    for (row, at) in candidates.zip(0..) {
        let Some(repetition) = found.get(if overlap.level == Level::Document { last } else { at }) else { continue };
        row.seen_share = Some(repetition.seen_share);
        row.repeated = repetition.repeated.is_some();
        if let Some(reason) = repetition.repeated.filter(|_| overlap.action == Action::Drop) {
            row.drop_reason = reason.name().into();
        }
    }
    if rows.iter().all(|p| !p.drop_reason.is_empty()) {
        let seen = rows.iter().any(|p| p.drop_reason == Drop::Overlap.name());
        document.drop_reason = if seen { Drop::Overlap } else { Drop::Stub }.name().into();
    }
}

/// Draws the last conclusions: what is kept, and how much that is.
fn settle(document: &mut Document, rows: &mut [Paragraph], words: &Words) {
    document.kept = document.drop_reason.is_empty();
    (document.characters, document.words, document.paragraphs) = (0, 0, 0);
    let mut lengths = words.lengths.iter();
    for row in rows {
        let length = if row.boilerplate { None } else { lengths.next() };
        if !document.kept && row.drop_reason.is_empty() {
            row.drop_reason = Drop::Document.name().into();
        }
        row.kept = row.drop_reason.is_empty();
        if row.kept {
            document.paragraphs += 1;
            document.characters += row.characters;
            document.words += length.map_or(0, |&length| length as u32);
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
