//! A strict reader of vertical files, written from what encodevert does and not from the writer: it reports whatever
//! encodevert would warn of, drop or misread without a word.

mod registry;

mod tests;

use std::collections::{BTreeMap, BTreeSet};

use registry::Registry;

/// Bytes of a line's value that encodevert takes.
const LONGEST: usize = 32_767;
/// What each structure stands in.
const PARENTS: [(&str, &str); 4] = [("doc", ""), ("p", "doc"), ("s", "p"), ("g", "s")];
/// Why blocks of a gap were dropped.
const REASONS: [&str; 5] = ["boilerplate", "template", "overlap", "stub", "quality"];

/// What is wrong with a line (from 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub line: usize,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    EmptyLine,
    NoFinalNewline,
    Blanks,
    Control(char),
    TooLong,
    /// Would be stored as a word.
    UndeclaredStructure(String),
    LooksLikeStructure,
    UndeclaredAttribute(String),
    Malformed,
    EmptyValue(String),
    Twice(String),
    EmptyStructure(String),
    NotOpen(String),
    /// The structure, and the one that is open where it stands.
    MisNested(String, String),
    Unclosed(String),
    /// Number of columns.
    Columns(usize),
    EmptyWord,
    OutsideSentence,
    GlueAtEdge,
    /// A gap that is not between two paragraphs of a document, or without a number and reasons.
    Gap,
    DuplicateId(String),
}

#[derive(Debug, Default)]
pub struct Reading {
    pub problems: Vec<Problem>,
    /// Declared, but in no line: `doc.license`.
    pub never_present: Vec<String>,
    pub docs: usize,
    pub paragraphs: usize,
    pub sentences: usize,
    pub tokens: usize,
    pub glue: usize,
    pub gaps: usize,
    /// Attributes of each `<doc>` as Manatee would store them.
    pub attributes: Vec<BTreeMap<String, String>>,
    /// Text of each `<p>`: its words with a blank where no glue stands.
    pub texts: Vec<String>,
    /// Columns of each token.
    pub rows: Vec<Vec<String>>,
}

/// Reads a vertical file by its registry.
pub fn read(registry: &str, vertical: &str) -> Reading {
    let registry = Registry::parse(registry);
    let mut reader = Reader::new(&registry);
    let mut lines: Vec<&str> = vertical.split('\n').collect();
    if lines.pop().is_some_and(|last| !last.is_empty()) {
        lines = vertical.split('\n').collect();
        reader.line = lines.len();
        reader.report(What::NoFinalNewline);
    }
    for (n, line) in lines.into_iter().enumerate() {
        reader.line = n + 1;
        reader.line(line);
    }
    while let Some(open) = reader.open.pop() {
        reader.report(What::Unclosed(open.name));
    }
    let mut reading = reader.reading;
    let declared = registry.structures.iter().flat_map(|(s, names)| names.iter().map(move |a| format!("{s}.{a}")));
    reading.never_present = declared.filter(|name| !reader.present.contains(name)).collect();
    reading
}

struct Open {
    name: String,
    /// Number of tokens before it.
    tokens: usize,
}

struct Reader<'r> {
    registry: &'r Registry,
    reading: Reading,
    line: usize,
    open: Vec<Open>,
    present: BTreeSet<String>,
    ids: BTreeSet<String>,
    /// A glue stands after the last token.
    glued: bool,
    /// A gap stands after the last paragraph.
    gap_open: bool,
}

