//! Characters that have no place in a text: what decoding leaves behind, or
//! numeric references put there. And Unicode normalisation of paragraphs.

use std::borrow::Cow;

use memchr::memmem;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Bytes looked at in one go.
const CHUNK: usize = 64;

/// Removes U+FEFF at the start, NUL and the other C0 controls but TAB, LF and
/// CR, the C1 controls with DEL, and noncharacters. FORM FEED becomes a space, since
/// HTML counts it as white space and words must not grow together; so does VERTICAL TAB, a line break of Word.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    let text = without_marks(text);
    let Some(mut junk) = first_junk(text) else {
        return Cow::Borrowed(text);
    };
    let (mut clean, mut rest) = (String::with_capacity(text.len()), text);
    loop {
        let (before, after) = rest.split_at_checked(junk).unwrap_or((rest, ""));
        clean.push_str(before);
        let mut after = after.chars();
        if matches!(after.next(), Some('\u{B}' | '\u{C}')) {
            clean.push(' ');
        }
        rest = after.as_str();
        let Some(next) = first_junk(rest) else { break };
        junk = next;
    }
    clean.push_str(rest);
    Cow::Owned(clean)
}

/// The byte order mark.
pub(super) const MARK: char = '\u{FEFF}';

/// The text without byte order marks at its start.
pub(super) fn without_marks(text: &str) -> &str {
    text.trim_start_matches(MARK)
}

/// First byte of the UTF-8 form of U+0300, the first character that may not stand in NFC.
const FIRST_COMBINING: u8 = 0xCC;

/// First byte of the UTF-8 form of the letters of Thai and Lao, and of no letter below U+0800 or from U+1000 on.
const THAI_OR_LAO: u8 = 0xE0;
/// Two signs of Thai and Lao (nikhahit and aa) and the one (am) that they are typed for: they look the same and are equal by
/// compatibility (NFKC), but not in NFC.
const AM: [(&str, &str); 2] = [("\u{E4D}\u{E32}", "\u{E33}"), ("\u{ECD}\u{EB2}", "\u{EB3}")];

/// The NFC form of a paragraph, with the sign am of Thai and Lao in one piece. Nearly every text has it already and is only
/// looked at.
pub fn nfc(text: &str) -> Cow<'_, str> {
    let latin = text.bytes().fold(true, |latin, b| latin & (b < FIRST_COMBINING));
    if latin {
        return Cow::Borrowed(text);
    }
    let text = with_am(text);
    if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text;
    }
    Cow::Owned(text.chars().nfc().collect())
}

/// The text with one sign for the two of [`AM`].
fn with_am(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    // Other scripts pay for a look at their bytes alone.
    if !text.bytes().fold(false, |found, b| found | (b == THAI_OR_LAO)) {
        return text;
    }
    for (two, one) in AM {
        if memmem::find(text.as_bytes(), two.as_bytes()).is_some() {
            text = Cow::Owned(text.replace(two, one));
        }
    }
    text
}

/// Whether it shows at once that neither [`clean_text`] nor [`nfc`] changes anything.
pub fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |plain, b| plain & is_plain_byte(b))
}

/// Whether a text of such bytes alone is plain by [`is_plain`].
#[inline(always)]
pub fn is_plain_byte(b: u8) -> bool {
    (b < FIRST_COMBINING) & !may_begin_junk(b)
}

/// Byte offset of the first character [`clean_text`] changes.
fn first_junk(text: &str) -> Option<usize> {
    let junk_at = |at: usize| text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_junk);
    text.as_bytes().chunks(CHUNK).enumerate().find_map(|(n, chunk)| {
        // Without a branch in it the compiler makes this loop look at many bytes at once.
        if !chunk.iter().fold(false, |found, &b| found | may_begin_junk(b)) {
            return None;
        }
        let candidates = chunk.iter().enumerate().filter(|&(_, &b)| may_begin_junk(b));
        candidates.map(|(at, _)| n * CHUNK + at).find(|&at| junk_at(at))
    })
}

/// Whether the UTF-8 form of some junk character begins with this byte.
#[inline(always)]
pub(super) fn may_begin_junk(b: u8) -> bool {
    let white = (b == b'\t') | (b == b'\n') | (b == b'\r');
    ((b < 0x20) & !white) | (b == 0x7F) | (b == 0xC2) | (b >= 0xEF)
}

pub(super) fn is_junk(c: char) -> bool {
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
        assert_eq!(clean_text("a\tb\nc\rd\u{C}e\u{B}f"), "a\tb\nc\rd e f");
        assert_eq!(clean_text("a\u{200D}b\u{200C}c\u{AD}d\u{FFFD}e"), "a\u{200D}b\u{200C}c\u{AD}d\u{FFFD}e");
    }

    #[test]
    fn junk_is_found_anywhere() {
        for at in 0..200 {
            for junk in ["\u{1}", "\u{85}", "\u{FFFF}", "\u{10FFFE}"] {
                let text = format!("{}{junk}{}", "\u{A0}".repeat(at), "é😀".repeat(40));
                assert_eq!(clean_text(&text), text.replace(junk, ""));
            }
        }
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

    #[test]
    fn the_sign_am_is_in_one_piece() {
        assert_eq!(nfc("ท\u{E4D}\u{E32} น\u{E49}\u{E4D}\u{E32}"), "ท\u{E33} น\u{E49}\u{E33}");
        assert_eq!(nfc("ກ\u{ECD}\u{EB2} kůn\u{30C}"), "ກ\u{EB3} kůň");
        // Lao has nikhahit for another vowel, Pali for a nasal.
        for text in ["ກ\u{ECD}", "พุทธ\u{E4D}", "ท\u{E33}า", "हिन्दी"] {
            assert!(matches!(nfc(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
