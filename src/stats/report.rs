//! The figures of a corpus as tables for the terminal.

use std::collections::BTreeMap;
use std::io::{self, Write};

use compact_str::CompactString;

use super::by_year::year_name;
use super::collocations::{Collocates, NodeCounts};
use super::counts::CorpusCounts;
use super::summary::{CorpusStatistics, Figures};
use super::yields::{Yield, YieldLevel};
use crate::text::printable;

/// Rows that are shown of a table; the files have all rows.
const ROWS: usize = 15;

/// Writes the summary of `warcorpus stats`.
pub fn write_report(statistics: &CorpusStatistics, counts: &CorpusCounts, out: &mut impl Write) -> io::Result<()> {
    let all = &statistics.all;
    writeln!(out, "{} word tokens in {} documents", plain(all.words), plain(all.documents))?;
    let mut languages: Vec<_> = statistics.languages.iter().collect();
    languages.sort_by(|(a, x), (b, y)| y.words.cmp(&x.words).then_with(|| a.cmp(b)));
    let shown = languages.len().min(ROWS);
    let rows = languages.iter().take(ROWS).map(|(language, figures)| row_of_figures(language, figures));
    let sum = (languages.len() > 1).then(|| row_of_figures("all", all));
    let heads = [
        "language",
        "documents",
        "paragraphs",
        "sentences",
        "tokens",
        "word tokens",
        "types",
        "types/tokens",
        "per 1,000",
    ];
    write_table(&heads, rows.chain(sum).collect(), languages.len() - shown, out)?;
    write_groups(statistics, out)?;
    for level in [YieldLevel::All, YieldLevel::Tld, YieldLevel::Domain] {
        let yields = counts.yields.sorted(level);
        let rows = yields.iter().take(ROWS).map(|(name, of)| row_of_yield(name, of)).collect();
        let title = if level == YieldLevel::All { "yield" } else { level.name() };
        let heads = [title, "documents", "kept", "raw bytes", "clean bytes", "clean/raw"];
        write_table(&heads, rows, yields.len().saturating_sub(ROWS), out)?;
    }
    let years = [("published", &counts.published), ("captured", &counts.captured)];
    for (title, years) in years {
        // The latest first, unknown years last.
        let rows = years.iter().rev().take(ROWS).map(|(year, documents)| vec![year_name(*year), plain(*documents)]);
        write_table(&[title, "documents"], rows.collect(), years.len().saturating_sub(ROWS), out)?;
    }
    Ok(())
}

/// Writes the largest groups of `--group-by`; nothing without it.
fn write_groups(statistics: &CorpusStatistics, out: &mut impl Write) -> io::Result<()> {
    if statistics.groups.is_empty() {
        return Ok(());
    }
    let mut groups: Vec<_> = statistics.groups.iter().collect();
    groups.sort_by(|(a, x), (b, y)| y.word_tokens.cmp(&x.word_tokens).then_with(|| a.cmp(b)));
    let rows = groups.iter().take(ROWS).map(|(value, of)| {
        let numbers = [of.documents, of.paragraphs, of.sentences, of.tokens, of.word_tokens, of.dropped].map(plain);
        let value = if value.is_empty() { "unknown".into() } else { printable(value).into_owned() };
        std::iter::once(value).chain(numbers).chain([ratio(of.rate)]).collect()
    });
    let heads = ["group", "documents", "paragraphs", "sentences", "tokens", "word tokens", "dropped", "clean/raw"];
    write_table(&heads, rows.collect(), groups.len().saturating_sub(ROWS), out)
}

/// Writes the first rows of each list of collocations.
pub fn write_collocations(lists: &BTreeMap<CompactString, Collocates>, out: &mut impl Write) -> io::Result<()> {
    if lists.is_empty() {
        return writeln!(
            out,
            "\nno occurrence of the node of --collocations, which is one token as the segmentation cuts it"
        );
    }
    for (language, list) in lists {
        let NodeCounts { words, nodes, .. } = list.sizes;
        writeln!(out, "\n{language}: {nodes} occurrences of the node in {words} word tokens")?;
        let rows = list.rows.iter().take(ROWS).map(|row| {
            let (of, number) = (&row.counts, |value: f64| format!("{value:.2}"));
            let measures = [of.log_dice(), of.mi(), of.t_score(), of.log_likelihood()].map(number);
            let counts = [of.pairs, row.documents, of.count].map(plain);
            std::iter::once(row.word.to_string()).chain(counts).chain(measures).collect()
        });
        let heads = ["collocate", "pairs", "documents", "count", "logDice", "MI", "t-score", "log-likelihood"];
        write_table(&heads, rows.collect(), list.rows.len().saturating_sub(ROWS), out)?;
    }
    Ok(())
}

fn row_of_figures(name: &str, of: &Figures) -> Vec<String> {
    let numbers = [of.documents, of.paragraphs, of.sentences, of.tokens, of.words, of.types];
    let ratios = [of.type_token_ratio, of.standardised_type_token_ratio];
    std::iter::once(String::from(name)).chain(numbers.map(plain)).chain(ratios.map(ratio)).collect()
}

fn row_of_yield(name: &str, of: &Yield) -> Vec<String> {
    let numbers = [of.documents, of.kept, of.raw_bytes, of.clean_bytes];
    let name = printable(name).into_owned();
    std::iter::once(name).chain(numbers.map(plain)).chain([ratio(of.rate())]).collect()
}

/// Writes an empty line and a table, the first column aligned left and the others right. `more` is the number of rows
/// that are left out.
fn write_table(heads: &[&str], rows: Vec<Vec<String>>, more: usize, out: &mut impl Write) -> io::Result<()> {
    let heads = heads.iter().map(|head| String::from(*head)).collect();
    let table: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let width = |column: usize| table.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    writeln!(out)?;
    for row in &table {
        let cells = row.iter().enumerate().map(|(column, cell)| match (column, width(column).unwrap_or(0)) {
            (0, width) => format!("{cell:<width$}"),
            (_, width) => format!("{cell:>width$}"),
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  "))?;
    }
    if more > 0 { writeln!(out, "and {} more", plain(more as u64)) } else { Ok(()) }
}

/// A number without separators, so that scripts can read it.
fn plain(number: u64) -> String {
    number.to_string()
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| String::from("–"), |ratio| format!("{ratio:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["čáp", "1"], ["pes", "22 222"]].map(|row| row.map(String::from).to_vec()).to_vec();
        let mut out = Vec::new();
        write_table(&["word", "count"], rows, 3, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\nword   count\nčáp        1\npes   22 222\nand 3 more\n");
    }
}
