//! The summary of a job for the terminal: warnings first, then the counts, where the result lies and what to do with it.

use std::fmt::Write as _;

use indicatif::{HumanBytes, HumanCount};

use crate::error::Result;
use crate::job::shell;
use crate::stages::Job;
use crate::stages::counters::{Counters, Counts, largest_first};
use crate::stages::report::data;
use crate::text::counted;

/// Measurements of one run. They depend on the machine, so they are not written to `stats.json`.
pub struct RunFigures {
    /// Elapsed time.
    pub seconds: f64,
    /// Peak memory in bytes, if the system reports it.
    pub peak_memory: Option<u64>,
    pub threads: usize,
}

/// The summary for the terminal.
pub fn summary(job: &Job, counters: &Counters, run: &RunFigures) -> Result<String> {
    let mut out = String::new();
    for warning in data::read(&job.layout)?.unwrap_or_default().warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    let pages = counters.pages;
    let files = counted(job.plan.inputs.len(), "file");
    if let Some(selection) = &job.plan.selection {
        let rows = [
            (selection.rows, "rows of the index"),
            (selection.unwanted, "rows not wanted"),
            (selection.elsewhere, "rows of archives that are not among the inputs"),
            (selection.repeated, "repeated rows"),
            (selection.unlocated, "rows without a usable place"),
            (selection.unreadable, "unreadable rows"),
        ];
        for (n, what) in rows.into_iter().filter(|(n, _)| *n > 0) {
            let _ = writeln!(out, "{:>14}  {what}", HumanCount(n).to_string());
        }
    }
    let _ = writeln!(out, "{:>14}  records in {files}", HumanCount(counters.records).to_string());
    section(&mut out, "no page", &counters.no_page);
    let _ = writeln!(out, "{:>14}  pages", HumanCount(pages).to_string());
    section(&mut out, "document", &counters.documents);
    section(&mut out, "paragraph", &counters.paragraphs);
    let mut languages: Vec<(&String, u64, u64)> =
        counters.languages.iter().map(|(code, size)| (code, size.documents, size.words)).collect();
    languages.sort_by_key(|&(code, documents, _)| (std::cmp::Reverse(documents), code));
    for (code, documents, words) in languages.iter().take(12) {
        let _ =
            writeln!(out, "{:>14}  language {code}, {} words", HumanCount(*documents).to_string(), HumanCount(*words));
    }
    if languages.len() > 12 {
        let _ = writeln!(out, "{:>14}  more languages in stats.json", languages.len() - 12);
    }
    if counters.tagged > 0 {
        let _ = writeln!(out, "{:>14}  documents tagged", HumanCount(counters.tagged).to_string());
    }
    for (reason, n) in &counters.damage {
        let _ = writeln!(out, "{:>14}  unreadable stretch: {reason} (rejects.jsonl)", HumanCount(*n).to_string());
    }
    if job.progress.is_idle() {
        out.push_str("already done: no task was left");
    } else {
        out.push_str(&performance(job, counters, run));
    }
    out.push('\n');
    out.push_str(&what_next(job, counters));
    Ok(out)
}

/// Writes the counts of one group, largest first.
fn section(out: &mut String, name: &str, counts: &Counts) {
    for (key, n) in largest_first(counts) {
        let _ = writeln!(out, "{:>14}  {name} {key}", HumanCount(n).to_string());
    }
}

/// Time, rates and memory of this run.
fn performance(job: &Job, counters: &Counters, run: &RunFigures) -> String {
    let per_second = |n: u64| n as f64 / run.seconds.max(0.001);
    let mut out = format!(
        "{:>13.1}s  {:.0} pages/s, {}/s read, {}",
        run.seconds,
        per_second(counters.pages),
        HumanBytes(per_second(job.plan.bytes()) as u64),
        counted(run.threads, "thread")
    );
    if let Some(memory) = run.peak_memory {
        let _ = write!(out, ", peak memory {}", HumanBytes(memory));
    }
    out
}

/// Where the result lies, and the commands to look at it.
fn what_next(job: &Job, counters: &Counters) -> String {
    let root = shell::argument(job.layout.root());
    let formats: Vec<&str> = job.config.output.formats.iter().map(|format| format.folder).collect();
    let formats = if formats.is_empty() { String::new() } else { format!(", text in {}/", formats.join("/, ")) };
    let mut out = format!("result in {root}: report.html, tables in documents/ and paragraphs/{formats}\n");
    if counters.kept() > 0 {
        let _ =
            writeln!(out, "next: warcorpus concord {root} WORD; warcorpus stats {root}; warcorpus explain {root} URL");
    } else if counters.pages > 0 {
        let _ = writeln!(out, "next: warcorpus explain {root} URL");
    }
    out
}
