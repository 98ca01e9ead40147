//! Plans a selection: reads the records that an index names and groups them into shards of records.

mod file_names;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::archive_index::{self, SelectedRow, SelectionCounts, UNKNOWN_LENGTH};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::hash::combine;
use crate::job::plan::{self, shard_size};
use crate::select::expression::Expression;
use crate::stages::plan::{Input, Shard};
use crate::store::archives::Archives;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::spill::{self, Writer};
use file_names::Names;

/// Bytes that a record is planned with at least, so that a shard has not too many records, whatever the index says.
const LEAST_RECORD: u64 = 64;

/// Bytes that the rows of an archive may claim for two records, beyond as many as the archive has.
const OVERLAP: u64 = 8 << 20;

/// A selection that is read and sorted, but not yet part of the job.
pub struct Gathered {
    /// Archives in the order in which the rows number them.
    pub inputs: Vec<Input>,
    pub shards: Vec<Shard>,
    pub selection: SelectionCounts,
    /// Temporary file of the sorted rows, partitioned by shard.
    rows: PathBuf,
}

/// Reads the index files of `select.index`. `given` are the archives that may be read; if it is empty, all archives that
/// the index names are.
///
/// # Errors
/// [`Error::Usage`] if the filter is wrong, an archive cannot be found, or no row is selected.
pub fn gather(layout: &Layout, config: &Config, given: Vec<String>, archives: &Archives) -> Result<Gathered> {
    let filter = match config.select.filter.as_str() {
        "" => None,
        text => Some(Expression::parse(text).map_err(|e| Error::Usage(format!("--where {text}: {e}")))?),
    };
    let temporary = || atomic::temporary(&layout.selection());
    let (unsorted, rows) = (temporary(), temporary());
    let mut names = Names::new(given, &config.remote.prefix);
    let mut counts = SelectionCounts::default();
    // Number and bytes of the selected records of each archive, as the index claims.
    let mut claimed: HashMap<u32, (u64, u64)> = HashMap::new();
    let mut writer = Writer::create(&unsorted, 1, &spill::SortSpace::default())?;
    for argument in &config.select.index {
        for path in archive_index::files(argument)? {
            let mut index = archive_index::read(&path, filter.as_ref())?;
            for selected in index.by_ref() {
                let selected = selected?;
                match names.input(&selected.filename, &path)? {
                    Some(input) => {
                        let (records, bytes) = claimed.entry(input).or_default();
                        let length = if selected.length == UNKNOWN_LENGTH { u64::MAX } else { selected.length };
                        (*records, *bytes) = (*records + 1, bytes.saturating_add(length));
                        writer.push(0, SelectedRow { input, offset: selected.offset, length: selected.length })?;
                    }
                    None => counts.elsewhere += 1,
                }
            }
            let read = index.counts();
            counts.rows += read.rows;
            counts.unwanted += read.unwanted;
            counts.unlocated += read.unlocated;
            counts.unreadable += read.unreadable;
        }
    }
    writer.finish()?;
    if claimed.is_empty() {
        return Err(empty(&counts));
    }
    warn_of_unlocated(&counts);
    let inputs = plan::inputs(&names.locations, archives)?;
    let sizes: Vec<u64> = inputs.iter().map(|input| input.bytes).collect();
    let shards = cut(&unsorted, shard_size(config, planned_bytes(&claimed, &sizes)), &sizes, &mut counts)?;
    let mut writer = Writer::create(&rows, shards.len() as u32, &spill::SortSpace::default())?;
    let mut number = 0;
    let mut left = shards.first().map_or(0, |shard| shard.records);
    for row in distinct(&unsorted, &sizes)? {
        let row = row?;
        while left == 0 {
            number += 1;
            left = shards.get(number as usize).map_or(u64::MAX, |shard| shard.records);
        }
        left -= 1;
        writer.push(number, row)?;
    }
    writer.finish()?;
    atomic::remove(&unsorted)?;
    Ok(Gathered { inputs, shards, selection: counts, rows })
}

/// The error of a selection without rows.
fn empty(counts: &SelectionCounts) -> Error {
    let SelectionCounts { rows, unwanted, unlocated, unreadable, elsewhere, .. } = counts;
    Error::Usage(format!(
        "the selection is empty: of {rows} rows of the index {unwanted} are unwanted (--where), {unlocated} name no place \
         in an archive, {unreadable} cannot be read and {elsewhere} name an archive that is not among the inputs"
    ))
}

