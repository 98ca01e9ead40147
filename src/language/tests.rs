use proptest::prelude::*;

use super::*;

fn identifier() -> Identifier {
    Identifier::new(&Options::default())
}

fn candidate(text: &str, links: u32) -> SampleBlock<'_> {
    SampleBlock { text, characters: text.chars().count() as u32, link_characters: links, preformatted: false }
}

fn language(code: &str) -> Language {
    Language::by_code(code).expect("a known code")
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
    let code = SampleBlock { preformatted: true, ..candidate(&prose, 0) };
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
    let paragraph = |text, document| identifier.paragraph(text, language(document)).language.code();
    assert_eq!(document(CZECH).language.code(), "ces");
    assert_eq!(paragraph(SLOVAK, "ces"), "slk");
    assert_eq!(paragraph(ENGLISH, "ces"), "eng");
    assert_eq!(paragraph("これは日本語の文章です。図書館は百年前に建てられました。", "jpn"), "jpn");
    assert_eq!(paragraph("OK 12", "ces"), "und");
}

#[cfg(feature = "lingua")]
#[test]
fn lingua_answers_in_place_of_the_table() {
    let options = Options { identifier: Method::Lingua, min_confidence: 1.0, ..Options::default() };
    let identifier = Identifier::new(&options);
    let page = identifier.document([candidate(CZECH, 0)].into_iter());
    assert_eq!(page.language.code(), "ces");
    let paragraph = |text, document| identifier.paragraph(text, language(document)).language.code();
    assert_eq!(paragraph(SLOVAK, "ces"), "slk");
    assert_eq!(paragraph("OK 12", "ces"), "und");
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
        assert_eq!(found.language.code(), code, "{text} {found:?}");
        assert!(found.score > 0.8, "{text} {found:?}");
    }
}

#[test]
fn letters_of_no_known_script_count_once() {
    let text = "The library was founded in 1897 and serves the people of the whole district. ".repeat(4);
    // Mathematical letters, as names in social networks have.
    let bold =
        |c: char| char::from_u32(0x1D5EE + c as u32 - 'a' as u32).filter(|_| c.is_ascii_lowercase()).unwrap_or(c);
    let words = text.split(' ').enumerate();
    let words: Vec<String> =
        words.map(|(n, word)| if n % 3 == 0 { word.chars().map(bold).collect() } else { word.into() }).collect();
    assert_eq!(document(&words.join(" ")).language.code(), "eng");
}

#[test]
fn han_alone_is_japanese_in_a_japanese_document() {
    let heading = "東京都立中央図書館利用案内";
    let paragraph = |document| identifier().paragraph(heading, language(document)).language.code();
    assert_eq!(paragraph("jpn"), "jpn");
    assert_eq!(paragraph("und"), "zho");
}

#[test]
fn scripts_of_one_language_and_small_languages_are_told() {
    let cases = [
        ("amh", "ሰው ሁሉ ነጻና እኩል ክብርና መብት ያለው ሆኖ ተፈጥሯል።"),
        ("khm", "មនុស្សទាំងអស់"),
        ("sin", "සියලු මනුෂ්‍යයෝ"),
        ("hat", "Pi tout moun fèt lib, egal ego pou diyite kou wè dwa. Nou gen la rezon ak la konsyans."),
        ("fon", "Dọkpọ ɖé jɔ ɖo mɛɖesusi jɛ́n mɛ bɔ sísí na ɖo mɛ ɖokpo ɖokpo kpo acɛ kpó sín linu."),
        ("hsb", "Wšitcy čłowjekojo su wot naroda swobodni a jenacy po dostojnosći a prawach."),
        ("glg", "Todos os seres humanos nacen libres e iguais en dignidade e dereitos."),
    ];
    for (code, text) in cases {
        assert_eq!(document(text).language.code(), code, "{text} {:?}", document(text));
    }
}

