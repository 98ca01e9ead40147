//! Writes chosen documents of a finished corpus in some formats.

use rayon::prelude::*;

use super::parts::{self, Part, Stretch};
use crate::commands::stored_tags::StoredTags;
use crate::config::{Config, ModelSection};
use crate::document::labels::Label;
use crate::document::{Document, Paragraph, ParagraphText};
use crate::emit::document_text::DocumentText;
use crate::emit::{CountsByFormat, OutputFormat, add_counts};
use crate::error::Result;
use crate::language::Language;
use crate::quality::Signals;
use crate::select::documents::DocumentFilter;
use crate::select::sample::Sample;
use crate::stages::counters::Counts;
use crate::stages::emit::format_files::{self, FormatFiles};
use crate::stages::emit::labels::DocumentLabels;
use crate::stages::emit::output::{self, BATCH_BYTES};
use crate::stages::emit::tagger::Tagger;
use crate::stages::emit::token_counts::TokenCounts;
use crate::store::corpus::{self, CorpusReader};
use crate::store::document_values::DocumentChoice;
use crate::store::layout::Layout;
use crate::store::tables::RowsOfDocuments;
use crate::store::tables::labels::LabelsOfDocuments;
use crate::text::segments::Segmenter;
use crate::threads::{self, CancelToken};

/// Counters of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    pub documents: u64,
    /// Documents with the tags of this run's tagger.
    pub tagged: u64,
    /// Documents without tags, because the tagger failed or their tokens differ from the tagged ones of the corpus.
    pub untagged: u64,
    /// Counters of each format.
    pub formats: CountsByFormat,
}

/// What is written, and where.
pub struct Export<'a> {
    pub corpus: &'a Layout,
    pub config: &'a Config,
    pub formats: &'a [OutputFormat],
    pub selection: Selection<'a>,
    /// A tagger to run; otherwise the tags of the corpus are written.
    pub tagger: Option<&'a Tagger>,
    /// What counts the tokens of a language model; off where the signals of the corpus have the counts.
    pub token_counts: &'a TokenCounts,
    /// The directory to write, which may be that of the corpus.
    pub out: &'a Layout,
    pub cancel: &'a CancelToken,
}

/// A document with its content paragraphs, kept or not, and its signals where they were measured and are needed.
struct Page {
    document: Document,
    rows: Vec<Paragraph>,
    signals: Option<Signals>,
    labels: Vec<Label>,
}

/// The scores of a shard's documents by the models of the job.
fn scores(corpus: &Layout, shard: u32, models: &[ModelSection]) -> Result<LabelsOfDocuments> {
    LabelsOfDocuments::open(corpus.optional(corpus.signals(shard)), |name| {
        models.iter().any(|model| model.name == name)
    })
}

/// The signals of a shard's documents.
struct Signal(Option<RowsOfDocuments<Signals>>);

impl Signal {
    fn open(corpus: &Layout, shard: u32, needed: bool) -> Result<Signal> {
        let rows = corpus.optional(corpus.signals(shard)).filter(|_| needed).map(|path| RowsOfDocuments::open(&path));
        Ok(Signal(rows.transpose()?))
    }

    fn of(&mut self, doc: u64) -> Result<Option<Signals>> {
        self.0.as_mut().map_or(Ok(None), |rows| Ok(rows.of(doc, |_| true)?.pop()))
    }
}

/// Which of the kept documents are written.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// Languages of the documents; all if empty.
    pub languages: &'a [Language],
    pub filter: Option<&'a DocumentFilter>,
    pub sample: Option<Sample>,
}

impl Selection<'_> {
    pub fn is_everything(&self) -> bool {
        self.languages.is_empty() && self.filter.is_none() && self.sample.is_none()
    }

    /// Whether it has a document that the filter matches.
    fn has(&self, document: &Document) -> bool {
        (self.languages.is_empty() || self.languages.contains(&document.language))
            && self.sample.is_none_or(|sample| sample.has(document))
    }
}

