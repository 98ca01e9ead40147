//! Near duplicates: texts → signatures and bands; candidates → verified stars; n-grams → overlap.
//! Nothing here reads or writes.
//!
//! 1. [`minhash`]: a set of shingles → a signature of minima (Broder 1997).
//! 2. [`bands`]: a signature → one key per band. Documents that share a key are candidates:
//!    P(candidate | J) = 1 − (1 − J^r)^b for b bands of r rows.
//! 3. [`star`]: members of one bucket → verified edges; the edges of a connected component
//!    ([`components`]) → stars. Every dropped document is verified against the very document that is
//!    kept in its place.
//! 4. [`overlap`]: paragraphs of the documents that stay → their share of words seen before.

pub mod minhash;

pub mod bands;

pub mod components;

pub mod star;

pub mod overlap;
