//! A flat list of paragraphs → nested sections, tables, lists and quotes.
//!
//! A row says which element its paragraph stood in, in which cell, and inside how many lists. Rows come in any order
//! and with gaps where paragraphs were dropped; the result nests nevertheless, and no table, row or list is empty.
//!
//! Rows have the numbers of the innermost list, item, table and quotation around them, in the order in which these begin on the
//! page: a table that began behind the item around the paragraph stands in that item, a quotation that began before the list
//! around it holds the list, and a table that begins before another one ends stands in the cell before it. A list in a cell
//! hides those around the table. Rows of earlier versions have no such numbers; there an item begins where a block is the item
//! itself, and quotations are innermost.

use fxhash::FxHashMap;

use crate::document::Paragraph;
use crate::page::blocks::BlockKind;

/// Something that holds paragraphs. From the outside in: sections, each inside one of a higher rank; then pairs of list and
/// item, and at most one table with its row and cell, before or behind all of them; and at most one quote, before or behind any
/// of these. In a cell, all but sections may follow again.
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
    /// A list with its number on the page, 0 if that is not known.
    List(u32),
    Item(Item),
    /// A quotation with its number on the page, 0 if that is not known.
    Quote(u32),
}

/// An item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Item {
    /// Its number on the page; 0 if that is not known.
    own: u32,
    /// Its number in an ordered list; 0 if it has none, or that is not known.
    pub number: u32,
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
/// Levels of nested tables; what is deeper ends the table of this level.
const MAX_TABLE_DEPTH: usize = 4;

/// A table, its row and its cell.
const CELL_DEPTH: usize = 3;

