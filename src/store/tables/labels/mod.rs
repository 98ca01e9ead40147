//! Tables of columns that the program does not know: files of labels that `annotate` reads, the table `labels` that it makes
//! of them, and scores of models in `signals`. Columns are strings or numbers.

mod arrow_values;
mod of_documents;
mod reader;
mod writer;

pub use of_documents::{DIGEST, LabelsOfDocuments, columns_of, digest_of};
pub use reader::{Key, LabelReader, LabelRow, no_column};
pub use writer::{DESCRIPTION, LabelWriter, array, data_type};

use crate::document::labels::LabelValue;

/// Rows that are read or written at a time.
const BATCH: usize = 1024;

/// The column that the rows of a corpus' tables begin with.
const DOC: &str = "doc";

/// The values of a row that are known, with the places of their columns: most rows of a file of many columns may have few.
/// The last one of a place counts.
pub type KnownValues = Vec<(usize, LabelValue)>;
