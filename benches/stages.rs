//! What a job costs, stage by stage, through the binary on one thread: `ARCHIVES="a.warc.gz b.warc.gz" cargo bench --bench
//! stages`, on the sample of the project without `ARCHIVES`. An iteration is all tasks of a stage, in a process of its own
//! (start included), on what the stages before it left.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use warcorpus::stages::STAGES;

fn stages(criterion: &mut Criterion) {
    let archives = std::env::var("ARCHIVES").unwrap_or_else(|_| "data-samples/web.warc.gz".into());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("corpus");
    run(&["plan"], archives.split_whitespace(), &out);

    let mut group = criterion.benchmark_group("stage");
    group.sample_size(10);
    for stage in STAGES.map(|stage| stage.name()) {
        group.bench_function(stage, |bencher| {
            bencher.iter_custom(|times| {
                let once = || {
                    // Without its marker a stage runs again.
                    let _ = std::fs::remove_dir_all(out.join("work").join(stage));
                    let begun = Instant::now();
                    run(&["task", stage, "0-100000", "--threads", "1", "--quiet"], [], &out);
                    begun.elapsed()
                };
                (0..times).map(|_| once()).sum::<Duration>()
            });
        });
    }
}

fn run<'a>(arguments: &[&str], inputs: impl IntoIterator<Item = &'a str>, out: &Path) {
    let mut binary = Command::new(env!("CARGO_BIN_EXE_warcorpus"));
    let status = binary.args(arguments).args(inputs).arg("--out").arg(out).stdout(Stdio::null()).status();
    // 3: a part of an archive could not be read.
    assert!(status.is_ok_and(|status| matches!(status.code(), Some(0 | 3))), "{arguments:?} failed");
}

criterion_group!(all, stages);
criterion_main!(all);
