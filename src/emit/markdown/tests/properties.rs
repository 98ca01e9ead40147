//! Pages of random rows, full of what Markdown has a meaning for.

use proptest::prelude::*;

use super::*;

fn kinds() -> impl Strategy<Value = BlockKind> {
    prop::sample::select(vec![
        BlockKind::P,
        BlockKind::P,
        BlockKind::H1,
        BlockKind::H3,
        BlockKind::H6,
        BlockKind::Li,
        BlockKind::Li,
        BlockKind::Dt,
        BlockKind::Dd,
        BlockKind::Pre,
        BlockKind::Blockquote,
        BlockKind::Td,
        BlockKind::Th,
        BlockKind::Other,
    ])
}

fn texts() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "a",
        "b c",
        " ",
        "é",
        "汉",
        "1",
        "12.",
        "3)",
        "#",
        "##",
        ">",
        "-",
        "--",
        "+",
        "*",
        "**",
        "_",
        "__",
        "`",
        "```",
        "~",
        "~~~",
        "[",
        "]",
        "[ ]",
        "[^1]",
        "[a]: b",
        "](x)",
        "![",
        "<",
        "<b>",
        "</i>",
        "<!--",
        "<http://a.b>",
        "http://a.b/c_d",
        "&",
        "&amp;",
        "&#35;",
        "|",
        "\\",
        "\\\\",
        "!",
        "=",
        "===",
        "$",
        "{#id}",
        ":",
        "- [x]",
        "\u{A0}",
        "\u{2028}",
        "\"",
        "'",
        "(",
        ".",
        "\n",
        "  ",
    ]);
    prop::collection::vec(parts, 1..7).prop_map(|parts| parts.concat())
}

/// Rows as pages have them: `pre` outside of tables is as it is, lines of other texts are collapsed; tables rise.
fn rows() -> impl Strategy<Value = Vec<Paragraph>> {
    let cell = prop::option::weighted(0.3, (0u16..2, 1u16..4));
    let numbers = prop::sample::select(&[0, 0, 0, 1, 2, 31, 999_999_999, u32::MAX][..]);
    let one = (kinds(), texts(), 0u16..4, cell, prop::bool::weighted(0.2), numbers);
    prop::collection::vec(one, 1..9).prop_map(|rows| {
        let mut table_row = 0;
        let all = rows.into_iter().map(|(kind, text, depth, cell, in_quote, item_number)| {
            let text = match kind {
                BlockKind::Pre if cell.is_none() => text.trim_matches(['\n', ' ', '\r']).to_string(),
                _ if cell.is_none() => {
                    let lines = text.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
                    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
                }
                _ => text.split_whitespace().collect::<Vec<_>>().join(" "),
            };
            let (row_number, column) = match cell {
                Some((step, column)) => {
                    table_row += step.max(u16::from(table_row == 0));
                    (table_row, column)
                }
                None => {
                    table_row = 0;
                    (0, 0)
                }
            };
            let row = row(kind, &text);
            let quoted = row.quoted || in_quote;
            // Some tables stand in an item.
            let (item, table) = if row_number > 0 && depth == 3 { (1, 2) } else { (0, 0) };
            Paragraph {
                list_depth: depth,
                quoted,
                item,
                item_number,
                table,
                table_row: row_number,
                table_column: column,
                ..row
            }
        });
        all.filter(|row| !row.text.trim().is_empty()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_parser_gives_the_texts_back(rows in rows()) {
        check(&rows);
    }
}
