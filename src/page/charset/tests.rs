//! Decoding as a whole: the order of evidence.

use std::io::Read;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use encoding_rs::{BIG5, EUC_KR, GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};
use memchr::memmem;
use proptest::prelude::*;

use super::*;

mod overruled;

const CZECH: &str = "Příliš žluťoučký kůň úpěl ďábelské ódy, zatímco ježek šťastně seděl pod starým stromem a četl knížku o čarodějích.";

/// The bodies of tests are left to the system.
fn plain(body: &[u8]) -> Decoded<'static> {
    decode(body.to_vec().leak(), None, None, None, false, Mojibake::Fix).expect("decodable")
}

fn http(body: &[u8], label: &str) -> Decoded<'static> {
    decode(body.to_vec().leak(), Some(label), None, None, false, Mojibake::Fix).expect("decodable")
}

fn encode(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

fn summary<'a>(decoded: &'a Decoded<'_>) -> (&'a str, &'a str, Option<&'a str>) {
    (decoded.charset, decoded.source.name(), decoded.declared.as_deref())
}

#[test]
fn a_bom_beats_everything() {
    let utf8 = http("\u{FEFF}kůň".as_bytes(), "windows-1252");
    assert_eq!((summary(&utf8), utf8.text.as_ref()), (("UTF-8", "bom", Some("windows-1252")), "kůň"));
    let little: Vec<u8> = "\u{FEFF}kůň".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!((plain(&little).charset, plain(&little).text.as_ref()), ("UTF-16LE", "kůň"));
    let big: Vec<u8> = "\u{FEFF}kůň".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!((plain(&big).charset, plain(&big).text.as_ref()), ("UTF-16BE", "kůň"));
}

#[test]
fn utf32_is_binary() {
    let body: Vec<u8> = "\u{FEFF}text".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
    assert_eq!(decode(&body, None, None, None, false, Mojibake::Fix), Err(Undecodable::Binary));
    assert_eq!(decode(b"GIF89a\0\0\0\0\xFF\xFE", None, None, None, false, Mojibake::Fix), Err(Undecodable::Binary));
}

/// Data that are compressed, under whatever label a server sends them.
#[test]
fn bytes_made_by_chance_are_binary() {
    let body: Vec<u8> = (0..5000u64).map(|n| (crate::hash::mix(n) >> 7) as u8).collect();
    for label in [None, Some("utf-8"), Some("windows-1252"), Some("shift_jis"), Some("gb18030"), Some("koi8-r")] {
        assert_eq!(decode(&body, label, None, None, false, Mojibake::Fix), Err(Undecodable::Binary), "{label:?}");
    }
    for odd in [
        format!("{CZECH}\u{1}{CZECH}\u{b}"),
        "N\u{8}NA\u{8}AM\u{8}ME\u{8}E".into(),
        "<p>ab\u{1}c".into(),
        "ok\u{3}".into(),
        "Tide table\0\u{1}\u{2}\u{3} of the harbour for May and June".into(),
    ] {
        assert!(decode(odd.as_bytes(), None, None, None, false, Mojibake::Fix).is_ok(), "{odd:?}");
    }
}

#[test]
fn http_beats_meta_beats_xml() {
    let body = [
        b"<?xml version='1.0' encoding='koi8-r'?><meta charset=windows-1250>".as_slice(),
        &encode(WINDOWS_1250, CZECH),
    ]
    .concat();
    assert_eq!(summary(&http(&body, "iso-8859-3")), ("ISO-8859-3", "http", Some("iso-8859-3")));
    assert_eq!(summary(&http(&body, "no-such")), ("windows-1250", "meta", Some("windows-1250")));
    assert_eq!(summary(&plain(&body)), ("windows-1250", "meta", Some("windows-1250")));
    let xml = [b"<?xml version='1.0' encoding='windows-1250'?>".as_slice(), &encode(WINDOWS_1250, CZECH)].concat();
    assert_eq!(summary(&plain(&xml)), ("windows-1250", "xml", Some("windows-1250")));
}

#[test]
fn control_characters_are_those_of_windows() {
    let page = "It won\u{92}t \u{97} and doesnâ\u{80}\u{99}t.";
    let with = |mojibake| decode(page.as_bytes(), None, None, None, false, mojibake).expect("decodable");
    assert_eq!((with(Mojibake::Fix).text.as_ref(), with(Mojibake::Fix).mojibake), ("It won’t — and doesn’t.", true));
    assert_eq!((with(Mojibake::Mark).text.as_ref(), with(Mojibake::Mark).mojibake), ("It wont  and doesnât.", true));
    let alone = decode("won\u{92}t".as_bytes(), None, None, None, false, Mojibake::Mark).expect("decodable");
    assert!(alone.mojibake);
}

