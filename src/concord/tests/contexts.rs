use proptest::prelude::*;

use super::*;

fn first(line: &[&str], text: &str) -> Hit {
    hits(line, &[(1, 0, text)]).remove(0)
}

/// The two examples of ConcordanceCrawler.
#[test]
fn offsets_are_those_of_the_model() {
    let hit = first(&["play", "--sentence"], "So it is. Something parents can play with their children. Yes.");
    assert_eq!((hit.characters(), &*hit.text), (22..26, "Something parents can play with their children."));
    let hit = first(&["play", "played", "--sentence"], "If you have played Mario, you know.");
    assert_eq!((hit.characters(), hit.form()), (12..18, "played"));
}

#[test]
fn offsets_count_characters() {
    let hit = first(&["Größe", "--sentence"], "Das ist so. Für 𝒜 gilt: größe zählt. Ende.");
    assert_eq!((hit.characters(), &*hit.text), (12..17, "Für 𝒜 gilt: größe zählt."));
}

#[test]
fn sentences_may_touch() {
    let hit = first(&["東京", "--sentence"], "これは文です。東京です。はい。");
    assert_eq!((hit.characters(), &*hit.text), (0..2, "東京です。"));
}

#[test]
fn a_hit_across_sentences_has_all_of_them() {
    let hit = first(&["--regex", "one.*?two", "--sentence"], "First. Here is one. And two follow. Last.");
    assert_eq!((&*hit.text, hit.left()), ("Here is one. And two follow.", "Here is "));
}

/// Poems and code have lines; a hit may go over the end of one.
#[test]
fn sentences_end_at_line_feeds() {
    let lines = "The gulls are gone to rest\nAnd in the dark the tide comes soon\nTo wash away the day";
    let text = lines.replace('\n', " ");
    let sentence =
        |word: &str| hit_of(&[word, "--sentence"], &SearchedParagraph { lines, ..paragraph(&text) }).text.to_string();
    assert_eq!(sentence("gulls"), "The gulls are gone to rest");
    assert_eq!(sentence("tide"), "And in the dark the tide comes soon");
    assert_eq!(sentence("soon to"), "And in the dark the tide comes soon To wash away the day");
    let of_hash = |line: &str| hit_of(&["tide", "--unique"], &paragraph(line)).sentence;
    let hit = hit_of(&["tide", "--unique"], &SearchedParagraph { lines, ..paragraph(&text) });
    assert_eq!(hit.sentence, of_hash("And in the dark the tide comes soon"), "equal sentences are those of lines");
}

/// A paragraph has the rules of its document where its own language is not known, and that language still.
#[test]
fn paragraphs_are_cut_by_the_rules_of_another_language() {
    let with = |line: &[&str], text: &str, rules: &'static str| {
        let hit = hit_of(line, &SearchedParagraph { language: "und", rules, ..paragraph(text) });
        assert_eq!(hit.language.as_str(), "und");
        hit.text.to_string()
    };
    let sentence = |rules| with(&["Std", "--sentence", "--language", "und"], "3 Std. 10 Min.", rules);
    assert_eq!(["deu", "und"].map(sentence), ["3 Std. 10 Min.", "3 Std."]);
    let tokens = |rules| with(&["dog", "--tokens", "0"], "A dog-berry!", rules);
    assert_eq!(["eng", "und"].map(tokens), ["dog", "dog-berry"]);
}

#[test]
fn windows_are_cut_at_the_paragraph() {
    let of = |width, text| {
        let hit = first(&["play", "--width", width], text);
        (hit.left().to_string(), hit.right().to_string())
    };
    assert_eq!(of("3", "äöüß play éèê"), ("üß ".into(), " éè".into()));
    assert_eq!(of("40", "we play"), ("we ".into(), "".into()));
    assert_eq!(of("0", "we play on"), ("".into(), "".into()));
}

#[test]
fn windows_of_tokens() {
    let of = |width, text| {
        let hit = first(&["play", "--tokens", width], text);
        (hit.left().to_string(), hit.right().to_string())
    };
    assert_eq!(of("2", "They often play (well)."), ("They often ".into(), " (well".into()));
    assert_eq!(of("3", "Now. We play on. Yes!"), ("Now. We ".into(), " on. Yes".into()));
    assert_eq!(of("1", "a b play c d"), ("b ".into(), " c".into()));
    let inside = first(&["--regex", "lay", "--tokens", "1"], "now we play on");
    assert_eq!((inside.left(), inside.right()), ("we p", " on"));
    assert_eq!(of("0", "we play on"), (String::new(), String::new()));
    assert_eq!(of("99", "we play on"), ("we ".into(), " on".into()));
}

/// A document may have a million hits in a few sentences.
#[test]
fn hits_in_a_sentence_share_its_text() {
    let found = hits(&["tide", "--sentence"], &[(1, 0, "Tide follows tide. The tide turns.")]);
    let [first, second, third] = &found[..] else { panic!("{found:?}") };
    assert!(Arc::ptr_eq(&first.text, &second.text) && !Arc::ptr_eq(&second.text, &third.text));
    assert_eq!((second.left(), second.form(), third.left()), ("Tide follows ", "tide", "The "));
}

proptest! {
    #[test]
    fn offsets_find_the_form_in_the_sentence(text in "(play|[a-zé東. !?\u{301}])([ .]|play ){0,20}\\PC{0,20} play") {
        let all = hits(&["play", "--sentence"], &[(1, 0, &text)]);
        prop_assert!(!all.is_empty(), "the last one is a word");
        for hit in all {
            let range = hit.characters();
            let form: String = hit.text.chars().skip(range.start).take(range.len()).collect();
            prop_assert_eq!(&form, "play");
            prop_assert!(text.contains(&*hit.text));
            prop_assert_eq!(&text[hit.at as usize..][..4], "play");
        }
    }

    #[test]
    fn windows_have_so_many_characters(text in "\\PC{0,30} play \\PC{0,30}", width in 0..20usize) {
        for hit in hits(&["play", "--width", &width.to_string()], &[(1, 0, &text)]) {
            let before = text[..hit.at as usize].chars().count();
            prop_assert_eq!(hit.left().chars().count(), before.min(width));
            let after = text.chars().count() - before - hit.form().chars().count();
            prop_assert_eq!(hit.right().chars().count(), after.min(width));
        }
    }

    #[test]
    fn windows_have_so_many_tokens(text in "[a-zé東., ]{0,30} play [a-zé東., ]{0,30}", width in 0..9usize) {
        let segmenter = Segmenter::default();
        let cutter = segmenter.language("");
        let mut tokens = Vec::new();
        cutter.sentences(&text).into_iter().for_each(|sentence| cutter.tokens(&text, sentence, &mut tokens));
        for hit in hits(&["play", "--tokens", &width.to_string()], &[(1, 0, &text)]) {
            let (start, end) = (hit.at as usize, hit.at as usize + 4);
            let begin = start - hit.left().len();
            let inside = |token: &&crate::text::segments::Token| token.range.start >= begin;
            let before = tokens.iter().filter(|token| token.range.end <= start);
            prop_assert_eq!(before.clone().filter(inside).count(), before.count().min(width));
            let finish = end + hit.right().len();
            let after = tokens.iter().filter(|token| token.range.start >= end);
            prop_assert_eq!(after.clone().filter(|token| token.range.end <= finish).count(), after.count().min(width));
        }
    }
}
