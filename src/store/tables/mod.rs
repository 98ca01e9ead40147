//! Parquet files of tables. Which columns a table has is defined by its row type
//! ([`crate::table::table_row`]); the columns' descriptions come from `schemas/` and travel in the files' metadata.

mod file;

pub use file::{Options, Reader, Writer};
