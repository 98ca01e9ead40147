//! A job in pieces is the job in one; what is not done is told; what is damaged is run again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::process::Stdio;

use warcorpus::store::locks;

use crate::common::{Corpus, command, expect, flip, in_memory, sample};
use crate::crawl::{self, DONE};

const OPTIONS: [&str; 2] = ["--set", "plan.shard_bytes=60000"];
const STAGES: [&str; 11] =
    ["extract", "borders", "census", "sketch", "bucket", "contain", "cluster", "ngrams", "overlap", "emit", "report"];

/// A planned job, and the corpus that `build` makes of the same.
fn planned() -> (Corpus, Corpus) {
    (built(&OPTIONS), plan(&OPTIONS))
}

fn built(options: &[&str]) -> Corpus {
    Corpus::build_in(in_memory(), 3, &[&sample("web.warc.gz"), &sample("damaged.warc.gz")], options)
}

fn plan(options: &[&str]) -> Corpus {
    let corpus = Corpus { dir: in_memory() };
    let (web, damaged) = (sample("web.warc.gz"), sample("damaged.warc.gz"));
    let (out, _) = expect(0, &[&["plan", &web, &damaged, "--out", &corpus.out()], options].concat());
    assert!(out.contains("2 input files") && out.contains("warcorpus slurm"), "{out}");
    corpus
}

fn task(corpus: &Corpus, stage: &str, tasks: &str) {
    expect(0, &["task", stage, tasks, "--out", &corpus.out(), "--quiet"]);
}

#[test]
fn tasks_one_by_one_make_the_same_corpus() {
    let (whole, corpus) = planned();
    let out = corpus.out();
    assert!(expect(5, &["status", &out]).0.contains("no process works on it"));
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
    let corpus = plan(&OPTIONS);
    let out = corpus.out();
    let (_, err) = expect(2, &["task", "emit", "0", "--out", &out]);
    assert!(err.contains("emit needs all of extract") && err.contains("0, 1, 2"), "{err}");
    let (_, err) = expect(2, &["task", "extract", "5000", "--out", &out]);
    assert!(err.contains("extract has tasks 0 to"), "{err}");
    let (_, err) = expect(2, &["task", "extrakt", "0", "--out", &out]);
    assert!(err.contains("stages are extract, borders, join-census, census"), "{err}");
    let (_, err) = expect(2, &["task", "extract", "0", "--out", &sample("")]);
    assert!(err.contains("is no directory of warcorpus"), "{err}");
}

#[test]
fn an_element_asks_for_the_markers_that_its_tasks_need() {
    let (whole, corpus) = planned();
    let layout = corpus.layout();
    STAGES.iter().take_while(|stage| **stage != "emit").for_each(|stage| task(&corpus, stage, "0-1000"));
    // The marker of another shard is not looked at: in a job of many shards that would be all that elements do.
    fs::remove_file(layout.done("extract", 1)).unwrap();
    task(&corpus, "emit", "0");
    fs::remove_file(layout.done("extract", 0)).unwrap();
    let (_, err) = expect(2, &["task", "emit", "0", "--out", &corpus.out()]);
    assert!(err.contains("emit needs all of extract; not done: 0, 1 (2 tasks)"), "{err}");
    expect(3, &["build", "--out", &corpus.out(), "--quiet"]);
    fs::remove_file(layout.done("overlap", 0)).unwrap();
    let (_, err) = expect(2, &["task", "emit", "0", "--out", &corpus.out()]);
    assert!(err.contains("emit needs all of overlap; not done: 0"), "{err}");
    assert!(corpus.files() == whole.files());
}

