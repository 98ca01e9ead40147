//! Vertical text for Manatee, (No)Sketch Engine and CWB: one token per line, structures on lines of their own,
//! `<doc>` ⊃ `<p>` ⊃ `<s>`, and `<g/>` between two tokens that no space separates. If the two belong to different
//! sentences, it stands between `</s>` and `<s>`. `<gap/>` stands between two `<p>` where blocks of the page were dropped.
//!
//! Manatee decodes no entities. For it tokens are written unchanged, except that a token which could be read as a tag
//! gets a zero-width space after its `<`, and in attribute values `"` becomes ”, which readers that treat the file as
//! XML accept as well. Manatee also cuts blanks at the ends of values, and drops a `<doc>` or `<p>` without tokens with its
//! attributes: neither is written.

mod attributes;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::document_text::{ColumnSource, DocumentText, TaggedToken, TokenizedSentence};
use super::gaps::{Gap, Gaps};
use super::{Create, Format, FormatCounts, FormatError, JobFile, Languages, OutputFormat, registry, xml};
use crate::document::labels::Label;

use attributes::AttributeValue;
pub use attributes::{DOC_ATTRIBUTES, P_ATTRIBUTES, StructureAttribute};

/// The format `vertical`, with a registry file for Manatee.
pub const FORMAT: OutputFormat = OutputFormat {
    name: "vertical",
    folder: "vertical",
    ending: |_| "vert.gz",
    summary: "Vertical text for Manatee, (No)Sketch Engine and CWB, with a registry file",
    needs_tokens: true,
    empty_files: true,
    // Measured on the archives of `benches/README.md`.
    bytes_per_word: Some(3.3),
    memory_per_byte: 12,
    document_ending: |_| None,
    job_file: Some(JobFile {
        folder: "registry",
        name: |options| options.corpus.clone(),
        text: |options, counts| registry::registry(&options.corpus, &options.vertical, &options.labels, counts),
    }),
    create: Create::Text(|options| Box::new(Vertical::new(&options.vertical, &options.tagger_columns))),
};

/// Options of the format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    pub escape: Escape,
    /// Names of the positional attributes; the first is `word`.
    pub columns: Vec<String>,
    /// Whether `<gap/>` is written.
    #[serde(default, skip_serializing_if = "Gaps::is_default")]
    pub gaps: Gaps,
    /// Mail address of who answers questions about the corpus, for the registry; may be empty.
    pub maintainer: String,
    /// Address of a page about the corpus, for the registry; may be empty.
    pub info_url: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            escape: Escape::default(),
            columns: vec!["word".into()],
            gaps: Gaps::default(),
            maintainer: String::new(),
            info_url: String::new(),
        }
    }
}

/// Which program reads the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Escape {
    /// Manatee: tokens are written unchanged.
    #[default]
    None,
    /// CWB (`cwb-encode -x`) and Sketch Engine's import: `&amp;`, `&lt;`, `&gt;`, in attribute values `&quot;`.
    Xml,
}

/// How tokens are written.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenLayout {
    pub escape: Escape,
    /// Sources of the positional attributes; the first is [`ColumnSource::Form`].
    pub columns: Vec<ColumnSource>,
    /// Whether `<gap/>` is written.
    pub gaps: bool,
}

impl TokenLayout {
    /// The layout that the options ask for, given the names of the tagger's columns.
    pub fn new(options: &Options, tagger_columns: &[String]) -> TokenLayout {
        let source = |name: &String| ColumnSource::by_name(name, tagger_columns);
        let gaps = match options.gaps {
            Gaps::Auto => options.escape == Escape::None,
            Gaps::On => true,
            Gaps::Off => false,
        };
        TokenLayout { escape: options.escape, columns: options.columns.iter().map(source).collect(), gaps }
    }

    /// Tokens alone and unchanged, as taggers read them.
    pub fn untagged() -> TokenLayout {
        TokenLayout { escape: Escape::None, columns: vec![ColumnSource::Form], gaps: false }
    }
}

/// Longest value in bytes. Manatee cuts values and tokens at 32,767 bytes, even inside a character.
const MAX_VALUE: usize = 32_000;
/// Longest token in bytes for CWB, whose lexicon cuts at 4,095 bytes.
const MAX_CWB_TOKEN: usize = 4_000;

