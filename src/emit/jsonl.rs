//! One JSON object per document and line, in the field names of the tools that read it.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::document_text::DocumentText;
use super::markdown::markdown;
use super::{Create, Format, FormatError, OutputFormat, dates};
use crate::document::Document;
use crate::document::labels::Label;

/// The format `jsonl`. Readers that infer a schema fail at a file without lines, so a shard without documents has no file.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "jsonl",
    folder: "jsonl",
    ending: |options| match options.jsonl.compression {
        Compression::Gzip => "jsonl.gz",
        Compression::Zstd => "jsonl.zst",
    },
    summary: "JSON Lines for language-model tools (Dolma, datatrove)",
    needs_tokens: false,
    empty_files: false,
    bytes_per_word: None,
    memory_per_byte: 3,
    document_ending: |_| None,
    job_file: None,
    create: Create::Text(|options| Box::new(JsonLines::new(options))),
};

/// Options of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Options {
    pub fields: FieldNames,
    #[serde(default, skip_serializing_if = "Compression::is_gzip")]
    pub compression: Compression,
    /// Whether the text is written as Markdown, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub markdown: bool,
}

/// How the files are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    #[default]
    Gzip,
    Zstd,
}

/// Which tool's field names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldNames {
    /// `id`, `text`, `source`, `added`, `created`, `metadata`.
    #[default]
    Dolma,
    /// `text`, `id`, `media`, `metadata`, and in `metadata` the names of FineWeb where the meaning is the same. `date`
    /// is the time of capture.
    Datatrove,
}

impl Compression {
    fn is_gzip(&self) -> bool {
        *self == Compression::Gzip
    }
}

struct JsonLines {
    corpus: String,
    options: Options,
    token_counts: bool,
}

impl JsonLines {
    fn new(options: &super::Options) -> JsonLines {
        JsonLines { corpus: options.corpus.clone(), options: options.jsonl, token_counts: options.token_counts }
    }
}

impl Format for JsonLines {
    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        let count = text.signals.and_then(|signals| signals.token_count).unwrap_or(0);
        Ok(document(out, text, &self.corpus, self.options, self.token_counts.then_some(count))?)
    }
}

/// A document column in `metadata`: its name there and its value.
type MetadataColumn = (&'static str, for<'a> fn(&'a Document) -> MetadataValue<'a>);

/// Columns of `documents` that stand in `metadata` under their own names. Unknown values are empty strings, so that every
/// line has the same fields of the same types: readers that infer a schema from the first lines fail on nulls.
const METADATA: &[MetadataColumn] = &[
    ("url", |d| MetadataValue::Text(&d.url)),
    ("host", |d| MetadataValue::Text(&d.host)),
    ("domain", |d| MetadataValue::Text(&d.domain)),
    ("tld", |d| MetadataValue::Text(&d.tld)),
    ("offset", |d| MetadataValue::Integer(d.offset)),
    ("length", |d| MetadataValue::Integer(d.length)),
    ("charset", |d| MetadataValue::Text(&d.charset)),
    ("title", |d| MetadataValue::Text(d.title.as_deref().unwrap_or_default())),
    ("author", |d| MetadataValue::List(&d.author)),
    ("published", |d| MetadataValue::Owned(day(d.published))),
    ("modified", |d| MetadataValue::Owned(day(d.modified))),
    ("sitename", |d| MetadataValue::Text(d.sitename.as_deref().unwrap_or_default())),
    ("section", |d| MetadataValue::Text(d.section.as_deref().unwrap_or_default())),
    ("keywords", |d| MetadataValue::List(&d.keywords)),
    ("license", |d| MetadataValue::Text(d.license.as_deref().unwrap_or_default())),
    ("language", |d| MetadataValue::Text(d.language.code())),
    ("language_score", |d| MetadataValue::Score(d.language_score)),
    ("page_type", |d| MetadataValue::Text(d.page_type.map_or("", |page_type| page_type.name()))),
    // No null: readers that infer a schema from the first lines would fail. 0 would say that the text is wrong.
    ("confidence", |d| MetadataValue::Score(d.confidence.unwrap_or(-1.0))),
    ("characters", |d| MetadataValue::Integer(d.characters.into())),
    ("words", |d| MetadataValue::Integer(d.words.into())),
    ("text_digest", |d| MetadataValue::Text(&d.text_digest)),
    ("cluster_size", |d| MetadataValue::Integer(d.cluster_size.into())),
    ("duplicate_of", |d| MetadataValue::Owned(d.keeper_name().unwrap_or_default())),
    ("similarity", |d| MetadataValue::Score(d.similarity.unwrap_or(0.0))),
];

/// Whether `metadata` has a field of this name, with some setting, besides labels.
pub fn is_field(name: &str) -> bool {
    let document = Document::default();
    let columns =
        || DocumentMetadata { document: &document, labels: &[], token_count: Some(0), markdown: Some(String::new()) };
    let dolma = serde_json::to_value(DolmaMetadata { record_id: "", archive: "", columns: columns() });
    let (date, columns) = (String::new(), columns());
    let fineweb = serde_json::to_value(FineWebMetadata { dump: "", date, file_path: "", doc: 0, columns });
    [dolma, fineweb].into_iter().flatten().any(|fields| fields.get(name).is_some())
}

#[derive(Serialize)]
#[serde(untagged)]
enum MetadataValue<'a> {
    Text(&'a str),
    Owned(String),
    List(&'a [String]),
    Integer(u64),
    Score(f32),
}

/// The fields of [`METADATA`] of a document, what others said about it, and what is written if it is asked for: its tokens,
/// its text as Markdown.
struct DocumentMetadata<'a> {
    document: &'a Document,
    labels: &'a [Label],
    token_count: Option<u32>,
    markdown: Option<String>,
}

impl Serialize for DocumentMetadata<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        METADATA.iter().try_for_each(|(name, value)| fields.serialize_entry(name, &value(self.document)))?;
        self.token_count.iter().try_for_each(|count| fields.serialize_entry("token_count", count))?;
        self.labels.iter().try_for_each(|label| fields.serialize_entry(&label.name, &label.value))?;
        self.markdown.iter().try_for_each(|markdown| fields.serialize_entry("markdown", markdown))?;
        fields.end()
    }
}

