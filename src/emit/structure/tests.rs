use super::*;
use crate::page::blocks::{Options, page};

/// The structure of markup in which every text is content.
fn shape_of(html: &str) -> String {
    let blocks = page(html, &Options::default()).blocks;
    let rows = blocks.into_iter().map(Paragraph::of_block);
    shape_of_rows(&rows.collect::<Vec<_>>())
}

/// The structure of rows given as `kind`, `kind@row,column` and `kind+lists`, with `>` before what is quoted, `#` before
/// the number of the table of a cell, or else of the item, and `/` before the number of the item that the table is in.
fn shape(rows: &str) -> String {
    shape_of_rows(&rows.split(' ').map(row).collect::<Vec<_>>())
}

fn shape_of_rows(rows: &[Paragraph]) -> String {
    let mut stack = ContainerStack::with_nested_tables(rows);
    let mut out = String::new();
    for (n, row) in rows.iter().enumerate() {
        let change = stack.advance(row, rows.get(n + 1));
        (0..change.ended).for_each(|_| out.push(')'));
        let shown = |container: &ParagraphContainer| match container {
            ParagraphContainer::Item(_) => "Item".to_string(),
            ParagraphContainer::Table(_) => "Table".to_string(),
            ParagraphContainer::List(_) => "List".to_string(),
            ParagraphContainer::Quote(_) => "Quote".to_string(),
            other => format!("{other:?}"),
        };
        change.begun.iter().for_each(|container| out.push_str(&format!(" {}(", shown(container))));
        out.push_str(&format!(" {:?}", change.role));
    }
    (0..stack.open().len()).for_each(|_| out.push(')'));
    out.replace("( ", "(").trim().to_string()
}

fn row(text: &str) -> Paragraph {
    let (quoted, text) = text.strip_prefix('>').map_or((false, text), |text| (true, text));
    let (text, outer_item) = text.split_once('/').unwrap_or((text, "0"));
    let (text, number) = text.split_once('#').unwrap_or((text, "0"));
    let (text, cell) = text.split_once('@').unwrap_or((text, "0,0"));
    let number = number.parse().unwrap();
    let (kind, lists) = text.split_once('+').unwrap_or((text, "0"));
    let (table_row, table_column) = cell.split_once(',').unwrap();
    Paragraph {
        kind: BlockKind::by_name(kind).unwrap(),
        heading: kind.starts_with('h'),
        list_depth: lists.parse().unwrap(),
        quoted,
        item: if cell == "0,0" { number } else { outer_item.parse().unwrap() },
        table: if cell == "0,0" { 0 } else { number },
        table_row: table_row.parse().unwrap(),
        table_column: table_column.parse().unwrap(),
        ..Paragraph::default()
    }
}

#[test]
fn sections_nest_by_rank() {
    assert_eq!(
        shape("p h2 p h3 h1"),
        "Paragraph Section(2)(SectionHeading Paragraph Section(3)(SectionHeading)) Section(1)(SectionHeading)"
    );
    assert_eq!(shape("h2 h2"), "Section(2)(SectionHeading) Section(2)(SectionHeading)");
}

#[test]
fn lists_nest_by_depth() {
    assert_eq!(
        shape("li+1 p+1 li+2 li+1 p li"),
        "List(Item(Paragraph Paragraph List(Item(Paragraph))) Item(Paragraph)) Paragraph List(Item(Paragraph))"
    );
    assert_eq!(shape("li+2 h2+1"), "List(Item(List(Item(Paragraph)) InnerHeading))");
    assert_eq!(shape("dt dd"), "List(Item(Paragraph) Item(Paragraph))");
}

#[test]
fn items_are_told_apart_by_their_numbers() {
    assert_eq!(shape("p+1#1 p+1#2 p+1#2"), "List(Item(Paragraph) Item(Paragraph Paragraph))");
    // Behind a nested list the outer item goes on, or the next one begins.
    assert_eq!(
        shape("li+1#1 li+2#2 li+1#1 li+1#3"),
        "List(Item(Paragraph List(Item(Paragraph)) Paragraph) Item(Paragraph))"
    );
    assert_eq!(
        shape("li+2#2 li+2#3 li+1#1 li+1#4"),
        "List(Item(List(Item(Paragraph) Item(Paragraph)) Paragraph) Item(Paragraph))"
    );
    assert_eq!(shape("li+2#2 li+1#3"), "List(Item(List(Item(Paragraph))) Item(Paragraph))");
    // A heading and a paragraph that stand in the list itself.
    assert_eq!(
        shape("h3+1 li+1#1 p+1 li+1#2"),
        "List(Item(InnerHeading) Item(Paragraph) Item(Paragraph) Item(Paragraph))"
    );
    // In tables of earlier versions definition lists have no depth.
    assert_eq!(shape("p#1 p#2 dd#3"), "List(Item(Paragraph) Item(Paragraph) Item(Paragraph))");
}

