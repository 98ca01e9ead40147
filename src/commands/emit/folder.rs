//! The directory of an export that stands outside of its corpus.

use std::fs;
use std::io::Write as _;

use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::job::directory::refuse_file;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::locks::{self, FileLock};

/// A directory that this process alone exports to.
#[derive(Debug)]
pub struct Claim {
    /// Whether it had the mark, and so perhaps files of earlier exports.
    pub had_files: bool,
    _mark: FileLock,
}

/// Marks a directory, which may be new or empty, as one of exports of a corpus, whose `kept` tells the settings that decide what it
/// keeps. Further formats of this corpus, and the same
/// ones again, may be written there, by one process at a time. What killed ones left is removed.
///
/// # Errors
/// [`Error::Usage`] if the directory has files of something else, which an export could replace, or if another process
/// writes there.
pub fn claim(out: &Layout, corpus: &Layout, kept: &str) -> Result<Claim> {
    let root = out.root().display();
    refuse_file(out.root())?;
    if out.plan().exists() || out.lock().exists() {
        return Err(Error::Usage(format!("{root} is another corpus; choose another --out")));
    }
    let plan = fs::read(corpus.plan()).map_err(Error::io("read", &corpus.plan()))?;
    let mark = format!(
        "`warcorpus emit` writes here from the corpus with the plan {:016x} and the settings {kept}.\n",
        hash64(&plan)
    );
    // Asked before the file of the mark is made, so that nothing is written into a directory of something else.
    is_marked(out, &mark)?;
    let path = out.exported();
    let lock = locks::alone(&path)?;
    let mut lock = lock.ok_or_else(|| Error::Usage(format!("another process is writing in {root}")))?;
    // Asked again: a process that had the lock before may have written the mark and files.
    let had_files = is_marked(out, &mark)?;
    if !had_files {
        // In place, because a file that replaces this one could be locked by another process.
        lock.file.write_all(mark.as_bytes()).map_err(Error::io("write", &path))?;
        atomic::sync(&path)?;
    }
    if lock.excludes {
        atomic::sweep(out.root())?;
    }
    Ok(Claim { had_files, _mark: lock })
}

/// Whether a directory has the mark; false if it is new or empty. An empty mark is that of a process that was killed before
/// it wrote anything.
fn is_marked(out: &Layout, mark: &str) -> Result<bool> {
    let (path, root) = (out.exported(), out.root().display());
    match atomic::read(&path)?.unwrap_or_default() {
        found if found == mark => Ok(true),
        found if !found.is_empty() => Err(Error::Usage(format!(
            "{root} has files of another corpus, or of this one before it was planned again or its settings were changed; remove it or choose another --out"
        ))),
        _ if atomic::entries(out.root())?.iter().all(|entry| *entry == path) => Ok(false),
        _ => Err(Error::Usage(format!(
            "{root} has files and no mark of an export of this corpus; choose another --out, new or empty"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_belongs_to_one_corpus() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| Layout::new(dir.path().join(name));
        let (one, two, out, foreign) = (at("one"), at("two"), at("out"), at("foreign"));
        atomic::write(&one.plan(), "1").unwrap();
        atomic::write(&two.plan(), "2").unwrap();
        assert!(!claim(&out, &one, "0").unwrap().had_files);
        atomic::write(&out.part("text", "txt.gz", 0), "").unwrap();
        let claimed = claim(&out, &one, "0").unwrap();
        assert!(claimed.had_files);
        assert!(claim(&out, &one, "0").unwrap_err().to_string().contains("another process is writing"));
        drop(claimed);
        claim(&out, &one, "0").unwrap();
        assert!(claim(&out, &one, "1").unwrap_err().to_string().contains("settings were changed"));
        let killed = at("killed");
        atomic::write(&killed.exported(), "").unwrap();
        assert!(!claim(&killed, &one, "0").unwrap().had_files);
        assert!(claim(&killed, &one, "0").unwrap().had_files);
        let refused = |out: &Layout| match claim(out, &two, "0") {
            Err(Error::Usage(message)) => message,
            other => panic!("{other:?}"),
        };
        assert!(refused(&out).contains("files of another corpus"));
        assert!(refused(&one).contains("is another corpus"));
        atomic::write(&foreign.root().join("notes.txt"), "").unwrap();
        assert!(refused(&foreign).contains("no mark of an export"));
        assert!(!foreign.exported().exists());
        for below in ["notes.txt", "notes.txt/out"] {
            assert!(refused(&Layout::new(foreign.root().join(below))).contains("is no directory"));
        }
        fs::remove_file(foreign.root().join("notes.txt")).unwrap();
        assert!(!claim(&foreign, &two, "0").unwrap().had_files);
    }
}