#[test]
fn other_scripts_and_languages_are_undetermined() {
    let unknown = [
        "ꤡꤛꤢ꤬ꤔꤢ꤬ꤞꤟꤢ꤭",                                                                          // Kayah Li
        "Адыгэбзэр адыгэхэм я анэдэлъхубзэщ, абы ирипсалъэхэр Къэбэрдей-Балъкъэрым щопсэу.", // Kabardian
        "Dihine nne' kẽ' naa ñuu', xa'a ra ndakua̱ ki'in ñayɨu ja'a ñuu.",                    // Mixtec
    ];
    for text in unknown {
        assert_eq!(document(text).language, Language::UNDETERMINED, "{text} {:?}", document(text));
    }
}

#[test]
fn a_short_paragraph_follows_its_document() {
    // As good Norwegian as Danish.
    let text = "Alle bøger er på lager her";
    let (danish, norwegian) = (language("dan"), language("nob"));
    assert_eq!(identifier().paragraph(text, danish).language, danish);
    assert_eq!(identifier().paragraph("Kontakt oss på e-post eller telefon", norwegian).language, norwegian);
}

/// The table is the same to the byte wherever it is built. These numbers change with the models, and with how the
/// table is made; then scores change as well.
#[test]
fn the_table_and_its_scores_do_not_change() {
    let bytes = FILES.concat();
    let sum = bytes.iter().fold(0u64, |sum, &byte| sum.wrapping_mul(0x100_0000_01b3) ^ u64::from(byte));
    assert_eq!((bytes.len(), sum), (23_569_032, 11_604_343_016_548_564_660));
    assert_eq!([CZECH, SLOVAK, ENGLISH].map(|text| document(text).score), [0.997, 0.997, 0.994]);
}

#[test]
fn codes_are_iso_639_3() {
    let codes = codes();
    assert_eq!(codes.len(), 275);
    assert!(codes.iter().all(|code| code.len() == 3));
    assert!(["ces", "eng", "zho", "nob"].iter().all(|c| codes.contains(c)));
    assert!(codes.is_sorted());
    let tabled = tables::tables().flat_map(|(_, codes)| tables::languages(codes)).map(|(_, code)| code);
    let mut of_table: Vec<&str> = tabled.chain(tables::OWN_SCRIPTS.iter().map(|(_, code)| *code)).collect();
    of_table.sort_unstable();
    of_table.dedup();
    assert_eq!(codes, of_table);
}

proptest! {
    #[test]
    fn any_text_has_a_language_and_a_score(text in any::<String>(), code in prop::sample::select(codes())) {
        for found in [document(&text), identifier().paragraph(&text, language(code))] {
            prop_assert!((0.0..=1.0).contains(&found.score));
            prop_assert!(found.language == Language::UNDETERMINED || found.score >= 0.5);
        }
    }

    #[test]
    fn case_digits_and_marks_between_words_do_not_matter(mark in "[ 0-9.,;:!?()–]{1,5}") {
        let spaced = ENGLISH.to_uppercase().replace(' ', &format!(" {mark} "));
        prop_assert_eq!(document(&spaced), document(ENGLISH));
    }

    #[test]
    fn scores_of_texts_add_up(text in "\\PC{0,80}", times in 2u32..9) {
        let (once, often) = (text.clone(), format!("{text} ").repeat(times as usize));
        let [once, often] = [once, often].map(|text| Scorer::with(|scorer| score::tests::all_scores(scorer, &text)));
        for ((steps, nlps), (all_steps, all_nlps)) in once.into_iter().zip(often) {
            prop_assert_eq!(steps * times, all_steps);
            prop_assert_eq!(nlps.iter().map(|nlp| nlp * times).collect::<Vec<_>>(), all_nlps);
        }
    }

    #[test]
    fn its_document_only_helps_a_language(text in "[a-zäöüßéèçñ ]{20,120}", code in prop::sample::select(codes())) {
        let alone = identifier().paragraph(&text, Language::UNDETERMINED).language;
        let code = language(code);
        let inside = identifier().paragraph(&text, code).language;
        prop_assert!(inside == alone || inside == code || inside == Language::UNDETERMINED);
    }
}

fn codes() -> Vec<&'static str> {
    Language::all().map(Language::code).collect()
}
