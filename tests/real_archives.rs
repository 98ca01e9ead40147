//! The archive layer on real WARC files, sound and broken ones, against what two other readers count.

use std::fs;

use proptest::prelude::*;
use warcorpus::archive::{
    Damage, Event, Limits, Record, Records, decode_body, decompress, parse_http, records, records_from, resume,
};

use crate::common::shared;

/// Files for which the manifest's counts are not the right ones: (file, records, responses, why).
const DEVIATIONS: &[(&str, usize, usize, &str)] = &[
    ("jhove__invalid-warcheaderversion-2.warc", 0, 0, NO_HEADER),
    ("jhove__invalid-warcheaderversion-3.warc", 0, 0, NO_HEADER),
    ("jhove__invalid-warcheaderversion-7.warc", 0, 0, NO_HEADER),
    ("jhove__invalid-warcheaderversion-24.warc", 0, 0, NO_HEADER),
    ("jhove__invalid-warcheaderversion-11.warc", 0, 0, "the version line is WARC/1.0.1, which is no WARC/d.d"),
    ("jhove__invalid-warcreader-diagnosis-1.warc", 0, 0, "a few bytes and a header that breaks off"),
];

const NO_HEADER: &str = "a version line and no blank line after it: the header is not there";

struct Entry {
    file: String,
    bytes: Vec<u8>,
    records: usize,
    responses: usize,
}

/// All files of the manifest.
fn entries() -> Vec<Entry> {
    let Some(directory) = shared("warc") else { return Vec::new() };
    let manifest = fs::read_to_string(directory.join("MANIFEST.tsv")).unwrap();
    let entry = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        Entry {
            file: columns[0].to_owned(),
            bytes: fs::read(directory.join(columns[0])).unwrap(),
            records: columns[7].parse().unwrap(),
            responses: columns[8].parse().unwrap(),
        }
    };
    manifest.lines().skip(1).map(entry).collect()
}

fn split(reader: &mut Records<'_>) -> (Vec<Record>, Vec<Damage>) {
    let (mut kept, mut damages) = (Vec::new(), Vec::new());
    for event in reader {
        match event.unwrap() {
            Event::Record(record) => kept.push(record),
            Event::Damage(damage) => damages.push(damage),
        }
    }
    (kept, damages)
}

fn read_all(bytes: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    split(&mut records(&bytes, 0..u64::MAX, &Limits::default()).unwrap())
}

/// As the manifest counts them: every ARC record but the one that tells of the file is a response.
fn responses(records: &[Record]) -> usize {
    let arc = |record: &Record| record.header.arc_line().is_some() && record.header.record_type() == "resource";
    records.iter().filter(|record| record.header.record_type() == "response" || arc(record)).count()
}

