//! Whatever the pages hold: files are valid, and tokens give the text back.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use unicode_normalization::UnicodeNormalization;
use warcorpus::clean::justext::Class;
use warcorpus::document::{Document, Paragraph};
use warcorpus::emit::document_text::DocumentText;
use warcorpus::emit::vertical::{Escape, TokenLayout};
use warcorpus::emit::{conllu, jsonl, plain_text, registry, tei, vertical};
use warcorpus::page::blocks::BlockKind;
use warcorpus::text::invisible::is_invisible;
use warcorpus::text::segments::Segmenter;

use crate::{strict_conllu, strict_vertical, strict_xml};

const KINDS: [&str; 20] = [
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "li",
    "td",
    "th",
    "dt",
    "dd",
    "pre",
    "blockquote",
    "caption",
    "figcaption",
    "summary",
    "legend",
    "address",
    "div",
];

/// Text with what formats have to escape, sentences that touch, controls, marks without a letter.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,40}",
        "([a-z<>&\"'\\\\ ]|这。|ไทย|[.!?]|<doc>|</s>|<g/>|&lt;|\u{301}|\u{1}|\u{85}|\u{FFFD}|\u{FFFF}|\u{A0}|\n|\t| ){0,30}",
        // What forges a line, a tag or the order of characters.
        "(\u{0}|\u{1b}\\[2J|\u{7f}|\u{9b}|\u{200b}|\u{200e}|\u{2028}|\u{202e}|\u{2060}|\u{2066}|\u{feff}|\r|\u{b}|\u{c}|\
        ]]>|<!--|-->|<\\?xml \\?>|-----|\n# sent_id = 1\n|\n1\ta\ta\t|</?(s|p|g|doc|text|TEI)( id=\"1\")?/?>|\\\\\"|[a-z ]){0,20}",
    ]
}

fn row() -> impl Strategy<Value = Paragraph> {
    (select(&KINDS[..]), 0..4u16, 0..4u16, 1..4u16, any::<(bool, bool)>(), texts()).prop_map(
        |(kind, list_depth, table_row, column, (heading, quoted), text)| Paragraph {
            kind: BlockKind::by_name(kind).unwrap(),
            heading,
            list_depth,
            quoted,
            table_row,
            table_column: if table_row > 0 { column } else { 0 },
            text,
            class: Class::Good,
            ..Paragraph::default()
        },
    )
}

fn page() -> impl Strategy<Value = (Document, Vec<Paragraph>)> {
    let document = (any::<u64>(), texts(), vec(texts(), 0..3), any::<i32>(), any::<i64>(), 0.0..=1.0f32);
    (document, vec(row(), 0..12)).prop_map(|((doc, value, list, days, time, language_score), mut rows)| {
        rows.iter_mut().zip(0..).for_each(|(row, index)| row.index = index);
        let document = Document {
            doc,
            url: value.clone(),
            title: Some(value.clone()),
            author: list.clone(),
            keywords: list,
            license: Some(value),
            published: Some(days),
            captured: Some(time),
            language_score,
            ..Document::default()
        };
        (document, rows)
    })
}

/// Without control and non-characters, white space collapsed.
fn shown(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.replace(|c: char| c.is_control() || c == '\u{FFFF}', ""));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Without the characters that no token has.
fn bare(text: &str) -> String {
    text.replace(|c| is_invisible(c) || c == '\u{200B}', "")
}

fn shown_rows(rows: &[Paragraph]) -> Vec<String> {
    rows.iter().map(|row| shown(&bare(&row.text))).filter(|text| !text.is_empty()).collect()
}

