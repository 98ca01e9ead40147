//! One Parquet file of one table.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array};
use arrow_schema::{DataType, Field, Schema};
use fxhash::FxHashSet;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, RowGroupMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnPath;

use super::column_file::ColumnFile;
use super::{BatchedRows, guarded};
use crate::error::{Error, Result};
use crate::store::layout::Layout;
use crate::table::{SchemaFile, Table};

/// How files are written.
#[derive(Debug, Clone)]
pub struct Options {
    /// Level of the zstd compression.
    pub zstd_level: i32,
    /// Most rows of a row group.
    pub row_group_rows: usize,
    /// Keys and values for the file's metadata, beside the schema's version and descriptions.
    pub metadata: Vec<(String, String)>,
}

/// Rows that are converted to columns at a time.
const BATCH: usize = 1024;

/// Columns whose values seldom recur: a dictionary of them would cost time and space.
const DISTINCT: &[&str] = &["text", "score", "url", "record_id", "payload_digest", "text_digest", "title", "canonical"];

/// Bytes of a row group that are held before it is written, however few its rows.
const ROW_GROUP_BYTES: usize = 32 << 20;

/// A column with its description.
pub fn described_field(name: &str, data_type: DataType, nullable: bool, description: &str) -> Field {
    Field::new(name, data_type, nullable).with_metadata(HashMap::from([("description".into(), description.into())]))
}

/// What the files of all tables have in common.
pub fn base_properties(table: &str, described: &SchemaFile, options: &Options) -> WriterPropertiesBuilder {
    let key_value = |key: String, value: String| KeyValue::new(key, Some(value));
    let mut metadata = vec![key_value("warcorpus.schema".into(), format!("{table} {}", described.version))];
    metadata.extend(options.metadata.iter().map(|(k, v)| key_value(k.clone(), v.clone())));
    metadata.extend(described.columns.iter().map(|(k, v)| key_value(format!("description.{k}"), v.clone())));
    let zstd = ZstdLevel::try_new(options.zstd_level).unwrap_or_default();
    WriterProperties::builder()
        .set_created_by(concat!("warcorpus ", env!("CARGO_PKG_VERSION")).to_string())
        .set_compression(Compression::ZSTD(zstd))
        .set_max_row_group_row_count(Some(options.row_group_rows))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES))
        .set_key_value_metadata(Some(metadata))
        .set_statistics_enabled(EnabledStatistics::Chunk)
}

fn properties<T: Table>(fields: &[Field], described: &SchemaFile, options: &Options) -> WriterProperties {
    let mut properties = base_properties(T::NAME, described, options)
        .set_column_statistics_enabled(ColumnPath::from("doc"), EnabledStatistics::Page);
    for column in DISTINCT {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(*column), false);
    }
    // Whole numbers are as small without a dictionary, whose writer hashes each value: as differences, which take few bits.
    // Shares differ from row to row, and zeros compress as well without one.
    for field in fields {
        let (column, data_type) = (ColumnPath::from(field.name().as_str()), field.data_type());
        if data_type.is_integer() {
            properties = properties.set_column_encoding(column.clone(), Encoding::DELTA_BINARY_PACKED);
        }
        if data_type.is_integer() || *data_type == DataType::Float64 {
            properties = properties.set_column_dictionary_enabled(column, false);
        }
    }
    // Least and greatest strings of a row group help no reader, and each value would be compared with both.
    for field in fields.iter().filter(|field| *field.data_type() == DataType::Utf8) {
        let column = ColumnPath::from(field.name().as_str());
        properties = properties.set_column_statistics_enabled(column, EnabledStatistics::None);
    }
    properties.build()
}

/// Writes rows in the order they are pushed.
pub struct Writer<T: Table> {
    file: ColumnFile,
    /// The columns of the row type that the file has.
    columns: FxHashSet<&'static str>,
    pending: Vec<T>,
    /// Values of the columns behind those of the rows.
    scores: Vec<Vec<Option<f32>>>,
}

impl<T: Table> Writer<T> {
    pub fn create(path: &Path, options: &Options) -> Result<Writer<T>> {
        Writer::with_columns(path, options, |_| true, &[])
    }

