use proptest::prelude::*;

use super::*;

fn identifier() -> Identifier {
    Identifier::new(&config::Config::default().language)
}

fn candidate(text: &str, links: u32) -> Candidate<'_> {
    Candidate { text, characters: text.chars().count() as u32, link_characters: links, preformatted: false }
}

fn document(text: &str) -> Identified {
    identifier().document([candidate(text, 0)].into_iter())
}

#[test]
fn the_sample_prefers_running_text() {
    let prose = "a ".repeat(60);
    let blocks = [candidate("Home News Contact", 17), candidate(&prose, 0), candidate("short", 0)];
    assert_eq!(sample(blocks.into_iter(), 50).trim(), "a ".repeat(25).trim());
    assert_eq!(sample([candidate("Home", 4)].into_iter(), 50).trim(), "Home");
    assert_eq!(sample([].into_iter(), 50), "");
    let data = "QUJD".repeat(100);
    let code = Candidate { preformatted: true, ..candidate(&prose, 0) };
    assert_eq!(sample([candidate(&data, 0), code, candidate("short", 0)].into_iter(), 50).trim(), "short");
}

const CZECH: &str =
    "Knihovna byla založena v roce 1897 a od té doby slouží obyvatelům celého okolí. Čtenáři si mohou půjčovat knihy.";
const SLOVAK: &str =
    "Knižnica bola založená v roku 1897 a odvtedy slúži obyvateľom celého okolia. Čitatelia si môžu požičiavať knihy.";
const ENGLISH: &str = "The library was founded in 1897 and serves everybody who lives nearby.";

#[test]
fn pages_and_paragraphs() {
    let identifier = identifier();
    let paragraph = |text, document| identifier.paragraph(text, document).code;
    assert_eq!(document(CZECH).code, "ces");
    assert_eq!(paragraph(SLOVAK, "ces"), "slk");
    assert_eq!(paragraph(ENGLISH, "ces"), "eng");
    assert_eq!(paragraph("これは日本語の文章です。図書館は百年前に建てられました。", "jpn"), "jpn");
    assert_eq!(paragraph("OK 12", "ces"), UNDETERMINED);
}

#[test]
fn scripts() {
    let cases = [
        ("ell", "Η βιβλιοθήκη ιδρύθηκε το 1897 και εξυπηρετεί όλη την περιοχή."),
        ("rus", "Библиотека была основана в 1897 году и обслуживает жителей всей округи."),
        ("ukr", "Бібліотека була заснована 1897 року і обслуговує мешканців усієї околиці."),
        ("ara", "تأسست المكتبة في عام 1897 وهي تخدم جميع سكان المنطقة المجاورة منذ ذلك الحين."),
        ("kor", "도서관은 백 년 전에 세워졌으며 그때부터 주민들이 이용하고 있습니다."),
        ("zho", "图书馆建于一百年前，从那时起一直为附近的居民服务。"),
        ("kat", "ბიბლიოთეკა დაარსდა ასი წლის წინ და ემსახურება მთელ მხარეს."),
    ];
    for (code, text) in cases {
        let found = document(text);
        assert_eq!(found.code, code, "{text} {found:?}");
        assert!(found.score > 0.8, "{text} {found:?}");
    }
}

#[test]
fn han_alone_is_japanese_in_a_japanese_document() {
    let heading = "東京都立中央図書館利用案内";
    assert_eq!(identifier().paragraph(heading, "jpn").code, "jpn");
    assert_eq!(identifier().paragraph(heading, "und").code, "zho");
}

#[test]
fn other_scripts_and_languages_are_undetermined() {
    let unknown = [
        "ሰው ሁሉ ነጻና እኩል ክብርና መብት ያለው ሆኖ ተፈጥሯል።", // Amharic
        "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងភាពស្មើៗគ្នា",    // Khmer
        "සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත.",          // Sinhala
        "Pi tout moun fèt lib, egal ego pou diyite kou wè dwa. Nou gen la rezon ak la konsyans.", // Haitian
        "Dọkpọ ɖé jɔ ɖo mɛɖesusi jɛ́n mɛ bɔ sísí na ɖo mɛ ɖokpo ɖokpo kpo acɛ kpó sín linu.", // Fon
    ];
    for text in unknown {
        assert_eq!(document(text).code, UNDETERMINED, "{text} {:?}", document(text));
    }
}

#[test]
fn a_short_paragraph_follows_its_document() {
    // As good Norwegian as Danish.
    let text = "Alle bøger er på lager her";
    assert_eq!(identifier().paragraph(text, "dan").code, "dan");
    assert_eq!(identifier().paragraph("Kontakt oss på e-post eller telefon", "nob").code, "nob");
}

/// The table is the same to the byte wherever it is built. These numbers change with the models, and with how the
/// table is made; then scores change as well.
#[test]
fn the_table_and_its_scores_do_not_change() {
    let sum = TABLE.iter().fold(0u64, |sum, &byte| sum.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte));
    assert_eq!((TABLE.len(), sum), (10_913_560, 17_077_404_842_275_632_962));
    assert_eq!([CZECH, SLOVAK, ENGLISH].map(|text| document(text).score), [0.996, 0.997, 0.994]);
}

#[test]
fn codes_are_iso_639_3() {
    let codes = known_codes();
    assert_eq!(codes.len(), 75);
    assert!(codes.iter().all(|code| code.len() == 3));
    assert!(["ces", "eng", "zho", "nob"].iter().all(|c| codes.contains(c)));
    assert!(codes.is_sorted());
}

proptest! {
    #[test]
    fn any_text_has_a_code_and_a_score(text in any::<String>(), code in prop::sample::select(known_codes())) {
        for found in [document(&text), identifier().paragraph(&text, code)] {
            prop_assert!(found.code == UNDETERMINED || known_codes().contains(&found.code));
            prop_assert!((0.0..=1.0).contains(&found.score));
            prop_assert!(found.code == UNDETERMINED || found.score >= 0.5);
        }
    }

    #[test]
    fn case_digits_and_marks_between_words_do_not_matter(mark in "[ 0-9.,;:!?()–]{1,5}") {
        let spaced = ENGLISH.to_uppercase().replace(' ', &format!(" {mark} "));
        prop_assert_eq!(document(&spaced), document(ENGLISH));
    }

    #[test]
    fn costs_of_texts_add_up(text in "\\PC{0,80}", times in 2u32..9) {
        let table = Table::read(TABLE);
        let (once, often) = (tally(&table, &text), tally(&table, &format!("{text} ").repeat(times as usize)));
        prop_assert_eq!(once.wide.costs.map(|cost| cost * times), often.wide.costs);
        prop_assert_eq!(once.others.map(|letters| letters * times), often.others);
        for (once, often) in once.narrow.iter().zip(&often.narrow) {
            prop_assert_eq!((once.steps * times, once.letters * times), (often.steps, often.letters));
            prop_assert_eq!(once.costs.map(|cost| cost * times), often.costs);
        }
    }

    #[test]
    fn its_document_only_helps_a_language(text in "[a-zäöüßéèçñ ]{20,120}", code in prop::sample::select(known_codes())) {
        let alone = identifier().paragraph(&text, UNDETERMINED);
        let inside = identifier().paragraph(&text, code);
        prop_assert!(inside.code == alone.code || inside.code == code || inside.code == UNDETERMINED);
    }
}
