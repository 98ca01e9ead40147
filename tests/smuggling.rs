//! Pages that hold archives of their own. Their bytes look like records, with addresses that nobody fetched; they must
//! not be read as such, wherever the reading of a file is divided and whatever is damaged.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use warcorpus::store::marker::Marker;

use crate::common::{Corpus, command, expect};
use crate::crawl::Random;

const FORGED: &str = "https://forged.example/";
const SHARDS: &str = "plan.shard_bytes=65536";

fn page(url: &str, body: &[u8], media_type: &str) -> Vec<u8> {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{url}>\r\nWARC-Date: 2025-01-01T00:00:00Z\r\n\
         WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len() + body.len()
    );
    [head.as_bytes(), http.as_bytes(), body, b"\r\n\r\n"].concat()
}

/// A page of text that the cleaner keeps; `number` makes it another one.
fn article(number: u64) -> String {
    let mut random = Random(number);
    let words = ["the river", "of a city", "and its bridge", "was for years", "in the hands", "of old families"];
    let sentence = |random: &mut Random| {
        let parts: Vec<&str> = (0..9).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        format!("So {}.", parts.join(" "))
    };
    let paragraph = |random: &mut Random| (0..5).map(|_| sentence(random)).collect::<Vec<_>>().join(" ");
    let body: String = (0..3).map(|_| format!("<p>{}</p>", paragraph(&mut random))).collect();
    // Random characters, so that no compressor finds much in an archive of such pages.
    let noise: String = (0..400).map(|_| format!("{:016x}", random.next())).collect();
    format!("<html><!--{noise}--><body>{body}</body></html>")
}

fn forged(number: u64) -> Vec<u8> {
    page(&format!("{FORGED}{number}"), article(100 + number).as_bytes(), "text/html")
}

fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// An archive of a page, the hostile record, and a page.
fn write(path: &Path, member: impl Fn(&[u8]) -> Vec<u8>, hostile: &[u8]) {
    let own = |n: u64| member(&page(&format!("https://own.example/{n}"), article(n).as_bytes(), "text/html"));
    fs::write(path, [own(1), hostile.to_vec(), own(2)].concat()).unwrap();
}

fn addresses(corpus: &Corpus) -> Vec<String> {
    corpus.documents().into_iter().map(|document| document.url).collect()
}

/// Archives whose pages hold archives, sound in every byte.
fn sound(folder: &Path) -> Vec<String> {
    let archive = |name: &str| folder.join(name).display().to_string();
    let url = "https://hostile.example/";
    let inner: Vec<u8> = (0..200).flat_map(|n| gzip(&forged(n), 6)).collect();
    write(&folder.join("a.warc.gz"), |bytes| gzip(bytes, 6), &gzip(&page(url, &inner, "application/gzip"), 0));
    let inner: Vec<u8> = (0..200).flat_map(|n| zstd(&forged(n))).collect();
    write(&folder.join("b.warc.zst"), zstd, &zstd(&page(url, &inner, "application/zstd")));
    let inner: Vec<u8> = (0..200).flat_map(|n| [b"\r\n\r\n".to_vec(), forged(n)].concat()).collect();
    let inner = [b"<html><body><pre>".as_slice(), &inner, b"</pre></body></html>"].concat();
    write(&folder.join("c.warc"), <[u8]>::to_vec, &page(url, &inner, "image/png"));
    ["a.warc.gz", "b.warc.zst", "c.warc"].map(archive).to_vec()
}

#[test]
fn a_shard_that_begins_inside_a_page_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for archive in sound(folder.path()) {
        let whole = Corpus::build(0, &[&archive], &["--set", "plan.shard_bytes=100000000"]);
        assert_eq!(addresses(&whole), ["https://own.example/1", "https://own.example/2"], "{archive}");
        let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
        let arguments = ["build", &archive, "--out", &corpus.out(), "--set", SHARDS];
        let (_, err) = expect(0, &arguments);
        assert!(err.contains("is read again from"), "{archive}: the shards held no forged record\n{err}");
        assert_eq!(addresses(&corpus), addresses(&whole), "{archive}");
        // What is done is not done again.
        let before = corpus.files();
        let (_, err) = expect(0, &arguments);
        assert!(!err.contains("is read again") && corpus.files() == before, "{archive}\n{err}");
    }
}