    /// A table with some of its columns, and with further columns of numbers, given by their names and descriptions.
    pub fn with_columns(
        path: &Path,
        options: &Options,
        has: impl Fn(&str) -> bool,
        scores: &[(String, String)],
    ) -> Result<Writer<T>> {
        let own: Vec<_> = T::columns().into_iter().filter(|(name, ..)| has(name)).collect();
        let columns = own.iter().map(|(name, ..)| *name).collect();
        let SchemaFile { version, columns: descriptions } = T::described();
        let descriptions = descriptions.iter().filter(|(name, _)| has(name));
        let descriptions = descriptions.map(|(name, description)| (name.clone(), description.clone()));
        let described = SchemaFile { version: *version, columns: descriptions.chain(scores.iter().cloned()).collect() };
        let scored = scores.iter().map(|(name, _)| (name.as_str(), DataType::Float32, true));
        let all = own.into_iter().chain(scored);
        let description = |name: &str| described.columns.get(name).map_or("", String::as_str);
        let field = |(name, data_type, nullable)| described_field(name, data_type, nullable, description(name));
        let fields: Vec<Field> = all.map(field).collect();
        let properties = properties::<T>(&fields, &described, options);
        let file = ColumnFile::create(path, Schema::new(fields), properties)?;
        Ok(Writer { file, columns, pending: Vec::new(), scores: vec![Vec::new(); scores.len()] })
    }

    pub fn push(&mut self, row: T) -> Result<()> {
        self.push_scored(row, &[])
    }

    /// Adds a row with the values of the further columns; those that are missing are null.
    pub fn push_scored(&mut self, row: T, scores: &[Option<f32>]) -> Result<()> {
        self.pending.push(row);
        let scores = scores.iter().copied().chain(std::iter::repeat(None));
        self.scores.iter_mut().zip(scores).for_each(|(column, score)| column.push(score));
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
        let scores = self.scores.iter_mut().map(|column| -> ArrayRef {
            let scores: Float32Array = column.drain(..).collect();
            Arc::new(scores)
        });
        let own = T::arrays(&self.pending, |name| self.columns.contains(name));
        self.file.write(own.into_iter().chain(scores))?;
        self.pending.clear();
        Ok(())
    }
}

/// The directory of a table's file.
fn corpus_of(path: &Path) -> Layout {
    Layout::new(path.parent().and_then(Path::parent).unwrap_or(Path::new("")))
}

fn not_opened(path: &Path) -> impl FnOnce(io::Error) -> Error {
    |error| {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let told = || io::Error::new(error.kind(), corpus_of(path).with_remedy(&error));
        Error::io("open", path)(if is_missing { told() } else { error })
    }
}

fn damaged(path: &Path, wrong: String) -> Error {
    corpus_of(path).damaged(path, wrong)
}

/// The rows of a file in order. Only the columns of `T` are read.
pub struct Reader<T>(BatchedRows<T>);

impl<T: Table> Reader<T> {
    pub fn open(path: &Path) -> Result<Reader<T>> {
        Reader::open_groups(path, |_| true)
    }

    /// A reader of the row groups that `wanted` chooses by the greatest document key in them.
    fn open_groups(path: &Path, wanted: impl Fn(u64) -> bool) -> Result<Reader<T>> {
        let file = File::open(path).map_err(not_opened(path))?;
        let open = || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
            let groups = builder.metadata().row_groups().iter().enumerate();
            let groups = groups.filter(|(_, group)| greatest_doc(group).is_none_or(&wanted)).map(|(place, _)| place);
            let groups = groups.collect();
            let columns = T::columns().into_iter().map(|(name, ..)| name);
            let columns = ProjectionMask::columns(builder.parquet_schema(), columns);
            builder.with_projection(columns).with_row_groups(groups).with_batch_size(BATCH).build()
        };
        let batches = guarded(open).map_err(|wrong| damaged(path, wrong))?;
        Ok(Reader(BatchedRows::new(path, batches)))
    }
}

impl<T: DocumentRow> Reader<T> {
    /// The rows from the first one of the document `doc` on. Rows are in the order of documents, so row groups before it
    /// are not read.
    pub fn open_at(path: &Path, doc: u64) -> Result<impl Iterator<Item = Result<T>> + use<T>> {
        let rows = Reader::<T>::open_groups(path, |greatest| greatest >= doc)?;
        Ok(rows.skip_while(move |row| row.as_ref().is_ok_and(|row| row.doc() < doc)))
    }
}

/// A row that belongs to a document.
pub trait DocumentRow: Table {
    /// Key of the document.
    fn doc(&self) -> u64;
}

/// The greatest document key in a row group, if its statistics tell.
fn greatest_doc(group: &RowGroupMetaData) -> Option<u64> {
    let column = group.columns().iter().find(|column| column.column_path().string() == "doc")?;
    match column.statistics()? {
        // Unsigned numbers are stored in signed ones.
        Statistics::Int64(values) => values.max_opt().map(|greatest| *greatest as u64),
        _ => None,
    }
}

impl<T: Table> Iterator for Reader<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let what = |column| {
            format!(
                "column `{column}` is missing, or its type or one of its values is not that of this version's schemas/"
            )
        };
        self.0.next(|batch| T::rows(batch).map_err(what), damaged)
    }
}

#[cfg(test)]
mod tests;
