//! The files of `warcorpus stats`: their names and their bytes. Tables are TSV with a header; fields contain no tabs
//! and are not quoted. Floats have four digits after the point.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::by_year::{UNKNOWN, year_name};
use super::counts::CorpusCounts;
use super::keywords::{CorpusFrequency, Keyword};
use super::lists::{Frequency, FrequencyListId};
use super::summary::CorpusStatistics;
use super::yields::{YieldLevel, Yields};
use crate::text::printable;

/// Name of the file with all figures.
pub const STATISTICS: &str = "statistics.json";
/// Name of the table of yields.
pub const YIELD: &str = "yield.tsv";
/// Name of the table of documents by year.
pub const YEARS: &str = "years.tsv";

/// A folder with a table for each language.
pub struct TableFolder {
    pub name: &'static str,
    /// The columns behind the first one, which is that of the words.
    pub columns: &'static str,
}

pub const FREQUENCIES: TableFolder = TableFolder { name: "frequencies", columns: "count\tdocuments\tper_million" };
pub const NGRAMS: TableFolder = TableFolder { name: "ngrams", ..FREQUENCIES };
pub const KEYWORDS: TableFolder = TableFolder {
    name: "keywords",
    columns: "count\tdocuments\tper_million\treference_count\treference_per_million\tsimple_maths\tlog_likelihood",
};
pub const COLLOCATIONS: TableFolder =
    TableFolder { name: "collocations", columns: "pairs\tdocuments\tcount\tlog_dice\tmi\tt_score\tlog_likelihood" };
pub const DISPERSION: TableFolder =
    TableFolder { name: "dispersion", columns: "count\tdocuments\tparts\tjuilland_d\tdp\tdp_norm" };
pub const WORDS_BY_YEAR: TableFolder = TableFolder { name: "years", columns: "year\tcount\tdocuments\tper_million" };

/// All folders of tables.
pub const FOLDERS: [TableFolder; 6] = [FREQUENCIES, NGRAMS, KEYWORDS, COLLOCATIONS, DISPERSION, WORDS_BY_YEAR];

/// Name of the file of a frequency list: `frequencies/ces.tsv`, `ngrams/ces.2.tsv`.
pub fn list_name(list: &FrequencyListId) -> String {
    match list.n {
        1 => format!("{}/{}.tsv", FREQUENCIES.name, stem(&list.language)),
        n => format!("{}/{}.{n}.tsv", NGRAMS.name, stem(&list.language)),
    }
}

/// Name of the file of a language's keywords: `keywords/ces.tsv`.
pub fn keywords_name(language: &str) -> String {
    format!("{}/{}.tsv", KEYWORDS.name, stem(language))
}

/// The language code without characters that could lead out of the directory: the code comes from a table.
pub(super) fn stem(language: &str) -> String {
    language.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_")
}

/// Writes all figures as JSON.
pub fn write_statistics(statistics: &CorpusStatistics, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, statistics)?;
    writeln!(out)
}

/// Writes the table of yields. Columns: level (all, tld, domain, host), name, documents, kept, unmeasured, raw bytes,
/// clean bytes, rate.
pub fn write_yields(yields: &Yields, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "level\tname\tdocuments\tkept\tunmeasured\traw_bytes\tclean_bytes\trate")?;
    for level in YieldLevel::ALL {
        for (name, of) in yields.sorted(level) {
            let rate = of.rate().map(|rate| format!("{rate:.4}")).unwrap_or_default();
            let (level, name) = (level.name(), printable(name));
            let (documents, kept, unmeasured) = (of.documents, of.kept, of.unmeasured);
            let (raw, clean) = (of.raw_bytes, of.clean_bytes);
            writeln!(out, "{level}\t{name}\t{documents}\t{kept}\t{unmeasured}\t{raw}\t{clean}\t{rate}")?;
        }
    }
    Ok(())
}

/// Writes the table of years. Columns: year, kept documents published and captured in it. The last row is for unknown
/// years.
pub fn write_years(counts: &CorpusCounts, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "year\tpublished\tcaptured")?;
    let years: BTreeSet<u32> = counts.published.keys().chain(counts.captured.keys()).copied().collect();
    let known = years.iter().filter(|year| **year != UNKNOWN);
    for year in known.chain(years.get(&UNKNOWN)) {
        let of = |years: &super::counts::Years| years.get(year).copied().unwrap_or(0);
        writeln!(out, "{}\t{}\t{}", year_name(*year), of(&counts.published), of(&counts.captured))?;
    }
    Ok(())
}

/// Writes the header of a frequency list. Columns: word or n-gram, count, documents that have it, occurrences per million
/// words.
pub fn begin_frequencies(list: &FrequencyListId, out: &mut impl Write) -> io::Result<()> {
    let what = if list.n == 1 { "word" } else { "ngram" };
    writeln!(out, "{what}\t{}", FREQUENCIES.columns)
}

/// Writes a row of a frequency list. `words` are the running words of its language.
pub fn write_frequency(row: &Frequency, words: u64, out: &mut impl Write) -> io::Result<()> {
    let per_million = CorpusFrequency { count: row.count, words }.per_million();
    writeln!(out, "{}\t{}\t{}\t{per_million:.4}", row.gram.0, row.count, row.documents)
}

/// Writes a list of keywords. Columns: word, count, documents, per million words, count and per million words of the
/// reference corpus, simple maths, log-likelihood.
pub fn write_keywords(keywords: &[Keyword], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "word\t{}", KEYWORDS.columns)?;
    for keyword in keywords {
        let Keyword { word, documents, focus, reference, score } = keyword;
        let (here, there) = (focus.per_million(), reference.per_million());
        let (count, in_reference) = (focus.count, reference.count);
        let likelihood = keyword.log_likelihood();
        writeln!(
            out,
            "{word}\t{count}\t{documents}\t{here:.4}\t{in_reference}\t{there:.4}\t{score:.4}\t{likelihood:.4}"
        )?;
    }
    Ok(())
}
