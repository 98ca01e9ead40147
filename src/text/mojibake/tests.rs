use std::io::Read;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use super::{fixed, has_mojibake};

/// What Windows-1252 has for the bytes 0x80 to 0x9F, as browsers read it.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// The text as it reads if its bytes are taken for Windows-1252.
fn encoded_twice(text: &str) -> String {
    let high: Vec<char> = WINDOWS_1252.chars().collect();
    text.bytes().map(|byte| high.get(usize::from(byte).wrapping_sub(0x80)).copied().unwrap_or(byte.into())).collect()
}

/// The text as it reads if its bytes are taken for ISO 8859-1.
fn as_latin_1(text: &str) -> String {
    text.bytes().map(char::from).collect()
}

#[test]
fn text_that_was_encoded_twice_is_repaired() {
    for meant in [
        "The party’s over – “again”… €5, 20 °C, © 2010, naïve café",
        "Für Größe, Übung; à la carte, déjà vu, São Paulo, coração",
        "Příliš žluťoučký kůň, wiedział, Łódź, İstanbul’da, gün ışığı, știință",
        "Привет, мир. Это и я",
        "Καλημέρα κόσμε",
        "שלום עולם",
        "مرحبا بالعالم",
        "नमस्ते दुनिया",
        "สวัสดี",
        "Tiếng Việt được nói ở Việt Nam",
        "世界人权宣言。",
        "日本語の文章",
        "한국어 문장",
        "✓ done → 😀 👩\u{200d}👩 ❤\u{fe0f} ﬁ",
    ] {
        assert_eq!(fixed(&encoded_twice(meant)).as_deref(), Some(meant));
        assert_eq!(fixed(&as_latin_1(meant)).as_deref(), Some(meant));
        assert_eq!(fixed(meant), None, "{meant}");
    }
    assert_eq!(fixed(&encoded_twice(&encoded_twice("It’s"))).as_deref(), Some("It’s"), "encoded three times");
    assert_eq!(fixed("right: ‘é’, wrong: Ã©").as_deref(), Some("right: ‘é’, wrong: é"));
}

#[test]
fn right_texts_stay() {
    for right in [
        "«CAFÉ», “CAFÉ”, CAFÉ…, CAFÉ–BAR, CAFÉ\u{a0}®, CAFÉ\u{85}",
        "voilà\u{a0}« à\u{a0}« part\u{a0}» déjà\u{a0}», à\u{a0}»",
        "IRMÃ® IRMÃ… MANHÃ” AMANHû",
        "“Å” och “Ä”, “Ã”, “Â”, PÅ… SMÅ– É» É«",
        "está»… está», “¿qué”…",
        "café–“maybe”, été—",
        "Ó” Ö– Ü“ DESCRIÇÃO NÃO ROMÂNIA",
        "x â y, à é î ô, â—",
        "Die Aussprache des „Ä“s ist offen. La lettre «Â» est rare. Bokstaven ”Å”s ljud. Bokstäverna Å–ö.",
        "A MAÇÃ—símbolo do pecado—é vermelha. AMANHÃ—disse ela—será tarde.",
        "20 °C ± 5 µm, ½ · ¼, ª º",
    ] {
        assert_eq!(fixed(right), None, "{right}");
        assert!(!has_mojibake(right));
    }
}

#[test]
fn doubtful_sequences_follow_the_sure_ones_of_their_script() {
    assert_eq!(fixed("Ð¸"), None, "one letter may be anything");
    let text = "Мы и вы, я и ты, он и она";
    assert_eq!(fixed(&encoded_twice(text)).as_deref(), Some(text));
    assert_eq!(fixed("Ã–STERREICH"), None);
    assert_eq!(fixed("Ã–STERREICH, fÃ¼r, grÃ¼n, schÃ¶n").as_deref(), Some("ÖSTERREICH, für, grün, schön"));
}

/// Work that grows with the square of these would not end.
#[test]
fn the_time_is_linear() {
    for hostile in ["Ã", "Ã©", "Ã\u{a0}", "â€", "ðŸ˜€", "Ð¿ ", "á»"] {
        let text = hostile.repeat(200_000);
        assert_eq!(fixed(&text).is_some(), has_mojibake(&text));
    }
}

/// Right texts of 450 languages (not part of the repository): few are changed, and those hold text encoded twice. Nearly
/// all come back from being encoded twice.
#[test]
fn sentences_of_many_languages_stay_and_come_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/langid/langid.jsonl.gz");
    let Ok(file) = std::fs::File::open(&path) else {
        println!("skipped: {} is missing", path.display());
        return;
    };
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).unwrap();
    let (mut changed, mut beyond_ascii, mut restored) = (0, 0, 0);
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        if has_mojibake(text) {
            changed += 1;
        } else if row["kind"] == "sentence" && !text.is_ascii() {
            beyond_ascii += 1;
            restored += usize::from(fixed(&encoded_twice(text)).as_deref() == Some(text));
        }
    }
    println!("{changed} changed; {restored} of {beyond_ascii} sentences restored");
    // All 42 were read: 40 hold nothing but text that was encoded twice, two more also other damage.
    assert!(changed <= 42 && restored * 100 >= beyond_ascii * 90);
}

proptest! {
    #[test]
    fn words_come_back(words in proptest::collection::vec("[a-zà-öø-ÿāăąćčďđēęěğīıłńňőŕřśşšţťūůűźžż]{1,12}", 1..6)) {
        let text = words.join(" ");
        prop_assume!(!text.is_ascii());
        // A letter that stands alone gives too little to go by.
        prop_assume!(words.iter().all(|word| word.chars().count() > 1));
        prop_assert_eq!(fixed(&encoded_twice(&text)), Some(text.clone()));
        prop_assert_eq!(fixed(&as_latin_1(&text)), Some(text.clone()));
        prop_assert_eq!(fixed(&text), None);
    }

    #[test]
    fn a_text_without_a_lead_is_untouched(text in "[ -~\u{a0}-\u{c1}\u{f5}-\u{ff}Ā-ſА-я€’“”…–]{0,80}") {
        prop_assert_eq!(fixed(&text), None);
    }

    #[test]
    fn any_text_is_repaired_without_a_panic(text in "[Â-ô\u{80}-\u{bf}€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸa-c ]{0,60}") {
        prop_assert_eq!(fixed(&text).is_some(), has_mojibake(&text));
    }
}
