//! The card of a corpus: what stands in it, that hostile values stay values, and that the programs for which it is meant
//! read it. `WARCORPUS_PYTHON` names a Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{Corpus, expect, python, sample};

const PARQUET: [&str; 2] = ["--set", "output.formats=parquet"];

/// The front matter of a README and the text after it.
fn readme(folder: &Path) -> (Value, String) {
    let text = fs::read_to_string(folder.join("README.md")).unwrap();
    let (front, body) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    (serde_saphyr::from_str(front).unwrap(), body.into())
}

fn croissant(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("croissant.json")).unwrap()).unwrap()
}

#[test]
fn a_card_tells_what_the_files_hold() {
    let corpus =
        Corpus::build(0, &[&sample("web.warc.gz")], &[&PARQUET[..], &["--set", "quality.recipe=gopher"]].concat());
    let out = corpus.out();
    let about = ["--name", "Harbour \"news\"", "--license", "cc-by-4.0", "--url", "https://harbour.example/c"];
    expect(0, &[&["card", &out][..], &about].concat());
    let (front, body) = readme(Path::new(&out));
    let kept = corpus.documents().iter().filter(|document| document.kept).count();
    assert_eq!(front["dataset_info"]["splits"][0]["num_examples"], kept);
    assert_eq!(front["pretty_name"], "Harbour \"news\"");
    assert_eq!(front["configs"][0]["data_files"][0]["path"], "texts/*.parquet");
    assert!(front["language"].as_array().unwrap().iter().any(|code| code == "en"));
    for told in ["| `near_duplicate` |", "web.warc.gz", "| `quality.recipe` | `gopher` |", "| eng | English |"] {
        assert!(body.contains(told), "{told}\n{body}");
    }
    assert!(!body.contains(&*corpus.dir.path().to_string_lossy()));
    let json = croissant(Path::new(&out));
    assert_eq!(json["license"], "https://creativecommons.org/licenses/by/4.0/");
    assert_eq!(json["datePublished"], "2025-11-01");
    assert_eq!(json["distribution"][0]["contentUrl"], "texts/part-00000.parquet");
    let steps = json["rai:dataPreprocessingProtocol"].as_array().unwrap();
    assert!(steps.iter().any(|step| step == "quality.recipe = gopher"), "{steps:?}");
    let collection = json["rai:dataCollection"].as_str().unwrap();
    assert!(collection.ends_with(&format!("and {kept} of these are kept.")), "{collection}");

    // The same corpus has the same card, which is replaced only if asked.
    let files = || ["README.md", "croissant.json"].map(|name| fs::read(Path::new(&out).join(name)).unwrap());
    let first = files();
    let (_, err) = expect(2, &["card", &out]);
    assert!(err.contains("README.md exists; --force replaces it"), "{err}");
    expect(0, &[&["card", &out, "--force"][..], &about].concat());
    assert!(files() == first);
}

#[test]
fn a_card_tells_only_what_the_columns_hold() {
    let lines = ["--set", "quality.signals=rpv2_lines", "--set", "parquet.columns=text,url,rps_lines_num_words"];
    let corpus =
        Corpus::build(0, &[&sample("web.warc.gz")], &[PARQUET, [lines[0], lines[1]], [lines[2], lines[3]]].concat());
    let out = corpus.out();
    expect(0, &["card", &out]);
    let (front, body) = readme(Path::new(&out));
    // The languages of the whole corpus are known without a column.
    let told =
        [" languages; one web archive was read.", "| ISO 639-3 | language | documents | words |", "| eng | English |"];
    assert!(told.iter().all(|told| body.contains(told)), "{body}");
    let list = serde_json::json!({"name": "rps_lines_num_words", "sequence": "float32"});
    assert_eq!(front["dataset_info"]["features"][2], list);
    let field = &croissant(Path::new(&out))["recordSet"][0]["field"][2];
    assert_eq!((&field["dataType"], &field["isArray"]), (&"cr:Float32".into(), &true.into()));
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part").display().to_string();
    let columns = ["--set", "parquet.columns=text,url"];
    expect(0, &[&["emit", &out, "--format", "parquet", "--language", "deu", "--out", &part][..], &columns].concat());
    let (_, err) = expect(0, &["card", &out, "--out", &part]);
    assert!(err.contains("the card names no languages"), "{err}");
    let (_, body) = readme(Path::new(&part));
    assert!(!body.contains(" languages") && !body.contains("## Languages"), "{body}");
    assert!(body.contains(" web pages; one web archive was read."), "{body}");
    let again = ["emit", &out, "--format", "parquet", "--language", "fra", "--out", &part];
    let (_, err) = expect(0, &[&again[..], &columns].concat());
    assert!(err.contains("describe the earlier output; `warcorpus card --force`"), "{err}");
    expect(0, &["build", "--out", &out, "--quiet", "--set", "parquet.columns=text,language"]);
    expect(0, &["card", &out, "--force"]);
    let (_, body) = readme(Path::new(&out));
    assert!(body.contains("| ISO 639-3 | language | documents |\n| --- | --- | --- |\n"), "{body}");
}

