//! The rows of an inspection as JSON: names, dates and times are those of the tables.

use std::collections::BTreeMap;

use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::document::{Document, Paragraph};
use crate::emit::dates;
use crate::table::Table;

/// A row of `documents`.
pub fn document<S: Serializer>(row: &Document, serializer: S) -> Result<S::Ok, S::Error> {
    let date = |days: Option<i32>| days.and_then(dates::date).map(|date| date.to_string());
    let named = [
        ("captured", row.captured.and_then(|time| dates::format_time(time, dates::SECONDS))),
        ("charset_source", Some(row.charset_source.name().to_string())),
        ("published", date(row.published)),
        ("published_source", row.published_source.map(|source| source.name().to_string())),
        ("modified", date(row.modified)),
        ("page_type", row.page_type.map(|page_type| page_type.name().to_string())),
        ("drop_reason", Some(row.drop_reason.name().to_string())),
    ];
    columns(row, &named, serializer)
}

/// A row of `paragraphs` or `boilerplate`.
pub fn paragraph<S: Serializer>(row: &Paragraph, serializer: S) -> Result<S::Ok, S::Error> {
    let named = [
        ("kind", row.kind.name()),
        ("class", row.class.name()),
        ("context_free", row.context_free.name()),
        ("reason", row.reason.name()),
        ("drop_reason", row.drop_reason.name()),
    ];
    columns(row, &named.map(|(column, name)| (column, Some(name.to_string()))), serializer)
}

/// Writes a row. The values of `named` columns are given; those of the others are written as serde does.
fn columns<R: Serialize + Table, S: Serializer>(
    row: &R,
    named: &[(&str, Option<String>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let row = to_raw_value(row).map_err(S::Error::custom)?;
    let values: BTreeMap<&str, &RawValue> = serde_json::from_str(row.get()).map_err(S::Error::custom)?;
    let mut map = serializer.serialize_map(None)?;
    for (column, ..) in R::columns() {
        match named.iter().find(|(name, _)| *name == column) {
            Some((_, value)) => map.serialize_entry(column, value)?,
            None => map.serialize_entry(column, &values.get(column))?,
        }
    }
    map.end()
}
