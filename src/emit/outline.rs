//! A flat list of paragraphs → the sections, tables, lists and quotes they stood in. The rows tell the element a
//! paragraph stood in, its cell and the number of lists around it, in any order and with gaps where paragraphs were
//! dropped; whatever they say, the result nests, and no table, row or list is empty.
//!
//! Rows do not tell how tables and lists nest: here a table is never inside a list, and tables are never inside tables.

use crate::document::Paragraph as Row;

/// Something that holds paragraphs. Around them all: sections, each in one of a higher rank; then at most one table with
/// its row and cell; then pairs of list and item; then at most one quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// Begins with a heading of this rank, from 1.
    Section(u8),
    Table,
    /// Its number, rising in a table.
    Row(u16),
    /// Its number, rising in a row.
    Cell(u16),
    List,
    Item,
    Quote,
}

/// What a paragraph is in its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The heading of the section that begins with it.
    Head,
    /// The caption of the table that begins with it.
    TableHead,
    /// A heading inside a table, list or quote.
    Header,
    Paragraph,
    Preformatted,
}

/// Lists in lists; more are taken for as many.
const MOST_LISTS: u16 = 10;

/// The frames that are open.
#[derive(Debug, Default)]
pub struct Outline {
    open: Vec<Frame>,
}

/// What happens before a paragraph is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// Number of frames that end, innermost first.
    pub ended: usize,
    /// Frames that begin, outermost first.
    pub begun: &'a [Frame],
    pub part: Part,
}

impl Outline {
    /// Moves to a paragraph; `next` is the one after it.
    pub fn step(&mut self, row: &Row, next: Option<&Row>) -> Step<'_> {
        let part = part(row, next);
        let path = path(row, part);
        let sections = self.open.iter().take_while(|frame| matches!(frame, Frame::Section(_))).count();
        let kept = match path.first() {
            Some(Frame::Section(rank)) => {
                self.open.iter().take_while(|frame| matches!(frame, Frame::Section(r) if r < rank)).count()
            }
            _ if part == Part::TableHead => sections,
            _ => sections + shared(self.open.get(sections..).unwrap_or_default(), &path, begins_item(row)),
        };
        let ended = self.open.len() - kept;
        self.open.truncate(kept);
        self.open.extend(path.iter().skip(kept.saturating_sub(sections)));
        Step { ended, begun: self.open.get(kept..).unwrap_or_default(), part }
    }

    /// Number of frames that are open after the last paragraph.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

/// Number of open frames that go on at `path`.
fn shared(open: &[Frame], path: &[Frame], new_item: bool) -> usize {
    let same = open.iter().zip(path).take_while(|(a, b)| a == b).count();
    match (open.get(same), path.get(same)) {
        // Rows and cells that do not rise are those of another table.
        (Some(Frame::Row(before)), Some(Frame::Row(now))) if now < before => 0,
        (Some(Frame::Cell(before)), Some(Frame::Cell(now))) if now < before => 0,
        _ if new_item => path.iter().rposition(|frame| *frame == Frame::Item).map_or(same, |item| same.min(item)),
        _ => same,
    }
}

fn part(row: &Row, next: Option<&Row>) -> Part {
    match row.kind.as_str() {
        "caption" if next.is_some_and(|next| next.table_row > 0 && next.kind != "caption") => Part::TableHead,
        "pre" => Part::Preformatted,
        kind if rank(kind).is_some() && row.table_row == 0 && row.list_depth == 0 => Part::Head,
        _ if row.heading => Part::Header,
        _ => Part::Paragraph,
    }
}

