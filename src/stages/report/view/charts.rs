//! The charts of the report.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::figures::{CONTENT, Counts, CountsByBin, CountsByValue, KEPT, SCORE_BINS, SHARE_BINS, SIMILARITY_BINS};
use crate::html::{Cell, Chart, Curve, Line, Row, Table};
use crate::stages::report::data::ReportData;
use crate::stages::report::hosts::{Distribution, NameFigures};

/// Most rows of a chart of names.
const MOST_ROWS: usize = 30;
/// Most series of a chart; the others are counted together.
const MOST_SERIES: usize = 8;

/// All charts, in sections.
pub fn sections(data: &ReportData) -> Markup {
    let figures = &data.counters.figures;
    let [hosts, domains, tlds] = &data.levels;
    html! {
        section {
            h2 { "What is in the corpus" }
            div.cards {
                (languages(data, "Documents by language", |size| size.documents))
                (languages(data, "Words by language", |size| size.words))
                (bins("Length of documents", "Kept documents by number of words.", "words", &figures.lengths, power))
                (bins("Year of publication", "Kept documents with a date, by the source of the date.", "year", &figures.published, plain))
                (bins("Year of capture", "Kept documents, by the source of their date of publication.", "year", &figures.captured, plain))
            }
        }
        section {
            h2 { "Where it comes from" }
            div.cards {
                (names("Largest hosts", "host", hosts))
                (names("Largest domains", "domain", domains))
                (names("Top-level domains", "top-level domain", tlds))
                (curve(&data.levels))
                (yields(hosts))
                (values("Encodings", "Pages by encoding and by what it was decided from.", "encoding", &figures.charsets))
            }
            (hosts_table(hosts))
        }
        section {
            h2 { "How it was decided" }
            div.cards {
                (values("Outcomes by language", "All documents.", "language", &figures.outcomes))
                (bins("Score of blocks", "Blocks by the score of the cleaner, a log-odds ratio: 0 is the decision.", "score", &figures.scores, score))
                (bins("Similarity of near duplicates", "Duplicates by their similarity to the document that stands for them.", "similarity", &figures.similarities, similarity))
                (bins("Size of clusters", "Clusters of duplicates by number of documents.", "documents", &figures.clusters, power))
                (bins("Text seen before", "Content paragraphs by the share of their words that occurs in earlier text.", "share seen before, from", &figures.seen, share))
            }
        }
    }
}

fn plain(bin: i32) -> String {
    bin.to_string()
}

fn power(bin: i32) -> String {
    (1_u64 << bin.clamp(0, 63)).to_string()
}

fn score(bin: i32) -> String {
    format!("{:+.1}", bin as f32 / SCORE_BINS)
}

fn similarity(bin: i32) -> String {
    format!("{:.2}", bin as f32 / SIMILARITY_BINS)
}

fn share(bin: i32) -> String {
    format!("{:.0} %", bin as f32 / SHARE_BINS * 100.0)
}

/// The names of series, those with the greatest sums first; what is kept before all others, in the same colour everywhere.
fn series_of<'a>(groups: impl Iterator<Item = &'a Counts>) -> Vec<String> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    groups.flatten().for_each(|(name, n)| *sums.entry(name).or_default() += n);
    let mut names: Vec<(&str, u64)> = sums.into_iter().collect();
    names.sort_by_key(|&(name, sum)| (name != KEPT && name != CONTENT, Reverse(sum), name));
    names.into_iter().map(|(name, _)| name.to_string()).collect()
}

/// The values of a row in the order of the series. Those beyond the last series are added to it.
fn in_order(counts: &Counts, series: &[String]) -> Vec<u64> {
    let mut values: Vec<u64> = series.iter().map(|name| counts.get(name).copied().unwrap_or(0)).collect();
    let rest = values.split_off(values.len().min(MOST_SERIES));
    if let Some(last) = values.last_mut() {
        *last += rest.iter().sum::<u64>();
    }
    values
}

/// The series that are shown; the last stands for all others if there are too many.
fn shown(mut series: Vec<String>) -> Vec<String> {
    if series.len() > MOST_SERIES {
        series.truncate(MOST_SERIES - 1);
        series.push("others".into());
    }
    series
}

