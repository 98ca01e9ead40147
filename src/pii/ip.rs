//! IP addresses that are globally reachable, by the registries of special-purpose addresses (RFC 6890).

mod lists;

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::scan::{
    after, before, context_after, context_before, has_word_before, is_word_after, joins, parts_list, run_after,
    run_before, runs, words,
};
use lists::{CUES, SENTENCE_STARTS, SIGNS, VERSION, VERSION_PARTS};

/// Characters of an address at most: of IPv6, six groups and an IPv4 address.
const LONGEST_4: usize = 15;
const LONGEST_6: usize = 45;

/// Marks between the addresses of a row without blanks, besides those of a list.
const IN_ROWS: [char; 4] = [',', '/', '-', ':'];

/// Characters on both sides of four numbers in which a word may speak of addresses.
const NEAR: usize = 32;

/// Characters before four numbers that are looked at.
const CONTEXT: usize = 14;

/// Numbers at the beginning of a paragraph up to which four of them number a heading.
const HEADING: u8 = 30;

/// IPv4 networks that are not globally reachable, with the length of their prefixes.
const RESERVED_4: [([u8; 4], u32); 13] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([240, 0, 0, 0], 4),
];

/// Adds the byte ranges of addresses, in order.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut row: Option<Range<usize>> = None;
    for run in runs(text, |b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':')) {
        let shown = text.get(run.clone()).unwrap_or_default();
        if let Some((is_global, range)) = version_6(text, run.clone()) {
            found.extend(is_global.then_some(range));
            continue;
        }
        for numbers in runs(shown, |b| b.is_ascii_digit() || b == b'.') {
            let Some((address, range)) = version_4(text, run.start + numbers.start) else { continue };
            let begin = match &row {
                Some(row) if is_in_row(text, row.end..range.start) => row.start,
                _ => range.start,
            };
            row = Some(begin..range.end);
            found.extend(is_address(text, address, &range, begin).then_some(range));
        }
    }
}

/// Whether what stands between two times four numbers makes them a row.
fn is_in_row(text: &str, gap: Range<usize>) -> bool {
    let is_mark = gap.len() == 1 && after(text, gap.start).is_some_and(|mark| IN_ROWS.contains(&mark));
    is_mark || parts_list(text, gap)
}

/// Four numbers that begin at a place.
fn version_4(text: &str, start: usize) -> Option<(Ipv4Addr, Range<usize>)> {
    let reach = run_after(text, start, LONGEST_4 + 2, |c| c.is_ascii_digit() || c == '.');
    let address = text.get(start..reach)?.trim_end_matches('.');
    Some((address.parse().ok()?, start..start + address.len()))
}

/// Whether four numbers are a global address, by what stands beside them. `row` is where a row of such numbers begins that
/// they belong to: what stands before it speaks of all of them.
fn is_address(text: &str, address: Ipv4Addr, range: &Range<usize>, row: usize) -> bool {
    let is_heading = begins_line(text, range.start)
        && after(text, range.end) == Some(' ')
        && address.octets().iter().all(|number| *number <= HEADING);
    let ends_row = version_4(text, range.end + 1).is_none();
    let goes_on = joins(after(text, range.end)) || ends_row && after(text, range.end) == Some('-');
    let stands_alone = !(joins(before(text, row)) || is_part(text, row) || goes_on);
    is_global_4(address)
        && stands_alone
        && !is_heading
        && !is_version(text, range, row)
        && (!is_named(text, row) || has_cue(text, range, row))
}

fn begins_line(text: &str, at: usize) -> bool {
    let begin = run_before(text, at, CONTEXT, char::is_whitespace);
    begin == 0 || text.get(begin..at).is_some_and(|blanks| blanks.contains('\n'))
}

