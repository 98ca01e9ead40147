//! Data of the program [warcorpus](https://crates.io/crates/warcorpus): the letters of all scripts and the n-grams of the 64 most frequent languages
//! in Latin script. The package language-table of its repository makes the file; warcorpus's module `language` reads it.
//! It is a crate of its own because a registry takes ten megabytes a crate. There are no promises about its contents.

/// The bytes of the file; they begin with a line of the processor's cache.
pub static TABLE: &[u8] = &CacheAligned(*include_bytes!("../latin-1.table")).0;

#[repr(align(64))]
struct CacheAligned<T>(T);
