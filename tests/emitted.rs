//! Formats as the binary writes them, read back by readers that know nothing of the writers.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use crate::common::{Corpus, command, expect, read_format, said, sample, shared};
use crate::{strict_conllu, strict_vertical, strict_xml};

const ALL: &str = "output.formats=[\"vertical\",\"tei\",\"conllu\",\"jsonl\",\"text\"]";
const TAGGER: &str =
    r#"emit.tagger="awk '/^<./ { print; next } { print $0 \"\\t\" length($0) % 2 \"\\t\" tolower($0) }'""#;

fn check_vertical(corpus: &Corpus) {
    let registry = fs::read_to_string(corpus.layout().file("registry", "warcorpus")).unwrap();
    let reading = strict_vertical::read(&registry, &corpus.vertical());
    assert_eq!((reading.problems.first(), reading.never_present.first()), (None, None));
    let documents = corpus.documents();
    let kept: Vec<_> = documents.iter().filter(|document| document.kept).collect();
    let paragraphs = corpus.paragraphs();
    let kept_paragraphs: Vec<_> = paragraphs.iter().filter(|paragraph| paragraph.kept).collect();
    assert_eq!((reading.docs, reading.paragraphs), (kept.len(), kept_paragraphs.len()));
    let ids: Vec<_> = kept.iter().map(|document| document.doc.to_string()).collect();
    assert!(reading.attributes.iter().map(|attributes| &attributes["id"]).eq(&ids));
    // Tokens and glue give every paragraph back, but for what is invisible.
    let shown = |text: &str| -> String {
        let visible = |c: &char| !c.is_control() && !matches!(c, '\u{200B}' | '\u{FFFE}' | '\u{FFFF}');
        let text = warcorpus::text::invisible::without_invisible(text);
        text.split_whitespace()
            .map(|word| word.chars().filter(visible).collect::<String>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, paragraph) in reading.texts.iter().zip(kept_paragraphs) {
        assert_eq!(shown(text), shown(&paragraph.text));
    }
    assert_eq!(corpus.stats()["vertical"]["tokens"], reading.tokens);
    assert!(reading.tokens > reading.sentences && reading.sentences >= reading.paragraphs);
}

#[test]
fn the_sample_reads_without_a_warning() {
    check_vertical(&Corpus::build(0, &[&sample("web.warc.gz")], &[]));
}

#[test]
fn real_pages_read_without_a_warning() {
    for name in ["goose3", "readability", "newspaper4k"] {
        let Some(data) = shared(&format!("extraction/{name}.warc.gz")) else { return };
        check_vertical(&Corpus::build(0, &[&data.display().to_string()], &[]));
    }
}

#[test]
fn all_formats_hold_the_same_documents() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", ALL]);
    let kept = corpus.documents().iter().filter(|document| document.kept).count();
    let out = corpus.out();
    let sentences = strict_conllu::read(&read_format(&out, "conllu"));
    assert_eq!(sentences.iter().filter(|sentence| sentence.comment("newdoc id").is_some()).count(), kept);
    let lines = read_format(&out, "jsonl");
    assert_eq!(
        lines.lines().filter(|line| serde_json::from_str::<Value>(line).unwrap()["text"].is_string()).count(),
        kept
    );
    assert_eq!(read_format(&out, "text").split("\n\n").filter(|document| !document.is_empty()).count(), kept);
    let mut texts = 0;
    for file in fs::read_dir(Path::new(&out).join("tei")).unwrap() {
        let mut xml = String::new();
        MultiGzDecoder::new(fs::File::open(file.unwrap().path()).unwrap()).read_to_string(&mut xml).unwrap();
        let (corpus, mut bodies, mut ids) = (strict_xml::parse(&xml), Vec::new(), Default::default());
        corpus.all("body", &mut bodies);
        texts += bodies.len();
        bodies.into_iter().for_each(|body| strict_xml::check(body, &mut ids));
    }
    assert_eq!(texts, kept);
}