impl Export<'_> {
    /// Writes the chosen documents on `threads` threads.
    pub fn run(&self, threads: usize) -> Result<Exported> {
        let pool = threads::pool(threads)?;
        let parts = pool.install(|| self.parts())?;
        let all = || parts.par_iter().with_max_len(1).map(|part| self.part(part)).collect::<Result<Vec<_>>>();
        let mut total = Exported::default();
        for part in pool.install(all)? {
            total.documents += part.documents;
            total.tagged += part.tagged;
            total.untagged += part.untagged;
            add_counts(&mut total.formats, &part.formats);
        }
        format_files::remove_others(self.config, self.formats, self.out, parts.len() as u32)?;
        format_files::write_job_files(self.config, self.formats, self.out, &total.formats)?;
        Ok(total)
    }

    /// The files to write.
    fn parts(&self) -> Result<Vec<Part>> {
        let shards = 0..corpus::shards(self.corpus)?;
        let bytes = self.config.output.shard_bytes;
        if bytes == 0 {
            return Ok(shards.map(Part::of_shard).collect());
        }
        let of_shard = |shard| {
            let choice = DocumentChoice::open(self.corpus, shard, self.selection.filter)?;
            let pages = CorpusReader::<ParagraphText>::of_shard(self.corpus, shard)?.chosen(choice);
            let mut total = 0;
            for page in pages {
                let (document, rows) = page?;
                self.cancel.check()?;
                if self.selection.has(&document) {
                    total += rows.iter().map(|row| row.text.len() as u64).sum::<u64>();
                }
            }
            Ok(total)
        };
        let sizes = shards.into_par_iter().with_max_len(1).map(of_shard).collect::<Result<Vec<u64>>>()?;
        Ok(parts::of_bytes(&sizes, bytes))
    }

    fn part(&self, part: &Part) -> Result<Exported> {
        let mut files = FormatFiles::create(self.config, self.formats, self.out, part.number)?;
        let mut exported = Exported::default();
        for stretch in &part.stretches {
            self.stretch(stretch, &mut files, &mut exported)?;
        }
        exported.formats = files.finish()?;
        Ok(exported)
    }

    /// Writes the documents of a shard whose text begins in a range of the shard's bytes.
    fn stretch(&self, stretch: &Stretch, files: &mut FormatFiles, exported: &mut Exported) -> Result<()> {
        let needs_signals = files.need_signals() || self.config.has_bins();
        let mut signals = Signal::open(self.corpus, stretch.shard, needs_signals)?;
        let mut scores = scores(self.corpus, stretch.shard, &self.config.quality.model)?;
        let mut labels = DocumentLabels::open(self.config, self.corpus, stretch.shard)?;
        let (mut batch, mut batch_bytes, mut begin) = (Vec::new(), 0, 0);
        let choice = DocumentChoice::open(self.corpus, stretch.shard, self.selection.filter)?;
        let reader = CorpusReader::<Paragraph>::of_shard(self.corpus, stretch.shard)?.chosen(choice);
        for page in reader.with_dropped_paragraphs() {
            let (document, rows) = page?;
            self.cancel.check()?;
            if !self.selection.has(&document) {
                continue;
            }
            let bytes = kept(&rows).map(|row| row.text.len()).sum::<usize>();
            let is_wanted = stretch.bytes.contains(&begin);
            begin += bytes as u64;
            if !is_wanted {
                continue;
            }
            batch_bytes += bytes;
            let signals = self.token_counts.add(&document, &rows, signals.of(document.doc)?)?;
            let labels = labels.of(document.doc, scores.labels_of(document.doc)?, signals.as_ref())?;
            batch.push(Page { document, rows, signals, labels });
            // Only a tagger gains from more than one document at a time.
            if self.tagger.is_none() || batch_bytes >= BATCH_BYTES {
                self.write(&batch, files, exported)?;
                batch.clear();
                batch_bytes = 0;
            }
        }
        self.write(&batch, files, exported)
    }

    fn write(&self, pages: &[Page], files: &mut FormatFiles, exported: &mut Exported) -> Result<()> {
        let cut = files.need_tokens() || self.tagger.is_some();
        let segmenter = self.config.segments.segmenter();
        let texts: Vec<DocumentText> = pages.iter().map(|page| text(page, cut, &segmenter)).collect();
        let stored: Vec<StoredTags> = pages.iter().map(|page| StoredTags::of(&page.rows)).collect();
        let answers = match self.tagger {
            Some(tagger) => {
                let mut failures = Counts::new();
                output::tag(tagger, &self.config.emit.tagger_languages, &texts, self.cancel, &mut failures)?
            }
            None => vec![None; texts.len()],
        };
        let mut texts = texts;
        for ((text, stored), answer) in texts.iter_mut().zip(&stored).zip(&answers) {
            if self.tagger.is_some() {
                let tagged = answer.as_ref().is_some_and(|tags| text.tag(tags).is_ok());
                exported.tagged += u64::from(tagged);
                exported.untagged += u64::from(!tagged);
            } else if cut && !stored.lines.is_empty() {
                let same = stored.match_tokens(text) && text.tag(&stored.lines).is_ok();
                exported.untagged += u64::from(!same);
            }
            files.write(text)?;
            exported.documents += 1;
        }
        Ok(())
    }
}

fn kept(rows: &[Paragraph]) -> impl Iterator<Item = &Paragraph> {
    rows.iter().filter(|row| row.kept)
}

fn text<'a>(page: &'a Page, cut: bool, segmenter: &Segmenter) -> DocumentText<'a> {
    let text = match cut {
        true => DocumentText::tokenized(&page.document, kept(&page.rows), segmenter),
        false => DocumentText::untokenized(&page.document, kept(&page.rows)),
    };
    let text = text.with_gaps(&page.rows);
    text.with_signals(page.signals.as_ref()).with_labels(&page.labels)
}
