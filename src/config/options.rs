//! Converts a configuration to the options of the lower layers.

use std::sync::Arc;

use super::{Config, ConfigError};
use crate::clean::stoplist::Stoplist;
use crate::document::labels::{LabelColumn, LabelKind};
use crate::emit::bins;
use crate::language::{LabelModel, Language};
use crate::page::rules::SiteRules;
use crate::page::{blocks, payload};
use crate::pipeline::{self, CensusOptions};
use crate::quality::thresholds::Thresholds;
use crate::quality::{Group, Recipe};
use crate::store::tables;
use crate::text::mojibake::Mojibake;
use crate::{archive, clean, emit};

impl Config {
    /// The options of the page pipeline; `rules`, `stopwords` and the model are the contents of the files that the
    /// configuration names.
    pub fn pipeline_options(
        &self,
        rules: SiteRules,
        stopwords: Option<Stoplist>,
        language_model: Option<LabelModel>,
    ) -> pipeline::Options {
        pipeline::Options {
            payload: self.payload_options(),
            blocks: self.block_options(),
            language: self.language.identification.clone(),
            language_model,
            clean: self.clean_options(),
            rules: Arc::new(rules),
            stopwords: stopwords.map(Arc::new),
            keep_languages: self.language.keep.iter().filter_map(|code| Language::of_letters(code)).collect(),
            respect_robots: self.robots.respect.clone(),
            census: CensusOptions { blocks: self.sites.enabled, words: self.near.needs_statistics() },
        }
    }

    /// The options of the cleaners.
    fn clean_options(&self) -> clean::Options {
        clean::Options {
            cleaner: self.clean.cleaner,
            compat: self.clean.compat,
            stoplist: self.clean.stoplist.clone(),
            justext: self.clean.justext.clone(),
        }
    }

    /// The options of all output formats.
    pub fn format_options(&self) -> emit::Options {
        emit::Options {
            corpus: self.output.name.clone(),
            tagger_columns: self.emit.tagger_columns.clone(),
            labels: self.label_columns(),
            vertical: self.vertical.clone(),
            tei: self.tei,
            jsonl: self.jsonl,
            text: self.text.format,
            parquet: self.parquet.clone(),
            token_counts: !self.output.tokenizer.is_empty(),
        }
    }

    /// Whether documents have bins of readability.
    pub fn has_bins(&self) -> bool {
        self.quality.signals.contains(&Group::Readability)
    }

    /// The scores of models, the bins of readability, and the columns that `annotate` joined.
    pub fn label_columns(&self) -> Vec<LabelColumn> {
        let scores = self.quality.model.iter();
        let scores = scores.map(|model| LabelColumn { name: model.name.clone(), kind: LabelKind::Score });
        let bins = self.has_bins().then(bins::columns).into_iter().flatten();
        scores.chain(bins).chain(self.labels.iter().cloned()).collect()
    }

    /// Options for tables. The metadata of the files name the program version, and the fingerprint of the configuration
    /// that the job was planned with.
    pub fn table_settings(&self, configuration: &str) -> tables::Options {
        tables::Options {
            zstd_level: self.output.zstd_level,
            row_group_rows: self.output.row_group_rows,
            metadata: vec![
                ("warcorpus.version".into(), env!("CARGO_PKG_VERSION").into()),
                ("warcorpus.configuration".into(), configuration.into()),
            ],
        }
    }

    /// The recipe of the job. Thresholds must be TOML: the job reads files of them when it is planned.
    ///
    /// # Errors
    /// What is wrong with the recipe, a rule or a threshold.
    pub fn recipe(&self) -> Result<Recipe, ConfigError> {
        let quality = &self.quality;
        let mut thresholds = Thresholds::default();
        for text in &quality.thresholds {
            thresholds.extend(
                Thresholds::parse(text)
                    .map_err(|why| ConfigError::Recipe(format!("quality.thresholds: {}: {why}", text.trim_end())))?,
            );
        }
        let models: Vec<&str> = quality.model.iter().map(|model| model.name.as_str()).collect();
        Recipe::new(&quality.recipe, thresholds, &quality.rules, &quality.signals, &models).map_err(ConfigError::Recipe)
    }

    /// How the records of archives are read.
    pub fn reading(&self) -> archive::Options {
        archive::Options { limits: self.limits, resync: self.archive.resync }
    }

    fn payload_options(&self) -> payload::Options {
        // The reference implementation repairs nothing.
        let mojibake = if self.clean.compat { Mojibake::Leave } else { self.text.mojibake };
        payload::Options { plain_text: self.page.plain_text, limits: self.limits, mojibake }
    }

    fn block_options(&self) -> blocks::Options {
        let limits = self.limits;
        match self.clean.compat {
            true => blocks::Options { limits, ..blocks::Options::reference() },
            false => blocks::Options { block_tags: self.clean.block_tags, reference: false, limits },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_the_configuration_are_those_of_the_layers() {
        let config = Config::default();
        assert_eq!(config.payload_options(), payload::Options::default());
        assert_eq!(config.block_options(), blocks::Options::default());
        assert_eq!(config.clean_options(), clean::Options::default());
        assert_eq!(config.language.identification, crate::language::Options::default());
    }
}
