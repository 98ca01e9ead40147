//! Files of quality thresholds (`quality.thresholds`). They are read when a job is planned and written into its configuration,
//! so that all tasks use the same ones.

use crate::config::Config;
use crate::error::{Error, Result};
use crate::job::globs::matching;
use crate::quality::thresholds::Thresholds;
use crate::store::small_files;

/// Bytes of a file of thresholds at most. One of FineWeb-2 has some hundred; one by `stats --quantiles` has 21 kB for each language
/// when all groups of signals are measured.
const LONGEST: u64 = 16 << 20;

/// The configuration with its thresholds as TOML in place of the files. The recipe is checked with them.
pub fn gather(mut config: Config) -> Result<Config> {
    config.quality.thresholds = read(&config.quality.thresholds)?;
    config.recipe()?;
    Ok(config)
}

/// The thresholds that the entries of the setting name or are, as one TOML text; none without thresholds.
fn read(entries: &[String]) -> Result<Vec<String>> {
    let mut thresholds = Thresholds::default();
    for entry in entries {
        let refused = |name: &str, why: String| Error::Usage(format!("quality.thresholds: {name}: {why}"));
        if entry.contains('=') {
            thresholds.extend(Thresholds::parse(entry).map_err(|why| refused(entry.trim_end(), why))?);
            continue;
        }
        for path in matching(entry)? {
            let bytes = small_files::read(&path, LONGEST)?;
            let text = String::from_utf8_lossy(&bytes);
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            thresholds
                .extend(Thresholds::parse_file(&name, &text).map_err(|why| refused(&path.display().to_string(), why))?);
        }
    }
    Ok(if thresholds.is_empty() { Vec::new() } else { vec![thresholds.to_toml()] })
}
