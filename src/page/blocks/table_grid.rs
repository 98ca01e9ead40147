//! The row and column of the open cell of a table, by the table model of HTML: a cell takes as many columns and rows as it
//! says, and those of other rows stand beside it.

use super::tokenizer::StartTag;

/// HTML's most columns of a cell.
const MOST_COLUMNS: u16 = 1_000;
/// Cells that reach into further rows: of a row at most so many are followed. Others count as cells of one row.
const MOST_TALL: usize = 64;

/// The place that a table has reached. Rows and columns are counted from 1.
#[derive(Debug, Default)]
pub struct TableGrid {
    row: u16,
    /// First column of the open cell; 0 before the first cell of a row.
    column: u16,
    /// Columns that it takes.
    width: u16,
    /// The cells that reach into further rows, by their columns.
    tall: Vec<TallCell>,
}

#[derive(Debug, Clone, Copy)]
struct TallCell {
    column: u16,
    width: u16,
    /// Its last row.
    last_row: u16,
}

impl TableGrid {
    /// Row and first column of the open cell; zeros before the first one.
    pub fn place(&self) -> (u16, u16) {
        (self.row, self.column)
    }

    /// A row begins.
    pub fn begin_row(&mut self) {
        self.row = self.row.saturating_add(1);
        (self.column, self.width) = (0, 0);
        self.tall.retain(|cell| cell.last_row >= self.row);
    }

    /// A group of rows begins or ends (`thead`, `tbody`, `tfoot`): no cell reaches beyond its group.
    pub fn end_spans(&mut self) {
        self.tall.clear();
    }

    /// A cell begins. A table may begin with one.
    pub fn begin_cell(&mut self, tag: &StartTag<'_>) {
        self.row = self.row.max(1);
        let mut column = if self.column == 0 { 1 } else { self.column.saturating_add(self.width) };
        for cell in &self.tall {
            if column >= cell.column && column < cell.column.saturating_add(cell.width) {
                column = cell.column.saturating_add(cell.width);
            }
        }
        let (width, height) = spans(tag);
        (self.column, self.width) = (column, width);
        if height > 1 && self.tall.len() < MOST_TALL {
            let at = self.tall.partition_point(|cell| cell.column <= column);
            let last_row = self.row.saturating_add(height - 1);
            self.tall.insert(at, TallCell { column, width, last_row });
        }
    }
}

/// Numbers of columns and rows that a cell takes.
fn spans(tag: &StartTag<'_>) -> (u16, u16) {
    // `colspan` and `rowspan` in any case: most cells have neither.
    if !tag.source.as_bytes().windows(4).any(|end| end.eq_ignore_ascii_case(b"span")) {
        return (1, 1);
    }
    let number = |name: &str| {
        let value = tag.attribute(name)?.trim_start();
        let digits = value.bytes().take_while(u8::is_ascii_digit).count();
        value.get(..digits).filter(|digits| !digits.is_empty()).map(|digits| digits.parse().unwrap_or(u16::MAX))
    };
    let width = number("colspan").filter(|width| *width > 0).map_or(1, |width| width.min(MOST_COLUMNS));
    // 0: to the end of its group of rows.
    let height = number("rowspan").map_or(1, |height| if height == 0 { u16::MAX } else { height });
    (width, height)
}

#[cfg(test)]
mod tests {
    use crate::page::blocks::{Options, page};

    /// `row,column text` for each cell.
    fn cells(rows: &str) -> String {
        let html = format!("<table>{rows}</table>");
        let page = page(&html, &Options::default());
        let cell = |block: &crate::page::blocks::Block| format!("{},{} {}", block.cell.0, block.cell.1, block.text);
        page.blocks.iter().map(cell).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn cells_take_the_columns_and_rows_that_they_span() {
        for (rows, want) in [
            ("<tr><td>a<td>b<tr><td>c<td>d", "1,1 a | 1,2 b | 2,1 c | 2,2 d"),
            ("<tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e", "1,1 a | 1,3 b | 2,1 c | 2,2 d | 2,3 e"),
            ("<tr><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e", "1,1 a | 1,2 b | 2,2 c | 3,1 d | 3,2 e"),
            ("<tr><td>a<td rowSpan='2' COLsPan='2'>b<td>c<tr><td>d<td>e", "1,1 a | 1,2 b | 1,4 c | 2,1 d | 2,4 e"),
            ("<tr><td rowspan=2>a<td rowspan=3>b<tr><td>c<tr><td>d", "1,1 a | 1,2 b | 2,3 c | 3,1 d"),
            ("<tbody><tr><td rowspan=0>a<tr><td>b<tbody><tr><td>c", "1,1 a | 2,2 b | 3,1 c"),
            ("<thead><tr><th rowspan=2>a<th>b</tr></thead><tr><td>c<td>d", "1,1 a | 1,2 b | 2,1 c | 2,2 d"),
            ("<td>a<td>b", "1,1 a | 1,2 b"),
            ("<tr><td colspan=0>a<td rowspan=x>b<td colspan=99999>c<td>d", "1,1 a | 1,2 b | 1,3 c | 1,1003 d"),
            ("<tr><td class=span>a<td>b", "1,1 a | 1,2 b"),
        ] {
            assert_eq!(cells(rows), want, "{rows}");
        }
    }

    #[test]
    fn places_have_an_end() {
        let wide = "<td colspan=1000 rowspan=65535>x".repeat(100);
        let places = cells(&format!("<tr>{wide}<tr><td>y"));
        assert!(places.starts_with("1,1 x | 1,1001 x | 1,2001 x"));
        assert!(places.ends_with("1,65535 x | 2,64001 y"), "{places}");
    }
}
