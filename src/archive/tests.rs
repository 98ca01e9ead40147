//! Properties of the reader over every kind of file: WARC and ARC, plain, gzip and zstd, sound and damaged.

use std::io::{Read, Write};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::{Compression, write::GzEncoder};
use zstd::zstd_safe::CParameter;

use super::*;

mod properties;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>some page of more than twenty bytes</p>";

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// A frame with a checksum.
fn frame(plain: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    encoder.set_parameter(CParameter::ChecksumFlag(true)).unwrap();
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn skippable(kind: u8, payload: &[u8]) -> Vec<u8> {
    [&[kind, 0x2a, 0x4d, 0x18], &(payload.len() as u32).to_le_bytes()[..], payload].concat()
}

/// One of two dictionaries of different ids.
fn dictionary(which: usize) -> &'static [u8] {
    static TRAINED: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let trained = TRAINED.get_or_init(|| {
        ["first", "second"].map(|word| {
            let samples: Vec<_> =
                (0..400).map(|n: u32| warc(&format!("{word}{}", n * n), &PAGE.replace("page", word))).collect();
            zstd::dict::from_samples(&samples, 2048).unwrap()
        })
    });
    &trained[which % 2]
}

fn warc(id: &str, block: &str) -> Vec<u8> {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{id}>\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
    .into_bytes()
}

fn arc_claiming(id: &str, date: &str, length: usize, block: &str) -> Vec<u8> {
    format!("http://{id}/ 1.2.3.4 {date} text/html {length}\n{block}\n").into_bytes()
}

fn arc(id: &str, block: &str) -> Vec<u8> {
    arc_claiming(id, "20080430204825", block.len(), block)
}

fn filedesc() -> Vec<u8> {
    let body = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
    format!("filedesc://x.arc 0.0.0.0 20080430204825 text/plain {}\n{body}\n", body.len()).into_bytes()
}

fn events(bytes: &[u8], range: Range<u64>) -> Vec<Event> {
    records(&bytes, range, &Limits::default()).unwrap().map(Result::unwrap).collect()
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    split(events(bytes, 0..u64::MAX))
}

fn split(events: Vec<Event>) -> (Vec<Record>, Vec<Damage>) {
    let (mut kept, mut damages) = (Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Record(record) => kept.push(record),
            Event::Damage(damage) => damages.push(damage),
        }
    }
    (kept, damages)
}

/// Type, URI and block.
fn seen(record: &Record) -> (String, String, String) {
    let block = String::from_utf8_lossy(&record.block).into_owned();
    (record.header.record_type(), record.header.target_uri().unwrap_or_default().into_owned(), block)
}

#[test]
fn arc_in_every_packing() {
    let parts = [filedesc(), arc("a", PAGE), arc("b c", "text"), arc("c", "")];
    let plain = parts.concat();
    for bytes in [
        plain.clone(),
        gzip(&plain),
        parts.iter().flat_map(|part| gzip(part)).collect(),
        frame(&plain, &[]),
        parts.iter().flat_map(|part| frame(part, &[])).collect(),
    ] {
        let (kept, damages) = read(&bytes);
        let found: Vec<_> = kept.iter().map(|r| (r.header.record_type(), r.block.len())).collect();
        let want = [("warcinfo", 65), ("response", PAGE.len()), ("resource", 4), ("resource", 0)];
        assert_eq!((found, damages), (want.map(|(t, n)| (t.to_owned(), n)).to_vec(), vec![]));
        assert_eq!(kept[2].header.target_uri().as_deref(), Some("http://b%20c/"));
        assert!(kept.iter().zip(&parts).all(|(record, part)| record.to_bytes() == *part));
        for (record, part) in kept.iter().zip(&parts).filter(|(record, _)| record.length > 0) {
            assert_eq!(decompress(&bytes, record.offset, record.length).unwrap(), *part);
        }
    }
}

#[test]
fn arc_line_ends() {
    for between in ["", "\n", "\n\n\n", "\r\n", "\r\n\r\n"] {
        let text = ["a", "b", "c"].map(|id| String::from_utf8(arc(id, PAGE)).unwrap().trim_end().to_owned() + between);
        for bytes in [text.concat().into_bytes(), gzip(text.concat().as_bytes())] {
            let (kept, damages) = read(&bytes);
            assert_eq!((kept.len(), damages), (3, vec![]), "{between:?}");
            assert!(kept.iter().all(|r| r.block == PAGE.as_bytes() && !r.flags.length_mismatch), "{between:?}");
        }
    }
}