#[test]
fn lists_stand_in_definitions() {
    assert_eq!(
        shape("dt+1#1 dd+1#2 dt+2#3 dd+2#4 dt+1#5"),
        "List(Item(Paragraph) Item(Paragraph List(Item(Paragraph) Item(Paragraph))) Item(Paragraph))"
    );
    // A definition that begins with a list is not part of its term.
    assert_eq!(
        shape("dt+1#1 li+2#3 li+2#4 p+1#2"),
        "List(Item(Paragraph) Item(List(Item(Paragraph) Item(Paragraph)) Paragraph))"
    );
}

#[test]
fn tables_are_told_apart_by_their_numbers() {
    assert_eq!(shape("td@1,1#1 td@1,2#1 td@1,1#2").matches("Table(").count(), 2);
    assert_eq!(shape("caption td@1,1#1 td@1,2#1 td@1,1#2").matches("Table(").count(), 2);
}

#[test]
fn tables_stand_in_cells() {
    assert_eq!(
        shape("td@1,1#1 td@1,1#2 td@1,2#2 td@1,1#1 td@2,1#1"),
        "Table(Row(1)(Cell(1)(Paragraph Table(Row(1)(Cell(1)(Paragraph) Cell(2)(Paragraph))) Paragraph)) \
        Row(2)(Cell(1)(Paragraph)))"
    );
    // With a caption, and around a third one that begins in the same cell.
    assert_eq!(
        shape("td@1,1#1 caption td@1,1#2 td@1,1#3 td@2,1#2 td@1,2#1"),
        "Table(Row(1)(Cell(1)(Paragraph Table(TableCaption Row(1)(Cell(1)(Paragraph Table(Row(1)(Cell(1)(Paragraph))))) \
        Row(2)(Cell(1)(Paragraph)))) Cell(2)(Paragraph)))"
    );
    // In an item, and with a list of its own.
    assert_eq!(
        shape("td+1@1,1#2/1 td+1@1,1#3/1 li+2@1,2#3/4 td+1@1,2#2/1"),
        "List(Item(Table(Row(1)(Cell(1)(Paragraph Table(Row(1)(Cell(1)(Paragraph) \
        Cell(2)(List(Item(List(Item(Paragraph)))))))) Cell(2)(Paragraph)))))"
    );
}

#[test]
fn tables_are_no_deeper_than_the_limit() {
    let inwards = (1..50).map(|table| Paragraph { table, table_row: 1, table_column: 1, ..row("td") });
    let outwards = (1..50).rev().map(|table| Paragraph { table, table_row: 2, table_column: 1, ..row("td") });
    let rows: Vec<Paragraph> = inwards.chain(outwards).collect();
    let mut stack = ContainerStack::with_nested_tables(&rows);
    let depths = rows.iter().map(|row| {
        stack.advance(row, None);
        stack.open().len() / CELL_DEPTH
    });
    assert_eq!(depths.max(), Some(MAX_TABLE_DEPTH));
}

#[test]
fn lists_are_no_deeper_than_the_limit() {
    assert_eq!(shape("li+65535").matches("List").count(), usize::from(MAX_LIST_DEPTH));
}

#[test]
fn cells_make_rows_and_tables() {
    assert_eq!(
        shape("td@1,1 p@1,1 td@1,3 td@2,1"),
        "Table(Row(1)(Cell(1)(Paragraph Paragraph) Cell(3)(Paragraph)) Row(2)(Cell(1)(Paragraph)))"
    );
    // What does not rise is another table.
    assert_eq!(shape("td@2,1 td@1,2").matches("Table").count(), 2);
    assert_eq!(shape("td@1,2 td@1,1").matches("Table").count(), 2);
    assert_eq!(shape("li+1@1,1 li+1@1,1 li+1@1,2").matches("List").count(), 2);
}

