//! The folder for training: one row per document, files of a size, samples, and compression.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use crate::common::{Corpus, expect, sample};

const SMALL_SHARDS: [&str; 2] = ["--set", "plan.shard_bytes=20000"];

/// The files of a folder in their order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The values of a column of strings of the table `texts`.
fn column(out: &str, name: &str) -> Vec<String> {
    let mut values = Vec::new();
    for path in files(&Path::new(out).join("texts")) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
        for batch in reader {
            let batch = batch.unwrap();
            let array = batch.column_by_name(name).unwrap();
            values.extend(array.as_string::<i32>().iter().map(|value| value.unwrap().to_string()));
        }
    }
    values
}

fn text(path: &Path) -> String {
    let (mut text, file) = (String::new(), File::open(path).unwrap());
    match path.extension().unwrap().to_str() {
        Some("zst") => zstd::Decoder::new(file).unwrap().read_to_string(&mut text).unwrap(),
        _ => MultiGzDecoder::new(file).read_to_string(&mut text).unwrap(),
    };
    text
}

fn jsonl(out: &str) -> String {
    files(&Path::new(out).join("jsonl")).iter().map(|path| text(path)).collect()
}

#[test]
fn rows_of_texts_are_the_documents_of_jsonl() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "output.formats=jsonl,parquet"]);
    let lines = jsonl(&corpus.out());
    let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let texts: Vec<&str> = objects.iter().map(|object| object["text"].as_str().unwrap()).collect();
    assert!(texts.len() > 50);
    assert_eq!(column(&corpus.out(), "text"), texts);
    let urls: Vec<&str> = objects.iter().map(|object| object["metadata"]["url"].as_str().unwrap()).collect();
    assert_eq!(column(&corpus.out(), "url"), urls);
}

#[test]
fn columns_are_chosen_and_mistakes_are_named() {
    let columns = "parquet.columns=[\"url\",\"n_words\",\"failed_rule\",\"rps_lines_num_words\",\"text\"]";
    let set = ["--set", "output.formats=parquet", "--set", columns, "--set", "quality.recipe=gopher"];
    let more = ["--set", "quality.signals=basic,rpv2_lines"];
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[&set[..], &more].concat());
    let path = corpus.layout().file("texts", "part-00000.parquet");
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let names: Vec<_> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["url", "n_words", "failed_rule", "rps_lines_num_words", "text"]);
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    assert_eq!(batch.column(1).null_count(), 0);
    assert!(batch.column(2).null_count() < batch.num_rows());
    let (words, text) = (batch.column(3).as_list::<i32>().value(0), batch.column(4).as_string::<i32>().value(0));
    assert_eq!(words.len(), text.lines().count());
    // An export later reads the same signals.
    let out = tempfile::tempdir().unwrap();
    let out = out.path().display().to_string();
    expect(0, &["emit", &corpus.out(), "--format", "parquet", "--out", &out]);
    let file = |out: &str| fs::read(Path::new(out).join("texts/part-00000.parquet")).unwrap();
    assert!(file(&out) == file(&corpus.out()));
    let (_, err) = expect(2, &["emit", &corpus.out(), "--format", "parquet", "--set", "parquet.columns=[\"urls\"]"]);
    assert!(err.contains("`parquet.columns` = urls") && err.contains("the nearest is \"url\""), "{err}");
}

#[test]
fn files_of_a_size_hold_the_same_documents_in_their_order() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &SMALL_SHARDS);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let emit = |more: &[&str]| {
        let emit = ["emit", &corpus.out(), "--format", "jsonl,parquet", "--out", &out];
        expect(0, &[&emit[..], more].concat());
        (jsonl(&out), column(&out, "text"), files(&folder.path().join("jsonl")).len())
    };
    let (lines, texts, shards) = emit(&[]);
    assert!(shards > 2);
    let mut numbers = BTreeSet::new();
    for bytes in ["output.shard_bytes=65536", "output.shard_bytes=1G"] {
        let once = emit(&["--set", bytes, "--threads", "1"]);
        assert_eq!(once, emit(&["--set", bytes, "--threads", "4"]));
        let (again, texts_again, files) = once;
        assert!(again == lines && texts_again == texts, "{bytes}");
        // Files of an earlier export with more of them are gone.
        numbers.insert(files);
    }
    assert!(numbers.len() == 2 && numbers.contains(&1), "{numbers:?}");
}

#[test]
fn samples_are_nested_and_do_not_depend_on_shards() {
    let one = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let many = Corpus::build(0, &[&sample("web.warc.gz")], &SMALL_SHARDS);
    let export = |corpus: &Corpus| corpus.dir.path().join("export").display().to_string();
    let chosen = |corpus: &Corpus, share: &str, seed: &str| -> BTreeSet<String> {
        let (of, out) = (["--sample", share, "--seed", seed], export(corpus));
        expect(0, &[&["emit", &corpus.out(), "--format", "parquet", "--out", &out][..], &of].concat());
        column(&out, "record_id").into_iter().collect()
    };
    let (half, tenth) = (chosen(&one, "0.5", "7"), chosen(&one, "0.1", "7"));
    assert!(tenth.is_subset(&half) && tenth.len() < half.len() && half.len() < 60 && half.len() > 20);
    assert_eq!(chosen(&many, "0.5", "7"), half);
    assert_ne!(chosen(&one, "0.5", "8"), half);
    // Files of another corpus are not replaced.
    let (_, err) = expect(2, &["emit", &many.out(), "--format", "parquet", "--out", &export(&one)]);
    assert!(err.contains("has files of another corpus"), "{err}");
    let (_, err) = expect(2, &["emit", &one.out(), "--format", "text", "--sample", "1.5"]);
    assert!(err.contains("expected a share above 0 and up to 1"), "{err}");
}

#[test]
fn zstd_holds_what_gzip_holds() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "output.formats=jsonl"]);
    let lines = jsonl(&corpus.out());
    // The change leaves no file of the other ending.
    let set = ["--set", "output.formats=jsonl", "--set", "jsonl.compression=zstd"];
    expect(0, &[&["build", "--out", &corpus.out(), "--quiet"][..], &set].concat());
    let files = files(&Path::new(&corpus.out()).join("jsonl"));
    assert!(files.iter().all(|path| path.display().to_string().ends_with(".jsonl.zst")), "{files:?}");
    assert!(jsonl(&corpus.out()) == lines);
}
