use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::list_marks::MAX_NUMBER;
use super::*;

mod properties;

fn row(kind: BlockKind, text: &str) -> Paragraph {
    let heading =
        matches!(kind, BlockKind::H1 | BlockKind::H2 | BlockKind::H3 | BlockKind::H4 | BlockKind::H5 | BlockKind::H6);
    Paragraph { kind, heading, quoted: kind == BlockKind::Blockquote, text: text.into(), ..Paragraph::default() }
}

fn written(rows: &[Paragraph]) -> String {
    let mut out = String::new();
    write(&mut out, &rows.iter().collect::<Vec<_>>());
    out
}

/// A text that a parser finds: its level if it is a heading, whether it is code, its depth in lists.
#[derive(Debug, Default, Clone, PartialEq)]
struct Leaf {
    level: usize,
    is_code: bool,
    lists: usize,
    text: String,
}

/// The leaves of a document, cells among them.
fn leaves(markdown: &str) -> Vec<Leaf> {
    let (mut leaves, mut leaf, mut lists) = (Vec::new(), Leaf::default(), 0);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        let mut end = |leaf: &mut Leaf| {
            if !leaf.text.is_empty() {
                leaves.push(Leaf { lists, ..std::mem::take(leaf) });
            }
            *leaf = Leaf::default();
        };
        match event {
            Event::Start(Tag::List(_)) => {
                end(&mut leaf);
                lists += 1;
            }
            Event::End(TagEnd::List(_)) => {
                end(&mut leaf);
                lists -= 1;
            }
            Event::Start(Tag::Heading { level, .. }) => {
                end(&mut leaf);
                leaf.level = level as usize;
                assert!(level <= HeadingLevel::H6);
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                assert!(matches!(kind, CodeBlockKind::Fenced(info) if info.is_empty()));
                end(&mut leaf);
                leaf.is_code = true;
            }
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => {}
            Event::Start(Tag::Paragraph | Tag::Item | Tag::BlockQuote(_) | Tag::Table(_) | Tag::TableRow)
            | Event::Start(Tag::TableHead | Tag::TableCell)
            | Event::End(_) => end(&mut leaf),
            Event::Text(text) => leaf.text.push_str(&text),
            Event::HardBreak => leaf.text.push('\n'),
            Event::InlineHtml(html) if &*html == "<br>" => end(&mut leaf),
            other => panic!("{other:?} in {markdown:?}"),
        }
    }
    for leaf in &mut leaves {
        if leaf.is_code {
            leaf.text.truncate(leaf.text.len() - 1);
        }
    }
    leaves
}

/// What a paragraph must come back as.
fn expected(row: &Paragraph) -> Leaf {
    let words: Vec<&str> = row.text.split(is_blank).filter(|word| !word.is_empty()).collect();
    let is_code = row.kind == BlockKind::Pre && row.table_row == 0;
    let rank = BlockKind::ALL.iter().position(|kind| *kind == row.kind).filter(|rank| (1..=6).contains(rank));
    let is_section = row.table_row == 0 && row.list_depth == 0 && !row.quoted;
    let lists = match row.kind {
        BlockKind::Li | BlockKind::Dt | BlockKind::Dd => row.list_depth.max(1),
        _ => row.list_depth,
    };
    Leaf {
        level: rank.filter(|_| is_section).unwrap_or(0),
        is_code,
        lists: usize::from(lists),
        text: if is_code { row.text.clone() } else { words.join(" ") },
    }
}

