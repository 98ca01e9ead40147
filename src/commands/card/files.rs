//! The files that a card describes.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::relative;
use crate::card::columns::{Column, learn};
use crate::card::{DataFile, FileKind, Files, Making, Size};
use crate::error::{Error, Result};
use crate::language::Language;
use crate::store::atomic;
use crate::store::tables::survey;

/// The files in the folders of a directory: those of the first kind that is there.
pub fn of_folder(folder: &Path) -> Result<Files> {
    for kind in FileKind::ALL {
        let (inner, ending) = kind.place();
        let mut paths = atomic::files(&folder.join(inner))?;
        paths.retain(|path| path.to_string_lossy().ends_with(&format!(".{ending}")));
        paths.sort();
        if !paths.is_empty() {
            return of_paths(folder, kind, &paths);
        }
    }
    let here = folder.display();
    Err(Error::Usage(format!(
        "{here} has neither texts/*.parquet nor jsonl/; write them: warcorpus emit CORPUS --format parquet --out {here}"
    )))
}

fn of_paths(folder: &Path, kind: FileKind, paths: &[PathBuf]) -> Result<Files> {
    let mut files = Files { kind, ..Files::default() };
    let mut known: Option<Vec<Column>> = None;
    for path in paths {
        let languages = &mut files.languages;
        let mut each = |language: &str, words: Option<u64>| {
            let language = Language::by_name(language).unwrap_or(Language::UNDETERMINED);
            let size = languages.entry(language).or_insert(Size { documents: 0, words: Some(0) });
            size.documents += 1;
            size.words = size.words.zip(words).map(|(sum, words)| sum + words);
        };
        let surveyed = match kind {
            FileKind::Parquet => survey::table(path, &mut each)?,
            FileKind::GzipLines | FileKind::ZstdLines => survey::lines(path, &mut each)?,
        };
        files.documents += surveyed.documents;
        files.plain_bytes += surveyed.bytes;
        if let Some(mut columns) = surveyed.columns {
            if let Some(known) = &mut known {
                learn(&mut columns, known);
                learn(known, &columns);
            }
            if known.as_ref().is_some_and(|known| *known != columns) {
                return Err(Error::damaged(
                    path,
                    "has other columns than the files before it; write them again with `emit`",
                ));
            }
            known = Some(columns);
        }
        files.files.push(data_file(folder, path)?);
    }
    files.columns = known.unwrap_or_default();
    Ok(files)
}

/// Takes the languages of the corpus if the files do not tell theirs and hold all of its documents. Returns whether they are
/// known then.
pub fn complete_languages(files: &mut Files, made: &Making) -> bool {
    if files.languages.is_empty() && files.documents == made.kept() {
        files.languages.clone_from(&made.languages);
    }
    !files.languages.is_empty() || files.documents == 0
}

fn data_file(folder: &Path, path: &Path) -> Result<DataFile> {
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    let (mut hash, mut buffer, mut bytes) = (Sha256::new(), vec![0; 1 << 16], 0);
    loop {
        let read = file.read(&mut buffer).map_err(Error::io("read", path))?;
        let Some(part) = buffer.get(..read).filter(|part| !part.is_empty()) else { break };
        hash.update(part);
        bytes += read as u64;
    }
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(DataFile { path: relative(path, folder), bytes, sha256 })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::card::Reason;

    #[test]
    fn the_whole_corpus_has_its_languages() {
        let size = Size { documents: 2, words: Some(7) };
        let languages = BTreeMap::from([(Language::UNDETERMINED, size)]);
        let kept = Reason { name: "kept".into(), count: 2, meaning: String::new() };
        let made = Making { documents: vec![kept], languages: languages.clone(), ..Making::default() };
        let own = BTreeMap::from([(Language::by_code("ces").unwrap(), size)]);
        for (documents, told, wanted, is_known) in [
            (2, BTreeMap::new(), languages.clone(), true),
            (1, BTreeMap::new(), BTreeMap::new(), false),
            (0, BTreeMap::new(), BTreeMap::new(), true),
            (2, own.clone(), own, true),
        ] {
            let mut files = Files { documents, languages: told, ..Files::default() };
            assert_eq!(complete_languages(&mut files, &made), is_known, "{documents}");
            assert_eq!(files.languages, wanted, "{documents}");
        }
    }
}
