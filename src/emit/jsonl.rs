//! One JSON object per document and line, in the field names of the tools that read it.

use serde::{Deserialize, Serialize};

use super::dates;
use super::text::Text;
use crate::document::Document;

/// Whose field names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fields {
    /// `id`, `text`, `source`, `added`, `created`, `metadata`.
    #[default]
    Dolma,
    /// `text`, `id`, `media`, `metadata`; there the names of FineWeb where the meaning is the same. `date` is the time
    /// of capture.
    Datatrove,
}

/// Appends one document, its paragraphs joined by LF; nothing if it has no text. `corpus` names the source (Dolma) or
/// dump (FineWeb).
pub fn document(out: &mut String, text: &Text<'_>, corpus: &str, fields: Fields) -> serde_json::Result<()> {
    if text.paragraphs.is_empty() {
        return Ok(());
    }
    let d = text.document;
    let content = text.paragraphs.iter().map(|p| p.row.text.as_str()).collect::<Vec<_>>().join("\n");
    let captured = d.captured.and_then(|us| dates::moment(us, dates::SECONDS));
    let about = About::of(d);
    let line = match fields {
        Fields::Dolma => serde_json::to_string(&Dolma {
            id: d.doc.to_string(),
            text: content,
            source: corpus,
            added: captured,
            created: about.published.as_ref().map(|day| format!("{day}T00:00:00Z")),
            metadata: DolmaMetadata { record_id: &d.record_id, archive: &d.archive, about },
        }),
        Fields::Datatrove => serde_json::to_string(&Datatrove {
            text: content,
            id: if d.record_id.is_empty() { d.doc.to_string() } else { format!("<{}>", d.record_id) },
            media: [],
            metadata: FineWebMetadata { dump: corpus, date: captured, file_path: &d.archive, doc: d.doc, about },
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
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<String>,
    metadata: DolmaMetadata<'a>,
}

#[derive(Serialize)]
struct DolmaMetadata<'a> {
    record_id: &'a str,
    archive: &'a str,
    #[serde(flatten)]
    about: About<'a>,
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
    date: Option<String>,
    file_path: &'a str,
    doc: u64,
    #[serde(flatten)]
    about: About<'a>,
}

/// Columns of `documents` under their own names; what is unknown is null, so that every line has the same fields.
#[derive(Serialize)]
struct About<'a> {
    url: &'a str,
    host: &'a str,
    domain: &'a str,
    tld: &'a str,
    offset: u64,
    length: u64,
    charset: &'a str,
    title: Option<&'a str>,
    author: &'a [String],
    published: Option<String>,
    modified: Option<String>,
    sitename: Option<&'a str>,
    section: Option<&'a str>,
    keywords: &'a [String],
    license: Option<&'a str>,
    language: &'a str,
    language_score: f32,
    characters: u32,
    words: u32,
    text_digest: &'a str,
    cluster_size: u32,
}

impl About<'_> {
    fn of(d: &Document) -> About<'_> {
        let day = |days: Option<i32>| days.and_then(dates::date).map(|date| date.to_string());
        About {
            url: &d.url,
            host: &d.host,
            domain: &d.domain,
            tld: &d.tld,
            offset: d.offset,
            length: d.length,
            charset: &d.charset,
            title: d.title.as_deref(),
            author: &d.author,
            published: day(d.published),
            modified: day(d.modified),
            sitename: d.sitename.as_deref(),
            section: d.section.as_deref(),
            keywords: &d.keywords,
            license: d.license.as_deref(),
            language: &d.language,
            language_score: d.language_score,
            characters: d.characters,
            words: d.words,
            text_digest: &d.text_digest,
            cluster_size: d.cluster_size,
        }
    }
}
