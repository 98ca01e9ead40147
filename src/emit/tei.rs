//! TEI P5: one `teiCorpus` per file, and one `TEI` per document with its metadata in the header and its text in
//! sections, lists, tables and quotes.
//!
//! Valid by `tei_all`. Valid by the DTD of trafilatura as well, as far as that goes: it has no elements for tables,
//! code, gaps and tokens. Sentences are `seg`, except in preformatted text.

mod header;

use serde::{Deserialize, Serialize};

use super::document_text::{DocumentText, TokenizedParagraph};
use super::gaps::Gap;
use super::structure::{ContainerStack, Item, ParagraphContainer, ParagraphRole};
use super::xml::Writer;
use super::{Create, Format, FormatError, OutputFormat};
use crate::language::Language;
use crate::page::blocks::BlockKind;
use header::{header, program};

/// The format `tei`. A `teiCorpus` without documents is not valid, so a shard without documents has no file.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "tei",
    folder: "tei",
    ending: |_| "xml.gz",
    summary: "TEI P5",
    needs_tokens: true,
    empty_files: false,
    bytes_per_word: None,
    memory_per_byte: 3,
    document_ending: |options| (options.tei.files == Files::Document).then_some("xml"),
    job_file: None,
    create: Create::Text(|options| Box::new(Tei { corpus: options.corpus.clone(), options: options.tei })),
};

/// The namespace of TEI.
const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Options of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Whether `gap` stands where blocks of the page were dropped.
    pub gaps: bool,
    /// What has a file of its own.
    #[serde(default)]
    pub files: Files,
}

/// What has a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Files {
    /// A shard: a compressed `teiCorpus`.
    #[default]
    Shard,
    /// A document: a `TEI`, not compressed.
    Document,
}

impl Default for Options {
    fn default() -> Options {
        Options { gaps: true, files: Files::Shard }
    }
}

impl Options {
    pub fn is_default(&self) -> bool {
        *self == Options::default()
    }
}

struct Tei {
    corpus: String,
    options: Options,
}

impl Format for Tei {
    fn open(&mut self, out: &mut String) {
        match self.options.files {
            Files::Shard => open(out, &self.corpus),
            Files::Document => out.push_str(DECLARATION),
        }
    }

    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        document(out, text, self.options);
        Ok(())
    }

    fn close(&mut self, out: &mut String) {
        if self.options.files == Files::Shard {
            close(out);
        }
    }
}

/// Appends the beginning of a file, with the header of the corpus. The file is valid with at least one document.
pub fn open(out: &mut String, corpus: &str) {
    out.push_str(DECLARATION);
    out.push_str(&format!("<teiCorpus xmlns=\"{NAMESPACE}\">\n"));
    let mut w = Writer::new(out);
    w.start("teiHeader", &[]);
    w.start("fileDesc", &[]);
    w.start("titleStmt", &[]);
    w.element("title", &[], corpus);
    w.end();
    w.start("publicationStmt", &[]);
    w.element("p", &[], "Not published.");
    w.end();
    w.start("sourceDesc", &[]);
    w.element("p", &[], "Pages of web archives; each text names its own.");
    w.end();
    w.end();
    program(&mut w);
    w.end();
    out.push('\n');
}

/// Appends the end of a file.
pub fn close(out: &mut String) {
    out.push_str("</teiCorpus>\n");
}

/// Appends one document, with sentences if the text is tokenized; appends nothing if it has no text.
pub fn document(out: &mut String, text: &DocumentText<'_>, options: Options) {
    if text.paragraphs.is_empty() {
        return;
    }
    let d = text.document;
    let mut w = Writer::new(out);
    // The root of a file names the namespace; empty values are not written.
    let namespace = if options.files == Files::Document { NAMESPACE } else { "" };
    w.start("TEI", &[("xmlns", namespace), ("xml:id", &format!("d{}", d.doc))]);
    w.line();
    header(&mut w, d, text.labels);
    w.line();
    let lang = if d.language == Language::UNDETERMINED { "" } else { d.language.tag() };
    w.start("text", &[("xml:lang", lang)]);
    w.start("body", &[]);
    w.start("div", &[("type", "entry")]);
    w.line();
    body(&mut w, text, options);
    while w.depth() > 0 {
        w.end();
    }
    w.line();
}

