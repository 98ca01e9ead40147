//! Tokens → the words that statistics count.

use std::ops::Range;

use super::SegmentedParagraph;
use crate::text::is_obeyed;
use crate::text::lower_case::LowerCase;
use crate::text::words::is_word;

/// Whether `The` and `the` are one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Casing {
    /// Words are counted in lower case, as in the attribute `lc` of corpus managers.
    Folded(LowerCase),
    /// Words are counted as written.
    Kept,
}

impl Default for Casing {
    fn default() -> Casing {
        Casing::Folded(LowerCase::default())
    }
}

impl Casing {
    /// The casing for words of a language, by its ISO 639-3 code.
    pub fn of_language(self, language: &str) -> Casing {
        match self {
            Casing::Folded(_) => Casing::Folded(LowerCase::of(language)),
            Casing::Kept => Casing::Kept,
        }
    }
}

/// Appends the word as it is counted. Control characters become spaces, because they would break tables of lines and
/// tabs.
pub fn fold(token: &str, casing: Casing, to: &mut String) {
    let start = to.len();
    match casing {
        Casing::Folded(lower_case) if !token.chars().all(char::is_lowercase) => lower_case.push(token, to),
        _ => to.push_str(token),
    }
    if to.get(start..).is_some_and(|word| word.contains(is_obeyed)) {
        let clean = to.split_off(start).replace(is_obeyed, " ");
        to.push_str(&clean);
    }
}

/// The words of a document in order, in runs that bound n-grams: a run ends with its sentence and before any token that
/// is not a word, so that `end. The` and `apples, pears` are no bigrams.
#[derive(Debug, Default)]
pub struct DocumentWords {
    /// Each word, followed by a space.
    text: String,
    /// End of each word in `text`.
    ends: Vec<usize>,
    /// Number of words up to the end of each run.
    runs: Vec<usize>,
    /// Tokens, words and others.
    pub tokens: u64,
    pub sentences: u64,
}

impl DocumentWords {
    /// Replaces the content by the words of another document, so that one buffer serves many documents.
    pub fn read(&mut self, text: &[SegmentedParagraph], casing: Casing) {
        self.text.clear();
        self.ends.clear();
        self.runs.clear();
        (self.tokens, self.sentences) = (0, 0);
        for sentence in text.iter().flat_map(|paragraph| &paragraph.sentences) {
            self.sentences += 1;
            self.tokens += sentence.len() as u64;
            for token in sentence {
                match is_word(token) {
                    true => self.push(token, casing),
                    false => self.end_run(),
                }
            }
            self.end_run();
        }
    }

    fn push(&mut self, token: &str, casing: Casing) {
        fold(token, casing, &mut self.text);
        self.ends.push(self.text.len());
        self.text.push(' ');
    }

    fn end_run(&mut self) {
        if self.runs.last().copied().unwrap_or(0) < self.ends.len() {
            self.runs.push(self.ends.len());
        }
    }

    /// Number of words.
    pub fn word_count(&self) -> usize {
        self.ends.len()
    }

    /// All words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ngrams_of(0..self.word_count(), 1)
    }

    /// All n-grams, their words separated by a space; none for n = 0.
    pub fn ngrams(&self, n: usize) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.runs.iter().copied());
        starts.zip(&self.runs).flat_map(move |(start, end)| self.ngrams_of(start..*end, n))
    }

    fn ngrams_of(&self, words: Range<usize>, n: usize) -> impl Iterator<Item = &str> {
        let before = words.start.checked_sub(1).and_then(|word| self.ends.get(word));
        let first = before.map_or(0, |end| end + 1);
        let ends = self.ends.get(words).unwrap_or_default();
        let starts = std::iter::once(first).chain(ends.iter().map(|end| end + 1));
        let ends = ends.get(n.wrapping_sub(1)..).unwrap_or_default();
        starts.zip(ends).filter_map(|(start, end)| self.text.get(start..*end))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn folding() {
        for (token, folded) in
            [("Ab1", "ab1"), ("ŽLUŤ", "žluť"), ("ΟΔΟΣ", "οδος"), ("straße", "straße"), ("a\tb", "a b"), ("ǅ", "ǆ")]
        {
            let mut to = String::from("|");
            fold(token, Casing::default(), &mut to);
            assert_eq!(to[1..], *folded);
        }
        for (language, folded) in [("tur", "ışık"), ("aze", "ışık"), ("eng", "işik")] {
            let mut to = String::new();
            fold("IŞIK", Casing::default().of_language(language), &mut to);
            assert_eq!(to, folded, "{language}");
        }
        assert_eq!(Casing::Kept.of_language("tur"), Casing::Kept);
        let mut kept = String::new();
        fold("Ab\nC", Casing::Kept, &mut kept);
        assert_eq!(kept, "Ab C");
    }

    #[test]
    fn ngrams_stay_within_sentences_and_punctuation() {
        let sentences = [vec!["The", "cat", ",", "the", "dog"], vec![".", "!"], vec!["Cats", "eat", "fish", "."]];
        let mut words = DocumentWords::default();
        words.read(&[SegmentedParagraph { text: "", sentences: sentences.to_vec() }], Casing::default());
        assert_eq!((words.tokens, words.sentences, words.word_count()), (11, 3, 7));
        assert_eq!(words.iter().collect::<Vec<_>>(), ["the", "cat", "the", "dog", "cats", "eat", "fish"]);
        assert_eq!(words.ngrams(2).collect::<Vec<_>>(), ["the cat", "the dog", "cats eat", "eat fish"]);
        assert_eq!(words.ngrams(3).collect::<Vec<_>>(), ["cats eat fish"]);
        assert_eq!(words.ngrams(4).count() + words.ngrams(0).count(), 0);
    }

    fn sentence() -> impl Strategy<Value = Vec<&'static str>> {
        prop::collection::vec(prop::sample::select(vec!["a", "Bé", "東", ",", "12"]), 0..9)
    }

    proptest! {
        #[test]
        fn ngrams_are_windows_of_runs(
            sentences in prop::collection::vec(sentence(), 0..5),
            n in 1usize..5,
        ) {
            let mut expected = Vec::new();
            for sentence in &sentences {
                for run in sentence.split(|token| *token == ",") {
                    expected.extend(run.windows(n).map(|window| window.join(" ").to_lowercase()));
                }
            }
            let mut words = DocumentWords::default();
            words.read(&[SegmentedParagraph { text: "", sentences }], Casing::default());
            prop_assert_eq!(words.ngrams(n).map(String::from).collect::<Vec<_>>(), expected);
        }
    }
}
