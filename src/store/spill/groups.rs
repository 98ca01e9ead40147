//! Sorted rows in groups of one key, of any size.

use std::iter::Peekable;
use std::path::PathBuf;

use super::{Merge, Room, Row, merge};
use crate::error::Result;

/// Groups one after the other, each read twice by two readers one behind the other: what is to be told
/// to every member can depend on all of them, and no group is ever held.
pub struct Groups<R: Row> {
    ahead: Peekable<Merge<R>>,
    behind: Peekable<Merge<R>>,
    key: fn(&R) -> u64,
    current: Option<u64>,
}

impl<R: Row> Groups<R> {
    /// Those of a partition; rows of one key must come together.
    pub fn new(files: &[PathBuf], partition: u32, key: fn(&R) -> u64, room: &Room) -> Result<Groups<R>> {
        let (ahead, behind) = (merge(files, partition, room)?, merge(files, partition, room)?);
        Ok(Groups { ahead: ahead.peekable(), behind: behind.peekable(), key, current: None })
    }

    /// Shows all rows of the next group; false at the end.
    pub fn look(&mut self, mut each: impl FnMut(&R)) -> Result<bool> {
        self.current = None;
        while let Some(row) = next_of(&mut self.ahead, self.key, self.current)? {
            self.current = Some((self.key)(&row));
            each(&row);
        }
        Ok(self.current.is_some())
    }

    /// Gives them once more, each with its place in the group.
    pub fn tell(&mut self, mut each: impl FnMut(R, u32) -> Result<()>) -> Result<()> {
        let mut place = 0u32;
        while let Some(row) = next_of(&mut self.behind, self.key, self.current)? {
            each(row, place)?;
            place = place.saturating_add(1);
        }
        Ok(())
    }
}

/// The next row if it has this key; any row where there is no key yet.
fn next_of<R: Row>(rows: &mut Peekable<Merge<R>>, key: fn(&R) -> u64, wanted: Option<u64>) -> Result<Option<R>> {
    let fits = |row: &Result<R>| row.as_ref().map_or(true, |row| wanted.is_none_or(|wanted| key(row) == wanted));
    rows.next_if(fits).transpose()
}

/// Rows read in step with something else that goes through the same keys.
pub struct InStep<R: Row> {
    /// `None`: there are none.
    rows: Option<Peekable<Merge<R>>>,
    key: fn(&R) -> u64,
}

impl<R: Row> InStep<R> {
    pub fn new(rows: Option<Merge<R>>, key: fn(&R) -> u64) -> InStep<R> {
        InStep { rows: rows.map(Iterator::peekable), key }
    }

    /// Shows the rows of a key. Keys must be asked for in ascending order; rows of others are passed over.
    pub fn of(&mut self, wanted: u64, mut each: impl FnMut(R)) -> Result<()> {
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

    /// Reads what nobody asked for: only at the end is it known that the files are sound.
    pub fn finish(&mut self) -> Result<()> {
        self.rows.take().into_iter().flatten().try_for_each(|row| row.map(|_| ()))
    }
}
