//! A flow picture (Sankey diagram): what there is at first, what is lost at each step and why, and what is left.

use maud::{Markup, html};

use super::chart::WIDTH;
use super::{length, number, percentage};

/// Width of the stream at its beginning.
const STREAM: f64 = 112.0;
const LEFT: f64 = 6.0;
/// Where the names of losses begin.
const NAMES: f64 = 158.0;
/// Least height of the row of a loss.
const ROW: f64 = 15.0;
/// Most losses of a step with a row of their own.
const MOST_ROWS: usize = 16;

/// Steps from what there is at first to what is left.
#[derive(Debug)]
pub struct Flow<'a> {
    pub title: &'a str,
    pub note: &'a str,
    pub steps: Vec<Step<'a>>,
    /// Name of what is left.
    pub left: &'a str,
}

/// What is there before a step, and what is lost in it: name, number and the fragment of its explanation.
#[derive(Debug)]
pub struct Step<'a> {
    pub name: &'a str,
    pub count: u64,
    pub losses: Vec<(String, u64, String)>,
}

impl Flow<'_> {
    /// The picture. The names of losses are links to their explanations.
    pub fn markup(&self) -> Markup {
        let whole = self.steps.first().map_or(0, |step| step.count);
        let scale = |count: u64| if whole == 0 { 0.0 } else { STREAM * count as f64 / whole as f64 };
        let mut y = 4.0;
        let mut pieces = Vec::new();
        let mut left = whole;
        for step in &self.steps {
            pieces.push(node(y, scale(step.count), step.name, step.count, whole));
            let (mut right, begin) = (LEFT + scale(step.count), y + 20.0);
            left = step.count;
            y = begin + 6.0;
            for (name, count, fragment) in &gathered(&step.losses) {
                let thickness = scale(*count);
                pieces.push(loss(right, begin, y, thickness, (name, *count, fragment), whole));
                right -= thickness;
                y += (thickness + 3.0).max(ROW);
                left = left.saturating_sub(*count);
            }
            y += 6.0;
            pieces.push(html! {
                rect.stream x=(length(LEFT)) y=(length(begin)) width=(length(scale(left).max(0.5))) height=(length(y - begin)) {}
            });
        }
        pieces.push(node(y, scale(left), self.left, left, whole));
        html! {
            figure.flow {
                figcaption { h3 { (self.title) } p { (self.note) } }
                svg viewBox={ "0 0 " (WIDTH) " " (length(y + 26.0)) } role="group" aria-label=(self.title) {
                    @for piece in &pieces { (piece) }
                }
            }
        }
    }
}

/// A bar across the stream with its name.
fn node(y: f64, width: f64, name: &str, count: u64, whole: u64) -> Markup {
    html! {
        rect.node x=(length(LEFT)) y=(length(y)) width=(length(width.max(0.5))) height="20" {}
        text.strong x=(length(LEFT + STREAM + 8.0)) y=(length(y + 14.0)) {
            (number(count)) " " (name) " (" (percentage(count, whole)) ")"
        }
    }
}

/// A band from the right edge of the stream to a row with the name of the loss.
fn loss(
    right: f64,
    begin: f64,
    y: f64,
    thickness: f64,
    (name, count, fragment): (&str, u64, &str),
    whole: u64,
) -> Markup {
    let thickness = thickness.max(0.5);
    let (left, end) = (length(right - thickness), length(NAMES - 6.0));
    let (top, bottom, right, begin) = (length(y), length(y + thickness), length(right), length(begin));
    html! {
        path.loss d={ "M" (left) "," (begin) " C" (left) "," (bottom) " " (left) "," (bottom) " " (end) "," (bottom)
            " L" (end) "," (top) " C" (right) "," (top) " " (right) "," (top) " " (right) "," (begin) " Z" } {}
        a href={ "#" (fragment) } {
            text x=(length(NAMES)) y=(length(y + thickness.max(ROW - 3.0) / 2.0 + 4.0)) {
                (name) " " (number(count)) " (" (percentage(count, whole)) ")"
            }
        }
    }
}

/// The losses, largest first; the smallest of very many together.
fn gathered(losses: &[(String, u64, String)]) -> Vec<(String, u64, String)> {
    let mut sorted: Vec<_> = losses.iter().filter(|(_, count, _)| *count > 0).cloned().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if sorted.len() > MOST_ROWS {
        let rest = sorted.split_off(MOST_ROWS - 1);
        let name = format!("{} other reasons", rest.len());
        sorted.push((name, rest.iter().map(|(_, count, _)| count).sum(), "reasons".to_string()));
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_rest() {
        let losses = (1..=20).map(|n| (format!("reason.{n}"), n, format!("reason-{n}"))).collect();
        let steps = vec![Step { name: "records", count: 1000, losses }];
        let svg = Flow { title: "T", note: "N.", steps, left: "pages" }.markup().into_string();
        assert!(svg.contains("790 pages (79.0 %)"), "{svg}");
        assert!(svg.contains("5 other reasons 15 (1.5 %)"), "{svg}");
        assert!(svg.contains("<a href=\"#reason-20\">"), "{svg}");
    }

    #[test]
    fn a_flow_of_nothing_is_drawn() {
        let steps = vec![Step { name: "records", count: 0, losses: Vec::new() }];
        assert!(Flow { title: "T", note: "N.", steps, left: "pages" }.markup().into_string().contains("0 pages"));
    }
}
