//! Options of the job arrays; everything else follows from the plan.

use std::path::PathBuf;

use crate::error::Error;
use crate::stages::STAGES;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct Options {
    /// Partition to submit to
    #[arg(long, value_parser = filled)]
    pub partition: Option<String>,
    /// Account to charge
    #[arg(long, value_parser = filled)]
    pub account: Option<String>,
    /// Quality of service
    #[arg(long, value_parser = filled)]
    pub qos: Option<String>,
    /// Features that a node must have
    #[arg(long, value_parser = filled)]
    pub constraint: Option<String>,
    /// Address for a mail when a stage fails and when the last one ends
    #[arg(long, value_name = "ADDRESS", value_parser = filled)]
    pub mail: Option<String>,
    /// Time limit of an array element, at least 4 minutes: minutes, HH:MM:SS or D-HH:MM:SS; of one stage: STAGE=TIME, repeatable
    /// [default: estimated for each stage]
    #[arg(long, value_parser = time_limit)]
    pub time: Vec<Limit>,
    /// Memory of an array element, such as 8G; of one stage: STAGE=MEM, repeatable [default: estimated for each stage]
    #[arg(long, value_parser = memory_limit)]
    pub mem: Vec<Limit>,
    /// Array elements of a stage at most [default: tasks of half an hour together]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub elements: Option<u32>,
    /// Cores of an array element
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus_per_task: u32,
    /// Elements of an array at most [default: what Slurm allows]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_array: Option<u32>,
    /// Elements of an array that may run at the same time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub array_limit: Option<u32>,
    /// File with shell commands that each script runs first, for example: module load rust
    #[arg(long, value_name = "FILE")]
    pub prelude: Option<PathBuf>,
    /// Command that runs the program on a node, for example in a container [default: the path of this program]
    #[arg(long, value_name = "COMMAND", value_parser = filled)]
    pub program: Option<String>,
    /// Folder on a disk of the node for files of sorting, such as --scratch '$TMPDIR'; the element expands variables
    #[arg(long, value_name = "DIR", value_parser = filled)]
    pub scratch: Option<String>,
    /// More for sbatch, such as --option=--nice=100
    #[arg(long, allow_hyphen_values = true, value_parser = option)]
    pub option: Vec<String>,
}

impl Options {
    /// The time limit that is given for a stage, or for all.
    pub fn time(&self, stage: &str) -> Option<&str> {
        Limit::of(&self.time, stage)
    }

    /// The memory that is given for a stage, or for all.
    pub fn mem(&self, stage: &str) -> Option<&str> {
        Limit::of(&self.mem, stage)
    }
}

/// A limit in the form that sbatch reads, for one stage or for all.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    stage: Option<String>,
    value: String,
}

impl Limit {
    /// The last limit that names the stage, else the last that names none.
    fn of<'a>(limits: &'a [Limit], stage: &str) -> Option<&'a str> {
        let last = |named: Option<&str>| limits.iter().rev().find(|limit| limit.stage.as_deref() == named);
        last(Some(stage)).or_else(|| last(None)).map(|limit| limit.value.as_str())
    }

    fn parse(text: &str, check: fn(&str) -> Result<(), String>) -> Result<Limit, String> {
        let (stage, value) = text.split_once('=').map_or((None, text), |(stage, value)| (Some(stage), value));
        if let Some(unknown) = stage.filter(|stage| !STAGES.iter().any(|known| known.name() == *stage)) {
            let known: Vec<&str> = STAGES.iter().map(|stage| stage.name()).collect();
            return Err(format!("no stage is called {unknown}; the stages are {}", known.join(", ")));
        }
        check(value).map(|()| Limit { stage: stage.map(String::from), value: value.into() })
    }
}

/// The shortest time limit. The scripts ask for a signal two minutes before it, Slurm may send it another minute
/// earlier, and before it an element must do something: otherwise it would requeue itself again and again.
const LEAST_MINUTES: u64 = 4;

fn time_limit(text: &str) -> Result<Limit, String> {
    Limit::parse(text, check_time)
}

fn memory_limit(text: &str) -> Result<Limit, String> {
    Limit::parse(text, check_memory)
}

fn check_time(text: &str) -> Result<(), String> {
    let forms = "expected minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS or infinite";
    // 0 is no limit.
    if (1..LEAST_MINUTES * 60).contains(&seconds(text).ok_or(forms)?) {
        return Err(format!(
            "at least {LEAST_MINUTES} minutes: up to three minutes before the time is up, Slurm tells an element to stop"
        ));
    }
    Ok(())
}

/// Seconds of a time limit in a form that sbatch reads.
fn seconds(text: &str) -> Option<u64> {
    if ["infinite", "unlimited"].contains(&text.to_ascii_lowercase().as_str()) {
        return Some(u64::MAX);
    }
    let number = |field: &str| -> Option<u64> {
        let sound = field.len() <= 6 && field.chars().all(|c| c.is_ascii_digit());
        field.parse().ok().filter(|_| sound)
    };
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let fields = rest.split(':').map(number).collect::<Option<Vec<u64>>>()?;
    let (hours, minutes, seconds) = match (days, fields.as_slice()) {
        (_, &[hours, minutes, seconds]) => (hours, minutes, seconds),
        (None, &[minutes]) => (0, minutes, 0),
        (None, &[minutes, seconds]) => (0, minutes, seconds),
        (Some(_), &[hours]) => (hours, 0, 0),
        (Some(_), &[hours, minutes]) => (hours, minutes, 0),
        _ => return None,
    };
    let days = days.map_or(Some(0), number)?;
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

fn check_memory(text: &str) -> Result<(), String> {
    bytes(text).map(drop).ok_or_else(|| "expected a number of megabytes, or one with K, M, G or T".into())
}

/// Bytes of a memory limit in a form that sbatch reads; without a unit, it is megabytes.
pub fn bytes(text: &str) -> Option<u64> {
    let digits = text.strip_suffix(['K', 'M', 'G', 'T', 'k', 'm', 'g', 't']).unwrap_or(text);
    let unit = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "K" => 1 << 10,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => 1 << 20,
    };
    let number: u64 = digits.parse().ok().filter(|_| digits.chars().all(|c| c.is_ascii_digit()))?;
    Some(number.saturating_mul(unit))
}

