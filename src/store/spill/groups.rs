//! Sorted rows in groups of one key. Groups can be of any size.

use std::iter::Peekable;
use std::path::PathBuf;

use super::{MergedRows, SortSpace, SpillRow, merge};
use crate::error::Result;

/// Reads each group twice without holding it in memory, with two readers one behind the other: first
/// [`Groups::scan_group`] shows all its rows, then [`Groups::replay_group`] gives them again. So what is decided
/// about a row can depend on all rows of its group.
pub struct Groups<R: SpillRow> {
    ahead: Peekable<MergedRows<R>>,
    behind: Peekable<MergedRows<R>>,
    key: fn(&R) -> u64,
    current: Option<u64>,
}

impl<R: SpillRow> Groups<R> {
    /// The groups of a partition. Rows of one key must be next to each other in the order of rows.
    pub fn new(files: &[PathBuf], partition: u32, key: fn(&R) -> u64, space: &SortSpace) -> Result<Groups<R>> {
        let (ahead, behind) = (merge(files, partition, space)?, merge(files, partition, space)?);
        Ok(Groups { ahead: ahead.peekable(), behind: behind.peekable(), key, current: None })
    }

    /// Shows all rows of the next group; false if there is none.
    pub fn scan_group(&mut self, mut each: impl FnMut(&R)) -> Result<bool> {
        self.current = None;
        while let Some(row) = next_of(&mut self.ahead, self.key, self.current)? {
            self.current = Some((self.key)(&row));
            each(&row);
        }
        Ok(self.current.is_some())
    }

    /// Gives the rows of the group that was scanned last, each with its position in the group.
    pub fn replay_group(&mut self, mut each: impl FnMut(R, u32) -> Result<()>) -> Result<()> {
        let mut place = 0u32;
        while let Some(row) = next_of(&mut self.behind, self.key, self.current)? {
            each(row, place)?;
            place = place.saturating_add(1);
        }
        Ok(())
    }
}

/// The next row, if it has the wanted key or no key is wanted.
fn next_of<R: SpillRow>(
    rows: &mut Peekable<MergedRows<R>>,
    key: fn(&R) -> u64,
    wanted: Option<u64>,
) -> Result<Option<R>> {
    let fits = |row: &Result<R>| row.as_ref().map_or(true, |row| wanted.is_none_or(|wanted| key(row) == wanted));
    rows.next_if(fits).transpose()
}

/// Joins sorted rows with a sequence of keys that ascends as they do.
pub struct MergeJoin<R: SpillRow> {
    /// `None` if there are no rows to join with.
    rows: Option<Peekable<MergedRows<R>>>,
    key: fn(&R) -> u64,
}

impl<R: SpillRow> MergeJoin<R> {
    pub fn new(rows: Option<MergedRows<R>>, key: fn(&R) -> u64) -> MergeJoin<R> {
        MergeJoin { rows: rows.map(Iterator::peekable), key }
    }

    /// Gives the rows of a key. Keys must be asked for in ascending order; rows of other keys are skipped.
    pub fn rows_of(&mut self, wanted: u64, mut each: impl FnMut(R)) -> Result<()> {
        let key = self.key;
        let Some(rows) = &mut self.rows else { return Ok(()) };
        while let Some(row) = rows.next_if(|row| row.as_ref().map_or(true, |row| key(row) <= wanted)) {
            let row = row?;
            if key(&row) == wanted {
                each(row);
            }
        }
        Ok(())
    }

    /// Reads the remaining rows: the checksums of the files are compared at their ends.
    pub fn finish(&mut self) -> Result<()> {
        self.rows.take().into_iter().flatten().try_for_each(|row| row.map(|_| ()))
    }
}
