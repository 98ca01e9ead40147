//! Keyword in context: one line per hit, for terminals.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::concord::hit::Hit;
use crate::concord::options::HitContext;
use crate::text::printable;

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

/// Columns of a character: 0 for combining marks and format characters, 2 for wide ones (Unicode Standard Annex #11),
/// else 1.
fn column(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        _ if is_combining(c) => 0,
        _ if is_wide(c) => 2,
        _ => 1,
    }
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{231A}' | '\u{231B}' | '\u{23E9}'..='\u{23EC}' | '\u{2614}' | '\u{2615}'
        | '\u{2648}'..='\u{2653}' | '\u{26AA}' | '\u{26AB}' | '\u{26BD}' | '\u{26BE}' | '\u{2705}' | '\u{2728}'
        | '\u{274C}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2795}'..='\u{2797}' | '\u{2B50}' | '\u{2B55}'
        | '\u{2E80}'..='\u{303E}' | '\u{3041}'..='\u{A4CF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE10}'..='\u{FE19}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF01}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}' | '\u{16FE0}'..='\u{18DFF}' | '\u{1AFF0}'..='\u{1B2FF}' | '\u{1F004}' | '\u{1F0CF}'
        | '\u{1F18E}' | '\u{1F191}'..='\u{1F19A}' | '\u{1F200}'..='\u{1F320}' | '\u{1F32D}'..='\u{1F335}'
        | '\u{1F337}'..='\u{1F37C}' | '\u{1F37E}'..='\u{1F393}' | '\u{1F3A0}'..='\u{1F3CA}' | '\u{1F3E0}'..='\u{1F3F0}'
        | '\u{1F3F4}' | '\u{1F3F8}'..='\u{1F43E}' | '\u{1F440}' | '\u{1F442}'..='\u{1F4FC}' | '\u{1F4FF}'..='\u{1F53D}'
        | '\u{1F54B}'..='\u{1F567}' | '\u{1F595}' | '\u{1F596}' | '\u{1F5FB}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6C5}'
        | '\u{1F6CC}' | '\u{1F6D0}'..='\u{1F6DF}' | '\u{1F6EB}'..='\u{1F6FC}' | '\u{1F7E0}'..='\u{1F7F0}'
        | '\u{1F90C}'..='\u{1F9FF}' | '\u{1FA70}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// Marks above and below of the scripts that pages are written in, and invisible characters.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{5BF}'
        | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}' | '\u{610}'..='\u{61A}' | '\u{61C}'
        | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{6D6}'..='\u{6DC}' | '\u{6DF}'..='\u{6E4}' | '\u{6E7}' | '\u{6E8}'
        | '\u{6EA}'..='\u{6ED}' | '\u{711}' | '\u{730}'..='\u{74A}' | '\u{900}'..='\u{902}' | '\u{93A}' | '\u{93C}'
        | '\u{941}'..='\u{948}' | '\u{94D}' | '\u{951}'..='\u{957}' | '\u{962}' | '\u{963}' | '\u{981}' | '\u{9BC}'
        | '\u{9C1}'..='\u{9C4}' | '\u{9CD}' | '\u{A3C}'..='\u{A51}' | '\u{A70}' | '\u{A71}' | '\u{ABC}'
        | '\u{AC1}'..='\u{AC8}' | '\u{ACD}' | '\u{BC0}' | '\u{BCD}' | '\u{C3E}'..='\u{C40}' | '\u{C46}'..='\u{C56}'
        | '\u{CBC}' | '\u{CCC}' | '\u{CCD}' | '\u{D41}'..='\u{D44}' | '\u{D4D}' | '\u{E31}' | '\u{E34}'..='\u{E3A}'
        | '\u{E47}'..='\u{E4E}' | '\u{EB1}' | '\u{EB4}'..='\u{EBC}' | '\u{EC8}'..='\u{ECE}' | '\u{102D}'..='\u{1030}'
        | '\u{1032}'..='\u{1037}' | '\u{1039}' | '\u{103A}' | '\u{1160}'..='\u{11FF}' | '\u{17B4}' | '\u{17B5}'
        | '\u{17B7}'..='\u{17BD}' | '\u{17C6}' | '\u{17C9}'..='\u{17D3}' | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{20D0}'..='\u{20F0}' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
        | '\u{FEFF}' | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0001}'..='\u{E01EF}')
}
