//! Runs a job as dependent Slurm job arrays: one array per stage, one or more tasks per array element. The scripts are
//! written to the output directory, where users can read and change them. Tasks communicate through the shared file
//! system only.

mod options;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use indicatif::HumanBytes;
pub use options::Options;

use self::options::directive;
use crate::error::{Error, Result};
use crate::job::{memory, shell};
use crate::stages::{Job, STAGES, Stage};
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::small_files;

const TASK: &str = include_str!("../../jobs/slurm/task.sh");
const SUBMIT: &str = include_str!("../../jobs/slurm/submit.sh");

/// Bytes of a prelude at most.
const LONGEST_PRELUDE: u64 = 1 << 20;

/// The commands of the prelude; empty without one.
fn prelude(options: &Options) -> Result<String> {
    let Some(path) = &options.prelude else { return Ok(String::new()) };
    let bytes = small_files::read(path, LONGEST_PRELUDE)?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| Error::Usage(format!("{} is not UTF-8", path.display())))
}

/// Core seconds per megabyte of compressed input. Two to three times the time in `benches/README.md`, so that slower
/// machines stay within the time limit.
const SECONDS_PER_MB: f64 = 1.5;
/// Core seconds of work that an array element should have.
const SECONDS_PER_ELEMENT: f64 = 1800.0;
/// How often an element that reaches its time limit requeues itself.
const RESTARTS: u32 = 100;

/// The job array of one stage; `minutes` and `megabytes` are limits per element.
struct Array {
    stage: &'static dyn Stage,
    tasks: u32,
    elements: u32,
    minutes: u64,
    megabytes: u64,
}

impl Array {
    /// Sizes the array of a stage; `None` if the stage is disabled.
    fn new(job: &Job, stage: &'static dyn Stage, options: &Options) -> Option<Array> {
        let tasks = Some(stage.tasks(job)).filter(|&tasks| tasks > 0)?;
        let megabytes = job.plan.bytes() as f64 / 1e6;
        let seconds = megabytes * SECONDS_PER_MB * stage.relative_cost();
        let per_task = (seconds / f64::from(tasks)).max(1.0);
        let wanted = f64::from(options.cpus_per_task) * SECONDS_PER_ELEMENT;
        let elements = options.elements.unwrap_or((seconds / wanted).ceil() as u32).clamp(1, tasks);
        let rounds = f64::from(tasks.div_ceil(elements).div_ceil(options.cpus_per_task));
        let minutes = (rounds * per_task / 60.0).ceil() as u64 + 10;
        Some(Array { stage, tasks, elements, minutes, megabytes: estimated_memory(job, stage, options.cpus_per_task) })
    }

    /// Refuses memory that is below what `build --memory` asks for as many threads, and below what is estimated. 0 is all that a
    /// node has.
    fn check_memory(&self, job: &Job, options: &Options) -> Result<()> {
        let name = self.stage.name();
        let Some(given) = options.mem(name) else { return Ok(()) };
        let least = memory::least(options.cpus_per_task as usize, &job.config, &job.plan).min(self.megabytes << 20);
        match options::bytes(given) {
            Some(bytes @ 1..) if bytes < least => Err(Error::Usage(format!(
                "--mem {given} is too low: an element of {name} needs {}; allow more, set fewer --cpus-per-task, or plan with lower \
                 limits.record_bytes, limits.payload_bytes and limits.text_bytes",
                HumanBytes(least)
            ))),
            _ => Ok(()),
        }
    }

