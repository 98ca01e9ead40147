//! What is known about a page and its paragraphs: the rows of the two tables. The columns'
//! descriptions stand in `schemas/`; fields have the columns' names.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

/// One row of `documents`: a page that came to a text, kept or not.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
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
    /// Of the payload without content coding.
    pub payload_bytes: u64,
    pub payload_digest: String,
    pub text_digest: String,
    pub title: Option<String>,
    pub author: Vec<String>,
    /// Days since 1970.
    pub published: Option<i32>,
    pub published_source: Option<String>,
    /// Likewise.
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

/// One row of `paragraphs`. There are hundreds a page, so what is short stands in the row itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Paragraph {
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

/// The columns of `paragraphs` that a search looks at.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    pub doc: u64,
    pub index: u32,
    pub text: String,
    pub language: Option<CompactString>,
    pub tokens: Vec<String>,
    pub kept: bool,
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