/// Tells of rows that no job can read.
fn warn_of_unlocated(counts: &SelectionCounts) {
    if counts.unlocated > 0 {
        tracing::warn!(
            "{} of {} rows of the index have no usable place and are not read: records that share a compressed member \
             (length 0) cannot be selected",
            counts.unlocated,
            counts.rows
        );
    }
}

impl Gathered {
    /// Moves the rows to their place in the output directory.
    pub fn keep(self, layout: &Layout) -> Result<()> {
        atomic::sync(&self.rows)?;
        atomic::move_file(&self.rows, &layout.selection())
    }
}

/// The rows sorted by archive and offset, without duplicates; of several rows with the same offset, the longest. One without a
/// length ends at the next one. They are cut where they [overlap](Overlaps) too much.
fn distinct(path: &Path, sizes: &[u64]) -> Result<impl Iterator<Item = Result<SelectedRow>>> {
    let mut last = None;
    let rows = spill::merge::<SelectedRow>(&[path.to_path_buf()], 0, &spill::SortSpace::default())?;
    let rows = rows.filter(move |row| {
        row.as_ref().map_or(true, |row| last.replace((row.input, row.offset)) != Some((row.input, row.offset)))
    });
    let (mut rows, mut overlaps) = (rows.peekable(), Overlaps { sizes, input: None, left: 0 });
    Ok(std::iter::from_fn(move || {
        let row = rows.next()?;
        let next = rows.peek().and_then(|next| next.as_ref().ok()).copied();
        Some(row.map(|row| overlaps.cut(row, next)))
    }))
}

/// What rows of an archive may still claim of the records behind theirs. Records do not overlap, but an index may name wrong
/// places, and a row there does not cut the one before it. Rows that each claim all of the rest would make the time
/// quadratic: when nothing is left, they are cut at the next row.
struct Overlaps<'s> {
    /// Sizes of the archives.
    sizes: &'s [u64],
    /// Archive of the last row.
    input: Option<u32>,
    left: u64,
}

impl Overlaps<'_> {
    /// The row before `next` in the order of the archives, cut if need be. One without a length ends there, or with its archive.
    fn cut(&mut self, row: SelectedRow, next: Option<SelectedRow>) -> SelectedRow {
        let size = self.sizes.get(row.input as usize).copied().unwrap_or(0);
        if self.input != Some(row.input) {
            (self.input, self.left) = (Some(row.input), size.saturating_add(OVERLAP));
        }
        let next = next.filter(|next| next.input == row.input);
        let row = match row.length {
            UNKNOWN_LENGTH => {
                let length = next.map_or(size, |next| next.offset).saturating_sub(row.offset);
                SelectedRow { length: length.max(LEAST_RECORD), ..row }
            }
            _ => row,
        };
        let Some(next) = next else { return row };
        let end = row.offset.saturating_add(row.length).min(size);
        match self.left.checked_sub(end.saturating_sub(next.offset)) {
            Some(left) => {
                self.left = left;
                row
            }
            None => SelectedRow { length: next.offset.saturating_sub(row.offset), ..row },
        }
    }
}

/// Bytes to read: those that the index claims, but of no archive more than it has.
fn planned_bytes(claimed: &HashMap<u32, (u64, u64)>, sizes: &[u64]) -> u64 {
    let size = |input: u32| sizes.get(input as usize).copied().unwrap_or(0);
    let of_archive = |(input, (records, bytes)): (&u32, &(u64, u64))| {
        (*bytes).min(size(*input)).max(records.saturating_mul(LEAST_RECORD))
    };
    claimed.iter().map(of_archive).fold(0, u64::saturating_add)
}