#[test]
fn formats_can_be_written_later_and_without_the_archives() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("web.warc.gz");
    fs::copy(sample("web.warc.gz"), &archive).unwrap();
    let archive = archive.display().to_string();
    let at_once = Corpus::build(0, &[&archive], &["--set", ALL, "--set", TAGGER]);
    let later = Corpus::build(0, &[&archive], &["--set", TAGGER]);
    fs::remove_file(&archive).unwrap();
    fs::remove_dir_all(later.layout().work()).unwrap();
    let elsewhere = dir.path().join("more").display().to_string();
    let formats = "tei,conllu,jsonl,text,vertical";
    let emit = ["emit", &later.out(), "--format", formats, "--set", "output.zstd_level=3", "--out", &elsewhere];
    // An export that ends early says so.
    let (incomplete, blocked) = (dir.path().join("more/INCOMPLETE"), dir.path().join("more/tei"));
    fs::create_dir(&elsewhere).unwrap();
    expect(0, &["emit", &later.out(), "--format", "text", "--out", &elsewhere]);
    fs::write(&blocked, "no directory").unwrap();
    expect(1, &emit);
    assert!(incomplete.exists());
    assert!(expect(2, &["card", &later.out(), "--out", &elsewhere]).1.contains("was begun and not ended"));
    fs::remove_file(&blocked).unwrap();
    expect(0, &emit);
    assert!(!incomplete.exists());
    for format in ["vertical", "tei", "conllu", "jsonl", "text"] {
        assert!(read_format(&at_once.out(), format) == read_format(&elsewhere, format), "{format}");
    }
    let registry = |out: &str| fs::read_to_string(Path::new(out).join("registry/warcorpus")).unwrap();
    assert_eq!(registry(&at_once.out()), registry(&elsewhere));
}

#[test]
fn a_tagger_s_columns_go_into_vertical_conllu_and_tables() {
    let columns = "vertical.columns=[\"word\",\"tag\",\"lemma\",\"lc\"]";
    let more = ["--set", TAGGER, "--set", columns, "--set", "output.formats=[\"vertical\",\"conllu\"]"];
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &more);
    let registry = fs::read_to_string(corpus.layout().file("registry", "warcorpus")).unwrap();
    let reading = strict_vertical::read(&registry, &corpus.vertical());
    assert_eq!(reading.problems, []);
    for row in &reading.rows {
        // There are Turkish pages in the sample.
        let turkish = row[0].replace('İ', "i").replace('I', "ı").to_lowercase();
        let is_lower = row[3] == row[0].to_lowercase() || row[3] == turkish;
        assert!(matches!(row[1].as_str(), "0" | "1") && is_lower, "{row:?}");
        assert_eq!(row.len(), 4);
    }
    let tokens: Vec<String> = corpus.paragraphs().into_iter().flat_map(|paragraph| paragraph.tokens).collect();
    assert_eq!(tokens.len(), reading.tokens);
    let lemma = |token: &String| token.split('\t').nth(2).unwrap().to_string();
    let of_conllu = strict_conllu::read(&read_format(&corpus.out(), "conllu"));
    let of_conllu: Vec<_> = of_conllu.iter().flat_map(|sentence| &sentence.words).map(|word| word[2].clone()).collect();
    assert_eq!(of_conllu.len(), tokens.len());
    let lemmas: Vec<_> = tokens.iter().map(lemma).zip(of_conllu).collect();
    assert!(lemmas.iter().all(|(a, b)| a == b || b == "_"));
    assert!(lemmas.iter().filter(|(a, b)| a == b).count() * 2 > lemmas.len());
}

#[test]
fn a_corpus_is_tagged_again_by_the_tagger_that_was_mended() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("tagger.sh");
    let write = |rule: &str| {
        let program =
            format!(r#"awk '/^<./ {{ print; next }} {rule} {{ print $0 "\t" length($0) "\t" tolower($0) }}'"#);
        fs::write(&script, program).unwrap();
    };
    write("/tide/ { exit 3 }");
    let tagger = format!("emit.tagger=sh {}", script.display());
    let corpus =
        Corpus::build(0, &[&sample("web.warc.gz")], &["--set", &tagger, "--set", "vertical.columns=word,tag,lemma"]);
    let faults = corpus.stats()["faults"].clone();
    let failed = faults.as_object().unwrap().iter().filter(|(name, _)| name.starts_with("tagger."));
    let failed: u64 = failed.map(|(_, documents)| documents.as_u64().unwrap()).sum();
    assert!(failed > 0);
    write("");
    let elsewhere = dir.path().join("again").display().to_string();
    let emit = ["emit", &corpus.out(), "--format", "vertical", "--out", &elsewhere];
    let (_, stored) = expect(0, &emit);
    assert!(stored.contains(&format!("{failed} documents were written without tags")), "{stored}");
    assert!(read_format(&elsewhere, "vertical").contains("\ntide\t\t\n"));
    let (_, again) = expect(0, &[&emit[..], &["--set", &tagger]].concat());
    assert!(!again.contains("without tags"), "{again}");
    let text = read_format(&elsewhere, "vertical");
    assert!(text.contains("\ntide\t4\ttide\n") && !text.contains("\t\t\n"));
}

