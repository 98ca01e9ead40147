//! What names of containers and words of short blocks have meant on other pages: weights learned in training.

use fxhash::FxHashMap;

use super::forest::take;

/// Token (hash of a word) → how much more of the text under it is content than elsewhere, -1 to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexicon(pub FxHashMap<u64, f32>);

/// Mean, lowest and highest weight of some tokens; zeros where none is known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Weights {
    pub mean: f32,
    /// At most 0.
    pub low: f32,
    /// At least 0.
    pub high: f32,
}

/// Both lexica.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexica {
    /// Of parts of class, id, role and itemprop.
    pub names: Lexicon,
    /// Of words in short blocks.
    pub words: Lexicon,
}

impl Lexicon {
    /// Reads the number of tokens and the tokens: eight bytes of hash and the weight in 127ths, in one byte.
    pub fn read(bytes: &mut &[u8]) -> Option<Lexicon> {
        let mut lexicon = Lexicon::default();
        for _ in 0..u32::from_le_bytes(take(bytes)?) {
            let token = u64::from_le_bytes(take(bytes)?);
            lexicon.0.insert(token, f32::from(i8::from_le_bytes(take(bytes)?)) / 127.0);
        }
        Some(lexicon)
    }

    /// What is known of some tokens.
    pub fn of(&self, tokens: &[u64]) -> Weights {
        let (mut known, mut sum, mut weights) = (0u32, 0.0, Weights::default());
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
    fn weights_are_of_known_tokens() {
        let bytes = [&2u32.to_le_bytes()[..], &7u64.to_le_bytes(), &[127], &9u64.to_le_bytes(), &[0x81]].concat();
        let lexicon = Lexicon::read(&mut &bytes[..]).unwrap();
        assert_eq!(lexicon.of(&[7, 8]), Weights { mean: 1.0, low: 0.0, high: 1.0 });
        assert_eq!(lexicon.of(&[7, 9]), Weights { mean: 0.0, low: -1.0, high: 1.0 });
        assert_eq!(lexicon.of(&[]), Weights::default());
        assert_eq!(Lexicon::read(&mut &bytes[..10]), None);
    }
}