#[test]
fn a_card_describes_an_export() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let (_, err) = expect(2, &["card", &corpus.out()]);
    assert!(err.contains("neither texts/*.parquet nor jsonl/"), "{err}");
    let zstd = ["--set", "jsonl.compression=zstd"];
    expect(0, &[&["emit", &corpus.out(), "--format", "jsonl", "--language", "deu", "--out", &out][..], &zstd].concat());
    expect(0, &["card", &corpus.out(), "--out", &out, "--date", "2026-01-02"]);
    let (front, body) = readme(folder.path());
    assert_eq!(front["language"], serde_json::json!(["de"]));
    assert_eq!(front["configs"][0]["data_files"][0]["path"], "jsonl/*.jsonl.zst");
    assert!(body.contains("They are a part of the 72 documents"), "{body}");
    assert_eq!(croissant(folder.path())["datePublished"], "2026-01-02");
    for (option, value) in
        [("--license", "CC BY"), ("--url", "x"), ("--date", "today"), ("--date", "0000-01-01"), ("--release", "1")]
    {
        expect(2, &["card", &corpus.out(), "--out", &out, "--force", option, value]);
    }
}

/// A page whose licence and robots directives are hostile.
fn hostile() -> String {
    let line = |n: usize| {
        format!("Ship {n} of the harbour carried {} stones from hill {} to the sea in {}. ", n * 7, n % 9, 1800 + n)
    };
    let text = |from: usize| (from..from + 8).map(line).collect::<String>();
    let (first, second) = (text(1), text(40));
    let license = "https://e.example/\"`|&lt;script&gt;alert(1)&lt;/script&gt;[x](javascript:y)\n---\nlicense: mit";
    let page = format!(
        "<html><head><title>T</title><link rel=license href='{license}'><meta name=robots content='noai`|<b>, x: \"y\"'>\
         <meta name='dc.rights' content='{license}'></head><body><article><p>{first}</p><p>{second}</p></article></body></html>"
    );
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://e.example/a\r\nWARC-Date: 2025-01-02T03:04:05Z\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

#[test]
fn hostile_values_stay_values() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("`|<i>.warc").display().to_string();
    fs::write(&archive, hostile()).unwrap();
    let corpus = Corpus::build(0, &[&archive], &PARQUET);
    let document = &corpus.documents()[0];
    assert!(
        document.kept && document.license.as_deref().is_some_and(|license| license.contains("`|<script>")),
        "{document:?}"
    );
    let name = "N\n---\n<script>\"";
    expect(0, &["card", &corpus.out(), "--name", name]);
    let (front, body) = readme(Path::new(&corpus.out()));
    assert_eq!((front["pretty_name"].as_str(), front["license"].as_str()), (Some(name), Some("unknown")));
    assert!(!body.contains("\n---\n"), "{body}");
    use pulldown_cmark::{Event, Options, Parser, Tag};
    for event in Parser::new_ext(&body, Options::all()) {
        let markup =
            matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Link { .. } | Tag::Image { .. }));
        assert!(!markup, "{event:?}");
    }
    assert_eq!(croissant(Path::new(&corpus.out()))["name"], name);
}

