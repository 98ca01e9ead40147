//! The paths of all files in an output directory, and in the directory of a reference index.

mod index;
mod work;

pub use index::Index;
pub use work::Extracted;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::{Error, Result};
use crate::store::atomic;

/// The paths in an output directory. Files of a stage have one path per task: a shard or a key range.
#[derive(Debug, Clone)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    pub fn new(root: impl Into<PathBuf>) -> Layout {
        Layout { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The configuration of the job, with all defaults written out.
    pub fn job(&self) -> PathBuf {
        self.root.join("job.toml")
    }

    /// The plan: inputs and shards, fixed when the job is planned.
    pub fn plan(&self) -> PathBuf {
        self.root.join("plan.json")
    }

    /// Names and texts of the files of site rules, as JSON.
    pub fn rules(&self) -> PathBuf {
        self.root.join("rules.json")
    }

    /// The stop list, if `clean.stoplist` names a file.
    pub fn stoplist(&self) -> PathBuf {
        self.root.join("stoplist.txt")
    }

    /// The locations of the selected records, partitioned by shard.
    pub fn selection(&self) -> PathBuf {
        self.root.join("selection")
    }

    /// The final table of a shard's documents.
    pub fn documents(&self, shard: u32) -> PathBuf {
        self.table("documents", shard)
    }

    /// The final table of a shard's content paragraphs.
    pub fn paragraphs(&self, shard: u32) -> PathBuf {
        self.table("paragraphs", shard)
    }

    /// The final table of the blocks that the cleaner classified as boilerplate.
    pub fn boilerplate(&self, shard: u32) -> PathBuf {
        self.table("boilerplate", shard)
    }

    /// The table of a shard's quality signals.
    pub fn signals(&self, shard: u32) -> PathBuf {
        self.table("signals", shard)
    }

    /// The table of personal data in a shard's paragraphs.
    pub fn pii(&self, shard: u32) -> PathBuf {
        self.table("pii", shard)
    }

    /// The table of what `annotate` joined to a shard's documents.
    pub fn labels(&self, shard: u32) -> PathBuf {
        self.table("labels", shard)
    }

    fn table(&self, name: &str, shard: u32) -> PathBuf {
        self.part(name, "parquet", shard)
    }

    /// A shard's file of a table that not every corpus has, if this one does: a file of some shard is there. One that is
    /// missing beside it is an error of its reader.
    ///
    /// # Errors
    /// If the folder of the table is there and cannot be listed.
    pub fn optional(&self, table: PathBuf) -> Result<Option<PathBuf>> {
        let Some(folder) = table.parent() else { return Ok(None) };
        let files = match fs::read_dir(folder) {
            // Opening the job reports a root that is no directory.
            Err(error) if error.kind() == io::ErrorKind::NotFound || !self.root.is_dir() => return Ok(None),
            files => files.map_err(Error::io("list", folder))?,
        };
        for file in files {
            let file = file.map_err(Error::io("list", folder))?;
            if file.file_name().to_string_lossy().ends_with(".parquet") {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// A file in a folder of the output directory.
    pub fn file(&self, folder: &str, name: &str) -> PathBuf {
        self.root.join(folder).join(name)
    }

    /// The file of a shard in the folder of an output format.
    pub fn part(&self, folder: &str, ending: &str, shard: u32) -> PathBuf {
        self.root.join(format!("{folder}/part-{shard:05}.{ending}"))
    }

    /// The folder of a shard in the folder of an output format that writes a file for each document.
    pub fn part_folder(&self, folder: &str, shard: u32) -> PathBuf {
        self.root.join(format!("{folder}/part-{shard:05}"))
    }

    /// The records and stretches of archives that could not be read, one JSON object per line.
    pub fn rejects(&self) -> PathBuf {
        self.root.join("rejects.jsonl")
    }

    /// The counters of the job.
    pub fn stats(&self) -> PathBuf {
        self.root.join("stats.json")
    }

    /// What the report shows, as JSON.
    pub fn report_data(&self) -> PathBuf {
        self.root.join("report.json")
    }

    /// The report of the job for people.
    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// The files of the stage `report`, without those of output formats.
    pub fn report_files(&self) -> [PathBuf; 4] {
        [self.rejects(), self.stats(), self.report_data(), self.report()]
    }

    /// The files of a job that stand in the directory itself and that a new job does not overwrite at once. The plan is the
    /// first: without it, all others are ignored.
    pub fn root_files(&self) -> Vec<PathBuf> {
        let planned = [self.plan(), self.rules(), self.stoplist(), self.selection()];
        planned.into_iter().chain(self.report_files()).chain([self.incomplete()]).collect()
    }

    /// The folder of job scripts, job numbers and logs for Slurm.
    pub fn slurm(&self) -> PathBuf {
        self.root.join("slurm")
    }

    /// All folders that a job creates, the one of its task files first; `formats` are the folder names of output formats.
    pub fn folders(&self, formats: &[&str]) -> Vec<PathBuf> {
        let tables = ["work", "documents", "paragraphs", "boilerplate", "signals", "pii", "labels"];
        let names = tables.iter().chain(formats).chain(&["input", "slurm"]);
        names.map(|name| self.root.join(name)).collect()
    }

    /// The folder of intermediate and task files; it may be removed once the job is done.
    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Removes the intermediate files of a finished job. The folder goes at once: half of it would be a job without what it
    /// had done.
    pub fn remove_work(&self) -> Result<()> {
        let removed = atomic::temporary(&self.work());
        match fs::rename(self.work(), &removed) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            renamed => {
                renamed.map_err(Error::io("remove", &self.work())).and_then(|()| atomic::remove_folder(&removed))
            }
        }
    }

    /// Whether it holds a finished corpus whose intermediate files were removed: no task can be told done or be run again.
    pub fn is_finished_without_work(&self) -> bool {
        self.stats().exists() && !self.work().exists()
    }

    /// The error of a file of the directory that is damaged.
    pub fn damaged(&self, path: &Path, wrong: impl Display) -> Error {
        Error::damaged(path, self.with_remedy(wrong))
    }

    /// What is wrong with a file of the directory, and what makes it again if this is the directory of a job.
    pub fn with_remedy(&self, wrong: impl Display) -> String {
        let root = self.root.display();
        match (self.work().is_dir(), self.plan().exists()) {
            (true, _) => format!("{wrong}; `warcorpus build --out {root}` makes it again"),
            (false, true) => {
                format!("{wrong}; work/, from which it could be made again, was removed: build again with --restart")
            }
            (false, false) => wrong.to_string(),
        }
    }

    /// What stands in the directory while `emit` or `annotate` writes there; left behind by one that did not end.
    pub fn incomplete(&self) -> PathBuf {
        self.root.join("INCOMPLETE")
    }

    /// What names the corpus whose exports stand in the directory.
    pub fn exported(&self) -> PathBuf {
        self.root.join(".warcorpus-exported")
    }

    /// The files of the card: for people and for loaders.
    pub fn card(&self) -> [PathBuf; 2] {
        ["README.md", "croissant.json"].map(|name| self.root.join(name))
    }

    /// The lock file. Its presence also identifies an output directory.
    pub fn lock(&self) -> PathBuf {
        self.root.join(".warcorpus")
    }

    /// Standard input, saved to a file so that it can be split, read again and shown.
    pub fn stdin(&self) -> PathBuf {
        self.root.join("input/stdin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_cannot_be_looked_for_is_not_absent() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let labels = || layout.optional(layout.labels(0));
        assert_eq!(labels().unwrap(), None);
        let of_labels = folder.path().join("labels");
        fs::write(&of_labels, "").unwrap();
        let error = labels().unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot list {}: ", of_labels.display())), "{error}");
        fs::remove_file(&of_labels).unwrap();
        fs::create_dir(&of_labels).unwrap();
        assert_eq!(labels().unwrap(), None);
        fs::write(of_labels.join("part-00007.parquet"), "").unwrap();
        assert_eq!(labels().unwrap(), Some(layout.labels(0)));
    }
}
