//! What new users tripped over, one test each: messages, hints, and nothing that happens silently.

use std::fs;
use std::path::Path;

use crate::common::{Corpus, expect, flip, read_format, said, sample};
use crate::crawl;
use warcorpus::stages::plan::STAGE_FORMAT;

/// The corpus of the samples.
fn samples() -> Corpus {
    Corpus::build(0, &[&sample("web.warc.gz")], &[])
}

/// Tags every token with its length; `exit` is what the program does at the word "tide".
fn tagger(exit: &str) -> String {
    format!(r#"emit.tagger=awk '/^<./ {{ print; next }} {exit} {{ print $0 "\t" length($0) "\t" tolower($0) }}'"#)
}

#[test]
fn a_tagger_is_tried_before_the_job_begins() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("c").display().to_string();
    let web = sample("web.warc.gz");
    let build = ["build", &web, "--out", &out, "--quiet"];
    let (_, err) = expect(2, &[&build[..], &["--set", "emit.tagger=nosuchtagger"]].concat());
    said(&err, &["emit.tagger cannot be run", "nosuchtagger"]);
    assert!(!Path::new(&out).join("work/extract").exists(), "work was done");
    let one = "emit.tagger=awk '{ print }'";
    let (_, err) = expect(2, &[&build[..], &["--set", one, "--set", "emit.tagger_languages=eng"]].concat());
    said(
        &err,
        &["emit.tagger failed on a trial sentence (English, tagged as eng)", "gave 0 columns to `This` instead of 2"],
    );
    // The correction is accepted, and the job goes on.
    expect(0, &[&build[..], &["--set", &tagger("")]].concat());
}

#[test]
fn files_of_sorting_are_written_on_another_disk() {
    let disk = tempfile::tempdir_in(if Path::new("/dev/shm").is_dir() { "/dev/shm" } else { "/tmp" }).unwrap();
    let scratch = disk.path().join("scratch").display().to_string();
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--scratch", &scratch]);
    assert!(corpus.files() == samples().files());
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    let file = disk.path().join("file");
    fs::write(&file, "").unwrap();
    let out = corpus.dir.path().join("other").display().to_string();
    let web = sample("web.warc.gz");
    let (_, err) = expect(1, &["build", &web, "--out", &out, "--quiet", "--scratch", &file.display().to_string()]);
    said(&err, &["cannot create", "file"]);
    assert!(!Path::new(&out).join("work/extract").exists(), "work was done");
}

