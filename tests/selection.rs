//! Only the records that an index names are read, and they come out as in a build of everything.

use std::fs;
use std::path::Path;

use warcorpus::document::Document;

use crate::common::{Corpus, expect, sample};

const ALL: &[&str] = &["--set", "sites.enabled=false", "--set", "near.enabled=false", "--set", "overlap.enabled=false"];

/// A CDXJ file with a line for each document, as a crawl's index has it.
fn cdxj(path: &Path, documents: &[&Document]) {
    let lines: String = documents
        .iter()
        .map(|d| {
            let status = d.status.map(|s| s.to_string()).unwrap_or_default();
            format!(
                "key 20240501120000 {{\"url\": {:?}, \"status\": \"{status}\", \"languages\": \"{}\", \"length\": \"{}\", \
                 \"offset\": \"{}\", \"filename\": \"crawl-data/x/{}\"}}\n",
                d.url, d.language, d.length, d.offset, "web.warc.gz"
            )
        })
        .collect();
    fs::write(path, lines).unwrap();
}

/// Apart from the key, which counts documents.
fn without_keys(mut documents: Vec<Document>) -> Vec<Document> {
    documents.iter_mut().for_each(|d| d.doc = 0);
    documents
}

#[test]
fn selected_records_come_out_as_in_a_build_of_all() {
    let web = sample("web.warc.gz");
    let whole = Corpus::build(0, &[&web], ALL);
    let documents = whole.documents();
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    // Every third, in an order that is not the archive's, some twice.
    let mut named: Vec<&Document> = documents.iter().step_by(3).collect();
    named.reverse();
    named.push(named[0]);
    cdxj(&index, &named);
    let index = index.display().to_string();
    for more in [vec![], vec!["--set", "plan.shard_bytes=20000", "--threads", "2"]] {
        let selected = Corpus::build(0, &[&web], &[ALL, &["--select", &index], &more].concat());
        let want: Vec<Document> = documents.iter().step_by(3).cloned().collect();
        assert_eq!(without_keys(selected.documents()), without_keys(want.clone()));
        let texts = |corpus: &Corpus, keys: &[u64]| -> Vec<String> {
            corpus.paragraphs().into_iter().filter(|p| keys.contains(&p.doc)).map(|p| p.text).collect()
        };
        let keys = |documents: &[Document]| -> Vec<u64> { documents.iter().map(|d| d.doc).collect() };
        assert_eq!(texts(&selected, &keys(&selected.documents())), texts(&whole, &keys(&want)));
        let selection = &selected.stats()["selection"];
        assert_eq!((&selection["rows"], &selection["repeated"]), (&(want.len() as u64 + 1).into(), &1.into()));
        expect(0, &["emit", &selected.out(), "--format", "jsonl"]);
        expect(0, &["card", &selected.out()]);
        let (card, read) =
            (selected.layout().root().join("README.md"), selected.stats()["input_bytes"].as_u64().unwrap());
        assert!(read < fs::metadata(&web).unwrap().len());
        let (card, told) =
            (fs::read_to_string(card).unwrap(), format!("Archives: 1, of which {read} bytes were read:"));
        assert!(card.contains(&told), "{told}\n{card}");
    }
}

#[test]
fn an_expression_chooses_rows() {
    let web = sample("web.warc.gz");
    let documents = Corpus::build(0, &[&web], ALL).documents();
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    cdxj(&index, &documents.iter().collect::<Vec<_>>());
    let index = index.display().to_string();
    let wanted = ["--select", &index, "--where", "content_languages has ces and fetch_status = 200"];
    let corpus = Corpus::build(0, &[&web], &[ALL, &wanted].concat());
    let found = corpus.documents();
    assert!(!found.is_empty() && found.iter().all(|d| d.language.code() == "ces"));
    assert_eq!(found.len(), documents.iter().filter(|d| d.language.code() == "ces" && d.status == Some(200)).count());
    let out = dir.path().join("out").display().to_string();
    let refused = |filter: &str| {
        let arguments = ["build", &web, "--out", &out, "--select", &index, "--where", filter];
        expect(2, &arguments).1
    };
    assert!(refused("content_language has ces").contains("content_languages"));
    assert!(refused("fetch_status = ").contains("expected"));
    assert!(refused("url_host_tld = nowhere").contains("empty"));
    let other = ["build", &web, "--out", &corpus.out(), "--select", &index];
    assert!(expect(2, &[&other, ALL].concat()).1.contains("select.where"));
}

