use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::hash::hash64;

mod ip_addresses;
mod masks;
mod telephone_numbers;

/// A sentence of tests/pii/cases.txt: language, text, and the personal data in it.
type Case = (&'static str, String, Vec<Span>);

fn cases() -> Vec<Case> {
    let (mut cases, mut language) = (Vec::new(), "");
    for line in include_str!("../../tests/pii/cases.txt").lines().filter(|line| !line.is_empty()) {
        if let Some(heading) = line.strip_prefix("# ") {
            language = heading;
            continue;
        }
        let (mut text, mut spans) = (String::new(), Vec::new());
        for part in line.split_inclusive('⟧') {
            let Some((plain, marked)) = part.strip_suffix('⟧').and_then(|part| part.split_once('⟦')) else {
                text.push_str(part);
                continue;
            };
            let (kind, data) = marked.split_once(':').unwrap();
            text.push_str(plain);
            let start = text.len();
            text.push_str(data);
            spans.push(Span { range: start..text.len(), kind: Kind::by_name(kind).unwrap() });
        }
        cases.push((language, text, spans));
    }
    cases
}

/// Right finds, finds, and personal data of a kind.
#[derive(Default, Clone, Copy)]
struct Tally {
    right: usize,
    found: usize,
    there: usize,
}

impl Tally {
    fn precision(self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    fn recall(self) -> f64 {
        self.right as f64 / self.there.max(1) as f64
    }
}

#[test]
fn labelled_cases_are_found() {
    let mut tallies: BTreeMap<(Kind, &str), Tally> = BTreeMap::new();
    for (language, text, spans) in cases() {
        let half = if hash64(text.as_bytes()).is_multiple_of(2) { "first half" } else { "second half" };
        let found = find(&text, &Kind::ALL, language);
        for span in found.iter().chain(&spans) {
            let is_right = found.contains(span) && spans.contains(span);
            if !is_right {
                let what = if spans.contains(span) { "missed" } else { "wrong" };
                println!("{half}: {what} {}: {:?} in {text:?}", span.kind.name(), &text[span.range.clone()]);
            }
        }
        for name in [half, "all"] {
            for kind in Kind::ALL {
                let tally = tallies.entry((kind, name)).or_default();
                tally.right += found.iter().filter(|span| span.kind == kind && spans.contains(span)).count();
                tally.found += found.iter().filter(|span| span.kind == kind).count();
                tally.there += spans.iter().filter(|span| span.kind == kind).count();
            }
        }
    }
    for ((kind, name), tally) in &tallies {
        let (precision, recall) = (tally.precision(), tally.recall());
        println!("{:<6} {name:<12} precision {precision:.3} recall {recall:.3} of {}", kind.name(), tally.there);
    }
    for kind in [Kind::Email, Kind::Ip, Kind::Iban, Kind::Card] {
        let tally = tallies[&(kind, "all")];
        assert!(tally.there >= 25 && tally.precision() >= 0.98 && tally.recall() >= 0.95, "{}", kind.name());
    }
}

fn found(text: &str) -> Vec<(Kind, &str)> {
    find(text, &Kind::ALL, "eng").into_iter().map(|span| (span.kind, &text[span.range])).collect()
}

/// The telephone numbers in a text of a language.
fn numbers<'t>(language: &str, text: &'t str) -> Vec<&'t str> {
    find(text, &[Kind::Phone], language).into_iter().map(|span| &text[span.range]).collect()
}

#[test]
fn numbers_with_country_codes_and_addresses_may_touch_other_text() {
    for (text, wanted) in [
        ("Tel+442079304832", &["+442079304832"][..]),
        ("Tel. +44 20 7930 4832Fax +44 20 7930 4833", &["+44 20 7930 4832", "+44 20 7930 4833"]),
        ("+1-202-456-1111x22", &["+1-202-456-1111"]),
        ("1+442079304832", &[]),
        ("Tel 2079304832x", &[]),
    ] {
        assert_eq!(numbers("eng", text), wanted, "{text}");
    }
    // The name of a mailbox may begin with a line.
    assert_eq!(found("_ann@example.org_"), [(Kind::Email, "_ann@example.org")]);
    assert_eq!(found("Mail ann@example.org_."), [(Kind::Email, "ann@example.org")]);
    assert!(found("ann@example.org_x").is_empty());
}

#[test]
fn finds_end_before_a_line_feed() {
    for (language, text, wanted) in [
        ("deu", "Telefon: 030 227321\n10115 Berlin", &["030 227321"][..]),
        ("deu", "Tel.: +49 6221 54190\n69117 Heidelberg", &["+49 6221 54190"]),
        ("deu", "Fax 0561 9408\n24 Stunden offen", &["0561 9408"]),
        ("ita", "Tel. +39 06 6982\n00120 Roma", &["+39 06 6982"]),
        ("deu", "Telefon:\n030 227321\n10115 Berlin", &["030 227321"]),
        ("deu", "Telefon: 030\n227321", &[]),
    ] {
        assert_eq!(numbers(language, text), wanted, "{text}");
    }
    assert!(found("a@example\n.org, GB29 NWBK 6016 1331\n9268 19, jan [at]\nexample.org").is_empty());
    assert_eq!(found("Ask\nann@example.org\nor 8.8.8.8"), [(Kind::Email, "ann@example.org"), (Kind::Ip, "8.8.8.8")]);
}