/// Whether what stands before four numbers takes them in: another number and a mark, a name and a hyphen
/// (`package-1.2.3.4`), a product and a slash (`Chrome/120.0.0.0`).
fn is_part(text: &str, start: usize) -> bool {
    let Some(mark) = before(text, start) else { return false };
    let word_end = start - mark.len_utf8();
    let word = text.get(run_before(text, word_end, CONTEXT, char::is_alphanumeric)..word_end).unwrap_or_default();
    let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let is_product = word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some_and(char::is_lowercase);
    match mark {
        '-' | '.' => true,
        '/' => is_number || is_product,
        ',' | ':' => is_number,
        _ => false,
    }
}

/// Whether a word beside four numbers, or before their row, says that they are a version or a section.
fn is_version(text: &str, range: &Range<usize>, row: usize) -> bool {
    let begin = run_before(text, row, CONTEXT, |_| true);
    let context = text.get(begin..row).unwrap_or_default();
    has_word_before(text, row, CONTEXT, &VERSION)
        || is_word_after(text, range.end, &VERSION)
        || VERSION_PARTS.iter().any(|part| context.contains(part))
        || context.trim_end().ends_with(SIGNS)
}

/// Whether a name and a blank stand before four numbers, as before the version of a program: `Skype 5.10.0.116`.
fn is_named(text: &str, row: usize) -> bool {
    let end = run_before(text, row, 2, |c| matches!(c, ' ' | '\u{A0}'));
    let begin = run_before(text, end, CONTEXT, char::is_alphanumeric);
    let word = text.get(begin..end).unwrap_or_default();
    end < row && word.contains(char::is_uppercase) && !SENTENCE_STARTS.contains(&word.to_lowercase().as_str())
}

/// Whether something near four numbers, in their sentence, says that they are an address: a word, a port or a length of a
/// prefix.
fn has_cue(text: &str, range: &Range<usize>, row: usize) -> bool {
    let (before, behind) = (context_before(text, row, NEAR), context_after(text, range.end, NEAR));
    let (before, behind) = (before.rsplit(". ").next(), behind.split(". ").next());
    let mut near = before.into_iter().chain(behind).flat_map(words);
    let has_number = matches!(after(text, range.end), Some('/' | ':'))
        && after(text, range.end + 1).is_some_and(|c| c.is_ascii_digit())
        && version_4(text, range.end + 1).is_none();
    has_number || near.any(|word| CUES.contains(&word))
}

/// The IPv6 address that a run is, and whether it is global; a label may stand before it (`IPv6:2001:…`).
fn version_6(text: &str, run: Range<usize>) -> Option<(bool, Range<usize>)> {
    let (first, rest) = text.get(run.clone())?.split_once(':')?;
    // The first group of a global address has four digits.
    let has_label = first.len() != 4 || joins(before(text, run.start));
    let starts = [Some(run.start), has_label.then_some(run.end - rest.len())];
    let addresses = starts.into_iter().flatten().filter_map(|start| {
        let shown = text.get(start..run.end)?.trim_end_matches('.');
        // A colon after an address is one of the sentence.
        let shown = if shown.ends_with("::") { shown } else { shown.trim_end_matches(':') };
        let range = start..start + shown.len();
        let stands_alone = !joins(before(text, range.start)) && !joins(after(text, range.end));
        let address = (shown.len() <= LONGEST_6 && stands_alone).then(|| shown.parse::<Ipv6Addr>().ok())??;
        Some((is_global_6(address), range))
    });
    addresses.max_by_key(|(is_global, _)| *is_global)
}

fn is_global_4(address: Ipv4Addr) -> bool {
    // Two anycast addresses of a reserved network are global.
    matches!(address.octets(), [192, 0, 0, 9 | 10])
        || !RESERVED_4.iter().any(|(network, prefix)| {
            let mask = u32::MAX << (32 - prefix);
            address.to_bits() & mask == Ipv4Addr::from(*network).to_bits()
        })
}

/// Whether an address is one of global unicast (2000::/3), and of none of its networks for other purposes.
fn is_global_6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_unicast = first & 0xe000 == 0x2000;
    let is_protocol = first == 0x2001 && second < 0x200;
    let is_documentation = first == 0x2001 && second == 0x0db8 || first == 0x3fff && second < 0x1000;
    is_unicast && !is_protocol && !is_documentation && first != 0x2002
}
