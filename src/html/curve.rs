//! Curves over a logarithmic axis as inline SVG: how much the largest few have.

use maud::{Markup, html};

use super::chart::{BOTTOM, LEFT, TOP, WIDTH};
use super::table::{Cell, Table};
use super::{length, short_number};

/// Shares by rank.
#[derive(Debug)]
pub struct Curve<'a> {
    pub title: &'a str,
    pub note: &'a str,
    /// What is ranked.
    pub ranks_are: &'a str,
    pub lines: Vec<Line<'a>>,
}

/// A line: its name and its points, rank from 1 and share from 0 to 1.
#[derive(Debug)]
pub struct Line<'a> {
    pub name: &'a str,
    pub points: Vec<(u64, f64)>,
}

impl Curve<'_> {
    /// The picture with its table.
    pub fn markup(&self) -> Markup {
        let ranks = self.lines.iter().flat_map(|line| &line.points).map(|(rank, _)| *rank);
        let last = ranks.max().unwrap_or(1).max(10);
        let x = |rank: u64| LEFT + (WIDTH - 8.0 - LEFT) * (rank.max(1) as f64).ln() / (last as f64).ln();
        let y = |share: f64| BOTTOM - (BOTTOM - TOP) * share;
        let powers = (0..=last.ilog10()).map(|exponent| 10_u64.pow(exponent));
        let points = |line: &Line| {
            let point = |(rank, share): &(u64, f64)| format!("{},{}", length(x(*rank)), length(y(*share)));
            line.points.iter().map(point).collect::<Vec<_>>().join(" ")
        };
        html! {
            figure {
                figcaption { h3 { (self.title) } p { (self.note) } }
                ul.legend { @for (place, line) in self.lines.iter().enumerate() { li { span.{ "b" (place) } {} (line.name) } } }
                svg viewBox={ "0 0 " (WIDTH) " 198" } role="img" aria-label={ (self.title) "; the table has the numbers" } {
                    @for share in [0.0, 0.5, 1.0] {
                        line.grid x1=(length(LEFT)) x2=(length(WIDTH)) y1=(length(y(share))) y2=(length(y(share))) {}
                        text x=(length(LEFT - 4.0)) y=(length(y(share) + 4.0)) text-anchor="end" { (format!("{:.0} %", share * 100.0)) }
                    }
                    @for rank in powers {
                        text x=(length(x(rank))) y=(length(BOTTOM + 15.0)) text-anchor="middle" { (short_number(rank as f64)) }
                    }
                    @for (place, line) in self.lines.iter().enumerate() {
                        polyline.{ "l" (place) } points=(points(line)) {}
                    }
                    text x=(length((LEFT + WIDTH) / 2.0)) y="191" text-anchor="middle" { (self.ranks_are) }
                }
                details { summary { "Table: " (self.title) } (self.table()) }
            }
        }
    }

    fn table(&self) -> Markup {
        let rows = self.lines.iter().flat_map(|line| {
            let row = |(rank, share): &(u64, f64)| {
                vec![Cell::Name(line.name.to_string()), Cell::Count(*rank), Cell::Share(*share)]
            };
            line.points.iter().map(row)
        });
        Table { caption: self.title, heads: vec!["of", "largest", "share"], rows: rows.collect() }.markup()
    }
}
