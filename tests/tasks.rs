//! A job in pieces is the job in one; what is not done is told; what is damaged is done again.

use std::fs;

use crate::common::{Corpus, expect, sample};

const OPTIONS: [&str; 2] = ["--set", "plan.shard_bytes=60000"];
const STAGES: [&str; 7] = ["extract", "bucket", "cluster", "ngrams", "overlap", "emit", "report"];

/// A planned job, and the corpus that `build` makes of the same.
fn planned() -> (Corpus, Corpus) {
    let (web, damaged) = (sample("web.warc.gz"), sample("damaged.warc.gz"));
    let whole = Corpus::build(3, &[&web, &damaged], &OPTIONS);
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let (out, _) = expect(0, &[&["plan", &web, &damaged, "--out", &corpus.out()], &OPTIONS[..]].concat());
    assert!(out.contains("2 input files") && out.contains("warcorpus slurm"), "{out}");
    (whole, corpus)
}

fn task(corpus: &Corpus, stage: &str, tasks: &str) {
    expect(0, &["task", stage, tasks, "--out", &corpus.out(), "--quiet"]);
}

#[test]
fn tasks_one_by_one_make_the_same_corpus() {
    let (whole, corpus) = planned();
    let out = corpus.out();
    assert!(expect(5, &["status", &out]).0.contains("nobody is at work"));
    let shards = whole.stats()["shards"].as_u64().unwrap();
    assert!(shards >= 4);
    // From the last to the first, so that order cannot help.
    for shard in (0..shards).rev() {
        task(&corpus, "extract", &shard.to_string());
    }
    let (status, _) = expect(5, &["status", &out]);
    let row = |stage: &str| {
        status.lines().find(|line| line.starts_with(stage)).unwrap().split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(row("extract")[1..], [&shards.to_string(), &shards.to_string(), "0", "0", "0"]);
    assert_eq!(row("emit")[4..], ["0", &shards.to_string()]);
    for stage in &STAGES[1..] {
        task(&corpus, stage, "0-1000");
    }
    assert!(expect(0, &["status", &out]).0.ends_with("done\n"));
    assert!(corpus.files() == whole.files());
}

#[test]
fn a_stage_waits_for_those_before() {
    let (_, corpus) = planned();
    let out = corpus.out();
    let (_, err) = expect(2, &["task", "emit", "0", "--out", &out]);
    assert!(err.contains("emit needs all of extract") && err.contains("0, 1, 2"), "{err}");
    let (_, err) = expect(2, &["task", "extract", "5000", "--out", &out]);
    assert!(err.contains("extract has tasks 0 to"), "{err}");
    let (_, err) = expect(2, &["task", "extrakt", "0", "--out", &out]);
    assert!(err.contains("stages are extract, bucket"), "{err}");
    let (_, err) = expect(2, &["task", "extract", "0", "--out", &sample("")]);
    assert!(err.contains("holds no plan"), "{err}");
}

#[test]
fn build_finishes_what_tasks_began() {
    let (whole, corpus) = planned();
    task(&corpus, "extract", "1-2");
    expect(3, &["build", "--out", &corpus.out(), "--quiet"]);
    assert!(corpus.files() == whole.files());
}

#[test]
fn damaged_files_are_made_again() {
    let (whole, _) = planned();
    let before = whole.files();
    let layout = whole.layout();
    let files = [
        layout.documents(0),
        layout.vertical(1),
        layout.report(),
        layout.extracted(0).documents(),
        layout.extracted(1).bands(),
        layout.stars(),
        layout.repeats(0),
    ];
    for path in files {
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let (_, err) = expect(3, &["build", "--out", &whole.out()]);
        let told = format!("is done again: {} has another checksum", path.display());
        assert_eq!(err.matches("is done again").count(), 1, "{err}");
        assert!(err.contains(&told), "{err}");
        assert!(whole.files() == before, "{}", path.display());
    }
    fs::remove_file(layout.extracted(0).sketches()).unwrap();
    expect(3, &["build", "--out", &whole.out(), "--quiet"]);
    assert!(whole.files() == before);
    // A marker that does not read is none.
    fs::write(layout.done("emit", 0), b"{\"counts\"").unwrap();
    expect(3, &["build", "--out", &whole.out(), "--quiet"]);
    assert!(whole.files() == before);
}

#[test]
fn a_changed_archive_is_not_mixed_with_the_old_one() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("a.warc.gz");
    fs::copy(sample("web.warc.gz"), &archive).unwrap();
    let input = archive.display().to_string();
    let out = dir.path().join("out").display().to_string();
    expect(0, &["plan", &input, "--out", &out]);
    fs::copy(sample("damaged.warc.gz"), &archive).unwrap();
    let (_, err) = expect(1, &["task", "extract", "0", "--out", &out, "--quiet"]);
    assert!(err.contains("a.warc.gz: is not the file that was planned"), "{err}");
    let (status, _) = expect(1, &["status", &out]);
    assert!(status.contains("extract 0 failed on") && status.contains("is not the file that was planned"), "{status}");
    assert!(status.contains(&format!("warcorpus task extract 0 --out {out}")), "{status}");
    let (_, err) = expect(2, &["build", &input, "--out", &out]);
    assert!(err.contains("has changed") && err.contains("--restart"), "{err}");
    expect(3, &["build", &input, "--out", &out, "--restart", "--quiet"]);
    expect(0, &["status", &out]);
}

#[test]
fn restart_forgets_only_what_is_of_the_job() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &[]);
    let notes = corpus.dir.path().join("out/notes.txt");
    fs::write(&notes, "mine").unwrap();
    let more = ["--set", "near.shingle=3", "--restart", "--quiet"];
    expect(0, &[&["build", &sample("web.warc.gz"), "--out", &corpus.out()], &more[..]].concat());
    assert!(fs::read_to_string(corpus.layout().job()).unwrap().contains("shingle = 3"));
    assert_eq!(fs::read_to_string(notes).unwrap(), "mine");
    let empty = tempfile::tempdir().unwrap();
    let (_, err) = expect(2, &["build", "--out", &empty.path().display().to_string()]);
    assert!(err.contains("holds no"), "{err}");
}

#[test]
fn scripts_for_slurm_are_readable_and_complete() {
    let (_, corpus) = planned();
    let out = corpus.out();
    let options = ["--partition", "long", "--elements", "2", "--option=--account=lab"];
    let (told, _) = expect(0, &[&["slurm", &format!("{out}/plan.json")], &options[..]].concat());
    assert!(told.contains("submit.sh"), "{told}");
    let script = fs::read_to_string(corpus.layout().slurm().join("extract.sh")).unwrap();
    for line in ["#SBATCH --partition=long", "#SBATCH --account=lab", "elements=2"] {
        assert!(script.lines().any(|l| l == line), "{line} is not in\n{script}");
    }
    for stage in STAGES {
        let script = corpus.layout().slurm().join(format!("{stage}.sh"));
        let checked = std::process::Command::new("bash").arg("-n").arg(&script).status().unwrap();
        assert!(checked.success(), "{}", script.display());
    }
}
