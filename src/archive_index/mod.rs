//! Reads the index of an archive (setting `select.index`): file name, offset and length of each selected record, in the
//! order of the index. An index is Parquet (Common Crawl's columnar index, or a part of it made with SQL), CDXJ or
//! classic CDX; its first bytes tell the format. Memory does not grow with the file.
//!
//! The language of `select.where` is in [`crate::select`]; `job::plan_selection` turns the selected records into
//! shards. The index that `warcorpus index` writes is another thing: the reference index of `stages::reference`.

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::remote::split_scheme;
use crate::select::expression::{Expression, ExpressionError};
use crate::store::archives::public_name;
use crate::store::globs;
use crate::store::small_files::is_gzip;

mod cdx_lines;
mod parquet_table;
mod selected_records;

pub use selected_records::{SelectedRow, SelectionCounts, of_shard};

/// The location of a selected record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SelectedRecord {
    /// File name as in the index: a path below the root of the crawl, or a bare name.
    pub filename: String,
    /// Offset of the first byte in the stored, possibly compressed, file.
    pub offset: u64,
    /// Length in stored bytes; `offset + length` does not overflow. [`UNKNOWN_LENGTH`] if the index has none.
    pub length: u64,
}

/// The length of a record of which the index has none: no record has no bytes.
pub const UNKNOWN_LENGTH: u64 = 0;

/// Counters of the rows read so far: `rows = unwanted + selected + unlocated + unreadable`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowCounts {
    pub rows: u64,
    /// Rows for which the filter is not true.
    pub unwanted: u64,
    /// Rows that were returned.
    pub selected: u64,
    /// Rows that pass the filter, but whose file name or offset is missing or invalid, or whose length is invalid.
    pub unlocated: u64,
    /// Lines that are neither CDXJ nor CDX, or longer than 1 MiB.
    pub unreadable: u64,
}

/// Iterates over the selected records of one index file. It ends after an error.
pub struct IndexReader {
    path: PathBuf,
    source: Option<IndexFile>,
    counts: RowCounts,
}

enum IndexFile {
    Table(Box<parquet_table::ParquetTable>),
    Lines(cdx_lines::CdxLines),
}

/// The result of one row of an index, or of several skipped rows.
enum RowOutcome {
    Unwanted,
    /// Number of rows in row groups that were skipped, since no row of them can pass the filter.
    Pruned(u64),
    Located(SelectedRecord),
    Unlocated,
    Unreadable,
}

/// Opens an index file; without a filter all its rows are selected.
///
/// # Errors
/// [`Error::Usage`] if the filter does not fit the columns of the index; an error if the file is not an index.
pub fn read(path: &Path, filter: Option<&Expression>) -> Result<IndexReader> {
    // Asked before it is opened: a pipe without a writer would block, and a device has no end.
    if !fs::metadata(path).map_err(Error::io("open", path))?.is_file() {
        return Err(Error::not_a_regular_file(path));
    }
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    let mut magic = Vec::new();
    file.by_ref().take(4).read_to_end(&mut magic).map_err(Error::io("read", path))?;
    file.rewind().map_err(Error::io("read", path))?;
    let source = if magic == b"PAR1" {
        IndexFile::Table(Box::new(parquet_table::ParquetTable::open(path, file, filter)?))
    } else if is_gzip(&magic) {
        let members = flate2::bufread::MultiGzDecoder::new(BufReader::new(file));
        IndexFile::Lines(cdx_lines::CdxLines::open(path, Box::new(BufReader::new(members)), filter)?)
    } else {
        IndexFile::Lines(cdx_lines::CdxLines::open(path, Box::new(BufReader::new(file)), filter)?)
    };
    Ok(IndexReader { path: path.into(), source: Some(source), counts: RowCounts::default() })
}

impl IndexReader {
    pub fn counts(&self) -> RowCounts {
        self.counts
    }
}

impl Iterator for IndexReader {
    type Item = Result<SelectedRecord>;

