//! Reads an index in Parquet. Only the needed columns are decoded, and only row groups whose statistics allow a selected
//! row. Folder names such as `crawl=…/subset=warc/` are partition columns.

use std::fs::File;
use std::path::{Component, Path};

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::statistics::Statistics;

use super::{RowOutcome, refused};
use crate::error::{Error, Result};
use crate::select::bound::{BoundExpression, ColumnStatistics, ColumnType, ColumnValue, IndexColumn};
use crate::select::expression::Expression;
use crate::store::tables::guarded;

/// Number of rows decoded at a time.
const BATCH: usize = 4096;

/// The required columns: file name, offset and length of the record.
const LOCATION: [(&str, ColumnType); 3] = [
    ("warc_filename", ColumnType::Text),
    ("warc_record_offset", ColumnType::Integer),
    ("warc_record_length", ColumnType::Integer),
];

/// The rows of a Parquet index.
pub struct ParquetTable {
    batches: ParquetRecordBatchReader,
    columns: Columns,
    bound: Option<BoundExpression>,
    /// Rows of skipped row groups, not yet reported.
    pruned: u64,
    batch: Batch,
    row: usize,
}

/// The columns of an index, numbered: first those of the file, then the partition columns of its path.
struct Columns {
    schema: SchemaRef,
    partitions: Vec<(String, Option<String>)>,
    /// Indices of file name, offset and length.
    location: [usize; 3],
    /// Indices of all columns to decode, ascending.
    needed: Vec<usize>,
}

/// A batch of decoded rows; `values` has one entry per column of the file, `None` if it was not decoded.
#[derive(Default)]
struct Batch {
    rows: usize,
    values: Vec<Option<Values>>,
}

enum Values {
    Text(StringArray),
    Integer(Int64Array, Scale),
}

/// The conversion of a stored integer to the unit of expressions; times are microseconds.
#[derive(Debug, Clone, Copy)]
enum Scale {
    Times(i64),
    Over(i64),
}

impl ParquetTable {
    pub fn open(path: &Path, file: File, filter: Option<&Expression>) -> Result<ParquetTable> {
        // The types of Parquet are used, not the Arrow types of the writer, which vary.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = guarded(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, options))
            .map_err(|e| Error::damaged(path, e))?;
        let columns = Columns::new(path, builder.schema().clone(), filter)?;
        let bound = filter.map(|filter| filter.bind(&columns.named())).transpose().map_err(refused(path))?;
        let (groups, pruned) = columns.groups(builder.metadata(), bound.as_ref());
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns.needed.iter().copied());
        let builder = builder.with_projection(mask).with_row_groups(groups).with_batch_size(BATCH);
        let batches = guarded(|| builder.build()).map_err(|e| Error::damaged(path, e))?;
        Ok(ParquetTable { batches, columns, bound, pruned, batch: Batch::default(), row: 0 })
    }

    /// The next row, or `None` at the end of the file.
    pub fn next_row(&mut self, path: &Path) -> Result<Option<RowOutcome>> {
        if self.pruned > 0 {
            return Ok(Some(RowOutcome::Pruned(std::mem::take(&mut self.pruned))));
        }
        while self.row == self.batch.rows {
            let batch = guarded(|| self.batches.next().transpose()).map_err(|e| Error::damaged(path, e))?;
            let Some(batch) = batch else { return Ok(None) };
            self.batch = self.columns.decoded(&batch);
            self.row = 0;
        }
        let (row, columns) = (self.row, &self.columns);
        self.row += 1;
        let value = |column: usize| match self.batch.values.get(column) {
            Some(values) => values.as_ref().and_then(|values| values.get(row)),
            None => columns.partition(column).map(ColumnValue::Text),
        };
        if self.bound.as_ref().is_some_and(|bound| !bound.matches(value)) {
            return Ok(Some(RowOutcome::Unwanted));
        }
        let text = |column| if let Some(ColumnValue::Text(text)) = value(column) { Some(text) } else { None };
        let number = |column| if let Some(ColumnValue::Integer(number)) = value(column) { Some(number) } else { None };
        let [filename, offset, length] = columns.location;
        Ok(Some(RowOutcome::wanted(text(filename), number(offset), number(length))))
    }
}

impl Columns {
    fn new(path: &Path, schema: SchemaRef, filter: Option<&Expression>) -> Result<Columns> {
        let mut location = [0; 3];
        for ((name, want), slot) in LOCATION.into_iter().zip(&mut location) {
            let (index, field) = schema.column_with_name(name).ok_or_else(|| {
                Error::damaged(path, format!("is not an index of records: it has no column `{name}`"))
            })?;
            if kind(field.data_type()) != want {
                return Err(Error::damaged(path, format!("column `{name}` is {}", field.data_type())));
            }
            *slot = index;
        }
        let tested = filter.map(Expression::columns).unwrap_or_default();
        let mut needed = location.to_vec();
        needed.extend(tested.iter().filter_map(|name| Some(schema.column_with_name(name)?.0)));
        needed.sort_unstable();
        needed.dedup();
        Ok(Columns { schema, partitions: partitions(path), location, needed })
    }

