//! JSON, XML and TSV: records with the fields of ConcordanceCrawler and some more.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::concord::hit::Hit;
use crate::emit::dates;
use crate::text::{is_obeyed, printable};

/// The fields of a hit, under the names that the formats give them.
#[derive(Debug, Serialize)]
pub struct HitRecord<'a> {
    /// Number of the hit, from 1.
    id: u64,
    /// The name of the query.
    keyword: &'a str,
    /// The hit as it is written in the text.
    form: &'a str,
    /// The sentence, or the tokens around the hit.
    concordance: &'a str,
    /// Range of the form in `concordance`, in Unicode scalar values; `end` is exclusive.
    start: usize,
    end: usize,
    url: &'a str,
    /// When the page was captured, in UTC.
    date: Option<String>,
    /// When the page was published, by its own account.
    doc_date: Option<String>,
    lang: &'a str,
    doc: u64,
    p_idx: u32,
}

impl<'a> HitRecord<'a> {
    /// The record of a hit with this number.
    pub fn new(id: u64, keyword: &'a str, hit: &'a Hit) -> HitRecord<'a> {
        let range = hit.characters();
        HitRecord {
            id,
            keyword,
            form: hit.form(),
            concordance: &hit.text,
            start: range.start,
            end: range.end,
            url: &hit.document.url,
            date: hit.document.captured.and_then(|time| dates::format_time(time, dates::SECONDS)),
            doc_date: hit.document.published.and_then(dates::date).map(|day| day.to_string()),
            lang: &hit.language,
            doc: hit.document.doc,
            p_idx: hit.paragraph,
        }
    }

    /// Names and values of the fields, as text.
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

/// Writes a record as one line of a JSON array, after the line end or comma before it.
pub fn json(out: &mut impl Write, record: &HitRecord<'_>) -> io::Result<()> {
    out.write_all(if record.id == 1 { b"\n" } else { b",\n" })?;
    let mut writer = serde_json::Serializer::with_formatter(out, Harmless);
    record.serialize(&mut writer).map_err(io::Error::from)
}

/// JSON in which characters that a terminal obeys are escaped.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_obeyed(c)) {
            let (plain, from) = rest.split_at(at);
            // All of them are in the Basic Multilingual Plane.
            write!(out, "{plain}\\u{:04x}", u32::from(c))?;
            rest = from.get(c.len_utf8()..).unwrap_or_default();
        }
        out.write_all(rest.as_bytes())
    }
}

/// Writes the header line with the names of the fields.
pub fn begin_tsv(out: &mut impl Write) -> io::Result<()> {
    let none = Hit::default();
    let names = HitRecord::new(0, "", &none).fields().map(|(name, _)| name);
    writeln!(out, "{}", names.join("\t"))
}

/// Writes a record as one line. Characters that would end a cell or line become spaces, so that offsets stay valid.
pub fn tsv(out: &mut impl Write, record: &HitRecord<'_>) -> io::Result<()> {
    let cells = record.fields().map(|(_, value)| printable(&value).into_owned());
    writeln!(out, "{}", cells.join("\t"))
}

/// Writes the XML declaration and the start of the root element.
pub fn begin_xml(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<concordances>")
}

/// Writes a record as one `item` element.
pub fn xml(out: &mut impl Write, record: &HitRecord<'_>) -> io::Result<()> {
    write!(out, "<item>")?;
    for (name, value) in record.fields() {
        write!(out, "<{name}>{}</{name}>", escaped(&value))?;
    }
    writeln!(out, "</item>")
}

/// Escapes text for XML 1.0 and HTML. Characters that they do not allow become U+FFFD one for one, so that offsets stay
/// valid.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|c| !matches!(replacement(c), XmlForm::Same)) else { return text.into() };
    let (plain, rest) = text.split_at_checked(first).unwrap_or_default();
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        match replacement(c) {
            XmlForm::Same => out.push(c),
            XmlForm::As(entity) => out.push_str(entity),
        }
    }
    out.into()
}

/// How a character is written.
enum XmlForm {
    Same,
    As(&'static str),
}

fn replacement(c: char) -> XmlForm {
    XmlForm::As(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        // An XML parser would read a literal one as a line feed.
        '\r' => "&#13;",
        '\t' | '\n' => return XmlForm::Same,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => "\u{FFFD}",
        _ => return XmlForm::Same,
    })
}
