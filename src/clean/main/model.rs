//! The learned parameters: lexica, trees, and what each feature is called in reasons.

use std::sync::OnceLock;

use super::forest::{Forest, take};
use super::lexicon::{Lexica, Lexicon};
use super::{context, features};

/// Everything that training found; `docs/cleaning.md` says from what and how well.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    pub lexica: Lexica,
    /// Judges a block by itself and its place.
    pub first: Forest,
    /// Judges it again, knowing what the first said about all others.
    pub second: Forest,
}

const MAGIC: &[u8; 8] = b"wcmain02";
static BYTES: &[u8] = include_bytes!("model.bin");

impl Model {
    /// The one that comes with the program.
    pub fn shipped() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Model::read(BYTES).expect("model.bin is what a test reads"))
    }

    /// The magic, the numbers of features and of context features, two lexica, two forests; None for anything else.
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

/// Group of each feature: those of `features`, then those of `context`.
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
