//! What a user meets: refusals, exit codes, resume, selection, traceability.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::common::{Corpus, command, expect, sample, shared};

#[test]
fn wrong_usage_is_refused_before_work() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let web = sample("web.warc.gz");
    let (_, err) = expect(2, &["build", &web, "--out", &out, "--set", "near.treshold=0.8"]);
    assert!(err.contains("near.threshold"), "{err}");
    let (_, err) = expect(2, &["build", "no-such-file.warc.gz", "--out", &out]);
    assert!(err.contains("no such file"), "{err}");
    let (_, err) = expect(2, &["build", &web, "--out", &out, "--job", "no-such-job.toml"]);
    assert!(err.contains("no-such-job.toml"), "{err}");
    expect(2, &["build", &web]);
    expect(2, &["bild"]);
}

#[test]
fn a_foreign_directory_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("thesis.tex"), "precious").unwrap();
    let (_, err) = expect(2, &["build", &sample("web.warc.gz"), "--out", &dir.path().display().to_string()]);
    assert!(err.contains("not empty"), "{err}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn one_process_at_a_time_works_in_a_directory() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let held = fs::File::open(corpus.layout().lock()).unwrap();
    held.lock().unwrap();
    let (_, err) = expect(2, &["build", &sample("web.warc.gz"), "--out", &corpus.out()]);
    assert!(err.contains("another process"), "{err}");
}

#[test]
fn another_job_does_not_overwrite_a_corpus() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let before = corpus.files();
    let out = corpus.out();
    let (_, err) = expect(2, &["build", &sample("web.warc.gz"), "--out", &out, "--set", "near.shingle=3"]);
    assert!(err.contains("near.shingle: 3 instead of 5"), "{err}");
    let (_, err) = expect(2, &["build", &sample("damaged.warc.gz"), "--out", &out]);
    assert!(err.contains("damaged.warc.gz is new"), "{err}");
    expect(0, &["build", &sample("web.warc.gz"), "--out", &out]);
    assert!(corpus.files() == before);
}

/// The signal of an interrupt from the keyboard, or another one where it is ignored: a script ignores it for what it runs in
/// the background, and the program leaves it so.
fn interrupt() -> &'static str {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let ignored = u64::from_str_radix(mask.trim(), 16).unwrap();
    if ignored >> 1 & 1 == 1 { "-TERM" } else { "-INT" }
}

#[test]
fn an_interrupted_build_is_continued_to_the_same_bytes() {
    let Some(data) = shared("extraction/trafilatura.warc.gz") else { return };
    let input = data.display().to_string();
    let options = ["--set", "plan.shard_bytes=1000000", "--threads", "1"];
    let whole = Corpus::build(0, &[&input], &options);
    let dir = tempfile::tempdir().unwrap();
    let interrupted = Corpus { dir };
    let out = interrupted.out();
    let mut arguments = vec!["build", &input, "--out", &out, "--quiet"];
    arguments.extend(options);
    let mut child = command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let first = interrupted.layout().done("extract", 1);
    while !first.exists() {
        assert!(child.try_wait().unwrap().is_none(), "done before it could be interrupted");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args([interrupt(), &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!interrupted.layout().stats().exists());
    expect(0, &arguments);
    assert!(interrupted.files() == whole.files());
}

#[test]
fn damage_is_listed_and_told_by_the_exit_code() {
    let corpus = Corpus::build(3, &[&sample("damaged.warc.gz")], &[]);
    let rejects = fs::read_to_string(corpus.layout().rejects()).unwrap();
    let archive = fs::read(sample("damaged.warc.gz")).unwrap();
    let mut reasons = Vec::new();
    for line in rejects.lines() {
        let reject: serde_json::Value = serde_json::from_str(line).unwrap();
        let (offset, length) = (reject["offset"].as_u64().unwrap(), reject["length"].as_u64().unwrap());
        assert!(offset + length <= archive.len() as u64 && length > 0, "{line}");
        reasons.push(reject["reason"].as_str().unwrap().to_string());
    }
    assert_eq!(reasons, ["junk", "bad_deflate", "truncated"], "{rejects}");
    let damage: u64 = corpus.stats()["damage"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(damage, 3);
}

#[test]
fn counts_add_up() {
    for name in ["web.warc.gz", "damaged.warc.gz"] {
        let corpus = Corpus::build(if name == "web.warc.gz" { 0 } else { 3 }, &[&sample(name)], &[]);
        let stats = corpus.stats();
        let sum = |key: &str| -> u64 { stats[key].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum() };
        assert_eq!(stats["records"].as_u64().unwrap(), sum("no_page") + sum("documents"));
        let documents = corpus.documents();
        assert_eq!(documents.len() as u64, sum("documents"));
        assert_eq!(stats["documents"]["kept"].as_u64().unwrap(), documents.iter().filter(|d| d.kept).count() as u64);
        assert_eq!(corpus.blocks().len() as u64, sum("paragraphs"));
        assert!(documents.iter().all(|d| d.kept == d.drop_reason.name().is_empty()));
    }
}

#[test]
fn every_dropped_duplicate_names_a_kept_representative_it_resembles() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "overlap.enabled=false"]);
    let documents = corpus.documents();
    let dropped: Vec<_> = documents.iter().filter(|d| d.keeper.is_some()).collect();
    assert!(dropped.len() >= 6, "the sample holds duplicates");
    for document in dropped {
        assert!(document.similarity.is_some_and(|s| s >= 0.75), "{document:?}");
        assert!(document.drop_reason.name().ends_with("_duplicate"));
        let keeper = documents.iter().find(|d| Some(d.doc) == document.keeper).unwrap();
        assert!(keeper.kept && keeper.cluster_size == document.cluster_size, "{keeper:?}");
        assert_eq!(document.drop_reason.name() == "exact_duplicate", keeper.text_digest == document.text_digest);
    }
}

