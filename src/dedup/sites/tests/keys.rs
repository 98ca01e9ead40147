//! Keys of blocks and hosts.

use super::*;

pub fn key_of(text: &str) -> Option<u64> {
    BlockKeys::default().key(text)
}

fn form_of(text: &str) -> Vec<u8> {
    let mut form = Vec::new();
    normal_form(text, &mut form, &mut String::new());
    form
}

#[test]
fn keys_are_blind_to_form() {
    let same: [&[&str]; 5] = [
        &["Home | About us", "home about us", "\u{A0}HOME\n\t· About, us!"],
        &["1,024 comments", "1024 Comments", "１０２４ comments"],
        &["© 2024 Firma", "2024 firma"],
        &["ﬁnale ŽLUŤOUČKÝ", "finale žluťoučký", "finale z\u{30C}luťoučký"],
        &["Karel IV.", "karel iv", "Karel Ⅳ"],
    ];
    for texts in same {
        let keys: Vec<_> = texts.iter().map(|text| key_of(text)).collect();
        assert!(keys[0].is_some());
        assert!(keys.windows(2).all(|pair| pair[0] == pair[1]), "{texts:?}");
    }
}

#[test]
fn keys_tell_texts_apart() {
    let apart = [
        ("about us", "aboutus"),
        ("page 2", "page"),
        ("2 1", "21"),
        ("a b", "b a"),
        ("日本", "日木"),
        ("It has 281 inhabitants.", "It has 3,743 inhabitants."),
        ("page 10", "page 100"),
        ("٧ comments", "٨ comments"),
    ];
    for (a, b) in apart {
        assert_ne!(key_of(a), key_of(b), "{a} {b}");
    }
    for empty in ["", " \n", "* * *", "—", "\u{200B}"] {
        assert_eq!(key_of(empty), None, "{empty:?}");
    }
    assert_eq!(form_of("  Mr. O'Brien — 3.5 %  "), b"mr obrien 35");
}

#[test]
fn hosts_with_and_without_www() {
    assert_eq!(host_key("www.example.com"), host_key("example.com"));
    assert_ne!(host_key("www2.example.com"), host_key("example.com"));
    assert_ne!(host_key("a.example.com"), host_key("www.a.www.example.com"));
}

proptest! {
    #[test]
    fn keys_of_words_whatever_stands_between(words in proptest::collection::vec("[a-z]{1,5}|[0-9]{1,3}", 1..6), marks in "[ ,.|»–\u{A0}]{0,4}") {
        let loose = words.iter().map(|word| word.to_uppercase() + &marks + " ").collect::<String>();
        prop_assert_eq!(key_of(&loose), key_of(&words.join(" ")));
    }

    #[test]
    fn any_text_has_a_form(text in "\\PC{0,40}") {
        let form = String::from_utf8(form_of(&text.nfkc().collect::<String>())).unwrap();
        prop_assert!(!form.contains("  ") && form.trim() == form);
        prop_assert_eq!(key_of(&text).is_none(), form.is_empty());
    }

    #[test]
    fn forms_are_made_character_by_character(text in "([a-zA-Z]{1,17}|[0-9 .,é\u{130}\u{2014}山\t]{1,3}|\\PC){0,12}") {
        let mut form = String::new();
        let mut space = false;
        for c in text.chars() {
            if c.is_alphanumeric() && std::mem::take(&mut space) {
                form.push(' ');
            }
            if c.is_whitespace() {
                space = !form.is_empty();
            } else if c.is_alphanumeric() {
                form.extend(c.to_lowercase());
                form.truncate(form.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ' ').len());
            }
        }
        prop_assert_eq!(form_of(&text), form.as_bytes());
    }
}
