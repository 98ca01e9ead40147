//! Control characters of C1, U+0080 to U+009F, in place of what Windows-1252 has for these bytes: `won\u{92}t` for `won’t`.
//!
//! They come about where Windows-1252 is read as ISO 8859, which has quotation marks and dashes nowhere. No text has a use
//! for them, so that no neighbours need to be looked at (ftfy's `fix_c1_controls`; Speer 2019,
//! doi:10.5281/zenodo.2591652).

use encoding_rs::WINDOWS_1252;

/// The text with the characters of Windows-1252; none if nothing was to be replaced. The five control characters for whose
/// bytes Windows-1252 has none stay.
pub fn without_controls(text: &str) -> Option<String> {
    let mut found = false;
    let of_windows = |c| meant(c).inspect(|_| found = true).unwrap_or(c);
    let out = text.chars().map(of_windows).collect();
    found.then_some(out)
}

/// What Windows-1252 has for the byte of a control character.
fn meant(control: char) -> Option<char> {
    let byte = u8::try_from(control).ok().filter(|byte| matches!(byte, 0x80..=0x9F))?;
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
    text.chars().next().filter(|c| !c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_characters_of_windows_1252() {
        assert_eq!(
            without_controls("won\u{92}t \u{84}so\u{93} \u{96} \u{85}\u{80}\u{9f}").as_deref(),
            Some("won’t „so“ – …€Ÿ")
        );
        assert_eq!(without_controls("a\u{9d}b \u{92}").as_deref(), Some("a\u{9d}b ’"));
        for right in ["won’t \u{a0}é\n\t\u{7f}", "\u{81}\u{8d}\u{8f}\u{90}\u{9d}", ""] {
            assert_eq!(without_controls(right), None);
        }
    }
}
