use super::*;
use crate::archive::scan::RecordFormat;
use crate::archive::{Flags, Limits, Resync};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::io::Write;

mod neighbours;

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn read_with(bytes: &[u8], options: impl Into<Options>) -> (Vec<Record>, Vec<Damage>) {
    let (mut kept, mut damages) = (Vec::new(), Vec::new());
    for event in records(&bytes, 0..u64::MAX, options).unwrap() {
        match event.unwrap() {
            Event::Record(record) => kept.push(record),
            Event::Damage(damage) => damages.push(damage),
        }
    }
    (kept, damages)
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    read_with(bytes, &Limits::default())
}

/// A record whose header claims `length` for `block`.
fn claiming(id: &str, length: &str, block: &str) -> String {
    format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{id}>\r\n{length}\r\n{block}\r\n\r\n")
}

fn record(id: &str, block: &str) -> String {
    claiming(id, &format!("Content-Length: {}\r\n", block.len()), block)
}

type Seen = (Vec<(String, String, Flags)>, Vec<DamageReason>);

/// Id, block and flags of each record, and the damages; plain and as one gzip member, which must agree.
fn both(text: &str) -> Seen {
    let see = |bytes: &[u8]| -> Seen {
        let (kept, damages) = read(bytes);
        let strip = |r: &Record| {
            let flags = Flags { not_seekable: false, ..r.flags };
            (r.header.record_id().unwrap().to_owned(), String::from_utf8(r.block.clone()).unwrap(), flags)
        };
        (kept.iter().map(strip).collect(), damages.iter().map(|d| d.reason).collect())
    };
    let plain = see(text.as_bytes());
    let packed = see(&gzip(text.as_bytes()));
    assert_eq!(plain, packed, "plain and gzip differ");
    plain
}

fn good(id: &str, block: &str) -> (String, String, Flags) {
    (format!("<{id}>"), block.to_owned(), Flags::default())
}

fn mismatch(id: &str, block: &str) -> (String, String, Flags) {
    (format!("<{id}>"), block.to_owned(), Flags { length_mismatch: true, ..Flags::default() })
}

/// A good record that was found by a search.
fn found(id: &str, block: &str) -> (String, String, Flags) {
    (format!("<{id}>"), block.to_owned(), Flags { resynchronised: true, ..Flags::default() })
}

const PAGE: &str = "HTTP/1.1 200 OK\r\n\r\n<p>some page of more than twenty bytes</p>";

#[test]
fn a_record_after_padding_is_found() {
    let text = [record("a", PAGE).as_bytes(), &[0; 200_000], record("b", PAGE).as_bytes()].concat();
    let (kept, damages) = read(&text);
    assert_eq!((kept.len(), damages.len(), damages[0].length), (2, 1, 200_000));
}

#[test]
fn two_good_records() {
    let text = record("a", PAGE) + &record("b", "");
    assert_eq!(both(&text), (vec![good("a", PAGE), good("b", "")], vec![]));
    let (kept, _) = read(text.as_bytes());
    let first = record("a", PAGE).len() as u64;
    assert_eq!((kept[0].offset, kept[0].length, kept[1].offset), (0, first, first));
    let bytes = gzip(text.as_bytes());
    let mut reader = records(&bytes, 0..u64::MAX, &Limits::default()).unwrap();
    assert!(reader.by_ref().all(|e| matches!(e, Ok(Event::Record(r)) if r.flags.not_seekable && r.length == 0)));
    assert!(!reader.seekable());
}

#[test]
fn one_member_each() {
    let (a, b) = (gzip(record("a", PAGE).as_bytes()), gzip(record("b", PAGE).as_bytes()));
    let bytes = [a.clone(), b.clone()].concat();
    let mut reader = records(&bytes, 0..u64::MAX, &Limits::default()).unwrap();
    let places: Vec<_> = reader
        .by_ref()
        .map(|event| match event.unwrap() {
            Event::Record(r) => (r.offset, r.length, r.flags),
            Event::Damage(damage) => panic!("{damage:?}"),
        })
        .collect();
    let lengths = (a.len() as u64, b.len() as u64);
    assert_eq!(places, [(0, lengths.0, Flags::default()), (lengths.0, lengths.1, Flags::default())]);
    assert!(reader.seekable());
}

