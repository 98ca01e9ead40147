//! The summary of a job for the terminal: warnings first, then the counts, where the result lies and what to do with it.

use std::fmt::Write as _;

use indicatif::{HumanBytes, HumanCount};

use crate::document::DocumentHost;
use crate::error::Result;
use crate::job::shell;
use crate::stages::Job;
use crate::stages::counters::{Counters, Counts, rule_complaints};
use crate::stages::extract::Extract;
use crate::store::archives::public_name;
use crate::store::tables;
use crate::text::printable;

/// Counter of pages with a doubtful encoding.
const CHARSET_SUSPECT: &str = "page.charset_suspect";
/// Share of the pages above which their doubtful encodings are worth a warning.
const MANY_SUSPECTS: f64 = 0.05;
/// Kept documents from which on it is worth a warning that most are of one host.
const MANY_DOCUMENTS: u64 = 100;
/// Most files that a warning names.
const NAMED: usize = 3;

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
    for warning in warnings(job, counters)? {
        let _ = writeln!(out, "warning: {warning}");
    }
    let pages = counters.pages;
    let files = match job.plan.inputs.len() {
        1 => "1 file".to_string(),
        n => format!("{n} files"),
    };
    if let Some(selection) = &job.plan.selection {
        let rows = [
            (selection.rows, "rows of the index"),
            (selection.unwanted, "row not wanted"),
            (selection.elsewhere, "row of an archive that is not among the inputs"),
            (selection.repeated, "row repeated"),
            (selection.unlocated, "row without a usable place"),
            (selection.unreadable, "row unreadable"),
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
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(key, n)| (std::cmp::Reverse(**n), key.as_str()));
    for (key, n) in sorted {
        let _ = writeln!(out, "{:>14}  {name} {key}", HumanCount(*n).to_string());
    }
}

/// Time, rates and memory of this run.
fn performance(job: &Job, counters: &Counters, run: &RunFigures) -> String {
    let per_second = |n: u64| n as f64 / run.seconds.max(0.001);
    let mut out = format!(
        "{:>13.1}s  {:.0} pages/s, {}/s read, {} threads",
        run.seconds,
        per_second(counters.pages),
        HumanBytes(per_second(job.plan.bytes()) as u64),
        run.threads
    );
    if let Some(memory) = run.peak_memory {
        let _ = write!(out, ", peak memory {}", HumanBytes(memory));
    }
    out
}

/// What the user should know before the counts.
fn warnings(job: &Job, counters: &Counters) -> Result<Vec<String>> {
    let mut lines = empty_inputs(job)?;
    if counters.records > 0 && counters.pages == 0 {
        lines.push(format!("none of the {} records is a page", HumanCount(counters.records)));
    } else if counters.pages > 0 && counters.kept() == 0 {
        let reasons: Vec<String> = largest(&counters.documents, NAMED);
        lines.push(format!("no document was kept: {}", reasons.join(", ")));
    }
    if !counters.damage.is_empty() {
        let (bytes, reasons) = (HumanBytes(counters.damaged_bytes), largest(&counters.damage, NAMED).join(", "));
        lines.push(format!("{bytes} of the archives could not be read ({reasons}); rejects.jsonl lists them"));
    }
    let suspects = counters.faults.get(CHARSET_SUSPECT).copied().unwrap_or(0);
    if suspects as f64 > MANY_SUSPECTS * counters.pages as f64 {
        let (suspects, pages) = (HumanCount(suspects), HumanCount(counters.pages));
        lines.push(format!("the encoding of {suspects} of {pages} pages is doubtful (page.charset_suspect)"));
    }
    if !job.config.emit.tagger.is_empty() && counters.kept() > counters.tagged {
        let failures: Counts = counters
            .faults
            .iter()
            .filter(|(name, _)| name.starts_with("tagger."))
            .map(|(k, n)| (k.clone(), *n))
            .collect();
        let (tagged, kept) = (HumanCount(counters.tagged), HumanCount(counters.kept()));
        let why = largest(&failures, NAMED);
        if !why.is_empty() {
            lines.push(format!("{tagged} of {kept} documents were tagged ({})", why.join(", ")));
        }
    }
    if counters.kept() >= MANY_DOCUMENTS
        && let Some((host, documents)) = largest_host(job)?
    {
        let (documents, kept) = (HumanCount(documents), HumanCount(counters.kept()));
        lines.push(format!("{documents} of {kept} kept documents are of the host {}", printable(&host)));
    }
    lines.extend(rule_complaints(job.pipeline.rules(), counters));
    Ok(lines)
}

/// The host of more than half of the kept documents, if there is one, with their number. The majority vote of Boyer and
/// Moore finds the only candidate, so that the hosts need not be held in memory.
fn largest_host(job: &Job) -> Result<Option<(String, u64)>> {
    let (mut candidate, mut lead) = (String::new(), 0_u64);
    each_host(job, |host| match lead {
        _ if host == candidate => lead += 1,
        0 => (candidate, lead) = (host, 1),
        _ => lead -= 1,
    })?;
    let (mut of_candidate, mut all) = (0, 0);
    each_host(job, |host| {
        of_candidate += u64::from(host == candidate);
        all += 1;
    })?;
    Ok(Some((candidate, of_candidate)).filter(|_| 2 * of_candidate > all))
}

/// The host of each kept document.
fn each_host(job: &Job, mut see: impl FnMut(String)) -> Result<()> {
    for shard in job.shards() {
        for row in tables::Reader::<DocumentHost>::open(&job.layout.documents(shard))? {
            let DocumentHost { host, kept } = row?;
            if kept {
                see(host);
            }
        }
    }
    Ok(())
}

/// The input files in which no record was found.
fn empty_inputs(job: &Job) -> Result<Vec<String>> {
    let mut records = vec![0; job.plan.inputs.len()];
    for (shard, count) in job.plan.shards.iter().zip(job.counts_by_task(&Extract, |counters| counters.records)?) {
        if let Some(sum) = records.get_mut(shard.input as usize) {
            *sum += count;
        }
    }
    // With a selection, an archive may hold no wanted record.
    if job.plan.selection.is_some() {
        return Ok(Vec::new());
    }
    let empty: Vec<String> = job
        .plan
        .inputs
        .iter()
        .zip(&records)
        .filter(|&(_, &records)| records == 0)
        .map(|(input, _)| format!("{} ({} bytes)", printable(&public_name(&input.location)), input.bytes))
        .collect();
    let named = empty.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    Ok(match empty.len() {
        0 => Vec::new(),
        n if n > NAMED => vec![format!("no record was found in {n} files: {named}, …")],
        _ => vec![format!("no record was found in {named}; is it a web archive (WARC, ARC or WET)?")],
    })
}

/// The counts of a group as `name n`, largest first.
fn largest(counts: &Counts, most: usize) -> Vec<String> {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by_key(|(key, n)| (std::cmp::Reverse(**n), key.as_str()));
    sorted.iter().take(most).map(|(key, n)| format!("{} {key}", HumanCount(**n))).collect()
}

/// Where the result lies, and the commands to look at it.
fn what_next(job: &Job, counters: &Counters) -> String {
    let root = shell::argument(job.layout.root());
    let formats: Vec<&str> = job.config.output.formats.iter().map(|format| format.name).collect();
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
