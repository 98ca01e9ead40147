//! Properties of the reader over every kind of file: WARC and ARC, plain, gzip and zstd, sound and damaged.

use std::io::{Read, Write};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use zstd::zstd_safe::CParameter;

use super::*;

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

/// Every kind of file that a record may come in.
#[derive(Debug, Clone, Copy)]
enum Packing {
    Plain,
    Gzip,
    WholeGzip,
    Zstd,
    WholeZstd,
    Dictionary,
    Dictionaries,
}

fn packing() -> impl Strategy<Value = Packing> {
    use Packing::*;
    prop::sample::select(vec![Plain, Gzip, WholeGzip, Zstd, WholeZstd, Dictionary, Dictionaries])
}

fn pack(packing: Packing, parts: &[Vec<u8>]) -> Vec<u8> {
    let each = |pack: &dyn Fn(&[u8]) -> Vec<u8>| parts.iter().flat_map(|part| pack(part)).collect();
    match packing {
        Packing::Plain => parts.concat(),
        Packing::Gzip => each(&gzip),
        Packing::WholeGzip => gzip(&parts.concat()),
        Packing::Zstd => each(&|part| frame(part, &[])),
        Packing::WholeZstd => frame(&parts.concat(), &[]),
        Packing::Dictionary => {
            let rest: Vec<u8> = each(&|part| frame(part, dictionary(0)));
            [skippable(0x5d, dictionary(0)), rest].concat()
        }
        // Two of them: of different dictionaries of one id, which damage can make, only the leading one counts.
        Packing::Dictionaries => parts
            .chunks(parts.len().div_ceil(2))
            .enumerate()
            .flat_map(|(n, parts)| {
                let rest = parts.iter().flat_map(|part| frame(part, dictionary(n)));
                skippable(0x5d, dictionary(n)).into_iter().chain(rest).collect::<Vec<u8>>()
            })
            .collect(),
    }
}

/// Records with blocks that hold no records, lengths right and wrong, and what may stand between.
fn parts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let block = "(<p>|\\r?\\n|HTTP/1.1 200 OK\r\n|some text |WARC/1|http://a/ ){0,40}";
    let length = prop_oneof![3 => Just(None), 1 => (0..300usize).prop_map(Some), 1 => Just(Some(1 << 40))];
    let date = prop_oneof![Just("20080430204825"), Just("-"), Just("200804302048")];
    let record = (any::<bool>(), block, length, date);
    (any::<bool>(), prop::collection::vec(record, 1..9), "(junk|\\n| |x\\r\\n){0,4}").prop_map(
        |(is_arc, records, junk)| {
            let one = |(rare, block, length, date): (bool, String, Option<usize>, &str)| {
                let claim = length.unwrap_or(block.len());
                match (is_arc, rare) {
                    (true, false) => arc(&"u".repeat(block.len() % 7 + 1), &block),
                    (true, true) => arc_claiming("v", date, claim, &block),
                    (false, false) => warc("w", &block),
                    (false, true) => {
                        let length = format!("Content-Length: {}", block.len());
                        let text = String::from_utf8(warc("w", &block)).unwrap();
                        text.replace(&length, &format!("Content-Length: {claim}")).into_bytes()
                    }
                }
            };
            let mut parts: Vec<Vec<u8>> = records.into_iter().map(one).collect();
            if is_arc {
                parts.insert(0, filedesc());
            }
            parts.push(junk.into_bytes());
            parts
        },
    )
}

/// A change to a file: bytes overwritten, removed or put in.
type Change = (prop::sample::Index, Vec<u8>, u8);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20),
        Just(vec![0x28, 0xb5, 0x2f, 0xfd]),
        Just(vec![0x5d, 0x2a, 0x4d, 0x18, 9, 0, 0, 0]),
        Just(vec![0x1f, 0x8b, 8, 0]),
        Just(b"\nWARC/1.0\r\n".to_vec()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), bytes, 0..3u8), 0..4)
}

