//! Reading the file of a stop-word list that a job names: `clean.stoplist = "lists/hsb.txt"`.

use std::str;

use fxhash::FxHashSet;

use super::recipe::MIN_FORMS;
use crate::page::blocks::is_space;

/// Why a file is not accepted as a stop-word list. The message continues the name of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    #[error("is empty")]
    Empty,
    /// `line` counts from 1.
    #[error("line {line} is not UTF-8; save the list in UTF-8")]
    NotUtf8 { line: usize },
    /// Texts are split at white space, so a word with white space inside would never be found.
    #[error("line {line} has more than one word: {words:?}; write one word per line")]
    SeveralWords { line: usize, words: String },
    #[error("has {words} words, but a list needs at least {MIN_FORMS}")]
    TooFew { words: usize },
}

/// Whether the setting `clean.stoplist` is a path, and not the name of a list that comes with the program: those names
/// have neither slash nor dot.
pub fn is_path(setting: &str) -> bool {
    setting.contains(['/', '\\', '.'])
}

/// The words of a list in lower case, each once, in the order of the file. Empty lines, white space at the ends of
/// lines and a byte order mark are ignored.
pub fn parse(bytes: &[u8]) -> Result<Vec<String>, ListError> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        ListError::NotUtf8 { line: 1 + before.iter().filter(|b| **b == b'\n').count() }
    })?;
    let mut seen = FxHashSet::default();
    let mut words = Vec::new();
    for (line, word) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let word = word.trim_matches(is_space);
        if word.contains(is_space) {
            return Err(ListError::SeveralWords { line, words: word.into() });
        }
        let word = word.to_lowercase();
        if !word.is_empty() && seen.insert(word.clone()) {
            words.push(word);
        }
    }
    match words.len() {
        0 => Err(ListError::Empty),
        few if few < MIN_FORMS => Err(ListError::TooFew { words: few }),
        _ => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: usize) -> String {
        (0..words).map(|n| format!("slovo{n}\n")).collect()
    }

    #[test]
    fn words_are_in_lower_case_and_once() {
        let words = parse(format!("\u{feff}Ten,\r\n\nten,\n TEN \n{}", list(98)).as_bytes()).unwrap();
        assert_eq!((words.len(), &*words[0], &*words[1]), (100, "ten,", "ten"));
    }

    #[test]
    fn lists_have_a_hundred_words() {
        assert!(parse(list(100).as_bytes()).is_ok());
        assert_eq!(parse(list(99).as_bytes()), Err(ListError::TooFew { words: 99 }));
        assert_eq!(parse(b""), Err(ListError::Empty));
        assert_eq!(parse(" \n\n".as_bytes()), Err(ListError::Empty));
    }

    #[test]
    fn errors_say_where() {
        assert_eq!(parse(b"a\nb\n\xe8\n"), Err(ListError::NotUtf8 { line: 3 }));
        let several = parse("a\nna základě\n".as_bytes()).unwrap_err();
        assert_eq!(several.to_string(), "line 2 has more than one word: \"na základě\"; write one word per line");
    }

    #[test]
    fn paths_are_distinguished_from_names() {
        for (setting, path) in
            [("Czech", false), ("Norwegian_Bokmal", false), ("auto", false), ("hsb.txt", true), ("a/hsb", true)]
        {
            assert_eq!(is_path(setting), path, "{setting}");
        }
    }
}
