use proptest::prelude::*;

use super::*;

/// The words of a text without the fast path for ASCII and without a buffer: each character begins one, continues the
/// last, or ends it.
fn slow_words(text: &str, pieces: bool) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    for c in text.chars().filter(|&c| !is_hidden_in_word(c)) {
        let last = out.last().and_then(|word| word.chars().next_back());
        let (begun, in_piece) = (last.is_some(), last.is_some_and(|last| pieces && is_unspaced(last)));
        if in_piece && c == '\u{200B}' {
            continue;
        }
        if is_unspaced(c) {
            let continues = in_piece && out.last().is_some_and(|piece| continues_piece(piece, c));
            if !continues {
                out.push(String::new());
            }
            if !pieces || c.is_alphanumeric() || is_mark(c) {
                out.last_mut().unwrap().push(c);
            }
            if !pieces {
                out.push(String::new());
            }
        } else if c.is_alphanumeric() {
            if in_piece {
                out.push(String::new());
            }
            out.last_mut().unwrap().extend(c.to_lowercase());
        } else if continues_word(c) && begun && !in_piece {
            out.last_mut().unwrap().push(c);
        } else {
            out.push(String::new());
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

#[test]
fn words_are_tokens_with_a_letter_or_digit() {
    for (token, word) in [("a", true), ("3", true), ("…", false), ("'s", true), ("東", true), ("€", false)] {
        assert_eq!(is_word(token), word, "{token}");
    }
}

fn hashed(words: &[String], hash: fn(&[u8]) -> u64) -> Vec<u64> {
    words.iter().map(|word| hash(word.as_bytes())).collect()
}

proptest! {
    #[test]
    fn the_fast_path_finds_the_same_words(
        text in "([a-z0-9]{0,4}|[ _.,A-ZéÉ\u{AD}\u{301}東はンーกา่เ๕។ខ្\u{200B}-]|.){0,30}",
    ) {
        let expected = slow_words(&text, true);
        prop_assert_eq!(split(&text), expected.clone());
        let mut found = Vec::new();
        hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&expected, text_hash));
        let mut found = Vec::new();
        model_hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&expected, hash64));
        let mut found = Vec::new();
        model_character_hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&slow_words(&text, false), hash64));
    }

    #[test]
    fn pieces_do_not_depend_on_what_stands_before_them(
        before in "[กขคงจเแ่าิ์]{0,12}", text in "[กขคงจเแ่าิ์ຂຍ]{8,40}",
    ) {
        // From the second piece on: the first one may continue the text before it.
        let (alone, behind) = (split(&text), split(&format!("{before}{text}")));
        let known = alone.get(1..).unwrap_or_default();
        prop_assert!(behind.ends_with(known), "{:?} {:?}", alone, behind);
    }

    #[test]
    fn words_of_any_length_have_their_hash(text in "([a-zA-Z0-9_]{1,20}[ é.\u{301}]?){0,6}") {
        let mut found = Vec::new();
        hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&slow_words(&text, true), text_hash));
    }

    #[test]
    fn density_is_that_of_the_first_letters(texts in prop::collection::vec("([a-z]{0,9} |東|책|é|[0-9]){0,20}", 0..80)) {
        let letters = texts.iter().flat_map(|text| text.chars()).filter(|c| c.is_alphabetic()).take(SCRIPT_SAMPLE);
        let letters: Vec<bool> = letters.map(|c| matches!(c, '東' | '책')).collect();
        let dense = letters.iter().filter(|dense| **dense).count();
        prop_assert_eq!(is_dense(texts.iter().map(String::as_str)), dense * 2 > letters.len());
    }
}

fn split(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    words(text, |w| out.push(w.to_string()));
    out
}

#[test]
fn letters_and_digits_make_words() {
    assert_eq!(split("Mr. O'Brien's 3.5 ŽLUŤOUČKÝ-kůň!"), ["mr", "o", "brien", "s", "3", "5", "žluťoučký", "kůň"]);
    assert_eq!(split(" … — "), Vec::<String>::new());
    assert_eq!(split("Donau\u{AD}dampf می\u{200C}خواهم"), ["donaudampf", "میخواهم"]);
    assert_eq!(split("हिन्दी में"), ["हिन्दी", "में"]);
}

#[test]
fn ideographs_are_words() {
    assert_eq!(split("東京は2024年"), ["東", "京", "は", "2024", "年"]);
}

#[test]
fn pieces_of_unspaced_scripts_are_as_long_as_short_words() {
    for (text, words) in [
        ("ສາທາລະນະລັດ ປະຊາທິປະໄຕ ປະຊາຊົນລາວ", 10),
        ("ราชอาณาจักรไทย ประเทศในเอเชีย", 12),
        ("ព្រះរាជាណាចក្រកម្ពុជា", 6),
        ("ပြည်ထောင်စုသမ္မတမြန်မာနိုင်ငံ", 9),
    ] {
        let found = split(text);
        let letters = text.chars().filter(|c| is_alphabetic(*c)).count();
        assert!(found.len() <= words && found.len() > letters / 8, "{found:?}");
        // Without what tells people where a line may end it is the same text.
        let spaced: String = text.chars().flat_map(|c| [c, '\u{200B}']).collect();
        assert_eq!(split(&spaced), found);
        assert!(found.iter().all(|piece| !piece.starts_with(is_mark)), "{found:?}");
    }
    assert_eq!(split("ราคา ๑๒๓๔ บาท។ฯ").get(1).map(String::as_str), Some("๑๒๓๔"));
}

#[test]
fn a_word_of_one_character_is_left_for_the_model() {
    let mut found = Vec::new();
    model_character_hashes("ไทย ab", &mut found);
    assert_eq!(found, hashed(&["ไ", "ท", "ย", "ab"].map(String::from), hash64));
}

#[test]
fn dense_scripts_are_told_from_alphabets() {
    for (text, want) in [("東京は", true), ("책상 위에", true), ("สวัสดี", true), ("Tōkyō", false), ("", false)]
    {
        assert_eq!(is_dense([text].into_iter()), want, "{text}");
    }
}

#[test]
fn short_texts_have_one_shingle_of_their_own() {
    let h = |t| {
        let mut v = Vec::new();
        hashes(t, &mut v);
        shingles(&v, 5)
    };
    assert_eq!(h("").len(), 0);
    assert_eq!(h("one two").len(), 1);
    assert_ne!(h("one two"), h("one three"));
    assert_eq!(h("a b c d e f").len(), 2);
    assert_eq!(h("a a a a a a a a").len(), 1);
}

#[test]
fn digest_ignores_case_and_punctuation_only() {
    let d = |t| {
        let mut v = Vec::new();
        hashes(t, &mut v);
        text_digest(&v)
    };
    assert_eq!(d("Hello, World!"), d("hello world"));
    assert_ne!(d("hello world"), d("world hello"));
    assert_ne!(d("price 5"), d("price 6"));
}