const LOADED: &str = r#"
import glob, json, os, sys
import datasets, huggingface_hub, mlcroissant, duckdb, polars


def load(folder, rows):
    os.chdir(folder)
    card = huggingface_hub.DatasetCard.load("README.md")
    assert card.data.license == "cc-by-4.0" and "en" in card.data.language and card.data.pretty_name, card.data
    assert card.data.size_categories == ["n<1K"] and card.data.task_categories == ["text-generation"]
    loaded = datasets.load_dataset(os.getcwd(), split="train", cache_dir=os.path.join(folder, "..", "cache"))
    assert len(loaded) == rows, len(loaded)
    first = loaded[0]

    pattern = card.data.configs[0]["data_files"][0]["path"]
    assert duckdb.sql(f"select count(*) from '{pattern}'").fetchall() == [(rows,)]
    scan = polars.scan_parquet if pattern.endswith("parquet") else polars.scan_ndjson
    assert scan(pattern).select("text").collect()["text"][0] == first["text"]

    dataset = mlcroissant.Dataset(jsonld="croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors, issues.report()
    about = dataset.metadata
    assert about.data_collection and about.data_collection_type == ["Web Scraping"], about.data_collection_type
    assert "pii.mode = annotate" in about.data_preprocessing_protocol, about.data_preprocessing_protocol
    assert about.personal_sensitive_information, about
    print(issues.report())
    if not pattern.endswith("zst"):
        records = dataset.records("documents")
        count = 0
        for record in records:
            if count == 0:
                text = record["documents/text"]
                assert (text.decode() if isinstance(text, bytes) else text) == first["text"]
                url = record.get("documents/url", record.get("documents/metadata.url"))
                url = url.decode() if isinstance(url, bytes) else url
                assert url == first.get("url", first.get("metadata", {}).get("url")), url
            count += 1
        assert count == rows, count


rows, *folders = sys.argv[1:]
for folder in folders:
    print("load", folder, flush=True)
    load(folder, int(rows))
print("read", rows, "of", len(folders), flush=True)
# Threads of the packages may still run, and abort an interpreter that ends in order.
os._exit(0)
"#;

#[test]
fn loaders_read_what_the_card_describes() {
    let Some(python) = python() else { return };
    let every = "parquet.columns=[\"text\",\"url\",\"author\",\"captured\",\"published\",\"license\",\"language\",\
        \"language_score\",\"words\",\"kept\",\"status\",\"doc\",\"n_words\",\"digit_ratio\"]";
    let exports: [&[&str]; 4] = [
        &["parquet"],
        &["parquet", "--set", every],
        &["jsonl"],
        &["jsonl", "--set", "jsonl.compression=zstd", "--set", "jsonl.fields=datatrove"],
    ];
    let small = ["--set", "plan.shard_bytes=20000", "--set", "quality.signals=basic"];
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &small);
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("load.py");
    fs::write(&script, LOADED).unwrap();
    // One process: to import the packages takes longer than to load the files.
    let mut command = Command::new(&python);
    command.env("HF_HOME", folder.path().join("hf")).env("HF_HUB_OFFLINE", "1").env("HOME", folder.path());
    command.arg(&script).arg("72");
    for (number, export) in exports.into_iter().enumerate() {
        let own = folder.path().join(number.to_string());
        fs::create_dir(&own).unwrap();
        let out = own.join("out").display().to_string();
        expect(0, &[&["emit", &corpus.out(), "--out", &out, "--format"][..], export].concat());
        let about = ["--license", "cc-by-4.0", "--url", "https://harbour.example/c"];
        expect(0, &[&["card", &corpus.out(), "--out", &out][..], &about].concat());
        command.arg(&out);
    }
    let output = command.output().unwrap();
    let (told, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && told.contains("read 72 of 4"), "{told}\n{error}");
    println!("{told}");
}
