//! What can happen to a job in its life: killed, out of disk, its files damaged or taken away, its
//! input unreadable. Whatever it was, the same command ends with the bytes of a run that nothing
//! happened to.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{Corpus, assert_same_files, command, expect, flip, run};
use crate::crawl::{self, DONE, Random};

/// Pages are not what is tested here, so their languages need not be found out; and shards are small.
const OPTIONS: [&str; 4] = ["--set", "language.min_letters=1000000", "--set", "plan.shard_bytes=4000000"];

/// Archives, a build of them that nothing happened to, and one that things happen to.
struct Trial {
    options: Vec<&'static str>,
    archives: tempfile::TempDir,
    whole: Corpus,
    /// What the undisturbed build took.
    took: Duration,
    corpus: Corpus,
}

impl Trial {
    /// With `files` archives of `pages` pages each, a page 100 kB.
    fn new(files: u64, pages: u64) -> Trial {
        Trial::with(files, pages, &[])
    }

    fn with(files: u64, pages: u64, more: &[&'static str]) -> Trial {
        let options = [&OPTIONS[..], more].concat();
        let archives = tempfile::tempdir().unwrap();
        for file in 0..files {
            crawl::write(&archives.path().join(format!("{file}.warc.gz")), file, pages);
        }
        let input = archives.path().display().to_string();
        let begun = Instant::now();
        let whole = Corpus::build(DONE, &[&input], &options);
        let took = begun.elapsed();
        Trial { options, archives, whole, took, corpus: Corpus { dir: tempfile::tempdir().unwrap() } }
    }

    fn archive(&self) -> PathBuf {
        self.archives.path().join("0.warc.gz")
    }

    fn arguments(&self) -> Vec<String> {
        let (input, out) = (self.archives.path().display().to_string(), self.corpus.out());
        let own = ["build", &input, "--out", &out, "--quiet"];
        own.iter().chain(&self.options).map(ToString::to_string).collect()
    }

    fn start(&self) -> Child {
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        command(&arguments).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Runs to the end, which must have this exit code; standard error.
    fn run(&self, code: i32) -> String {
        let arguments = self.arguments();
        expect(code, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).1
    }

    /// Runs until a task of the stage is done, no further.
    fn run_until(&self, stage: &str) -> Child {
        let mut child = self.start();
        while !self.corpus.layout().done(stage, 0).exists() {
            assert!(child.try_wait().unwrap().is_none(), "done before {stage}");
            sleep(Duration::from_millis(5));
        }
        child
    }

    fn kill_after(&self, stage: &str) {
        let mut child = self.run_until(stage);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// The same bytes, and nothing left behind.
    fn check(&self) {
        assert_same_files(&self.corpus, &self.whole);
        assert_eq!(unfinished(self.corpus.layout().root()), Vec::<PathBuf>::new());
    }
}

/// Files under temporary names, in the folder and below.
pub fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(unfinished(&path));
        } else if path.file_name().unwrap().to_string_lossy().contains(".tmp") {
            found.push(path);
        }
    }
    found
}

/// Twenty kills, the first few right after the start, over as many builds as it takes.
#[test]
fn a_build_killed_twenty_times_ends_with_the_same_bytes() {
    let trial = Trial::new(4, 520);
    let bytes: u64 = fs::read_dir(trial.archives.path()).unwrap().map(|f| f.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes >= 200_000_000, "{bytes}");
    let mut random = Random(20);
    let mut builds = 0;
    let mut kills = 0;
    while kills < 20 {
        let most = if kills < 5 { 40_000 } else { trial.took.as_micros() as u64 / 4 };
        let mut child = trial.start();
        sleep(Duration::from_micros(random.below(most)));
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(DONE), "after {kills} kills");
            trial.check();
            fs::remove_dir_all(trial.corpus.layout().root()).unwrap();
            builds += 1;
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // What was killed need not be mended, only started again; perhaps there is no plan yet, or all is done.
        let status = run(&["status", &trial.corpus.out()]).status.code();
        assert!(matches!(status, Some(0 | 2 | 5)), "{status:?} after {kills} kills");
    }
    trial.run(DONE);
    trial.check();
    println!("{kills} kills in {} builds of {bytes} bytes", builds + 1);
}

/// A kill may come before anything has its name.
#[test]
fn a_build_killed_at_its_very_beginning_can_be_continued() {
    let trial = Trial::new(1, 60);
    fs::create_dir(trial.corpus.layout().root()).unwrap();
    fs::write(trial.corpus.layout().lock(), "").unwrap();
    fs::write(trial.corpus.layout().root().join("job.toml.0123456789abcdef.tmp"), "[near]\nshing").unwrap();
    trial.run(DONE);
    trial.check();
}

