//! Words in a text, whatever their case: a fast search for their letters, then a closer look.

use std::cmp::Reverse;

use regex::{Regex, RegexBuilder};

use super::letters::{class, is_boundary, is_meant};
use super::query::Match;

#[derive(Debug, Clone)]
pub struct Words {
    /// Finds where one of them may begin.
    letters: Regex,
    /// With their numbers, the longest first.
    forms: Vec<(usize, String)>,
    case: bool,
}

impl Words {
    pub fn new(words: &[String], case: bool) -> Result<Words, regex::Error> {
        let pattern = |word: &String| word.chars().map(|c| class(c, case)).collect::<String>();
        let patterns: Vec<String> = words.iter().map(pattern).collect();
        let letters = RegexBuilder::new(&patterns.join("|")).case_insensitive(!case).build()?;
        let mut forms: Vec<(usize, String)> = words.iter().cloned().enumerate().collect();
        forms.sort_by_key(|(_, form)| Reverse(form.chars().count()));
        Ok(Words { letters, forms, case })
    }

    /// Wherever one of the words stands; where several begin, the longest. They may overlap.
    pub fn find(&self, text: &str, found: &mut Vec<Match>) {
        let mut from = 0;
        while let Some(place) = self.letters.find_at(text, from) {
            found.extend(self.at(text, place.start()));
            from = place.start() + place.as_str().chars().next().map_or(1, char::len_utf8);
        }
    }

    fn at(&self, text: &str, start: usize) -> Option<Match> {
        let rest = text.get(start..).filter(|_| is_boundary(text, start))?;
        let ends = |form: &str| prefix(rest, form, self.case).filter(|&end| is_boundary(text, start + end));
        let (form, end) = self.forms.iter().find_map(|(number, form)| Some((*number, ends(form)?)))?;
        Some(Match { range: start..start + end, form })
    }
}

/// Bytes of the text that a form takes, if the text begins with it.
fn prefix(text: &str, form: &str, case: bool) -> Option<usize> {
    let mut letters = text.chars();
    form.chars().all(|asked| letters.next().is_some_and(|found| is_meant(asked, found, case))).then_some(())?;
    Some(text.len() - letters.as_str().len())
}
