//! The learned parameters: weights of tokens, trees, and the curve of the calibration.

use std::sync::OnceLock;

use super::assessment_row::AssessmentRow;
use super::page_type::PageType;
use super::tokens::{TYPES, TypeWeights};
use crate::clean::trees::{Trees, take};

/// The parameters that `training/assess.py` found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    pub tokens: TypeWeights,
    /// Trees of each type.
    types: Vec<Trees>,
    confidence: Trees,
    /// Scores of the trees of confidence, ascending, with the probability at each.
    curve: Vec<(f32, f32)>,
}

const MAGIC: &[u8; 8] = b"wcpage01";
static BYTES: &[u8] = include_bytes!("model.bin");

impl Model {
    /// The model that is part of the program.
    pub fn shipped() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Model::read(BYTES, super::width()).expect("model.bin is what a test reads"))
    }

    /// Reads a model: the magic, the number of features, the weights of tokens, the trees of each type, those of
    /// confidence, and the curve. None for other bytes.
    pub fn read(mut bytes: &[u8], width: usize) -> Option<Model> {
        let bytes = &mut bytes;
        let magic: [u8; 8] = take(bytes)?;
        let features = u16::from_le_bytes(take(bytes)?);
        let tokens = TypeWeights::read(bytes)?;
        let types = (0..TYPES).map(|_| Trees::read(bytes, width)).collect::<Option<Vec<Trees>>>()?;
        let confidence = Trees::read(bytes, width)?;
        let mut curve = Vec::new();
        for _ in 0..u16::from_le_bytes(take(bytes)?) {
            curve.push((f32::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?)));
        }
        let is_sound = &magic == MAGIC && usize::from(features) == width && bytes.is_empty() && curve.len() > 1;
        is_sound.then_some(Model { tokens, types, confidence, curve })
    }

    /// The type with the highest score; the first of equals.
    pub fn page_type(&self, row: &AssessmentRow) -> PageType {
        let scores = self.types.iter().map(|trees| trees.score(&row.values));
        let mut best = (f32::NEG_INFINITY, PageType::Other);
        for (score, page_type) in scores.zip(PageType::ALL.iter().copied()) {
            if score > best.0 {
                best = (score, page_type);
            }
        }
        best.1
    }

    /// The probability that the decisions about the blocks are good.
    pub fn confidence(&self, row: &AssessmentRow) -> f32 {
        interpolated(&self.curve, self.confidence.score(&row.values))
    }
}

/// The value at a place of a curve of straight lines; beyond its ends that of the end.
fn interpolated(curve: &[(f32, f32)], at: f32) -> f32 {
    let behind = curve.partition_point(|point| point.0 <= at);
    match (behind.checked_sub(1).and_then(|before| curve.get(before)), curve.get(behind)) {
        (Some(&(x, y)), Some(&(next_x, next_y))) => y + (next_y - y) * ((at - x) / (next_x - x)),
        (Some(&(_, y)), None) | (None, Some(&(_, y))) => y,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_model_is_sound() {
        let width = super::super::width();
        let model = Model::read(BYTES, width).expect("model.bin must be what training wrote for these features");
        assert!(model.curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1));
        assert_eq!(Model::read(&BYTES[..BYTES.len() - 1], width), None);
        assert_eq!(Model::read(BYTES, width + 1), None);
    }

    #[test]
    fn curves_are_followed() {
        let curve = [(-1.0, 0.1), (0.0, 0.5), (2.0, 0.9)];
        let values = [-5.0, -1.0, -0.5, 0.0, 1.0, 2.0, 9.0].map(|at| interpolated(&curve, at));
        let want = [0.1, 0.1, 0.3, 0.5, 0.7, 0.9, 0.9];
        assert!(values.iter().zip(want).all(|(value, want): (&f32, f32)| (value - want).abs() < 1e-6), "{values:?}");
        assert_eq!(interpolated(&[], 1.0), 0.0);
    }
}
