//! The table of the repository is what the models and texts make.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_table_of_the_repository_is_what_models_and_texts_make() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let texts = root.join("../shared/data");
    if !texts.join("languages").exists() {
        println!("skipped: {} is not here", texts.display());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let status = Command::new(env!("CARGO_BIN_EXE_language-table")).arg(&texts).arg(folder.path()).status()?;
    assert!(status.success(), "{status}");
    for file in
        ["language-table/latin-1/latin-1.table", "language-table/latin-2/latin-2.table", "src/language/others.table"]
    {
        let (made, kept) = (folder.path().join(file), root.join(file));
        assert!(fs::read(made)? == fs::read(kept)?, "{file} is not what models and texts make");
    }
    Ok(())
}
