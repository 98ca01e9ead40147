//! Finds what commands show of a finished corpus: a document by its name, its paragraphs, and its record in the archive.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::notify;
use crate::archive::{self, Bytes, Event, Limits, Record};
use crate::document::{Document, DocumentName, Paragraph};
use crate::error::{Error, Result};
use crate::job::directory::archives;
use crate::key::parts;
use crate::page::payload;
use crate::stages::counters::Counts;
use crate::stages::plan::{Input, Plan};
use crate::store::archives::ArchiveFile;
use crate::store::layout::Layout;
use crate::store::tables;
use crate::store::{atomic, corpus};

/// Opens the archive of a document by the plan, which has what of its address the tables do not show.
pub fn open_archive(layout: &Layout, document: &Document) -> Result<ArchiveFile> {
    let (plan, archives) = (Plan::read(layout)?, archives(layout)?);
    match input(&plan, document.doc) {
        Some(input) => archives.open_known(&input.location, input.bytes, &input.fingerprint),
        None => archives.open(&document.archive),
    }
}

/// The archive that a document was read from.
fn input(plan: &Plan, doc: u64) -> Option<&Input> {
    let shard = plan.shards.get(parts(doc).0 as usize)?;
    plan.inputs.get(shard.input as usize)
}

/// Most documents of one address that are counted, and keys of them that are listed.
const COUNTED_CAPTURES: usize = 1000;
const LISTED_KEYS: usize = 10;

/// As [`find`], for the document that a user names: if others have its address, too, standard error says how to choose one.
pub fn find_named(layout: &Layout, wanted: &str) -> Result<Document> {
    let mut found = find_all(layout, wanted, COUNTED_CAPTURES)?;
    if let Some(note) = note_of_others(&found) {
        notify(note);
    }
    Ok(found.swap_remove(0))
}

/// What a user is told who named the first of several documents by its address.
fn note_of_others(found: &[Document]) -> Option<String> {
    let (first, others) = found.split_first().filter(|(_, others)| !others.is_empty())?;
    let count = found.len();
    let count = if count < COUNTED_CAPTURES { count.to_string() } else { format!("{count} or more") };
    let keys: Vec<String> = others.iter().take(LISTED_KEYS).map(|document| document.doc.to_string()).collect();
    let more = if others.len() > LISTED_KEYS { ", …" } else { "" };
    Some(format!(
        "{count} documents have this address or record id; the first, {}, is taken. Name another by its key ({}{more}); `explain` lists them",
        first.doc,
        keys.join(", ")
    ))
}

/// Finds the row of a document by its key, URL or record id; the first in corpus order if several match.
pub fn find(layout: &Layout, wanted: &str) -> Result<Document> {
    Ok(find_all(layout, wanted, 1)?.swap_remove(0))
}

/// At most `most` rows of documents with a key, a URL or a record id, in corpus order: at least one.
///
/// # Errors
/// [`Error::Usage`] if there is none, with what is known about it.
pub fn find_all(layout: &Layout, wanted: &str, most: usize) -> Result<Vec<Document>> {
    // WARC writes record ids in angle brackets.
    let wanted = wanted.trim_start_matches('<').trim_end_matches('>');
    if wanted.is_empty() {
        return Err(Error::Usage("name a document by its key, its address or its record id".into()));
    }
    let found = match wanted.parse() {
        Ok(key) => by_key(layout, key)?.into_iter().collect(),
        Err(_) => by_name(layout, wanted, most)?,
    };
    if !found.is_empty() {
        return Ok(found);
    }
    let why = why_no_document(layout, wanted)?;
    Err(Error::Usage(format!("{}: no document {wanted}{why}", layout.root().display())))
}

fn by_key(layout: &Layout, key: u64) -> Result<Option<Document>> {
    let shard = parts(key).0;
    if shard >= corpus::shards(layout)? {
        return Ok(None);
    }
    let first = tables::Reader::<Document>::open_at(&layout.documents(shard), key)?.next().transpose()?;
    Ok(first.filter(|document| document.doc == key))
}

/// By address or by record id.
fn by_name(layout: &Layout, wanted: &str, most: usize) -> Result<Vec<Document>> {
    let mut found = Vec::new();
    for shard in 0..corpus::shards(layout)? {
        for name in tables::Reader::<DocumentName>::open(&layout.documents(shard))? {
            let name = name?;
            if name.url == wanted || name.record_id == wanted {
                found.extend(by_key(layout, name.doc)?);
                if found.len() == most {
                    return Ok(found);
                }
            }
        }
    }
    Ok(found)
}

/// A line of `rejects.jsonl`.
#[derive(Deserialize)]
struct Rejected {
    archive: String,
    offset: u64,
    reason: String,
    #[serde(default)]
    record_id: String,
    #[serde(default)]
    url: String,
}

/// The part of `stats.json` about records that became no document.
#[derive(Deserialize)]
struct NoPages {
    no_page: Counts,
}

