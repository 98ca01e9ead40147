//! The table of the format `parquet`: chosen columns of `documents` and `signals`, and the text of each document.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::file::properties::CdcOptions;

use super::column_file::ColumnFile;
use super::file::{Options, base_properties, described_field};
use super::labels;
use crate::document::Document;
use crate::document::labels::{LabelColumn, LabelValue};
use crate::emit::document_text::DocumentText;
use crate::emit::markdown::markdown;
use crate::emit::parquet::{MARKDOWN, is_signal};
use crate::error::Result;
use crate::quality::Signals;
use crate::table::{SchemaFile, Table};

/// Bytes of text and Markdown that are converted to columns at a time.
const BATCH_BYTES: usize = 4 << 20;

/// The descriptions of the columns that no other table has.
const SCHEMA: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/texts.toml"));

/// Writes documents in the order in which they are pushed.
pub struct Writer {
    file: ColumnFile,
    columns: Vec<String>,
    /// The labels that are among the columns.
    labels: Vec<LabelColumn>,
    documents: Vec<Document>,
    signals: Vec<Signals>,
    /// The values of these labels.
    values: Vec<Vec<LabelValue>>,
    texts: Vec<String>,
    /// The texts as Markdown, if there is a column of them.
    markdown: Vec<String>,
    text_bytes: usize,
}

impl Writer {
    /// Creates a file with these columns, each of which is one of [`crate::emit::parquet::column_names`] or of `labels`.
    pub fn create(path: &Path, columns: &[String], labels: &[LabelColumn], options: &Options) -> Result<Writer> {
        let described = SchemaFile::parse(SCHEMA);
        let schema = Schema::new(columns.iter().map(|name| field(name, labels, &described)).collect::<Vec<_>>());
        // Chunks are cut by content, so that a store that keeps equal chunks once takes little for a later version.
        let properties = base_properties("texts", &described, options)
            .set_content_defined_chunking(Some(CdcOptions::default()))
            .set_column_dictionary_enabled("text".into(), false)
            .set_column_dictionary_enabled(MARKDOWN.into(), false)
            .build();
        let file = ColumnFile::create(path, schema, properties)?;
        let (documents, signals, values, texts, markdown) = Default::default();
        let columns = columns.to_vec();
        let labels: Vec<LabelColumn> = labels.iter().filter(|label| columns.contains(&label.name)).cloned().collect();
        Ok(Writer { file, columns, labels, documents, signals, values, texts, markdown, text_bytes: 0 })
    }

    fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// The chosen columns of a table.
    fn named<T: Table>(&self, rows: &[T]) -> impl Iterator<Item = (String, ArrayRef)> + use<T> {
        let names: Vec<&str> = T::columns().into_iter().map(|(name, ..)| name).filter(|name| self.has(name)).collect();
        names.into_iter().map(String::from).zip(T::arrays(rows, |name| self.has(name)))
    }

    /// Whether a column of `signals` is among the columns.
    pub fn needs_signals(&self) -> bool {
        self.columns.iter().any(|column| is_signal(column))
    }

    /// Adds a document, unless it has no text.
    pub fn push(&mut self, text: &DocumentText<'_>) -> Result<()> {
        let Some(whole) = text.whole_text() else { return Ok(()) };
        self.text_bytes += whole.len();
        self.documents.push(text.document.clone());
        self.signals.push(text.signals.cloned().unwrap_or_default());
        let value = |column: &LabelColumn| {
            let label = text.labels.iter().find(|label| label.name == column.name);
            label.map_or_else(|| column.unknown(), |label| label.value.clone())
        };
        self.values.push(self.labels.iter().map(value).collect());
        self.texts.push(whole);
        if self.has(MARKDOWN) {
            let markdown = markdown(text);
            self.text_bytes += markdown.len();
            self.markdown.push(markdown);
        }
        if self.text_bytes >= BATCH_BYTES { self.write_batch() } else { Ok(()) }
    }

    /// Writes the rest and gives the file its name.
    pub fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        self.file.finish()
    }

    fn write_batch(&mut self) -> Result<()> {
        if self.texts.is_empty() {
            return Ok(());
        }
        let mut arrays: HashMap<String, ArrayRef> = HashMap::new();
        if self.needs_signals() {
            arrays.extend(self.named(&self.signals));
        }
        arrays.extend(self.named(&self.documents));
        arrays.insert("text".into(), Arc::new(StringArray::from_iter_values(&self.texts)));
        if self.has(MARKDOWN) {
            arrays.insert(MARKDOWN.into(), Arc::new(StringArray::from_iter_values(&self.markdown)));
        }
        for (place, label) in self.labels.iter().enumerate() {
            let values = self.values.iter().map(|values| values.get(place));
            arrays.insert(label.name.clone(), labels::array(label, values));
        }
        let chosen = self.columns.iter().map(|name| arrays.remove(name).expect("`create` was given names of columns"));
        self.file.write(chosen)?;
        self.documents.clear();
        self.signals.clear();
        self.values.clear();
        self.texts.clear();
        self.markdown.clear();
        self.text_bytes = 0;
        Ok(())
    }
}

