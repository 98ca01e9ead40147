//! The learned parameters: lexica and trees.

use std::sync::OnceLock;

use super::forest::{Binning, Forest, StoredForest};
use super::lexicon::{Lexica, Lexicon};
use super::{context, features};
use crate::clean::trees::take;

/// The parameters that training found; `docs/cleaning.md` tells the training data and the quality.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    pub lexica: Lexica,
    /// Number of features of the first stage, which come first in the second.
    pub own_features: usize,
    /// The first stage: scores a block by its own features.
    pub first: Stage,
    /// The second stage: scores it again, with the first stage's scores of the blocks around it.
    pub second: Stage,
    /// Bins for the early trees of the first stage.
    pub early_bins: OwnBins,
    /// Bins of a block's own features for all other trees.
    pub own_bins: OwnBins,
    /// Bins of the features that only the second stage has.
    pub context_bins: Binning,
}

/// The trees of a stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stage {
    /// The first trees. Blocks with a score below [`EARLY_EXIT_SCORE`](super::forest::EARLY_EXIT_SCORE) keep it.
    pub early: Forest,
    /// The trees whose values are added for all other blocks.
    pub late: Forest,
}

/// Bins of the features of the first stage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnBins {
    /// Of the features that all blocks of a page share.
    pub of_page: Binning,
    pub of_block: Binning,
}

impl From<Binning> for OwnBins {
    fn from(all: Binning) -> OwnBins {
        let (of_page, of_block) = all.parted(&features::of_page());
        OwnBins { of_page, of_block }
    }
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
        let [own, context] = [u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?)].map(usize::from);
        let lexica = Lexica { names: Lexicon::read(bytes)?, words: Lexicon::read(bytes)? };
        let groups = groups();
        let (first_early, first_late) = StoredForest::read(bytes, &groups)?.split_early();
        let (second_early, second_late) = StoredForest::read(bytes, &groups)?.split_early();
        let early_bins = Binning::of([&first_early])?;
        let (own_bins, context_bins) = Binning::of([&first_late, &second_early, &second_late])?.parted(&(0..own));
        let over_all = |stored| Forest::over(stored, &[&own_bins, &context_bins]);
        let first = Stage { early: Forest::over(&first_early, &[&early_bins])?, late: over_all(&first_late)? };
        let second = Stage { early: over_all(&second_early)?, late: over_all(&second_late)? };
        let (early_bins, own_bins) = (early_bins.into(), own_bins.into());
        let model = Model { lexica, own_features: own, first, second, early_bins, own_bins, context_bins };
        (&magic == MAGIC && widths == [own, context] && bytes.is_empty()).then_some(model)
    }
}

/// The group of each feature: those of `features`, then those of `context`.
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
