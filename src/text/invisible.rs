//! Characters that format text and are no part of its words: soft hyphens, joiners, marks of direction. The paragraphs of a
//! page have none where they make no difference; tokens and searches do without the others, too.

use std::borrow::Cow;

const VIRAMA_OF_BENGALI: char = '\u{9CD}';
const VIRAMA_OF_MALAYALAM: char = '\u{D4D}';

/// A text without invisible characters, and where its parts stand in the text it was made from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Visible {
    pub text: String,
    /// For each place behind removed characters: its offset in `text`, and how many bytes were removed before it.
    removed: Vec<(usize, usize)>,
}

impl Visible {
    /// The offset in the original text of an offset in `text`.
    pub fn original(&self, offset: usize) -> usize {
        let before = self.removed.partition_point(|&(at, _)| at <= offset);
        let last = before.checked_sub(1).and_then(|last| self.removed.get(last));
        offset + last.map_or(0, |&(_, bytes)| bytes)
    }
}

/// The text without characters that format it. What parts or joins words stays between two characters
/// beyond ASCII: joiners make a difference in the scripts of Iran and India and between emoji, and the zero-width space ends a
/// word in scripts without spaces. A non-joiner stays between an Arabic letter and a Latin one or a digit, too: Persian attaches
/// its endings with one (`CPU` and `ها`). In Malayalam and Bengali a joiner behind a virama stays at the end of a word, too: it makes
/// another letter of the consonant (Unicode, chapter 12: `ന്` with a joiner is `ൻ`, `ত্` with one `ৎ`). Linear in the length of
/// the text.
pub fn without_invisible(text: &str) -> Cow<'_, str> {
    if has_invisible(text) { visible(text).text.into() } else { text.into() }
}

/// Whether [`visible`] would change a text, or might.
pub fn has_invisible(text: &str) -> bool {
    let bytes = text.as_bytes();
    let two = |a: u8, b: u8| (a == 0xC2) & (b == 0xAD) | (a == 0xD8) & (b == 0x9C);
    let general = |c: u8| (0x8B..=0x8F).contains(&c) | (0xAA..=0xAE).contains(&c);
    let three = |a: u8, b: u8, c: u8| {
        (a == 0xE2) & ((b == 0x80) & general(c) | (b == 0x81) & (0xA0..=0xA9).contains(&c) & (c != 0xA5))
            | (a == 0xE1) & (b == 0xA0) & (c == 0x8E)
            | (a == 0xEF) & (b == 0xBB) & (c == 0xBF)
    };
    // Without an early end, which the compiler makes vector instructions of.
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let found = pairs.zip(bytes.iter().skip(2)).fold(false, |any, ((a, b), c)| any | two(*a, *b) | three(*a, *b, *c));
    found || bytes.last_chunk().is_some_and(|[a, b]| two(*a, *b))
}

/// Whether a character formats text: one that [`visible`] leaves out, anywhere or in some places.
pub fn is_invisible(c: char) -> bool {
    is_formatting(c) || parts_or_joins(c)
}

/// [`without_invisible`] with the places of what is left.
pub fn visible(text: &str) -> Visible {
    let mut out = Visible { text: String::with_capacity(text.len()), removed: Vec::new() };
    // The character before, if it is kept, and a joiner behind it whose other side is not known yet.
    let (mut last, mut joiner) = (None::<char>, None::<char>);
    for (at, c) in text.char_indices() {
        if is_formatting(c) {
            continue;
        }
        if parts_or_joins(c) {
            joiner = joiner.or(Some(c));
            continue;
        }
        let stays = |joiner: &char| {
            joins(last) && joins(Some(c)) || ends_letter(last, *joiner) || attaches_ending(last, *joiner, c)
        };
        out.text.extend(joiner.take().filter(stays));
        let gone = at - out.text.len().min(at);
        if out.removed.last().map_or(gone > 0, |&(_, before)| before != gone) {
            out.removed.push((out.text.len(), gone));
        }
        out.text.push(c);
        last = Some(c);
    }
    out.text.extend(joiner.filter(|joiner| ends_letter(last, *joiner)));
    out
}

