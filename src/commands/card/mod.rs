//! `card`: writes what tells others about a corpus, for people and for loaders.

mod files;
mod making;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Exit, LogFormat, open_corpus, start_log};
use crate::card::top::Top;
use crate::card::{Card, check_license, is_address, is_known_license};
use crate::document::DocumentRights;
use crate::emit::dates::{DAY, format_time};
use crate::error::{Error, Result};
use crate::store::layout::Layout;
use crate::store::tables;
use crate::store::{atomic, corpus, incomplete};

pub const EXAMPLES: &str = "Examples:
  warcorpus card corpus --name 'Harbour news' --license cc-by-4.0
  warcorpus emit corpus --format parquet --language ces --out czech && warcorpus card corpus --out czech

Writes README.md, whose front matter Hugging Face reads, and croissant.json (Croissant 1.1) beside the folder texts/ (format
parquet), or jsonl/ if there is no texts/. Both describe the files that are there. The same corpus has the same card.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Name of the corpus, as people read it [default: output.name]
    #[arg(long)]
    name: Option<String>,
    /// Licence of the corpus: an identifier of Hugging Face (cc-by-4.0, odc-by, …) or an address [default: unknown]
    #[arg(long, value_parser = check_license)]
    license: Option<String>,
    /// Address of the corpus
    #[arg(long, value_parser = address)]
    url: Option<String>,
    /// Version of the corpus
    #[arg(long, value_name = "VERSION", default_value = "1.0.0", value_parser = release)]
    release: String,
    /// Day of publication [default: the day of the last capture]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    date: Option<String>,
    /// Directory with the files to describe, where the card is written [default: the corpus]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a README.md and a croissant.json that are there
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    if let Some(license) = arguments.license.as_deref().filter(|license| !is_known_license(license)) {
        tracing::warn!("--license {license}: no address, and no identifier of Hugging Face that this version knows");
    }
    let job = open_corpus(arguments.corpus.clone())?;
    let out = arguments.out.as_deref().unwrap_or(job.layout.root());
    let described = Layout::new(out);
    let unfinished = incomplete::parts_of(&described)?;
    if !unfinished.is_empty() {
        let again = if unfinished.iter().all(|part| incomplete::is_labels(part)) { "annotate" } else { "emit" };
        let message = format!(
            "{}: {} was begun and not ended; run `warcorpus {again}` again",
            described.incomplete().display(),
            unfinished.join(", ")
        );
        return Err(Error::Usage(message).into());
    }
    let paths = described.card();
    if let Some(path) = paths.iter().find(|path| path.exists() && !arguments.force) {
        return Err(Error::Usage(format!("{} exists; --force replaces it", path.display())).into());
    }
    let rights = Rights::of(&job.layout)?;
    let (mut files, made) = (files::of_folder(out)?, making::of_job(&job)?);
    if !files::complete_languages(&mut files, &made) {
        tracing::warn!(
            "the card names no languages: the files hold a part of the corpus and have no column `language`, which \
             parquet.columns can name"
        );
    }
    let card = Card {
        name: arguments.name.clone().unwrap_or_else(|| job.config.output.name.clone()),
        license: arguments.license.clone(),
        url: arguments.url.clone(),
        release: arguments.release.clone(),
        date: arguments.date.clone().or_else(|| format_time(rights.last?, DAY)),
        program: env!("CARGO_PKG_VERSION").into(),
        files,
        made,
        licenses: rights.licenses,
        robots: rights.robots,
    };
    for (path, text) in paths.iter().zip([card.readme(), card.croissant()]) {
        atomic::write(path, text)?;
        writeln!(io::stdout(), "{}", path.display())?;
    }
    Ok(Exit::Done)
}

/// What the kept documents say about themselves.
#[derive(Default)]
struct Rights {
    licenses: Top,
    robots: Top,
    /// Time of the last capture.
    last: Option<i64>,
}

impl Rights {
    fn of(layout: &Layout) -> Result<Rights> {
        let mut rights = Rights::default();
        for shard in 0..corpus::shards(layout)? {
            for row in tables::Reader::<DocumentRights>::open(&layout.documents(shard))? {
                let row = row?;
                if row.kept {
                    rights.licenses.add(row.license.as_deref());
                    rights.robots.add(row.robots.as_deref());
                    rights.last = rights.last.max(row.captured);
                }
            }
        }
        Ok(rights)
    }
}

fn address(text: &str) -> std::result::Result<String, String> {
    is_address(text).then(|| text.into()).ok_or_else(|| "expected an address (https://…)".into())
}

fn release(text: &str) -> std::result::Result<String, String> {
    let parts: Vec<&str> = text.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.len() < 10 && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_version = parts.len() == 3 && parts.iter().all(is_number);
    is_version.then(|| text.into()).ok_or_else(|| "expected three numbers, such as 1.0.0".into())
}

fn day(text: &str) -> std::result::Result<String, String> {
    let day: Option<jiff::civil::Date> = text.parse().ok();
    // There is no year 0 in the calendar.
    day.filter(|day| day.year() > 0)
        .map(|day| day.to_string())
        .ok_or_else(|| "expected a day, such as 2025-11-01".into())
}

/// The path relative to a folder, with `/`.
fn relative(path: &Path, folder: &Path) -> String {
    let inner = path.strip_prefix(folder).unwrap_or(path);
    inner.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
