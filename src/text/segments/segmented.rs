//! Sentences and tokens of several texts, found once for all who need them.

use std::ops::Range;

use super::{Token, Tokenizer};

/// The sentences and tokens of texts that have numbers in ascending order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentedTexts {
    /// The number of each text, and where its sentences end.
    texts: Vec<(u32, usize)>,
    /// The byte range of each sentence, and where its tokens end.
    sentences: Vec<(Range<usize>, usize)>,
    /// Byte ranges are those of the text.
    tokens: Vec<Token>,
}

/// Room is made for the tokens of a text by its length: few texts have shorter ones.
pub const BYTES_OF_A_TOKEN: usize = 5;

/// A sentence of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentedSentence<'t> {
    /// Its byte range in the text.
    pub range: Range<usize>,
    pub tokens: &'t [Token],
}

impl SegmentedTexts {
    /// None yet, with room for texts of so many bytes.
    pub fn with_room(bytes: usize) -> SegmentedTexts {
        SegmentedTexts { tokens: Vec::with_capacity(bytes / BYTES_OF_A_TOKEN), ..SegmentedTexts::default() }
    }

    /// Tokens of all texts.
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Segments a text. Its number must be above those before.
    pub fn push(&mut self, number: u32, text: &str, tokenizer: &Tokenizer<'_>) {
        for sentence in tokenizer.sentences(text) {
            tokenizer.tokens(text, sentence.clone(), &mut self.tokens);
            self.sentences.push((sentence, self.tokens.len()));
        }
        self.texts.push((number, self.sentences.len()));
    }

    /// The sentences of the text with a number; none if it was not pushed.
    pub fn sentences(&self, number: u32) -> Option<impl Iterator<Item = SegmentedSentence<'_>>> {
        let place = self.texts.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let first = place.checked_sub(1).and_then(|before| self.texts.get(before)).map_or(0, |(_, end)| *end);
        let end = self.texts.get(place)?.1;
        let mut begin = first.checked_sub(1).and_then(|before| self.sentences.get(before)).map_or(0, |(_, end)| *end);
        let sentences = self.sentences.get(first..end).unwrap_or_default();
        Some(sentences.iter().map(move |(range, end)| {
            let tokens = self.tokens.get(begin..*end).unwrap_or_default();
            begin = *end;
            SegmentedSentence { range: range.clone(), tokens }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::segments::Segmenter;

    #[test]
    fn texts_are_found_by_their_numbers() {
        let texts = [(2, "One. Two words here."), (5, ""), (9, "Three!")];
        let segmenter = Segmenter::default();
        let tokenizer = segmenter.language("eng");
        let mut segmented = SegmentedTexts::default();
        texts.iter().for_each(|(number, text)| segmented.push(*number, text, &tokenizer));
        for (number, text) in texts {
            let found: Vec<_> = segmented.sentences(number).unwrap().collect();
            assert_eq!(
                found.iter().map(|sentence| sentence.range.clone()).collect::<Vec<_>>(),
                tokenizer.sentences(text)
            );
            for SegmentedSentence { range, tokens } in found {
                let mut wanted = Vec::new();
                tokenizer.tokens(text, range, &mut wanted);
                assert_eq!(tokens, wanted);
            }
        }
        assert!(segmented.sentences(3).is_none());
    }
}