#[test]
fn utf8_bytes_overrule_a_declaration() {
    for label in ["iso-8859-1", "windows-1251", "gbk", "shift_jis", "iso-2022-jp"] {
        let decoded = http(CZECH.as_bytes(), label);
        assert_eq!(summary(&decoded), ("UTF-8", "utf8-override", Some(label)));
        assert_eq!(decoded.text, CZECH);
    }
    // One sequence may be chance.
    assert_eq!(http("Ã© is é".as_bytes(), "windows-1252").source, CharsetSource::Utf8Override);
    let only = |mojibake| {
        decode("only é".as_bytes(), Some("windows-1252"), None, None, false, mojibake).expect("decodable").text
    };
    assert_eq!(only(Mojibake::Leave), "only Ã©");
    // Repair corrects the declaration as well.
    assert_eq!(only(Mojibake::Fix), "only é");
}

#[test]
fn declared_utf8_with_few_errors_stays_utf8() {
    let mut body = CZECH.as_bytes().to_vec();
    body.extend_from_slice(b"\xFF \xFF \xFF");
    let decoded = http(&body, "utf-8");
    assert_eq!((summary(&decoded), decoded.replacements), (("UTF-8", "http", Some("utf-8")), 3));
    // Text that happens to have a sequence.
    let body = encode(WINDOWS_1250, &CZECH.repeat(2));
    assert_eq!(http(&[&body, "é".as_bytes()].concat(), "utf-8").source, CharsetSource::Detected);
}

#[test]
fn declared_utf8_with_texts_cut_by_bytes_stays_utf8() {
    for text in [CZECH, "Новости города и области за неделю", "東京で新しい橋が開通した"]
    {
        let teaser = text.as_bytes();
        let cut = (20..teaser.len()).find(|&at| !text.is_char_boundary(at)).expect("a character of several bytes");
        let body = [&teaser[..cut], b"... "].concat().repeat(40);
        let decoded = http(&body, "utf-8");
        assert_eq!((decoded.charset, decoded.replacements), ("UTF-8", 40), "{text}");
    }
    // A menu in UTF-8 around an article in an older encoding.
    let article = encode(WINDOWS_1252, &"La fenêtre était restée ouverte du côté de la forêt. ".repeat(5));
    let decoded = http(&[article, "Météo Été ".repeat(40).into_bytes()].concat(), "utf-8");
    assert_eq!(decoded.charset, "windows-1252");
    let article = encode(WINDOWS_1251, &"Вчера в городе открыли новый мост через реку. ".repeat(5));
    let decoded = http(&[article, "Новости Погода ".repeat(60).into_bytes()].concat(), "utf-8");
    assert_eq!(decoded.source, CharsetSource::Detected);
}

#[test]
fn declared_utf8_that_is_legacy_is_detected() {
    let decoded = http(&encode(WINDOWS_1250, CZECH), "utf-8");
    assert_eq!(summary(&decoded), ("windows-1250", "detected", Some("utf-8")));
    assert_eq!(decoded.text, CZECH);
}

#[test]
fn one_error_in_long_undeclared_utf8_is_forgiven() {
    let mut body = CZECH.repeat(5).into_bytes();
    body.push(0xFF);
    assert_eq!(plain(&body).charset, "UTF-8");
}

#[test]
fn a_cut_sequence_is_no_error() {
    let body = b"P\xC5";
    let cut = decode(body, None, None, None, true, Mojibake::Fix).expect("decodable");
    assert_eq!((cut.charset, cut.text.as_ref(), cut.replacements), ("UTF-8", "P", 0));
    assert_eq!(plain(body).charset, "windows-1252");
    let kanji = encode(SHIFT_JIS, "日本語");
    let cut = decode(&kanji[..5], Some("sjis"), None, None, true, Mojibake::Fix).expect("decodable");
    assert_eq!((cut.text.as_ref(), cut.replacements), ("日本", 0));
}

#[test]
fn ascii_is_utf8_unless_declared() {
    assert_eq!(summary(&plain(b"plain")), ("UTF-8", "utf8", None));
    assert_eq!(summary(&plain(b"")), ("UTF-8", "utf8", None));
    assert_eq!(summary(&http(b"plain", "latin1")), ("windows-1252", "http", Some("latin1")));
}

#[test]
fn utf16_declared_over_plain_bytes_is_ignored() {
    assert_eq!(summary(&http(b"<html>plain", "utf-16")), ("UTF-8", "utf8", Some("utf-16")));
    let body: Vec<u8> = "<html>kůň".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(http(&body, "utf-16").text, "<html>kůň");
}

