//! Digits of other scripts as ASCII digits.

use std::borrow::Cow;

use super::han_numerals::with_ascii_numbers;

/// Zero in the scripts whose digits dates are written with.
const ZEROS: [char; 17] = ['٠', '۰', '०', '০', '੦', '૦', '୦', '௦', '౦', '೦', '൦', '๐', '໐', '༠', '၀', '០', '０'];

/// The text with ASCII digits in place of those of other scripts, and of Han numerals in dates.
pub(super) fn with_ascii_digits(text: &str) -> Cow<'_, str> {
    let digit = |c: char| {
        let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
        ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10))
    };
    if text.is_ascii() {
        return text.into();
    }
    let has_digits = text.chars().any(|c| c.is_numeric() && digit(c).is_some());
    with_ascii_numbers(if has_digits { text.chars().map(|c| digit(c).unwrap_or(c)).collect() } else { text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_scripts_are_read() {
        for text in [
            "٢٠١٨",
            "۲۰۱۸",
            "२०१८",
            "২০১৮",
            "੨੦੧੮",
            "૨૦૧૮",
            "୨୦୧୮",
            "௨௦௧௮",
            "౨౦౧౮",
            "೨೦೧೮",
            "൨൦൧൮",
            "๒๐๑๘",
            "໒໐໑໘",
            "༢༠༡༨",
            "၂၀၁၈",
            "២០១៨",
            "２０１８",
        ] {
            assert_eq!(with_ascii_digits(text), "2018");
        }
        for text in ["2018", "²½Ⅳ é", ""] {
            assert!(matches!(with_ascii_digits(text), Cow::Borrowed(same) if same == text));
        }
    }
}
