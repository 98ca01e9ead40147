//! The kept paragraphs of a document as Markdown: CommonMark 0.31 with the tables of GitHub's dialect (GFM).
//!
//! What a parser would take for markup is escaped, so that the text of the rendering is the text of the paragraphs. Links,
//! emphasis and images are not in the rows and are not written. White space inside a paragraph becomes single blanks,
//! except in `pre`.

mod list_marks;

use std::collections::{BTreeMap, BTreeSet};

use self::list_marks::{ListMarks, is_list, list_marks};
use super::document_text::DocumentText;
use super::structure::{ContainerStack, Item, ParagraphContainer, ParagraphRole, table_in};
use crate::document::Paragraph;
use crate::page::blocks::BlockKind;

/// Bytes of lists and quotations that may stand before the lines of a document, and those that may for each byte of its text so
/// far. A line of one letter in ten numbered lists has a hundred of them.
const FREE_PREFIXES: usize = 1 << 20;
const PREFIXES_FOR_A_BYTE: usize = 2;

/// The text of a document.
pub fn markdown(text: &DocumentText<'_>) -> String {
    let mut out = String::new();
    let rows: Vec<&Paragraph> = text.paragraphs.iter().map(|paragraph| paragraph.row).collect();
    write(&mut out, &rows);
    out
}

/// Appends paragraphs, in their order.
fn write(out: &mut String, rows: &[&Paragraph]) {
    let mut writer = Writer {
        out,
        stack: ContainerStack::default(),
        lists: Vec::new(),
        is_first: true,
        text_bytes: 0,
        prefix_bytes: 0,
    };
    let mut rest = rows;
    while !rest.is_empty() {
        let cells = table(rest);
        let (block, after) = rest.split_at(cells.len().max(1));
        match columns(cells) {
            Some(columns) => writer.table(cells, &columns),
            None => {
                let next = rest.iter().skip(1).map(|row| Some(*row)).chain([None]);
                block.iter().zip(next).for_each(|(row, next)| writer.paragraph(row, next));
            }
        }
        rest = after;
    }
}

/// The cells of the table that begins with the first row, none if it is not in a table: they have its number, and the numbers
/// of rows do not fall.
fn table<'r, 'p>(rows: &'r [&'p Paragraph]) -> &'r [&'p Paragraph] {
    if rows.first().is_none_or(|row| row.table_row == 0) {
        return &[];
    }
    let follows = |pair: &[&Paragraph]| match pair {
        [before, row] => {
            row.table == before.table && (row.table_row, row.table_column) >= (before.table_row, before.table_column)
        }
        _ => false,
    };
    let more = rows.windows(2).take_while(|pair| pair.iter().all(|row| row.table_row > 0) && follows(pair)).count();
    rows.get(..=more).unwrap_or_default()
}

/// The place of each column, unless the cells are to be written as paragraphs: where there is one column only, as in tables
/// for layout, or most cells are empty.
fn columns(cells: &[&Paragraph]) -> Option<BTreeMap<u16, usize>> {
    let columns: BTreeSet<u16> = cells.iter().map(|cell| cell.table_column).collect();
    let rows = cells.chunk_by(|a, b| a.table_row == b.table_row).count();
    let is_grid = columns.len() > 1 && rows * columns.len() <= 4 * cells.len() + 16;
    is_grid.then(|| columns.into_iter().zip(0..).collect())
}

struct Writer<'o> {
    out: &'o mut String,
    stack: ContainerStack,
    /// The marks of the open lists, outermost first.
    lists: Vec<ListMarks>,
    is_first: bool,
    /// Bytes of the text so far, and of what its containers put before its lines; without tables, whose rows are blocks.
    text_bytes: usize,
    prefix_bytes: usize,
}

