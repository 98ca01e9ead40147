//! Bar charts as inline SVG, each with its table.

use maud::{Markup, html};

use super::table::{Cell, Table};
use super::{length, number, short_number};
use crate::text::{printable, shortened};

/// Width of all pictures in their own units. They are scaled to the column that they stand in.
pub(super) const WIDTH: f64 = 380.0;
/// Number of colours in the style sheet.
const COLOURS: usize = 8;
/// Height of a horizontal bar with the space below it.
const BAR: f64 = 18.0;
/// Where horizontal bars begin and end.
const BAR_LEFT: f64 = 124.0;
const BAR_RIGHT: f64 = 320.0;
/// Most characters of the label of a horizontal bar. A longer label is cut at its end: the beginnings of names tell the hosts
/// of a domain apart.
const LABEL: usize = 18;
/// The frame of vertical bars and of curves.
pub(super) const LEFT: f64 = 44.0;
pub(super) const TOP: f64 = 10.0;
pub(super) const BOTTOM: f64 = 160.0;
/// Most labels below vertical bars.
const TICKS: usize = 7;

/// Counts in rows (bins, names) and series.
#[derive(Debug)]
pub struct Chart<'a> {
    pub title: &'a str,
    /// What is counted, in a sentence.
    pub note: &'a str,
    /// What the rows are.
    pub rows_are: &'a str,
    pub series: Vec<String>,
    pub rows: Vec<Row>,
    /// Whether values are shares, 0 to 1, and not counts.
    pub shares: bool,
}

/// A bar: its label and the lengths of its parts, one for each series.
#[derive(Debug, Clone)]
pub struct Row {
    pub label: String,
    pub values: Vec<f64>,
}

impl Row {
    /// A row of counts.
    pub fn counts(label: impl Into<String>, values: impl IntoIterator<Item = u64>) -> Row {
        Row { label: label.into(), values: values.into_iter().map(|n| n as f64).collect() }
    }

    fn sum(&self) -> f64 {
        self.values.iter().sum()
    }
}

