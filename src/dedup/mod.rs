//! Near duplicates: texts → signatures and keys; candidates → verified pairs → who is dropped; n-grams
//! → overlap; blocks → site templates. Nothing here reads or writes.
//!
//! 1. [`minhash`]: a set of shingles → a signature of minima (Broder 1997).
//! 2. [`bands`]: a signature → one key per band. Documents that share a key are candidates:
//!    P(candidate | J) = 1 − (1 − J^r)^b for b bands of r rows. [`method`]: other keys.
//! 3. [`bucket`]: documents of one key → pairs to compare. [`verify`]: which pairs resemble each other.
//! 4. [`representatives`]: verified pairs → clusters of one kept document and those that are dropped in its favour.
//! 5. [`containment`]: short texts inside long ones.
//! 6. [`overlap`]: paragraphs of kept documents → the share of their words that was seen before.
//!
//! Before all of these comes [`sites`]: blocks that recur on many pages of a host are template.

pub mod sites;

pub mod minhash;

pub mod bands;

pub mod signature;

pub mod method;

pub mod bucket;

pub mod verify;

pub mod representatives;

pub mod containment;

pub mod overlap;

/// `part` / `whole`; 0 of an empty whole.
///
/// Whatever is compared with a threshold is compared as a quotient of whole numbers, never as a product with the
/// threshold: 11 / 20 is the same number as 0.55, while 0.55 · 20 is more than 11.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
