//! What a user names as input → a list of archive files.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::atomic::AtomicFile;
use crate::store::layout::Layout;

/// The argument that means standard input.
pub const STDIN: &str = "-";

/// Files in the order given; globs and folders sorted by name, lists in their own order. For
/// standard input the file where [`save_stdin`] sets it down.
pub fn expand(arguments: &[String], layout: &Layout) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for argument in arguments {
        expand_one(argument, layout, &mut files)?;
    }
    let mut seen = std::collections::HashSet::new();
    for file in &files {
        if !seen.insert(fs::canonicalize(file).unwrap_or_else(|_| file.clone())) {
            return Err(Error::Usage(format!("{} is named twice among the inputs", file.display())));
        }
    }
    if files.is_empty() {
        return Err(Error::Usage("no input: the files named hold no archive".into()));
    }
    Ok(files)
}

fn expand_one(argument: &str, layout: &Layout, files: &mut Vec<PathBuf>) -> Result<()> {
    if argument == STDIN {
        files.push(layout.stdin());
    } else if argument.contains("://") {
        return Err(Error::Usage(format!("{argument}: remote inputs are not supported yet; download the file first")));
    } else if let Some(list) = argument.strip_prefix('@') {
        read_list(Path::new(list), files)?;
    } else if Path::new(argument).is_dir() {
        files.extend(folder(Path::new(argument))?);
    } else if argument.ends_with(".paths") {
        read_list(Path::new(argument), files)?;
    } else if Path::new(argument).exists() {
        files.push(argument.into());
    } else {
        files.extend(matching(argument)?);
    }
    Ok(())
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>> {
    let paths = glob::glob(pattern).map_err(|e| Error::Usage(format!("{pattern}: {e}")))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let path = path.map_err(|e| Error::Usage(format!("{pattern}: {e}")))?;
        files.extend(path.is_file().then_some(path));
    }
    files.sort();
    if files.is_empty() {
        return Err(Error::Usage(format!("{pattern}: no such file")));
    }
    Ok(files)
}

/// The archives of a folder: by name, because a folder holds other things too.
fn folder(path: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(Error::io("list", path))? {
        let file = entry.map_err(Error::io("list", path))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if file.is_file() && (name.contains(".warc") || name.contains(".wet") || name.contains(".arc")) {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Error::Usage(format!(
            "{}: no file of this folder has .warc, .wet or .arc in its name",
            path.display()
        )));
    }
    Ok(files)
}

/// One path per line; blank lines and lines that begin with `#` do not count. Relative paths that
/// do not exist from here are looked for beside the list.
fn read_list(list: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let text = fs::read_to_string(list).map_err(Error::io("read", list))?;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let beside = list.parent().unwrap_or(Path::new("")).join(line);
        let found = [PathBuf::from(line), beside].into_iter().find(|path| path.is_file());
        match found {
            Some(file) => files.push(file),
            None => return Err(Error::Usage(format!("{} line {}: {line}: no such file", list.display(), number + 1))),
        }
    }
    Ok(())
}

/// Sets standard input down in the output directory, so that it can be split, read again and shown.
/// What an earlier run set down is never replaced: it must be the same.
pub fn save_stdin(layout: &Layout) -> Result<()> {
    let path = layout.stdin();
    let mut file = AtomicFile::create(&path)?;
    io::copy(&mut io::stdin().lock(), &mut file).map_err(Error::io("write", &path))?;
    if !path.exists() {
        return file.commit();
    }
    let fresh = file.finish_unnamed()?;
    let same = same_bytes(&path, &fresh);
    let removed = fs::remove_file(&fresh).map_err(Error::io("remove", &fresh));
    if !same? {
        let root = layout.root().display();
        return Err(Error::Usage(format!("{root} holds a job of another standard input; choose another --out")));
    }
    removed
}

fn same_bytes(a: &Path, b: &Path) -> Result<bool> {
    let open = |path: &Path| fs::File::open(path).map(BufReader::new).map_err(Error::io("open", path));
    let (mut x, mut y) = (open(a)?, open(b)?);
    loop {
        let (p, q) = (x.fill_buf().map_err(Error::io("read", a))?, y.fill_buf().map_err(Error::io("read", b))?);
        let length = p.len().min(q.len());
        if length == 0 {
            return Ok(p.len() == q.len());
        }
        if p.get(..length) != q.get(..length) {
            return Ok(false);
        }
        x.consume(length);
        y.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_globs_lists_and_folders() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        for name in ["b.warc.gz", "a.warc.gz", "notes.txt"] {
            fs::write(at(name), b"x").unwrap();
        }
        fs::write(at("list.txt"), "# two\nb.warc.gz\n\na.warc.gz\n").unwrap();
        let layout = Layout::new(dir.path().join("out"));
        let names = |arguments: &[String]| -> Vec<String> {
            let files = expand(arguments, &layout).unwrap();
            files.iter().map(|f| f.file_name().unwrap().to_string_lossy().into()).collect()
        };
        assert_eq!(names(&[at("*.gz")]), ["a.warc.gz", "b.warc.gz"]);
        assert_eq!(names(&[format!("@{}", at("list.txt"))]), ["b.warc.gz", "a.warc.gz"]);
        assert_eq!(names(&[at("")]), ["a.warc.gz", "b.warc.gz"]);
        assert_eq!(names(&[at("notes.txt")]), ["notes.txt"]);
        for wrong in [vec![at("c.warc.gz")], vec!["s3://x/y".into()], vec![at("a.warc.gz"), at("*.gz")]] {
            assert!(matches!(expand(&wrong, &layout), Err(Error::Usage(_))), "{wrong:?}");
        }
    }
}
