//! The page in each format is what was looked over by eye and committed in `expected/`.

use std::path::Path;

use warcorpus::emit::FormatCounts;
use warcorpus::emit::document_text::DocumentText;
use warcorpus::emit::vertical::{Escape, TokenLayout};
use warcorpus::emit::{conllu, jsonl, plain_text, registry, tei, vertical};
use warcorpus::text::segments::Segmenter;

use super::page;
use crate::strict_conllu;
use crate::strict_vertical;

const TAGGER: [&str; 2] = ["tag", "lemma"];

fn compare(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/written/expected").join(name);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    assert_eq!(actual, std::fs::read_to_string(&path).unwrap(), "{name}");
}

/// What a tagger could answer: the length as the tag, the lower-case form as the lemma.
fn tags(text: &DocumentText<'_>) -> String {
    text.tokens().map(|token| format!("T{}\t{}\n", token.form.chars().count(), token.form.to_lowercase())).collect()
}

fn write_vertical(
    text: &DocumentText<'_>,
    escape: Escape,
    columns: &[&str],
    tagger: &[&str],
) -> (String, String, FormatCounts) {
    let mut out = String::new();
    let columns = columns.iter().map(ToString::to_string).collect();
    let options = vertical::Options { escape, columns, ..vertical::Options::default() };
    let tagger: Vec<String> = tagger.iter().map(ToString::to_string).collect();
    let written = vertical::document(&mut out, text, &TokenLayout::new(&options, &tagger));
    (out, registry::registry("sample", &options, &[], &written), written)
}

#[test]
fn vertical_for_manatee() {
    let (document, rows) = page();
    let text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let (out, registry, written) = write_vertical(&text, Escape::None, &["word"], &[]);
    compare("page.vert", &out);
    compare("page.registry", &registry);
    let reading = strict_vertical::read(&registry, &out);
    assert_eq!((reading.problems, reading.never_present), (vec![], vec![]));
    assert_eq!([reading.docs, reading.paragraphs, reading.tokens], [1, 20, written.tokens as usize]);
    assert_eq!(reading.attributes[0]["title"], "Tides & ”moons” by C:\\sea\\");
    assert_eq!(reading.attributes[0]["keywords"], "sea|moon / sun");
}

#[test]
fn vertical_for_cwb_with_a_tagger() {
    let (document, rows) = page();
    let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let tags = tags(&text);
    text.tag(&tags).unwrap();
    let columns = ["word", "lc", "lempos", "tag", "lemma"];
    let (out, registry, _) = write_vertical(&text, Escape::Xml, &columns, &TAGGER);
    compare("page-xml.vert", &out);
    let reading = strict_vertical::read(&registry, &out);
    assert_eq!(reading.problems, []);
    assert!(
        registry.contains("ATTRIBUTE word\n\nATTRIBUTE lc\n\nATTRIBUTE lempos\n\nATTRIBUTE tag\n\nATTRIBUTE lemma\n")
    );
    for row in &reading.rows {
        assert_eq!([&row[1], ""], [&row[4], &row[2]]);
    }
}

#[test]
fn a_tagger_answers_every_token() {
    let (document, rows) = page();
    let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let tokens = text.tokens().count();
    let error = text.tag("A\nB\n").unwrap_err();
    assert_eq!((error.tokens, error.lines), (tokens, 2));
}

#[test]
fn conllu_with_and_without_a_tagger() {
    let (document, rows) = page();
    let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
    let mut out = String::new();
    conllu::document(&mut out, &text, &conllu::AnnotationColumns::new::<&str>(&[]));
    compare("page.conllu", &out);
    let plain = strict_conllu::read(&out);
    let tags = tags(&text);
    text.tag(&tags).unwrap();
    out.clear();
    conllu::document(&mut out, &text, &conllu::AnnotationColumns::new(&TAGGER));
    let tagged = strict_conllu::read(&out);
    assert_eq!(plain.len(), tagged.len());
    assert_eq!(tagged[0].words[0][..6], ["1", "Before", "before", "_", "T6", "_"].map(String::from));
}

#[test]
fn tei_whole_and_with_sentences() {
    let (document, rows) = page();
    for (name, text) in [
        ("page.tei.xml", DocumentText::untokenized(&document, &rows)),
        ("page-sentences.tei.xml", DocumentText::tokenized(&document, &rows, &Segmenter::default())),
    ] {
        let mut out = String::new();
        tei::open(&mut out, "sample & co");
        tei::document(&mut out, &text, tei::Options::default());
        tei::close(&mut out);
        compare(name, &out);
    }
}

#[test]
fn json_lines() {
    let (document, rows) = page();
    let text = DocumentText::untokenized(&document, &rows);
    for (name, fields) in
        [("page.dolma.jsonl", jsonl::FieldNames::Dolma), ("page.datatrove.jsonl", jsonl::FieldNames::Datatrove)]
    {
        let mut out = String::new();
        let options = jsonl::Options { fields, ..jsonl::Options::default() };
        jsonl::document(&mut out, &text, "sample", options, None).unwrap();
        compare(name, &out);
    }
}

#[test]
fn plain_text() {
    let (document, rows) = page();
    let text = DocumentText::untokenized(&document, &rows);
    for (name, layout) in
        [("page.txt", plain_text::LineLayout::Paragraphs), ("page.lines.txt", plain_text::LineLayout::Documents)]
    {
        let mut out = String::new();
        plain_text::document(&mut out, &text, layout);
        compare(name, &out);
    }
}

#[test]
fn documents_without_text_are_not_written() {
    let (document, rows) = page();
    let blank = &rows[19..20];
    let mut out = String::new();
    let text = DocumentText::tokenized(&document, blank, &Segmenter::default());
    let (vertical, ..) = write_vertical(&text, Escape::None, &["word"], &[]);
    conllu::document(&mut out, &text, &conllu::AnnotationColumns::new::<&str>(&[]));
    tei::document(&mut out, &text, tei::Options::default());
    let text = DocumentText::untokenized(&document, blank);
    tei::document(&mut out, &text, tei::Options::default());
    jsonl::document(&mut out, &text, "sample", jsonl::Options::default(), None).unwrap();
    plain_text::document(&mut out, &text, plain_text::LineLayout::Paragraphs);
    assert_eq!([vertical, out], ["", ""]);
}