#[test]
fn tables_stand_in_items() {
    assert_eq!(
        shape("li+1#1 td+1@1,1#2/1 td+1@2,1#2/1 p+1#1 li+1#3"),
        "List(Item(Paragraph Table(Row(1)(Cell(1)(Paragraph)) Row(2)(Cell(1)(Paragraph))) Paragraph) Item(Paragraph))"
    );
    // A list in a cell, a second table in the same item, and a caption.
    assert_eq!(
        shape("p+1@1,1#1/2 p+1@1,2#1/3"),
        "Table(Row(1)(Cell(1)(List(Item(Paragraph))) Cell(2)(List(Item(Paragraph)))))"
    );
    assert_eq!(
        shape("td+1@1,1#2/1 td+1@1,1#3/1"),
        "List(Item(Table(Row(1)(Cell(1)(Paragraph))) Table(Row(1)(Cell(1)(Paragraph)))))"
    );
    assert_eq!(
        shape("caption+1#1 td+1@1,1#2/1 caption+1#1 td+1@1,1#3/1"),
        "List(Item(Table(TableCaption Row(1)(Cell(1)(Paragraph))) Table(TableCaption Row(1)(Cell(1)(Paragraph)))))"
    );
    // A caption stands where the cell behind it does, whatever it says itself.
    assert_eq!(shape("caption+2#1 td@1,1#3"), "Table(TableCaption Row(1)(Cell(1)(Paragraph)))");
}

#[test]
fn captions_need_a_table() {
    assert_eq!(shape("caption td@1,1"), "Table(TableCaption Row(1)(Cell(1)(Paragraph)))");
    assert_eq!(shape("td@1,1 caption td@2,1").matches("Table(").count(), 2);
    assert_eq!(shape("caption caption p@1,1"), "Paragraph Table(TableCaption Row(1)(Cell(1)(Paragraph)))");
    assert_eq!(shape("caption p caption"), "Paragraph Paragraph Paragraph");
}

#[test]
fn quotes_are_innermost() {
    assert_eq!(shape("blockquote >p p"), "Quote(Paragraph Paragraph) Paragraph");
    assert_eq!(shape("h2 >h3 >pre p"), "Section(2)(SectionHeading Quote(InnerHeading Preformatted) Paragraph)");
    assert_eq!(shape(">p+1@1,1"), "Table(Row(1)(Cell(1)(List(Item(Quote(Paragraph))))))");
}

#[test]
fn lists_and_quotations_of_their_own_are_not_joined() {
    for (html, want) in [
        ("<ul><li>a<li>b</ul><ul><li>c</ul>", "List(Item(Paragraph) Item(Paragraph)) List(Item(Paragraph))"),
        (
            "<ul><li>a<ul><li>b</ul><ul><li>c</ul><li>d</ul>",
            "List(Item(Paragraph List(Item(Paragraph)) List(Item(Paragraph))) Item(Paragraph))",
        ),
        ("<blockquote>a</blockquote><blockquote><p>b<p>c</blockquote>", "Quote(Paragraph) Quote(Paragraph Paragraph)"),
        (
            "<blockquote><p>a<ul><li>b<li>c</ul><p>d</blockquote>",
            "Quote(Paragraph List(Item(Paragraph) Item(Paragraph)) Paragraph)",
        ),
        ("<ul><li>a<blockquote>b</blockquote>c</ul>", "List(Item(Paragraph Quote(Paragraph) Paragraph))"),
        (
            "<ul><li>a<blockquote>b<ul><li>c<li>d</ul></blockquote><li>e</ul>",
            "List(Item(Paragraph Quote(Paragraph List(Item(Paragraph) Item(Paragraph)))) Item(Paragraph))",
        ),
        (
            "<blockquote><ul><li>a<ul><li>b</ul></ul></blockquote><ul><li>c</ul>",
            "Quote(List(Item(Paragraph List(Item(Paragraph))))) List(Item(Paragraph))",
        ),
        ("<blockquote><li>a<li>b</blockquote>", "Quote(List(Item(Paragraph) Item(Paragraph)))"),
        (
            "<blockquote><ul><li>a<blockquote>b</blockquote>c</ul></blockquote>",
            "Quote(List(Item(Paragraph Quote(Paragraph) Paragraph)))",
        ),
        (
            "<blockquote><table><tr><td>a<td><blockquote>b</blockquote><td>c</table></blockquote>",
            "Quote(Table(Row(1)(Cell(1)(Paragraph) Cell(2)(Quote(Paragraph)) Cell(3)(Paragraph))))",
        ),
        (
            "<blockquote><table><tr><th>a<th>b<tr><td>c<td>d</table></blockquote>",
            "Quote(Table(Row(1)(Cell(1)(Paragraph) Cell(2)(Paragraph)) Row(2)(Cell(1)(Paragraph) Cell(2)(Paragraph))))",
        ),
        (
            "<table><tr><td><blockquote>a</blockquote>b<td>c<tr><td>d<td>e</table>",
            "Table(Row(1)(Cell(1)(Quote(Paragraph) Paragraph) Cell(2)(Paragraph)) Row(2)(Cell(1)(Paragraph) Cell(2)(Paragraph)))",
        ),
    ] {
        assert_eq!(shape_of(html), want, "{html}");
    }
}
