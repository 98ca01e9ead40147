//! Files of site rules. They are read when a job is planned and stored beside the plan, so that all tasks use the same
//! rules.

use std::path::Path;

use crate::error::{Error, Result};
use crate::job::stored_text;
use crate::page::rules::SiteRules;
use crate::store::globs::matching;
use crate::store::layout::Layout;
use crate::store::small_files;

/// Name and text of each rules file.
type Texts = Vec<(String, String)>;

/// Bytes of a rules file at most; a rule has some hundred.
const LONGEST: u64 = 64 << 20;

/// Reads and checks the rules files that the globs match; returns the JSON that the directory stores, or `None` without
/// patterns.
pub fn gather(patterns: &[String]) -> Result<Option<String>> {
    let texts = texts(patterns)?;
    parse(&texts)?;
    let json = serde_json::to_string_pretty(&texts).map_err(|e| Error::Usage(e.to_string()))?;
    Ok((!patterns.is_empty()).then(|| json + "\n"))
}

/// The rules in files that globs match.
pub fn read(patterns: &[String]) -> Result<SiteRules> {
    parse(&texts(patterns)?)
}

/// The rules files that globs match, each once.
fn texts(patterns: &[String]) -> Result<Texts> {
    let mut texts = Texts::new();
    for pattern in patterns {
        if Path::new(pattern).is_dir() {
            let files = format!("{}/*.toml", pattern.trim_end_matches('/'));
            return Err(Error::Usage(format!(
                "{pattern}: a folder, and rules are in files; give those in it: {files}"
            )));
        }
        for path in matching(pattern)? {
            let bytes = small_files::read(&path, LONGEST)?;
            texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    texts.sort();
    texts.dedup();
    Ok(texts)
}

/// The rules that the directory of a planned job stores. `known` is their fingerprint in the plan; without one the job
/// has no rules.
pub fn open(layout: &Layout, known: Option<&str>) -> Result<SiteRules> {
    let Some(known) = known else { return Ok(SiteRules::default()) };
    let path = layout.rules();
    let json = stored_text::read(&path, known, "does not hold the rules")?;
    parse(&serde_json::from_str(&json).map_err(|e| Error::damaged(&path, e))?)
}

fn parse(texts: &Texts) -> Result<SiteRules> {
    let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    SiteRules::read(texts).map_err(|e| Error::Usage(e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_told_from_a_missing_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().display().to_string();
        let refused = |pattern: &str| gather(&[pattern.into()]).unwrap_err().to_string();
        for pattern in [folder.clone(), format!("{folder}/")] {
            let told = refused(&pattern);
            assert!(told.starts_with(&format!("{pattern}: a folder, ")), "{told}");
            assert!(told.ends_with(&format!("give those in it: {folder}/*.toml")), "{told}");
        }
        assert!(refused(&format!("{folder}/*.toml")).ends_with(": no such file"));
        std::fs::write(dir.path().join("w.toml"), "[[rule]]\ncontent = \"p\"\n").unwrap();
        let told = refused(&format!("{folder}/*.toml"));
        assert_eq!(told, format!("{folder}/w.toml: rule 1: a rule needs a `host`"));
    }
}