    /// The script; `program` is a command of the shell.
    ///
    /// # Errors
    /// [`Error::Usage`] for an option that cannot be written into it.
    fn script(&self, program: &str, out: &str, prelude: &str, options: &Options) -> Result<String> {
        let name = self.stage.name();
        let named = [
            ("partition", &options.partition),
            ("account", &options.account),
            ("qos", &options.qos),
            ("constraint", &options.constraint),
            ("mail-user", &options.mail),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
        let last = STAGES.last().is_some_and(|last| last.name() == name);
        let mails = if last { "--mail-type=END,FAIL" } else { "--mail-type=FAIL" };
        let mails = options.mail.is_some().then(|| mails.to_string());
        let more = named.chain(mails).chain(options.option.iter().cloned());
        let more = more.map(|option| directive(&option)).collect::<Result<String>>()?;
        Ok(fill(
            TASK,
            &[
                ("STAGE", name.into()),
                ("TASKS", self.tasks.to_string()),
                ("ELEMENTS", self.elements.to_string()),
                ("CPUS", options.cpus_per_task.to_string()),
                ("MEMORY", options.mem(name).map_or_else(|| format!("{}M", self.megabytes), String::from)),
                ("TIME", options.time(name).map_or_else(|| self.minutes.to_string(), String::from)),
                ("OPTIONS", more),
                ("PRELUDE", prelude.to_string()),
                ("SCRATCH", options.scratch.as_ref().map(|folder| scratch(folder)).unwrap_or_default()),
                ("OUT", shell::quoted(out)),
                ("PROGRAM", program.to_string()),
                ("RESTARTS", RESTARTS.to_string()),
            ],
        ))
    }
}

/// The option for a folder whose variables the shell expands.
fn scratch(folder: &str) -> String {
    let quoted = folder.chars().flat_map(|c| ['"', '\\', '`'].contains(&c).then_some('\\').into_iter().chain([c]));
    format!(" --scratch \"{}\"", quoted.collect::<String>())
}

/// Memory of an array element in megabytes, with one running task per core.
fn estimated_memory(job: &Job, stage: &dyn Stage, cpus: u32) -> u64 {
    512 + stage.task_megabytes(job) * u64::from(cpus)
}

/// Writes a script per stage and the script that submits them all; returns the path of the latter.
pub fn write(job: &Job, options: &Options) -> Result<PathBuf> {
    let root = job.layout.root();
    let root = fs::canonicalize(root).map_err(Error::io("find", root))?;
    check_path(text(&root)?)?;
    let program = match &options.program {
        Some(command) => command.clone(),
        None => shell::quoted(text(&env::current_exe().map_err(Error::io("find", Path::new("warcorpus")))?)?),
    };
    let layout = Layout::new(&root);
    let prelude = prelude(options)?;
    let arrays: Vec<Array> = STAGES.into_iter().filter_map(|stage| Array::new(job, stage, options)).collect();
    // Asked before any script is written: a refused command leaves those of an earlier one as they are.
    arrays.iter().try_for_each(|array| array.check_memory(job, options))?;
    let mut submissions = Vec::new();
    for array in &arrays {
        let name = array.stage.name();
        let script = array.script(&program, text(&root)?, &prelude, options)?;
        atomic::write(&layout.slurm().join(format!("{name}.sh")), script)?;
        submissions.push(format!("submit {name} {}", array.elements));
    }
    let values = [
        ("OUT", shell::quoted(text(&root)?)),
        ("MAX_ARRAY", options.max_array.unwrap_or(0).to_string()),
        ("LIMIT", options.array_limit.map(|limit| format!("%{limit}")).unwrap_or_default()),
        ("REFUSED", REFUSED.to_string()),
        ("SUBMIT", submissions.join("\n")),
    ];
    let submit = layout.slurm().join("submit.sh");
    atomic::write(&submit, fill(SUBMIT, &values))?;
    Ok(submit)
}

/// Refuses a folder in whose path Slurm takes a backslash away: no element could open its log, and all would fail.
fn check_path(root: &str) -> Result<()> {
    if !root.contains('\\') {
        return Ok(());
    }
    let why = "Slurm cannot write logs below a folder with a backslash in its path, and all elements would fail";
    Err(Error::Usage(format!("{root}: {why}; rename the folder")))
}

/// Exit code of the submit script if sbatch refuses an array; none of the program itself.
const REFUSED: i32 = 6;

/// Runs the submit script.
///
/// # Errors
/// [`Error::Usage`] if sbatch refuses an array, for example for a partition that there is not; [`Error::Io`] if the script fails
/// otherwise.
pub fn submit(script: &Path) -> Result<()> {
    let status = Command::new("bash").arg(script).status().map_err(Error::io("run", script))?;
    if status.success() {
        return Ok(());
    }
    if status.code() == Some(REFUSED) {
        return Err(Error::Usage(format!("{}: sbatch refused an array; see its message above", script.display())));
    }
    Err(Error::io("run", script)(io::Error::other(format!("it failed with {status}; see the message above"))))
}

/// Replaces each `@NAME@` of a template by its value. Values are what users write, and are not searched for names.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    let (mut filled, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('@') {
        filled.push_str(before);
        let behind_name = |name: &str| after.strip_prefix(name)?.strip_prefix('@');
        let known = values.iter().find_map(|(name, value)| Some((value.as_str(), behind_name(name)?)));
        let (value, behind) = known.unwrap_or(("@", after));
        filled.push_str(value);
        rest = behind;
    }
    filled + rest
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| Error::Usage(format!("{}: the name is not UTF-8", path.display())))
}

