//! Plans a selection: reads the records that an index names and groups them into shards of records.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::archive_index::{self, SelectedRow, SelectionCounts};
use crate::config::Config;
use crate::error::{Error, Result};
use crate::hash::combine;
use crate::job::inputs;
use crate::job::plan::shard_size;
use crate::select::expression::Expression;
use crate::stages::plan::Shard;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::spill::{self, Writer};

/// A selection that is read and sorted, but not yet part of the job.
pub struct Gathered {
    /// Archives in the order in which the rows number them.
    pub locations: Vec<String>,
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
pub fn gather(layout: &Layout, config: &Config, given: Vec<String>) -> Result<Gathered> {
    let filter = match config.select.filter.as_str() {
        "" => None,
        text => Some(Expression::parse(text).map_err(|e| Error::Usage(format!("--where {text}: {e}")))?),
    };
    let temporary = || atomic::temporary(&layout.selection());
    let (unsorted, rows) = (temporary(), temporary());
    let mut names = Names::new(given, &config.remote.prefix)?;
    let mut counts = SelectionCounts::default();
    let mut bytes: u64 = 0;
    let mut writer = Writer::create(&unsorted, 1, &spill::SortSpace::default())?;
    for argument in &config.select.index {
        for path in archive_index::files(argument)? {
            let mut index = archive_index::read(&path, filter.as_ref())?;
            for selected in index.by_ref() {
                let selected = selected?;
                match names.input(&selected.filename, &path)? {
                    Some(input) => {
                        bytes = bytes.saturating_add(selected.length);
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
    let shards = cut(&unsorted, shard_size(config, bytes), &mut counts)?;
    if shards.is_empty() {
        return Err(Error::Usage(format!(
            "the selection is empty: none of {} rows of the index is wanted",
            counts.rows
        )));
    }
    let mut writer = Writer::create(&rows, shards.len() as u32, &spill::SortSpace::default())?;
    let mut number = 0;
    let mut left = shards.first().map_or(0, |shard| shard.records);
    for row in distinct(&unsorted)? {
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
    Ok(Gathered { locations: names.locations, shards, selection: counts, rows })
}

impl Gathered {
    /// Moves the rows to their place in the output directory.
    pub fn keep(self, layout: &Layout) -> Result<()> {
        atomic::rename(&self.rows, &layout.selection())
    }
}

/// The rows sorted by archive and offset, without duplicates; of several rows with the same offset, the longest.
fn distinct(path: &Path) -> Result<impl Iterator<Item = Result<SelectedRow>>> {
    let mut last = None;
    let rows = spill::merge::<SelectedRow>(&[path.to_path_buf()], 0, &spill::SortSpace::default())?;
    Ok(rows.filter(move |row| {
        row.as_ref().map_or(true, |row| last.replace((row.input, row.offset)) != Some((row.input, row.offset)))
    }))
}

/// Groups the rows into shards, each of one archive and of at most `size` bytes or one record; updates `counts`.
fn cut(unsorted: &Path, size: u64, counts: &mut SelectionCounts) -> Result<Vec<Shard>> {
    let mut shards: Vec<Shard> = Vec::new();
    let (mut named, mut fingerprint) = (0, 0);
    for row in distinct(unsorted)? {
        let row = row?;
        fingerprint = combine(&[fingerprint, u64::from(row.input), row.offset, row.length]);
        named += 1;
        let end = row.offset.saturating_add(row.length);
        match shards
            .last_mut()
            .filter(|shard| shard.input == row.input && shard.bytes.saturating_add(row.length) <= size)
        {
            Some(shard) => {
                shard.end = shard.end.max(end);
                shard.bytes += row.length;
                shard.records += 1;
            }
            None => {
                let (input, start) = (row.input, row.offset);
                shards.push(Shard { input, start, end, bytes: row.length, records: 1 });
            }
        }
    }
    let located = counts.rows - counts.unwanted - counts.unlocated - counts.unreadable - counts.elsewhere;
    counts.records = named;
    counts.repeated = located - named;
    counts.fingerprint = format!("{fingerprint:016x}");
    Ok(shards)
}

/// Maps the file names of an index to archives.
#[derive(Default)]
struct Names<'a> {
    prefix: &'a str,
    locations: Vec<String>,
    /// Position in `locations`, by location.
    numbers: HashMap<String, u32>,
    /// Cached results, by file name.
    known: HashMap<String, Option<u32>>,
    /// Archives that may be read, by the last part of their path; all archives if absent.
    given: Option<HashMap<String, u32>>,
}

impl<'a> Names<'a> {
    fn new(given: Vec<String>, prefix: &'a str) -> Result<Names<'a>> {
        if given.is_empty() {
            return Ok(Names { prefix, ..Names::default() });
        }
        let mut names = HashMap::new();
        for (input, location) in given.iter().enumerate() {
            if names.insert(last_part(location).to_string(), input as u32).is_some() {
                let name = last_part(location);
                return Err(Error::Usage(format!("two inputs are called {name}; a selection cannot tell them apart")));
            }
        }
        Ok(Names { prefix, locations: given, given: Some(names), ..Names::default() })
    }

    /// Number of the archive that `filename` means; `None` if it is not among the given inputs.
    fn input(&mut self, filename: &str, index: &Path) -> Result<Option<u32>> {
        if let Some(&input) = self.known.get(filename) {
            return Ok(input);
        }
        let input = match &self.given {
            Some(given) => given.get(last_part(filename)).copied(),
            None => {
                let index = index.display().to_string();
                let location = inputs::resolve(filename, &index, self.prefix).ok_or_else(|| {
                    Error::Usage(format!("{index}: {filename}: no such file; say where with --set remote.prefix=…"))
                })?;
                // Two file names may resolve to the same archive.
                let next = self.locations.len() as u32;
                let input = *self.numbers.entry(location.clone()).or_insert(next);
                if input == next {
                    self.locations.push(location);
                }
                Some(input)
            }
        };
        self.known.insert(filename.into(), input);
        Ok(input)
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
