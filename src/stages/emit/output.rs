//! The output of a shard: the rows of the tables, and the kept text in the output formats. If a tagger is configured,
//! it tags the kept text first.

use std::collections::BTreeMap;

use crate::config::{EmitSection, ModelSection};
use crate::document::labels::Label;
use crate::document::{Document, Paragraph, PersonalData};
use crate::emit::document_text::{DocumentText, TokenizedParagraph};
use crate::emit::vertical::{self, TokenLayout};
use crate::error::Result;
use crate::language::Language;
use crate::quality::Signals;
use crate::quality::signals::has_column;
use crate::stages::Job;
use crate::stages::counters::{Counters, Counts, count};
use crate::stages::emit::format_files::FormatFiles;
use crate::stages::emit::labels::DocumentLabels;
use crate::stages::emit::quality::Measured;
use crate::stages::emit::tagger::{Tagger, Tags};
use crate::store::tables;
use crate::text::segments::Segmenter;
use crate::threads::CancelToken;

/// Size of a tagger batch: bytes of content, kept or not, and [`DOCUMENT_BYTES`] for each document. A batch is large
/// enough to make the start of the tagger cheap and small enough for memory.
pub const BATCH_BYTES: usize = 1 << 20;
/// Bytes that a document takes besides its content, so that a batch of documents without content ends, too.
const DOCUMENT_BYTES: usize = 1 << 10;

/// What the content paragraphs of a document add to the size of a batch.
pub fn batch_bytes(rows: &[Paragraph]) -> usize {
    DOCUMENT_BYTES + rows.iter().map(|row| row.text.len()).sum::<usize>()
}

/// Writes documents whose outcome is final, in the order in which they are pushed.
pub struct Output<'a> {
    job: &'a Job,
    segmenter: Segmenter,
    documents: tables::Writer<Document>,
    paragraphs: tables::Writer<Paragraph>,
    signals: Option<tables::Writer<Signals>>,
    personal: Option<tables::Writer<PersonalData>>,
    formats: FormatFiles,
    labels: DocumentLabels,
    tagger: Option<&'a Tagger>,
    pending: Vec<FinalDocument>,
    pending_bytes: usize,
}

/// A document whose outcome is final.
pub struct FinalDocument {
    pub document: Document,
    /// Its content paragraphs.
    pub rows: Vec<Paragraph>,
    /// What was measured, if it was.
    pub measured: Option<Measured>,
    /// Personal data in the paragraphs.
    pub personal: Vec<PersonalData>,
}

/// Tagged tokens of a document: for each kept paragraph its index and its tokens, each with its TAB-separated tags.
type Tokens = Vec<(u32, Vec<String>)>;