#[test]
fn settings_that_only_emit_reads_may_change() {
    let corpus = samples();
    let out = corpus.out();
    let before = corpus.files();
    let extracted = fs::metadata(corpus.layout().done("extract", 0)).unwrap().modified().unwrap();
    let change = ["build", "--out", &out, "--set", "output.formats=tei,jsonl", "--set", "jsonl.fields=datatrove"];
    let (_, err) = expect(0, &change);
    said(&err, &["the output is written again: jsonl.fields: \"datatrove\" instead of \"dolma\""]);
    said(&err, &["WARN", "that output.formats no longer lists: vertical"]);
    assert_eq!(fs::metadata(corpus.layout().done("extract", 0)).unwrap().modified().unwrap(), extracted);
    let after = corpus.files();
    assert!(after.contains_key("tei/part-00000.xml.gz") && after.contains_key("jsonl/part-00000.jsonl.gz"));
    assert!(!after.keys().any(|name| name.starts_with("vertical") || name.starts_with("registry")));
    // The bytes of a job that had these settings from the beginning, and of the first one when they are changed back.
    let set = ["--set", "output.formats=tei,jsonl", "--set", "jsonl.fields=datatrove"];
    assert!(after == Corpus::build(0, &[&sample("web.warc.gz")], &set).files());
    expect(0, &["build", "--out", &out, "--quiet", "--set", "output.formats=vertical", "--set", "jsonl.fields=dolma"]);
    assert!(before == corpus.files());
    // Nothing stays of files that a format no longer writes.
    let tei = corpus.layout().root().join("tei");
    let written = |sets: &[&str]| {
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        expect(0, &["build", "--out", &out, "--quiet"].into_iter().chain(sets).collect::<Vec<_>>());
        let names = fs::read_dir(&tei).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    assert_eq!(written(&["output.formats=tei"]), ["part-00000.xml.gz"]);
    assert_eq!(written(&["tei.files=document"]), ["part-00000"]);
    assert_eq!(written(&["tei.files=shard"]), ["part-00000.xml.gz"]);
    expect(0, &["emit", &out, "--format", "tei", "--set", "tei.files=document"]);
    assert_eq!(written(&["pii.kinds=email", "pii.mode=mask"]), ["part-00000.xml.gz"]);
    assert_eq!(written(&["quality.rules=n_words >= 100000000", "quality.action=drop"]), [""; 0]);
    // Other settings decide earlier.
    let (_, err) = expect(2, &["build", "--out", &out, "--set", "near.threshold=0.8"]);
    said(&err, &["another configuration (near.threshold: 0.8 instead of 0.75)"]);
}

#[test]
fn a_corpus_without_its_intermediate_files_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("web.warc.gz");
    fs::copy(sample("web.warc.gz"), &archive).unwrap();
    let corpus = Corpus::build(0, &[&archive.display().to_string()], &["--remove-work"]);
    fs::remove_file(&archive).unwrap();
    let (out, before) = (corpus.out(), corpus.files());
    assert!(expect(0, &["status", &out]).0.starts_with("done"));
    said(&expect(2, &["status", &out, "--verify"]).1, &["cannot be verified"]);
    said(&expect(2, &["index", &out, "--out", &dir.path().join("index").display().to_string()]).1, &["--restart"]);
    let (_, err) = expect(2, &["build", "--out", &out, "--set", "output.formats=tei"]);
    said(&err, &["its settings cannot change (output.formats: ", "warcorpus emit", "--restart"]);
    assert!(corpus.files() == before);
    expect(0, &["build", "--out", &out, "--quiet"]);
    assert!(corpus.files() == before);
}

#[test]
fn emit_refuses_what_it_does_not_read_and_chooses_languages() {
    let corpus = samples();
    let (out, other) = (corpus.out(), samples());
    for set in ["language.keep=ces", "near.threshold=0.5"] {
        let (_, err) = expect(2, &["emit", &out, "--format", "jsonl", "--set", set]);
        said(&err, &["emit does not read", set.split('=').next().unwrap()]);
    }
    let (_, err) = expect(2, &["emit", &out, "--format", "jsonl", "--set", "output.formats=jsonl"]);
    said(&err, &["emit does not read output.formats; name the formats with --format"]);
    let (_, err) = expect(2, &["emit", &out, "--format", "jsonl", "--out", &other.out()]);
    said(&err, &["is another corpus; choose another --out"]);
    let czech = corpus.dir.path().join("czech").display().to_string();
    let (told, _) = expect(0, &["emit", &out, "--format", "jsonl", "--language", "Czech", "--out", &czech]);
    said(&told, &["7 documents in"]);
}

#[test]
fn formats_of_a_corpus_can_be_replaced_as_a_whole() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "output.formats=vertical,jsonl"]);
    let (out, before) = (corpus.out(), corpus.files());
    for some in [["--sample", "0.5"], ["--language", "ces"], ["--where", "words > 100"]] {
        let (_, err) = expect(2, &[&["emit", &out, "--format", "jsonl"], &some[..]].concat());
        said(&err, &["has the format jsonl of all documents", "--out"]);
    }
    assert!(corpus.files() == before);
    expect(
        0,
        &[
            "emit",
            &out,
            "--format",
            "vertical,jsonl",
            "--set",
            "vertical.escape=xml",
            "--set",
            "jsonl.fields=datatrove",
        ],
    );
    let replaced = corpus.files();
    assert!(before["jsonl/part-00000.jsonl.gz"] != replaced["jsonl/part-00000.jsonl.gz"]);
    said(&expect(0, &["status", &out, "--verify"]).0, &["\ndone\n", " 0 damaged or missing"]);
    expect(0, &["build", "--out", &out, "--quiet"]);
    assert!(corpus.files() == replaced);
    // Damage to them is found.
    flip(&corpus.layout().part("jsonl", "jsonl.gz", 0));
    said(&expect(1, &["status", &out, "--verify"]).0, &["damaged: emit 0: ", "has another checksum"]);
}

