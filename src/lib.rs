//! `warcorpus` turns stored web archives (WARC, ARC and WET files, such as those of Common Crawl) into text corpora.
//!
//! This crate is the library behind the program of the same name. Its public interface is small: everything that a
//! user of the library needs is listed on this page.
//!
//! | to | use |
//! | --- | --- |
//! | read the records of an archive, damaged or not | [`read_archive`], [`resume_archive`], [`Record`], [`Event`], [`Limits`] |
//! | turn a record into a document and its paragraphs | [`Pipeline`], [`PipelineOptions`], [`Outcome`] |
//! | identify a language | [`LanguageIdentifier`], [`Language`] |
//! | cut text into sentences and tokens | [`Segmenter`] |
//! | compare texts | [`Signature`], [`Banding`] |
//! | build a corpus | [`Config`], [`build_corpus`] |
//! | read a finished corpus | [`Corpus`], [`Document`], [`Paragraph`] |
//!
//! The archive is read by ranges, so that it can be shared among threads; a damaged stretch is an event, not an error:
//!
//! ```
//! use warcorpus::{Event, Limits, read_archive};
//!
//! let warc = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 5\r\n\r\nhello\r\n\r\nnot a record";
//! let events: Vec<Event> = read_archive(warc, 0..u64::MAX, &Limits::default())?.collect::<Result<_, _>>()?;
//! assert!(matches!(events.as_slice(), [Event::Record(record), Event::Damage(_)] if record.block == b"hello"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Languages and sentences:
//!
//! ```
//! use warcorpus::{Language, LanguageIdentifier, LanguageOptions, Segmenter};
//!
//! let text = "Das Watt fällt zweimal am Tag trocken. Dann kommt das Meer zurück.";
//! let identifier = LanguageIdentifier::new(&LanguageOptions::default());
//! let found = identifier.paragraph(text, Language::UNDETERMINED);
//! assert_eq!(found.language.code(), "deu");
//!
//! let segmenter = Segmenter::default();
//! let sentences = segmenter.language(found.language.code()).sentences(text);
//! assert_eq!(sentences.len(), 2);
//! ```
//!
//! # Layers
//!
//! Modules are private. The first row has what all modules use. The others are listed in the order in which a record
//! passes through them. A module imports only modules above it; a test checks this. `docs/architecture.md` follows a
//! record through the modules.
//!
//! | module | takes → gives |
//! | --- | --- |
//! | `error`, `limits`, `hash`, `portable_math`, `key`, `named`, `order`, `nearest`, `threads`, `process` | errors; bounds on what a record costs; the fixed hash functions; logarithms that every machine rounds alike; keys of documents; enums whose values have names; types that are equal where their order says so; names that a user may have meant; thread pools and cancellation; memory of the process |
//! | `archive` | bytes → records |
//! | `text` | text → words, sentences, tokens |
//! | `html` | figures and texts → pages, charts and differences for people |
//! | `fasttext`, `language` | a model of others and a text → labels; text → language |
//! | `pii` | a paragraph → personal data in it |
//! | `page` | record → payload → decoded text → blocks, metadata |
//! | `clean` | blocks → verdicts (`trait Cleaner`) |
//! | `dedup` | shingles → signatures, bands; candidates → clusters; n-grams → overlap |
//! | `table`, `document` | rows ↔ Arrow columns; the rows of the tables |
//! | `figures` | rows of tables → distributions and samples that can be added up |
//! | `pipeline` | record → everything known of its page alone |
//! | `select` | an index and an expression → which records to read; which documents of a corpus |
//! | `quality` | the text of a document → quality signals, and what a recipe says about them |
//! | `emit` | kept documents → formats (`trait Format`) |
//! | `card` | what is known of a corpus and its files → `README.md`, `croissant.json` |
//! | `remote`, `store`, `archive_index` | files and objects ↔ rows, spills, tables |
//! | `concord`, `stoplist`, `stats`, `tags` | a finished corpus → concordances, stop words, figures, a dictionary of tags |
//! | `compare` | pages of two snapshots → what changed |
//! | `config` | a job file → the options of every layer |
//! | `stages` | what is computed in which order (`trait Stage`) |
//! | `job` | plan, threads, tasks, resume, Slurm |
//! | `commands`, `cli` | arguments → command → exit code |

