//! Kept documents → the output formats that corpus tools load.
//!
//! Pure: rows in, text out. Files, compression and the choice of documents belong to the caller.
//!
//! An output format is one file in this folder: a type that implements [`Format`], and a constant [`OutputFormat`] that
//! describes it and is listed in [`FORMATS`]. The configuration, the command line, the folders of the output directory
//! and the files of shards and jobs all follow that list, so a new format takes its own file and a line here (and a
//! section of the configuration if it has options of its own).
//!
//! Formats read a [`DocumentText`], so that a document is segmented once for all of them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub mod document_text;
pub mod model_tokens;

pub mod dates;

pub mod bins;

pub mod gaps;

pub mod xml;

pub mod vertical;

pub mod registry;

pub mod conllu;

pub mod structure;

pub mod markdown;

pub mod tei;

pub mod jsonl;

pub mod label_names;

pub mod plain_text;

pub mod parquet;

use crate::document::labels::LabelColumn;
use crate::language::Language;
use document_text::DocumentText;

/// All output formats, in the order in which messages and help list them.
pub static FORMATS: [OutputFormat; 6] =
    [vertical::FORMAT, tei::FORMAT, conllu::FORMAT, jsonl::FORMAT, plain_text::FORMAT, parquet::FORMAT];

/// Options of all formats; the configuration fills them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Name of the corpus.
    pub corpus: String,
    /// Names of the columns that a tagger adds to each token, in the order in which it writes them.
    pub tagger_columns: Vec<String>,
    /// The labels of documents, in their order.
    pub labels: Vec<LabelColumn>,
    pub vertical: vertical::Options,
    pub tei: tei::Options,
    pub jsonl: jsonl::Options,
    pub text: plain_text::Options,
    pub parquet: parquet::Options,
    /// Whether the tokens of a language model are counted.
    pub token_counts: bool,
}

/// Why a document could not be written.
pub type FormatError = Box<dyn std::error::Error + Send + Sync>;

/// Writes documents in one output format. One object writes one file; the text goes to a buffer of the caller, who may
/// empty it between calls.
pub trait Format: Send {
    /// Appends what stands before the first document.
    fn open(&mut self, _out: &mut String) {}

    /// Appends one document, or nothing if the document has no text that the format could show.
    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError>;

    /// Appends what stands after the last document.
    fn close(&mut self, _out: &mut String) {}

    /// Counts of the documents written so far, for the [`JobFile`] of the format.
    fn counts(&self) -> FormatCounts {
        FormatCounts::default()
    }
}

/// Description of an output format: what the program has to know before it writes a document.
#[derive(Debug, Clone, Copy)]
pub struct OutputFormat {
    /// Name in the configuration and on the command line.
    pub name: &'static str,
    /// Folder that holds the files.
    pub folder: &'static str,
    /// Ending of the file names, without the first dot.
    pub ending: fn(&Options) -> &'static str,
    /// What the format is, in a phrase for the help.
    pub summary: &'static str,
    /// Whether documents have to be segmented into sentences and tokens.
    pub needs_tokens: bool,
    /// Whether a shard without documents gets an empty file. If false, such a shard has no file, because an empty one
    /// would not be valid or not be read.
    pub empty_files: bool,
    /// Compressed bytes of a running word, for estimates of disk space; `None` if not measured.
    pub bytes_per_word: Option<f64>,
    /// Bytes in memory for each byte of text while a document is written, if every byte is a token. Measured on pages of short
    /// paragraphs.
    pub memory_per_byte: u64,
    /// Ending of the file names if every document gets a file of its own; `None` where a shard has one file.
    pub document_ending: fn(&Options) -> Option<&'static str>,
    /// The file that is written once at the end of a job.
    pub job_file: Option<JobFile>,
    /// What writes the file of a shard.
    pub create: Create,
}

/// What writes the file of a shard.
#[derive(Debug, Clone, Copy)]
pub enum Create {
    /// Text, by the object that the function makes.
    Text(fn(&Options) -> Box<dyn Format>),
    /// A table with the columns of [`parquet::Options`].
    Table,
}

/// A file about all shards of a job, made from the counts of the format.
#[derive(Debug, Clone, Copy)]
pub struct JobFile {
    /// Folder in the output directory.
    pub folder: &'static str,
    /// Name of the file in that folder.
    pub name: fn(&Options) -> String,
    /// Content of the file.
    pub text: fn(&Options, &FormatCounts) -> String,
}

