//! A stop list from a file (`clean.stoplist = "lists/hsb.txt"`). It is read when the job is planned and stored beside
//! the plan, so that all tasks use the same list.

use std::path::Path;

use crate::clean::stoplist::Stoplist;
use crate::error::{Error, Result};
use crate::job::stored_text;
use crate::stoplist::file::{is_path, parse};
use crate::store::layout::Layout;
use crate::store::small_files;

/// Bytes of a stop list at most.
const LONGEST: u64 = 16 << 20;

/// Reads the list that the setting names, as the text that the directory stores; `None` if the setting names a built-in
/// list.
pub fn gather(setting: &str) -> Result<Option<String>> {
    if !is_path(setting) {
        return Ok(None);
    }
    let refused = |why: &dyn std::fmt::Display| Error::Usage(format!("clean.stoplist: {setting} {why}"));
    let bytes = small_files::read(Path::new(setting), LONGEST)
        .map_err(|error| Error::Usage(format!("clean.stoplist: {error}")))?;
    let words = parse(&bytes).map_err(|error| refused(&error))?;
    Ok(Some(words.join("\n") + "\n"))
}

/// The list that the directory stores. `known` is its fingerprint in the plan; without one the job uses built-in lists.
pub fn open(layout: &Layout, known: Option<&str>) -> Result<Option<Stoplist>> {
    let Some(known) = known else { return Ok(None) };
    let text = stored_text::read(&layout.stoplist(), known, "is not the list")?;
    Ok(Some(text.lines().collect()))
}
