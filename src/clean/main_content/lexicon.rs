//! Learned weights of tokens: parts of containers' names, and words of short blocks.

use fxhash::FxHashMap;

use crate::clean::trees::take;

/// Token (hash of a word) → weight, -1 to 1: by how much the share of content under it is above the mean.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexicon(pub FxHashMap<u64, f32>);

/// Mean, lowest and highest weight of some tokens; zeros if none is in the lexicon.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TokenWeights {
    pub mean: f32,
    /// Lowest weight, at most 0.
    pub low: f32,
    /// Highest weight, at least 0.
    pub high: f32,
}

/// The two lexica of the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexica {
    /// Weights of the parts of class, id, role and itemprop.
    pub names: Lexicon,
    /// Weights of words in short blocks.
    pub words: Lexicon,
}

impl Lexicon {
    /// Reads a lexicon: the number of tokens, then for each eight bytes of hash and one of weight, in 1/127.
    pub fn read(bytes: &mut &[u8]) -> Option<Lexicon> {
        let mut lexicon = Lexicon::default();
        for _ in 0..u32::from_le_bytes(take(bytes)?) {
            let token = u64::from_le_bytes(take(bytes)?);
            lexicon.0.insert(token, f32::from(i8::from_le_bytes(take(bytes)?)) / 127.0);
        }
        Some(lexicon)
    }

    /// The weights of those tokens that are in the lexicon.
    pub fn weights(&self, tokens: &[u64]) -> TokenWeights {
        let (mut known, mut sum, mut weights) = (0u32, 0.0, TokenWeights::default());
        for &weight in tokens.iter().filter_map(|token| self.0.get(token)) {
            known += 1;
            sum += weight;
            weights.low = weights.low.min(weight);
            weights.high = weights.high.max(weight);
        }
        weights.mean = sum / known.max(1) as f32;
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_tokens_have_no_weight() {
        let bytes = [&2u32.to_le_bytes()[..], &7u64.to_le_bytes(), &[127], &9u64.to_le_bytes(), &[0x81]].concat();
        let lexicon = Lexicon::read(&mut &bytes[..]).unwrap();
        assert_eq!(lexicon.weights(&[7, 8]), TokenWeights { mean: 1.0, low: 0.0, high: 1.0 });
        assert_eq!(lexicon.weights(&[7, 9]), TokenWeights { mean: 0.0, low: -1.0, high: 1.0 });
        assert_eq!(lexicon.weights(&[]), TokenWeights::default());
        assert_eq!(Lexicon::read(&mut &bytes[..10]), None);
    }
}
