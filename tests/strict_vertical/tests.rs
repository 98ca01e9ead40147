//! The strict reader finds each fault, and nothing in a file without.

use super::{What, read};

const REGISTRY: &str = "NAME \"x\"\nATTRIBUTE word\nATTRIBUTE tag {\n    TYPE \"FD_FGD\"\n}\nATTRIBUTE lc {\n    DYNAMIC utf8lowercase\n}\n\
    STRUCTURE doc {\n    ATTRIBUTE id {\n        TYPE UNIQUE\n    }\n    ATTRIBUTE title\n    ATTRIBUTE author\n}\n\
    STRUCTURE p\nSTRUCTURE s\nSTRUCTURE g {\n    DISPLAYTAG 0\n}\n";

/// A document around the lines of a sentence.
fn sentence(lines: &str) -> String {
    format!("<doc id=\"1\">\n<p>\n<s>\n{lines}</s>\n</p>\n</doc>\n")
}

fn problems(vertical: &str) -> Vec<(usize, What)> {
    read(REGISTRY, vertical).problems.into_iter().map(|problem| (problem.line, problem.what)).collect()
}

#[test]
fn a_good_file_is_counted() {
    let text = "<doc id=\"1\" title=\"a > \\\"b\\\" \\\\ &quot;\">\n<p>\n<s>\nHe\tP\n<g/>\n!\t\n</s>\n<g/>\n<s>\nword two\tN\n</s>\n</p>\n</doc>\n\
        <doc id='2' title=x_1>\n<p>\n<s>\n<\tZ\n<3\tZ\n</s>\n</p>\n</doc>\n";
    let reading = read(REGISTRY, text);
    assert_eq!(reading.problems, []);
    let counts = [reading.docs, reading.paragraphs, reading.sentences, reading.tokens, reading.glue];
    assert_eq!(counts, [2, 2, 3, 5, 2]);
    assert_eq!(reading.never_present, ["doc.author"]);
    assert_eq!(reading.attributes[0]["title"], "a > \"b\" \\ &quot;");
    assert_eq!(reading.attributes[1]["title"], "x_1");
    assert_eq!(reading.texts, ["He!word two", "< <3"]);
    assert_eq!(reading.rows[1], ["!", ""]);
}

#[test]
fn lines_are_looked_at() {
    assert_eq!(problems(&sentence("\na\tb\n")), [(4, What::EmptyLine)]);
    assert_eq!(problems(&sentence("a\tb \n")), [(4, What::Blanks)]);
    assert_eq!(problems(&sentence(" a\tb\n")), [(4, What::Blanks)]);
    assert_eq!(problems(&sentence("a\tb\r\n")), [(4, What::Control('\r'))]);
    assert_eq!(problems(&sentence("a\u{85}\tb\n")), [(4, What::Control('\u{85}'))]);
    assert_eq!(problems(sentence("a\tb\n").trim_end()), [(7, What::NoFinalNewline)]);
}

#[test]
fn columns_are_counted_and_measured() {
    assert_eq!(problems(&sentence("a\n")), [(4, What::Columns(1))]);
    assert_eq!(problems(&sentence("a\tb\tc\n")), [(4, What::Columns(3))]);
    assert_eq!(problems(&sentence("\tb\n")), [(4, What::EmptyWord)]);
    assert_eq!(problems(&sentence(&format!("{}\tb\n", "a".repeat(32_767)))), []);
    assert_eq!(problems(&sentence(&format!("{}\tb\n", "a".repeat(32_768)))), [(4, What::TooLong)]);
    assert_eq!(problems(&sentence(&format!("a\t{}\n", "b".repeat(32_768)))), [(4, What::TooLong)]);
}

#[test]
fn words_that_look_like_structures_are_found() {
    for (word, what) in [
        ("<b>", What::UndeclaredStructure("b".into())),
        ("</b>", What::UndeclaredStructure("b".into())),
        ("<s>x", What::LooksLikeStructure),
        ("< p>", What::LooksLikeStructure),
        ("<?xml version=\"1.0\"?>", What::LooksLikeStructure),
        ("<!-- x -->", What::LooksLikeStructure),
    ] {
        assert_eq!(problems(&sentence(&format!("{word}\tt\n"))), [(4, what)], "{word}");
    }
    // Alone on its line it is one.
    assert_eq!(
        problems(&sentence("a\tt\n<s>\n")),
        [
            (5, What::MisNested("s".into(), "s".into())),
            (6, What::EmptyStructure("s".into())),
            (7, What::Unclosed("s".into()))
        ]
    );
    assert_eq!(
        problems("<corpus>\n"),
        [(1, What::Columns(1)), (1, What::UndeclaredStructure("corpus".into())), (1, What::OutsideSentence)]
    );
}