#[test]
fn a_language_can_be_selected() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "language.keep=[\"ces\",\"slk\"]"]);
    let documents = corpus.documents();
    assert!(documents.iter().any(|d| d.kept));
    assert!(documents.iter().filter(|d| d.kept).all(|d| d.language.code() == "ces" || d.language.code() == "slk"));
    assert!(documents.iter().any(|d| d.drop_reason.name() == "language"));
}

#[test]
fn show_gives_the_record_back() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let archive = fs::read(sample("web.warc.gz")).unwrap();
    for document in corpus.documents().iter().step_by(7) {
        let shown = command(&["show", &corpus.out(), &document.doc.to_string()]).output().unwrap();
        assert!(shown.status.success());
        let member = archive.get(document.offset as usize..(document.offset + document.length) as usize).unwrap();
        let mut record = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(member), &mut record).unwrap();
        assert!(shown.stdout == record, "{}", document.url);
    }
    expect(2, &["show", &corpus.out(), "http://no.such/page"]);
}

#[test]
fn standard_input_and_lists_are_inputs() {
    let by_name = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let dir = tempfile::tempdir().unwrap();
    let piped = Corpus { dir };
    let mut child = command(&["build", "-", "--out", &piped.out(), "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&fs::read(sample("web.warc.gz")).unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(piped.vertical(), by_name.vertical());
    let list = by_name.dir.path().join("list.txt");
    fs::write(&list, sample("web.warc.gz")).unwrap();
    // What was piped in first stays; something else is refused.
    let mut child = command(&["build", "-", "--out", &piped.out(), "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let first = piped.documents().first().unwrap().doc.to_string();
    expect(0, &["show", &piped.out(), &first]);
    // Nor does a refused job replace it, though with --restart.
    let before = piped.files();
    let restart = ["build", "-", "--out", &piped.out(), "--quiet", "--restart", "--memory", "1M"];
    let other = fs::File::open(sample("damaged.warc.gz")).unwrap();
    assert_eq!(command(&restart).stdin(other).output().unwrap().status.code(), Some(2));
    assert!(piped.files() == before);
    let listed = Corpus::build(0, &[&format!("@{}", list.display())], &[]);
    assert!(listed.files() == by_name.files());
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("man1");
    expect(0, &["man", &pages.display().to_string()]);
    let (help, _) = expect(0, &["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> =
        commands.filter(|line| !line.starts_with("   ")).map(|line| line.trim().split(' ').next().unwrap()).collect();
    assert!(names.contains(&"build") && names.contains(&"man"), "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let page = fs::read_to_string(pages.join(format!("warcorpus-{name}.1"))).unwrap();
        assert!(page.contains(".SH OPTIONS") && page.contains(&format!("warcorpus\\-{name}")), "{name}: {page}");
    }
    assert!(fs::read_to_string(pages.join("warcorpus.1")).unwrap().contains("Exit codes"));
}

#[test]
fn the_configuration_prints_its_defaults_and_reads_them_back() {
    let (out, _) = expect(0, &["config"]);
    assert_eq!(out, warcorpus::config::DEFAULTS);
    let (out, _) = expect(0, &["config", "--set", "near.shingle=3"]);
    assert!(out.contains("\nshingle = 3\n"));
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job.toml").display().to_string();
    fs::write(&job, &out).unwrap();
    assert_eq!(expect(0, &["config", "--job", &job]).0, out);
    assert!(expect(0, &["completions", "bash"]).0.contains("warcorpus"));
}

#[test]
fn the_chosen_banding_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let web = sample("web.warc.gz");
    let set = ["--set", "near.shingle=3", "--set", "near.threshold=0.45"];
    let (_, err) = expect(0, &[&["build", &web, "--out", &out], &set[..]].concat());
    assert!(err.contains("37 bands × 3 rows; a pair at similarity 0.45 is compared with probability 0.97"), "{err}");
}

#[test]
fn logs_can_be_json() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let (stdout, err) = expect(0, &["build", &sample("web.warc.gz"), "--out", &out, "--log", "json"]);
    assert_eq!(stdout, "");
    assert!(err.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{err}");
    assert!(err.lines().last().unwrap().contains("done"));
}

/// Real archives of other tools, sound and broken: nothing panics, nothing is lost without a line.
#[test]
fn a_folder_of_odd_archives_is_read_to_its_end() {
    let Some(folder) = shared("warc") else { return };
    let corpus = Corpus::build(3, &[&folder.display().to_string()], &[]);
    let stats = corpus.stats();
    assert!(stats["records"].as_u64().unwrap() > 2_900, "{stats}");
    assert!(stats["no_page"].get("internal_error").is_none(), "{stats}");
    let rejects = fs::read_to_string(corpus.layout().rejects()).unwrap();
    assert!(rejects.lines().any(|line| line.contains("invalid-warcheaderversion-18") && line.contains("unsupported")));
    let documents = corpus.documents();
    for read in ["derived__perrecord.warc.zst", "aut__example.arc.gz"] {
        assert!(!rejects.contains(read), "{rejects}");
        assert!(documents.iter().any(|document| document.archive.ends_with(read)), "{read}");
    }
}

/// Text that was encoded twice, once as Windows-1252 and once as ISO 8859-1.
#[test]
fn text_encoded_twice_is_repaired_or_counted_or_left() {
    let text = "The partyâ€™s guests came fÃ¼r dinner, and all of them said that it had been the very best one of the year; \
                the hostâ\u{80}\u{99}s soup was praised most.";
    let html = format!("<title>CafÃ© Nero</title><body><h1>CafÃ© Nero</h1><p>{text}</p></body>");
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("twice.warc").display().to_string();
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://twice.test/";
    fs::write(&archive, format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len())).unwrap();
    for (mode, host, title, counted) in [
        ("fix", "the host’s soup", "Café Nero", 1),
        ("mark", "the hostâs soup", "CafÃ© Nero", 1),
        ("leave", "the hostâs soup", "CafÃ© Nero", 0),
    ] {
        let corpus = Corpus::build(0, &[&archive], &["--set", &format!("text.mojibake={mode}")]);
        let texts: Vec<String> = corpus.blocks().into_iter().map(|block| block.text).collect();
        let found = |part: &str| texts.iter().any(|text| text.contains(part));
        assert!(found(host), "{mode}: {texts:?}");
        assert_eq!((found("party’s guests came für"), found("partyâ€™s")), (mode == "fix", mode != "fix"), "{texts:?}");
        assert_eq!(corpus.documents()[0].title.as_deref(), Some(title), "{mode}");
        assert_eq!(corpus.stats()["faults"]["page.mojibake"].as_u64().unwrap_or(0), counted, "{mode}");
    }
    let (_, err) = expect(
        2,
        &["build", &archive, "--out", &dir.path().join("o").display().to_string(), "--set", "text.mojibake=mend"],
    );
    assert!(err.contains("mend") && err.contains("leave"), "{err}");
}
