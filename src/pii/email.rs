//! Mail addresses: as they are written (RFC 5321, with the characters of RFC 6531), and as people spell them so that
//! programs do not find them: `name [at] host [dot] tld`.

use std::ops::Range;

use memchr::memchr_iter;

use super::scan::{after, before, joins, run_after, run_before};

/// Characters of a local part and of a host name at most (RFC 5321, 4.5.3.1).
const LOCAL: usize = 64;
const HOST: usize = 253;
/// Characters of a path behind a host that are looked at.
const PATH: usize = 200;

/// The last letter of the Latin blocks; letters after it are of other scripts.
const LAST_LATIN: char = '\u{24F}';

/// Words for `@` and `.` between brackets.
const AT: [&str; 10] = ["at", "@", "ät", "zavináč", "zavinac", "arobase", "arroba", "chiocciola", "małpa", "собака"];
const DOT: [&str; 10] = ["dot", ".", "punkt", "tečka", "tecka", "punto", "point", "ponto", "kropka", "точка"];

/// `@` in its full width, as Chinese and Japanese pages write it so that programs do not find it.
const WIDE_AT: &str = "＠";

/// Users of the hosts of repositories.
const REPOSITORY_USERS: [&str; 3] = ["git", "hg", "svn"];

const OPENING: [char; 4] = ['[', '(', '{', '<'];

/// Adds the byte ranges of mail addresses, in order.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut ranges: Vec<Range<usize>> =
        memchr_iter(b'@', text.as_bytes()).filter_map(|at| written(text, at..at + 1)).collect();
    if !text.is_ascii() {
        let wide = memchr::memmem::find_iter(text.as_bytes(), WIDE_AT);
        ranges.extend(wide.filter_map(|at| written(text, at..at + WIDE_AT.len())));
    }
    for opening in OPENING {
        let openings = memchr_iter(opening as u8, text.as_bytes());
        ranges.extend(openings.filter_map(|at| bracketed(text, at)));
    }
    ranges.extend(spelled_out(text));
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    for range in ranges {
        let taken = found.last().map_or(0, |last| last.end);
        found.extend(behind(text, range, taken));
    }
}

/// An address, or what is left of it behind another one that ends at `taken`: `a@example.org+b@example.org`.
fn behind(text: &str, range: Range<usize>, taken: usize) -> Option<Range<usize>> {
    if taken <= range.start {
        return Some(range);
    }
    let own = text.get(taken..range.end)?.trim_start_matches(['.', '_', '%', '+', '-', '\'']);
    own.starts_with(char::is_alphanumeric).then(|| range.end - own.len()..range.end)
}

/// The address around an `@`. The points of its host may be spelled.
fn written(text: &str, at: Range<usize>) -> Option<Range<usize>> {
    let start = local(text, at.start)?;
    let host = |spelled| host(text, at.end, spelled);
    let end = address_literal(text, at.end).or_else(|| host(false)).or_else(|| host(true))?;
    (!is_place_of_files(text, start..at.start, end)).then_some(start..end)
}

/// Whether a user and a host that ends at a place are a place of files: `git@host:path`, and not `name@host:secret`.
fn is_place_of_files(text: &str, user: Range<usize>, end: usize) -> bool {
    if after(text, end) != Some(':') || !after(text, end + 1).is_some_and(char::is_alphanumeric) {
        return false;
    }
    let path = text.get(end..run_after(text, end, PATH, |c| !c.is_whitespace())).unwrap_or_default();
    text.get(user).is_some_and(|user| REPOSITORY_USERS.contains(&user)) || path.contains(".git")
}

/// An address whose `@` is a word between brackets that open at `opening`.
fn bracketed(text: &str, opening: usize) -> Option<Range<usize>> {
    let host_start = after_word(text, opening, &AT)?;
    let mut start = local(text, run_before(text, opening, 2, |c| c == ' '))?;
    // A name can have spelled points, too: jan [dot] novak [at] …
    for _ in 0..3 {
        let Some(end) = before_dot(text, start) else { break };
        let Some(earlier) = local(text, end) else { break };
        start = earlier;
    }
    Some(start..host(text, host_start, true)?)
}

/// Addresses such as `name AT host DOT org`.
fn spelled_out(text: &str) -> impl Iterator<Item = Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), " AT ").filter_map(move |at| {
        let start = local(text, at)?;
        let end = host(text, at + 4, true)?;
        text.get(at + 4..end)?.contains(" DOT ").then_some(start..end)
    })
}