#[test]
fn header_variants() {
    let text = record("a", PAGE).replace("\r\n", "\n");
    let text = text.replace(&format!("Content-Length: {}", PAGE.len()), "content-length:58");
    assert_eq!(both(&(text + &record("b", "x"))).0.len(), 2);
    for version in ["0.17", "0.18", "1.1", "1.2"] {
        let text = (record("a", PAGE) + &record("b", "x")).replace("WARC/1.0", &format!("WARC/{version}"));
        assert_eq!(both(&text), (vec![good("a", PAGE), good("b", "x")], vec![]), "{version}");
    }
    let folded = record("a", PAGE).replace("WARC-Type: response", "WARC-Type:\r\n response\r\nno colon");
    assert_eq!(both(&folded), (vec![good("a", PAGE)], vec![]));
}

#[test]
fn length_too_small() {
    let claim = format!("Content-Length: {}\r\n", PAGE.len() - 2);
    let text = claiming("a", &claim, PAGE) + &record("b", "x");
    let cut = &PAGE[..PAGE.len() - 2];
    assert_eq!(both(&text), (vec![mismatch("a", cut), found("b", "x")], vec![DamageReason::LengthMismatch]));
}

#[test]
fn length_too_big() {
    let claim = format!("Content-Length: {}\r\n", PAGE.len() + 20);
    let text = claiming("a", &claim, PAGE) + &record("b", "x") + &record("c", "y");
    assert_eq!(both(&text), (vec![mismatch("a", PAGE), found("b", "x"), good("c", "y")], vec![]));
    let claim = "Content-Length: 99999\r\n";
    let text = claiming("a", claim, PAGE) + &record("b", "x");
    assert_eq!(both(&text), (vec![mismatch("a", PAGE), found("b", "x")], vec![]));
}

#[test]
fn length_beyond_all_limits() {
    for claim in ["Content-Length: 9999999999999\r\n", "Content-Length: 999999999999999999999999\r\n"] {
        let text = claiming("a", claim, PAGE) + &record("b", "x");
        assert_eq!(both(&text), (vec![found("b", "x")], vec![DamageReason::LengthOverLimit]));
    }
    let text = claiming("a", "Content-Length: many\r\n", PAGE) + &record("b", "x");
    assert_eq!(both(&text), (vec![found("b", "x")], vec![DamageReason::BadLength]));
}

#[test]
fn line_ends_between_records() {
    let missing = record("a", PAGE).trim_end().to_owned() + &record("b", "x");
    assert_eq!(both(&missing), (vec![good("a", PAGE), good("b", "x")], vec![]));
    let extra = record("a", PAGE) + "\r\n\n \r\n" + &record("b", "x") + "\r\n\r\n\r\n";
    assert_eq!(both(&extra), (vec![good("a", PAGE), good("b", "x")], vec![]));
}

#[test]
fn junk_lines() {
    let between = record("a", PAGE) + "junk WARC/1.0\r\n" + &record("b", "x");
    assert_eq!(both(&between), (vec![good("a", PAGE), found("b", "x")], vec![DamageReason::Junk]));
    let before = "junk\r\n".to_owned() + &record("a", PAGE) + &record("b", "x");
    let (kept, damages) = read(before.as_bytes());
    assert_eq!((kept.len(), damages), (2, vec![Damage { offset: 0, length: 6, reason: DamageReason::Junk }]));
}

#[test]
fn missing_length() {
    let text = claiming("a", "", PAGE) + &record("b", "x");
    let flags = Flags { missing_length: true, ..Flags::default() };
    assert_eq!(both(&text), (vec![("<a>".into(), PAGE.into(), flags), found("b", "x")], vec![]));
    // An example of a record in a page is no record.
    let page = "HTTP/1.1 200 OK\r\n\r\n<pre>\nWARC/1.0\n\nWARC-Type: response\n</pre>";
    assert_eq!(both(&claiming("a", "", page)).0[0].1, page);
}

#[test]
fn truncated_last_record() {
    let text = record("a", PAGE) + &record("b", PAGE);
    let cut = &text[..text.len() - 20];
    let flags = Flags { truncated: true, ..Flags::default() };
    let kept = PAGE[..PAGE.len() - 16].to_owned();
    assert_eq!(both(cut), (vec![good("a", PAGE), ("<b>".into(), kept, flags)], vec![DamageReason::Truncated]));
}

