//! The files of `warcorpus stats`: their names and their bytes. Tables are TSV with a header; fields have no
//! tabs and no quotes. Floats have four digits after the point.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::counts::Counts;
use super::keywords::{Keyword, per_million};
use super::lists::{Frequency, List};
use super::summary::{Statistics, year_name};
use super::yields::{Level, Yields};

pub const STATISTICS: &str = "statistics.json";
pub const YIELD: &str = "yield.tsv";
pub const YEARS: &str = "years.tsv";

/// `frequencies/ces.tsv`, `ngrams/ces.2.tsv`.
pub fn list_name(list: &List) -> String {
    match list.n {
        1 => format!("frequencies/{}.tsv", stem(&list.language)),
        n => format!("ngrams/{}.{n}.tsv", stem(&list.language)),
    }
}

/// `keywords/ces.tsv`.
pub fn keywords_name(language: &str) -> String {
    format!("keywords/{}.tsv", stem(language))
}

/// A language's code comes from a table; whatever stands there, it must not lead out of the directory.
fn stem(language: &str) -> String {
    language.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_")
}

pub fn write_statistics(statistics: &Statistics, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, statistics)?;
    writeln!(out)
}

/// Columns: level (all, tld, domain, host), name, documents, kept, unmeasured, raw bytes, clean bytes, rate.
pub fn write_yields(yields: &Yields, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "level\tname\tdocuments\tkept\tunmeasured\traw_bytes\tclean_bytes\trate")?;
    for level in Level::ALL {
        for (name, of) in yields.sorted(level) {
            let rate = of.rate().map(|rate| format!("{rate:.4}")).unwrap_or_default();
            let (level, name) = (level.name(), name.replace(char::is_control, " "));
            let (documents, kept, unmeasured) = (of.documents, of.kept, of.unmeasured);
            let (raw, clean) = (of.raw_bytes, of.clean_bytes);
            writeln!(out, "{level}\t{name}\t{documents}\t{kept}\t{unmeasured}\t{raw}\t{clean}\t{rate}")?;
        }
    }
    Ok(())
}

/// Columns: year, kept documents published and captured in it. The last row is that of unknown years.
pub fn write_years(counts: &Counts, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "year\tpublished\tcaptured")?;
    let years: BTreeSet<Option<i16>> = counts.published.keys().chain(counts.captured.keys()).copied().collect();
    let known = years.iter().filter(|year| year.is_some());
    for year in known.chain(years.get(&None)) {
        let of = |years: &super::counts::Years| years.get(year).copied().unwrap_or(0);
        writeln!(out, "{}\t{}\t{}", year_name(*year), of(&counts.published), of(&counts.captured))?;
    }
    Ok(())
}

/// Columns: word or n-gram, count, documents that have it, occurrences per million words.
pub struct FrequencyTable<W> {
    out: W,
    /// Running words of the language.
    words: u64,
}

impl<W: Write> FrequencyTable<W> {
    pub fn begin(list: &List, words: u64, mut out: W) -> io::Result<FrequencyTable<W>> {
        let what = if list.n == 1 { "word" } else { "ngram" };
        writeln!(out, "{what}\tcount\tdocuments\tper_million")?;
        Ok(FrequencyTable { out, words })
    }

    pub fn row(&mut self, row: &Frequency) -> io::Result<()> {
        let per_million = per_million(row.count, self.words);
        writeln!(self.out, "{}\t{}\t{}\t{per_million:.4}", row.gram.0, row.count, row.documents)
    }
}

/// Columns: word, count, documents, per million words, count and per million words of the reference corpus,
/// simple maths, log-likelihood.
pub fn write_keywords(keywords: &[Keyword], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "word\tcount\tdocuments\tper_million\treference_count\treference_per_million\tsimple_maths\tlog_likelihood"
    )?;
    for keyword in keywords {
        let Keyword { word, tally, focus, reference, score } = keyword;
        let (here, there) = (focus.per_million(), reference.per_million());
        let (count, documents, in_reference) = (tally.count, tally.documents, reference.count);
        let likelihood = keyword.log_likelihood();
        writeln!(
            out,
            "{word}\t{count}\t{documents}\t{here:.4}\t{in_reference}\t{there:.4}\t{score:.4}\t{likelihood:.4}"
        )?;
    }
    Ok(())
}
