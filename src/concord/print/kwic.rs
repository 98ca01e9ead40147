//! Keyword in context: one line per hit, for terminals.

use std::borrow::Cow;
use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

use crate::concord::hit::Hit;
use crate::concord::options::HitContext;
use crate::text::{is_obeyed, printable};

/// Width in columns of the document and paragraph numbers, and of the host.
const KEY: usize = 16;
const HOST: usize = 24;
/// Columns for a token and the space before it: eight tokens are seldom longer than eight times as much.
const TOKEN: usize = 7;

/// Writes document and paragraph, host, and the text with the hit in brackets. No spaces are added around the brackets.
/// Contexts of a number of characters are cut to as many columns, so that the hits are aligned; wide characters take
/// two columns. Contexts of a number of tokens are aligned as far as their words are not long, and are not cut. Sentences
/// are neither aligned nor cut.
pub fn hit(out: &mut impl Write, hit: &Hit, context: HitContext) -> io::Result<()> {
    let key = format!("{}:{}", hit.document.doc, hit.paragraph);
    let host = shortened(host(&hit.document.url), HOST);
    write!(out, "{key:<KEY$} {}{} ", printable(&host), spaces(HOST.saturating_sub(columns(&host))))?;
    let form = printable(hit.form());
    match context {
        HitContext::Sentence => writeln!(out, " {}[{form}]{}", printable(hit.left()), printable(hit.right())),
        HitContext::Tokens(width) => {
            let padding = spaces((width * TOKEN).saturating_sub(columns(hit.left())));
            writeln!(out, " {padding}{}[{form}]{}", printable(hit.left()), printable(hit.right()))
        }
        HitContext::Characters(width) => {
            let left = last_columns(hit.left(), width);
            let padding = spaces(width.saturating_sub(columns(left)));
            writeln!(out, " {padding}{}[{form}]{}", printable(left), printable(first_columns(hit.right(), width)))
        }
    }
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// The text in at most `most` columns; one that is cut ends with an ellipsis.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if columns(text) <= most {
        text.into()
    } else {
        format!("{}…", first_columns(text, most.saturating_sub(1))).into()
    }
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}

/// The longest start of a text that fits `most` columns, with its combining marks.
fn first_columns(text: &str, most: usize) -> &str {
    let end = past(text.char_indices(), most).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// The longest end of a text that fits `most` columns.
fn last_columns(text: &str, most: usize) -> &str {
    let start = past(text.char_indices().rev(), most).map_or(0, |(at, c)| at + c.len_utf8());
    text.get(start..).unwrap_or_default()
}

/// The first character that does not fit.
fn past(mut characters: impl Iterator<Item = (usize, char)>, most: usize) -> Option<(usize, char)> {
    let mut width = 0;
    characters.find(|(_, c)| {
        width += column(*c);
        width > most
    })
}

/// Number of columns that a text takes in a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Columns of a character as it is shown: 0 for combining marks and format characters, 2 for wide ones (Unicode Standard
/// Annex #11), else 1.
fn column(c: char) -> usize {
    if is_obeyed(c) { 1 } else { c.width().unwrap_or(1) }
}