#[test]
fn a_relative_tagger_runs_where_the_job_was_planned() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |folder: &Path, code: i32, arguments: &[&str]| {
        let output = command(arguments).current_dir(folder).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
        err
    };
    let program = |tag: &str| format!(r#"awk '/^<./ {{ print; next }} {{ print $0 "\t{tag}\t" tolower($0) }}'"#);
    fs::write(dir.path().join("tagger.sh"), program("HERE")).unwrap();
    let tagger = ["--set", "emit.tagger=sh ./tagger.sh", "--set", "vertical.columns=word,tag,lemma"];
    run(dir.path(), 0, &[&["plan", &sample("web.warc.gz"), "--out", "corpus", "--no-estimate"][..], &tagger].concat());
    let corpus = dir.path().join("corpus").display().to_string();
    run(elsewhere.path(), 0, &["build", "--out", &corpus, "--quiet"]);
    assert!(read_format(&corpus, "vertical").contains("\ntide\tHERE\ttide\n"));
    // One on the command line of `emit` is that of the current folder.
    let emit = ["emit", &corpus, "--format", "vertical", "--out", "tagged"];
    let here = fs::canonicalize(elsewhere.path()).unwrap();
    let err = run(&here, 2, &[&emit[..], &["--set", "emit.tagger=./none.sh"]].concat());
    said(&err, &[&format!("emit.tagger cannot be run in {}: ", here.display()), "none.sh"]);
    fs::write(here.join("tagger.sh"), program("THERE")).unwrap();
    run(&here, 0, &[&emit[..], &tagger].concat());
    assert!(read_format(&here.join("tagged").display().to_string(), "vertical").contains("\ntide\tTHERE\ttide\n"));
}

#[test]
fn a_tagger_that_fails_costs_tags_and_no_document() {
    let dies = r#"emit.tagger="awk '/tide/ { exit 3 } /^<./ { print; next } { print $0 \"\\tX\\tY\" }'""#;
    let plain = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", dies]);
    assert_eq!(plain.vertical(), corpus.vertical());
    let stats = corpus.stats();
    let untagged = stats["faults"]["tagger.died"].as_u64().unwrap();
    let paragraphs = corpus.paragraphs();
    let without =
        |doc: u64| paragraphs.iter().filter(|row| row.doc == doc && row.kept).all(|row| row.tokens.is_empty());
    let kept = corpus.documents().into_iter().filter(|document| document.kept);
    assert_eq!(kept.filter(|document| without(document.doc)).count() as u64, untagged);
    assert!(untagged > 0 && paragraphs.iter().any(|row| !row.tokens.is_empty()));
}

/// The real programs, where they are installed (`tests/validators/install-validators.sh`).
#[test]
fn validators_find_nothing() {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/validators");
    let Ok(folder) = std::env::var("WARCORPUS_VALIDATORS") else {
        println!("skipped: WARCORPUS_VALIDATORS is not set to a folder made by tests/validators/install-validators.sh");
        return;
    };
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", ALL]);
    for format in ["tei", "conllu"] {
        for file in fs::read_dir(Path::new(&corpus.out()).join(format)).unwrap() {
            let script = scripts.join(format!("validate-{format}.sh"));
            let told =
                Command::new("sh").arg(script).arg(file.unwrap().path()).env("VALIDATORS", &folder).output().unwrap();
            assert!(
                told.status.success(),
                "{}{}",
                String::from_utf8_lossy(&told.stdout),
                String::from_utf8_lossy(&told.stderr)
            );
        }
    }
}
