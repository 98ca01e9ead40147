//! Scores of documents by models of fastText: the probability of a label.

use std::sync::Arc;

use compact_str::CompactString;

use crate::fasttext::Model;

/// A model that scores documents.
#[derive(Debug, Clone)]
pub struct DocumentModel {
    /// Name of the column and of the rule.
    pub name: CompactString,
    pub model: Arc<Model>,
    /// Number of the label whose probability is the score.
    pub label: usize,
    /// Least score of a document that does not fail the rule.
    pub threshold: Option<f64>,
    /// What stands in place of line ends.
    pub newline: String,
}

/// The models of a job, in the order of their columns.
#[derive(Debug, Clone, Default)]
pub struct DocumentModels {
    models: Vec<DocumentModel>,
}

impl DocumentModels {
    pub fn new(models: Vec<DocumentModel>) -> DocumentModels {
        DocumentModels { models }
    }

    /// Names of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.models.iter().map(|model| model.name.as_str()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// The scores of a text, whose lines are separated by LF: one for each model, 0 to 1.00001 as fastText gives them. None
    /// where the text has nothing that the model knows.
    pub fn scores(&self, text: &str) -> Vec<Option<f32>> {
        let score = |model: &DocumentModel| {
            let line = text.replace('\n', &model.newline);
            model.model.probability(&line, model.label)
        };
        self.models.iter().map(score).collect()
    }

    /// The first model whose threshold a document does not reach. A document without a score passes.
    pub fn failed(&self, scores: &[Option<f32>]) -> Option<CompactString> {
        let fails = |(model, score): &(&DocumentModel, &Option<f32>)| {
            score.zip(model.threshold).is_some_and(|(score, threshold)| f64::from(score) < threshold)
        };
        self.models.iter().zip(scores).find(fails).map(|(model, _)| model.name.clone())
    }
}
