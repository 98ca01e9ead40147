//! The tokenizer of a job (`output.tokenizer`). The file is read when the job is planned, stored in the directory under a name
//! made of its digest, and the configuration names that: so all tasks use the same one, and another one is another
//! configuration.

use std::path::Path;

use crate::config::Config;
use crate::emit::model_tokens::{TokenCounter, is_stored};
use crate::error::{Error, Result};
use crate::stages::emit::token_counts::{LONGEST, check_built_in, stored_name};
use crate::store::atomic;
use crate::store::layout::Layout;
use crate::store::small_files;

/// The file of a tokenizer that was read.
pub struct Gathered(Option<Vec<u8>>);

/// The configuration with the name of the stored file, and the file. There is no file without such a setting, or if the
/// setting names a stored one already.
///
/// # Errors
/// [`Error::Usage`] if the file is no tokenizer, or the program was built without tokenizers.
pub fn gather(mut config: Config) -> Result<(Config, Gathered)> {
    let setting = &config.output.tokenizer;
    if setting.is_empty() {
        return Ok((config, Gathered(None)));
    }
    check_built_in()?;
    if is_stored(setting) {
        return Ok((config, Gathered(None)));
    }
    let bytes = small_files::read(Path::new(setting), LONGEST)
        .map_err(|error| Error::Usage(format!("output.tokenizer: {error}")))?;
    TokenCounter::parse(&bytes)
        .map_err(|why| Error::Usage(format!("output.tokenizer: {setting} is no tokenizer.json: {why}")))?;
    config.output.tokenizer = stored_name(&bytes);
    Ok((config, Gathered(Some(bytes))))
}

impl Gathered {
    /// Stores the file in the directory of the job.
    pub fn keep(&self, layout: &Layout) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |bytes| atomic::write(&layout.root().join(stored_name(bytes)), bytes))
    }
}

/// Removes the stored tokenizers that a configuration does not name.
pub fn remove_others(layout: &Layout, config: &Config) -> Result<()> {
    for path in atomic::entries(layout.root())? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Other entries may be links that cannot be followed.
        if is_stored(&name) && name != config.output.tokenizer && atomic::is_file(&path)? {
            atomic::remove(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokenizers_of_earlier_configurations_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let [ours, theirs, plan] = [stored_name(b"ours"), stored_name(b"theirs"), "plan.json".to_string()];
        for name in [&ours, &theirs, &plan] {
            atomic::write(&layout.root().join(name), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
        let mut config = Config::default();
        config.output.tokenizer.clone_from(&ours);
        remove_others(&layout, &config).unwrap();
        let left = [ours, theirs, plan].map(|name| layout.root().join(name).exists());
        assert_eq!(left, [true, false, true]);
    }
}
