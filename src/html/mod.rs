//! Pages for people: one HTML file that needs no network, no server and no other file.
//!
//! All text is escaped by `maud`; the policy in the file (Content Security Policy Level 3) forbids every request and
//! every script but the one of this module. What strangers wrote is shown by [`quoted`] and never becomes a link.

mod chart;
mod curve;
mod diff;
mod flow;
mod table;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use indicatif::HumanCount;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

pub use chart::{Chart, Row};
pub use curve::{Curve, Line};
pub use diff::word_diff;
pub use flow::{Flow, Step};
pub use table::{Cell, Table};

use crate::text::printable;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A whole page. `body` begins with an `h1`.
pub fn page(title: &str, body: &Markup) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        checksum(STYLE),
        checksum(SCRIPT)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (printable(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn checksum(text: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(text))
}

/// A text that strangers wrote: isolated from the direction of the text around it, control characters as spaces.
pub fn quoted(text: &str) -> Markup {
    html! { bdi { (printable(text)) } }
}

/// A number with thousands separators.
pub fn number(n: u64) -> String {
    HumanCount(n).to_string()
}

/// A share as a percentage with one decimal; empty without a whole.
pub fn percentage(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// A number in few characters, for axes: `1.2M`.
fn short_number(n: f64) -> String {
    // What is rounded to a thousand of a unit is one of the next.
    let (scaled, unit) = match n {
        n if n >= 999.5e6 => (n / 1e9, "G"),
        n if n >= 999.5e3 => (n / 1e6, "M"),
        n if n >= 1e4 => (n / 1e3, "k"),
        n => (n, ""),
    };
    let figure = if unit.is_empty() || scaled >= 9.95 { format!("{scaled:.0}") } else { length(scaled) };
    figure + unit
}

/// A length in a picture, with the digits that can be seen.
fn length(n: f64) -> String {
    let text = format!("{n:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_runs_nothing_that_strangers_wrote() {
        let evil = "</style><script>alert(1)</script>\u{202e}\"'&";
        let page = page(evil, &html! { h1 { (quoted(evil)) } p title=(evil) { "x" } });
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("</style>").count(), 1);
        let text = "&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;'&amp;";
        assert!(page.contains(&format!("<title>{text}</title>")), "{page}");
        // An attribute is escaped and no more: nothing in it is shown with the text around it.
        let attribute = text.replace(' ', "\u{202e}");
        let body = format!("<main><h1><bdi>{text}</bdi></h1><p title=\"{attribute}\">x</p></main>");
        assert!(page.contains(&body), "{page}");
        assert!(page.contains("default-src 'none'"));
    }

    #[test]
    fn numbers_are_short_on_axes() {
        assert_eq!(
            [0.0, 999.0, 1250.0, 12_500.0, 3e6, 1.26e6].map(short_number),
            ["0", "999", "1250", "12k", "3M", "1.3M"]
        );
        assert_eq!([999_499.0, 999_500.0, 999_950.0, 999_950_000.0].map(short_number), ["999k", "1M", "1M", "1G"]);
        assert_eq!([1.96e6, 9.94e6, 9.96e6].map(short_number), ["2M", "9.9M", "10M"]);
        assert_eq!([0.0, 1.04, 12.25].map(length), ["0", "1", "12.2"]);
        assert_eq!([percentage(1, 3), percentage(1, 0)], ["33.3 %", ""]);
    }
}