impl<'r> Reader<'r> {
    fn new(registry: &'r Registry) -> Reader<'r> {
        Reader {
            registry,
            reading: Reading::default(),
            line: 0,
            open: Vec::new(),
            present: BTreeSet::new(),
            ids: BTreeSet::new(),
            glued: false,
            gap_open: false,
        }
    }

    fn report(&mut self, what: What) {
        self.reading.problems.push(Problem { line: self.line, what });
    }

    fn line(&mut self, line: &str) {
        if line.is_empty() {
            return self.report(What::EmptyLine);
        }
        if let Some(c) = line.chars().find(|c| c.is_control() && *c != '\t') {
            self.report(What::Control(c));
        }
        match tag(line, &self.registry.structures) {
            Some(Tag { name, close: true, .. }) => self.close(&name),
            Some(Tag { name, empty, attributes, .. }) => self.start(&name, empty, attributes),
            None => self.token(line),
        }
    }

    fn token(&mut self, line: &str) {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() != self.registry.columns {
            self.report(What::Columns(columns.len()));
        }
        if columns[0].is_empty() {
            self.report(What::EmptyWord);
        }
        if columns.iter().any(|column| column.trim_matches(' ') != *column) {
            self.report(What::Blanks);
        }
        if columns.iter().any(|column| column.len() > LONGEST) {
            self.report(What::TooLong);
        }
        if let Some(what) = like_structure(columns[0]) {
            self.report(what);
        }
        if self.open.last().is_none_or(|open| open.name != "s") {
            self.report(What::OutsideSentence);
        }
        if let Some(text) = self.reading.texts.last_mut() {
            if !text.is_empty() && !self.glued {
                text.push(' ');
            }
            text.push_str(columns[0]);
        }
        self.reading.rows.push(columns.into_iter().map(String::from).collect());
        self.reading.tokens += 1;
        self.glued = false;
    }

    fn start(&mut self, name: &str, empty: bool, attributes: &str) {
        let found = self.attributes(name, attributes);
        let parent = self.open.last().map_or("", |open| &open.name).to_string();
        if name == "g" {
            return self.glue(empty, &parent);
        }
        if name == "gap" {
            return self.gap(empty, &parent, &found);
        }
        if name == "p" {
            self.gap_open = false;
        }
        if empty {
            return self.report(What::EmptyStructure(name.into()));
        }
        if PARENTS.iter().any(|(structure, of)| *structure == name && *of != parent) {
            self.report(What::MisNested(name.into(), parent));
        }
        match name {
            "doc" => {
                self.reading.docs += 1;
                self.reading.attributes.push(found);
            }
            "p" => {
                self.reading.paragraphs += 1;
                self.reading.texts.push(String::new());
            }
            "s" => self.reading.sentences += 1,
            _ => {}
        }
        if name != "s" {
            self.no_glue();
        }
        self.open.push(Open { name: name.into(), tokens: self.reading.tokens });
    }

    /// Glue stands between two tokens of a paragraph, in one sentence or between two.
    fn glue(&mut self, empty: bool, parent: &str) {
        let before = self.open.last().is_some_and(|open| open.tokens < self.reading.tokens);
        if !empty {
            self.report(What::Unclosed("g".into()));
        } else if !matches!(parent, "s" | "p") {
            self.report(What::MisNested("g".into(), parent.into()));
        } else if !before || self.glued {
            self.report(What::GlueAtEdge);
        }
        self.glued = true;
        self.reading.glue += 1;
    }

    /// A gap stands between two paragraphs of a document.
    fn gap(&mut self, empty: bool, parent: &str, found: &BTreeMap<String, String>) {
        let inside = self.open.last().is_some_and(|open| open.tokens < self.reading.tokens);
        let number = found.get("n").and_then(|n| n.parse::<u32>().ok()).is_some_and(|n| n > 0);
        let reasons = found.get("reason").is_some_and(|all| all.split('|').all(|reason| REASONS.contains(&reason)));
        if !empty {
            self.report(What::Unclosed("gap".into()));
        } else if parent != "doc" {
            self.report(What::MisNested("gap".into(), parent.into()));
        } else if !inside || self.gap_open || !number || !reasons {
            self.report(What::Gap);
        }
        self.gap_open = true;
        self.reading.gaps += 1;
    }

    fn no_glue(&mut self) {
        if std::mem::take(&mut self.glued) {
            self.report(What::GlueAtEdge);
        }
    }

    fn close(&mut self, name: &str) {
        self.no_glue();
        if std::mem::take(&mut self.gap_open) {
            self.report(What::Gap);
        }
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else {
            return self.report(What::NotOpen(name.into()));
        };
        for inner in self.open.split_off(at + 1).into_iter().rev() {
            self.report(What::Unclosed(inner.name));
        }
        if self.open.pop().is_some_and(|open| open.tokens == self.reading.tokens) {
            self.report(What::EmptyStructure(name.into()));
        }
    }

    /// ` key="value"`, ` key='value'`, ` key=value`; inside quotes a backslash escapes that quote and itself.
    fn attributes(&mut self, structure: &str, text: &str) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        let mut rest = text;
        while !rest.trim_start_matches(' ').is_empty() {
            let Some((key, value, after)) = attribute(rest) else {
                self.report(What::Malformed);
                break;
            };
            rest = after;
            let full = format!("{structure}.{key}");
            if !self.registry.structures[structure].contains(&key) {
                self.report(What::UndeclaredAttribute(full.clone()));
            }
            if value.is_empty() {
                self.report(What::EmptyValue(full.clone()));
            }
            if value.trim_matches(' ') != value {
                self.report(What::Blanks);
            }
            if value.len() > LONGEST {
                self.report(What::TooLong);
            }
            self.present.insert(full.clone());
            if found.insert(key, value).is_some() {
                self.report(What::Twice(full));
            }
        }
        for id in &self.registry.unique {
            let Some(key) = id.strip_prefix(structure).and_then(|rest| rest.strip_prefix('.')) else { continue };
            let value = found.get(key).map_or("===NONE===", String::as_str).to_string();
            if !self.ids.insert(format!("{id}={value}")) {
                self.report(What::DuplicateId(value));
            }
        }
        found
    }
}