/// The containers that are open, outermost first.
#[derive(Debug, Default)]
pub struct ContainerStack {
    open: Vec<ParagraphContainer>,
    /// Number of paragraphs before the next one.
    passed: usize,
    /// The place of the last paragraph of each table, by its number. Without it, no table stands in another.
    table_ends: FxHashMap<u32, usize>,
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
    /// The stack of a document with these paragraphs, where tables stand in the cells of others.
    pub fn with_nested_tables<'p>(rows: impl IntoIterator<Item = &'p Paragraph>) -> ContainerStack {
        let numbers = rows.into_iter().enumerate().map(|(place, row)| (row.table, place));
        ContainerStack { table_ends: numbers.filter(|(table, _)| *table > 0).collect(), ..ContainerStack::default() }
    }

    /// Opens and closes containers for a paragraph; `next` is the paragraph after it.
    pub fn advance(&mut self, row: &Paragraph, next: Option<&Paragraph>) -> ContainerChange<'_> {
        let role = role(row, next);
        let caption_of = next.filter(|_| role == ParagraphRole::TableCaption);
        let (outer, outer_table) = self.outer_cell(caption_of.unwrap_or(row));
        let sections =
            self.open.iter().take_while(|container| matches!(container, ParagraphContainer::Section(_))).count();
        let base = sections.max(outer);
        let open = self.open.get(base..).unwrap_or_default();
        let path = match caption_of {
            Some(cell) => path_of_table(cell, outer_table, open),
            None => path(row, role, outer_table, open),
        };
        let kept = match path.first() {
            Some(ParagraphContainer::Section(rank)) => self
                .open
                .iter()
                .take_while(|container| matches!(container, ParagraphContainer::Section(r) if r < rank))
                .count(),
            _ => {
                let shared = shared(self.open.get(base..).unwrap_or_default(), &path, begins_item(row));
                // A table begins with its caption, the innermost container of the path.
                base + if role == ParagraphRole::TableCaption { shared.min(path.len() - 1) } else { shared }
            }
        };
        for (open, now) in self.open.iter_mut().skip(base).take(kept.saturating_sub(base)).zip(&path) {
            match (open, now) {
                (ParagraphContainer::Item(open), ParagraphContainer::Item(now)) => open.own = open.own.max(now.own),
                // A caption does not know its table, nor a paragraph the lists around its own.
                (ParagraphContainer::Table(open), ParagraphContainer::Table(now))
                | (ParagraphContainer::List(open), ParagraphContainer::List(now)) => *open = (*open).max(*now),
                _ => {}
            }
        }
        let ended = self.open.len() - kept;
        self.open.truncate(kept);
        self.open.extend(path.iter().skip(kept.saturating_sub(base)));
        self.passed += 1;
        ContainerChange { ended, begun: self.open.get(kept..).unwrap_or_default(), role }
    }

    /// The end of the innermost open cell in which a row stands that is in another table, and the number of the cell's table:
    /// it began before and goes on behind.
    fn outer_cell(&self, row: &Paragraph) -> (usize, u32) {
        let tables = self.open.iter().enumerate().filter_map(|(place, container)| match container {
            ParagraphContainer::Table(number) => Some((place, *number)),
            _ => None,
        });
        let is_around = |(_, number): &(usize, u32)| {
            *number < row.table && self.table_ends.get(number).is_some_and(|end| *end > self.passed)
        };
        let outer = tables.take(MAX_TABLE_DEPTH - 1).filter(is_around).last();
        outer.map_or((0, 0), |(place, number)| ((place + CELL_DEPTH).min(self.open.len()), number))
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
        (ParagraphContainer::Table(open), ParagraphContainer::Table(next))
        | (ParagraphContainer::List(open), ParagraphContainer::List(next))
        | (ParagraphContainer::Quote(open), ParagraphContainer::Quote(next)) => {
            *open == 0 || *next == 0 || open == next
        }
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

/// The containers around a paragraph, outermost first: its own section if it begins one, else those inside a section, or
/// inside the cell of the outer table, 0 if there is none. `open`: those that are open there.
fn path(
    row: &Paragraph,
    role: ParagraphRole,
    outer_table: u32,
    open: &[ParagraphContainer],
) -> Vec<ParagraphContainer> {
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
    // Items that began before the outer table are around it.
    let lists = if row.item < outer_table { 0 } else { lists };
    for depth in 1..=lists {
        let is_own = depth == lists;
        let own = if is_own { row.item } else { 0 };
        let number = if is_own { row.item_number } else { 0 };
        let item = Item { own, number, first: row.item, is_term: is_own && row.kind == BlockKind::Dt };
        path.extend([ParagraphContainer::List(if is_own { row.list } else { 0 }), ParagraphContainer::Item(item)]);
    }
    if row.table_row > 0 && table_in_item {
        path.extend(cell);
    }
    // Tables of earlier versions have no column `quoted`. A quotation that began before the outer table is around it.
    if (row.quoted || row.kind == BlockKind::Blockquote) && (row.quote == 0 || row.quote > outer_table) {
        if let Some((place, outer)) = quote_around(row, open).filter(|(place, _)| *place <= path.len()) {
            path.insert(place, outer);
        }
        path.insert(place_of_quote(&path, row, open), ParagraphContainer::Quote(row.quote));
    }
    path
}

/// The open quotation around the table or list in which the quotation of a paragraph stands, and its place.
fn quote_around(row: &Paragraph, open: &[ParagraphContainer]) -> Option<(usize, ParagraphContainer)> {
    let is_own = |container: &ParagraphContainer| match container {
        ParagraphContainer::Table(table @ 1..) => *table == row.table,
        ParagraphContainer::List(list @ 1..) => *list == row.list,
        _ => false,
    };
    let is_outer = |container: &ParagraphContainer| matches!(container, ParagraphContainer::Quote(quote @ 1..) if *quote < row.quote);
    let place = open.iter().position(is_outer)?;
    open.get(place + 1..)?.iter().any(is_own).then_some((place, *open.get(place)?))
}

/// The place of the quotation of a paragraph among its other containers: before the first one that began behind it. Of the lists
/// around the innermost one the numbers are not known: those that are open and began before the quotation are around it.
fn place_of_quote(path: &[ParagraphContainer], row: &Paragraph, open: &[ParagraphContainer]) -> usize {
    let is_around = |at: usize, container: &ParagraphContainer| match (container, open.get(at)) {
        (ParagraphContainer::Table(table), _) => *table < row.quote,
        (ParagraphContainer::List(list @ 1..), _) => *list < row.quote,
        (ParagraphContainer::List(_), Some(ParagraphContainer::List(list @ 1..))) => *list < row.quote,
        // Items may stand in no list.
        (ParagraphContainer::List(_), _) => (if row.list > 0 { row.list } else { row.item }) < row.quote,
        _ => true,
    };
    // Without a number it is the innermost one.
    let place = path.iter().enumerate().position(|(at, container)| row.quote > 0 && !is_around(at, container));
    place.unwrap_or(path.len())
}

/// The containers around the table of a cell, and the table: those of its caption.
fn path_of_table(cell: &Paragraph, outer_table: u32, open: &[ParagraphContainer]) -> Vec<ParagraphContainer> {
    let mut path = path(cell, ParagraphRole::Paragraph, outer_table, open);
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
mod tests;
