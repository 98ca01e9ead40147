//! The job as arrays of a real Slurm, the one-machine cluster of `tests/slurm/cluster.sh`: the bytes
//! of `build`, whatever befalls single elements. Without that cluster these tests skip, unless
//! `WARCORPUS_REQUIRE_SLURM` is set. They never talk to another Slurm.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{Corpus, assert_same_files, command, expect, root};
use crate::crawl::{self, DONE};

/// Some fifteen shards of 25 pages each.
const OPTIONS: [&str; 4] = ["--set", "language.min_letters=1000000", "--set", "plan.shard_bytes=2500000"];
const PAGES: u64 = 375;
/// More than any stage has.
const TASKS: u32 = 50;

/// Most of anything here takes seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// The cluster has two cores: one test at a time.
static TURN: Mutex<()> = Mutex::new(());

struct Cluster {
    configuration: String,
    _turn: MutexGuard<'static, ()>,
}

impl Cluster {
    /// `None`, with a notice, if it does not run.
    fn find() -> Option<Cluster> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let told = Command::new(root().join("tests/slurm/cluster.sh")).arg("env").output().unwrap();
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        if let Some(configuration) = told.trim().strip_prefix("export SLURM_CONF=") {
            return Some(Cluster { configuration: configuration.into(), _turn: turn });
        }
        assert!(env::var_os("WARCORPUS_REQUIRE_SLURM").is_none(), "tests/slurm/cluster.sh is not started");
        println!("skipped: no Slurm; tests/slurm/cluster.sh start makes one");
        None
    }

    fn try_ask(&self, program: &str, arguments: &[&str]) -> Output {
        Command::new(program).args(arguments).env("SLURM_CONF", &self.configuration).output().unwrap()
    }

    /// What a program of Slurm says.
    fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.try_ask(program, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {arguments:?}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// A job on the cluster, and the corpus that `build` makes of the same archives.
struct Trial<'a> {
    cluster: &'a Cluster,
    whole: Corpus,
    corpus: Corpus,
    archives: tempfile::TempDir,
}

