use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::hash::hash64;
use crate::text::segments::Segmenter;

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

#[test]
fn a_mask_is_one_token_and_is_not_found_again() {
    let text = "Write to ann@example.org, 8.8.8.8.";
    let mut spans = find(text, &Kind::ALL, "eng");
    let masked = mask(text, &mut spans);
    assert_eq!(masked, "Write to EMAIL_ADDRESS, IP_ADDRESS.");
    assert!(spans.iter().all(|span| masked[span.range.clone()] == *span.kind.replacement()));
    let segmenter = Segmenter::default();
    for kind in Kind::ALL {
        let sentence = format!("See {}, please.", kind.replacement());
        assert!(find(&sentence, &Kind::ALL, "eng").is_empty());
        for language in ["eng", "deu", "ces", "zho", "jpn", "tha", "ara"] {
            assert!(tokens(&segmenter, language, &sentence).contains(&kind.replacement()), "{language}: {sentence}");
        }
    }
}

fn tokens<'t>(segmenter: &Segmenter, language: &str, text: &'t str) -> Vec<&'t str> {
    let tokenizer = segmenter.language(language);
    let mut tokens = Vec::new();
    tokenizer.sentences(text).into_iter().for_each(|sentence| tokenizer.tokens(text, sentence, &mut tokens));
    tokens.into_iter().map(|token| &text[token.range]).collect()
}

#[test]
fn a_mask_is_one_token_beside_any_character() {
    let segmenter = Segmenter::default();
    let beside: Vec<char> = (' '..='~').chain("ž汉「」“”«»„…–—¿¡§№ก".chars()).collect();
    let pairs = || beside.iter().flat_map(|before| beside.iter().map(move |after| (before, after)));
    for language in ["eng", "ces", "zho", "tha"] {
        for (before, after) in pairs() {
            let text = format!("Write {before}\0{after} now.");
            let at = text.find('\0').unwrap();
            let masked = mask(&text, &mut [Span { range: at..at + 1, kind: Kind::Email }]);
            assert!(tokens(&segmenter, language, &masked).contains(&"EMAIL_ADDRESS"), "{language}: {masked}");
        }
    }
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

#[test]
fn global_addresses_are_those_of_the_registries() {
    for (address, is_global) in [
        ("0.1.2.3", false),
        ("10.0.0.1", false),
        ("100.64.0.1", false),
        ("100.128.0.1", true),
        ("172.15.0.1", true),
        ("172.31.0.1", false),
        ("192.0.0.8", false),
        ("192.0.0.9", true),
        ("192.88.99.1", true),
        ("198.19.0.1", false),
        ("224.0.0.1", true),
        ("255.255.255.255", false),
        ("08.8.8.8", false),
        ("2001:db8::1", false),
        ("2001:4860::1", true),
        ("2002:808:808::1", false),
        ("fe80::1", false),
        ("::ffff:8.8.8.8", false),
    ] {
        assert_eq!(!found(&format!("at {address} now")).is_empty(), is_global, "{address}");
    }
}

fn found_of(kind: Kind, text: &str) -> Vec<&str> {
    found(text).into_iter().filter(|(found, _)| *found == kind).map(|(_, data)| data).collect()
}

#[test]
fn addresses_stand_beside_labels_slashes_and_each_other() {
    for (text, addresses) in [
        ("IP:93.184.216.34", &["93.184.216.34"][..]),
        ("a:93.184.216.34.", &["93.184.216.34"]),
        ("IPv4:93.184.216.34", &["93.184.216.34"]),
        ("http://93.184.216.34/", &["93.184.216.34"]),
        ("http://93.184.216.34:8080/", &["93.184.216.34"]),
        ("see http://8.8.8.8/path", &["8.8.8.8"]),
        ("x/8.8.8.8", &["8.8.8.8"]),
        ("8.8.8.8.Das", &["8.8.8.8"]),
        ("93.184.216.34,151.101.1.69,8.8.8.8", &["93.184.216.34", "151.101.1.69", "8.8.8.8"]),
        ("93.184.216.34-93.184.216.40", &["93.184.216.34", "93.184.216.40"]),
        ("8.8.8.8/24", &["8.8.8.8"]),
        ("IPv6:2a00:1450:4001:82a::200e", &["2a00:1450:4001:82a::200e"]),
        ("addr:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
        ("a:2a00:1450:4001:82a:1:2:3:200e", &["2a00:1450:4001:82a:1:2:3:200e"]),
        ("add:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
        ("surface:2001:4860:4860::8888", &["2001:4860:4860::8888"]),
    ] {
        assert_eq!(found_of(Kind::Ip, text), addresses, "{text}");
    }
}

#[test]
fn numbers_of_versions_and_sections_are_no_addresses() {
    for text in [
        "Chrome/120.0.0.0 Safari",
        "linux-4.15.0.22",
        "linux-4.15.0.22/4.15.0.23",
        "1.2.3.4-beta",
        "100.100.100.100.1",
        "oid:1.3.6.1",
        "version:1.2.3.4",
        "Version 1.2.3.4/1.2.3.5",
        "section 10.1.2.3-10.1.2.5",
        "0,8.8.8.8",
        "1:8.8.8.8",
        "2.1/8.8.8.8",
        "1.2.3.4.5-8.8.8.8",
        "-8.8.8.8",
        "fd12:2345:6789::1",
        "IPv6:::ffff:8.8.8.8",
    ] {
        assert_eq!(found_of(Kind::Ip, text), [""; 0], "{text}");
    }
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

#[test]
fn brackets_and_slashes_stand_beside_telephone_numbers() {
    for (text, numbers) in [
        ("(+420) 603 123 456", &["(+420) 603 123 456"][..]),
        ("(+420)603123456", &["(+420)603123456"]),
        ("call (+420 603 123 456) 22", &["+420 603 123 456"]),
        ("+420601123456/+420602123456", &["+420601123456", "+420602123456"]),
        ("phone=+420601123456", &["+420601123456"]),
    ] {
        assert_eq!(found_of(Kind::Phone, text), numbers, "{text}");
    }
}

/// Texts of many triggers, twice as long, must not take much longer than twice the time.
#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "@", "a@", "a.a@", "(at)", "a (at) ", "1.1.1.1.", "1", "1 ", "1:", "[", "DE89", "DE89 ", "+1 ", "tel 1 ",
        " AT a ", "4111 ", "8.8.8.8,", "(+420) ", "a@b.org+", "a@b.org:",
    ] {
        let text = |bytes: usize| piece.repeat(bytes / piece.len());
        let seconds = |text: &str| {
            let begun = std::time::Instant::now();
            let _ = find(text, &Kind::ALL, "deu");
            begun.elapsed().as_secs_f64()
        };
        let (short, long) = (text(20_000), text(320_000));
        seconds(&short);
        let (short, long) = (seconds(&short), seconds(&long));
        assert!(long < 16.0 * 8.0 * short.max(0.001), "{piece:?}: {short} {long}");
    }
}

proptest! {
    #[test]
    fn finds_are_in_order_and_masks_leave_the_rest(
        parts in prop::collection::vec(prop::sample::select(vec![
            "a", "ž", "汉", " ", ".", "@", "[at]", "(dot)", "org", "example.org", "1", "23", "8.8.8.8", "::", "2001:",
            "DE89", "3704 0044 0532 0130 00", "4111 1111 1111 1111", "tel. ", "+420 601 234 567", "-", "/", "<", "\u{A0}", " AT ", " DOT ",
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
