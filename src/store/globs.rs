//! Expands globs to the files that they match, and names what is no file.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use crate::error::{Error, Result};
use crate::text::printable;

/// Most files and folders that a glob looks at, and most folders inside of each other behind its `**`.
const MOST_ENTRIES: usize = 5_000_000;
const DEEPEST: usize = 64;
/// Most files that a warning names.
const MOST_NAMED: usize = 5;
/// As in shells, hidden files are matched by a dot alone: copies that are not complete have such names.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// The files that a glob matches, sorted by name. Links to folders are not followed by `**`, because they may form a
/// cycle.
///
/// # Errors
/// [`Error::Usage`] if no file matches, or a link to a missing file does.
pub fn matching(pattern: &str) -> Result<Vec<PathBuf>> {
    let invalid = |error: glob::PatternError| Error::Usage(format!("{pattern}: {error}"));
    Pattern::new(pattern).map_err(invalid)?;
    let stars = pattern.find("**");
    let (base, rest) = pattern.split_at(stars.or(pattern.rfind('/').map(|slash| slash + 1)).unwrap_or(0));
    let mut search = Search {
        pattern,
        wanted: Pattern::new(rest).map_err(invalid)?,
        left: MOST_ENTRIES,
        files: Vec::new(),
        others: Vec::new(),
    };
    let folders = if base.is_empty() { vec![PathBuf::new()] } else { paths(base)? };
    let depth = stars.map(|_| DEEPEST);
    folders.iter().try_for_each(|folder| search.folder(folder, "", depth))?;
    let Search { mut files, others, .. } = search;
    warn_of_others(&pattern, "they are folders or pipes", others);
    files.sort();
    files.dedup();
    if files.is_empty() {
        return Err(Error::Usage(format!("{pattern}: no such file")));
    }
    Ok(files)
}

/// The folders and files that a glob without `**` matches.
fn paths(pattern: &str) -> Result<Vec<PathBuf>> {
    let failed = |e: &dyn Display| Error::Usage(format!("{pattern}: {e}"));
    let paths = glob::glob_with(pattern, OPTIONS).map_err(|e| failed(&e))?;
    paths.map(|path| path.map_err(|e| failed(&e))).collect()
}

/// The search for what the last part of a glob matches. The `glob` crate passes over names that are not UTF-8, so these
/// are compared here, where they become an error of the caller.
struct Search<'a> {
    pattern: &'a str,
    wanted: Pattern,
    /// How many entries may still be looked at.
    left: usize,
    files: Vec<PathBuf>,
    /// Matches that are no regular files.
    others: Vec<PathBuf>,
}

impl Search<'_> {
    /// Looks at a folder, whose path relative to the beginning of the search is `inner`, and at those at most `depth`
    /// folders below it; `None` if none below it count.
    fn folder(&mut self, folder: &Path, inner: &str, depth: Option<usize>) -> Result<()> {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if !here.is_dir() {
            return Ok(());
        }
        for entry in fs::read_dir(here).map_err(Error::io("list", here))? {
            let entry = entry.map_err(Error::io("list", here))?;
            let path = folder.join(entry.file_name());
            let relative = format!("{inner}{}", entry.file_name().to_string_lossy());
            let descends = depth.is_some() && entry.file_type().map_err(Error::io("list", &path))?.is_dir();
            if self.left == 0 || descends && depth == Some(0) {
                let pattern = self.pattern;
                return Err(Error::Usage(format!(
                    "{pattern}: more than {MOST_ENTRIES} files or {DEEPEST} levels of folders; name fewer"
                )));
            }
            self.left -= 1;
            if descends {
                self.folder(&path, &format!("{relative}/"), depth.map(|depth| depth - 1))?;
            } else if self.wanted.matches_with(&relative, OPTIONS) {
                let found = if is_regular(&path)? { &mut self.files } else { &mut self.others };
                found.push(path);
            }
        }
        Ok(())
    }
}

/// Whether a path is a regular file, not a folder or a pipe.
///
/// # Errors
/// [`Error::Usage`] if it is a link to a file that is missing, or may not be looked at.
pub fn is_regular(path: &Path) -> Result<bool> {
    let metadata = fs::metadata(path).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))?;
    Ok(metadata.is_file())
}

/// Warns of entries of a folder, or matches of a glob, that are not read.
pub fn warn_of_others(place: &dyn Display, why: &str, mut others: Vec<PathBuf>) {
    if others.is_empty() {
        return;
    }
    others.sort();
    let name = |path: &PathBuf| printable(&path.file_name().unwrap_or_default().to_string_lossy()).to_string();
    let named = others.iter().take(MOST_NAMED).map(name).collect::<Vec<_>>().join(", ");
    let more = if others.len() > MOST_NAMED { ", …" } else { "" };
    tracing::warn!("{place}: not read, since {why}: {named}{more} ({})", others.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn links_to_folders_are_not_followed_by_two_stars() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(dir.path().join("x.warc"), "").unwrap();
        fs::write(inner.join("y.warc"), "").unwrap();
        // Two links to the top: 2^40 paths.
        for name in ["one", "two"] {
            std::os::unix::fs::symlink(dir.path(), inner.join(name)).unwrap();
        }
        let pattern = |rest: &str| format!("{}/{rest}", dir.path().display());
        let found = |rest: &str| matching(&pattern(rest)).unwrap().len();
        assert_eq!((found("**/*.warc"), found("a/**/*.warc"), found("*/**/y.*"), found("*.warc")), (2, 1, 1, 1));
        assert_eq!((found("a//b/y*"), found("./a/../*.warc"), found("*/b/*"), found("a/b/one/*")), (1, 1, 1, 1));
        assert!(matching(&pattern("**/z")).is_err());
        fs::write(inner.join(".y.warc.a1B2"), "").unwrap();
        fs::create_dir(dir.path().join(".hidden")).unwrap();
        fs::write(dir.path().join(".hidden/z.warc"), "").unwrap();
        assert!(matching(&pattern("*/z.warc")).is_err() && matching(&pattern("**/z.warc")).is_err());
        assert_eq!(found(".hidden/*"), 1);
        assert_eq!((found("a/b/*"), found("**/*warc*"), found("a/b/.y*")), (1, 2, 1));
        assert!(matching(&pattern("x**/y")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_not_passed_over() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        let pattern = |rest: &str| format!("{}/{rest}", dir.path().display());
        fs::write(dir.path().join("a.warc"), "").unwrap();
        let latin1 = dir.path().join(OsStr::from_bytes(b"caf\xe9.warc"));
        fs::write(&latin1, "").unwrap();
        assert_eq!(matching(&pattern("*.warc")).unwrap(), [dir.path().join("a.warc"), latin1.clone()]);
        assert!(matching(&pattern("**/*.warc")).unwrap().contains(&latin1));
        std::os::unix::fs::symlink("gone", dir.path().join("b.warc")).unwrap();
        assert!(matching(&pattern("*.warc")).unwrap_err().to_string().contains("b.warc: No such file"));
        assert_eq!(matching(&pattern("a*")).unwrap().len(), 1);
    }
}