#[test]
fn iso_2022_jp_is_decoded_declared_or_not() {
    let text = "日本語の文章をここに書きます。".repeat(10);
    let body = encode(ISO_2022_JP, &text);
    assert_eq!((plain(&body).charset, plain(&body).text), ("ISO-2022-JP", Cow::from(&text)));
    assert_eq!(http(&body, "iso-2022-jp").text, text);
}

#[test]
fn replacement_labels_are_no_labels() {
    assert_eq!(http(CZECH.as_bytes(), "iso-2022-kr").charset, "UTF-8");
    assert_eq!(http(b"a ~{ b", "utf-8").charset, "UTF-8");
    let error = |body: &'static [u8], label| decode(body, label, None, None, false, Mojibake::Fix);
    assert_eq!(error(b"\x1B$)C\x0E!!\x0F", Some("iso-2022-kr")), Err(Undecodable::Iso2022Kr));
    assert_eq!(error(b"\x1B$)C\x0E!!\x0F", None), Err(Undecodable::Iso2022Kr));
    assert_eq!(error(b"\x1B$)A\x0E!!\x0F", Some("iso-2022-cn")), Err(Undecodable::Iso2022Cn));
    assert_eq!(error(b"~{VPND~}", Some("hz-gb-2312")), Err(Undecodable::Hz));
}

#[test]
fn user_defined_is_never_decoded() {
    assert_eq!(http(&encode(WINDOWS_1250, CZECH), "x-user-defined").charset, "windows-1250");
}

#[test]
fn east_asian_text_is_detected() {
    let cases = [
        (GBK, "这是一个用来测试字符编码检测的简单的中文句子，我们希望它足够长。"),
        (BIG5, "這是一個用來測試字元編碼偵測的簡單中文句子，我們希望它足夠長。"),
        (EUC_KR, "이것은 문자 인코딩 감지를 시험하기 위한 간단한 한국어 문장입니다."),
        (SHIFT_JIS, "これは文字コードの判定を試すための簡単な日本語の文章です。"),
    ];
    for (encoding, text) in cases {
        let decoded = plain(&encode(encoding, text));
        assert_eq!((decoded.charset, decoded.text.as_ref()), (encoding.name(), text));
    }
}

#[test]
fn gb2312_is_read_by_the_gb18030_decoder() {
    assert_eq!(http(&[0x81, 0x30, 0x81, 0x34], "gb2312").text, "„", "U+0084");
    assert_eq!(http(&[0x94, 0x39, 0xDA, 0x33], "gb2312").text, "💩");
}

#[test]
fn cyrillic_families_are_told_apart() {
    let text = "Съешь же ещё этих мягких французских булок, да выпей чаю.";
    assert_eq!(plain(&encode(WINDOWS_1251, text)).text, text);
    assert_eq!(plain(&encode(KOI8_R, text)).text, text);
}

#[test]
fn the_language_steers_before_the_domain() {
    let bytes = encode(WINDOWS_1250, "kůň");
    let with = |tld, language| decode(&bytes, None, tld, language, false, Mojibake::Fix).expect("decodable").charset;
    assert_eq!(with(None, None), "windows-1252");
    assert_eq!(with(Some("cz"), None), "windows-1250");
    assert_eq!(with(Some("fr"), Some("cs")), "windows-1250");
    let page = [b"<html lang=cs><p>".as_slice(), &bytes].concat();
    assert_eq!(decode(&page, None, Some("fr"), None, false, Mojibake::Fix).expect("decodable").charset, "windows-1250");
    let french = encode(WINDOWS_1252, "<html lang=fr><p>Où est passé le garçon ?");
    assert_eq!(
        decode(&french, None, Some("cz"), None, false, Mojibake::Fix).expect("decodable").charset,
        "windows-1252"
    );
}

#[test]
fn a_declaration_that_fails_gives_way() {
    let decoded = http(&encode(WINDOWS_1251, &"Съешь же ещё этих мягких французских булок. ".repeat(5)), "euc-jp");
    assert_eq!(summary(&decoded), ("windows-1251", "detected", Some("euc-jp")));
}

#[test]
fn doubtful_texts_are_suspect() {
    assert!(http(b"a\x81b", "iso-8859-2").suspect, "C1");
    assert_eq!(http(b"a\x81b", "iso-8859-2").text, "ab");
    assert!(http(b"a\xFFb", "utf-8").suspect, "replacement");
    assert!(http(&[b"a".repeat(50), vec![0]].concat(), "utf-8").suspect, "NUL");
    assert!(plain(b"caf\xE9").suspect, "few bytes");
    assert!(!plain(CZECH.as_bytes()).suspect);
    assert!(!plain(&encode(WINDOWS_1250, CZECH)).suspect);
}