    /// All columns by name; a column of the file precedes a partition column of the same name.
    fn named(&self) -> Vec<IndexColumn<'_>> {
        let fields = self.schema.fields().iter().enumerate();
        let of_file = fields.map(|(index, f)| IndexColumn { name: f.name(), index, data_type: kind(f.data_type()) });
        let partitions = self.partitions.iter().enumerate();
        let count = self.schema.fields().len();
        let of_path =
            partitions.map(|(i, (name, _))| IndexColumn { name, index: count + i, data_type: ColumnType::Text });
        of_file.chain(of_path).collect()
    }

    fn partition(&self, column: usize) -> Option<&str> {
        let (_, value) = self.partitions.get(column.checked_sub(self.schema.fields().len())?)?;
        value.as_deref()
    }

    fn decoded(&self, batch: &RecordBatch) -> Batch {
        let mut values: Vec<Option<Values>> = self.schema.fields().iter().map(|_| None).collect();
        for (index, array) in self.needed.iter().zip(batch.columns()) {
            if let Some(slot) = values.get_mut(*index) {
                *slot = Values::of(array);
            }
        }
        Batch { rows: batch.num_rows(), values }
    }

    /// The row groups that may hold selected rows, and the number of rows in all others.
    fn groups(&self, metadata: &ParquetMetaData, bound: Option<&BoundExpression>) -> (Vec<usize>, u64) {
        let schema = metadata.file_metadata().schema_descr();
        let mut leaves = vec![None; self.schema.fields().len()];
        for leaf in 0..schema.num_columns() {
            if let Some(slot) = leaves.get_mut(schema.get_column_root_idx(leaf)) {
                *slot = Some(leaf);
            }
        }
        let (mut groups, mut pruned) = (Vec::new(), 0u64);
        for (number, group) in metadata.row_groups().iter().enumerate() {
            let statistics = |column: usize| match leaves.get(column) {
                Some(leaf) => leaf.and_then(|leaf| self.column_statistics(column, group, leaf)).unwrap_or_default(),
                None => constant(self.partition(column)),
            };
            if bound.is_none_or(|bound| bound.may_match(statistics)) {
                groups.push(number);
            } else {
                pruned = pruned.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
            }
        }
        (groups, pruned)
    }

    /// Parquet's statistics of a column in a row group, where their order is the one of expressions.
    fn column_statistics<'a>(
        &self,
        column: usize,
        group: &'a RowGroupMetaData,
        leaf: usize,
    ) -> Option<ColumnStatistics<'a>> {
        let statistics = group.columns().get(leaf)?.statistics()?;
        let data_type = self.schema.fields().get(column)?.data_type();
        let nulls = statistics.null_count_opt();
        let mut known = ColumnStatistics {
            all_null: nulls.is_some() && nulls == u64::try_from(group.num_rows()).ok(),
            // Bytes that are not UTF-8 and numbers above `i64::MAX` are read as null.
            no_null: nulls == Some(0) && (*data_type == DataType::Utf8 || data_type.is_signed_integer()),
            ..ColumnStatistics::default()
        };
        let scale = Scale::of(data_type);
        let whole = data_type.is_signed_integer() || kind(data_type) == ColumnType::Time;
        match statistics {
            // The deprecated statistics of old files compare bytes as signed numbers.
            Statistics::ByteArray(_) if kind(data_type) == ColumnType::Text && !statistics.is_min_max_deprecated() => {
                known.text = (statistics.min_bytes_opt(), statistics.max_bytes_opt());
            }
            Statistics::Int32(s) if whole => {
                let scaled = |v: Option<&i32>| v.and_then(|v| scale.of_stored(i64::from(*v)));
                known.integer = (scaled(s.min_opt()), scaled(s.max_opt()));
            }
            Statistics::Int64(s) if whole => {
                let scaled = |v: Option<&i64>| v.and_then(|v| scale.of_stored(*v));
                known.integer = (scaled(s.min_opt()), scaled(s.max_opt()));
            }
            _ => {}
        }
        Some(known)
    }
}

