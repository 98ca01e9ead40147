//! Lines → the part that names authors, by the words that announce it.

use super::dates;
use super::phrases::DatePhrases;
use crate::page::byline_words::{ANNOUNCE, CJK_LABELS, INSIDE, REPORTER, SUBMITTED};

/// What stands after the words that announce an author at the start of a line.
pub(super) fn announced(line: &str) -> Option<&str> {
    if let Some(names) = labelled_cjk(line) {
        return Some(names);
    }
    let first = line.chars().next()?.to_lowercase().next()?;
    if !ANNOUNCE.iter().any(|lead| lead.starts_with(first)) {
        return None;
    }
    let lower: String = line.chars().take(24).flat_map(char::to_lowercase).collect();
    let lead = ANNOUNCE.iter().filter(|lead| lower.starts_with(**lead)).max_by_key(|lead| lead.chars().count())?;
    let (at, _) = line.char_indices().nth(lead.chars().count())?;
    line.get(at..)
}

/// What stands between a Chinese or Japanese label of authors and the next label, or before the Korean word for reporter:
/// `来源：新华网 作者：王小明 编辑：李四`, `홍길동 기자`.
fn labelled_cjk(line: &str) -> Option<&str> {
    if line.is_ascii() {
        return None;
    }
    if let Some(name) = line.trim().strip_suffix(REPORTER) {
        // The agency stands in brackets before it.
        return name.rsplit([']', ')', '=']).next().map(str::trim);
    }
    let (_, rest) = CJK_LABELS.iter().find_map(|label| line.split_once(*label))?;
    let next = rest.find(['：', ':']).and_then(|colon| rest.get(..colon)?.rfind(char::is_whitespace));
    rest.get(..next.unwrap_or(rest.len()))
}

/// What stands after "by" inside a dated line: `5 March 2014, by Jane Doe`.
pub(super) fn inner(line: &str) -> Option<&str> {
    let dated = || {
        let lower = line.to_lowercase();
        DatePhrases::of(&lower).published.is_some()
            || SUBMITTED.iter().any(|word| lower.contains(word))
            || dates::parse(line, false).is_some()
    };
    let (_, behind) = INSIDE.iter().find_map(|word| line.split_once(*word))?;
    dated().then_some(behind)
}
