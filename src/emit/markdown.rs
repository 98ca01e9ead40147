//! The kept paragraphs of a document as Markdown: CommonMark 0.31 with the tables of GitHub's dialect (GFM).
//!
//! What a parser would take for markup is escaped, so that the text of the rendering is the text of the paragraphs. Links,
//! emphasis and images are not in the rows and are not written. White space inside a paragraph becomes single blanks,
//! except in `pre`.

use std::collections::BTreeMap;

use super::document_text::DocumentText;
use super::structure::{ContainerStack, ParagraphContainer, ParagraphRole};
use crate::document::Paragraph;
use crate::page::blocks::BlockKind;

/// The text of a document.
pub fn markdown(text: &DocumentText<'_>) -> String {
    let mut out = String::new();
    let rows: Vec<&Paragraph> = text.paragraphs.iter().map(|paragraph| paragraph.row).collect();
    write(&mut out, &rows);
    out
}

/// Appends paragraphs, in their order.
fn write(out: &mut String, rows: &[&Paragraph]) {
    let mut writer = Writer { out, open: Vec::new(), is_first: true };
    let mut stack = ContainerStack::default();
    let mut place = 0;
    while let Some(row) = rows.get(place) {
        if row.table_row > 0 {
            let cells = table(rows.get(place..).unwrap_or_default());
            place += cells.len();
            writer.table(cells);
            stack = ContainerStack::default();
            continue;
        }
        let change = stack.advance(row, rows.get(place + 1).copied());
        writer.paragraph(row, change.ended, change.begun, change.role);
        place += 1;
    }
}

/// The cells of the table that begins with the first row: they have its number, and the numbers of rows do not fall.
fn table<'r, 'p>(rows: &'r [&'p Paragraph]) -> &'r [&'p Paragraph] {
    let follows = |pair: &[&Paragraph]| match pair {
        [before, row] => {
            row.table == before.table && (row.table_row, row.table_column) >= (before.table_row, before.table_column)
        }
        _ => false,
    };
    let more = rows.windows(2).take_while(|pair| pair.iter().all(|row| row.table_row > 0) && follows(pair)).count();
    rows.get(..=more).unwrap_or_default()
}

struct Writer<'o> {
    out: &'o mut String,
    /// The lists, items and quotes that are open, outermost first.
    open: Vec<ParagraphContainer>,
    is_first: bool,
}

impl Writer<'_> {
    fn paragraph(&mut self, row: &Paragraph, ended: usize, begun: &[ParagraphContainer], role: ParagraphRole) {
        let in_list = self.open.iter().any(is_item);
        // Sections are open for the stack only.
        let begun: Vec<_> = begun.iter().copied().filter(is_shown).collect();
        self.open.truncate(self.open.len().saturating_sub(ended));
        let begins_item = in_list && begun.iter().any(is_item);
        let (rest, quoted) = prefix(&self.open);
        self.separate(begins_item, if quoted { &rest } else { "" });
        let mut first = rest;
        for container in &begun {
            first.push_str(match container {
                ParagraphContainer::Item(_) => "- ",
                ParagraphContainer::Quote => "> ",
                _ => "",
            });
        }
        self.open.extend(begun);
        let (rest, _) = prefix(&self.open);
        self.out.push_str(&first);
        match role {
            ParagraphRole::SectionHeading => self.heading(row),
            ParagraphRole::Preformatted => self.code(&row.text, &rest),
            ParagraphRole::InnerHeading => self.strong(&row.text),
            _ if row.kind == BlockKind::Dt => self.strong(&row.text),
            _ => escape(self.out, &row.text, Place::LineStart),
        }
        self.out.push('\n');
    }

    /// Parts a block from the one before it: by an empty line, or by none if it is the next item of a list.
    fn separate(&mut self, is_next_item: bool, quote: &str) {
        if !self.is_first && !is_next_item {
            self.out.push_str(quote.trim_end());
            self.out.push('\n');
        }
        self.is_first = false;
    }

    fn heading(&mut self, row: &Paragraph) {
        let rank = BlockKind::ALL.iter().position(|kind| *kind == row.kind).unwrap_or(1).clamp(1, 6);
        self.out.extend(std::iter::repeat_n('#', rank));
        self.out.push(' ');
        let begin = self.out.len();
        escape(self.out, &row.text, Place::Heading);
        // A run of # at the end would close the heading.
        let text = self.out.get(begin..).unwrap_or_default();
        let end = begin + text.trim_end_matches('#').len();
        if end < self.out.len() {
            self.out.insert(end, '\\');
        }
    }

    fn strong(&mut self, text: &str) {
        self.out.push_str("**");
        escape(self.out, text, Place::Inside);
        self.out.push_str("**");
    }

    /// A fenced block, with a fence that the text does not hold.
    fn code(&mut self, text: &str, prefix: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        self.out.push_str(&fence);
        for line in text.split('\n') {
            self.out.push('\n');
            // An empty line of a quote has the mark of the quote, or it would end it.
            self.out.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
            self.out.push_str(line);
        }
        self.out.push('\n');
        self.out.push_str(prefix);
        self.out.push_str(&fence);
    }

    /// A table; its cells as paragraphs where it has one column only, as tables for layout have, or is mostly empty.
    fn table(&mut self, cells: &[&Paragraph]) {
        self.open.clear();
        let columns: BTreeMap<u16, usize> = cells.iter().map(|cell| (cell.table_column, 0)).collect();
        let columns: BTreeMap<u16, usize> = columns.into_keys().zip(0..).collect();
        let rows = cells.chunk_by(|a, b| a.table_row == b.table_row);
        if columns.len() < 2 || rows.clone().count() * columns.len() > 4 * cells.len() + 16 {
            return cells.iter().for_each(|cell| self.loose_cell(cell));
        }
        self.separate(false, "");
        let is_head = |row: &[&Paragraph]| row.iter().all(|cell| cell.kind == BlockKind::Th || cell.heading);
        for (number, row) in rows.enumerate() {
            // A table needs a row of headings; it is empty where there are none.
            if number == 0 && !is_head(row) {
                self.line(columns.len(), &BTreeMap::new());
                self.rule(columns.len());
            }
            let mut texts: BTreeMap<usize, String> = BTreeMap::new();
            for cell in row {
                let text = texts.entry(columns.get(&cell.table_column).copied().unwrap_or(0)).or_default();
                if !text.is_empty() {
                    text.push_str("<br>");
                }
                escape(text, &cell.text, Place::Cell);
            }
            self.line(columns.len(), &texts);
            if number == 0 && is_head(row) {
                self.rule(columns.len());
            }
        }
    }

    fn loose_cell(&mut self, cell: &Paragraph) {
        self.separate(false, "");
        match cell.kind {
            BlockKind::Pre => self.code(&cell.text, ""),
            _ if cell.heading => self.strong(&cell.text),
            _ => escape(self.out, &cell.text, Place::LineStart),
        }
        self.out.push('\n');
    }

    fn line(&mut self, columns: usize, texts: &BTreeMap<usize, String>) {
        for column in 0..columns {
            self.out.push_str("| ");
            if let Some(text) = texts.get(&column) {
                self.out.push_str(text);
                self.out.push(' ');
            }
        }
        self.out.push_str("|\n");
    }

    fn rule(&mut self, columns: usize) {
        (0..columns).for_each(|_| self.out.push_str("| --- "));
        self.out.push_str("|\n");
    }
}

