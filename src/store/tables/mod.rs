//! Rows ↔ Parquet. The columns are the fields of [`Document`] and [`Paragraph`], in their order ([`Passage`] reads a part of them);
//! their descriptions come from `schemas/` and travel in the files' metadata.

mod column;

mod file;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::DataType;
use compact_str::CompactString;

use crate::document::{Document, Paragraph, Passage};
use column::Column;

pub use file::{Reader, Settings, Writer};

/// A row type with its table.
pub trait Table: Default {
    const NAME: &'static str;
    /// `schemas/NAME.toml`.
    const SCHEMA: &'static str;
    /// Name, type and whether empty values occur, in order.
    fn columns() -> Vec<(&'static str, DataType, bool)>;
    fn arrays(rows: &[Self]) -> Vec<ArrayRef>;
    /// Rows of a batch; the name of the first column that is missing or has another type.
    fn rows(batch: &RecordBatch) -> Result<Vec<Self>, &'static str>;
}

macro_rules! table {
    ($row:ty, $name:literal, $schema:literal, [$($field:ident: $type:ty),* $(,)?]) => {
        impl Table for $row {
            const NAME: &'static str = $name;
            const SCHEMA: &'static str = include_str!($schema);

            fn columns() -> Vec<(&'static str, DataType, bool)> {
                vec![$((stringify!($field), <$type>::data_type(), <$type>::NULLABLE)),*]
            }

            fn arrays(rows: &[Self]) -> Vec<ArrayRef> {
                vec![$(<$type>::array(rows.iter().map(|row| &row.$field))),*]
            }

            fn rows(batch: &RecordBatch) -> Result<Vec<Self>, &'static str> {
                let mut rows: Vec<Self> = Vec::new();
                rows.resize_with(batch.num_rows(), Default::default);
                $(
                    let array = batch.column_by_name(stringify!($field)).ok_or(stringify!($field))?;
                    <$type>::fill(array, rows.iter_mut().map(|row| &mut row.$field)).ok_or(stringify!($field))?;
                )*
                Ok(rows)
            }
        }
    };
}

table!(Document, "documents", "../../../schemas/documents.toml", [
    doc: u64,
    record_id: String,
    url: String,
    host: String,
    domain: String,
    tld: String,
    archive: String,
    offset: u64,
    length: u64,
    captured: Option<i64>,
    status: Option<u16>,
    content_type: String,
    charset: String,
    charset_source: String,
    replacements: u32,
    truncated: bool,
    payload_bytes: u64,
    payload_digest: String,
    text_digest: String,
    title: Option<String>,
    author: Vec<String>,
    published: Option<i32>,
    published_source: Option<String>,
    modified: Option<i32>,
    sitename: Option<String>,
    section: Option<String>,
    keywords: Vec<String>,
    license: Option<String>,
    robots: Option<String>,
    canonical: Option<String>,
    declared_language: Option<String>,
    language: String,
    language_score: f32,
    characters: u32,
    words: u32,
    paragraphs: u32,
    site_pages: Option<u32>,
    repeated_page: bool,
    keeper: Option<u64>,
    keeper_corpus: Option<String>,
    keeper_url: Option<String>,
    cluster_size: u32,
    similarity: Option<f32>,
    contained_in: Option<u64>,
    contained_share: Option<f32>,
    kept: bool,
    drop_reason: String,
]);

table!(Paragraph, "paragraphs", "../../../schemas/paragraphs.toml", [
    doc: u64,
    index: u32,
    text: String,
    kind: CompactString,
    heading: bool,
    list_depth: u16,
    table_row: u16,
    table_column: u16,
    class: CompactString,
    context_free: CompactString,
    boilerplate: bool,
    score: Option<f32>,
    reason: CompactString,
    characters: u32,
    link_density: f32,
    stopword_density: f32,
    language: Option<CompactString>,
    language_score: Option<f32>,
    tokens: Vec<String>,
    site_pages: Option<u32>,
    seen_share: Option<f32>,
    repeated: bool,
    kept: bool,
    drop_reason: CompactString,
]);

table!(Passage, "paragraphs", "../../../schemas/paragraphs.toml", [
    doc: u64,
    index: u32,
    text: String,
    language: Option<CompactString>,
    tokens: Vec<String>,
    kept: bool,
]);
