use proptest::prelude::*;

use super::*;

/// The words of a text without the fast path for ASCII and without a buffer: each character begins one, continues the
/// last, or ends it.
fn slow_words(text: &str, cut: Cut) -> Vec<String> {
    let mut out: Vec<String> = vec![String::new()];
    // Hashes of the letters of the run of pieces that is read.
    let mut letters: Vec<u64> = Vec::new();
    for c in text.chars().filter(|&c| !is_hidden_in_word(c)) {
        let last = out.last().and_then(|word| word.chars().next_back());
        let in_piece = last.filter(|&last| cut != Cut::Characters && cut.applies_to(last));
        if in_piece.is_some() && c == '\u{200B}' {
            continue;
        }
        let is_blank = c.is_whitespace() || is_tsheg(c);
        if cut == Cut::Pieces && is_blank && in_piece.is_some_and(|last| !last.is_numeric()) {
            continue;
        }
        if cut.applies_to(c) {
            if !in_piece.is_some_and(|last| slowly_continues(last, c, cut, &mut letters)) {
                out.push(String::new());
            }
            if in_piece.is_none() {
                letters = vec![mix(u64::from(c))];
            }
            if cut == Cut::Characters || c.is_alphanumeric() || is_mark(c) {
                out.last_mut().unwrap().push(c);
            }
            if cut == Cut::Characters {
                out.push(String::new());
            }
        } else if c.is_alphanumeric() {
            if in_piece.is_some() {
                out.push(String::new());
            }
            out.last_mut().unwrap().extend(c.to_lowercase());
        } else if continues_word(c) && last.is_some() && in_piece.is_none() {
            out.last_mut().unwrap().push(c);
        } else {
            out.push(String::new());
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

fn slowly_continues(last: char, c: char, cut: Cut, letters: &mut Vec<u64>) -> bool {
    if is_mark(c) || is_final_vowel(c) || is_joiner(last) {
        return true;
    }
    let is_letter = |c: char| (c.is_alphabetic() || is_mark(c)) && !is_ideograph(c);
    if !c.is_alphabetic() || !is_letter(c) || !is_letter(last) {
        *letters = vec![mix(u64::from(c))];
        return c.is_numeric() && last.is_numeric();
    }
    letters.push(mix(u64::from(c)));
    match (cut, letters.as_slice()) {
        (Cut::Pieces, &[.., before, least, this]) => !(before >= least && least < this),
        (Cut::Pieces, _) => true,
        _ => mix(u64::from(c)) & 2 == 0,
    }
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
        text in "([a-z0-9]{0,4}|[ _.,A-ZéÉ\u{AD}\u{301}東はンーกา่เ๕។ខ្བོད་༡།\u{200B}-]|[กขคงจ\n]{0,9}|.){0,30}",
    ) {
        let expected = slow_words(&text, Cut::Pieces);
        prop_assert_eq!(split(&text), expected.clone());
        let mut found = Vec::new();
        hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&expected, text_hash));
        let mut found = Vec::new();
        model_hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&slow_words(&text, Cut::ModelPieces), hash64));
        let mut found = Vec::new();
        model_character_hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&slow_words(&text, Cut::Characters), hash64));
    }

    #[test]
    fn pieces_do_not_depend_on_what_stands_before_them(
        before in "[กขคงจเแ่าิ์]{0,12}", text in "[กขคงจเแ่าิ์ຂຍ]{8,40}",
    ) {
        // From the third piece on: the first one may continue the text before it, which may also decide where it ends.
        let (alone, behind) = (split(&text), split(&format!("{before}{text}")));
        let known = alone.get(2..).unwrap_or_default();
        prop_assert!(behind.ends_with(known), "{:?} {:?}", alone, behind);
    }

    #[test]
    fn words_of_any_length_have_their_hash(text in "([a-zA-Z0-9_]{1,20}[ é.\u{301}]?){0,6}") {
        let mut found = Vec::new();
        hashes(&text, &mut found);
        prop_assert_eq!(found, hashed(&slow_words(&text, Cut::Pieces), text_hash));
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

/// Articles 13 and 17 of the Universal Declaration of Human Rights, which have 32 and 24 words in English.
const ARTICLES: [(usize, &str); 8] = [
    (
        32,
        "ทุกคนมีสิทธิในอิสรภาพแห่งการเคลื่อนไหวและสถานที่อยู่ภายในเขตของแต่ละรัฐ ทุกคนมีสิทธิที่จะออกจากประเทศใด ๆ ไป \
         รวมทั้งประเทศของตนเองด้วย และที่จะกลับยังประเทศตน",
    ),
    (
        32,
        "ບຸກຄົນທຸກຄົນມີສິດທີ່ຈະທ່ອງທ່ຽວໄປມາໂດຍເສລີ ແລະ ເລືອກທີ່ຕັ້ງພູມລຳເນົາຢູ່ພາຍໃນລັດ ຫຼື ລັດໜື່ງ. \
         ບຸກຄົນແຕ່ລະຄົນມີສິດທີ່ຈະຈາກປະເທດໃດປະເທດໜື່ງໄປ ນັບທັງປະເທດຂອງຕົນດ້ວຍ ແລະ ກັບຄືນມາໃນປະເທດຂອງຕົນໄດ້.",
    ),
    (
        32,
        "មនុស្សគ្រប់រូប មានសិទ្ធិធ្វើដំណើរដោយសេរី និងមានសិទ្ធិជ្រើសរើសនិវេសនដ្ឋានក្នុងរដ្ឋមួយ។ \
         មនុស្សគ្រប់រូបមានសិទ្ធិចាកចេញពីប្រទេសណាមួយ រួមទាំងប្រទេសរបស់ខ្លួនផង និងមានសិទ្ធិវិលត្រឡប់មកប្រទេសរបស់ខ្លួនវិញ។",
    ),
    (
        32,
        "སྐྱེ་བོ་རེ་རེར་རྒྱལ་ཁབ་སོ་སོའི་ས་མཚམས་ནང་ཁོངས་སུ་འགྲིམས་འགྲུལ་བྱེད་པ་དང༌། གནས་སྡོད་ཀྱི་རང་དབང་ཐོབ་ཐང་ཡོད། \
         སྐྱེ་བོ་རེ་རེར་རང་ཡུལ་ཐེ་བས་ཡུལ་ལུང་གང་འདྲ་ཞིག་ནས་ཕྱིར་ཐོན་བྱེད་པའམ། ཡང་ན་རང་ཡུལ་དུ་ཕྱིར་ལོག་བྱེད་པའི་ཐོབ་ཐང་ཡོད༎",
    ),
    (
        32,
        "ၵူၼ်းၵူႊၵေႃႉၼႆႉ မီးသုၼ်ႇလႆႈ တႃႇၶၢႆႉယၢႆႉ၊ ယူႇသဝ်းလႆႈ ၼႂ်းၶွပ်ႇလိၼ်ၸိုင်ႈမိူင်းၸဝ်ႈၵဝ်ႇ လွတ်ႈလွတ်ႈလႅဝ်းလႅဝ်း ယူႇ။ \
         ၵူၼ်းၵူႊၵေႃႉၼႆႉ လုၵ်ႉတီႈၸိုင်ႈမိူင်းလႂ်သေဢမ်ႇဝႃႈ မီးသုၼ်ႇလႆႈ တႃႇဢွၵ်ႇၵႂႃႇ လႄႈ တႃႇပွၵ်ႈမိူဝ်းၶိုၼ်းမိူင်း ၸဝ်ႈၵဝ်ႇယူႇ။",
    ),
    (
        24,
        "လူတိုင်းတွင် မိမိတစ်ဦး ချင်းသော်လည်းကောင်း၊ အခြားသူများနှင့် ဖက်စပ်၍ သော်လည်းကောင်း၊ ပစ္စည်းဥစ္စာ တို့ကို ပိုင်ဆိုင်ရန် \
         အခွင့်အရေးရှိရမည်။ ဥပဒေအရ မဟုတ်လျှင်၊ မည်သူမျှ မိမိ၏ ပစ္စည်းဥစ္စာပိုင်ဆိုင်ခွင့်ကို စွန့်လွှတ်ခြင်း မခံစေရ။",
    ),
    (
        24,
        "ບຸກຄົນທຸກຄົນໂດຍລຳພັງ ຫຼື ໃນໝູ່ຄະນະກໍ່ຄືມີສິດທີ່ຈະເປັນເຈັ້າຂອງໂດຍກຳມະສິດ. \
         ຜູ້ໃດຈະຖອນກຳມະສິດຂອງບຸກຄົນນັ້ນໂດຍລຳພັງໃຈບໍ່ໄດ້ເລີຍ.",
    ),
    (
        24,
        "ၵူၼ်းၵူႊၵေႃႉၼႆႉ မီးသုၼ်ႇလႆႈတႃႇပိူင်ႇငမ်းၶူဝ်းၶွင် ႁင်းၵွၺ်းၸဝ်ႈၵဝ်ႇ လႄႈ ႁူမ်ႈလူၺ်ႈတင်းပိူၼ်ႈယူႇ။ ပေႃးဢမ်ႇၸႂ်ႈယွၼ်ႉလူၺ်ႈပၵ်းပိူင်ၾိင်ႈမိူင်းၼႆ \
         ၽႂ်သေဢမ်ႇဝႃႈ တေဢမ်ႇလႆႈထုၵ်ႇဢိုတ်း ႁၢမ်ႈပႅတ်ႈ လွင်ႈပိူင်ႇငမ်း ၶူဝ်းၶွင်မၼ်း။",
    ),
];

#[test]
fn a_text_has_about_as_many_pieces_as_its_translation_words() {
    for (words, text) in ARTICLES {
        let pieces = split(text);
        assert!((words * 5 / 6..=words * 6 / 5).contains(&pieces.len()), "{} for {words}: {pieces:?}", pieces.len());
    }
}

/// Lao is written with blanks between phrases, between words, or between syllables; Tibetan always has a mark behind a syllable.
#[test]
fn blanks_make_no_difference_in_unspaced_scripts() {
    for (_, text) in ARTICLES {
        let found = split(text);
        let without: String = text.chars().filter(|c| !(c.is_whitespace() || is_tsheg(*c))).collect();
        assert_eq!(split(&without), found);
        for blank in [' ', '\n', '\u{A0}', '\u{200B}'] {
            let spaced: String = without.chars().flat_map(|c| [c, blank]).collect();
            assert_eq!(split(&spaced), found);
        }
        assert!(found.iter().all(|piece| !piece.starts_with(is_mark)), "{found:?}");
    }
    assert_eq!(split("ຫົວ ໜ້າ ກຸ່ມ"), split("ຫົວໜ້າກຸ່ມ"));
    assert_eq!(
        split("ราคา ๑๒ ๓๔ บาท 5 ใบ ab").get(1..),
        Some(&["๑๒", "๓๔", "บาท", "5", "ใบ", "ab"].map(String::from)[..])
    );
}

/// What everybody writes is no n-gram: the United States in Thai, Lao, Burmese, Khmer and Tibetan.
#[test]
fn names_and_phrases_are_shorter_than_ngrams() {
    for name in ["ประเทศสหรัฐอเมริกา", "ສະຫະລັດອາເມລິກາ", "အမေရိကန်ပြည်ထောင်စု", "សហរដ្ឋអាមេរិក", "ཨ་མེ་རི་ཀའི་རྒྱལ་ཁབ་"]
    {
        assert!(split(name).len() <= 4, "{:?}", split(name));
    }
}

#[test]
fn changed_letters_change_few_pieces() {
    for (_, text) in ARTICLES {
        let pieces = split(text);
        let letters: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| is_alphabetic(*c)).collect();
        for &(at, letter) in &letters {
            let changed: String = [&text[..at], "ฮ", &text[at + letter.len_utf8()..]].concat();
            let changed = split(&changed);
            let before = pieces.iter().zip(&changed).take_while(|(a, b)| a == b).count();
            let behind = pieces.iter().rev().zip(changed.iter().rev()).take_while(|(a, b)| a == b).count();
            assert!(before + behind + 4 >= pieces.len(), "{pieces:?} {changed:?}");
        }
    }
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
