//! Near duplicates: texts → signatures and keys; candidates → verified pairs → who is dropped; n-grams
//! → overlap; blocks → site templates. Nothing here reads or writes.
//!
//! 1. [`minhash`]: a set of shingles → a signature of minima (Broder 1997).
//! 2. [`bands`]: a signature → one key per band. Documents that share a key are candidates:
//!    P(candidate | J) = 1 − (1 − J^r)^b for b bands of r rows. [`method`]: other keys.
//! 3. [`bucket`]: documents of one key → pairs to compare. [`verify`]: which of them resemble each other.
//! 4. [`keepers`]: verified pairs → dropped documents, each verified against the very document that is
//!    kept in its place.
//! 5. [`containment`]: short texts inside long ones.
//! 6. [`overlap`]: paragraphs of the documents that stay → their share of words seen before.
//!
//! Before all of it, [`sites`]: blocks that recur on many pages of a host are template.

pub mod sites;

pub mod minhash;

pub mod bands;

mod logarithm;

pub mod method;

pub mod bucket;

pub mod verify;

pub mod keepers;

pub mod containment;

pub mod overlap;
