//! Signals of readability and richness in bins. Corpus managers show the values of attributes as text types to choose from,
//! so that numbers must be ranges there.

use crate::document::labels::{Label, LabelColumn, LabelKind, LabelValue};
use crate::quality::Signals;

/// An attribute, and the ranges of its signal.
struct Bins {
    name: &'static str,
    value: fn(&Signals) -> Option<f64>,
    /// Width of a bin, in units of one hundredth.
    width: i64,
    /// Ends of the bins; values beyond them are in the first and in the last bin. In hundredths.
    least: i64,
    most: i64,
}

const BINS: &[Bins] = &[
    Bins { name: "lix_bin", value: |signals| signals.lix, width: 1000, least: 0, most: 8000 },
    Bins { name: "ari_bin", value: |signals| signals.ari, width: 500, least: 0, most: 3000 },
    Bins {
        name: "sentence_length_bin",
        value: |signals| signals.mean_sentence_length,
        width: 500,
        least: 0,
        most: 5000,
    },
    Bins { name: "word_length_bin", value: |signals| signals.mean_word_length, width: 100, least: 0, most: 1500 },
    Bins { name: "mattr_bin", value: |signals| signals.mattr_500, width: 5, least: 0, most: 100 },
    Bins { name: "hapax_bin", value: |signals| signals.hapax_share, width: 10, least: 0, most: 100 },
];

/// The attributes.
pub fn columns() -> impl Iterator<Item = LabelColumn> {
    BINS.iter().map(|bins| LabelColumn { name: bins.name.into(), kind: LabelKind::Text })
}

/// The bins of a document: `30-40` are values of at least 30 and below 40; the last bin has those above it, too.
pub fn labels(signals: Option<&Signals>) -> impl Iterator<Item = Label> {
    BINS.iter().map(move |bins| {
        let value = signals.and_then(bins.value).filter(|value| value.is_finite());
        Label { name: bins.name.into(), value: LabelValue::Text(value.map(|value| bins.range(value))) }
    })
}

impl Bins {
    fn range(&self, value: f64) -> String {
        // The addition puts values that are a multiple of the width in the bin that they begin.
        let hundredths = (value * 100.0 + 1e-7).floor().clamp(self.least as f64, (self.most - 1) as f64) as i64;
        let start = hundredths - hundredths.rem_euclid(self.width);
        format!("{}-{}", self.number(start), self.number(start + self.width))
    }

    fn number(&self, hundredths: i64) -> String {
        match self.width % 100 {
            0 => (hundredths / 100).to_string(),
            _ => format!("{:.2}", hundredths as f64 / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_ranges() {
        let signals = Signals {
            lix: Some(39.99),
            ari: Some(-3.0),
            mean_sentence_length: Some(250.0),
            mean_word_length: Some(5.0),
            mattr_500: Some(0.65),
            hapax_share: Some(1.0),
            ..Signals::default()
        };
        let values: Vec<String> = labels(Some(&signals)).map(|label| label.value.to_string()).collect();
        assert_eq!(values, ["30-40", "0-5", "45-50", "5-6", "0.65-0.70", "0.90-1.00"]);
        assert!(labels(None).all(|label| label.value == LabelValue::Text(None)));
        assert!(columns().map(|column| column.name).eq(labels(None).map(|label| label.name)));
    }
}