/// Whether a joiner belongs to the letter before it.
fn ends_letter(last: Option<char>, joiner: char) -> bool {
    joiner == '\u{200D}' && matches!(last, Some(VIRAMA_OF_BENGALI | VIRAMA_OF_MALAYALAM))
}

/// Whether a non-joiner stands between an Arabic letter and a Latin one or a digit.
fn attaches_ending(last: Option<char>, joiner: char, next: char) -> bool {
    let arabic = |c: char| matches!(c, '\u{620}'..='\u{64A}' | '\u{671}'..='\u{6D3}');
    let sides =
        |last: char| last.is_ascii_alphanumeric() && arabic(next) || arabic(last) && next.is_ascii_alphanumeric();
    joiner == '\u{200C}' && last.is_some_and(sides)
}

fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace())
}

/// Zero-width space, non-joiner and joiner, and the sign that parts a last vowel from a word of Mongolian.
fn parts_or_joins(c: char) -> bool {
    matches!(c, '\u{180E}' | '\u{200B}'..='\u{200D}')
}

/// Soft hyphen, word joiner, invisible operators, byte order mark, marks of direction.
fn is_formatting(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn soft_hyphens_go_and_joiners_stay_where_they_matter() {
        for (text, expected) in [
            ("Ne\u{AD}an\u{AD}der\u{AD}ta\u{AD}ler", "Neandertaler"),
            ("over.\u{200D} Then", "over. Then"),
            ("Auf\u{200C}lage", "Auflage"),
            ("می\u{200C}خواهم", "می\u{200C}خواهم"),
            ("CPU\u{200C}ها 20\u{200C}سالگی", "CPU\u{200C}ها 20\u{200C}سالگی"),
            ("نیمه\u{200C}PC CPU\u{200D}ها .\u{200C}ها", "نیمه\u{200C}PC CPUها .ها"),
            ("👩\u{200D}👧", "👩\u{200D}👧"),
            ("\u{FEFF}\u{200E}a\u{2060}", "a"),
            ("ก\u{200B}ข", "ก\u{200B}ข"),
            ("അവന്\u{200D} പറഞ്ഞു", "അവന്\u{200D} പറഞ്ഞു"),
            ("അവന്\u{200D}", "അവന്\u{200D}"),
            ("അവന്\u{200D}\u{AD}.", "അവന്\u{200D}."),
            ("അവന്\u{200C} പറഞ്ഞു", "അവന് പറഞ്ഞു"),
            ("ಬುಷ್\u{200C}", "ಬುಷ್"),
            ("ᠰᠠᠷ\u{180E}ᠠ", "ᠰᠠᠷ\u{180E}ᠠ"),
            ("a\u{180E}b", "ab"),
            ("\u{200D}\u{200D}", ""),
            ("jan\u{200B}@example\u{AD}.org", "jan@example.org"),
        ] {
            assert_eq!(without_invisible(text), expected);
        }
        assert!(matches!(without_invisible("plain é"), Cow::Borrowed(_)));
    }

    #[test]
    fn invisible_characters_are_known_by_their_bytes() {
        for c in '\0'..=char::MAX {
            for text in [c.to_string(), format!("a{c}"), format!("é{c}’")] {
                assert_eq!(has_invisible(&text), is_invisible(c), "{c:?}");
            }
        }
    }

    proptest! {
        /// Every character that is left stands in the original where its offset says.
        #[test]
        fn offsets_lead_back(text in "[a2é\u{AD}\u{200C}\u{200D}می👩 .\u{FEFF}]{0,20}") {
            let visible = visible(&text);
            for (at, c) in visible.text.char_indices() {
                let original = visible.original(at);
                // Of several joiners in a row the first is kept.
                prop_assert!(parts_or_joins(c) || text[original..].starts_with(c), "{text:?} {at}");
            }
            prop_assert_eq!(without_invisible(&visible.text), visible.text.as_str());
        }
    }
}
