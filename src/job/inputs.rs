//! Expands the inputs that a user names (files, globs, folders, lists, URLs) to a list of archives.

use std::collections::HashSet;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::job::archive_names::is_archive_name;
use crate::remote::split_scheme;
use crate::store::archives::{Archives, STDIN, is_remote, public_name};
use crate::store::atomic::{self, AtomicFile};
use crate::store::globs::{self, is_regular, warn_of_others};
use crate::store::layout::Layout;
use crate::store::small_files;

/// Base URL of Common Crawl's files. The paths in its lists are relative to it.
const COMMON_CRAWL: &str = "https://data.commoncrawl.org/";
/// Upper limit of a list of paths in bytes, compressed and not. Common Crawl's longest list has some 10 MB.
const LONGEST_LIST: u64 = 64 << 20;
/// Most archives of a job, each of which takes memory in the plan. A crawl of Common Crawl has 100,000.
const MOST_ARCHIVES: usize = 1_000_000;

/// # Errors
/// [`Error::Usage`] if so many archives are too many for a job.
pub fn check_count(archives: usize) -> Result<()> {
    match archives {
        ..=MOST_ARCHIVES => Ok(()),
        _ => Err(Error::Usage(format!("more than {MOST_ARCHIVES} archives; divide them among several jobs"))),
    }
}

/// The archives that `arguments` name, in the given order; globs and folders are sorted by name, lists keep their order.
/// `prefix` is the base of relative paths in lists.
///
/// # Errors
/// [`Error::Usage`] if an archive is missing, is named twice, or if there are none.
pub fn expand(arguments: &[String], archives: &Archives, prefix: &str) -> Result<Vec<String>> {
    let mut inputs = Inputs { archives, prefix, found: Vec::new() };
    for argument in arguments {
        inputs.add(argument)?;
        check_count(inputs.found.len())?;
    }
    let mut seen = HashSet::new();
    for location in &inputs.found {
        let same = fs::canonicalize(location).ok().and_then(|path| path.into_os_string().into_string().ok());
        if !seen.insert(same.unwrap_or_else(|| location.clone())) {
            return Err(Error::Usage(format!("{} is named twice among the inputs", public_name(location))));
        }
    }
    if inputs.found.is_empty() {
        let named: Vec<String> =
            arguments.iter().map(|argument| public_name(argument.trim_start_matches('@'))).collect();
        return Err(Error::Usage(format!("no input: {} names no archive", named.join(", "))));
    }
    Ok(inputs.found)
}

struct Inputs<'a> {
    archives: &'a Archives,
    /// Base of relative paths in lists; empty for the default, see [`resolve`].
    prefix: &'a str,
    found: Vec<String>,
}

impl Inputs<'_> {
    fn add(&mut self, argument: &str) -> Result<()> {
        let path = Path::new(argument);
        if argument.is_empty() {
            Err(Error::Usage("an input is empty; give a file, a folder, a glob, a list or an address".into()))
        } else if argument == STDIN {
            self.found.push(STDIN.into());
            Ok(())
        } else if let Some(list) = argument.strip_prefix('@') {
            self.add_list(list)
        } else if is_list_name(argument) {
            self.add_list(argument)
        } else if split_scheme(argument).is_some() {
            self.add_address(location(argument)?)
        } else if path.is_dir() {
            self.add_folder(argument, archives_of_folder(path)?)
        } else if path.exists() {
            self.add_file(path)
        } else {
            globs::matching(argument)?.iter().try_for_each(|path| self.add_file(path))
        }
    }

    /// Adds an archive of a server, or those of a folder of S3.
    fn add_address(&mut self, address: String) -> Result<()> {
        if address.starts_with("s3://") && address.ends_with('/') {
            let all = self.archives.remote()?.list(&address)?;
            return self.add_folder(&address, all.into_iter().filter(|url| is_archive_name(url)).collect());
        }
        self.found.push(address);
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<()> {
        self.found.push(text(path)?);
        Ok(())
    }

    fn add_folder(&mut self, folder: &str, archives: Vec<String>) -> Result<()> {
        if archives.is_empty() {
            let hint = match has_folders(Path::new(folder)) {
                true => format!("; subfolders are not read: give '{}/**/*.warc.gz'", folder.trim_end_matches('/')),
                false => String::new(),
            };
            return Err(Error::Usage(format!(
                "{folder}: no file of this folder is an archive by its name (.warc, .wet or .arc, no checksum, index or part){hint}"
            )));
        }
        self.found.extend(archives);
        Ok(())
    }

    /// Adds the locations of a list, one per line; blank lines and lines that begin with `#` are skipped.
    fn add_list(&mut self, list: &str) -> Result<()> {
        let list = &location(list)?;
        let bytes = match is_remote(list) {
            true => self.archives.remote()?.fetch(list, LONGEST_LIST)?,
            false => small_files::read(Path::new(list), LONGEST_LIST)?,
        };
        let name = public_name(list);
        let text = small_files::text(&name, &bytes, LONGEST_LIST)?;
        drop(bytes);
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some(found) = resolve(line, list, self.prefix) else {
                let why = match location(line) {
                    Err(error) => error.to_string(),
                    Ok(_) if Path::new(line).is_dir() => format!("{line}: a folder; a list names files"),
                    Ok(_) => format!("{line}: no such file"),
                };
                return Err(Error::Usage(format!("{name} line {}: {why}", number + 1)));
            };
            self.found.push(found);
        }
        Ok(())
    }
}

