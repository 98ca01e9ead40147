//! The note of what was begun in a directory and has not ended: formats that `emit` writes, the table that `annotate` joins.
//! It stays behind when a process is killed, and until all that it names has been written again.

use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;

/// First line of the file, for people.
const HEAD: &str = "# Begun and not ended: run `warcorpus emit` again for formats, `warcorpus annotate` for labels.";

/// The name under which the table `labels` is noted.
pub const LABELS: &str = "labels";

/// Notes that parts of a directory, by the names of their folders, are being written.
pub fn begin(layout: &Layout, parts: &[&str]) -> Result<()> {
    let mut noted = parts_of(layout)?;
    noted.extend(parts.iter().map(|part| part.to_string()));
    write(layout, noted)
}

/// Notes that parts are whole.
pub fn end(layout: &Layout, parts: &[&str]) -> Result<()> {
    let mut noted = parts_of(layout)?;
    noted.retain(|part| !parts.contains(&part.as_str()));
    write(layout, noted)
}

/// The parts that are not whole.
pub fn parts_of(layout: &Layout) -> Result<Vec<String>> {
    let text = atomic::read(&layout.incomplete())?.unwrap_or_default();
    Ok(text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect())
}

/// # Errors
/// [`Error::Usage`] if `annotate` was interrupted: some documents have the labels and others do not.
pub fn refuse_half_labels(layout: &Layout) -> Result<()> {
    match parts_of(layout)?.iter().any(|part| part == LABELS) {
        true => Err(Error::Usage(format!(
            "`warcorpus annotate` was interrupted in {}: run it again with the same file",
            layout.root().display()
        ))),
        false => Ok(()),
    }
}

fn write(layout: &Layout, mut parts: Vec<String>) -> Result<()> {
    parts.sort_unstable();
    parts.dedup();
    match parts.is_empty() {
        true => atomic::remove(&layout.incomplete()),
        false => atomic::write(&layout.incomplete(), format!("{HEAD}\n{}\n", parts.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_not_ended_stays_noted() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        begin(&layout, &["conllu", "tei"]).unwrap();
        begin(&layout, &["text", "tei"]).unwrap();
        end(&layout, &["text"]).unwrap();
        assert_eq!(parts_of(&layout).unwrap(), ["conllu", "tei"]);
        assert!(refuse_half_labels(&layout).is_ok());
        end(&layout, &["tei", "conllu"]).unwrap();
        assert!(!layout.incomplete().exists());
        begin(&layout, &[LABELS]).unwrap();
        assert!(matches!(refuse_half_labels(&layout), Err(Error::Usage(_))));
    }
}
