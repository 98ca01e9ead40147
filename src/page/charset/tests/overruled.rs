//! Declarations that the bytes, or the page itself, overrule.

use encoding_rs::{ISO_8859_2, WINDOWS_1254};

use super::*;

#[test]
fn letters_of_windows_refute_iso_8859_2() {
    const POLISH: &str = "„Źdźbła” – śnieg, Święto, książka, żółć, łódź, piąty";
    for text in [CZECH, POLISH] {
        let windows = http(&encode(WINDOWS_1250, text), "iso-8859-2");
        assert_eq!(summary(&windows), ("windows-1250", "detected", Some("iso-8859-2")));
        assert_eq!(windows.text, text);
    }
    let true_one = http(&encode(ISO_8859_2, CZECH), "iso-8859-2");
    assert_eq!(summary(&true_one), ("ISO-8859-2", "http", Some("iso-8859-2")));
    // Quotation marks of Windows do not turn letters into others.
    let mixed = http(&[b"\x84".as_slice(), &encode(ISO_8859_2, CZECH), b"\x93"].concat(), "iso-8859-2");
    assert_eq!((mixed.charset, mixed.text.as_ref()), ("ISO-8859-2", &*format!("„{CZECH}“")));
}

#[test]
fn letters_of_another_script_refute_iso_8859_1() {
    let texts = [
        (WINDOWS_1251, "Съешь же ещё этих мягких французских булок. "),
        (GBK, "人人生而自由，在尊严和权利上一律平等。"),
        (SHIFT_JIS, "すべての人間は、生まれながらにして自由である。"),
        (EUC_KR, "모든 인간은 태어날 때부터 자유로우며 평등하다. "),
    ];
    for (encoding, text) in texts {
        let text = text.repeat(3);
        let decoded = http(&encode(encoding, &text), "iso-8859-1");
        assert_eq!((decoded.charset, decoded.source.name()), (encoding.name(), "detected"), "{text}");
        assert_eq!(decoded.text, text);
    }
    for western in [
        "Größe, Übermut, süß: für Ähnliches öfter fließen. ".repeat(9),
        "»»»» ————\u{a0}\u{a0}\u{a0}\u{a0} “quoted” café ".repeat(9),
        "L’été déjà là : « où ? » – naïve façade. ".repeat(9),
    ] {
        let decoded = http(&encode(WINDOWS_1252, &western), "iso-8859-1");
        assert_eq!((decoded.charset, decoded.source.name()), ("windows-1252", "http"), "{western}");
    }
}

#[test]
fn a_refuted_declaration_of_utf_16_leaves_the_word_to_the_page() {
    let body = encode(WINDOWS_1250, "<meta charset=windows-1250><p>kůň");
    for label in ["utf-16", "utf-16be"] {
        let decoded = http(&body, label);
        assert_eq!(summary(&decoded), ("windows-1250", "meta", Some("windows-1250")));
        assert!(decoded.text.ends_with("kůň"));
    }
}

/// Servers add ISO-8859-1 unasked, and editors write it.
#[test]
fn iso_8859_1_is_dropped_where_the_page_or_its_domain_needs_another() {
    let turkish =
        "Öğrenciler yarışmada büyük başarı gösterdi; ışık, çığ ve gölgeler içinde güneşin doğuşunu izlediler.";
    let page = format!("<meta charset=windows-1254><p>{turkish}");
    let decoded = http(&encode(WINDOWS_1254, &page), "iso-8859-1");
    assert_eq!((summary(&decoded), decoded.text.as_ref()), (("windows-1254", "detected", Some("iso-8859-1")), &*page));
    let serbian =
        "Reči su najjače oružje; čovek će doći kući, a đak ide u školu. Život je čudan, ali čaša je još puna.";
    for (encoding, tld, text) in
        [(WINDOWS_1254, "tr", turkish), (WINDOWS_1250, "cz", CZECH), (WINDOWS_1250, "rs", serbian)]
    {
        let body = encode(encoding, &format!("<meta charset=iso-8859-1><p>{text}"));
        let decoded = decode(&body, None, Some(tld), None, false, Mojibake::Fix).unwrap();
        assert!(decoded.text.ends_with(text), "{tld}: {}", decoded.text);
    }
    let page = encode(WINDOWS_1250, &format!("<html lang=sr-Latn><p>{serbian}"));
    assert!(http(&page, "iso-8859-1").text.ends_with(serbian));
    let cyrillic = format!("<html lang=sr><p>{}", "Реч је најјаче оружје; човек ће доћи кући. ".repeat(3));
    assert_eq!(http(&encode(WINDOWS_1251, &cyrillic), "iso-8859-1").text, cyrillic);
    let hungarian =
        "A régi erdő fái között őzek űzték egymást, a tó vize tűkör volt, és a szellő hűvösen fújt, jövőre is jövünk.";
    assert!(http(&encode(WINDOWS_1250, hungarian), "iso-8859-1").text.contains("erdő"));
    // A page in a language of Western Europe under such a domain.
    let french =
        "Après la fête, les élèves très fatigués rentrèrent à l'hôtel; où était donc passé le garçon, naïf et gêné ?";
    for tld in ["cz", "pl", "hu", "ro", "tr", "lt", "vn", "si", "rs", "ba", "me"] {
        let decoded =
            decode(&encode(WINDOWS_1252, french).leak()[..], Some("iso-8859-1"), Some(tld), None, false, Mojibake::Fix);
        assert_eq!(decoded.unwrap().text, french, "{tld}");
    }
}