/// Groups the rows into shards, each of one archive and of at most `size` bytes or one record; updates `counts`. No byte of
/// an archive, whose sizes are given, counts for two records: an index may claim lengths that the archives do not have.
fn cut(unsorted: &Path, size: u64, sizes: &[u64], counts: &mut SelectionCounts) -> Result<Vec<Shard>> {
    let mut shards: Vec<Shard> = Vec::new();
    let (mut named, mut fingerprint) = (0, 0);
    // The archive of the last row, and the end of what was counted of it.
    let mut counted = (0, 0);
    for row in distinct(unsorted, sizes)? {
        let row = row?;
        fingerprint = combine(&[fingerprint, u64::from(row.input), row.offset, row.length]);
        named += 1;
        let archive = sizes.get(row.input as usize).copied().unwrap_or(0);
        let end = row.offset.saturating_add(row.length).min(archive).max(row.offset);
        let from = if counted.0 == row.input { row.offset.max(counted.1) } else { row.offset };
        counted = (row.input, from.max(end));
        let bytes = end.saturating_sub(from).max(LEAST_RECORD);
        match shards.last_mut().filter(|shard| shard.input == row.input && shard.bytes.saturating_add(bytes) <= size) {
            Some(shard) => {
                shard.end = shard.end.max(end);
                shard.bytes += bytes;
                shard.records += 1;
            }
            None => {
                let (input, start) = (row.input, row.offset);
                shards.push(Shard { input, start, end, bytes, records: 1 });
            }
        }
    }
    let located = counts.rows - counts.unwanted - counts.unlocated - counts.unreadable - counts.elsewhere;
    counts.records = named;
    counts.repeated = located - named;
    counts.fingerprint = format!("{fingerprint:016x}");
    Ok(shards)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards_of(rows: &[(u32, u64, u64)], size: u64, sizes: &[u64]) -> Vec<(u64, u64, u64, u64)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let mut writer = Writer::create(&path, 1, &spill::SortSpace::default()).unwrap();
        for &(input, offset, length) in rows {
            writer.push(0, SelectedRow { input, offset, length }).unwrap();
        }
        writer.finish().unwrap();
        let mut counts = SelectionCounts { rows: rows.len() as u64, ..SelectionCounts::default() };
        let shards = cut(&path, size, sizes, &mut counts).unwrap();
        assert_eq!(counts.records + counts.repeated, rows.len() as u64);
        shards.iter().map(|shard| (shard.start, shard.end, shard.bytes, shard.records)).collect()
    }

    #[test]
    fn records_are_grouped_by_their_bytes() {
        let rows = [(0, 0, 100), (0, 100, 200), (0, 300, 100), (0, 300, 90), (1, 0, 100), (1, 900, 150)];
        let expected = [(0, 300, 300, 2), (300, 400, 100, 1), (0, 1050, 250, 2)];
        assert_eq!(shards_of(&rows, 300, &[400, 2000]), expected);
    }

    #[test]
    fn rows_that_overlap_too_much_are_cut() {
        const WHOLE: u64 = 1 << 40;
        let sizes = [1 << 20, 1 << 20];
        let mut overlaps = Overlaps { sizes: &sizes, input: None, left: 0 };
        let row = |input, n: u64| SelectedRow { input, offset: n << 10, length: WHOLE };
        for input in [0, 1] {
            let cut: Vec<SelectedRow> =
                (0..1023).map(|n| overlaps.cut(row(input, n), Some(row(input, n + 1)))).collect();
            // The first nine overlap with 9171 KiB, of 9216.
            assert!(cut[..9].iter().all(|row| row.length == WHOLE));
            assert!(cut[9..900].iter().all(|row| row.length == 1 << 10));
            let read: u64 = cut.iter().map(|row| row.length.min(sizes[0] - row.offset)).sum();
            assert!(read <= 2 * sizes[0] + OVERLAP, "{read}");
            assert_eq!(overlaps.cut(row(input, 1023), None).length, WHOLE);
        }
        // A wrong place does not cut the record that it is in.
        let wrong = SelectedRow { input: 0, offset: 7, length: 2000 };
        assert_eq!(overlaps.cut(SelectedRow { offset: 0, ..wrong }, Some(wrong)).length, 2000);
    }

    #[test]
    fn a_row_without_length_ends_at_the_next() {
        let rows = [(0, 0, UNKNOWN_LENGTH), (0, 100, UNKNOWN_LENGTH), (0, 100, 300), (0, 700, 0), (1, 5, 0)];
        let shards = shards_of(&rows, 1000, &[1000, 70]);
        assert_eq!(shards, [(0, 1000, 100 + 300 + 300, 3), (5, 70, 65, 1)]);
    }

    #[test]
    fn claimed_lengths_are_those_of_the_archive_at_most() {
        // Each record claims more than the archive has, and the last ones begin behind its end.
        let rows: Vec<(u32, u64, u64)> = (0..2000).map(|n| (0, n * 30, 10_000_000_000_000)).collect();
        let shards = shards_of(&rows, 1 << 20, &[30_000]);
        assert_eq!(shards, [(0, 59_970, 30_000 + 1999 * LEAST_RECORD, 2000)]);
        let claimed = HashMap::from([(0, (2000, u64::MAX)), (1, (1, 70))]);
        assert_eq!(planned_bytes(&claimed, &[30_000, 1 << 30]), 2000 * LEAST_RECORD + 70);
        assert_eq!(planned_bytes(&claimed, &[300_000, 1 << 30]), 300_070);
    }
}
