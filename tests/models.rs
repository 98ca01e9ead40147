//! Models of fastText: answers compared with those of the C++ program, and jobs that use models. `WARCORPUS_PYTHON` names a
//! Python with the packages of `tests/loaders.txt`; once it is set, they must be there.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{Array, ArrayRef, Float32Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::Deserialize;
use warcorpus::document::DropReason;
use warcorpus::document::labels::LabelValue;
use warcorpus::quality::thresholds::Thresholds;
use warcorpus::store::models;
use warcorpus::store::tables::labels::LabelReader;

use crate::common::{Corpus, build, command, expect, flip, python, read_format, reference, root, sample, shared};

/// The label whose probability is asked for, whether it is the best one or not.
const ONE: &str = "__label__eng_Latn";

const KINDS: [&str; 6] = ["softmax.bin", "words.bin", "tree.bin", "ova.bin", "quantised.ftz", "tree.ftz"];

#[derive(Deserialize)]
struct Reference {
    text: String,
    label: Option<String>,
    p: Option<f64>,
    one: Option<f64>,
}

#[test]
fn labels_and_probabilities_are_those_of_fasttext() {
    let Some(python) = python() else { return };
    let Some(data) = shared("langid") else { return };
    let (script, texts) = (root().join("tests/models/reference.py"), data.join("langid.jsonl.gz"));
    let folder = reference("models", &[script.clone(), texts.clone()], |folder| {
        assert!(Command::new(python).arg(script).arg(texts).arg(folder).status().unwrap().success());
    });
    for kind in KINDS {
        compare(kind, &folder);
    }
}

