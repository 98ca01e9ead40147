//! The table `labels` of a shard, and labels as columns of other tables.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, StringArray, UInt64Array};
use arrow_schema::{DataType, Schema};

use super::{BATCH, DOC, KnownValues};
use crate::document::labels::{LabelColumn, LabelKind, LabelValue};
use crate::error::Result;
use crate::store::tables::column_file::ColumnFile;
use crate::store::tables::file::{Options, base_properties, described_field};
use crate::table::SchemaFile;

/// The description of a column of labels.
pub const DESCRIPTION: &str =
    "Label of the document from elsewhere: a score of a model, or a column that `annotate` joined.";

/// A table whose columns are described nowhere but in its file.
const DESCRIBED: &str = "version = 1\n[columns]\ndoc = \"Key of the document, as in `documents`.\"\n";

/// Writes rows of labels in the order of their documents.
pub struct LabelWriter {
    file: ColumnFile,
    columns: Vec<LabelColumn>,
    pending: Vec<(u64, KnownValues)>,
}

impl LabelWriter {
    /// Creates the table `labels` of a shard.
    pub fn create(path: &Path, columns: &[LabelColumn], options: &Options) -> Result<LabelWriter> {
        let described = SchemaFile::parse(DESCRIBED);
        let field = |column: &LabelColumn| described_field(&column.name, data_type(column), true, DESCRIPTION);
        let doc = described_field(DOC, DataType::UInt64, false, "Key of the document.");
        let schema = Schema::new([doc].into_iter().chain(columns.iter().map(field)).collect::<Vec<_>>());
        let file = ColumnFile::create(path, schema, base_properties("labels", &described, options).build())?;
        Ok(LabelWriter { file, columns: columns.to_vec(), pending: Vec::new() })
    }

    /// Adds the values of a document.
    pub fn push(&mut self, doc: u64, values: KnownValues) -> Result<()> {
        self.pending.push((doc, values));
        if self.pending.len() >= BATCH { self.write_batch() } else { Ok(()) }
    }

    pub fn finish(mut self) -> Result<()> {
        self.write_batch()?;
        self.file.finish()
    }

    fn write_batch(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let docs: ArrayRef = Arc::new(UInt64Array::from_iter_values(self.pending.iter().map(|(doc, _)| *doc)));
        // Of each column, the values with the numbers of their rows.
        let mut known: Vec<Vec<(usize, &LabelValue)>> = vec![Vec::new(); self.columns.len()];
        for (row, (_, values)) in self.pending.iter().enumerate() {
            for (place, value) in values {
                if let Some(column) = known.get_mut(*place) {
                    column.push((row, value));
                }
            }
        }
        let mut cells: Vec<Option<&LabelValue>> = Vec::new();
        let of_column = |(column, known): (&LabelColumn, _)| {
            cells.clear();
            cells.resize(self.pending.len(), None);
            for (row, value) in known {
                if let Some(cell) = cells.get_mut(row) {
                    *cell = Some(value);
                }
            }
            array(column, cells.iter().copied())
        };
        let arrays: Vec<ArrayRef> = self.columns.iter().zip(known).map(of_column).collect();
        self.file.write([docs].into_iter().chain(arrays))?;
        self.pending.clear();
        Ok(())
    }
}

/// The array of a column.
pub fn array<'v>(column: &LabelColumn, values: impl Iterator<Item = Option<&'v LabelValue>>) -> ArrayRef {
    let numbers = |value: Option<&LabelValue>| value.and_then(LabelValue::number);
    match column.kind {
        LabelKind::Text => Arc::new(values.map(text).collect::<StringArray>()),
        LabelKind::Number => Arc::new(values.map(numbers).collect::<Float64Array>()),
        LabelKind::Score => {
            Arc::new(values.map(|value| numbers(value).map(|score| score as f32)).collect::<Float32Array>())
        }
    }
}

/// The type of a column.
pub fn data_type(column: &LabelColumn) -> DataType {
    match column.kind {
        LabelKind::Text => DataType::Utf8,
        LabelKind::Number => DataType::Float64,
        LabelKind::Score => DataType::Float32,
    }
}

fn text(value: Option<&LabelValue>) -> Option<&str> {
    match value {
        Some(LabelValue::Text(text)) => text.as_deref(),
        _ => None,
    }
}
