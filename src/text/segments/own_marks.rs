//! Marks that end sentences in scripts without case, what is typed in their place, and what looks like one of them.

use std::ops::Range;

use memchr::memmem;

use super::chars::{char_at, char_before};
use crate::text::char_classes::{is_alphabetic, is_mark, is_sentence_terminal, is_tsheg};

/// The word separator of Ethiopic; two of them are typed for its full stop.
pub const ETHIOPIC_COLON: char = '\u{1361}';
/// Ends the verses of the Hebrew Bible.
const SOF_PASUQ: char = '\u{5C3}';
/// Tibetan "and": a clause ends behind it, no sentence.
const TIBETAN_AND: &str = "དང";
/// How far another mark is searched for to either side of a full stop, in bytes.
const NEAR: usize = 600;
/// Letters of an abbreviation at most.
const SHORT: usize = 2;

/// Whether a mark belongs to a script without case and has no use but to end a sentence.
pub fn is_own(c: char) -> bool {
    let in_range = matches!(c, '\u{61F}' | '\u{6D4}' | '\u{900}'..='\u{1FFF}' | '\u{A880}'..='\u{ABFF}' | '\u{11000}'..='\u{1FFFF}');
    // A single colon is refused by `may_end`.
    in_range && is_sentence_terminal(c) && !matches!(c, '\u{104A}' | '\u{A9C8}')
        || matches!(c, ETHIOPIC_COLON | SOF_PASUQ)
}

/// Whether a run of marks may end a sentence, as far as its own characters and the letter before it say.
pub fn may_end(text: &str, run: Range<usize>) -> bool {
    let before = || char_before(text, run.start);
    match text.get(run.clone()).unwrap_or_default() {
        // A bar behind a space too: it is typed after French habits.
        "|" | "||" => {
            let before = before().filter(|c| *c != ' ').or_else(|| char_before(text, run.start.saturating_sub(1)));
            before.is_some_and(is_indic)
        }
        ":" => before().is_some_and(is_armenian),
        "།" => !text.get(..run.start).is_some_and(ends_with_and),
        // The decimal point in the width of an ideograph: `３．５％`.
        "\u{FF0E}" => !(before().is_some_and(char::is_numeric) && char_at(text, run.end).is_some_and(char::is_numeric)),
        marks => !marks.starts_with(ETHIOPIC_COLON) || marks.len() > ETHIOPIC_COLON.len_utf8(),
    }
}

fn is_armenian(c: char) -> bool {
    matches!(c, '\u{531}'..='\u{587}')
}

/// Whether the full stop at an offset is the colon of Armenian, by the letter before it and the quotation behind it.
pub fn is_armenian_colon(text: &str, stop: usize) -> bool {
    let behind = text.get(stop..).and_then(|behind| behind.strip_prefix('.')).unwrap_or_default();
    behind.trim_start().starts_with(['«', '“', '"']) && char_before(text, stop).is_some_and(is_armenian)
}

fn is_indic(c: char) -> bool {
    let letter = matches!(c, '\u{900}'..='\u{DFF}' | '\u{1C50}'..='\u{1C7F}' | '\u{ABC0}'..='\u{ABFF}');
    letter && (is_alphabetic(c) || is_mark(c))
}

/// Whether a text ends with the syllable [`TIBETAN_AND`].
fn ends_with_and(before: &str) -> bool {
    let before = before.strip_suffix(is_tsheg).unwrap_or(before);
    before.strip_suffix(TIBETAN_AND).is_some_and(|rest| !rest.ends_with(is_tibetan_letter))
}

/// Whether a blank stands for a shad: none is written behind the letter ga. Behind a syllable that goes on, a tsheg
/// stands before the blank.
pub fn is_omitted_shad(before: char, after: char) -> bool {
    before == 'ག' && is_tibetan_letter(after)
}

fn is_tibetan_letter(c: char) -> bool {
    matches!(c, '\u{F40}'..='\u{FBC}')
}

/// Whether a word without case begins at an offset, which a mark with no space behind it ends a sentence before. Khmer has
/// a letter between two marks for "and so on".
pub fn begins_caseless(text: &str, at: usize) -> bool {
    let mut next = text.get(at..).unwrap_or_default().chars();
    next.next().is_some_and(is_caseless) && !next.next().is_some_and(is_own)
}

pub fn is_caseless(c: char) -> bool {
    !c.is_ascii() && is_alphabetic(c) && !c.is_lowercase() && !c.is_uppercase()
}

