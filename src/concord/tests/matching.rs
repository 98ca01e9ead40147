use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::concord::letters::{folded, may_begin, may_end};

fn found<'t>(line: &[&str], text: &'t str) -> Vec<&'t str> {
    query(line).find(&paragraph(text)).into_iter().map(|hit| &text[hit.range]).collect()
}

fn refused(line: &[&str]) -> String {
    Query::new(&options(line)).map(|_| String::new()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn words_are_whole_and_of_any_case() {
    assert_eq!(found(&["play"], "Play, plays; PLAY-off (play) display play_ play's"), ["Play", "PLAY", "play", "play"]);
    assert_eq!(found(&["play", "--case"], "Play play"), ["play"]);
    assert_eq!(found(&["straße"], "STRAẞE Straße Strasse"), ["STRAẞE", "Straße"]);
    assert_eq!(found(&["cafe"], "cafe\u{301} cafe"), ["cafe"], "a mark belongs to its letter");
    assert_eq!(found(&["don't"], "Don’t don't dont"), ["Don’t", "don't"]);
    assert_eq!(found(&["istanbul", "sık"], "İstanbul SIK sik ISTANBUL"), ["İstanbul", "SIK", "ISTANBUL"]);
    assert_eq!(found(&["C++", "$5"], "C++ and $5, not $50 or c+"), ["C++", "$5"]);
}

#[test]
fn phrases_take_any_space() {
    assert_eq!(found(&[" New  York "], "new york, New\u{A0}York, New  York"), ["new york", "New\u{A0}York"]);
    assert_eq!(found(&["new", "new yo", "new york"], "new york new yolk"), ["new york", "new"]);
}

#[test]
fn scripts_without_spaces_have_no_word_ends() {
    assert_eq!(found(&["東京"], "在東京都"), ["東京"]);
    assert_eq!(found(&["AI"], "はAIです AIM"), ["AI"]);
    assert_eq!(found(&["ไทย"], "ภาษาไทยเขียน"), ["ไทย"]);
    assert_eq!(found(&["책상"], "책상 책상이"), ["책상"]);
}

#[test]
fn expressions_are_as_typed() {
    assert_eq!(found(&["--regex", r"\bun\w+able\b"], "Unbearable, unable"), ["Unbearable"]);
    assert_eq!(found(&["--regex", "x*", "[0-9]+"], "a 10xx"), ["10", "xx"]);
    assert_eq!(found(&["--regex", "ab", "abc", "bcd"], "abcd ABCD"), ["abc", "ABC"], "the longest of the first");
    assert_eq!(found(&["--regex", "--case", "é.", "\\bb"], "Éa éa b"), ["éa", "b"]);
    assert_eq!(found(&["--regex", "(?x) a b # c", "abc"], "abc"), ["abc"]);
    assert!(refused(&["--regex", "a("]).starts_with("--regex a(:"));
    assert!(refused(&["--tag", "V[", "play"]).starts_with("--tag V[:"));
    assert!(refused(&["--tag", "a)|(b"]).starts_with("--tag a)|(b:"));
}

/// Each match of the expression looks at the whole rest of the text.
#[test]
fn expressions_look_at_a_bounded_part_of_the_text() {
    let text = "A".repeat(100_000);
    assert_eq!(found(&["--regex", "--case", ".*[^A-Z]|[A-Z]"], &text).len(), 100_000);
    let long = format!("{}b", "a".repeat(5000));
    assert_eq!(found(&["--regex", "a+b"], &long).len(), 1, "it fits a window");
    assert_eq!(found(&["--regex", "^a+b$|b$"], &format!("{}b", "a".repeat(9000))), ["b"]);
}

proptest! {
    /// In longer texts, matches that are short are those of the whole text.
    #[test]
    fn windows_change_no_short_match(words in prop::collection::vec("[abé]{1,4}", 1500..4000)) {
        let text = words.join(" ");
        for pattern in ["ab+", r"\ba\w*", "é?b", r"a \w", "x*"] {
            let expression = regex::RegexBuilder::new(pattern).case_insensitive(true).build().unwrap();
            let whole: Vec<&str> = expression.find_iter(&text).map(|place| place.as_str()).filter(|found| !found.is_empty()).collect();
            prop_assert_eq!(found(&["--regex", pattern], &text), whole, "{}", pattern);
        }
    }
}

#[test]
fn what_the_options_cannot_mean_is_refused() {
    assert!(refused(&["play", "--format", "json", "--width", "9"]).contains("--width"));
    assert!(refused(&["play", "--sample", "1", "--limit", "0"]).contains("--limit"));
    assert!(refused(&[" "]).contains("WORD"));
}

#[test]
fn lemmas_and_tags_are_of_one_token() {
    let text = "She played a play.";
    let token = |range: Range<usize>, lemma, tag| SearchedToken { range, lemma, tag };
    let tokens = [
        token(0..3, "she", "PRP"),
        token(4..10, "play", "VVD"),
        token(11..12, "a", "DT"),
        token(13..17, "play", "NN"),
        token(17..18, ".", "SENT"),
    ];
    let find = |line: &[&str]| -> Vec<&str> {
        let hits = query(line).find(&SearchedParagraph { tokens: &tokens, ..paragraph(text) });
        hits.into_iter().map(|hit| &text[hit.range]).collect()
    };
    assert_eq!(find(&["--lemma", "Play"]), ["played", "play"]);
    assert_eq!(find(&["--lemma", "Play", "--case"]), [""; 0]);
    assert_eq!(find(&["--tag", "V.*"]), ["played"]);
    assert_eq!(find(&["--tag", "V|N"]), [""; 0], "the whole tag must match");
    assert_eq!(find(&["--lemma", "play", "--tag", "N.*"]), ["play"]);
    assert_eq!(find(&["play", "played", "--tag", "V.*"]), ["played"]);
    assert_eq!(find(&["a play", "--lemma", "a"]), ["a play"]);
    assert_eq!(query(&["--lemma", "play", "--tag", "V.*"]).keyword(), "play");
}

#[test]
fn untagged_paragraphs_are_counted() {
    let line = ["--lemma", "play"];
    let mut finder = Finder::new(&query(&line), &options(&line), Segmenter::default());
    finder.count(&paragraph("play"));
    assert!(finder.counts.is_untagged() && finder.counts.all_hits == 0);
}

#[test]
fn other_languages_are_left_out() {
    let query = query(&["die", "--language", "deu,nld"]);
    let count = |language| query.find(&SearchedParagraph { language, ..paragraph("die") }).len();
    assert_eq!(["deu", "nld", "eng", ""].map(count), [1, 1, 0, 0]);
}

/// Every word at every place, letter by letter.
fn slowly(words: &[String], text: &str) -> Vec<(Range<usize>, usize)> {
    let letters = |text: &str| text.chars().map(folded).collect::<Vec<_>>();
    let mut free = 0;
    let mut hits = Vec::new();
    for (at, _) in text.char_indices().filter(|&(at, _)| may_begin(text, at)) {
        let ends = text.char_indices().map(|(end, _)| end).chain([text.len()]).filter(|&end| end > at);
        let fits = ends.filter(|&end| may_end(text, end));
        let forms = |end: usize| words.iter().position(|word| letters(word) == letters(&text[at..end]));
        let longest = fits.filter_map(|end| Some((at..end, forms(end)?))).next_back();
        if let Some(hit) = longest.filter(|_| at >= free) {
            free = hit.0.end;
            hits.push(hit);
        }
    }
    hits
}

proptest! {
    #[test]
    fn hits_are_those_of_an_obvious_search(
        words in prop::collection::vec("[abkſσ東é]{1,3}( [ab])?", 1..8),
        text in "([abABKkſσςΣ東éÉ]{1,4}|[ ,_-]|e\u{301}|a b){0,30}",
    ) {
        let words: Vec<String> = words;
        let line: Vec<&str> = words.iter().map(String::as_str).collect();
        let hits = query(&line).find(&paragraph(&text));
        let hits: Vec<_> = hits.into_iter().map(|hit| (hit.range, hit.form)).collect();
        prop_assert_eq!(hits, slowly(&words, &text));
    }

    #[test]
    fn counts_are_those_of_the_hits(text in "(play|plays|Play| |,){0,30}") {
        let line = ["play", "plays"];
        let mut finder = Finder::new(&query(&line), &options(&line), Segmenter::default());
        finder.count(&paragraph(&text));
        let all = |form: &str| {
            let words = text.split(|c: char| !c.is_alphabetic());
            words.filter(|word| word.eq_ignore_ascii_case(form)).count() as u64
        };
        prop_assert_eq!(finder.counts.hits, vec![all("play"), all("plays")]);
    }
}

/// Of a document with a million hits, those that no option prints are not made.
#[test]
fn hits_that_cannot_be_printed_are_left_out() {
    let made = |more: &[&str]| {
        let line = [&["play"][..], more].concat();
        let mut finder = Finder::new(&query(&line), &options(&line), Segmenter::default());
        let mut hits = Vec::new();
        for text in ["play play", "play play play"] {
            finder.find(&paragraph(text), &Arc::default(), push(&mut hits));
        }
        assert_eq!(finder.counts.all_hits, 5, "they are counted");
        hits.len()
    };
    assert_eq!((made(&[]), made(&["--limit", "9"]), made(&["--limit", "4"])), (5, 5, 4));
    assert_eq!((made(&["--max-per-doc", "3"]), made(&["--max-per-doc", "3", "--limit", "1"])), (3, 1));
    assert_eq!((made(&["--limit", "1", "--sort", "left"]), made(&["--max-per-doc", "1", "--sort", "left"])), (5, 1));
    assert_eq!((made(&["--limit", "1", "--unique"]), made(&["--limit", "1", "--sample", "1"])), (5, 5));
}

#[test]
fn a_search_ends_when_no_more_hits_are_needed() {
    let mut finder = Finder::new(&query(&["play"]), &options(&["play"]), Segmenter::default());
    let mut given = 0;
    finder.find(&paragraph("play play play"), &Arc::default(), |_| {
        given += 1;
        given < 2
    });
    assert_eq!(given, 2);
}

#[test]
fn at_most_so_many_hits_of_a_document_are_counted_of_each_form() {
    let line = ["play", "plays", "--count", "--max-per-doc", "1"];
    let mut finder = Finder::new(&query(&line), &options(&line), Segmenter::default());
    for document in [["We play.", "She plays, they play."], ["They play.", "A game."]] {
        finder.begin_document();
        document.iter().for_each(|text| finder.count(&paragraph(text)));
    }
    assert_eq!((finder.counts.hits, finder.counts.all_hits), (vec![2, 1], 2));
}
