//! `stats --quantiles`: writes where the quality signals of the documents of each language lie.

use std::path::Path;

use crate::document::Document;
use crate::document::labels::LabelValue;
use crate::error::{Error, Result};
use crate::quality::Signals;
use crate::quality::quantiles::Sample;
use crate::quality::thresholds::Thresholds;
use crate::select::documents::DocumentFilter;
use crate::select::sample::rank;
use crate::store::document_values::DocumentChoice;
use crate::store::layout::Layout;
use crate::store::tables::labels::LabelsOfDocuments;
use crate::store::tables::{Reader, RowsOfDocuments};
use crate::store::{atomic, corpus};
use crate::threads::CancelToken;

const HEADER: &str = "\
# Quantiles of the quality signals of a corpus and of its scores by models, by language and of all languages together. p5 is
# the value that 5 % of the documents are below. quality.thresholds reads this file; thresholds and rules then name quantiles:
#   thresholds = [\"quantiles.toml\", 'top_2_gram = \"p95\"']
#   rules = [\"n_words >= p10\"]
";

/// Writes the quantiles of the documents that the filter matches, and tells whether there are any; otherwise nothing is written.
/// `models` are those that scored them.
pub fn write(
    layout: &Layout,
    models: &[String],
    path: &Path,
    filter: Option<&DocumentFilter>,
    cancel: &CancelToken,
) -> Result<bool> {
    let mut sample = Sample::new(models.to_vec());
    for shard in 0..corpus::shards(layout)? {
        let Some(table) = layout.optional(layout.signals(shard))? else {
            let root = layout.root().display();
            return Err(Error::Usage(format!(
                "{root} has no quality signals: set `quality.signals` and build it again"
            )));
        };
        let mut signals = RowsOfDocuments::<Signals>::open(&table)?;
        let mut scores = LabelsOfDocuments::open(Some(table), |name| models.iter().any(|model| model == name))?;
        let mut choice = DocumentChoice::open(layout, shard, filter)?;
        for document in Reader::<Document>::open(&layout.documents(shard))? {
            let document = document?;
            cancel.check()?;
            let wanted = choice.has(&document)?;
            for row in signals.of(document.doc, |_| wanted)? {
                let scores: Vec<Option<f64>> = scores.of(document.doc)?.iter().map(LabelValue::number).collect();
                sample.add(document.language.code(), rank(&document, 0), &row, &scores);
            }
        }
    }
    let quantiles = sample.quantiles();
    if quantiles.is_empty() {
        return Ok(false);
    }
    let text = Thresholds::from(quantiles).to_toml();
    atomic::write_named(path, format!("{HEADER}\n{text}"))?;
    Ok(true)
}