#[test]
fn a_finished_corpus_can_be_tagged() {
    let corpus = samples();
    let (out, to) = (corpus.out(), corpus.dir.path().join("tagged").display().to_string());
    let columns = "vertical.columns=word,tag,lemma";
    let emit = ["emit", &out, "--format", "vertical", "--out", &to, "--set", columns, "--set"];
    expect(0, &[&emit[..], &[&tagger("")]].concat());
    said(&read_format(&to, "vertical"), &["\nWhy\t3\twhy\n"]);
    // No document was tagged: the summary and the exit code say so.
    let (_, err) = expect(3, &[&emit[..], &[&tagger("{ exit 4 }")]].concat());
    said(&err, &["72 documents were written without tags"]);
    // A tagger of which nothing would be seen is not started.
    for format in ["vertical", "text,jsonl"] {
        let emit = ["emit", &out, "--format", format, "--out", &to, "--set", "emit.tagger=nosuchtagger"];
        let (_, err) = expect(0, &emit);
        said(&err, &["the tagger is not started: ", "add --set vertical.columns=word,tag,lemma"]);
        assert!(!err.contains("without tags"), "{err}");
    }
    let (_, err) = expect(0, &["build", "--out", &out, "--set", &tagger("")]);
    said(&err, &["add --set vertical.columns=word,tag,lemma; the table paragraphs has the tags"]);
    assert!(corpus.paragraphs().iter().any(|paragraph| !paragraph.tokens.is_empty()));
}

#[test]
fn how_many_documents_were_tagged_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("c").display().to_string();
    let tagger = tagger("/[Tt]ide/ { exit 4 }");
    let (told, _) = expect(0, &["build", &sample("web.warc.gz"), "--out", &out, "--set", &tagger]);
    said(&told, &["warning: ", "of 72 documents were tagged", "tagger.died", "documents tagged"]);
}

#[test]
fn corpora_of_other_versions_are_read_and_not_continued() {
    let corpus = samples();
    let (out, plan) = (corpus.out(), corpus.layout().plan());
    let text = fs::read_to_string(&plan).unwrap();
    let other = text.replace(concat!("\"", env!("CARGO_PKG_VERSION"), "\""), "\"9.9.9\"");
    assert!(other != text);
    // Another version with the same files between stages may continue.
    fs::write(&plan, &other).unwrap();
    expect(0, &["build", "--out", &out, "--quiet"]);
    let older = other.replace(&format!("\"format\": {STAGE_FORMAT},"), "");
    assert!(older != other);
    fs::write(&plan, &older).unwrap();
    for read in [vec!["concord", &out, "tide"], vec!["stats", &out], vec!["explain", &out, "1"], vec!["status", &out]] {
        expect(0, &read);
    }
    expect(0, &["emit", &out, "--format", "text"]);
    let (_, err) = expect(2, &["build", "--out", &out]);
    said(
        &err,
        &["was begun by another version (9.9.9)", "finish it with that version", "--restart", "can be read as it is"],
    );
}

#[test]
fn show_prints_no_record_of_another_archive() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("a.warc.gz");
    crawl::write(&archive, 1, 5);
    let corpus = Corpus::build(0, &[&archive.display().to_string()], &[]);
    let document = corpus.documents().swap_remove(0);
    let show = ["show", &corpus.out(), &document.url];
    expect(0, &show);
    crawl::write(&archive, 2, 5);
    let (shown, err) = expect(1, &show);
    assert_eq!(shown, "");
    said(&err, &["a.warc.gz"]);
}

