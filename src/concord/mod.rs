//! Concordances of a corpus.
//!
//! [`Options`] are compiled to a [`Query`]. A [`Finder`] for each worker finds its [`Hit`]s in paragraphs. An
//! [`OrderedQueue`] brings the hits of all workers into corpus order. A [`Collector`] selects and sorts them, and a
//! [`Printer`] writes them.
//!
//! This module reads no tables and starts no threads. The output depends on the corpus and the options alone, not on
//! the number of workers and the order of their work.

mod options;

mod letters;

mod word_search;

mod query;

mod groups;

mod contexts;

mod sort_words;

mod hit;

mod order;

mod choose;

mod collect;

mod print;

pub use collect::{CollectError, Collector, deliver};
pub use groups::HitGroups;
pub use hit::{Finder, Hit, HitDocument, SearchCounts};
pub use options::{CONCORD_EXAMPLES, Options};
pub use order::OrderedQueue;
pub use print::{Printer, print_counts};
pub use query::{Query, SearchedParagraph, SearchedToken};

#[cfg(test)]
mod tests;
