//! Archives on servers: the same corpus as from files, whatever the server does.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use warcorpus::document::Document;

use crate::common::{Corpus, command, expect, root, sample};
use crate::http_server::Server;

const OPTIONS: [&str; 6] =
    ["--set", "plan.shard_bytes=30000", "--set", "remote.chunk=8192", "--set", "remote.memory=65536"];

fn server() -> Server {
    Server::start(&root().join("data-samples"))
}

/// The tables without what names the place.
fn documents(corpus: &Corpus) -> Vec<Document> {
    let mut documents = corpus.documents();
    documents.iter_mut().for_each(|document| document.archive.clear());
    documents
}

fn assert_same(remote: &Corpus, local: &Corpus) {
    assert_eq!(documents(remote), documents(local));
    assert!(remote.blocks() == local.blocks());
    assert_eq!(remote.vertical(), local.vertical());
}

#[test]
fn a_web_server_is_as_good_as_a_folder() {
    let local = Corpus::build(3, &[&sample("web.warc.gz"), &sample("damaged.warc.gz")], &OPTIONS);
    let server = server();
    let urls = [server.url("web.warc.gz"), server.url("damaged.warc.gz")];
    let remote = Corpus::build(3, &[&urls[0], &urls[1]], &OPTIONS);
    assert_same(&remote, &local);
    assert!(server.requests().iter().all(|request| request.range().is_some_and(|(a, b)| b - a < 8192)));
    // The record comes back from the server.
    let document = &remote.documents()[3];
    let shown = command(&["show", &remote.out(), &document.doc.to_string()]).output().unwrap();
    let from_file = command(&["show", &local.out(), &document.doc.to_string()]).output().unwrap();
    assert!(shown.status.success() && shown.stdout == from_file.stdout && !shown.stdout.is_empty());
}

#[test]
fn failing_requests_and_cut_connections_lose_nothing() {
    let local = Corpus::build(0, &[&sample("web.warc.gz")], &OPTIONS);
    let server = server();
    server.set(|faults| {
        faults.fail_every = 20;
        faults.cut_every = 50;
    });
    let smaller = ["--set", "remote.chunk=4096"];
    let remote = Corpus::build(0, &[&server.url("web.warc.gz")], &[&OPTIONS[..], &smaller].concat());
    assert!(server.requests().len() > 50, "{} requests", server.requests().len());
    assert_same(&remote, &local);
}

#[test]
fn lists_name_files_of_their_server() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("crawl")).unwrap();
    fs::copy(sample("web.warc.gz"), dir.path().join("crawl/web.warc.gz")).unwrap();
    let mut list = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut list, b"crawl/web.warc.gz\n").unwrap();
    fs::write(dir.path().join("warc.paths.gz"), list.finish().unwrap()).unwrap();
    let server = Server::start(dir.path());
    let local = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let remote = Corpus::build(0, &[&server.url("warc.paths.gz?X-Amz-Signature=secret")], &[]);
    assert_same(&remote, &local);
    assert_eq!(remote.documents()[0].archive, server.url("crawl/web.warc.gz"));
    // An index that names files below a prefix.
    let document = &remote.documents()[5];
    let index = dir.path().join("index.cdxj");
    let (offset, length) = (document.offset, document.length);
    let line = format!("{{\"offset\": {offset}, \"length\": {length}, \"filename\": \"crawl/web.warc.gz\"}}");
    fs::write(&index, format!("org,example)/ 20240501120000 {line}\n")).unwrap();
    server.reset();
    let prefix = format!("remote.prefix={}", server.url(""));
    let one = Corpus::build(0, &[], &["--select", &index.display().to_string(), "--set", &prefix]);
    assert_eq!((one.documents().len(), &one.documents()[0].url), (1, &document.url));
    let bytes: u64 = server.requests().iter().filter_map(|r| r.range()).map(|(a, b)| b - a + 1).sum();
    assert!(bytes <= length + 1, "{bytes} bytes asked for, the record has {length}");
}

#[test]
fn an_object_store_is_as_good_as_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("bucket")).unwrap();
    for name in ["web.warc.gz", "sample.warc.zst", "sample.arc.gz"] {
        fs::copy(sample(name), dir.path().join("bucket").join(name)).unwrap();
    }
    fs::write(dir.path().join("bucket/notes.txt"), "no archive").unwrap();
    let server = Server::start(dir.path());
    let folder = dir.path().join("bucket").display().to_string();
    let local = Corpus::build(0, &[&folder], &OPTIONS);
    let endpoint = format!("remote.endpoint={}", server.url("").trim_end_matches('/'));
    let more = ["--set", &endpoint, "--set", "remote.anonymous=true"];
    let remote = Corpus::build(0, &["s3://bucket/"], &[&OPTIONS[..], &more].concat());
    assert_same(&remote, &local);
    assert_eq!(remote.documents()[0].archive, "s3://bucket/sample.arc.gz");
}

#[test]
fn what_cannot_work_is_said_before_work() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let (_, err) = expect(1, &["build", &server.url("nothing.warc.gz"), "--out", &out]);
    assert!(err.contains("nothing.warc.gz") && err.contains("404"), "{err}");
    let (_, err) = expect(2, &["build", "ftp://host/a.warc.gz", "--out", &out]);
    assert!(err.contains("ftp:// is not supported"), "{err}");
    server.set(|faults| faults.ignore_range = true);
    let (_, err) = expect(1, &["build", &server.url("web.warc.gz"), "--out", &out]);
    assert!(err.contains("download"), "{err}");
}

#[test]
fn an_object_that_changed_since_it_was_planned_is_refused() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    expect(0, &["plan", &server.url("web.warc.gz"), "--out", &out]);
    server.set(|faults| faults.etag = Some("another".into()));
    let (_, err) = expect(1, &["task", "extract", "0", "--out", &out, "--quiet"]);
    assert!(err.contains("web.warc.gz") && err.contains("chang"), "{err}");
}

#[test]
fn a_job_goes_on_with_a_renewed_signature_and_tells_none() {
    let server = server();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let signed = |signature: &str| server.url(&format!("web.warc.gz?page=1&X-Amz-Signature={signature}"));
    let (old, new) = (signed("old"), signed("new"));
    let (_, err) = expect(2, &["plan", &old, &old, "--out", &out]);
    assert!(err.contains("web.warc.gz?page=1 is named twice") && !err.contains("Signature"), "{err}");
    expect(0, &["plan", &old, "--out", &out, "--set", "remote.endpoint=\"http://user:secret@localhost\""]);
    let mode = |file: &str| fs::metadata(dir.path().join("out").join(file)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("plan.json"), mode("job.toml")), (0o600, 0o600));
    let (_, err) = expect(2, &["plan", &server.url("damaged.warc.gz?X-Amz-Signature=old"), "--out", &out]);
    assert!(err.contains("damaged.warc.gz is new; ") && err.contains("web.warc.gz?page=1 is missing"), "{err}");
    assert!(!err.contains("Signature"), "{err}");
    server.reset();
    expect(0, &["build", &new, "--out", &out]);
    assert!(server.requests().iter().all(|request| request.target.ends_with("Signature=new")));
    assert_eq!(mode("plan.json"), 0o600);
    let (_, table) = expect(0, &["build", &new, "--out", &out]);
    assert!(!table.contains("Signature"), "{table}");
}