/// Where no stage compares documents, `emit` reads nothing of other shards, and does not wait for them.
#[test]
fn an_element_without_comparisons_asks_for_the_markers_of_its_tasks_alone() {
    let settings = ["near.enabled=false", "overlap.enabled=false", "sites.enabled=false", "plan.shard_bytes=1000000"];
    let options = settings.map(|setting| ["--set", setting]).concat();
    let (whole, corpus) = (built(&options), plan(&options));
    assert_eq!(whole.stats()["shards"], 2);
    task(&corpus, "extract", "1");
    task(&corpus, "emit", "1");
    let (_, err) = expect(2, &["task", "emit", "0-1", "--out", &corpus.out()]);
    assert!(err.contains("emit needs all of extract; not done: 0 (1 tasks)"), "{err}");
    expect(3, &["build", "--out", &corpus.out(), "--quiet"]);
    assert!(corpus.files() == whole.files());
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
    let whole = built(&OPTIONS);
    let before = whole.files();
    let layout = whole.layout();
    let files = [
        layout.documents(0),
        layout.part("vertical", "vert.gz", 1),
        layout.report(),
        layout.extracted(0).documents(),
        layout.boilerplate(0),
        layout.extracted(1).blocks(),
        layout.bands(0),
        layout.decisions(),
        layout.repeats(0),
    ];
    for path in files {
        flip(&path);
        let (_, err) = expect(3, &["build", "--out", &whole.out()]);
        let told = format!("is run again: {} has another checksum", path.display());
        assert_eq!(err.matches("is run again").count(), 1, "{err}");
        assert!(err.contains(&told), "{err}");
        assert!(whole.files() == before, "{}", path.display());
    }
    fs::remove_file(layout.sketches(0)).unwrap();
    expect(3, &["build", "--out", &whole.out(), "--quiet"]);
    assert!(whole.files() == before);
    // A marker that does not read is none.
    fs::write(layout.done("emit", 0), b"{\"counts\"").unwrap();
    expect(3, &["build", "--out", &whole.out(), "--quiet"]);
    assert!(whole.files() == before);
}

#[test]
fn tasks_that_have_to_run_again_are_not_done() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &OPTIONS);
    let out = corpus.out();
    expect(0, &["status", &out]);
    let plan = ["plan", "--out", &out, "--set", "output.formats=tei", "--no-estimate"];
    let before = corpus.files();
    for inputs in [&[][..], &[&*sample("web.warc.gz"), "--set", OPTIONS[1]]] {
        let (_, err) = expect(2, &[&plan, inputs].concat());
        assert!(err.contains("first remove stats.json, vertical, registry") && err.contains("output.formats"), "{err}");
        assert!(corpus.files() == before);
    }
    let (_, err) = expect(0, &[&plan[..], &["--reopen"]].concat());
    assert!(err.contains("files of formats are removed that output.formats no longer lists: vertical"), "{err}");
    let (status, _) = expect(5, &["status", &out]);
    let left: Vec<&str> = status.lines().filter(|line| line.split_whitespace().nth(2) == Some("0")).collect();
    assert!(left.iter().any(|line| line.starts_with("emit")), "{status}");
    assert!(left.iter().any(|line| line.starts_with("report")), "{status}");
    let (status, _) = expect(5, &["status", &out, "--verify"]);
    assert!(status.contains(" 0 damaged or missing"), "{status}");
    let (_, err) = expect(2, &["task", "report", "0", "--out", &out]);
    assert!(err.contains("report needs all of emit"), "{err}");
    task(&corpus, "emit", "0-1000");
    task(&corpus, "report", "0");
    expect(0, &["status", &out]);
    assert!(corpus.layout().root().join("tei").exists());
}

#[test]
fn settings_of_a_planned_job_change_without_a_word_of_files() {
    let corpus = plan(&OPTIONS);
    let (_, err) = expect(0, &["plan", "--out", &corpus.out(), "--set", "output.formats=tei", "--no-estimate"]);
    assert!(!err.contains("files of formats are removed"), "{err}");
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
    let tokenizer = corpus.dir.path().join(format!("out/tokenizer-{}.json", "0a".repeat(16)));
    fs::write(&tokenizer, "of the old job").unwrap();
    // Whoever kills the new job at any time finds nothing of the old one.
    expect(0, &["plan", &sample("web.warc.gz"), "--out", &corpus.out(), "--restart"]);
    assert!(corpus.layout().report_files().iter().all(|file| !file.exists()) && !tokenizer.exists());
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
    let corpus = plan(&OPTIONS);
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

#[test]
fn a_finished_corpus_is_left_alone_by_tasks_and_job_scripts() {
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &OPTIONS);
    let (out, layout) = (corpus.out(), corpus.layout());
    for _ in 0..2 {
        let (told, _) = expect(0, &["slurm", &out, "--submit"]);
        assert!(told.contains("is already done: no task is left") && !layout.slurm().exists(), "{told}");
        // Its owner removes what has no masks.
        let _ = layout.remove_work();
        let _ = fs::remove_dir_all(layout.boilerplate(0).parent().unwrap());
    }
    let before = corpus.files();
    let (_, err) = expect(0, &["task", "extract", "0", "--out", &out]);
    assert!(err.contains("already done; its intermediate files are removed"), "{err}");
    assert!(corpus.files() == before && !layout.work().exists());
    expect(0, &["status", &out]);
}

