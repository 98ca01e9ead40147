//! What was lost, cannot be read or cannot be written is named, and never passed over.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::{Corpus, assert_same_files, command, expect, said, sample};

/// Expects an exit code, and a part of what is said.
fn told(code: i32, arguments: &[&str], part: &str) {
    said(&expect(code, arguments).1, &[part]);
}

#[test]
fn a_lost_file_of_a_table_is_an_error_of_all_that_read_it() {
    let more = ["--set", "plan.shard_bytes=65536", "--set", "quality.signals=basic"];
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &more);
    let (layout, out) = (corpus.layout(), corpus.out());
    let at = |name: &str| corpus.dir.path().join(name).display().to_string();
    let (elsewhere, list) = (at("elsewhere"), at("list.toml"));
    let doc =
        corpus.documents().into_iter().map(|document| document.doc).find(|doc| doc >> 32 == 1).unwrap().to_string();
    let concord = ["concord", &out, "the"];
    let explain = ["explain", &out, &doc];
    let compare = ["compare", &out, &out, "--out", &elsewhere];
    let tags = ["tags", &out];
    let emit = ["emit", &out, "--format", "jsonl", "--out", &elsewhere];
    let quantiles = ["stats", &out, "--quantiles", &list];
    let stoplist = ["stoplist", &out, "--language", "eng"];
    let card = ["card", &out, "--force"];
    let of_rows: [&[&str]; 7] = [&concord, &explain, &compare, &tags, &emit, &["stats", &out], &stoplist];
    let readers: [(_, &[&[&str]]); 5] = [
        (layout.documents(1), &[&of_rows[..], &[&card[..], &quantiles]].concat()),
        (layout.paragraphs(1), &of_rows),
        (layout.boilerplate(1), &[&explain, &compare, &tags]),
        (layout.signals(1), &[&quantiles, &["stats", &out, "--where", "n_words > 5"]]),
        (layout.documents(0), &of_rows),
    ];
    for (table, readers) in readers {
        let aside = table.with_extension("aside");
        fs::rename(&table, &aside).unwrap();
        let folder = table.parent().unwrap().file_name().unwrap();
        let name = Path::new(folder).join(table.file_name().unwrap()).display().to_string();
        for reader in readers.iter().filter(|reader| !(name.contains("part-00000") && reader[0] == "explain")) {
            told(1, reader, &name);
            let _ = fs::remove_dir_all(&elsewhere);
        }
        fs::rename(&aside, &table).unwrap();
    }
    // `annotate` was killed at its first file.
    let labels = layout.labels(0);
    fs::create_dir(labels.parent().unwrap()).unwrap();
    fs::write(labels.with_extension("parquet.0123456789abcdef.tmp"), "PAR1").unwrap();
    expect(0, &["stats", &out]);
    // A table that is gone as a whole was not asked for, or is not wanted any more.
    fs::remove_dir_all(layout.boilerplate(0).parent().unwrap()).unwrap();
    expect(0, &explain);
    expect(0, &emit);
}

#[test]
fn damage_is_told_with_what_makes_the_file_again() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (layout, out) = (corpus.layout(), corpus.out());
    let (stats, report, build) = (["stats", &out], ["report", &out], ["build", "--out", &out, "--quiet"]);
    let remedy = format!("; `warcorpus build --out {out}` makes it again");
    let cut = |path: &Path| {
        let sound = fs::read(path).unwrap();
        fs::write(path, &sound[..sound.len() / 2]).unwrap();
        sound
    };
    for (path, reader) in [
        (layout.documents(0), stats),
        (layout.paragraphs(0), stats),
        (layout.stats(), stats),
        (layout.report_data(), report),
    ] {
        let sound = cut(&path);
        told(1, &reader, &format!("{}: ", path.display()));
        told(1, &reader, &remedy);
        expect(0, &build);
        assert!(fs::read(&path).unwrap() == sound, "{}", path.display());
    }
    layout.remove_work().unwrap();
    let sound = cut(&layout.paragraphs(0));
    told(1, &stats, "; work/, from which it could be made again, was removed: build again with --restart");
    fs::write(layout.paragraphs(0), sound).unwrap();
    // A table that the corpus can do without may be removed as a whole.
    fs::remove_dir_all(layout.boilerplate(0).parent().unwrap()).unwrap();
    expect(0, &build);
    fs::remove_dir_all(layout.paragraphs(0).parent().unwrap()).unwrap();
    told(1, &build, "paragraphs/part-00000.parquet: is missing; work/");
    told(1, &["task", "emit", "0", "--out", &out], "build again with --restart");
}

