//! Everything that opens a file. Rows ↔ Parquet, spills, sketches, archives; decides nothing about text.
//!
//! A file is written under a temporary name and renamed when it is whole, so that what stands under
//! its own name is complete. See [`atomic`].

pub mod archives;

pub mod atomic;

pub mod corpus;

pub mod layout;

pub mod marker;

pub mod mounts;

pub mod spool;

pub mod sketches;

pub mod names;

pub mod rows;

pub mod spill;

pub mod tables;

pub mod tally;

pub mod text_files;
