//! `compare`: what became of the pages of a snapshot in a later one.

mod files;
mod matching;
mod output;
mod side;
mod view;

use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::{Exit, LogFormat, Threads, cancel_on_signal, notify, refuse_inside, start_log};
use crate::compare::{CountsByStatus, PageStatus, Summary};
use crate::error::{Error, Result};
use crate::html::number;
use crate::select::time;
use crate::stages::report;
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::new_folder::NewFolder;
use crate::store::spill::SortSpace;
use files::Written;
use matching::{Matcher, Matches};
use output::Output;
use side::{Pages, Side, Source};

pub use side::write_states;

pub const EXAMPLES: &str = "Examples:
  warcorpus compare corpus-2019 corpus-2024 --out changes
  warcorpus compare corpus --at 2019 --at 2023-06..2024 --out changes
  warcorpus compare corpus-2019.index corpus-2024 --out changes

A page is an address; its last capture in a snapshot counts. DIR gets changes.parquet (one row for each page),
paragraphs.jsonl (what changed in the pages), hosts.tsv, summary.json and report.html.";

/// The files of a comparison. What an interrupted one left of them is removed.
const FILES: [&str; 6] =
    ["changes.parquet", "changes.tsv", "paragraphs.jsonl", "hosts.tsv", "summary.json", "report.html"];

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The older snapshot: a built corpus, or an index of it
    older: PathBuf,
    /// The newer snapshot; by default the same corpus, with another --at
    newer: Option<PathBuf>,
    /// Directory to write; new or empty
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Only captures of this period count: 2019, 2019-05, 2019-05-31 or FROM..TO; given twice, first of the older snapshot
    #[arg(long, value_name = "PERIOD")]
    at: Vec<String>,
    /// Write the rows of changes.parquet to changes.tsv, too
    #[arg(long)]
    tsv: bool,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let periods = periods(arguments)?;
    // All before the directory is made: a refused command leaves nothing.
    let older = Source::find(&arguments.older)?;
    let newer = arguments.newer.as_deref().map(Source::find).transpose()?;
    let corpora = std::iter::once(&arguments.older).chain(&arguments.newer);
    corpora.map(Layout::new).try_for_each(|corpus| refuse_inside(&arguments.out, &corpus))?;
    let cancel = cancel_on_signal()?;
    let (out, work) = (&arguments.out, arguments.out.join("work"));
    let own = FILES.map(|name| out.join(name));
    let folder = NewFolder::begin(out, &[own.as_slice(), std::slice::from_ref(&work)].concat())?;
    fs::create_dir(&work).map_err(Error::io("create folder", &work))?;
    let pages = |source: Source, name| {
        Pages::open(source, work.join(format!("pages-{name}")), arguments.threads.count(), &cancel).map(Arc::new)
    };
    let older = pages(older, "older")?;
    let newer = newer.map_or(Ok(older.clone()), |source| pages(source, "newer"))?;
    let [older_period, newer_period] = periods;
    let sides = [Side { pages: older, period: older_period }, Side { pages: newer, period: newer_period }];
    let [a, b] = &sides;
    tracing::info!("reading is done; pages are matched");
    let matches = Matcher::new([a, b], work.clone(), &cancel)?.run()?;
    tracing::info!("pages are matched; changes are written");
    let output =
        Output { sides: [a, b], matches: &matches, work: work.clone(), space: SortSpace::default(), cancel: &cancel };
    let written = output.write(out, arguments.tsv)?;
    refuse_unbalanced(&written.summary, &matches)?;
    let names = [&arguments.older, arguments.newer.as_ref().unwrap_or(&arguments.older)];
    let comparison = Comparison::new(names, &arguments.at, &matches, &written);
    atomic::write(&out.join("summary.json"), serde_json::to_string_pretty(&comparison)? + "\n")?;
    atomic::write(&out.join("report.html"), view::page(&comparison, &written))?;
    atomic::remove_folder(&work)?;
    folder.finish()?;
    for side in [&comparison.older, &comparison.newer].into_iter().filter(|side| side.pages == 0) {
        let period = side.period.as_ref().map(|period| format!(" captured in {period}")).unwrap_or_default();
        notify(format_args!("{} has no pages{period}", side.path));
    }
    warn_of_revisits(names)?;
    print_summary(&comparison, out)?;
    Ok(Exit::Done)
}