/// A value that is not empty: sbatch would fail at it, or take the next option for it.
fn filled(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("is empty; leave the option out".into()) } else { Ok(text.into()) }
}

/// An option of sbatch, with its hyphens.
fn option(text: &str) -> Result<String, String> {
    let is_option =
        text.starts_with('-') && text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic());
    if is_option { Ok(text.into()) } else { Err("options of sbatch begin with hyphens: --option=--nice=100".into()) }
}

/// The line of a script that gives an option to sbatch. sbatch ends a value at a blank and the line at `#`, and reads
/// quotes and backslashes as a shell does.
///
/// # Errors
/// [`Error::Usage`] if the option has a quote or does not fit into a line.
pub fn directive(option: &str) -> Result<String, Error> {
    if option.contains(|c: char| c == '"' || c.is_control()) {
        let why = "no line feed and no `\"` may be in it; a value with blanks is put into quotes as it is";
        return Err(Error::Usage(format!("option {option:?} of sbatch: {why}")));
    }
    let value = option.find(['=', ' ']).map_or("", |at| option.get(at + 1..).unwrap_or_default());
    if !value.contains([' ', '#', '\'', '\\']) {
        return Ok(format!("#SBATCH {option}\n"));
    }
    let name = option.strip_suffix(value).unwrap_or_default();
    Ok(format!("#SBATCH {name}\"{}\"\n", value.replace('\\', r"\\")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_the_forms_of_sbatch() {
        for time in ["90", "4:00:00", "1-12", "2-00:30:00", "infinite"] {
            assert!(time_limit(time).is_ok(), "{time}");
        }
        for time in ["", "forever", "1h", "1:2:3:4", "-5", "1-", "extract=", "extract=1h"] {
            assert!(time_limit(time).is_err(), "{time}");
        }
        assert!(memory_limit("8G").is_ok() && memory_limit("8 GB").is_err() && memory_limit("G").is_err());
        let sizes = ["8", "8k", "8G", "0", "99999999999T", "+8", "", "é"].map(bytes);
        assert_eq!(sizes, [Some(8 << 20), Some(8 << 10), Some(8 << 30), Some(0), Some(u64::MAX), None, None, None]);
    }

    #[test]
    fn values_that_sbatch_would_not_read_are_refused() {
        for sound in ["--nice=100", "-n1", "--exclusive"] {
            assert!(option(sound).is_ok(), "{sound}");
        }
        for wrong in ["nice=100", "", "-", "--", "- n", "#SBATCH --nice"] {
            assert!(option(wrong).unwrap_err().contains("begin with hyphens"), "{wrong}");
        }
        assert!(filled("a b").is_ok() && filled("").is_err() && filled(" ").is_err());
    }

    #[test]
    fn a_time_limit_leaves_time_for_work() {
        for time in ["0", "4", "4:00", "00:04:00", "0-0:4", "1-0", "240", "infinite", "UNLIMITED"] {
            assert!(time_limit(time).is_ok(), "{time}");
        }
        for time in ["1", "2", "3", "3:59", "0:01", "0:03:59", "0-0:3", "emit=3"] {
            let error = time_limit(time).unwrap_err();
            assert!(error.starts_with("at least 4 minutes: "), "{time}: {error}");
        }
        assert!(time_limit("1h").unwrap_err().starts_with("expected minutes"));
    }

    #[test]
    fn options_are_quoted_as_sbatch_reads_them() {
        for (option, line) in [
            ("--nice=100", "--nice=100"),
            ("--exclusive", "--exclusive"),
            ("--gres gpu:1", "--gres gpu:1"),
            ("--comment=my job", r#"--comment="my job""#),
            ("--comment my job", r#"--comment "my job""#),
            ("--comment=a#b=c", r#"--comment="a#b=c""#),
            (r"--comment=it's \", r#"--comment="it's \\""#),
        ] {
            assert_eq!(directive(option).unwrap(), format!("#SBATCH {line}\n"));
        }
        for option in ["--comment=a\n#SBATCH --nice=1", "--comment=\"my job\""] {
            let error = directive(option).unwrap_err().to_string();
            assert!(error.contains("no line feed and no `\"`") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_stage_has_its_own_limit_or_that_of_all() {
        let mem = ["4G", "extract=16G", "bucket=1G", "extract=8G"].map(|text| memory_limit(text).unwrap());
        let options = Options { mem: mem.to_vec(), ..Options::default() };
        assert_eq!(["extract", "bucket", "emit"].map(|stage| options.mem(stage)), [Some("8G"), Some("1G"), Some("4G")]);
        assert_eq!(options.time("extract"), None);
        assert!(memory_limit("extrakt=8G").unwrap_err().contains("bucket"));
    }
}