#[test]
fn arc_lengths_that_are_wrong() {
    let mut long = PAGE.to_owned();
    long.push_str(&" and more".repeat(20));
    for (claim, mismatch) in [(PAGE.len() - 5, true), (PAGE.len() + 20, true), (99_999, true), (PAGE.len(), false)] {
        let text = [arc_claiming("a", "20080430204825", claim, PAGE), arc("b", "x"), arc("c", "y")].concat();
        for bytes in [text.clone(), gzip(&text)] {
            let (kept, _) = read(&bytes);
            let last: Vec<_> = kept.iter().map(|r| r.block.len()).collect();
            assert_eq!((&last[1..], kept[0].flags.length_mismatch), (&[1, 1][..], mismatch), "{claim}");
            assert!(PAGE.as_bytes().starts_with(&kept[0].block) && kept[0].block.len() + 5 >= PAGE.len());
        }
    }
    let text = [arc("a", PAGE), arc_claiming("b", "20080430204825", 500, PAGE)].concat();
    let (kept, damages) = read(&text);
    assert_eq!((kept[1].flags.truncated, damages[0].reason), (true, DamageReason::Truncated));
    let text = [arc_claiming("a", "20080430204825", usize::MAX, PAGE), arc("b", PAGE)].concat();
    let (kept, damages) = read(&text);
    assert_eq!((kept.len(), damages[0].reason), (1, DamageReason::LengthOverLimit));
}

#[test]
fn arc_junk_is_passed_over() {
    let junk = b"no record\nhttp://x/ is no header line\n".to_vec();
    let text = [filedesc(), junk, arc("a", PAGE)].concat();
    for bytes in [text.clone(), gzip(&text)] {
        let (kept, damages) = read(&bytes);
        assert_eq!((kept.len(), damages.len(), seen(&kept[1]).2.as_str()), (2, 1, PAGE));
    }
    // Without the record that tells of the file, and with dates that are not there.
    let (kept, damages) = read(&[arc("a", PAGE), arc_claiming("b", "-", 1, "x")].concat());
    assert_eq!((kept.len(), kept[1].header.date(), damages), (2, None, vec![]));
    let (kept, _) = read(&arc_claiming("b", "-", 1, "x"));
    assert_eq!(kept.len(), 1);
    assert_eq!(detect_framing(&b"http://a/ b c d e f".as_slice()).unwrap(), Framing::Unsupported("unknown"));
}

#[test]
fn zstd_with_and_without_dictionary() {
    let (a, b) = (warc("a", PAGE), warc("b", "x"));
    for (front, used) in [
        (vec![], &[][..]),
        (skippable(0x5d, dictionary(0)), dictionary(0)),
        (skippable(0x5d, &frame(dictionary(0), &[])), dictionary(0)),
        (skippable(0x5d, dictionary(0)), &[]),
        (skippable(0x53, b"anything"), &[]),
    ] {
        let (a, b) = (frame(&a, used), frame(&b, used));
        let bytes = [&front[..], &a, &skippable(0x50, b""), &b].concat();
        assert_eq!(detect_framing(&bytes).unwrap(), Framing::Zstd);
        let (kept, damages) = read(&bytes);
        let places: Vec<_> = kept.iter().map(|r| (r.offset as usize, r.length as usize, r.flags)).collect();
        let second = front.len() + a.len() + 8;
        let want = vec![(front.len(), a.len(), Flags::default()), (second, b.len(), Flags::default())];
        assert_eq!((places, damages), (want, vec![]));
        assert_eq!(decompress(&bytes, kept[1].offset, kept[1].length).unwrap(), warc("b", "x"));
        let (rest, _) = split(events(&bytes, second as u64..u64::MAX));
        assert_eq!(rest, kept[1..]);
    }
}

#[test]
fn zstd_dictionary_in_mid_file() {
    let part = |which: usize, id: &str| {
        [skippable(0x5d, dictionary(which)), frame(&warc(id, PAGE), dictionary(which))].concat()
    };
    let bytes = [part(0, "a"), part(1, "b"), frame(&warc("c", PAGE), dictionary(1)), part(0, "d")].concat();
    let (kept, damages) = read(&bytes);
    assert_eq!((kept.len(), damages), (4, vec![]));
    for (n, record) in kept.iter().enumerate() {
        assert_eq!(split(events(&bytes, record.offset..u64::MAX)).0, kept[n..]);
    }
    // The file ends up without the dictionary that a frame names.
    let bytes = [part(0, "a"), frame(&warc("b", PAGE), dictionary(1)), frame(&warc("c", PAGE), dictionary(0))].concat();
    let (kept, damages) = read(&bytes);
    assert_eq!((kept.len(), damages.len(), damages[0].reason), (2, 1, DamageReason::MissingDictionary));
    let (kept, damages) = read(&frame(&warc("a", PAGE), dictionary(1)));
    assert_eq!((kept.len(), damages.len(), damages[0].reason), (0, 1, DamageReason::MissingDictionary));
}

/// A ZIP file whose entries are stored as they are, as in WACZ.
#[test]
fn archives_in_a_zip_file_are_not_read() {
    let bytes = [b"PK\x03\x04 archive/a.warc\n".as_slice(), &warc("a", PAGE)].concat();
    let (kept, damages) = read(&bytes);
    assert_eq!((kept.len(), damages.len(), damages[0].reason), (0, 1, DamageReason::Unsupported("zip")));
}

