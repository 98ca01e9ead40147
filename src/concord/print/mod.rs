//! Writes hits, one file per format. Every format is written hit by hit.

mod html;

mod kwic;

mod record;

use std::io::{self, Write};

use super::hit::{Hit, SearchCounts};
use super::options::{ConcordanceFormat, HitContext, Options};
use super::query::Query;
use crate::text::printable;
use record::HitRecord;

/// Writes a concordance: [`begin`](Printer::begin), every hit, [`end`](Printer::end).
#[derive(Debug)]
pub struct Printer<W> {
    out: W,
    format: ConcordanceFormat,
    context: HitContext,
    keyword: String,
    printed: u64,
}

impl<W: Write> Printer<W> {
    /// A printer to `out`, which should be buffered.
    pub fn new(query: &Query, options: &Options, out: W) -> Printer<W> {
        let (format, context, keyword) = (options.format, options.context(), query.keyword().to_string());
        Printer { out, format, context, keyword, printed: 0 }
    }

    /// Writes what comes before the first hit.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn begin(&mut self) -> io::Result<()> {
        match self.format {
            ConcordanceFormat::Kwic => Ok(()),
            ConcordanceFormat::Json => write!(self.out, "["),
            ConcordanceFormat::Xml => record::begin_xml(&mut self.out),
            ConcordanceFormat::Tsv => record::begin_tsv(&mut self.out),
            ConcordanceFormat::Html => html::begin(&mut self.out, &self.keyword),
        }
    }

    /// Writes a hit.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn hit(&mut self, hit: &Hit) -> io::Result<()> {
        self.printed += 1;
        let (id, keyword, out) = (self.printed, self.keyword.as_str(), &mut self.out);
        match self.format {
            ConcordanceFormat::Kwic => kwic::hit(out, hit, self.context),
            ConcordanceFormat::Json => record::json(out, &HitRecord::new(id, keyword, hit)),
            ConcordanceFormat::Xml => record::xml(out, &HitRecord::new(id, keyword, hit)),
            ConcordanceFormat::Tsv => record::tsv(out, &HitRecord::new(id, keyword, hit)),
            ConcordanceFormat::Html => html::hit(out, hit, self.context),
        }
    }

    /// Writes what comes after the last hit and returns the number of hits written.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn end(mut self) -> io::Result<u64> {
        match self.format {
            ConcordanceFormat::Kwic | ConcordanceFormat::Tsv => {}
            ConcordanceFormat::Json => writeln!(self.out, "{}]", if self.printed == 0 { "" } else { "\n" })?,
            ConcordanceFormat::Xml => writeln!(self.out, "</concordances>")?,
            ConcordanceFormat::Html => html::end(&mut self.out, self.printed)?,
        }
        self.out.flush()?;
        Ok(self.printed)
    }
}

/// Writes the output of `--count`: a line for each form and one for all, each with the number after a tab.
///
/// # Errors
/// When `out` cannot be written.
pub fn print_counts(out: &mut impl Write, query: &Query, counts: &SearchCounts) -> io::Result<()> {
    for (form, hits) in query.forms().iter().zip(&counts.hits) {
        writeln!(out, "{}\t{hits}", printable(form))?;
    }
    writeln!(out, "all\t{}", counts.all_hits)
}

#[cfg(test)]
mod tests;
