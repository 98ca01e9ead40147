//! Measures the kept text of documents, and drops by the recipe of the job.

use crate::config::Action;
use crate::document::{Document, DropReason, Paragraph};
use crate::quality::models::DocumentModels;
use crate::quality::{Judged, Meter, Recipe, Signals, Text};
use crate::stages::Job;
use crate::text::segments::{SegmentedTexts, Segmenter};

/// What was measured of a document.
#[derive(Debug, Default)]
pub struct Measured {
    pub signals: Signals,
    /// A score by each model of the job.
    pub scores: Vec<Option<f32>>,
    /// Sentences and tokens of kept paragraphs by their index, as far as they were needed: formats need them, too.
    pub segments: SegmentedTexts,
}

/// Judges the documents of a shard, one after the other.
pub struct Judge<'a> {
    recipe: &'a Recipe,
    models: &'a DocumentModels,
    action: Action,
    segmenter: Segmenter,
    meter: Meter<'a>,
}

impl<'a> Judge<'a> {
    pub fn of(job: &'a Job) -> Judge<'a> {
        let config = &job.config;
        Judge {
            recipe: &job.quality,
            models: &job.models,
            action: config.quality.action,
            segmenter: config.segments.segmenter(),
            meter: Meter::with(job.pipeline.identifier()),
        }
    }

    /// Measures a document that is kept. With `quality.action = "drop"` a document that fails a rule is dropped. Paragraphs of
    /// which the recipe leaves no line are dropped, and the document with them if none is left.
    pub fn apply(&mut self, document: &mut Document, rows: &mut [Paragraph]) -> Option<Measured> {
        if !document.kept || self.recipe.is_empty() && self.models.is_empty() {
            return None;
        }
        let (mut measured, mut judged) = match self.recipe.is_empty() {
            true => self.scored(document, rows),
            false => self.measured(document, rows),
        };
        judged.failed = judged.failed.or_else(|| self.models.failed(&measured.scores));
        measured.signals.failed_rule.clone_from(&judged.failed);
        if self.action == Action::Drop {
            drop_by(&judged, document, rows);
        }
        Some(measured)
    }

    /// The scores alone, which need no words.
    fn scored(&self, document: &Document, rows: &[Paragraph]) -> (Measured, Judged) {
        let lines: Vec<&str> = rows.iter().filter(|row| row.kept).map(|row| row.text.as_str()).collect();
        let signals = Signals { doc: document.doc, ..Signals::default() };
        let scores = self.models.scores(&lines.join("\n"));
        (Measured { signals, scores, segments: SegmentedTexts::default() }, Judged::default())
    }

    fn measured(&mut self, document: &Document, rows: &[Paragraph]) -> (Measured, Judged) {
        let kept = rows.iter().filter(|row| row.kept);
        let mut segments = SegmentedTexts::with_room(kept.clone().map(|row| row.text.len()).sum());
        for row in kept.clone() {
            let language = row.language_or(document.language);
            segments.push(row.index, &row.text, &self.segmenter.language(language.code()));
        }
        let sentences = |row: &Paragraph| segments.sentences(row.index).into_iter().flatten();
        let text = Text::of_paragraphs(kept.map(|row| (row.text.as_str(), sentences(row))));
        let scores = self.models.scores(&text.text);
        let language = document.language.code();
        let (signals, judged) = self.recipe.measure(document.doc, language, &text, &scores, &mut self.meter);
        (Measured { signals, scores, segments }, judged)
    }
}

fn drop_by(judged: &Judged, document: &mut Document, rows: &mut [Paragraph]) {
    if judged.failed.is_some() {
        document.drop_reason = DropReason::Quality;
        return;
    }
    let Some(lines) = &judged.lines else { return };
    // The text is that of the kept rows, joined by a line end.
    let mut begin = 0;
    let mut left = lines.iter().peekable();
    for row in rows.iter_mut().filter(|row| row.kept) {
        let end = begin + row.text.len();
        let mut any = false;
        while left.next_if(|line| line.start <= end).is_some() {
            any = true;
        }
        if !any {
            row.drop_reason = DropReason::Quality;
        }
        begin = end + 1;
    }
    if rows.iter().all(|row| !row.drop_reason.is_none()) {
        document.drop_reason = DropReason::Quality;
    }
}
