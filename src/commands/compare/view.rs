//! The comparison as an HTML page: counts, a timeline, the largest hosts, and pages of each status with what changed.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::files::{SampledPage, Written};
use super::{Comparison, SideSummary};
use crate::compare::{CountsByStatus, MatchedBy, PageChange, PageStatus};
use crate::html::{self, Cell, Chart, Row, Table, number, quoted, word_diff};

/// Most languages of a chart.
const MOST_LANGUAGES: usize = 30;
/// Most months of the timeline; of more, those with the earliest names are left out.
const MOST_MONTHS: usize = 240;

/// The whole page.
pub fn page(comparison: &Comparison, written: &Written) -> String {
    let summary = comparison.summary;
    let body = html! {
        header {
            h1 { "Two snapshots compared" }
            p { (side("Before", &comparison.older)) }
            p { (side("After", &comparison.newer)) }
        }
        section {
            h2 { "What became of the pages" }
            p.soft { "A page is an address; the last capture of it in a snapshot counts." }
            (statuses(comparison))
            p {
                (number(summary.paragraphs_same)) " paragraphs stayed on their pages, " (number(summary.paragraphs_moved)) " stand elsewhere on them, "
                (number(summary.paragraphs_added)) " were added and " (number(summary.paragraphs_removed)) " removed."
            }
            div.cards { (matched_by(&summary.matched_by)) }
        }
        section {
            h2 { "Where and when" }
            div.cards {
                (timeline(&summary.months))
                (languages(&summary.languages))
                (hosts(comparison.hosts))
            }
        }
        section {
            h2 { "Pages to look at" }
            p.soft { "Chosen by a hash, the same in every run. paragraphs.jsonl has what changed in all pages." }
            @for (status, samples) in PageStatus::ALL.iter().zip(&written.samples) {
                details.sample open[*status == PageStatus::Changed] {
                    summary { strong { (status.name()) } " — " (meaning(*status)) }
                    @if samples.values().next().is_none() { p.none { "There are no such pages." } }
                    ol { @for sample in samples.values() { li { (sampled(sample)) } } }
                }
            }
        }
    };
    html::page("Two snapshots compared", &body)
}

fn side(name: &str, side: &SideSummary) -> Markup {
    html! {
        strong { (name) } ": " (number(side.pages)) " pages in " (number(side.documents)) " captures of " code { (quoted(&side.path)) }
        @if let Some(period) = &side.period { ", " (quoted(period)) }
    }
}

fn meaning(status: PageStatus) -> &'static str {
    match status {
        PageStatus::Same => "the same content, the same boilerplate",
        PageStatus::Template => "the same content; boilerplate or the site's template changed",
        PageStatus::Changed => "at the same address with another content",
        PageStatus::Moved => "at another address",
        PageStatus::New => "only in the newer snapshot",
        PageStatus::Gone => "only in the older snapshot",
    }
}

fn statuses(comparison: &Comparison) -> Markup {
    let summary = comparison.summary;
    let row = |status: &PageStatus| {
        let counts = summary.statuses.get(status).copied().unwrap_or_default();
        let share = |pages: u64| if pages == 0 { 0.0 } else { counts.pages as f64 / pages as f64 };
        let whole = if *status == PageStatus::Gone { comparison.older.pages } else { comparison.newer.pages };
        vec![
            Cell::Name(format!("{}: {}", status.name(), meaning(*status))),
            Cell::Count(counts.pages),
            Cell::Share(share(whole)),
            Cell::Count(counts.characters_a),
            Cell::Count(counts.characters_b),
        ]
    };
    Table {
        caption: "Pages by what became of them; shares are of the newer snapshot, of pages that are gone of the older one",
        heads: vec!["status", "pages", "share", "characters before", "characters after"],
        rows: PageStatus::ALL.iter().map(row).collect(),
    }
    .markup()
}

fn matched_by(counts: &BTreeMap<MatchedBy, u64>) -> Markup {
    let rows = counts.iter().map(|(by, pages)| Row::counts(by.name(), [*pages])).collect();
    let note = "Pages of both snapshots.";
    Chart {
        title: "What pages were found by",
        note,
        rows_are: "found by",
        series: vec!["pages".into()],
        rows,
        shares: false,
    }
    .bars()
}

fn row(name: &str, by_status: &CountsByStatus) -> Row {
    let pages = |status: &PageStatus| by_status.get(status).map_or(0, |counts| counts.pages);
    Row::counts(name, PageStatus::ALL.iter().map(pages))
}

fn chart<'a>(title: &'a str, note: &'a str, rows_are: &'a str, rows: Vec<Row>) -> Chart<'a> {
    let series = PageStatus::ALL.iter().map(|status| status.name().to_string()).collect();
    Chart { title, note, rows_are, series, rows, shares: false }
}

fn timeline(months: &BTreeMap<String, CountsByStatus>) -> Markup {
    let first = months.len().saturating_sub(MOST_MONTHS);
    let rows =
        months.iter().skip(first).map(|(month, by_status)| row(if month.is_empty() { "?" } else { month }, by_status));
    let note = "Pages by the month of their capture in the newer snapshot; those that are gone, in the older one.";
    chart("Timeline", note, "month", rows.collect()).columns()
}

fn languages(languages: &BTreeMap<String, CountsByStatus>) -> Markup {
    let mut rows: Vec<Row> = languages.iter().map(|(language, by_status)| row(language, by_status)).collect();
    let pages = |row: &Row| row.values.iter().sum::<f64>();
    rows.sort_by(|a, b| pages(b).total_cmp(&pages(a)));
    rows.truncate(MOST_LANGUAGES);
    chart("Languages", "Pages by language.", "language", rows).bars()
}

fn hosts(hosts: &[(String, CountsByStatus)]) -> Markup {
    let rows = hosts.iter().map(|(host, by_status)| row(host, by_status)).collect();
    chart("Hosts", "The hosts with the most pages; hosts.tsv has all.", "host", rows).bars()
}

fn sampled(sample: &SampledPage) -> Markup {
    let PageChange { url_a, url_b, title, .. } = &sample.row;
    html! {
        p {
            @if let Some(title) = title { strong { (quoted(title)) } " " }
            @match (url_a, url_b) {
                (Some(old), Some(new)) if old != new => { (quoted(old)) " → " (quoted(new)) }
                (Some(url), _) | (None, Some(url)) => { (quoted(url)) }
                (None, None) => {}
            }
        }
        p.soft { (described(&sample.row)) }
        @if let Some([old, new]) = &sample.texts { (word_diff(old, new)) }
    }
}

fn described(row: &PageChange) -> Markup {
    html! {
        @if let Some(doc) = row.doc_a { "before " code { (doc) } ", " (number(row.characters_a)) " characters; " }
        @if let Some(doc) = row.doc_b { "after " code { (doc) } ", " (number(row.characters_b)) " characters; " }
        @if let (Some(by), Some(similarity)) = (row.matched_by, row.similarity) {
            "found by " (by.name()) ", similarity " (format!("{similarity:.2}")) "; paragraphs: " (row.paragraphs_same) " the same, "
            (row.paragraphs_added) " added, " (row.paragraphs_removed) " removed, " (row.paragraphs_moved) " moved"
        }
    }
}