impl<'a> Output<'a> {
    /// Creates the output files of a shard under temporary names.
    pub fn create(job: &'a Job, shard: u32) -> Result<Output<'a>> {
        let settings = job.table_settings();
        Ok(Output {
            job,
            segmenter: job.config.segments.segmenter(),
            documents: tables::Writer::create(&job.layout.documents(shard), &settings)?,
            paragraphs: tables::Writer::create(&job.layout.paragraphs(shard), &settings)?,
            signals: match job.has_signals() {
                true => Some(signals_table(job, shard)?),
                false => None,
            },
            personal: match job.config.pii.kinds.is_empty() {
                true => None,
                false => Some(tables::Writer::create(&job.layout.pii(shard), &settings)?),
            },
            formats: FormatFiles::create(&job.config, &job.config.output.formats, &job.layout, shard)?,
            labels: DocumentLabels::open(&job.config, &job.layout, shard)?,
            tagger: job.tagger.as_ref(),
            pending: Vec::new(),
            pending_bytes: 0,
        })
    }

    /// Adds a document. With a tagger, documents are written in batches.
    pub fn push(&mut self, page: FinalDocument, counters: &mut Counters) -> Result<()> {
        self.pending_bytes += batch_bytes(&page.rows);
        self.pending.push(page);
        let full = self.tagger.is_none() || self.pending_bytes >= BATCH_BYTES;
        if full { self.flush(counters) } else { Ok(()) }
    }

    /// Writes the last batch, and gives the files their final names.
    pub fn finish(mut self, counters: &mut Counters) -> Result<()> {
        self.flush(counters)?;
        counters.formats = self.formats.finish()?;
        self.signals.map_or(Ok(()), tables::Writer::finish)?;
        self.personal.map_or(Ok(()), tables::Writer::finish)?;
        self.paragraphs.finish()?;
        self.documents.finish()
    }

    /// Tags and writes the pending documents.
    fn flush(&mut self, counters: &mut Counters) -> Result<()> {
        let mut pages = std::mem::take(&mut self.pending);
        self.pending_bytes = 0;
        let tokens = self.write(&pages, counters)?;
        for (page, tokens) in pages.iter_mut().zip(tokens) {
            let mut tokens = tokens.into_iter().peekable();
            for row in &mut page.rows {
                if let Some((_, tokens)) = tokens.next_if(|(index, _)| *index == row.index) {
                    row.tokens = tokens;
                }
            }
        }
        for FinalDocument { document, rows, measured, personal } in pages {
            self.documents.push(document)?;
            if let Some((table, Measured { signals, scores, .. })) = self.signals.as_mut().zip(measured) {
                table.push_scored(signals, &scores)?;
            }
            if let Some(table) = &mut self.personal {
                personal.into_iter().try_for_each(|found| table.push(found))?;
            }
            rows.into_iter().try_for_each(|row| self.paragraphs.push(row))?;
        }
        Ok(())
    }

    /// Tags the pages and writes them in all formats. Returns the tagged tokens of each page; none for an untagged one.
    fn write(&mut self, pages: &[FinalDocument], counters: &mut Counters) -> Result<Vec<Tokens>> {
        let needs_tokens = self.tagger.is_some() || self.formats.need_tokens();
        let names = self.job.models.names();
        let labels = pages.iter().map(|page| {
            let signals = page.measured.as_ref().map(|measured| &measured.signals);
            self.labels.of(page.document.doc, scores(&names, page), signals)
        });
        let labels: Vec<Vec<Label>> = labels.collect::<Result<_>>()?;
        let texts = pages.iter().map(|page| text(page, needs_tokens, &self.segmenter)).zip(&labels);
        let texts: Vec<DocumentText> = texts.map(|(text, labels)| text.with_labels(labels)).collect();
        let wanted = &self.job.config.emit.tagger_languages;
        let answers = tag(self.tagger, wanted, &texts, &self.job.cancel, &mut counters.faults)?;
        // The texts borrow their tags from the answers, so they must be dropped before them.
        let mut texts = texts;
        let mut all = Vec::with_capacity(texts.len());
        for ((text, answer), page) in texts.iter_mut().zip(&answers).zip(pages) {
            let tagged = answer.as_ref().is_some_and(|tags| text.tag(tags).is_ok());
            counters.tagged += u64::from(tagged);
            if page.document.kept {
                self.formats.write(text)?;
            }
            all.push(if tagged { tokens(text) } else { Tokens::new() });
        }
        Ok(all)
    }
}

/// The kept text of a page; empty for a document that is not kept.
fn text<'a>(page: &'a FinalDocument, needs_tokens: bool, segmenter: &Segmenter) -> DocumentText<'a> {
    let kept = page.rows.iter().filter(|row| row.kept && page.document.kept);
    let measured = page.measured.as_ref();
    let text = match (needs_tokens, measured) {
        (true, Some(measured)) => DocumentText::segmented(&page.document, kept, segmenter, &measured.segments),
        (true, None) => DocumentText::tokenized(&page.document, kept, segmenter),
        (false, _) => DocumentText::untokenized(&page.document, kept),
    };
    text.with_signals(measured.map(|measured| &measured.signals)).with_gaps(&page.rows)
}

