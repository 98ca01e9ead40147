//! Two snapshots of a web compared, page by page: what a page is compared by ([`PageState`]), what changed in its
//! paragraphs ([`ComparedParagraphs`]), and the row that says so ([`PageChange`]). Nothing here opens a file.
//!
//! A page is an address. Its state in a snapshot is the last capture of that address there. Pages of two snapshots are
//! the same page if they have, in this order of preference, the same address, the same canonical link, the same slug and
//! title on one domain, the same text, or similar texts.

mod change;
mod difference;
mod state;
mod summary;

pub use change::{ComparedParagraphs, MatchedBy, PageChange, PageStatus};
pub use difference::Hunk;
pub use state::{LEAST_SIMILARITY, PageState, banding};
pub use summary::{CountsByStatus, PageCounts, Summary};
