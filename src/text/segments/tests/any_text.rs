//! Texts of any kind: long runs take linear time, and no character is lost.

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::text::invisible::{is_invisible, without_invisible};

/// What long runs are made of.
const REPEATED: [&str; 58] = [
    ".",
    "(",
    "1",
    "a",
    "a.",
    "a-",
    "a'",
    "1.",
    ". ",
    "\" ",
    ". \"",
    "&a;&",
    "@a",
    "a@",
    ":(",
    "https://a",
    "ア",
    "。",
    "」。",
    "ก",
    "ก ",
    "ั",
    "漢",
    "\u{301}",
    "= ",
    "' ",
    "'a ",
    "a' ",
    "'a",
    "|",
    "क|",
    "፡",
    "ཀ།",
    "ག ",
    "་",
    "ꀀ",
    "က္",
    "ก.",
    "א\"",
    "a:",
    "갔다.",
    "갔다.\"",
    "ዶ/",
    "پی۔ ",
    "３．",
    "３，",
    "א. ",
    "2020. 3. ",
    "1.1.",
    "1,500,",
    "a.-",
    "a.'",
    "'90 ",
    "#漢",
    "#漢#",
    "Ան. ",
    "O‘. ",
    "ό,",
];

/// Work that grows with the square of these would take a minute for each.
#[test]
fn long_runs_take_linear_time() {
    let segmenter = Segmenter::default();
    let repeated = REPEATED.map(|sample| sample.repeat(300_000 / sample.len()));
    let late = format!("A.{}{}", " ".repeat(100_000), "b. ".repeat(70_000));
    for text in repeated.iter().chain([&late]) {
        for code in
            ["eng", "fra", "tha", "jpn", "tur", "hin", "mlg", "smo", "shn", "kor", "urd", "hye", "ell", "uzb", "zho"]
        {
            let tokenizer = segmenter.language(code);
            let mut tokens = Vec::new();
            tokenizer.sentences(text).into_iter().for_each(|range| tokenizer.tokens(text, range, &mut tokens));
        }
    }
}

/// Work that grows with the square of these would not end: a mark, a blank, a line feed or a quote at each place looks
/// as far as the text goes.
#[test]
fn endless_repetitions_take_linear_time() {
    let n = 100_000;
    let blanks = " ".repeat(4 * n);
    for text in [
        "M ".repeat(n),
        "M. ".repeat(n),
        "A.M. ".repeat(n),
        "\n".repeat(4 * n),
        format!("B.{}A{}", "\n".repeat(n), ". b".repeat(n)),
        format!("B.\n{blanks}A{}", ". b".repeat(n)),
        ".\n\n\n".repeat(n),
        "'".repeat(n * 4),
        "<".repeat(n * 4),
        format!("A. {}", "b".repeat(n * 4)),
        "“ ก ".repeat(n),
        format!("{}b", "[a.]".repeat(n)),
        "ภาษาខ្មែរ".repeat(n / 10),
    ] {
        for code in ["eng", "deu", "tha", "khm", ""] {
            holds(code, &text, Scheme::Treebank).unwrap();
        }
    }
}

#[test]
fn a_sentence_does_not_grow_by_marks_without_end() {
    let text = format!("Word. {}", "! ".repeat(100_000));
    let segmenter = Segmenter::default();
    let longest = segmenter.language("eng").sentences(&text).iter().map(Range::len).max();
    assert!(longest <= Some(20_000), "{longest:?}");
}

fn code() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "eng", "ces", "deu", "fra", "pol", "rus", "jpn", "zho", "tha", "tur", "ell", "hin", "hyw", "shn", "smo", "mlg",
        "afr", "heb", "fin", "kat", "kor", "hun", "ind", "urd", "amh", "uzb", "aze", "cym", "grc", "ben", "nld", "xyz",
    ])
}

fn holds(code: &str, text: &str, scheme: Scheme) -> Result<(), TestCaseError> {
    // As paragraphs are.
    let text = &*without_invisible(text);
    let segmenter = Segmenter::new(Options { scheme });
    let tokenizer = segmenter.language(code);
    let (mut tokens, mut last) = (Vec::new(), 0);
    for sentence in tokenizer.sentences(text) {
        prop_assert!(sentence.start >= last && sentence.end > sentence.start);
        prop_assert!(text[last..sentence.start].trim().is_empty());
        prop_assert_eq!(text[sentence.clone()].trim(), &text[sentence.clone()]);
        last = sentence.end;
        tokenizer.tokens(text, sentence, &mut tokens);
    }
    prop_assert!(text[last..].trim().is_empty());
    // A word may have invisible characters inside.
    let seen = |c: &char| *c != '\u{FE0F}' && !is_invisible(*c);
    let joined: String = tokens.iter().flat_map(|token| text[token.range.clone()].chars()).filter(seen).collect();
    prop_assert_eq!(joined, text.split_whitespace().flat_map(str::chars).filter(seen).collect::<String>());
    for token in &tokens {
        prop_assert!(!token.range.is_empty());
        let before = text[..token.range.start].chars().rfind(seen);
        prop_assert_eq!(token.glued, before.is_some_and(|c| !c.is_whitespace()));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_covered(code in code(), text in "\\PC{0,80}|(?s:.){0,40}", corpus: bool) {
        holds(code, &text, if corpus { Scheme::UsersWay } else { Scheme::Treebank })?;
    }

    #[test]
    fn texts_of_words_and_marks_are_covered(
        code in code(),
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "Dr", "a", "B", "word", "Word", "U.S", "5", "1904-1905", ".", "...", "…", "!", "?", " ", "  ", "\u{a0}", "\n", "'", "’", "\"", "“",
                "(", ")", "«", "»", "-", "–", "https://a.b/c?d", "a@b.cz", "#x", "&#39;", ":)", "👍🏽", "™️", "1️⃣", "\u{fe0f}", "これ", "。", "」", "的", "カ", "ที่", "การ", "l'", "ł", "em", "\u{301}", "_____",
                "वह", "।", "|", "ག", "་", "།", "፡", "ሰላም", "ʻ", "ta", ":", "צה", "\"", "ל", "$", "US", "°", ".º", "ዶ/ር", "پی۔", "３．５", "，", "มี.ค.", "พ.ศ.", "გ", "갔다", "2020", "Rp", "Ան", "1,500", "J.-C", "J.-", "'90", "G‘", "l'art", "T.C.'nin", "#", "ό,τι", "·", "។ល។", "৳", "՞", "ၵ", "ႃ", "်", "္", "ߞߏ߫",
            ]),
            0..40,
        ),
    ) {
        holds(code, &parts.concat(), Scheme::Treebank)?;
    }
}