#[test]
fn finds_what_other_readers_count() {
    let mut wrong = Vec::new();
    for entry in entries() {
        let (records, _) = read_all(&entry.bytes);
        let found = (records.len(), responses(&records));
        match DEVIATIONS.iter().find(|deviation| deviation.0 == entry.file) {
            Some(&(_, records, responses, _)) if found == (records, responses) => {}
            None if found.0 >= entry.records && found.1 >= entry.responses => {}
            _ => {
                wrong.push(format!("{}: found {found:?}, manifest {:?}", entry.file, (entry.records, entry.responses)))
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The slice that a record names holds that record and nothing else.
#[test]
fn offsets_are_exact() {
    for entry in entries() {
        for record in read_all(&entry.bytes).0 {
            let flags = record.flags;
            if flags.truncated || flags.not_seekable || flags.bad_crc || flags.length_mismatch {
                continue;
            }
            let plain = decompress(&entry.bytes, record.offset, record.length).unwrap();
            let (again, damages) = read_all(&plain);
            assert_eq!(again.len(), 1, "{} at {}", entry.file, record.offset);
            assert_eq!((&again[0].header, &again[0].block), (&record.header, &record.block), "{}", entry.file);
            assert_eq!(damages, [], "{} at {}", entry.file, record.offset);
        }
    }
}

/// Damages side by side as one: where they join, the first reason stays, and shards see another first.
fn merged(damages: Vec<Damage>) -> Vec<Damage> {
    let mut out: Vec<Damage> = Vec::new();
    for damage in damages {
        match out.last_mut() {
            Some(last) if last.length > 0 && damage.length > 0 && last.offset + last.length == damage.offset => {
                last.length += damage.length;
            }
            _ => out.push(damage),
        }
    }
    out
}

/// Without the mark of records that a search found: the first record of a shard never has it, because only the shard before
/// knows. The unit tests of `archive` count the marks.
fn unmarked((mut records, damages): (Vec<Record>, Vec<Damage>)) -> (Vec<Record>, Vec<Damage>) {
    records.iter_mut().for_each(|record| record.flags.resynchronised = false);
    (records, damages)
}

/// Reads shard by shard. One that did not begin where the one before ended is read again from there, as in a job.
fn assert_partition(file: &str, bytes: &[u8], cuts: &[u64]) {
    let whole = unmarked(read_all(bytes));
    let (mut kept, mut damages) = (Vec::new(), Vec::new());
    let (mut from, mut expected) = (0, 0);
    for &to in cuts.iter().chain([&(bytes.len() as u64)]) {
        let range = from..to.max(from);
        let mut reader = records(&bytes, range.clone(), &Limits::default()).unwrap();
        let mut part = split(&mut reader);
        if !reader.border().begins_at(expected, &range) {
            reader = records_from(&bytes, range.clone(), &Limits::default(), expected).unwrap();
            part = split(&mut reader);
        }
        expected = reader.border().next.unwrap_or(expected);
        let part = unmarked(part);
        kept.extend(part.0);
        damages.extend(part.1);
        from = range.end;
    }
    assert_eq!(kept.len(), whole.0.len(), "{file} cut at {cuts:?}");
    assert!(kept == whole.0, "{file} cut at {cuts:?}: same number of records, other content");
    assert_eq!(merged(damages), merged(whole.1), "{file} cut at {cuts:?}");
}

/// Cuts at, just before and just after every record and damage: where ownership changes hands.
#[test]
fn shards_split_at_every_border() {
    for entry in entries().iter().filter(|entry| entry.bytes.len() < 100_000) {
        let (records, damages) = read_all(&entry.bytes);
        let spans = records.iter().map(|r| (r.offset, r.length)).chain(damages.iter().map(|d| (d.offset, d.length)));
        let mut cuts: Vec<u64> = spans
            .flat_map(|(offset, length)| [offset, offset + length])
            .flat_map(|at| [at.saturating_sub(1), at, at + 1])
            .filter(|&at| at < entry.bytes.len() as u64)
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        for &cut in &cuts {
            assert_partition(&entry.file, &entry.bytes, &[cut]);
        }
        assert_partition(&entry.file, &entry.bytes, &cuts);
    }
}

#[test]
fn shards_split_anywhere_in_small_files() {
    for entry in entries().iter().filter(|entry| entry.bytes.len() < 3000) {
        for cut in 0..=entry.bytes.len() as u64 {
            assert_partition(&entry.file, &entry.bytes, &[cut]);
        }
    }
}

#[test]
fn shards_split_at_random() {
    let entries = entries();
    if entries.is_empty() {
        return;
    }
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(256));
    let input = (any::<prop::sample::Index>(), prop::collection::vec(any::<prop::sample::Index>(), 1..9));
    let outcome = runner.run(&input, |(file, cuts)| {
        let entry = &entries[file.index(entries.len())];
        let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(entry.bytes.len() + 1) as u64).collect();
        cuts.sort_unstable();
        assert_partition(&entry.file, &entry.bytes, &cuts);
        Ok(())
    });
    outcome.unwrap();
}

/// Real files with bytes overwritten: nothing panics or hangs, and shards still agree with the whole.
#[test]
fn damaged_at_random() {
    let entries: Vec<Entry> = entries().into_iter().filter(|entry| (1..60_000).contains(&entry.bytes.len())).collect();
    if entries.is_empty() {
        return;
    }
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(512));
    let place = (any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..40));
    let input =
        (any::<prop::sample::Index>(), prop::collection::vec(place, 1..6), any::<prop::sample::Index>(), any::<bool>());
    let outcome = runner.run(&input, |(file, places, cut, remove)| {
        let entry = &entries[file.index(entries.len())];
        let mut bytes = entry.bytes.clone();
        for (at, with) in places {
            let at = at.index(bytes.len() + 1);
            let end = bytes.len().min(at + with.len());
            let with = if remove { Vec::new() } else { with[..end - at].to_vec() };
            bytes.splice(at..end, with);
        }
        assert_partition(&entry.file, &bytes, &[cut.index(bytes.len() + 1) as u64]);
        Ok(())
    });
    outcome.unwrap();
}

