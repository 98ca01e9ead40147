//! How values reach a text: as a string of YAML, and as code or plain words of Markdown.

use crate::text::invisible::is_invisible;

/// Most characters of a value that people read.
const LONGEST: usize = 120;

/// A double-quoted scalar of YAML 1.1 and 1.2. Whatever is not a printable character of ASCII or a letter or number beyond
/// it is an escape, so that no value ends the string, and all readers read the same.
pub fn yaml(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out + "\""
}

/// A value as people read it: white space is one blank, without characters that control or format text, and cut.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let shown = word.chars().filter(|c| !c.is_control() && !is_invisible(*c) && !is_direction(*c));
        let blank = if out.is_empty() { "" } else { " " };
        for c in blank.chars().chain(shown) {
            if length == LONGEST {
                out.push('…');
                return out;
            }
            out.push(c);
            length += 1;
        }
    }
    out.trim_end().into()
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A value in a span of code of Markdown, also in a table. Nothing in it is markup: a grave accent and a vertical line,
/// which would end the span or the cell, become characters that look like them.
pub fn code(text: &str) -> String {
    let shown: String = plain(text).chars().map(stands_for).collect();
    if shown.is_empty() { "–".into() } else { format!("`{shown}`") }
}

fn stands_for(c: char) -> char {
    match c {
        '`' => 'ˋ',
        '|' => '¦',
        c => c,
    }
}

/// Words in a line of Markdown: every character that could be markup has a backslash.
pub fn words(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        if c.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    const HOSTILE: [&str; 8] = [
        "\"]\nlicense: mit\n---\n# x",
        "a`b``c|d\\",
        "<script>alert(1)</script>",
        "[x](javascript:alert(1)) ![y](https://e/z.png)",
        "\u{202E}evil\u{0}\u{85}\u{2028}\u{FEFF}\u{FFFE}",
        "*a* _b_ ~~c~~ https://e.org a@b.org &lt; &#60;",
        "| a | b |\n|---|---|",
        "\\",
    ];

    #[test]
    fn hostile_values_are_read_as_they_are() {
        for text in HOSTILE {
            let read: String = serde_saphyr::from_str(&yaml(text)).unwrap();
            assert_eq!(read, text);
        }
    }

    /// What stands in a page that a reader of Markdown makes.
    fn texts(markdown: &str) -> (String, usize) {
        let (mut text, mut cells) = (String::new(), 0);
        // Quotation marks stay as they are written.
        let options = Options::all() - Options::ENABLE_SMART_PUNCTUATION;
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(&part),
                Event::Start(Tag::TableCell) => cells += 1,
                Event::Start(Tag::Link { .. } | Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => {
                    panic!("{markdown}")
                }
                _ => {}
            }
        }
        (text, cells)
    }

    proptest! {
        #[test]
        fn no_value_is_markup(text in "\\PC*|[`|\\\\<>&*_\\[\\]()!#\n -]*") {
            prop_assert_eq!(serde_saphyr::from_str::<String>(&yaml(&text)).unwrap(), text.clone());
            let (shown, cells) = texts(&format!("| a | b |\n| --- | --- |\n| {} | 1 |\n", code(&text)));
            prop_assert_eq!(cells, 4);
            let wanted: String = plain(&text).chars().map(stands_for).collect();
            let wanted = if wanted.is_empty() { "–".to_string() } else { wanted };
            prop_assert_eq!(shown, format!("ab{wanted}1"));
            prop_assert!(!code(&text).contains('\n'));
        }
    }

    #[test]
    fn words_are_no_markup() {
        for text in HOSTILE {
            let page = format!("# {}\n", words(text));
            assert_eq!(texts(&page).0, plain(text), "{page}");
            assert_eq!(page.lines().count(), 1);
        }
        assert_eq!(plain(&"x".repeat(500)).chars().count(), LONGEST + 1);
    }
}
