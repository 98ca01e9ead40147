//! Vertical text for Manatee, (No)Sketch Engine and CWB: one token per line, structures on lines
//! of their own, `<doc>` ⊃ `<p>` ⊃ `<s>`, and `<g/>` between two tokens that no space separates.
//!
//! Manatee decodes no entities, so tokens stand as they are. A token that would read as a structure
//! gets a zero-width space after its `<`; attribute values lose control characters, and `"` becomes
//! ” there, which readers that treat the file as XML accept as well.

use std::borrow::Cow;

use compact_str::{CompactString, ToCompactString};
use jiff::{Timestamp, civil::Date};

use crate::document::{Document, Paragraph};
use crate::text::segments::Segmenter;

/// Attributes of `<doc>`, in order. The registry declares the same.
pub const DOC_ATTRIBUTES: &[&str] = &[
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
    "license",
    "wordcount",
    "warc_id",
    "dup_cluster",
];

/// Attributes of `<p>`, in order.
pub const P_ATTRIBUTES: &[&str] = &["id", "heading", "lang", "class"];

/// Manatee cuts values and tokens at 32,767 bytes, wherever that falls.
const LONGEST: usize = 32_000;

/// Appends one document; nothing if none of its paragraphs has a token.
pub fn document<'a>(
    out: &mut String,
    segmenter: &Segmenter,
    document: &Document,
    paragraphs: impl IntoIterator<Item = &'a Paragraph>,
) {
    let begin = out.len();
    open(out, "doc", DOC_ATTRIBUTES, &doc_values(document));
    let empty = out.len();
    for paragraph in paragraphs {
        self::paragraph(out, segmenter, paragraph);
    }
    if out.len() == empty {
        out.truncate(begin);
    } else {
        out.push_str("</doc>\n");
    }
}

fn paragraph(out: &mut String, segmenter: &Segmenter, paragraph: &Paragraph) {
    let begin = out.len();
    open(out, "p", P_ATTRIBUTES, &p_values(paragraph));
    let empty = out.len();
    for sentence in segmenter.sentences(&paragraph.text) {
        let tokens = segmenter.tokens(&paragraph.text, sentence);
        if tokens.is_empty() {
            continue;
        }
        out.push_str("<s>\n");
        for token in tokens {
            if token.glued {
                out.push_str("<g/>\n");
            }
            push_token(out, paragraph.text.get(token.range).unwrap_or_default());
        }
        out.push_str("</s>\n");
    }
    if out.len() == empty {
        out.truncate(begin);
    } else {
        out.push_str("</p>\n");
    }
}

/// Writes a token so that it can be read as nothing else.
fn push_token(out: &mut String, token: &str) {
    let token = cut(token);
    match token.strip_prefix('<') {
        Some(rest) if !rest.is_empty() => {
            out.push('<');
            out.push('\u{200B}');
            out.push_str(rest);
        }
        _ => out.push_str(token),
    }
    out.push('\n');
}

fn open(out: &mut String, name: &str, attributes: &[&str], values: &[impl AsRef<str>]) {
    out.push('<');
    out.push_str(name);
    for (attribute, value) in attributes.iter().zip(values) {
        let value = attribute_value(value.as_ref());
        if !value.is_empty() {
            [" ", attribute, "=\"", &value, "\""].iter().for_each(|part| out.push_str(part));
        }
    }
    out.push_str(">\n");
}

fn doc_values(d: &Document) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let published = d.published.and_then(day);
    vec![
        d.doc.to_string(),
        d.url.replace('"', "%22"),
        d.host.clone(),
        d.domain.clone(),
        d.tld.clone(),
        d.captured
            .and_then(|us| Timestamp::from_microsecond(us).ok())
            .map_or(String::new(), |t| t.strftime("%Y-%m-%d").to_string()),
        text(&d.title),
        d.author.join("; "),
        published.map_or(String::new(), |date| date.to_string()),
        published.map_or(String::new(), |date| date.year().to_string()),
        text(&d.published_source),
        text(&d.sitename),
        text(&d.section),
        d.keywords.iter().map(|k| k.replace('|', "/")).collect::<Vec<_>>().join("|"),
        d.language.clone(),
        format!("{:.3}", d.language_score),
        d.charset.clone(),
        text(&d.license),
        d.words.to_string(),
        d.record_id.clone(),
        d.keeper.unwrap_or(d.doc).to_string(),
    ]
}

fn p_values(p: &Paragraph) -> [CompactString; 4] {
    let heading = if p.heading { "1" } else { "0" };
    [p.index.to_compact_string(), heading.into(), p.language.clone().unwrap_or_default(), p.class.clone()]
}

/// Days since 1970 as a date.
fn day(days: i32) -> Option<Date> {
    Date::constant(1970, 1, 1).checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

/// White space and control characters collapsed, quotes made harmless, cut at a character.
fn attribute_value(value: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\');
    if value.len() <= LONGEST && value.bytes().all(plain) {
        return value.into();
    }
    let clean: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = clean.split_whitespace().collect();
    cut(&words.join(" ").replace('\\', "\\\\").replace('"', "\u{201D}")).trim_end_matches('\\').to_string().into()
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> Paragraph {
        Paragraph {
            index: 3,
            text: text.into(),
            class: "good".into(),
            language: Some("eng".into()),
            ..Default::default()
        }
    }

    fn doc() -> Document {
        Document { doc: 7, url: "http://example.org/?q=\"a\"".into(), language: "eng".into(), ..Default::default() }
    }

    #[test]
    fn structures_tokens_and_glue() {
        let mut out = String::new();
        let d = Document { title: Some("He said \"hi\"\n\\o/".into()), published: Some(18_000), ..doc() };
        document(&mut out, &Segmenter::default(), &d, &[row("Stop! (Now.)")]);
        assert_eq!(
            out,
            "<doc id=\"7\" url=\"http://example.org/?q=%22a%22\" title=\"He said ”hi” \\\\o/\" date=\"2019-04-14\" year=\"2019\" lang=\"eng\" lang_score=\"0.000\" wordcount=\"0\" dup_cluster=\"7\">\n\
             <p id=\"3\" heading=\"0\" lang=\"eng\" class=\"good\">\n\
             <s>\nStop\n<g/>\n!\n</s>\n<s>\n(\n<g/>\nNow\n<g/>\n.\n<g/>\n)\n</s>\n</p>\n</doc>\n"
        );
    }

    #[test]
    fn page_text_is_never_read_as_structure() {
        let mut out = String::new();
        document(&mut out, &Segmenter::default(), &doc(), &[row("write <doc id=\"x\"> or </s> or <g/> &lt;p&gt;")]);
        let structures = out.lines().filter(|l| l.starts_with('<') && l.len() > 1 && *l != "<g/>").count();
        assert_eq!(structures, 6, "{out}");
        let mut token = String::new();
        push_token(&mut token, "</doc>");
        assert_eq!(token, "<\u{200B}/doc>\n");
    }

    #[test]
    fn empty_structures_are_not_written() {
        let mut out = String::new();
        document(&mut out, &Segmenter::default(), &doc(), &[row(" "), row("")]);
        assert_eq!(out, "");
    }

    #[test]
    fn long_values_are_cut_at_a_character() {
        assert_eq!(cut(&"é".repeat(20_000)).len(), 32_000);
        assert_eq!(attribute_value("a\u{0}\tb"), "a b");
    }
}
