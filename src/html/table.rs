//! Tables with captions. A reader can sort them by a column.

use maud::{Markup, html};

use super::{number, quoted};

/// A value in a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A word of the program.
    Name(String),
    /// A text of strangers.
    Text(String),
    Count(u64),
    /// A share, 0 to 1.
    Share(f64),
    /// A number with this many decimals.
    Decimal(f64, usize),
}

/// A table: a caption, the heads of the columns, and the rows.
#[derive(Debug)]
pub struct Table<'a> {
    pub caption: &'a str,
    pub heads: Vec<&'a str>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table<'_> {
    /// The table, in a frame that scrolls where the page is narrow.
    pub fn markup(&self) -> Markup {
        html! {
            div.scroll tabindex="0" role="region" aria-label=(self.caption) {
                table {
                    caption { (self.caption) }
                    thead {
                        tr { @for head in &self.heads { th scope="col" { button type="button" { (head) } } } }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (place, cell) in row.iter().enumerate() { (cell.markup(place == 0)) } }
                        }
                    }
                }
            }
        }
    }
}

impl Cell {
    fn markup(&self, is_head: bool) -> Markup {
        let (shown, value) = match self {
            Cell::Name(name) => (html! { (name) }, None),
            Cell::Text(text) => (quoted(text), None),
            Cell::Count(n) => (html! { (number(*n)) }, Some(n.to_string())),
            Cell::Decimal(n, digits) => (html! { (format!("{n:.digits$}")) }, Some(format!("{n:.6}"))),
            Cell::Share(share) => (html! { (format!("{:.1} %", share * 100.0)) }, Some(format!("{share:.6}"))),
        };
        match value {
            Some(value) => html! { td.n data-value=(value) { (shown) } },
            None if is_head => html! { th scope="row" { (shown) } },
            None => html! { td { (shown) } },
        }
    }
}
