//! What the standard library says of characters, from a table for all of the scripts that most text is in: asked for
//! every character of every page, its own search costs a tenth of the whole job where a text is not ASCII.

use std::sync::LazyLock;

/// Characters in the table: below kana and Han.
const TABLED: usize = 0x3000;

const ALPHABETIC: u8 = 1;
const ALPHANUMERIC: u8 = 2;
const UPPERCASE: u8 = 4;
/// It is another one in lower case, or several.
const CHANGES: u8 = 8;

static KINDS: LazyLock<Box<[u8]>> = LazyLock::new(|| (0..TABLED as u32).map(kind).collect());

fn kind(code: u32) -> u8 {
    let Some(c) = char::from_u32(code) else { return 0 };
    let bit = |is: bool, bit: u8| if is { bit } else { 0 };
    bit(c.is_alphabetic(), ALPHABETIC)
        | bit(c.is_alphanumeric(), ALPHANUMERIC)
        | bit(c.is_uppercase(), UPPERCASE)
        | bit(!c.to_lowercase().eq([c]), CHANGES)
}

#[inline]
fn has(c: char, bit: u8, otherwise: fn(char) -> bool) -> bool {
    KINDS.get(c as usize).map_or_else(|| otherwise(c), |kind| kind & bit != 0)
}

/// [`char::is_alphabetic`].
#[inline]
pub fn is_alphabetic(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { has(c, ALPHABETIC, char::is_alphabetic) }
}

/// [`char::is_alphanumeric`].
#[inline]
pub fn is_alphanumeric(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { has(c, ALPHANUMERIC, char::is_alphanumeric) }
}

/// [`char::is_uppercase`].
#[inline]
pub fn is_uppercase(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_uppercase() } else { has(c, UPPERCASE, char::is_uppercase) }
}

/// Adds [`char::to_lowercase`].
#[inline]
pub fn push_lowercase(c: char, to: &mut String) {
    if c.is_ascii() {
        to.push(c.to_ascii_lowercase());
    } else if has(c, CHANGES, |_| true) {
        to.extend(c.to_lowercase());
    } else {
        to.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_standard_library_says() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphabetic(c), c.is_alphabetic(), "{c:?}");
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_uppercase(c), c.is_uppercase(), "{c:?}");
            let mut lower = String::new();
            push_lowercase(c, &mut lower);
            assert!(lower.chars().eq(c.to_lowercase()), "{c:?}");
        }
    }
}
