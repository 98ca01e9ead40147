//! The attributes of the structures `<doc>` and `<p>`.

use std::borrow::Cow;

use crate::document::{Document, Paragraph};
use crate::emit::dates;

/// An attribute of a structure: a column of the tables, or a value computed from columns.
#[derive(Debug)]
pub struct StructureAttribute<T> {
    /// Name in the vertical file and in the registry.
    pub name: &'static str,
    /// Lines of the attribute's block in the registry; without lines it has no block.
    pub registry_lines: &'static [&'static str],
    pub(super) value: for<'a> fn(&'a T) -> AttributeValue<'a>,
}

/// The value of an attribute.
pub enum AttributeValue<'a> {
    Text(Cow<'a, str>),
    /// Printable ASCII that needs no escape: a code, a number in digits.
    Plain(&'a str),
    Number(u64),
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for AttributeValue<'a> {
    fn from(text: T) -> AttributeValue<'a> {
        AttributeValue::Text(text.into())
    }
}

const fn attribute<T>(name: &'static str, value: for<'a> fn(&'a T) -> AttributeValue<'a>) -> StructureAttribute<T> {
    StructureAttribute { name, registry_lines: &[], value }
}

impl<T> StructureAttribute<T> {
    const fn with_registry(self, registry_lines: &'static [&'static str]) -> StructureAttribute<T> {
        StructureAttribute { name: self.name, registry_lines, value: self.value }
    }
}

/// Attributes of `<doc>`, in the order in which they are written. An empty value is not written.
pub const DOC_ATTRIBUTES: &[StructureAttribute<Document>] = &[
    attribute::<Document>("id", |d| AttributeValue::Number(d.doc)).with_registry(&["TYPE UNIQUE"]),
    attribute("url", |d| d.url.replace('"', "%22").into()),
    attribute("website", |d| d.host.as_str().into()),
    attribute("urldomain", |d| d.domain.as_str().into()),
    attribute("tld", |d| d.tld.as_str().into()),
    attribute("crawl_date", |d| {
        d.captured.and_then(|time| dates::format_time(time, dates::DAY)).unwrap_or_default().into()
    }),
    attribute("title", |d| optional(&d.title)),
    attribute::<Document>("author", |d| list(&d.author).into()).with_registry(LIST),
    attribute("date", |d| published(d, "%Y-%m-%d")),
    attribute("year", |d| published(d, "%Y")),
    attribute("month", |d| published(d, "%Y-%m")),
    attribute("date_source", |d| AttributeValue::Plain(d.published_source.map_or("", |source| source.name()))),
    attribute("sitename", |d| optional(&d.sitename)),
    attribute("section", |d| optional(&d.section)),
    attribute::<Document>("keywords", |d| list(&d.keywords).into()).with_registry(LIST),
    attribute("lang", |d| AttributeValue::Plain(d.language.code())),
    attribute("lang_score", |d| format!("{:.3}", d.language_score).into()),
    attribute::<Document>("languages", |d| list_of_languages(d).into()).with_registry(LIST),
    attribute("page_type", |d| AttributeValue::Plain(d.page_type.map_or("", |page_type| page_type.name()))),
    // In tenths, since a text type has a value to choose.
    attribute("confidence", |d| AttributeValue::Plain(d.confidence.map_or("", tenth))),
    attribute("charset", |d| d.charset.as_str().into()),
    attribute("file_type", |d| d.content_type.as_str().into()),
    attribute("license", |d| optional(&d.license)),
    attribute("words", |d| AttributeValue::Number(d.words.into())),
    attribute("length", |d| AttributeValue::Plain(magnitude(d.characters))),
    attribute("warc_id", |d| d.record_id.as_str().into()),
    attribute("cluster_size", |d| AttributeValue::Number(d.cluster_size.into())),
    // Only documents with duplicates have these two.
    attribute("dup_cluster", |d| match d.cluster_size {
        0 | 1 => AttributeValue::Plain(""),
        _ => d.keeper_name().map_or(AttributeValue::Number(d.doc), AttributeValue::from),
    }),
    attribute("similarity", |d| d.similarity.map_or(String::new(), |similarity| format!("{similarity:.3}")).into()),
];