impl Chart<'_> {
    /// One horizontal bar for each row, for names.
    pub fn bars(&self) -> Markup {
        let most = self.greatest();
        let height = BAR * self.rows.len() as f64 + 4.0;
        let scale = |value: f64| (BAR_RIGHT - BAR_LEFT) * value / most;
        let picture = html! {
            @for (row, y) in self.rows.iter().zip((0..).map(|place| BAR * f64::from(place))) {
                text x="0" y=(length(y + 13.0)) { (shortened(&row.label, LABEL)) title { (printable(&row.label)) } }
                @for (class, from, value) in parts(&row.values) {
                    rect class=(class) x=(length(BAR_LEFT + scale(from))) y=(length(y + 3.0)) width=(length(scale(value).max(0.5)))
                        height="13" {}
                }
                text x=(length(BAR_LEFT + scale(row.sum()) + 4.0)) y=(length(y + 13.0)) { (self.shown(row.sum())) }
            }
        };
        self.figure(height, &picture)
    }

    /// One vertical bar for each row, for bins of a number in their order.
    pub fn columns(&self) -> Markup {
        let most = self.greatest();
        let step = (WIDTH - 4.0 - LEFT) / self.rows.len().max(1) as f64;
        let scale = |value: f64| (BOTTOM - TOP) * value / most;
        let every = self.rows.len().div_ceil(TICKS).max(1);
        let left = |place: usize| LEFT + step * place as f64;
        let picture = html! {
            @for share in [0.0, 0.5, 1.0] {
                line.grid x1=(length(LEFT)) x2=(length(WIDTH)) y1=(length(BOTTOM - scale(most * share)))
                    y2=(length(BOTTOM - scale(most * share))) {}
                text x=(length(LEFT - 4.0)) y=(length(BOTTOM + 4.0 - scale(most * share))) text-anchor="end" {
                    (self.shown(most * share))
                }
            }
            @for (place, row) in self.rows.iter().enumerate() {
                @for (class, from, value) in parts(&row.values) {
                    rect class=(class) x=(length(left(place))) y=(length(BOTTOM - scale(from + value)))
                        width=(length((step - 1.0).max(0.5))) height=(length(scale(value))) {
                        title { (row.label) ": " (self.shown(value)) }
                    }
                }
                @if place.is_multiple_of(every) {
                    text x=(length(left(place) + step / 2.0)) y=(length(BOTTOM + 15.0)) text-anchor="middle" { (row.label) }
                }
            }
            text x=(length((LEFT + WIDTH) / 2.0)) y=(length(BOTTOM + 31.0)) text-anchor="middle" { (self.rows_are) }
        };
        self.figure(BOTTOM + 38.0, &picture)
    }

    fn figure(&self, height: f64, picture: &Markup) -> Markup {
        let legend: &[String] = if self.series.len() > 1 { &self.series } else { &[] };
        html! {
            figure {
                figcaption { h3 { (self.title) } p { (self.note) } }
                @if self.rows.is_empty() {
                    p.none { "There is nothing to count." }
                } @else {
                    @if !legend.is_empty() {
                        ul.legend { @for (place, name) in legend.iter().enumerate() { li { span.{ "b" (place % COLOURS) } {} (name) } } }
                    }
                    svg viewBox={ "0 0 " (WIDTH) " " (length(height)) } role="img" aria-label={ (self.title) "; the table has the numbers" } {
                        (picture)
                    }
                    (self.table())
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let heads = std::iter::once(self.rows_are).chain(self.series.iter().map(String::as_str)).collect();
        let value = |value: &f64| if self.shares { Cell::Share(*value) } else { Cell::Count(*value as u64) };
        let row =
            |row: &Row| std::iter::once(Cell::Text(row.label.clone())).chain(row.values.iter().map(value)).collect();
        let table = Table { caption: self.title, heads, rows: self.rows.iter().map(row).collect() };
        html! { details { summary { "Table: " (self.title) } (table.markup()) } }
    }

    fn greatest(&self) -> f64 {
        let most = self.rows.iter().map(Row::sum).fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    }

    fn shown(&self, value: f64) -> String {
        match value {
            value if self.shares => format!("{:.1} %", value * 100.0),
            value if value < 1e5 && value.fract() == 0.0 => number(value as u64),
            value => short_number(value),
        }
    }
}

/// The class of each part of a bar, where it begins and how long it is. Empty parts are left out.
fn parts(values: &[f64]) -> Vec<(String, f64, f64)> {
    let mut from = 0.0;
    let part = |(place, &value): (usize, &f64)| {
        let begin = from;
        from += value;
        (value > 0.0).then(|| (format!("c{}", place % COLOURS), begin, value))
    };
    values.iter().enumerate().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(rows: Vec<Row>) -> Chart<'static> {
        let series = vec!["kept".into(), "dropped".into()];
        Chart { title: "T", note: "N.", rows_are: "word", series, rows, shares: false }
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let chart = chart(vec![Row::counts("a", [30, 10]), Row::counts("<b>", [0, 20])]);
        let svg = chart.bars().into_string();
        assert!(svg.contains(r#"<rect class="c0" x="124" y="3" width="147""#), "{svg}");
        assert!(svg.contains(r#"<rect class="c1" x="271" y="3" width="49""#), "{svg}");
        assert!(svg.contains(r#"<rect class="c1" x="124" y="21" width="98""#), "{svg}");
        assert!(svg.contains("&lt;b&gt;") && !svg.contains("<b>"));
        let svg = chart.columns().into_string();
        assert!(svg.contains(r#"y="47.5" width="165" height="112.5""#), "{svg}");
    }

    #[test]
    fn nothing_is_said_so() {
        assert!(chart(Vec::new()).columns().into_string().contains("nothing to count"));
        assert!(chart(vec![Row::counts("a", [0, 0])]).bars().into_string().contains("<svg"));
    }
}
