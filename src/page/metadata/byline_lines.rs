//! Lines → the part that names authors, by the words that announce it.

use super::dates;
use super::phrases::DatePhrases;
use crate::page::byline_words::{
    ANNOUNCE, BYLINE_LEADS, CJK_LABELS, INSIDE, LABELS, LEAD_MARKS, REPORTER, SUBMITTED, behind_label,
};

/// Words shorter than this begin names too (`Na`), in bytes.
const MIN_LEAD: usize = 6;
/// Words that are names of persons (`Na Hong Jin`, `Oleh Sentsov`): a mark has to follow.
const ALSO_NAMES: [&str; 6] = ["na", "nga", "ngu", "oleh", "yazan", "daga"];

/// What stands after the words that announce an author at the start of a line.
pub(super) fn announced(line: &str) -> Option<&str> {
    if let Some(names) = labelled_cjk(line).or_else(|| behind_label(line)) {
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

/// What stands behind the words that announce the names in an element that is marked as a byline; the line if there are none.
pub(super) fn behind_lead(line: &str) -> &str {
    // `（文／山田太郎）`
    let inner = line.trim_start_matches(['（', '【', '〔', '［']);
    // The longest words leave least.
    BYLINE_LEADS
        .iter()
        .chain(LABELS)
        .filter_map(|lead| behind(inner, lead))
        .min_by_key(|rest| rest.len())
        .unwrap_or(line)
}

/// What stands behind words in lower case at the start of a line, and behind a mark or a blank. Two words have to follow a
/// short word and a blank; the word for a writer in Chinese and Japanese needs neither, and [`ALSO_NAMES`] need a mark.
fn behind<'l>(line: &'l str, lead: &str) -> Option<&'l str> {
    let mut rest = line.chars();
    if !lead.chars().all(|wanted| rest.next().and_then(|c| c.to_lowercase().next()) == Some(wanted)) {
        return None;
    }
    let rest = rest.as_str();
    let blank = rest.starts_with(char::is_whitespace);
    let is_mark = |c: char| LEAD_MARKS.contains(&c) || blank && "-–—".contains(c);
    let marked = rest.trim_start();
    let names = marked.trim_start_matches(is_mark).trim_start();
    let is_long = !ALSO_NAMES.contains(&lead) && (lead.len() >= MIN_LEAD || names.contains(char::is_whitespace));
    let is_lead = names.len() < marked.len() || lead.ends_with([' ', '者']) || blank && is_long;
    (is_lead && !names.is_empty()).then_some(names)
}

/// What stands between a Chinese or Japanese label of authors and the next label, or before the Korean word for reporter:
/// `来源：新华网 作者：王小明 编辑：李四`, `홍길동 기자`.
fn labelled_cjk(line: &str) -> Option<&str> {
    if line.is_ascii() {
        return None;
    }
    let before_reporter = |at: usize| {
        let (name, behind) = line.split_at_checked(at)?;
        let behind = behind.get(REPORTER.len()..)?;
        let goes_on = behind.trim_start().starts_with(char::is_alphabetic);
        let is_address = || behind.split_whitespace().next().is_some_and(|word| word.contains('@'));
        let is_stamp = || behind.trim_start().starts_with("입력");
        (!goes_on || behind.starts_with(' ') && (is_address() || is_stamp())).then_some(name)
    };
    if let Some(name) = line.find(REPORTER).and_then(before_reporter) {
        // The agency stands in brackets before it.
        return name.rsplit([']', ')', '=', '|']).next().map(str::trim);
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
            || dates::parse(line).is_some()
    };
    let blanks = line.match_indices(' ').filter_map(|(at, _)| line.split_at_checked(at));
    // Most words begin as none of them does.
    let begun = blanks.filter(|(_, rest)| rest.chars().nth(1).is_some_and(|c| "abdpvyABDPVYаА".contains(c)));
    // With a capital they begin a byline behind a date or a sign: `9 May 2012 | By Jane Doe`, not `9 May 2012 Browse By Topic`.
    let begins_byline = |before: &str| {
        let last = before.rsplit(' ').next().unwrap_or_default();
        before.ends_with(|c: char| c.is_numeric() || "|•·—–-,/:)".contains(c))
            || BEFORE_CAPITALS.iter().any(|word| last.eq_ignore_ascii_case(word))
    };
    let has_colon = line.contains([':', '：', '՝']);
    let signs = line.match_indices(['|', '·', '•', '–', '—']).filter(|_| has_colon);
    let labelled =
        signs.filter_map(|(at, sign)| line.get(at + sign.len()..)).find_map(|behind| behind_label(behind.trim_start()));
    if labelled.is_some() {
        return labelled;
    }
    let mut found = begun.filter_map(|(before, rest)| {
        let (word, behind) = begin_inside(rest)?;
        (!word.contains(char::is_uppercase) || begins_byline(before.trim_end())).then_some(behind)
    });
    found.next().filter(|_| dated())
}