/// The array elements of a job in Slurm's queue.
#[derive(Debug, Default, PartialEq)]
pub struct Queue {
    /// Job numbers of the submitted arrays; the state of other jobs is unknown.
    arrays: Vec<String>,
    /// Whether each queued element, such as `1234_5`, is running.
    elements: HashMap<String, bool>,
    /// One line per array and reason for which elements of it are pending.
    pub pending: Vec<String>,
}

impl Queue {
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Whether an element is running; `None` if it is not of a submitted array.
    pub fn is_running(&self, element: &str) -> Option<bool> {
        let array = element.split('_').next().unwrap_or_default();
        let ours = self.arrays.iter().any(|known| known == array);
        ours.then(|| self.elements.get(element).copied().unwrap_or(false))
    }

    /// Whether an element is pending; a requeued element is pending again.
    pub fn is_pending(&self, element: &str) -> bool {
        self.elements.get(element) == Some(&false)
    }
}

/// Asks Slurm for the queue of the job; `None` if the job was not submitted or `squeue` fails.
pub fn queue(layout: &Layout) -> Result<Option<Queue>> {
    let Some(jobs) = atomic::read(&layout.slurm().join("jobs.tsv"))? else { return Ok(None) };
    let mut stages: Vec<(&str, &str)> = Vec::new();
    for line in jobs.lines() {
        let mut fields = line.split('\t');
        if let (Some(stage), Some(array)) = (fields.next(), fields.next()) {
            stages.push((array, stage));
        }
    }
    let arrays: Vec<&str> = stages.iter().map(|(array, _)| *array).collect();
    let wanted = format!("--jobs={}", arrays.join(","));
    let arguments = ["--noheader", "--array", "--format=%F_%K|%T|%r", &wanted];
    let Ok(answer) = Command::new("squeue").args(arguments).stdin(Stdio::null()).output() else { return Ok(None) };
    // Slurm forgets finished jobs after some time and then reports an invalid job id.
    let forgotten = String::from_utf8_lossy(&answer.stderr).contains("Invalid job id");
    if !answer.status.success() && !forgotten {
        return Ok(None);
    }
    Ok(Some(parse_queue(&String::from_utf8_lossy(&answer.stdout), &stages)))
}

