//! A flat list of paragraphs → nested sections, tables, lists and quotes.
//!
//! A row says which element its paragraph stood in, in which cell, and inside how many lists. Rows come in any order
//! and with gaps where paragraphs were dropped; the result nests nevertheless, and no table, row or list is empty.
//!
//! Rows have the number of the innermost item and table around them, in the order of the page: a table that began behind the
//! item around the paragraph stands in that item. A table is never inside another table here, what follows a nested table is
//! a table of its own, and a list in a cell hides those around the table. Rows of earlier versions have no such numbers;
//! there an item begins where a block is the item itself.

use crate::document::Paragraph;
use crate::page::blocks::BlockKind;

/// Something that holds paragraphs. From the outside in: sections, each inside one of a higher rank; then pairs of list and
/// item, and at most one table with its row and cell, before or behind all of them; then at most one quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParagraphContainer {
    /// A section that begins with a heading of this rank, 1 to 6.
    Section(u8),
    /// A table with its number on the page, 0 if that is not known.
    Table(u32),
    /// A row with its number, which rises inside a table.
    Row(u16),
    /// A cell with its number, which rises inside a row.
    Cell(u16),
    List,
    Item(Item),
    Quote,
}

/// An item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Item {
    /// Its number on the page; 0 if that is not known.
    own: u32,
    /// The number of the innermost item of the first paragraph in it.
    first: u32,
    /// Whether it is a term of a definition list: a list behind it stands in the definition.
    is_term: bool,
}

impl Item {
    /// Whether a paragraph that stands in `next` stands in this item, too.
    fn goes_on(self, next: Item) -> bool {
        match (self.own, next.own) {
            // An item begins before those inside it. What stands in a list and in none of its items is no part of one.
            (0, own) => own == 0 || own < self.first,
            (_, 0) => next.first > 0 && !self.is_term,
            (before, now) => before == now,
        }
    }
}

/// The role of a paragraph inside its innermost container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParagraphRole {
    /// The heading of a section, which begins with it.
    SectionHeading,
    /// The caption of a table, which begins with it.
    TableCaption,
    /// A heading inside a table, list or quote.
    InnerHeading,
    Paragraph,
    Preformatted,
}

/// Levels of nested lists; deeper ones are taken for this level.
const MAX_LIST_DEPTH: u16 = 10;

/// The containers that are open, outermost first.
#[derive(Debug, Default)]
pub struct ContainerStack {
    open: Vec<ParagraphContainer>,
}

/// What changes before a paragraph is written.
#[derive(Debug, PartialEq, Eq)]
pub struct ContainerChange<'a> {
    /// Number of containers that end, innermost first.
    pub ended: usize,
    /// Containers that begin, outermost first.
    pub begun: &'a [ParagraphContainer],
    /// The role of the paragraph.
    pub role: ParagraphRole,
}

impl ContainerStack {
    /// Opens and closes containers for a paragraph; `next` is the paragraph after it.
    pub fn advance(&mut self, row: &Paragraph, next: Option<&Paragraph>) -> ContainerChange<'_> {
        let role = role(row, next);
        let path = match next.filter(|_| role == ParagraphRole::TableCaption) {
            Some(cell) => path_of_table(cell),
            None => path(row, role),
        };
        let sections =
            self.open.iter().take_while(|container| matches!(container, ParagraphContainer::Section(_))).count();
        let kept = match path.first() {
            Some(ParagraphContainer::Section(rank)) => self
                .open
                .iter()
                .take_while(|container| matches!(container, ParagraphContainer::Section(r) if r < rank))
                .count(),
            _ => {
                let shared = shared(self.open.get(sections..).unwrap_or_default(), &path, begins_item(row));
                // A table begins with its caption, the innermost container of the path.
                sections + if role == ParagraphRole::TableCaption { shared.min(path.len() - 1) } else { shared }
            }
        };
        for (open, now) in self.open.iter_mut().skip(sections).take(kept.saturating_sub(sections)).zip(&path) {
            match (open, now) {
                (ParagraphContainer::Item(open), ParagraphContainer::Item(now)) => open.own = open.own.max(now.own),
                // A caption does not know its table.
                (ParagraphContainer::Table(open), ParagraphContainer::Table(now)) => *open = (*open).max(*now),
                _ => {}
            }
        }
        let ended = self.open.len() - kept;
        self.open.truncate(kept);
        self.open.extend(path.iter().skip(kept.saturating_sub(sections)));
        ContainerChange { ended, begun: self.open.get(kept..).unwrap_or_default(), role }
    }

    /// The containers around the last paragraph, outermost first.
    pub fn open(&self) -> &[ParagraphContainer] {
        &self.open
    }
}

