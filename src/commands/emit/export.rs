//! Writes chosen documents of a finished corpus in some formats.

use std::ops::Range;

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
    /// Documents of a tagged corpus for which it has no tags.
    pub without_stored: u64,
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

/// The chosen documents of a shard, with what is written about them. It is read once, from its begin to where the last
/// stretch ends.
struct ShardPages {
    shard: u32,
    documents: CorpusReader<Paragraph>,
    signals: DocumentSignals,
    scores: LabelsOfDocuments,
    labels: DocumentLabels,
    /// Bytes of the text of the chosen documents before the next one.
    begin: u64,
    /// The next chosen document, if it was read but belongs to a later stretch.
    next: Option<(Document, Vec<Paragraph>)>,
}

impl ShardPages {
    fn open(export: &Export<'_>, shard: u32, need_signals: bool) -> Result<ShardPages> {
        let (config, corpus) = (export.config, export.corpus);
        let choice = DocumentChoice::open(corpus, shard, export.selection.filter)?;
        let documents = CorpusReader::of_shard(corpus, shard)?.chosen(choice).with_dropped_paragraphs();
        Ok(ShardPages {
            shard,
            documents,
            signals: DocumentSignals::open(corpus, shard, need_signals || config.has_bins())?,
            scores: scores(corpus, shard, &config.quality.model)?,
            labels: DocumentLabels::open(config, corpus, shard)?,
            begin: 0,
            next: None,
        })
    }

    /// The next document whose text begins in a range of the shard's bytes. Documents before the range are passed over; the
    /// first one behind it stays.
    fn next_in(&mut self, range: &Range<u64>, export: &Export<'_>) -> Result<Option<Page>> {
        while let Some((document, rows)) = self.next_chosen(export)? {
            if self.begin >= range.end {
                self.next = Some((document, rows));
                return Ok(None);
            }
            let is_wanted = range.contains(&self.begin);
            self.begin += kept(&rows).map(|row| row.text.len() as u64).sum::<u64>();
            if is_wanted {
                let signals = export.token_counts.add(&document, &rows, self.signals.of(document.doc)?)?;
                let labels = self.labels.of(document.doc, self.scores.labels_of(document.doc)?, signals.as_ref())?;
                return Ok(Some(Page { document, rows, signals, labels }));
            }
        }
        Ok(None)
    }

    /// The next document of the selection, with its content paragraphs.
    fn next_chosen(&mut self, export: &Export<'_>) -> Result<Option<(Document, Vec<Paragraph>)>> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        for page in self.documents.by_ref() {
            let (document, rows) = page?;
            export.cancel.check()?;
            if export.selection.has(&document) {
                return Ok(Some((document, rows)));
            }
        }
        Ok(None)
    }
}

/// The scores of a shard's documents by the models of the job.
fn scores(corpus: &Layout, shard: u32, models: &[ModelSection]) -> Result<LabelsOfDocuments> {
    LabelsOfDocuments::open(corpus.optional(corpus.signals(shard))?, |name| {
        models.iter().any(|model| model.name == name)
    })
}

/// The signals of a shard's documents.
struct DocumentSignals(Option<RowsOfDocuments<Signals>>);

impl DocumentSignals {
    fn open(corpus: &Layout, shard: u32, needed: bool) -> Result<DocumentSignals> {
        let rows = corpus.optional(corpus.signals(shard))?.filter(|_| needed).map(|path| RowsOfDocuments::open(&path));
        Ok(DocumentSignals(rows.transpose()?))
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
        let runs = parts::runs(&parts, threads);
        let all = || runs.par_iter().with_max_len(1).map(|run| self.write_run(run)).collect::<Result<Vec<_>>>();
        let mut total = Exported::default();
        for part in pool.install(all)?.into_iter().flatten() {
            total.documents += part.documents;
            total.tagged += part.tagged;
            total.untagged += part.untagged;
            total.without_stored += part.without_stored;
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

    /// Writes consecutive files in one pass through the shards that they are of.
    fn write_run(&self, parts: &[Part]) -> Result<Vec<Exported>> {
        let mut pages = None;
        parts.iter().map(|part| self.part(part, &mut pages)).collect()
    }

    /// Writes a file of each format. `pages` are those of the shard that the file before ended in, and become those of the
    /// shard that this one ends in.
    fn part(&self, part: &Part, pages: &mut Option<ShardPages>) -> Result<Exported> {
        let mut files = FormatFiles::create(self.config, self.formats, self.out, part.number)?;
        let mut exported = Exported::default();
        for stretch in &part.stretches {
            let begun = pages.take().filter(|pages| pages.shard == stretch.shard);
            let open = || ShardPages::open(self, stretch.shard, files.need_signals());
            let pages = pages.insert(begun.map_or_else(open, Ok)?);
            self.stretch(stretch, pages, &mut files, &mut exported)?;
        }
        exported.formats = files.finish()?;
        Ok(exported)
    }

    /// Writes the documents of a shard whose text begins in a range of the shard's bytes.
    fn stretch(
        &self,
        stretch: &Stretch,
        pages: &mut ShardPages,
        files: &mut FormatFiles,
        exported: &mut Exported,
    ) -> Result<()> {
        let (mut batch, mut batch_bytes) = (Vec::new(), 0);
        while let Some(page) = pages.next_in(&stretch.bytes, self)? {
            batch_bytes += output::batch_bytes(&page.rows);
            batch.push(page);
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
        let (wanted, mut failures) = (&self.config.emit.tagger_languages, Counts::new());
        let answers = output::tag(self.tagger, wanted, &texts, self.cancel, &mut failures)?;
        let mut texts = texts;
        for ((text, stored), answer) in texts.iter_mut().zip(&stored).zip(&answers) {
            if self.tagger.is_some() {
                let tagged = answer.as_ref().is_some_and(|tags| text.tag(tags).is_ok());
                exported.tagged += u64::from(tagged);
                exported.untagged += u64::from(!tagged);
            } else if cut && !stored.lines.is_empty() {
                let same = stored.match_tokens(text) && text.tag(&stored.lines).is_ok();
                exported.untagged += u64::from(!same);
            } else if cut && text.token_count() > 0 {
                exported.without_stored += u64::from(output::is_tagged(&self.config.emit, text.document.language));
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
