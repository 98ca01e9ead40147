//! Tables of columns that the program does not know: files of labels that `annotate` reads, the table `labels` that it makes
//! of them, and scores of models in `signals`. Columns are strings or numbers.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float32Array, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::column_file::ColumnFile;
use super::file::{Options, base_properties};
use super::guarded;
use crate::document::labels::{Label, LabelColumn, LabelKind, LabelValue, widened};
use crate::error::{Error, Result};
use crate::store::layout::Layout;
use crate::table::SchemaFile;

/// Rows that are read or written at a time.
const BATCH: usize = 1024;

/// The column that the rows of a corpus' tables begin with.
const DOC: &str = "doc";

/// The description of a column of labels.
pub const DESCRIPTION: &str =
    "Label of the document from elsewhere: a score of a model, or a column that `annotate` joined.";

/// A table whose columns are described nowhere but in its file.
const DESCRIBED: &str = "version = 1\n[columns]\ndoc = \"Key of the document, as in `documents`.\"\n";

/// Reads some columns of a Parquet file, row by row.
pub struct LabelReader {
    path: PathBuf,
    columns: Vec<LabelColumn>,
    skipped: Vec<String>,
    key: String,
    batches: ParquetRecordBatchReader,
    rows: std::vec::IntoIter<LabelRow>,
}

/// A row: its key, if it has one, and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelRow {
    pub key: Option<Key>,
    pub values: KnownValues,
}

/// The values of a row that are known, with the places of their columns: most rows of a file of many columns may have few.
/// The last one of a place counts.
pub type KnownValues = Vec<(usize, LabelValue)>;

/// What tells to which document a row belongs.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    Doc(u64),
    Text(String),
}

impl LabelReader {
    /// Opens a file. `key` is the column of the keys; `wanted` chooses among all others that hold strings or numbers.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the file is no Parquet file or has no column `key`.
    pub fn open(path: &Path, key: &str, wanted: impl Fn(&str) -> bool) -> Result<LabelReader> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let builder =
            guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|e| Error::damaged(path, e))?;
        let schema = builder.schema().clone();
        if schema.field_with_name(key).is_err() {
            return Err(no_column(path, key, schema.fields().iter().map(|field| field.name().as_str())));
        }
        let (mut columns, mut skipped) = (Vec::new(), Vec::new());
        for field in schema.fields().iter().filter(|field| field.name() != key && wanted(field.name())) {
            match column(field) {
                Some(column) => columns.push(column),
                None => skipped.push(field.name().clone()),
            }
        }
        let names = columns.iter().map(|column| column.name.as_str()).chain([key]);
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        let batches = guarded(|| builder.with_projection(mask).with_batch_size(BATCH).build());
        let batches = batches.map_err(|e| Error::damaged(path, e))?;
        let rows = Vec::new().into_iter();
        Ok(LabelReader { path: path.into(), columns, skipped, key: key.into(), batches, rows })
    }

    /// The columns of the values, in the order of the file.
    pub fn columns(&self) -> &[LabelColumn] {
        &self.columns
    }

    /// The names of the wanted columns that hold neither strings nor numbers.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    fn rows_of(&self, batch: &RecordBatch) -> Option<Vec<LabelRow>> {
        let keys = keys(batch.column_by_name(&self.key)?)?;
        let mut rows: Vec<LabelRow> = keys.into_iter().map(|key| LabelRow { key, values: Vec::new() }).collect();
        for (place, column) in self.columns.iter().enumerate() {
            let values = values(batch.column_by_name(&column.name)?, column.kind == LabelKind::Text)?;
            for (row, value) in rows.iter_mut().zip(values) {
                row.values.extend(value.is_known().then_some((place, value)));
            }
        }
        Some(rows)
    }
}

impl Iterator for LabelReader {
    type Item = Result<LabelRow>;

    fn next(&mut self) -> Option<Result<LabelRow>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            let batch = match guarded(|| self.batches.next().transpose()).transpose()? {
                Ok(batch) => batch,
                Err(error) => return Some(Err(Error::damaged(&self.path, error))),
            };
            match self.rows_of(&batch) {
                Some(rows) => self.rows = rows.into_iter(),
                None => {
                    let what = format!("has a column `{}` that is neither a string nor a number", self.key);
                    return Some(Err(Error::damaged(&self.path, what)));
                }
            }
        }
    }
}

/// The error of a file without the column of the keys.
pub fn no_column<'n>(path: &Path, key: &str, names: impl Iterator<Item = &'n str>) -> Error {
    let names: Vec<&str> = names.collect();
    Error::damaged(path, format!("has no column `{key}`; it has {}", names.join(", ")))
}