impl Values {
    /// The values of a column; `None` for a type that expressions cannot test.
    fn of(array: &ArrayRef) -> Option<Values> {
        use DataType::*;
        let integers = match array.data_type() {
            Utf8 => return Some(Values::Text(array.as_string().clone())),
            Binary => {
                let texts = array.as_binary::<i32>().iter().map(|bytes| std::str::from_utf8(bytes?).ok());
                return Some(Values::Text(texts.collect()));
            }
            Int8 => integers::<Int8Type>(array),
            Int16 => integers::<Int16Type>(array),
            Int32 => integers::<Int32Type>(array),
            Int64 => integers::<Int64Type>(array),
            UInt8 => integers::<UInt8Type>(array),
            UInt16 => integers::<UInt16Type>(array),
            UInt32 => integers::<UInt32Type>(array),
            UInt64 => integers::<UInt64Type>(array),
            Date32 => integers::<Date32Type>(array),
            Timestamp(TimeUnit::Second, _) => integers::<TimestampSecondType>(array),
            Timestamp(TimeUnit::Millisecond, _) => integers::<TimestampMillisecondType>(array),
            Timestamp(TimeUnit::Microsecond, _) => integers::<TimestampMicrosecondType>(array),
            Timestamp(TimeUnit::Nanosecond, _) => integers::<TimestampNanosecondType>(array),
            _ => return None,
        };
        Some(Values::Integer(integers, Scale::of(array.data_type())))
    }

    fn get(&self, row: usize) -> Option<ColumnValue<'_>> {
        match self {
            Values::Text(array) => array.is_valid(row).then(|| ColumnValue::Text(array.value(row))),
            Values::Integer(array, scale) if array.is_valid(row) => {
                scale.of_stored(array.value(row)).map(ColumnValue::Integer)
            }
            Values::Integer(..) => None,
        }
    }
}

/// Whole numbers of any width; those above `i64::MAX` as null.
fn integers<T: ArrowPrimitiveType<Native: TryInto<i64>>>(array: &ArrayRef) -> Int64Array {
    array.as_primitive::<T>().unary_opt(|value| value.try_into().ok())
}

impl Scale {
    fn of(data_type: &DataType) -> Scale {
        match data_type {
            DataType::Date32 => Scale::Times(86_400_000_000),
            DataType::Timestamp(TimeUnit::Second, _) => Scale::Times(1_000_000),
            DataType::Timestamp(TimeUnit::Millisecond, _) => Scale::Times(1000),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => Scale::Over(1000),
            _ => Scale::Times(1),
        }
    }

    /// The converted value, monotonic in the stored one, so that it applies to minima and maxima; `None` on overflow.
    fn of_stored(self, stored: i64) -> Option<i64> {
        match self {
            Scale::Times(factor) => stored.checked_mul(factor),
            Scale::Over(divisor) => stored.checked_div_euclid(divisor),
        }
    }
}

/// What expressions see in a type. Parquet has one type of strings and one of dates, whatever Arrow wrote them from.
fn kind(data_type: &DataType) -> ColumnType {
    use DataType::*;
    match data_type {
        Utf8 | Binary => ColumnType::Text,
        data_type if data_type.is_integer() => ColumnType::Integer,
        Timestamp(..) | Date32 => ColumnType::Time,
        _ => ColumnType::Other,
    }
}

/// The statistics of a partition column, which has one value in the whole file.
fn constant(value: Option<&str>) -> ColumnStatistics<'_> {
    let bytes = value.map(str::as_bytes);
    ColumnStatistics {
        text: (bytes, bytes),
        all_null: value.is_none(),
        no_null: value.is_some(),
        ..ColumnStatistics::default()
    }
}

/// The partition columns: `name=value` of the folders above the file; `None` is null.
fn partitions(path: &Path) -> Vec<(String, Option<String>)> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    let named = folders.filter_map(|component| match component {
        Component::Normal(name) => name.to_str()?.split_once('='),
        _ => None,
    });
    named.map(|(name, value)| (name.into(), (value != "__HIVE_DEFAULT_PARTITION__").then(|| value.into()))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Strings, row, write};
    use super::*;

    #[test]
    fn row_groups_without_wanted_rows_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("crawl=A").join("i.parquet");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        let rows: Vec<_> = (0..10).map(|i| row(&format!("k{i}"), Some("ces"), 200 + i, Some(i.into()))).collect();
        write(&path, &rows, Strings::Plain, 2);
        for (expression, pruned) in [
            ("fetch_status >= 208", 8),
            ("fetch_status = 203 or url_surtkey like 'k7%'", 6),
            ("fetch_time < 1970-01-01T00:00:02", 8),
            ("fetch_time = 1970 and fetch_time <= 1970-01-01", 0),
            ("fetch_time != 1970-01", 10),
            ("fetch_time > 1970-01-01 or fetch_time < 1970", 10),
            ("fetch_time in (1969, '1970-01-01T00:00:05Z')", 8),
            ("fetch_status is null", 10),
            ("content_languages has eng", 0),
            ("content_languages not in (eng) and url_surtkey > 'k8'", 8),
            ("crawl = B", 10),
            ("crawl = A", 0),
            ("fetch_redirect is null", 0),
            ("not fetch_redirect is null", 10),
        ] {
            let filter = Expression::parse(expression).unwrap();
            let table = ParquetTable::open(&path, File::open(&path).unwrap(), Some(&filter)).unwrap();
            assert_eq!(table.pruned, pruned, "{expression}");
        }
    }
}
