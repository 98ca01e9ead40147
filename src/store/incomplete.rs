//! The file `INCOMPLETE` of a directory: the formats that `emit` is writing, and the columns that `annotate` is joining. An
//! entry stays when the process is killed, until what it names has been written again.

use std::path::Path;

use crate::emit::FORMATS;
use crate::error::{Error, Result};
use crate::store::atomic;
use crate::store::layout::Layout;

/// First line of the file, for people.
const HEAD: &str = "# Begun and not ended: run `warcorpus emit` again for formats, `warcorpus annotate` for labels.";

/// First word of the entry of the table `labels`; the names of the columns that are joined follow.
const LABELS: &str = "labels";

/// Enters formats, by the names of their folders, which are being written.
pub fn begin(layout: &Layout, formats: &[&str]) -> Result<()> {
    let mut noted = parts_of(layout)?;
    noted.extend(formats.iter().map(|format| format.to_string()));
    write(layout, noted)
}

/// Removes formats, which are whole.
pub fn end(layout: &Layout, formats: &[&str]) -> Result<()> {
    keep(layout, |part| !formats.contains(&part))
}

/// Removes all formats, because each was removed or written.
pub fn end_formats(layout: &Layout) -> Result<()> {
    keep(layout, is_labels)
}

/// Enters columns, which are being joined to the table `labels`.
///
/// # Errors
/// [`Error::Usage`] if the joining of other columns was interrupted: these would stay half joined.
pub fn begin_labels(layout: &Layout, columns: &[String]) -> Result<()> {
    let mut noted = parts_of(layout)?;
    let missing = noted.iter().filter(|part| is_labels(part)).flat_map(|part| part.split(' ').skip(1));
    if let Some(column) = missing.into_iter().find(|column| !columns.iter().any(|ours| ours == column)) {
        return Err(Error::Usage(format!(
            "{}: `warcorpus annotate` was interrupted at the column {column}: join it first, then others, or remove the folder labels",
            layout.root().display()
        )));
    }
    noted.retain(|part| !is_labels(part));
    noted.push(format!("{LABELS} {}", columns.join(" ")));
    write(layout, noted)
}

/// Removes the table `labels`, which is whole.
pub fn end_labels(layout: &Layout) -> Result<()> {
    keep(layout, |part| !is_labels(part))
}

/// What is not whole: names of folders of formats, `labels` with names of columns. Labels whose folder was removed are given up.
pub fn parts_of(layout: &Layout) -> Result<Vec<String>> {
    let text = atomic::read(&layout.incomplete())?.unwrap_or_default();
    let is_format = |line: &str| FORMATS.iter().any(|format| format.folder == line);
    let has_labels = layout.labels(0).parent().is_some_and(Path::exists);
    let is_part = |line: &&str| is_format(line) || has_labels && is_labels(line);
    Ok(text.lines().filter(is_part).map(String::from).collect())
}

/// # Errors
/// [`Error::Usage`] if `annotate` was interrupted: some documents have the labels and others do not.
pub fn refuse_half_labels(layout: &Layout) -> Result<()> {
    match parts_of(layout)?.iter().any(|part| is_labels(part)) {
        true => Err(Error::Usage(format!(
            "`warcorpus annotate` was interrupted in {}: run it again with the same file, or remove the folder labels there with all \
             that was joined",
            layout.root().display()
        ))),
        false => Ok(()),
    }
}

/// Whether a part is the table `labels`, and not a format.
pub fn is_labels(part: &str) -> bool {
    part.split(' ').next() == Some(LABELS)
}

fn keep(layout: &Layout, stays: impl Fn(&str) -> bool) -> Result<()> {
    let mut noted = parts_of(layout)?;
    noted.retain(|part| stays(part));
    write(layout, noted)
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
        let columns = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        std::fs::create_dir(folder.path().join("labels")).unwrap();
        begin_labels(&layout, &columns(&["topic", "genre"])).unwrap();
        begin(&layout, &["tei"]).unwrap();
        end_formats(&layout).unwrap();
        assert!(matches!(refuse_half_labels(&layout), Err(Error::Usage(_))));
        assert!(begin_labels(&layout, &columns(&["topic"])).unwrap_err().to_string().contains("column genre"));
        begin_labels(&layout, &columns(&["year", "genre", "topic"])).unwrap();
        std::fs::remove_dir(folder.path().join("labels")).unwrap();
        assert!(refuse_half_labels(&layout).is_ok(), "given up");
        end_labels(&layout).unwrap();
        assert!(!layout.incomplete().exists());
        // The text of an earlier version.
        atomic::write(&layout.incomplete(), "warcorpus emit has begun to write here: run it again.\n").unwrap();
        assert!(parts_of(&layout).unwrap().is_empty());
    }
}
