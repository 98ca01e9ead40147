//! What the builder stands inside of.

use crate::page::blocks::open_elements::{OpenElement, Role};

/// Numbers of open elements of some kinds.
#[derive(Debug, Default)]
pub struct Inside {
    /// Elements that are dropped with their content.
    pub dropped: u32,
    /// Headings, also by their names (`x-h1`).
    pub headings: u32,
    /// Quotations.
    pub quotes: u32,
    /// Elements whose names contain `select`.
    pub selects: u32,
    /// Elements that the page hides.
    pub hidden: u32,
    /// Elements that it hides from all readers.
    pub unseen: u32,
}

impl Inside {
    /// An element opens.
    pub fn enter(&mut self, open: &OpenElement<'_>) {
        self.count(open, |number, counts| *number += u32::from(counts));
    }

    /// An element that was entered is closed.
    pub fn leave(&mut self, open: &OpenElement<'_>) {
        self.count(open, |number, counts| *number -= u32::from(counts));
    }

    #[inline]
    fn count(&mut self, open: &OpenElement<'_>, change: impl Fn(&mut u32, bool)) {
        change(&mut self.dropped, open.role == Role::Dropped);
        change(&mut self.headings, open.heading);
        change(&mut self.quotes, open.quotes);
        change(&mut self.selects, open.select);
        change(&mut self.hidden, open.hidden);
        change(&mut self.unseen, open.unseen);
    }
}