/// Attributes of `<p>`, in the order in which they are written. An empty value is not written.
pub const P_ATTRIBUTES: &[StructureAttribute<Paragraph>] = &[
    attribute("id", |p| AttributeValue::Number(p.index.into())),
    attribute("heading", |p| flag(p.heading)),
    attribute("lang", |p| AttributeValue::Plain(p.language.map_or("", |language| language.code()))),
    attribute("class", |p| AttributeValue::Plain(p.class.name())),
    attribute("cfclass", |p| AttributeValue::Plain(p.context_free.name())),
    attribute("dup", |p| flag(p.repeated)),
];

// `FormatCounts` has a bit for each attribute.
const _: () = assert!(DOC_ATTRIBUTES.len() <= 32 && P_ATTRIBUTES.len() <= 32);

fn optional(value: &Option<String>) -> AttributeValue<'_> {
    value.as_deref().unwrap_or_default().into()
}

fn flag(set: bool) -> AttributeValue<'static> {
    AttributeValue::Plain(if set { "1" } else { "0" })
}

/// The day of publication by a pattern of `strftime`.
fn published(d: &Document, pattern: &str) -> AttributeValue<'static> {
    d.published.and_then(dates::date).map_or(String::new(), |date| date.strftime(pattern).to_string()).into()
}

/// The main languages: a text type has codes and no shares.
fn list_of_languages(d: &Document) -> String {
    d.main_languages().collect::<Vec<_>>().join("|")
}

/// Registry lines of an attribute with several values.
const LIST: &[&str] = &["MULTIVALUE yes", "MULTISEP \"|\""];

/// Values separated by `|`; those within a value become `/`.
fn list(values: &[String]) -> String {
    let values = values.iter().map(|value| value.replace('|', "/").trim().to_string());
    values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join("|")
}

/// The tenth of a probability.
fn tenth(probability: f32) -> &'static str {
    const TENTHS: [&str; 10] =
        ["0.0-0.1", "0.1-0.2", "0.2-0.3", "0.3-0.4", "0.4-0.5", "0.5-0.6", "0.6-0.7", "0.7-0.8", "0.8-0.9", "0.9-1.0"];
    TENTHS.get((probability * 10.0) as usize).unwrap_or(&"0.9-1.0")
}

/// The order of magnitude, in the terms of the TenTen corpora.
fn magnitude(characters: u32) -> &'static str {
    match characters {
        0..1_000 => "0-1k",
        1_000..10_000 => "1k-10k",
        10_000..100_000 => "10k-100k",
        100_000..1_000_000 => "100k-1M",
        _ => "1M-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_of_an_earlier_corpus_has_its_name() {
        let cluster = |document: Document| {
            let attribute = DOC_ATTRIBUTES.iter().find(|attribute| attribute.name == "dup_cluster").unwrap();
            match (attribute.value)(&document) {
                AttributeValue::Text(text) => text.into_owned(),
                AttributeValue::Plain(text) => text.into(),
                AttributeValue::Number(number) => number.to_string(),
            }
        };
        let kept = Document { doc: 4, cluster_size: 2, ..Document::default() };
        let marked = Document { keeper: Some(0), ..kept.clone() };
        let earlier = Document { keeper_corpus: Some("one".into()), ..marked.clone() };
        let alone = Document { cluster_size: 1, ..kept.clone() };
        assert_eq!([kept, marked, earlier, alone].map(cluster), ["4", "0", "one:0", ""]);
    }

    #[test]
    fn probabilities_are_told_in_tenths() {
        assert_eq!([0.0, 0.0999, 0.1, 0.95, 1.0].map(tenth), ["0.0-0.1", "0.0-0.1", "0.1-0.2", "0.9-1.0", "0.9-1.0"]);
    }

    #[test]
    fn lengths_are_told_as_orders_of_magnitude() {
        assert_eq!(
            [999, 1_000, 9_999, 10_000, 1_000_000].map(magnitude),
            ["0-1k", "1k-10k", "1k-10k", "10k-100k", "1M-"]
        );
    }
}