/// Resolves a line of a list to a location: a URL, a file, a file in the list's folder, or a path below `prefix`. If
/// `prefix` is empty, it is the list's server for lists from a server, and Common Crawl's server for `crawl-data/…`.
/// `None` if no rule applies, as to a URL whose scheme is not read.
pub fn resolve(line: &str, list: &str, prefix: &str) -> Option<String> {
    if split_scheme(line).is_some() {
        return location(line).ok();
    }
    let beside = Path::new(list).parent().unwrap_or(Path::new("")).join(line);
    let file = [PathBuf::from(line), beside].into_iter().find(|path| path.is_file());
    if let Some(file) = file.filter(|_| !is_remote(list)) {
        return file.into_os_string().into_string().ok();
    }
    let origin = is_remote(list).then(|| list.splitn(4, '/').take(3).collect::<Vec<_>>().join("/"));
    let common_crawl = line.starts_with("crawl-data/").then(|| COMMON_CRAWL.to_string());
    let base = if prefix.is_empty() { origin.or(common_crawl)? } else { prefix.to_string() };
    Some(format!("{}/{}", base.trim_end_matches('/'), line.trim_start_matches('/')))
}

/// The location that a user means: a path as it is, or an address, whose scheme gets lower case so that one archive has
/// one location.
///
/// # Errors
/// [`Error::Usage`] for an address whose scheme is not read.
fn location(named: &str) -> Result<String> {
    match split_scheme(named) {
        None => Ok(named.into()),
        Some((scheme, rest)) if is_remote(named) => Ok(format!("{}://{rest}", scheme.to_ascii_lowercase())),
        Some((scheme, _)) => {
            let named = public_name(named);
            Err(Error::Usage(format!("{named}: {scheme}:// is not supported; https://, http:// and s3:// are")))
        }
    }
}

/// A location without the query of an address, such as the signature of a presigned one.
pub fn without_query(location: &str) -> &str {
    let end = if is_remote(location) { location.find(['?', '#']) } else { None };
    location.get(..end.unwrap_or(location.len())).unwrap_or_default()
}

/// Whether an argument is a list of paths by its name.
fn is_list_name(argument: &str) -> bool {
    let name = without_query(argument);
    name.ends_with(".paths") || name.ends_with(".paths.gz")
}

/// The path as UTF-8, as the plan stores it.
fn text(path: &Path) -> Result<String> {
    let named = path.to_str().map(str::to_string);
    named.ok_or_else(|| Error::Usage(format!("{}: the name is not UTF-8; rename or link it", path.display())))
}

