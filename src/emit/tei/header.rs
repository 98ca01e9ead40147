//! The header of a document: `teiHeader`.

use super::super::dates;
use super::super::xml::{self, Writer};
use crate::document::Document;
use crate::document::labels::Label;
use crate::language::Language;

/// What classifies the pages: the `scheme` of their `classCode`.
const PAGE_TYPES: &str = "urn:warcorpus:page_type";

/// Writes the header of a document: what is known of it, and of the page that it comes from.
pub(super) fn header(w: &mut Writer<'_>, d: &Document, labels: &[Label]) {
    w.start("teiHeader", &[]);
    w.start("fileDesc", &[]);
    w.start("titleStmt", &[]);
    title_and_authors(w, d);
    w.end();
    w.start("extent", &[]);
    w.element("measure", &[("unit", "words"), ("quantity", &d.words.to_string())], &format!("{} words", d.words));
    w.end();
    publication(w, d);
    notes(w, d.confidence, labels);
    source(w, d);
    w.end();
    program(w);
    profile(w, d);
    w.end();
}

fn title_and_authors(w: &mut Writer<'_>, d: &Document) {
    w.element("title", &[("type", "main")], d.title.as_deref().unwrap_or(&d.url));
    d.author.iter().for_each(|author| w.element("author", &[], author));
}

fn publication(w: &mut Writer<'_>, d: &Document) {
    w.start("publicationStmt", &[]);
    w.element("publisher", &[], publisher(d));
    date(w, "published", d.published);
    if let Some(license) = &d.license {
        w.start("availability", &[]);
        w.element("licence", &[], license);
        w.end();
    }
    if !d.record_id.is_empty() {
        w.element("idno", &[("type", "warc")], &d.record_id);
    }
    if let Some(keeper) = d.keeper_name() {
        w.element("idno", &[("type", "duplicate-of")], &keeper);
    }
    w.end();
}

/// How far the text can be trusted, and what others said about the document; nothing if there is no value.
fn notes(w: &mut Writer<'_>, confidence: Option<f32>, labels: &[Label]) {
    let confidence = confidence.map(|confidence| ("confidence", format!("{confidence:.3}")));
    let labels = labels.iter().map(|label| (label.name.as_str(), label.value.to_string()));
    let known: Vec<(&str, String)> =
        confidence.into_iter().chain(labels).filter(|(_, v)| !v.trim().is_empty()).collect();
    if known.is_empty() {
        return;
    }
    w.start("notesStmt", &[]);
    known.iter().for_each(|(name, value)| w.element("note", &[("type", name)], value));
    w.end();
}

fn publisher(d: &Document) -> &str {
    d.sitename.as_deref().filter(|name| !name.is_empty()).unwrap_or(&d.host)
}

fn source(w: &mut Writer<'_>, d: &Document) {
    w.start("sourceDesc", &[]);
    w.start("bibl", &[]);
    title_and_authors(w, d);
    w.element("publisher", &[], publisher(d));
    date(w, "published", d.published);
    date(w, "modified", d.modified);
    if let Some(target) = uri(&d.url) {
        w.element("ptr", &[("type", "URL"), ("target", &target)], "");
    }
    w.end();
    w.start("bibl", &[("type", "archive")]);
    w.element("idno", &[("type", "file")], &d.archive);
    w.element("idno", &[("type", "offset")], &d.offset.to_string());
    w.end();
    w.end();
}

fn date(w: &mut Writer<'_>, kind: &str, days: Option<i32>) {
    if let Some(day) = days.and_then(dates::date).map(|date| date.to_string()) {
        w.element("date", &[("type", kind), ("when", &day)], &day);
    }
}

/// Writes which program made the text.
pub(super) fn program(w: &mut Writer<'_>) {
    w.start("encodingDesc", &[]);
    w.start("appInfo", &[]);
    w.start("application", &[("ident", "warcorpus"), ("version", env!("CARGO_PKG_VERSION"))]);
    w.element("label", &[], "warcorpus");
    w.end();
    w.end();
    w.end();
}

fn profile(w: &mut Writer<'_>, d: &Document) {
    w.start("profileDesc", &[]);
    if let Some(captured) = d.captured.and_then(|us| dates::format_time(us, dates::SECONDS)) {
        w.start("creation", &[]);
        w.element("date", &[("type", "download"), ("when", &captured)], &captured);
        w.end();
    }
    w.start("langUsage", &[]);
    languages(w, d);
    w.end();
    let section = d.section.iter().map(|section| ("section", section));
    let keywords = d.keywords.iter().map(|keyword| ("keyword", keyword));
    let terms: Vec<_> = section.chain(keywords).filter(|(_, term)| !term.trim().is_empty()).collect();
    if !terms.is_empty() || d.page_type.is_some() {
        w.start("textClass", &[]);
        if let Some(page_type) = d.page_type {
            w.element("classCode", &[("scheme", PAGE_TYPES)], page_type.name());
        }
        if !terms.is_empty() {
            w.start("keywords", &[]);
            terms.iter().for_each(|(kind, term)| w.element("term", &[("type", kind)], term));
            w.end();
        }
        w.end();
    }
    w.end();
}

/// The languages with their percentage of the words, rounded: a language of a few words has 0.
fn languages(w: &mut Writer<'_>, d: &Document) {
    let parts: Vec<(&str, &str)> = d.languages.iter().filter_map(|language| language.split_once(':')).collect();
    if parts.is_empty() {
        w.element("language", &[("ident", d.language.tag())], d.language.code());
    }
    for (code, share) in parts {
        let percent = share.parse::<f64>().map_or(0.0, |share| (share * 100.0).round());
        let tag = Language::by_code(code).map_or(code, |language| language.tag());
        w.element("language", &[("ident", tag), ("usage", &percent.to_string())], code);
    }
}

/// An address as TEI schemas accept it: with a scheme, `%` only in escapes, one `#`, none of the characters that RFC
/// 3986 and 3987 exclude. `None` without a scheme.
fn uri(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let mut out = String::with_capacity(address.len());
    let mut fragment = false;
    for (at, c) in address.char_indices() {
        let escape = address.get(at + 1..at + 3).is_some_and(|two| two.bytes().all(|b| b.is_ascii_hexdigit()));
        match c {
            '%' if !escape => out.push_str("%25"),
            '#' if fragment => out.push_str("%23"),
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => {
                out.push_str(&format!("%{:02X}", u32::from(c)))
            }
            c if c.is_whitespace() || !xml::is_allowed(c) => {}
            c => out.push(c),
        }
        fragment |= c == '#';
    }
    is_scheme.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_what_schemas_accept() {
        let of = |address| uri(address).unwrap_or_default();
        assert_eq!(of("http://a.example/%41?q=100%&r=%4#b"), "http://a.example/%41?q=100%25&r=%254#b");
        assert_eq!(of("http://a.example/é \"x\"#a#b\u{1}\n"), "http://a.example/é%20%22x%22#a%23b");
        assert_eq!([of("a.example"), of("1a:b"), of(":b"), of("")], [""; 4]);
    }
}
