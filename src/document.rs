//! What is known about a page and its paragraphs: the rows of the two tables. These structs are the only
//! definition of the tables: each field is a column. `schemas/` describes the columns.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::table::table_row;

table_row! {
    /// One row of `documents`: a page that came to a text, kept or not.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub struct Document in "documents" {
        pub doc: u64,
        pub record_id: String,
        pub url: String,
        pub host: String,
        pub domain: String,
        pub tld: String,
        pub archive: String,
        pub offset: u64,
        pub length: u64,
        /// Microseconds since 1970 in UTC.
        pub captured: Option<i64>,
        pub status: Option<u16>,
        pub content_type: String,
        pub charset: String,
        pub charset_source: String,
        pub replacements: u32,
        pub truncated: bool,
        /// Bytes of the payload after its content coding is undone.
        pub payload_bytes: u64,
        pub payload_digest: String,
        pub text_digest: String,
        pub title: Option<String>,
        pub author: Vec<String>,
        /// Days since 1970.
        pub published: Option<i32>,
        pub published_source: Option<String>,
        /// Days since 1970.
        pub modified: Option<i32>,
        pub sitename: Option<String>,
        pub section: Option<String>,
        pub keywords: Vec<String>,
        pub license: Option<String>,
        pub robots: Option<String>,
        pub canonical: Option<String>,
        pub declared_language: Option<String>,
        pub language: String,
        pub language_score: f32,
        pub characters: u32,
        pub words: u32,
        pub paragraphs: u32,
        pub site_pages: Option<u32>,
        pub repeated_page: bool,
        pub keeper: Option<u64>,
        pub keeper_corpus: Option<String>,
        pub keeper_url: Option<String>,
        pub cluster_size: u32,
        pub similarity: Option<f32>,
        pub contained_in: Option<u64>,
        pub contained_share: Option<f32>,
        pub kept: bool,
        pub drop_reason: String,
    }
}

table_row! {
    /// One row of `paragraphs`. A page has hundreds of them, so short strings are stored inline.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub struct Paragraph in "paragraphs" {
        pub doc: u64,
        pub index: u32,
        pub text: String,
        pub kind: CompactString,
        pub heading: bool,
        pub list_depth: u16,
        pub table_row: u16,
        pub table_column: u16,
        pub class: CompactString,
        pub context_free: CompactString,
        pub boilerplate: bool,
        pub score: Option<f32>,
        pub reason: CompactString,
        pub characters: u32,
        pub link_density: f32,
        pub stopword_density: f32,
        pub language: Option<CompactString>,
        pub language_score: Option<f32>,
        pub tokens: Vec<String>,
        pub site_pages: Option<u32>,
        pub seen_share: Option<f32>,
        pub repeated: bool,
        pub kept: bool,
        pub drop_reason: CompactString,
    }
}

table_row! {
    /// The columns of `paragraphs` that a search looks at.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ParagraphProjection in "paragraphs" {
        pub doc: u64,
        pub index: u32,
        pub text: String,
        pub language: Option<CompactString>,
        pub tokens: Vec<String>,
        pub kept: bool,
    }
}

/// Why a document or paragraph is not in the corpus. The names are part of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drop {
    /// The page holds no text at all.
    NoText,
    /// Nothing on the page is more than boilerplate.
    Boilerplate,
    /// The page or its server asks not to be used so: `robots.respect`.
    Robots,
    /// Its language is not among `language.keep`.
    Language,
    /// Recurs on many pages of the host.
    Template,
    ExactDuplicate,
    NearDuplicate,
    /// Stands inside a longer document.
    Contained,
    /// Seen before, paragraph by paragraph.
    Overlap,
    /// A few words between paragraphs seen before.
    Stub,
    /// The document of this paragraph is not kept; its row says why.
    Document,
}

impl Drop {
    pub fn name(self) -> &'static str {
        match self {
            Drop::NoText => "no_text",
            Drop::Boilerplate => "boilerplate",
            Drop::Robots => "robots",
            Drop::Language => "language",
            Drop::Template => "template",
            Drop::Contained => "contained",
            Drop::ExactDuplicate => "exact_duplicate",
            Drop::NearDuplicate => "near_duplicate",
            Drop::Overlap => "overlap",
            Drop::Stub => "stub",
            Drop::Document => "document",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use arrow::datatypes::{DataType, TimeUnit};

    use super::*;
    use crate::table::Table;

    #[test]
    fn the_projection_has_columns_of_the_table() {
        let all = Paragraph::columns();
        assert!(ParagraphProjection::columns().iter().all(|column| all.contains(column)));
        assert_eq!(ParagraphProjection::NAME, Paragraph::NAME);
    }

    /// The type of a column in the words of the README.
    fn type_name(data_type: &DataType, nullable: bool) -> String {
        let name = match data_type {
            DataType::UInt64 => "u64",
            DataType::UInt32 => "u32",
            DataType::UInt16 => "u16",
            DataType::Float32 => "f32",
            DataType::Boolean => "bool",
            DataType::Utf8 => "string",
            DataType::Date32 => "date",
            DataType::Timestamp(TimeUnit::Microsecond, _) => "timestamp (µs, UTC)",
            DataType::List(_) => "list of strings",
            other => panic!("{other} has no name"),
        };
        format!("{name}{}", if nullable { " or null" } else { "" })
    }

    /// The README's table of columns: name → type.
    fn described_in_readme(table: &str) -> BTreeMap<String, String> {
        let lines = include_str!("../README.md").lines();
        let rows = lines.skip_while(|line| *line != format!("| `{table}` | type |")).skip(2);
        let rows = rows.take_while(|line| line.starts_with('|'));
        let cells = rows.filter_map(|line| line.trim_matches('|').split_once('|'));
        cells
            .flat_map(|(names, kind)| names.split_whitespace().map(move |name| (name, kind)))
            .map(|(name, kind)| (name.trim_matches('`').to_string(), kind.trim().to_string()))
            .collect()
    }

    #[test]
    fn the_readme_lists_every_column_with_its_type() {
        fn check<T: Table>() {
            let columns = T::columns().into_iter();
            let want = columns.map(|(name, data_type, nullable)| (name.into(), type_name(&data_type, nullable)));
            assert_eq!(described_in_readme(T::NAME), want.collect());
        }
        check::<Document>();
        check::<Paragraph>();
    }
}
