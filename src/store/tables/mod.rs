//! Parquet files of tables. Which columns a table has is defined by its row type
//! ([`crate::table::table_row`]); the columns' descriptions come from `schemas/` and travel in the files' metadata.

mod column_file;
mod file;

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use crate::document::{Document, DocumentName, Paragraph, ParagraphProjection, ParagraphText, PersonalData};
use crate::error::{Error, Result};
use crate::quality::Signals;

pub mod labels;
mod rows_of;
pub mod survey;
pub mod texts;

pub use file::{DocumentRow, Options, Reader, Writer};
pub use rows_of::RowsOfDocuments;

/// Rows of tables that belong to a document.
macro_rules! document_rows {
    ($($row:ty)*) => {
        $(impl DocumentRow for $row {
            fn doc(&self) -> u64 {
                self.doc
            }
        })*
    };
}

document_rows! { Document DocumentName PersonalData Paragraph ParagraphProjection ParagraphText Signals }

/// Reads from a Parquet file. The reader of the crate `parquet` panics on some damaged files; that is an error here.
pub fn guarded<T, E: Display>(read: impl FnOnce() -> std::result::Result<T, E>) -> std::result::Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(read));
    done.map_or_else(|_| Err("its pages contradict each other".into()), |done| done.map_err(|error| error.to_string()))
}

/// The rows of a Parquet file, which are read batch by batch.
struct BatchedRows<T> {
    path: PathBuf,
    batches: ParquetRecordBatchReader,
    rows: std::vec::IntoIter<T>,
}

impl<T> BatchedRows<T> {
    fn new(path: &Path, batches: ParquetRecordBatchReader) -> BatchedRows<T> {
        BatchedRows { path: path.into(), batches, rows: Vec::new().into_iter() }
    }

    /// The next row; `None` at the end. `rows_of` makes the rows of a batch, or says what is wrong with it; `damaged` makes the
    /// error of a batch that cannot be read.
    fn next(
        &mut self,
        rows_of: impl Fn(&RecordBatch) -> std::result::Result<Vec<T>, String>,
        damaged: impl Fn(&Path, String) -> Error,
    ) -> Option<Result<T>> {
        loop {
            if let Some(row) = self.rows.next() {
                return Some(Ok(row));
            }
            let batch = guarded(|| self.batches.next().transpose()).transpose()?;
            let batch = batch.map_err(|wrong| damaged(&self.path, wrong));
            match batch.and_then(|batch| rows_of(&batch).map_err(|wrong| Error::damaged(&self.path, wrong))) {
                Ok(rows) => self.rows = rows.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
