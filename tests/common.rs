//! Running the binary and reading back what it wrote.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::read::MultiGzDecoder;
use warcorpus::document::{Document, Paragraph};
use warcorpus::hash::digest;
use warcorpus::store::layout::Layout;
use warcorpus::store::tables::Reader;
use warcorpus::table::Table;

/// A file of `data-samples/`.
pub fn sample(name: &str) -> String {
    root().join("data-samples").join(name).display().to_string()
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The Python of `WARCORPUS_PYTHON`, with the packages of `tests/loaders.txt`; `None`, with a notice, if there is none.
pub fn python() -> Option<String> {
    let python = env::var("WARCORPUS_PYTHON").ok().filter(|python| !python.is_empty());
    if python.is_none() {
        println!("skipped: WARCORPUS_PYTHON names no Python with the packages of tests/loaders.txt");
    }
    python
}

/// A folder with what a reference program makes of some files, its script among them. That takes minutes: it is kept below
/// `target` under the digest of these files and of the versions of Python and its packages.
pub fn reference(name: &str, files: &[PathBuf], make: impl FnOnce(&Path)) -> PathBuf {
    let mut bytes = fs::read(root().join("tests/loaders.txt")).unwrap();
    files.iter().for_each(|file| bytes.extend(fs::read(file).unwrap()));
    if let Ok(python) = env::var("WARCORPUS_PYTHON") {
        bytes.extend(Command::new(python).arg("--version").output().unwrap().stdout);
    }
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = kept.join(format!("{name}-{:032x}", digest(&bytes)));
    if !folder.exists() {
        fs::create_dir_all(kept).unwrap();
        let made = tempfile::tempdir_in(kept).unwrap();
        make(made.path());
        for other in fs::read_dir(kept).unwrap().map(|entry| entry.unwrap().path()) {
            let is_older = other.file_name().unwrap().to_string_lossy().starts_with(&format!("{name}-"));
            if is_older && other != folder {
                let _ = fs::remove_dir_all(other);
            }
        }
        // Another process may have been faster.
        let _ = fs::rename(made.path(), &folder);
    }
    folder
}

/// A folder that is removed in the end: in memory, where the system has one of some size there. Builds of small archives
/// spend half of their time waiting for a disk.
pub fn in_memory() -> tempfile::TempDir {
    const ROOM: u64 = 1 << 30;
    let memory = Path::new("/dev/shm");
    let has_room = rustix::fs::statvfs(memory).is_ok_and(|space| space.f_bavail * space.f_frsize >= ROOM);
    let folder = has_room.then(|| tempfile::tempdir_in(memory).ok()).flatten();
    folder.unwrap_or_else(|| tempfile::tempdir().unwrap())
}

/// A folder of test data that is not part of the repository; `None`, with a notice, where it is absent.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = root().join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not here", path.display());
    None
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warcorpus"));
    command.args(arguments).env_remove("WARCORPUS_LOG");
    // The servers of the tests are on this machine, whatever proxy it has.
    command.env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
    command
}

pub fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs and expects an exit code; standard output and standard error.
pub fn expect(code: i32, arguments: &[&str]) -> (String, String) {
    let output = run(arguments);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out.into_owned(), err.into_owned())
}

/// Expects all parts in a text.
pub fn said(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// A corpus of the sample of the web, built with some settings (`near.enabled=false`).
pub fn build(settings: &[&str]) -> Corpus {
    let more: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    Corpus::build(0, &[&sample("web.warc.gz")], &more)
}

/// A record with a page of HTML, as an uncompressed archive holds it; `captured` is its time.
pub fn response(number: usize, url: &str, captured: &str, html: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n\
         WARC-Date: {captured}\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// A corpus in a temporary directory.
pub struct Corpus {
    pub dir: tempfile::TempDir,
}

impl Corpus {
    /// Builds with exit code `code`.
    pub fn build(code: i32, inputs: &[&str], more: &[&str]) -> Corpus {
        Corpus::build_in(tempfile::tempdir().unwrap(), code, inputs, more)
    }

    pub fn build_in(dir: tempfile::TempDir, code: i32, inputs: &[&str], more: &[&str]) -> Corpus {
        let corpus = Corpus { dir };
        let out = corpus.out();
        let mut arguments = vec!["build"];
        arguments.extend(inputs);
        arguments.extend(["--out", &out, "--quiet"]);
        arguments.extend(more);
        expect(code, &arguments);
        corpus
    }

    pub fn out(&self) -> String {
        self.dir.path().join("out").display().to_string()
    }

    pub fn layout(&self) -> Layout {
        Layout::new(self.out())
    }

    pub fn documents(&self) -> Vec<Document> {
        rows(|shard| self.layout().documents(shard))
    }

    pub fn paragraphs(&self) -> Vec<Paragraph> {
        rows(|shard| self.layout().paragraphs(shard))
    }

    pub fn boilerplate(&self) -> Vec<Paragraph> {
        rows(|shard| self.layout().boilerplate(shard))
    }

    /// All blocks of all pages in order, content and boilerplate.
    pub fn blocks(&self) -> Vec<Paragraph> {
        let mut blocks = [self.paragraphs(), self.boilerplate()].concat();
        blocks.sort_by_key(|block| (block.doc, block.index));
        blocks
    }

    pub fn stats(&self) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.layout().stats()).unwrap()).unwrap()
    }

    /// All vertical files, one after the other.
    pub fn vertical(&self) -> String {
        Corpus::text_of(&self.layout())
    }

    /// All vertical files of a directory.
    pub fn text_of(layout: &Layout) -> String {
        let mut text = String::new();
        for path in (0..).map(|shard| layout.part("vertical", "vert.gz", shard)).take_while(|path| path.exists()) {
            MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        }
        text
    }

    /// Every final file by name: bytes. The folders of intermediate files and of a cluster's scripts do not count.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(Path::new(&self.out()), Path::new(&self.out()), &mut files);
        files
    }
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if name == "work" || name == "slurm" {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// The text of the files of a format in an output directory, in the order of their names.
pub fn read_format(out: &str, format: &str) -> String {
    let files = fs::read_dir(Path::new(out).join(format)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        MultiGzDecoder::new(fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    }
    text
}

/// The rows of a table of a corpus, of which each shard has a file.
pub fn rows<T: Table>(path: impl Fn(u32) -> PathBuf) -> Vec<T> {
    (0..)
        .map(path)
        .take_while(|path| path.exists())
        .flat_map(|path| Reader::<T>::open(&path).unwrap().map(Result::unwrap).collect::<Vec<T>>())
        .collect()
}

/// Expects the same final files, byte for byte, in two directories.
pub fn assert_same_files(ours: &Corpus, theirs: &Corpus) {
    let (ours, theirs) = (ours.files(), theirs.files());
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    for (name, bytes) in &ours {
        assert!(bytes == &theirs[name], "{name} differs");
    }
}

/// Changes a byte in the middle of a file.
pub fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(path, bytes).unwrap();
}
