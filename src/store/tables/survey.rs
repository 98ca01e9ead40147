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
use crate::card::columns::{Column, of_object, of_schema};
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
        if surveyed.columns.is_none() {
            let object: Map<String, Value> = serde_json::from_slice(&line).map_err(|error| wrong(&error))?;
            surveyed.columns = Some(of_object(&object).ok_or_else(|| wrong(&"a value of another type"))?);
        }
        surveyed.documents += 1;
        surveyed.bytes += line.len() as u64;
        if let Some(Metadata { language: Some(language), words }) = parsed.metadata {
            each(&language, words);
        }
    }
}