/// Number of containers in `open` that stay open at `path`, the containers of the next paragraph without sections.
fn shared(open: &[ParagraphContainer], path: &[ParagraphContainer], new_item: bool) -> usize {
    let same = open.iter().zip(path).take_while(|(open, now)| goes_on(open, now)).count();
    let before_table = || table_in(path).unwrap_or(0);
    match (open.get(same), path.get(same)) {
        // Row and cell numbers rise inside a table, so a smaller one belongs to another table.
        (Some(ParagraphContainer::Row(before)), Some(ParagraphContainer::Row(now))) if now < before => before_table(),
        (Some(ParagraphContainer::Cell(before)), Some(ParagraphContainer::Cell(now))) if now < before => before_table(),
        _ if new_item => path
            .iter()
            .rposition(|container| matches!(container, ParagraphContainer::Item(_)))
            .map_or(same, |item| same.min(item)),
        _ => same,
    }
}

/// Whether a container that is open is that of the next paragraph.
fn goes_on(open: &ParagraphContainer, next: &ParagraphContainer) -> bool {
    match (open, next) {
        (ParagraphContainer::Item(open), ParagraphContainer::Item(next)) => open.goes_on(*next),
        (ParagraphContainer::Table(open), ParagraphContainer::Table(next)) => *open == 0 || *next == 0 || open == next,
        _ => open == next,
    }
}

fn role(row: &Paragraph, next: Option<&Paragraph>) -> ParagraphRole {
    match row.kind {
        BlockKind::Caption if next.is_some_and(|next| next.table_row > 0 && next.kind != BlockKind::Caption) => {
            ParagraphRole::TableCaption
        }
        BlockKind::Pre => ParagraphRole::Preformatted,
        kind if kind.is_heading() && row.table_row == 0 && row.list_depth == 0 && !row.quoted => {
            ParagraphRole::SectionHeading
        }
        _ if row.heading => ParagraphRole::InnerHeading,
        _ => ParagraphRole::Paragraph,
    }
}

/// The containers around a paragraph, outermost first: its own section if it begins one, else those inside a section.
fn path(row: &Paragraph, role: ParagraphRole) -> Vec<ParagraphContainer> {
    if let (ParagraphRole::SectionHeading, Some(rank)) = (role, row.kind.rank()) {
        return vec![ParagraphContainer::Section(rank)];
    }
    let mut path = Vec::new();
    let cell = [
        ParagraphContainer::Table(row.table),
        ParagraphContainer::Row(row.table_row),
        ParagraphContainer::Cell(row.table_column),
    ];
    let table_in_item = row.item > 0 && row.item < row.table;
    if row.table_row > 0 && !table_in_item {
        path.extend(cell);
    }
    // In tables of earlier versions `list_depth` does not count definition lists.
    let is_item = row.item > 0 || matches!(row.kind, BlockKind::Li | BlockKind::Dt | BlockKind::Dd);
    let lists = row.list_depth.max(u16::from(is_item)).min(MAX_LIST_DEPTH);
    for depth in 1..=lists {
        let is_own = depth == lists;
        let own = if is_own { row.item } else { 0 };
        let item = Item { own, first: row.item, is_term: is_own && row.kind == BlockKind::Dt };
        path.extend([ParagraphContainer::List, ParagraphContainer::Item(item)]);
    }
    if row.table_row > 0 && table_in_item {
        path.extend(cell);
    }
    // Tables of earlier versions have no column `quoted`.
    if row.quoted || row.kind == BlockKind::Blockquote {
        path.push(ParagraphContainer::Quote);
    }
    path
}

/// The containers around the table of a cell, and the table: those of its caption.
fn path_of_table(cell: &Paragraph) -> Vec<ParagraphContainer> {
    let mut path = path(cell, ParagraphRole::Paragraph);
    path.truncate(table_in(&path).map_or(0, |table| table + 1));
    path
}

/// The place of the table among containers.
pub fn table_in(containers: &[ParagraphContainer]) -> Option<usize> {
    containers.iter().position(|container| matches!(container, ParagraphContainer::Table(_)))
}

/// Whether a row without the number of its item begins one.
fn begins_item(row: &Paragraph) -> bool {
    row.item == 0 && matches!(row.kind, BlockKind::Li | BlockKind::Dt | BlockKind::Dd)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structure of rows given as `kind`, `kind@row,column` and `kind+lists`, with `>` before what is quoted, `#` before
    /// the number of the table of a cell, or else of the item, and `/` before the number of the item that the table is in.
    fn shape(rows: &str) -> String {
        let rows: Vec<Paragraph> = rows.split(' ').map(row).collect();
        let mut stack = ContainerStack::default();
        let mut out = String::new();
        for (n, row) in rows.iter().enumerate() {
            let change = stack.advance(row, rows.get(n + 1));
            (0..change.ended).for_each(|_| out.push(')'));
            let shown = |container: &ParagraphContainer| match container {
                ParagraphContainer::Item(_) => "Item".to_string(),
                ParagraphContainer::Table(_) => "Table".to_string(),
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
        assert_eq!(shape("td@1,1#1 td@1,1#2 td@1,2#2 td@2,1#1").matches("Table(").count(), 3);
        assert_eq!(shape("caption td@1,1#1 td@1,2#1 td@1,1#2").matches("Table(").count(), 2);
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
}
