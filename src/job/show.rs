//! `show`: the original record of a document, from its archive.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::archive::{self, Bytes, Event, Limits, Record};
use crate::document::{Document, parts};
use crate::error::{Error, Result};
use crate::page::payload;
use crate::store::archives::Archives;
use crate::store::layout::Layout;
use crate::store::tables;

/// The row of a document, by its key or its address; the first in corpus order if several match.
pub fn find(layout: &Layout, wanted: &str) -> Result<Document> {
    let key: Option<u64> = wanted.parse().ok();
    let mut shard = key.map_or(0, |key| parts(key).0);
    while layout.documents(shard).exists() {
        for document in tables::Reader::<Document>::open(&layout.documents(shard))? {
            let document = document?;
            if Some(document.doc) == key || (key.is_none() && document.url == wanted) {
                return Ok(document);
            }
        }
        if key.is_some() {
            break;
        }
        shard += 1;
    }
    Err(Error::Usage(format!("{}: no document {wanted}", layout.root().display())))
}

/// The record as it stands in its archive, decompressed: WARC header and block.
pub fn original(archives: &Archives, document: &Document) -> Result<Vec<u8>> {
    if document.length == 0 {
        return record(archives, document).map(|record| rebuilt(&record));
    }
    let stored = archives.open(&document.archive)?.slice(document.offset, document.length)?;
    if !stored.starts_with(&[0x1f, 0x8b]) {
        return Ok(stored);
    }
    let mut bytes = Vec::new();
    // A member that breaks off gives what it holds, as it did when the corpus was built.
    let _ = MultiGzDecoder::new(stored.as_slice()).read_to_end(&mut bytes);
    Ok(bytes)
}

/// The payload as stored, without WARC and HTTP headers.
pub fn payload_bytes(archives: &Archives, document: &Document) -> Result<Vec<u8>> {
    record(archives, document).map(|record| archive::parse(&record.block).body.to_vec())
}

/// The record, parsed: from its own bytes, or found in the member that holds many.
fn record(archives: &Archives, document: &Document) -> Result<Record> {
    let file = archives.open(&document.archive)?;
    let own = if document.length > 0 { file.slice(document.offset, document.length)? } else { Vec::new() };
    let (bytes, range): (&dyn Bytes, _) = match own.len() as u64 {
        0 => (&file, document.offset..document.offset + 1),
        length => (&own, 0..length),
    };
    for event in archive::records(bytes, range, &Limits::default()).map_err(file.error())? {
        let Event::Record(record) = event.map_err(file.error())? else { continue };
        let same = payload::record_id(&record) == document.record_id
            && record.header.target_uri().unwrap_or_default() == document.url;
        if same {
            return Ok(record);
        }
    }
    Err(Error::damaged(
        Path::new(&document.archive),
        format!("no record {} at offset {}", document.record_id, document.offset),
    ))
}

/// A record from a member that holds many, set together again.
fn rebuilt(record: &Record) -> Vec<u8> {
    let mut out = format!("WARC/{}\r\n", record.header.version()).into_bytes();
    for (name, value) in record.header.fields() {
        out.extend(format!("{name}: {value}\r\n").into_bytes());
    }
    out.extend(b"\r\n");
    out.extend(&record.block);
    out.extend(b"\r\n\r\n");
    out
}