/// Whether the last part of a word before a full stop is one letter of Hebrew, Arabic or a script of India: an initial.
pub fn is_initial(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or_default();
    let letters = last.chars().filter(|c| !is_mark(*c)).count();
    letters == 1 && last.chars().all(|c| matches!(c, '\u{590}'..='\u{6FF}' | '\u{900}'..='\u{DFF}'))
}

/// Whether the last part of a word before a full stop has one or two letters, in a script without case.
pub fn is_short(word: &str) -> bool {
    let last = word.rsplit('.').next().unwrap_or_default();
    let letters = last.chars().filter(|c| !is_mark(*c)).count();
    (1..=SHORT).contains(&letters) && last.chars().all(|c| is_mark(c) || is_caseless(c))
}

/// Whether a mark of a script without case stands near: then its writer ends no sentence with a full stop.
pub fn stands_near(text: &str, at: usize) -> bool {
    let (from, to) = (text.ceil_char_boundary(at.saturating_sub(NEAR)), text.floor_char_boundary(at + NEAR));
    let near = text.get(from..to).unwrap_or_default().as_bytes();
    ["।", "።", "፡፡", "᱾", "৷"].iter().any(|mark| memmem::find(near, mark.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use crate::text::segments::Segmenter;

    fn sentences(code: &str, text: &str) -> String {
        let found = Segmenter::default().language(code).sentences(text);
        found.into_iter().map(|range| &text[range]).collect::<Vec<_>>().join(" ⏎ ")
    }

    /// `text` has ⏎ where sentences end.
    fn is_cut(code: &str, text: &str) {
        assert_eq!(sentences(code, &text.replace(" ⏎ ", " ")), text, "{code}");
    }

    #[test]
    fn marks_of_all_scripts_end_sentences() {
        for (code, text) in [
            ("sat", "ᱱᱚᱣᱟ ᱫᱚ ᱢᱤᱫ ᱾ ⏎ ᱩᱱᱤ ᱦᱮᱡ ᱮᱱᱟ ᱾"),
            ("syc", "ܫܠܡܐ ܠܟ܀ ⏎ ܫܠܡܐ ܠܟ܀"),
            ("ccp", "𑄌𑄋𑄴𑄟𑄳𑄦 𑅁 ⏎ 𑄌𑄋𑄴𑄟𑄳𑄦 𑅁"),
            ("mya", "သူလာသည်။ ⏎ သူသွားသည်၊ ပြန်လာသည်။"),
            ("jav", "ꦲꦤꦕꦫꦏ꧉ ⏎ ꦢꦠꦱꦮꦭ꧈ ꦥꦝꦗꦪꦚ꧉"),
            ("amh", "ሰላም ነው። ⏎ እንዴት ነህ፡፡ ⏎ ደህና፡ነኝ ፡ አለ።"),
            ("vai", "ꕉꔈꖬ ꗏꗡ꘎ ⏎ ꕉꔈꖬ ꗏꗡ꘎"),
        ] {
            is_cut(code, text);
        }
    }

    #[test]
    fn own_marks_end_sentences_without_a_space() {
        assert_eq!(sentences("mya", "သူလာသည်။သူသွားသည်။"), "သူလာသည်။ ⏎ သူသွားသည်။");
        assert_eq!(sentences("hin", "वह आया।मैं गया।"), "वह आया। ⏎ मैं गया।");
        assert_eq!(sentences("khm", "ផ្លែឈើ បន្លែ ។ល។ និងសាច់ ។"), "ផ្លែឈើ បន្លែ ។ល។ ⏎ និងសាច់ ។");
        assert_eq!(sentences("hin", "भाग १।२ देखें"), "भाग १।२ देखें");
    }

    #[test]
    fn what_is_typed_for_a_mark_ends_sentences() {
        is_cut("hin", "मैं घर गया | ⏎ वह आया| ⏎ ठीक है |");
        is_cut("hin", "NDTV | Hindi 24 | 7");
        is_cut("ben", "সে এল৷ ⏎ আমি গেলাম৷");
        is_cut("hyw", "Ան եկաւ: ⏎ Ես գացի: ⏎ Ժամը 10:30 է:");
        is_cut("hyw", "Այսպէս: ան");
        is_cut("eng", "One: Two | Three");
    }

    #[test]
    fn tibetan_has_marks_that_end_no_sentence_and_ends_without_a_mark() {
        is_cut("bod", "བོད་དང༌། ང་དང། ཁོང་གཉིས་ཡོད། ⏎ དེ་རིང་འགྲོ། ⏎ བཟང་པོ་རེད།");
        is_cut("bod", "ཁོང་གིས་དེབ་ཞིག་བཀླག ⏎ ང་ལ་བཤད་སོང་།");
        is_cut("bod", "ཁོང་གིས་ བཀླག་ ང་ལ་ བཤད་སོང་།");
    }

    #[test]
    fn one_or_two_letters_with_a_stop_are_an_abbreviation_where_another_mark_ends_sentences() {
        is_cut("hin", "डॉ. शर्मा ने ५ कि.मी. की दौड़ लगाई। ⏎ वे थक गए।");
        is_cut("amh", "በ2000 ዓ.ም. ዶ. አበበ መጣ። ⏎ ሄደ።");
        is_cut("mar", "तो आला. ⏎ ती गेली. ⏎ ते आहे. ⏎ मग.");
    }

    #[test]
    fn one_letter_with_a_stop_is_an_initial() {
        is_cut("tam", "மு. கருணாநிதி வந்தார். ⏎ அவர் போனார்.");
        is_cut("fas", "ع. احمدی آمد. ⏎ او رفت.");
        is_cut("heb", "א. ב. יהושע כתב. ⏎ הוא הלך.");
    }

    #[test]
    fn a_verb_of_one_letter_is_no_initial() {
        is_cut("guj", "તે ઘરે છે. ⏎ હું શાળામાં છું. ⏎ ર. વ. દેસાઈ ગયા.");
        is_cut("hin", "वह घर पर है. ⏎ वे यहाँ थे. ⏎ राम आया.");
        is_cut("sin", "මෙය පොතක් වේ. ⏎ ලංකාව දූපතක් ය. ⏎ එය රටකි.");
    }

    #[test]
    fn the_name_of_a_letter_is_an_initial() {
        for (code, text) in [
            ("tam", "எஸ். பி. பாலசுப்ரமணியம் வந்தார். ⏎ அவர் போனார்."),
            ("tel", "ఎస్. పి. బాలసుబ్రహ్మణ్యం వచ్చారు. ⏎ ఆయన వెళ్లారు."),
            ("kan", "ಎಸ್. ಎಂ. ಕೃಷ್ಣ ಬಂದರು. ⏎ ಅವರು ಹೋದರು."),
            ("mal", "എസ്. കെ. പൊറ്റെക്കാട്ട് വന്നു. ⏎ അദ്ദേഹം പോയി."),
            ("mar", "एम. एस. धोनी आला. ⏎ वाय.राव गेला."),
            ("guj", "એમ. એસ. ધોની આવ્યા. ⏎ તે ગયા."),
            ("nep", "जर्ज डब्ल्यु. बुस आए. ⏎ उनी गए."),
            ("sin", "ඩී. එස්. සේනානායක පැමිණියේය. ⏎ ඔහු ගියේය."),
        ] {
            is_cut(code, text);
        }
    }

    #[test]
    fn letters_behind_gershayim_are_no_initial() {
        is_cut("heb", "נסעתי לארה״ב. ⏎ אחר כך חזרתי.");
        is_cut("heb", "נסעתי לארה\"ב. ⏎ אחר כך חזרתי.");
    }

    #[test]
    fn a_georgian_sentence_begins_with_any_letter_and_digit() {
        is_cut("kat", "2008 წელს ომი დაიწყო. ⏎ რუსეთმა დატოვა. ⏎ NATO-ს წევრი. ⏎ შემდეგ შეწყდა.");
        is_cut("kat", "დაიბადა 1950 წ. თბილისში.");
    }

    #[test]
    fn arabic_marks_end_sentences_without_a_space() {
        assert_eq!(sentences("urd", "وہ گیا۔پھر آیا۔"), "وہ گیا۔ ⏎ پھر آیا۔");
        assert_eq!(sentences("ara", "هل جاء؟نعم"), "هل جاء؟ ⏎ نعم");
    }

    #[test]
    fn a_stop_apart_from_its_word_is_no_abbreviation() {
        is_cut("eng", "i went home . ⏎ then i slept .");
    }

    #[test]
    fn a_sentence_begins_with_a_small_article() {
        is_cut("afr", "Hy is weg. ⏎ ’n Man het gekom. ⏎ 't Was laat.");
        is_cut("lim", "Hae góng. ⏎ ‘t Kin neet.");
        is_cut("afr", "Dit is ca. ’n uur.");
    }
}
