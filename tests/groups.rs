//! Page types, confidence, and documents chosen and grouped by any column, counted again from tables and files.

use std::collections::BTreeMap;
use std::fs;

use warcorpus::document::Document;
use warcorpus::quality::Signals;

use crate::common::{Corpus, build, expect, read_format, rows};
use crate::{strict_vertical, strict_xml};

const FORMATS: &str = r#"output.formats=["vertical","tei","jsonl"]"#;
const SIGNALS: &str = r#"quality.signals=["readability"]"#;

fn kept(corpus: &Corpus) -> Vec<Document> {
    corpus.documents().into_iter().filter(|document| document.kept).collect()
}

fn page_type(document: &Document) -> String {
    document.page_type.map_or(String::new(), |page_type| page_type.name().to_string())
}

#[test]
fn pages_have_a_type_and_a_confidence_in_all_formats() {
    let corpus = build(&[FORMATS]);
    let documents = kept(&corpus);
    let of_html = |document: &&Document| document.content_type.contains("html");
    assert!(documents.iter().filter(of_html).all(|document| document.page_type.is_some()));
    let articles = documents.iter().filter(|document| page_type(document) == "article").count();
    assert!(articles * 2 > documents.len(), "{articles} of {}", documents.len());
    let sure = documents.iter().filter_map(|document| document.confidence);
    assert!(sure.clone().all(|confidence| (0.0..=1.0).contains(&confidence)) && sure.count() > 50);

    let registry = fs::read_to_string(corpus.layout().file("registry", "warcorpus")).unwrap();
    assert!(registry.contains("doc.page_type|doc.confidence"), "{registry}");
    let reading = strict_vertical::read(&registry, &corpus.vertical());
    assert_eq!((reading.problems.first(), reading.never_present.first()), (None, None));
    assert_eq!(reading.attributes.len(), documents.len());
    for (attributes, document) in reading.attributes.iter().zip(&documents) {
        assert_eq!(attributes.get("page_type").cloned().unwrap_or_default(), page_type(document));
        if let Some((range, confidence)) = attributes.get("confidence").zip(document.confidence) {
            let (from, to) = range.split_once('-').unwrap();
            assert!((from.parse::<f32>().unwrap()..=to.parse().unwrap()).contains(&confidence), "{range} {confidence}");
        }
    }
    let lines = read_format(&corpus.out(), "jsonl");
    assert_eq!(lines.lines().count(), documents.len());
    for (line, document) in lines.lines().zip(&documents) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["metadata"]["page_type"], page_type(document));
    }
    let (file, mut codes) = (strict_xml::parse(&read_format(&corpus.out(), "tei")), Vec::new());
    file.all("classCode", &mut codes);
    let typed = documents.iter().map(page_type).filter(|page_type| !page_type.is_empty());
    assert!(codes.iter().map(|code| code.text()).eq(typed));
}

#[test]
fn cleaners_without_scores_give_no_confidence() {
    let corpus = build(&["clean.cleaner=justext"]);
    assert!(corpus.documents().iter().all(|document| document.confidence.is_none()));
    assert!(corpus.documents().iter().any(|document| document.page_type.is_some()));
}

/// Rows of a table: the first cell → the others.
fn table(text: &str) -> BTreeMap<String, Vec<String>> {
    let cells = |line: &str| line.split('\t').map(String::from).collect::<Vec<_>>();
    text.lines().skip(1).map(cells).map(|row| (row[0].clone(), row[1..].to_vec())).collect()
}