#[test]
fn a_cut_off_configuration_is_not_one_of_defaults() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "output.formats=text"]);
    let out = corpus.out();
    let path = corpus.layout().job();
    let text = fs::read_to_string(&path).unwrap();
    let cut = text.find("[output]").unwrap();
    fs::write(&path, &text[..cut]).unwrap();
    for reader in [vec!["build", "--out", &out], vec!["emit", &out, "--format", "text"], vec!["stats", &out]] {
        told(1, &reader, "job.toml");
    }
    assert!(corpus.layout().part("text", "txt.gz", 0).exists());
    fs::write(&path, text).unwrap();
    expect(0, &["build", "--out", &out, "--quiet"]);
}

#[test]
fn inputs_that_cannot_be_read_are_not_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::create_dir_all(at("crawl/old.warc")).unwrap();
    fs::copy(sample("web.warc.gz"), at("crawl/a.warc.gz")).unwrap();
    let out = at("out");
    for input in [at("crawl"), at("crawl/*")] {
        told(0, &["plan", &input, "--out", &out, "--restart"], "folders or pipes: old.warc (1)");
    }
    symlink("moved", at("crawl/b.warc.gz")).unwrap();
    let out = at("new");
    for input in [at("crawl"), at("crawl/*.gz"), at("**/*.gz"), at("*/b*")] {
        told(2, &["build", &input, "--out", &out], "crawl/b.warc.gz: No such file");
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn a_refused_job_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (web, out) = (sample("web.warc.gz"), at("out"));
    let model = format!("language.model={web}");
    for (more, part) in [
        (vec!["--against", "nosuch"], "--against nosuch: No such file"),
        (vec!["--against", &web], "is no index"),
        (vec!["--set", &model], "is no model of fastText"),
        (vec!["--set", "clean.stoplist=./nosuch.txt"], "nosuch.txt"),
        (vec!["--set", "clean.rules=nosuch.toml"], "nosuch.toml"),
        (vec!["--memory", "1K"], "--memory"),
    ] {
        told(2, &[&["build", &web, "--out", &out], &more[..]].concat(), part);
        assert!(!Path::new(&out).exists(), "{more:?}");
    }
    fs::write(&out, "a file").unwrap();
    told(2, &["build", &web, "--out", &out], "is no directory");
    let link = at("link");
    symlink("nowhere", &link).unwrap();
    told(2, &["build", &web, "--out", &link], "is no directory");
}