/// Documents of all shards resemble each other, and their sketches are in more files than may be open.
#[test]
fn a_build_has_more_shards_than_files_may_be_open() {
    let archives = tempfile::tempdir().unwrap();
    crawl::write_alike(&archives.path().join("0.warc.gz"), 0, 200);
    let input = archives.path().display().to_string();
    let options = [&OPTIONS[..], &["--set", "plan.shard_bytes=200000", "--threads", "2"]].concat();
    let whole = Corpus::build(DONE, &[&input], &options);
    let shards = fs::read_dir(whole.layout().root().join("documents")).unwrap().count();
    assert!(shards > 64, "{shards}");
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let build = command(&[&["build", &input, "--out", &corpus.out(), "--quiet"], options.as_slice()].concat());
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 64; exec \"$@\"", "sh"]).arg(build.get_program()).args(build.get_args());
    let output = shell.output().unwrap();
    assert_eq!(output.status.code(), Some(DONE), "{}", String::from_utf8_lossy(&output.stderr));
    assert_same_files(&corpus, &whole);
}

/// A small file system in memory, while it lives.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None`, with a notice, where this user may not mount.
    fn new(kilobytes: u64) -> Option<SmallDisk> {
        let disk = SmallDisk(tempfile::tempdir().unwrap());
        if disk.mount(&format!("size={kilobytes}k")) {
            return Some(disk);
        }
        println!("skipped: mounting a small disk needs root");
        None
    }

    fn mount(&self, options: &str) -> bool {
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", options, "none"]).arg(self.0.path()).output();
        mount.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).output();
    }
}

/// The disk grows step by step, so that it is full in early stages and in late ones.
#[test]
fn a_full_disk_is_told_and_room_lets_the_build_go_on() {
    let Some(disk) = SmallDisk::new(64) else { return };
    let mut trial = Trial::new(1, 300);
    trial.corpus = Corpus { dir: tempfile::tempdir_in(disk.0.path()).unwrap() };
    let mut full = 0;
    for kilobytes in (1..).map(|step| 64 + step * 256) {
        let arguments = trial.arguments();
        let output = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        if output.status.code() == Some(DONE) {
            break;
        }
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("No space left") && error.contains(&trial.corpus.out()), "{error}");
        assert_eq!(unfinished(disk.0.path()), Vec::<PathBuf>::new());
        full += 1;
        assert!(disk.mount(&format!("remount,size={kilobytes}k")));
    }
    println!("the disk was full {full} times");
    assert!(full >= 3);
    trial.check();
}

#[test]
fn intermediate_files_may_disappear_at_any_time() {
    let trial = Trial::new(1, 200);
    let work = trial.corpus.layout().work();
    for (stage, folder) in [("extract", "extract"), ("ngrams", "extract"), ("ngrams", "bucket"), ("extract", "")] {
        let mut child = trial.run_until(stage);
        // Files that are made meanwhile keep a folder from being removed.
        while work.join(folder).exists() && fs::remove_dir_all(work.join(folder)).is_err() {}
        child.wait().unwrap();
        trial.run(DONE);
        trial.check();
        fs::remove_dir_all(trial.corpus.layout().root()).unwrap();
    }
}