impl Trial<'_> {
    fn new(cluster: &Cluster) -> Trial<'_> {
        let archives = tempfile::tempdir().unwrap();
        let archive = archives.path().join("0.warc.gz");
        crawl::write(&archive, 7, PAGES);
        let input = archive.display().to_string();
        let whole = Corpus::build(DONE, &[&input], &OPTIONS);
        let corpus = Corpus { dir: tempfile::tempdir().unwrap() };
        expect(0, &[&["plan", &input, "--out", &corpus.out()], &OPTIONS[..]].concat());
        Trial { cluster, whole, corpus, archives }
    }

    fn root(&self) -> PathBuf {
        self.corpus.out().into()
    }

    fn submit(&self, options: &[&str]) {
        let out = self.corpus.out();
        let arguments = [&["slurm", &out, "--submit", "--mem", "500M", "--time", "00:10:00"], options].concat();
        let output = command(&arguments).env("SLURM_CONF", &self.cluster.configuration).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Stage, job, first and last element of each array.
    fn arrays(&self) -> Vec<(String, String, u32, u32)> {
        let jobs = fs::read_to_string(self.root().join("slurm/jobs.tsv")).unwrap_or_default();
        let array = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].into(), fields[1].into(), fields[2].parse().unwrap(), fields[3].parse().unwrap())
        };
        jobs.lines().map(array).collect()
    }

    /// Slurm's name of an element in the first array of the stage.
    fn element(&self, stage: &str, element: u32) -> String {
        let array = self.arrays().into_iter().find(|array| array.0 == stage).unwrap();
        format!("{}_{element}", array.1)
    }

    /// Lines `element state reason` of all that is in the queue.
    fn queue(&self) -> String {
        let jobs: Vec<String> = self.arrays().into_iter().map(|array| array.1).collect();
        let jobs = format!("--jobs={}", jobs.join(","));
        self.cluster.ask("squeue", &["--noheader", "--array", "--format=%F_%K %T %r", &jobs])
    }

    fn until_over(&self) {
        until("all jobs are over", || self.queue().is_empty());
    }

    /// The last word about an element that may have left the queue.
    fn facts(&self, element: &str) -> String {
        self.cluster.ask("scontrol", &["show", "job", element])
    }

    /// Slurm keeps a requeued element back for two minutes; the user may waive that.
    fn until_requeued(&self, element: &str) {
        until("the element is requeued", || self.queue().contains(&format!("{element} PENDING BeginTime")));
        assert!(self.facts(element).contains("Restarts=1"));
        // What was launched and revoked within the second before would be refused.
        sleep(Duration::from_secs(2));
        self.cluster.ask("scontrol", &["update", &format!("JobId={element}"), "StartTime=now"]);
    }

    /// Waits for the process of an element and stops it amid a task, so that it is there when something
    /// happens to it.
    fn hold(&self, stage: &str, element: u32) -> Held {
        let out = self.root().canonicalize().unwrap();
        let mut held = None;
        until("the element is held", || {
            let Some(process) = processes().find(|process| is_element(process, &out, stage, element)) else {
                return false;
            };
            let process = process.file_name().unwrap().to_string_lossy().into_owned();
            signal("STOP", &process);
            let task = (0..TASKS).find(|&task| self.works_on(stage, task, &process));
            held = task.map(|task| Held { process: process.clone(), task });
            if held.is_none() {
                signal("CONT", &process);
            }
            held.is_some()
        });
        held.unwrap()
    }

    fn works_on(&self, stage: &str, task: u32, process: &str) -> bool {
        let running = fs::read(self.corpus.layout().running(stage, task)).unwrap_or_default();
        let running = serde_json::from_slice::<serde_json::Value>(&running).unwrap_or_default();
        running["process"].as_u64() == process.parse().ok()
    }

    /// Exit code and words of `status`.
    fn status(&self) -> (Option<i32>, String) {
        let output = command(&["status", &self.corpus.out()]).env("SLURM_CONF", &self.cluster.configuration).output();
        let output = output.unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn logs(&self, stage: &str) -> Vec<PathBuf> {
        let logs = fs::read_dir(self.root().join("slurm/log")).unwrap().map(|entry| entry.unwrap().path());
        logs.filter(|log| log.file_name().unwrap().to_string_lossy().starts_with(stage)).collect()
    }

    /// When each finished task of extract was finished.
    fn finished(&self) -> Vec<(PathBuf, SystemTime)> {
        let done = (0..TASKS).map(|task| self.corpus.layout().done("extract", task)).filter(|done| done.exists());
        done.map(|done| (done.clone(), fs::metadata(&done).unwrap().modified().unwrap())).collect()
    }

    /// All is done, with the bytes of `build`.
    fn check(&self) {
        let (code, told) = self.status();
        assert_eq!(code, Some(0), "{told}");
        assert_same_files(&self.corpus, &self.whole);
    }
}

impl Drop for Trial<'_> {
    /// A test that fails leaves nothing in the queue.
    fn drop(&mut self) {
        for array in self.arrays() {
            self.cluster.try_ask("scancel", &["--quiet", &array.1]);
        }
    }
}

/// A process that is stopped, and the task that it was at.
struct Held {
    process: String,
    task: u32,
}

impl Held {
    fn signal(&self, name: &str) {
        assert!(signal(name, &self.process), "process {} is gone", self.process);
    }
}

/// Whether the process was there.
fn signal(name: &str, process: &str) -> bool {
    Command::new("kill").args(["-s", name, process]).output().unwrap().status.success()
}

fn processes() -> impl Iterator<Item = PathBuf> {
    fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.join("cmdline").exists())
}

