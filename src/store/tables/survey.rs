//! What the files of output formats for language models hold: columns, documents, languages.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, RecordBatch};
use flate2::read::MultiGzDecoder;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::guarded;
use crate::card::columns::{Column, has_unknown, learn, of_object, of_schema};
use crate::error::{Error, Result};

/// Longest line of JSON: the text of a document, its Markdown and what JSON adds have a bound.
const LONGEST_LINE: u64 = 1 << 30;

/// Receives the language of each document and the number of its words, if the file tells it.
pub type Each<'e> = &'e mut dyn FnMut(&str, Option<u64>);

/// What a file holds.
#[derive(Debug, Default)]
pub struct Surveyed {
    /// None for a file of JSON without a line.
    pub columns: Option<Vec<Column>>,
    pub documents: u64,
    /// Bytes without compression.
    pub bytes: u64,
}

/// Surveys a table. `each` gets the language and the words of each row, if there is a column
/// `language`.
///
/// # Errors
/// [`Error::Damaged`] if it is no table, or has a column of an unknown type.
pub fn table(path: &Path, each: Each<'_>) -> Result<Surveyed> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    let open = || ParquetRecordBatchReaderBuilder::try_new(file);
    let builder = guarded(open).map_err(|error| Error::damaged(path, error))?;
    let columns = of_schema(builder.schema()).map_err(|error| Error::damaged(path, error))?;
    let documents = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    let bytes =
        builder.metadata().row_groups().iter().map(|group| u64::try_from(group.total_byte_size()).unwrap_or(0)).sum();
    if columns.iter().any(|column| column.name == "language") {
        let read = || -> parquet::errors::Result<()> {
            let mask = ProjectionMask::columns(builder.parquet_schema(), ["language", "words"]);
            for batch in builder.with_projection(mask).build()? {
                languages(&batch?, each);
            }
            Ok(())
        };
        guarded(read).map_err(|error| Error::damaged(path, error))?;
    }
    Ok(Surveyed { columns: Some(columns), documents, bytes })
}

fn languages(batch: &RecordBatch, each: Each<'_>) {
    let Some(languages) = batch.column_by_name("language").and_then(|array| array.as_string_opt::<i32>()) else {
        return;
    };
    let words = batch.column_by_name("words").and_then(|array| array.as_primitive_opt::<UInt32Type>());
    for (row, language) in languages.iter().enumerate() {
        let words = words.filter(|words| row < words.len()).map(|words| words.value(row).into());
        each(language.unwrap_or_default(), words);
    }
}

#[derive(Deserialize)]
struct Line {
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    language: Option<String>,
    words: Option<u64>,
}

/// Surveys a file of JSON lines.
///
/// # Errors
/// [`Error::Damaged`] if a line is not what the format `jsonl` writes.
pub fn lines(path: &Path, each: Each<'_>) -> Result<Surveyed> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    let is_zstd = path.extension().is_some_and(|ending| ending == "zst");
    let unpacked: Box<dyn Read> = match is_zstd {
        true => Box::new(zstd::stream::read::Decoder::new(file).map_err(Error::io("read", path))?),
        false => Box::new(MultiGzDecoder::new(file)),
    };
    let (mut reader, mut line) = (BufReader::new(unpacked), Vec::new());
    let mut surveyed = Surveyed::default();
    let wrong =
        |why: &dyn std::fmt::Display| Error::damaged(path, format!("a line is not as the format jsonl has it: {why}"));
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(Error::io("read", path))? == 0 {
            return Ok(surveyed);
        }
        let parsed: Line = serde_json::from_slice(&line).map_err(|error| wrong(&error))?;
        if surveyed.columns.as_deref().is_none_or(has_unknown) {
            let object: Map<String, Value> = serde_json::from_slice(&line).map_err(|error| wrong(&error))?;
            let columns = of_object(&object).ok_or_else(|| wrong(&"a value of another type"))?;
            match &mut surveyed.columns {
                Some(known) => learn(known, &columns),
                None => surveyed.columns = Some(columns),
            }
        }
        surveyed.documents += 1;
        surveyed.bytes += line.len() as u64;
        if let Some(Metadata { language: Some(language), words }) = parsed.metadata {
            each(&language, words);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;
    use crate::card::columns::Kind;

    #[test]
    fn types_do_not_depend_on_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let survey = |lines: &str| {
            let path = folder.path().join("part.jsonl.gz");
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(lines.as_bytes()).unwrap();
            fs::write(&path, packed.finish().unwrap()).unwrap();
            let mut documents = 0;
            let surveyed = self::lines(&path, &mut |_, _| documents += 1);
            surveyed.map(|surveyed| (surveyed.columns, surveyed.documents, documents))
        };
        let line = |edu: &str| format!("{{\"text\":\"a\",\"metadata\":{{\"edu\":{edu},\"language\":\"eng\"}}}}\n");
        let kind = |columns: Option<Vec<Column>>| {
            let metadata = columns.unwrap().into_iter().find(|column| column.name == "metadata").unwrap();
            let Kind::Fields(inner) = metadata.kind else { panic!("no object") };
            inner.into_iter().find(|column| column.name == "edu").unwrap().kind
        };
        for (values, wanted) in [
            (["null", "null", "0.5"], Kind::Float("float64")),
            (["0.5", "null", "null"], Kind::Float("float64")),
            (["null", "null", "null"], Kind::Unknown),
        ] {
            let (columns, documents, languages) = survey(&values.map(line).concat()).unwrap();
            assert_eq!((kind(columns), documents, languages), (wanted, 3, 3), "{values:?}");
        }
        let error = survey(&[line("null"), line("[1]")].concat()).unwrap_err().to_string();
        assert!(error.contains("a value of another type"), "{error}");
    }
}
