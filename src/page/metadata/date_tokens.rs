//! Texts → numbers and words with what separates them, as dates are made of. What they mean stands in [`super::dates`].

use crate::text::char_classes::is_letter_or_mark;
use crate::text::invisible::is_invisible;
use crate::text::swar;

/// Dates stand at the start of a value; more is not looked at.
const MAX_CHARS: usize = 80;

/// A number or a word, and what separates it from the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateToken<'a> {
    /// Letters, or the digits of a number.
    pub(super) word: &'a str,
    /// The value of a number of at most 8 digits.
    pub(super) number: Option<u32>,
    /// The character between this token and the next, if there is exactly one beside white space and marks of direction.
    pub(super) separator: Option<char>,
    /// Whether the next token stands right behind this one.
    pub(super) is_joined: bool,
}

impl DateToken<'_> {
    /// The value of a number of `digits` digits.
    pub(super) fn number_of(&self, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
        self.number.filter(|_| digits.contains(&self.word.len()))
    }
}

/// The tokens of the start of a value; none if too few numbers for a date stand in it.
pub(super) fn tokens(text: &str) -> Vec<DateToken<'_>> {
    if !may_hold_date(text) {
        return Vec::new();
    }
    let text = text.trim();
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
    tokens_of(text.get(..end).unwrap_or_default())
}

/// Whether two numbers stand in a text, or one that can be a whole date: most texts hold none.
fn may_hold_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut numbers, mut digits, mut before) = (0, 0, 0);
    for at in (0..bytes.len()).step_by(8) {
        let found = swar::within(swar::load(bytes, at), b'0', b'9');
        numbers += (found & !(found << 8 | before)).count_ones();
        digits += found.count_ones();
        before = found >> 56;
        if numbers > 1 {
            return true;
        }
    }
    digits >= 8
}

pub(super) fn tokens_of(text: &str) -> Vec<DateToken<'_>> {
    let mut tokens: Vec<DateToken> = Vec::with_capacity(16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = character_class(first);
        let end = rest.find(|c| character_class(c) != class).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        if class != CharacterClass::Between {
            let number = if class == CharacterClass::Digit && word.len() <= 8 { word.parse().ok() } else { None };
            tokens.push(DateToken { word, number, separator: None, is_joined: !rest.starts_with(is_between) });
        } else if let Some(last) = tokens.last_mut() {
            // In Arabic and Hebrew, marks of direction stand around the numbers of a date.
            let mut separators = word.chars().filter(|c| !c.is_whitespace() && (c.is_ascii() || !is_invisible(*c)));
            last.separator = separators.next().filter(|_| separators.next().is_none());
        }
    }
    tokens
}

/// The classes of characters that [`tokens_of`] tells apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CharacterClass {
    Digit,
    Letter,
    Between,
}

fn is_between(c: char) -> bool {
    character_class(c) == CharacterClass::Between
}

fn character_class(c: char) -> CharacterClass {
    match c {
        '0'..='9' => CharacterClass::Digit,
        'a'..='z' | 'A'..='Z' => CharacterClass::Letter,
        '\0'..='\x7f' => CharacterClass::Between,
        '年' | '月' | '日' | '년' | '월' | '일' => CharacterClass::Between,
        c if is_letter_or_mark(c) => CharacterClass::Letter,
        _ => CharacterClass::Between,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn texts_with_too_few_numbers_are_known(text in "[0-9a \u{e9}]{0,30}|[0-9]{0,12}|a{0,20}[0-9]{7,8}a{0,5}") {
            let runs: Vec<usize> = text.split(|c: char| !c.is_ascii_digit()).map(str::len).filter(|n| *n > 0).collect();
            proptest::prop_assert_eq!(may_hold_date(&text), runs.len() > 1 || runs.iter().any(|n| *n >= 8));
        }
    }
}