fn apply(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for (at, with, how) in changes {
        let at = at.index(bytes.len() + 1);
        let end = bytes.len().min(at + with.len());
        match how {
            0 => drop(bytes.splice(at..end, with[..end - at].to_vec())),
            1 => drop(bytes.splice(at..end, [])),
            _ => drop(bytes.splice(at..at, with.iter().copied())),
        }
    }
    bytes
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

/// Takes the mark from records that a search found, and counts them. The first record of a shard is not marked: the shard
/// before knows.
fn unmark(records: &mut [Record]) -> usize {
    records.iter_mut().map(|record| usize::from(std::mem::take(&mut record.flags.resynchronised))).sum()
}

/// Reads shard by shard. One that did not begin where the one before ended is read again from there, as the stage
/// `borders` does.
fn assert_partition(bytes: &[u8], cuts: &[u64]) {
    let mut whole = read(bytes);
    let (mut kept, mut damages, mut searched) = (Vec::new(), Vec::new(), 0);
    let (mut from, mut expected) = (0, 0);
    for &to in cuts.iter().chain([&(bytes.len() as u64)]) {
        let range = from..to.max(from);
        let limits = Limits::default();
        let mut reader = records(&bytes, range.clone(), &limits).unwrap();
        let mut part = split(reader.by_ref().map(Result::unwrap).collect());
        if !reader.border().begins_at(expected, &range) {
            reader = records_from(&bytes, range.clone(), &limits, expected).unwrap();
            part = split(reader.by_ref().map(Result::unwrap).collect());
        }
        expected = reader.border().next.unwrap_or(expected);
        searched += usize::from(reader.border().searched);
        kept.extend(part.0);
        damages.extend(part.1);
        from = range.end;
    }
    assert_eq!(unmark(&mut kept) + searched, unmark(&mut whole.0), "cut at {cuts:?}");
    assert!(kept == whole.0, "cut at {cuts:?}: {} records, {} in one go", kept.len(), whole.0.len());
    assert_eq!(merged(damages), merged(whole.1), "cut at {cuts:?}");
}

/// Reads `n` events, stops, goes on elsewhere.
fn assert_resumes(bytes: &[u8], range: Range<u64>, n: usize, limits: &Limits) {
    let bytes = &bytes;
    let whole: Vec<Event> = records(bytes, range.clone(), limits).unwrap().map(Result::unwrap).collect();
    let mut first = records(bytes, range.clone(), limits).unwrap();
    let mut parts: Vec<Event> = first.by_ref().take(n).map(Result::unwrap).collect();
    let position = first.position();
    let text = serde_json::to_string(&position).unwrap();
    let mut second = resume(bytes, range.clone(), limits, &serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(second.position(), position);
    parts.extend(second.by_ref().map(Result::unwrap));
    assert!(parts == whole, "{range:?} stopped after {n}, {text}: {} events of {}", parts.len(), whole.len());
    let mut unbroken = records(bytes, range, limits).unwrap();
    unbroken.by_ref().for_each(drop);
    assert_eq!(second.seekable(), unbroken.seekable());
}

/// Small enough to be met.
fn tight() -> Limits {
    Limits { record_bytes: 100, header_bytes: 300, header_fields: 5, record_length: 1000, ..Limits::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn any_partition_gives_the_same(
        parts in parts(),
        packing in packing(),
        changes in changes(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let bytes = apply(pack(packing, &parts), &changes);
        let mut cuts: Vec<u64> = cuts.iter().map(|cut| cut.index(bytes.len() + 1) as u64).collect();
        cuts.sort_unstable();
        // A wrong length may lead to a sound end all the same: then a record holds others, the one gap there is.
        let header = |part: &[u8], block: &[u8]| memchr::memmem::find(block, part).is_some();
        let holds_others = |block: &[u8]| header(b"WARC-Type", block) || header(b" 20080430204825 ", block);
        prop_assume!(!read(&bytes).0.iter().any(|record| holds_others(&record.block)));
        assert_partition(&bytes, &cuts);
    }

    #[test]
    fn reading_may_stop_anywhere(
        parts in parts(),
        packing in packing(),
        changes in changes(),
        range in any::<(prop::sample::Index, prop::sample::Index)>(),
        whole in any::<bool>(),
        n in 0..12usize,
    ) {
        let bytes = apply(pack(packing, &parts), &changes);
        let (from, to) = (range.0.index(bytes.len() + 1) as u64, range.1.index(bytes.len() + 1) as u64);
        let range = if whole { 0..u64::MAX } else { from.min(to)..to.max(from) };
        for limits in [Limits::default(), tight()] {
            assert_resumes(&bytes, range.clone(), n, &limits);
        }
    }

    #[test]
    fn mixtures_end_and_resume(
        pieces in prop::collection::vec((packing(), parts()), 1..4),
        changes in changes(),
        n in 0..12usize,
    ) {
        let bytes: Vec<u8> = pieces.iter().flat_map(|(packing, parts)| pack(*packing, parts)).collect();
        let bytes = apply(bytes, &changes);
        let end = bytes.len() as u64;
        for limits in [Limits::default(), tight()] {
            for event in records(&bytes, 0..u64::MAX, &limits).unwrap() {
                let (offset, length) = match event.unwrap() {
                    Event::Record(record) => {
                        prop_assert!(record.block.len() as u64 <= limits.record_bytes);
                        decompress(&bytes, record.offset, record.length).unwrap();
                        (record.offset, record.length)
                    }
                    Event::Damage(damage) => (damage.offset, damage.length),
                };
                prop_assert!(offset < end && offset + length <= end);
            }
            assert_resumes(&bytes, 0..u64::MAX, n, &limits);
        }
    }
}

/// Cut short at each of its last 200 bytes, a file gives every record that is still whole.
#[test]
fn cut_at_each_of_the_last_bytes() {
    let warcs: Vec<_> = ["a", "b", "c", "d"].map(|id| warc(id, PAGE)).to_vec();
    let arcs: Vec<_> = ["a", "b", "c", "d"].map(|id| arc(id, PAGE)).to_vec();
    use Packing::*;
    for packing in [Plain, Gzip, WholeGzip, Zstd, WholeZstd, Dictionary, Dictionaries] {
        for parts in [&warcs, &arcs] {
            let bytes = pack(packing, parts);
            let whole = read(&bytes).0;
            assert_eq!(whole.len(), 4, "{packing:?}");
            for cut in bytes.len().saturating_sub(200)..bytes.len() {
                let (kept, damages) = read(&bytes[..cut]);
                let intact = whole.iter().filter(|r| r.length > 0 && r.offset + r.length <= cut as u64).count();
                assert!(kept.len() >= intact, "{packing:?} cut to {cut}");
                // Line ends may go unnoticed.
                let between = whole.iter().any(|r| (r.offset.saturating_sub(4)..=r.offset).contains(&(cut as u64)));
                let told = kept.len() == 4 || !damages.is_empty() || between;
                let told = told || kept.iter().any(|r| r.flags.bad_crc);
                assert!(told, "{packing:?} cut to {cut}");
                assert_partition(&bytes[..cut], &[cut as u64 / 2]);
                assert_resumes(&bytes[..cut], 0..u64::MAX, 2, &Limits::default());
            }
        }
    }
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