/// The archives directly in a folder, sorted by name. They are recognised by name, because a folder may hold other files.
fn archives_of_folder(path: &Path) -> Result<Vec<String>> {
    let (mut files, mut folders, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for entry in fs::read_dir(path).map_err(Error::io("list", path))? {
        let file = entry.map_err(Error::io("list", path))?.path();
        if !is_archive_name(&file.to_string_lossy()) {
            others.push(file);
        } else if is_regular(&file)? {
            files.push(text(&file)?);
        } else {
            folders.push(file);
        }
    }
    files.sort();
    warn_of_others(&path.display(), "they are no archives by their names", others);
    warn_of_others(&path.display(), "they are folders or pipes", folders);
    Ok(files)
}

/// Whether a folder has others in it; the name of one on a server is none of this machine.
fn has_folders(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|entry| entry.path().is_dir())))
}

/// Saves standard input to a temporary file of the output directory, so that it can be split, read again and shown:
/// [`keep_stdin`] makes it the input of the job. Unless the job is new (`fresh`), a file saved earlier is kept, and standard
/// input must equal it; then there is no temporary file.
pub fn save_stdin(layout: &Layout, fresh: bool) -> Result<Option<PathBuf>> {
    let path = layout.stdin();
    let mut file = AtomicFile::create(&layout.root().join("stdin"))?;
    file.put_all(io::stdin().lock(), Path::new("standard input"))?;
    let saved = file.keep_temporary()?;
    if fresh || !path.exists() {
        return Ok(Some(saved));
    }
    let same = same_bytes(&path, &saved);
    atomic::remove(&saved)?;
    if !same? {
        let root = layout.root().display();
        return Err(Error::Usage(format!("{root} holds a job of another standard input; choose another --out")));
    }
    Ok(None)
}

