//! What is known about a page and its paragraphs: the rows of the tables. These structs are the only definition of the
//! tables: each field is a column. `schemas/` describes the columns.

pub mod labels;

use std::fmt;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

use crate::clean::Reason;
use crate::clean::assessment::PageType;
use crate::clean::justext::Class;
use crate::language::Language;
use crate::named::named;
use crate::page::blocks::{Block, BlockKind};
use crate::page::charset::CharsetSource;
use crate::page::metadata::PublishedSource;
use crate::pii::Kind;
use crate::table::{codes, table_row};

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
        pub charset_source: CharsetSource,
        pub replacements: u32,
        pub truncated: bool,
        /// Bytes of the payload after its content coding is undone.
        pub payload_bytes: u64,
        pub payload_digest: String,
        pub text_digest: String,
        pub title: Option<String>,
        pub author: Vec<String>,
        /// Date of publication in days since 1970-01-01.
        pub published: Option<i32>,
        pub published_source: Option<PublishedSource>,
        /// Date of the last change in days since 1970-01-01.
        pub modified: Option<i32>,
        pub sitename: Option<String>,
        pub section: Option<String>,
        pub keywords: Vec<String>,
        pub license: Option<String>,
        pub robots: Option<String>,
        pub canonical: Option<String>,
        pub declared_language: Option<String>,
        pub language: Language,
        pub language_score: f32,
        /// Code of ISO 15924.
        #[serde(default)]
        pub script: Option<String>,
        /// Languages of the kept words with their shares, the greatest first: `eng:0.920`.
        #[serde(default)]
        pub languages: Vec<String>,
        #[serde(default)]
        pub page_type: Option<PageType>,
        /// Probability that the kept text is the main text of the page.
        #[serde(default)]
        pub confidence: Option<f32>,
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
        pub drop_reason: DropReason,
    }
}

impl Document {
    /// The document that stands for this duplicate: its key, behind the name of its corpus (`one:17`) if that is another one.
    pub fn keeper_name(&self) -> Option<String> {
        let keeper = self.keeper?;
        Some(self.keeper_corpus.as_ref().map_or_else(|| keeper.to_string(), |corpus| format!("{corpus}:{keeper}")))
    }

    /// Codes of the languages of at least a twentieth of the kept words, the greatest first.
    pub fn main_languages(&self) -> impl Iterator<Item = &str> {
        let parts = self.languages.iter().filter_map(|language| language.split_once(':'));
        let large = parts.filter(|(_, share)| share.parse::<f32>().is_ok_and(|share| share >= MAIN_LANGUAGE_SHARE));
        large.map(|(code, _)| code)
    }
}

/// Least share of a language that is among [`Document::main_languages`].
const MAIN_LANGUAGE_SHARE: f32 = 0.05;

table_row! {
    /// The columns of `documents` that tell how much each host has.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct DocumentHost in "documents" {
        pub host: String,
        pub domain: String,
        pub tld: String,
        pub payload_bytes: u64,
        pub characters: u32,
        pub words: u32,
        pub kept: bool,
    }
}

table_row! {
    /// The columns of `documents` that tell what may be done with it.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct DocumentRights in "documents" {
        pub captured: Option<i64>,
        pub license: Option<String>,
        pub robots: Option<String>,
        pub kept: bool,
    }
}

table_row! {
    /// One row of `paragraphs` or `boilerplate`. A page has hundreds of them, so what has few values is a byte or two.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub struct Paragraph in "paragraphs" {
        pub doc: u64,
        pub index: u32,
        pub text: String,
        pub kind: BlockKind,
        pub heading: bool,
        pub list_depth: u16,
        pub quoted: bool = false,
        pub quote: u32 = 0,
        pub list: u32 = 0,
        pub item: u32 = 0,
        pub item_number: u32 = 0,
        pub table: u32 = 0,
        pub table_row: u16,
        pub table_column: u16,
        pub class: Class,
        pub context_free: Class,
        pub boilerplate: bool,
        pub score: Option<f32>,
        pub reason: Reason,
        pub characters: u32,
        pub link_density: f32,
        pub stopword_density: f32,
        pub language: Option<Language>,
        pub language_score: Option<f32>,
        pub tokens: Vec<String>,
        pub site_pages: Option<u32>,
        pub seen_share: Option<f32>,
        pub repeated: bool,
        pub kept: bool,
        pub drop_reason: DropReason,
    }
}

/// 1970-01-01, from which the tables count days.
const EPOCH: Date = Date::constant(1970, 1, 1);

