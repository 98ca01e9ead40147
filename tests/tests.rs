//! Integration tests: real archives, mostly through the binary. One crate, because linking
//! Parquet once is enough.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests fail by panicking and tell what they skip"
)]

mod asked;
mod attributes;
mod behaviour;
mod boilerplate;
mod book;
mod card;
mod cleaning;
mod common;
mod compare;
mod counted;
mod crawl;
mod dedup;
mod determinism;
mod emitted;
mod extraction;
mod failing_calls;
mod faults;
mod folder;
mod formats;
mod fuzz_corpus;
mod groups;
#[allow(dead_code, reason = "also used by unit tests, which need other parts of it")]
mod http_server;
mod justext_reference;
mod language;
mod layers;
mod loaded;
mod losses;
mod models;
mod nginx;
mod pages;
mod personal;
mod quality;
mod real_archives;
mod remote;
mod sample;
mod segmentation;
mod selection;
mod slurm;
mod smuggling;
mod strict_conllu;
mod strict_vertical;
mod strict_xml;
mod tasks;
mod tokens;
mod users;
mod written;