/// Words before a byline that begins with a capital: those behind a time, and those of publication.
const BEFORE_CAPITALS: [&str; 13] =
    ["am", "pm", "uhr", "gmt", "utc", "est", "edt", "pst", "pdt", "cet", "posted", "written", "published"];

/// Parts the words that announce an author from what stands behind them.
fn begin_inside(text: &str) -> Option<(&str, &str)> {
    let parted = |word: &&str| text.split_at_checked(word.len()).filter(|(head, _)| is_lowercased(head, word));
    INSIDE.iter().find_map(parted)
}

/// Whether a text is another one, which is in lower case, in any case.
fn is_lowercased(text: &str, lower: &str) -> bool {
    text.chars().flat_map(char::to_lowercase).eq(lower.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lead_of_a_byline_is_found() {
        for lead in BYLINE_LEADS.iter().chain(LABELS) {
            assert_eq!(behind_lead(&format!("{lead}: Jane Doe")), "Jane Doe", "{lead}");
            let without_mark = format!("{lead} Jane Doe");
            let names = if ALSO_NAMES.contains(lead) { without_mark.as_str() } else { "Jane Doe" };
            assert_eq!(behind_lead(&without_mark), names, "{lead}");
        }
    }

    #[test]
    fn leads_of_bylines_go() {
        for (line, names) in [
            ("بقلم محمد عبد الرحمن", "محمد عبد الرحمن"),
            ("كتب - أحمد سالم", "أحمد سالم"),
            ("מאת דוד לוי", "דוד לוי"),
            ("โดย สมชาย ใจดี", "สมชาย ใจดี"),
            ("ጸሐፊ፦ አበበ በቀለ", "አበበ በቀለ"),
            ("Հեղինակ՝ Արմեն Պետրոսյան", "Արմեն Պետրոսյան"),
            ("文/王小明", "王小明"),
            ("本报记者 王小明", "王小明"),
            ("記者林志明／台北報導", "林志明／台北報導"),
            ("（取材・文／山田 太郎）", "山田 太郎）"),
            ("글 김민수", "김민수"),
            ("글·사진 김민수", "김민수"),
            ("NAPISAŁ(A) Łukasz Żółty", "Łukasz Żółty"),
            ("Γράφει ο Γιώργος Παπαδόπουλος", "Γιώργος Παπαδόπουλος"),
            ("Imeandikwa na Juma Hassan", "Juma Hassan"),
            ("Na: Juma Hassan", "Juma Hassan"),
        ] {
            assert_eq!(behind_lead(line), names, "{line}");
        }
        for line in [
            "Na Hong Jin",
            "Oleh Valeriyovych Sentsov",
            "Na-Young Kim",
            "Nathan Young Lee",
            "Oleh",
            "Napsal(a)",
            "文在寅",
            "（王小明）",
            "",
        ] {
            assert_eq!(behind_lead(line), line);
        }
    }
}
