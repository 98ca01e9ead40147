//! The format `parquet`: a table with one row per kept document, its whole text, and columns of one's choice. The format
//! that loaders of training data read.

use serde::{Deserialize, Serialize};

use super::{Create, OutputFormat};
use crate::document::Document;
use crate::quality::signals::{LINE_SIGNALS, SIGNALS};
use crate::table::Table;

/// The format `parquet`.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "parquet",
    folder: "texts",
    ending: |_| "parquet",
    summary: "One row per document for language-model tools (datasets, DuckDB, Polars)",
    needs_tokens: false,
    empty_files: true,
    bytes_per_word: None,
    memory_per_byte: 3,
    document_ending: |_| None,
    job_file: None,
    create: Create::Table,
};

/// Options of the format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Names of the columns in their order: those of [`OWN_COLUMNS`], of `documents` and of `signals`.
    pub columns: Vec<String>,
}

/// Columns that neither `documents` nor `signals` has.
pub const OWN_COLUMNS: [&str; 2] = ["text", MARKDOWN];

/// The column of the text as Markdown.
pub const MARKDOWN: &str = "markdown";

/// The column of the number of tokens (`output.tokenizer`).
pub const TOKEN_COUNT: &str = "token_count";

const DEFAULT_COLUMNS: [&str; 14] = [
    "text",
    "record_id",
    "url",
    "domain",
    "captured",
    "archive",
    "title",
    "published",
    "license",
    "language",
    "language_score",
    "characters",
    "words",
    "cluster_size",
];

impl Default for Options {
    fn default() -> Options {
        Options { columns: DEFAULT_COLUMNS.map(String::from).into() }
    }
}

impl Options {
    pub fn is_default(&self) -> bool {
        *self == Options::default()
    }
}

/// Whether a column of this name is one of `signals`.
pub fn is_signal(column: &str) -> bool {
    signal_names().any(|name| name == column)
}

/// Names of all columns that can be chosen.
pub fn column_names() -> impl Iterator<Item = &'static str> + Clone {
    OWN_COLUMNS.into_iter().chain(Document::columns().into_iter().map(|(name, ..)| name)).chain(signal_names())
}

/// Columns of `signals`. `doc` and `length` are those of `documents`.
fn signal_names() -> impl Iterator<Item = &'static str> + Clone {
    let names = SIGNALS.iter().map(|(name, ..)| *name).filter(|name| *name != "length");
    names.chain(LINE_SIGNALS.iter().map(|(name, _)| *name)).chain(["failed_rule", TOKEN_COUNT])
}