fn decoded(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

proptest! {
    #[test]
    fn vertical_gives_the_text_back((document, rows) in page(), tagged in any::<bool>()) {
        let mut text = DocumentText::tokenized(&document, &rows, &Segmenter::default());
        let tags: String = text.tokens().map(|token| format!(" {}\t\u{1}\n", token.form)).collect();
        if tagged {
            text.tag(&tags).unwrap();
        }
        for escape in [Escape::None, Escape::Xml] {
            let columns = ["word", "lemma", "tag", "lc"].map(String::from).to_vec();
            let options = vertical::Options { escape, columns, ..vertical::Options::default() };
            let layout = TokenLayout::new(&options, &["lemma".into(), "tag".into()]);
            let mut out = String::new();
            let written = vertical::document(&mut out, &text, &layout);
            let reading = strict_vertical::read(&registry::registry("x", &options, &[], &written), &out);
            prop_assert_eq!(&reading.problems, &vec![], "{}", out);
            prop_assert_eq!(&reading.never_present, &Vec::<String>::new());
            prop_assert_eq!(reading.tokens as u64, written.tokens);
            // The guard of words that look like tags is no part of the text.
            let texts = reading.texts.iter().map(|text| if escape == Escape::Xml { decoded(text) } else { text.clone() });
            let texts: Vec<String> = texts.map(|text| bare(&text)).collect();
            prop_assert_eq!(texts, shown_rows(&rows));
        }
    }

    #[test]
    fn conllu_gives_the_text_back((document, mut rows) in page()) {
        let columns = conllu::AnnotationColumns::new::<&str>(&[]);
        let mut out = String::new();
        conllu::document(&mut out, &DocumentText::tokenized(&document, &rows, &Segmenter::default()), &columns);
        strict_conllu::read(&out);
        rows.iter_mut().for_each(|row| row.text = shown(&row.text).replace('\u{FFFD}', "□").nfc().collect());
        out.clear();
        conllu::document(&mut out, &DocumentText::tokenized(&document, &rows, &Segmenter::default()), &columns);
        let texts: Vec<String> = strict_conllu::paragraphs(&strict_conllu::read(&out)).iter().map(|text| bare(text)).collect();
        prop_assert_eq!(texts, shown_rows(&rows));
    }

    #[test]
    fn tei_nests_and_keeps_the_text((document, rows) in page(), cut in any::<bool>()) {
        let text = if cut { DocumentText::tokenized(&document, &rows, &Segmenter::default()) } else { DocumentText::untokenized(&document, &rows) };
        let mut out = String::new();
        tei::open(&mut out, "x");
        tei::document(&mut out, &text, tei::Options::default());
        tei::close(&mut out);
        let root = strict_xml::parse(&out);
        let mut bodies = Vec::new();
        root.all("body", &mut bodies);
        prop_assert_eq!(bodies.len(), usize::from(!text.paragraphs.is_empty()));
        for body in bodies {
            strict_xml::check(body, &mut BTreeSet::new());
            // White space between elements means nothing; inside, that of the text is kept.
            let wanted: String = shown_rows(&rows).concat();
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeezed(&bare(&body.text())), squeezed(&wanted));
        }
    }

    #[test]
    fn json_parses_and_keeps_the_text((document, rows) in page()) {
        let text = DocumentText::untokenized(&document, &rows);
        for fields in [jsonl::FieldNames::Dolma, jsonl::FieldNames::Datatrove] {
            let mut out = String::new();
            let options = jsonl::Options { fields, ..jsonl::Options::default() };
            jsonl::document(&mut out, &text, "x", options, None).unwrap();
            prop_assert_eq!(out.lines().count(), usize::from(!text.paragraphs.is_empty()));
            if let Some(line) = out.lines().next() {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                let wanted: Vec<&str> = text.paragraphs.iter().map(|p| p.row.text.as_str()).collect();
                prop_assert_eq!(value["text"].as_str().unwrap(), wanted.join("\n"));
                prop_assert!(value["metadata"]["language_score"].is_number());
            }
        }
    }

    #[test]
    fn plain_text_has_a_line_per_paragraph((document, rows) in page()) {
        let mut out = String::new();
        let text = DocumentText::untokenized(&document, &rows);
        plain_text::document(&mut out, &text, plain_text::LineLayout::Paragraphs);
        let lines = out.matches('\n').count();
        prop_assert_eq!(lines, if text.paragraphs.is_empty() { 0 } else { text.paragraphs.len() + 1 });
    }
}
