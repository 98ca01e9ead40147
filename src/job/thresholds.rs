//! Files of quality thresholds (`quality.thresholds`). They are read when a job is planned and written into its configuration,
//! so that all tasks use the same ones.

use crate::config::{Config, QualitySection};
use crate::error::{Error, Result};
use crate::quality::thresholds::{Files, Thresholds};
use crate::store::globs::matching;
use crate::store::small_files;
use crate::text::shortened;

/// Bytes of a file of thresholds at most. One of FineWeb-2 has some hundred; one by `stats --quantiles` has 21 kB for each
/// language when all groups of signals are measured.
const LONGEST: u64 = 16 << 20;

/// Characters of an entry that a message shows.
const SHOWN: usize = 80;

/// The configuration with its thresholds as TOML in place of the files. The recipe is checked with them.
pub fn gather(mut config: Config, resumes: bool) -> Result<Config> {
    config.quality.thresholds = read(&config.quality, resumes)?;
    config.recipe()?;
    Ok(config)
}

/// The thresholds that the entries of the setting name or are, as one TOML text; none without thresholds. The text of a job
/// that is resumed has those of files, too, which may be about rules of other recipes.
fn read(quality: &QualitySection, resumes: bool) -> Result<Vec<String>> {
    let mut thresholds = Thresholds::default();
    for entry in &quality.thresholds {
        let refused = |name: &str, why: String| Error::Usage(format!("quality.thresholds: {name}: {why}"));
        if entry.contains('=') {
            let own = Thresholds::parse(entry).map_err(|why| refused(&shortened(entry, SHOWN), why))?;
            match resumes {
                true => own.log_unused(&quality.recipe),
                false => own.check_used(&quality.recipe).map_err(|why| refused(&shortened(entry, SHOWN), why))?,
            }
            thresholds.extend(own);
            continue;
        }
        let mut files = Files::default();
        for path in matching(entry)? {
            let bytes = small_files::read(&path, LONGEST)?;
            let text = String::from_utf8_lossy(&bytes);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            files.add(&name, &text).map_err(|why| refused(&path.display().to_string(), why))?;
        }
        let read = files.thresholds();
        read.log_unused(&quality.recipe);
        thresholds.extend(read);
    }
    Ok(if thresholds.is_empty() { Vec::new() } else { vec![thresholds.to_toml()] })
}
