//! `show`: prints the original record of a document from its archive.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Exit;
use crate::archive::{self, Bytes, Event, Limits, Record};
use crate::document::{Document, Paragraph};
use crate::error::{Error, Result};
use crate::job::directory::archives;
use crate::key::parts;
use crate::page::payload;
use crate::stages::plan::Plan;
use crate::store::archives::{ArchiveFile, Archives};
use crate::store::layout::Layout;
use crate::store::tables;

pub const EXAMPLES: &str = "Example:\n  warcorpus show corpus http://example.org/page > record.warc";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Key (column `doc`) or address of a document
    document: String,
    /// Only the payload as stored, without WARC and HTTP headers
    #[arg(long)]
    payload: bool,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let layout = Layout::new(&arguments.corpus);
    let mut document = find(&layout, &arguments.document)?;
    // The table has no secrets of addresses, the plan does.
    if let Some(location) = location(&Plan::read(&layout)?, document.doc) {
        document.archive = location;
    }
    let archives = archives(&layout)?;
    let show = if arguments.payload { payload_bytes } else { original };
    io::stdout().write_all(&show(&archives, &document)?)?;
    Ok(Exit::Done)
}

/// The location of the archive that a document was read from.
fn location(plan: &Plan, doc: u64) -> Option<String> {
    let shard = plan.shards.get(parts(doc).0 as usize)?;
    plan.inputs.get(shard.input as usize).map(|input| input.location.clone())
}

/// Finds the row of a document by its key or its URL; the first in corpus order if several match.
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

/// All blocks of one document in page order; content paragraphs alone if the corpus has no boilerplate table.
pub fn paragraphs(layout: &Layout, doc: u64) -> Result<Vec<Paragraph>> {
    let shard = parts(doc).0;
    let boilerplate = Some(layout.boilerplate(shard)).filter(|path| path.exists());
    let mut all = Vec::new();
    for path in [layout.paragraphs(shard)].into_iter().chain(boilerplate) {
        let rows = tables::Reader::<Paragraph>::open(&path)?;
        let own = rows.skip_while(|row| row.as_ref().is_ok_and(|row| row.doc < doc));
        for row in own.take_while(|row| row.as_ref().map_or(true, |row| row.doc == doc)) {
            all.push(row?);
        }
    }
    all.sort_by_key(|row| row.index);
    Ok(all)
}

/// The record as stored in its archive, decompressed: header and block.
fn original(archives: &Archives, document: &Document) -> Result<Vec<u8>> {
    let file = archives.open(&document.archive)?;
    if document.length == 0 {
        return record(&file, document).map(|record| record.to_bytes());
    }
    archive::decompress(&file, document.offset, document.length).map_err(file.read_error())
}

/// The payload as stored, without WARC and HTTP headers.
fn payload_bytes(archives: &Archives, document: &Document) -> Result<Vec<u8>> {
    record(&archives.open(&document.archive)?, document).map(|record| archive::parse_http(&record.block).body.to_vec())
}

/// Reads and parses the record. If several records share a compressed member (`length` 0), it is searched there.
fn record(file: &ArchiveFile, document: &Document) -> Result<Record> {
    let own = match document.length {
        0 => Vec::new(),
        length => archive::decompress(file, document.offset, length).map_err(file.read_error())?,
    };
    let (bytes, range): (&dyn Bytes, _) = match own.len() as u64 {
        0 => (file, document.offset..document.offset + 1),
        length => (&own, 0..length),
    };
    for event in archive::records(bytes, range, &Limits::default()).map_err(file.read_error())? {
        let Event::Record(record) = event.map_err(file.read_error())? else { continue };
        let same = payload::record_id(&record) == document.record_id
            && record.header.target_uri().unwrap_or_default() == document.url
            && payload::captured(&record).map(|time| time.as_microsecond()) == document.captured;
        if same {
            return Ok(record);
        }
    }
    let (id, offset) = (&document.record_id, document.offset);
    Err(Error::damaged(Path::new(&document.archive), format!("no record {id} at offset {offset}")))
}
