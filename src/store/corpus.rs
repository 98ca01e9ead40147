//! The kept documents of a finished corpus, read from its tables.

use std::path::PathBuf;

use serde::Deserialize;

use crate::document::{Document, Paragraph, ParagraphProjection, ParagraphText};
use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::document_values::DocumentChoice;
use crate::store::layout::Layout;
use crate::store::tables::{self, DocumentRow, RowsOfDocuments};

/// A finished corpus, read from its tables. Archives and `work/` may be gone.
///
/// ```no_run
/// let corpus = warcorpus::Corpus::open("corpus")?;
/// for document in corpus.documents() {
///     let (document, paragraphs) = document?;
///     println!("{} {}: {} paragraphs", document.language, document.url, paragraphs.len());
/// }
/// # Ok::<(), warcorpus::Error>(())
/// ```
#[derive(Debug)]
pub struct Corpus {
    layout: Layout,
    shards: u32,
}

/// The part of `stats.json` that tells how many files a table has.
#[derive(Deserialize)]
struct Shards {
    shards: u32,
}

/// Number of shards of a finished corpus. It is not counted by files, because one of them may be lost.
///
/// # Errors
/// [`Error::Usage`] if the directory holds no finished corpus, [`Error::Damaged`] if its `stats.json` cannot be read.
pub fn shards(layout: &Layout) -> Result<u32> {
    let path = layout.stats();
    let stats = atomic::read(&path)?.ok_or_else(|| not_finished(layout))?;
    let Shards { shards } = serde_json::from_str(&stats).map_err(|error| layout.damaged(&path, error))?;
    Ok(shards)
}

/// The error of a directory that holds no finished corpus.
pub fn not_finished(layout: &Layout) -> Error {
    let root = layout.root().display();
    Error::Usage(match layout.plan().exists() {
        true => format!("{root} is not built yet; run `warcorpus build --out {root}`"),
        false => format!("{root} holds no finished corpus"),
    })
}

impl Corpus {
    /// # Errors
    /// [`Error::Usage`] if the directory holds no finished corpus.
    pub fn open(directory: impl Into<PathBuf>) -> Result<Corpus> {
        let layout = Layout::new(directory);
        let shards = shards(&layout)?;
        Ok(Corpus { layout, shards })
    }

    /// The kept documents in corpus order, each with its kept paragraphs.
    pub fn documents(&self) -> impl Iterator<Item = Result<(Document, Vec<Paragraph>)>> {
        (0..self.shards).flat_map(|shard| match CorpusReader::of_shard(&self.layout, shard) {
            Ok(reader) => Box::new(reader) as Box<dyn Iterator<Item = _>>,
            Err(error) => Box::new(std::iter::once(Err(error))),
        })
    }
}

/// A row of `paragraphs`, whole or a part of its columns.
pub trait CorpusRow: DocumentRow {
    /// Whether it is in the corpus.
    fn kept(&self) -> bool;
}

impl CorpusRow for Paragraph {
    fn kept(&self) -> bool {
        self.kept
    }
}

impl CorpusRow for ParagraphText {
    fn kept(&self) -> bool {
        self.drop_reason.is_none()
    }
}

impl CorpusRow for ParagraphProjection {
    fn kept(&self) -> bool {
        self.kept
    }
}

/// The kept documents of a shard in their order, each with its kept paragraphs.
pub struct CorpusReader<R: CorpusRow> {
    documents: tables::Reader<Document>,
    rows: RowsOfDocuments<R>,
    with_dropped: bool,
    all_rows: bool,
    choice: Option<DocumentChoice>,
}

impl<R: CorpusRow> CorpusReader<R> {
    pub fn of_shard(layout: &Layout, shard: u32) -> Result<CorpusReader<R>> {
        Ok(CorpusReader {
            documents: tables::Reader::open(&layout.documents(shard))?,
            rows: RowsOfDocuments::open(&layout.paragraphs(shard))?,
            with_dropped: false,
            all_rows: false,
            choice: None,
        })
    }

    /// The reader that also gives the documents that are not kept, without paragraphs.
    pub fn with_dropped(self) -> CorpusReader<R> {
        CorpusReader { with_dropped: true, ..self }
    }

    /// The reader that also gives the content paragraphs that are not kept.
    pub fn with_dropped_paragraphs(self) -> CorpusReader<R> {
        CorpusReader { all_rows: true, ..self }
    }

    /// The reader of chosen documents alone.
    pub fn chosen(self, choice: DocumentChoice) -> CorpusReader<R> {
        CorpusReader { choice: Some(choice), ..self }
    }

    fn wants(&mut self, document: &Document) -> Result<bool> {
        let wanted = document.kept || self.with_dropped;
        if wanted { self.choice.as_mut().map_or(Ok(true), |choice| choice.has(document)) } else { Ok(false) }
    }

    fn complete(&mut self, document: Document) -> Result<(Document, Vec<R>)> {
        let all = self.all_rows;
        let own = self.rows.of(document.doc, |row| all || row.kept())?;
        Ok((document, own))
    }
}

impl<R: CorpusRow> Iterator for CorpusReader<R> {
    type Item = Result<(Document, Vec<R>)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let document = match self.documents.next()? {
                Ok(document) => document,
                Err(error) => return Some(Err(error)),
            };
            match self.wants(&document) {
                Ok(true) => return Some(self.complete(document)),
                Ok(false) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
