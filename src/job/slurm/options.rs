//! Options of the job arrays; everything else follows from the plan.

use std::path::PathBuf;

use crate::stages::STAGES;

#[derive(Debug, Clone, Default, clap::Args)]
pub struct Options {
    /// Partition to submit to
    #[arg(long)]
    pub partition: Option<String>,
    /// Account to charge
    #[arg(long)]
    pub account: Option<String>,
    /// Quality of service
    #[arg(long)]
    pub qos: Option<String>,
    /// Features that a node must have
    #[arg(long)]
    pub constraint: Option<String>,
    /// Address for a mail when a stage fails and when the last one ends
    #[arg(long, value_name = "ADDRESS")]
    pub mail: Option<String>,
    /// Time limit of an array element: minutes, HH:MM:SS or D-HH:MM:SS; of one stage: STAGE=TIME, repeatable
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
    #[arg(long, value_name = "COMMAND")]
    pub program: Option<String>,
    /// Folder on a disk of the node for files of sorting, such as --scratch '$TMPDIR'; the element expands variables
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<String>,
    /// More for sbatch, such as --option=--nice=100
    #[arg(long, allow_hyphen_values = true)]
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

    fn parse(text: &str, is_sound: fn(&str) -> bool, forms: &str) -> Result<Limit, String> {
        let (stage, value) = text.split_once('=').map_or((None, text), |(stage, value)| (Some(stage), value));
        if let Some(unknown) = stage.filter(|stage| !STAGES.iter().any(|known| known.name() == *stage)) {
            let known: Vec<&str> = STAGES.iter().map(|stage| stage.name()).collect();
            return Err(format!("no stage is called {unknown}; the stages are {}", known.join(", ")));
        }
        let limit = Limit { stage: stage.map(String::from), value: value.into() };
        if is_sound(value) { Ok(limit) } else { Err(format!("expected {forms}")) }
    }
}

fn time_limit(text: &str) -> Result<Limit, String> {
    let forms = "minutes, MM:SS, HH:MM:SS, D-HH, D-HH:MM, D-HH:MM:SS or infinite";
    Limit::parse(text, is_time, forms)
}

fn memory_limit(text: &str) -> Result<Limit, String> {
    Limit::parse(text, is_memory, "a number of megabytes, or one with K, M, G or T")
}

fn is_time(text: &str) -> bool {
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let fields: Vec<&str> = rest.split(':').collect();
    let number = |field: &&str| !field.is_empty() && field.len() <= 6 && field.chars().all(|c| c.is_ascii_digit());
    let sound = fields.len() <= 3 && fields.iter().chain(days.as_ref()).all(number);
    sound || ["infinite", "unlimited"].contains(&text.to_ascii_lowercase().as_str())
}

fn is_memory(text: &str) -> bool {
    let digits = text.strip_suffix(['K', 'M', 'G', 'T', 'k', 'm', 'g', 't']).unwrap_or(text);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
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