fn is_item(container: &ParagraphContainer) -> bool {
    matches!(container, ParagraphContainer::Item(_))
}

fn is_shown(container: &ParagraphContainer) -> bool {
    matches!(container, ParagraphContainer::List | ParagraphContainer::Item(_) | ParagraphContainer::Quote)
}

/// What stands before a further line in open containers, and whether one of them is a quote.
fn prefix(open: &[ParagraphContainer]) -> (String, bool) {
    let mut prefix = String::new();
    for container in open {
        prefix.push_str(match container {
            ParagraphContainer::Item(_) => "  ",
            ParagraphContainer::Quote => "> ",
            _ => "",
        });
    }
    (prefix, open.contains(&ParagraphContainer::Quote))
}

/// Where a text stands, which decides what is markup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At the beginning of a line.
    LineStart,
    /// Behind the marks of a heading.
    Heading,
    /// Behind other markup.
    Inside,
    /// In a cell of a table.
    Cell,
}

/// Appends a text with a backslash before what would be markup.
fn escape(out: &mut String, text: &str, place: Place) {
    let begin = out.len();
    let mut last = None;
    let mut rest = text.trim_matches(is_blank);
    // A line of these alone below another line would make that the head of a table.
    let is_rule = rest.chars().all(|c| matches!(c, '|' | ':' | '-' | ' '));
    let place_of_bars = if is_rule { Place::Cell } else { place };
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if is_blank(c) {
            rest = after.trim_start_matches(is_blank);
            out.push(' ');
            last = Some(' ');
            continue;
        }
        if is_markup(c, last, after, place_of_bars) {
            out.push('\\');
        }
        out.push(if c == '\0' { '\u{FFFD}' } else { c });
        (last, rest) = (Some(c), after);
    }
    if place == Place::LineStart {
        escape_line_start(out, begin);
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{B}' | '\u{C}')
}

/// Whether a character is markup inside a line.
fn is_markup(c: char, before: Option<char>, after: &str, place: Place) -> bool {
    let next = after.chars().next();
    match c {
        '\\' | '`' | '*' | '[' | '~' => true,
        '|' => place == Place::Cell,
        // Between letters it is none.
        '_' => !(before.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)),
        '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => begins_entity(after),
        _ => false,
    }
}

/// Whether `&` and this text are a character reference, as far as its form tells.
fn begins_entity(after: &str) -> bool {
    /// Characters of the longest name of HTML, and of its number.
    const LONGEST: usize = 33;
    let name = after.strip_prefix('#').unwrap_or(after);
    let length = name.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    length > 0 && name.as_bytes().get(length) == Some(&b';')
}

/// Escapes what begins a block at the beginning of a line: `#`, `>`, `-`, `+`, `1.` and `1)`.
fn escape_line_start(out: &mut String, begin: usize) {
    let line = out.get(begin..).unwrap_or_default();
    let digits = line.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let (place, marks) = match line.as_bytes() {
        [b'#' | b'>' | b'=' | b':', ..] => (begin, 0),
        [b'-' | b'+', ..] => (begin, 1),
        _ if (1..10).contains(&digits) && matches!(line.as_bytes().get(digits), Some(b'.' | b')')) => {
            (begin + digits, digits + 1)
        }
        _ => return,
    };
    let follows = line.as_bytes().get(marks);
    if marks == 0 || matches!(follows, None | Some(b' ' | b'-')) {
        out.insert(place, '\\');
    }
}

#[cfg(test)]
mod tests;
