//! The tutorial, run as it stands there: the shell commands of docs/tutorial.md, one after the other in a folder with the sample,
//! and what they print compared with the block that follows them.
//!
//! In that block `…` stands for any text of a line, and a line of `…` alone for any lines. A block of Python whose first line
//! is `# NAME` is written to that file.
//!
//! The commands of the how-to pages run too, with the sample in place of the archives. What they print is not compared.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{python, root, sample};

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    // Fences stand at the beginnings of lines, and every second one opens a block.
    let parts: Vec<&str> = text.split("\n```").collect();
    let fenced = parts.iter().skip(1).step_by(2);
    fenced
        .map(|part| {
            let (language, text) = part.split_once('\n').unwrap();
            Block { language: language.to_string(), text: text.to_string() }
        })
        .collect()
}

/// What a shell prints, on both outputs in their order, that runs `script` with the tested program in its path. The page leaves
/// the log out.
fn shell(script: &str, folder: &Path) -> String {
    let tested = Path::new(env!("CARGO_BIN_EXE_warcorpus")).parent().unwrap();
    let others = env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-eu", "-c", &format!("exec 2>&1\n{script}")])
        .env("PATH", format!("{}:{others}", tested.display()))
        .env("WARCORPUS_LOG", "error")
        .current_dir(folder)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{script}\n{told}");
    told
}

/// Whether lines are those wanted, of which `…` stands for any.
fn lines_are(wanted: &[&str], told: &[&str]) -> bool {
    match wanted.split_first() {
        None => told.is_empty(),
        Some((&"…", rest)) => (0..=told.len()).any(|skipped| lines_are(rest, &told[skipped..])),
        Some((line, rest)) => {
            told.split_first().is_some_and(|(first, others)| line_is(line, first) && lines_are(rest, others))
        }
    }
}

fn line_is(wanted: &str, told: &str) -> bool {
    let Some((begin, end)) = wanted.split_once('…') else { return wanted == told };
    told.strip_prefix(begin).is_some_and(|rest| {
        let places = rest.char_indices().map(|(place, _)| place).chain([rest.len()]);
        places.into_iter().any(|place| line_is(end, &rest[place..]))
    })
}

/// The lines of a text without white space at their ends and the text's.
fn trimmed(text: &str) -> Vec<&str> {
    text.trim().lines().map(str::trim).collect()
}

fn is_installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
    found.unwrap().success()
}

#[test]
fn the_tutorial_prints_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let archives = folder.path().join("data-samples");
    fs::create_dir(&archives).unwrap();
    for name in ["web.warc.gz", "damaged.warc.gz"] {
        fs::copy(sample(name), archives.join(name)).unwrap();
    }
    let mut compared = 0;
    let mut told = None;
    for Block { language, text } in blocks("tutorial.md") {
        match language.as_str() {
            // How the program and the sample come to the reader's machine is tried where packages are.
            "sh" if text.contains("curl") => told = None,
            "sh" if text.contains("python3") && !is_installed("python3") => {
                println!("skipped: python3 is not installed");
                told = None;
            }
            "sh" => told = Some((shell(&text, folder.path()), text)),
            "python" => {
                let name =
                    text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a name in the first line");
                fs::write(folder.path().join(name), &text).unwrap();
            }
            "text" => {
                let Some((told, script)) = told.take() else { continue };
                assert!(lines_are(&trimmed(&text), &trimmed(&told)), "{script}\nprints\n{told}\nand not\n{text}");
                compared += 1;
            }
            _ => {}
        }
    }
    assert!(compared > 5, "only {compared} blocks were compared");
}

/// How-to pages whose commands need no network, in the order in which they may follow each other.
const HOW_TO: [&str; 3] = ["corpus-linguistics.md", "digital-humanities.md", "web-archives.md"];

/// Programs of others in their commands. A block with one of them is left out where it is not installed.
const OTHERS: [&str; 4] = ["encodevert", "cwb-encode", "my-tagger", "duckdb"];

/// The page that stands for the examples' pages.
const PAGE: &str = "https://www.harbourwire.example/sea/tides.html";

#[test]
fn the_commands_of_the_how_to_pages_run() {
    let folder = tempfile::tempdir().unwrap();
    for archives in ["archives", "holding-2023", "holding-2024"] {
        fs::create_dir(folder.path().join(archives)).unwrap();
        fs::copy(sample("web.warc.gz"), folder.path().join(archives).join("web.warc.gz")).unwrap();
    }
    for block in HOW_TO.into_iter().flat_map(blocks) {
        match block.language.as_str() {
            "sh" => match OTHERS.into_iter().find(|program| block.text.contains(program) && !is_installed(program)) {
                Some(program) => println!("skipped: {program} is not installed"),
                None => {
                    let script =
                        block.text.replace("https://www.example.org/page", PAGE).replace(" URL ", &format!(" {PAGE} "));
                    let script = script.replace("www.example.org", "www.harbourwire.example");
                    shell(&script, folder.path());
                }
            },
            "sql" => query(&block.text, folder.path()),
            _ => {}
        }
    }
}

#[test]
fn the_scripts_of_the_r_page_run() {
    if !is_installed("Rscript") {
        println!("skipped: Rscript is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let archives = folder.path().join("archives");
    fs::create_dir(&archives).unwrap();
    fs::copy(sample("web.warc.gz"), archives.join("web.warc.gz")).unwrap();
    let mut run = 0;
    for Block { language, text } in blocks("r.md") {
        let packages = text.lines().filter_map(|line| line.strip_prefix("library(")?.strip_suffix(')'));
        let missing = |package: &str| {
            let installed = format!("Rscript -e 'q(status = !requireNamespace(\"{package}\", quietly = TRUE))'");
            let status = Command::new("sh").args(["-c", &installed]).stderr(Stdio::null()).status();
            !status.unwrap().success()
        };
        match (language.as_str(), packages.into_iter().find(|package| missing(package))) {
            ("sh", _) => drop(shell(&text, folder.path())),
            ("r", Some(package)) => println!("skipped: the R package {package} is not installed"),
            ("r", None) => {
                // Warnings are errors.
                fs::write(folder.path().join("page.r"), format!("options(warn = 2)\n{text}")).unwrap();
                let told = shell("Rscript page.r", folder.path());
                assert!(!told.trim().is_empty(), "{text}\nprints nothing");
                run += 1;
            }
            _ => {}
        }
    }
    // Two scripts need no package.
    assert!(run >= 2, "only {run} scripts were run");
}

/// Runs a query with the Python of `WARCORPUS_PYTHON`, which has DuckDB. It must give a row.
fn query(sql: &str, folder: &Path) {
    let Some(python) = python() else { return };
    let script = folder.join("query.py");
    fs::write(&script, format!("import duckdb\nassert duckdb.sql('''{sql}''').fetchall()\n")).unwrap();
    shell(&format!("{python} query.py"), folder);
}

#[test]
fn the_citation_is_of_this_version() {
    let text = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = concat!("version: ", env!("CARGO_PKG_VERSION"));
    assert!(text.lines().any(|line| line == version), "CITATION.cff does not have {version:?}");
    let page = fs::read_to_string(root().join("docs/cite.md")).unwrap();
    assert_eq!(page.matches(env!("CARGO_PKG_VERSION")).count(), 2, "docs/cite.md is of another version");
}
