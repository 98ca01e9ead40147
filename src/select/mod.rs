//! Selects records of archives by the rows of an index: the expressions of `--where`, the lines of CDX files, and the
//! ranges of archives to read. Documents of a corpus are selected by the same expressions. This module opens no file;
//! `archive_index` reads the indices.
//!
//! ```
//! use warcorpus::select::cdx::{self, CdxParser};
//! use warcorpus::select::expression::Expression;
//!
//! let filter = Expression::parse("status = 200 and url_host_tld = cz")?.bind(&cdx::columns())?;
//! let row = r#"cz,example)/ 20240522001122 {"url": "https://example.cz/", "status": "200"}"#;
//! let line = CdxParser::default().parse(row)?.expect("the row is not a header");
//! assert!(filter.matches(|column| line.value(column)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bound;

pub mod cdx;

pub mod documents;

pub mod expression;

pub mod like;

mod parse;

pub mod ranges;

pub mod sample;

pub mod time;
