//! Vertical text for Manatee, (No)Sketch Engine and CWB: one token per line, structures on lines of their own,
//! `<doc>` ⊃ `<p>` ⊃ `<s>`, and `<g/>` between two tokens that no space separates. Where they belong to two sentences,
//! it stands between `</s>` and `<s>`.
//!
//! Manatee decodes no entities: for it tokens stand as they are, and one that could be read as a tag gets a zero-width
//! space after its `<`; in attributes `"` becomes ”, which readers that treat the file as XML accept as well. It cuts
//! blanks at the ends of values, and drops empty structures with their attributes: neither is written.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::dates;
use super::text::{Column, Paragraph, Sentence, Text, Word};
use super::xml;
use crate::document::{Document, Paragraph as Row};

/// Attributes of `<doc>`, in order.
pub const DOC_ATTRIBUTES: [&str; 23] = [
    "id",
    "url",
    "website",
    "domain",
    "tld",
    "crawl_date",
    "title",
    "author",
    "date",
    "year",
    "date_source",
    "sitename",
    "section",
    "keywords",
    "lang",
    "lang_score",
    "charset",
    "file_type",
    "license",
    "wordcount",
    "length",
    "warc_id",
    "dup_cluster",
];

/// Attributes of `<p>`, in order.
pub const P_ATTRIBUTES: [&str; 6] = ["id", "heading", "lang", "class", "cfclass", "dup"];

/// Bytes of the longest value. Manatee cuts values and tokens at 32,767, wherever that falls.
const LONGEST: usize = 32_000;

/// Who reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Escape {
    /// Manatee: tokens as they are.
    #[default]
    None,
    /// CWB (`cwb-encode -x`), Sketch Engine's import: `&amp;`, `&lt;`, `&gt;`, in attributes `&quot;`.
    Xml,
}

/// How tokens are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub escape: Escape,
    /// Positional attributes; the first is [`Column::Word`].
    pub columns: Vec<Column>,
}

/// What stands in a file: the registry needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Written {
    pub tokens: u64,
    /// Bit n: some `<doc>` has the attribute n of [`DOC_ATTRIBUTES`].
    #[serde(default, skip_serializing_if = "none")]
    pub doc: u32,
    /// The same of `<p>` and [`P_ATTRIBUTES`].
    #[serde(default, skip_serializing_if = "none")]
    pub p: u32,
}

fn none(bits: &u32) -> bool {
    *bits == 0
}

impl Written {
    /// What stands in two files together.
    pub fn and(self, other: Written) -> Written {
        Written { tokens: self.tokens + other.tokens, doc: self.doc | other.doc, p: self.p | other.p }
    }
}

/// Appends one document; nothing if it has no sentences.
pub fn document(out: &mut String, text: &Text<'_>, layout: &Layout) -> Written {
    let mut written = Written::default();
    if text.words().next().is_none() {
        return written;
    }
    written.doc = open(out, "doc", &DOC_ATTRIBUTES, &doc_values(text.document), layout.escape);
    for paragraph in text.paragraphs.iter().filter(|paragraph| !paragraph.sentences.is_empty()) {
        written = written.and(self::paragraph(out, paragraph, layout));
    }
    out.push_str("</doc>\n");
    written
}

fn paragraph(out: &mut String, paragraph: &Paragraph<'_>, layout: &Layout) -> Written {
    let p = open(out, "p", &P_ATTRIBUTES, &p_values(paragraph.row), layout.escape);
    for sentence in &paragraph.sentences {
        self::sentence(out, sentence, layout);
    }
    out.push_str("</p>\n");
    let tokens = paragraph.sentences.iter().map(|sentence| sentence.words.len() as u64).sum();
    Written { tokens, doc: 0, p }
}