#[test]
fn mark_and_padding() {
    let text = "\u{feff}".to_owned() + &record("a", PAGE) + "\0\0\0\0";
    let (kept, damages) = read(text.as_bytes());
    assert_eq!((kept.len(), kept[0].offset, damages), (1, 3, vec![]));
    let padded = [gzip(record("a", PAGE).as_bytes()), vec![0; 5000]].concat();
    let (kept, damages) = read(&padded);
    assert_eq!((kept.len(), kept[0].length, damages), (1, padded.len() as u64 - 5000, vec![]));
    let blank_first = ["\r\n\r\n".as_bytes(), &gzip(record("a", PAGE).as_bytes())].concat();
    assert_eq!((read(&blank_first).0[0].offset, read(&blank_first).1), (4, vec![]));
    assert_eq!(read(b""), (vec![], vec![]));
    assert_eq!(read(b"\r\n\0\0"), (vec![], vec![]));
}

#[test]
fn header_limits() {
    let limits = Limits { header_bytes: 4096, header_fields: 20, ..Limits::default() };
    let long = record("a", PAGE).replace("response", &"x".repeat(5000)) + &record("b", "x");
    let many =
        record("a", PAGE).replace("WARC-Type", &format!("{}WARC-Type", "a: b\r\n".repeat(20))) + &record("b", "x");
    for (text, reason) in [(long, DamageReason::HeaderTooLong), (many, DamageReason::TooManyFields)] {
        for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
            let (kept, damages) = read_with(&bytes, &limits);
            assert_eq!((kept.len(), damages.len(), damages[0].reason), (1, 1, reason));
        }
    }
}

#[test]
fn oversize_block() {
    let limits = Limits { record_bytes: 10, ..Limits::default() };
    let text = record("a", PAGE) + &record("b", "x");
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let (kept, damages) = read_with(&bytes, &limits);
        assert_eq!((kept.len(), kept[0].block.len(), kept[0].flags.oversize, damages), (2, 10, true, vec![]));
        assert_eq!((kept[1].block.len(), kept[1].flags.oversize), (1, false));
    }
    let wrong = claiming("a", "Content-Length: 70\r\n", PAGE) + &record("b", "x");
    let (kept, damages) = read_with(wrong.as_bytes(), &limits);
    assert_eq!((kept.len(), kept[0].flags.length_mismatch, damages), (2, true, vec![]));
}

#[test]
fn bad_checksum_keeps_the_record() {
    let (mut a, b) = (gzip(record("a", PAGE).as_bytes()), gzip(record("b", PAGE).as_bytes()));
    let at = a.len() - 8;
    a[at] ^= 1;
    let (kept, damages) = read(&[a, b].concat());
    assert_eq!((kept.len(), kept[0].flags.bad_crc, kept[1].flags.bad_crc, damages), (2, true, false, vec![]));
}

#[test]
fn cut_member_does_not_hide_its_neighbour() {
    let (a, b) = (gzip(record("a", &PAGE.repeat(9)).as_bytes()), gzip(record("b", PAGE).as_bytes()));
    for cut in 0..a.len() {
        let bytes = [&a[..cut], &b].concat();
        let (kept, damages) = read(&bytes);
        let last = kept.last().unwrap();
        assert_eq!((last.offset, last.length, last.flags), (cut as u64, b.len() as u64, Flags::default()), "{cut}");
        let told = damages.len() == 1 || kept[0].flags.bad_crc || cut == 0;
        assert!(told, "cut at {cut}: {damages:?}");
    }
}

/// A reader of the first record alone need not know where the next one begins.
#[test]
fn the_first_record_is_the_same_without_reading_again() {
    let (a, b) = (gzip(record("a", &PAGE.repeat(9)).as_bytes()), gzip(record("b", PAGE).as_bytes()));
    let blocks = |reader: Records<'_>| -> Vec<(u64, Vec<u8>)> {
        let kept = reader.filter_map(|event| match event.unwrap() {
            Event::Record(record) => Some((record.offset, record.block)),
            Event::Damage(_) => None,
        });
        kept.collect()
    };
    for cut in 1..=a.len() {
        let bytes = [&a[..cut], &b].concat();
        let bytes = bytes.as_slice();
        let first = || records(&bytes, 0..1, &Limits::default()).unwrap();
        assert_eq!(blocks(first().without_reread()), blocks(first()), "{cut}");
    }
}