/// A chart of bins from the first to the last that is not empty.
fn bins(title: &str, note: &str, rows_are: &str, bins: &CountsByBin, label: fn(i32) -> String) -> Markup {
    let series = series_of(bins.values());
    let empty = Counts::new();
    let range = match (bins.first_key_value(), bins.last_key_value()) {
        (Some((first, _)), Some((last, _))) => *first..last + 1,
        _ => 0..0,
    };
    let row = |bin| Row::counts(label(bin), in_order(bins.get(&bin).unwrap_or(&empty), &series));
    Chart { title, note, rows_are, rows: range.map(row).collect(), series: shown(series.clone()), shares: false }
        .columns()
}

/// A chart of the values of a column, those with the greatest sums.
fn values(title: &str, note: &str, rows_are: &str, groups: &CountsByValue) -> Markup {
    let series = series_of(groups.values());
    let mut sorted: Vec<(&String, &Counts)> = groups.iter().collect();
    sorted.sort_by_key(|(name, counts)| (Reverse(counts.values().sum::<u64>()), name.as_str()));
    let rest = sorted.split_off(sorted.len().min(MOST_ROWS));
    let mut rows: Vec<Row> =
        sorted.into_iter().map(|(name, counts)| Row::counts(name.as_str(), in_order(counts, &series))).collect();
    if !rest.is_empty() {
        let mut sum = Counts::new();
        rest.iter().flat_map(|(_, counts)| *counts).for_each(|(name, n)| *sum.entry(name.clone()).or_default() += n);
        rows.push(Row::counts(format!("{} others", rest.len()), in_order(&sum, &series)));
    }
    Chart { title, note, rows_are, rows, series: shown(series.clone()), shares: false }.bars()
}

fn languages(data: &ReportData, title: &str, value: fn(&crate::stages::counters::Size) -> u64) -> Markup {
    let one = |n| Counts::from([(KEPT.to_string(), n)]);
    let groups = data.counters.languages.iter().map(|(code, size)| (code.clone(), one(value(size)))).collect();
    values(title, "Kept documents.", "language", &groups)
}

/// The names with the most kept documents.
fn names(title: &str, rows_are: &str, level: &Distribution) -> Markup {
    let note =
        format!("Kept and other documents of the {} with the most, of {} in all.", level.largest.len(), level.names);
    let row = |of: &NameFigures| Row::counts(name(of), [of.kept, of.documents - of.kept.min(of.documents)]);
    let series = vec![KEPT.to_string(), "dropped".to_string()];
    Chart { title, note: &note, rows_are, series, rows: level.largest.iter().map(row).collect(), shares: false }.bars()
}

fn name(of: &NameFigures) -> &str {
    if of.name.is_empty() { "(none)" } else { &of.name }
}

fn curve(levels: &[Distribution; 3]) -> Markup {
    let lines = ["hosts", "domains", "top-level domains"].into_iter().zip(levels).map(|(name, level)| {
        let all = level.curve.last().map_or(0, |(_, all)| *all).max(1);
        Line { name, points: level.curve.iter().map(|(rank, sum)| (*rank, *sum as f64 / all as f64)).collect() }
    });
    Curve {
        title: "How much the largest have",
        note: "Share of the kept documents that the largest hosts, domains and top-level domains have together.",
        ranks_are: "largest, by number",
        lines: lines.collect(),
    }
    .markup()
}

/// Text per byte of the hosts with the most bytes.
fn yields(hosts: &Distribution) -> Markup {
    let share = |of: &NameFigures| of.text_characters as f64 / of.payload_bytes.max(1) as f64;
    let row = |of: &NameFigures| Row { label: name(of).to_string(), values: vec![share(of)] };
    Chart {
        title: "Yield of the heaviest hosts",
        note: "Characters of kept text per byte of pages, for the hosts with the most bytes.",
        rows_are: "host",
        series: vec!["yield".into()],
        rows: hosts.heaviest.iter().map(row).collect(),
        shares: true,
    }
    .bars()
}

fn hosts_table(hosts: &Distribution) -> Markup {
    let row = |of: &NameFigures| {
        vec![
            Cell::Text(name(of).to_string()),
            Cell::Count(of.documents),
            Cell::Count(of.kept),
            Cell::Count(of.words),
            Cell::Count(of.payload_bytes),
            Cell::Share(of.text_characters as f64 / of.payload_bytes.max(1) as f64),
        ]
    };
    let table = Table {
        caption: "The hosts with the most kept documents",
        heads: vec!["host", "documents", "kept", "words", "bytes of pages", "yield"],
        rows: hosts.largest.iter().map(row).collect(),
    };
    html! { details { summary { "Table: hosts with documents, words, bytes and yield" } (table.markup()) } }
}
