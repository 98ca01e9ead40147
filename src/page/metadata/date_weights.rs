//! How far to trust what names a date, by the names of `<meta>` and of elements.

use super::PublishedSource;
use crate::page::head::MetadataCandidate;

/// Names that can only mean publication.
pub(super) const PUBLISHED_KEYS: [&str; 24] = [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "date_published",
    "article:published",
    "article:published_date",
    "article.published",
    "citation_publication_date",
    "citation_online_date",
    "parsely-pub-date",
    "sailthru.date",
    "rnews:datepublished",
    "publishdate",
    "publish-date",
    "publish_date",
    "pubdate",
    "published_date",
    "published-date",
    "publication_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
];

/// Names that usually mean it.
const DATE_KEYS: [&str; 17] = [
    "date",
    "dc.date",
    "dc:date",
    "dcterms.date",
    "dc.created",
    "dc:created",
    "datecreated",
    "date_created",
    "created",
    "citation_date",
    "cxenseparse:recs:publishtime",
    "originalpublicationdate",
    "displaydate",
    "article_date_original",
    "og:pubdate",
    "release_date",
    "vr:published_time",
];

/// Parts of names that usually mean it.
const DATE_WORDS: [&str; 8] =
    ["publi", "pubdate", "pub_date", "pub-date", "created", "upload", "issued", "citation_date"];

/// Names of the day of the last change.
pub(super) const MODIFIED_KEYS: [&str; 18] = [
    "article:modified_time",
    "og:article:modified_time",
    "og:updated_time",
    "datemodified",
    "date_modified",
    "article:modified",
    "dcterms.modified",
    "dc.date.modified",
    "dc.modified",
    "lastmodified",
    "last-modified",
    "last_modified",
    "lastmod",
    "modified",
    "modified_time",
    "revision_date",
    "updated_time",
    "article:updated_time",
];

/// How far to trust the date of a `<meta>` of this name; 0 if it is no date of publication.
pub(super) fn meta_weight(key: &str) -> u32 {
    if PUBLISHED_KEYS.contains(&key) {
        95
    } else if DATE_KEYS.contains(&key) {
        82
    } else if DATE_WORDS.iter().any(|word| key.contains(word)) && !key.contains("modif") {
        76
    } else {
        0
    }
}

/// Whether an element is named after a change.
pub(super) fn is_change(element: &MetadataCandidate) -> bool {
    let names = &element.names;
    names.contains("modif") || (names.contains("update") && !names.contains("publish")) || names.contains("changed")
}

/// How far to trust an element that holds a date, by its names, and which source it is; None if neither its names nor a
/// value for machines say that it holds one.
pub(super) fn element_weight(element: &MetadataCandidate) -> Option<(u32, PublishedSource)> {
    let names = element.names.as_str();
    let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
    if has(&["datepublished", "datecreated", "dc:date", "dc:created"]) {
        Some((92, PublishedSource::Microdata))
    } else if has(&[
        "pubdate",
        "publish",
        "entry-date",
        "post-date",
        "postdate",
        "dateline",
        "posted",
        "article-date",
        "created",
        "parution",
        "date-display",
    ]) {
        Some((78, PublishedSource::Time))
    } else if has(&["date", "datum", "fecha", "time", "data", "publi", "stamp"]) {
        Some((72, PublishedSource::Time))
    } else if !element.value.is_empty() {
        Some((70, PublishedSource::Time))
    } else {
        None
    }
}