    fn next(&mut self) -> Option<Result<SelectedRecord>> {
        loop {
            let row = match self.source.as_mut()? {
                IndexFile::Table(table) => table.next_row(&self.path),
                IndexFile::Lines(lines) => lines.next_row(&self.path),
            };
            let Ok(Some(row)) = row else {
                self.source = None;
                return row.err().map(Err);
            };
            let counts = &mut self.counts;
            counts.rows += if let RowOutcome::Pruned(rows) = row { rows } else { 1 };
            match row {
                RowOutcome::Unwanted => counts.unwanted += 1,
                RowOutcome::Pruned(rows) => counts.unwanted += rows,
                RowOutcome::Unlocated => counts.unlocated += 1,
                RowOutcome::Unreadable => counts.unreadable += 1,
                RowOutcome::Located(selected) => {
                    counts.selected += 1;
                    return Some(Ok(selected));
                }
            }
        }
    }
}

impl RowOutcome {
    /// The outcome of a row that passes the filter.
    fn wanted(filename: Option<&str>, offset: Option<i64>, length: Option<i64>) -> RowOutcome {
        let positive = |number: i64| u64::try_from(number).ok();
        let length = match length {
            None => Some(UNKNOWN_LENGTH),
            // Records that share a compressed member have none of their own.
            Some(0) => None,
            Some(length) => positive(length),
        };
        match (filename, offset.and_then(positive), length) {
            // Both are below 2^63, so that their sum does not overflow.
            (Some(filename), Some(offset), Some(length)) if !filename.is_empty() => {
                RowOutcome::Located(SelectedRecord { filename: filename.into(), offset, length })
            }
            _ => RowOutcome::Unlocated,
        }
    }
}

fn refused(path: &Path) -> impl FnOnce(ExpressionError) -> Error {
    move |error| Error::Usage(format!("{}: {error}", path.display()))
}

/// Most levels of nested folders; a partitioned index has two.
const MAX_DEPTH: usize = 8;
/// Most files that an argument names; the index of a crawl of Common Crawl has 900.
const MAX_FILES: usize = 1_000_000;

/// The index files that an argument names, sorted by path: a file, the matches of a glob, or all files below a folder
/// whose names end in `.parquet`, `.cdxj` or `.cdx` (or one of the latter two with `.gz`) or are `cdx-….gz`. In folders,
/// names that begin with `_` or `.` are skipped.
///
/// # Errors
/// [`Error::Usage`] if there is no such file, or if there are more than a million.
pub fn files(argument: &str) -> Result<Vec<PathBuf>> {
    files_up_to(argument, MAX_FILES)
}

fn files_up_to(argument: &str, most: usize) -> Result<Vec<PathBuf>> {
    let path = Path::new(argument);
    if split_scheme(argument).is_some() {
        let address = public_name(argument);
        return Err(Error::Usage(format!("{address}: an index must be local; download it, and name the file")));
    }
    let mut files = Vec::new();
    if path.is_dir() {
        walk(path, 0, most, &mut files)?;
    } else if path.exists() {
        files.push(path.into());
    } else {
        files = globs::matching(argument)?;
    }
    if files.is_empty() {
        return Err(Error::Usage(format!("{argument}: no .parquet, .cdxj or .cdx file in this folder")));
    }
    if files.len() > most {
        return Err(Error::Usage(format!("{argument}: more than {most} files; name fewer")));
    }
    files.sort();
    Ok(files)
}

/// Adds the index files of a folder, and ends soon after there are more than `most`.
fn walk(folder: &Path, depth: usize, most: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
        let entry = entry.map_err(Error::io("list", folder))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_lowercase());
        if name.starts_with(['_', '.']) {
            continue;
        }
        // Links to folders are not followed, because they may form a cycle.
        if entry.file_type().map_err(Error::io("list", &path))?.is_dir() {
            if depth == MAX_DEPTH {
                return Err(Error::Usage(format!("{}: more than {MAX_DEPTH} folders deep", path.display())));
            }
            walk(&path, depth + 1, most, files)?;
        } else if is_index(&name) && path.is_file() {
            files.push(path);
        }
        if files.len() > most {
            break;
        }
    }
    Ok(())
}

/// Whether a lower-case file name is the name of an index.
fn is_index(name: &str) -> bool {
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let shard = plain != name && plain.starts_with("cdx-");
    name.ends_with(".parquet") || plain.ends_with(".cdxj") || plain.ends_with(".cdx") || shard
}

#[cfg(test)]
mod tests;