/// Tells of captures that the archives have as revisit records only: a crawler found the page unchanged and stored no text.
fn warn_of_revisits(names: [&PathBuf; 2]) -> Result<()> {
    let [older, newer] = names;
    for path in std::iter::once(newer).chain(Some(older).filter(|older| *older != newer)) {
        let counters = report::of_corpus(&Layout::new(path))?.unwrap_or_default();
        if let Some(revisits) = counters.no_page.get("type.revisit") {
            let records = match *revisits {
                1 => "1 capture is a revisit record, which has".to_string(),
                more => format!("{} captures are revisit records, which have", number(more)),
            };
            notify(format_args!(
                "{}: {records} no text; a page that this corpus has only as a revisit record counts as missing",
                path.display()
            ));
        }
    }
    Ok(())
}

/// The periods of the two snapshots.
fn periods(arguments: &Arguments) -> Result<[Option<Range<i64>>; 2]> {
    let wrong = |text: &str| {
        Error::Usage(format!("--at {text} is no period; give a year, a month, a day (2019-05-31) or FROM..TO"))
    };
    let parse = |text: &String| time::period(text).map(Some).ok_or_else(|| wrong(text));
    match arguments.at.as_slice() {
        [] if arguments.newer.is_some() => Ok([None, None]),
        [older, newer] => Ok([parse(older)?, parse(newer)?]),
        _ => Err(Error::Usage("give two corpora, or --at twice: first the period of the older snapshot".into())),
    }
}

/// Every page of either snapshot has exactly one row.
fn refuse_unbalanced(summary: &Summary, matches: &Matches) -> Result<()> {
    let counted = [summary.pages_without(PageStatus::New), summary.pages_without(PageStatus::Gone)];
    if counted == matches.pages {
        return Ok(());
    }
    let [a, b] = matches.pages;
    Err(Error::Unbalanced(format!(
        "{a} and {b} pages were found, but {} and {} were written; this is a bug, please report it",
        counted[0], counted[1]
    )))
}

/// `summary.json`.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    version: &'static str,
    older: SideSummary,
    newer: SideSummary,
    #[serde(flatten)]
    summary: &'a Summary,
    /// The hosts with the most pages.
    hosts: &'a [(String, CountsByStatus)],
}

#[derive(Debug, Serialize)]
struct SideSummary {
    path: String,
    /// Of whose captures the pages are; absent if all count.
    period: Option<String>,
    /// Documents, of which earlier captures of an address are no pages.
    documents: u64,
    pages: u64,
}

impl<'a> Comparison<'a> {
    fn new(paths: [&PathBuf; 2], at: &[String], matches: &Matches, written: &'a Written) -> Comparison<'a> {
        let side = |side: usize| SideSummary {
            path: paths.get(side).map(|path| path.display().to_string()).unwrap_or_default(),
            period: at.get(side).cloned(),
            documents: matches.captures.get(side).copied().unwrap_or_default(),
            pages: matches.pages.get(side).copied().unwrap_or_default(),
        };
        let version = env!("CARGO_PKG_VERSION");
        Comparison { version, older: side(0), newer: side(1), summary: &written.summary, hosts: &written.hosts }
    }
}

fn print_summary(comparison: &Comparison, out: &Path) -> io::Result<()> {
    let mut text =
        format!("{} pages before, {} after\n", number(comparison.older.pages), number(comparison.newer.pages));
    for status in PageStatus::ALL {
        let counts = comparison.summary.statuses.get(status).copied().unwrap_or_default();
        let characters = counts.characters_a.max(counts.characters_b);
        text +=
            &format!("{:<9} {:>12} pages {:>15} characters\n", status.name(), number(counts.pages), number(characters));
    }
    writeln!(io::stdout(), "{text}{}", out.join("report.html").display())
}
