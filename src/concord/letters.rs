//! Letters: which are the same, and which make one word.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::words::is_unspaced;

/// What is the same for all characters that differ in case only: Unicode's simple case folding,
/// in the words of the standard library.
pub fn folded(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    match c {
        // Not the capital's small letter outside Turkish.
        'ı' => c,
        // Equal by Unicode 15.1, though their capitals are no single characters.
        '\u{1FD3}' => '\u{390}',
        '\u{1FE3}' => '\u{3B0}',
        '\u{FB05}' => '\u{FB06}',
        _ => {
            let capital = single(c.to_uppercase()).unwrap_or(c);
            single(capital.to_lowercase()).unwrap_or(c)
        }
    }
}

fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether two texts differ in case only.
pub fn same_text(one: &str, other: &str) -> bool {
    one.chars().map(folded).eq(other.chars().map(folded))
}

/// Whether a character of a text is meant by one that was asked for: also with the other
/// apostrophe, any white space for a space and, unless case is told apart, in the other case. Turkish
/// İ is a capital i, and I is one of ı, but never ı the same as i.
pub fn is_meant(asked: char, found: char, case: bool) -> bool {
    let alike = match asked {
        '\'' | '’' => matches!(found, '\'' | '’'),
        ' ' => found.is_whitespace(),
        'i' | 'ı' | 'I' | 'İ' if !case => turkish(asked).contains(found),
        _ => false,
    };
    alike || asked == found || !case && folded(asked) == folded(found)
}

/// All that one of the four letters can stand for.
fn turkish(asked: char) -> &'static str {
    match asked {
        'ı' => "ıI",
        'I' => "Iiı",
        'İ' => "İi",
        _ => "iIİ",
    }
}

/// A regular expression, without regard to case unless it is told apart, that finds what
/// [`is_meant`] by a character.
pub fn class(asked: char, case: bool) -> String {
    match asked {
        '\'' | '’' => "['’]".into(),
        ' ' => "\\s".into(),
        // Their cases stand in the class; folding would add what is left out.
        'i' | 'ı' | 'I' | 'İ' if !case => format!("(?-i:[{}])", turkish(asked)),
        _ => regex::escape(asked.encode_utf8(&mut [0; 4])),
    }
}

/// What Unicode calls a word character beside letters and digits: marks, joiners, underscores.
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\w").ok());

fn is_word(c: char) -> bool {
    if c.is_ascii() || c.is_alphanumeric() {
        return c.is_alphanumeric() || c == '_';
    }
    let mark = || MARK.as_ref().is_some_and(|mark| mark.is_match(c.encode_utf8(&mut [0; 4])));
    c == '\u{AD}' || mark()
}

/// Whether no word of a script with spaces goes on across this place of the text.
pub fn is_boundary(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    let ends = |c: Option<char>| c.is_none_or(|c| !is_word(c) || is_unspaced(c));
    ends(after.chars().next()) || ends(before.chars().next_back())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn all() -> impl Iterator<Item = char> {
        '\0'..=char::MAX
    }

    #[test]
    fn classes_find_what_is_meant() {
        let mut families = HashMap::<char, Vec<char>>::new();
        all().for_each(|c| families.entry(folded(c)).or_default().push(c));
        // The standard library may know letters that the crate does not yet.
        let word = Regex::new(r"^\w$").unwrap();
        let known = |c: char| !c.is_alphabetic() || word.is_match(&c.to_string());
        let special = |c: char| "'’ iıIİsßkσς1-".contains(c);
        for asked in all().filter(|&c| known(c) && (special(c) || families[&folded(c)].len() > 1)) {
            let near = [asked, ' ', '\u{A0}', '\'', '’', 'i', 'I', 'ı', 'İ', 'ſ', '\u{212A}', 'ẞ', 'σ', 'ς'];
            let cases = asked.to_lowercase().chain(asked.to_uppercase());
            let others: Vec<char> = near.into_iter().chain(cases).chain(families[&folded(asked)].clone()).collect();
            for case in [false, true] {
                let class =
                    Regex::new(&format!("^(?{}:{})$", if case { "" } else { "i" }, class(asked, case))).unwrap();
                for &found in others.iter().filter(|&&c| known(c)) {
                    let matches = class.is_match(&found.to_string());
                    assert_eq!(is_meant(asked, found, case), matches, "{asked} {found} {case}");
                }
            }
        }
    }

    #[test]
    fn turkish_letters_stay_apart() {
        assert!(is_meant('i', 'İ', false) && is_meant('ı', 'I', false) && is_meant('I', 'i', false));
        assert!(!is_meant('i', 'ı', false) && !is_meant('ı', 'i', false) && !is_meant('i', 'İ', true));
    }

    #[test]
    fn words_end_where_letters_end() {
        let ends = |text: &str| text.char_indices().map(|(at, _)| at).filter(|&at| is_boundary(text, at)).count();
        for (text, count) in [("one_2", 1), ("it's", 3), ("well-known", 3), ("e\u{301}a", 1), ("東京", 2), ("AI東", 2)]
        {
            assert_eq!(ends(text), count, "{text}");
        }
        assert!(!is_boundary("ß", 1), "no place between characters");
        assert_eq!(ends("Donau\u{AD}dampf"), 1);
    }
}