#[test]
fn languages_have_codes_and_names() {
    let (list, _) = expect(0, &["languages"]);
    assert_eq!(list.lines().count(), 276);
    said(&list, &["ces\tcs\tCzech\tLatin\tyes\tyes\n"]);
    let corpus = samples();
    let count = |language: &str| expect(0, &["concord", &corpus.out(), "tide", "--count", "--language", language]).0;
    assert_eq!(count("english"), count("eng"));
    assert_eq!(count("en"), count("eng"));
    for (wrong, right) in [("cs", "ces"), ("\"en\"", "eng")] {
        let (_, err) = expect(2, &["stats", &corpus.out(), "--where", &format!("words > 9 and language = {wrong}")]);
        said(&err, &["--where: column `language` contains ISO 639-3 codes", &format!("write '{right}', not")]);
    }
    for (wrong, why) in [("lad", "not among the languages that are identified"), ("nor", "nob (Bokmål) and nno")] {
        said(&expect(2, &["concord", &corpus.out(), "tide", "--language", wrong]).1, &[why]);
        let set = format!("language.keep={wrong}");
        said(&expect(2, &["config", "--set", &set]).1, &[why]);
    }
}

#[test]
fn documents_are_chosen_by_an_expression() {
    let corpus = samples();
    let out = corpus.out();
    let long = |document: &warcorpus::document::Document| document.kept && document.words >= 200;
    let wanted = corpus.documents().iter().filter(|document| long(document)).count();
    let kept = corpus.documents().iter().filter(|document| document.kept).count();
    assert!(0 < wanted && wanted < kept, "{wanted} of {kept}");
    let chosen = corpus.dir.path().join("chosen").display().to_string();
    let filter = ["--where", "words >= 200 and host like '%'"];
    let (told, _) = expect(0, &[&["emit", &out, "--format", "text", "--out", &chosen], &filter[..]].concat());
    said(&told, &[&format!("{wanted} documents in ")]);
    let count = |filter: &[&str]| expect(0, &[&["concord", &out, "the", "--count"], filter].concat()).0;
    let number = |text: String| text.split_whitespace().find_map(|word| word.parse::<u64>().ok()).unwrap();
    let (all, some) = (number(count(&[])), number(count(&filter)));
    let (lines, _) = expect(0, &["concord", &out, "the", "--format", "tsv", "--max-per-doc", "1"]);
    assert_eq!(number(count(&["--max-per-doc", "1"])) as usize, lines.lines().count() - 1, "documents with a hit");
    let rest = number(count(&["--where", "words < 200"]));
    assert!(some > 0 && all == some + rest, "{all}: {some} and {rest}");
    let (of_all, of_some) = (expect(0, &["stats", &out]).0, expect(0, &[&["stats", &out], &filter[..]].concat()).0);
    assert_ne!(of_all, of_some);
    for command in [vec!["emit", &out, "--format", "text"], vec!["concord", &out, "the"], vec!["stats", &out]] {
        let (_, err) = expect(2, &[&command[..], &["--where", "word > 5"]].concat());
        said(&err, &["`word`", "`words`"]);
        let (_, err) = expect(2, &[&command[..], &["--where", "lang = eng"]].concat());
        said(&err, &["no column `lang`; the nearest is `language`; columns are `url`, `host`"]);
        let (_, err) = expect(2, &[&command[..], &["--where", "colour = red"]].concat());
        said(&err, &["no column `colour`; columns are `url`, `host`"]);
    }
}

#[test]
fn a_host_that_dominates_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let told = |hosts: u64| {
        let archive = dir.path().join(format!("{hosts}.warc.gz"));
        crawl::write_hosts(&archive, 3, 200, hosts);
        let out = dir.path().join(hosts.to_string()).display().to_string();
        let set = "language.min_letters=1000000";
        expect(crawl::DONE, &["build", &archive.display().to_string(), "--out", &out, "--set", set]).0
    };
    said(&told(1), &["kept documents are of the host host-0.example"]);
    assert!(!told(12).contains("kept documents are of the host"));
}