struct Vertical {
    layout: TokenLayout,
    counts: FormatCounts,
}

impl Vertical {
    fn new(options: &Options, tagger_columns: &[String]) -> Vertical {
        Vertical { layout: TokenLayout::new(options, tagger_columns), counts: FormatCounts::default() }
    }
}

impl Format for Vertical {
    fn document(&mut self, out: &mut String, text: &DocumentText<'_>) -> Result<(), FormatError> {
        self.counts += document(out, text, &self.layout);
        Ok(())
    }

    fn counts(&self) -> FormatCounts {
        self.counts
    }
}

/// Appends one document, or nothing if it has no tokens. Returns what was written.
pub fn document(out: &mut String, text: &DocumentText<'_>, layout: &TokenLayout) -> FormatCounts {
    if text.token_count() == 0 {
        return FormatCounts::default();
    }
    let doc = start_tag(out, "doc", DOC_ATTRIBUTES, text.document, text.labels, layout.escape);
    let mut counts = FormatCounts {
        tokens: text.token_count() as u64,
        doc,
        p: 0,
        gaps: 0,
        languages: Languages::One(text.document.language),
    };
    for paragraph in &text.paragraphs {
        let sentences = text.sentences(paragraph);
        if sentences.len() > 0 {
            if layout.gaps && paragraph.gap.blocks > 0 {
                counts.gaps += 1;
                gap(out, &paragraph.gap);
            }
            counts.p |= start_tag(out, "p", P_ATTRIBUTES, paragraph.row, &[], layout.escape);
            sentences.for_each(|sentence| self::sentence(out, sentence, layout));
            out.push_str("</p>\n");
        }
    }
    out.push_str("</doc>\n");
    counts
}

/// The reasons are names of ASCII letters.
fn gap(out: &mut String, gap: &Gap) {
    out.push_str("<gap n=\"");
    push_number(out, gap.blocks.into());
    out.push_str("\" reason=\"");
    out.push_str(&gap.reasons("|"));
    out.push_str("\"/>\n");
}

fn sentence(out: &mut String, sentence: TokenizedSentence<'_>, layout: &TokenLayout) {
    let plain = layout.escape == Escape::None && layout.columns == [ColumnSource::Form];
    out.push_str(if sentence.glued() { "<g/>\n<s>\n" } else { "<s>\n" });
    for (n, token) in sentence.tokens().enumerate() {
        if n > 0 && token.glued {
            out.push_str("<g/>\n");
        }
        if plain && !token.form.starts_with('<') && token.form.len() <= MAX_VALUE {
            out.push_str(token.form);
            out.push('\n');
        } else {
            self::token(out, token, layout);
        }
    }
    out.push_str("</s>\n");
}

fn token(out: &mut String, token: TaggedToken<'_>, layout: &TokenLayout) {
    for (n, column) in layout.columns.iter().enumerate() {
        if n > 0 {
            out.push('\t');
        }
        let value = token.value(*column);
        match layout.escape {
            Escape::None if n == 0 => out.push_str(cut(&guarded(&value), MAX_VALUE)),
            Escape::None => out.push_str(cut(&value, MAX_VALUE)),
            Escape::Xml => push_value(out, cut(&value, MAX_CWB_TOKEN), |c| xml::replacement(c).filter(|_| c != '"')),
        }
    }
    out.push('\n');
}

/// The token, changed if it could be read as a tag, a comment or an XML declaration.
fn guarded(token: &str) -> Cow<'_, str> {
    match token.strip_prefix('<') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '/' | '!' | '?')) => {
            format!("<\u{200B}{rest}").into()
        }
        _ => token.into(),
    }
}

/// The beginning of a value, up to `most` bytes.
fn cut(value: &str, most: usize) -> &str {
    if value.len() <= most { value } else { value.get(..value.floor_char_boundary(most)).unwrap_or(value).trim_end() }
}

/// Appends a start tag; `labels` become attributes behind the others. Bit n of the result is set if attribute n has a value.
fn start_tag<T>(
    out: &mut String,
    name: &str,
    attributes: &[StructureAttribute<T>],
    row: &T,
    labels: &[Label],
    escape: Escape,
) -> u32 {
    let mut present = 0;
    ["<", name].iter().for_each(|part| out.push_str(part));
    for (n, attribute) in attributes.iter().enumerate() {
        if push_attribute(out, attribute.name, &(attribute.value)(row), escape) {
            present |= 1 << n;
        }
    }
    for label in labels {
        push_attribute(out, &label.name, &label.value.to_string().into(), escape);
    }
    out.push_str(">\n");
    present
}