#[test]
fn statistics_are_grouped_by_any_column() {
    let (corpus, dir) = (build(&[SIGNALS]), tempfile::tempdir().unwrap());
    let out = dir.path().display().to_string();
    let documents = corpus.documents();
    type Value = fn(&Document) -> String;
    let value: [(&str, Value); 4] = [
        ("page_type", page_type),
        ("language", |document| document.language.code().to_string()),
        ("languages", |document| document.main_languages().collect::<Vec<_>>().join(",")),
        ("tld", |document| document.tld.clone()),
    ];
    for (column, value) in value {
        let (report, _) = expect(0, &["stats", &corpus.out(), "--out", &out, "--group-by", column, "--threads", "2"]);
        assert!(report.contains("\ngroup "), "{report}");
        let mut want: BTreeMap<String, [u64; 3]> = BTreeMap::new();
        let paragraphs = corpus.paragraphs();
        for document in &documents {
            let own = paragraphs.iter().filter(|row| row.doc == document.doc && row.kept).count();
            let group = want.entry(value(document)).or_default();
            let counts = if document.kept { [1, own as u64, 0] } else { [0, 0, 1] };
            group.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let rows = table(&fs::read_to_string(dir.path().join("groups.tsv")).unwrap());
        let found: BTreeMap<String, [u64; 3]> = rows
            .into_iter()
            .map(|(value, cells)| (value, [0, 1, 6].map(|cell: usize| cells[cell].parse().unwrap())))
            .collect();
        assert_eq!(found, want, "{column}");
        let json = fs::read_to_string(dir.path().join("statistics.json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["groups"].as_object().unwrap().len(), want.len());
    }
    let counted = |choice: &[&str]| expect(0, &[&["stats", &corpus.out()], choice].concat()).0;
    let both = counted(&["--language", "eng,German"]);
    assert_eq!(both, counted(&["--where", "language in (eng, deu)"]));
    assert_eq!(counted(&["--language", "eng,de", "--where", "language = deu"]), counted(&["--language", "deu"]));
    assert!(both != counted(&["--language", "deu"]) && both != counted(&[]));
    let (_, told) = expect(2, &["stats", &corpus.out(), "--where", "language = en"]);
    assert!(told.contains("write 'eng', not 'en'"), "{told}");
    let (_, told) = expect(2, &["stats", &corpus.out(), "--group-by", "paeg_type"]);
    assert!(told.contains("`page_type`") && told.contains("`lix`"), "{told}");
}

#[test]
fn documents_are_chosen_and_grouped_by_signals_and_languages() {
    let corpus = build(&[SIGNALS, FORMATS]);
    let signals: Vec<Signals> = rows::<Signals>(|shard| corpus.layout().signals(shard));
    let lix: BTreeMap<u64, f64> = signals.iter().filter_map(|row| Some((row.doc, row.lix?))).collect();
    let hits = |filter: &str, by: &str| {
        table(&expect(0, &["concord", &corpus.out(), "the", "--count", "--where", filter, "--by", by]).0)
    };
    let documents = kept(&corpus);
    let easy = documents.iter().filter(|document| lix.get(&document.doc).is_some_and(|lix| *lix < 40.0)).count();
    let number = |rows: &BTreeMap<String, Vec<String>>| -> usize {
        rows.values().map(|row| row[2].parse::<usize>().unwrap()).sum()
    };
    assert!(easy > 5 && easy < documents.len(), "{easy}");
    assert_eq!(easy, number(&hits("lix < 40", "page_type")));
    let english = documents.iter().filter(|document| document.main_languages().any(|code| code == "eng")).count();
    assert_eq!(english, number(&hits("languages has eng", "lix")));
    let sure = documents.iter().filter(|document| document.confidence.is_some_and(|confidence| confidence > 0.5));
    assert_eq!(sure.count(), number(&hits("confidence > 0.5 and lix is not null or confidence > 0.5", "languages")));

    let path = corpus.dir.path().join("easy").display().to_string();
    expect(0, &["emit", &corpus.out(), "--format", "vertical", "--where", "lix < 40", "--out", &path]);
    let written = Corpus::text_of(&warcorpus::store::layout::Layout::new(&path));
    assert_eq!(written.lines().filter(|line| line.starts_with("<doc ")).count(), easy);
    let (_, told) = expect(2, &["concord", &corpus.out(), "the", "--where", "lxi < 40"]);
    assert!(told.contains("the nearest is `lix`"), "{told}");
    let (_, told) = expect(2, &["concord", &corpus.out(), "the", "--count", "--by", "yaer"]);
    assert!(told.contains("`year`"), "{told}");
}

#[test]
fn every_document_can_have_a_tei_file_of_its_own() {
    let corpus = build(&[FORMATS, "tei.files=document"]);
    let documents = kept(&corpus);
    let written = |corpus: &Corpus| -> BTreeMap<String, Vec<u8>> {
        corpus.files().into_iter().filter(|(name, _)| name.starts_with("tei/")).collect()
    };
    let files = written(&corpus);
    assert_eq!(files.len(), documents.len());
    for document in &documents {
        let file = &files[&format!("tei/part-{:05}/0000/d{}.xml", document.doc >> 32, document.doc)];
        let root = strict_xml::parse(std::str::from_utf8(file).unwrap());
        assert_eq!((root.name.as_str(), root.get("xmlns")), ("TEI", Some("http://www.tei-c.org/ns/1.0")));
        assert_eq!(root.get("xml:id"), Some(format!("d{}", document.doc).as_str()));
        let (mut bodies, mut ids) = (Vec::new(), Default::default());
        root.all("body", &mut bodies);
        assert_eq!(bodies.len(), 1);
        strict_xml::check(bodies[0], &mut ids);
    }
    // Written again from the tables, they are the same; as one file, the folders are gone.
    expect(0, &["emit", &corpus.out(), "--format", "tei"]);
    assert_eq!(written(&corpus), files);
    expect(0, &["emit", &corpus.out(), "--format", "tei", "--set", "tei.files=shard"]);
    let one = written(&corpus);
    assert!(one.keys().all(|name| name.ends_with(".xml.gz")), "{:?}", one.keys());
    // The text is the same in both.
    let all = read_format(&corpus.out(), "tei");
    for file in files.values() {
        let body = std::str::from_utf8(file).unwrap().split_once("<text").unwrap().1;
        assert!(all.contains(body.trim_end()));
    }
}
