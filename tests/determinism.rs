//! The output depends on input and configuration, and on nothing else.

use crate::common::{Corpus, assert_same_files, in_memory, sample, shared};

/// Several files, damage among them, cut into small shards so that threads have something to race for.
fn corpus(more: &[&str]) -> Corpus {
    let mut options = vec!["--set", "plan.shard_bytes=40000"];
    options.extend(more);
    Corpus::build_in(in_memory(), 3, &[&sample("web.warc.gz"), &sample("damaged.warc.gz")], &options)
}

#[test]
fn threads_do_not_matter() {
    let one = corpus(&["--threads", "1"]);
    for threads in ["2", "2", "5"] {
        assert_same_files(&one, &corpus(&["--threads", threads]));
    }
}

#[test]
fn mapping_does_not_matter() {
    let mapped = corpus(&[]);
    let read = corpus(&["--set", "archive.mmap=false"]);
    assert!(mapped.documents() == read.documents());
    assert!(mapped.blocks() == read.blocks());
    assert_eq!(mapped.vertical(), read.vertical());
}

/// Shards show in keys only.
#[test]
fn shards_do_not_matter() {
    let whole = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    for bytes in ["plan.shard_bytes=3000", "plan.shard_bytes=50000"] {
        let split = Corpus::build_in(in_memory(), 0, &[&sample("web.warc.gz")], &["--set", bytes]);
        assert_same_apart_from_keys(&whole, &split);
    }
}

#[test]
fn shards_do_not_matter_on_real_pages() {
    let Some(data) = shared("extraction/goose3.warc.gz") else { return };
    let input = data.display().to_string();
    let whole = Corpus::build(0, &[&input], &[]);
    let split = Corpus::build(0, &[&input], &["--set", "plan.shard_bytes=60000", "--threads", "2"]);
    assert_same_apart_from_keys(&whole, &split);
}

fn assert_same_apart_from_keys(a: &Corpus, b: &Corpus) {
    let urls = |corpus: &Corpus| -> Vec<(String, u64)> {
        corpus.documents().into_iter().map(|d| (d.record_id, d.doc)).collect()
    };
    let (names_a, names_b) = (urls(a), urls(b));
    let name = |names: &[(String, u64)], key: u64| names.iter().find(|(_, k)| *k == key).unwrap().0.clone();
    let (documents_a, documents_b) = (a.documents(), b.documents());
    assert_eq!(documents_a.len(), documents_b.len());
    for (mut x, mut y) in documents_a.into_iter().zip(documents_b) {
        for (ours, theirs) in [(&mut x.keeper, &mut y.keeper), (&mut x.contained_in, &mut y.contained_in)] {
            let names = (ours.take().map(|key| name(&names_a, key)), theirs.take().map(|key| name(&names_b, key)));
            assert_eq!(names.0, names.1, "{}", x.url);
        }
        (x.doc, y.doc) = (0, 0);
        assert_eq!(x, y);
    }
    let (paragraphs_a, paragraphs_b) = (a.blocks(), b.blocks());
    assert_eq!(paragraphs_a.len(), paragraphs_b.len());
    for (mut x, mut y) in paragraphs_a.into_iter().zip(paragraphs_b) {
        (x.doc, y.doc) = (0, 0);
        assert_eq!(x, y);
    }
}
