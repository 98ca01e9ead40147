//! Writing the directory of `warcorpus stats --out`.

use std::io;
use std::path::{Path, PathBuf};

use super::counts::CorpusCounts;
use super::groups;
use super::lists::RankedLists;
use super::output::{self, FrequencyTable};
use super::summary::CorpusStatistics;
use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;

/// Writes all files, `statistics.json` last. Files of other languages that an earlier run left in the folder stay
/// there.
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
        let path = folder.join(output::list_name(list));
        let words = words.get(&list.language).copied().unwrap_or(0);
        let mut file = AtomicFile::create(&path)?;
        let mut table = FrequencyTable::begin(list, words, &mut file).map_err(Error::io("write", &path))?;
        for row in rows {
            table.row(&row?).map_err(Error::io("write", &path))?;
        }
        file.commit()
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