#[test]
fn a_planned_job_is_told_to_be_built_first() {
    let corpus = plan(&OPTIONS);
    let out = corpus.out();
    for reader in [
        ["stats", &out].as_slice(),
        &["show", &out, "1"],
        &["explain", &out, "1"],
        &["compare", &out, &out, "--out", "no"],
    ] {
        let (_, err) = expect(2, reader);
        assert!(err.contains(&format!("is not built yet; run `warcorpus build --out {out}`")), "{reader:?}: {err}");
    }
}

#[test]
fn what_would_fail_in_the_queue_is_refused() {
    let corpus = plan(&OPTIONS);
    let (out, layout) = (corpus.out(), corpus.layout());
    for (option, part) in [
        (["--mem", "8"], "--mem 8 is too low: an element of extract needs "),
        (["--mem", "report=9M"], "an element of report needs"),
        (["--option", "nice=100"], "options of sbatch begin with hyphens"),
        (["--program", ""], "is empty; leave the option out"),
        (["--account", " "], "is empty; leave the option out"),
    ] {
        let (_, err) = expect(2, &[&["slurm", &out], &option[..]].concat());
        assert!(err.contains(part) && !layout.slurm().exists(), "{option:?}: {err}");
    }
    for mem in ["0", "1G"] {
        expect(0, &["slurm", &out, "--mem", mem]);
    }
}

/// `tests/slurm.rs` has the real `sbatch`.
#[test]
fn a_refusal_of_sbatch_is_told_apart_from_a_script_that_fails() {
    let (corpus, bin) = (plan(&OPTIONS), tempfile::tempdir().unwrap());
    symlink("/bin/false", bin.path().join("sbatch")).unwrap();
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    let submit = || {
        let mut command = command(&["slurm", &corpus.out(), "--max-array", "10", "--submit"]);
        let output = command.env("PATH", &path).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, err) = submit();
    assert!(code == Some(2) && err.contains("submit.sh: sbatch refused an array"), "{err}");
    let log = corpus.layout().slurm().join("log");
    fs::remove_dir(&log).unwrap();
    fs::write(&log, "").unwrap();
    let (code, err) = submit();
    assert!(code == Some(1) && err.contains("submit.sh: it failed with exit status: 1"), "{err}");
}

