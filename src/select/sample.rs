//! Samples of documents that are the same in every run, on any number of tasks, and nested: a sample of 1 % is part of
//! that of 10 %.

use crate::document::Document;
use crate::hash::{combine, hash64};

/// A share of all documents, chosen by a hash of the record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Share of the documents, above 0 to 1.
    share: f64,
    seed: u64,
}

/// 2⁶⁴.
const RANKS: f64 = 18_446_744_073_709_551_616.0;

impl Sample {
    /// A sample of a [`share`] of the documents; another seed chooses others.
    pub fn new(share: f64, seed: u64) -> Sample {
        Sample { share, seed }
    }

    /// Whether a document belongs to the sample.
    pub fn has(&self, document: &Document) -> bool {
        self.share >= 1.0 || (rank(document, self.seed) as f64) < self.share * RANKS
    }
}

/// Reads a share above 0 to 1.
///
/// # Errors
/// What was expected in place of something else.
pub fn share(text: &str) -> Result<f64, String> {
    let is_share = |share: &f64| *share > 0.0 && *share <= 1.0;
    text.parse().ok().filter(is_share).ok_or_else(|| "expected a share above 0 and up to 1, such as 0.1".into())
}

/// The rank of a document among all.
pub fn rank(document: &Document, seed: u64) -> u64 {
    combine(&[seed, record_hash(document)])
}

/// A hash of the record's identifier, or of its place if it has none, as in ARC.
pub fn record_hash(document: &Document) -> u64 {
    match document.record_id.as_str() {
        "" => combine(&[hash64(document.archive.as_bytes()), document.offset]),
        id => hash64(id.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(n: u64) -> Document {
        Document { record_id: format!("urn:uuid:{n}"), ..Document::default() }
    }

    #[test]
    fn samples_have_their_share_and_are_nested() {
        let chosen = |share, seed| {
            let sample = Sample::new(share, seed);
            (0..10_000).filter(|n| sample.has(&document(*n))).collect::<Vec<_>>()
        };
        let (tenth, hundredth) = (chosen(0.1, 7), chosen(0.01, 7));
        assert!((900..1100).contains(&tenth.len()) && (70..130).contains(&hundredth.len()));
        assert!(hundredth.iter().all(|n| tenth.contains(n)));
        assert_ne!(tenth, chosen(0.1, 8));
        assert_eq!(chosen(1.0, 7).len(), 10_000);
    }

    #[test]
    fn records_without_an_identifier_are_told_apart_by_their_place() {
        let at = |offset| Document { archive: "a.warc.gz".into(), offset, ..Document::default() };
        let sample = Sample::new(0.5, 0);
        let chosen = (0..100).filter(|n| sample.has(&at(*n))).count();
        assert!((30..70).contains(&chosen), "{chosen}");
    }

    #[test]
    fn a_share_is_above_nothing_and_at_most_all() {
        assert_eq!([share("0.1"), share("1")], [Ok(0.1), Ok(1.0)]);
        for wrong in ["0", "-0.1", "1.5", "NaN", "all", ""] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