/// The scores of a document by the models of a job.
fn scores(names: &[&str], page: &FinalDocument) -> Vec<Label> {
    let scores = page.measured.as_ref().map(|measured| measured.scores.as_slice()).unwrap_or_default();
    names.iter().zip(scores).map(|(name, score)| Label::score(name, *score)).collect()
}

/// The table `signals` of a shard, with the columns of the groups that the job measures. Its metadata name these groups.
fn signals_table(job: &Job, shard: u32) -> Result<tables::Writer<Signals>> {
    let (groups, counts_tokens) = (job.quality.groups(), job.token_counts.is_on());
    let mut settings = job.table_settings();
    let names = toml::Value::try_from(groups).map(|names| names.to_string());
    settings.metadata.extend(names.ok().map(|names| ("warcorpus.signals".into(), names)));
    let has = |column: &str| has_column(column, groups, counts_tokens);
    tables::Writer::with_columns(&job.layout.signals(shard), &settings, has, &score_columns(job))
}

/// Names and descriptions of the columns of scores.
fn score_columns(job: &Job) -> Vec<(String, String)> {
    let of = |model: &ModelSection| {
        let (label, path) = (&model.label, &model.path);
        (
            model.name.clone(),
            format!(
                "Probability of `{label}` by the model {path}, 0 to 1.00001; null if it knows nothing of the text."
            ),
        )
    };
    job.config.quality.model.iter().map(of).collect()
}

/// Whether documents of a language are tagged.
pub fn is_tagged(emit: &EmitSection, language: Language) -> bool {
    !emit.tagger.is_empty() && is_wanted(&emit.tagger_languages, language.code())
}

fn is_wanted(wanted: &[String], language: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|w| w == language)
}

/// Sends the texts in the languages `wanted` (all if it is empty) to the tagger, one run per language. Returns the tags
/// of each text, `None` for an untagged one as all are without a tagger, and counts failures in `faults`.
pub fn tag(
    tagger: Option<&Tagger>,
    wanted: &[String],
    texts: &[DocumentText],
    cancel: &CancelToken,
    faults: &mut Counts,
) -> Result<Vec<Option<Tags>>> {
    let Some(tagger) = tagger else { return Ok(vec![None; texts.len()]) };
    let plain = TokenLayout::untagged();
    let mut by_language: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
    for (i, text) in texts.iter().enumerate() {
        let language = text.document.language.code();
        let mut lines = String::new();
        vertical::document(&mut lines, text, &plain);
        if !lines.is_empty() && is_wanted(wanted, language) {
            by_language.entry(language).or_default().push((i, lines));
        }
    }
    let mut answers: Vec<Option<Tags>> = vec![None; texts.len()];
    for (language, requests) in by_language {
        let (indices, lines): (Vec<usize>, Vec<String>) = requests.into_iter().unzip();
        for (index, answer) in indices.into_iter().zip(tagger.tag(language, &lines, cancel)?) {
            match (answer, answers.get_mut(index), texts.get(index)) {
                (Ok(tags), Some(slot), _) => *slot = Some(tags),
                (Err(failure), _, Some(DocumentText { document, .. })) => {
                    count(faults, &format!("tagger.{}", failure.name()));
                    tracing::warn!(doc = document.doc, url = document.url, language, "not tagged: {failure}");
                }
                _ => {}
            }
        }
    }
    Ok(answers)
}

/// The tokens of a tagged text, each with its TAB-separated tags.
fn tokens(text: &DocumentText) -> Tokens {
    let of = |paragraph: &TokenizedParagraph| {
        let tokens = text.sentences(paragraph).flat_map(|sentence| sentence.tokens());
        (paragraph.row.index, tokens.map(|token| format!("{}\t{}", token.form, token.tags)).collect())
    };
    text.paragraphs.iter().map(of).collect()
}