/// What the lists of the job say about a record that became no document.
fn why_no_document(layout: &Layout, wanted: &str) -> Result<String> {
    let rejects = File::open(layout.rejects()).map(BufReader::new);
    for line in rejects.into_iter().flat_map(BufRead::lines) {
        let line = line.map_err(Error::io("read", &layout.rejects()))?;
        let Ok(reject) = serde_json::from_str::<Rejected>(&line) else { continue };
        if reject.url == wanted || reject.record_id == wanted {
            let Rejected { archive, offset, reason, .. } = reject;
            return Ok(format!("; the record in {archive} at offset {offset} was no page: {reason}"));
        }
    }
    let is_key = wanted.parse::<u64>().is_ok();
    if !is_key && !wanted.contains("://") && !wanted.starts_with("urn:") {
        return Ok("; give the whole address, with https://".into());
    }
    let stats = atomic::read(&layout.stats())?.and_then(|text| serde_json::from_str::<NoPages>(&text).ok());
    let counts = stats.map(|stats| stats.no_page).unwrap_or_default();
    let counts: Vec<String> = counts.iter().map(|(reason, n)| format!("{n} {reason}")).collect();
    Ok(match counts.is_empty() {
        true => String::new(),
        false => format!("; it was not in the input, or its record was no page ({})", counts.join(", ")),
    })
}

/// All blocks of one document in page order; content paragraphs alone if the corpus has no boilerplate table.
pub fn paragraphs(layout: &Layout, doc: u64) -> Result<Vec<Paragraph>> {
    let shard = parts(doc).0;
    let boilerplate = layout.optional(layout.boilerplate(shard))?;
    let mut all = Vec::new();
    for path in [layout.paragraphs(shard)].into_iter().chain(boilerplate) {
        let rows = tables::Reader::<Paragraph>::open_at(&path, doc)?;
        for row in rows.take_while(|row| row.as_ref().map_or(true, |row| row.doc == doc)) {
            all.push(row?);
        }
    }
    all.sort_by_key(|row| row.index);
    Ok(all)
}

/// What a message adds to the representative of duplicates that is not in the corpus itself.
pub fn fate_of_keeper(document: &Document) -> String {
    if document.kept { String::new() } else { format!(" (dropped itself: {})", document.drop_reason) }
}

/// Reads and parses the record, with the options of the job (`Config::reading`): with others it may be damage, or have
/// another block. If several records share a compressed member (`length` 0), it is searched there: of those with its id,
/// address and time, the first with its payload.
pub fn record(file: &ArchiveFile, document: &Document, reading: archive::Options) -> Result<Record> {
    let own = match document.length {
        0 => Vec::new(),
        length => archive::decompress(file, document.offset, length).map_err(file.read_error())?,
    };
    let (bytes, range): (&dyn Bytes, _) = match own.len() as u64 {
        0 => (file, document.offset..document.offset + 1),
        length => (&own, 0..length),
    };
    let mut first = None;
    for event in archive::records(bytes, range, reading).map_err(file.read_error())? {
        let Event::Record(record) = event.map_err(file.read_error())? else { continue };
        let same = payload::record_id(&record) == document.record_id
            && record.header.target_uri().unwrap_or_default() == document.url
            && payload::captured(&record).map(|time| time.as_microsecond()) == document.captured;
        if !same {
            continue;
        }
        if has_payload(&record, document, reading.limits) {
            return Ok(record);
        }
        first.get_or_insert(record);
    }
    first.ok_or_else(|| {
        let (id, offset) = (&document.record_id, document.offset);
        Error::damaged(
            Path::new(&document.archive),
            format!("no record {id} at offset {offset}: it is not the archive that the corpus was made from"),
        )
    })
}

/// Whether a record has the payload that a document was made of. With other limits than those of the job, none may.
fn has_payload(record: &Record, document: &Document, limits: Limits) -> bool {
    let options = payload::Options { limits, ..payload::Options::default() };
    payload::payload(record, &options).is_ok_and(|payload| {
        payload.digest == document.payload_digest && payload.bytes.len() as u64 == document.payload_bytes
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::config::Config;
    use crate::store::archives::Archives;

    #[test]
    fn several_documents_of_an_address_are_told() {
        let documents = |keys: std::ops::Range<u64>| -> Vec<Document> {
            keys.map(|doc| Document { doc, ..Document::default() }).collect()
        };
        assert_eq!(note_of_others(&documents(7..8)), None);
        assert_eq!(
            note_of_others(&documents(7..10)).unwrap(),
            "3 documents have this address or record id; the first, 7, is taken. Name another by its key (8, 9); `explain` lists them"
        );
        let many = note_of_others(&documents(0..1000)).unwrap();
        assert!(many.starts_with("1000 or more documents") && many.contains("9, 10, …)"), "{many}");
    }

    /// Without record ids, as in ARC files, several captures of an address may have one second.
    #[test]
    fn records_that_agree_in_address_and_time_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let response = |text: &str| {
            let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}");
            format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
        };
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(["first", "second", "third"].map(response).concat().as_bytes()).unwrap();
        std::fs::write(&path, encoder.finish().unwrap()).unwrap();
        let location = path.display().to_string();
        let archives = Archives::new(Config::default().archives(), &Layout::new("out"), Path::new(""));
        let file = archives.open(&location).unwrap();
        let reading = Config::default().reading();
        let mut blocks = Vec::new();
        for event in archive::records(&file, 0..u64::MAX, reading).unwrap() {
            let Event::Record(stored) = event.unwrap() else { panic!("the file is sound") };
            let payload = payload::payload(&stored, &payload::Options::default()).unwrap();
            let document = Document {
                archive: location.clone(),
                payload_digest: payload.digest.clone(),
                payload_bytes: payload.bytes.len() as u64,
                ..Document::default()
            };
            assert_eq!(record(&file, &document, reading).unwrap().block, stored.block);
            blocks.push(stored.block.clone());
        }
        let unknown = Document { archive: location, ..Document::default() };
        assert_eq!((blocks.len(), record(&file, &unknown, reading).unwrap().block), (3, blocks.swap_remove(0)));
    }
}
