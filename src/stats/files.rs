//! Writing the directory of `warcorpus stats --out`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::counts::CorpusCounts;
use super::groups;
use super::lists::RankedLists;
use super::output;
use super::summary::CorpusStatistics;
use crate::error::{Error, Result};
use crate::store::atomic::{self, AtomicFile};

/// Bytes of a line of names of columns at most.
const LONGEST_HEADER: u64 = 1000;

/// Removes the tables that an earlier run wrote into the folder, so that none of its languages and lists stand beside the
/// statistics of this one. Whether there were any.
///
/// A file that does not begin with the columns of a table of its folder is somebody else's, and stays.
///
/// # Errors
/// If a folder cannot be listed, or a file not be read or removed.
pub fn remove_earlier(folder: &Path) -> Result<bool> {
    let mut earlier = Vec::new();
    for tables in &output::FOLDERS {
        for path in atomic::files(&folder.join(tables.name))? {
            if path.extension().is_some_and(|ending| ending == "tsv") && begins_with(&path, tables.columns)? {
                earlier.push(path);
            }
        }
    }
    let groups = folder.join(groups::GROUPS);
    if groups.is_file() && begins_with(&groups, groups::COLUMNS)? {
        earlier.push(groups);
    }
    // Written last and removed first: they belong to all tables beside them.
    let statistics = folder.join(output::STATISTICS);
    let is_there = statistics.is_file() || !earlier.is_empty();
    atomic::remove(&statistics)?;
    earlier.iter().try_for_each(|path| atomic::remove(path))?;
    // Fails where something else is in a folder, which then stays.
    earlier.iter().filter_map(|path| path.parent()).filter(|parent| *parent != folder).for_each(|parent| {
        let _ = fs::remove_dir(parent);
    });
    Ok(is_there)
}

/// Whether the first line of a table has these columns behind its first one.
fn begins_with(path: &Path, columns: &str) -> Result<bool> {
    let mut line = Vec::new();
    let file = File::open(path).map_err(Error::io("open", path))?;
    let mut start = BufReader::new(file.take(LONGEST_HEADER));
    start.read_until(b'\n', &mut line).map_err(Error::io("read", path))?;
    let mut parts = line.trim_ascii_end().splitn(2, |byte| *byte == b'\t');
    Ok(parts.nth(1) == Some(columns.as_bytes()))
}

/// Writes all files, `statistics.json` last.
pub fn write(folder: &Path, counts: &CorpusCounts, lists: RankedLists, statistics: &CorpusStatistics) -> Result<()> {
    file(folder, output::YIELD, |out| output::write_yields(&counts.yields, out))?;
    file(folder, output::YEARS, |out| output::write_years(counts, out))?;
    if !statistics.groups.is_empty() {
        file(folder, groups::GROUPS, |out| groups::write(&statistics.groups, out))?;
    }
    for (language, keywords) in &lists.keywords {
        file(folder, &output::keywords_name(language), |out| output::write_keywords(keywords, out))?;
    }
    let words = lists.words.clone();
    lists.for_each(|list, rows| {
        let words = words.get(&list.language).copied().unwrap_or(0);
        let mut table = TableFile::create(folder, &output::list_name(list))?;
        table.write(|out| output::begin_frequencies(list, out))?;
        for row in rows {
            let row = row?;
            table.write(|out| output::write_frequency(&row, words, out))?;
        }
        table.commit()
    })?;
    file(folder, output::STATISTICS, |out| output::write_statistics(statistics, out))
}

/// Writes a file at once.
pub fn file(folder: &Path, name: &str, write: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> Result<()> {
    let mut table = TableFile::create(folder, name)?;
    table.write(write)?;
    table.commit()
}

/// A file that is written piece by piece.
pub struct TableFile {
    file: AtomicFile,
    path: PathBuf,
}

impl TableFile {
    pub fn create(folder: &Path, name: &str) -> Result<TableFile> {
        let path = folder.join(name);
        Ok(TableFile { file: AtomicFile::create(&path)?, path })
    }

    pub fn write(&mut self, write: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> Result<()> {
        write(&mut self.file).map_err(Error::io("write", &self.path))
    }

    pub fn commit(self) -> Result<()> {
        self.file.commit()
    }
}

#[cfg(test)]
mod tests;
