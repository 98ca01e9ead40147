//! Every system call that writes, renames or waits for the disk fails once in a build, and every so many a read. Each
//! time the build must end with an error that says why, leave no unfinished file, and end with the bytes of an
//! undisturbed build when it is continued.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::{Corpus, command, in_memory, root, sample};
use crate::faults::unfinished;

const NO_SPACE: i32 = 28;
const INPUT_OUTPUT: i32 = 5;

/// A small archive, and `failing_calls.c` as a library that is loaded before the C library.
struct Bench {
    folder: tempfile::TempDir,
    /// Holds the library: a system need not execute what is in memory.
    _program: tempfile::TempDir,
    library: PathBuf,
    archive: PathBuf,
    whole: Corpus,
}

impl Bench {
    /// `None`, with a notice, where calls cannot be replaced this way.
    fn new() -> Option<Bench> {
        let (folder, program) = (in_memory(), tempfile::tempdir().unwrap());
        let library = program.path().join("failing_calls.so");
        let compiled = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(root().join("tests/failing_calls.c"))
            .arg("-ldl")
            .output();
        let Some(compiled) = compiled.ok().filter(|_| cfg!(target_os = "linux")) else {
            println!("skipped: this needs Linux and a C compiler");
            return None;
        };
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        // The archive ends in the middle of a record: damage must look the same whatever else happens.
        let archive = folder.path().join("pages.warc.gz");
        let bytes = fs::read(sample("web.warc.gz")).unwrap();
        fs::write(&archive, bytes.get(..40_000).unwrap()).unwrap();
        let whole = Corpus { dir: in_memory() };
        let bench = Bench { folder, _program: program, library, archive, whole };
        assert_eq!(bench.build(&bench.whole, &[]).status.code(), Some(3));
        Some(bench)
    }

    fn command(&self, corpus: &Corpus) -> Command {
        let mut command = command(&["build"]);
        command.arg(&self.archive).args(["--out", &corpus.out(), "--quiet", "--threads", "1"]);
        for setting in ["plan.shard_bytes=20000", "archive.mmap=false", "output.formats=vertical,jsonl"] {
            command.args(["--set", setting]);
        }
        command
    }

    fn build(&self, corpus: &Corpus, faults: &[(&str, &OsStr)]) -> Output {
        let mut command = self.command(corpus);
        if !faults.is_empty() {
            command.env("LD_PRELOAD", &self.library).envs(faults.iter().copied());
        }
        command.output().unwrap()
    }

    /// Calls of this kind, on files of the output or, for reads, on the archive and on the output.
    fn calls(&self, kind: &str) -> usize {
        let corpus = Corpus { dir: tempfile::tempdir_in(self.folder.path()).unwrap() };
        let count = self.folder.path().join("count");
        let faults = [("FAULT_KIND", kind.as_ref()), self.below(), ("FAULT_COUNT", count.as_ref())];
        assert_eq!(self.build(&corpus, &faults).status.code(), Some(3));
        fs::read_to_string(count).unwrap().parse().unwrap()
    }

    fn below(&self) -> (&'static str, &OsStr) {
        ("FAULT_FOLDER", self.folder.path().as_os_str())
    }

    fn fail_in_turn(&self, kind: &str, errno: i32, lasts: bool, step: usize) {
        let calls = self.calls(kind);
        let expected = std::io::Error::from_raw_os_error(errno).to_string();
        for call in (1..=calls).step_by(step) {
            let corpus = Corpus { dir: tempfile::tempdir_in(self.folder.path()).unwrap() };
            let (number, errno) = (call.to_string(), errno.to_string());
            let mut faults = vec![("FAULT_KIND", kind.as_ref()), self.below()];
            faults.push(("FAULT_CALL", number.as_ref()));
            faults.push(("FAULT_ERRNO", errno.as_ref()));
            if lasts {
                faults.push(("FAULT_LASTS", "1".as_ref()));
            }
            let output = self.build(&corpus, &faults);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{kind} {call}: {error}");
            assert!(error.contains(&expected), "{kind} {call}: {error}");
            assert!(error.contains(&self.folder.path().display().to_string()), "{kind} {call}: {error}");
            if corpus.layout().root().exists() {
                assert_eq!(unfinished(corpus.layout().root()), Vec::<PathBuf>::new(), "{kind} {call}");
            }
            self.check(&corpus);
        }
        println!("{kind}: {} of {calls} calls failed, one a build", calls.div_ceil(step));
        assert!(calls > 30, "{kind}: {calls}");
    }

    /// Continues the build without faults.
    fn check(&self, corpus: &Corpus) {
        let output = self.build(corpus, &[]);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(corpus.files() == self.whole.files());
    }
}

#[test]
fn a_disk_may_be_full_at_every_write() {
    let Some(bench) = Bench::new() else { return };
    bench.fail_in_turn("write", NO_SPACE, true, 1);
}

#[test]
fn a_single_write_rename_or_sync_may_fail() {
    let Some(bench) = Bench::new() else { return };
    bench.fail_in_turn("write", INPUT_OUTPUT, false, 3);
    bench.fail_in_turn("rename", INPUT_OUTPUT, false, 1);
    bench.fail_in_turn("sync", INPUT_OUTPUT, false, 1);
}

#[test]
fn a_read_may_fail_in_the_middle() {
    let Some(bench) = Bench::new() else { return };
    bench.fail_in_turn("read", INPUT_OUTPUT, false, 7);
}

/// Bytes do not depend on the clock, and no arithmetic on times fails.
#[test]
fn the_calendar_may_jump() {
    let Some(bench) = Bench::new() else { return };
    let corpus = Corpus { dir: tempfile::tempdir_in(bench.folder.path()).unwrap() };
    let count = bench.folder.path().join("count");
    let output = bench.build(&corpus, &[("FAULT_KIND", "clock".as_ref()), ("FAULT_COUNT", count.as_ref())]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(corpus.files() == bench.whole.files());
    let looks: u32 = fs::read_to_string(count).unwrap().parse().unwrap();
    assert!(looks > 0, "nobody looked at the calendar");
}

/// Too few file descriptors, too little address space, a file system that only reads.
#[test]
fn a_process_may_be_short_of_everything() {
    let Some(bench) = Bench::new() else { return };
    let limited = |corpus: &Corpus, limit: &str| {
        let build = bench.command(corpus);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]).arg(build.get_program());
        shell.args(build.get_args()).output().unwrap()
    };
    // How much address space a build takes depends on the machine: 200 MB may do. 90 MB never does: the program itself
    // takes 65, and with less than these it cannot even begin.
    let limits = [("-n 10", Some(false)), ("-n 64", Some(true)), ("-v 90000", Some(false)), ("-v 200000", None)];
    for (limit, enough) in limits {
        let corpus = Corpus { dir: tempfile::tempdir_in(bench.folder.path()).unwrap() };
        let output = limited(&corpus, limit);
        let error = String::from_utf8_lossy(&output.stderr);
        let finished = output.status.code() == Some(3);
        assert!(enough.is_none_or(|enough| enough == finished), "{limit}: {:?} {error}", output.status);
        if !finished {
            let reasons = [
                "Too many open files",
                "memory allocation",
                "Resource temporarily unavailable",
                "failed to map segment",
            ];
            assert!(reasons.iter().any(|reason| error.contains(reason)), "{limit}: {error}");
        }
        bench.check(&corpus);
    }
    let output = command(&["build", &bench.archive.display().to_string(), "--out", "/proc/corpus"]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cannot create folder /proc/corpus"), "{error}");
}
