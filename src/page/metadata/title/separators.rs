//! A title → its parts, by the signs between the title of the text, its section and the name of the site.

/// Characters that separate title and site name when white space stands before and
/// after. A colon may follow a word directly; then it is none of them.
const SEPARATORS: [char; 17] = ['-', '|', '–', '—', '·', '•', '»', '«', '›', '‹', '>', '<', '~', '*', '⋆', '⁄', ':'];

/// Signs that separate the name of a site without white space, and parts of a sentence too.
const WEAK_SEPARATORS: [char; 3] = ['—', '－', '：'];

/// Ends of the names of Chinese and Japanese sites that few titles end with.
const SITE_ENDINGS: [&str; 27] = [
    "新华网",
    "新華網",
    "人民网",
    "人民網",
    "新闻网",
    "新聞網",
    "中新网",
    "央视网",
    "光明网",
    "环球网",
    "凤凰网",
    "中国网",
    "日报",
    "日報",
    "晚报",
    "晚報",
    "时报",
    "時報",
    "新闻",
    "新聞",
    "ニュース",
    "周刊",
    "週刊",
    "通讯社",
    "通訊社",
    "电视台",
    "電視台",
];

/// Longest such name, in characters.
const MAX_SITE_NAME: usize = 12;

/// Parts at the last separator.
pub(super) fn split_at_last(title: &str) -> Option<(&str, &str)> {
    let (at, c) = title.char_indices().rev().find(|&(at, c)| is_separator(title, at, c))?;
    around(title, at, c)
}

/// Parts at the first separator.
pub(super) fn split_at_first(title: &str) -> Option<(&str, &str)> {
    let (at, c) = title.char_indices().find(|&(at, c)| is_separator(title, at, c))?;
    around(title, at, c)
}

/// Parts at the last sign that separates the name of a site or parts of a sentence: `标题——新华网`.
pub(super) fn split_at_last_weak(title: &str) -> Option<(&str, &str)> {
    let (at, c) = title.char_indices().rev().find(|(_, c)| WEAK_SEPARATORS.contains(c))?;
    around(title, at, c)
}

/// What stands before and behind a separator, if something does.
fn around(title: &str, at: usize, c: char) -> Option<(&str, &str)> {
    // Two may stand for one: `标题--人民网`.
    let first = title.get(..at)?.trim_end_matches(c).trim();
    let last = title.get(at + c.len_utf8()..)?.trim();
    (!first.is_empty() && !last.is_empty()).then_some((first, last))
}

/// Whether the last part of a Chinese or Japanese title reads as the name of a site.
pub(super) fn reads_as_site(last: &str) -> bool {
    let is_short = last.chars().count() <= MAX_SITE_NAME && !last.contains(char::is_whitespace);
    is_short && SITE_ENDINGS.iter().any(|end| last.ends_with(end))
}

/// Scripts of China, Japan and Korea, from the radicals to Hangul, in which separators stand without spaces.
pub(super) fn is_east_asian(c: char) -> bool {
    ('\u{2e80}'..='\u{d7ff}').contains(&c)
}

/// Marks that end a sentence or a quotation in these scripts.
fn is_end_mark(c: char) -> bool {
    ('\u{ff01}'..='\u{ff60}').contains(&c) || matches!(c, '”' | '’' | '…')
}

fn is_separator(title: &str, at: usize, c: char) -> bool {
    // Most characters are letters and blanks.
    if c == ' ' || c.is_ascii_alphanumeric() {
        return false;
    }
    let before = title.get(..at).unwrap_or_default();
    let after = title.get(at + c.len_utf8()..).and_then(|after| after.chars().next());
    // The sign may be doubled; only the last of a run is looked back from.
    let behind = || before.trim_end_matches(c).chars().next_back();
    let is_wide = |c: Option<char>| c.is_some_and(is_east_asian);
    let glued = match c {
        '｜' => true,
        '|' => after != Some('|') && (is_wide(after) || is_wide(behind())),
        '-' | '_' => is_wide(after) && behind().is_some_and(|c| is_east_asian(c) || is_end_mark(c)),
        _ => false,
    };
    let spaced = || {
        SEPARATORS.contains(&c)
            && after.is_some_and(char::is_whitespace)
            && (before.ends_with(char::is_whitespace)
                || c == ':' && before.trim_end_matches(':').ends_with(char::is_whitespace))
    };
    glued || spaced()
}
