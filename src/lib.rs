//! `warcorpus` turns stored web archives into text corpora.
//!
//! The modules stand in the order in which a record passes through them; reading them in this order
//! follows one record from file to Parquet row. Imports point upwards only, with [`config`],
//! [`error`], [`hash`] and [`document`] as common ground.
//!
//! | layer | takes → gives |
//! | --- | --- |
//! | [`archive`] | bytes → records |
//! | [`page`] | record → payload → text blocks and metadata |
//! | [`clean`] | blocks → classes |
//! | [`text`], [`language`] | text → words, sentences, tokens; language |
//! | [`dedup`] | shingles → signatures, bands; candidates → stars; n-grams → overlap |
//! | [`select`] | rows of an index → which records to read |
//! | [`store`] | rows ↔ Parquet, spills, sketches; the only opener of files |
//! | [`emit`] | kept rows → vertical, TEI, CoNLL-U, JSONL, text |
//! | [`concord`] | paragraphs → concordances |
//! | [`stats`], [`stoplist`] | kept text → figures, frequency lists, stop words |
//! | [`job`] | plan, tasks, threads, resume, counts |
//! | [`cli`] | arguments → job → exit code |

pub mod error;

pub mod hash;

pub mod key;

pub mod threads;

pub mod archive;

pub mod text;

pub mod language;

pub mod page;

pub mod clean;

pub mod dedup;

pub mod table;

pub mod document;

pub mod pipeline;

pub mod emit;

pub mod select;

pub mod remote;

pub mod store;

pub mod selection;

pub mod concord;

pub mod stoplist;

pub mod stats;

pub mod config;

pub mod stages;

pub mod job;

pub mod commands;

pub mod cli;
