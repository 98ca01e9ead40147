//! The report as a page: what was asked, what needs attention, where everything went, how the result is distributed,
//! and samples to judge by.

mod charts;
mod samples;

use std::collections::{BTreeMap, BTreeSet};

use indicatif::HumanBytes;
use maud::{Markup, html};

use super::data::ReportData;
use super::meanings::meaning;
use super::times::{JobTimes, StageTimes};
use crate::figures::{Counts, KEPT};
use crate::html::{self, Cell, Flow, Step, Table, number, percentage, quoted};
use crate::stages::counters::Counters;

/// `report.html`; with times it is not the same for every run.
pub fn page(data: &ReportData, times: Option<&JobTimes>) -> String {
    let counters = &data.counters;
    let title =
        if data.name.is_empty() { "Report of a corpus".into() } else { format!("Report of the corpus {}", data.name) };
    let body = html! {
        header {
            h1 { (title) }
            p {
                (number(counters.kept())) " documents with " (number(words(counters))) " words, from "
                (number(counters.pages)) " pages in " (number(counters.records)) " records"
            }
        }
        (warnings(data))
        (facts(data))
        @if let Some(times) = times { (self::times(times)) }
        section {
            h2 { "Where everything went" }
            p.soft { "The sums are those of stats.json. Each loss leads to its explanation." }
            div.cards { (records(counters)) (blocks(counters)) }
        }
        (charts::sections(data))
        (samples::sections(data))
        (reasons(counters))
        (other_counts(counters))
    };
    html::page(&title, &body)
}

fn words(counters: &Counters) -> u64 {
    counters.languages.values().map(|size| size.words).sum()
}

fn warnings(data: &ReportData) -> Markup {
    let mut lines = data.warnings.clone();
    let crowded = data.counters.dedup.get("crowded_buckets").copied().unwrap_or(0);
    if crowded > 0 {
        lines.push(format!(
            "{} crowded buckets of near-duplicate detection: {}",
            number(crowded),
            meaning("crowded_buckets")
        ));
    }
    html! {
        @if !lines.is_empty() {
            section aria-label="Warnings" {
                h2 { "Look at this first" }
                ul.warnings { @for line in &lines { li { (quoted(line)) } } }
            }
        }
    }
}

fn facts(data: &ReportData) -> Markup {
    let counters = &data.counters;
    let ratio = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let state = if data.unreadable {
        "done, but a part of the input could not be read (exit code 3)"
    } else {
        "done (exit code 0)"
    };
    let more = data.input_files.saturating_sub(data.inputs.len() as u64);
    html! {
        section {
            h2 { "What was asked" }
            dl.facts {
                dt { "Input" }
                dd {
                    (number(data.input_files)) @if data.input_files == 1 { " file, " } @else { " files, " } (HumanBytes(data.input_bytes).to_string())
                    details {
                        summary { "Files" }
                        ul {
                            @for input in &data.inputs { li { (quoted(&input.location)) " (" (HumanBytes(input.bytes).to_string()) ")" } }
                            @if more > 0 { li { "and " (number(more)) " more; plan.json lists them" } }
                        }
                    }
                }
                @if !data.against.is_empty() { dt { "Compared with" } dd { (quoted(&data.against.join(", "))) } }
                dt { "Settings" }
                dd {
                    @if data.settings.is_empty() { "all as by default; job.toml lists them" } @else {
                        ul { @for line in &data.settings { li { (quoted(line)) } } }
                    }
                }
                dt { "Program" } dd { "warcorpus " (data.version) }
                dt { "State" } dd { (state) }
                dt { "Pages per record" } dd { (percentage(counters.pages, counters.records)) }
                dt { "Kept documents per page" } dd { (percentage(counters.kept(), counters.pages)) }
                dt { "Kept text per byte of pages" } dd { (percentage(counters.text_bytes, counters.payload_bytes)) }
                dt { "Words per kept document" } dd { (format!("{:.0}", ratio(words(counters), counters.kept()))) }
                @for (format, counts) in &counters.formats {
                    @if counts.tokens > 0 { dt { "Tokens in " (format) } dd { (number(counts.tokens)) } }
                }
            }
        }
    }
}

