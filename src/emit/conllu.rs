//! CoNLL-U: a line of ten columns per token, and comments for what is known about document, paragraph and sentence.
//!
//! Without a tagger only FORM and MISC are filled. Syntax trees are never invented, so the official validator accepts
//! such files at its level 1, and what its level 2 asks of comments and spaces holds as well.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::document_text::{ColumnSource, DocumentText, TokenizedSentence};
use super::{Create, Format, FormatError, OutputFormat, dates};

/// The format `conllu`.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "conllu",
    folder: "conllu",
    ending: |_| "conllu.gz",
    summary: "CoNLL-U",
    needs_tokens: true,
    empty_files: true,
    bytes_per_word: None,
    memory_per_byte: 18,
    document_ending: |_| None,
    job_file: None,
    create: Create::Text(|options| Box::new(Conllu { columns: AnnotationColumns::new(&options.tagger_columns) })),
};

struct Conllu {
    columns: AnnotationColumns,
}

impl Format for Conllu {
    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        document(out, text, &self.columns);
        Ok(())
    }
}

/// Sources of the columns LEMMA, UPOS, XPOS and FEATS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnnotationColumns([ColumnSource; 4]);

impl AnnotationColumns {
    /// Sources among the tagger's columns: `lemma`, `upos`, `xpos` (or `tag`) and `feats`.
    pub fn new<S: AsRef<str>>(tagger_columns: &[S]) -> AnnotationColumns {
        let source = |name| ColumnSource::by_name(name, tagger_columns);
        let xpos = if source("xpos") == ColumnSource::Missing { source("tag") } else { source("xpos") };
        AnnotationColumns([source("lemma"), source("upos"), xpos, source("feats")])
    }

    /// Whether the tagger gives one of them.
    pub fn has_any(self) -> bool {
        self.0.iter().any(|source| *source != ColumnSource::Missing)
    }
}

/// Appends one document, or nothing if it has no sentences. Identifiers are the document's key, `KEY.pINDEX` and
/// `KEY.pINDEX.sN` with N from 1.
pub fn document(out: &mut String, text: &DocumentText<'_>, columns: &AnnotationColumns) {
    let key = text.document.doc;
    let mut begun = false;
    for paragraph in &text.paragraphs {
        let id = format!("{key}.p{}", paragraph.row.index);
        let mut sentences = text.sentences(paragraph).enumerate().peekable();
        while let Some((n, sentence)) = sentences.next() {
            if !begun {
                document_comments(out, text);
                begun = true;
            }
            if n == 0 {
                comment(out, "newpar id", &id);
            }
            comment(out, "sent_id", &format!("{id}.s{}", n + 1));
            let glued_next = sentences.peek().is_some_and(|(_, next)| next.glued());
            self::sentence(out, sentence, glued_next, columns);
        }
    }
}

fn document_comments(out: &mut String, text: &DocumentText<'_>) {
    let d = text.document;
    let published = d.published.and_then(dates::date).map(|date| date.to_string());
    comment(out, "newdoc id", &d.doc.to_string());
    comment(out, "url", &d.url);
    comment(out, "title", d.title.as_deref().unwrap_or_default());
    comment(out, "date", &published.unwrap_or_default());
    comment(out, "lang", d.language.code());
}

/// Appends a comment line, or nothing without a value.
fn comment(out: &mut String, name: &str, value: &str) {
    let value = normal(value);
    let words: Vec<&str> =
        value.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    if !words.is_empty() {
        ["# ", name, " = ", &words.join(" "), "\n"].iter().for_each(|part| out.push_str(part));
    }
}

/// Appends a sentence. `glued_next`: no white space separates it from the next sentence of the paragraph.
fn sentence(out: &mut String, sentence: TokenizedSentence<'_>, glued_next: bool, columns: &AnnotationColumns) {
    let forms: Vec<Cow<'_, str>> = sentence.tokens().map(|token| normal(token.form)).collect();
    let mut glued: Vec<bool> = sentence.tokens().skip(1).map(|token| token.glued).collect();
    let mut text = joined(&forms, &glued);
    if !text.is_ascii() && !is_nfc(&text) {
        // A token begins with a mark that combines with the token before; apart, both are in normal form.
        glued.fill(false);
        text = joined(&forms, &glued);
    }
    ["# text = ", &text, "\n"].iter().for_each(|part| out.push_str(part));
    glued.push(glued_next);
    for (n, ((token, form), glued)) in sentence.tokens().zip(&forms).zip(glued).enumerate() {
        [&(n + 1).to_string(), "\t", form].iter().for_each(|part| out.push_str(part));
        for (at, column) in columns.0.into_iter().enumerate() {
            let value = token.value(column);
            let value = normal(if value.is_empty() { "_" } else { &value });
            out.push('\t');
            // Lemmas alone may have white space.
            let has_space = at > 0 && value.contains(char::is_whitespace);
            out.push_str(&if has_space { value.replace(char::is_whitespace, "_").into() } else { value });
        }
        out.push_str(if glued { "\t_\t_\t_\tSpaceAfter=No\n" } else { "\t_\t_\t_\t_\n" });
    }
    out.push('\n');
}

/// Forms joined to running text. `glued` tells of each form but the first whether no blank stands before it.
fn joined(forms: &[Cow<'_, str>], glued: &[bool]) -> String {
    let mut text = String::new();
    for (n, form) in forms.iter().enumerate() {
        if n > 0 && glued.get(n - 1) == Some(&false) {
            text.push(' ');
        }
        text.push_str(form);
    }
    text
}

/// The text in Unicode normal form C, with □ for U+FFFD, which the official validator takes for a broken file.
fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || (is_nfc(text) && !text.contains('\u{FFFD}')) {
        return text.into();
    }
    text.nfc().map(|c| if c == '\u{FFFD}' { '\u{25A1}' } else { c }).collect::<String>().into()
}
