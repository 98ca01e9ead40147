//! The directory of an export that stands outside of its corpus.

use std::fs;

use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::job::directory::refuse_file;
use crate::store::atomic;
use crate::store::layout::Layout;

/// Marks a directory, which may be new or empty, as one of exports of a corpus. Further formats of this corpus, and the same
/// ones again, may be written there. Returns whether the directory had the mark.
///
/// # Errors
/// [`Error::Usage`] if the directory has files of something else, which an export could replace.
pub fn claim(out: &Layout, corpus: &Layout) -> Result<bool> {
    let root = out.root().display();
    refuse_file(out.root())?;
    if out.plan().exists() || out.lock().exists() {
        return Err(Error::Usage(format!("{root} is another corpus; choose another --out")));
    }
    let plan = fs::read(corpus.plan()).map_err(Error::io("read", &corpus.plan()))?;
    let mark = format!("`warcorpus emit` writes here from the corpus with the plan {:016x}.\n", hash64(&plan));
    match atomic::read(&out.exported())? {
        Some(found) if found == mark => Ok(true),
        Some(_) => Err(Error::Usage(format!(
            "{root} has files of another corpus, or of this one before it was planned again; remove it or choose another --out"
        ))),
        None if atomic::entries(out.root())?.is_empty() => atomic::write(&out.exported(), mark).map(|()| false),
        None => Err(Error::Usage(format!(
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
        assert!(!claim(&out, &one).unwrap());
        atomic::write(&out.part("text", "txt.gz", 0), "").unwrap();
        assert!(claim(&out, &one).unwrap());
        let refused = |out: &Layout| match claim(out, &two) {
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
        assert!(!claim(&foreign, &two).unwrap());
    }
}
