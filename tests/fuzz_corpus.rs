//! The inputs of `fuzz/corpus/`, each read as its fuzz target reads it: what fuzzing found once stays found.

use std::fs;

#[path = "../fuzz/bodies.rs"]
mod bodies;

use crate::common::root;

fn replay(target: &str, body: fn(&[u8])) {
    let files: Vec<_> = fs::read_dir(root().join("fuzz/corpus").join(target)).unwrap().collect();
    assert!(!files.is_empty());
    files.into_iter().for_each(|file| body(&fs::read(file.unwrap().path()).unwrap()));
}

#[test]
fn archives_are_read() {
    replay("records", bodies::archive);
    replay("http", bodies::http);
}

#[test]
fn pages_are_read() {
    replay("page", bodies::page);
    replay("rules", bodies::rules);
    replay("charset", bodies::charset);
    replay("text", bodies::text);
}

#[test]
fn indexes_and_files_of_a_job_are_read_or_refused() {
    replay("select", bodies::select);
    replay("files", bodies::files);
}