fn path(row: &Row, part: Part) -> Vec<Frame> {
    match (part, rank(&row.kind)) {
        (Part::Head, Some(rank)) => return vec![Frame::Section(rank)],
        (Part::TableHead, _) => return vec![Frame::Table],
        _ => {}
    }
    let mut path = Vec::new();
    if row.table_row > 0 {
        path.extend([Frame::Table, Frame::Row(row.table_row), Frame::Cell(row.table_column)]);
    }
    // Terms and their definitions stand in a list that is not counted.
    let lists = match row.kind.as_str() {
        "dt" | "dd" => row.list_depth.saturating_add(1),
        "li" => row.list_depth.max(1),
        _ => row.list_depth,
    };
    (0..lists.min(MOST_LISTS)).for_each(|_| path.extend([Frame::List, Frame::Item]));
    if row.kind == "blockquote" {
        path.push(Frame::Quote);
    }
    path
}

fn begins_item(row: &Row) -> bool {
    matches!(row.kind.as_str(), "li" | "dt" | "dd")
}

/// Rank of a heading element.
fn rank(kind: &str) -> Option<u8> {
    let rank = kind.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&rank).then_some(rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The structure of rows given as `kind`, `kind@row,column` and `kind+lists`.
    fn shape(rows: &str) -> String {
        let rows: Vec<Row> = rows.split(' ').map(row).collect();
        let mut outline = Outline::default();
        let mut out = String::new();
        for (n, row) in rows.iter().enumerate() {
            let step = outline.step(row, rows.get(n + 1));
            (0..step.ended).for_each(|_| out.push(')'));
            step.begun.iter().for_each(|frame| out.push_str(&format!(" {frame:?}(")));
            out.push_str(&format!(" {:?}", step.part));
        }
        (0..outline.depth()).for_each(|_| out.push(')'));
        out.replace("( ", "(").trim().to_string()
    }

    fn row(text: &str) -> Row {
        let (text, cell) = text.split_once('@').unwrap_or((text, "0,0"));
        let (kind, lists) = text.split_once('+').unwrap_or((text, "0"));
        let (table_row, table_column) = cell.split_once(',').unwrap();
        Row {
            kind: kind.into(),
            heading: kind.starts_with('h'),
            list_depth: lists.parse().unwrap(),
            table_row: table_row.parse().unwrap(),
            table_column: table_column.parse().unwrap(),
            ..Row::default()
        }
    }

    #[test]
    fn sections_nest_by_rank() {
        assert_eq!(shape("p h2 p h3 h1"), "Paragraph Section(2)(Head Paragraph Section(3)(Head)) Section(1)(Head)");
        assert_eq!(shape("h2 h2"), "Section(2)(Head) Section(2)(Head)");
    }

    #[test]
    fn lists_nest_by_depth() {
        assert_eq!(
            shape("li+1 p+1 li+2 li+1 p li"),
            "List(Item(Paragraph Paragraph List(Item(Paragraph))) Item(Paragraph)) Paragraph List(Item(Paragraph))"
        );
        assert_eq!(shape("li+2 h2+1"), "List(Item(List(Item(Paragraph)) Header))");
        assert_eq!(shape("dt dd"), "List(Item(Paragraph) Item(Paragraph))");
    }

    #[test]
    fn lists_are_no_deeper_than_the_limit() {
        assert_eq!(shape("li+65535").matches("List").count(), usize::from(MOST_LISTS));
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
    fn captions_need_a_table() {
        assert_eq!(shape("caption td@1,1"), "Table(TableHead Row(1)(Cell(1)(Paragraph)))");
        assert_eq!(shape("td@1,1 caption td@2,1").matches("Table(").count(), 2);
        assert_eq!(shape("caption caption p@1,1"), "Paragraph Table(TableHead Row(1)(Cell(1)(Paragraph)))");
        assert_eq!(shape("caption p caption"), "Paragraph Paragraph Paragraph");
    }

    #[test]
    fn quotes_are_innermost() {
        assert_eq!(shape("blockquote blockquote p"), "Quote(Paragraph Paragraph) Paragraph");
        assert_eq!(shape("blockquote+1@1,1"), "Table(Row(1)(Cell(1)(List(Item(Quote(Paragraph))))))");
    }
}