/// The column of a field; `None` if it holds neither strings nor numbers.
fn column(field: &Field) -> Option<LabelColumn> {
    let is_text = match field.data_type() {
        DataType::Dictionary(_, values) => is_text(values).then_some(true)?,
        other if is_text(other) => true,
        other if other.is_numeric() && *other != DataType::Float16 => false,
        DataType::Boolean => false,
        _ => return None,
    };
    let kind = if is_text { LabelKind::Text } else { LabelKind::Number };
    Some(LabelColumn { name: field.name().clone(), kind })
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

fn keys(array: &ArrayRef) -> Option<Vec<Option<Key>>> {
    if let Some(numbers) = array.as_primitive_opt::<UInt64Type>() {
        return Some(numbers.iter().map(|doc| doc.map(Key::Doc)).collect());
    }
    Some(texts(array)?.into_iter().map(|text| text.map(Key::Text)).collect())
}

fn values(array: &ArrayRef, is_text: bool) -> Option<Vec<LabelValue>> {
    if is_text {
        return Some(texts(array)?.into_iter().map(LabelValue::Text).collect());
    }
    let numbers = numbers::<Float64Type>(array)
        .or_else(|| float_numbers(array))
        .or_else(|| numbers::<Int8Type>(array))
        .or_else(|| numbers::<Int16Type>(array))
        .or_else(|| numbers::<Int32Type>(array))
        .or_else(|| numbers::<UInt8Type>(array))
        .or_else(|| numbers::<UInt16Type>(array))
        .or_else(|| numbers::<UInt32Type>(array))
        .or_else(|| long_numbers::<Int64Type>(array, |number| number as f64))
        .or_else(|| long_numbers::<UInt64Type>(array, |number| number as f64))
        .or_else(|| decimal_numbers::<Decimal32Type>(array))
        .or_else(|| decimal_numbers::<Decimal64Type>(array))
        .or_else(|| decimal_numbers::<Decimal128Type>(array))
        .or_else(|| decimal_numbers::<Decimal256Type>(array))
        .or_else(|| Some(array.as_boolean_opt()?.iter().map(|is| is.map(f64::from)).collect()))?;
    Some(numbers.into_iter().map(LabelValue::Number).collect())
}

fn numbers<T: ArrowPrimitiveType<Native: Into<f64>>>(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<T>()?.iter().map(|number| number.map(Into::into)).collect())
}

fn long_numbers<T: ArrowPrimitiveType>(array: &ArrayRef, wide: fn(T::Native) -> f64) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<T>()?.iter().map(|number| number.map(wide)).collect())
}

/// Numbers of four bytes with the digits that they are written with.
fn float_numbers(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<Float32Type>()?.iter().map(|number| number.map(widened)).collect())
}

/// Decimal numbers. A division by a power of ten would round twice, so that they are read as they are written.
fn decimal_numbers<T: DecimalType>(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    let decimals = array.as_primitive_opt::<T>()?;
    let number = |row| if decimals.is_valid(row) { decimals.value_as_string(row).parse().ok() } else { None };
    Some((0..decimals.len()).map(number).collect())
}

fn texts(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    if let Some(texts) = array.as_string_opt::<i64>() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    if let Some(texts) = array.as_string_view_opt() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    let dictionary = array.as_any_dictionary_opt()?;
    let entries = texts_of_entries(dictionary.values())?;
    let keys = if entries.is_empty() { vec![0; dictionary.len()] } else { dictionary.normalized_keys() };
    let of = |(row, key): (usize, usize)| match dictionary.is_null(row) {
        true => None,
        false => entries.get(key).cloned().flatten(),
    };
    Some(keys.into_iter().enumerate().map(of).collect())
}

/// The entries of a dictionary, which are no dictionary.
fn texts_of_entries(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    if is_text(array.data_type()) { texts(array) } else { None }
}

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
        let described_field = |name: &str, data_type, nullable, description: &str| {
            let metadata = HashMap::from([("description".to_string(), description.to_string())]);
            Field::new(name, data_type, nullable).with_metadata(metadata)
        };
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
    let Some(path) = corpus.optional(corpus.labels(0)) else { return Ok(String::new()) };
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
    Ok(LabelsOfDocuments::open(corpus.optional(corpus.labels(0)), |_| true)?.columns)
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        BinaryArray, Date32Array, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array, PrimitiveArray,
    };
    use parquet::arrow::ArrowWriter;

    use super::*;

    fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)));
        let batch = batch.unwrap();
        let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    fn decimal<T: DecimalType>(array: PrimitiveArray<T>, precision: u8, scale: i8) -> ArrayRef {
        Arc::new(array.with_precision_and_scale(precision, scale).unwrap())
    }

    #[test]
    fn decimals_are_numbers_and_other_types_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let large = |number| <Decimal256Type as ArrowPrimitiveType>::Native::from_i128(number);
        write(
            &path,
            vec![
                ("record_id", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
                ("score", decimal(Decimal128Array::from(vec![Some(99), None, Some(-1250)]), 10, 2)),
                ("small", decimal(Decimal32Array::from(vec![1, 2, 3]), 5, 1)),
                ("middle", decimal(Decimal64Array::from(vec![10, 25, 3]), 12, 3)),
                ("wide", decimal(Decimal256Array::from(vec![large(7), large(1), large(-5)]), 50, 1)),
                ("day", Arc::new(Date32Array::from(vec![1, 2, 3]))),
                ("bytes", Arc::new(BinaryArray::from_iter_values(["a", "b", "c"]))),
                ("unwanted", Arc::new(Date32Array::from(vec![1, 2, 3]))),
            ],
        );
        let reader = LabelReader::open(&path, "record_id", |name| name != "unwanted").unwrap();
        let names: Vec<&str> = reader.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["score", "small", "middle", "wide"]);
        assert!(reader.columns().iter().all(|column| column.kind == LabelKind::Number));
        assert_eq!(reader.skipped(), ["day", "bytes"]);
        let numbers =
            |row: LabelRow| row.values.iter().map(|(place, value)| (*place, value.number().unwrap())).collect();
        let rows: Vec<Vec<(usize, f64)>> = reader.map(|row| numbers(row.unwrap())).collect();
        assert_eq!(rows[0], [(0, 0.99), (1, 0.1), (2, 0.01), (3, 0.7)]);
        assert_eq!(rows[1], [(1, 0.2), (2, 0.025), (3, 0.1)]);
        assert_eq!(rows[2], [(0, -12.5), (1, 0.3), (2, 0.003), (3, -0.5)]);
    }
}