proptest! {
    #[test]
    fn decode_never_panics(
        body in proptest::collection::vec(any::<u8>(), 0..600),
        label in proptest::option::of("[a-z0-9_-]{0,12}"),
        tld in proptest::option::of(".{0,4}"),
        language in proptest::option::of(".{0,6}"),
        truncated: bool,
    ) {
        if let Ok(decoded) = decode(&body, label.as_deref(), tld.as_deref(), language.as_deref(), truncated, Mojibake::Fix) {
            prop_assert!(matches!(clean_text(&decoded.text), Cow::Borrowed(t) if t.len() == decoded.text.len()));
        }
    }

    #[test]
    fn markup_like_bytes_never_panic(html in r#"(<(meta|html|!--|script|\?xml)?[ a-z=/"'>-]{0,20}(charset|encoding|lang)?[="' a-z0-9;-]{0,12}>?\PC{0,3}){0,8}"#) {
        let _ = decode(html.as_bytes(), None, None, None, false, Mojibake::Fix);
    }

    #[test]
    fn utf8_is_always_recognised(text in "\\PC{0,200}") {
        prop_assume!(text.chars().filter(|c| !c.is_ascii()).count() >= 2);
        let decoded = decode(text.as_bytes(), None, Some("cz"), None, false, Mojibake::Fix).expect("decodable");
        prop_assert_eq!(decoded.charset, "UTF-8");
    }
}

/// Share of the sample texts that must be decided rightly (279 of 286 are). Of the others, four are in encodings that
/// have no decoder here (ISO-2022-KR, EUC-TW, VISCII, Johab); two texts have hardly a letter beyond ASCII.
const FLOOR: f64 = 0.975;

#[test]
fn samples_are_decided_rightly() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/charset/charset.jsonl.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is absent", path.display());
        return;
    };
    let mut lines = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut lines).expect("gzip");
    let (mut right, mut total) = (0, 0);
    for item in lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")) {
        let field = |name: &str| item[name].as_str().unwrap_or_default();
        let wide = ["utf-16", "utf-32", "utf-7"].iter().any(|p| field("encoding").to_lowercase().starts_with(p));
        if wide {
            continue;
        }
        let raw = BASE64_STANDARD.decode(field("bytes_base64")).expect("base64");
        let head = raw[..raw.len().min(2000)].to_ascii_lowercase();
        let page = match memmem::find(&head, b"<html") {
            Some(_) => raw.clone(),
            None => [b"<html><body><p>".as_slice(), &raw, b"</p></body></html>"].concat(),
        };
        let got = decode(&page, None, None, None, false, Mojibake::Fix);
        let ok = got.as_ref().is_ok_and(|got| same_text(got.charset, field("encoding"), &raw));
        total += 1;
        right += usize::from(ok);
        if !ok {
            let got = got.map(|d| (d.charset, d.source, d.declared));
            println!("wrong: {} {} ({} bytes): {got:?}", field("id"), field("encoding"), raw.len());
        }
    }
    let share = f64::from(right as u32) / f64::from(total as u32);
    println!("{right} of {total} right: {share:.4}");
    assert!(share >= FLOOR, "{share}");
}

/// Whether two names decode the bytes to the same text, or name the same encoding.
fn same_text(ours: &str, gold: &str, raw: &[u8]) -> bool {
    if ours.eq_ignore_ascii_case(gold) {
        return true;
    }
    let Some(gold) = gold_encoding(gold) else {
        return false;
    };
    let koi8 = |name: &str| name.starts_with("KOI8");
    ours == gold.name()
        || (koi8(ours) && koi8(gold.name()))
        || Encoding::for_label(ours.as_bytes()).is_some_and(|ours| {
            let (a, _, failed_a) = ours.decode(raw);
            let (b, _, failed_b) = gold.decode(raw);
            a == b && !failed_a && !failed_b
        })
}

/// Names of Python's codecs; `None` where the Encoding Standard has no such encoding.
fn gold_encoding(label: &str) -> Option<&'static Encoding> {
    let label = match label.to_ascii_lowercase().as_str() {
        "utf-8-sig" | "utf_8" => String::from("utf-8"),
        "maccyrillic" => String::from("x-mac-cyrillic"),
        "macroman" => String::from("macintosh"),
        "cp949" => String::from("euc-kr"),
        "cp932" => String::from("shift_jis"),
        other => String::from(other),
    };
    Encoding::for_label(label.as_bytes())
}

#[test]
fn many_malformed_sequences_take_linear_time() {
    // A lone surrogate and a letter, two million times.
    let bytes: Vec<u8> = [&b"\xFF\xFE"[..], &b"\x00\xD8a\x00".repeat(2_000_000)].concat();
    let decoded = decode(&bytes, None, None, None, false, Mojibake::Fix).unwrap();
    assert_eq!(decoded.replacements, 2_000_000);
    assert_eq!(decoded.text.chars().count(), 4_000_000);
}