#[test]
fn no_hits_and_nothing_kept_are_told() {
    let corpus = samples();
    let (hits, err) = expect(0, &["concord", &corpus.out(), "xyzzy"]);
    assert_eq!(hits, "");
    said(&err, &["0 hits in 544 paragraphs"]);
    for (more, named) in [
        (&["--language", "nld"][..], "no document is chosen by --language\n"),
        (&["--where", "words > 100000"], "no document is chosen by --where\n"),
        (&["--language", "nld", "--where", "year = 1900"], "no document is chosen by --language and --where\n"),
    ] {
        said(&expect(0, &[&["stats", &corpus.out()][..], more].concat()).1, &[named]);
        let elsewhere = corpus.dir.path().join("none").display().to_string();
        let emit = ["emit", &corpus.out(), "--format", "text", "--out", &elsewhere];
        said(&expect(0, &[&emit[..], more].concat()).1, &["no document was written: ", named]);
    }
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("q.toml");
    let measured = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "quality.signals=basic"]);
    let quantiles = ["stats", &measured.out(), "--quantiles", &list.display().to_string()];
    expect(0, &quantiles);
    let before = fs::read(&list).unwrap();
    let (_, err) = expect(2, &[&quantiles[..], &["--where", "words > 100000"]].concat());
    said(&err, &["no document is chosen by --where; ", "q.toml is not written"]);
    assert!(fs::read(&list).unwrap() == before);
    let out = dir.path().join("c").display().to_string();
    let (told, _) = expect(0, &["build", &sample("web.warc.gz"), "--out", &out, "--set", "language.keep=nob"]);
    said(&told, &["warning: no document was kept: ", " language"]);
}

#[test]
fn files_that_are_no_archives_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::write(at("empty.warc.gz"), "").unwrap();
    fs::write(at("page.html"), "<html><body><p>No archive.</body></html>").unwrap();
    let (told, _) = expect(0, &["build", &at("empty.warc.gz"), "--out", &at("c1")]);
    said(&told, &["warning: no record was found in ", "empty.warc.gz (0 bytes)"]);
    let (told, _) = expect(3, &["build", &at("page.html"), "--out", &at("c2")]);
    said(&told, &["page.html (40 bytes)", "only web archives are read (WARC, ARC or WET)"]);
    fs::write(at("crawl.wacz"), "PK\u{3}\u{4} and more").unwrap();
    let (told, _) = expect(3, &["build", &at("crawl.wacz"), "--out", &at("c5")]);
    let hint = "; unpack a ZIP or WACZ file and give its folder archive/";
    said(&told, &["crawl.wacz (13 bytes)", hint]);
    let copies = ["a.wacz", "b.wacz", "c.wacz", "d.wacz"].map(&at);
    for copy in &copies {
        fs::copy(at("crawl.wacz"), copy).unwrap();
    }
    let [a, b, c, d] = &copies;
    let (told, _) = expect(3, &["build", a, b, c, d, "--out", &at("c6")]);
    said(&told, &["no record was found in 4 files: ", &format!(", …{hint}")]);
    fs::create_dir(at("folder")).unwrap();
    fs::copy(sample("web.warc.gz"), at("folder/web.warc.gz")).unwrap();
    fs::copy(sample("web.warc.gz"), at("folder/CC-1.gz")).unwrap();
    let (_, err) = expect(0, &["build", &at("folder"), "--out", &at("c3")]);
    said(&err, &["not read, since they are no archives by their names: CC-1.gz (1)"]);
    said(&expect(2, &["build", "", "--out", &at("c4")]).1, &["an input is empty"]);
    said(&expect(2, &["concord", &at("page.html"), "x"]).1, &["is no directory; give the directory of a corpus"]);
    said(&expect(2, &["concord", &at("nosuch"), "x"]).1, &["does not exist; give the directory of a corpus"]);
}