#[test]
fn zstd_records_and_frames() {
    let (a, b) = (warc("a", &PAGE.repeat(9)), warc("b", PAGE));
    let (kept, damages) = read(&frame(&[a.clone(), b.clone()].concat(), &[]));
    assert!(kept.len() == 2 && kept.iter().all(|r| r.flags.not_seekable && r.length == 0) && damages.is_empty());
    for size in [40, 100, 500] {
        let bytes: Vec<u8> = [&a, &b]
            .iter()
            .flat_map(|record| record.chunks(size))
            .flat_map(|piece| [frame(piece, &[]), skippable(0x51, b"x")].concat())
            .collect();
        let (kept, damages) = read(&bytes);
        assert_eq!((kept.len(), damages), (2, vec![]), "{size}");
        assert_eq!(decompress(&bytes, kept[0].offset, kept[0].length).unwrap(), a, "{size}");
    }
}

#[test]
fn zstd_checksum_is_a_flag_and_broken_blocks_are_damage() {
    let (mut a, b) = (frame(&warc("a", PAGE), &[]), frame(&warc("b", PAGE), &[]));
    let last = a.len() - 1;
    a[last] ^= 1;
    let (kept, damages) = read(&[a.clone(), b.clone()].concat());
    assert_eq!((kept.len(), kept[0].flags.bad_crc, kept[0].length, damages), (2, true, a.len() as u64, vec![]));
    // All but the window, of which more does no harm.
    for at in [4].into_iter().chain(6..last - 3) {
        let mut a = frame(&warc("a", PAGE), &[]);
        a[at] ^= 0x55;
        let (kept, damages) = read(&[a, b.clone()].concat());
        let good = kept.last().unwrap();
        assert_eq!((seen(good).2.as_str(), good.flags), (PAGE, Flags::default()), "{at}");
        assert!(!damages.is_empty() || kept[0].flags.bad_crc, "{at}: {kept:?}");
    }
}

#[test]
fn zstd_limits() {
    // A window of 256 MiB, which no block follows.
    let wide = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x90][..], &[1, 0, 0]].concat();
    let bytes = [frame(&warc("a", PAGE), &[]), wide].concat();
    let (kept, damages) = read(&bytes);
    assert_eq!((kept.len(), damages[0].reason), (1, DamageReason::WindowOverLimit));
    let other = frame(&b"not an archive".repeat(99), &[]);
    assert_eq!(detect_framing(&other).unwrap(), Framing::Unsupported("unknown"));
}

/// A header that a hole of zeros cuts off does not take the fields of the next one.
#[test]
fn a_header_ends_at_a_hole() {
    let cut = b"WARC/1.0\r\nWARC-Type: response\r\nContent-";
    let bytes = [&cut[..], &[0; 50], &warc("b", PAGE)].concat();
    let (kept, damages) = read(&bytes);
    let length = Bytes::len(cut) + 50;
    assert_eq!(kept.iter().map(|record| record.offset).collect::<Vec<_>>(), [length]);
    assert_eq!(damages, [Damage { offset: 0, length, reason: DamageReason::TruncatedHeader }]);
}

/// A file that counts the bytes that are read of it.
struct Counted<'a> {
    bytes: &'a [u8],
    read: AtomicUsize,
}

struct CountedReader<'a> {
    rest: &'a [u8],
    read: &'a AtomicUsize,
}

impl Bytes for Counted<'_> {
    fn len(&self) -> u64 {
        Bytes::len(self.bytes)
    }

    fn read_from(&self, offset: u64) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(CountedReader { rest: self.bytes.get(offset as usize..).unwrap_or_default(), read: &self.read }))
    }
}

impl Read for CountedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.rest.read(buffer)?;
        self.read.fetch_add(n, Ordering::Relaxed);
        Ok(n)
    }
}

impl BufRead for CountedReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.rest)
    }

    fn consume(&mut self, n: usize) {
        self.rest = &self.rest[n..];
        self.read.fetch_add(n, Ordering::Relaxed);
    }
}

/// A search reads a bounded number of bytes for each byte of the file: at most the first kibibyte of what may be a header.
#[test]
fn a_flood_of_version_lines_is_searched_in_linear_time() {
    for line in ["x\0WARC/1.0\n", "x\nWARC/1.0\n", "x\0WARC/1.0\nWARC-Type: a\n", "x\nWARC/1.0\nWARC-Type: a\n"] {
        let bytes = [warc("a", PAGE), line.repeat(3000).into_bytes()].concat();
        let file = Counted { bytes: &bytes, read: AtomicUsize::new(0) };
        let events = records(&file, 1..u64::MAX, &Limits::default()).unwrap();
        assert_eq!(events.count(), 0, "{line:?}");
        let times = file.read.load(Ordering::Relaxed) / bytes.len();
        assert!(times < 128, "{line:?}: each byte is read {times} times");
    }
}
