//! Searches a text for whole words: a regular expression finds candidates, which are then verified.

use std::cmp::Reverse;

use regex::{Regex, RegexBuilder};

use super::letters::{class, is_meant, may_begin, may_end};
use super::query::Match;

/// A set of words to search for.
#[derive(Debug, Clone)]
pub struct WordSearch {
    /// Finds the places where a word may begin.
    letters: Regex,
    /// The words with their numbers, the longest first.
    forms: Vec<(usize, String)>,
    case: bool,
}

impl WordSearch {
    /// Compiles a search for these words; `case` distinguishes upper and lower case.
    pub fn new(words: &[String], case: bool) -> Result<WordSearch, regex::Error> {
        let pattern = |word: &String| word.chars().map(|c| class(c, case)).collect::<String>();
        let patterns: Vec<String> = words.iter().map(pattern).collect();
        let letters = RegexBuilder::new(&patterns.join("|")).case_insensitive(!case).build()?;
        let mut forms: Vec<(usize, String)> = words.iter().cloned().enumerate().collect();
        forms.sort_by_key(|(_, form)| Reverse(form.chars().count()));
        Ok(WordSearch { letters, forms, case })
    }

    /// Appends the occurrences of the words; of several at the same place, the longest. They may overlap.
    pub fn find(&self, text: &str, found: &mut Vec<Match>) {
        let mut from = 0;
        while let Some(place) = self.letters.find_at(text, from) {
            found.extend(self.at(text, place.start()));
            from = place.start() + place.as_str().chars().next().map_or(1, char::len_utf8);
        }
    }

    /// The longest word that begins at this byte offset and is a whole word.
    fn at(&self, text: &str, start: usize) -> Option<Match> {
        let rest = text.get(start..).filter(|_| may_begin(text, start))?;
        let ends = |form: &str| prefix(rest, form, self.case).filter(|&end| may_end(text, start + end));
        let (form, end) = self.forms.iter().find_map(|(number, form)| Some((*number, ends(form)?)))?;
        Some(Match { range: start..start + end, form })
    }
}

/// Length in bytes of the part of the text that matches a form, if the text begins with it.
fn prefix(text: &str, form: &str, case: bool) -> Option<usize> {
    let mut letters = text.chars();
    form.chars().all(|asked| letters.next().is_some_and(|found| is_meant(asked, found, case))).then_some(())?;
    Some(text.len() - letters.as_str().len())
}
