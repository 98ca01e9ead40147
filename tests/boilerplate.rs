//! The boilerplate table: what it holds, what depends on it, and jobs without it.

use std::fs;

use warcorpus::document::DropReason;

use crate::common::{Corpus, expect, sample};

const WITHOUT: [&str; 2] = ["--set", "output.boilerplate=false"];

#[test]
fn every_block_is_in_one_of_two_tables() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let blocks = corpus.blocks();
    let mut next = (0, 0);
    for block in &blocks {
        let expected = if block.doc == next.0 { next.1 } else { 0 };
        assert_eq!(block.index, expected, "document {}", block.doc);
        next = (block.doc, block.index + 1);
    }
    for block in corpus.boilerplate() {
        assert!(block.boilerplate && !block.kept && block.drop_reason == DropReason::Boilerplate);
        assert!(block.language.is_none() && block.site_pages.is_none() && block.seen_share.is_none());
    }
    assert!(corpus.paragraphs().iter().any(|paragraph| !paragraph.kept));
    assert!(corpus.paragraphs().iter().all(|paragraph| paragraph.drop_reason != DropReason::Boilerplate));
}

#[test]
fn a_job_without_the_table_gives_the_same_corpus() {
    let input = sample("web.warc.gz");
    let (with, without) = (Corpus::build(0, &[&input], &[]), Corpus::build(0, &[&input], &WITHOUT));
    assert!(!without.layout().root().join("boilerplate").exists());
    assert!(with.documents() == without.documents() && with.paragraphs() == without.paragraphs());
    assert!(with.vertical() == without.vertical() && with.stats() == without.stats());
    let lines = |corpus: &Corpus| expect(0, &["explain", &corpus.out(), "0"]).0.lines().count();
    assert!(lines(&without) > 5 && lines(&without) < lines(&with));
}

#[test]
fn a_restart_without_the_table_removes_it() {
    let input = sample("web.warc.gz");
    let corpus = Corpus::build(0, &[&input], &[]);
    assert!(corpus.layout().boilerplate(0).exists());
    expect(2, &["build", &input, "--out", &corpus.out(), "--quiet", WITHOUT[0], WITHOUT[1]]);
    expect(0, &["build", &input, "--out", &corpus.out(), "--quiet", WITHOUT[0], WITHOUT[1], "--restart"]);
    assert!(!corpus.layout().root().join("boilerplate").exists());
}

/// Formats are written from the tables: what the job was planned with may be gone.
#[test]
fn formats_need_no_index_that_the_job_was_compared_with() {
    let input = sample("web.warc.gz");
    let reference = Corpus::build(0, &[&input], &["--set", "output.name=earlier"]);
    let index = reference.dir.path().join("index").display().to_string();
    expect(0, &["index", &reference.out(), "--out", &index]);
    let corpus = Corpus::build(0, &[&input], &["--against", &index]);
    fs::remove_dir_all(&index).unwrap();
    expect(0, &["emit", &corpus.out(), "--format", "text"]);
    assert!(corpus.layout().part("text", "txt.gz", 0).exists());
}