#![warn(missing_docs)]

#[cfg(not(feature = "internals"))]
mod archive;
#[cfg(not(feature = "internals"))]
mod archive_index;
#[cfg(not(feature = "internals"))]
mod card;
#[cfg(not(feature = "internals"))]
mod clean;
#[cfg(not(feature = "internals"))]
mod cli;
#[cfg(not(feature = "internals"))]
mod commands;
#[cfg(not(feature = "internals"))]
mod compare;
#[cfg(not(feature = "internals"))]
mod concord;
#[cfg(not(feature = "internals"))]
mod config;
#[cfg(not(feature = "internals"))]
mod dedup;
#[cfg(not(feature = "internals"))]
mod document;
#[cfg(not(feature = "internals"))]
mod emit;
#[cfg(not(feature = "internals"))]
mod error;
#[cfg(not(feature = "internals"))]
mod fasttext;
#[cfg(not(feature = "internals"))]
mod figures;
#[cfg(not(feature = "internals"))]
mod hash;
#[cfg(not(feature = "internals"))]
mod html;
#[cfg(not(feature = "internals"))]
mod job;
#[cfg(not(feature = "internals"))]
mod key;
#[cfg(not(feature = "internals"))]
mod language;
#[cfg(not(feature = "internals"))]
mod limits;
#[cfg(not(feature = "internals"))]
mod named;
#[cfg(not(feature = "internals"))]
mod nearest;
#[cfg(not(feature = "internals"))]
mod order;
#[cfg(not(feature = "internals"))]
mod page;
#[cfg(not(feature = "internals"))]
mod pii;
#[cfg(not(feature = "internals"))]
mod pipeline;
#[cfg(not(feature = "internals"))]
mod portable_math;
#[cfg(not(feature = "internals"))]
mod process;
#[cfg(not(feature = "internals"))]
mod quality;
#[cfg(not(feature = "internals"))]
mod remote;
#[cfg(not(feature = "internals"))]
mod select;
#[cfg(not(feature = "internals"))]
mod stages;
#[cfg(not(feature = "internals"))]
mod stats;
#[cfg(not(feature = "internals"))]
mod stoplist;
#[cfg(not(feature = "internals"))]
mod store;
#[cfg(not(feature = "internals"))]
mod table;
#[cfg(not(feature = "internals"))]
mod tags;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(not(feature = "internals"))]
mod threads;

/// The tests, benches and examples of the project reach the layers themselves.
#[cfg(feature = "internals")]
macro_rules! open_to_tests {
    ($($module:ident)*) => {
        $(#[doc(hidden)] #[allow(missing_docs)] pub mod $module;)*
    };
}

#[cfg(feature = "internals")]
open_to_tests! {
    error limits hash portable_math key named order nearest threads process archive text html fasttext language page clean dedup table document figures pipeline
    emit select quality pii remote store archive_index concord stoplist stats tags compare card config stages job commands cli
}

pub use archive::{
    Bytes, Damage, DamageReason, Event, Framing, Header, Limits, Position, Record, Records, detect_framing,
    records as read_archive, resume as resume_archive,
};
pub use cli::main;
pub use config::Config;
pub use dedup::bands::Banding;
pub use dedup::signature::Signature;
pub use document::{Document, DropReason, Paragraph};
pub use error::{Error, Result};
pub use job::run::{Built, RunOptions, build_corpus};
pub use language::{
    Identified, Identifier as LanguageIdentifier, Language, Method as LanguageMethod, Options as LanguageOptions,
};
pub use pipeline::{Options as PipelineOptions, Outcome, PageOutput, Pipeline};
pub use store::corpus::Corpus;
pub use text::segments::{Options as SegmenterOptions, Scheme, Segmenter, Token, Tokenizer};
pub use threads::CancelToken;
