use super::*;

#[test]
fn characters_are_allowed_by_their_first_bytes_as_by_themselves() {
    for c in '\0'..=char::MAX {
        let is = xml::is_allowed(c) && !invisible::is_invisible(c);
        assert_eq!(is_allowed(c.encode_utf8(&mut [0; 4])), is, "{c:?}");
    }
}

fn row(text: &str) -> Paragraph {
    Paragraph { text: text.into(), ..Paragraph::default() }
}

/// Sentences of a text: tokens with + before those that are glued.
fn tokens(text: &str) -> Vec<String> {
    let (document, rows) = (Document::default(), [row(text)]);
    let text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let token = |token: TaggedToken| if token.glued { format!("+{}", token.form) } else { token.form.to_string() };
    let sentences = text.paragraphs.iter().flat_map(|paragraph| text.sentences(paragraph));
    sentences.map(|s| s.tokens().map(token).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn glue_crosses_sentences_but_not_white_space() {
    assert_eq!(tokens(" Oh!  (Now.) "), ["Oh +!", "( +Now +. +)"]);
    assert_eq!(tokens("一。二。 三。"), ["一 +。", "+二 +。", "三 +。"]);
}

#[test]
fn what_cannot_be_shown_is_left_out_and_separates_nothing() {
    assert_eq!(tokens("a \u{1} b\u{1}!\u{FFFF}?"), ["a b +! +?"]);
    assert_eq!(tokens("\u{1}a"), ["a"]);
    assert!(tokens(" \u{1}\u{85}\u{FFFE}").is_empty());
}

#[test]
fn invisible_characters_are_in_no_token_and_glue_nothing() {
    assert_eq!(
        tokens("Ne\u{AD}an\u{AD}der\u{AD}ta\u{AD}ler over.\u{200D} A\u{200B}b é\u{200B}é"),
        ["Neandertaler over +.", "Ab é +é"]
    );
    assert!(tokens("\u{AD} \u{200B}").is_empty());
    let (document, rows) = (Document::default(), [row("\u{AD}Ei\u{AD}ne. Zwei\u{AD}te.")]);
    let text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let sentences: Vec<&str> = text.paragraphs.iter().flat_map(|p| text.sentences(p)).map(|s| s.text).collect();
    assert_eq!(sentences, ["Ei\u{AD}ne.", "Zwei\u{AD}te."]);
}

#[test]
fn values_of_columns() {
    let lower_case = LowerCase::Usual;
    let token = TaggedToken { form: "Ebb", glued: false, tags: "NN\t a\u{1} b \t", lower_case };
    let value = |name| token.value(ColumnSource::by_name(name, &["tag", "lemma", "x", "y"])).to_string();
    assert_eq!(["word", "lc", "tag", "lemma", "x", "y", "z"].map(value), ["Ebb", "ebb", "NN", "a b", "", "", ""]);
}

#[test]
fn the_column_lc_has_the_lower_case_of_the_language_of_the_paragraph() {
    let code = |code: &str| crate::language::Language::by_code(code);
    let document = Document { language: code("tur").unwrap(), ..Document::default() };
    let rows = [row("IŞIK İz"), Paragraph { language: code("eng"), ..row("I SAIL") }];
    let text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let lower: Vec<String> = text.tokens().map(|token| token.value(ColumnSource::Lowercase).into()).collect();
    assert_eq!(lower, ["ışık", "iz", "i", "sail"]);
}

#[test]
fn a_tagger_may_leave_a_token_without_tags() {
    let (document, rows) = (Document::default(), [row("One."), row("Two")]);
    let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    text.tag("A\n\nB\n").unwrap();
    assert_eq!(text.tokens().map(|token| token.tags).collect::<Vec<_>>(), ["A", "", "B"]);
    assert_eq!(text.tag("A\nB\n").unwrap_err().to_string(), "the tagger returned 2 lines for 3 tokens");
}
