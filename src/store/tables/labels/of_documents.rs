//! What `annotate` joined to a corpus, document by document.

use std::fs::File;
use std::path::PathBuf;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::reader::{Key, LabelReader, LabelRow};
use super::{DOC, KnownValues};
use crate::document::labels::{Label, LabelColumn, LabelValue};
use crate::error::{Error, Result};
use crate::store::layout::Layout;
use crate::store::tables::guarded;

/// The labels of a shard's documents, asked for in ascending order.
pub struct LabelsOfDocuments {
    columns: Vec<LabelColumn>,
    rows: Option<std::iter::Peekable<LabelReader>>,
}

impl LabelsOfDocuments {
    /// Opens a table, which the corpus may not have; `wanted` chooses its columns.
    pub fn open(table: Option<PathBuf>, wanted: impl Fn(&str) -> bool) -> Result<LabelsOfDocuments> {
        let Some(path) = table else { return Ok(LabelsOfDocuments { columns: Vec::new(), rows: None }) };
        let reader = LabelReader::open(&path, DOC, wanted)?;
        Ok(LabelsOfDocuments { columns: reader.columns().to_vec(), rows: Some(reader.peekable()) })
    }

    pub fn columns(&self) -> &[LabelColumn] {
        &self.columns
    }

    /// The values of a document, one for each column; those of a document without a row are unknown.
    pub fn of(&mut self, doc: u64) -> Result<Vec<LabelValue>> {
        let known = self.known_of(doc)?;
        let mut values: Vec<LabelValue> = self.columns.iter().map(LabelColumn::unknown).collect();
        for (place, value) in known {
            if let Some(cell) = values.get_mut(place) {
                *cell = value;
            }
        }
        Ok(values)
    }

    /// The values of a document that are known.
    pub fn known_of(&mut self, doc: u64) -> Result<KnownValues> {
        let passed = |row: &Result<LabelRow>| match row {
            Ok(LabelRow { key: Some(Key::Doc(other)), .. }) => *other <= doc,
            _ => true,
        };
        while let Some(row) = self.rows.as_mut().and_then(|rows| rows.next_if(passed)) {
            let row = row?;
            if row.key == Some(Key::Doc(doc)) {
                return Ok(row.values);
            }
        }
        Ok(Vec::new())
    }

    /// [`LabelsOfDocuments::of`] with the names of the columns.
    pub fn labels_of(&mut self, doc: u64) -> Result<Vec<Label>> {
        let values = self.of(doc)?;
        let names = self.columns.iter().map(|column| column.name.clone());
        Ok(names.zip(values).map(|(name, value)| Label { name, value }).collect())
    }
}

/// Key of the metadata of a table `labels` with the digest of all that was joined to it.
pub const DIGEST: &str = "warcorpus.labels";

/// The digest of what `annotate` joined to a corpus; empty if there is nothing.
///
/// # Errors
/// [`Error::Damaged`] if the table cannot be read.
pub fn digest_of(corpus: &Layout) -> Result<String> {
    let Some(path) = corpus.optional(corpus.labels(0))? else { return Ok(String::new()) };
    let file = File::open(&path).map_err(Error::io("open", &path))?;
    let table = guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|e| Error::damaged(&path, e))?;
    let mut metadata = table.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    Ok(metadata.find(|pair| pair.key == DIGEST).and_then(|pair| pair.value.clone()).unwrap_or_default())
}

/// The columns that `annotate` joined to a corpus.
///
/// # Errors
/// [`Error::Damaged`] if the table cannot be read.
pub fn columns_of(corpus: &Layout) -> Result<Vec<LabelColumn>> {
    Ok(LabelsOfDocuments::open(corpus.optional(corpus.labels(0))?, |_| true)?.columns)
}