#[test]
fn an_input_that_cannot_be_read_is_named_and_may_come_back() {
    let trial = Trial::new(1, 200);
    let (archive, away) = (trial.archive(), trial.archives.path().join("away"));
    let mut arguments = trial.arguments();
    arguments[1] = archive.display().to_string();
    let refused = |state: &str| {
        let output = run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{state}: {error}");
        assert!(error.contains("0.warc.gz"), "{state}: {error}");
    };
    trial.kill_after("extract");
    fs::rename(&archive, &away).unwrap();
    refused("missing");
    fs::create_dir(&archive).unwrap();
    refused("a folder");
    fs::remove_dir(&archive).unwrap();
    std::os::unix::fs::symlink(&archive, &archive).unwrap();
    refused("a link to itself");
    fs::remove_file(&archive).unwrap();
    fs::rename(&away, &archive).unwrap();
    fs::set_permissions(&archive, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::File::open(&archive).is_err() {
        refused("forbidden");
    } else {
        println!("skipped: nothing is forbidden to root");
    }
    fs::set_permissions(&archive, fs::Permissions::from_mode(0o644)).unwrap();
    trial.run(DONE);
    trial.check();
}

/// Mapped, an archive that shrinks ends the process (SIGBUS); read, it must not pass for a damaged one.
#[test]
fn an_input_that_shrinks_while_it_is_read_does_not_leave_its_mark() {
    for mmap in ["archive.mmap=true", "archive.mmap=false"] {
        let trial = Trial::with(1, 300, &["--set", mmap]);
        let whole = fs::read(trial.archive()).unwrap();
        let mut child = trial.run_until("extract");
        fs::File::options().write(true).open(trial.archive()).unwrap().set_len(whole.len() as u64 / 3).unwrap();
        child.wait().unwrap();
        fs::write(trial.archive(), &whole).unwrap();
        trial.run(DONE);
        trial.check();
    }
}

#[test]
fn a_finished_file_that_was_damaged_is_made_again() {
    let trial = Trial::new(1, 200);
    trial.kill_after("extract");
    flip(&trial.corpus.layout().root().join("work/extract/00000.documents"));
    trial.run(DONE);
    trial.check();
    for name in [
        "work/extract/00000.documents",
        "work/extract/00000.done.json",
        "work/cluster/members",
        "documents/part-00000.parquet",
        "paragraphs/part-00001.parquet",
        "vertical/part-00000.vert.gz",
        "rejects.jsonl",
        "stats.json",
    ] {
        println!("{name}");
        flip(&trial.corpus.layout().root().join(name));
        trial.run(DONE);
        trial.check();
    }
}

/// A marker is a file as well, and what it counts goes into the report.
#[test]
fn a_marker_with_another_count_is_noticed() {
    let trial = Trial::new(1, 60);
    trial.run(DONE);
    let marker = trial.corpus.layout().done("extract", 0);
    let text = fs::read_to_string(&marker).unwrap();
    let (before, after) = text.split_once("\"records\":").unwrap();
    fs::write(&marker, format!("{before}\"records\":1{after}")).unwrap();
    // So that the counts are added up once more.
    fs::remove_file(trial.corpus.layout().stats()).unwrap();
    trial.run(DONE);
    trial.check();
}

#[test]
fn a_record_that_killed_two_processes_is_passed_over() {
    let trial = Trial::new(1, 100);
    let (input, out) = (trial.archives.path().display().to_string(), trial.corpus.out());
    let arguments = [&["plan", &input, "--out", &out][..], &trial.options].concat();
    expect(0, &arguments);
    // What a process leaves that dies at the sixth record of the shard, for the second time.
    let notes = trial.corpus.layout().segments(0);
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("deaths.json"), r#"{"5":1}"#).unwrap();
    fs::write(notes.join("current"), (1u64 << 63 | 6).to_le_bytes()).unwrap();
    trial.run(3);
    let (whole, rest) = (trial.whole.documents(), trial.corpus.documents());
    assert_eq!(rest.len() + 1, whole.len());
    let rejects = fs::read_to_string(Path::new(&out).join("rejects.jsonl")).unwrap();
    let poison: Vec<serde_json::Value> = rejects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let poison: Vec<_> = poison.iter().filter(|reject| reject["reason"] == "poison").collect();
    assert_eq!(poison.len(), 1, "{rejects}");
    let missing = whole.iter().find(|document| rest.iter().all(|other| other.url != document.url)).unwrap();
    assert_eq!((poison[0]["offset"].as_u64(), poison[0]["url"].as_str()), (Some(missing.offset), Some(&*missing.url)));
    assert_eq!(trial.corpus.stats()["no_page"]["poison"], 1);
}

#[test]
fn a_document_that_killed_two_processes_is_dropped() {
    let trial = Trial::new(1, 100);
    let (input, out) = (trial.archives.path().display().to_string(), trial.corpus.out());
    expect(0, &[&["plan", &input, "--out", &out][..], &trial.options].concat());
    let kept = trial.whole.documents().into_iter().find(|document| document.kept && document.doc < 1 << 32).unwrap();
    let notes = trial.corpus.layout().emit_journal(0);
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("deaths.json"), format!(r#"{{"{}":1}}"#, kept.doc)).unwrap();
    fs::write(notes.join("current"), (1u64 << 63 | (kept.doc + 1)).to_le_bytes()).unwrap();
    trial.run(3);
    let documents = trial.corpus.documents();
    let reasons =
        documents.iter().filter(|document| document.drop_reason.name() == "poison").map(|document| document.doc);
    assert_eq!(reasons.collect::<Vec<_>>(), [kept.doc]);
    assert_eq!(trial.corpus.stats()["documents"]["poison"], 1);
    let rejects = fs::read_to_string(Path::new(&out).join("rejects.jsonl")).unwrap();
    let before = fs::read_to_string(trial.whole.layout().rejects()).unwrap();
    let added: serde_json::Value = serde_json::from_str(rejects.strip_prefix(&before).unwrap()).unwrap();
    assert_eq!((&added["reason"], &added["archive"]), (&"poison".into(), &kept.archive.as_str().into()));
    assert_eq!((&added["offset"], &added["length"]), (&kept.offset.into(), &kept.length.into()));
    assert_eq!((&added["record_id"], &added["url"]), (&kept.record_id.as_str().into(), &kept.url.as_str().into()));
    assert!(!notes.exists());
}