#[test]
fn the_end_says_where_the_result_is_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a corpus").display().to_string();
    let build = ["build", &sample("web.warc.gz"), "--out", &out];
    let (told, _) = expect(0, &build);
    said(&told, &[&format!("result in '{out}': report.html"), "text in vertical/", "next: warcorpus concord"]);
    let (told, _) = expect(0, &build);
    said(&told, &["already done: no task was left"]);
    assert!(!told.contains("pages/s"), "{told}");
}

#[test]
fn a_stop_list_can_be_written_into_the_current_folder() {
    let corpus = samples();
    let mut command = crate::common::command(&["stoplist", &corpus.out(), "--language", "eng", "--out", "list.txt"]);
    let output = command.current_dir(corpus.dir.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(corpus.dir.path().join("list.txt").exists());
}

#[test]
fn all_captures_of_an_address_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("twice.warc");
    let page = |day: u32| {
        let text = format!("The tide of day {day} came later than the one before, as everybody at the harbour saw. ")
            .repeat(4);
        let body = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}</p>");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2024-05-0{day}T00:00:00Z\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000{day}>\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    fs::write(&archive, page(1) + &page(2)).unwrap();
    let corpus = Corpus::build(0, &[&archive.display().to_string()], &[]);
    let (told, _) = expect(0, &["explain", &corpus.out(), "http://a.example/"]);
    said(&told, &["2 documents have this address", "captured 2024-05-01T00:00:00Z", "captured 2024-05-02T00:00:00Z"]);
    let (told, _) = expect(0, &["explain", &corpus.out(), "<urn:uuid:00000000-0000-4000-8000-000000000002>"]);
    said(&told, &["captured 2024-05-02T00:00:00Z"]);
    assert!(!told.contains("2024-05-01"), "{told}");
}

#[test]
fn records_that_became_no_document_are_explained() {
    let corpus = samples();
    let rejects = fs::read_to_string(corpus.layout().rejects()).unwrap();
    let reject: serde_json::Value = serde_json::from_str(rejects.lines().next().unwrap()).unwrap();
    let (_, err) = expect(2, &["explain", &corpus.out(), reject["url"].as_str().unwrap()]);
    said(&err, &["was no page: undecodable.binary", &format!("at offset {}", reject["offset"])]);
    let (_, err) = expect(2, &["explain", &corpus.out(), "http://nowhere.example/"]);
    said(&err, &["it was not in the input, or its record was no page", "1 status.404"]);
    let (_, err) = expect(2, &["show", &corpus.out(), "nowhere.example/"]);
    said(&err, &["no document nowhere.example/; give the whole address, with https://"]);
}

#[test]
fn a_damaged_part_is_found_by_status() {
    let corpus = samples();
    let verify = ["status", &corpus.out(), "--verify"];
    said(&expect(0, &verify).0, &["0 damaged or missing"]);
    fs::remove_file(corpus.layout().documents(0)).unwrap();
    flip(&corpus.layout().part("vertical", "vert.gz", 0));
    let (told, _) = expect(1, &verify);
    said(&told, &["part-00000.parquet is missing", "warcorpus build"]);
    let (_, err) = expect(1, &["stats", &corpus.out()]);
    said(&err, &["cannot open", &format!("; `warcorpus build --out {}` makes it again", corpus.out())]);
}

#[test]
fn numbers_are_for_scripts() {
    let (told, _) = expect(0, &["stats", &samples().out()]);
    let words = told.split_whitespace().next().unwrap();
    assert!(words.parse::<u64>().is_ok_and(|words| words > 1000), "{words}");
}

