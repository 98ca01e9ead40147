use super::*;

fn joined(nodes: &[&str], reference: bool) -> String {
    let mut text = BlockText::new(reference);
    for node in nodes {
        text.push(node, false);
        text.end_node(false);
    }
    text.text
}

#[test]
fn a_run_of_white_space_becomes_one_character() {
    assert_eq!(joined(&["a\n\n b \u{a0} c\td"], true), "a\nb c d");
    assert_eq!(joined(&["a\n\n b \u{a0} c\td"], false), "a b c d");
    assert_eq!(joined(&[" \u{3000}é  ü\u{1c}x "], false), "é ü x");
}

#[test]
fn blank_nodes_vanish_only_in_the_reference() {
    assert_eq!(joined(&["Hello", " ", "world"], true), "Helloworld");
    assert_eq!(joined(&["Hello", " ", "world"], false), "Hello world");
    assert_eq!(joined(&["Hello ", "\n world"], true), "Hello\nworld");
}

#[test]
fn link_characters_count_blanks_as_the_reference_does() {
    let mut text = BlockText::new(true);
    text.push(" a  b ", true);
    text.end_node(true);
    assert_eq!((text.characters, text.link_characters), (3, 5));
    let mut text = BlockText::new(false);
    text.push(" a  b ", true);
    text.end_node(true);
    assert_eq!((text.characters, text.link_characters), (3, 3));
}

#[test]
fn code_keeps_its_lines() {
    let mut text = BlockText::new(false);
    text.verbatim = true;
    for node in ["\n  if a {\r\n", "\tb();", "\n  }\n\n"] {
        text.push(node, false);
        text.end_node(false);
    }
    let mut first = BlockText::new(false);
    first.verbatim = true;
    first.push("  ", false);
    first.line_break();
    first.push("\n\t", false);
    first.push("\tx", false);
    assert_eq!((first.text.as_str(), first.characters), ("\t\tx", 3));
    assert_eq!(text.text, "  if a {\n\tb();\n  }");
    assert_eq!(text.characters as usize, text.text.chars().count());
}

#[test]
fn many_blank_pieces_of_code_take_linear_time() {
    // Neither pieces before the first word nor ends of lines behind long white space look at all that is held.
    let mut text = BlockText::new(false);
    text.verbatim = true;
    (0..300_000).for_each(|_| text.push_blank(" "));
    assert_eq!(text.bytes(), 300_000);
    text.push_blank("\r\n \t");
    text.push("x", false);
    assert_eq!((text.text.as_str(), text.characters), (" \tx", 3));
    text.push_blank(&" ".repeat(2 << 20));
    (0..1_000_000).for_each(|_| text.end_line());
    assert_eq!(text.bytes(), 3 + (2 << 20) + 1);
    text.push("y", false);
    text.end_line();
    text.push("z", false);
    assert!(text.text.ends_with(" \ny\nz"));
}

#[test]
fn white_space_of_verbatim_links_is_no_link_text_unless_it_stands_before_ascii() {
    let mut text = BlockText::new(false);
    text.verbatim = true;
    text.push("a b \u{e9}  c", true);
    assert_eq!((text.characters, text.link_characters), (8, 5));
}

#[test]
fn a_run_stops_before_anything_to_normalise() {
    let run = |text: &str| {
        let run = Run::of::<false>(text);
        (run.length, run.characters, run.special)
    };
    assert_eq!(run("a b  c"), (3, 3, false));
    assert_eq!(run("\u{e9}\u{a0}b"), (2, 1, false));
    assert_eq!(run("a \u{e9}"), (4, 3, false));
    assert_eq!(run("a \u{a0}b"), (1, 1, false));
    assert_eq!(run("a\u{1}b"), (3, 3, true));
    assert_eq!(run("a "), (1, 1, false));
}

proptest::proptest! {
    #[test]
    fn text_is_its_words_with_single_blanks(
        pieces in proptest::collection::vec(
            "[ab\u{7f}\u{1}\u{e9}\u{4e00} ]{0,20}[ \n\t\u{a0}\u{3000}\u{1c}]{0,2}",
            0..5,
        ),
    ) {
        let mut text = BlockText::new(false);
        pieces.iter().for_each(|piece| {
            text.push(piece, true);
        });
        let whole = pieces.concat();
        // Ideographs beside a line end are parted by no blank.
        let mut wanted = String::new();
        let mut space = String::new();
        for c in whole.chars() {
            if is_space(c) {
                space.push(c);
                continue;
            }
            let is_line_end = space.is_ascii() && space.contains('\n');
            let runs_on = wanted.ends_with('\u{4e00}') && c == '\u{4e00}' && is_line_end;
            if !space.is_empty() && !wanted.is_empty() && !runs_on {
                wanted.push(' ');
            }
            space.clear();
            wanted.push(c);
        }
        proptest::prop_assert_eq!(&text.text, &wanted);
        proptest::prop_assert_eq!(text.characters as usize, text.text.chars().count());
        proptest::prop_assert_eq!(text.characters, text.link_characters);
        proptest::prop_assert_eq!(text.special, !is_plain(&text.text));
    }

    #[test]
    fn text_is_the_same_in_pieces(piece in "([a ]{0,9}|&| &amp; |\u{e9}|\n){0,9}") {
        let (mut whole, mut parts) = (BlockText::new(false), BlockText::new(false));
        let first = whole.push(&piece, true);
        let (first_part, mut rest) = parts.push_to_reference(&piece, true);
        proptest::prop_assert!(rest.is_empty() || rest.starts_with('&'));
        let first_rest = parts.push(std::mem::take(&mut rest), true);
        proptest::prop_assert_eq!(first, first_part || first_rest);
        proptest::prop_assert_eq!((&whole.text, whole.characters), (&parts.text, parts.characters));
    }
}
