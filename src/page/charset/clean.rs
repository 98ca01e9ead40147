//! Characters that have no place in a text: what decoding leaves behind, or
//! numeric references put there. And Unicode normalisation of paragraphs.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Removes U+FEFF at the start, NUL and the other C0 controls but TAB, LF and
/// CR, the C1 controls with DEL, and noncharacters. FORM FEED becomes a space, since
/// HTML counts it as white space and words must not grow together.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{FEFF}');
    let Some(first) = first_junk(text) else {
        return Cow::Borrowed(text);
    };
    let (head, tail) = text.split_at(first);
    let mut clean = String::with_capacity(text.len());
    clean.push_str(head);
    clean.extend(tail.chars().filter_map(|c| match c {
        '\u{C}' => Some(' '),
        c if is_junk(c) => None,
        c => Some(c),
    }));
    Cow::Owned(clean)
}

/// The NFC form of a paragraph. Nearly every text has it already and is only looked at.
pub fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// Byte offset of the first character [`clean_text`] changes.
fn first_junk(text: &str) -> Option<usize> {
    text.char_indices().find(|&(_, c)| is_junk(c)).map(|(at, _)| at)
}

fn is_junk(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        ' '..='~' => false,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => true,
        '\u{FDD0}'..='\u{FDEF}' => true,
        _ => (c as u32) & 0xFFFE == 0xFFFE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_goes_and_white_space_stays() {
        assert_eq!(clean_text("\u{FEFF}a\u{0}b\u{1F}c\u{85}d\u{FFFE}e\u{1FFFF}f\u{FDD0}g"), "abcdefg");
        assert_eq!(clean_text("a\tb\nc\rd\u{C}e"), "a\tb\nc\rd e");
        assert_eq!(clean_text("a\u{200D}b\u{200C}c\u{AD}d\u{FFFD}e"), "a\u{200D}b\u{200C}c\u{AD}d\u{FFFD}e");
    }

    #[test]
    fn clean_text_is_borrowed() {
        assert!(matches!(clean_text("žluťoučký kůň"), Cow::Borrowed(_)));
        assert!(matches!(clean_text("\u{FEFF}kůň"), Cow::Borrowed("kůň")));
        assert!(matches!(clean_text(""), Cow::Borrowed("")));
    }

    #[test]
    fn nfc_composes() {
        assert_eq!(nfc("ku\u{30A}n\u{30C}"), "kůň");
        assert!(matches!(nfc("kůň"), Cow::Borrowed(_)));
        assert!(matches!(nfc("plain"), Cow::Borrowed(_)));
    }
}
