//! Blocks → classes: which text of a page is its content.
//!
//! Contract: pure functions over the blocks of one page; a cleaner never changes or reorders blocks,
//! it answers one verdict per block, and why.
//!
//! Border: where blocks come from is `page`'s; what recurs on other pages is not looked at here.

pub mod justext;

pub mod main;

pub mod ruled;

pub mod stoplist;
