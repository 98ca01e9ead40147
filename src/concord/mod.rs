//! Concordances of a corpus: [`Options`] → [`Query`] → [`Finder`], which makes hits out of
//! paragraphs → [`Queue`], which brings the hits of many workers into corpus order → [`Collector`],
//! which chooses and sorts → [`Printer`].
//!
//! Values in, values out: tables are read and threads are started elsewhere. The output depends on
//! the corpus and the options alone, whatever the number of workers and the order of their work.

mod options;

mod letters;

mod words;

mod query;

mod hit;

mod order;

mod choose;

mod collect;

mod print;

pub use collect::{Collector, Failure, deliver};
pub use hit::{Finder, Hit, Source, Tally};
pub use options::{CONCORD_EXAMPLES, Format, Options, Sort};
pub use order::{Claim, Queue};
pub use print::{Printer, counts};
pub use query::{Match, Paragraph, Query, QueryError, Token};

#[cfg(test)]
mod tests;