/// The type of a column, and whether it holds nulls.
fn data_type(name: &str, labels: &[LabelColumn]) -> (DataType, bool) {
    if let Some(label) = labels.iter().find(|label| label.name == name) {
        return (labels::data_type(label), true);
    }
    let columns = Document::columns().into_iter().chain(Signals::columns());
    let found = columns.into_iter().find(|(known, ..)| *known == name);
    found.map_or((DataType::Utf8, false), |(_, data_type, nullable)| (data_type, nullable))
}

fn field(name: &str, labels: &[LabelColumn], own: &SchemaFile) -> Field {
    let described = [own, Document::described(), Signals::described()];
    let label = || labels.iter().any(|label| label.name == name).then_some(labels::DESCRIPTION);
    let description = described.iter().find_map(|file| file.columns.get(name)).map(String::as_str).or_else(label);
    let (data_type, nullable) = data_type(name, labels);
    described_field(name, data_type, nullable, description.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt32Type;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::document::Paragraph;
    use crate::emit::parquet::{OWN_COLUMNS, column_names};

    fn write(columns: &[&str], documents: usize) -> RecordBatch {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let columns: Vec<String> = columns.iter().map(|name| (*name).into()).collect();
        let options = Options { zstd_level: 1, row_group_rows: 100, metadata: Vec::new() };
        let mut writer = Writer::create(&path, &columns, &[], &options).unwrap();
        for n in 0..documents {
            let document = Document { url: format!("http://e/{n}"), words: n as u32, ..Document::default() };
            let signals = Signals { n_lines: (n > 0).then_some(n as u32), ..Signals::default() };
            let rows = [Paragraph { text: format!("Text {n}"), ..Paragraph::default() }];
            writer.push(&DocumentText::untokenized(&document, &rows).with_signals(Some(&signals))).unwrap();
        }
        writer.finish().unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let schema = reader.schema().clone();
        assert!(schema.fields().iter().all(|field| !field.metadata()["description"].is_empty()));
        let first = reader.build().unwrap().next().map(|batch| batch.unwrap());
        first.unwrap_or_else(|| RecordBatch::new_empty(schema))
    }

    #[test]
    fn chosen_columns_stand_in_their_order() {
        let batch = write(&["url", "text", "n_lines", "words"], 3);
        let names: Vec<_> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        assert_eq!(names, ["url", "text", "n_lines", "words"]);
        assert_eq!(batch.column(1).as_string::<i32>().value(2), "Text 2");
        let lines = batch.column(2).as_primitive::<UInt32Type>();
        assert!(lines.value(2) == 2 && batch.column(2).is_null(0));
    }

    #[test]
    fn every_column_can_be_chosen_and_none_is_there_twice() {
        let names: Vec<&str> = column_names().filter(|name| *name != "doc").chain(["doc"]).collect();
        let batch = write(&names, 1);
        assert_eq!(batch.num_columns(), names.len());
        assert!(OWN_COLUMNS.iter().all(|own| Document::columns().iter().all(|(name, ..)| name != own)));
    }

    #[test]
    fn markdown_counts_among_the_bytes_of_a_batch() {
        let folder = tempfile::tempdir().unwrap();
        let columns = ["text", MARKDOWN].map(String::from);
        let options = Options { zstd_level: 1, row_group_rows: 100, metadata: Vec::new() };
        let mut writer = Writer::create(&folder.path().join("t.parquet"), &columns, &[], &options).unwrap();
        let (document, rows) = (Document::default(), [Paragraph { text: "*".repeat(100), ..Paragraph::default() }]);
        writer.push(&DocumentText::untokenized(&document, &rows)).unwrap();
        assert_eq!(writer.text_bytes, writer.texts[0].len() + writer.markdown[0].len());
        assert!(writer.markdown[0].len() > 2 * writer.texts[0].len());
        writer.finish().unwrap();
    }

    #[test]
    fn a_shard_without_documents_is_a_table() {
        assert_eq!(write(&["url", "text"], 0).num_rows(), 0);
    }
}
