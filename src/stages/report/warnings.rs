//! What the user should know before the counts.

use indicatif::{HumanBytes, HumanCount};

use crate::archive::DamageReason;
use crate::error::Result;
use crate::stages::Job;
use crate::stages::counters::{Counters, Counts, largest_first, rule_complaints};
use crate::stages::extract::Extract;
use crate::stages::plan::Input;
use crate::stages::report::hosts::Distribution;
use crate::store::archives::public_name;
use crate::text::printable;

/// Counter of pages with a doubtful encoding.
const CHARSET_SUSPECT: &str = "page.charset_suspect";
/// Share of the pages above which their doubtful encodings are worth a warning.
const MANY_SUSPECTS: f64 = 0.05;
/// Kept documents from which on it is worth a warning that most are of one host.
const MANY_DOCUMENTS: u64 = 100;
/// Most files that a warning names.
const NAMED: usize = 3;

/// The warnings of a job whose counters add up to `counters`.
pub fn warnings(job: &Job, counters: &Counters, hosts: &Distribution) -> Result<Vec<String>> {
    let mut lines = empty_inputs(job)?;
    if counters.records > 0 && counters.pages == 0 {
        lines.push(format!("none of the {} records is a page", HumanCount(counters.records)));
    } else if counters.pages > 0 && counters.kept() == 0 {
        lines.push(format!("no document was kept: {}", largest(&counters.documents).join(", ")));
    }
    let mut damage = counters.damage.clone();
    if let Some(rows) = damage.remove(DamageReason::NoRecord.name()) {
        let rows = HumanCount(rows);
        lines.push(format!(
            "no record begins at {rows} of the places that the index names (no_record); is it of these archives? \
             rejects.jsonl lists them"
        ));
    }
    if !damage.is_empty() {
        let (bytes, reasons) = (HumanBytes(counters.damaged_bytes), largest(&damage).join(", "));
        lines.push(format!("{bytes} of the archives could not be read ({reasons}); rejects.jsonl lists them"));
    }
    let suspects = counters.faults.get(CHARSET_SUSPECT).copied().unwrap_or(0);
    if suspects as f64 > MANY_SUSPECTS * counters.pages as f64 {
        let (suspects, pages) = (HumanCount(suspects), HumanCount(counters.pages));
        lines.push(format!("the encoding of {suspects} of {pages} pages is doubtful (page.charset_suspect)"));
    }
    lines.extend(untagged(job, counters));
    if let Some(host) = hosts.largest.first().filter(|host| 2 * host.kept > counters.kept()) {
        let (documents, kept) = (HumanCount(host.kept), HumanCount(counters.kept()));
        if counters.kept() >= MANY_DOCUMENTS {
            lines.push(format!("{documents} of {kept} kept documents are of the host {}", printable(&host.name)));
        }
    }
    lines.extend(rule_complaints(job.pipeline.rules(), counters));
    Ok(lines)
}

/// Documents that the tagger left without tags.
fn untagged(job: &Job, counters: &Counters) -> Option<String> {
    if job.config.emit.tagger.is_empty() || counters.kept() <= counters.tagged {
        return None;
    }
    let failed = counters.faults.iter().filter(|(name, _)| name.starts_with("tagger."));
    let why = largest(&failed.map(|(name, n)| (name.clone(), *n)).collect());
    let (tagged, kept) = (HumanCount(counters.tagged), HumanCount(counters.kept()));
    (!why.is_empty()).then(|| format!("{tagged} of {kept} documents were tagged ({})", why.join(", ")))
}

/// The input files in which no record was found.
fn empty_inputs(job: &Job) -> Result<Vec<String>> {
    // With a selection, an archive may hold no wanted record.
    if job.plan.selection.is_some() {
        return Ok(Vec::new());
    }
    let mut records = vec![0; job.plan.inputs.len()];
    for (shard, count) in job.plan.shards.iter().zip(job.counts_by_task(&Extract, |counters| counters.records)?) {
        if let Some(sum) = records.get_mut(shard.input as usize) {
            *sum += count;
        }
    }
    let empty: Vec<&Input> =
        job.plan.inputs.iter().zip(&records).filter(|&(_, &records)| records == 0).map(|(input, _)| input).collect();
    let name = |input: &&Input| format!("{} ({} bytes)", printable(&public_name(&input.location)), input.bytes);
    let named = empty.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ");
    let hint = match empty.iter().any(|input| is_packed(&input.location)) {
        true => "unpack a ZIP or WACZ file and give its folder archive/",
        false => "only web archives are read (WARC, ARC or WET)",
    };
    let files = match empty.len() {
        0 => return Ok(Vec::new()),
        n if n > NAMED => format!("{n} files: {named}, …"),
        _ => named,
    };
    Ok(vec![format!("no record was found in {files}; {hint}")])
}

/// Whether a name is that of a ZIP file, in which archives may be packed.
fn is_packed(location: &str) -> bool {
    let name = location.to_lowercase();
    [".wacz", ".zip"].iter().any(|end| name.ends_with(end))
}

/// The largest counts of a group as `n name`.
fn largest(counts: &Counts) -> Vec<String> {
    let largest = largest_first(counts).into_iter().take(NAMED);
    largest.map(|(key, n)| format!("{} {key}", HumanCount(n))).collect()
}