#[test]
fn iso_8859_2_is_known_under_the_name_of_windows_1250() {
    let polish = "Zażółć gęślą jaźń; miał wąską ścieżkę, a w oddali śpiewał ptak, który wśród gałęzi miał gniazdo i wziął kąsek.";
    let decoded = http(&encode(ISO_8859_2, polish), "windows-1250");
    assert_eq!((decoded.charset, decoded.text.as_ref()), ("ISO-8859-2", polish));
    assert_eq!(http(&encode(WINDOWS_1250, polish), "windows-1250").text, polish);
    let hungarian = "Főoldal»Hírek»Belföld»Sport»Külföld, Cég®Ház, jövő ±öt";
    assert_eq!(http(&encode(WINDOWS_1250, hungarian), "windows-1250").text, hungarian);
}

#[test]
fn japanese_in_seven_bits_is_known_under_other_names() {
    let text = "<p>春の朝、古い駅の前で友だちを待っていた。</p>";
    for label in ["utf-8", "shift_jis", "euc-jp"] {
        let decoded = http(&encode(ISO_2022_JP, text), label);
        assert_eq!((decoded.charset, decoded.text.as_ref()), ("ISO-2022-JP", text), "{label}");
    }
    assert_eq!(http(b"<p>an escape \x1b[0m of a terminal", "utf-8").charset, "UTF-8");
}

/// Pages of the nineties say that they are ISO-8859-1 wherever they were written.
#[test]
fn iso_8859_1_is_dropped_where_its_signs_stand_within_words() {
    // `Größe, für Käse, süß, öffnen, Äpfel, Übermut` on a Mac and in DOS.
    let mac = b"Gr\x9A\xA7e, f\x9Fr K\x8Ase, s\x9F\xA7, \x9Affnen, \x80pfel, \x86bermut";
    let dos = b"Gr\x94\xE1e, f\x81r K\x84se, s\x81\xE1, \x94ffnen, \x8Epfel, \x9Abermut";
    for (bytes, name) in [(mac, "macintosh"), (dos, "IBM850")] {
        for decoded in [http(bytes, "iso-8859-1"), plain(bytes)] {
            assert_eq!((decoded.charset, decoded.source.name()), (name, "detected"));
            assert_eq!(decoded.text, "Größe, für Käse, süß, öffnen, Äpfel, Übermut");
        }
    }
    let declared = plain(b"<meta charset=cp852><p>P\xFD\xA1li\xE7 \xA7lu\x9Cou\x9Fk\xEC k\x85\xE5");
    assert_eq!(summary(&declared), ("IBM852", "meta", Some("cp852")));
    assert!(declared.text.ends_with("Příliš žluťoučký kůň"), "{}", declared.text);
    let falsely = http(&encode(WINDOWS_1250, CZECH), "cp852");
    assert_eq!((summary(&falsely), &*falsely.text), (("windows-1250", "detected", Some("cp852")), CZECH));
    let boxes = http(b"\xC9\xCD\xCD\xBB menu \xC8\xCD\xCD\xBC", "cp437");
    assert_eq!((boxes.charset, &*boxes.text), ("IBM437", "╔══╗ menu ╚══╝"));
    let cut = "Große “smart” quotes–and dashes…like “this”, “Käse” and naïve cafés".repeat(3);
    assert_eq!(http(&encode(WINDOWS_1252, &cut), "iso-8859-1").charset, "windows-1252");
}
