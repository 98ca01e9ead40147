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

/// The telephone numbers in a text of a language.
fn numbers<'t>(language: &str, text: &'t str) -> Vec<&'t str> {
    find(text, &[Kind::Phone], language).into_iter().map(|span| &text[span.range]).collect()
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
fn a_mask_does_not_merge_over_a_point() {
    let segmenter = Segmenter::default();
    for (text, masked) in [
        ("Tel: 01904 624447.TAKE the tour", "Tel: PHONE_NUMBER. TAKE the tour"),
        ("Fax:+12127365000.Tel:+12127365001", "Fax:PHONE_NUMBER. Tel:PHONE_NUMBER"),
        ("Tel.+12127365000 is ours.", "Tel. PHONE_NUMBER is ours."),
        ("Call +12127365000. Then wait.", "Call PHONE_NUMBER. Then wait."),
        ("Call +12127365000.", "Call PHONE_NUMBER."),
    ] {
        let mut spans = find(text, &Kind::ALL, "eng");
        let shown = mask(text, &mut spans);
        assert_eq!(shown, masked);
        for span in spans {
            assert_eq!(shown[span.range], *span.kind.replacement());
            assert!(tokens(&segmenter, "eng", &shown).contains(&span.kind.replacement()), "{shown}");
        }
    }
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
        ("Server 93.184.216.34 is down", &["93.184.216.34"]),
        ("IP 1.2.3.4 is blocked", &["1.2.3.4"]),
        ("Ping 93.184.216.34, then wait.", &["93.184.216.34"]),
        ("Google 8.8.8.8 and 8.8.4.4 are DNS servers.", &["8.8.8.8", "8.8.4.4"]),
        ("Google 8.8.8.8 is a DNS server.", &["8.8.8.8"]),
        ("Google 8.8.8.8:53 and Quad 9.9.9.0/24", &["8.8.8.8", "9.9.9.0"]),
        ("The address of Google 8.8.8.8 is easy.", &["8.8.8.8"]),
        ("From 93.184.216.34 came a letter.", &["93.184.216.34"]),
        ("Die IP-Adresse 93.184.216.34 ist frei.", &["93.184.216.34"]),
        ("Google: 8.8.8.8", &["8.8.8.8"]),
        ("Google\n8.8.8.8", &["8.8.8.8"]),
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
        "Flash Player 11.2.202.235 is needed to see this page.",
        "Skype 5.10.0.116 is needed. The server is old.",
        "Adobe Reader 9.5.5.1 and Java 1.8.0.25 are old programs.",
        "Java 1.8.0.25, 1.8.0.31 and 1.8.0.45 were published.",
        "iTunes 12.9.5.7 was published for the Mac.",
        "The table 4.3.2.1 shows the numbers.",
        "Table 4.3.2.1 shows the numbers.",
        "See figure 4.3.2.1 for the numbers.",
        "Rule 23.1.2.4 of the handbook",
        "In Abbildung 4.3.2.1 stehen die Zahlen.",
        "如表4.3.2.1所示",
        "First line\n1.2.3.4 Second heading",
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

#[test]
fn a_number_ends_before_a_group_of_the_next_word() {
    for (language, text, number) in [
        ("deu", "+49 30 227321 2024 gegründet", "+49 30 227321"),
        ("deu", "Tel. 030 227321 10 Uhr", "030 227321"),
        ("deu", "Tel. 030 227321 10115 Berlin", "030 227321"),
        ("eng", "Phone 01904 624447 24 hours a day", "01904 624447"),
    ] {
        assert_eq!(numbers(language, text), [number], "{text}");
    }
}

#[test]
fn usual_groups_stay_together_before_a_word() {
    for (language, number) in [
        ("deu", "030 227 321"),
        ("deu", "(0 30) 22 73 21 52"),
        ("deu", "030 / 227 32 152"),
        ("deu", "030 2273 2152"),
        ("deu", "0171/123 45 67"),
        ("deu", "044 268 12 34"),
        ("deu", "01/531 15-0"),
        ("deu", "030 2093 70300"),
        ("deu", "040 42838 2222"),
        ("deu", "06131 3922 22370"),
        ("deu", "0431 8800 0"),
        ("deu", "+49 89 2180 0"),
        ("fin", "0294 1911 20"),
        ("fra", "01 23 45 67 89"),
        ("eng", "(212) 736-5000"),
        ("eng", "020 7946 0958"),
        ("eng", "+44 20 7946 0958"),
        ("eng", "+91 98765 43210"),
        ("ita", "055 276 8518"),
        ("spa", "912.345.678"),
        ("por", "213.456.789"),
        ("ita", "06 6760 3000"),
        ("por", "11 91234 5678"),
        ("ind", "0812 3456 7890"),
        ("swe", "08-786 40 00"),
        ("bul", "02 939 39"),
    ] {
        let text = format!("Tel. {number} or so");
        assert_eq!(numbers(language, &text), [number], "{text}");
    }
}

#[test]
fn words_of_every_language_announce_numbers() {
    for (language, before, number) in [
        ("eng", "Please call", "212-736-5000"),
        ("eng", "Call us at", "(212) 736-5000"),
        ("eng", "Toll-free", "800-221-9030"),
        ("eng", "Ph:", "212-736-5000"),
        ("eng", "Voice:", "(315) 443-9114"),
        ("eng", "Contact:", "(212) 736-5000"),
        ("deu", "Rufnummer", "0800 3301000"),
        ("deu", "Servicetelefon:", "0800 3301000"),
        ("deu", "Fon", "030 22732152"),
        ("ces", "Volejte", "221 714 444"),
        ("slk", "Volajte", "0905 123 456"),
        ("pol", "Zadzwoń:", "601 234 567"),
        ("fra", "Appelez le", "01 40 63 60 00"),
        ("spa", "Teléfonos:", "913 906 000"),
        ("spa", "Tfno.", "913 906 000"),
        ("ita", "Recapito:", "06 6760 3000"),
        ("por", "Telemóvel:", "912 345 678"),
        ("nld", "Bel", "020 551 7811"),
        ("ron", "Sunați la", "021 313 9860"),
        ("dan", "Tlf.", "33 37 55 00"),
        ("nob", "Telefonnummer:", "23 31 30 50"),
        ("swe", "Växel", "08-786 40 00"),
        ("fin", "Puhelinnumero", "040 123 4567"),
        ("hun", "Hívja:", "06 1 441 4000"),
        ("tur", "Telefonumuz:", "0312 420 50 00"),
        ("ell", "Τηλέφωνο:", "210 370 7000"),
        ("ell", "Τηλ.", "210 3707000"),
        ("rus", "Телефоны:", "(495) 697-03-49"),
        ("rus", "Звоните по номеру", "8 (495) 697-03-49"),
        ("ukr", "Моб.", "044 255 73 33"),
        ("bul", "Телефони:", "02/987 31 11"),
        ("hrv", "Mob:", "091 234 5678"),
        ("srp", "Телефони:", "011 3617 000"),
        ("slv", "Pokličite", "01 478 10 00"),
        ("lav", "Tālr.", "67 012 345"),
        ("lav", "Tālrunis:", "67012345"),
        ("heb", "טלפון:", "02-6753333"),
        ("heb", "טל'", "02-6753333"),
        ("ara", "الهاتف:", "011 401 1111"),
        ("fas", "تلفن:", "021 6646 5000"),
        ("hin", "फोन:", "011 2301 7660"),
        ("hin", "दूरभाष", "011 2301 7660"),
        ("ind", "Telepon:", "021 384 2108"),
        ("ind", "Telp.", "(021) 3842108"),
        ("tha", "โทร.", "02-282-8000"),
        ("tha", "โทรศัพท์", "0 2282 8000"),
        ("vie", "Điện thoại:", "024 3845 5555"),
        ("vie", "ĐT:", "0912 345 678"),
        ("kor", "전화번호", "02-730-5800"),
        ("jpn", "お問い合わせTEL", "03-3581-5111"),
        ("zho", "热线", "400-810-1234"),
    ] {
        let text = format!("{before} {number}");
        assert_eq!(numbers(language, &text), [number], "{text}");
    }
    assert_eq!(numbers("eng", "Calls rose, and they call it 212-736-5000."), [""; 0]);
}

#[test]
fn a_number_of_a_list_announces_the_next() {
    for (language, text, wanted) in [
        (
            "eng",
            "Phone numbers: 212-736-5000, 212-736-5001 and 212-736-5002.",
            &["212-736-5000", "212-736-5001", "212-736-5002"][..],
        ),
        ("deu", "Tel. 030 22732152 oder 030 22732153, 030 22732154", &["030 22732152", "030 22732153", "030 22732154"]),
        ("deu", "Tel. 030 22732152 / 030 22732153", &["030 22732152", "030 22732153"]),
        ("deu", "Tel. 030 22732152/030 22732153", &["030 22732152", "030 22732153"]),
        ("spa", "Teléfonos: 913 906 000 y 913 906 001", &["913 906 000", "913 906 001"]),
        ("zho", "电话：13812345678、13812345679", &["13812345678", "13812345679"]),
        ("eng", "+1 212 736 5000, the shop number of 212-736-5001", &["+1 212 736 5000"]),
    ] {
        assert_eq!(numbers(language, text), wanted, "{text}");
    }
}

#[test]
fn dates_years_and_book_numbers_are_no_telephone_numbers() {
    for (language, text) in [
        ("deu", "Das Telefon kostet seit 12.10.2010 nur wenig."),
        ("deu", "Telefon seit 01.02.2003 04.05.2006 im Laden"),
        ("eng", "Cell phone sales rose from 1998 2004 2010 in the country."),
        ("eng", "Call 1998/2004 2010-2015"),
        ("eng", "On telephone day 2010-05-06 12:30:45 we all met."),
        ("eng", "Phone 10/12/2010 11"),
        ("eng", "Mobile ISBN 978-0-306-40615-7 is a book."),
        ("eng", "The phone book 978-0-306-40615-7 is a book."),
        ("deu", "Handy 978-3-16-148410-0 und Telefon 9783161484100"),
        ("ces", "Kontakt: IČO 601234567"),
        ("eng", "Telephone 10.00-18.00 every day"),
        ("deu", "Telefon: 1.500.000 Kunden"),
        ("spa", "Teléfonos: 600 000 000 euros"),
        ("eng", "The ring 212 555 0123 and text 2012345678"),
    ] {
        assert_eq!(numbers(language, text), [""; 0], "{text}");
    }
    assert_eq!(numbers("deu", "Telefon seit 12.10.2010 030 227321"), ["030 227321"]);
    assert_eq!(numbers("eng", "+1 212-736-5000, 10.00-18.00"), ["+1 212-736-5000"]);
    assert_eq!(numbers("eng", "Phone 978-555-0123"), numbers("eng", "Phone 978-555-0123 978-555-0124")[..1]);
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
            scan::looks::take();
            let _ = find(&piece.repeat(bytes / piece.len()), &Kind::ALL, "deu");
            scan::looks::take()
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