#[test]
fn record_cut_into_members() {
    let text = record("a", PAGE) + &record("b", PAGE);
    // A version line cut in two at the start of the file would not be recognised.
    for size in [12, 50, 170, 400] {
        let bytes: Vec<u8> = text.as_bytes().chunks(size).flat_map(gzip).collect();
        let (kept, damages) = read(&bytes);
        let blocks: Vec<_> = kept.iter().map(|r| String::from_utf8_lossy(&r.block).into_owned()).collect();
        assert_eq!((blocks, damages), (vec![PAGE.to_owned(); 2], vec![]), "members of {size} bytes");
    }
}

#[test]
fn reads_through_tiny_buffers() {
    struct Trickle(Vec<u8>);
    impl Bytes for Trickle {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_from(&self, offset: u64) -> io::Result<Box<dyn io::BufRead + '_>> {
            Ok(Box::new(io::BufReader::with_capacity(3, &self.0[(offset as usize).min(self.0.len())..])))
        }
    }
    let text = record("a", PAGE) + &record("b", PAGE);
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let trickle = Trickle(bytes.clone());
        let events: Vec<_> = records(&trickle, 0..u64::MAX, &Limits::default()).unwrap().map(Result::unwrap).collect();
        let direct: Vec<_> = records(&bytes, 0..u64::MAX, &Limits::default()).unwrap().map(Result::unwrap).collect();
        assert_eq!(events, direct);
    }
}

#[test]
fn environment_errors_end_the_reading() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("disk gone"))
        }
    }
    struct Half(Vec<u8>);
    impl Bytes for Half {
        fn len(&self) -> u64 {
            self.0.len() as u64 * 2
        }
        fn read_from(&self, offset: u64) -> io::Result<Box<dyn io::BufRead + '_>> {
            let rest = self.0.get(offset as usize..).unwrap_or_default();
            Ok(Box::new(io::BufReader::new(io::Read::chain(rest, Broken))))
        }
    }
    let half = Half(record("a", &PAGE.repeat(2000)).into_bytes()[..100_000].to_vec());
    let mut reader = records(&half, 0..u64::MAX, &Limits::default()).unwrap();
    assert!(reader.any(|event| event.is_err()));
    assert!(reader.next().is_none());
}

/// Pieces that make files of the most treacherous kind.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![Just(PAGE.len() as u64), 0..200u64, Just(1 << 40), Just(u64::MAX)];
    let plain = prop_oneof![
        length.prop_map(|n| claiming("a", &format!("Content-Length: {n}\r\n"), PAGE).into_bytes()),
        Just(claiming("b", "", PAGE).into_bytes()),
        Just(record("c", &record("nested", PAGE)).into_bytes()),
        prop::collection::vec(any::<u8>(), 0..60),
        "(WARC/1.0\r?\n|WARC-Type: a\r?\n|Content-Length: [0-9]{0,3}\r?\n|\r?\n|x){0,12}".prop_map(String::into_bytes),
    ];
    prop_oneof![
        plain.clone(),
        plain.clone().prop_map(|bytes| gzip(&bytes)),
        (plain, any::<prop::sample::Index>()).prop_map(|(bytes, cut)| {
            let mut bytes = gzip(&bytes);
            bytes.truncate(cut.index(bytes.len()));
            bytes
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_files_end(pieces in prop::collection::vec(pieces(), 0..8)) {
        let bytes = pieces.concat();
        let limits = Limits { record_bytes: 100, header_bytes: 300, header_fields: 5, record_length: 1000, ..Limits::default() };
        for limits in [Limits::default(), limits] {
            let (kept, damages) = read_with(&bytes, &limits);
            let end = bytes.len() as u64;
            prop_assert!(kept.iter().all(|r| r.offset < end && r.offset + r.length <= end));
            prop_assert!(damages.iter().all(|d| d.offset < end && d.offset + d.length <= end));
            prop_assert!(kept.iter().all(|r| r.block.len() as u64 <= limits.record_bytes));
        }
    }
}
