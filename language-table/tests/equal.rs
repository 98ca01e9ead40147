//! The table of the repository is what the models make.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_table_of_the_repository_is_what_the_models_make() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let made = folder.path().join("made");
    let status = Command::new(env!("CARGO_BIN_EXE_language-table")).arg(&made).status()?;
    assert!(status.success(), "{status}");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/language/languages-1.table");
    assert!(fs::read(made)? == fs::read(&kept)?, "{} is not what the models make", kept.display());
    Ok(())
}
