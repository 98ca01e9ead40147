//! How a corpus was made: the numbers of `stats.json`, and the settings of its job.

use std::collections::BTreeMap;

use crate::card::{Making, Reason, Size};
use crate::config::{Config, PiiMode};
use crate::error::Result;
use crate::language::Language;
use crate::stages::Job;
use crate::stages::counters::{Counters, Counts};
use crate::stages::report::{self, meanings};
use crate::store::archives::{is_remote, public_name};

/// Archives that are named.
const NAMED: usize = 20;

pub fn of_job(job: &Job) -> Result<Making> {
    let counters = report::of_corpus(&job.layout)?.unwrap_or_default();
    Ok(Making {
        archives: job.plan.inputs.iter().take(NAMED).map(|input| archive(&input.location)).collect(),
        archive_files: job.plan.inputs.len() as u64,
        read_bytes: job.plan.bytes(),
        records: counters.records,
        no_page: reasons(&counters.no_page, meanings::meaning),
        pages: counters.pages,
        documents: reasons(&counters.documents, meanings::meaning),
        paragraphs: reasons(&counters.paragraphs, meanings::of_paragraph),
        languages: languages(&counters),
        pii: reasons(&counters.pii, |_| String::new()),
        masks: job.config.pii.mode == PiiMode::Mask,
        settings: settings(&job.config),
        differences: job.config.differences(&Config::default()),
    })
}

/// The address of an archive without secrets, or the name of its file: folders of a machine are nobody's business.
fn archive(location: &str) -> String {
    match is_remote(location) {
        true => public_name(location),
        false => location.rsplit('/').next().unwrap_or(location).into(),
    }
}

fn reasons(counts: &Counts, meaning: impl Fn(&str) -> String) -> Vec<Reason> {
    let reason = |(name, count): (&String, &u64)| Reason { name: name.clone(), count: *count, meaning: meaning(name) };
    counts.iter().map(reason).collect()
}

/// Kept documents and their words by language, as the card names languages.
fn languages(counters: &Counters) -> BTreeMap<Language, Size> {
    let mut languages: BTreeMap<Language, Size> = BTreeMap::new();
    for (code, size) in &counters.languages {
        let language = Language::by_name(code).unwrap_or(Language::UNDETERMINED);
        let sum = languages.entry(language).or_insert(Size { documents: 0, words: Some(0) });
        sum.documents += size.documents;
        sum.words = sum.words.map(|words| words + size.words);
    }
    languages
}

/// The settings that users of a corpus ask for.
fn settings(config: &Config) -> Vec<(String, String)> {
    let (quality, near) = (&config.quality, &config.near);
    let kinds: Vec<&str> = config.pii.kinds.iter().map(|kind| kind.name()).collect();
    let action = |action: &crate::config::Action| format!("{action:?}").to_lowercase();
    let rows = [
        ("clean.cleaner", config.clean.cleaner.name().to_string()),
        ("robots.respect", config.robots.respect.join(", ")),
        ("language.keep", config.language.keep.join(", ")),
        ("quality.recipe", quality.recipe.clone()),
        ("quality.rules", quality.rules.join("; ")),
        ("quality.action", action(&quality.action)),
        ("pii.kinds", kinds.join(", ")),
        ("pii.mode", format!("{:?}", config.pii.mode).to_lowercase()),
        ("near.enabled", near.enabled.to_string()),
        ("near.threshold", near.threshold.to_string()),
        ("near.action", action(&near.action)),
        ("overlap.enabled", config.overlap.enabled.to_string()),
        ("overlap.threshold", config.overlap.threshold.to_string()),
    ];
    rows.into_iter().map(|(key, value)| (key.into(), value)).collect()
}
