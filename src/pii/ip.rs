//! IP addresses that are globally reachable, by the registries of special-purpose addresses (RFC 6890).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::scan::{after, before, has_word_before, is_word_after, joins, run_before, runs};

/// Characters of an address at most: six groups and an IPv4 address.
const LONGEST: usize = 45;

/// Words beside four numbers that are no address: of versions, and of parts of a text.
const VERSION: [&str; 74] = [
    "version",
    "versions",
    "v",
    "ver",
    "verze",
    "verzi",
    "verzia",
    "verzie",
    "versión",
    "versão",
    "versione",
    "versie",
    "wersja",
    "wersji",
    "версия",
    "версии",
    "версія",
    "версії",
    "verzió",
    "verzija",
    "versio",
    "versiunea",
    "sürüm",
    "build",
    "release",
    "firmware",
    "kernel",
    "section",
    "sections",
    "sec",
    "sectie",
    "sekce",
    "sekcia",
    "sekcja",
    "sezione",
    "sección",
    "secção",
    "seção",
    "sektion",
    "раздел",
    "розділ",
    "глава",
    "пункт",
    "chapter",
    "chapitre",
    "kapitel",
    "kapitola",
    "kapitoly",
    "kapitole",
    "capitolo",
    "capítulo",
    "rozdział",
    "rozdziale",
    "hoofdstuk",
    "fejezet",
    "luku",
    "bölüm",
    "paragraph",
    "paragraaf",
    "paragraf",
    "abschnitt",
    "artikel",
    "article",
    "artículo",
    "artigo",
    "articolo",
    "článek",
    "čl",
    "art",
    "punkt",
    "clause",
    "oid",
    "§",
    "bod",
];

/// Such words in scripts that part no words, and with articles in front.
const VERSION_PARTS: [&str; 8] = ["版", "第", "バージョン", "ファームウェア", "버전", "เวอร์ชัน", "الإصدار", "إصدار"];

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
    for run in runs(text, |b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':')) {
        let colons = text.get(run.clone()).unwrap_or_default().bytes().filter(|b| *b == b':').count();
        if colons >= 2 {
            found.extend(version_6(text, run));
        } else {
            found.extend(version_4(text, run));
        }
    }
}

/// The IPv4 address at the beginning of a run; a port may follow.
fn version_4(text: &str, run: Range<usize>) -> Option<Range<usize>> {
    let shown = text.get(run.clone())?;
    let address = shown.split(':').next()?.trim_end_matches('.');
    if !(7..=15).contains(&address.len()) || !address.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let range = run.start..run.start + address.len();
    let numbers = address.parse::<Ipv4Addr>().ok().filter(|address| is_global_4(*address))?.octets();
    let is_heading = text.get(..range.start)?.trim().is_empty()
        && after(text, range.end) == Some(' ')
        && numbers.iter().all(|number| *number <= HEADING);
    let stands_alone = !joins(before(text, range.start))
        && !matches!(before(text, range.start), Some('-' | '/' | '.' | ','))
        && !joins(after(text, range.end))
        && !matches!(after(text, range.end), Some('-'));
    (stands_alone && !is_heading && !is_version(text, &range)).then_some(range)
}

/// Whether a word beside four numbers says that they are a version or a section.
fn is_version(text: &str, range: &Range<usize>) -> bool {
    let begin = run_before(text, range.start, CONTEXT, |_| true);
    let context = text.get(begin..range.start).unwrap_or_default();
    has_word_before(text, range.start, CONTEXT, &VERSION)
        || is_word_after(text, range.end, &VERSION)
        || VERSION_PARTS.iter().any(|part| context.contains(part))
}

/// The IPv6 address that a run is.
fn version_6(text: &str, run: Range<usize>) -> Option<Range<usize>> {
    let shown = text.get(run.clone())?.trim_end_matches('.');
    // A colon after an address is one of the sentence.
    let shown = if shown.ends_with("::") { shown } else { shown.trim_end_matches(':') };
    let range = run.start..run.start + shown.len();
    let stands_alone = !joins(before(text, range.start)) && !joins(after(text, range.end));
    let address = (shown.len() <= LONGEST && stands_alone).then(|| shown.parse::<Ipv6Addr>().ok())??;
    is_global_6(address).then_some(range)
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
