//! Files of labels → rows.

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::arrow_values::{column, keys, values};
use super::{BATCH, DOC, KnownValues};
use crate::document::labels::{LabelColumn, LabelKind};
use crate::error::{Error, Result};
use crate::store::tables::{BatchedRows, guarded};

/// Reads some columns of a Parquet file, row by row.
pub struct LabelReader {
    columns: Vec<LabelColumn>,
    skipped: Vec<String>,
    key: String,
    rows: BatchedRows<LabelRow>,
}

/// A row: its key, if it has one, and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelRow {
    pub key: Option<Key>,
    pub values: KnownValues,
}

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
    /// [`Error::Damaged`] if the file is no Parquet file, or a table of a corpus without its column `doc`; [`Error::Usage`] if
    /// another file has no column `key`, or one that holds no strings.
    pub fn open(path: &Path, key: &str, wanted: impl Fn(&str) -> bool) -> Result<LabelReader> {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let builder =
            guarded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|e| Error::damaged(path, e))?;
        let schema = builder.schema().clone();
        let Ok(keys) = schema.field_with_name(key) else {
            return Err(no_column(path, key, schema.fields().iter().map(|field| field.name().as_str())));
        };
        if !holds_keys(keys) {
            return Err(unfit_keys(path, keys));
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
        Ok(LabelReader { columns, skipped, key: key.into(), rows: BatchedRows::new(path, batches) })
    }

    /// The columns of the values, in the order of the file.
    pub fn columns(&self) -> &[LabelColumn] {
        &self.columns
    }

    /// The names of the wanted columns that hold neither strings nor numbers.
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }
}

/// The rows of a batch; `None` if a column has another type.
fn rows_of(batch: &RecordBatch, key: &str, columns: &[LabelColumn]) -> Option<Vec<LabelRow>> {
    let keys = keys(batch.column_by_name(key)?)?;
    let mut rows: Vec<LabelRow> = keys.into_iter().map(|key| LabelRow { key, values: Vec::new() }).collect();
    for (place, column) in columns.iter().enumerate() {
        let values = values(batch.column_by_name(&column.name)?, column.kind == LabelKind::Text)?;
        for (row, value) in rows.iter_mut().zip(values) {
            row.values.extend(value.is_known().then_some((place, value)));
        }
    }
    Some(rows)
}

impl Iterator for LabelReader {
    type Item = Result<LabelRow>;

    fn next(&mut self) -> Option<Result<LabelRow>> {
        let (key, columns) = (&self.key, &self.columns);
        let what = || "has columns of other types than its schema tells".to_string();
        self.rows.next(|batch| rows_of(batch, key, columns).ok_or_else(what), Error::damaged)
    }
}

/// Whether a column holds keys of its name: numbers of documents, or strings.
fn holds_keys(field: &Field) -> bool {
    match field.name().as_str() {
        DOC => *field.data_type() == DataType::UInt64,
        _ => column(field).is_some_and(|column| column.kind == LabelKind::Text),
    }
}

fn unfit_keys(path: &Path, keys: &Field) -> Error {
    let (name, held) = (keys.name(), keys.data_type());
    let error = Error::damaged(path, format!("its column `{name}` holds {held}, not strings; write it as strings"));
    if name == DOC { error } else { Error::Usage(error.to_string()) }
}

/// The error of a file without the column of the keys.
pub fn no_column<'n>(path: &Path, key: &str, names: impl Iterator<Item = &'n str>) -> Error {
    let names: Vec<&str> = names.collect();
    let others = if names.is_empty() { "it is empty".into() } else { format!("it has {}", names.join(", ")) };
    let error = Error::damaged(path, format!("has no column `{key}`; {others}"));
    // Tables of a corpus have theirs; to any other file a user gave the name of the column.
    if key == DOC { error } else { Error::Usage(error.to_string()) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::{ArrowPrimitiveType, Decimal256Type, DecimalType};
    use arrow_array::{
        ArrayRef, BinaryArray, Date32Array, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array,
        Float64Array, Int64Array, PrimitiveArray, StringArray, UInt64Array,
    };
    use parquet::arrow::ArrowWriter;

    use super::*;
    use crate::document::labels::LabelValue;

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
    fn numbers_that_are_none_are_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.parquet");
        let numbers = Float64Array::from(vec![Some(f64::NAN), Some(f64::INFINITY), None, Some(1.5)]);
        let keys = StringArray::from(vec!["a", "b", "c", "d"]);
        write(&path, vec![("record_id", Arc::new(keys)), ("score", Arc::new(numbers))]);
        let rows = LabelReader::open(&path, "record_id", |_| true).unwrap();
        let values: Vec<_> = rows.flat_map(|row| row.unwrap().values).collect();
        assert_eq!(values, [(0, LabelValue::Number(Some(1.5)))]);
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
    #[test]
    fn keys_that_are_no_strings_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("numbers.parquet");
        for (keys, held) in [
            (Arc::new(Int64Array::from(vec![7])) as ArrayRef, "Int64"),
            (Arc::new(UInt64Array::from(vec![7])), "UInt64"),
        ] {
            write(&path, vec![("url", keys), ("genre", Arc::new(StringArray::from(vec!["news"])))]);
            let error = LabelReader::open(&path, "url", |_| true).map(drop).unwrap_err();
            assert!(matches!(error, Error::Usage(_)), "{error}");
            let what = format!("its column `url` holds {held}, not strings; write it as strings");
            assert!(error.to_string().ends_with(&what), "{error}");
        }
    }
}