fn sentence(out: &mut String, sentence: &Sentence<'_>, layout: &Layout) {
    out.push_str(if sentence.glued() { "<g/>\n<s>\n" } else { "<s>\n" });
    for (n, word) in sentence.words.iter().enumerate() {
        if n > 0 && word.glued {
            out.push_str("<g/>\n");
        }
        token(out, word, layout);
    }
    out.push_str("</s>\n");
}

fn token(out: &mut String, word: &Word<'_>, layout: &Layout) {
    for (n, column) in layout.columns.iter().enumerate() {
        if n > 0 {
            out.push('\t');
        }
        let value = word.value(*column);
        match layout.escape {
            Escape::None if n == 0 => out.push_str(cut(&guarded(&value))),
            Escape::None => out.push_str(cut(&value)),
            Escape::Xml => push_value(out, &value, |c| xml::escaped(c).filter(|_| c != '"')),
        }
    }
    out.push('\n');
}

/// A token that can be read as nothing else: no tag, comment or XML declaration.
fn guarded(token: &str) -> Cow<'_, str> {
    match token.strip_prefix('<') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '/' | '!' | '?')) => {
            format!("<\u{200B}{rest}").into()
        }
        _ => token.into(),
    }
}

fn cut(value: &str) -> &str {
    if value.len() <= LONGEST {
        value
    } else {
        value.get(..value.floor_char_boundary(LONGEST)).unwrap_or(value).trim_end()
    }
}

/// Writes a start tag and says which attributes it has.
fn open(out: &mut String, name: &str, attributes: &[&str], values: &[Cow<'_, str>], escape: Escape) -> u32 {
    let mut present = 0;
    ["<", name].iter().for_each(|part| out.push_str(part));
    for (n, (attribute, value)) in attributes.iter().zip(values).enumerate() {
        let before = out.len();
        [" ", attribute, "=\""].iter().for_each(|part| out.push_str(part));
        let begin = out.len();
        match escape {
            Escape::None => push_value(out, value, quoted),
            Escape::Xml => {
                push_value(out, value, xml::escaped);
                // Manatee would take the quote after a backslash for part of the value.
                out.truncate(begin + out.get(begin..).unwrap_or_default().trim_end_matches(['\\', ' ']).len());
            }
        }
        if out.len() == begin {
            out.truncate(before);
        } else {
            present |= 1 << n;
            out.push('"');
        }
    }
    out.push_str(">\n");
    present
}

/// Inside quotes a backslash escapes the quote and itself.
fn quoted(c: char) -> Option<&'static str> {
    match c {
        '\\' => Some("\\\\"),
        '"' => Some("\u{201D}"),
        _ => None,
    }
}

/// Appends a value: runs of white space and control characters as one blank, none at the ends, characters replaced,
/// cut before the character that would make it longer than [`LONGEST`].
fn push_value(out: &mut String, value: &str, replaced: impl Fn(char) -> Option<&'static str>) {
    let begin = out.len();
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    'value: for word in value.split(is_blank).filter(|word| !word.is_empty()) {
        let end = out.len();
        if end > begin {
            out.push(' ');
        }
        for (n, c) in word.chars().enumerate() {
            let (length, piece) = (c.len_utf8(), replaced(c));
            if out.len() - begin + piece.map_or(length, str::len) > LONGEST {
                out.truncate(if n == 0 { end } else { out.len() });
                break 'value;
            }
            match piece {
                Some(piece) => out.push_str(piece),
                None => out.push(c),
            }
        }
    }
}

