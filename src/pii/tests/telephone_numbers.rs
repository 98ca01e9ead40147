//! Telephone numbers: what announces them, and where they end.

use super::*;

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

/// Language, words, and the number that they announce.
fn check_announced(cases: &[(&str, &str, &str)]) {
    for (language, before, number) in cases {
        let text = format!("{before} {number}");
        assert_eq!(numbers(language, &text), [*number], "{text}");
    }
}

#[test]
fn words_of_every_language_announce_numbers() {
    check_announced(&[
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
    ]);
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
fn calls_announce_numbers_right_behind_them() {
    check_announced(&[
        ("deu", "Rufen Sie uns unter", "0800 3301000"),
        ("deu", "Rufen Sie uns an:", "030 22732152"),
        ("pol", "Zadzwoń do nas:", "601 234 567"),
        ("fra", "Appelle au", "01 40 63 60 00"),
        ("ces", "Zavolejte nám na", "221 714 444"),
        ("ita", "Chiamaci al", "06 6760 3000"),
        ("fra", "Appelez-moi au", "01 40 63 60 00"),
        ("spa", "Llama al", "913 906 000"),
        ("nob", "Ring oss på", "23 31 30 50"),
        ("swe", "Ring oss på", "08-786 40 00"),
        ("fin", "Soita meille numeroon", "040 123 4567"),
    ]);
    for text in [
        "We trained Llama on 2025550143 tokens",
        "El modelo se llama 913906000",
        "parts we call an 2025550143 item",
        "Llama al modelo 913906000",
    ] {
        assert!(numbers("eng", text).is_empty() && numbers("spa", text).is_empty(), "{text}");
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
