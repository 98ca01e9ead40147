//! Compares characters as queries do, and finds word boundaries.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::words::is_unspaced;

/// Folds the case of a character: Unicode's simple case folding, by means of the standard library.
pub fn folded(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    match c {
        // Its capital, I, has another small letter outside Turkish.
        'ı' => c,
        // Equal since Unicode 15.1, although their capitals are several characters.
        '\u{1FD3}' => '\u{390}',
        '\u{1FE3}' => '\u{3B0}',
        '\u{FB05}' => '\u{FB06}',
        _ => {
            let capital = single(c.to_uppercase()).unwrap_or(c);
            single(capital.to_lowercase()).unwrap_or(c)
        }
    }
}

/// The only item of an iterator; `None` if there are none or several.
fn single(mut characters: impl Iterator<Item = char>) -> Option<char> {
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether two texts are equal without regard to case.
pub fn same_text(one: &str, other: &str) -> bool {
    one.chars().map(folded).eq(other.chars().map(folded))
}

/// Whether a character of a text matches a character of a query: equal characters, either apostrophe for the other, any
/// white space for a space and, unless `case` is set, the other case. İ and I both match i, I also matches ı, but ı
/// never matches i.
pub fn is_meant(asked: char, found: char, case: bool) -> bool {
    let alike = match asked {
        '\'' | '’' => matches!(found, '\'' | '’'),
        ' ' => found.is_whitespace(),
        'i' | 'ı' | 'I' | 'İ' if !case => turkish(asked).contains(found),
        _ => false,
    };
    alike || asked == found || !case && folded(asked) == folded(found)
}

/// The characters that each of the letters i, ı, I, İ matches without regard to case.
fn turkish(asked: char) -> &'static str {
    match asked {
        'ı' => "ıI",
        'I' => "Iiı",
        'İ' => "İi",
        _ => "iIİ",
    }
}

/// A regular expression for the characters that a query character matches by [`is_meant`]. It must be compiled without
/// regard to case unless `case` is set.
pub fn class(asked: char, case: bool) -> String {
    match asked {
        '\'' | '’' => "['’]".into(),
        ' ' => "\\s".into(),
        // The class lists all cases; case folding would add the ones left out on purpose.
        'i' | 'ı' | 'I' | 'İ' if !case => format!("(?-i:[{}])", turkish(asked)),
        _ => regex::escape(asked.encode_utf8(&mut [0; 4])),
    }
}

/// Word characters of Unicode other than letters and digits: marks, joiners, underscores.
static MARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\w").ok());

fn is_word(c: char) -> bool {
    if c.is_ascii() || c.is_alphanumeric() {
        return c.is_alphanumeric() || c == '_';
    }
    let mark = || MARK.as_ref().is_some_and(|mark| mark.is_match(c.encode_utf8(&mut [0; 4])));
    c == '\u{AD}' || mark()
}

/// Whether what is found may begin at this byte offset of a text: no word of a script with spaces continues before it.
pub fn may_begin(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    is_apart(before.chars().next_back(), after.chars().next())
}

/// As [`may_begin`], for what ends there.
pub fn may_end(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    is_apart(after.chars().next(), before.chars().next_back())
}

/// Whether a character outside is no part of a word with the one inside, which may be a mark (`.NET`, `C++`).
fn is_apart(outside: Option<char>, inside: Option<char>) -> bool {
    outside.is_none_or(|c| !is_word(c) || is_unspaced(c)) || inside.is_some_and(is_unspaced)
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
        let ends = |text: &str| text.char_indices().map(|(at, _)| at).filter(|&at| may_begin(text, at)).count();
        for (text, count) in [("one_2", 1), ("it's", 2), ("well-known", 2), ("e\u{301}a", 1), ("東京", 2), ("AI東", 2)]
        {
            assert_eq!(ends(text), count, "{text}");
        }
        assert!(!may_begin("ß", 1) && !may_end("ß", 1), "no place between characters");
        assert_eq!(ends("Donau\u{AD}dampf"), 1);
        // Marks at the ends of what is sought: `.NET` in `asp.NET`, `C++` in `C++11`, `50%` beside a mark.
        for (text, at, begins, ends) in
            [("asp.NET", 3, false, true), ("C++11", 3, true, false), (" .NET", 1, true, true), ("50%.", 3, true, true)]
        {
            assert_eq!((may_begin(text, at), may_end(text, at)), (begins, ends), "{text}");
        }
    }
}
