//! Integration tests: real archives, mostly through the binary. One crate, because linking the
//! language models once is enough.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests fail by panicking and tell what they skip"
)]

mod behaviour;
mod common;
mod determinism;
mod justext_reference;
mod real_archives;
mod sample;
mod selection;
mod tasks;
mod vertical;