#[test]
fn a_marker_of_a_shard_read_again_may_be_lost() {
    let folder = tempfile::tempdir().unwrap();
    let archive = &sound(folder.path())[0];
    let corpus = Corpus::build(0, &[archive], &["--set", SHARDS]);
    let before = corpus.files();
    // A task of extract that has to run again begins where the stage found that the shard begins.
    let done = corpus.layout().done("extract", 1);
    fs::remove_file(&done).unwrap_or_else(|e| panic!("{}: {e}", done.display()));
    let (out, err) = expect(0, &["build", "--out", &corpus.out(), "--quiet"]);
    assert!(done.exists(), "{out}{err}");
    assert_eq!(addresses(&corpus), ["https://own.example/1", "https://own.example/2"]);
    assert!(corpus.files() == before);
}

/// A kill between the marker of a task and the removal of its checkpoint leaves the checkpoint.
#[test]
fn a_shard_is_not_read_again_from_the_checkpoint_of_another_start() {
    let folder = tempfile::tempdir().unwrap();
    let archive = &sound(folder.path())[0];
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let out = corpus.out();
    expect(0, &["plan", archive, "--out", &out, "--no-estimate", "--set", SHARDS]);
    expect(0, &["task", "extract", "0-1000", "--out", &out, "--quiet"]);
    for shard in 0..1000 {
        let Some(done) = Marker::<Value>::read(&corpus.layout().done("extract", shard)).unwrap() else { break };
        let read = json!({"segments": [], "reached": null, "documents": 0, "counters": done.counts, "ended": true});
        let checkpoint = Marker { counts: read, files: Vec::new(), ..done };
        checkpoint.write(&corpus.layout().checkpoint(shard)).unwrap();
    }
    let (_, err) = expect(0, &["build", "--out", &out]);
    assert!(err.contains("is read again from"), "{err}");
    assert_eq!(addresses(&corpus), ["https://own.example/1", "https://own.example/2"]);
}

#[test]
fn members_stored_in_a_member_that_breaks_off_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc.gz");
    let inner: Vec<u8> = (0..9).flat_map(|n| gzip(&forged(n), 6)).collect();
    let outer = gzip(&page("https://hostile.example/", &inner, "application/gzip"), 0);
    write(&path, |bytes| gzip(bytes, 6), &outer[..outer.len() - 9]);
    let corpus = Corpus::build(0, &[&path.display().to_string()], &[]);
    assert_eq!(addresses(&corpus), ["https://own.example/1", "https://own.example/2"]);
}

#[test]
fn what_follows_damage_in_an_uncompressed_archive_is_counted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    write(&path, <[u8]>::to_vec, &[b"damage\r\n\r\n".as_slice(), &forged(1)].concat());
    let archive = path.display().to_string();
    let corpus = Corpus::build(3, &[&archive], &[]);
    assert_eq!((addresses(&corpus).len(), &corpus.stats()["faults"]["record.resynchronised"]), (3, &1.into()));
    let corpus = Corpus::build(3, &[&archive], &["--set", "archive.resync=members"]);
    assert_eq!(addresses(&corpus), ["https://own.example/1"]);
    let out = corpus.dir.path().join("other").display().to_string();
    let refused = command(&["build", &archive, "--out", &out, "--set", "archive.resync=some"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
}

/// The reader of a shard searches behind its end for the record after the damage. A checkpoint before each record may not count
/// that again.
#[test]
fn a_search_at_the_end_of_a_shard_is_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    let of = |n: u64| page(&format!("https://own.example/{n}"), article(n).as_bytes(), "text/html");
    let mut records: Vec<Vec<u8>> = (1..=18).map(of).collect();
    records[10][..8].copy_from_slice(b"XXXX/1.0");
    let before: usize = records[..10].iter().map(Vec::len).sum();
    fs::write(&path, records.concat()).unwrap();
    let shards = format!("plan.shard_bytes={}", before + records[10].len() / 2);
    for seconds in ["plan.checkpoint_seconds=0", "plan.checkpoint_seconds=240"] {
        let corpus = Corpus::build(3, &[&path.display().to_string()], &["--set", &shards, "--set", seconds]);
        let stats = corpus.stats();
        assert_eq!(
            (&stats["records"], &stats["faults"]["record.resynchronised"]),
            (&17.into(), &1.into()),
            "{seconds}"
        );
    }
}
