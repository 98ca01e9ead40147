//! Kept rows → the formats that corpus tools load. Selects nothing: it writes what it is given, and appends to what
//! its caller holds; files and compression belong elsewhere.
//!
//! Formats with tokens or sentences ([`vertical`], [`conllu`], [`tei`]) read one [`text::Text`], so that a document is
//! cut once; [`jsonl`] and [`plain`] read the rows.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

pub mod text;

pub mod dates;

pub mod xml;

pub mod vertical;

pub mod registry;

pub mod conllu;

pub mod outline;

pub mod tei;

pub mod jsonl;

pub mod plain;

/// A form in which kept text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// For Manatee, (No)Sketch Engine and CWB: [`vertical`].
    Vertical,
    /// TEI P5: [`tei`].
    Tei,
    /// CoNLL-U: [`conllu`].
    Conllu,
    /// One JSON object per document: [`jsonl`].
    Jsonl,
    /// Plain text: [`plain`].
    Text,
}

impl Format {
    /// Also the name of the folder that its files stand in.
    pub fn name(self) -> &'static str {
        match self {
            Format::Vertical => "vertical",
            Format::Tei => "tei",
            Format::Conllu => "conllu",
            Format::Jsonl => "jsonl",
            Format::Text => "text",
        }
    }

    /// What the names of its files end with.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Vertical => "vert.gz",
            Format::Tei => "xml.gz",
            Format::Conllu => "conllu.gz",
            Format::Jsonl => "jsonl.gz",
            Format::Text => "txt.gz",
        }
    }

    /// Whether it shows sentences or tokens.
    pub fn is_cut(self) -> bool {
        matches!(self, Format::Vertical | Format::Tei | Format::Conllu)
    }
}