impl Writer<'_> {
    fn paragraph(&mut self, row: &Paragraph, next: Option<&Paragraph>) {
        let (role, prefix) = self.begin(row, next, false);
        match role {
            ParagraphRole::SectionHeading => self.heading(row),
            ParagraphRole::Preformatted => self.code(&row.text, &prefix),
            ParagraphRole::InnerHeading => self.strong(&row.text),
            _ if row.kind == BlockKind::Dt => self.strong(&row.text),
            _ => self.lines(&row.text, &prefix),
        }
        self.out.push('\n');
    }

    /// Begins a block in the containers of a row: for a table, of its first cell, in those around the table. The role of the
    /// row, and what stands before further lines of the block.
    fn begin(&mut self, row: &Paragraph, next: Option<&Paragraph>, is_table: bool) -> (ParagraphRole, String) {
        let before = self.stack.open().to_vec();
        let change = self.stack.advance(row, next);
        let (role, begun) = (change.role, change.begun.len());
        if !is_table && self.has_long_prefixes(&row.text) {
            // The block stands behind all containers. They begin again with what follows.
            self.stack = ContainerStack::default();
            self.lists.clear();
            self.separate(false, "");
            return (role, String::new());
        }
        let open = self.stack.open();
        let shown = table_in(open).filter(|_| is_table).unwrap_or(open.len());
        let (open, kept) = (open.get(..shown).unwrap_or_default(), shown.min(open.len() - begun));
        let (kept, begun) = open.split_at(kept);
        let (mut first, is_quoted) = prefix(kept);
        let rest = prefix(open).0;
        // Without an empty line, a list that begins with another number than 1 would go on with the text before it.
        let begins_later = begun.iter().any(is_list)
            && begun.iter().any(|container| matches!(container, ParagraphContainer::Item(Item { number: 2.., .. })));
        let is_next_item = kept.iter().any(is_list) && begun.iter().any(is_item) && !begins_later;
        let follows_list = matches!(before.get(kept.len()), Some(ParagraphContainer::List(_)));
        let marks = list_marks(&mut self.lists, kept, begun, follows_list);
        self.separate(is_next_item, if is_quoted { &first } else { "" });
        first.push_str(&marks);
        self.out.push_str(&first);
        (role, rest)
    }

    /// Whether the open containers would put so much before the lines of a block that it is better to stand outside of them; if
    /// not, that is counted.
    fn has_long_prefixes(&mut self, text: &str) -> bool {
        self.text_bytes += text.len();
        let lines = 1 + memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let prefix_bytes = self.prefix_bytes + lines * prefix(self.stack.open()).0.len();
        let is_long = prefix_bytes > FREE_PREFIXES + PREFIXES_FOR_A_BYTE * self.text_bytes;
        if !is_long {
            self.prefix_bytes = prefix_bytes;
        }
        is_long
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
        self.out.extend(std::iter::repeat_n('#', row.kind.rank().unwrap_or(1).into()));
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

    /// The lines of a paragraph, with a backslash for the break behind each, or two blanks behind an address, of which GFM would take
    /// the backslash for a part.
    fn lines(&mut self, text: &str, prefix: &str) {
        let mut is_address = false;
        for (n, line) in shown_lines(text).enumerate() {
            if n > 0 {
                self.out.push_str(if is_address { "  \n" } else { "\\\n" });
                self.out.push_str(prefix);
            }
            escape(self.out, line, Place::LineStart);
            let last = line.split_whitespace().next_back().unwrap_or_default();
            is_address = last.contains("://") || last.contains("www.") || last.contains('@');
        }
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

    /// A table, in the lists around it.
    fn table(&mut self, cells: &[&Paragraph], columns: &BTreeMap<u16, usize>) {
        let Some((first, others)) = cells.split_first() else { return };
        let (_, prefix) = self.begin(first, None, true);
        for cell in others {
            self.stack.advance(cell, None);
        }
        let lines = table_lines(cells, columns).join(&format!("\n{prefix}"));
        self.out.push_str(&lines);
        self.out.push('\n');
    }
}

fn table_lines(cells: &[&Paragraph], columns: &BTreeMap<u16, usize>) -> Vec<String> {
    let is_head = |row: &[&Paragraph]| row.iter().all(|cell| cell.kind == BlockKind::Th || cell.heading);
    let rule = format!("{}|", "| --- ".repeat(columns.len()));
    let mut lines = Vec::new();
    for (number, row) in cells.chunk_by(|a, b| a.table_row == b.table_row).enumerate() {
        // A table needs a row of headings; it is empty where there are none.
        if number == 0 && !is_head(row) {
            lines.extend([format!("{}|", "| ".repeat(columns.len())), rule.clone()]);
        }
        lines.push(table_line(row, columns));
        if number == 0 && is_head(row) {
            lines.push(rule.clone());
        }
    }
    lines
}

fn table_line(row: &[&Paragraph], columns: &BTreeMap<u16, usize>) -> String {
    let mut texts = vec![String::new(); columns.len()];
    for cell in row {
        let Some(text) = columns.get(&cell.table_column).and_then(|place| texts.get_mut(*place)) else { continue };
        for line in shown_lines(&cell.text) {
            if !text.is_empty() {
                text.push_str("<br>");
            }
            escape(text, line, Place::Cell);
        }
    }
    texts.iter().fold(String::new(), |line, text| line + "| " + text + if text.is_empty() { "" } else { " " }) + "|"
}

/// The lines of a text that are not blank.
fn shown_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !line.trim_matches(is_blank).is_empty())
}

fn is_item(container: &ParagraphContainer) -> bool {
    matches!(container, ParagraphContainer::Item(_))
}

/// What stands before a further line in open containers, and whether one of them is a quote.
fn prefix(open: &[ParagraphContainer]) -> (String, bool) {
    let mut prefix = String::new();
    for container in open {
        match container {
            ParagraphContainer::Item(item) => {
                prefix.extend(ListMarks::default().mark(*item).chars().map(|_| ' '));
            }
            ParagraphContainer::Quote(_) => prefix.push_str("> "),
            _ => {}
        }
    }
    (prefix, open.iter().any(|container| matches!(container, ParagraphContainer::Quote(_))))
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
        // A tag, a comment, or an address of mail, which may begin with nearly any sign.
        '<' => next.is_some_and(|next| !next.is_whitespace()),
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