fn check(rows: &[Paragraph]) {
    let markdown = written(rows);
    let seen = leaves(&markdown);
    let (in_table, wanted): (Vec<bool>, Vec<Leaf>) =
        rows.iter().map(|row| (row.table_row > 0, expected(row))).filter(|(_, leaf)| !leaf.text.is_empty()).unzip();
    // Code in a loose cell stays code; in a table it is text. Lists inside of cells are not shown in tables.
    let plain = |(leaf, in_table): (&Leaf, &bool)| Leaf {
        is_code: false,
        lists: if *in_table { 0 } else { leaf.lists },
        text: leaf.text.split_whitespace().collect::<Vec<_>>().join(" "),
        ..*leaf
    };
    let plain = |leaves: &[Leaf]| leaves.iter().zip(&in_table).map(plain).collect::<Vec<_>>();
    assert_eq!((seen.len(), plain(&seen)), (wanted.len(), plain(&wanted)), "{markdown}");
    for (seen, wanted) in seen.iter().zip(&wanted).filter(|(_, wanted)| wanted.is_code) {
        assert_eq!(seen, wanted, "{markdown}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one page that has everything")]
fn every_construct() {
    let cell = |kind, row_number, column, text: &str| Paragraph {
        table_row: row_number,
        table_column: column,
        ..row(kind, text)
    };
    let in_list = |kind, depth, text: &str| Paragraph { list_depth: depth, ..row(kind, text) };
    let rows = [
        row(BlockKind::H1, "C# and F#"),
        row(BlockKind::P, "A snake_case name, 2 * 3, _this_ and <b>that</b> &amp; a [link](x)."),
        row(BlockKind::P, "1. is no list, # no heading."),
        in_list(BlockKind::Li, 1, "one"),
        in_list(BlockKind::Li, 1, "two"),
        in_list(BlockKind::P, 1, "more of two"),
        in_list(BlockKind::Li, 2, "two and a half"),
        in_list(BlockKind::Pre, 2, "let x = 1;\n\n  x"),
        in_list(BlockKind::Li, 1, "- three"),
        row(BlockKind::Blockquote, "Said once."),
        Paragraph { quoted: true, ..row(BlockKind::P, "> Said twice.") },
        Paragraph { quoted: true, ..row(BlockKind::H3, "Said loud") },
        Paragraph { quoted: true, ..row(BlockKind::Pre, "let y = 2;\n\ny + 1") },
        row(BlockKind::H2, "Tables"),
        row(BlockKind::Caption, "Tides"),
        cell(BlockKind::Th, 1, 1, "Day"),
        cell(BlockKind::Th, 1, 2, "High | low"),
        cell(BlockKind::Td, 2, 1, "Monday"),
        cell(BlockKind::Td, 3, 1, "Tuesday"),
        cell(BlockKind::Td, 3, 2, "3 m"),
        cell(BlockKind::P, 3, 2, "or so"),
        row(BlockKind::Pre, "```\ncode\n```"),
        row(BlockKind::Dt, "Tide"),
        row(BlockKind::Dd, "What the moon does."),
        row(BlockKind::P, "- - -"),
    ];
    let expected = r"# C# and F\#

A snake_case name, 2 \* 3, \_this\_ and \<b>that\</b> \&amp; a \[link](x).

1\. is no list, # no heading.

- one
- two

  more of two
  - two and a half

    ```
    let x = 1;

      x
    ```
- \- three

> Said once.
>
> \> Said twice.
>
> **Said loud**
>
> ```
> let y = 2;
>
> y + 1
> ```

## Tables

Tides

| Day | High \| low |
| --- | --- |
| Monday | |
| Tuesday | 3 m<br>or so |

````
```
code
```
````

- **Tide**
- What the moon does.

\- - -
";
    assert_eq!(written(&rows), expected);
    check(&rows);
}

#[test]
fn tables_for_layout_are_paragraphs() {
    let cell =
        |row_number, column| Paragraph { table_row: row_number, table_column: column, ..row(BlockKind::Td, "x") };
    assert_eq!(written(&[cell(1, 1), cell(2, 1)]), "x\n\nx\n");
    let item = |row_number, item| Paragraph { list_depth: 1, item, ..cell(row_number, 1) };
    assert_eq!(written(&[item(1, 1), item(1, 2), cell(2, 1)]), "- x\n- x\n\nx\n");
    let diagonal: Vec<Paragraph> = (1..60).map(|n| cell(n, n)).collect();
    assert!(written(&diagonal).len() < 59 * 4);
    check(&diagonal);
}

#[test]
fn tables_stand_in_items() {
    let in_item = |kind, text: &str| Paragraph { list_depth: 1, item: 1, ..row(kind, text) };
    let cell = |row_number, column, text: &str| Paragraph {
        table: 2,
        table_row: row_number,
        table_column: column,
        ..in_item(BlockKind::Td, text)
    };
    let rows = [
        in_item(BlockKind::Li, "Tides"),
        cell(1, 1, "high"),
        cell(1, 2, "low"),
        Paragraph { kind: BlockKind::Pre, ..cell(2, 1, "if high:\n  go()\n\nwait()") },
        in_item(BlockKind::P, "on"),
        Paragraph { item: 3, ..in_item(BlockKind::Li, "Winds") },
    ];
    let expected = "- Tides

  | | |
  | --- | --- |
  | high | low |
  | if high:<br>go()<br>wait() | |

  on
- Winds
";
    assert_eq!(written(&rows), expected);
}

#[test]
fn texts_full_of_marks_grow_twice_at_most() {
    for mark in ["`", "*", "[", "|", "\\", "_", "<a", "&a;", "~", "#", "1. ", "- "] {
        let text = mark.repeat(20_000 / mark.len());
        assert!(written(&[row(BlockKind::P, &text)]).len() <= 2 * text.len() + 2, "{mark}");
        assert!(written(&[row(BlockKind::Pre, &text)]).len() <= 3 * text.len() + 10, "{mark}");
    }
}

#[test]
fn short_lines_in_deep_lists_do_not_grow_without_bound() {
    let in_list = |kind, depth: u16, text: &str| Paragraph {
        item: depth.into(),
        item_number: MAX_NUMBER,
        list_depth: depth,
        ..row(kind, text)
    };
    let items = || (1..=10).map(|depth| in_list(BlockKind::Li, depth, "x"));
    let lines = format!("{}a", "a\n".repeat(100_000));
    let long = [in_list(BlockKind::Pre, 10, &lines), in_list(BlockKind::P, 10, &lines)];
    let after = Paragraph { item: 11, ..in_list(BlockKind::Li, 10, "after") };
    let markdown = written(&items().chain(long).chain([after]).collect::<Vec<_>>());
    assert!(markdown.len() < FREE_PREFIXES + 4 * 2 * lines.len(), "{}", markdown.len());
    // They stand behind the lists, which begin again.
    let seen = leaves(&markdown);
    let ends: Vec<_> = seen[10..].iter().map(|leaf| (leaf.is_code, leaf.lists, leaf.text.as_str())).collect();
    assert_eq!(ends, [(true, 0, lines.as_str()), (false, 0, lines.as_str()), (false, 10, "after")]);
    let many = vec![in_list(BlockKind::P, 10, "a"); 20_000];
    assert!(written(&items().chain(many).collect::<Vec<_>>()).len() < FREE_PREFIXES + 10 * 20_000);
}

#[test]
fn ordered_lists_have_the_numbers_of_their_items() {
    let item = |item, item_number, list_depth, text: &str| Paragraph {
        item,
        item_number,
        list_depth,
        ..row(BlockKind::Li, text)
    };
    let rows = [
        item(1, 9, 1, "Open it."),
        item(2, 10, 1, "Read it:"),
        Paragraph { item: 2, item_number: 10, list_depth: 1, ..row(BlockKind::P, "all of it.") },
        item(3, 3, 2, "the third part"),
        item(4, 0, 2, "another one"),
    ];
    let want = "9. Open it.\n10. Read it:\n\n    all of it.\n\n    3. the third part\n    - another one\n";
    assert_eq!(written(&rows), want);
    check(&rows);
}

#[test]
fn lists_in_a_row_and_numbers_that_jump_have_other_marks() {
    let item =
        |list, item, item_number| Paragraph { list, item, item_number, list_depth: 1, ..row(BlockKind::Li, "a") };
    let rows = [
        item(1, 2, 0),
        item(1, 3, 0),
        item(4, 5, 0),
        item(6, 7, 1),
        item(6, 8, 2),
        item(6, 9, 5),
        item(10, 11, 1),
        item(10, 12, 2),
    ];
    assert_eq!(written(&rows), "- a\n- a\n\n* a\n\n1. a\n2. a\n5) a\n\n1. a\n2. a\n");
    check(&rows);
    let quoted = |quote, quoted| Paragraph { quote, quoted, ..row(BlockKind::P, "b") };
    let rows = [quoted(1, true), Paragraph { quote: 1, quoted: true, ..item(2, 3, 0) }, quoted(0, false)];
    assert_eq!(written(&rows), "> b\n>\n> - a\n\nb\n");
}

#[test]
fn lines_end_with_a_hard_break_and_begin_without_markup() {
    let lines = "Opening hours\n- Monday\n# 9 to 5";
    assert_eq!(written(&[row(BlockKind::P, lines)]), "Opening hours\\\n\\- Monday\\\n\\# 9 to 5\n");
    let addresses = [row(BlockKind::P, "See http://a.example\nor write to\njane@b.example\nToday")];
    assert_eq!(written(&addresses), "See http://a.example  \nor write to\\\njane@b.example  \nToday\n");
    check(&addresses);
    let item = Paragraph { list_depth: 1, item: 1, ..row(BlockKind::Li, "One\n1. two") };
    assert_eq!(written(&[item]), "- One\\\n  1\\. two\n");
    assert_eq!(written(&[row(BlockKind::Blockquote, "One\nTwo")]), "> One\\\n> Two\n");
    assert_eq!(written(&[row(BlockKind::H2, "One\nTwo")]), "## One Two\n");
}