/// A shard whose progress is set down after every record, ended by a signal as soon as there is some.
fn interrupted(arguments: &[&str], corpus: &Corpus) {
    let mut child = command(arguments).stderr(Stdio::null()).spawn().unwrap();
    while !corpus.layout().checkpoint(0).exists() {
        assert!(child.try_wait().unwrap().is_none(), "done before a checkpoint");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn progress_inside_a_task_is_kept_and_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("0.warc.gz");
    crawl::write(&archive, 3, 60);
    let input = archive.display().to_string();
    let cheap = ["--set", "plan.shard_bytes=1000000000"];
    let whole = Corpus::build(DONE, &[&input], &cheap);
    let index = dir.path().join("index.cdxj");
    let documents = whole.documents();
    let lines = documents.iter().map(|d| {
        let (offset, length) = (d.offset, d.length);
        format!("k 20240501120000 {{\"offset\": {offset}, \"length\": {length}, \"filename\": \"0.warc.gz\"}}\n")
    });
    fs::write(&index, lines.collect::<String>()).unwrap();
    let index = index.display().to_string();
    let selected = Corpus::build(DONE, &[&input], &[&cheap[..], &["--select", &index]].concat());
    for (select, want) in [(&[][..], &whole), (&["--select", index.as_str()], &selected)] {
        let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
        let out = corpus.out();
        let own = ["build", &input, "--out", &out, "--quiet", "--set", "plan.checkpoint_seconds=0"];
        let arguments = [&own[..], &cheap, select].concat();
        interrupted(&arguments, &corpus);
        let segments = fs::read_dir(corpus.layout().segments(0)).unwrap().count();
        assert!(segments >= 6, "a checkpoint and the files of a segment");
        expect(DONE, &arguments);
        let (mut ours, mut theirs) = (corpus.files(), want.files());
        // They say how often to set progress down.
        assert!(ours.remove("job.toml") != theirs.remove("job.toml"));
        assert!(ours == theirs);
        assert!(!corpus.layout().segments(0).exists());
    }
    // A segment that was damaged since: the shard begins again.
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let own = ["build", &input, "--out", &corpus.out(), "--quiet", "--set", "plan.checkpoint_seconds=0"];
    let arguments = [&own[..], &cheap].concat();
    interrupted(&arguments, &corpus);
    let segment = fs::read_dir(corpus.layout().segments(0)).unwrap().map(|e| e.unwrap().path());
    let segment = segment.filter(|path| path.extension().is_some_and(|kind| kind == "contents")).min().unwrap();
    flip(&segment);
    expect(DONE, &arguments);
    assert_eq!(corpus.vertical(), whole.vertical());
}

/// On a cluster nobody looks at earlier stages' files before they are used; reading them must tell.
#[test]
fn no_task_works_on_with_a_damaged_file() {
    let (whole, corpus) = planned();
    let layout = corpus.layout();
    let damaged = [
        ("census", layout.extracted(0).blocks()),
        ("sketch", layout.page_counts(0)),
        ("sketch", layout.extracted(0).hashes()),
        ("bucket", layout.sketches(0)),
        ("bucket", layout.bands(0)),
        ("bucket", layout.texts(0)),
        ("bucket", layout.samples(0)),
        ("contain", layout.pairs(0)),
        ("contain", layout.sketches(0)),
        ("cluster", layout.copies(0)),
        ("cluster", layout.edges(0)),
        ("cluster", layout.contained(0)),
        ("ngrams", layout.decisions()),
        ("ngrams", layout.page_counts(0)),
        ("ngrams", layout.extracted(1).hashes()),
        ("overlap", layout.ngrams(0)),
        ("emit", layout.repeats(0)),
        ("emit", layout.extracted(0).documents()),
        ("emit", layout.extracted(1).contents()),
        ("emit", layout.extracted(1).hashes()),
    ];
    for stage in STAGES {
        for (_, path) in damaged.iter().filter(|(of, _)| *of == stage) {
            let sound = fs::read(path).unwrap();
            flip(path);
            let (_, err) = expect(1, &["task", stage, "0-1000", "--out", &corpus.out(), "--quiet"]);
            assert!(err.contains(&format!("{}: is damaged: its checksum", path.display())), "{stage}: {err}");
            fs::write(path, sound).unwrap();
            // Tasks that had no need of the damaged part are done.
            fs::remove_dir_all(layout.work().join(stage)).unwrap();
        }
        task(&corpus, stage, "0-1000");
    }
    assert!(corpus.files() == whole.files());
}

#[test]
fn what_is_not_ours_is_never_removed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    for name in ["input", "work", "documents"] {
        fs::create_dir(at(name)).unwrap();
        fs::write(at(name).join("mine.tmp"), "precious").unwrap();
    }
    fs::copy(sample("web.warc.gz"), at("input/web.warc.gz")).unwrap();
    let (job, _) = expect(0, &["config"]);
    fs::write(at("job.toml"), job).unwrap();
    let here = dir.path().display().to_string();
    let input = at("input/web.warc.gz").display().to_string();
    for more in [&[][..], &["--restart"]] {
        let (_, err) = expect(2, &[&["build", &input, "--out", &here], more].concat());
        assert!(err.contains("no corpus of warcorpus"), "{err}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4);
    // Nor what lies beside a corpus, or is read from inside of it.
    let corpus = Corpus::build(0, &[&input], &[]);
    let mine = corpus.layout().root().join("backup/notes.tmp");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "mine").unwrap();
    expect(0, &["build", &input, "--out", &corpus.out(), "--quiet"]);
    assert!(mine.exists());
    let inside = corpus.layout().root().join("backup/web.warc.gz");
    fs::copy(&input, &inside).unwrap();
    let inside = inside.display().to_string();
    let (_, err) = expect(2, &["build", &inside, "--out", &corpus.out(), "--restart"]);
    assert!(err.contains("lies in the output directory"), "{err}");
    let before = corpus.files();
    for refused in [&["--restart"][..], &["nothing.warc.gz", "--restart"]] {
        expect(2, &[&["build", "--out", &corpus.out()], refused].concat());
    }
    let (_, err) = expect(2, &["build", "--out", &corpus.out(), "--restart"]);
    assert!(err.contains("--restart needs the inputs"), "{err}");
    let nonsense =
        ["build", &input, "--select", &input, "--where", "nonsense = (", "--out", &corpus.out(), "--restart"];
    expect(2, &nonsense);
    assert!(corpus.files() == before);
}

#[test]
fn a_job_stays_what_it_was_planned_as() {
    let (whole, corpus) = planned();
    let out = corpus.out();
    task(&corpus, "extract", "0");
    let job = fs::read_to_string(corpus.layout().job()).unwrap();
    fs::write(corpus.layout().job(), job.replace("shingle = 5", "shingle = 4")).unwrap();
    for arguments in [&["task", "extract", "1", "--out", &out][..], &["build", "--out", &out]] {
        let (_, err) = expect(2, arguments);
        assert!(err.contains("job.toml: changed since the job was planned"), "{err}");
    }
    fs::write(corpus.layout().job(), job).unwrap();
    // What does not matter may be set again, and a moved directory is the same job.
    let moved = corpus.dir.path().join("moved");
    fs::rename(&out, &moved).unwrap();
    let arguments = ["build", "--out", &moved.display().to_string(), "--set", "archive.mmap=false", "--quiet"];
    expect(3, &arguments);
    fs::rename(&moved, &out).unwrap();
    assert!(corpus.files() == whole.files());
    // Fewer shards than before leave none of the old ones behind.
    let one = ["build", &sample("web.warc.gz"), "--out", &out, "--restart", "--quiet"];
    expect(0, &one);
    assert_eq!(fs::read_dir(corpus.layout().root().join("documents")).unwrap().count(), 1);
}

#[test]
fn relative_names_are_those_of_the_folder_where_the_job_was_planned() {
    let dir = tempfile::tempdir().unwrap();
    fs::copy(sample("web.warc.gz"), dir.path().join("a.warc.gz")).unwrap();
    let planned = command(&["plan", "a.warc.gz", "--out", "out"]).current_dir(dir.path()).output().unwrap();
    assert!(planned.status.success());
    let out = dir.path().join("out").display().to_string();
    expect(0, &["build", "--out", &out, "--quiet"]);
    assert!(expect(0, &["show", &out, "3"]).0.starts_with("WARC/1."));
}

/// So many shards that they are joined, if one or two of them are a group.
const MANY_SHARDS: [&str; 2] = ["--set", "plan.shard_bytes=6000"];

/// The plan of a job whose shards are joined in groups, as that of a large job.
fn group_shards(corpus: &Corpus, shards: u32, ranges: u32) {
    let path = corpus.layout().plan();
    let mut plan: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    (plan["group"], plan["ranges"]) = (shards.into(), ranges.into());
    fs::write(&path, serde_json::to_string(&plan).unwrap()).unwrap();
}

/// All files but the plan.
fn made(corpus: &Corpus) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = corpus.files();
    assert!(files.remove("plan.json").is_some());
    files
}

