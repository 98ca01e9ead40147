//! Personal data in paragraphs: mail addresses, IP addresses, account, card and telephone numbers. Text in, byte ranges
//! or a masked text out.
//!
//! Each kind has a file that finds it by a trigger (`@`, a digit) and looks at a bounded stretch around it, so that the
//! time is linear in the text. Names and postal addresses need a model and are not found.

mod card;
mod email;
mod iban;
mod ip;
mod phone;
mod scan;

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A kind of personal data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A mail address, internationalised or written as `name [at] host`.
    #[default]
    Email,
    /// An IPv4 or IPv6 address that is globally reachable.
    Ip,
    /// An international bank account number (ISO 13616) with correct check digits.
    Iban,
    /// A telephone number that the numbering plan of its country allows.
    Phone,
    /// A payment card number (ISO 7812) with a correct check digit.
    Card,
}

impl Kind {
    /// All kinds. Where two finds overlap, the kind that comes first here wins.
    pub const ALL: [Kind; 5] = [Kind::Email, Kind::Ip, Kind::Iban, Kind::Card, Kind::Phone];

    /// The kind of a name.
    pub fn by_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The name in tables and settings.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Email => "email",
            Kind::Ip => "ip",
            Kind::Iban => "iban",
            Kind::Phone => "phone",
            Kind::Card => "card",
        }
    }

    /// What stands in place of a find. It is one token for all segmenters that keep letters and `_` together, and holds no
    /// personal data itself.
    pub fn replacement(self) -> &'static str {
        match self {
            Kind::Email => "EMAIL_ADDRESS",
            Kind::Ip => "IP_ADDRESS",
            Kind::Iban => "IBAN_NUMBER",
            Kind::Phone => "PHONE_NUMBER",
            Kind::Card => "CARD_NUMBER",
        }
    }
}

/// A find in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Byte range.
    pub range: Range<usize>,
    pub kind: Kind,
}

/// Finds personal data of some kinds in a text. The finds are in order, do not overlap and end before a line feed. `language`
/// (ISO 639-3) tells in which countries telephone numbers without a country code are sought.
pub fn find(text: &str, kinds: &[Kind], language: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for kind in Kind::ALL.into_iter().filter(|kind| kinds.contains(kind)) {
        let mut ranges = Vec::new();
        match kind {
            Kind::Email => email::find(text, &mut ranges),
            Kind::Ip => ip::find(text, &mut ranges),
            Kind::Iban => iban::find(text, &mut ranges),
            Kind::Card => card::find(text, &mut ranges),
            Kind::Phone => phone::find(text, language, &mut ranges),
        }
        add(&mut found, kind, ranges);
    }
    found
}

/// Adds the ranges of a kind that overlap no find so far. Both lists are in order.
fn add(found: &mut Vec<Span>, kind: Kind, ranges: Vec<Range<usize>>) {
    if ranges.is_empty() {
        return;
    }
    let before = std::mem::take(found);
    let mut before = before.into_iter().peekable();
    for range in ranges {
        while let Some(span) = before.next_if(|span| span.range.end <= range.start) {
            found.push(span);
        }
        let is_free = before.peek().is_none_or(|span| span.range.start >= range.end)
            && found.last().is_none_or(|last| last.range.end <= range.start);
        if is_free {
            found.push(Span { range, kind });
        }
    }
    found.extend(before);
}

/// The text with a fixed token in place of each find, set apart by a blank from what would become part of the token. The
/// ranges of `spans` become those of the tokens.
pub fn mask(text: &str, spans: &mut [Span]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut end = 0;
    for Span { range, kind } in spans {
        masked.push_str(text.get(end..range.start).unwrap_or_default());
        end = range.end;
        let beside = masked.trim_end_matches('.');
        if is_glued(beside.chars().next_back(), beside.len() < masked.len()) {
            masked.push(' ');
        }
        let start = masked.len();
        masked.push_str(kind.replacement());
        *range = start..masked.len();
        let rest = text.get(end..).unwrap_or_default();
        let beside = rest.trim_start_matches('.');
        let points = rest.len() - beside.len();
        if is_glued(beside.chars().next(), points > 0) {
            // A point ends the sentence: the blank belongs behind it.
            masked.push_str(rest.get(..points).unwrap_or_default());
            masked.push(' ');
            end += points;
        }
    }
    masked.push_str(text.get(end..).unwrap_or_default());
    masked
}

/// Whether a character beside a word can be part of the same token: `#word`, `@word`, `word-word`, `/word`. With a point
/// between them, a letter or digit can: `word.word`.
fn is_glued(beside: Option<char>, has_point: bool) -> bool {
    beside.is_some_and(|c| match has_point {
        true => c.is_alphanumeric() || c == '_',
        false => {
            !(c.is_whitespace()
                || matches!(
                    c,
                    '(' | ')' | '[' | ']' | '<' | '>' | '"' | '“' | '”' | '«' | '»' | ',' | ';' | ':' | '!' | '?'
                ))
        }
    })
}

/// Ranges in characters in place of ranges in bytes.
pub fn character_ranges(text: &str, spans: &[Span]) -> Vec<Range<u32>> {
    let (mut place, mut characters) = (0, 0);
    let mut until = |end: usize| {
        characters += text.get(place..end).unwrap_or_default().chars().count() as u32;
        place = end;
        characters
    };
    spans.iter().map(|span| until(span.range.start)..until(span.range.end)).collect()
}

#[cfg(test)]
mod tests;
