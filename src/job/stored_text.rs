//! Texts that are stored beside the plan. The plan holds a fingerprint of each, so that a changed file is detected.

use std::path::Path;

use crate::error::{Error, Result};
use crate::hash::hash64;
use crate::store::atomic;

/// Hash of a text in hexadecimal.
pub fn fingerprint(text: &str) -> String {
    format!("{:016x}", hash64(text.as_bytes()))
}

/// The text of the file, which must have the fingerprint of the plan. `what` begins the message if it has not.
pub fn read(path: &Path, known: &str, what: &str) -> Result<String> {
    let text = atomic::read(path)?.filter(|text| fingerprint(text) == known);
    let changed = || format!("{what} that the job was planned with; start again with --restart");
    text.ok_or_else(|| Error::damaged(path, changed()))
}
