//! The learned parameters: lexica and trees.

use std::sync::OnceLock;

use super::forest::{Forest, take};
use super::lexicon::{Lexica, Lexicon};
use super::{context, features};

/// The parameters that training found; `docs/cleaning.md` tells the training data and the quality.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    pub lexica: Lexica,
    /// The first stage: scores a block by its own features.
    pub first: Forest,
    /// The second stage: scores it again, with the first stage's scores of the blocks around it.
    pub second: Forest,
}

const MAGIC: &[u8; 8] = b"wcmain02";
static BYTES: &[u8] = include_bytes!("model.bin");

impl Model {
    /// The model that is part of the program.
    pub fn shipped() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Model::read(BYTES).expect("model.bin is what a test reads"))
    }

    /// Reads a model: the magic, the numbers of features of both stages, two lexica, two forests. None for other bytes.
    pub fn read(mut bytes: &[u8]) -> Option<Model> {
        let bytes = &mut bytes;
        let magic: [u8; 8] = take(bytes)?;
        let widths = [features::names().len(), context::names().len()];
        let trained = [u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?)].map(usize::from);
        let lexica = Lexica { names: Lexicon::read(bytes)?, words: Lexicon::read(bytes)? };
        let groups = groups();
        let model = Model { lexica, first: Forest::read(bytes, &groups)?, second: Forest::read(bytes, &groups)? };
        (&magic == MAGIC && widths == trained && bytes.is_empty()).then_some(model)
    }
}

/// FeatureGroup of each feature: those of `features`, then those of `context`.
fn groups() -> Vec<u8> {
    features::names().into_iter().chain(context::names()).map(|(_, group)| group as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_model_is_sound() {
        let model = Model::read(BYTES).expect("model.bin must be what training wrote for these features");
        assert!(model.lexica.names.0.len() > 100 && model.lexica.words.0.len() > 100);
        assert_eq!(Model::read(&BYTES[..BYTES.len() - 1]), None);
    }
}
