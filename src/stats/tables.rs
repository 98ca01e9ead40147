//! The tables of `warcorpus stats` about words and their surroundings: collocations, dispersion, years.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use compact_str::CompactString;

use super::by_year;
use super::collocations::Collocates;
use super::dispersion::{DispersedWord, Parts};
use super::files::{TableFile, file};
use super::grouped::{GroupedCounts, GroupedRow};
use super::keywords::CorpusFrequency;
use super::lists::FrequencyListId;
use super::output::{COLLOCATIONS, DISPERSION, WORDS_BY_YEAR, stem};
use crate::error::Result;

/// Writes the collocations of each language: `collocations/ces.tsv`.
pub fn write_collocations(folder: &Path, lists: &BTreeMap<CompactString, Collocates>) -> Result<()> {
    for (language, list) in lists {
        file(folder, &format!("{}/{}.tsv", COLLOCATIONS.name, stem(language)), |out| collocations(list, out))?;
    }
    Ok(())
}

/// Columns: collocate, pairs, documents that have a pair, occurrences of the collocate, measures.
fn collocations(list: &Collocates, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "collocate\t{}", COLLOCATIONS.columns)?;
    for row in &list.rows {
        let of = &row.counts;
        let measures = [of.log_dice(), of.mi(), of.t_score(), of.log_likelihood()].map(four_digits).join("\t");
        writeln!(out, "{}\t{}\t{}\t{}\t{measures}", row.word, of.pairs, row.documents, of.count)?;
    }
    Ok(())
}

/// Writes the dispersion of the `top` most frequent words of each language: `dispersion/ces.tsv`. Columns: word, count,
/// documents, parts that have it, D, DP, normalised DP.
pub fn write_dispersion(folder: &Path, counts: GroupedCounts, top: usize) -> Result<()> {
    let parts: BTreeMap<CompactString, Parts> =
        counts.sizes.iter().map(|(language, sizes)| (language.clone(), Parts::new(sizes))).collect();
    let none = Parts::new(&BTreeMap::new());
    let make = |list: &FrequencyListId, row| DispersedWord::new(row, parts.get(&list.language).unwrap_or(&none));
    counts.rows()?.for_each(top, make, |list, rows| {
        let mut table = TableFile::create(folder, &format!("{}/{}.tsv", DISPERSION.name, stem(&list.language)))?;
        table.write(|out| writeln!(out, "word\t{}", DISPERSION.columns))?;
        for word in rows {
            let DispersedWord { row, parts, dispersion } = word?;
            let optional = |value: Option<f64>| value.map(four_digits).unwrap_or_default();
            let (d, dp, norm) =
                (optional(dispersion.juilland_d), four_digits(dispersion.dp), optional(dispersion.dp_norm));
            let (word, total) = (row.gram.0, row.total);
            table.write(|out| {
                writeln!(out, "{word}\t{}\t{}\t{parts}\t{d}\t{dp}\t{norm}", total.count, total.documents)
            })?;
        }
        table.commit()
    })
}

/// Writes the frequencies in each year of the `top` most frequent words and n-grams of each language:
/// `years/ces.2.tsv`. Columns: word or n-gram, year, count, documents, occurrences per million words of the year. Unknown
/// years come first, as 0 does.
pub fn write_words_by_year(folder: &Path, counts: GroupedCounts, top: usize) -> Result<()> {
    let sizes = counts.sizes.clone();
    counts.rows()?.for_each(
        top,
        |_, row| row,
        |list, rows| {
            let name = format!("{}/{}.{}.tsv", WORDS_BY_YEAR.name, stem(&list.language), list.n);
            let mut table = TableFile::create(folder, &name)?;
            let what = if list.n == 1 { "word" } else { "ngram" };
            table.write(|out| writeln!(out, "{what}\t{}", WORDS_BY_YEAR.columns))?;
            let sizes = sizes.get(&list.language);
            for row in rows {
                let GroupedRow { gram, groups, .. } = row?;
                for (year, count) in groups {
                    let words = sizes.and_then(|sizes| sizes.get(&year)).copied().unwrap_or(0);
                    let (gram, year) = (&gram.0, by_year::year_name(year));
                    let share = four_digits(CorpusFrequency { count: count.count, words }.per_million());
                    table
                        .write(|out| writeln!(out, "{gram}\t{year}\t{}\t{}\t{share}", count.count, count.documents))?;
                }
            }
            table.commit()
        },
    )
}

/// Four digits after the point, as in the other tables.
fn four_digits(number: f64) -> String {
    format!("{number:.4}")
}