#[test]
fn joined_spills_make_the_same_corpus() {
    let whole = built(&MANY_SHARDS);
    for (shards, ranges) in [(1, 1), (2, 7)] {
        let corpus = plan(&MANY_SHARDS);
        group_shards(&corpus, shards, ranges);
        expect(3, &["build", "--out", &corpus.out(), "--quiet", "--threads", "2"]);
        assert!(corpus.layout().joined("join-bucket", 1, "bands").exists());
        assert!(made(&corpus) == made(&whole), "{shards} shards in a group");
    }
}

#[test]
fn joins_are_tasks_like_all_others() {
    let (whole, corpus) = (built(&MANY_SHARDS), plan(&MANY_SHARDS));
    let (out, layout) = (corpus.out(), corpus.layout());
    group_shards(&corpus, 1, 4);
    let (status, _) = expect(5, &["status", &out]);
    assert!(
        status
            .lines()
            .any(|line| line.starts_with("join-overlap ") && !line.contains(" 0        0        0        0        0"))
    );
    expect(0, &["slurm", &out]);
    let submit = fs::read_to_string(layout.slurm().join("submit.sh")).unwrap();
    let at = |stage: &str| submit.find(&format!("submit {stage} ")).unwrap_or_else(|| panic!("{stage}: {submit}"));
    assert!(at("sketch") < at("join-bucket") && at("join-bucket") < at("bucket"), "{submit}");
    let (_, err) = expect(2, &["task", "join-census", "0", "--out", &out]);
    assert!(err.contains("join-census needs all of extract"), "{err}");
    task(&corpus, "extract", "0-1000");
    task(&corpus, "borders", "0");
    task(&corpus, "join-census", "0");
    let (_, err) = expect(2, &["task", "census", "0", "--out", &out]);
    assert!(err.contains("census needs all of join-census"), "{err}");
    // A join reads what may be damaged, and what it writes may be damaged, too.
    let spill = layout.extracted(1).blocks();
    let sound = fs::read(&spill).unwrap();
    flip(&spill);
    let (_, err) = expect(1, &["task", "join-census", "1", "--out", &out, "--quiet"]);
    assert!(err.contains(&format!("{}: is damaged: its checksum", spill.display())), "{err}");
    fs::write(&spill, sound).unwrap();
    task(&corpus, "join-census", "1-1000");
    let joined = layout.joined("join-census", 0, "blocks");
    flip(&joined);
    let (_, err) = expect(1, &["task", "census", "0-1000", "--out", &out, "--quiet"]);
    assert!(err.contains(&format!("{}: is damaged: its checksum", joined.display())), "{err}");
    // A build goes on where the tasks ended, and makes the damaged file again.
    let (_, err) = expect(3, &["build", "--out", &out]);
    assert!(err.contains("join-census 0 is run again"), "{err}");
    assert!(made(&corpus) == made(&whole));
    // So does one in which a join was removed.
    fs::remove_dir_all(layout.work().join("join-bucket")).unwrap();
    fs::remove_dir_all(layout.work().join("bucket")).unwrap();
    expect(3, &["build", "--out", &out, "--quiet"]);
    assert!(made(&corpus) == made(&whole));
}

