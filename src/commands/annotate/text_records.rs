//! Records of a text file of labels: JSON lines, one object a line, or CSV as RFC 4180 has it, with a first record of names.
//! Errors say in which line of the file a record begins. Files may be compressed with gzip or zstd.

use std::fmt::{self, Display};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use crate::archive::ZSTD_MAGIC;
use crate::error::{Error, Result};
use crate::store::small_files::is_gzip;

/// Bytes of a record at most.
const LONGEST_RECORD: usize = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A value of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Unknown,
    Number(f64),
    Text(String),
    /// What CSV has: text that may be a number.
    Untyped(String),
    /// A list or an object.
    Other,
}

/// A record with the names of its values.
#[derive(Debug, PartialEq)]
pub struct Record {
    /// The line in which it begins, counted from 1.
    pub line: u64,
    pub cells: Vec<(String, Cell)>,
}

/// Reads the records of a file.
pub struct TextRecords {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    format: Format,
    /// Lines that were read.
    lines: u64,
}

enum Format {
    JsonLines,
    Csv { names: Vec<String> },
}

impl TextRecords {
    /// Reads a file whose bytes are given; the first one tells the format.
    pub fn new(path: &Path, file: impl Read + 'static) -> Result<TextRecords> {
        let failed = || Error::io("read", path);
        let mut file = BufReader::new(file);
        let magic = file.fill_buf().map_err(failed())?;
        let mut reader: Box<dyn BufRead> = if is_gzip(magic) {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else if magic.starts_with(&ZSTD_MAGIC) {
            Box::new(BufReader::new(zstd::stream::read::Decoder::with_buffer(file).map_err(failed())?))
        } else {
            Box::new(file)
        };
        if reader.fill_buf().map_err(failed())?.starts_with(BYTE_ORDER_MARK) {
            reader.consume(BYTE_ORDER_MARK.len());
        }
        let first = reader.fill_buf().map_err(failed())?.trim_ascii_start().first().copied();
        let mut records = TextRecords { path: path.into(), reader, format: Format::JsonLines, lines: 0 };
        if first == Some(b'[') {
            return Err(records.wrong(1, "a JSON array; JSON lines have an object a line"));
        }
        if first != Some(b'{') {
            let names = records.csv_fields()?.map(|(_, names)| names).unwrap_or_default();
            records.format = Format::Csv { names };
        }
        Ok(records)
    }

    /// The names of all values, where the format has them before any value.
    pub fn names(&self) -> &[String] {
        match &self.format {
            Format::JsonLines => &[],
            Format::Csv { names } => names,
        }
    }

    /// The error of a record.
    pub fn wrong(&self, line: u64, why: impl Display) -> Error {
        Error::damaged(&self.path, format!("line {line}: {why}"))
    }

    fn read(&mut self) -> Result<Option<Record>> {
        let names = match &self.format {
            Format::JsonLines => return self.json_object(),
            Format::Csv { names } => names.clone(),
        };
        let Some((line, fields)) = self.csv_fields()? else { return Ok(None) };
        if fields.len() != names.len() {
            return Err(self.wrong(line, format!("has {} values for {} names", fields.len(), names.len())));
        }
        let cell = |field: String| if field.is_empty() { Cell::Unknown } else { Cell::Untyped(field) };
        Ok(Some(Record { line, cells: names.into_iter().zip(fields.into_iter().map(cell)).collect() }))
    }

    fn json_object(&mut self) -> Result<Option<Record>> {
        let Some((line, text)) = self.text(false)? else { return Ok(None) };
        // Each line is a text of its own for the parser.
        let message = |error: serde_json::Error| error.to_string().replace(" at line 1 column ", " at byte ");
        let Object(cells) = serde_json::from_str(&text).map_err(|error| self.wrong(line, message(error)))?;
        Ok(Some(Record { line, cells }))
    }

    fn csv_fields(&mut self) -> Result<Option<(u64, Vec<String>)>> {
        let Some((line, text)) = self.text(true)? else { return Ok(None) };
        let fields = csv_fields(&text).map_err(|why| self.wrong(line, why))?;
        Ok(Some((line, fields)))
    }

    /// The next record that is not blank, without its line end, and the line in which it begins. `quotes`: line ends inside
    /// quotes are part of a value.
    fn text(&mut self, quotes: bool) -> Result<Option<(u64, String)>> {
        loop {
            let (line, mut bytes, mut is_open) = (self.lines + 1, Vec::new(), false);
            loop {
                let before = bytes.len();
                let most = (LONGEST_RECORD + 1 - before) as u64;
                let read = self.reader.by_ref().take(most).read_until(b'\n', &mut bytes);
                let is_end = read.map_err(Error::io("read", &self.path))? == 0;
                if bytes.len() > LONGEST_RECORD {
                    return Err(self.wrong(line, format!("more than {} MiB up to its end", LONGEST_RECORD >> 20)));
                }
                self.lines += u64::from(!is_end);
                if is_end && bytes.is_empty() {
                    return Ok(None);
                }
                // Quotes inside a value are written twice, so that their number says whether it is open.
                let marks = bytes.iter().skip(before).filter(|byte| **byte == b'"').count();
                is_open ^= quotes && marks % 2 == 1;
                if is_end || !is_open {
                    break;
                }
            }
            let text = String::from_utf8(bytes).map_err(|_| self.wrong(line, "is not UTF-8"))?;
            let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            if !text.trim().is_empty() {
                return Ok(Some((line, text.into())));
            }
        }
    }
}

impl Iterator for TextRecords {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        self.read().transpose()
    }
}