/// When the job ran, and how long its stages took.
fn times(times: &JobTimes) -> Markup {
    let row = |stage: &StageTimes| {
        vec![
            Cell::Name(stage.name.to_string()),
            Cell::Count(stage.tasks.into()),
            Cell::Decimal(stage.sum, 1),
            Cell::Decimal(stage.longest, 1),
        ]
    };
    let table = Table {
        caption: "Seconds of the stages",
        heads: vec!["stage", "tasks", "all tasks together", "longest task"],
        rows: times.stages.iter().map(row).collect(),
    };
    html! {
        section {
            h2 { "When" }
            p { "Planned " (times.planned.to_string()) ", done " (times.done.to_string()) }
            (table.markup())
        }
    }
}

/// Records → pages → documents.
fn records(counters: &Counters) -> Markup {
    let steps = vec![
        Step { name: "records", count: counters.records, losses: losses(&counters.no_page) },
        Step { name: "pages", count: counters.pages, losses: losses(&counters.documents) },
    ];
    let note = "Records of the archives, pages with their documents, and documents in the corpus.";
    Flow { title: "Records to documents", note, steps, left: "documents kept" }.markup()
}

/// Blocks of pages → paragraphs.
fn blocks(counters: &Counters) -> Markup {
    let steps = vec![Step { name: "blocks", count: counters.page_paragraphs, losses: losses(&counters.paragraphs) }];
    let note = "Blocks of all pages, and paragraphs in the corpus. Those of dropped documents are lost as “document”.";
    Flow { title: "Blocks to paragraphs", note, steps, left: "paragraphs kept" }.markup()
}

fn losses(counts: &Counts) -> Vec<(String, u64, String)> {
    let lost = counts.iter().filter(|(name, _)| *name != KEPT);
    lost.map(|(name, n)| (name.clone(), *n, fragment(name))).collect()
}

/// The fragment of the explanation of a reason.
fn fragment(reason: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    format!("reason-{}", reason.chars().map(letter).collect::<String>())
}

/// All reasons of this job with their numbers and meanings.
fn reasons(counters: &Counters) -> Markup {
    let groups =
        [("records", &counters.no_page), ("documents", &counters.documents), ("paragraphs", &counters.paragraphs)];
    let mut listed: BTreeMap<&str, Vec<(&str, u64)>> = BTreeMap::new();
    for (unit, counts) in groups {
        for (name, n) in counts.iter().filter(|(name, _)| *name != KEPT) {
            listed.entry(name).or_default().push((unit, *n));
        }
    }
    // Two reasons can have one fragment; the first has it.
    let mut fragments = BTreeSet::new();
    html! {
        section id="reasons" {
            h2 { "Why something is not in the corpus" }
            dl.facts {
                @for (name, counts) in &listed {
                    @let fragment = fragment(name);
                    @let id = fragments.insert(fragment.clone()).then_some(fragment);
                    dt id=[id] { code { (quoted(name)) } }
                    dd {
                        @for (unit, n) in counts { (number(*n)) " " (unit) ". " }
                        (meaning(name))
                    }
                }
            }
        }
    }
}

/// The counts that are no outcomes.
fn other_counts(counters: &Counters) -> Markup {
    let groups = [
        ("Unreadable parts of archives", &counters.damage),
        ("Warnings about records and pages that were processed", &counters.faults),
        ("Deduplication", &counters.dedup),
    ];
    let table = |caption, counts: &Counts| {
        let row =
            |(name, n): (&String, &u64)| vec![Cell::Text(name.clone()), Cell::Count(*n), Cell::Name(meaning(name))];
        Table { caption, heads: vec!["name", "number", "meaning"], rows: counts.iter().map(row).collect() }.markup()
    };
    html! {
        section {
            h2 { "Other counts" }
            @for (caption, counts) in groups.into_iter().filter(|(_, counts)| !counts.is_empty()) {
                details { summary { (caption) } (table(caption, counts)) }
            }
            p.soft { "All numbers of this page are in report.json; the counts also in stats.json." }
        }
    }
}
