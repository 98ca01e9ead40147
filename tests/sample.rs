//! `data-samples/` builds to what was looked over by eye and committed in `data-samples/expected/`.
//!
//! After a wanted change: `UPDATE_EXPECTED=1 cargo test sample`, then read the difference.

use std::fmt::Write;
use std::fs;

use crate::common::{Corpus, root, sample};

#[test]
fn the_sample_builds_as_expected() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    check("documents.tsv", &documents(&corpus));
    check("paragraphs.txt", &paragraphs(&corpus));
    check("web.vert", &corpus.vertical());
    check("stats.json", &fs::read_to_string(corpus.layout().stats()).unwrap());
}

#[test]
fn the_damaged_sample_builds_as_expected() {
    let corpus = Corpus::build(3, &[&sample("damaged.warc.gz")], &[]);
    let rejects = fs::read_to_string(corpus.layout().rejects()).unwrap();
    check("damaged.rejects.jsonl", &rejects.replace(&sample(""), ""));
    check("damaged.stats.json", &fs::read_to_string(corpus.layout().stats()).unwrap());
}

/// One line per document, the columns that say what became of it.
fn documents(corpus: &Corpus) -> String {
    let mut out = String::from(
        "url\toffset\tcharset\tcharset_source\tlanguage\ttitle\tauthor\tpublished\twords\tparagraphs\tkeeper\tsimilarity\tdrop_reason\n",
    );
    for d in corpus.documents() {
        let optional = |value: Option<String>| value.unwrap_or_default();
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            d.url,
            d.offset,
            d.charset,
            d.charset_source.name(),
            d.language,
            optional(d.title),
            d.author.join("; "),
            optional(d.published.map(|day| day.to_string())),
            d.words,
            d.paragraphs,
            optional(d.keeper.map(|k| k.to_string())),
            optional(d.similarity.map(|s| format!("{s:.3}"))),
            d.drop_reason
        )
        .unwrap();
    }
    out
}

/// Every paragraph under its document, with its fate before it.
fn paragraphs(corpus: &Corpus) -> String {
    let documents = corpus.documents();
    let mut out = String::new();
    let mut last = None;
    for p in corpus.blocks() {
        if last.replace(p.doc) != Some(p.doc) {
            let document = documents.iter().find(|d| d.doc == p.doc).unwrap();
            writeln!(out, "\n# {} {}", document.url, document.drop_reason).unwrap();
        }
        let fate = if p.kept { "kept" } else { p.drop_reason.name() };
        writeln!(
            out,
            "{fate}\t{}\t{}\t{}\t{}",
            p.class.name(),
            p.kind.name(),
            p.language.map_or("", |language| language.code()),
            p.text
        )
        .unwrap();
    }
    out
}

fn check(name: &str, got: &str) {
    let path = root().join("data-samples/expected").join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, got).unwrap();
    }
    let want = fs::read_to_string(&path).unwrap_or_default();
    let first = got.lines().zip(want.lines()).position(|(g, w)| g != w).unwrap_or(0);
    let line = |text: &str| text.lines().nth(first).unwrap_or_default().to_string();
    assert!(got == want, "{name} line {}:\n  got  {}\n  want {}", first + 1, line(got), line(&want));
}