/// Where the local part begins that ends at a place: letters, digits and points, no punctuation at its ends.
fn local(text: &str, end: usize) -> Option<usize> {
    let last = before(text, end)?;
    if !last.is_alphanumeric() && !matches!(last, '_' | '-' | '+') {
        return None;
    }
    // Scripts without blanks lean on an address: 请联系info@example.org.
    let is_latin = last <= LAST_LATIN;
    let is_part = |c: char| {
        (c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-' | '\'')) && (c <= LAST_LATIN || !is_latin)
    };
    let start = run_before(text, end, LOCAL + 1, is_part);
    if text.get(start..end)?.chars().count() > LOCAL {
        return None;
    }
    let trimmed = text.get(start..end)?.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '_');
    (!trimmed.is_empty() && !trimmed.contains("..")).then_some(end - trimmed.len())
}

/// Where a host name ends that begins at a place. With `spelled`, its points may be words.
fn host(text: &str, start: usize, spelled: bool) -> Option<usize> {
    let start = if spelled { run_after(text, start, 2, |c| c == ' ') } else { start };
    let is_latin = after(text, start)? <= LAST_LATIN;
    let mut labels: Vec<(usize, String)> = Vec::new();
    let mut place = start;
    while labels.len() < 10 && place - start < HOST {
        let is_part = |c: char| (c.is_alphanumeric() || c == '-') && (c <= LAST_LATIN || !is_latin);
        let end = run_after(text, place, 63, is_part);
        let label = text.get(place..end)?.trim_end_matches('-');
        if label.is_empty() || label.starts_with('-') {
            break;
        }
        let label_end = place + label.len();
        labels.push((label_end, label.to_lowercase()));
        let Some(next) = after_point(text, label_end, spelled) else { break };
        place = next;
    }
    // A point may end the sentence, with the next one close behind it.
    while labels.len() >= 2 {
        let name: Vec<&str> = labels.iter().map(|(_, label)| label.as_str()).collect();
        if has_known_suffix(&name.join(".")) {
            return labels.last().map(|(end, _)| *end).filter(|end| !goes_on(text, *end));
        }
        labels.pop();
    }
    None
}

/// Whether a name goes on behind a place. A line under it is emphasis (`_a@b.org_`) if nothing follows it.
fn goes_on(text: &str, at: usize) -> bool {
    let next = run_after(text, at, 3, |c| c == '_');
    after(text, next).is_some_and(|c| joins(Some(c)) && c <= LAST_LATIN)
}

/// Whether the name ends in a suffix of the Public Suffix List.
fn has_known_suffix(name: &str) -> bool {
    psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

/// Where the next label begins after a point.
fn after_point(text: &str, at: usize, spelled: bool) -> Option<usize> {
    match after(text, at)? {
        '.' | '。' => Some(at + after(text, at)?.len_utf8()),
        _ if !spelled => None,
        _ => {
            let opening = run_after(text, at, 2, |c| c == ' ');
            let word = text.get(opening..)?;
            if opening > at && word.starts_with("DOT ") {
                return Some(opening + 4);
            }
            let next = after_word(text, opening, &DOT)?;
            Some(run_after(text, next, 2, |c| c == ' '))
        }
    }
}

/// The end of a part of a name before a point between brackets that stands before `at`.
fn before_dot(text: &str, at: usize) -> Option<usize> {
    let closing = run_before(text, at, 2, |c| c == ' ');
    let begin = run_before(text, closing, 12, |c| !OPENING.contains(&c));
    let opening = begin.checked_sub(1)?;
    (after_word(text, opening, &DOT)? == closing).then(|| run_before(text, opening, 2, |c| c == ' '))
}

/// Where a word between brackets ends that open at a place.
fn after_word(text: &str, opening: usize, words: &[&str]) -> Option<usize> {
    let close = match after(text, opening)? {
        '[' => ']',
        '(' => ')',
        '{' => '}',
        '<' => '>',
        _ => return None,
    };
    let end = run_after(text, opening + 1, 14, |c| c != close && c != '\n');
    let word = text.get(opening + 1..end)?.trim().to_lowercase();
    (after(text, end) == Some(close) && words.contains(&word.as_str())).then_some(end + 1)
}

/// Where an address such as `[192.0.2.1]` ends that begins at a place.
fn address_literal(text: &str, start: usize) -> Option<usize> {
    let inside = text.get(start..)?.strip_prefix('[')?;
    let end = run_after(inside, 0, 45, |c| c != ']');
    let address = inside.get(..end)?.trim_start_matches("IPv6:");
    address.parse::<std::net::IpAddr>().ok()?;
    (after(inside, end) == Some(']')).then_some(start + 1 + end + 1)
}