#[test]
fn attributes_are_looked_at() {
    let with = |attributes: &str| problems(&sentence("a\tb\n").replace(" id=\"1\"", attributes));
    assert_eq!(with(" id=\"1\" nr=\"2\""), [(1, What::UndeclaredAttribute("doc.nr".into()))]);
    assert_eq!(with(" title=\"\""), [(1, What::EmptyValue("doc.title".into()))]);
    assert_eq!(with(" title=\"a \""), [(1, What::Blanks)]);
    assert_eq!(with(" title=\"a\" title=\"b\""), [(1, What::Twice("doc.title".into()))]);
    assert_eq!(with(&format!(" title=\"{}\"", "é".repeat(16_384))), [(1, What::TooLong)]);
    for malformed in [" title", " title=", " title=\"a", " title=\"a\\\"", " title=\"a\"b\"", " ti-tle=\"a\""] {
        assert_eq!(with(malformed), [(1, What::Malformed)], "{malformed}");
    }
}

#[test]
fn unique_values_are_unique() {
    let twice = sentence("a\tb\n").repeat(2);
    assert_eq!(problems(&twice), [(8, What::DuplicateId("1".into()))]);
    assert_eq!(problems(&twice.replace(" id=\"1\"", "")), [(8, What::DuplicateId("===NONE===".into()))]);
}

#[test]
fn structures_nest_and_close() {
    let empty = |name: &str| What::EmptyStructure(name.into());
    assert_eq!(problems(&sentence("")), [(4, empty("s")), (5, empty("p")), (6, empty("doc"))]);
    assert_eq!(problems(&sentence("a\tb\n<s/>\n")), [(5, empty("s"))]);
    assert_eq!(problems(&sentence("a\tb\n</s>\n")), [(6, What::NotOpen("s".into()))]);
    assert_eq!(problems("<doc>\n<p>\n<s>\na\tb\n</s>\n</doc>\n"), [(6, What::Unclosed("p".into()))]);
    assert_eq!(problems("<doc>\n<p>\n<s>\na\tb\n</s>\n</p>\n"), [(6, What::Unclosed("doc".into()))]);
    assert_eq!(problems("<p>\n<s>\na\tb\n</s>\n</p>\n"), [(1, What::MisNested("p".into(), String::new()))]);
    assert_eq!(problems("<doc>\n<s>\na\tb\n</s>\n</doc>\n"), [(2, What::MisNested("s".into(), "doc".into()))]);
    assert_eq!(problems("<doc>\n<p>\na\tb\n</p>\n</doc>\n"), [(3, What::OutsideSentence)]);
}

#[test]
fn glue_stands_between_tokens() {
    assert_eq!(problems(&sentence("<g/>\na\tb\n")), [(4, What::GlueAtEdge)]);
    assert_eq!(problems(&sentence("a\tb\n<g/>\n")), [(6, What::GlueAtEdge)]);
    assert_eq!(problems(&sentence("a\tb\n<g/>\n<g/>\na\tb\n")), [(6, What::GlueAtEdge)]);
    assert_eq!(problems(&sentence("a\tb\n<g>\na\tb\n")), [(5, What::Unclosed("g".into()))]);
    assert_eq!(problems("<doc>\n<p>\n<g/>\n<s>\na\tb\n</s>\n</p>\n</doc>\n"), [(3, What::GlueAtEdge)]);
    assert_eq!(problems("<doc>\n<p>\n<s>\na\tb\n</s>\n<g/>\n</p>\n</doc>\n"), [(7, What::GlueAtEdge)]);
    assert_eq!(
        problems("<doc>\n<g/>\n<p>\n<s>\na\tb\n</s>\n</p>\n</doc>\n")[0],
        (2, What::MisNested("g".into(), "doc".into()))
    );
}

#[test]
fn gaps_stand_between_paragraphs_and_say_what_was_dropped() {
    let registry = format!("{REGISTRY}STRUCTURE gap {{\n    ATTRIBUTE n\n    ATTRIBUTE reason\n}}\n");
    let p = "<p>\n<s>\na\tb\n</s>\n</p>\n";
    let of = |lines: &str| {
        let reading = read(&registry, &format!("<doc id=\"1\">\n{lines}</doc>\n"));
        (reading.gaps, reading.problems.into_iter().map(|problem| problem.what).collect::<Vec<_>>())
    };
    let gap = "<gap n=\"2\" reason=\"boilerplate|overlap\"/>\n";
    assert_eq!(of(&format!("{p}{gap}{p}{gap}{p}")), (2, vec![]));
    for wrong in [format!("{gap}{p}"), format!("{p}{gap}"), format!("{p}{gap}{gap}{p}")] {
        assert_eq!(of(&wrong).1, [What::Gap], "{wrong}");
    }
    assert_eq!(of(&format!("{p}<gap n=\"0\" reason=\"stub\"/>\n{p}")).1, [What::Gap]);
    assert_eq!(of(&format!("{p}<gap n=\"1\" reason=\"mood\"/>\n{p}")).1, [What::Gap]);
    assert_eq!(of(&format!("{p}<gap n=\"1\" reason=\"stub\">\n{p}")).1[0], What::Unclosed("gap".into()));
}
