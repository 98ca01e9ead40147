//! Lower case by the language of a text.

use std::borrow::Cow;

/// Languages whose alphabet has ı, the small letter of I, beside i, that of İ: Azerbaijani, Crimean Tatar, Gagauz, Turkish.
const WITH_DOTLESS_I: [&str; 5] = ["aze", "azj", "crh", "gag", "tur"];

/// Which letters are the small ones of I and İ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LowerCase {
    /// As Unicode has it for all languages together: i is that of I.
    #[default]
    Usual,
    /// ı is that of I, and i that of İ.
    Dotless,
}

impl LowerCase {
    /// The lower case of a language, by its ISO 639-3 code.
    pub fn of(language: &str) -> LowerCase {
        if WITH_DOTLESS_I.contains(&language) { LowerCase::Dotless } else { LowerCase::Usual }
    }

    /// Appends a text in lower case.
    pub fn push(self, text: &str, to: &mut String) {
        if self == LowerCase::Dotless && text.contains(['I', 'İ']) {
            // İ may be decomposed.
            let small = text.replace("I\u{307}", "i").replace('İ', "i").replace('I', "ı");
            to.push_str(&small.to_lowercase());
        } else if text.is_ascii() {
            to.extend(text.chars().map(|c| c.to_ascii_lowercase()));
        } else {
            to.push_str(&text.to_lowercase());
        }
    }

    /// A text in lower case. ASCII without capital letters is borrowed.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return text.into();
        }
        let mut lower = String::with_capacity(text.len());
        self.push(text, &mut lower);
        lower.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_with_a_dotless_i_keep_both_apart() {
        let lower = |language: &str, text: &str| LowerCase::of(language).text(text).into_owned();
        for language in ["tur", "aze", "azj", "crh", "gag"] {
            for (text, want) in [
                ("IŞIK", "ışık"),
                ("İstanbul", "istanbul"),
                ("I\u{307}ZMI\u{307}R", "izmir"),
                ("ILIK", "ılık"),
                ("ışık", "ışık"),
                ("Köy", "köy"),
                ("AB12", "ab12"),
                ("in 12", "in 12"),
            ] {
                assert_eq!(lower(language, text), want, "{language} {text}");
            }
        }
        for (text, want) in [("IŞIK", "işik"), ("I", "i"), ("ΟΔΟΣ", "οδος"), ("Straße", "straße")] {
            assert_eq!(lower("eng", text), want, "{text}");
        }
    }
}