/// Runs with one of the streams on a full device.
fn on_full(stream: &str, arguments: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = command(arguments);
    match stream {
        "stdout" => command.stdout(full).stderr(Stdio::piped()),
        _ => command.stderr(full).stdout(Stdio::piped()),
    };
    command.spawn().unwrap().wait_with_output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    let web = sample("web.warc.gz");
    let built = on_full("stderr", &["build", &web, "--out", &out]);
    assert_eq!(built.status.code(), Some(0));
    assert!(!built.stdout.is_empty());
    for (code, arguments) in [
        (2, vec!["build", "nosuch.warc", "--out", &out]),
        (2, vec!["build", "--nosuch"]),
        (0, vec!["concord", &out, "nosuchword"]),
        (1, vec!["annotate", &out, "--from", &web]),
    ] {
        assert_eq!(on_full("stderr", &arguments).status.code(), Some(code), "{arguments:?}");
    }
    for arguments in [
        vec!["--help"],
        vec!["--version"],
        vec!["completions", "bash"],
        vec!["languages"],
        vec!["concord", &out, "the"],
    ] {
        let output = on_full("stdout", &arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {err}");
        assert!(err.contains("cannot write to standard output: No space left"), "{arguments:?}: {err}");
    }
}

#[test]
fn errors_of_settings_name_the_setting() {
    for (set, part) in [
        ("remote.retries=-1", "`remote.retries` = -1"),
        ("clean.length_low=-1", "`clean.length_low` = -1"),
        ("text.lines=x", "`text.lines` = x: paragraphs or documents"),
        ("near.rows=5", "`near.rows` = 5: set both"),
        ("near.bands=5", "`near.bands` = 5: set both"),
        (r#"quality.rules=["nosuch >= 3"]"#, "quality.rules: `nosuch >= 3`: no column `nosuch`"),
        ("quality.recipe=nosuch", "quality.recipe: no recipe `nosuch`"),
        (r#"quality.model=[{path="x"}]"#, "`quality.model`: missing field `name`"),
    ] {
        told(2, &["config", "--set", set], part);
    }
}

/// A write beyond the limit of the size of files fails as one on a full disk does; no page is blamed for it.
#[test]
fn a_limit_of_the_size_of_files_ends_a_build_with_a_message() {
    let whole = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let build = command(&["build", &sample("web.warc.gz"), "--out", &corpus.out(), "--quiet"]);
    for _ in 0..4 {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -f 40; exec \"$@\"", "sh"]).arg(build.get_program()).args(build.get_args());
        let Output { status, stderr, .. } = shell.output().unwrap();
        let error = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(1), "{error}");
        said(&error, &["cannot write", "File too large"]);
    }
    expect(0, &["build", "--out", &corpus.out(), "--quiet"]);
    assert_same_files(&corpus, &whole);
}

#[test]
fn labels_that_are_half_joined_choose_no_documents_until_they_are_given_up() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let (out, labels) = (corpus.out(), corpus.dir.path().join("labels.csv"));
    let document = corpus.documents().into_iter().find(|document| !document.record_id.is_empty()).unwrap();
    fs::write(&labels, format!("record_id,topic\n{},tides\n", document.record_id)).unwrap();
    expect(0, &["annotate", &out, "--from", &labels.display().to_string()]);
    fs::write(corpus.layout().incomplete(), "labels topic\n").unwrap();
    let lists = [
        &["stats", &out, "--where", "topic = tides"][..],
        &["concord", &out, "the", "--count", "--by", "topic"],
        &["emit", &out, "--format", "text", "--out", "elsewhere"],
    ];
    lists.iter().for_each(|list| told(2, list, "`warcorpus annotate` was interrupted"));
    fs::remove_dir_all(corpus.layout().labels(0).parent().unwrap()).unwrap();
    told(2, &["stats", &out, "--where", "topic = tides"], "topic");
    expect(0, &["stats", &out, "--where", "words > 5"]);
    expect(0, &["emit", &out, "--format", "text"]);
}

#[test]
fn a_copy_without_hidden_files_is_a_corpus() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    fs::remove_file(corpus.layout().lock()).unwrap();
    expect(0, &["build", "--out", &corpus.out(), "--quiet"]);
}

#[test]
fn an_empty_name_is_that_of_no_document() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    ["show", "explain"].iter().for_each(|command| told(2, &[command, &corpus.out(), ""], "name a document"));
}

#[test]
fn an_export_with_other_settings_is_not_mixed_with_an_earlier_one() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let exported = corpus.dir.path().join("exported").display().to_string();
    let emit = |format: &str| {
        vec!["emit".into(), corpus.out(), "-f".into(), format.to_string(), "--out".into(), exported.clone()]
    };
    let emit = |code, format| expect(code, &emit(format).iter().map(String::as_str).collect::<Vec<_>>()).1;
    emit(0, "text,jsonl");
    expect(0, &["build", "--out", &corpus.out(), "--set", "vertical.escape=xml", "--quiet"]);
    emit(0, "text");
    expect(0, &["build", "--out", &corpus.out(), "--set", "near.action=mark", "--quiet"]);
    said(&emit(2, "text"), &["its settings were changed"]);
}