/// Gives saved standard input its name.
pub fn keep_stdin(layout: &Layout, saved: &Path) -> Result<()> {
    atomic::sync(saved)?;
    atomic::move_file(saved, &layout.stdin())
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
    use std::io::Read;

    use super::*;
    use crate::config::Config;

    #[test]
    fn files_globs_lists_and_folders() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        for name in [
            "b.warc.gz",
            "a.warc.gz",
            "notes.txt",
            ".c.warc.gz.a1B2c3",
            "a.warc.gz.md5",
            "a.warc.cdx.gz",
            "d.warc.part",
        ] {
            fs::write(at(name), b"x").unwrap();
        }
        fs::write(at("list.txt"), "# two\nb.warc.gz\n\na.warc.gz\n").unwrap();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let names = |arguments: &[String]| -> Vec<String> {
            let files = expand(arguments, &archives, "").unwrap();
            files.iter().map(|f| f.rsplit('/').next().unwrap().to_string()).collect()
        };
        assert_eq!(names(&[at("?.warc.gz")]), ["a.warc.gz", "b.warc.gz"]);
        assert_eq!(names(&[format!("@{}", at("list.txt"))]), ["b.warc.gz", "a.warc.gz"]);
        assert_eq!(names(&[at("")]), ["a.warc.gz", "b.warc.gz"]);
        assert_eq!(names(&[at("notes.txt")]), ["notes.txt"]);
        assert_eq!(names(&[at("d.warc.part")]), ["d.warc.part"]);
        for wrong in [vec![at("c.warc.gz")], vec!["ftp://x/y".into()], vec![at("a.warc.gz"), at("*.gz")]] {
            assert!(matches!(expand(&wrong, &archives, ""), Err(Error::Usage(_))), "{wrong:?}");
        }
    }

    #[test]
    fn a_folder_without_archives_tells_of_its_subfolders() {
        let dir = tempfile::tempdir().unwrap();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let folder = dir.path().display().to_string();
        let refused = |folder: &str| expand(&[folder.into()], &archives, "").unwrap_err().to_string();
        assert!(!refused(&folder).contains("subfolders"));
        fs::create_dir(dir.path().join("deep")).unwrap();
        fs::write(dir.path().join("deep/a.warc.gz"), b"x").unwrap();
        let told = refused(&format!("{folder}/"));
        assert!(told.ends_with(&format!("; subfolders are not read: give '{folder}/**/*.warc.gz'")), "{told}");
    }

    #[test]
    fn lines_of_lists_are_urls_files_or_paths_below_a_prefix() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list.paths").display().to_string();
        fs::write(dir.path().join("a.warc.gz"), b"x").unwrap();
        let there = dir.path().join("a.warc.gz").display().to_string();
        let (remote, crawled) = ("http://host:81/lists/warc.paths.gz", "crawl-data/CC-MAIN-2024-22/x.warc.gz");
        for (line, list, prefix, want) in [
            ("a.warc.gz", list.as_str(), "", Some(there.as_str())),
            ("b.warc.gz", &list, "", None),
            ("b.warc.gz", &list, "s3://bucket/", Some("s3://bucket/b.warc.gz")),
            (crawled, &list, "", Some("https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-22/x.warc.gz")),
            ("/b.warc.gz", remote, "", Some("http://host:81/b.warc.gz")),
            ("b.warc.gz", remote, "https://mirror/cc", Some("https://mirror/cc/b.warc.gz")),
            ("s3://x/y.warc.gz", remote, "https://mirror", Some("s3://x/y.warc.gz")),
            ("HTTP://Host/b.warc.gz", &list, "", Some("http://Host/b.warc.gz")),
            ("ftp://host/b.warc.gz", remote, "", None),
            ("file:///b.warc.gz", remote, "https://mirror", None),
            ("web/https://host/b.warc.gz", remote, "", Some("http://host:81/web/https://host/b.warc.gz")),
        ] {
            assert_eq!(resolve(line, list, prefix).as_deref(), want, "{line} in {list}");
        }
        fs::write(&list, flate2_gzip(b"s3://x/y.warc.gz\n")).unwrap();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let found = expand(&[list], &archives, "").unwrap();
        assert_eq!(found, ["s3://x/y.warc.gz"]);
    }

    #[test]
    fn addresses_are_refused_without_their_secrets() {
        let dir = tempfile::tempdir().unwrap();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let refused = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string()).collect();
            expand(&arguments, &archives, "").unwrap_err().to_string()
        };
        let signed = "http://u:pw9@h/a.warc.gz?page=1&X-Amz-Signature=9";
        let twice = "http://h/a.warc.gz?page=1 is named twice among the inputs";
        assert_eq!(refused(&[signed, &signed.replace("http", "HTTP")]), twice);
        let unsupported = "ftp://h/a.paths: ftp:// is not supported; https://, http:// and s3:// are";
        assert_eq!(refused(&["ftp://u:pw9@h/a.paths?sig=9"]), unsupported);
        assert_eq!(refused(&["@ftp://u:pw9@h/a.paths?sig=9"]), unsupported);
        let list = dir.path().join("some.paths").display().to_string();
        fs::write(&list, "# one\nftp://u:pw9@h/a.paths?sig=9\n").unwrap();
        assert_eq!(refused(&[&list]), format!("{list} line 2: {unsupported}"));
    }

    #[test]
    fn lists_are_known_by_the_ends_of_their_names() {
        for list in [
            "a.paths",
            "b/a.paths.gz",
            "https://h/a.paths.gz?X-Amz-Signature=1",
            "S3://b/a.paths",
            "http://h/a.paths#b",
        ] {
            assert!(is_list_name(list), "{list}");
        }
        for other in ["https://h/a.warc.gz?list=a.paths", "a.paths?b", "a.paths.warc.gz"] {
            assert!(!is_list_name(other), "{other}");
        }
    }

    fn flate2_gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = Vec::new();
        flate2::read::GzEncoder::new(bytes, flate2::Compression::default()).read_to_end(&mut gzip).unwrap();
        gzip
    }

    #[test]
    fn lists_are_regular_files_of_a_bounded_size() {
        let dir = tempfile::tempdir().unwrap();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let refused = |list: &str| expand(&[list.into()], &archives, "").unwrap_err().to_string();
        assert!(matches!(expand(&["@none".into()], &archives, ""), Err(Error::Usage(_))));
        assert!(refused("@/dev/zero").contains("not a regular file"));
        assert!(refused(&format!("@{}", dir.path().display())).contains("not a regular file"));
    }
}
