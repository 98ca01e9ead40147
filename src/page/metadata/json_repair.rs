//! Parses JSON as pages write it: broken JSON is repaired once; where that does not help, single fields are read.

use serde_json::Value;

use crate::text::beginning;

/// Parses a script, repaired if it is broken.
pub(super) fn parse(script: &str) -> Option<Value> {
    serde_json::from_str(script).or_else(|_| serde_json::from_str(&repair(script))).ok()
}

/// Removes what JSON does not allow but pages write.
fn repair(script: &str) -> String {
    let mut repaired = String::with_capacity(script.len());
    let mut rest = unwrap_comment(script);
    let mut in_string = false;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = after;
        match c {
            '"' => {
                in_string = !in_string;
                repaired.push(c);
            }
            '\\' if in_string => rest = escape(after, &mut repaired),
            c if c.is_control() => repaired.push(' '),
            '/' if !in_string && after.starts_with('/') => rest = past(after, "\n"),
            '/' if !in_string && after.starts_with('*') => rest = past(after, "*/"),
            '}' | ']' if !in_string => {
                repaired.truncate(repaired.trim_end_matches(|c: char| c.is_whitespace() || c == ',').len());
                repaired.push(c);
            }
            c => repaired.push(c),
        }
    }
    repaired
}

/// Copies the escape whose backslash stands before `after`, if JSON knows it; gives what follows.
fn escape<'a>(after: &'a str, repaired: &mut String) -> &'a str {
    let Some(escaped) = after.chars().next() else {
        return after;
    };
    let next = after.get(ESCAPED_UNIT..).and_then(|rest| rest.strip_prefix('\\')).and_then(unit);
    match (unit(after), next) {
        (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => {
            let (pair, rest) = after.split_at_checked(2 * ESCAPED_UNIT + 1).unwrap_or((after, ""));
            repaired.push('\\');
            repaired.push_str(pair);
            return rest;
        }
        // Half of a character, where a text was cut.
        (Some(0xD800..0xE000), _) => return after.get(ESCAPED_UNIT..).unwrap_or_default(),
        _ => {}
    }
    if r#""\/bfnrtu"#.contains(escaped) {
        repaired.push('\\');
    }
    repaired.push(if escaped.is_control() { ' ' } else { escaped });
    after.get(escaped.len_utf8()..).unwrap_or_default()
}

/// Length of `uXXXX`.
const ESCAPED_UNIT: usize = 5;

/// The UTF-16 unit that `uXXXX` stands for.
fn unit(escape: &str) -> Option<u16> {
    u16::from_str_radix(escape.strip_prefix('u')?.get(..4)?, 16).ok()
}

/// What follows the next `end`; nothing if there is none.
fn past<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// Strips CDATA and HTML comment marks around the script, and a final semicolon.
fn unwrap_comment(script: &str) -> &str {
    let start = script.find(['{', '[']).unwrap_or(0);
    let head = script.get(..start).unwrap_or_default();
    // In `<![CDATA[` the first bracket is not the JSON's.
    let script = match script.split_once("<![CDATA[") {
        Some((before, inner)) if before.len() <= head.len() => inner,
        _ => script.get(start..).unwrap_or_default(),
    };
    let script = script.trim_start_matches(|c| c != '{' && c != '[').trim_end();
    let end = script.rfind("]]>").filter(|&end| script.len() - end < 12).unwrap_or(script.len());
    let script = script.get(..end).unwrap_or(script).trim_end();
    script.trim_end_matches("-->").trim_end_matches(|c: char| c.is_whitespace() || c == ';' || c == '/')
}

/// The string after `"key":`, up to the next quotation mark that is not escaped.
pub(super) fn field(script: &str, key: &str) -> Option<String> {
    let quoted = format!("\"{key}\"");
    let after = script.split_once(quoted.as_str())?.1.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = after.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    let text = beginning(after, end.min(MAX_FIELD));
    // As JSON it has all escapes undone, unless one of them is what is broken.
    let text =
        serde_json::from_str(&format!("\"{text}\"")).unwrap_or_else(|_| text.replace("\\/", "/").replace("\\\"", "\""));
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Longest value read from a broken script, in bytes.
const MAX_FIELD: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_comment_may_be_indented() {
        let script = format!("//<![CDATA[\n {{\"a\": 1}}\n{0}//]]>\n{0}", " ".repeat(20));
        assert_eq!(unwrap_comment(&script), "{\"a\": 1}");
    }

    #[test]
    fn halves_of_characters_go() {
        let script = r#"{"a": "Rain \ud83d over\udc00", "b": "\ud83d\ude00 \\ud83d \u00e9", "c": "\ud8"}"#;
        assert_eq!(
            parse(&script.replace(r#", "c": "\ud8""#, "")).unwrap(),
            serde_json::json!({"a": "Rain  over", "b": "😀 \\ud83d é"})
        );
        assert!(parse(script).is_none());
    }

    #[test]
    fn fields_are_read_from_what_is_no_json() {
        let broken = r#"{"headline" : "A \"B\" c","url":"http:\/\/x","n":"","datePublished":"2019-01-02", oops "x" }"#;
        assert!(parse(broken).is_none());
        assert_eq!(field(broken, "headline").as_deref(), Some("A \"B\" c"));
        assert_eq!(field(broken, "url").as_deref(), Some("http://x"));
        assert_eq!(field(broken, "n"), None);
        assert_eq!(field(broken, "author"), None);
        assert_eq!(field("\"a\": \"open", "a"), None);
        assert_eq!(field(r#""a": "C:\\","b": "x""#, "a").as_deref(), Some(r"C:\"));
        assert_eq!(field(r#""a": "\u0160\u00e1rka \/ \"\u00c9va\"","#, "a").as_deref(), Some("Šárka / \"Éva\""));
        // The longest value would end inside a character.
        let long = format!("\"a\": \"x{}\"", "é".repeat(MAX_FIELD));
        assert_eq!(field(&long, "a").map(|text| text.len()), Some(MAX_FIELD - 1));
    }
}
