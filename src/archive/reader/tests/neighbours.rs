//! Records beside damage: what a broken one costs the next.

use super::*;

/// A member that gives more than the file may spare is left; the record in the member after it is read.
#[test]
fn a_bomb_is_left_and_its_neighbour_is_read() {
    let bytes = [gzip(&vec![0; 30 << 20]), gzip(record("b", PAGE).as_bytes())].concat();
    let mut reader = records(&bytes, 0..u64::MAX, &Limits::default()).unwrap();
    reader.parser.stream.set_spare(1 << 20);
    let events: Vec<Event> = reader.by_ref().map(Result::unwrap).collect();
    let [Event::Damage(damage), Event::Record(record)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((damage.reason, record.block.as_slice()), (DamageReason::Expansion, PAGE.as_bytes()));
    assert_eq!(damage.length + record.length, bytes.len() as u64);
    assert_eq!(reader.position().spare, 0);
}

/// An archive that a server sent, stored in a member that is cut short or damaged, gives no record.
#[test]
fn members_inside_a_broken_member_are_content() {
    let inner: Vec<u8> = (0..5).flat_map(|n| gzip(record(&format!("forged{n}"), PAGE).as_bytes())).collect();
    let head = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", inner.len());
    let plain = [head.as_bytes(), &inner, b"\r\n\r\n"].concat();
    let gzipped = {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
        encoder.write_all(&plain).unwrap();
        encoder.finish().unwrap()
    };
    let after = gzip(record("b", PAGE).as_bytes());
    let mut wrong = gzipped.clone();
    *wrong.last_mut().unwrap() ^= 1;
    for broken in [gzipped[..gzipped.len() - 9].to_vec(), wrong] {
        let (kept, _) = read(&[broken.clone(), after.clone()].concat());
        let ids: Vec<_> = kept.iter().filter_map(|record| record.header.record_id()).collect();
        assert!(ids.iter().all(|id| !id.contains("forged")), "{ids:?}");
        assert_eq!(ids.last().map(|id| &**id), Some("<b>"));
    }
}

/// A record was cut amid a line, and the next one was appended there.
#[test]
fn a_record_cut_amid_a_line_leaves_its_neighbour_alone() {
    let (a, rest) = (record("a", &PAGE.repeat(9)), record("b", PAGE) + &record("c", "x"));
    let head = a.find(PAGE).unwrap();
    let claimed_end = a.trim_end().len();
    for cut in head..a.len() {
        let text = a[..cut].to_owned() + &rest;
        // Where the claimed length ends by chance as a block may, nothing tells that it is wrong.
        if text.get(claimed_end..).is_some_and(|tail| RecordFormat::Warc.is_sound_tail(tail.as_bytes())) {
            continue;
        }
        let (kept, damages) = both(&text);
        let ids: Vec<_> = kept.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!((ids, damages), (vec!["<a>", "<b>", "<c>"], vec![]), "cut at {cut}");
        assert!(a[head..].starts_with(&kept[0].1), "cut at {cut}: {}", kept[0].1);
    }
}

/// A header was cut amid a line, and the next record was appended there: that does not get the fields of the first.
#[test]
fn a_header_cut_amid_a_line_leaves_its_neighbour_alone() {
    let (before, a) = (record("z", "x"), record("a", PAGE));
    let rest = record("b", PAGE) + &record("c", "x");
    for cut in 1..a.find(PAGE).unwrap() {
        let (kept, damages) = both(&format!("{before}{}{rest}", &a[..cut]));
        assert_eq!(kept, [good("z", "x"), found("b", PAGE), good("c", "x")], "cut at {cut}");
        let reason = if cut < "WARC/1.0\r\n".len() { DamageReason::Junk } else { DamageReason::TruncatedHeader };
        assert_eq!(damages, [reason], "cut at {cut}");
    }
    let named = record("a", PAGE).replacen("WARC-Type", "format: WARC/1.0\r\nWARC-Type", 1);
    assert_eq!(both(&(named + &rest)), (vec![good("a", PAGE), good("b", PAGE), good("c", "x")], vec![]));
}

/// A page that has a whole header amid a line is one page, unless its claimed length is wrong.
#[test]
fn a_header_amid_a_line_of_a_sound_record_is_text() {
    let page = format!("{PAGE}<pre>{}", record("quoted", "x"));
    assert_eq!(both(&record("a", &page)), (vec![good("a", &page)], vec![]));
}

/// What follows damage in an uncompressed file or within a member counts only if it may.
#[test]
fn records_after_damage_can_be_refused() {
    let text = record("a", PAGE) + "junk\r\n" + &record("b", PAGE) + &record("c", PAGE);
    let marked = |kept: &[Record]| kept.iter().map(|record| record.flags.resynchronised).collect::<Vec<_>>();
    for bytes in [text.clone().into_bytes(), [gzip(text.as_bytes()), gzip(record("d", PAGE).as_bytes())].concat()] {
        let more = usize::from(bytes.starts_with(&[0x1f]));
        let (kept, _) = read(&bytes);
        assert_eq!(marked(&kept), [&[false, true, false][..], &vec![false; more]].concat());
        let (kept, damages) = read_with(&bytes, Options { resync: Resync::Members, ..Options::default() });
        assert_eq!((marked(&kept), damages.len()), (vec![false; 1 + more], 1));
    }
    let wrong = claiming("a", "Content-Length: 99999\r\n", PAGE) + &record("b", "x");
    let (kept, damages) = read_with(wrong.as_bytes(), Options { resync: Resync::Members, ..Options::default() });
    assert_eq!((kept.len(), damages[0].reason), (1, DamageReason::Resynchronised));
}
