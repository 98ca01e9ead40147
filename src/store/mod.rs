//! Files of a job and archives: rows ↔ Parquet, spills, sketches. Nothing about texts is decided here.
//!
//! A file is written under a temporary name and renamed when it is complete, so that a file under its
//! own name is always complete. See [`atomic`].

pub mod archives;

pub mod atomic;

pub mod corpus;

mod deferred;

pub mod document_values;

pub mod file_systems;

pub mod globs;

mod indexed;

pub mod incomplete;

pub mod key_counts;

pub mod layout;

pub mod locks;

pub mod marker;

pub mod models;

pub mod new_folder;

pub mod rows;

pub mod sketches;

pub mod small_files;

pub mod spill;

pub mod tables;

pub mod text_files;

pub mod urls;
pub mod values;