/// Appends an attribute; false if nothing is left of its value, and nothing was appended.
fn push_attribute(out: &mut String, name: &str, value: &AttributeValue<'_>, escape: Escape) -> bool {
    let before = out.len();
    [" ", name, "=\""].iter().for_each(|part| out.push_str(part));
    let begin = out.len();
    match (value, escape) {
        (AttributeValue::Plain(value), _) => out.push_str(value),
        (AttributeValue::Number(number), _) => push_number(out, *number),
        (AttributeValue::Text(value), _) if is_plain(value) => out.push_str(value),
        (AttributeValue::Text(value), Escape::None) => push_value(out, value, quoted),
        (AttributeValue::Text(value), Escape::Xml) => {
            push_value(out, value, xml::replacement);
            // Manatee would take the quote after a backslash for part of the value.
            out.truncate(begin + out.get(begin..).unwrap_or_default().trim_end_matches(['\\', ' ']).len());
        }
    }
    if out.len() == begin {
        out.truncate(before);
        return false;
    }
    out.push('"');
    true
}

/// Whether a value is one word of ASCII that [`push_value`] would append as it is.
fn is_plain(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b'&' | b'<' | b'>');
    value.len() <= MAX_VALUE && value.bytes().all(is_plain)
}

/// Appends a number in decimal digits.
fn push_number(out: &mut String, number: u64) {
    let begin = out.len();
    let mut rest = number;
    loop {
        out.insert(begin, char::from(b'0' + (rest % 10) as u8));
        rest /= 10;
        if rest == 0 {
            return;
        }
    }
}

/// The replacement of a character in a value that Manatee reads: a backslash escapes the quote and itself.
fn quoted(c: char) -> Option<&'static str> {
    match c {
        '\\' => Some("\\\\"),
        '"' => Some("\u{201D}"),
        _ => None,
    }
}

/// Appends a value in which runs of white space and control characters become one blank and none stands at the ends,
/// and characters are replaced. The value ends before the character that would make it longer than [`MAX_VALUE`].
fn push_value(out: &mut String, value: &str, replacement: impl Fn(char) -> Option<&'static str>) {
    let begin = out.len();
    let is_blank = |c: char| c.is_whitespace() || c.is_control();
    'value: for word in value.split(is_blank).filter(|word| !word.is_empty()) {
        let end = out.len();
        if end > begin {
            out.push(' ');
        }
        for (n, c) in word.chars().enumerate() {
            let (length, piece) = (c.len_utf8(), replacement(c));
            if out.len() - begin + piece.map_or(length, str::len) > MAX_VALUE {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn value(text: &str, escape: Escape) -> String {
        let mut out = String::new();
        assert_eq!(push_attribute(&mut out, "a", &text.into(), escape), !out.is_empty());
        out
    }

    #[test]
    fn tokens_that_could_be_tags_are_guarded() {
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
        assert_eq!(cut(&format!("{} b", "a".repeat(31_999)), MAX_VALUE).len(), 31_999);
        assert_eq!(cut(&"é".repeat(20_000), MAX_VALUE).len(), 32_000);
    }

    #[test]
    fn numbers_are_written_in_digits() {
        for number in [0, 9, 10, 12_345, u64::MAX] {
            let mut out = String::from("é");
            push_number(&mut out, number);
            assert_eq!(out, format!("é{number}"));
        }
    }

    #[test]
    fn attributes_are_written_by_the_table_and_counted() {
        let document = Document { doc: 7, title: Some("Ebb".into()), published: Some(18_000), ..Document::default() };
        let mut out = String::new();
        let present = start_tag(&mut out, "doc", DOC_ATTRIBUTES, &document, &[], Escape::None);
        let written =
            r#"<doc id="7" title="Ebb" date="2019-04-14" year="2019" month="2019-04" lang="und" lang_score="0.000" "#;
        assert_eq!(out, format!("{written}words=\"0\" length=\"0-1k\" cluster_size=\"0\">\n"));
        assert_eq!(present, 0b101_1000_0001_1000_0111_0100_0001);
    }
}
