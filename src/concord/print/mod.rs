//! Hits → text. One file per format; every format is written as the hits come.

mod html;

mod kwic;

mod record;

use std::io::{self, Write};

use super::hit::{Hit, Tally};
use super::options::{Context, Format, Options};
use super::query::Query;
use record::Record;

/// Writes a concordance: [`begin`](Printer::begin), every hit, [`end`](Printer::end).
pub struct Printer<W> {
    out: W,
    format: Format,
    context: Context,
    keyword: String,
    printed: u64,
}

impl<W: Write> Printer<W> {
    /// `out` should be buffered.
    pub fn new(query: &Query, options: &Options, out: W) -> Printer<W> {
        let (format, context, keyword) = (options.format, options.context(), query.keyword().to_string());
        Printer { out, format, context, keyword, printed: 0 }
    }

    pub fn begin(&mut self) -> io::Result<()> {
        match self.format {
            Format::Kwic => Ok(()),
            Format::Json => write!(self.out, "["),
            Format::Xml => record::begin_xml(&mut self.out),
            Format::Tsv => record::begin_tsv(&mut self.out),
            Format::Html => html::begin(&mut self.out, &self.keyword),
        }
    }

    pub fn hit(&mut self, hit: &Hit) -> io::Result<()> {
        self.printed += 1;
        let (id, keyword, out) = (self.printed, self.keyword.as_str(), &mut self.out);
        match self.format {
            Format::Kwic => kwic::hit(out, hit, self.context),
            Format::Json => record::json(out, &Record::new(id, keyword, hit)),
            Format::Xml => record::xml(out, &Record::new(id, keyword, hit)),
            Format::Tsv => record::tsv(out, &Record::new(id, keyword, hit)),
            Format::Html => html::hit(out, hit, self.context),
        }
    }

    /// The number of hits written.
    pub fn end(mut self) -> io::Result<u64> {
        match self.format {
            Format::Kwic | Format::Tsv => {}
            Format::Json => writeln!(self.out, "{}]", if self.printed == 0 { "" } else { "\n" })?,
            Format::Xml => writeln!(self.out, "</concordances>")?,
            Format::Html => html::end(&mut self.out, self.printed)?,
        }
        self.out.flush()?;
        Ok(self.printed)
    }
}

/// What `--count` prints: a line for each form and one for all, with the number after a tab.
pub fn counts(out: &mut impl Write, query: &Query, tally: &Tally) -> io::Result<()> {
    for (form, hits) in query.forms().iter().zip(&tally.hits) {
        writeln!(out, "{}\t{hits}", form.replace(char::is_control, " "))?;
    }
    writeln!(out, "all\t{}", tally.all_hits())
}

#[cfg(test)]
mod tests;
