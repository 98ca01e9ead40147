//! The labels of documents as formats show them: scores of models, bins of readability, and the columns that `annotate`
//! joined to the corpus. A job that is built again and `warcorpus emit` both take them from here.

use crate::config::Config;
use crate::document::labels::Label;
use crate::emit::bins;
use crate::error::Result;
use crate::quality::Signals;
use crate::store::incomplete;
use crate::store::layout::Layout;
use crate::store::tables::labels::LabelsOfDocuments;

/// The labels of a shard's documents, asked for in ascending order.
pub struct DocumentLabels {
    has_bins: bool,
    joined: LabelsOfDocuments,
}

impl DocumentLabels {
    /// Opens the table `labels` of a corpus.
    pub fn open(config: &Config, corpus: &Layout, shard: u32) -> Result<DocumentLabels> {
        let has_bins = config.has_bins();
        incomplete::refuse_half_labels(corpus)?;
        let joined = LabelsOfDocuments::open(corpus.optional(corpus.labels(shard))?, |_| true)?;
        Ok(DocumentLabels { has_bins, joined })
    }

    /// The labels of a document with its scores and signals, in the order of [`Config::label_columns`].
    pub fn of(&mut self, doc: u64, scores: Vec<Label>, signals: Option<&Signals>) -> Result<Vec<Label>> {
        let mut labels = scores;
        if self.has_bins {
            labels.extend(bins::labels(signals));
        }
        labels.extend(self.joined.labels_of(doc)?);
        Ok(labels)
    }
}
