//! Which lines may be bylines, by the words that they begin with or hold.

use memchr::memchr2_iter;

use crate::page::byline_words::{ANNOUNCE, BEGINNINGS, CJK_LABELS, MAX_BYLINE, REPORTER, behind_label};

/// The words that bylines begin with. The word for a reporter and the labels in Chinese and Japanese stand elsewhere.
fn prefixes() -> impl Iterator<Item = &'static &'static str> {
    ANNOUNCE.iter().chain(&BEGINNINGS)
}

/// Whether a text begins as bylines do, or holds a label of authors.
pub fn is_byline(text: &str) -> bool {
    let is_long = || text.chars().nth(MAX_BYLINE).is_some();
    (has_prefix(text) || behind_label(text).is_some() || !text.is_ascii() && is_labelled(text)) && !is_long()
}

fn has_prefix(text: &str) -> bool {
    let begins = |prefix: &&str| {
        let mut lower = text.chars().flat_map(char::to_lowercase);
        prefix.chars().all(|c| lower.next() == Some(c))
    };
    let Some(start) = first_bits(text) else { return false };
    let seconds = STARTS.get(usize::from(start.0)).copied().unwrap_or(0);
    // Most texts begin as no prefix does, and the others as few.
    seconds & 1 << start.1 != 0 && prefixes().any(|prefix| first_bits(prefix) == Some(start) && begins(prefix))
}

/// The last five bits of the first two bytes, in which the cases of a letter are equal.
const fn first_bits(text: &str) -> Option<(u8, u8)> {
    match text.as_bytes() {
        [first, second, ..] => Some((*first & 31, *second & 31)),
        _ => None,
    }
}

/// Whether a Chinese or Japanese label stands in a text, or the Korean word for a reporter at its end.
fn is_labelled(text: &str) -> bool {
    // Each label ends with a colon: the ASCII one, or the full-width one, of which this is the last byte.
    let mut colons = memchr2_iter(b':', 0x9a, text.as_bytes());
    let is_end =
        |end: usize| text.get(..=end).is_some_and(|start| CJK_LABELS.iter().any(|label| start.ends_with(label)));
    text.trim_end().ends_with(REPORTER) || colons.any(is_end)
}

/// For the bits of each first byte of a prefix the set of those of its second bytes, one bit each.
const STARTS: [u32; 32] = {
    let mut starts = [0; 32];
    add_starts(&mut starts, &ANNOUNCE);
    add_starts(&mut starts, &BEGINNINGS);
    starts
};

#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
const fn add_starts(starts: &mut [u32; 32], mut prefixes: &[&str]) {
    while let [prefix, rest @ ..] = prefixes {
        if let Some((first, second)) = first_bits(prefix) {
            starts[first as usize] |= 1 << second;
        }
        prefixes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_announces_an_author_is_found() {
        for prefix in prefixes() {
            assert!(is_byline(&format!("{prefix}Jane Doe")), "{prefix}");
            assert!(is_byline(&format!("{}Jane Doe", prefix.to_uppercase())), "{prefix}");
        }
        for label in CJK_LABELS {
            assert!(is_byline(&format!("{label}王小明")), "{label}");
            assert!(is_byline(&format!("来源：新华网 {label}王小明 编辑：李四")), "{label}");
        }
        assert!(is_byline("[서울=뉴스] 홍길동 기자") && is_byline("홍길동 기자 "));
    }

    #[test]
    fn other_lines_are_none() {
        for text in
            ["", "B", "bystander", "The By Jane Doe", "来源：新华网", "기자 회견", "Über uns: alles", "Доклад: автор"]
        {
            assert!(!is_byline(text), "{text}");
        }
    }

    #[test]
    fn the_length_counts_characters() {
        let line = |length: usize| format!("Автор: {}", "ж".repeat(length - 7));
        assert!(is_byline(&line(MAX_BYLINE)) && !is_byline(&line(MAX_BYLINE + 1)));
    }
}