impl OutputFormat {
    /// The format with this name.
    pub fn by_name(name: &str) -> Option<OutputFormat> {
        FORMATS.iter().find(|format| format.name == name).copied()
    }
}

/// Folders in the output directory that formats write to, whatever formats a job asks for.
pub fn folders() -> Vec<&'static str> {
    let job_files = FORMATS.iter().filter_map(|format| format.job_file).map(|file| file.folder);
    FORMATS.iter().map(|format| format.folder).chain(job_files).collect()
}

impl PartialEq for OutputFormat {
    fn eq(&self, other: &OutputFormat) -> bool {
        self.name == other.name
    }
}

impl Eq for OutputFormat {}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [OutputFormat] {
        &FORMATS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name).help(self.summary))
    }
}

impl Serialize for OutputFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for OutputFormat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OutputFormat, D::Error> {
        let name = String::deserialize(deserializer)?;
        OutputFormat::by_name(&name).ok_or_else(|| {
            let known: Vec<String> = FORMATS.iter().map(|format| format!("`{format}`")).collect();
            serde::de::Error::custom(format!("unknown output format `{name}`, expected one of {}", known.join(", ")))
        })
    }
}

/// What the files of a format hold, as far as its [`JobFile`] or the statistics of the job need it. Formats that
/// collect nothing leave it at the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FormatCounts {
    pub tokens: u64,
    /// Bit n is set if some `<doc>` has attribute n of [`vertical::DOC_ATTRIBUTES`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub doc: u32,
    /// Bit n is set if some `<p>` has attribute n of [`vertical::P_ATTRIBUTES`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub p: u32,
    /// Number of `<gap/>`.
    #[serde(default, skip_serializing_if = "is_no_count")]
    pub gaps: u64,
    #[serde(default, skip_serializing_if = "Languages::is_none")]
    pub languages: Languages,
}

/// The languages of documents, as far as a format that names the language of a corpus needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Languages {
    #[default]
    None,
    One(Language),
    Several,
}

impl Languages {
    fn is_none(&self) -> bool {
        *self == Languages::None
    }

    fn and(self, other: Languages) -> Languages {
        match (self, other) {
            (one, Languages::None) | (Languages::None, one) => one,
            (one, other) if one == other => one,
            _ => Languages::Several,
        }
    }
}

fn is_zero(bits: &u32) -> bool {
    *bits == 0
}

fn is_no_count(count: &u64) -> bool {
    *count == 0
}

impl AddAssign for FormatCounts {
    fn add_assign(&mut self, other: FormatCounts) {
        self.tokens += other.tokens;
        self.doc |= other.doc;
        self.p |= other.p;
        self.gaps += other.gaps;
        self.languages = self.languages.and(other.languages);
    }
}

/// Counts by the name of the format. Formats that counted nothing are not in it.
pub type CountsByFormat = BTreeMap<String, FormatCounts>;

/// Adds the counts of other shards.
pub fn add_counts(counts: &mut CountsByFormat, others: &CountsByFormat) {
    others.iter().for_each(|(format, other)| *counts.entry(format.clone()).or_default() += *other);
}

/// Writes the documents of one shard in one format: begins the file with the first document that has something to show
/// and ends it after the last.
pub struct ShardWriter {
    output: OutputFormat,
    format: Box<dyn Format>,
    documents: u64,
}

impl fmt::Debug for ShardWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardWriter").field("format", &self.output.name).field("documents", &self.documents).finish()
    }
}

impl ShardWriter {
    pub fn new(output: OutputFormat, format: Box<dyn Format>) -> ShardWriter {
        ShardWriter { output, format, documents: 0 }
    }

    /// The format that is written.
    pub fn output(&self) -> OutputFormat {
        self.output
    }

    /// Appends one document to `out`, which the caller may empty between calls.
    pub fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        let before = out.len();
        if self.documents == 0 {
            self.format.open(out);
        }
        let opened = out.len();
        self.format.document(out, text)?;
        if out.len() > opened {
            self.documents += 1;
        } else {
            out.truncate(before);
        }
        Ok(())
    }

    /// Appends the end of the file. False if the shard gets no file: it has no documents, and the format has no
    /// [files without any](OutputFormat::empty_files).
    #[must_use]
    pub fn finish(&mut self, out: &mut String) -> bool {
        if self.documents > 0 {
            self.format.close(out);
        }
        self.documents > 0 || self.output.empty_files
    }

    /// Counts of the documents written so far.
    pub fn counts(&self) -> FormatCounts {
        self.format.counts()
    }
}

#[cfg(test)]
pub(crate) mod tests;
