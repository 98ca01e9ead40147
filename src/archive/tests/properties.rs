//! Sound and damaged files, read in parts and with interruptions.

use proptest::prelude::*;

use super::*;

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
