//! One small document that has of everything, as each format shows it, and random ones read back.

mod expected;

mod properties;

use warcorpus::clean::assessment::PageType;
use warcorpus::clean::justext::Class;
use warcorpus::document::{Document, Paragraph};
use warcorpus::language::Language;
use warcorpus::page::blocks::BlockKind;
use warcorpus::page::metadata::PublishedSource;

/// A paragraph of a page.
pub fn row(index: u32, kind: &str, text: &str) -> Paragraph {
    Paragraph {
        doc: 4_294_967_303,
        index,
        kind: BlockKind::by_name(kind).unwrap(),
        text: text.into(),
        heading: kind.starts_with('h'),
        quoted: kind == "blockquote",
        class: Class::Good,
        context_free: Class::Short,
        language: Language::by_code("eng"),
        kept: true,
        ..Paragraph::default()
    }
}

fn item(index: u32, list_depth: u16, text: &str) -> Paragraph {
    Paragraph { list_depth, ..row(index, "li", text) }
}

fn cell(index: u32, kind: &str, (table_row, table_column): (u16, u16), text: &str) -> Paragraph {
    Paragraph { table_row, table_column, ..row(index, kind, text) }
}

/// A page with headings, lists, a table, code, quotes; text that formats have to escape; sentences that touch.
pub fn page() -> (Document, Vec<Paragraph>) {
    let document = Document {
        doc: 4_294_967_303,
        record_id: "urn:uuid:0f0b2c6a-6e9c-4a7e-9a39-0d3f7a1c2b55".into(),
        url: "https://www.tides.example/sea?q=\"moon\"&p=1".into(),
        host: "www.tides.example".into(),
        domain: "tides.example".into(),
        tld: "example".into(),
        archive: "web.warc.gz".into(),
        offset: 4711,
        length: 815,
        captured: Some(1_742_428_800_123_456),
        content_type: "text/html".into(),
        charset: "windows-1252".into(),
        title: Some("Tides & \"moons\"\tby C:\\sea\\".into()),
        author: vec!["Owen Tarrant".into(), "Ana <Li>".into()],
        published: Some(20_166),
        published_source: Some(PublishedSource::Jsonld),
        modified: Some(i32::MAX),
        sitename: Some("The Tides".into()),
        section: Some("Science".into()),
        keywords: vec!["sea".into(), "moon | sun ".into()],
        license: Some("CC BY 4.0".into()),
        language: Language::by_code("eng").unwrap(),
        language_score: 0.987_6,
        page_type: Some(PageType::Article),
        confidence: Some(0.913),
        characters: 1234,
        words: 61,
        cluster_size: 2,
        ..Document::default()
    };
    let rows = vec![
        row(0, "p", "Before any heading: AT&T's \"10 < 20\"."),
        row(2, "h1", "Tides"),
        row(3, "p", "The tide (twice a day!) comes later.  Why?"),
        Paragraph { language: Language::by_code("zho"), ..row(4, "p", "这是第一句。这是第二句。") },
        row(5, "h2", "Causes"),
        item(6, 1, "The moon,"),
        item(7, 2, "which is near"),
        item(8, 1, "The sun."),
        Paragraph { list_depth: 1, ..row(9, "p", "It is far.") },
        row(10, "caption", "Heights"),
        cell(11, "th", (1, 1), "Place"),
        cell(12, "td", (2, 1), "Harbour"),
        cell(13, "td", (2, 3), "3.5\u{A0}m"),
        row(14, "blockquote", "Time and tide wait for no man."),
        row(15, "pre", "if a < b {\n    print(\"<doc>\");\n}"),
        row(16, "dt", "Ebb"),
        row(17, "dd", "Falling\u{1} tide"),
        row(18, "figcaption", "The harbour at noon"),
        Paragraph { repeated: true, language: Language::by_code("und"), ..row(19, "address", "Quay 1") },
        row(20, "p", " \u{2} "),
        row(21, "h3", "The end"),
    ];
    (document, rows)
}
