//! Which records of which archives are wanted: an expression over the rows of an index, the lines of
//! a CDX file, and the ranges to read. Opens no file; `store::selection` does.

pub mod bound;

pub mod cdx;

pub mod expression;

pub mod like;

mod parse;

pub mod runs;

pub mod time;