fn doc_values(d: &Document) -> [Cow<'_, str>; DOC_ATTRIBUTES.len()] {
    let text = |value: &'_ Option<String>| Cow::Owned(value.clone().unwrap_or_default());
    let published = d.published.and_then(dates::date);
    let keywords = d.keywords.iter().map(|keyword| keyword.replace('|', "/").trim().to_string());
    [
        d.doc.to_string().into(),
        d.url.replace('"', "%22").into(),
        d.host.as_str().into(),
        d.domain.as_str().into(),
        d.tld.as_str().into(),
        d.captured.and_then(|us| dates::moment(us, dates::DAY)).unwrap_or_default().into(),
        text(&d.title),
        d.author.join("; ").into(),
        published.map_or(String::new(), |date| date.to_string()).into(),
        published.map_or(String::new(), |date| date.strftime("%Y").to_string()).into(),
        text(&d.published_source),
        text(&d.sitename),
        text(&d.section),
        keywords.filter(|keyword| !keyword.is_empty()).collect::<Vec<_>>().join("|").into(),
        d.language.as_str().into(),
        format!("{:.3}", d.language_score).into(),
        d.charset.as_str().into(),
        d.content_type.as_str().into(),
        text(&d.license),
        d.words.to_string().into(),
        length(d.characters).into(),
        d.record_id.as_str().into(),
        d.keeper.unwrap_or(d.doc).to_string().into(),
    ]
}

fn p_values(p: &Row) -> [Cow<'_, str>; P_ATTRIBUTES.len()] {
    let flag = |set| Cow::Borrowed(if set { "1" } else { "0" });
    [
        p.index.to_string().into(),
        flag(p.heading),
        p.language.as_deref().unwrap_or_default().into(),
        p.class.as_str().into(),
        p.context_free.as_str().into(),
        flag(p.repeated),
    ]
}

/// The order of magnitude, as the TenTen corpora name it.
fn length(characters: u32) -> &'static str {
    match characters {
        0..1_000 => "0-1k",
        1_000..10_000 => "1k-10k",
        10_000..100_000 => "10k-100k",
        100_000..1_000_000 => "100k-1M",
        _ => "1M-",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, escape: Escape) -> String {
        let mut out = String::new();
        open(&mut out, "doc", &["a"], &[text.into()], escape);
        out.strip_prefix("<doc").unwrap().strip_suffix(">\n").unwrap().to_string()
    }

    #[test]
    fn words_that_could_be_tags_are_guarded() {
        for tag in ["<s>", "</doc>", "<g/>", "<b", "<!--", "<?xml"] {
            assert_eq!(guarded(tag), tag.replacen('<', "<\u{200B}", 1));
        }
        for word in ["<", "<3", "<-", "<<", "a<b>", ">"] {
            assert_eq!(guarded(word), word);
        }
    }

    #[test]
    fn attributes_hold_one_line_without_quotes() {
        assert_eq!(value(" a\u{0}\t\u{85}b\u{A0}\n", Escape::None), " a=\"a b\"");
        assert_eq!(value("\"a\\b\" &", Escape::None), " a=\"”a\\\\b” &\"");
        assert_eq!(value("\"a\\b\" <&> \\ \\", Escape::Xml), " a=\"&quot;a\\b&quot; &lt;&amp;&gt;\"");
        assert_eq!(value(" \u{1}\n", Escape::None), "");
    }

    #[test]
    fn long_values_are_cut_before_a_character() {
        let long = |c: &str, escape| value(&c.repeat(33_000), escape).len() - " a=\"\"".len();
        assert_eq!(long("é", Escape::None), 32_000);
        assert_eq!(long("€", Escape::None), 31_998);
        assert_eq!(long("\\", Escape::None), 32_000);
        assert_eq!(long("&", Escape::Xml), 32_000);
        assert_eq!(long("\"", Escape::Xml), 31_998);
        // No blank is left at the end.
        assert_eq!(value(&format!("{} b", "a".repeat(31_999)), Escape::None).len() - 5, 31_999);
        assert_eq!(cut(&format!("{} b", "a".repeat(31_999))).len(), 31_999);
        assert_eq!(cut(&"é".repeat(20_000)).len(), 32_000);
    }

    #[test]
    fn lengths_are_orders_of_magnitude() {
        assert_eq!([999, 1_000, 9_999, 10_000, 1_000_000].map(length), ["0-1k", "1k-10k", "1k-10k", "10k-100k", "1M-"]);
    }
}
