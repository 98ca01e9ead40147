//! A Parquet file under construction: columns of rows, written in batches.

use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;

/// A file that gets its name when it is finished.
pub struct ColumnFile {
    path: PathBuf,
    schema: SchemaRef,
    writer: ArrowWriter<AtomicFile>,
}

impl ColumnFile {
    pub fn create(path: &Path, schema: Schema, properties: WriterProperties) -> Result<ColumnFile> {
        let schema = SchemaRef::new(schema);
        let writer = ArrowWriter::try_new(AtomicFile::create(path)?, schema.clone(), Some(properties))
            .map_err(|error| Error::damaged(path, error))?;
        Ok(ColumnFile { path: path.into(), schema, writer })
    }

    /// Adds rows: an array for each column of the schema, in its order.
    pub fn write(&mut self, arrays: impl IntoIterator<Item = ArrayRef>) -> Result<()> {
        // The batch has a schema of its own: where a column is a string, its array may be a dictionary of strings.
        let columns = self.schema.fields().iter().zip(arrays);
        let columns = columns.map(|(field, array)| (field.name(), array, field.is_nullable()));
        RecordBatch::try_from_iter_with_nullable(columns)
            .map_err(ParquetError::from)
            .and_then(|batch| self.writer.write(&batch))
            .map_err(|error| Error::damaged(&self.path, error))
    }

    /// Gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.writer.into_inner().map_err(|error| Error::damaged(&self.path, error))?.commit()
    }
}