fn body(w: &mut Writer<'_>, text: &DocumentText<'_>, options: Options) {
    let mut containers = ContainerStack::with_nested_tables(text.paragraphs.iter().map(|paragraph| paragraph.row));
    let next = text.paragraphs.iter().skip(1).map(|p| Some(p.row)).chain([None]);
    for (paragraph, next) in text.paragraphs.iter().zip(next) {
        let change = containers.advance(paragraph.row, next);
        (0..change.ended).for_each(|_| w.end());
        change.begun.iter().for_each(|container| begin(w, *container));
        if options.gaps && paragraph.gap.blocks > 0 {
            gap(w, &paragraph.gap);
        }
        self::paragraph(w, text, paragraph, change.role);
        w.line();
    }
}

/// Inside of the container of the paragraph behind it: lists and rows of tables have no place for it between items.
fn gap(w: &mut Writer<'_>, gap: &Gap) {
    let blocks = gap.blocks.to_string();
    w.element("gap", &[("reason", &gap.reasons(" ")), ("quantity", &blocks), ("unit", "block")], "");
    w.line();
}

fn begin(w: &mut Writer<'_>, container: ParagraphContainer) {
    match container {
        ParagraphContainer::Section(_) => w.start("div", &[]),
        ParagraphContainer::Table(_) => w.start("table", &[]),
        ParagraphContainer::Row(n) => w.start("row", &[("n", &n.to_string())]),
        ParagraphContainer::Cell(n) => w.start("cell", &[("n", &n.to_string())]),
        ParagraphContainer::List(_) => w.start("list", &[]),
        ParagraphContainer::Item(Item { number: 0, .. }) => w.start("item", &[]),
        ParagraphContainer::Item(Item { number, .. }) => w.start("item", &[("n", &number.to_string())]),
        ParagraphContainer::Quote(_) => w.start("quote", &[]),
    }
}

fn paragraph(w: &mut Writer<'_>, text: &DocumentText<'_>, paragraph: &TokenizedParagraph<'_>, role: ParagraphRole) {
    let (d, row) = (text.document, paragraph.row);
    let id = format!("d{}.p{}", d.doc, row.index);
    let lang =
        row.language.filter(|lang| *lang != d.language && *lang != Language::UNDETERMINED).map_or("", Language::tag);
    let rend = match row.kind {
        // The container says it already, or the element has no meaning.
        BlockKind::P | BlockKind::Other | BlockKind::Li | BlockKind::Td | BlockKind::Blockquote => "",
        kind => kind.name(),
    };
    let common = [("xml:id", id.as_str()), ("xml:lang", lang), ("rend", rend)];
    match role {
        ParagraphRole::SectionHeading | ParagraphRole::TableCaption => w.start("head", &common),
        ParagraphRole::InnerHeading => w.start("ab", &[&common[..], &[("type", "header")]].concat()),
        ParagraphRole::Paragraph => w.start("p", &common),
        ParagraphRole::Preformatted => {
            w.start("p", &common);
            w.start("code", &[("xml:space", "preserve")]);
            w.exact(&row.text);
            w.end();
            return w.end();
        }
    }
    content(w, text, paragraph, &id);
    w.end();
}

fn content(w: &mut Writer<'_>, text: &DocumentText<'_>, paragraph: &TokenizedParagraph<'_>, id: &str) {
    let sentences = text.sentences(paragraph);
    if sentences.len() == 0 {
        lines(w, &paragraph.row.text);
    }
    for (n, sentence) in sentences.enumerate() {
        if sentence.begins_line {
            line_break(w);
        } else if n > 0 && !sentence.glued() {
            w.blank();
        }
        w.start("seg", &[("type", "s"), ("xml:id", &format!("{id}.s{}", n + 1))]);
        // A line without letters ends no sentence.
        lines(w, sentence.text);
        w.end();
    }
}

fn lines(w: &mut Writer<'_>, text: &str) {
    for (n, line) in text.trim().lines().enumerate() {
        if n > 0 {
            line_break(w);
        }
        w.collapsed(line);
    }
}

/// The end of a line inside a paragraph, with white space for readers who leave elements out.
fn line_break(w: &mut Writer<'_>) {
    w.line();
    w.element("lb", &[], "");
}