struct Tag<'l> {
    name: String,
    close: bool,
    empty: bool,
    attributes: &'l str,
}

/// A line that encodevert takes for a structure: `^</?(declared names)( +…)?/?>[ TAB]*$`.
fn tag<'l>(line: &'l str, declared: &BTreeMap<String, BTreeSet<String>>) -> Option<Tag<'l>> {
    let tag = parse(line.trim_end_matches([' ', '\t']))?;
    declared.contains_key(&tag.name).then_some(tag)
}

fn parse(line: &str) -> Option<Tag<'_>> {
    let inner = line.strip_prefix('<')?.strip_suffix('>')?;
    let (inner, close) = inner.strip_prefix('/').map_or((inner, false), |inner| (inner, true));
    let (inner, empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
    let name = inner.split(' ').next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| Tag { name: name.into(), close, empty, attributes: &inner[name.len()..] })
}

/// What a word is that a reader could take for markup.
fn like_structure(word: &str) -> Option<What> {
    if let Some(tag) = parse(word) {
        return Some(What::UndeclaredStructure(tag.name));
    }
    let rest = word.strip_prefix('<')?;
    let markup = rest.starts_with(|c: char| c.is_ascii_alphabetic() || "_/!?".contains(c));
    let spaced = rest.starts_with(' ') && rest.ends_with('>');
    (markup || spaced).then_some(What::LooksLikeStructure)
}

/// Key, value and what follows.
fn attribute(text: &str) -> Option<(String, String, &str)> {
    let text = text.strip_prefix(' ')?.trim_start_matches(' ');
    let (key, rest) = text.split_once('=')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if key.is_empty() || key.len() > 79 || !key.chars().all(is_word) {
        return None;
    }
    let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        return (end > 0).then(|| (key.into(), rest[..end].into(), &rest[end..]));
    };
    let mut value = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some((_, next))) if *next == quote || *next == '\\' => value.push(chars.next()?.1),
            (c, _) if c == quote => return Some((key.into(), value, &rest[at + 1..])),
            (c, _) => value.push(c),
        }
    }
    None
}