/// The date that is some days after 1970-01-01; none outside of the years -9999 to 9999, as a damaged table may have it.
pub fn date_of_day(days: i32) -> Option<Date> {
    EPOCH.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// The time that is some microseconds after 1970; none if they are unknown, and outside of the years -9999 to 9999, as a
/// damaged table may have it.
pub fn timestamp_of(microseconds: Option<i64>) -> Option<Timestamp> {
    Timestamp::from_microsecond(microseconds?).ok()
}

/// The same in UTC.
pub fn time_of_microsecond(microseconds: i64) -> Option<DateTime> {
    timestamp_of(Some(microseconds)).map(|time| TimeZone::UTC.to_datetime(time))
}

/// Days from 1970-01-01 to a date.
pub fn day_of_date(date: Date) -> i32 {
    (date - EPOCH).get_days()
}

/// The language of a paragraph, or that of its document where its own is not known: by its rules the text is cut.
pub fn language_or(own: Option<Language>, of_document: Language) -> Language {
    own.filter(|language| *language != Language::UNDETERMINED).unwrap_or(of_document)
}

impl Paragraph {
    /// A block of a page, about which nothing is decided yet.
    pub fn of_block(block: Block) -> Paragraph {
        Paragraph {
            text: block.text,
            kind: block.kind,
            heading: block.heading,
            list_depth: block.all_lists,
            quoted: block.quoted,
            quote: block.quote,
            list: block.list,
            item: block.item,
            item_number: block.item_number,
            table: block.table,
            table_row: block.cell.0,
            table_column: block.cell.1,
            characters: block.characters,
            ..Paragraph::default()
        }
    }

    /// Its language, or that of its document where its own is not known.
    pub fn language_or(&self, of_document: Language) -> Language {
        language_or(self.language, of_document)
    }

    /// Sets `kept` from the reason; what has none of its own has that of its document, if the document is dropped.
    pub(crate) fn settle(&mut self, document_is_kept: bool) {
        if !document_is_kept && self.drop_reason.is_none() {
            self.drop_reason = DropReason::Document;
        }
        self.kept = self.drop_reason.is_none();
    }
}

table_row! {
    /// One row of `pii`: personal data in a paragraph.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct PersonalData in "pii" {
        pub doc: u64,
        pub index: u32,
        pub kind: Kind,
        pub start: u32,
        pub end: u32,
    }
}

table_row! {
    /// The columns of `paragraphs` that a search looks at.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ParagraphProjection in "paragraphs" {
        pub doc: u64,
        pub index: u32,
        pub text: String,
        pub language: Option<Language>,
        pub tokens: Vec<String>,
        pub kept: bool,
    }
}

table_row! {
    /// The columns of `documents` that tell which page a document is a capture of.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct DocumentCapture in "documents" {
        pub doc: u64,
        pub url: String,
        pub host: String,
        pub captured: Option<i64>,
        pub title: Option<String>,
        pub canonical: Option<String>,
        pub language: Language,
    }
}

table_row! {
    /// The columns of `documents` that name a document.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct DocumentName in "documents" {
        pub doc: u64,
        pub record_id: String,
        pub url: String,
    }
}

table_row! {
    /// The columns of `paragraphs` that the text of a document needs.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct ParagraphText in "paragraphs" {
        pub doc: u64,
        pub text: String,
        pub drop_reason: DropReason,
    }
}

named! {
    /// Why a document or paragraph is not in the corpus. The names are part of the format; that of [`DropReason::None`] is empty.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum DropReason {
        /// The row is in the corpus.
        #[default]
        None ""
        /// The page holds no text at all.
        NoText "no_text"
        /// The page or its server asks not to be used so (`robots.respect`).
        Robots "robots"
        /// The cleaner or a site rule calls the block boilerplate; of a document, all of its blocks.
        Boilerplate "boilerplate"
        /// The language of the document is not among `language.keep`.
        Language "language"
        /// The block recurs on many pages of the host; of a document, all of its content does.
        Template "template"
        /// Another document has the same text.
        ExactDuplicate "exact_duplicate"
        /// Another document resembles it.
        NearDuplicate "near_duplicate"
        /// It is part of a longer document.
        Contained "contained"
        /// Its n-grams occur in earlier documents.
        Overlap "overlap"
        /// A few words between paragraphs that were dropped for overlap.
        Stub "stub"
        /// It fails a rule of `quality.recipe` or `quality.rules`.
        Quality "quality"
        /// Two processes died at it when it was written.
        Poison "poison"
        /// The paragraph belongs to a document that is dropped; the row of the document says why.
        Document "document"
    }
}

impl DropReason {
    /// Whether the row is in the corpus.
    pub fn is_none(self) -> bool {
        self == DropReason::None
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

// Types of this layer and of those below that tables hold by name.
codes! {
    BlockKind: name, by_name;
    CharsetSource: name, by_name;
    Kind: name, by_name;
    Class: name, by_name;
    DropReason: name, by_name;
    Language: code, of_letters;
    PageType: name, by_name;
    PublishedSource: name, by_name;
    Reason: name, by_name;
}

#[cfg(test)]
mod tests;
