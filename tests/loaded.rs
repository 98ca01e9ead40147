//! What the documentation says about loading a corpus into other programs, run as it stands there: its code blocks, in
//! the folder that holds the corpus. Programs that are not installed are passed over with a notice.
//!
//! `WARCORPUS_PYTHON` names a Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{expect, python, root, sample};

/// Documents of the sample, and those that are kept.
const DOCUMENTS: &str = "86";
const KEPT: &str = "72";
const KEPT_PARAGRAPHS: &str = "544";

/// A folder with the corpus `corpus`, and what the documentation exports from it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let corpus = path("corpus");
    let formats = "output.formats=vertical,jsonl";
    expect(0, &["build", &sample("web.warc.gz"), "--out", &corpus, "--quiet", "--set", formats]);
    let datatrove = "jsonl.fields=datatrove";
    expect(0, &["emit", &corpus, "--format", "jsonl", "--set", datatrove, "--out", &path("for-training")]);
    folder
}

/// The code blocks of a language in a document of `docs/`.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs").join(document)).unwrap();
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|part| part.split("```").next().unwrap().to_string()).collect()
}

/// What a program prints that reads `code` from its standard input.
fn run(program: &str, arguments: &[&str], code: &str, folder: &Path) -> String {
    let mut command = Command::new(program);
    let tested = Path::new(env!("CARGO_BIN_EXE_warcorpus")).parent().unwrap();
    let others = env::var("PATH").unwrap_or_default();
    command.env("PATH", format!("{}:{others}", tested.display())).current_dir(folder).args(arguments);
    command.env("HF_HOME", folder.join("hf")).env("HF_HUB_OFFLINE", "1");
    let script = folder.join("script");
    fs::write(&script, code).unwrap();
    let output = command.arg(&script).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{code}\n{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn python_loads_a_corpus_as_documented() {
    let Some(python) = python() else { return };
    let folder = folder();
    let printed = [
        ("import datasets", vec![KEPT, DOCUMENTS]),
        ("import polars", vec![KEPT, KEPT_PARAGRAPHS]),
        ("import duckdb", vec!["http://laojie.test/zhuo.html 2025-11-01 04:09:27"]),
        ("from datatrove", vec![KEPT]),
    ];
    let blocks = blocks("formats.md", "python");
    assert_eq!(blocks.len(), printed.len());
    for (begin, wanted) in printed {
        let block = blocks.iter().find(|block| block.starts_with(begin)).expect(begin);
        let told = run(&python, &[], block, folder.path());
        for (line, wanted) in told.lines().zip(&wanted) {
            assert!(line.contains(wanted), "{block}\n{told}");
        }
        assert!(told.lines().count() >= wanted.len(), "{block}\n{told}");
    }
}

#[test]
fn queries_run_as_documented() {
    let Some(python) = python() else { return };
    let folder = folder();
    let [sql] = &blocks("columns.md", "sql")[..] else { panic!("not one block of SQL") };
    let queries: Vec<&str> = sql.split(';').map(str::trim).filter(|query| !query.is_empty()).collect();
    assert_eq!(queries.len(), 4);
    for query in queries {
        let code = format!("import duckdb\nprint(len(duckdb.sql('''{query}''').fetchall()))");
        let rows = run(&python, &[], &code, folder.path());
        assert!(rows.trim().parse::<u32>().is_ok_and(|rows| rows > 0), "{query}\n{rows}");
    }
}

/// The block of shell commands that uses `program`, if that is installed.
fn shell(program: &str) -> Option<String> {
    let block = blocks("formats.md", "sh").into_iter().find(|block| block.contains(program));
    let block = block.unwrap_or_else(|| panic!("no block of docs/formats.md uses {program}"));
    let installed = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
    if !installed.unwrap().success() {
        println!("skipped: {program} is not installed");
        return None;
    }
    Some(block)
}

#[test]
fn manatee_compiles_a_corpus_as_documented() {
    let Some(block) = shell("encodevert") else { return };
    let folder = folder();
    run("sh", &["-e"], &block, folder.path());
    assert!(folder.path().join("corpus/manatee/warcorpus/word.lex").exists());
}

#[test]
fn cwb_encodes_a_corpus_as_documented() {
    let Some(block) = shell("cwb-encode") else { return };
    let folder = folder();
    run("sh", &["-e"], &block, folder.path());
    assert!(folder.path().join("for-cwb/data/word.lexicon").exists());
}
