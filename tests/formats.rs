//! The same records in every container: the samples in ARC and zstd, and real pages in gzip and zstd.

use std::fs;

use warcorpus::archive::{Event, Framing, Limits, Record, decompress, detect_framing, records};

use crate::common::{self, shared};

fn sample(name: &str) -> Vec<u8> {
    fs::read(common::sample(name)).unwrap()
}

/// All records; there must be no damage.
fn read(bytes: &[u8]) -> Vec<Record> {
    let sound = |event| match event {
        Event::Record(record) => record,
        Event::Damage(damage) => panic!("{damage:?}"),
    };
    records(&bytes, 0..u64::MAX, &Limits::default()).unwrap().map(Result::unwrap).map(sound).collect()
}

#[test]
fn samples_hold_the_records_of_web_warc() {
    let web = read(&sample("web.warc.gz"));
    let same = |record: &Record| {
        web.iter().any(|w| w.header.target_uri() == record.header.target_uri() && w.block == record.block)
    };
    let arc = read(&sample("sample.arc.gz"));
    let types: Vec<String> = arc.iter().map(|record| record.header.record_type()).collect();
    assert_eq!((types[0].as_str(), types[1].as_str(), types.len()), ("warcinfo", "resource", 14));
    assert!(types[2..].iter().all(|kind| kind == "response"));
    assert!(arc[2..].iter().all(same));
    assert_eq!(arc[2].header.date(), Some("2025-11-01T04:00:21Z"));

    let bytes = sample("sample.warc.zst");
    assert_eq!(detect_framing(&bytes).unwrap(), Framing::Zstd);
    let zst = read(&bytes);
    assert_eq!(zst.len(), 13);
    for record in &zst {
        assert!(web.iter().any(|w| w.header == record.header && w.block == record.block));
        let unpacked = decompress(&bytes, record.offset, record.length).unwrap();
        assert_eq!(read(&unpacked)[0].block, record.block);
    }
}

/// zstd with and without dictionary, and one gzip member for all: the same pages.
#[test]
fn derived_files_agree() {
    let Some(directory) = shared("warc") else { return };
    let of = |name: &str| -> Vec<_> {
        let file = format!("derived__{name}");
        read(&fs::read(directory.join(file)).unwrap())
            .into_iter()
            .filter(|record| record.header.record_type() == "response")
            .map(|record| (record.header.target_uri().map(|uri| uri.into_owned()), record.block))
            .collect()
    };
    let whole = of("wholefile.warc.gz");
    assert_eq!(whole.len(), 16);
    assert_eq!(of("perrecord.warc.zst"), whole);
    assert_eq!(of("dictionary.warc.zst"), whole);
}
