//! `annotate`: joins columns from elsewhere to the documents of a finished corpus, by record id or URL.

mod join;
mod label_file;
mod matches;
pub mod text_records;

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::ValueEnum;

use super::{Exit, LogFormat, cancel_on_signal, finished, start_log};
use crate::error::Result;
use crate::job::directory_lock::{Access, DirectoryLock};
use crate::stages::plan::Plan;
use crate::store::spill::SortSpace;
use join::Annotation;

pub const EXAMPLES: &str = "Examples:
  warcorpus annotate corpus --from topics.parquet
  warcorpus annotate corpus --from scores.csv --key url --columns edu_score
  warcorpus annotate corpus --from labels.jsonl.zst
  warcorpus emit corpus --format jsonl,vertical

The file has a column record_id or url, and columns of strings or numbers. They become the table labels/ of the corpus; emit
writes them with the formats parquet, jsonl, vertical and tei. A column of the same name is replaced. Rows that belong to no
document, and rows with the key of an earlier row, are counted. A file without a row of any document is refused.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// A file of Parquet, CSV or JSON lines (the latter two also as gzip or zstd)
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// The column by which rows and documents are joined
    #[arg(long, value_enum, default_value_t = JoinKey::RecordId)]
    key: JoinKey,
    /// Columns to join, several with commas [default: all with strings or numbers]
    #[arg(long, value_delimiter = ',')]
    columns: Vec<String>,
}

/// What a row and its document have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum JoinKey {
    #[value(name = "record_id")]
    RecordId,
    #[value(name = "url")]
    Url,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let cancel = cancel_on_signal()?;
    let (layout, config) = finished(&arguments.corpus)?;
    let lock = DirectoryLock::acquire(&layout, Access::Alone)?;
    lock.sweep(&layout)?;
    let annotation = Annotation {
        layout: &layout,
        options: config.table_settings(&Plan::read(&layout)?.configuration),
        models: config.quality.model.iter().map(|model| model.name.as_str()).collect(),
        from: &arguments.from,
        key: arguments.key,
        chosen: &arguments.columns,
        space: SortSpace::default(),
        cancel: &cancel,
    };
    let joined = annotation.run()?;
    let mut out = io::stdout();
    writeln!(out, "{} of {} rows joined to {} documents", joined.matched, joined.rows, joined.documents)?;
    writeln!(
        out,
        "{} rows belong to no document, {} repeat a key, {} have none",
        joined.unmatched(),
        joined.repeated,
        joined.without_key
    )?;
    writeln!(out, "columns in {}: {}", layout.root().join("labels").display(), joined.columns.join(", "))?;
    Ok(Exit::Done)
}

impl JoinKey {
    /// The name of the column.
    fn name(self) -> &'static str {
        match self {
            JoinKey::RecordId => "record_id",
            JoinKey::Url => "url",
        }
    }
}