#[test]
fn what_the_index_names_and_is_not_there_is_listed() {
    let web = sample("web.warc.gz");
    let mut document = Corpus::build(0, &[&web], ALL).documents().remove(0);
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    let right = document.clone();
    let behind = fs::metadata(&web).unwrap().len() + 9;
    for offset in [document.offset + 7, document.offset + 1, document.offset - 1, behind] {
        document.offset = offset;
        cdxj(&index, &[&right, &document]);
        let corpus = Corpus::build(3, &[&web], &[ALL, &["--select", &index.display().to_string()]].concat());
        assert_eq!(corpus.documents().len(), 1);
        let rejects = fs::read_to_string(corpus.layout().rejects()).unwrap();
        assert!(rejects.contains(&format!("\"offset\":{offset}")), "{rejects}");
        assert!(rejects.contains("\"reason\":\"no_record\""), "{rejects}");
        assert_eq!(corpus.stats()["damage"], serde_json::json!({ "no_record": 1 }));
        assert_eq!(corpus.stats()["damaged_bytes"], 0);
    }
}

#[test]
fn a_length_that_reaches_over_other_records_selects_none_of_them() {
    let web = sample("web.warc.gz");
    let documents = Corpus::build(0, &[&web], ALL).documents();
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    let long = |document: &Document| Document { length: 1_000_000, ..document.clone() };
    cdxj(&index, &[&long(&documents[0]), &long(&documents[3])]);
    let corpus = Corpus::build(0, &[&web], &[ALL, &["--select", &index.display().to_string()]].concat());
    let urls: Vec<String> = corpus.documents().into_iter().map(|document| document.url).collect();
    assert_eq!(urls, [documents[0].url.as_str(), documents[3].url.as_str()]);
}

#[test]
fn a_damaged_selection_is_made_again_and_a_long_length_is_no_harm() {
    let web = sample("web.warc.gz");
    let documents = Corpus::build(0, &[&web], ALL).documents();
    let dir = tempfile::tempdir().unwrap();
    let index = dir.path().join("index.cdxj");
    let mut long = documents[1].clone();
    long.length = 4_000_000_000_000_000;
    cdxj(&index, &[&documents[0], &long, &documents[1]]);
    let index = index.display().to_string();
    let options = [ALL, &["--select", &index]].concat();
    let corpus = Corpus::build(0, &[&web], &options);
    assert_eq!(corpus.documents().len(), 2);
    let before = corpus.files();
    let out = corpus.out();
    let again = [&["build", &web, "--out", &out, "--quiet"], &options[..]].concat();
    for damage in [|path: &Path| fs::remove_file(path).unwrap(), |path: &Path| fs::write(path, b"x").unwrap()] {
        damage(&corpus.layout().selection());
        expect(0, &again);
        assert!(corpus.files() == before);
    }
    fs::remove_dir_all(corpus.layout().work()).unwrap();
    expect(0, &["build", "--out", &corpus.out(), "--quiet"]);
    assert!(corpus.files() == before);
}

/// Old indices have no lengths: a record ends at the next one that is wanted, or at its own end.
#[test]
fn an_index_without_lengths_selects_the_same() {
    let all = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let documents = all.documents();
    let folder = tempfile::tempdir().unwrap();
    let index = |name: &str, line: &dyn Fn(&Document) -> String| {
        let path = folder.path().join(name);
        let lines: Vec<String> = documents.iter().step_by(2).map(line).collect();
        fs::write(&path, lines.join("\n")).unwrap();
        path.display().to_string()
    };
    let short = index("short.cdx", &|document| {
        format!("x 2024 {} text/html 200 - - {} web.warc.gz", document.url, document.offset)
    });
    let long = index("long.cdx", &|document| {
        let Document { url, offset, length, .. } = document;
        format!("x 2024 {url} text/html 200 - - - {length} {offset} web.warc.gz")
    });
    let [short, long] = [short, long].map(|index| {
        let corpus = Corpus::build(0, &[&sample("web.warc.gz"), "--select", &index], &[]);
        (corpus.documents(), corpus.paragraphs())
    });
    assert!(short.0.len() > 2 && short == long);
}
