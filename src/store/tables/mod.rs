//! Parquet files of tables. Which columns a table has is defined by its row type
//! ([`crate::table::table_row`]); the columns' descriptions come from `schemas/` and travel in the files' metadata.

mod file;

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use file::{Options, Reader, Writer};

/// Reads from a Parquet file. The reader of the crate `parquet` panics on some damaged files; that is an error here.
pub fn guarded<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(read));
    done.map_or_else(|_| Err("its pages contradict each other".into()), |done| done.map_err(|error| error.to_string()))
}