/// The values of a record of CSV.
fn csv_fields(record: &str) -> std::result::Result<Vec<String>, &'static str> {
    let (mut fields, mut rest) = (Vec::new(), record);
    loop {
        let behind = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (field, behind) = csv_quoted(quoted)?;
                fields.push(field);
                behind
            }
            None => {
                let (field, behind) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                if field.contains('"') {
                    return Err("a quote inside a value that does not begin with one");
                }
                fields.push(field.into());
                behind
            }
        };
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(fields),
            None => return Err("no comma behind a quoted value"),
        }
    }
}

/// A value up to its closing quote, and what stands behind that.
fn csv_quoted(text: &str) -> std::result::Result<(String, &str), &'static str> {
    let (mut field, mut rest) = (String::new(), text);
    loop {
        let (part, behind) = rest.split_once('"').ok_or("a quoted value that does not end")?;
        field.push_str(part);
        match behind.strip_prefix('"') {
            Some(more) => {
                field.push('"');
                rest = more;
            }
            None => return Ok((field, behind)),
        }
    }
}

/// An object with its names in order.
struct Object(Vec<(String, Cell)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Object, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Object, A::Error> {
                let mut cells = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    cells.push((name, cell(value)));
                }
                Ok(Object(cells))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Null => Cell::Unknown,
        Value::Bool(is) => Cell::Number(is.into()),
        Value::Number(number) => number.as_f64().map_or(Cell::Unknown, Cell::Number),
        Value::String(text) => Cell::Text(text),
        Value::Array(_) | Value::Object(_) => Cell::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn records(bytes: &[u8]) -> Result<Vec<Record>> {
        TextRecords::new(Path::new("labels"), Cursor::new(bytes.to_vec()))?.collect()
    }

    fn fields(record: &Record) -> Vec<&str> {
        let text = |(_, cell): &'_ (String, Cell)| match cell {
            Cell::Untyped(text) => text.clone(),
            other => format!("{other:?}"),
        };
        record.cells.iter().map(text).map(|text| &*text.leak()).collect()
    }

    #[test]
    fn csv_is_that_of_rfc_4180() {
        let all =
            records("\u{FEFF}url,\"a \"\"b\"\"\"\r\nx,1\r\n\r\n\"y, z\",\"two\r\nlines\"\n,\"\"\nlast,".as_bytes())
                .unwrap();
        assert_eq!(all.iter().map(|record| record.line).collect::<Vec<_>>(), [2, 4, 6, 7]);
        assert_eq!(all[0].cells[1], ("a \"b\"".into(), Cell::Untyped("1".into())));
        assert_eq!(fields(&all[1]), ["y, z", "two\r\nlines"]);
        assert_eq!(fields(&all[2]), ["Unknown", "Unknown"]);
        assert_eq!(fields(&all[3]), ["last", "Unknown"]);
    }

    #[test]
    fn objects_of_json_keep_the_order_of_their_names() {
        let all = records(b"{\"b\": 1.5, \"a\": \"x\"}\n\n{\"a\": null, \"c\": [1], \"d\": true}").unwrap();
        let cell = |name: &str, cell| (name.to_string(), cell);
        assert_eq!(all[0].cells, [cell("b", Cell::Number(1.5)), cell("a", Cell::Text("x".into()))]);
        assert_eq!(all[1].line, 3);
        assert_eq!(all[1].cells, [cell("a", Cell::Unknown), cell("c", Cell::Other), cell("d", Cell::Number(1.0))]);
    }

    #[test]
    fn compressed_files_are_read() {
        let plain = b"{\"a\": 1}\n";
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(plain).unwrap();
        let gzip = gzip.finish().unwrap();
        assert_eq!(records(&gzip).unwrap(), records(plain).unwrap());
        assert_eq!(records(&zstd::encode_all(plain.as_slice(), 1).unwrap()).unwrap(), records(plain).unwrap());
        assert!(records(&gzip[..gzip.len() - 9]).is_err());
    }

    #[test]
    fn errors_name_the_line() {
        for (text, told) in [
            ("a,b\n1,2\n1", "labels: line 3: has 1 values for 2 names"),
            ("a,b\n1,2\n\n\"1\"2,3\n", "line 4: no comma behind a quoted value"),
            ("a,b\n1,in 5\" or 6\"\n", "line 2: a quote inside a value"),
            ("a\n\"x\ny\nz", "line 2: a quoted value that does not end"),
            ("{\"a\": 1}\n[1]\n", "line 2: invalid type: sequence, expected an object at byte 0"),
            ("{\"a\": 1}\n{\"a\": }\n", "line 2: expected value at byte 7"),
            ("\n[{\"a\": 1}]", "a JSON array; JSON lines have an object a line"),
            ("{\"a\": 1e999}", "line 1: number out of range"),
        ] {
            let error = records(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
        assert!(records(b"a\n\xFF\n").unwrap_err().to_string().contains("line 2: is not UTF-8"));
        let long = [b"a\n".to_vec(), vec![b'x'; LONGEST_RECORD + 1]].concat();
        assert!(records(&long).unwrap_err().to_string().contains("line 2: more than 16 MiB"));
        let deep = "{\"a\": ".to_string() + &"[".repeat(1 << 20);
        assert!(records(deep.as_bytes()).unwrap_err().to_string().contains("line 1: recursion limit"));
        assert!(records(b"").unwrap().is_empty());
    }
}