#[test]
fn what_cannot_be_is_refused() {
    let (web, dir) = (sample("web.warc.gz"), tempfile::tempdir().unwrap());
    let unmounted = dir.path().join("missing/disk").display().to_string();
    let (out, new) = (dir.path().display().to_string(), dir.path().join("new").display().to_string());
    fs::write(dir.path().join("empty.list"), "# none\n").unwrap();
    let list = format!("@{out}/empty.list");
    for (arguments, why) in [
        (vec!["build", &web, "--out", &out, "--threads", "1000"], "1..=512"),
        (vec!["config", "--set", "clean.max_link_density=-1"], "must be 0 to 1"),
        (vec!["config", "--set", "near.threshold=1.5"], "`near.threshold` = 1.5: must be 0.05 to 1"),
        (vec!["slurm", &out, "--time", "forever"], "expected minutes"),
        (
            vec!["build", &web, "--out", &new, "--select", "https://a.example/x.cdx"],
            "an index must be local; download it",
        ),
        (vec!["build", &list, "--out", &new], "empty.list names no archive"),
        (vec!["build", &web, "--out", &new, "--scratch", &unmounted], "missing/disk: there is no folder "),
    ] {
        said(&expect(2, &arguments).1, &[why]);
    }
}

/// A restart removes the files of a corpus, and they may be files of the job.
#[test]
fn nothing_foreign_is_written_into_a_corpus() {
    let corpus = samples();
    let (out, before) = (corpus.out(), corpus.files());
    let at = |name: &str| format!("{out}/{name}");
    for arguments in [
        vec!["emit", &out, "--format", "text", "--out", &at("tei")],
        vec!["emit", &out, "--format", "text", "--out", &at("new/folder")],
        vec!["stats", &out, "--out", &out],
        vec!["stats", &out, "--out", &at("counts")],
        vec!["report", &out, "--out", &at("report.html")],
        vec!["compare", &out, &out, "--out", &at("changes")],
        vec!["index", &out, "--out", &at("index")],
    ] {
        said(&expect(2, &arguments).1, &["lies in the corpus; choose another --out"]);
        assert!(corpus.files() == before, "{arguments:?}");
    }
    expect(0, &["report", &out]);
}

#[test]
fn every_command_shows_examples() {
    let (help, _) = expect(0, &["--help"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Further lines of a description are indented more.
    let commands = lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let commands = commands.filter_map(|line| line.split(' ').next()).filter(|command| *command != "help");
    let commands: Vec<&str> = commands.collect();
    assert!(commands.len() > 20, "{help}");
    for command in commands {
        let (help, _) = expect(0, &[command, "--help"]);
        said(&help, &["Example", &format!("  warcorpus {command} ")]);
    }
}

/// Soft hyphens stand in the page, and nowhere else.
#[test]
fn words_are_found_whatever_is_invisible_in_them() {
    let corpus = samples();
    let word = "Donaudampfschifffahrtsgesellschaft";
    assert!(corpus.paragraphs().iter().any(|row| row.text.contains(word)));
    assert!(!corpus.paragraphs().iter().any(|row| row.text.contains('\u{AD}')));
    assert!(corpus.vertical().lines().any(|line| line == word));
    assert_eq!(expect(0, &["concord", &corpus.out(), word, "--count"]).0.lines().last(), Some("all\t1"));
}

/// Readers infer a schema from the first lines, and would fail on nulls.
#[test]
fn json_lines_have_no_nulls() {
    for fields in ["jsonl.fields=dolma", "jsonl.fields=datatrove"] {
        let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "output.formats=jsonl", "--set", fields]);
        let text = read_format(&corpus.out(), "jsonl");
        let mut keys = Vec::new();
        for line in text.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let metadata = value["metadata"].as_object().unwrap();
            assert!(metadata.values().all(|value| !value.is_null()), "{line}");
            let own: Vec<String> = metadata.keys().cloned().collect();
            assert!(keys.is_empty() || keys == own, "{line}");
            keys = own;
        }
    }
}

