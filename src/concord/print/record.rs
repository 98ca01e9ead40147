//! JSON, XML and TSV: the fields of ConcordanceCrawler's records, and some more.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use crate::concord::hit::Hit;
use crate::emit::dates;

#[derive(Debug, Serialize)]
pub struct Record<'a> {
    /// From 1 on.
    id: u64,
    /// What was asked for.
    keyword: &'a str,
    /// What was found.
    form: &'a str,
    /// The sentence.
    concordance: &'a str,
    /// Where the form is in it: Unicode scalar values, end exclusive.
    start: usize,
    end: usize,
    url: &'a str,
    /// When it was captured, in UTC.
    date: Option<String>,
    /// When it was published, as the page says.
    doc_date: Option<String>,
    lang: &'a str,
    doc: u64,
    p_idx: u32,
}

impl<'a> Record<'a> {
    pub fn new(id: u64, keyword: &'a str, hit: &'a Hit) -> Record<'a> {
        let range = hit.characters();
        Record {
            id,
            keyword,
            form: hit.form(),
            concordance: &hit.text,
            start: range.start,
            end: range.end,
            url: &hit.source.url,
            date: hit.source.captured.and_then(|time| dates::format_time(time, dates::SECONDS)),
            doc_date: hit.source.published.and_then(dates::date).map(|day| day.to_string()),
            lang: &hit.language,
            doc: hit.source.doc,
            p_idx: hit.paragraph,
        }
    }

    fn fields(&self) -> [(&'static str, Cow<'a, str>); 12] {
        [
            ("id", self.id.to_string().into()),
            ("keyword", self.keyword.into()),
            ("form", self.form.into()),
            ("concordance", self.concordance.into()),
            ("start", self.start.to_string().into()),
            ("end", self.end.to_string().into()),
            ("url", self.url.into()),
            ("date", self.date.clone().unwrap_or_default().into()),
            ("doc_date", self.doc_date.clone().unwrap_or_default().into()),
            ("lang", self.lang.into()),
            ("doc", self.doc.to_string().into()),
            ("p_idx", self.p_idx.to_string().into()),
        ]
    }
}

/// One line each, between the brackets of an array.
pub fn json(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    out.write_all(if record.id == 1 { b"\n" } else { b",\n" })?;
    serde_json::to_writer(out, record).map_err(io::Error::from)
}

pub fn begin_tsv(out: &mut impl Write) -> io::Result<()> {
    let none = Hit::default();
    let names = Record::new(0, "", &none).fields().map(|(name, _)| name);
    writeln!(out, "{}", names.join("\t"))
}

/// Characters that would end a cell or a line become spaces, so that offsets stay as they are.
pub fn tsv(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    let cells =
        record.fields().map(|(_, value)| value.replace(['\t', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], " "));
    writeln!(out, "{}", cells.join("\t"))
}

pub fn begin_xml(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<concordances>")
}

pub fn xml(out: &mut impl Write, record: &Record<'_>) -> io::Result<()> {
    write!(out, "<item>")?;
    for (name, value) in record.fields() {
        write!(out, "<{name}>{}</{name}>", escaped(&value))?;
    }
    writeln!(out, "</item>")
}

/// Text for XML 1.0 and HTML. What neither may have becomes U+FFFD, one for one, so that offsets
/// stay as they are.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|c| !matches!(replacement(c), Written::Same)) else { return text.into() };
    let (plain, rest) = text.split_at_checked(first).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        match replacement(c) {
            Written::Same => out.push(c),
            Written::As(entity) => out.push_str(entity),
        }
    }
    out.into()
}

enum Written {
    Same,
    As(&'static str),
}

fn replacement(c: char) -> Written {
    Written::As(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        // A parser would read a line feed.
        '\r' => "&#13;",
        '\t' | '\n' => return Written::Same,
        '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => "\u{FFFD}",
        _ => return Written::Same,
    })
}
