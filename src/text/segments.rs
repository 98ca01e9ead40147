//! Sentences and tokens of a paragraph by Unicode Standard Annex #29, with ICU's dictionaries for
//! Chinese, Japanese, Thai and their like.

use std::ops::Range;

use icu_segmenter::{SentenceSegmenter, SentenceSegmenterBorrowed, WordSegmenter, WordSegmenterBorrowed};

/// A token: where it stands in the paragraph (bytes), and whether no white space stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub range: Range<usize>,
    pub glued: bool,
}

/// Cuts paragraphs. Cheap to make, borrowed data.
pub struct Segmenter {
    sentences: SentenceSegmenterBorrowed<'static>,
    words: WordSegmenterBorrowed<'static>,
}

impl Default for Segmenter {
    fn default() -> Self {
        Segmenter {
            sentences: SentenceSegmenter::new(Default::default()),
            words: WordSegmenter::new_auto(Default::default()),
        }
    }
}

impl Segmenter {
    /// Byte ranges of the sentences, white space trimmed, none empty.
    pub fn sentences(&self, paragraph: &str) -> Vec<Range<usize>> {
        let breaks: Vec<usize> = self.sentences.segment_str(paragraph).collect();
        breaks
            .windows(2)
            .filter_map(|pair| match pair {
                &[start, end] => trimmed(paragraph, start..end),
                _ => None,
            })
            .collect()
    }

    /// Tokens of one sentence, ranges in the paragraph. The first is never glued.
    pub fn tokens(&self, paragraph: &str, sentence: Range<usize>) -> Vec<Token> {
        let Some(text) = paragraph.get(sentence.clone()) else { return Vec::new() };
        let mut tokens: Vec<Token> = Vec::new();
        let mut start = 0;
        for end in self.words.segment_str(text) {
            if let Some(range) = trimmed(text, start..end) {
                let range = sentence.start + range.start..sentence.start + range.end;
                let glued = tokens.last().is_some_and(|before| before.range.end == range.start);
                tokens.push(Token { range, glued });
            }
            start = end;
        }
        tokens
    }
}

/// Cuts paragraphs of one language.
pub struct Cutter<'a>(&'a Segmenter);

impl Segmenter {
    pub fn language(&self, _iso: &str) -> Cutter<'_> {
        Cutter(self)
    }
}

impl Cutter<'_> {
    /// Byte ranges of the sentences, white space trimmed, none empty.
    pub fn sentences(&self, paragraph: &str) -> Vec<Range<usize>> {
        self.0.sentences(paragraph)
    }

    /// Appends the tokens of one sentence, ranges in the paragraph.
    pub fn tokens(&self, paragraph: &str, sentence: Range<usize>, out: &mut Vec<Token>) {
        out.extend(self.0.tokens(paragraph, sentence).into_iter().map(|token| {
            let before = paragraph.get(..token.range.start).unwrap_or_default().chars().next_back();
            let glued = before.is_some_and(|c| !c.is_whitespace());
            Token { range: token.range, glued }
        }));
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let part = text.get(range.clone())?;
    let start = range.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(paragraph: &str) -> Vec<Vec<&str>> {
        let segmenter = Segmenter::default();
        let sentences = segmenter.sentences(paragraph);
        sentences
            .into_iter()
            .map(|s| segmenter.tokens(paragraph, s).into_iter().map(|t| &paragraph[t.range]).collect())
            .collect()
    }

    #[test]
    fn sentences_and_tokens() {
        assert_eq!(
            cut("He can't pay $3.50.  Why? これは文です。"),
            [vec!["He", "can't", "pay", "$", "3.50", "."], vec!["Why", "?"], vec!["これ", "は", "文", "です", "。"]]
        );
        assert!(cut("").is_empty());
        assert!(cut(" \n ").is_empty());
    }

    proptest! {
        #[test]
        fn tokens_and_glue_rebuild_the_paragraph(text in "\\PC{0,80}") {
            let segmenter = Segmenter::default();
            let collapsed: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut rebuilt = String::new();
            for sentence in segmenter.sentences(&collapsed) {
                for token in segmenter.tokens(&collapsed, sentence) {
                    rebuilt.push_str(&collapsed[token.range]);
                }
            }
            prop_assert_eq!(rebuilt, collapsed.replace(' ', ""));
        }
    }
}
