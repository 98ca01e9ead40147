//! The arguments of the commands that plan a job: inputs, selection and configuration.

use std::convert::Infallible;
use std::path::PathBuf;

use crate::config::Config;
use crate::document::labels::LabelColumn;
use crate::error::Error;
use crate::job::directory::{Request, saved_config};
use crate::store::layout::Layout;
use crate::store::small_files;
use crate::store::tables::labels;

/// Bytes of a job file at most.
const LONGEST_JOB: u64 = 16 << 20;

#[derive(Debug, clap::Args)]
pub struct JobArguments {
    /// Archive files, globs, folders, lists (@list.txt, *.paths, *.paths.gz), URLs (https, s3), or -
    /// for standard input; none to resume the job of the directory
    inputs: Vec<String>,
    /// Directory to write; new, empty, or of the same job interrupted
    #[arg(long, short)]
    pub out: PathBuf,
    /// Read only the records that an index names (Common Crawl's columnar index or a part of it,
    /// CDXJ, CDX); without inputs, from the archives that the index names
    #[arg(long, value_name = "INDEX")]
    select: Vec<String>,
    /// Which rows of the index, such as: fetch_status = 200 and content_languages has ces
    #[arg(long = "where", value_name = "EXPRESSION")]
    filter: Option<String>,
    #[command(flatten)]
    configuration: Configuration,
    /// Drop what an earlier corpus holds: its index, made by `warcorpus index`
    #[arg(long, value_name = "INDEX")]
    against: Vec<PathBuf>,
    /// Resume the job that the directory holds (the default)
    #[arg(long)]
    resume: bool,
    /// Discard the earlier job of the directory and start again
    #[arg(long, conflicts_with = "resume")]
    restart: bool,
    // `emit` has this option: what is said here is how a job chooses its formats.
    #[arg(long = "format", hide = true, value_name = "FORMATS", value_parser = no_option)]
    _format: Option<Infallible>,
}

/// Refuses the option `--format` of another command.
fn no_option(formats: &str) -> Result<Infallible, String> {
    Err(format!("the formats of a job are a setting: --set output.formats={formats}"))
}

/// A job file and settings that override it.
#[derive(Debug, clap::Args)]
pub struct Configuration {
    /// Job file (TOML) with the settings that differ from the defaults
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    /// Set one key, for example near.threshold=0.8; wins over the job file
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl JobArguments {
    /// The request to plan a job that will run with `threads` threads and `memory` bytes.
    pub fn request(&self, threads: usize, memory: Option<u64>) -> anyhow::Result<Request> {
        let layout = Layout::new(&self.out);
        let names_nothing = self.inputs.is_empty() && self.select.is_empty();
        let config = match names_nothing && self.configuration.job.is_none() {
            true => saved_config(&layout, &self.configuration.set)?,
            // A restart discards what `annotate` joined.
            false if self.restart => self.configuration.load(Vec::new())?,
            false => self.configuration.load(labels::columns_of(&layout)?)?,
        };
        let config = config.selecting(&self.select, self.filter.as_deref()).map_err(Error::from)?;
        // A job file may name the records to read.
        let new = self.restart || !layout.plan().exists() || !config.select.index.is_empty();
        let resumes = names_nothing && (self.configuration.job.is_none() || !new);
        let against = self.against.clone();
        let inputs = self.inputs.clone();
        let restart = self.restart;
        Ok(Request { layout, config, inputs, against, threads, memory, resumes, restart, keeps_finished: false })
    }
}

impl Configuration {
    /// The configuration of a job in a corpus to which `annotate` joined the columns `labels`.
    pub fn load(&self, labels: Vec<LabelColumn>) -> anyhow::Result<Config> {
        let file = match &self.job {
            Some(path) => {
                let refused = |e: &dyn std::fmt::Display| Error::Usage(format!("cannot read job file: {e}"));
                let bytes = small_files::read(path, LONGEST_JOB).map_err(|e| refused(&e))?;
                let text =
                    String::from_utf8(bytes).map_err(|_| refused(&format!("{} is not UTF-8", path.display())))?;
                Some((path.display().to_string(), text))
            }
            None => None,
        };
        let job = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        Ok(Config::load_for(job, &self.set, labels).map_err(Error::from)?)
    }
}