/// Whether a process is `warcorpus task` of this element.
fn is_element(process: &Path, out: &Path, stage: &str, element: u32) -> bool {
    let read = |name: &str| fs::read(process.join(name)).unwrap_or_default();
    let (line, variables) = (read("cmdline"), read("environ"));
    let words: Vec<&[u8]> = line.split(|&byte| byte == 0).collect();
    let variable = format!("SLURM_ARRAY_TASK_ID={element}");
    words.get(1..3).is_some_and(|words| words == [&b"task"[..], stage.as_bytes()])
        && words.contains(&out.as_os_str().as_encoded_bytes())
        && variables.split(|&byte| byte == 0).any(|word| word == variable.as_bytes())
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_array_with_a_killed_and_a_requeued_element_ends_with_the_bytes_of_a_build() {
    let Some(cluster) = Cluster::find() else { return };
    let trial = Trial::new(&cluster);
    trial.submit(&["--elements", "8"]);
    let (killed, requeued) = (trial.hold("extract", 0), trial.hold("extract", 1));
    killed.signal("KILL");
    let element = trial.element("extract", 1);
    cluster.ask("scontrol", &["requeue", &element]);
    trial.until_requeued(&element);
    drop(requeued);
    trial.until_over();
    assert!(trial.facts(&trial.element("extract", 0)).contains("JobState=FAILED"));
    assert!(trial.facts(&element).contains("JobState=COMPLETED"));
    assert!(trial.facts(&trial.element("report", 0)).contains("JobState=CANCELLED"));
    let (code, told) = trial.status();
    assert_ne!(code, Some(0), "{told}");
    assert!(told.contains(&format!("task extract {} ", killed.task)) && told.contains("submit.sh"), "{told}");

    let finished = trial.finished();
    assert!(!finished.is_empty());
    trial.submit(&["--elements", "8"]);
    trial.until_over();
    trial.check();
    let now = trial.finished();
    assert!(finished.iter().all(|before| now.contains(before)), "a finished task ran again");
    assert!(finished.len() < now.len());
}

#[test]
fn a_failing_task_leaves_the_rest_of_its_element_to_run() {
    let Some(cluster) = Cluster::find() else { return };
    let trial = Trial::new(&cluster);
    // A file where the task makes a folder.
    let obstacle = trial.corpus.layout().segments(3);
    fs::create_dir_all(obstacle.parent().unwrap()).unwrap();
    fs::write(&obstacle, "").unwrap();
    let prelude = trial.root().join("slurm-prelude.sh");
    let disk = tempfile::tempdir().unwrap();
    fs::write(&prelude, format!("echo the prelude ran\nDISK='{}'\n", disk.path().display())).unwrap();
    let limited = ["--elements", "2", "--array-limit", "1"];
    trial.submit(&[&limited[..], &["--prelude", &prelude.display().to_string(), "--scratch", "$DISK/s p"]].concat());
    assert!(trial.facts(&trial.element("extract", 0)).contains("ArrayTaskThrottle=1"));
    trial.until_over();
    let all = (0..TASKS).filter(|&task| trial.whole.layout().done("extract", task).exists()).count();
    assert!(all > 4, "{all} tasks");
    assert_eq!(trial.finished().len(), all - 1, "not only the failing task is left");
    let (code, told) = trial.status();
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("task extract 3 ") && told.contains("submit.sh"), "{told}");
    let log = fs::read_to_string(&trial.logs("extract")[0]).unwrap();
    assert!(log.contains("the prelude ran"), "{log}");
    let scratch = fs::read_dir(disk.path().join("s p")).unwrap();
    assert_eq!(scratch.count(), 0, "files of sorting are left");
    fs::remove_file(obstacle).unwrap();
    fs::remove_file(&prelude).unwrap();
    trial.submit(&["--elements", "2"]);
    trial.until_over();
    trial.check();
}