/// `tests/data/corpus-of-version-0.1.0` was built from `sample.warc.zst` before plans named the version of their files.
#[test]
fn a_corpus_that_an_earlier_version_made_is_readable() {
    let old = crate::common::root().join("tests/data/corpus-of-version-0.1.0").display().to_string();
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    said(&expect(0, &["concord", &old, "the", "--count"]).0, &["the"]);
    said(&expect(0, &["stats", &old, "--out", &at("statistics")]).0, &["in 7 documents"]);
    said(&expect(0, &["explain", &old, "1"]).0, &["document 1, captured"]);
    said(&expect(0, &["emit", &old, "--format", "jsonl,tei,conllu,text", "--out", &at("more")]).0, &["7 documents in"]);
    expect(0, &["clusters", &old]);
    // Its intermediate files are not those of this version, and are not there.
    said(&expect(2, &["build", "--out", &old]).1, &["was begun by another version (0.1.0)"]);
}

/// One corpus can serve those who want duplicates and those who do not.
#[test]
fn duplicates_can_be_marked_instead_of_dropped() {
    let web = sample("web.warc.gz");
    let dropped = samples();
    let set = ["--set", "near.action=mark", "--set", "output.formats=vertical,jsonl,tei"];
    let marked = Corpus::build(0, &[&web], &set);
    let duplicates =
        |corpus: &Corpus| corpus.documents().into_iter().filter(|document| document.keeper.is_some()).count();
    assert_eq!((duplicates(&dropped), duplicates(&marked)), (9, 9));
    let kept = |corpus: &Corpus| {
        corpus.documents().into_iter().filter(|document| document.kept).map(|d| d.doc).collect::<Vec<_>>()
    };
    let (some, all) = (kept(&dropped), kept(&marked));
    assert_eq!(all.len(), some.len() + 9);
    assert!(some.iter().all(|doc| all.contains(doc)));
    assert_eq!(marked.stats()["dedup"]["marked_duplicates"], 9);
    let vertical = marked.vertical();
    assert_eq!(vertical.matches(" similarity=\"").count(), 9);
    assert_eq!(dropped.vertical().matches(" similarity=\"").count(), 0);
    // Without the marked ones, the other documents are those of a corpus that drops them.
    let (ours, theirs) = (marked.paragraphs(), dropped.paragraphs());
    let of = |rows: &[warcorpus::document::Paragraph]| -> Vec<(u64, u32, bool)> {
        rows.iter().filter(|row| some.contains(&row.doc)).map(|row| (row.doc, row.index, row.kept)).collect()
    };
    assert_eq!(of(&ours), of(&theirs));
    // It may be decided later.
    expect(
        0,
        &[
            "build",
            "--out",
            &dropped.out(),
            "--quiet",
            "--set",
            "near.action=mark",
            "--set",
            "output.formats=vertical,jsonl,tei",
        ],
    );
    assert!(dropped.files() == marked.files());
}

#[test]
fn intermediate_files_can_be_removed_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("c").display().to_string();
    let build = ["build", &sample("web.warc.gz"), "--out", &out, "--remove-work"];
    expect(0, &build);
    assert!(!Path::new(&out).join("work").exists());
    said(&expect(0, &build).0, &["already done; its intermediate files are removed"]);
    expect(0, &["concord", &out, "tide"]);
}

/// The loop for other batch systems in docs/cluster.md works as it stands there.
#[test]
fn the_documented_loop_over_tasks_builds_the_corpus() {
    let text = fs::read_to_string(crate::common::root().join("docs/cluster.md")).unwrap();
    let (_, after) = text.split_once("## Other batch systems").unwrap();
    let script = after.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("crawl")).unwrap();
    fs::copy(sample("web.warc.gz"), dir.path().join("crawl/web.warc.gz")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_warcorpus")).parent().unwrap().display().to_string();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let output = std::process::Command::new("bash")
        .args(["-eu", "-c", script])
        .env("PATH", path)
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let corpus = dir.path().join("corpus").display().to_string();
    expect(0, &["status", &corpus]);
    said(&expect(0, &["stats", &corpus]).0, &["in 72 documents"]);
}