fn compare(kind: &str, folder: &Path) {
    let model = models::open(&folder.join(kind), None, true).unwrap().model;
    let labels: Vec<&str> = model.labels().collect();
    let one = model.label(ONE);
    let file = File::open(folder.join(kind.replace('.', "-") + ".jsonl")).unwrap();
    let texts: Vec<Reference> =
        BufReader::new(file).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let (mut differences, mut worst, begin) = (0, 0.0f64, Instant::now());
    for Reference { text, label, p, .. } in &texts {
        let best = model.best(text);
        let name = best.and_then(|best| labels.get(best.label).copied());
        differences += usize::from(name != label.as_deref().map(|label| label.trim_start_matches("__label__")));
        if let (Some(best), Some(p)) = (best, p) {
            worst = worst.max((f64::from(best.probability) - p).abs());
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    for Reference { text, one: wanted, .. } in &texts {
        if let (Some(one), Some(wanted)) = (one, wanted) {
            worst = worst.max((f64::from(model.probability(text, one).unwrap_or(0.0)) - wanted).abs());
        }
    }
    println!(
        "{kind}: {} texts, {differences} other labels, {worst:.1e}, {:.0}/s",
        texts.len(),
        texts.len() as f64 / seconds
    );
    assert!(texts.len() == 10_000 && differences == 0 && worst < 1e-5);
}

/// A model of two dimensions: words, and the two labels that they speak for. What it does not know speaks for the second.
fn tiny(labels: [&str; 2], words: [&[&str]; 2]) -> Vec<u8> {
    let mut out = Vec::new();
    let numbers = |out: &mut Vec<u8>, all: &[i32]| all.iter().for_each(|number| out.extend(number.to_le_bytes()));
    let sizes = |out: &mut Vec<u8>, rows: usize| [rows as i64, 2].iter().for_each(|n| out.extend(n.to_le_bytes()));
    let all: Vec<&str> = ["</s>"].into_iter().chain(words.concat()).collect();
    numbers(&mut out, &[793_712_314, 12, 2, 5, 5, 1, 5, 1, 3, 3, 0, 0, 0, 100]);
    out.extend(0.0001f64.to_le_bytes());
    numbers(&mut out, &[all.len() as i32 + 2, all.len() as i32, 2]);
    out.extend(9i64.to_le_bytes());
    out.extend((-1i64).to_le_bytes());
    let labels = labels.map(|label| format!("__label__{label}"));
    let entries = all.iter().map(|word| (*word, 0)).chain(labels.iter().map(|label| (label.as_str(), 1)));
    for (word, kind) in entries {
        out.extend(word.as_bytes());
        out.push(0);
        out.extend(1i64.to_le_bytes());
        out.push(kind);
    }
    let mut matrix = |rows: &[[f32; 2]]| {
        out.push(0);
        sizes(&mut out, rows.len());
        rows.iter().flatten().for_each(|number| out.extend(number.to_le_bytes()));
    };
    let row = |word: &&str| match word {
        _ if words[0].contains(word) => [50.0, 0.0],
        _ if words[1].contains(word) => [0.0, 50.0],
        _ => [0.0, 0.01],
    };
    matrix(&all.iter().map(row).collect::<Vec<_>>());
    matrix(&[[1.0, 0.0], [0.0, 1.0]]);
    out
}

/// A folder with a model of languages and one of quality.
fn models() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| fs::write(folder.path().join(name), bytes).unwrap();
    write("lid.bin", tiny(["eng_Latn", "hsb_Latn"], [&["the", "of", "and", "to"], &["der", "die", "und", "a"]]));
    write("quality.bin", tiny(["hq", "cc"], [&["the", "of", "and", "die"], &["cookies"]]));
    folder
}

#[test]
fn a_model_identifies_languages_of_any_code() {
    let folder = models();
    let model = format!("language.model={}/lid.bin", folder.path().display());
    let corpus = build(&[&model]);
    let documents = corpus.documents();
    let count = |code: &str| documents.iter().filter(|document| document.language.code() == code).count();
    assert!(count("eng") > 3 && count("hsb") > 3, "{} {}", count("eng"), count("hsb"));
    assert_eq!(count("eng") + count("hsb") + count("und"), documents.len());
    assert!(corpus.vertical().contains(" lang=\"hsb\""));
    let kept = build(&[&model, "language.keep=hsb"]);
    let others = kept.documents().iter().filter(|document| document.kept && document.language.code() != "hsb").count();
    assert_eq!(others, 0);
    assert!(kept.documents().iter().any(|document| document.kept));

    // Another file under the same name is not mixed into the job.
    let path = folder.path().join("lid.bin");
    fs::write(&path, tiny(["eng_Latn", "dsb_Latn"], [&["the"], &["der"]])).unwrap();
    let archive = sample("web.warc.gz");
    let (_, error) = expect(2, &["build", &archive, "--out", &corpus.out(), "--set", &model]);
    assert!(error.contains("language.model_digest"), "{error}");
    let (_, error) = expect(1, &["task", "extract", "0", "--out", &corpus.out()]);
    assert!(error.contains("is not the model that the job was planned with"), "{error}");
}

#[test]
fn scores_are_columns_of_signals_and_of_formats() {
    let folder = models();
    let path = folder.path().join("quality.bin").display().to_string();
    let model = |more: &str| format!("quality.model=[{{name=\"edu\", path=\"{path}\", label=\"hq\"{more}}}]");
    let formats = r#"output.formats=["vertical","jsonl","tei"]"#;
    let marked = build(&[&model(", threshold=0.5"), formats]);
    let scores = scores(&marked);
    let kept = marked.documents().into_iter().filter(|document| document.kept).count();
    assert!(scores.len() == kept && scores.iter().any(|(score, _)| score.is_some_and(|score| score > 0.6)));
    assert!(scores.iter().all(|(score, failed)| (*failed == Some("edu".into())) == score.is_some_and(|s| s < 0.5)));
    assert!(marked.vertical().contains(" edu=\"0."));
    assert!(fs::read_to_string(marked.layout().root().join("registry/warcorpus")).unwrap().contains("ATTRIBUTE edu\n"));
    // What the job writes and what emit writes is the same.
    for format in ["jsonl", "tei"] {
        let before = files(&marked, format);
        assert!(!before.is_empty());
        expect(0, &["emit", &marked.out(), "--format", format]);
        assert!(before == files(&marked, format), "{format}");
    }
    // Scores have one type in all tables.
    expect(0, &["emit", &marked.out(), "--format", "parquet", "--set", "parquet.columns=edu,text"]);
    for path in [marked.layout().signals(0), marked.layout().part("texts", "parquet", 0)] {
        let table = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        assert_eq!(table.schema().field_with_name("edu").unwrap().data_type(), &DataType::Float32);
    }
    // A rule alone does the same as the threshold, but for documents without a score.
    let ruled = self::scores(&build(&[&model(""), r#"quality.rules=["edu >= .5"]"#]));
    assert!(ruled.iter().all(|(score, failed)| failed.is_some() == score.is_none_or(|s| s < 0.5)));
    assert_eq!(
        ruled.iter().map(|(score, _)| score).collect::<Vec<_>>(),
        scores.iter().map(|(score, _)| score).collect::<Vec<_>>()
    );
    // Quantiles of scores are thresholds of rules.
    let quantiles = folder.path().join("quantiles.toml").display().to_string();
    expect(0, &["stats", &marked.out(), "--quantiles", &quantiles]);
    let median = r#"quality.rules=["edu >= p50"]"#;
    let by_median = self::scores(&build(&[&model(""), median, &format!("quality.thresholds=[\"{quantiles}\"]")]));
    let failed = |(score, failed): &(Option<f64>, Option<String>)| score.is_some() && failed.is_some();
    assert!(by_median.iter().any(failed) && by_median.iter().any(|(_, failed)| failed.is_none()));
    let bound = Thresholds::parse(&fs::read_to_string(&quantiles).unwrap()).unwrap();
    let bound = bound.quantiles().of("all", "edu", "p50").unwrap();
    let all: Vec<f64> = scores.iter().filter_map(|(score, _)| *score).collect();
    assert!(all.iter().filter(|score| **score < bound).count() <= all.len() / 2);
    assert!(all.iter().filter(|score| **score > bound).count() <= all.len() / 2);
    let dropped = build(&[&model(", threshold=0.5"), "quality.action=drop"]);
    let failed = scores.iter().filter(|(_, failed)| failed.is_some()).count();
    assert_eq!(dropped.stats()["documents"]["quality"], failed as u64);
    let documents = dropped.documents();
    let document = documents.iter().find(|document| document.drop_reason == DropReason::Quality).unwrap();
    let (told, _) = expect(0, &["explain", &dropped.out(), &document.doc.to_string()]);
    assert!(told.contains("dropped: quality (edu"), "{told}");

    for (setting, told) in [
        (model("").replace("hq", "hqq"), "it has hq, cc"),
        (model("").replace("quality.bin", "none.bin"), "cannot open the model"),
    ] {
        let out = folder.path().join("out").display().to_string();
        let (_, error) = expect(2, &["build", &sample("web.warc.gz"), "--out", &out, "--set", &setting]);
        assert!(error.contains(told), "{error}");
    }
}

/// The tables have the languages and the scores, so that who only reads them needs no model.
#[test]
fn a_corpus_is_read_without_its_models() {
    let folder = models();
    let path = |name: &str| folder.path().join(name);
    let language = format!("language.model={}", path("lid.bin").display());
    let scored = path("quality.bin").display().to_string();
    let scored = format!("quality.model=[{{name=\"edu\", path=\"{scored}\", label=\"hq\"}}]");
    let corpus = build(&[&language, &scored, r#"quality.rules=["edu >= .5"]"#, "output.formats=jsonl"]);
    let card = || {
        expect(0, &["card", &corpus.out(), "--force"]);
        fs::read_to_string(corpus.layout().root().join("README.md")).unwrap()
    };
    let lines = files(&corpus, "jsonl");
    let before = card();
    assert!(before.contains("quality.rules") && before.contains("language.model"), "{before}");
    fs::remove_file(path("lid.bin")).unwrap();
    fs::remove_file(path("quality.bin")).unwrap();
    assert_eq!(card(), before);
    for command in ["report", "stats", "clusters"] {
        expect(0, &[command, &corpus.out()]);
    }
    assert!(!expect(0, &["concord", &corpus.out(), "the"]).0.is_empty());
    expect(0, &["emit", &corpus.out(), "--format", "jsonl"]);
    assert!(!lines.is_empty() && lines == files(&corpus, "jsonl"));
    // A job that goes on does need them.
    let (_, error) = expect(2, &["task", "extract", "0", "--out", &corpus.out()]);
    assert!(error.contains("cannot open the model"), "{error}");
}

fn files(corpus: &Corpus, folder: &str) -> Vec<(String, Vec<u8>)> {
    corpus.files().into_iter().filter(|(name, _)| name.starts_with(folder)).collect()
}

/// The score and the failed rule of each row of `signals`.
fn scores(corpus: &Corpus) -> Vec<(Option<f64>, Option<String>)> {
    let mut all = Vec::new();
    for shard in 0..warcorpus::store::corpus::shards(&corpus.layout()).unwrap() {
        let wanted = |name: &str| ["edu", "failed_rule"].contains(&name);
        for row in LabelReader::open(&corpus.layout().signals(shard), "doc", wanted).unwrap() {
            let (mut score, mut failed) = (None, None);
            for known in row.unwrap().values {
                match known {
                    (0, LabelValue::Text(rule)) => failed = rule,
                    (1, LabelValue::Number(number)) => score = number,
                    _ => panic!("signals have other columns"),
                }
            }
            all.push((score, failed));
        }
    }
    all
}

#[test]
fn columns_from_elsewhere_are_joined() {
    let corpus = build(&[]);
    let documents: Vec<_> = corpus.documents().into_iter().filter(|document| document.kept).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.parquet");
    let ids: Vec<String> = documents.iter().map(|document| format!("<{}>", document.record_id)).collect();
    let [first, second, third, ..] = ids.as_slice() else { panic!("documents") };
    write_labels(
        &path,
        "record_id",
        &[first, second, first, "urn:none", ""],
        &["news", "shop \"x\"", "again", "b", "c"],
    );
    let from = path.display().to_string();
    let (out, _) = expect(0, &["annotate", &corpus.out(), "--from", &from]);
    assert!(out.contains("2 of 5 rows joined to 2 documents"), "{out}");
    assert!(out.contains("1 rows belong to no document, 1 repeat a key, 1 have none"), "{out}");
    // A second file adds columns, and one by URL.
    let urls: Vec<&str> = documents.iter().map(|document| document.url.as_str()).collect();
    write_labels(&path, "url", &[urls[0]], &["x"]);
    let (_, error) = expect(2, &["annotate", &corpus.out(), "--from", &from]);
    assert!(error.contains("has no column `record_id`; it has url, topic, score"), "{error}");
    expect(0, &["annotate", &corpus.out(), "--from", &from, "--key", "url", "--columns", "score"]);
    let (_, error) = expect(2, &["annotate", &corpus.out(), "--from", &from, "--key", "url", "--columns", "none"]);
    assert!(error.contains("no column `none`"), "{error}");

    let chosen = "score < 1 or topic is null";
    let (report, _) = expect(0, &["stats", &corpus.out(), "--group-by", "topic", "--where", chosen]);
    assert!(report.contains("\nnews") && !report.contains("\nshop") && report.contains("\nunknown"), "{report}");
    expect(0, &["emit", &corpus.out(), "--format", "vertical,jsonl,tei"]);
    assert!(corpus.vertical().contains(" topic=\"news\" score=\"0.5\">"), "{third}");
    // The second file has no score for it.
    assert!(corpus.vertical().contains(" topic=\"shop ”x”\">"));
    // The format of the job has the labels now.
    let (status, _) = expect(0, &["status", &corpus.out(), "--verify"]);
    assert!(status.contains(" 0 damaged or missing"), "{status}");
    let registry = fs::read_to_string(corpus.layout().root().join("registry/warcorpus")).unwrap();
    assert!(registry.contains("ATTRIBUTE topic\n    ATTRIBUTE score\n"), "{registry}");
    expect(0, &["emit", &corpus.out(), "--format", "parquet", "--set", "parquet.columns=url,topic,score,text"]);
    let wanted = |name: &str| name == "topic" || name == "score";
    let mut rows = LabelReader::open(&corpus.layout().part("texts", "parquet", 0), "url", wanted).unwrap();
    let topic = |(place, value): (usize, LabelValue)| {
        (place == 0).then_some(value).filter(|topic| !topic.to_string().is_empty())
    };
    let first = rows.find_map(|row| row.unwrap().values.into_iter().find_map(topic));
    assert_eq!(first, Some(LabelValue::Text(Some("news".into()))));
    let (_, error) = expect(2, &["emit", &corpus.out(), "--format", "parquet", "--set", "parquet.columns=topics"]);
    assert!(error.contains("the nearest is \"topic\""), "{error}");
    let lines = read_format(&corpus.out(), "jsonl");
    assert!(lines.contains(r#""topic":"news","score":0.5"#) && lines.contains(r#""topic":"","score":null"#));
    let tei = read_format(&corpus.out(), "tei");
    assert!(tei.contains("<note type=\"topic\">news</note><note type=\"score\">0.5</note></notesStmt>"));
}

#[test]
fn columns_of_text_files_are_joined() {
    let corpus = build(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.csv");
    let from = path.display().to_string();
    let first = corpus.documents().into_iter().find(|document| document.kept).unwrap().record_id;
    fs::write(&path, format!("record_id,grade\n{first},7\nurn:none,8\n")).unwrap();
    let (out, _) = expect(0, &["annotate", &corpus.out(), "--from", &from]);
    assert!(out.contains("1 of 2 rows joined to 1 documents"), "{out}");
    fs::write(&path, format!("{{\"record_id\":\"{first}\",\"genre\":\"report\"}}\n")).unwrap();
    expect(0, &["annotate", &corpus.out(), "--from", &from]);
    let before = corpus.files();
    for (text, part) in [
        (
            "record_id,grade\nurn:none,8\n",
            "none of 1 rows belongs to a document, so the columns of the corpus stay as they were",
        ),
        ("", "has no column `record_id`; it is empty"),
        ("record_id,grade\n", "has names of columns and no row"),
    ] {
        fs::write(&path, text).unwrap();
        let (_, error) = expect(2, &["annotate", &corpus.out(), "--from", &from]);
        assert!(error.contains(part) && corpus.files() == before, "{error}");
    }
    fs::write(&path, "record_id,grade\na,b,c\n").unwrap();
    let (_, error) = expect(1, &["annotate", &corpus.out(), "--from", &from]);
    assert!(error.contains("labels.csv: line 2: has 3 values for 2 names"), "{error}");
    expect(0, &["emit", &corpus.out(), "--format", "vertical"]);
    assert!(corpus.vertical().contains(" grade=\"7\" genre=\"report\">"));
}

#[test]
fn a_job_that_writes_its_formats_again_writes_labels() {
    let corpus = build(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.parquet");
    let ids: Vec<String> = corpus.documents().into_iter().map(|document| document.record_id).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let topics: Vec<String> = (0..ids.len()).map(|n| format!("topic{n}")).collect();
    write_labels(&path, "record_id", &ids, &topics.iter().map(String::as_str).collect::<Vec<_>>());
    expect(0, &["annotate", &corpus.out(), "--from", &path.display().to_string()]);
    let archive = sample("web.warc.gz");
    let out = corpus.out();
    let again = |code: i32, settings: &[&str], more: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let arguments = ["build", &archive, "--out", &out].into_iter().chain(settings).chain(more.iter().copied());
        expect(code, &arguments.collect::<Vec<_>>())
    };
    let formats = r#"output.formats=["vertical","jsonl","tei","parquet"]"#;
    let columns = "parquet.columns=url,topic,text";
    again(0, &[formats, columns, r#"quality.signals=["readability"]"#], &[]);
    assert!(corpus.vertical().contains(" topic=\"topic"));
    for format in ["vertical", "jsonl", "tei", "texts"] {
        let before = files(&corpus, format);
        expect(0, &["emit", &corpus.out(), "--format", if format == "texts" { "parquet" } else { format }]);
        assert!(!before.is_empty() && before == files(&corpus, format), "{format}");
    }
    // A corpus that is built again has no labels.
    let (_, error) = again(2, &[columns], &["--restart"]);
    assert!(error.contains("topic"), "{error}");
    let model = format!("quality.model=[{{name=\"topic\", path=\"{}\", label=\"hq\"}}]", path.display());
    let (_, error) = again(2, &[&model], &[]);
    assert!(error.contains("must differ from the columns that `annotate` joined"), "{error}");
}

#[test]
fn a_job_with_relative_paths_of_models_is_resumed_from_any_folder() {
    let folder = models();
    let out = folder.path().join("out").display().to_string();
    let job = folder.path().join("job.toml").display().to_string();
    let scored = "[[quality.model]]\nname = \"edu\"\npath = \"quality.bin\"\nlabel = \"hq\"\n";
    fs::write(&job, format!("[language]\nmodel = \"lid.bin\"\n{scored}")).unwrap();
    let plan = ["plan", &sample("web.warc.gz"), "--out", &out, "--job", &job, "--no-estimate"];
    let planned = command(&plan).current_dir(folder.path()).output().unwrap();
    assert!(planned.status.success(), "{}", String::from_utf8_lossy(&planned.stderr));
    expect(0, &["build", "--out", &out, "--quiet"]);
    expect(0, &["build", "--out", &out, "--quiet", "--job", &job]);
    fs::write(&job, "[language]\nmodel = \"lid.bin\"\n").unwrap();
    let (_, err) = expect(0, &["build", "--out", &out, "--job", &job]);
    assert!(err.contains("the output is written again: quality.model"), "{err}");
}

#[test]
fn a_repaired_corpus_has_its_labels_in_all_shards_or_in_none() {
    let sets = ["--set", "plan.shard_bytes=60000", "--set", "output.formats=jsonl"];
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &sets);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.csv");
    let label = |score: &str| {
        let ids = corpus.documents().into_iter().map(|document| format!("{},{score}\n", document.record_id));
        fs::write(&path, format!("record_id,score\n{}", ids.collect::<String>())).unwrap();
        expect(0, &["annotate", &corpus.out(), "--from", &path.display().to_string()]);
    };
    let lines = || -> Vec<String> { read_format(&corpus.out(), "jsonl").lines().map(String::from).collect() };
    let all = lines().len();
    for score in ["1", "2"] {
        label(score);
        flip(&corpus.layout().part("jsonl", "jsonl.gz", 1));
        expect(0, &["build", "--out", &corpus.out(), "--quiet"]);
        let labelled = format!("\"score\":{score}.0");
        assert_eq!(lines().iter().filter(|line| line.contains(&labelled)).count(), all, "{:?}", lines().first());
    }
}

/// A file of labels: rows with the keys, `topic`, and `score`, which rises by 1 from 0.5.
fn write_labels(path: &Path, key: &str, keys: &[&str], topics: &[&str]) {
    let keys: ArrayRef = Arc::new(StringArray::from(keys.to_vec()));
    let topics: ArrayRef = Arc::new(StringArray::from(topics.to_vec()));
    let scores: ArrayRef = Arc::new((0..keys.len()).map(|n| Some(n as f32 + 0.5)).collect::<Float32Array>());
    let batch = RecordBatch::try_from_iter([(key, keys), ("topic", topics), ("score", scores)]).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}
