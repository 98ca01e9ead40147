//! The text of the README.

use std::fmt::Write;

use super::quote::{code, words};
use super::top::Top;
use super::{Card, FileKind, Reason};
use crate::language::Language;
use crate::text::counted;

/// Values of a column that are listed.
const LISTED: usize = 20;

/// The README behind its front matter.
pub fn body(card: &Card) -> String {
    let mut out = format!("\n# {}\n\n{} Made with warcorpus {}.\n", words(&card.name), card.summary(), card.program);
    files(&mut out, card);
    languages(&mut out, card);
    loading(&mut out, card);
    columns(&mut out, card);
    steps(&mut out, card);
    sources(&mut out, card);
    settings(&mut out, card);
    rights(&mut out, card);
    out
}

/// Rows with counts, unless there are none.
fn table(out: &mut String, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(out, "| {} |\n|{}", heads.join(" | "), " --- |".repeat(heads.len()));
    rows.for_each(|row| out.push_str(&format!("| {} |\n", row.join(" | "))));
    out.push('\n');
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n## {title}\n\n");
}

fn files(out: &mut String, card: &Card) {
    let (files, kept) = (&card.files, card.kept());
    let bytes: u64 = files.files.iter().map(|file| file.bytes).sum();
    let (glob, number) = (files.kind.glob(), counted(files.files.len(), "file"));
    let _ = writeln!(out, "\n{} documents are in {number} `{glob}`, {bytes} bytes.", files.documents);
    if files.documents != kept {
        let _ = writeln!(out, "They are a part of the {kept} documents of the corpus.");
    }
}

fn languages(out: &mut String, card: &Card) {
    if card.files.languages.is_empty() {
        return;
    }
    section(out, "Languages");
    let mut languages: Vec<_> = card.files.languages.iter().collect();
    languages.sort_by_key(|(language, size)| (std::cmp::Reverse(size.documents), language.code()));
    let rows = languages.iter().map(|(language, size)| {
        let name = if **language == Language::UNDETERMINED { "not determined" } else { language.name() };
        let row = [language.code().into(), name.into(), size.documents.to_string()];
        row.into_iter().chain(size.words.map(|words| words.to_string())).collect()
    });
    let heads = ["ISO 639-3", "language", "documents"].into_iter();
    let words = card.files.languages.values().all(|size| size.words.is_some()).then_some("words");
    table(out, &heads.chain(words).collect::<Vec<_>>(), rows);
}

fn loading(out: &mut String, card: &Card) {
    section(out, "Loading");
    let glob = card.files.kind.glob();
    out.push_str("`FOLDER` is that of this file:\n\n```python\nimport datasets\n\n");
    out.push_str("documents = datasets.load_dataset(\"FOLDER\", split=\"train\")\n```\n\n```python\n");
    let polars = if card.files.kind == FileKind::Parquet { "scan_parquet" } else { "scan_ndjson" };
    let _ = writeln!(out, "import duckdb\n\nrows = duckdb.sql(\"select * from 'FOLDER/{glob}'\")\n```\n\n```python");
    let _ = writeln!(out, "import polars\n\nframe = polars.{polars}(\"FOLDER/{glob}\").collect()\n```");
    out.push_str("\n`croissant.json` describes files and columns for loaders of Croissant 1.1.\n");
}

fn columns(out: &mut String, card: &Card) {
    section(out, "Columns");
    let described = card.files.columns.iter();
    table(
        out,
        &["column", "contents"],
        described.map(|column| vec![code(&column.name), words_of(&column.description)]),
    );
}

/// A description of ours: it has marks of code, and may be long.
fn words_of(description: &str) -> String {
    description.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|").replace('<', "\\<")
}

fn steps(out: &mut String, card: &Card) {
    let made = &card.made;
    section(out, "From records to documents");
    let _ = writeln!(
        out,
        "{} records were read; {} of them became documents, and {} of these are kept. What became of the others:\n",
        made.records,
        made.pages,
        card.kept()
    );
    let rows = |reasons: &[Reason]| -> Vec<Vec<String>> {
        let lost = reasons.iter().filter(|reason| reason.name != super::KEPT);
        lost.map(|reason| vec![code(&reason.name), reason.count.to_string(), words_of(&reason.meaning)]).collect()
    };
    table(out, &["record is no page", "records", "meaning"], rows(&made.no_page).into_iter());
    table(out, &["document is dropped", "documents", "meaning"], rows(&made.documents).into_iter());
    table(out, &["paragraph is dropped", "paragraphs", "meaning"], rows(&made.paragraphs).into_iter());
}

fn sources(out: &mut String, card: &Card) {
    let made = &card.made;
    section(out, "Sources");
    let _ = writeln!(out, "Archives: {}, of which {} bytes were read:\n", made.archive_files, made.read_bytes);
    made.archives.iter().for_each(|name| out.push_str(&format!("- {}\n", code(name))));
    let more = made.archive_files.saturating_sub(made.archives.len() as u64);
    if more > 0 {
        let _ = writeln!(out, "- and {more} more");
    }
}

fn settings(out: &mut String, card: &Card) {
    section(out, "Settings");
    let values = card.made.settings.iter();
    table(out, &["setting", "value"], values.map(|(key, value)| vec![code(key), code(value)]));
    if !card.made.differences.is_empty() {
        out.push_str("Settings that differ from the defaults:\n\n");
        card.made.differences.iter().for_each(|line| out.push_str(&format!("- {}\n", code(line))));
    }
}

fn rights(out: &mut String, card: &Card) {
    section(out, "Personal data");
    let _ = writeln!(out, "{}\n", card.personal_data());
    let finds = card.made.pii.iter();
    table(out, &["kind", "finds"], finds.map(|reason| vec![code(&reason.name), reason.count.to_string()]));
    section(out, "Licences that the pages state");
    out.push_str("The texts belong to the authors of the pages. These are statements of the pages, not verified.\n\n");
    values(out, "licence", &card.licenses);
    section(out, "Robots directives of the pages");
    values(out, "directives", &card.robots);
}

/// The most frequent values of a column.
fn values(out: &mut String, head: &str, top: &Top) {
    let (values, others) = top.first(LISTED);
    let rest = [("other values", others), ("none", top.none())];
    let rows = values.into_iter().map(|(value, count)| vec![code(value), count.to_string()]);
    let rest =
        rest.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| vec![name.into(), count.to_string()]);
    table(out, &[head, "documents"], rows.chain(rest));
}
