//! CoNLL-U: a line of ten columns per word, comments for what is known about document, paragraph and sentence.
//! Words without a tagger have form and MISC only; trees are never invented, so the official validator accepts such
//! files at its level 1, and what it asks of comments and spaces at level 2.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::dates;
use super::text::{Column, Sentence, Text};

/// Sources of the columns LEMMA, UPOS, XPOS and FEATS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns([Column; 4]);

impl Columns {
    /// From the tagger's columns `lemma`, `upos`, `xpos` (or `tag`) and `feats`.
    pub fn of<S: AsRef<str>>(tagger: &[S]) -> Columns {
        let column = |name| Column::of(name, tagger);
        let xpos = if column("xpos") == Column::Empty { column("tag") } else { column("xpos") };
        Columns([column("lemma"), column("upos"), xpos, column("feats")])
    }
}

/// Appends one document; nothing if it has no sentences. Identifiers are the document's key, `KEY.pINDEX` and
/// `KEY.pINDEX.sN` with N from 1.
pub fn document(out: &mut String, text: &Text<'_>, columns: &Columns) {
    let key = text.document.doc;
    let mut begun = false;
    for paragraph in &text.paragraphs {
        let id = format!("{key}.p{}", paragraph.row.index);
        for (n, sentence) in paragraph.sentences.iter().enumerate() {
            if !begun {
                about(out, text);
                begun = true;
            }
            if n == 0 {
                comment(out, "newpar id", &id);
            }
            comment(out, "sent_id", &format!("{id}.s{}", n + 1));
            let touched = paragraph.sentences.get(n + 1).is_some_and(Sentence::glued);
            self::sentence(out, sentence, touched, columns);
        }
    }
}

fn about(out: &mut String, text: &Text<'_>) {
    let d = text.document;
    let published = d.published.and_then(dates::date).map(|date| date.to_string());
    comment(out, "newdoc id", &d.doc.to_string());
    comment(out, "url", &d.url);
    comment(out, "title", d.title.as_deref().unwrap_or_default());
    comment(out, "date", &published.unwrap_or_default());
    comment(out, "lang", &d.language);
}

/// A comment line; none without a value.
fn comment(out: &mut String, name: &str, value: &str) {
    let value = normal(value);
    let words: Vec<&str> =
        value.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    if !words.is_empty() {
        ["# ", name, " = ", &words.join(" "), "\n"].iter().for_each(|part| out.push_str(part));
    }
}

/// `touched`: the next sentence of the paragraph begins where this one ends.
fn sentence(out: &mut String, sentence: &Sentence<'_>, touched: bool, columns: &Columns) {
    let forms: Vec<Cow<'_, str>> = sentence.words.iter().map(|word| normal(&word.form)).collect();
    let mut glued: Vec<bool> = sentence.words.iter().skip(1).map(|word| word.glued).collect();
    let mut text = joined(&forms, &glued);
    if !text.is_ascii() && !is_nfc(&text) {
        // A word begins with a mark of the one before; apart, both are in normal form.
        glued.fill(false);
        text = joined(&forms, &glued);
    }
    ["# text = ", &text, "\n"].iter().for_each(|part| out.push_str(part));
    glued.push(touched);
    for (n, ((word, form), glued)) in sentence.words.iter().zip(&forms).zip(glued).enumerate() {
        [&(n + 1).to_string(), "\t", form].iter().for_each(|part| out.push_str(part));
        for column in columns.0 {
            let value = word.value(column);
            out.push('\t');
            out.push_str(&normal(if value.is_empty() { "_" } else { &value }));
        }
        out.push_str(if glued { "\t_\t_\t_\tSpaceAfter=No\n" } else { "\t_\t_\t_\t_\n" });
    }
    out.push('\n');
}

/// `glued`: of each form but the first, whether it touches the one before.
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

/// In normal form C, and □ for U+FFFD: the official validator cannot tell that from a broken file.
fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || (is_nfc(text) && !text.contains('\u{FFFD}')) {
        return text.into();
    }
    text.nfc().map(|c| if c == '\u{FFFD}' { '\u{25A1}' } else { c }).collect::<String>().into()
}
