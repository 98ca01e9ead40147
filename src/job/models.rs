//! Models of fastText that a job uses (`language.model`, `quality.model`). Their files stay where they are; the configuration
//! of a planned job has a digest of each, so that all tasks use the same ones.

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::error::{Error, Result};
use crate::language::LabelModel;
use crate::quality::models::{DocumentModel, DocumentModels};
use crate::store::models;

/// The configuration with the digests of its models, which are opened and checked; `directory` is the folder in which relative
/// paths begin.
pub fn gather(mut config: Config, directory: &Path) -> Result<Config> {
    if let Some((_, digest)) = open_language(&config, directory)? {
        config.language.model_digest = digest;
    }
    let digests = open_documents(&config, directory)?.1;
    config.quality.model.iter_mut().zip(digests).for_each(|(model, digest)| model.digest = digest);
    Ok(config)
}

/// The model that identifies languages, if there is one.
pub fn language(config: &Config, directory: &Path) -> Result<Option<LabelModel>> {
    Ok(open_language(config, directory)?.map(|(model, _)| model))
}

/// The models that score documents.
pub fn documents(config: &Config, directory: &Path) -> Result<DocumentModels> {
    Ok(open_documents(config, directory)?.0)
}

fn open_language(config: &Config, directory: &Path) -> Result<Option<(LabelModel, String)>> {
    let section = &config.language;
    if section.model.is_empty() {
        return Ok(None);
    }
    let path: PathBuf = directory.join(&section.model);
    let file = models::open(&path, known(&section.model_digest), config.archive.mmap)?;
    let model = LabelModel::new(file.model);
    if model.languages() == 0 {
        let what = "has no label that names a language, such as `__label__ces_Latn`";
        return Err(Error::Usage(format!("language.model: {} {what}", path.display())));
    }
    Ok(Some((model, file.digest)))
}

fn open_documents(config: &Config, directory: &Path) -> Result<(DocumentModels, Vec<String>)> {
    let (mut all, mut digests) = (Vec::new(), Vec::new());
    for section in &config.quality.model {
        let path = directory.join(&section.path);
        let file = models::open(&path, known(&section.digest), config.archive.mmap)?;
        let label = file.model.label(&section.label).ok_or_else(|| {
            let labels: Vec<&str> = file.model.labels().take(20).collect();
            let (path, label, labels) = (path.display(), &section.label, labels.join(", "));
            Error::Usage(format!("quality.model.label: {path} has no label `{label}`; it has {labels}"))
        })?;
        let (name, newline) = (section.name.as_str().into(), section.newline.clone());
        all.push(DocumentModel { name, model: file.model, label, threshold: section.threshold, newline });
        digests.push(file.digest);
    }
    Ok((DocumentModels::new(all), digests))
}

fn known(digest: &str) -> Option<&str> {
    Some(digest).filter(|digest| !digest.is_empty())
}