#[test]
fn overlaps_go_to_the_first_kind() {
    assert_eq!(found("ann@[8.8.8.8] or 8.8.8.8"), [(Kind::Email, "ann@[8.8.8.8]"), (Kind::Ip, "8.8.8.8")]);
    assert_eq!(found("phone 4111 1111 1111 1111"), [(Kind::Card, "4111 1111 1111 1111")]);
}

#[test]
fn ranges_in_characters() {
    let text = "žluť ann@example.org é 8.8.8.8";
    let spans = find(text, &Kind::ALL, "ces");
    assert_eq!(character_ranges(text, &spans), [5..20, 23..30]);
}

fn found_of(kind: Kind, text: &str) -> Vec<&str> {
    found(text).into_iter().filter(|(found, _)| *found == kind).map(|(_, data)| data).collect()
}

#[test]
fn adjacent_addresses_are_found_one_by_one() {
    for (text, addresses) in [
        ("a@example.org+petra@example.org", &["a@example.org", "petra@example.org"][..]),
        ("a@example.org.petra@example.org", &["a@example.org", "petra@example.org"]),
        ("a@example.org@example.org", &["a@example.org"]),
        ("jan.novak@gmail.com:hunter2", &["jan.novak@gmail.com"]),
        ("git@example.org:jan/corpus", &[]),
        ("jan@example.org:corpus.git", &[]),
    ] {
        assert_eq!(found_of(Kind::Email, text), addresses, "{text}");
    }
}

#[test]
fn card_numbers_stand_beside_other_numbers() {
    let card = "4111 1111 1111 1111";
    for text in [
        "4111 1111 1111 1111 05/27",
        "4111 1111 1111 1111 123",
        "4111 1111 1111 1111 2027 123",
        "12 4111 1111 1111 1111",
        "7-8 4111 1111 1111 1111",
    ] {
        assert_eq!(found_of(Kind::Card, text), [card], "{text}");
    }
    assert_eq!(found_of(Kind::Card, "4111 1111 1111 1111 5500 0000 0000 0004"), [card, "5500 0000 0000 0004"]);
    assert_eq!(found_of(Kind::Card, "2024 4111111111111111 05"), ["4111111111111111"]);
    for text in ["1990 4111 1111 1111 1111", "DE89 4111 1111 1111 1111", "4111 1111  1111 1111"] {
        assert_eq!(found_of(Kind::Card, text), [""; 0], "{text}");
    }
}

/// In texts of many triggers that are sixteen times as long, sixteen times as many characters are looked at. Only the
/// searches of `scan` are counted.
#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "@",
        "a@",
        "a.a@",
        "(at)",
        "a (at) ",
        "1.1.1.1.",
        "1",
        "1 ",
        "12 34 ",
        "1:",
        "[",
        "DE89",
        "DE89 ",
        "+1 ",
        "tel 1 ",
        " AT a ",
        "4111 ",
        "8.8.8.8,",
        "(+420) ",
        "a@b.org+",
        "a@b.org:",
        "tel 030 227321 10 x ",
        "tel 12.10.2010 ",
        "030 227321, ",
        "tel 030 227321/",
        "Java 8.8.8.8 and ",
        "Java 8.8.8.8\n",
        "\n",
    ] {
        let looks = |bytes: usize| {
            scan::LOOKS.take();
            let _ = find(&piece.repeat(bytes / piece.len()), &Kind::ALL, "deu");
            scan::LOOKS.take()
        };
        let (short, long) = (looks(20_000), looks(320_000));
        assert!(short > 20_000 && long < 17 * short, "{piece:?}: {short} {long}");
    }
}

proptest! {
    #[test]
    fn finds_are_in_order_and_masks_leave_the_rest(
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "ž", "汉", " ", ".", "@", "[at]", "(dot)", "org", "example.org", "1", "23", "8.8.8.8", "::", "2001:",
            "DE89", "3704 0044 0532 0130 00", "4111 1111 1111 1111", "tel. ", "+420 601 234 567", "-", "/", "<", "\u{A0}", " AT ", " DOT ", "\n", ", ",
        ]), 0..24),
    ) {
        let text = parts.concat();
        let mut spans = find(&text, &Kind::ALL, "ces");
        prop_assert!(spans.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        prop_assert!(spans.iter().all(|span| text.get(span.range.clone()).is_some_and(|data| !data.is_empty())));
        let characters = character_ranges(&text, &spans);
        for (span, range) in spans.iter().zip(&characters) {
            let data: String = text.chars().skip(range.start as usize).take(range.len()).collect();
            prop_assert_eq!(&data, &text[span.range.clone()]);
        }
        let before = spans.clone();
        let masked = mask(&text, &mut spans);
        // Blanks may set tokens apart.
        let rest = |text: &str, spans: &[Span]| {
            let mut place = 0;
            let mut rest: Vec<String> = spans.iter().map(|span| {
                let part = text[place..span.range.start].replace(' ', "");
                place = span.range.end;
                part
            }).collect();
            rest.push(text[place..].replace(' ', ""));
            rest
        };
        prop_assert_eq!(rest(&text, &before), rest(&masked, &spans));
    }

    #[test]
    fn no_text_panics(text in "[\\PC\\n]{0,60}") {
        let _ = find(&text, &Kind::ALL, "eng");
    }

    #[test]
    fn no_digits_panic(text in "[0-9+() ./:@a-fA-F-]{0,60}") {
        let _ = find(&text, &Kind::ALL, "eng");
    }
}