/// A date given as days since 1970-01-01, as `2019-04-14`; empty if it is unknown.
fn day(days: Option<i32>) -> String {
    days.and_then(dates::date).map(|date| date.to_string()).unwrap_or_default()
}

/// Appends one document with its paragraphs joined by LF, or nothing if it has no text. `corpus` becomes the source
/// (Dolma) or the dump (FineWeb), `token_count` a field of its metadata.
pub fn document(
    out: &mut String,
    text: &DocumentText<'_>,
    corpus: &str,
    options: Options,
    token_count: Option<u32>,
) -> serde_json::Result<()> {
    let Some(content) = text.whole_text() else { return Ok(()) };
    let d = text.document;
    let captured = d.captured.and_then(|time| dates::format_time(time, dates::SECONDS)).unwrap_or_default();
    let markdown = options.markdown.then(|| markdown(text));
    let columns = DocumentMetadata { document: d, labels: text.labels, token_count, markdown };
    let line = match options.fields {
        FieldNames::Dolma => serde_json::to_string(&Dolma {
            id: d.doc.to_string(),
            text: content,
            source: corpus,
            added: captured,
            created: d.published.and_then(dates::date).map(|day| format!("{day}T00:00:00Z")).unwrap_or_default(),
            metadata: DolmaMetadata { record_id: &d.record_id, archive: &d.archive, columns },
        }),
        FieldNames::Datatrove => serde_json::to_string(&Datatrove {
            text: content,
            id: if d.record_id.is_empty() { d.doc.to_string() } else { format!("<{}>", d.record_id) },
            media: [],
            metadata: FineWebMetadata { dump: corpus, date: captured, file_path: &d.archive, doc: d.doc, columns },
        }),
    }?;
    out.push_str(&line);
    out.push('\n');
    Ok(())
}

#[derive(Serialize)]
struct Dolma<'a> {
    id: String,
    text: String,
    source: &'a str,
    added: String,
    created: String,
    metadata: DolmaMetadata<'a>,
}

#[derive(Serialize)]
struct DolmaMetadata<'a> {
    record_id: &'a str,
    archive: &'a str,
    #[serde(flatten)]
    columns: DocumentMetadata<'a>,
}

#[derive(Serialize)]
struct Datatrove<'a> {
    text: String,
    id: String,
    media: [(); 0],
    metadata: FineWebMetadata<'a>,
}

#[derive(Serialize)]
struct FineWebMetadata<'a> {
    dump: &'a str,
    date: String,
    file_path: &'a str,
    doc: u64,
    #[serde(flatten)]
    columns: DocumentMetadata<'a>,
}