#[test]
fn arrays_larger_than_slurm_allows_are_split() {
    let Some(cluster) = Cluster::find() else { return };
    let too_large = cluster.try_ask("sbatch", &["--array=0-8", "--wrap=true"]);
    assert!(!too_large.status.success(), "the cluster allows more than tests/slurm/cluster.sh says");
    let trial = Trial::new(&cluster);
    let elements = |trial: &Trial| -> Vec<(u32, u32)> {
        let arrays = trial.arrays().into_iter().filter(|array| array.0 == "extract");
        arrays.map(|(_, _, first, last)| (first, last)).collect()
    };
    trial.submit(&["--elements", "12", "--max-array", "5"]);
    assert_eq!(elements(&trial), [(0, 4), (5, 9), (10, 11)]);
    for array in trial.arrays() {
        cluster.ask("scancel", &[&array.1]);
    }
    trial.until_over();
    trial.submit(&["--elements", "12"]);
    assert_eq!(elements(&trial), [(0, 7), (8, 11)]);
    trial.until_over();
    trial.check();
}

#[test]
fn an_element_out_of_time_requeues_itself_and_a_cancelled_one_does_not() {
    let Some(cluster) = Cluster::find() else { return };
    let trial = Trial::new(&cluster);
    // No more than run at once: while some are pending, `scancel` sends a signal again and again (Slurm 22.05).
    trial.submit(&["--elements", "2"]);
    let (late, cancelled) = (trial.hold("extract", 0), trial.hold("extract", 1));
    let element = trial.element("extract", 0);
    // What Slurm sends two minutes before the time is up.
    cluster.ask("scancel", &["--signal=USR1", "--batch", &element]);
    late.signal("CONT");
    trial.until_requeued(&element);
    cluster.ask("scancel", &[&trial.element("extract", 1)]);
    drop(cancelled);
    trial.until_over();
    assert!(trial.facts(&element).contains("JobState=COMPLETED"));
    assert!(trial.facts(&trial.element("extract", 1)).contains("JobState=CANCELLED"));
    let log = trial.logs("extract").into_iter().find(|log| log.to_string_lossy().ends_with(&format!("{element}.log")));
    assert!(fs::read_to_string(log.unwrap()).unwrap().contains("time is nearly up"));
    trial.submit(&["--elements", "2"]);
    trial.until_over();
    trial.check();
}

/// The program in a root of its own, as a container has it: beside the libraries of the machine there are only the given
/// folders. Needs the rights of root.
fn container(root: &Path, folders: &[&Path]) -> String {
    let mut script = "#!/bin/sh\nexec unshare --mount sh -ec '\n".to_string();
    let (system, inside) = (["/lib", "/lib64", "/usr", "/proc"].map(Path::new), root.join("root"));
    for folder in system.iter().chain(folders) {
        let place = format!("{}{}", inside.display(), folder.display());
        script += &format!("mkdir -p {place}; mount --rbind {} {place}\n", folder.display());
    }
    let (inside, program) = (inside.display(), env!("CARGO_BIN_EXE_warcorpus"));
    script += &format!("touch {inside}/warcorpus; mount --bind {program} {inside}/warcorpus\n");
    script += &format!("echo in a container >&2; exec chroot {inside} /warcorpus \"$@\"' sh \"$@\"\n");
    let path = root.join("container.sh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[test]
fn elements_in_containers_requeue_themselves_and_end_with_the_bytes_of_a_build() {
    let Some(cluster) = Cluster::find() else { return };
    if !Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success()) {
        println!("skipped: only root may mount folders");
        return;
    }
    let (trial, folder) = (Trial::new(&cluster), tempfile::tempdir().unwrap());
    let container = container(folder.path(), &[&trial.root(), trial.archives.path()]);
    trial.submit(&["--elements", "2", "--program", &container]);
    let late = trial.hold("extract", 0);
    let element = trial.element("extract", 0);
    cluster.ask("scancel", &["--signal=USR1", "--batch", &element]);
    late.signal("CONT");
    trial.until_requeued(&element);
    trial.until_over();
    for log in trial.logs("extract") {
        assert!(fs::read_to_string(&log).unwrap().contains("in a container"), "{}", log.display());
    }
    trial.check();
}