/// Cut short at each of its last 200 bytes, a file gives no fewer records than those that are still whole.
#[test]
fn cut_at_each_of_the_last_bytes() {
    for entry in entries().iter().filter(|entry| entry.bytes.len() < 100_000) {
        let whole = read_all(&entry.bytes).0;
        let length = entry.bytes.len();
        for cut in length.saturating_sub(200)..length {
            let (kept, _) = read_all(&entry.bytes[..cut]);
            let intact = whole.iter().filter(|r| r.length > 0 && r.offset + r.length <= cut as u64).count();
            assert!(kept.len() >= intact, "{} cut to {cut}", entry.file);
        }
    }
}

fn sha1_hex(bytes: &[u8]) -> String {
    use sha1::{Digest, Sha1};
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn content_codings_give_the_expected_payloads() {
    let Some(directory) = shared("warc") else { return };
    let expected = fs::read_to_string(directory.join("derived__content-encodings.expected.jsonl")).unwrap();
    let archive = fs::read(directory.join("derived__content-encodings.warc.gz")).unwrap();
    let (records, _) = read_all(&archive);
    assert_eq!(expected.lines().count(), records.len());
    for (line, record) in expected.lines().zip(&records) {
        let want: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(record.header.target_uri().as_deref(), want["url"].as_str());
        let http = parse_http(&record.block);
        let body = decode_body(&http, &Limits::default());
        let names: Vec<_> = body.faults.iter().map(|fault| fault.name()).collect();
        match want["kind"].as_str().unwrap() {
            // `decoded_*` tell of the payload before it was cut.
            "gzip-truncated" => {
                assert_eq!(names, ["coding_truncated"], "{line}");
                assert!(body.bytes.len() as u64 * 3 > want["decoded_bytes"].as_u64().unwrap(), "{line}");
            }
            kind => {
                assert_eq!(sha1_hex(&body.bytes), want["decoded_sha1"].as_str().unwrap(), "{line} {names:?}");
                assert_eq!(names.is_empty(), !kind.starts_with("mislabelled"), "{line} {names:?}");
            }
        }
    }
}

/// Stopped after any number of events, reading goes on elsewhere with the next one.
#[test]
fn reading_may_stop_anywhere() {
    for entry in entries().iter().filter(|entry| entry.bytes.len() < 300_000) {
        let limits = Limits::default();
        let whole: Vec<Event> = records(&entry.bytes, 0..u64::MAX, &limits).unwrap().map(Result::unwrap).collect();
        for stop in [0, 1, 2, whole.len() / 2, whole.len().saturating_sub(1), whole.len()] {
            let mut first = records(&entry.bytes, 0..u64::MAX, &limits).unwrap();
            let taken = first.by_ref().take(stop).count();
            let rest = resume(&entry.bytes, 0..u64::MAX, &limits, &first.position()).unwrap();
            let rest: Vec<Event> = rest.map(Result::unwrap).collect();
            assert!(rest == whole[taken..], "{} after {stop}", entry.file);
        }
    }
}