/// Parses lines such as `1234_5|PENDING|Dependency` of squeue; `stages` holds job number and stage of each array.
pub fn parse_queue(text: &str, stages: &[(&str, &str)]) -> Queue {
    let mut queue =
        Queue { arrays: stages.iter().map(|(array, _)| (*array).to_string()).collect(), ..Queue::default() };
    let mut pending: Vec<(String, u32)> = Vec::new();
    for line in text.lines() {
        let mut fields = line.trim().split('|');
        let (Some(element), Some(state), Some(reason)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let Some((array, stage)) = stages.iter().find(|(array, _)| element.split('_').next() == Some(array)) else {
            continue;
        };
        queue.elements.insert(element.to_string(), state != "PENDING");
        if state != "PENDING" {
            continue;
        }
        let what = format!("{stage} (job {array}) waits: {reason}");
        match pending.iter_mut().find(|(known, _)| *known == what) {
            Some((_, elements)) => *elements += 1,
            None => pending.push((what, 1)),
        }
    }
    queue.pending = pending.into_iter().map(|(what, elements)| format!("{what}, elements: {elements}")).collect();
    queue
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    fn array() -> Array {
        Array { stage: &crate::stages::extract::Extract, tasks: 10, elements: 4, minutes: 20, megabytes: 700 }
    }

    #[test]
    fn the_queue_is_read() {
        let stages = [("12", "extract"), ("13", "bucket")];
        let text = "12_0|RUNNING|None\n12_1|PENDING|Resources\n12_2|PENDING|Resources\n\
                    13_0|PENDING|DependencyNeverSatisfied\n99_0|RUNNING|None\nnonsense\n";
        let queue = parse_queue(text, &stages);
        let running = ["12_0", "12_1", "12_9", "99_0"].map(|element| queue.is_running(element));
        assert_eq!(running, [Some(true), Some(false), Some(false), None]);
        assert!(queue.is_pending("12_1") && !queue.is_pending("12_9") && !queue.is_empty());
        let want = [
            "extract (job 12) waits: Resources, elements: 2",
            "bucket (job 13) waits: DependencyNeverSatisfied, elements: 1",
        ];
        assert_eq!(queue.pending, want);
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(shell::quoted("/a b/it's"), r"'/a b/it'\''s'");
    }

    #[test]
    fn values_are_not_filled_in() {
        let values = [("PRELUDE", "echo @OUT@ @PRELUDE@ @".to_string()), ("OUT", "'/a@OUT@'".to_string())];
        let filled = fill("a@b @PRELUDE@\n@OUT@@OUT@ @OUTER@", &values);
        assert_eq!(filled, "a@b echo @OUT@ @PRELUDE@ @\n'/a@OUT@''/a@OUT@' @OUTER@");
    }

    #[test]
    fn scripts_are_filled_in() {
        let partition = Some("long".into());
        let (account, qos, mail) = (Some("lab".into()), Some("low".into()), Some("me@lab.example".into()));
        let (constraint, option) = (Some("avx2".into()), vec!["--nice=100".into(), "--comment=my job".into()]);
        let options = Options { partition, account, qos, mail, constraint, option, ..Options::default() };
        let script = array().script("'/bin/warcorpus'", "/data/my corpus", "module load rust\n", &options).unwrap();
        for line in [
            "#SBATCH --partition=long",
            "#SBATCH --account=lab",
            "#SBATCH --qos=low",
            "#SBATCH --mail-user=me@lab.example",
            "#SBATCH --mail-type=FAIL",
            "#SBATCH --constraint=avx2",
            "#SBATCH --nice=100",
            "#SBATCH --comment=\"my job\"",
            "#SBATCH --time=20",
            "#SBATCH --mem=700M",
            "module load rust",
        ] {
            assert!(script.lines().any(|l| l == line), "{line} is not in\n{script}");
        }
        assert!(script.contains("out='/data/my corpus'"));
        let left = script.split('@').find(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_uppercase()));
        assert!(left.is_none(), "{left:?}");
        let options = Options { partition: Some("a\nb".into()), ..Options::default() };
        assert!(array().script("w", "/data", "", &options).is_err());
    }

    #[test]
    fn an_element_requeues_itself_whatever_its_prelude_sets() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("extract.sh");
        // It begins when the script waits for it.
        let program = "bash -c 'trap \"exit 130\" TERM; sleep 0.3; echo begun; while :; do sleep 0.02; done'";
        for sets in ["", "set -euo pipefail", "set -eE; trap 'echo failed' ERR"] {
            let prelude = format!("{sets}\nscontrol() {{ echo \"scontrol $*\"; }}\n");
            fs::write(&path, array().script(program, "/data", &prelude, &Options::default()).unwrap()).unwrap();
            let mut command = Command::new("bash");
            command.arg(&path).env("SLURM_ARRAY_JOB_ID", "7").env("SLURM_ARRAY_TASK_ID", "1");
            let mut element = command.env_remove("SLURM_RESTART_COUNT").stdout(Stdio::piped()).spawn().unwrap();
            let mut told = BufReader::new(element.stdout.take().unwrap()).lines().map(|line| line.unwrap());
            assert_eq!(told.next().as_deref(), Some("begun"), "{sets}");
            let element_id = element.id().to_string();
            assert!(Command::new("kill").args(["-s", "USR1", &element_id]).status().unwrap().success());
            let told: Vec<String> = told.collect();
            assert_eq!(told.last().map(String::as_str), Some("scontrol requeue 7_1"), "{sets}: {told:?}");
            assert_eq!(element.wait().unwrap().code(), Some(130), "{sets}");
        }
    }

    #[test]
    fn a_path_with_a_backslash_is_refused() {
        assert!(check_path("/data/it's 100% $ok").is_ok());
        let refused = check_path(r"/data/a\b").unwrap_err().to_string();
        assert!(refused.starts_with(r"/data/a\b: Slurm ") && refused.contains("rename"), "{refused}");
    }
}
