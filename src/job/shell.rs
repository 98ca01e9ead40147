//! Paths in commands that a message proposes or a job script runs.

use std::path::Path;

/// The path as an argument of a shell command: quoted only where it must be.
pub fn argument(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = path.chars().all(|c| c.is_alphanumeric() || "/._-+=,:".contains(c));
    if plain { path } else { quoted(&path) }
}

/// The text as one word of a POSIX shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