#[test]
fn one_process_at_a_time_runs_a_task() {
    let web = sample("web.warc.gz");
    let files_of_documents = ["--set", "output.formats=tei", "--set", "tei.files=document"];
    let options = [&OPTIONS[..], &files_of_documents].concat();
    let whole = Corpus::build(0, &[&web], &options);
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let out = corpus.out();
    expect(0, &[&["plan", &web, "--out", &out, "--no-estimate"], &options[..]].concat());
    for stage in STAGES {
        let run = || command(&["task", stage, "0-1000", "--out", &out, "--quiet"]).spawn().unwrap();
        for mut child in [run(), run(), run()] {
            assert!(child.wait().unwrap().success(), "{stage}");
        }
    }
    assert!(corpus.files() == whole.files());
}

#[test]
fn a_marker_is_removed_by_none_but_the_process_that_runs_the_task() {
    let whole = built(&OPTIONS);
    let (layout, before) = (whole.layout(), whole.files());
    let held = locks::alone(&layout.running("sketch", 0)).unwrap().unwrap();
    flip(&layout.sketches(0));
    let mut child = command(&["task", "sketch", "0", "--out", &whole.out()]).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.contains("waiting for its end")));
    assert!(layout.done("sketch", 0).exists());
    drop(held);
    assert!(told.any(|line| line.contains("is run again")));
    assert!(child.wait().unwrap().success());
    assert!(whole.files() == before);
}

#[test]
fn a_build_between_two_tasks_is_under_way() {
    let corpus = plan(&OPTIONS);
    let lock = fs::File::open(corpus.layout().lock()).unwrap();
    lock.lock().unwrap();
    expect(4, &["status", &corpus.out()]);
    drop(lock);
    expect(5, &["status", &corpus.out()]);
}

/// `nohup` starts a program with this signal ignored.
#[test]
fn ignored_signals_do_not_end_a_build() {
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("0.warc.gz");
    crawl::write(&archive, 3, 60);
    let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
    let build = command(&["build", &archive.display().to_string(), "--out", &corpus.out(), "--quiet"]);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(build.get_program()).args(build.get_args());
    let mut child = shell.spawn().unwrap();
    let pid = child.id().to_string();
    while !corpus.layout().plan().exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // It may be done before all are sent.
    for _ in 0..20 {
        let _ = std::process::Command::new("kill").args(["-HUP", &pid]).stderr(Stdio::null()).status().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(DONE));
}
