//! The rows of one document after the other.

use std::iter::Peekable;
use std::path::Path;

use super::{DocumentRow, Reader};
use crate::error::Result;

/// Reads a table whose rows are in the order of their documents along with a table of these documents.
pub struct RowsOfDocuments<R: DocumentRow>(Peekable<Reader<R>>);

impl<R: DocumentRow> RowsOfDocuments<R> {
    pub fn open(path: &Path) -> Result<RowsOfDocuments<R>> {
        Ok(RowsOfDocuments(Reader::open(path)?.peekable()))
    }

    /// The rows of a document that `wanted` chooses. Documents must be asked for in ascending order.
    pub fn of(&mut self, doc: u64, wanted: impl Fn(&R) -> bool) -> Result<Vec<R>> {
        let mut own = Vec::new();
        while let Some(row) = self.0.next_if(|row| row.as_ref().map_or(true, |row| row.doc() <= doc)) {
            let row = row?;
            if row.doc() == doc && wanted(&row) {
                own.push(row);
            }
        }
        Ok(own)
    }
}
